"""The clicks that make a step: hexes, Mages, tiles of the Reserve, and buttons.

A handle is ``hex:1,-2``, ``portal`` for all Portals together, ``mage:2.3``, ``reserve:Quicken``, ``supply:realm`` or
the name of a button.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import HandlePath, View
from realmtable.games.realms_of_etherium.kernels.layout import MAX_MAGES, TO_PORTALS
from realmtable.games.realms_of_etherium.notation.step_notation import PORTAL_WORD, hex_text, mage_text, step_text
from realmtable.games.realms_of_etherium.steps import Step, StepKind

TARGET_KINDS: Final = (
    StepKind.TO, StepKind.SUMMON, StepKind.SHIFT, StepKind.PUT, StepKind.SWAP, StepKind.WITH,
)  # fmt: skip


def handles(view: View, step: Step) -> HandlePath:
    """Return what to click for a step."""
    kind, at, to = step
    if kind in TARGET_KINDS:
        return (_target_handle(at),)
    if kind in (StepKind.MAGE, StepKind.TRANSFER):
        mage = f"mage:{mage_text(view['turn']['seat'] * MAX_MAGES + at)}"
        return (mage,) if kind == StepKind.MAGE else ("transfer", mage)
    if kind == StepKind.TRANSFER_MAGE:
        return "transfer", f"mage:{mage_text(at)}"
    if kind == StepKind.PUSH:
        return f"mage:{mage_text(at)}", _target_handle(to)
    if kind == StepKind.PUSH_MAGE:
        return (f"mage:{mage_text(at)}",)
    return (_button(step),)


def _target_handle(target: int) -> str:
    return PORTAL_WORD if target == TO_PORTALS else f"hex:{hex_text(target)}"


def _button(step: Step) -> str:
    text = step_text(step)
    if step.kind in (StepKind.DRAW, StepKind.TAKE):
        return f"{'supply' if step.kind == StepKind.DRAW else 'reserve'}:{text.partition(' ')[2]}"
    return text.replace(" ", ":")
