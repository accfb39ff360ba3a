"""Versions and steps as each viewer counts them: steps that a viewer may not know of are not counted.

A gap in the numbers would reveal a secret step, so every number that leaves the server is converted here. Once the
game is over nothing is secret, and all viewers count alike.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from realmtable.engine.protocol import Seat


class SecretStep(NamedTuple):
    """A step that some viewers may not know of."""

    version: int
    step: int
    hidden_from: tuple[int, ...]  # viewers, as numbered by `viewer_index`


def viewer_index(viewer: Seat | None) -> int:
    """Return the index of a viewer in texts that differ by viewer: spectators first, then the seats."""
    return 0 if viewer is None else viewer + 1


def is_known(secret: SecretStep, seats: Sequence[Seat]) -> bool:
    """Whether a viewer on these seats (none: a spectator) may know of a step."""
    return any(viewer_index(seat) not in secret.hidden_from for seat in seats or (None,))


class Numbering:
    """How a viewer on some seats counts the versions and steps of a table."""

    def __init__(self, secrets: Iterable[SecretStep], seats: Sequence[Seat]) -> None:
        hidden = [secret for secret in secrets if not is_known(secret, seats)]
        self._versions = [secret.version for secret in hidden]  # both in ascending order
        self._steps = [secret.step for secret in hidden]

    def visible_version(self, version: int) -> int:
        """Return the number of a version as the viewer counts."""
        return version - _count_up_to(self._versions, version)

    def visible_step(self, step: int) -> int:
        """Return the number of a step as the viewer counts."""
        return step - _count_up_to(self._steps, step)

    def latest_actual_version(self, known: int) -> int:
        """Return the latest version that the viewer counts as `known`."""
        return known + sum(1 for _ in takewhile(lambda pair: pair[1] - pair[0] <= known + 1, enumerate(self._versions)))

    def actual_step(self, known: int) -> int:
        """Return the step that the viewer counts as `known`."""
        return known + sum(1 for _ in takewhile(lambda pair: pair[1] - pair[0] <= known, enumerate(self._steps)))


def _count_up_to(numbers: Sequence[int], last: int) -> int:
    return bisect_right(numbers, last) if numbers else 0
