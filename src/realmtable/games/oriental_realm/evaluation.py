"""The static evaluation of Oriental Realm. The weights were tuned in matches (docs/study/strength.md)."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.oriental_realm.layout import (
    EMPEROR,
    KIND_MASK,
    REASON,
    SEAT,
    SURROUNDED,
    TURN_REALM,
    WINNER,
)
from realmtable.games.oriental_realm.moves import belongs_to, neighbour_piece
from realmtable.games.oriental_realm.surround_distance import (
    EDGE_SIDES,
    EMPTY_COUNT,
    MOBILITY,
    PIECE_CELLS,
    PIECE_COUNT,
    PIECES_EACH,
    PINNED,
    SQUADS,
    SUMMARY_SIZE,
    UNREACHABLE,
    BoardSummary,
    PieceSet,
    group_of,
    least_shortage,
    shortage,
    squad_this_turn,
    summarise_board,
    survey_group,
)
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.geometry import REALMS
from realmtable.kit.rules import NO_WINNER, Feature, Measures, Position

FEATURES: Final = (
    Feature("sieges_now", "groups to surround this turn", 2.0),
    Feature("sieges", "threats to surround", 0.25),
    Feature("second_sieges", "further groups threatened at the same time", 0.5),
    Feature("pinned_sieges", "threatened enemy groups that cannot move", 0.3),
    Feature("near_sieges", "enemy groups with one way out", 0.08),
    Feature("near_now", "enemy groups with one way out this turn", 0.05),
    Feature("pins", "pinned enemy Mandarins", 0.08),
    Feature("tight", "lack of room around enemy groups", 0.05),
    Feature("edges", "sides of enemy groups closed by the edge", 0.03),
    Feature("pairs", "Realms with two free pieces", 0.03),
    Feature("squads", "Realms with three or more free pieces", 0.06),
    Feature("courtiers", "pieces next to the Emperor", 0.01),
    Feature("mobility", "moves", 0.002),
    Feature("to_move", "the move", 0.05),
)
(
    SIEGES_NOW, SIEGES, SECOND_SIEGES, PINNED_SIEGES, NEAR_SIEGES, NEAR_NOW, PINS, TIGHT, EDGES, PAIRS, LARGE_SQUADS,
    COURTIERS, MOVES, TO_MOVE,
) = range(len(FEATURES))  # fmt: skip

AMPLE_ROOM: Final = 5  # a group with this many empty neighbours is not tight
PAIR: Final = 2


@kernel
def winner_of(position: Position) -> int:
    """Return the seat that has won (O9), or NO_WINNER."""
    return int(position[WINNER]) if position[WINNER] >= 0 else NO_WINNER


@kernel
def is_path_independent(position: Position) -> bool:
    """Whether the game ended by surrounding, not by repetition or the turn limit."""
    return bool(position[REASON] == SURROUNDED)


@kernel
def measure(position: Position, measures: Measures) -> None:
    """Write White's value minus Black's of every feature of an unfinished position to `measures`."""
    measures[:] = 0.0
    notes = np.empty(SUMMARY_SIZE, dtype=np.int64)
    summarise_board(position, notes)
    for seat in range(2):
        sign = 1.0 - 2.0 * seat
        measure_pieces(position, notes, seat, sign, measures)
        measure_sieges(position, notes, 1 - seat, sign, measures)
    measures[TO_MOVE] = 1.0 - 2.0 * position[SEAT]


@kernel
def measure_pieces(position: Position, notes: BoardSummary, seat: int, sign: float, measures: Measures) -> None:
    """Add a seat's squads, its mobility and the enemy pieces it pins."""
    measures[MOVES] += sign * notes[MOBILITY + seat]
    measures[PINS] += sign * count_bits(notes[PINNED + 1 - seat])
    for realm in range(REALMS):
        size = count_bits(notes[SQUADS + seat * REALMS + realm])
        measures[PAIRS] += sign * (size == PAIR)
        measures[LARGE_SQUADS] += sign * (size > PAIR)
    for man in range(notes[PIECE_COUNT + seat]):
        cell = notes[PIECE_CELLS + seat * PIECES_EACH + man]
        if position[cell] & KIND_MASK == EMPEROR:
            for way in range(4):
                measures[COURTIERS] += sign * belongs_to(neighbour_piece(position, cell, way), seat)


@kernel
def measure_sieges(position: Position, notes: BoardSummary, seat: int, sign: float, measures: Measures) -> None:
    """Credit the opponent with the threats to the groups of a seat."""
    seen = threatened = 0
    now = False
    for man in range(notes[PIECE_COUNT + seat]):
        if not seen >> man & 1:
            group = group_of(notes, seat, man)
            seen |= group
            survey_group(position, notes, seat, group)
            measures[EDGES] += sign * notes[EDGE_SIDES]
            measures[TIGHT] += sign * max(0, AMPLE_ROOM - notes[EMPTY_COUNT]) ** 2 / 4.0
            least = least_shortage(notes, 1 - seat)
            at_once = shortage_this_turn(position, notes, 1 - seat, least)
            threatened += least == 0
            now = now or at_once == 0
            measures[PINNED_SIEGES] += sign * (least == 0 and is_group_pinned(notes, seat, group))
            measures[NEAR_SIEGES] += sign * (least == 1)
            measures[NEAR_NOW] += sign * (at_once == 1)
    measures[SIEGES] += sign * (threatened > 0)
    measures[SECOND_SIEGES] += sign * max(0, threatened - 1)
    measures[SIEGES_NOW] += sign * now


@kernel
def shortage_this_turn(position: Position, notes: BoardSummary, seat: int, least: int) -> int:
    """Return how many pieces a seat lacks to surround the group this turn; `least` is its shortage with all squads."""
    if position[SEAT] != seat:
        return UNREACHABLE
    return least if position[TURN_REALM] < 0 else shortage(notes, squad_this_turn(position, notes, seat))


@kernel
def is_group_pinned(notes: BoardSummary, seat: int, group: PieceSet) -> bool:
    """Whether every piece of a group is pinned."""
    return bool(group & ~notes[PINNED + seat] == 0)
