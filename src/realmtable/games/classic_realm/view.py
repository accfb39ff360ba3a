"""What a seat sees of a state of Classic Realm (everything), and the clicks that make a step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from realmtable.engine.protocol import HandlePath, Outcome, Seat, View
from realmtable.games.classic_realm import layout
from realmtable.games.classic_realm.first_state import State
from realmtable.games.classic_realm.steps import Step
from realmtable.kit.realm_board.geometry import (
    CELLS,
    CENTERS,
    REALMS,
    SEAT_NAMES,
    Realm,
    cell_name,
    find_realm_name,
    spaces_of,
)
from realmtable.kit.realm_board.steps import step_clicks
from realmtable.kit.rules import Position

WATER_SPACES = tuple(tuple(space for space in spaces_of(realm) if space not in CENTERS) for realm in range(REALMS))
# By space and owner (twice the space, plus the seat), as every view shows it.
FROGS = [
    {"at": cell_name(cell), "seat": seat, "swims": cell not in CENTERS} for cell in range(CELLS) for seat in range(2)
]
END_SENTENCES = {
    "repetition": "The same position appeared for the third time: a draw.",
    "max_plies": "The game reached its last turn: a draw.",
}


def board_data(state: State) -> dict[str, Any]:
    """Return the pieces, the phase and what else this game shows."""
    numbers = state.position[: layout.RULES].tolist()  # reading single entries of an array is slow
    water = [numbers[first : first + REALMS] for first in (layout.WATER, layout.WATER + REALMS)]
    on_pads = [numbers[layout.PADS + each].bit_count() for each in range(2)]
    in_water = [sum(counts) for counts in water]
    holder = numbers[layout.DOUBLE_MOVE_HOLDER]
    return {
        "pieces": [FROGS[frog] for frog in _list_frogs(numbers[layout.PADS], numbers[layout.PADS + 1], *water)],
        "phase": layout.PHASES[numbers[layout.PHASE]],
        "pads": on_pads,
        "water": in_water,
        "unplaced": [layout.FROGS_EACH - on_pads[each] - in_water[each] for each in range(2)],
        "right": None if holder == layout.NOBODY else {"seat": holder, "owed": numbers[layout.OWED_TURNS]},
        "rescued": find_realm_name(numbers[layout.RESCUED_REALM]),
    }


def _list_frogs(white_pads: int, black_pads: int, white_water: Sequence[int], black_water: Sequence[int]) -> list[int]:
    """Return the places in FROGS of all frogs, by space; the arguments are entries of a position."""
    frogs: list[int] = []
    for realm, white, black in zip(range(REALMS), white_water, black_water, strict=True):
        pad = (white_pads >> realm & 1) + 2 * (black_pads >> realm & 1)
        if pad or white or black:
            frogs += _frogs_in_realm(realm, pad, white, black)
    frogs.sort()
    return frogs


@cache
def _frogs_in_realm(realm: Realm, pad: int, white: int, black: int) -> list[int]:
    """Return the places in FROGS of the frogs in a Realm, by the owner of the one on the pad and the numbers in water.

    Frogs in the water fill the lowest spaces, White's first (B2).
    """
    swimmers = [0] * white + [1] * black
    on_pad = [2 * CENTERS[realm] + pad - 1] if pad else []
    return on_pad + [2 * WATER_SPACES[realm][index] + seat for index, seat in enumerate(swimmers)]


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


def outcome(state: State) -> Outcome:
    """Return frogs on pads per seat, the ranking and the reason of a finished game."""
    position = state.position
    scores = count_on_pads(position, 0), count_on_pads(position, 1)
    reason = layout.REASONS[position[layout.REASON]]
    if position[layout.REASON] != layout.ALL_IN_WATER:
        return Outcome(scores, (1, 1), reason, END_SENTENCES[reason])
    winner = int(position[layout.SEAT])
    text = f"All of {SEAT_NAMES[1 - winner]}'s frogs are in the water: {SEAT_NAMES[winner]} wins."
    return Outcome(scores, (1 + winner, 2 - winner), reason, text)


def handles(step: Step) -> HandlePath:
    """Return what a person clicks: pads by name, buttons by word."""
    return step_clicks(step.kind, step.at, step.to)
