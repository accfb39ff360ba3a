"""The rules as kernels: list the legal steps and apply them. Clauses refer to RULES.md.

`apply_step` changes a position in place and assumes that the step is legal.
"""

from __future__ import annotations

from realmtable.games.classic_realm.layout import (
    ALL_IN_WATER,
    ALL_REALMS,
    BIT_PLACE,
    DE_BRUIJN,
    DOUBLE_MOVE_HOLDER,
    END,
    FROGS_EACH,
    FULL_REALMS,
    INITIAL_OWED_TURNS,
    KEY,
    KEY_COUNT,
    KEY_FILTER,
    KEY_FILTER_SHIFT,
    KEY_FILTER_SIZE,
    KEYS,
    MAX_PLIES,
    MOVE0,
    NOBODY,
    NOT_EAST,
    NOT_WEST,
    OVER,
    OWED_TURNS,
    PAD_KEYS,
    PADS,
    PHASE,
    PHASE_KEYS,
    PLACE,
    PUT0,
    R_FREE_SETUP,
    R_MAX_PLIES,
    REALM_CAPACITY,
    REASON,
    REPETITION,
    RESCUED_KEYS,
    RESCUED_REALM,
    SEAT,
    SECOND_MOVE,
    TURN,
    TURN_KEYS,
    TURNS,
    WATER,
    WATER_KEYS,
)
from realmtable.kit.array_kernels import count_key
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.geometry import REALMS, Realm
from realmtable.kit.rules import Position, Steps

Mask = int  # one bit per Realm

# ---- legal steps


@kernel
def realm_of_bit(bit: Mask) -> Realm:
    """Return the Realm of a mask with a single bit."""
    return int(BIT_PLACE[(bit * DE_BRUIJN >> 12) & 15])


@kernel
def neighbours(pads: Mask) -> Mask:
    """Return every pad north, east, south or west of one of `pads` (C2)."""
    return ((pads & NOT_EAST) << 1) | ((pads & NOT_WEST) >> 1) | ((pads << 4) & ALL_REALMS) | (pads >> 4)


@kernel
def jump_group(start: Mask, passable: Mask) -> Mask:
    """Return the pads a frog can jump on from, including the one it starts on (C3)."""
    group = start
    while True:
        grown = group | (neighbours(group) & passable)
        if grown == group:
            return group
        group = grown


@kernel
def list_bits(mask: Mask, first: int, out: Steps, listed: int) -> int:
    """Append `first` + Realm to `out` for every bit and return the new length."""
    while mask:
        bit = mask & -mask
        out[listed] = first + BIT_PLACE[(bit * DE_BRUIJN >> 12) & 15]  # `realm_of_bit`, without a call when interpreted
        listed += 1
        mask ^= bit
    return listed


@kernel
def list_moves(position: Position, seat: int, out: Steps) -> int:
    """Write a seat's moves to `out`, whether or not it is its turn, and return their number."""
    own = int(position[PADS + seat])
    full = int(position[FULL_REALMS])
    ends = ALL_REALMS ^ (own | full)  # C3, C6: where a move may end
    passable = own & ~full
    listed = group = reached = 0
    frogs = own
    if position[RESCUED_REALM] != NOBODY:
        frogs &= ~(1 << position[RESCUED_REALM])  # C5: it may not move this turn
    while frogs:
        start = frogs & -frogs
        frogs ^= start
        # No path needs to return to its start, so all frogs of a group reach the same pads. A frog in a full Realm is
        # the exception: it may leave, but the others may not jump through, so it gets a separate group.
        if group & start == 0 or group & full:
            group = jump_group(start, passable)
            reached = neighbours(group) & ends
        listed = list_bits(reached, MOVE0 + realm_of_bit(start) * REALMS, out, listed)
    return listed


@kernel
def legal_steps(position: Position, out: Steps) -> int:
    """Write the legal steps to `out` in ascending order and return their number."""
    phase = position[PHASE]
    if phase == OVER:
        return 0
    if phase == PLACE:
        return list_bits(ALL_REALMS ^ int(position[PADS] | position[PADS + 1]), PUT0, out, 0)
    listed = list_moves(position, int(position[SEAT]), out)
    if phase == SECOND_MOVE:
        out[listed] = END
        listed += 1
    return listed


# ---- applying steps


@kernel
def apply_step(position: Position, code: int) -> None:
    """Apply a legal step in place."""
    if code < PUT0:
        jump(position, (code - MOVE0) // REALMS, (code - MOVE0) % REALMS)
    elif code < END:
        place_piece(position, code - PUT0)
    else:
        end_turn(position, False)


@kernel
def jump(position: Position, source: Realm, target: Realm) -> None:
    """Move a frog from pad to pad, and continue or end the turn."""
    seat = int(position[SEAT])
    rescues = position[WATER + seat * REALMS + source] > 0
    position[RESCUED_REALM] = NOBODY
    leave_pad(position, seat, source)
    land_on_pad(position, seat, target)
    if position[PADS + 1 - seat] == 0:
        finish(position, ALL_IN_WATER)  # C7
    elif position[PHASE] == SECOND_MOVE:
        end_turn(position, True)
    elif position[DOUBLE_MOVE_HOLDER] == seat and position[OWED_TURNS] == 0:
        position[PHASE] = SECOND_MOVE  # S3
        position[RESCUED_REALM] = source if rescues else NOBODY
    else:
        end_turn(position, False)


@kernel
def leave_pad(position: Position, seat: int, realm: Realm) -> None:
    """Take a frog off a pad; a friendly frog in the water there climbs onto it (C5)."""
    place = seat * REALMS + realm
    swimmers = position[WATER + place]
    if swimmers > 0:
        position[WATER + place] = swimmers - 1
        position[KEY] ^= WATER_KEYS[place * FROGS_EACH + swimmers - 1]
    else:
        position[PADS + seat] ^= 1 << realm
        position[KEY] ^= PAD_KEYS[place]
    position[FULL_REALMS] &= ~(1 << realm)


@kernel
def land_on_pad(position: Position, seat: int, realm: Realm) -> None:
    """Put a frog on a pad; an enemy frog there falls into the water (C4)."""
    place = seat * REALMS + realm
    foe_place = (1 - seat) * REALMS + realm
    bit = 1 << realm
    if position[PADS + 1 - seat] & bit:
        swimmers = position[WATER + foe_place]
        position[PADS + 1 - seat] ^= bit
        position[WATER + foe_place] = swimmers + 1
        position[KEY] ^= PAD_KEYS[foe_place] ^ WATER_KEYS[foe_place * FROGS_EACH + swimmers]
    position[PADS + seat] |= bit
    position[KEY] ^= PAD_KEYS[place]
    if position[WATER + place] + position[WATER + foe_place] + 1 == REALM_CAPACITY:
        position[FULL_REALMS] |= bit


@kernel
def place_piece(position: Position, realm: Realm) -> None:
    """Put a new frog on a pad (V1); Black, who places the sixteenth, moves first."""
    seat = int(position[SEAT])
    land_on_pad(position, seat, realm)
    if position[PADS] | position[PADS + 1] == ALL_REALMS:
        position[PHASE] = TURN
        remember_position(position)
    else:
        position[SEAT] = 1 - seat


@kernel
def end_turn(position: Position, doubled: bool) -> None:
    """Complete a turn: update the right of V2, pass the turn and check whether the game is over (T2, T3)."""
    seat = int(position[SEAT])
    if doubled:
        position[DOUBLE_MOVE_HOLDER] = 1 - seat
        position[OWED_TURNS] = INITIAL_OWED_TURNS
    elif position[DOUBLE_MOVE_HOLDER] == seat and position[OWED_TURNS] > 0:
        position[OWED_TURNS] -= 1
    position[PHASE] = TURN
    position[SEAT] = 1 - seat
    position[RESCUED_REALM] = NOBODY
    position[TURNS] += 1
    if remember_position(position) >= 3:  # noqa: PLR2004 - T2
        finish(position, REPETITION)
    elif position[TURNS] >= position[R_MAX_PLIES]:
        finish(position, MAX_PLIES)


@kernel
def remember_position(position: Position) -> int:
    """Record the position at the start of a turn and return how often it has appeared (T2)."""
    key = position_key(position)
    position[KEYS + position[KEY_COUNT]] = key
    position[KEY_COUNT] += 1
    if add_to_key_filter(position, key):
        return 1
    return count_key(position, KEYS, int(position[KEY_COUNT]), key)


@kernel
def add_to_key_filter(position: Position, key: int) -> bool:
    """Set the bit of a key and return whether it was clear; if so, the key is new and no search is needed."""
    entry = KEY_FILTER + (key >> KEY_FILTER_SHIFT) % KEY_FILTER_SIZE
    bit = 1 << key % (1 << KEY_FILTER_SHIFT)
    fresh = position[entry] & bit == 0
    position[entry] |= bit
    return bool(fresh)


@kernel
def finish(position: Position, reason: int) -> None:
    """End the game."""
    position[PHASE] = OVER
    position[REASON] = reason


# ---- keys


@kernel
def position_key(position: Position) -> int:
    """Return a key of what T2 compares: pads, water, side to move and the right to a double move."""
    turn = (position[SEAT] * 3 + position[DOUBLE_MOVE_HOLDER] + 1) * 3 + position[OWED_TURNS]
    return int(position[KEY] ^ TURN_KEYS[turn])


@kernel
def state_key(position: Position) -> int:
    """Return a key of the whole state except its counters and history."""
    key = position_key(position) ^ int(PHASE_KEYS[position[PHASE]])
    return key if position[RESCUED_REALM] == NOBODY else key ^ int(RESCUED_KEYS[position[RESCUED_REALM]])


@kernel
def number_turn(position: Position) -> int:
    """Number the turn: pairs of placements (V1) first, then pairs of turns."""
    if position[PHASE] == PLACE:
        return count_bits(int(position[PADS] | position[PADS + 1])) // 2 + 1
    return int(FROGS_EACH * position[R_FREE_SETUP] + position[TURNS] // 2 + 1)
