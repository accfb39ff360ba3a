"""The clicks that make a step: hexes, Mages, tiles of the Reserve, and buttons; and why clicks begin no legal step.

A handle is ``hex:1,-2``, ``portal`` for all Portals together, ``mage:2.3``, ``reserve:Quicken``, ``supply:realm`` or
the name of a button.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from realmtable.engine.protocol import HandlePath, View
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.world import is_portal, tile_on
from realmtable.games.realms_of_etherium.notation.step_notation import (
    PORTAL_WORD,
    find_hex,
    find_mage,
    hex_text,
    mage_text,
    step_text,
)
from realmtable.games.realms_of_etherium.steps import Step, StepKind
from realmtable.games.realms_of_etherium.text.refusals import PHASE_REASONS, Reason, find_reason
from realmtable.kit.rules import Position

TARGET_KINDS: Final = (
    StepKind.TO, StepKind.SUMMON, StepKind.SHIFT, StepKind.PUT, StepKind.SWAP, StepKind.WITH,
)  # fmt: skip
NOT_YOURS: Final = ("R1", "This Mage belongs to another player; choose one of yours.")
HEX_FIRST: Final = ("M2", "Choose an empty hex next to the Mage first; then choose the tile for it.")
LATER_TURN: Final = ("R3", "Another Mage of yours can be activated in a later turn.")
STEP_BY_PHASE: Final[Mapping[int, StepKind]] = {
    layout.IN_PUT: StepKind.PUT,
    layout.IN_WITH: StepKind.WITH,
    layout.IN_TARGET: StepKind.TO,
}
STEP_BY_VERB: Final[Mapping[int, StepKind]] = {layout.SHIFT: StepKind.SHIFT, layout.SWAP: StepKind.SWAP}


def handles(view: View, step: Step) -> HandlePath:
    """Return what to click for a step."""
    kind, at, to = step
    if kind in TARGET_KINDS:
        return (_target_handle(at),)
    if kind in (StepKind.MAGE, StepKind.TRANSFER):
        mage = f"mage:{mage_text(view['turn']['seat'] * layout.MAX_MAGES + at)}"
        return (mage,) if kind == StepKind.MAGE else ("transfer", mage)
    if kind == StepKind.TRANSFER_MAGE:
        return "transfer", f"mage:{mage_text(at)}"
    if kind == StepKind.PUSH:
        return f"mage:{mage_text(at)}", _target_handle(to)
    if kind == StepKind.PUSH_MAGE:
        return (f"mage:{mage_text(at)}",)
    return (_button(step),)


def _target_handle(target: int) -> str:
    return PORTAL_WORD if target == layout.TO_PORTALS else f"hex:{hex_text(target)}"


def _button(step: Step) -> str:
    text = step_text(step)
    if step.kind in (StepKind.DRAW, StepKind.TAKE):
        return f"{'supply' if step.kind == StepKind.DRAW else 'reserve'}:{text.partition(' ')[2]}"
    return text.replace(" ", ":")


# ---- clicks that begin no legal step


def why_not_clicked(position: Position, clicks: HandlePath) -> Reason | None:
    """Return why clicks begin no legal step; None if they mean nothing."""
    sort, _, name = clicks[-1].partition(":")
    phase = position.item(layout.PHASE)
    if sort in ("reserve", "supply"):
        return HEX_FIRST if phase == layout.IN_ACT else PHASE_REASONS[phase]
    if sort == "mage" and (mage := find_mage(name)) is not None:
        return _why_not_this_mage(position, mage, clicks)
    target = layout.TO_PORTALS if sort == PORTAL_WORD else find_hex(name)
    if sort in ("hex", PORTAL_WORD) and target is not None:
        return _why_not_this_target(position, target, clicks)
    return None  # a button that is not offered now


def _why_not_this_mage(position: Position, mage: int, clicks: HandlePath) -> Reason:
    phase = position.item(layout.PHASE)
    seat, number = divmod(mage, layout.MAX_MAGES)
    if phase == layout.IN_PUSH:
        return find_reason(position, _push_step(position, mage, layout.TO_PORTALS))
    if phase not in (layout.IN_MAGE, layout.IN_ACT):
        return PHASE_REASONS[phase]
    if seat != position[layout.ACTIVE_SEAT]:
        is_transfer = clicks[0] == "transfer" and position[layout.R_TRANSFER_TO_ANYONE]
        return find_reason(position, Step(StepKind.TRANSFER_MAGE, mage)) if is_transfer else NOT_YOURS
    if phase == layout.IN_MAGE:
        return find_reason(position, Step(StepKind.MAGE, number))
    return find_reason(position, Step(StepKind.TRANSFER, number)) if clicks[0] == "transfer" else LATER_TURN


def _push_step(position: Position, mage: int, target: int) -> Step:
    """Return the push that a player means; if its owner chooses the place, the target does not count (V3)."""
    if position[layout.R_OWNER_CHOOSES]:
        return Step(StepKind.PUSH_MAGE, mage)
    return Step(StepKind.PUSH, mage, target)


def _why_not_this_target(position: Position, target: int, clicks: HandlePath) -> Reason:
    phase = position.item(layout.PHASE)
    tile = layout.NONE if target == layout.TO_PORTALS else tile_on(position, target)
    if phase in (layout.IN_ACT, layout.IN_TARGET, layout.IN_PUSH) and tile != layout.NONE and is_portal(position, tile):
        target = layout.TO_PORTALS
    if phase == layout.IN_ACT:
        is_move = target == layout.TO_PORTALS or tile != layout.NONE
        return find_reason(position, Step(StepKind.TO if is_move else StepKind.SUMMON, target))
    if phase == layout.IN_PUSH and len(clicks) > 1 and (mage := find_mage(clicks[0].partition(":")[2])) is not None:
        return find_reason(position, _push_step(position, mage, target))
    kind = STEP_BY_PHASE.get(phase)
    if phase == layout.IN_ENTER:
        entered = position.item(layout.MAGE_PLACE + position.item(layout.ENTERING))
        kind = STEP_BY_VERB.get(int(layout.VERB_OF[position.item(layout.TILE_KIND + entered)]))
    if kind is None or (target == layout.TO_PORTALS and kind != StepKind.TO):
        return PHASE_REASONS[phase]
    return find_reason(position, Step(kind, target))
