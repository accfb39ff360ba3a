"""Explain why an illegal step is refused: the first clause of RULES.md it breaks, and one sentence."""

from __future__ import annotations

from realmtable.engine.protocol import HandlePath
from realmtable.games.realm import layout
from realmtable.games.realm.first_state import State
from realmtable.games.realm.rearrangement import has_other_arrangement, has_room_for_next
from realmtable.games.realm.steps import Step, StepKind, code_of, put_step, step_of
from realmtable.kit.realm_board.geometry import (
    CENTERS,
    Cell,
    Realm,
    cell_name,
    center_of,
    direction_between,
    find_cell,
    ray,
    realm_name,
    realm_of,
    spaces_of,
)
from realmtable.kit.realm_board.notation import NO_SUCH_STEP, Reason, why_not_own_piece

PHASE_REASONS = {
    layout.CHOOSE_PLACE: ("S1", "Black must first choose who places first: place:White or place:Black."),
    layout.PLACE_BASES: ("R2", "Place a Base on a vacant Center, like Bh11."),
    layout.PLACE_POWERS: ("R3", "Place a Power on a Border space of one of your Realms, like Pc10."),
    layout.CHOOSE_MOVE: ("S1", "Black must first choose who moves first: move:White or move:Black."),
    layout.FOUND_BASE: ("S5", "Place the new Base first, or decline it with -."),
    layout.CREATE_ENFORCER: ("E2", "Place the new Enforcer first, on a vacant Border space of the Realm, like Eg12S."),
    layout.IMMOBILISE: ("E3", "Choose first which enemy Enforcer becomes immobile, like xEb4."),
    layout.REARRANGE: ("S8", "Put the lifted pieces back first: Powers, then mobile Enforcers, then immobile ones."),
    layout.OVER: ("R12", "The game is over."),
    layout.TURN: ("S3", "A turn consists of moves like Pc10g10 or is a rearrangement like Rh11."),
}
CLICK_REASONS = PHASE_REASONS | {  # for those who click
    layout.CHOOSE_PLACE: ("S1", "Choose first who places first."),
    layout.CHOOSE_MOVE: ("S1", "Choose first who moves first."),
    layout.FOUND_BASE: ("S5", "Place the new Base first, or decline it."),
}


def find_reason(state: State, step: Step) -> Reason:
    """Return why an illegal step is refused."""
    phase = int(state.position[layout.PHASE])
    if code_of(step) < 0:
        return NO_SUCH_STEP
    if phase in (layout.PLACE_BASES, layout.PLACE_POWERS) and step.kind == StepKind.PUT:
        return _why_no_placement(state, step)
    if phase == layout.REARRANGE and step.kind == StepKind.PUT:
        return _why_no_put(state, step)
    if phase == layout.TURN:
        return _why_not_in_turn(state, step)
    return PHASE_REASONS[phase]


# ---- clicks


def why_not_clicked(state: State, clicks: HandlePath) -> Reason | None:
    """Return why clicks begin no legal step; None if they mean nothing."""
    phase = int(state.position[layout.PHASE])
    cells = [cell for cell in map(find_cell, clicks) if cell is not None]
    if not cells:
        return None  # a button that is not offered now
    if phase in (layout.PLACE_BASES, layout.PLACE_POWERS):
        return _why_no_placement(state, put_step(cells[-1]))
    if phase == layout.REARRANGE:
        return _why_no_put(state, put_step(cells[-1], step_of(state.legal_codes()[0]).facing))
    return _why_not_clicked_in_turn(state, clicks[0], cells) if phase == layout.TURN else CLICK_REASONS[phase]


def _why_not_clicked_in_turn(state: State, first: str, cells: list[Cell]) -> Reason:
    if first == "rearrange":
        return _why_no_click_to_rearrange(state, realm_of(cells[0]))
    if first == "sacrifice":
        return _why_no_click_to_sacrifice(state, cells)
    if len(cells) > 1:
        return _why_no_move(state, Step(StepKind.MOVE, cells[0], cells[-1]))
    reason = _why_not_this_piece(state, cells[0])
    if reason is None and (state.position[layout.MOVED] or state.position[layout.SACRIFICED]):
        return _why_not_this_turn(state)
    return reason or ("R7", f"The piece on {cell_name(cells[0])} has no legal move.")


def _why_no_click_to_rearrange(state: State, realm: Realm) -> Reason:
    center = center_of(realm)
    if code_of(Step(StepKind.REARRANGE, center)) in state.legal_codes():
        return "R11", f"To rearrange this Realm, choose its Center {cell_name(center)}."
    return _why_no_rearrangement(state, realm)


def _why_no_click_to_sacrifice(state: State, cells: list[Cell]) -> Reason:
    if len(cells) > 1:
        return _why_no_sacrifice(state, Step(StepKind.SACRIFICE, cells[0], cells[-1], 0))
    return _why_not_this_sacrifice(state, cells[0]) or (
        "V13",
        f"Giving the Power on {cell_name(cells[0])} would not let an Enforcer of its Realm move.",
    )


# ---- set-up


def _why_no_placement(state: State, step: Step) -> Reason:
    position = state.position
    phase = position[layout.PHASE]
    name = cell_name(step.at)
    if step.facing != layout.NO_FACING or (step.at in CENTERS) != (phase == layout.PLACE_BASES):
        return PHASE_REASONS[int(phase)]
    if phase == layout.PLACE_BASES:
        if position[step.at] != layout.EMPTY:
            return "R2", f"{name} is taken; a Base goes on a vacant Center."
        return "R2", f"You already have a Base in the row or column of Realms through {name}."
    realm = realm_of(step.at)
    if position[center_of(realm)] != layout.BASE + (position[layout.SEAT] << layout.SEAT_SHIFT):
        return "R3", f"{name} is in a Realm where you have no Base."
    return "R3", f"You already have a Power in the Realm around {realm_name(realm)}."


# ---- Rearrangement


def _why_no_put(state: State, step: Step) -> Reason:
    position = state.position
    name = cell_name(step.at)
    realm = int(position[layout.ORIGIN])
    if realm_of(step.at) != realm:
        return "R11", f"{name} is outside the Realm around {realm_name(realm)} that you are rearranging."
    if step.at in CENTERS:
        return "R11", "Pieces cannot be put on a Center."
    if position[step.at] != layout.EMPTY:
        return "R11", f"{name} is taken."
    if step.facing not in {step_of(code).facing for code in state.legal_codes()}:
        return PHASE_REASONS[layout.REARRANGE]
    if not has_room_for_next(position, step.at):
        return "S8", "Pieces of one kind must be put back on ascending spaces, with room above for the rest."
    if state.options.rearrange == "all_move":
        return "V15", "After this, not every piece could change its space."
    return "R11", "A Rearrangement must change the position."


# ---- the turn


def _why_not_in_turn(state: State, step: Step) -> Reason:
    position = state.position
    begun = position[layout.MOVED] or position[layout.SACRIFICED]
    if step.kind == StepKind.MOVE:
        return _why_no_move(state, step)
    if step.kind == StepKind.END:
        if position[layout.SACRIFICED]:
            return "V13", "After a sacrifice, a piece of that Realm must move."
        return "S7", "Make at least one move before you end your turn."
    if step.kind == StepKind.REARRANGE and not begun:
        return _why_no_rearrangement(state, realm_of(step.at))
    if step.kind == StepKind.SACRIFICE:
        return _why_no_sacrifice(state, step)
    if step.kind == StepKind.PASS:
        return "R9", "You cannot pass while you have a move or a rearrangement."
    if step.kind in (StepKind.OFFER, StepKind.ACCEPT):
        return _why_no_agreement(state)
    if step.kind == StepKind.REARRANGE and position[layout.SACRIFICED]:
        return "V13", "After a sacrifice the turn must be a Dispersal, not a rearrangement."
    if step.kind == StepKind.REARRANGE:
        return "R9", "A rearrangement is a complete turn; you have already moved."
    return PHASE_REASONS[layout.TURN]


def _why_no_agreement(state: State) -> Reason:
    position = state.position
    if not state.options.agree_end:
        return "V17", "The players cannot agree to end this game."
    if position[layout.MOVED] or position[layout.SACRIFICED]:
        return "T1", "You can offer or accept the end of the game only at the start of your turn."
    if position[layout.OFFER] == layout.OFFERED:
        return "T1", "You have already offered to end the game; now play your turn."
    return "T1", "Your opponent has not offered to end the game."


def _why_no_rearrangement(state: State, realm: Realm) -> Reason:
    position = state.position
    seat = position[layout.SEAT]
    name = realm_name(realm)
    if _is_single_power_turn(state):
        return "V9", "The first turn moves a single Power and nothing else."
    if position[layout.STREAK_REALM + seat] == realm and position[layout.STREAK_LENGTH + seat] == 2:  # noqa: PLR2004 - R11
        return "R11", f"You rearranged the Realm around {name} on your last two turns; a third in a row is not allowed."
    men = [
        space
        for space in spaces_of(realm)
        if position[space] & layout.KIND_MASK > layout.BASE and position[space] >> layout.SEAT_SHIFT == seat
    ]
    if men and has_other_arrangement(position, realm):
        return "V15", f"The pieces in the Realm around {name} cannot all change their spaces."
    return "R11", f"You have nothing to rearrange in the Realm around {name}."


def _why_no_sacrifice(state: State, step: Step) -> Reason:
    reason = _why_not_this_sacrifice(state, step.at)
    if reason is not None:
        return reason
    if state.position[step.to] != layout.IMMOBILE + (state.position[layout.SEAT] << layout.SEAT_SHIFT):
        return "V13", f"You have no immobile Enforcer on {cell_name(step.to)}."
    return "V13", "After this sacrifice, none of your pieces in that Realm could move."


def _why_not_this_sacrifice(state: State, source: Cell) -> Reason | None:
    position = state.position
    if not state.options.power_sacrifice:
        return "V13", "Sacrifices are not allowed in this game."
    if position[layout.SACRIFICED]:
        return "V13", "You have already sacrificed a Power this turn."
    if position[layout.MOVED]:
        return "V13", "You can sacrifice a Power only at the start of your turn, before any move."
    if _is_single_power_turn(state):
        return "V9", "The first turn moves a single Power and nothing else."
    if position[source] != layout.POWER + (position[layout.SEAT] << layout.SEAT_SHIFT):
        return "V13", f"You have no Power on {cell_name(source)}."
    return None


def _is_single_power_turn(state: State) -> bool:
    return state.options.first_turn_single_power and state.position[layout.TURNS] == 0


# ---- moves


def _why_no_move(state: State, step: Step) -> Reason:
    return (
        _why_not_this_piece(state, step.at)
        or _why_not_this_way(state, step.at, step.to)
        or _why_not_this_far(state, step.at, step.to)
        or _why_not_this_turn(state)
    )


def _why_not_this_piece(state: State, source: Cell) -> Reason | None:
    position = state.position
    piece = int(position[source])
    owner = None if piece == layout.EMPTY else piece >> layout.SEAT_SHIFT
    if reason := why_not_own_piece("R9", source, owner, position.item(layout.SEAT)):
        return reason
    if piece & layout.KIND_MASK == layout.BASE:
        return "R6", "A Base never moves."
    if piece & layout.KIND_MASK == layout.IMMOBILE:
        return "R8", f"The Enforcer on {cell_name(source)} is immobile."
    if _is_single_power_turn(state) and (position[layout.MOVED] or piece & layout.KIND_MASK != layout.POWER):
        return "V9", "The first turn moves a single Power and nothing else."
    return None


def _why_not_this_way(state: State, source: Cell, target: Cell) -> Reason | None:
    if source == target:
        return "R7", f"A move must end in another Realm, and the piece is already on {cell_name(target)}."
    way = direction_between(source, target)
    if way is None:
        return "R7", f"{cell_name(target)} is not on the rank or file of {cell_name(source)}."
    kind = int(state.position[source]) & layout.KIND_MASK
    if kind != layout.POWER and (kind - layout.ENFORCER) ^ 2 == way:
        return "R8", "An Enforcer cannot move straight back."
    return None


def _why_not_this_far(state: State, source: Cell, target: Cell) -> Reason | None:
    way = direction_between(source, target)
    assert way is not None  # noqa: S101 - checked before
    position = state.position
    enemy_base = layout.BASE + (1 - position[layout.SEAT] << layout.SEAT_SHIFT)
    entered: Realm | None = None
    line = ray(source, way)
    for space in line[: line.index(target) + 1]:
        if position[space] != layout.EMPTY:
            return "R7", f"The piece on {cell_name(space)} is in the way."
        realm = realm_of(space)
        if entered is not None and realm != entered:
            return "V5", f"A piece that enters the enemy Realm around {realm_name(entered)} must stop there."
        if state.options.stop_in_enemy_realm and realm != realm_of(source) and position[center_of(realm)] == enemy_base:
            entered = realm
    if realm_of(target) == realm_of(source):
        return "R7", "A move must end in another Realm."
    if target in CENTERS:
        return "R7", "A piece cannot stop on a Center."
    return None


def _why_not_this_turn(state: State) -> Reason:
    position = state.position
    if position[layout.SACRIFICED] and not position[layout.MOVED]:
        origin = realm_name(int(position[layout.ORIGIN]))
        return "V13", f"After the sacrifice, only pieces in the Realm around {origin} may move."
    plays = []
    if position[layout.ORIGIN] >= 0:
        plays.append(f"a Dispersal from the Realm around {realm_name(int(position[layout.ORIGIN]))}")
    if position[layout.TARGET] >= 0:
        plays.append(f"a Concentration into the Realm around {realm_name(int(position[layout.TARGET]))}")
    return "R9", f"This move does not fit the turn so far: {' or '.join(plays)}."
