"""Explain why an illegal step is refused: the first clause of RULES.md it breaks, and one sentence."""

from __future__ import annotations

from realmtable.engine.protocol import HandlePath
from realmtable.games.oriental_realm import layout
from realmtable.games.oriental_realm.first_state import HOMES, State
from realmtable.games.oriental_realm.moves import is_pinned
from realmtable.games.oriental_realm.steps import Step, StepKind, code_of
from realmtable.kit.realm_board.geometry import (
    Cell,
    cell_name,
    direction_between,
    find_cell,
    ray,
    realm_name,
    realm_of,
    spaces_of,
)
from realmtable.kit.realm_board.notation import NO_SUCH_STEP, Reason, why_not_own_piece

PHASE_REASONS = {
    layout.PLACE: ("V1", "Place a piece in an empty Realm, like Mb2 or Ec3."),
    layout.CHOOSE: ("V2", "Choose which of your eight Centers holds your Emperor, like {throne}."),
    layout.TURN: ("S2", "All pieces have been placed; a turn consists of moves like Mb5b9."),
    layout.OVER: ("S2", "The game is over."),
}


def find_reason(state: State, step: Step) -> Reason:
    """Return why an illegal step is refused."""
    phase = int(state.position[layout.PHASE])
    if code_of(step) < 0:
        return NO_SUCH_STEP
    if phase == layout.TURN:
        return _why_not_in_turn(state, step)
    clause, sentence = PHASE_REASONS[phase]
    if phase == layout.PLACE and step.kind in (StepKind.MANDARIN, StepKind.EMPEROR):
        return clause, _why_no_placement(state, step)
    return clause, sentence.format(throne="E" + cell_name(HOMES[state.position[layout.SEAT]][1]))


def why_not_clicked(state: State, clicks: HandlePath) -> Reason | None:
    """Return why clicks begin no legal step; None if they mean nothing."""
    cells = [cell for cell in map(find_cell, clicks) if cell is not None]
    if not cells:
        return None  # a button that is not offered now
    phase = int(state.position[layout.PHASE])
    if phase == layout.PLACE:
        if len(clicks) == 1:
            return "V1", "Choose a piece to place first."
        kind = StepKind.EMPEROR if clicks[0] == "hand:Emperor" else StepKind.MANDARIN
        return "V1", _why_no_placement(state, Step(kind, cells[-1]))
    if phase == layout.CHOOSE:
        return PHASE_REASONS[layout.CHOOSE]
    if len(cells) > 1:
        return _why_not_in_turn(state, Step(StepKind.MOVE, cells[0], cells[-1]))
    return _why_not_this_piece(state, cells[0]) or ("O3", f"The piece on {clicks[0]} has no legal move.")


def _why_no_placement(state: State, step: Step) -> str:
    position = state.position
    realm = realm_of(step.at)
    if any(position[space] != layout.EMPTY for space in spaces_of(realm)):
        return f"The Realm around {realm_name(realm)} already holds a piece."
    if step.kind == StepKind.EMPEROR:
        return "Your Emperor is already on the board; place a Mandarin."
    return "Your seven Mandarins are already on the board; place the Emperor."


def _why_not_in_turn(state: State, step: Step) -> Reason:
    if step.kind == StepKind.MOVE:
        return _why_not_this_piece(state, step.at) or _why_not_there(state, step.at, step.to)
    if step.kind == StepKind.END:
        return "O2", "Move at least one piece before you end your turn."
    if step.kind == StepKind.PASS:
        if state.position[layout.TURN_REALM] >= 0:
            return "O7", "You have moved, so close your turn with end."
        return "O7", "You cannot pass while you have a move."
    return PHASE_REASONS[layout.TURN]


def _why_not_this_piece(state: State, source: Cell) -> Reason | None:
    position = state.position
    piece = int(position[source])
    owner = None if piece == layout.EMPTY else piece >> layout.SEAT_SHIFT
    if reason := why_not_own_piece("O2", source, owner, position.item(layout.SEAT)):
        return reason
    name = cell_name(source)
    realm = int(position[layout.TURN_REALM])
    if realm >= 0:
        if realm_of(source) != realm:
            return "O2", f"This turn moves only pieces from the Realm around {realm_name(realm)}."
        if not position[layout.UNMOVED_PLACES] >> spaces_of(realm).index(source) & 1:
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
    blocker = next(space for space in ray(source, way) if state.position[space] != layout.EMPTY)
    return "O3", f"The piece on {cell_name(blocker)} is in the way."
