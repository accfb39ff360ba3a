"""What a seat sees of a state (everything), and the clicks that make a step."""

from __future__ import annotations

from typing import Any

from realmtable.engine.protocol import HandlePath, Outcome, View
from realmtable.games.oriental_realm import layout
from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.groups import groups_of, piece_cells
from realmtable.games.oriental_realm.moves import is_pinned, is_surrounded
from realmtable.games.oriental_realm.steps import Step, StepKind
from realmtable.games.oriental_realm.threats import find_threatened_cells
from realmtable.kit.realm_board.geometry import SEAT_NAMES, Cell, cell_name, cells_of_places, find_realm_name
from realmtable.kit.realm_board.steps import step_clicks

END_SENTENCES = {
    "surrounded": "{winner} surrounded one of {loser}'s groups and wins.",
    "two_passes": "Neither player can move: a draw.",
    "repetition": "The same position appeared for the third time: a draw.",
    "max_turns": "The game reached its last turn: a draw.",
}
HAND_HANDLES = {StepKind.MANDARIN: "hand:Mandarin", StepKind.EMPEROR: "hand:Emperor"}


def board_data(state: State) -> dict[str, Any]:
    """Return the pieces, the phase and what else this game shows."""
    position = state.position
    realm = int(position[layout.TURN_REALM])
    return {
        "pieces": [_piece_data(state, cell) for cell in sorted(piece_cells(position, 0) + piece_cells(position, 1))],
        "phase": layout.PHASES[position[layout.PHASE]],
        "realm": find_realm_name(realm),
        "unmoved": [cell_name(cell) for cell in find_unmoved_cells(state)],
        "left": [_count_to_place(state, each) for each in range(2)],
        "warned": [cell_name(cell) for cell in find_threatened_cells(position)],
        "surrounded": [cell_name(cell) for cell in _find_surrounded_cells(state)],
    }


def _piece_data(state: State, cell: Cell) -> dict[str, Any]:
    piece = int(state.position[cell])
    return {
        "at": cell_name(cell),
        "seat": piece >> layout.SEAT_SHIFT,
        "kind": "emperor" if piece & layout.KIND_MASK == layout.EMPEROR else "mandarin",
        "pinned": bool(is_pinned(state.position, cell)),
    }


def find_unmoved_cells(state: State) -> list[Cell]:
    """Return the spaces of pieces that started the turn in its Realm and have not moved."""
    return cells_of_places(int(state.position[layout.TURN_REALM]), int(state.position[layout.UNMOVED_PLACES]))


def _count_to_place(state: State, seat: int) -> dict[str, int]:
    """Count the pieces a seat has yet to place (V1)."""
    if state.position[layout.PHASE] != layout.PLACE:
        return {"mandarins": 0, "emperors": 0}
    men = piece_cells(state.position, seat)
    emperors = sum(int(state.position[cell]) & layout.KIND_MASK == layout.EMPEROR for cell in men)
    return {"mandarins": layout.MANDARINS_EACH - len(men) + emperors, "emperors": 1 - emperors}


def _find_surrounded_cells(state: State) -> list[Cell]:
    """Return the spaces of the groups whose surrounding decided the game."""
    position = state.position
    if position[layout.WINNER] < 0:
        return []
    lost = [
        group for group in groups_of(position, 1 - position.item(layout.WINNER)) if is_surrounded(position, group[0])
    ]
    return sorted(cell for group in lost for cell in group)


def count_gains(view: View) -> dict[str, list[int]]:
    """Return how many of the other seat's pieces are pinned."""
    pinned = [piece["seat"] for piece in view["pieces"] if piece["pinned"]]
    return {"pin": [pinned.count(1), pinned.count(0)]}


def outcome(state: State) -> Outcome:
    """Return the scores, the ranking and the reason of a finished game."""
    position = state.position
    winner = int(position[layout.WINNER])
    reason = layout.REASONS[position[layout.REASON]]
    if winner < 0:
        return Outcome((0.5, 0.5), (1, 1), reason, END_SENTENCES[reason])
    text = END_SENTENCES[reason].format(winner=SEAT_NAMES[winner], loser=SEAT_NAMES[1 - winner])
    return Outcome((1 - winner, winner), (1 + winner, 2 - winner), reason, text)


def handles(phase: str, step: Step) -> HandlePath:
    """Return what a person clicks: spaces by name, a piece in hand, buttons by word."""
    hand = () if phase == layout.PHASES[layout.CHOOSE] or step.kind not in HAND_HANDLES else (HAND_HANDLES[step.kind],)
    return *hand, *step_clicks(step.kind, step.at, step.to)
