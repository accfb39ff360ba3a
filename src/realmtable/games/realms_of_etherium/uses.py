"""Which tiles are used, and how: what experiments ask of a game of Realms of Etherium."""

from __future__ import annotations

from typing import Final

from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.world import tile_on
from realmtable.games.realms_of_etherium.notation.step_notation import step_text
from realmtable.games.realms_of_etherium.state import State
from realmtable.games.realms_of_etherium.steps import Step, StepKind
from realmtable.games.realms_of_etherium.text.describe import entered_kind
from realmtable.kit.rules import Position

ON_A_TILE: Final = frozenset({StepKind.TO, StepKind.SHIFT, StepKind.SWAP, StepKind.WITH})  # `at` is its hex
UNCOUNTED: Final = frozenset({StepKind.MAGE, StepKind.END, StepKind.NEXT, StepKind.SKIP})
PORTAL: Final = "Portal"


def name_uses(state: State, step: Step) -> list[str]:
    """Name what a step does and the tile it is about: where a Mage goes, takes Control or uses a power."""
    if step.kind in UNCOUNTED:
        return []
    position, verb = state.position, step_text(step).split()[0]
    if step.kind in ON_A_TILE:
        is_portal = step.at == layout.TO_PORTALS
        return [f"{verb} {PORTAL if is_portal else _name_tile(position, tile_on(position, step.at))}"]
    if step.kind == StepKind.CONTROL:
        controlled = position[layout.MAGE_PLACE + position[layout.ACTIVE_MAGE]]
        return [f"{verb} {_name_tile(position, controlled)}"]
    if step.kind == StepKind.USE:
        return [f"{verb} {layout.KIND_NAMES[entered_kind(position)]}"]
    if step.kind == StepKind.COLOUR:
        return [step_text(step)]
    return [f"{verb} {layout.KIND_NAMES[step.at]}"] if step.kind in (StepKind.TAKE, StepKind.REACT) else [verb]


def name_holdings(state: State) -> list[list[str]]:
    """Name the Realms that each seat controls."""
    position = state.position
    held: list[list[str]] = [[] for _ in range(position[layout.SEATS])]
    for tile in range(layout.PORTALS):
        owner = int(position[layout.TILE_OWNER + tile])
        if owner:
            held[owner - 1].append(f"end with {_name_tile(position, tile)}")
    return held


def _name_tile(position: Position, tile: int) -> str:
    return str(layout.KIND_NAMES[position[layout.TILE_KIND + tile]])
