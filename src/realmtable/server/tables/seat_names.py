"""Seat names for each viewer.

A game may name seats by what happens in it, such as the character a player has chosen, and not every viewer may know
that. Texts that a table keeps therefore contain marks instead of such names; `write_names` replaces them by the names
that follow from a viewer's own view. Other games have fixed names, which are written into the texts at once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from realmtable.engine.protocol import AnyGame, HasSeatNames, Seat, View

FIRST_MARK: Final = 0xE000  # private-use characters, one for each seat; no game writes them
MAX_SEATS: Final = 64
_MARKS: Final = re.compile(f"[{chr(FIRST_MARK)}-{chr(FIRST_MARK + MAX_SEATS - 1)}]")


def names_to_keep(game: AnyGame) -> Sequence[str]:
    """Return what to write for each seat in a text that is kept: its name, or a mark if viewers name it differently."""
    if not isinstance(game, HasSeatNames):
        return game.info.seat_names
    return [chr(FIRST_MARK + seat) for seat in range(len(game.info.seat_names))]


def names_for(game: AnyGame, view: View, seats: int) -> list[str]:
    """Return the name of each seat as the viewer of `view` may know it."""
    if not isinstance(game, HasSeatNames):
        return [*game.info.seat_names[:seats]]
    return [name_of(game, view, seat) for seat in range(seats)]


def name_of(game: AnyGame, view: View, seat: Seat) -> str:
    """Return the name of a seat as the viewer of `view` may know it, by default its usual name."""
    own = game.seat_name(view, seat) if isinstance(game, HasSeatNames) else ""
    return own or game.info.seat_names[seat]


def write_names(text: str, names: Sequence[str]) -> str:
    """Replace the marks in a kept text by names.

    >>> write_names("\ue000 offers a draw.", ["Ann, the Elf", "Bob"])
    'Ann, the Elf offers a draw.'
    """
    return _MARKS.sub(lambda mark: names[ord(mark[0]) - FIRST_MARK], text)
