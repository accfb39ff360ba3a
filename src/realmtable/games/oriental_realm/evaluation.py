"""What a position of Oriental Realm is judged by, at a glance. The weights were found by matches (docs/strength.md)."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.oriental_realm.legal import legal_steps
from realmtable.games.oriental_realm.moves import is_side, neighbour
from realmtable.games.oriental_realm.playout import winner_of
from realmtable.games.oriental_realm.position import (
    EMPEROR,
    KIND,
    MAX_STEPS,
    OVER,
    PHASE,
    REALM,
    REASON,
    SEAT,
    SURROUNDED,
    TURNS,
)
from realmtable.games.oriental_realm.rules import apply_step, state_key
from realmtable.games.oriental_realm.surround_distance import (
    CLOSED,
    FAR,
    MOBILITY,
    MOST,
    NOTES,
    NUMBER,
    PINNED,
    PLACES,
    ROOM,
    SQUADS,
    Men,
    Notes,
    group_of,
    least_shortage,
    shortage,
    squad_now,
    survey,
    take_notes,
)
from realmtable.kit.array_state import Position
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.evaluation import Feature, Judgement, Measures
from realmtable.kit.realm_board import REALMS

FEATURES: Final = (
    Feature("sieges_now", "groups to surround this turn", 2.0),
    Feature("sieges", "threats to surround", 0.25),
    Feature("second_sieges", "further groups threatened at the same time", 0.5),
    Feature("pinned_sieges", "threatened enemy groups that cannot move", 0.3),
    Feature("near_sieges", "enemy groups with one way out", 0.08),
    Feature("near_now", "enemy groups with one way out this turn", 0.05),
    Feature("pins", "pinned enemy Mandarins", 0.08),
    Feature("tight", "the lack of room around enemy groups", 0.05),
    Feature("edges", "sides of enemy groups closed by the edge", 0.03),
    Feature("pairs", "Realms with two free pieces", 0.03),
    Feature("squads", "Realms with three or more free pieces", 0.06),
    Feature("courtiers", "pieces beside the Emperor", 0.01),
    Feature("mobility", "moves", 0.002),
    Feature("to_move", "the move", 0.05),
)
(
    SIEGES_NOW, SIEGES, SECOND_SIEGES, PINNED_SIEGES, NEAR_SIEGES, NEAR_NOW, PINS, TIGHT, EDGES, PAIRS, LARGE_SQUADS,
    COURTIERS, MOVES, TO_MOVE,
) = range(len(FEATURES))  # fmt: skip

AMPLE: Final = 5  # empty neighbours with which a group is not tight
PAIR: Final = 2


@kernel
def is_over(position: Position) -> bool:
    """Whether the game has ended."""
    return bool(position[PHASE] == OVER)


@kernel
def is_sure(position: Position) -> bool:
    """Whether it ended by surrounding, not by what was repeated or the number of turns."""
    return bool(position[REASON] == SURROUNDED)


@kernel
def measure(position: Position, measures: Measures) -> None:
    """Write White's amount minus Black's of every feature of a position that is not over."""
    measures[:] = 0.0
    notes = np.empty(NOTES, dtype=np.int64)
    take_notes(position, notes)
    for seat in range(2):
        sign = 1.0 - 2.0 * seat
        measure_men(position, notes, seat, sign, measures)
        measure_sieges(position, notes, 1 - seat, sign, measures)
    measures[TO_MOVE] = 1.0 - 2.0 * position[SEAT]


@kernel
def measure_men(position: Position, notes: Notes, seat: int, sign: float, measures: Measures) -> None:
    """Add a seat's squads and freedom to move, and the pins of the other's."""
    measures[MOVES] += sign * notes[MOBILITY + seat]
    measures[PINS] += sign * count_bits(notes[PINNED + 1 - seat])
    for realm in range(REALMS):
        size = count_bits(notes[SQUADS + seat * REALMS + realm])
        measures[PAIRS] += sign * (size == PAIR)
        measures[LARGE_SQUADS] += sign * (size > PAIR)
    for man in range(notes[NUMBER + seat]):
        cell = notes[PLACES + seat * MOST + man]
        if position[cell] & KIND == EMPEROR:
            for way in range(4):
                measures[COURTIERS] += sign * is_side(neighbour(position, cell, way), seat)


@kernel
def measure_sieges(position: Position, notes: Notes, seat: int, sign: float, measures: Measures) -> None:
    """Add to the credit of the other seat how the groups of a seat stand."""
    seen = threatened = 0
    now = False
    for man in range(notes[NUMBER + seat]):
        if not seen >> man & 1:
            group = group_of(notes, seat, man)
            seen |= group
            survey(position, notes, seat, group)
            measures[EDGES] += sign * notes[CLOSED]
            measures[TIGHT] += sign * max(0, AMPLE - notes[ROOM]) ** 2 / 4.0
            least = least_shortage(notes, 1 - seat)
            at_once = shortage_now(position, notes, 1 - seat, least)
            threatened += least == 0
            now = now or at_once == 0
            measures[PINNED_SIEGES] += sign * (least == 0 and is_held(notes, seat, group))
            measures[NEAR_SIEGES] += sign * (least == 1)
            measures[NEAR_NOW] += sign * (at_once == 1)
    measures[SIEGES] += sign * (threatened > 0)
    measures[SECOND_SIEGES] += sign * max(0, threatened - 1)
    measures[SIEGES_NOW] += sign * now


@kernel
def shortage_now(position: Position, notes: Notes, seat: int, least: int) -> int:
    """How short of surrounding the group a seat is in this very turn; `least` is its shortage with all its squads."""
    if position[SEAT] != seat:
        return FAR
    return least if position[REALM] < 0 else shortage(notes, squad_now(position, notes, seat))


@kernel
def is_held(notes: Notes, seat: int, group: Men) -> bool:
    """Whether every piece of a group is pinned."""
    return bool(group & ~notes[PINNED + seat] == 0)


JUDGEMENT: Final = Judgement(
    game_id="oriental_realm",
    legal_steps=legal_steps,
    apply_step=apply_step,
    key=state_key,
    is_over=is_over,
    winner_of=winner_of,
    is_sure=is_sure,
    measure=measure,
    features=FEATURES,
    seat_entry=SEAT,
    turns_entry=TURNS,
    room=MAX_STEPS,
)
