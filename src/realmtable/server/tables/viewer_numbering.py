"""Versions and steps as each viewer counts them: steps that a viewer may not know of are not counted.

A gap in the numbers would reveal a secret step, so every number that leaves the server is converted here. Once the
game is over nothing is secret, and all viewers count alike.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat


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
