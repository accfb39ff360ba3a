"""The static evaluation of Realm.

The weights were set by hand and tested in some hundreds of games at 100 nodes per turn. Weights fitted to the winners
of such games played worse, twice (docs/study/strength.md).
"""

from __future__ import annotations

from typing import Final

from realmtable.games.realm.layout import (
    BASE,
    BASES_LEFT,
    CREATE_ENFORCER,
    DEAD_POSITION,
    EMPTY,
    ENFORCER,
    ENFORCERS_LEFT,
    IMMOBILE,
    LAST_BASE,
    MOVED,
    PHASE,
    POWER,
    R_BASES,
    REASON,
    SEAT,
    SEAT_SHIFT,
    TURN,
)
from realmtable.games.realm.moves import can_move_toward, slide_length
from realmtable.games.realm.rules import score_and_tie_break
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import CENTER, IS_CENTER, REALM_OF, STRIDE
from realmtable.kit.realm_board.geometry import CELLS, REALMS, Cell
from realmtable.kit.rules import NO_WINNER, Feature, Measures, Position

FEATURES: Final = (
    Feature("realms", "Realms", 0.20),
    Feature("late_realms", "Realms near the end of the game", 0.35),
    Feature("standing", "the lead if the game ended now", 0.30),
    Feature("mobile", "mobile Enforcers", 0.20),
    Feature("uncreated", "uncreated Enforcers", 0.16),
    Feature("claims", "vacant Realms within reach", 0.05),
    Feature("claims_now", "vacant Realms to claim this turn", 0.06),
    Feature("majorities", "unguarded enemy Realms with a majority of own Powers", 0.03),
    Feature("captures", "threats to capture", 0.08),
    Feature("captures_now", "captures possible this turn", 0.12),
    Feature("guarded", "guarded Realms", 0.03),
    Feature("recruits", "own unguarded Realms that a Power can reach", 0.02),
    Feature("reach", "Realms that the Powers can reach", 0.01),
    Feature("juggernauts", "Juggernauts", 0.08),
    Feature("central", "central Realms", 0.03),
    Feature("to_move", "the move", 0.03),
)
(
    REALMS_HELD, LATE_REALMS, STANDING, MOBILE, UNCREATED, CLAIMS, CLAIMS_NOW, MAJORITIES, CAPTURES, CAPTURES_NOW,
    GUARDED, RECRUITS, REACHED, JUGGERNAUTS, CENTRAL, TO_MOVE,
) = range(len(FEATURES))  # fmt: skip
CENTRAL_REALMS: Final = 1 << 5 | 1 << 6 | 1 << 9 | 1 << 10

Mask = int  # one bit per Realm
Counts = int  # three bits per Realm


@kernel
def winner_of(position: Position) -> int:
    """Return the seat that wins by R13, or NO_WINNER."""
    white, black = score_and_tie_break(position, 0), score_and_tie_break(position, 1)
    if white == black:
        return NO_WINNER
    return 0 if white > black else 1


@kernel
def is_path_independent(position: Position) -> bool:
    """Whether the game ended by a last Base or a dead position, not by repetition or inactivity."""
    return bool(position[REASON] == LAST_BASE or position[REASON] == DEAD_POSITION)


@kernel
def reachable_realms(position: Position, source: Cell) -> Mask:
    """Return the Realms in which a piece can end a move."""
    piece = int(position[source])
    home = 1 << REALM_OF[source]
    mask = 0
    for way in range(4):
        if can_move_toward(piece, way):
            target = source
            for _ in range(slide_length(position, source, way)):
                target += STRIDE[way]
                if not IS_CENTER[target]:
                    mask |= 1 << REALM_OF[target]
    return int(mask & ~home)


@kernel
def next_turn_seat(position: Position) -> int:
    """Return the seat that starts the next turn: the opponent, once the current turn can be ended or soon will be."""
    begun = position[PHASE] > TURN or (position[PHASE] == TURN and position[MOVED] != 0)
    seat = int(position[SEAT])
    return 1 - seat if begun else seat


@kernel
def measure(position: Position, measures: Measures) -> None:
    """Write White's value minus Black's of every feature of an unfinished position to `measures`."""
    measures[:] = 0.0
    mover = next_turn_seat(position)
    powers, mobile, by_power, by_enforcer = survey_seat(position, 0, measures)
    foe_powers, foe_mobile, by_foe_power, by_foe_enforcer = survey_seat(position, 1, measures)
    now = 1.0 - mover
    measure_seat(position, 0, now, powers, foe_powers, mobile, foe_mobile, by_power, by_enforcer, measures)
    now = -1.0 * mover
    measure_seat(position, 1, now, foe_powers, powers, foe_mobile, mobile, by_foe_power, by_foe_enforcer, measures)
    if position[PHASE] == CREATE_ENFORCER:  # count the Enforcer as created
        sign = 1.0 - 2.0 * position[SEAT]
        measures[MOBILE] += sign
        measures[UNCREATED] -= sign
    measures[TO_MOVE] = 1.0 - 2.0 * mover
    left = min(position[BASES_LEFT], position[BASES_LEFT + 1])
    lateness = max(0.0, 1.0 - left / (position[R_BASES] - 3.0)) ** 2
    lead = measures[REALMS_HELD] + 0.1 * (measures[MOBILE] + measures[UNCREATED])
    measures[LATE_REALMS] = measures[REALMS_HELD] * lateness
    measures[STANDING] = lateness * (1.0 if lead > 0.01 else -1.0 if lead < -0.01 else 0.0)  # noqa: PLR2004 - nothing


@kernel
def survey_seat(position: Position, seat: int, measures: Measures) -> tuple[Counts, Mask, Mask, Mask]:
    """Return a seat's Powers per Realm, its Realms with mobile Enforcers, and the Realms that each kind can reach."""
    powers = mobile = by_power = by_enforcer = 0
    side = seat << SEAT_SHIFT
    for cell in range(CELLS):
        kind = position[cell] - side
        if kind == POWER:
            powers += 1 << 3 * REALM_OF[cell]
            by_power |= reachable_realms(position, cell)
        elif ENFORCER <= kind < IMMOBILE:
            mobile |= 1 << REALM_OF[cell]
            by_enforcer |= reachable_realms(position, cell)
            measures[MOBILE] += 1.0 - 2.0 * seat
    return powers, mobile, by_power, by_enforcer


@kernel
def measure_seat(  # noqa: PLR0913, PLR0917 - passing masks is cheaper than recomputing them
    position: Position,
    seat: int,
    now: float,
    powers: Counts,
    foe_powers: Counts,
    mobile: Mask,
    foe_mobile: Mask,
    by_power: Mask,
    by_enforcer: Mask,
    measures: Measures,
) -> None:
    """Add what a seat holds and can reach in each Realm; `now` is its sign if it starts the next turn, else 0."""
    sign = 1.0 - 2.0 * seat
    measures[UNCREATED] += sign * position[ENFORCERS_LEFT + seat]
    measures[REACHED] += sign * count_bits(by_power)
    for realm in range(REALMS):
        center = position[CENTER[realm]]
        own = powers >> 3 * realm & 7
        foes = foe_powers >> 3 * realm & 7
        if own >= 2 and mobile >> realm & 1:  # noqa: PLR2004 - a third Power makes a Juggernaut
            measures[JUGGERNAUTS] += sign
        if center == EMPTY:
            if by_power >> realm & 1 and foes == 0:
                measures[CLAIMS] += sign
                measures[CLAIMS_NOW] += now
        elif center == BASE + (seat << SEAT_SHIFT):
            measures[REALMS_HELD] += sign
            measures[CENTRAL] += sign * (CENTRAL_REALMS >> realm & 1)
            measures[GUARDED] += sign * (mobile >> realm & 1)
            if (by_power & ~(mobile | foe_mobile)) >> realm & 1 and position[ENFORCERS_LEFT + seat] > 0:
                measures[RECRUITS] += sign
        elif own > foes and not foe_mobile >> realm & 1:
            measures[MAJORITIES] += sign
            measures[CAPTURES] += sign * (by_enforcer >> realm & 1)
            measures[CAPTURES_NOW] += now * (by_enforcer >> realm & 1)
