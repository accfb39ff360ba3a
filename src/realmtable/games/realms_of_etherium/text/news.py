"""Steps as news: what a player has done and what came of it, without the steps that lead to nothing yet."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.steps import Step, StepKind
from realmtable.games.realms_of_etherium.text.describe import SUPPLIES, describe_step
from realmtable.games.realms_of_etherium.text.effects import describe_effects
from realmtable.kit.rules import Position

LEFT_OUT: Final = (StepKind.MAGE, StepKind.SUMMON, StepKind.DRAW)  # the news of the next step says it


def report_step(before: Position, seat: Seat, step: Step, after: Position) -> str:
    """Return what a step did, as a sentence without a full stop; empty if it is no news."""
    if seat == CHANCE:
        return _report_chance(before, step, after)
    if step.kind in LEFT_OUT:
        return ""
    effects = describe_effects(before, step, after)
    if step.kind == StepKind.PUT or (step.kind == StepKind.END and before[layout.MOVED]):
        return effects.removeprefix("; ")  # the player's earlier steps say the rest
    action = describe_step(before, step, after).removesuffix(effects)
    if step.kind == StepKind.TAKE:
        action = f"Summon {layout.KIND_NAMES[step.at]} from the Reserve"
    return f"{INFO.seat_names[seat]} {conjugate(action)}{effects.replace(' and gain ', ' and gains ', 1)}"


def conjugate(action: str) -> str:
    """Return an imperative as what someone else does.

    >>> conjugate("Push no more Mages of Azure"), conjugate("Take Control of Channel")
    ('pushes no more Mages of Azure', 'takes Control of Channel')
    """
    verb, _, rest = action.partition(" ")
    return f"{verb.lower()}{'es' if verb.endswith('sh') else 's'} {rest}"


def _report_chance(before: Position, step: Step, after: Position) -> str:
    """Return what was drawn. Tiles that fill the Reserve are no news, but what follows is, such as a gain."""
    if step.kind != StepKind.REVEAL:
        return describe_step(before, step, after)
    effects = describe_effects(before, step, after)
    if before[layout.PHASE] != layout.IN_DRAW:
        return effects.removeprefix("; ")
    name = INFO.seat_names[before.item(layout.ACTIVE_SEAT)]
    effects = effects.replace(f"; {name} gains ", " and gains ", 1)
    supply = SUPPLIES[layout.IS_VICTORY[step.at]]
    return f"{name} summons {layout.KIND_NAMES[step.at]} from the {supply}{effects}"
