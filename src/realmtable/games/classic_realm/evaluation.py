"""The static evaluation of Classic Realm. The weights were learned from games between bots."""

from __future__ import annotations

from typing import Final

from realmtable.games.classic_realm.layout import (
    ALL_IN_WATER,
    DOUBLE_MOVE_HOLDER,
    FULL_REALMS,
    NOBODY,
    OWED_TURNS,
    PADS,
    REASON,
    SEAT,
    WATER,
)
from realmtable.games.classic_realm.rules import (
    Mask,
    jump_group,
    neighbours,
    realm_of_bit,
)
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.geometry import REALMS
from realmtable.kit.rules import NO_WINNER, Feature, Measures, Position

FEATURES: Final = (
    Feature("frogs", "frogs on pads", 0.29),
    Feature("last", "sides with one frog left", -0.55),
    Feature("rescues", "own frogs with a friend in the water below", 0.36),
    Feature("deep", "further friends in the water below own frogs", 0.14),
    Feature("held", "frogs in the water below an enemy", -0.07),
    Feature("front", "frogs next to an enemy", 0.26),
    Feature("central", "frogs on the four pads in the middle", 0.04),
    Feature("groups", "groups of frogs", -0.19),
    Feature("room", "vacant pads within reach", 0.04),
    Feature("freeing_now", "chances to dunk a frog that sits on a friend", 0.36),
    Feature("bury_now", "enemies in the water below a frog that can be dunked", 0.31),
    Feature("bury_loose_now", "chances to bury enemies without reprisal", 0.53),
    Feature("double_next", "double moves after one more turn", 0.70),
    Feature("double_ready", "double moves ready for the next turn", 1.05),
    Feature("double_now", "double moves to make this turn", 0.15),
    Feature("to_move", "the move", 0.10),
)
(
    FROGS, LAST, RESCUES, DEEP, HELD, FRONT, CENTRAL, GROUPS, ROOM, FREEING_NOW, BURY_NOW, BURY_LOOSE_NOW,
    DOUBLE_NEXT, DOUBLE_READY, DOUBLE_NOW, TO_MOVE,
) = range(len(FEATURES))  # fmt: skip
CENTRAL_PADS: Final = 0x0660


@kernel
def winner_of(position: Position) -> int:
    """Return the seat that has won (C7), or NO_WINNER."""
    return int(position[SEAT]) if position[REASON] == ALL_IN_WATER else NO_WINNER


@kernel
def is_path_independent(position: Position) -> bool:
    """Whether the game ended with a last frog in the water, not by repetition or a limit."""
    return bool(position[REASON] == ALL_IN_WATER)


@kernel
def count_bits(mask: Mask) -> int:
    """Count the pads of a mask: add neighbouring bits, then pairs, fours and eights."""
    pairs = mask - (mask >> 1 & 0x5555)
    fours = (pairs & 0x3333) + (pairs >> 2 & 0x3333)
    eights = fours + (fours >> 4) & 0x0F0F
    return eights + (eights >> 8) & 31


@kernel
def count_groups(own: Mask) -> int:
    """Count the groups that these pads form."""
    groups = 0
    while own:
        own &= ~jump_group(own & -own, own)
        groups += 1
    return groups


@kernel
def measure(position: Position, measures: Measures) -> None:
    """Write White's value minus Black's of every feature of an unfinished position to `measures`."""
    measures[:] = 0.0
    for seat in range(2):
        sign = 1.0 - 2.0 * seat
        measure_pads(position, seat, sign, measures)
        measure_water(position, seat, sign, measures)
    seat = int(position[SEAT])
    measure_dunks(position, seat, 1.0 - 2.0 * seat, measures)
    measures[TO_MOVE] = 1.0 - 2.0 * seat
    if position[DOUBLE_MOVE_HOLDER] != NOBODY:
        measure_double_move(position, int(position[DOUBLE_MOVE_HOLDER]), measures)


@kernel
def measure_pads(position: Position, seat: int, sign: float, measures: Measures) -> None:
    """Add the features of a seat's frogs on pads."""
    own = int(position[PADS + seat])
    foe = int(position[PADS + 1 - seat])
    near = neighbours(own) & ~int(position[FULL_REALMS])
    frogs = count_bits(own)
    measures[FROGS] += sign * frogs
    measures[LAST] += sign * (frogs == 1)
    measures[FRONT] += sign * count_bits(own & neighbours(foe))
    measures[CENTRAL] += sign * count_bits(own & CENTRAL_PADS)
    measures[GROUPS] += sign * count_groups(own)
    measures[ROOM] += sign * count_bits(near & ~(own | foe))


@kernel
def measure_water(position: Position, seat: int, sign: float, measures: Measures) -> None:
    """Add the features of a seat's frogs in the water."""
    own = int(position[PADS + seat])
    foe = int(position[PADS + 1 - seat])
    for realm in range(REALMS):
        swimmers = position[WATER + seat * REALMS + realm]
        if swimmers > 0:
            measures[RESCUES] += sign * (own >> realm & 1)
            measures[DEEP] += sign * (own >> realm & 1) * (swimmers - 1)
            measures[HELD] += sign * (foe >> realm & 1) * swimmers


@kernel
def measure_dunks(position: Position, seat: int, sign: float, measures: Measures) -> None:
    """Write what the acting seat can dunk at once."""
    foe = int(position[PADS + 1 - seat])
    prey = neighbours(int(position[PADS + seat])) & foe & ~int(position[FULL_REALMS])
    loose = prey & ~neighbours(foe)
    deepest = 0
    while prey:
        bit = prey & -prey
        prey ^= bit
        realm = realm_of_bit(bit)
        if position[WATER + seat * REALMS + realm] > 0:
            measures[FREEING_NOW] = sign
        below = int(position[WATER + (1 - seat) * REALMS + realm])
        deepest = max(deepest, below)
        if below > 0 and loose & bit:
            measures[BURY_LOOSE_NOW] = sign
    measures[BURY_NOW] = sign * deepest


@kernel
def measure_double_move(position: Position, holder: int, measures: Measures) -> None:
    """Write how soon the holder of the double move can make it (V2)."""
    sign = 1.0 - 2.0 * holder
    if position[OWED_TURNS] == 1:
        measures[DOUBLE_NEXT] = sign
    elif position[OWED_TURNS] == 0:
        measures[DOUBLE_NOW if holder == position[SEAT] else DOUBLE_READY] = sign
