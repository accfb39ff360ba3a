"""Explain why an illegal step is refused: the first clause of RULES.md it breaks, and one sentence."""

from __future__ import annotations

from realmtable.engine.errors import IllegalMove
from realmtable.engine.protocol import HandlePath
from realmtable.games.realm.position import (
    BASE,
    CHOOSE_MOVE,
    CHOOSE_PLACE,
    CREATE_ENFORCER,
    EMPTY,
    ENFORCER,
    FOUND_BASE,
    IMMOBILE,
    IMMOBILISE,
    KIND_MASK,
    MOVED,
    NO_FACING,
    OFFER,
    OFFERED,
    ORIGIN,
    OVER,
    PHASE,
    PLACE_BASES,
    PLACE_POWERS,
    POWER,
    REARRANGE,
    SACRIFICED,
    SEAT,
    SEAT_SHIFT,
    STREAK_LENGTH,
    STREAK_REALM,
    TARGET,
    TURN,
    TURNS,
)
from realmtable.games.realm.rearrangement import has_other_arrangement, has_room_for_next
from realmtable.games.realm.state import State
from realmtable.games.realm.steps import Step, StepKind, code_of, move_step, put_step, step_of
from realmtable.kit.realm_board import (
    CENTERS,
    Cell,
    Realm,
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
    CHOOSE_PLACE: ("S1", "Black must first choose who places first: place:White or place:Black."),
    PLACE_BASES: ("R2", "Place a Base on a vacant Center, like Bh11."),
    PLACE_POWERS: ("R3", "Place a Power on a Border space of one of your Realms, like Pc10."),
    CHOOSE_MOVE: ("S1", "Black must first choose who moves first: move:White or move:Black."),
    FOUND_BASE: ("S5", "Place the new Base first, or decline it with -."),
    CREATE_ENFORCER: ("E2", "Place the new Enforcer first, on a vacant Border space of the Realm, like Eg12S."),
    IMMOBILISE: ("E3", "Choose first which enemy Enforcer becomes immobile, like xEb4."),
    REARRANGE: ("S8", "Put the lifted pieces back first: Powers, then mobile Enforcers, then immobile ones."),
    OVER: ("R12", "The game is over."),
    TURN: ("S3", "A turn consists of moves like Pc10g10 or is a rearrangement like Rh11."),
}
CLICK_REASONS = PHASE_REASONS | {  # for those who click
    CHOOSE_PLACE: ("S1", "Choose first who places first."),
    CHOOSE_MOVE: ("S1", "Choose first who moves first."),
    FOUND_BASE: ("S5", "Place the new Base first, or decline it."),
}


def illegal_move_error(state: State, step: Step) -> IllegalMove:
    """Return the refusal of an illegal step."""
    return IllegalMove(*_find_reason(state, step))


def _find_reason(state: State, step: Step) -> Reason:
    phase = int(state.position[PHASE])
    if code_of(step) < 0:
        return "B1", "There is no such step on this board."
    if phase in (PLACE_BASES, PLACE_POWERS) and step.kind == StepKind.PUT:
        return _why_no_placement(state, step)
    if phase == REARRANGE and step.kind == StepKind.PUT:
        return _why_no_put(state, step)
    if phase == TURN:
        return _why_not_in_turn(state, step)
    return PHASE_REASONS[phase]


# ---- clicks


def why_not_clicked(state: State, clicks: HandlePath) -> Reason | None:
    """Return why clicks begin no legal step; None if they mean nothing."""
    phase = int(state.position[PHASE])
    cells = [cell for cell in map(find_cell, clicks) if cell is not None]
    if not cells:
        return None  # a button that is not offered now
    if phase in (PLACE_BASES, PLACE_POWERS):
        return _why_no_placement(state, put_step(cells[-1]))
    if phase == REARRANGE:
        return _why_no_put(state, put_step(cells[-1], step_of(state.legal_codes()[0]).facing))
    return _why_not_clicked_in_turn(state, clicks[0], cells) if phase == TURN else CLICK_REASONS[phase]


def _why_not_clicked_in_turn(state: State, first: str, cells: list[Cell]) -> Reason:
    if first == "rearrange":
        return _why_no_click_to_rearrange(state, realm_of(cells[0]))
    if first == "sacrifice":
        return _why_no_click_to_sacrifice(state, cells)
    if len(cells) > 1:
        return _why_no_move(state, move_step(cells[0], cells[-1]))
    reason = _why_not_this_piece(state, cells[0])
    if reason is None and (state.position[MOVED] or state.position[SACRIFICED]):
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
    phase = position[PHASE]
    name = cell_name(step.at)
    if step.facing != NO_FACING or (step.at in CENTERS) != (phase == PLACE_BASES):
        return PHASE_REASONS[int(phase)]
    if phase == PLACE_BASES:
        if position[step.at] != EMPTY:
            return "R2", f"{name} is taken; a Base goes on a vacant Center."
        return "R2", f"You already have a Base in the row or column of Realms through {name}."
    realm = realm_of(step.at)
    if position[center_of(realm)] != BASE + (position[SEAT] << SEAT_SHIFT):
        return "R3", f"{name} is in a Realm where you have no Base."
    return "R3", f"You already have a Power in the Realm {cell_name(center_of(realm))}."


# ---- Rearrangement


def _why_no_put(state: State, step: Step) -> Reason:
    position = state.position
    name = cell_name(step.at)
    realm = int(position[ORIGIN])
    if realm_of(step.at) != realm:
        return "R11", f"{name} is outside the Realm {cell_name(center_of(realm))} that you are rearranging."
    if step.at in CENTERS:
        return "R11", "Pieces cannot be put on a Center."
    if position[step.at] != EMPTY:
        return "R11", f"{name} is taken."
    if step.facing not in {step_of(code).facing for code in state.legal_codes()}:
        return PHASE_REASONS[REARRANGE]
    if not has_room_for_next(position, step.at):
        return "S8", "Pieces of one kind must be put back on ascending spaces, with room above for the rest."
    if state.options.rearrange == "all_move":
        return "V15", "After this, not every piece could change its space."
    return "R11", "A Rearrangement must change the position."


# ---- the turn


def _why_not_in_turn(state: State, step: Step) -> Reason:
    position = state.position
    begun = position[MOVED] or position[SACRIFICED]
    if step.kind == StepKind.MOVE:
        return _why_no_move(state, step)
    if step.kind == StepKind.END:
        if position[SACRIFICED]:
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
    if step.kind == StepKind.REARRANGE and position[SACRIFICED]:
        return "V13", "After a sacrifice the turn must be a Dispersal, not a rearrangement."
    if step.kind == StepKind.REARRANGE:
        return "R9", "A rearrangement is a complete turn; you have already moved."
    return PHASE_REASONS[TURN]


def _why_no_agreement(state: State) -> Reason:
    position = state.position
    if not state.options.agree_end:
        return "V17", "The players cannot agree to end this game."
    if position[MOVED] or position[SACRIFICED]:
        return "T1", "You can offer or accept the end of the game only at the start of your turn."
    if position[OFFER] == OFFERED:
        return "T1", "You have already offered to end the game; now play your turn."
    return "T1", "Your opponent has not offered to end the game."


def _why_no_rearrangement(state: State, realm: Realm) -> Reason:
    position = state.position
    seat = position[SEAT]
    name = cell_name(center_of(realm))
    if _is_single_power_turn(state):
        return "V9", "The first turn moves a single Power and nothing else."
    if position[STREAK_REALM + seat] == realm and position[STREAK_LENGTH + seat] == 2:  # noqa: PLR2004 - R11
        return "R11", f"You rearranged {name} on your last two turns; a third in a row is not allowed."
    men = [
        space
        for space in spaces_of(realm)
        if position[space] & KIND_MASK > BASE and position[space] >> SEAT_SHIFT == seat
    ]
    if men and has_other_arrangement(position, realm):
        return "V15", f"The pieces in the Realm {name} cannot all change their spaces."
    return "R11", f"You have nothing to rearrange in the Realm {name}."


def _why_no_sacrifice(state: State, step: Step) -> Reason:
    reason = _why_not_this_sacrifice(state, step.at)
    if reason is not None:
        return reason
    if state.position[step.to] != IMMOBILE + (state.position[SEAT] << SEAT_SHIFT):
        return "V13", f"You have no immobile Enforcer on {cell_name(step.to)}."
    return "V13", "After this sacrifice, none of your pieces in that Realm could move."


def _why_not_this_sacrifice(state: State, source: Cell) -> Reason | None:
    position = state.position
    if not state.options.power_sacrifice:
        return "V13", "Sacrifices are not allowed in this game."
    if position[SACRIFICED]:
        return "V13", "You have already sacrificed a Power this turn."
    if position[MOVED]:
        return "V13", "You can sacrifice a Power only at the start of your turn, before any move."
    if _is_single_power_turn(state):
        return "V9", "The first turn moves a single Power and nothing else."
    if position[source] != POWER + (position[SEAT] << SEAT_SHIFT):
        return "V13", f"You have no Power on {cell_name(source)}."
    return None


def _is_single_power_turn(state: State) -> bool:
    return state.options.first_turn_single_power and state.position[TURNS] == 0


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
    piece = position[source]
    name = cell_name(source)
    if piece == EMPTY:
        return "R9", f"{name} is empty."
    if piece >> SEAT_SHIFT != position[SEAT]:
        return "R9", f"The piece on {name} is your opponent's."
    if piece & KIND_MASK == BASE:
        return "R6", "A Base never moves."
    if piece & KIND_MASK == IMMOBILE:
        return "R8", f"The Enforcer on {name} is immobile."
    if _is_single_power_turn(state) and (position[MOVED] or piece & KIND_MASK != POWER):
        return "V9", "The first turn moves a single Power and nothing else."
    return None


def _why_not_this_way(state: State, source: Cell, target: Cell) -> Reason | None:
    if source == target:
        return "R7", f"A move must end in another Realm, and the piece is already on {cell_name(target)}."
    way = direction_between(source, target)
    if way is None:
        return "R7", f"{cell_name(target)} is not on the rank or file of {cell_name(source)}."
    kind = int(state.position[source]) & KIND_MASK
    if kind != POWER and (kind - ENFORCER) ^ 2 == way:
        return "R8", "An Enforcer cannot move straight back."
    return None


def _why_not_this_far(state: State, source: Cell, target: Cell) -> Reason | None:
    way = direction_between(source, target)
    assert way is not None  # noqa: S101 - checked before
    position = state.position
    enemy_base = BASE + (1 - position[SEAT] << SEAT_SHIFT)
    entered: Realm | None = None
    line = ray(source, way)
    for space in line[: line.index(target) + 1]:
        if position[space] != EMPTY:
            return "R7", f"The piece on {cell_name(space)} is in the way."
        realm = realm_of(space)
        if entered is not None and realm != entered:
            return "V5", f"A piece that enters the enemy Realm {cell_name(center_of(entered))} must stop there."
        if state.options.stop_in_enemy_realm and realm != realm_of(source) and position[center_of(realm)] == enemy_base:
            entered = realm
    if realm_of(target) == realm_of(source):
        return "R7", "A move must end in another Realm."
    if target in CENTERS:
        return "R7", "A piece cannot stop on a Center."
    return None


def _why_not_this_turn(state: State) -> Reason:
    position = state.position
    if position[SACRIFICED] and not position[MOVED]:
        return "V13", f"After the sacrifice, only pieces in the Realm {_realm_name(int(position[ORIGIN]))} may move."
    plays = []
    if position[ORIGIN] >= 0:
        plays.append(f"a Dispersal from {_realm_name(int(position[ORIGIN]))}")
    if position[TARGET] >= 0:
        plays.append(f"a Concentration into {_realm_name(int(position[TARGET]))}")
    return "R9", f"This move does not fit the turn so far: {' or '.join(plays)}."


def _realm_name(realm: Realm) -> str:
    return cell_name(center_of(realm))
