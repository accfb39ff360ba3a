"""What a seat sees of a state (everything), and the clicks that make a step."""

from __future__ import annotations

from typing import Any

from realmtable.engine.protocol import HandlePath, Outcome, Seat, Turn, View
from realmtable.games.oriental_realm import layout
from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.groups import groups_of, piece_cells
from realmtable.games.oriental_realm.moves import is_pinned, is_surrounded
from realmtable.games.oriental_realm.rules import CHOICES, PLACEMENTS
from realmtable.games.oriental_realm.steps import Step, StepKind
from realmtable.games.oriental_realm.threats import find_threatened_cells
from realmtable.kit.realm_board.geometry import SEAT_NAMES, Cell, cell_name, find_realm_name, spaces_of

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
    realm, places = int(state.position[layout.TURN_REALM]), int(state.position[layout.UNMOVED_PLACES])
    return [space for place, space in enumerate(spaces_of(realm)) if places >> place & 1] if realm >= 0 else []


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


def to_move(state: State) -> tuple[Seat, ...]:
    """Return the seat to act, or none once the game is over."""
    return () if state.position.item(layout.PHASE) == layout.OVER else (state.position.item(layout.SEAT),)


def turn(state: State) -> Turn:
    """Number the turn: pairs of placements or choices first, then pairs of turns."""
    position = state.position
    if position.item(layout.PHASE) in (layout.PLACE, layout.CHOOSE):
        number = position.item(layout.PLACED) // 2 + 1
    else:
        steps = (
            PLACEMENTS if position.item(layout.R_FREE_SETUP) else CHOICES if position.item(layout.R_EMPEROR) < 0 else 0
        )
        number = steps // 2 + position.item(layout.TURNS) // 2 + 1
    return Turn(number, position.item(layout.SEAT))


def outcome(state: State) -> Outcome | None:
    """Return the scores, the ranking and the reason, once the game is over."""
    position = state.position
    if position[layout.PHASE] != layout.OVER:
        return None
    winner = int(position[layout.WINNER])
    reason = layout.REASONS[position[layout.REASON]]
    if winner < 0:
        return Outcome((0.5, 0.5), (1, 1), reason, END_SENTENCES[reason])
    text = END_SENTENCES[reason].format(winner=SEAT_NAMES[winner], loser=SEAT_NAMES[1 - winner])
    return Outcome((1 - winner, winner), (1 + winner, 2 - winner), reason, text)


def handles(phase: str, step: Step) -> HandlePath:
    """Return what a person clicks: spaces by name, a piece in hand, buttons by word."""
    if step.kind == StepKind.MOVE:
        return cell_name(step.at), cell_name(step.to)
    if step.kind in HAND_HANDLES:
        at = cell_name(step.at)
        return (at,) if phase == layout.PHASES[layout.CHOOSE] else (HAND_HANDLES[step.kind], at)
    return (step.kind.name.lower(),)
