"""Numbers that the kernels and their callers agree on."""

from __future__ import annotations

from typing import Final

RESET: Final = -1  # instead of an action: start the game again

# Instead of the reason for which a game has ended.
GOES_ON: Final = 0
CUT: Final = -1  # it had the most steps that it may have
REFUSED: Final = -2  # it goes on as it was, because the action was not legal
