"""The games, one folder each. The registry finds them; adding one edits nothing outside its folder."""

from __future__ import annotations

from typing import Final

DEFAULT_GAME: Final = "realm"  # the game of a position whose game nobody names
