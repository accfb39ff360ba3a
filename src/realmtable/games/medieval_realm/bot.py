"""What a position of Medieval Realm is judged by, at a glance. The weights were learned from games of bots."""

from __future__ import annotations

from typing import Final

from realmtable.games.medieval_realm.legal import (
    FAR_ROW,
    full_realms,
    guarded_realms,
    legal_steps,
    own_realms,
    reach,
)
from realmtable.games.medieval_realm.playout import winner_of
from realmtable.games.medieval_realm.position import (
    BORDER,
    BORNE_OFF,
    DUKE,
    DUKE_DRAW,
    DUKE_ROW,
    EMPTY,
    GOES_ON,
    KIND,
    MAX_STEPS,
    OFF,
    REASON,
    SEAT,
    SIDE_BIT,
    TURNS,
)
from realmtable.games.medieval_realm.rules import apply_step, state_key
from realmtable.kit.array_state import Position
from realmtable.kit.judging import Feature, Judgement, Measures
from realmtable.kit.kernel import kernel
from realmtable.kit.realm_board import REALM_SIDE, REALMS

FEATURES: Final = (
    Feature("off", "pieces borne off", 0.40),
    Feature("men_rows", "rows that Men have come", 0.09),
    Feature("dukes_rows", "rows that Dukes have come", 0.07),
    Feature("lying", "dislodged pieces", -0.16),
    Feature("buried", "dislodged pieces below others of their side", -0.05),
    Feature("lying_rows", "rows that dislodged Men have come", 0.06),
    Feature("prey", "chances to dislodge a Man", 0.02),
    Feature("prey_now", "chances to dislodge a Man this turn", 0.06),
    Feature("exits", "pieces that can leave the board", 0.03),
    Feature("exits_now", "pieces that can leave the board this turn", 0.05),
    Feature("duke_row", "Duke moves in a row", 0.0),
    Feature("to_move", "the move", 0.05),
)
(
    BORNE, MEN_ROWS, DUKES_ROWS, LYING, BURIED, LYING_ROWS, PREY, PREY_NOW, EXITS, EXITS_NOW, DUKES_IN_A_ROW, TO_MOVE,
) = range(len(FEATURES))  # fmt: skip


@kernel
def is_over(position: Position) -> bool:
    """Whether the game has ended."""
    return bool(position[REASON] != GOES_ON)


@kernel
def is_sure(position: Position) -> bool:
    """Whether it ended by what the position holds, Duke moves in a row among it, not by what came before."""
    return bool(position[REASON] == BORNE_OFF or position[REASON] == DUKE_DRAW)


@kernel
def measure(position: Position, measures: Measures) -> None:
    """Write White's amount minus Black's of every feature of a position that is not over."""
    measures[:] = 0.0
    full = full_realms(position)
    measure_seat(position, 0, full, measures)
    measure_seat(position, 1, full, measures)
    measures[TO_MOVE] = 1.0 - 2.0 * position[SEAT]


@kernel
def measure_seat(position: Position, seat: int, full: int, measures: Measures) -> None:
    """Add what one seat has: how far its pieces have come, who lies, and what it can do."""
    sign = 1.0 - 2.0 * seat
    now = sign if position[SEAT] == seat else 0.0
    own = own_realms(position, seat)
    closed = guarded_realms(position, seat) | full
    far = FAR_ROW[0] if seat == 0 else FAR_ROW[1]
    prey = 0
    measures[BORNE] += sign * position[OFF + seat]
    measures[DUKES_IN_A_ROW] += sign * position[DUKE_ROW + seat]
    for realm in range(REALMS):
        row = realm // REALM_SIDE if seat == 0 else REALM_SIDE - 1 - realm // REALM_SIDE
        lying = position[BORDER + 2 * realm + seat]
        measures[LYING] += sign * lying
        measures[BURIED] += sign * lying * (lying - 1) / 2
        measures[LYING_ROWS] += sign * lying * row
        if own >> realm & 1:
            is_duke = position[realm] & KIND == DUKE
            visited = reach(realm, seat, is_duke, own, closed)
            prey |= visited & ~own
            measures[DUKES_ROWS if is_duke else MEN_ROWS] += sign * row
            if visited & own & far:
                measures[EXITS] += sign
                measures[EXITS_NOW] += now
    for realm in range(REALMS):
        if prey >> realm & 1 and position[realm] != EMPTY and position[realm] >> SIDE_BIT != seat:
            measures[PREY] += sign
            measures[PREY_NOW] += now


JUDGEMENT: Final = Judgement(
    game_id="medieval_realm",
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
