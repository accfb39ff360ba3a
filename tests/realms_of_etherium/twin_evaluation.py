"""Features of positions of Realms of Etherium computed anew for each position, as an independent check."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.games.realms_of_etherium.kernels.evaluation import FEATURES
from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_SEAT,
    BLACK,
    BY_OPPONENTS,
    CONJURE,
    CONTROL_BLACK,
    CONTROL_WHITE,
    CONTROLLED,
    CONVERT,
    DISRUPTION_TYPE,
    EXHAUSTED,
    EXTRA_MOVE,
    FACT_MASK,
    FIRST_TILE,
    GAIN,
    GIVES_BLACK,
    GIVES_WHITE,
    HEX_COUNT,
    IN_MAGE,
    IS_VICTORY,
    KIND_COUNT,
    LESSEN,
    MAGE_COUNT,
    MAGE_PLACE,
    MAX_MAGES,
    MAX_SEATS,
    MOVED,
    NONE,
    OF,
    PER,
    PHASE,
    POINTS,
    PORTAL_KIND,
    PORTALS,
    PROTECT,
    R_ANY_CONTROL,
    R_POINTS,
    REACT,
    RESERVE,
    SCORE_ADJACENT,
    SCORE_CONNECTED,
    SCORE_CONTROLLED,
    SCORE_PAIRS,
    SCORE_TYPES,
    SEATS,
    SECOND_COLOUR,
    SIDE_COUNT,
    SIDES,
    STREAMLINE,
    TILE_HEX,
    TILE_KIND,
    TILE_OWNER,
    TRANSFER,
    TRIGGERED,
    VALUE,
    VERB_OF,
    WHITE,
    WIDTH,
    Hex,
    Kind,
    MageNumber,
    TileNumber,
)
from realmtable.games.realms_of_etherium.kernels.prices import has_mage_in
from realmtable.games.realms_of_etherium.kernels.scoring import count_colour, type_of, value_of
from realmtable.games.realms_of_etherium.kernels.world import fact, tile_count, tile_on
from realmtable.kit.rules import Measures, Position

Distances = NDArray[np.int64]  # [30] from each Mage to the nearest Portal; FAR if the Mage is not in play


class Offers(NamedTuple):
    """The Victory Realms in the Reserve."""

    kinds: NDArray[np.int64]  # ended by NONE
    payable: NDArray[np.float64]  # [index of a kind, seat] its affordability


(
    HAS_POINTS, LAST, REACH, NEXT_REACH, HAS_WHITE, HAS_BLACK, SPARE, INCOME, MAGES, READY, HAS_CONTROL, HELPERS, ROOM,
    PROSPECT,
) = range(len(FEATURES))  # fmt: skip
FEATURE_COUNT: Final = len(FEATURES)

FAR: Final = 99
FULL: Final = 10.0  # the points that end the game, in tenths
USEFUL: Final = 8  # of a colour of Etherium; more is spare
BLACK_PER_WHITE: Final = 2.0
TRANSMUTE_GAIN: Final = 1.5  # of a visit, in White
CONJURE_GAIN: Final = 3.0
CONJURE_PRICE: Final = 3
MISSING: Final = 0.35  # how much each missing White delays Control
BLOCKED: Final = 0.5  # the most that a Realm is worth while another player's Mage blocks it
MOVED_READY: Final = 0.4  # the rest of an activation after its move
MAX_ROOM: Final = 3
CONNECTED_WORTH: Final = 1.5  # of a touching Realm whose group counts
TYPE_BITS: Final = 4  # of the number of a type in `count_touching_types`
TYPES: Final = DISRUPTION_TYPE + 1
COLUMN_OF: Final = np.arange(HEX_COUNT) % WIDTH  # [hex] looked up, because dividing takes longer
ROW_OF: Final = np.arange(HEX_COUNT) // WIDTH  # [hex]
FIRST_VICTORY: Final = int(np.flatnonzero(IS_VICTORY)[0])
# The worth of what is 0, 1, 2, … steps away from the nearest Mage.
NEAR_CONTROL: Final = np.array([1.0, 0.75, 0.5, 0.3, 0.15, 0.05])
NEAR_GAIN: Final = np.array([0.35, 1.0, 0.5, 0.2, 0.05, 0.0])  # a Mage that is there has to leave and come back


# ---- distances


def hex_distance(one: Hex, other: Hex) -> int:
    """Return how many steps two hexes are apart."""
    q = int(COLUMN_OF[one] - COLUMN_OF[other])
    r = int(ROW_OF[one] - ROW_OF[other])
    return max(abs(q), abs(r), abs(q + r))


def distance_to_portals(position: Position, hex_: Hex) -> int:
    """Return the distance from a hex to the nearest Portal."""
    nearest = FAR
    for tile in range(position[FIRST_TILE + PORTAL_KIND], position[FIRST_TILE + PORTAL_KIND + 1]):
        if position[TILE_HEX + tile]:
            nearest = min(nearest, hex_distance(hex_, int(position[TILE_HEX + tile])))
    return nearest


def list_portal_distances(position: Position, distances: Distances) -> None:
    """Write the distance of each Mage to the nearest Portal."""
    for mage in range(int(position[SEATS]) * MAX_MAGES):
        place = int(position[MAGE_PLACE + mage])
        if place == NONE:
            distances[mage] = FAR
        elif place == PORTALS:
            distances[mage] = 0
        else:
            distances[mage] = distance_to_portals(position, int(position[TILE_HEX + place]))


def seat_distance(position: Position, seat: int, hex_: Hex, portals: int, distances: Distances) -> int:
    """Return the distance of a seat's nearest Mage to a hex, which is `portals` away from the nearest Portal."""
    nearest = FAR
    for mage in range(seat * MAX_MAGES, seat * MAX_MAGES + MAX_MAGES):
        place = int(position[MAGE_PLACE + mage])
        if place != NONE:
            nearest = min(nearest, int(distances[mage]) + portals)
            if place != PORTALS:
                nearest = min(nearest, hex_distance(hex_, int(position[TILE_HEX + place])))
    return nearest


# ---- features


def measure(position: Position, measures: Measures) -> None:
    """Write the amounts of every feature of an unfinished position, seat by seat."""
    for index in range(int(position[SEATS]) * FEATURE_COUNT):
        measures[index] = 0.0
    distances = np.empty(MAGE_COUNT, dtype=np.int64)
    list_portal_distances(position, distances)
    for tile in range(tile_count(position)):
        if position[TILE_HEX + tile]:
            measure_tile(position, tile, distances, measures)
    # Only this function allocates arrays: in those that do, every slice costs more than what it saves.
    offers = Offers(np.empty(KIND_COUNT + 1, dtype=np.int64), np.empty((KIND_COUNT, MAX_SEATS)))
    if list_offers(position, offers):
        measure_prospects(position, offers, distances, measures)
    for seat in range(int(position[SEATS])):
        measure_seat(position, seat, measures)


def measure_tile(position: Position, tile: TileNumber, distances: Distances, measures: Measures) -> None:
    """Add what a Realm is worth to each seat."""
    kind = int(position[TILE_KIND + tile])
    verb = VERB_OF[kind]
    if IS_VICTORY[kind]:
        if position[TILE_OWNER + tile]:
            owner = int(position[TILE_OWNER + tile]) - 1
            measures[owner * FEATURE_COUNT + ROOM] += min(MAX_ROOM, count_open_sides(position, tile))
        else:
            measure_victory(position, tile, distances, measures)
    elif verb in (GAIN, CONVERT, CONJURE):
        measure_income(position, tile, distances, measures)
    elif verb in (REACT, LESSEN, STREAMLINE, EXTRA_MOVE, TRANSFER, PROTECT):
        for seat in range(int(position[SEATS])):
            if has_mage_in(position, seat, tile):
                measures[seat * FEATURE_COUNT + HELPERS] += 1.0


def count_open_sides(position: Position, tile: TileNumber) -> int:
    """Return how many sides of a Realm are open."""
    number = 0
    for side in range(SIDE_COUNT):
        if tile_on(position, int(position[TILE_HEX + tile]) + int(SIDES[side])) == NONE:
            number += 1
    return number


def measure_victory(position: Position, tile: TileNumber, distances: Distances, measures: Measures) -> None:
    """Add the points of a Victory Realm that no one Controls to what is in reach, if they are among a seat's best."""
    hex_ = int(position[TILE_HEX + tile])
    kind = int(position[TILE_KIND + tile])
    portals = distance_to_portals(position, hex_)
    depends = VERB_OF[kind] == SCORE_CONTROLLED
    points = 0 if depends else value_of(position, tile)
    for seat in range(int(position[SEATS])):
        if depends:
            points = count_touching_control(position, tile, seat) * fact(position, kind, VALUE)
        following = seat * FEATURE_COUNT + NEXT_REACH
        tenths = FULL * points / position[R_POINTS]
        payable = affordability(position, seat, kind)
        if tenths * payable <= measures[following]:
            continue  # however near the seat is
        near = min(seat_distance(position, seat, hex_, portals, distances), len(NEAR_CONTROL) - 1)
        if is_blocked(position, tile, seat):
            payable = min(payable, BLOCKED)
        worth = tenths * NEAR_CONTROL[near] * payable
        best = seat * FEATURE_COUNT + REACH
        measures[following] = max(measures[following], min(measures[best], worth))
        measures[best] = max(measures[best], worth)


def affordability(position: Position, seat: int, kind: Kind) -> float:
    """Return 1 if a seat can pay for Control of a Realm, and less the more Etherium is missing."""
    white = max(0, fact(position, kind, CONTROL_WHITE) - int(position[WHITE + seat]))
    black = max(0, fact(position, kind, CONTROL_BLACK) - int(position[BLACK + seat]))
    return 1.0 / (1.0 + MISSING * (white + BLACK_PER_WHITE * black))


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


def is_blocked(position: Position, tile: TileNumber, seat: int) -> bool:
    """Whether another player's Mage is in a Realm (C2)."""
    return any(other != seat and has_mage_in(position, other, tile) for other in range(int(position[SEATS])))


def list_offers(position: Position, offers: Offers) -> bool:
    """List the Victory Realms in the Reserve; return whether there are any."""
    count = 0
    for kind in range(FIRST_VICTORY, KIND_COUNT):
        if position[RESERVE + kind]:
            offers.kinds[count] = kind
            for seat in range(int(position[SEATS])):
                offers.payable[count, seat] = affordability(position, seat, kind)
            count += 1
    offers.kinds[count] = NONE
    return count > 0


def measure_prospects(position: Position, offers: Offers, distances: Distances, measures: Measures) -> None:
    """Write the best points of a Victory Realm of the Reserve that a seat could summon."""
    for tile in range(tile_count(position)):
        if position[TILE_HEX + tile]:
            for side in range(SIDE_COUNT):
                hex_ = int(position[TILE_HEX + tile]) + int(SIDES[side])
                if tile_on(position, hex_) == NONE:
                    types = count_touching_types(position, hex_, tile)
                    if types:
                        measure_hex(position, hex_, types, offers, distances, measures)


def count_touching_types(position: Position, hex_: Hex, tile: TileNumber) -> int:
    """Return how many Realms of each type touch a hex: four bits per type.

    Return 0 if there are fewer than two, or if `tile` is not the one with the lowest number.
    """
    types = 0
    touching = 0
    for side in range(SIDE_COUNT):
        other = tile_on(position, hex_ + int(SIDES[side]))
        if other != NONE:
            if other < tile:
                return 0
            types += 1 << TYPE_BITS * type_of(position, other)
            touching += 1
    return types if touching > 1 else 0


def measure_hex(
    position: Position, hex_: Hex, types: int, offers: Offers, distances: Distances, measures: Measures
) -> None:  # fmt: skip
    """Compare the best Victory Realm for an empty hex with what the seats have in prospect."""
    highest = 0.0
    best = NONE
    index = 0
    while offers.kinds[index] != NONE:
        points = points_by_types(position, int(offers.kinds[index]), types)
        if points > highest:
            highest = points
            best = index
        index += 1
    if best == NONE:
        return
    tenths = FULL * highest / position[R_POINTS]
    portals = NONE
    for seat in range(int(position[SEATS])):
        entry = seat * FEATURE_COUNT + PROSPECT
        if tenths * offers.payable[best, seat] <= measures[entry]:
            continue  # however near the seat is
        if portals == NONE:
            portals = distance_to_portals(position, hex_)
        near = min(seat_distance(position, seat, hex_, portals, distances), len(NEAR_CONTROL) - 1)
        measures[entry] = max(measures[entry], tenths * NEAR_CONTROL[near] * offers.payable[best, seat])


def points_by_types(position: Position, kind: Kind, types: int) -> float:
    """Return about how many points a Victory Realm would be worth on a hex with these types around it."""
    verb = VERB_OF[kind]
    first = types >> TYPE_BITS * fact(position, kind, OF) & FACT_MASK
    number = 0.0
    if verb == SCORE_ADJACENT:
        number = first
    elif verb == SCORE_PAIRS:
        number = min(first, types >> TYPE_BITS * fact(position, kind, SECOND_COLOUR) & FACT_MASK)
    elif verb == SCORE_CONNECTED:
        number = CONNECTED_WORTH * first
    elif verb == SCORE_TYPES:
        for each in range(TYPES):
            if types >> TYPE_BITS * each & FACT_MASK:
                number += 1.0
    return number * fact(position, kind, VALUE)


def measure_income(position: Position, tile: TileNumber, distances: Distances, measures: Measures) -> None:
    """Add what entering a Realm would give to each seat."""
    hex_ = int(position[TILE_HEX + tile])
    kind = int(position[TILE_KIND + tile])
    verb = VERB_OF[kind]
    portals = distance_to_portals(position, hex_)
    gain = 0.0
    if verb == GAIN:
        gain = fact(position, kind, GIVES_WHITE) + BLACK_PER_WHITE * fact(position, kind, GIVES_BLACK)
        if fact(position, kind, PER):
            gain *= count_colour(position, tile, fact(position, kind, PER))
    for seat in range(int(position[SEATS])):
        if verb == CONVERT:
            gain = TRANSMUTE_GAIN if position[WHITE + seat] > 1 else 0.0
        elif verb == CONJURE:
            gain = CONJURE_GAIN if position[BLACK + seat] >= CONJURE_PRICE else 0.0
        near = min(seat_distance(position, seat, hex_, portals, distances), len(NEAR_GAIN) - 1)
        measures[seat * FEATURE_COUNT + INCOME] += gain * NEAR_GAIN[near]


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
        measure_mage(position, mage, measures)
    if seat == position[ACTIVE_SEAT] and position[PHASE] != IN_MAGE and position[MOVED]:
        measures[first + READY] -= 1.0 - MOVED_READY


def measure_mage(position: Position, mage: MageNumber, measures: Measures) -> None:
    """Count a Mage."""
    if position[MAGE_PLACE + mage] != NONE:
        first = mage // MAX_MAGES * FEATURE_COUNT
        measures[first + MAGES] += 1.0
        if not position[EXHAUSTED + mage]:
            measures[first + READY] += 1.0
