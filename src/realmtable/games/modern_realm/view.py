"""What a seat sees of a state of Modern Realm (everything), and the clicks that make a step."""

from __future__ import annotations

from typing import Any

from realmtable.engine.protocol import HandlePath, Outcome, View
from realmtable.games.modern_realm import layout
from realmtable.games.modern_realm.first_state import State
from realmtable.games.modern_realm.moves import mobile_places
from realmtable.games.modern_realm.rules import count_headquarters, place_in_realm
from realmtable.games.modern_realm.steps import Step
from realmtable.kit.realm_board.geometry import (
    CELLS,
    SEAT_NAMES,
    Cell,
    cell_name,
    cells_of_places,
    find_realm_name,
    realm_of,
)
from realmtable.kit.realm_board.steps import step_clicks

KINDS = {layout.HQ: "hq", layout.AGENT: "agent", layout.COUNTER: "counter"}
END_SENTENCES = {
    "eight_headquarters": "{name} founded the eighth HQ and wins, {more} to {less}.",
    "two_passes": "Neither player could move: a draw at {white} to {black}.",
    "max_turns": "The game reached its last turn: a draw at {white} to {black}.",
}


def board_data(state: State) -> dict[str, Any]:
    """Return the pieces, the phase and what else this game shows."""
    position = state.position
    founded = [int(count_headquarters(position, each)) for each in range(2)]
    return {
        "pieces": [_piece_data(state, cell) for cell in range(CELLS) if position[cell] != layout.EMPTY],
        "phase": layout.PHASES[position[layout.PHASE]],
        "headquarters": founded,
        "stock": [layout.PIECES_EACH - count for count in founded],
        "open": {
            "origin": find_realm_name(int(position[layout.ORIGIN])),
            "left": [cell_name(cell) for cell in find_unmoved_cells(state)],
        },
        "dislodged": None
        if position[layout.DISLODGED_REALM] < 0
        else {
            "seat": 1 - position.item(layout.SEAT),
            "kind": "agent",
            "realm": find_realm_name(int(position[layout.DISLODGED_REALM])),
        },
    }


def _piece_data(state: State, cell: Cell) -> dict[str, Any]:
    piece = int(state.position[cell])
    kind = KINDS[piece & layout.KIND_MASK]
    return {
        "at": cell_name(cell),
        "seat": piece >> layout.SEAT_SHIFT,
        "kind": kind,
        "mobile": kind != "hq" and can_move(state, cell),
    }


def find_unmoved_cells(state: State) -> list[Cell]:
    """Return the spaces of pieces that were mobile at the start of the turn and have not moved (D2)."""
    return cells_of_places(int(state.position[layout.ORIGIN]), int(state.position[layout.UNMOVED_PLACES]))


def can_move(state: State, cell: Cell) -> bool:
    """Whether an Agent or Counter-Agent is mobile (D3); in the Realm of the turn, as of its start."""
    position = state.position
    realm, seat = realm_of(cell), int(position[cell]) >> layout.SEAT_SHIFT
    own_turn = realm == position[layout.ORIGIN] and seat == position[layout.SEAT]
    places = position[layout.UNMOVED_PLACES] if own_turn else mobile_places(position, realm, seat)
    return bool(places >> place_in_realm(cell) & 1)


def count_gains(view: View) -> dict[str, list[int]]:
    """Return how many headquarters each seat has."""
    return {"headquarters": view["headquarters"]}


def outcome(state: State) -> Outcome:
    """Return HQs per seat and the reason of a finished game; only the eighth HQ wins (D13, T1, T2)."""
    position = state.position
    white, black = (int(count_headquarters(position, seat)) for seat in range(2))
    seat = position.item(layout.SEAT)
    won = position[layout.REASON] == layout.EIGHT_HQS
    ranking = (1 + (won and seat == 1), 1 + (won and seat == 0))
    reason = layout.REASONS[position[layout.REASON]]
    text = END_SENTENCES[reason].format(
        name=SEAT_NAMES[seat], white=white, black=black, more=max(white, black), less=min(white, black)
    )
    return Outcome((white, black), (int(ranking[0]), int(ranking[1])), reason, text)


def handles(step: Step) -> HandlePath:
    """Return what a person clicks: spaces by name, or the button ``pass``."""
    return step_clicks(step.kind, step.at, step.to)
