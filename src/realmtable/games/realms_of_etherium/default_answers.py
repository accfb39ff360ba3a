"""What a player who is asked out of turn does if they do not answer in time (N9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.games.realms_of_etherium.kernels.layout import TO_PORTALS
from realmtable.games.realms_of_etherium.steps import Step, StepKind

_PREFERRED: Final = (Step(StepKind.SKIP), Step(StepKind.TO, TO_PORTALS))


def default_step(legal: Sequence[Step]) -> Step:
    """Return the step that declines; else the one to the Portal, where nothing happens; else the first."""
    return next((step for step in _PREFERRED if step in legal), legal[0])
