"""Apply steps: events, the set-up, the end of a turn and of the game. Clauses refer to RULES.md.

`apply_step` changes a position in place and assumes that the step is legal; `legal.py` lists the legal ones.
"""

from __future__ import annotations

from realmtable.games.realm.layout import (
    ACCEPT_END,
    AGREEMENT,
    BASE,
    BASES_LEFT,
    CAPTURED,
    CELL_KEYS,
    CHOOSE0,
    CHOOSE_MOVE,
    CHOOSE_PLACE,
    CREATE_ENFORCER,
    DEAD_POSITION,
    DECLINE,
    EMPTY,
    ENFORCER,
    ENFORCERS_LEFT,
    ENTRY_KEYS,
    EVENT_CELL,
    FIRST_PLACER,
    FOUND_BASE,
    IMMOBILE,
    IMMOBILISE,
    IMMOBILISE0,
    KEY_COUNT,
    KEYS,
    KIND_MASK,
    LAST_BASE,
    LIFTED,
    MAX_TURNS,
    MIN_SETUP_BASES,
    MOVE0,
    MOVED,
    NO_OFFER,
    NO_PROGRESS,
    OFFER,
    OFFER_END,
    OFFERED,
    ORIGIN,
    OVER,
    PASS,
    PASSED,
    PHASE,
    PLACE_BASES,
    PLACE_POWERS,
    PLACED,
    POWER,
    PROGRESS,
    PUT0,
    QUIET_TURNS,
    R_CAPTURE_REPLACES,
    R_CAPTURES_COUNT,
    R_CHOOSE_SEAT,
    R_EXTRA_BASE,
    R_LONE_POWER_BASE,
    R_MAX_TURNS,
    R_NO_PROGRESS,
    R_OPTIONAL_CREATION,
    R_POWERS,
    R_SACRIFICE,
    R_SECOND_MOVES_FIRST,
    R_STREAK_LIMIT,
    REARRANGE,
    REARRANGE0,
    REASON,
    REPETITION,
    SACRIFICE0,
    SACRIFICED,
    SEAT,
    SEAT_SHIFT,
    STANDING,
    STREAK_LENGTH,
    STREAK_REALM,
    TARGET,
    TURN,
    TURNS,
    TWO_PASSES,
)
from realmtable.games.realm.moves import count_mobile_enforcers, count_powers, has_vacant_border
from realmtable.games.realm.rearrangement import count_puts_left, lift_pieces, put_back
from realmtable.kit.array_kernels import count_key
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import CENTER, REALM_OF, SPACES
from realmtable.kit.realm_board.geometry import CELLS, EAST, NORTH, REALMS, SOUTH, WEST, Cell, Direction, Realm
from realmtable.kit.rules import Position


@kernel
def score_and_tie_break(position: Position, seat: int) -> tuple[int, int]:
    """Return a seat's controlled Realms and its tie-break total (R13, V12)."""
    realms = 0
    total = position[ENFORCERS_LEFT + seat] + 0
    if position[R_CAPTURES_COUNT]:
        total += position[CAPTURED + seat]
    side = seat << SEAT_SHIFT
    for cell in range(CELLS):
        kind = position[cell] - side
        if kind == BASE:
            realms += 1
        elif ENFORCER <= kind < IMMOBILE:
            total += 1
    return realms, total


@kernel
def apply_step(position: Position, code: int) -> None:
    """Apply a legal step in place."""
    if code == OFFER_END:
        position[OFFER] = OFFERED
        return
    if position[OFFER] == STANDING:
        position[OFFER] = NO_OFFER
    if code < PUT0:
        move_piece(position, (code - MOVE0) // CELLS, (code - MOVE0) % CELLS)
    elif code < IMMOBILISE0:
        place_piece(position, (code - PUT0) // 6, (code - PUT0) % 6)
    elif code < REARRANGE0:
        immobilise(position, int(position[EVENT_CELL]), code - IMMOBILISE0)
        resume_turn(position)
    elif code < SACRIFICE0:
        position[PHASE] = REARRANGE
        position[ORIGIN] = code - REARRANGE0
        lift_pieces(position)
    elif code < CHOOSE0:
        power = (code - SACRIFICE0) // 36
        enforcer = SPACES[REALM_OF[power], (code - SACRIFICE0) // 4 % 9]
        sacrifice(position, power, enforcer, (code - SACRIFICE0) % 4)
    elif code < DECLINE:
        if position[PHASE] == CHOOSE_PLACE:
            start_setup(position, code - CHOOSE0)
        else:
            start_play(position, code - CHOOSE0)
    elif code == DECLINE:
        resume_turn(position)
    elif code == ACCEPT_END:
        finish(position, AGREEMENT)
    else:
        end_ordinary_turn(position, code == PASS)


@kernel
def move_piece(position: Position, source: Cell, target: Cell) -> None:
    """Move a piece, update the plays still open (S4) and trigger its event (R10)."""
    if position[MOVED] == 0 and position[SACRIFICED] == 0:
        position[ORIGIN] = REALM_OF[source]
        position[TARGET] = REALM_OF[target]
    else:
        if REALM_OF[source] != position[ORIGIN]:
            position[ORIGIN] = -1
        if REALM_OF[target] != position[TARGET]:
            position[TARGET] = -1
    position[MOVED] = 1
    piece = position[source]
    position[source] = EMPTY
    if piece & KIND_MASK == POWER:
        position[target] = piece
        trigger_power_event(position, target)
    else:
        position[target] = (
            ENFORCER + move_direction(source, target) + (position[SEAT] << SEAT_SHIFT)
        )  # R8: it faces the direction it moved in
        trigger_enforcer_event(position, target)


@kernel
def move_direction(source: Cell, target: Cell) -> Direction:
    """Return the direction of a move along a rank or file."""
    if target > source:
        return NORTH if target - source >= 12 else EAST  # noqa: PLR2004 - a rank further
    return SOUTH if source - target >= 12 else WEST  # noqa: PLR2004 - a rank further


@kernel
def trigger_power_event(position: Position, at: Cell) -> None:
    """Trigger the event of a Power that has stopped: E1 or E2."""
    seat = position[SEAT]
    realm = REALM_OF[at]
    center = position[CENTER[realm]]
    if center == EMPTY:
        alone = count_powers(position, realm, seat) == 1 or not position[R_LONE_POWER_BASE]
        if alone and count_powers(position, realm, 1 - seat) == 0:
            if position[R_OPTIONAL_CREATION]:
                position[PHASE] = FOUND_BASE
                position[EVENT_CELL] = at
            else:
                create_base(position, realm)
    elif center == BASE + (seat << SEAT_SHIFT) and position[ENFORCERS_LEFT + seat] > 0:
        guarded = count_mobile_enforcers(position, realm, 0) + count_mobile_enforcers(position, realm, 1) > 0
        if not guarded and has_vacant_border(position, realm):
            position[PHASE] = CREATE_ENFORCER
            position[EVENT_CELL] = at


@kernel
def trigger_enforcer_event(position: Position, at: Cell) -> None:
    """Trigger the event of an Enforcer that has stopped: E3 or E4."""
    seat = position[SEAT]
    realm = REALM_OF[at]
    victims = count_mobile_enforcers(position, realm, 1 - seat)
    if victims > 1:
        position[PHASE] = IMMOBILISE
        position[EVENT_CELL] = at
    elif victims == 1:
        low = ENFORCER + ((1 - seat) << SEAT_SHIFT)
        for place in range(9):
            space = SPACES[realm, place]
            if low <= position[space] < low + 4:
                immobilise(position, at, space)
    elif position[CENTER[realm]] == BASE + ((1 - seat) << SEAT_SHIFT):
        lead = count_powers(position, realm, seat) - count_powers(position, realm, 1 - seat)
        if lead > 0:
            capture(position, at, realm, lead)


@kernel
def create_base(position: Position, realm: Realm) -> None:
    """Put a new Base of the mover on a Center; the last one ends the game (R12)."""
    seat = position[SEAT]
    position[CENTER[realm]] = BASE + (seat << SEAT_SHIFT)
    position[BASES_LEFT + seat] -= 1
    position[PROGRESS] = 1
    if position[BASES_LEFT + seat] == 0:
        finish(position, LAST_BASE)


@kernel
def immobilise(position: Position, at: Cell, victim: Cell) -> None:
    """E3: immobilise an enemy Enforcer, and the mover's own unless the mover has more Powers there."""
    seat = position[SEAT]
    realm = REALM_OF[at]
    position[victim] = IMMOBILE + ((1 - seat) << SEAT_SHIFT)
    if count_powers(position, realm, seat) <= count_powers(position, realm, 1 - seat):
        position[at] = IMMOBILE + (seat << SEAT_SHIFT)
    position[PROGRESS] = 1


@kernel
def capture(position: Position, at: Cell, realm: Realm, lead: int) -> None:
    """E4: remove the enemy Base; with a lead of one Power, the capturing Enforcer becomes immobile."""
    seat = position[SEAT]
    position[CENTER[realm]] = EMPTY
    position[CAPTURED + seat] += 1
    if lead == 1:
        position[at] = IMMOBILE + (seat << SEAT_SHIFT)
    position[PROGRESS] = 1
    if position[R_CAPTURE_REPLACES]:
        create_base(position, realm)


@kernel
def sacrifice(position: Position, power: Cell, enforcer: Cell, facing: Direction) -> None:
    """V13: remove a Power and free an immobile Enforcer of its Realm; only a Dispersal from there stays open."""
    position[power] = EMPTY
    position[enforcer] = ENFORCER + facing + (position[SEAT] << SEAT_SHIFT)
    position[SACRIFICED] = 1
    position[PROGRESS] = 1
    position[ORIGIN] = REALM_OF[power]


@kernel
def place_piece(position: Position, cell: Cell, facing: int) -> None:
    """Put a piece on a space: in the set-up, as a creation or in a Rearrangement."""
    phase = position[PHASE]
    seat = position[SEAT]
    if phase == PLACE_BASES:
        position[cell] = BASE + (seat << SEAT_SHIFT)
        position[BASES_LEFT + seat] -= 1
        position[PLACED] += 1
        continue_setup(position)
    elif phase == PLACE_POWERS:
        position[cell] = POWER + (seat << SEAT_SHIFT)
        position[PLACED] += 1
        continue_setup(position)
    elif phase == CREATE_ENFORCER:
        position[cell] = ENFORCER + facing + (seat << SEAT_SHIFT)
        position[ENFORCERS_LEFT + seat] -= 1
        position[PROGRESS] = 1
        resume_turn(position)
    elif phase == FOUND_BASE:
        resume_turn(position)
        create_base(position, REALM_OF[cell])
    else:
        put_back(position, cell, facing)
        if count_puts_left(position) == 0:
            position[LIFTED : LIFTED + 9] = EMPTY
            update_rearrangement_streak(position)
            end_turn(position, False)


@kernel
def resume_turn(position: Position) -> None:
    """Continue the turn after an event."""
    position[PHASE] = TURN
    position[EVENT_CELL] = -1


@kernel
def start_setup(position: Position, first: int) -> None:
    """Start placing Bases, seat `first` first; V10's extra Base goes to the second mover."""
    position[PHASE] = PLACE_BASES
    position[FIRST_PLACER] = first
    position[SEAT] = first
    position[PLACED] = 0
    if position[R_EXTRA_BASE]:
        position[BASES_LEFT + second_mover(position)] += 1


@kernel
def second_mover(position: Position) -> int:
    """Return the seat that moves second unless V11 decides otherwise (R4, V8)."""
    return int(1 - (position[FIRST_PLACER] ^ position[R_SECOND_MOVES_FIRST]))


@kernel
def setup_base_count(position: Position) -> int:
    """Return how many Bases each player places in the set-up, without V10's extra one (R2, V3)."""
    return max(MIN_SETUP_BASES, int(position[R_POWERS]))


@kernel
def continue_setup(position: Position) -> None:
    """Set the seat and kind of the next placement, or start play (R2 to R4, V8, V10, V11)."""
    if position[PHASE] == PLACE_BASES:
        bases = 2 * setup_base_count(position)
        if position[PLACED] == bases and position[R_EXTRA_BASE]:
            position[SEAT] = second_mover(position)
            return
        if position[PLACED] >= bases:
            position[PHASE] = PLACE_POWERS
            position[PLACED] = 0
    if position[PHASE] == PLACE_POWERS and position[PLACED] == 2 * position[R_POWERS]:
        position[PLACED] = 0
        if position[R_CHOOSE_SEAT] >> 1:
            position[PHASE] = CHOOSE_MOVE
            position[SEAT] = 1
        else:
            start_play(position, 1 - second_mover(position))
        return
    position[SEAT] = position[FIRST_PLACER] ^ (position[PLACED] & 1)


@kernel
def start_play(position: Position, seat: int) -> None:
    """Start the first turn after the set-up."""
    position[PHASE] = TURN
    position[SEAT] = seat
    position[KEYS + 0] = position_key(position)
    position[KEY_COUNT] = 1


@kernel
def update_rearrangement_streak(position: Position) -> None:
    """Record rearrangements in a row (R11), unless the limit is off (V17)."""
    seat = position[SEAT]
    if not position[R_STREAK_LIMIT]:
        return
    if position[STREAK_REALM + seat] == position[ORIGIN]:
        position[STREAK_LENGTH + seat] = 2
    else:
        position[STREAK_REALM + seat] = position[ORIGIN]
        position[STREAK_LENGTH + seat] = 1


@kernel
def end_ordinary_turn(position: Position, passed: bool) -> None:
    """End a turn that was not a Rearrangement, which breaks the row of R11."""
    seat = position[SEAT]
    position[STREAK_REALM + seat] = -1
    position[STREAK_LENGTH + seat] = 0
    end_turn(position, passed)


@kernel
def end_turn(position: Position, passed: bool) -> None:
    """Pass the turn to the opponent and check whether the game is over (T2 to T5)."""
    position[TURNS] += 1
    if position[PROGRESS]:
        position[QUIET_TURNS] = 0
        position[KEY_COUNT] = 0
    else:
        position[QUIET_TURNS] += 1
    position[PHASE] = TURN
    position[SEAT] = 1 - position[SEAT]
    position[OFFER] = STANDING if position[OFFER] == OFFERED else NO_OFFER
    for entry in (ORIGIN, TARGET, EVENT_CELL):
        position[entry] = -1
    for entry in (MOVED, SACRIFICED, PROGRESS):
        position[entry] = 0
    two_passes = passed and position[PASSED]
    position[PASSED] = 1 if passed else 0
    key = position_key(position)
    position[KEYS + position[KEY_COUNT]] = key
    position[KEY_COUNT] += 1
    if is_dead_position(position):
        finish(position, DEAD_POSITION)
    elif two_passes:
        finish(position, TWO_PASSES)
    elif position[QUIET_TURNS] >= position[R_NO_PROGRESS]:
        finish(position, NO_PROGRESS)
    elif count_key(position, KEYS, position[KEY_COUNT], key) >= 3:  # noqa: PLR2004 - T3
        finish(position, REPETITION)
    elif position[TURNS] >= position[R_MAX_TURNS]:
        finish(position, MAX_TURNS)


@kernel
def is_dead_position(position: Position) -> bool:
    """T2: whether no Base can ever be created or captured again."""
    for realm in range(REALMS):
        if position[CENTER[realm]] == EMPTY:
            return False
    for seat in range(2):
        if position[ENFORCERS_LEFT + seat] > 0:
            return False
        side = seat << SEAT_SHIFT
        powers = 0
        flat = 0
        for cell in range(CELLS):
            kind = position[cell] - side
            if ENFORCER <= kind < IMMOBILE:
                return False
            powers += kind == POWER
            flat += kind == IMMOBILE
        if position[R_SACRIFICE] and powers > 0 and flat > 0:
            return False
    return True


@kernel
def finish(position: Position, reason: int) -> None:
    """End the game."""
    position[PHASE] = OVER
    position[REASON] = reason


@kernel
def position_key(position: Position) -> int:
    """Return a key of what T3 compares: pieces, side to move, rearrangement rows."""
    key = int(ENTRY_KEYS[SEAT, position[SEAT] + 1])
    for cell in range(CELLS):
        piece = position[cell]
        if piece != EMPTY:
            key ^= int(CELL_KEYS[cell, piece])
    for entry in range(STREAK_REALM, STREAK_LENGTH + 2):
        key ^= int(ENTRY_KEYS[entry, position[entry] + 1])
    return key


@kernel
def state_key(position: Position) -> int:
    """Return a key of the state without counters and history; the order of moves in a turn does not matter (S9)."""
    key = position_key(position)
    for entry in range(PHASE, TURNS):
        if not (entry == SEAT or STREAK_REALM <= entry < STREAK_LENGTH + 2):  # already in the position's key
            key ^= int(ENTRY_KEYS[entry, position[entry] + 1])
    return key


@kernel
def number_turn(position: Position) -> int:
    """Number the turn as the magazine does: pairs of placements, then of turns; choices of V11 count separately."""
    phase = position[PHASE]
    if phase == CHOOSE_PLACE:
        return 0
    if phase == PLACE_BASES:
        return int(position[PLACED] // 2 + 1)
    setup = setup_base_count(position) + position[R_EXTRA_BASE]
    if phase == PLACE_POWERS:
        return int(setup + position[PLACED] // 2 + 1)
    setup += position[R_POWERS]
    if phase == CHOOSE_MOVE:
        return int(setup + 1)
    return int(setup + (position[R_CHOOSE_SEAT] >> 1) + position[TURNS] // 2 + 1)
