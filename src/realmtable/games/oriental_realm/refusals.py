"""Explain why an illegal step is refused: the first clause of RULES.md it breaks, and one sentence."""

from __future__ import annotations

from realmtable.engine.errors import IllegalMove
from realmtable.engine.protocol import HandlePath
from realmtable.games.oriental_realm.moves import is_pinned
from realmtable.games.oriental_realm.position import (
    CHOOSE,
    EMPTY,
    OVER,
    PHASE,
    PLACE,
    SEAT,
    SEAT_SHIFT,
    TURN,
    TURN_REALM,
    UNMOVED_PLACES,
)
from realmtable.games.oriental_realm.state import HOMES, State
from realmtable.games.oriental_realm.steps import Step, StepKind, code_of
from realmtable.kit.realm_board import (
    Cell,
    cell_name,
    center_of,
    direction_between,
    find_cell,
    ray,
    realm_of,
    spaces_of,
)

Reason = tuple[str, str]  # clause and sentence

PHASE_REASONS = {
    PLACE: ("V1", "Place a piece in an empty Realm, like Mb2 or Ec3."),
    CHOOSE: ("V2", "Choose which of your eight Centers holds your Emperor, like {throne}."),
    TURN: ("S2", "All pieces have been placed; a turn consists of moves like Mb5b9."),
    OVER: ("S2", "The game is over."),
}


def illegal_move_error(state: State, step: Step) -> IllegalMove:
    """Return the refusal of an illegal step."""
    return IllegalMove(*_find_reason(state, step))


def _find_reason(state: State, step: Step) -> Reason:
    phase = int(state.position[PHASE])
    if code_of(step) < 0:
        return "B1", "There is no such step on this board."
    if phase == TURN:
        return _why_not_in_turn(state, step)
    clause, sentence = PHASE_REASONS[phase]
    if phase == PLACE and step.kind in (StepKind.MANDARIN, StepKind.EMPEROR):
        return clause, _why_no_placement(state, step)
    return clause, sentence.format(throne="E" + cell_name(HOMES[state.position[SEAT]][1]))


def why_not_clicked(state: State, clicks: HandlePath) -> Reason | None:
    """Return why clicks begin no legal step; None if they mean nothing."""
    cells = [cell for cell in map(find_cell, clicks) if cell is not None]
    if not cells:
        return None  # a button that is not offered now
    phase = int(state.position[PHASE])
    if phase == PLACE:
        if len(clicks) == 1:
            return "V1", "Choose a piece to place first."
        kind = StepKind.EMPEROR if clicks[0] == "hand:Emperor" else StepKind.MANDARIN
        return "V1", _why_no_placement(state, Step(kind, cells[-1]))
    if phase == CHOOSE:
        return PHASE_REASONS[CHOOSE]
    if len(cells) > 1:
        return _why_not_in_turn(state, Step(StepKind.MOVE, cells[0], cells[-1]))
    return _why_not_this_piece(state, cells[0]) or ("O3", f"The piece on {clicks[0]} has no legal move.")


def _why_no_placement(state: State, step: Step) -> str:
    position = state.position
    realm = realm_of(step.at)
    if any(position[space] != EMPTY for space in spaces_of(realm)):
        return f"The Realm {cell_name(center_of(realm))} already holds a piece."
    if step.kind == StepKind.EMPEROR:
        return "Your Emperor is already on the board; place a Mandarin."
    return "Your seven Mandarins are already on the board; place the Emperor."


def _why_not_in_turn(state: State, step: Step) -> Reason:
    if step.kind == StepKind.MOVE:
        return _why_not_this_piece(state, step.at) or _why_not_there(state, step.at, step.to)
    if step.kind == StepKind.END:
        return "O2", "Move at least one piece before you end your turn."
    if step.kind == StepKind.PASS:
        if state.position[TURN_REALM] >= 0:
            return "O7", "You have moved, so close your turn with end."
        return "O7", "You cannot pass while you have a move."
    return PHASE_REASONS[TURN]


def _why_not_this_piece(state: State, source: Cell) -> Reason | None:
    position = state.position
    name = cell_name(source)
    if position[source] == EMPTY:
        return "O2", f"{name} is empty."
    if position[source] >> SEAT_SHIFT != position[SEAT]:
        return "O2", f"The piece on {name} is your opponent's."
    realm = int(position[TURN_REALM])
    if realm >= 0:
        if realm_of(source) != realm:
            return "O2", f"This turn moves only pieces from the Realm {cell_name(center_of(realm))}."
        if not position[UNMOVED_PLACES] >> spaces_of(realm).index(source) & 1:
            return "O2", f"The piece on {name} has already moved this turn."
    if is_pinned(position, source):
        return "O4", f"The Mandarin on {name} is pinned between two enemies."
    return None


def _why_not_there(state: State, source: Cell, target: Cell) -> Reason:
    if source == target:
        return "O3", f"A move must end on another space, and the piece is already on {cell_name(target)}."
    way = direction_between(source, target)
    if way is None:
        return "O3", f"{cell_name(target)} is not on the rank or file of {cell_name(source)}."
    blocker = next(space for space in ray(source, way) if state.position[space] != EMPTY)
    return "O3", f"The piece on {cell_name(blocker)} is in the way."
