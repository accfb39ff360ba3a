"""The static evaluation of Modern Realm. The weights were learned from games between bots (docs/study/strength.md)."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.modern_realm.layout import (
    EIGHT_HQS,
    EMPTY,
    ORIGIN,
    PASSED,
    PHASE,
    REASON,
    SEAT,
    UNMOVED_PLACES,
)
from realmtable.games.modern_realm.reachability import (
    AGENTS,
    CENTER_PLACE,
    CENTER_REALMS,
    COUNTER_PLACE,
    COUNTER_REALM,
    PIECE_COUNTS,
    SUMMARY_SIZE,
    BoardSummary,
    Mask,
    Places,
    reachable_goals,
    summarise_board,
)
from realmtable.games.modern_realm.rules import HALF, count_headquarters
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.geometry import CELLS, REALMS, Realm
from realmtable.kit.rules import NO_WINNER, Feature, Measures, Position
from realmtable.kit.zobrist import random_keys

FEATURES: Final = (
    Feature("headquarters", "HQs", 0.58),
    Feature("last", "the last steps to eight HQs", 0.064),
    Feature("under_way", "pieces on their way", 0.22),
    Feature("sprint", "few Realms left to leave", 2.36),
    Feature("counters", "Counter-Agents still in play", -0.44),
    Feature("shields", "Realms closed by the Counter-Agent", 0.37),
    Feature("in_reach", "targets in reach", 0.032),
    Feature("threats", "threats to capture", 0.098),
    Feature("captures_now", "captures possible this turn", 0.16),
    Feature("to_move", "the move", 0.07),
)
(
    HEADQUARTERS, LAST, UNDER_WAY, SPRINT, COUNTERS, SHIELDS, IN_REACH, THREATS, CAPTURES_NOW, TO_MOVE,
) = range(len(FEATURES))  # fmt: skip

HALVES: Final = 0x00FF, 0xFF00  # the Realms where each seat starts
LATE_HQS: Final = 4  # beyond this number, each further HQ counts more
PAIR: Final = 2  # the Agents needed where one is too few to capture

CELL_KEYS: Final = random_keys("modern_realm cells", CELLS, 8)
ENTRY_KEYS: Final = random_keys("modern_realm entries", PASSED + 1 - PHASE, 1 << 9 | 1)  # indexed by value + 1


@kernel
def winner_of(position: Position) -> int:
    """Return the seat that has won (D13), or NO_WINNER."""
    return int(position[SEAT]) if position[REASON] == EIGHT_HQS else NO_WINNER


@kernel
def is_path_independent(position: Position) -> bool:
    """Whether the game ended by the eighth HQ, not by passes or the turn limit."""
    return bool(position[REASON] == EIGHT_HQS)


@kernel
def state_key(position: Position) -> int:
    """Return a key of the state without its turn counter: equal for turns with the same result (S5)."""
    key = 0
    for cell in range(CELLS):
        if position[cell] != EMPTY:
            key ^= int(CELL_KEYS[cell, position[cell]])
    for entry in range(PHASE, PASSED + 1):
        key ^= int(ENTRY_KEYS[entry - PHASE, position[entry] + 1])
    return key


@kernel
def measure(position: Position, measures: Measures) -> None:
    """Write White's value minus Black's of every feature of an unfinished position to `measures`."""
    measures[:] = 0.0
    notes = np.empty(SUMMARY_SIZE, dtype=np.int64)
    summarise_board(position, notes)
    for seat in range(2):
        sign = 1.0 - 2.0 * seat
        measure_headquarters(position, seat, sign, measures)
        measure_pieces(position, notes, seat, sign, measures)
        measure_counter_agent(notes, seat, sign, measures)
    measures[TO_MOVE] = 1.0 - 2.0 * position[SEAT]


@kernel
def measure_headquarters(position: Position, seat: int, sign: float, measures: Measures) -> None:
    """Add the HQs of a seat."""
    founded = count_headquarters(position, seat)
    measures[HEADQUARTERS] += sign * founded
    measures[LAST] += sign * max(0, founded - LATE_HQS) ** 2


@kernel
def measure_counter_agent(notes: BoardSummary, seat: int, sign: float, measures: Measures) -> None:
    """Add a seat's Counter-Agent: worth little unless it keeps the enemy away from a target (D5)."""
    realm = notes[COUNTER_REALM + seat]
    if realm >= 0:
        measures[COUNTERS] += sign
        if HALVES[seat] >> realm & 1 and not notes[CENTER_REALMS + 1 - seat] >> realm & 1:
            measures[SHIELDS] += sign


@kernel
def measure_pieces(position: Position, notes: BoardSummary, seat: int, sign: float, measures: Measures) -> None:
    """Add what a seat's pieces can do in each Realm: a turn moves the pieces of one Realm."""
    single, double, either = capture_targets(notes, seat)
    camps = reached = most = 0
    for realm in range(REALMS):
        agents, counter = piece_places(notes, seat, realm)
        if agents | counter:
            camps += 1
            measures[UNDER_WAY] += sign * count_under_way(agents | counter, HALVES[seat] >> realm & 1)
            agents, counter = movable_pieces(position, notes, seat, realm, agents, counter)
            wanted = single | double if count_bits(agents) >= PAIR else single
            found = reachable_goals(notes, seat, realm, agents, wanted)
            forced = reachable_goals(notes, seat, realm, counter, either)
            takes = count_captures(agents, found, single) + (forced != 0)
            reached |= found | forced
            measures[THREATS] += sign * takes
            if position[SEAT] == seat and position[ORIGIN] in (-1, realm):
                most = max(most, takes)
    measures[SPRINT] += sign / (1.0 + camps)
    measures[IN_REACH] += sign * count_bits(reached)
    measures[CAPTURES_NOW] += sign * most


@kernel
def capture_targets(notes: BoardSummary, seat: int) -> tuple[Mask, Mask, Mask]:
    """Return the targets that one Agent, two Agents or the Counter-Agent of a seat can capture by arrival (D9)."""
    single = double = either = 0
    for realm in range(HALF - HALF * seat, REALMS - HALF * seat):
        bit = 1 << realm
        if not notes[CENTER_REALMS + seat] & bit and notes[COUNTER_REALM + 1 - seat] != realm:
            either |= bit
            lead = notes[PIECE_COUNTS + seat * REALMS + realm] - notes[PIECE_COUNTS + (1 - seat) * REALMS + realm]
            if lead >= 0 or not notes[CENTER_REALMS + 1 - seat] & bit:
                single |= bit
            elif lead == -1:
                double |= bit
    return single, double, either


@kernel
def piece_places(notes: BoardSummary, seat: int, realm: Realm) -> tuple[Places, Places]:
    """Return the places of a seat's Agents and its Counter-Agent in a Realm."""
    counter = notes[COUNTER_PLACE + seat] if notes[COUNTER_REALM + seat] == realm else 0
    return notes[AGENTS + seat * REALMS + realm], counter


@kernel
def count_under_way(men: Places, at_home: int) -> int:
    """Count the pieces in a Realm that are not on a Center of their own half."""
    return count_bits(men & ~(1 << CENTER_PLACE) if at_home else men)


@kernel
def movable_pieces(
    position: Position, notes: BoardSummary, seat: int, realm: Realm, agents: Places, counter: Places
) -> tuple[Places, Places]:
    """Return a seat's mobile pieces in a Realm (D3), or those still to move if this turn moves from it (D2)."""
    if position[SEAT] == seat and position[ORIGIN] == realm:
        return agents & position[UNMOVED_PLACES], counter & position[UNMOVED_PLACES]
    outnumbered = notes[PIECE_COUNTS + seat * REALMS + realm] < notes[PIECE_COUNTS + (1 - seat) * REALMS + realm]
    stuck = outnumbered and notes[CENTER_REALMS + 1 - seat] >> realm & 1
    return 0 if stuck else agents, counter


@kernel
def count_captures(agents: Places, found: Mask, single: Mask) -> int:
    """Estimate the number of captures that the Agents of a Realm can make in a turn."""
    alone = count_bits(found & single)
    return min(count_bits(agents), alone) if alone else int(found != 0)
