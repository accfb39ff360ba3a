"""What viewers may know: how they count versions and steps, and by which names they know the seats.

A gap in the numbers would reveal a secret step, so every number that leaves the server is converted here. Once the
game is over nothing is secret, and all viewers count alike.

A game may name seats by what happens in it, such as the character a player has chosen, and not every viewer may know
that. Texts that a table keeps therefore contain marks instead of such names; `write_names` replaces them by the names
that follow from a viewer's own view. Other games have fixed names, which are written into the texts at once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple

from realmtable.engine.protocol import AnyGame, HasSeatNames, Seat, View


class SecretStep(NamedTuple):
    """A step that some viewers may not know of, or the undoing of one."""

    version: int
    step: int  # 0 if it was undone, or is an undoing: it counts as a version only
    hidden_from: tuple[int, ...]  # viewers, as numbered by `viewer_index`


def viewer_index(viewer: Seat | None) -> int:
    """Return the index of a viewer in texts that differ by viewer: spectators first, then the seats."""
    return 0 if viewer is None else viewer + 1


def is_known(secret: SecretStep, seats: Sequence[Seat]) -> bool:
    """Whether a viewer on these seats (none: a spectator) may know of a step."""
    return any(viewer_index(seat) not in secret.hidden_from for seat in seats or (None,))


class Numbering:
    """How a viewer on some seats counts the versions and steps of a table."""

    def __init__(self, hidden_steps: Sequence[SecretStep], seats: Sequence[Seat]) -> None:
        self._seats = seats
        self._hidden_steps: Sequence[SecretStep] = ()
        self._versions: list[int] = []  # of the steps hidden from the viewer, ascending
        self._steps: list[int] = []
        self.extend(hidden_steps)

    def extend(self, hidden_steps: Sequence[SecretStep]) -> bool:
        """Continue with the hidden steps of a later version; return False if they do not continue those known."""
        if hidden_steps is self._hidden_steps:
            return True
        count = len(self._hidden_steps)
        if count > len(hidden_steps) or (count and hidden_steps[count - 1] is not self._hidden_steps[-1]):
            return False
        hidden = [secret for secret in islice(hidden_steps, count, None) if not is_known(secret, self._seats)]
        self._versions += [secret.version for secret in hidden]  # both in ascending order
        self._steps += [secret.step for secret in hidden if secret.step]
        self._hidden_steps = hidden_steps
        return True

    def visible_version(self, version: int) -> int:
        """Return the number of a version as the viewer counts."""
        return version - bisect_right(self._versions, version) if self._versions else version

    def visible_step(self, step: int) -> int:
        """Return the number of a step as the viewer counts."""
        return step - bisect_right(self._steps, step) if self._steps else step

    def latest_actual_version(self, known: int) -> int:
        """Return the latest version that the viewer counts as `known`."""
        return known + _count_hidden_before(self._versions, known + 1) if self._versions else known

    def actual_step(self, known: int) -> int:
        """Return the step that the viewer counts as `known`."""
        return known + _count_hidden_before(self._steps, known) if self._steps else known


COUNTS_ALL: Final = Numbering((), ())  # for all viewers while nothing is secret


def _count_hidden_before(hidden: Sequence[int], known: int) -> int:
    """Return how many of the hidden numbers come before the one that is counted as `known`, or are counted like it."""
    return bisect_right(range(len(hidden)), known, key=lambda index: hidden[index] - index)


# ---- names of seats


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
