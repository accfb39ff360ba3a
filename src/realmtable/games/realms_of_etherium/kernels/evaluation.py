"""Evaluate positions of Realms of Etherium: who has won, and what each seat has while the game goes on."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.realms_of_etherium.kernels.evaluation_memory import (
    ANYTHING,
    AROUND,
    EDGE_COUNT,
    EDGE_LIST,
    FIRST_VICTORY,
    MEMORY_SIZE,
    MOST_NEAR,
    NOTHING,
    OFFER_FIRST,
    OFFER_PRICES,
    OFFER_SECOND,
    OFFER_SIZE,
    OFFER_WORTH,
    OFFERS,
    TYPE_BITS,
    TYPES,
    Memory,
    count_touching,
    count_type,
    has_other_occupant,
    note_changes,
    seat_distance,
)
from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_SEAT,
    BLACK,
    BY_OPPONENTS,
    BY_POINTS,
    CONJURE,
    CONTROL_BLACK,
    CONTROL_WHITE,
    CONTROLLED,
    CONVERT,
    DISRUPTION_KIND,
    EXHAUSTED,
    EXTRA_MOVE,
    FACT_MASK,
    FIRST_TILE,
    GAIN,
    GIVES_BLACK,
    GIVES_WHITE,
    IN_MAGE,
    IN_REFILL,
    IN_SOURCE,
    KIND_COUNT,
    LESSEN,
    MAGE_PLACE,
    MAX_MAGES,
    MOVED,
    NONE,
    OF,
    PER,
    PHASE,
    POINTS,
    PORTALS,
    PROTECT,
    R_ANY_CONTROL,
    R_POINTS,
    REACT,
    REALM_SUPPLY,
    REASON,
    RESERVE,
    RESERVE_SIZE,
    SCORE_CONNECTED,
    SCORE_CONTROLLED,
    SCORE_PAIRS,
    SCORE_TYPES,
    SEATS,
    SECOND_COLOUR,
    SIDE_COUNT,
    SIDES,
    SOURCE,
    STREAMLINE,
    TILE_HEX,
    TILE_KIND,
    TILE_OWNER,
    TRANSFER,
    TRIGGERED,
    TURN,
    VALUE,
    VERB_OF,
    WHITE,
    Hex,
    Kind,
    MageNumber,
    TileNumber,
)
from realmtable.games.realms_of_etherium.kernels.scoring import count_connected, rank_of
from realmtable.games.realms_of_etherium.kernels.supplies import count_tiles
from realmtable.games.realms_of_etherium.kernels.world import fact, tile_count, tile_on
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Feature, Measures, Position

FEATURES: Final = (
    Feature("points", "tenths of the points that end the game", 0.28),
    Feature("last", "tenths of these points in the last Round", 0.5),
    Feature("reach", "tenths of these points in reach", 0.18),
    Feature("next_reach", "more tenths of these points in reach", 0.08),
    Feature("white", "White Etherium", 0.04),
    Feature("black", "Black Etherium", 0.09),
    Feature("spare", "spare Etherium", 0.01),
    Feature("income", "Etherium in reach", 0.02),  # so little that to gain it is worth more than to keep it in reach
    Feature("mages", "Mages", 0.25),
    Feature("ready", "Mages that can act", 0.08),
    Feature("controlled", "Controlled Realms", 0.04),
    Feature("helpers", "useful Realms", 0.04),
    Feature("room", "open sides of Victory Realms", 0.02),
    Feature("prospect", "tenths of these points in prospect", 0.1),
)
(
    HAS_POINTS, LAST, REACH, NEXT_REACH, HAS_WHITE, HAS_BLACK, SPARE, INCOME, MAGES, READY, HAS_CONTROL, HELPERS, ROOM,
    PROSPECT,
) = range(len(FEATURES))  # fmt: skip
FEATURE_COUNT: Final = len(FEATURES)

FULL: Final = 10.0  # the points that end the game, in tenths
USEFUL: Final = 8  # of a colour of Etherium; more is spare
BLACK_PER_WHITE: Final = 2.0
TRANSMUTE_GAIN: Final = 1.5  # of a visit, in White
CONJURE_GAIN: Final = 3.0
CONJURE_PRICE: Final = 3
MISSING: Final = 0.35  # how much each missing White delays Control
# The most that a Realm is worth while another player's Mage blocks it. This is not a factor, because missing Etherium
# can be fetched meanwhile: then all would stand in each other's way, and no one would go for Etherium.
BLOCKED: Final = 0.5
MOVED_READY: Final = 0.4  # the rest of an activation after its move
MAX_ROOM: Final = 3
HALVES: Final = 2  # in a point
CONNECTED_HALVES: Final = 3  # of a touching Realm whose group counts
# The worth of what is 0, 1, 2, … steps away from the nearest Mage.
NEAR_CONTROL: Final = np.array([1.0, 0.75, 0.5, 0.3, 0.15, 0.05])
NEAR_GAIN: Final = np.array([0.35, 1.0, 0.5, 0.2, 0.05, 0.0])  # a Mage that is there has to leave and come back
assert len(NEAR_CONTROL) == len(NEAR_GAIN) == MOST_NEAR + 1  # noqa: S101 - larger distances are cut off
PRICE_BITS: Final = 4  # of a missing amount of Black, below that of White
# [missing White, missing Black] 1 if a seat can pay for Control of a Realm, and less the more Etherium is missing.
AFFORDABILITY: Final = np.array(
    [
        1.0 / (1.0 + MISSING * (white + BLACK_PER_WHITE * black))
        for white in range(1 << PRICE_BITS)
        for black in range(1 << PRICE_BITS)
    ]
)
INCOME_KINDS: Final = np.flatnonzero(np.isin(VERB_OF, (GAIN, CONVERT, CONJURE)))
FIRST_INCOME, LAST_INCOME = int(INCOME_KINDS.min()), int(INCOME_KINDS.max())
assert len(INCOME_KINDS) == LAST_INCOME - FIRST_INCOME + 1  # noqa: S101 - no other kind is between them
IS_HELPER: Final = np.isin(VERB_OF, (REACT, LESSEN, STREAMLINE, EXTRA_MOVE, TRANSFER, PROTECT))  # [kind]


@kernel
def share_of(position: Position, seat: int) -> float:
    """Return a seat's share of the win: players who share first place share it."""
    if rank_of(position, seat) != 1:
        return 0.0
    first = 0
    for other in range(int(position[SEATS])):
        if rank_of(position, other) == 1:
            first += 1
    return 1.0 / first


@kernel
def is_path_independent(position: Position) -> bool:
    """Whether the game ended by points, not by a limit."""
    return bool(position[REASON] == BY_POINTS)


@kernel
def is_quiet(position: Position) -> bool:
    """Whether a position can be evaluated: a declared hex is worth nothing until the tile is known."""
    return bool(position[PHASE] != IN_SOURCE)


@kernel
def is_irrelevant_chance(position: Position) -> bool:
    """Whether a tile is drawn that only completes the Reserve of Realms, and cannot be its third Disruption (M8)."""
    if position[PHASE] != IN_REFILL or position[SOURCE] != REALM_SUPPLY or position[TURN] == 0:
        return False
    if position[RESERVE + DISRUPTION_KIND] >= RESERVE_SIZE - 1:
        return False
    return count_tiles(position, RESERVE, REALM_SUPPLY) == RESERVE_SIZE - 1


# ---- features


@kernel
def measure(position: Position, measures: Measures) -> None:
    """Write the amounts of every feature of an unfinished position, seat by seat."""
    measure_changes(position, measures, np.zeros(MEMORY_SIZE, dtype=np.int64))


@kernel
def measure_changes(position: Position, measures: Measures, memory: Memory) -> None:
    """Like `measure`, but recompute only what changed.

    Start with a zeroed `memory`, and use it with one match and one `measures` array.
    """
    changed = note_changes(position, memory)
    if changed == ANYTHING:
        for index in range(int(position[SEATS]) * FEATURE_COUNT):
            measures[index] = 0.0
        for kind in range(FIRST_INCOME, LAST_INCOME + 1):
            measure_incomes(position, kind, memory, measures)
        for tile in range(position[FIRST_TILE + FIRST_VICTORY], tile_count(position)):
            if position[TILE_HEX + tile]:
                measure_victory(position, tile, memory, measures)
        for seat in range(int(position[SEATS])):
            measure_seat(position, seat, measures)
    if changed != NOTHING:
        measure_prospects(position, memory, measures)


# ---- points in reach


@kernel
def measure_victory(position: Position, tile: TileNumber, memory: Memory, measures: Measures) -> None:
    """Add the open sides of a Victory Realm to its owner's; without an owner, add its points to what is in reach."""
    hex_ = int(position[TILE_HEX + tile])
    kind = int(position[TILE_KIND + tile])
    owner = int(position[TILE_OWNER + tile]) - 1
    if owner != NONE:
        measures[owner * FEATURE_COUNT + ROOM] += min(MAX_ROOM, SIDE_COUNT - count_touching(memory, hex_))
        return
    depends = VERB_OF[kind] == SCORE_CONTROLLED
    tenths = 0.0 if depends else FULL * points_of(position, kind, tile, memory) / position[R_POINTS]
    if not depends and tenths == 0.0:
        return
    for seat in range(int(position[SEATS])):
        if depends:
            points = count_touching_control(position, tile, seat) * fact(position, kind, VALUE)
            tenths = FULL * points / position[R_POINTS]
        following = seat * FEATURE_COUNT + NEXT_REACH
        payable = AFFORDABILITY[missing_price(position, seat, kind)]
        if tenths * payable <= measures[following]:
            continue  # however near the seat is
        if has_other_occupant(memory, tile, seat):
            payable = min(payable, BLOCKED)  # C2
        worth = tenths * NEAR_CONTROL[seat_distance(position, memory, seat, hex_)] * payable
        best = seat * FEATURE_COUNT + REACH
        measures[following] = max(measures[following], min(measures[best], worth))
        measures[best] = max(measures[best], worth)


@kernel
def points_of(position: Position, kind: Kind, tile: TileNumber, memory: Memory) -> int:
    """Return the points of a Victory Realm that does not count Control, as `value_of` does."""
    hex_ = int(position[TILE_HEX + tile])
    verb = VERB_OF[kind]
    if verb == SCORE_TYPES:
        number = count_types_in(int(memory[AROUND + hex_]))
    else:
        number = count_type(memory, hex_, fact(position, kind, OF))
        if verb == SCORE_PAIRS:
            number = min(number, count_type(memory, hex_, fact(position, kind, SECOND_COLOUR)))
        elif verb == SCORE_CONNECTED and number > 0:
            number = count_connected(position, tile)
    return number * fact(position, kind, VALUE)


@kernel
def missing_price(position: Position, seat: int, kind: Kind) -> int:
    """Return what a seat lacks to pay for Control of a Realm, as an index of AFFORDABILITY."""
    white = max(0, fact(position, kind, CONTROL_WHITE) - int(position[WHITE + seat]))
    black = max(0, fact(position, kind, CONTROL_BLACK) - int(position[BLACK + seat]))
    return (white << PRICE_BITS) + black


@kernel
def count_touching_control(position: Position, tile: TileNumber, seat: int) -> int:
    """Return about how many Realms would count for a Victory Realm (C8) if a seat Controlled it."""
    kind = int(position[TILE_KIND + tile])
    number = 0
    for side in range(SIDE_COUNT):
        other = tile_on(position, int(position[TILE_HEX + tile]) + int(SIDES[side]))
        owner = int(position[TILE_OWNER + other]) if other != NONE else 0
        if owner == 0:
            continue
        if fact(position, kind, BY_OPPONENTS):
            number += owner != seat + 1
        else:
            number += bool(position[R_ANY_CONTROL] or owner == seat + 1)
    return number


# ---- points in prospect


@kernel
def list_offers(position: Position, memory: Memory) -> int:
    """List the Victory Realms in the Reserve that count types, and what the seats lack; return how many there are."""
    count = 0
    for kind in range(FIRST_VICTORY, KIND_COUNT):
        verb = VERB_OF[kind]
        if position[RESERVE + kind] == 0 or verb == SCORE_CONTROLLED:
            continue
        offer = OFFERS + count * OFFER_SIZE
        memory[offer + OFFER_FIRST] = TYPE_BITS * fact(position, kind, OF)
        memory[offer + OFFER_SECOND] = memory[offer + OFFER_FIRST]
        memory[offer + OFFER_WORTH] = HALVES * fact(position, kind, VALUE)
        if verb == SCORE_PAIRS:
            memory[offer + OFFER_SECOND] = TYPE_BITS * fact(position, kind, SECOND_COLOUR)
        elif verb == SCORE_CONNECTED:
            memory[offer + OFFER_WORTH] = CONNECTED_HALVES * fact(position, kind, VALUE)
        elif verb == SCORE_TYPES:
            memory[offer + OFFER_FIRST] = NONE
        for seat in range(int(position[SEATS])):
            memory[offer + OFFER_PRICES + seat] = missing_price(position, seat, kind)
        count += 1
    return count


@kernel
def measure_prospects(position: Position, memory: Memory, measures: Measures) -> None:
    """Write the best points of a Victory Realm of the Reserve that a seat could summon."""
    seats = int(position[SEATS])
    for seat in range(seats):
        measures[seat * FEATURE_COUNT + PROSPECT] = 0.0
    count = list_offers(position, memory)
    for index in range(memory[EDGE_COUNT]):
        hex_ = int(memory[EDGE_LIST + index])
        around = int(memory[AROUND + hex_])
        highest = 0
        best = OFFERS
        for offer in range(OFFERS, OFFERS + count * OFFER_SIZE, OFFER_SIZE):
            halves = count_halves(memory, offer, around)
            if halves > highest:
                highest = halves
                best = offer
        if highest > 0:
            measure_hex(position, hex_, FULL * (highest / HALVES) / position[R_POINTS], best, memory, measures)


@kernel
def measure_hex(
    position: Position, hex_: Hex, tenths: float, offer: int, memory: Memory, measures: Measures
) -> None:  # fmt: skip
    """Compare the best offer for an empty hex with what the seats have in prospect."""
    for seat in range(int(position[SEATS])):
        payable = AFFORDABILITY[memory[offer + OFFER_PRICES + seat]]
        entry = seat * FEATURE_COUNT + PROSPECT
        if tenths * payable > measures[entry]:  # or it does not matter how near the seat is
            near = seat_distance(position, memory, seat, hex_)
            measures[entry] = max(measures[entry], tenths * NEAR_CONTROL[near] * payable)


@kernel
def count_halves(memory: Memory, offer: int, around: int) -> int:
    """Return about how many half points a Victory Realm would be worth on a hex with these surroundings."""
    first = memory[offer + OFFER_FIRST]
    if first == NONE:
        return int(count_types_in(around) * memory[offer + OFFER_WORTH])
    number = min(around >> first & FACT_MASK, around >> memory[offer + OFFER_SECOND] & FACT_MASK)
    return int(number * memory[offer + OFFER_WORTH])


@kernel
def count_types_in(types: int) -> int:
    """Return how many types there are in the surroundings of a hex."""
    number = 0
    for each in range(TYPES):
        if types >> TYPE_BITS * each & FACT_MASK:
            number += 1
    return number


# ---- income


@kernel
def measure_incomes(position: Position, kind: Kind, memory: Memory, measures: Measures) -> None:
    """Add what entering Realms of a kind would give to each seat."""
    verb = VERB_OF[kind]
    colour = fact(position, kind, PER)
    each = 0.0
    if verb == GAIN:
        each = fact(position, kind, GIVES_WHITE) + BLACK_PER_WHITE * fact(position, kind, GIVES_BLACK)
    for tile in range(position[FIRST_TILE + kind], position[FIRST_TILE + kind + 1]):
        hex_ = int(position[TILE_HEX + tile])
        if hex_ == 0:
            continue
        gain = each * count_type(memory, hex_, colour) if colour else each
        for seat in range(int(position[SEATS])):
            if verb == CONVERT:
                gain = TRANSMUTE_GAIN if position[WHITE + seat] > 1 else 0.0
            elif verb == CONJURE:
                gain = CONJURE_GAIN if position[BLACK + seat] >= CONJURE_PRICE else 0.0
            if gain > 0.0:
                near = seat_distance(position, memory, seat, hex_)
                measures[seat * FEATURE_COUNT + INCOME] += gain * NEAR_GAIN[near]


# ---- seats


@kernel
def measure_seat(position: Position, seat: int, measures: Measures) -> None:
    """Write what a seat has."""
    first = seat * FEATURE_COUNT
    points = FULL * position[POINTS + seat] / position[R_POINTS]
    white = int(position[WHITE + seat])
    black = int(position[BLACK + seat])
    measures[first + HAS_POINTS] = points
    measures[first + LAST] = points if position[TRIGGERED] else 0.0
    measures[first + HAS_WHITE] = min(white, USEFUL)
    measures[first + HAS_BLACK] = min(black, USEFUL)
    measures[first + SPARE] = max(0, white - USEFUL) + BLACK_PER_WHITE * max(0, black - USEFUL)
    measures[first + HAS_CONTROL] = position[CONTROLLED + seat]
    for mage in range(seat * MAX_MAGES, seat * MAX_MAGES + MAX_MAGES):
        if position[MAGE_PLACE + mage] != NONE:
            measure_mage(position, mage, first, measures)
    if seat == position[ACTIVE_SEAT] and position[PHASE] != IN_MAGE and position[MOVED]:
        measures[first + READY] -= 1.0 - MOVED_READY


@kernel
def measure_mage(position: Position, mage: MageNumber, first: int, measures: Measures) -> None:
    """Count a Mage, and the Realm that it is in if that is useful and no Mage before it is there."""
    measures[first + MAGES] += 1.0
    if not position[EXHAUSTED + mage]:
        measures[first + READY] += 1.0
    place = int(position[MAGE_PLACE + mage])
    if place == PORTALS or not IS_HELPER[position[TILE_KIND + place]]:
        return
    for other in range(mage // MAX_MAGES * MAX_MAGES, mage):
        if position[MAGE_PLACE + other] == place:
            return
    measures[first + HELPERS] += 1.0
