"""What a seat sees of a state of Classic Realm (everything), and the clicks that make a step."""

from __future__ import annotations

from typing import Any

from realmtable.engine.protocol import HandlePath, Outcome, Seat, Turn, View
from realmtable.games.classic_realm import layout
from realmtable.games.classic_realm.first_state import State
from realmtable.games.classic_realm.steps import Step, StepKind
from realmtable.kit.realm_board import (
    CELLS,
    CENTERS,
    REALMS,
    SEAT_NAMES,
    Cell,
    cell_name,
    find_realm_name,
    spaces_of,
)
from realmtable.kit.rules import Position

WATER_SPACES = tuple(tuple(space for space in spaces_of(realm) if space not in CENTERS) for realm in range(REALMS))
# By owner and space, as every view shows it.
FROGS = [
    {cell: {"at": cell_name(cell), "seat": seat, "swims": cell not in CENTERS} for cell in range(CELLS)}
    for seat in range(2)
]
END_SENTENCES = {
    "repetition": "The same position appeared for the third time: a draw.",
    "max_plies": "The game reached its last turn: a draw.",
}


def board_data(state: State) -> dict[str, Any]:
    """Return the pieces, the phase and what else this game shows."""
    position = state.position
    pads = [count_on_pads(position, each) for each in range(2)]
    water = [count_in_water(position, each) for each in range(2)]
    return {
        "pieces": [FROGS[owner][cell] for cell, owner in sorted(frogs_by_cell(position).items())],
        "phase": layout.PHASES[position[layout.PHASE]],
        "pads": pads,
        "water": water,
        "unplaced": [layout.FROGS_EACH - pads[each] - water[each] for each in range(2)],
        "right": None
        if position[layout.DOUBLE_MOVE_HOLDER] == layout.NOBODY
        else {"seat": int(position[layout.DOUBLE_MOVE_HOLDER]), "owed": int(position[layout.OWED_TURNS])},
        "rescued": find_realm_name(int(position[layout.RESCUED_REALM])),
    }


def frogs_by_cell(position: Position) -> dict[Cell, Seat]:
    """Return the owner of the frog on each space; frogs in the water fill the lowest spaces, White's first (B2)."""
    owners = {}
    numbers = position[: layout.WATER + 2 * REALMS].tolist()  # reading single entries of an array is slow
    for realm in range(REALMS):
        taken = 0
        for seat in range(2):
            if numbers[layout.PADS + seat] >> realm & 1:
                owners[CENTERS[realm]] = seat
            for _ in range(numbers[layout.WATER + seat * REALMS + realm]):
                owners[WATER_SPACES[realm][taken]] = seat
                taken += 1
    return owners


def count_on_pads(position: Position, seat: Seat) -> int:
    """Count a seat's frogs on pads, which is its score."""
    return position.item(layout.PADS + seat).bit_count()


def count_in_water(position: Position, seat: Seat) -> int:
    """Count a seat's frogs in the water."""
    first = layout.WATER + seat * REALMS
    return sum(position[first : first + REALMS].tolist())  # for so few numbers faster than the array's own sum


def count_gains(view: View) -> dict[str, list[int]]:
    """Return how many of the other seat's frogs each seat has in the water."""
    return {"capture": view["water"][::-1]}


def to_move(state: State) -> tuple[Seat, ...]:
    """Return the seat to act, or none once the game is over."""
    return () if state.position.item(layout.PHASE) == layout.OVER else (state.position.item(layout.SEAT),)


def turn(state: State) -> Turn:
    """Number the turn: pairs of placements (V1) first, then pairs of turns."""
    position = state.position
    if position.item(layout.PHASE) == layout.PLACE:
        number = (count_on_pads(position, 0) + count_on_pads(position, 1)) // 2 + 1
    else:
        number = layout.FROGS_EACH * position.item(layout.R_FREE_SETUP) + position.item(layout.TURNS) // 2 + 1
    return Turn(number, position.item(layout.SEAT))


def outcome(state: State) -> Outcome | None:
    """Return frogs on pads per seat, the ranking and the reason, once the game is over."""
    position = state.position
    if position[layout.PHASE] != layout.OVER:
        return None
    scores = count_on_pads(position, 0), count_on_pads(position, 1)
    reason = layout.REASONS[position[layout.REASON]]
    if position[layout.REASON] != layout.ALL_IN_WATER:
        return Outcome(scores, (1, 1), reason, END_SENTENCES[reason])
    winner = int(position[layout.SEAT])
    text = f"All of {SEAT_NAMES[1 - winner]}'s frogs are in the water: {SEAT_NAMES[winner]} wins."
    return Outcome(scores, (1 + winner, 2 - winner), reason, text)


def handles(step: Step) -> HandlePath:
    """Return what a person clicks: pads by name, buttons by word."""
    if step.kind == StepKind.MOVE:
        return cell_name(step.at), cell_name(step.to)
    return (cell_name(step.at),) if step.kind == StepKind.PUT else (step.kind.name.lower(),)
