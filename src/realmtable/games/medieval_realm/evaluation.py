"""The static evaluation of Medieval Realm. The weights were learned from games between bots."""

from __future__ import annotations

from typing import Final

from realmtable.games.medieval_realm.layout import (
    BORDER_COUNTS,
    BORNE_OFF,
    DUKE,
    DUKE_DRAW,
    EMPTY,
    KIND_MASK,
    OFF_COUNT,
    REASON,
    SEAT,
    SEAT_SHIFT,
)
from realmtable.games.medieval_realm.rules import (
    ALL_REALMS,
    FAR_ROW,
    center_realms,
    enemy_duke_realms,
    full_realms,
    reachable_realms,
)
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.geometry import REALM_SIDE, REALMS, Realm
from realmtable.kit.rules import NO_WINNER, Feature, Measures, Position

FEATURES: Final = (
    Feature("off", "pieces borne off", 0.29),
    Feature("men_1", "Realms of the second row held by a Man", 0.04),
    Feature("men_2", "Realms of the third row held by a Man", 0.20),
    Feature("men_3", "Realms of the far row held by a Man", 0.25),
    Feature("dukes_rows", "rows that Dukes have advanced", 0.10),
    Feature("lying", "dislodged pieces", -0.48),
    Feature("buried", "dislodged pieces below others of their side", -0.16),
    Feature("lying_rows", "rows that dislodged Men had advanced", 0.12),
    Feature("men_above", "enemies below a Man", -0.11),
    Feature("dukes_above", "enemies below a Duke", -0.10),
    Feature("stuck", "pieces that cannot advance", -0.10),
    Feature("exits", "pieces that can leave the board", 0.02),
    Feature("prey_now", "chances to dislodge a Man this turn", 0.08),
    Feature("to_move", "the move", 0.04),
)
(
    BORNE, MEN_1, MEN_2, MEN_3, DUKES_ROWS, LYING, BURIED, LYING_ROWS, MEN_ABOVE, DUKES_ABOVE, STUCK, EXITS, PREY_NOW,
    TO_MOVE,
) = range(len(FEATURES))  # fmt: skip
# With the weights above, nearly every game is a draw, even between weak and strong bots (docs/study/strength.md).
# With these they race, and the stronger bot wins.
BOLD_WEIGHTS: Final = {
    "off": 0.40,
    "men_1": 0.09,
    "men_2": 0.18,
    "men_3": 0.27,
    "dukes_rows": 0.07,
    "lying": -0.16,
    "buried": -0.05,
    "lying_rows": 0.06,
    "exits": 0.05,
    "prey_now": 0.07,
    "to_move": 0.05,
}
LAST_ROW: Final = REALM_SIDE - 1  # the far row, counted from the seat's own edge

Mask = int  # one bit per Realm


@kernel
def winner_of(position: Position) -> int:
    """Return the seat that has borne off all its pieces (M9), or NO_WINNER."""
    return int(position[SEAT]) if position[REASON] == BORNE_OFF else NO_WINNER


@kernel
def is_path_independent(position: Position) -> bool:
    """Whether the game ended by what the position holds (which counts Duke moves), not by earlier positions."""
    return bool(position[REASON] == BORNE_OFF or position[REASON] == DUKE_DRAW)


@kernel
def measure(position: Position, measures: Measures) -> None:
    """Write White's value minus Black's of every feature of an unfinished position to `measures`."""
    measures[:] = 0.0
    full = full_realms(position)
    for seat in range(2):
        measure_seat(position, seat, full, measures)
    measures[TO_MOVE] = 1.0 - 2.0 * position[SEAT]


@kernel
def measure_seat(position: Position, seat: int, full: Mask, measures: Measures) -> None:
    """Add the features of a seat."""
    sign = 1.0 - 2.0 * seat
    own = center_realms(position, seat)
    closed = enemy_duke_realms(position, seat) | full
    reached = 0
    measures[BORNE] += sign * position[OFF_COUNT + seat]
    for realm in range(REALMS):
        row = realm // REALM_SIDE if seat == 0 else LAST_ROW - realm // REALM_SIDE
        lying = position[BORDER_COUNTS + 2 * realm + seat]
        if lying > 0:
            measures[LYING] += sign * lying
            measures[BURIED] += sign * lying * (lying - 1) / 2
            measures[LYING_ROWS] += sign * lying * row
        if own >> realm & 1:
            is_duke = bool(position[realm] & KIND_MASK == DUKE)
            visited = reachable_realms(realm, seat, is_duke, own, closed)
            reached |= visited & ~own
            measure_piece(position, realm, seat, row, measures)
            measure_progress(visited, own, seat, row, measures)
    if position[SEAT] == seat:
        measures[PREY_NOW] += sign * count_prey(position, reached, seat)


@kernel
def measure_piece(position: Position, realm: Realm, seat: int, row: int, measures: Measures) -> None:
    """Add how far a piece on a Center has advanced, and which enemies rise when it leaves (M6)."""
    sign = 1.0 - 2.0 * seat
    below = position[BORDER_COUNTS + 2 * realm + 1 - seat]
    if position[realm] & KIND_MASK == DUKE:
        measures[DUKES_ROWS] += sign * row
        measures[DUKES_ABOVE] += sign * below
    else:
        measures[MEN_ABOVE] += sign * below
        if row > 0:
            measures[MEN_1 + row - 1] += sign


@kernel
def measure_progress(visited: Mask, own: Mask, seat: int, row: int, measures: Measures) -> None:
    """Add whether a piece that reaches the Realms `visited` can leave the board or advance."""
    sign = 1.0 - 2.0 * seat
    ahead = ALL_REALMS << REALM_SIDE * (row + 1) if seat == 0 else ALL_REALMS >> REALM_SIDE * (row + 1)
    if visited & own & (FAR_ROW[0] if seat == 0 else FAR_ROW[1]):
        measures[EXITS] += sign
    elif visited & ~own & ahead == 0:
        measures[STUCK] += sign


@kernel
def count_prey(position: Position, reached: Mask, seat: int) -> int:
    """Count the enemy Men in the Realms `reached`, none of which a Duke guards."""
    prey = 0
    for realm in range(REALMS):
        if reached >> realm & 1 and position[realm] != EMPTY and position[realm] >> SEAT_SHIFT != seat:
            prey += 1
    return prey
