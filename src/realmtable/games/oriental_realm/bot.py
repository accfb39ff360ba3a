"""What a position is worth to a seat, at a glance: enough for a bot that plans one turn."""

from __future__ import annotations

from realmtable.engine.protocol import Seat
from realmtable.games.oriental_realm.groups import groups_of, men_of, room_of
from realmtable.games.oriental_realm.moves import is_pinned, slide_length
from realmtable.games.oriental_realm.position import OVER, PHASE, WINNER
from realmtable.games.oriental_realm.state import State
from realmtable.kit.array_state import Position
from realmtable.kit.realm_board import NORTH, REALMS, SIDE, SOUTH, Cell, direction_between, realm_of

WIN = 10_000.0
DANGER = 1_000.0  # a group that the opponent, to move next, can surround with pieces of one Realm at once
THREAT = 40.0  # the same the other way round: he will see it
TIGHT = (0.0, 24.0, 10.0, 4.0, 1.0)  # for a group with so many empty neighbours
PINNED = 3.0
DISTANCE = 0.25  # of each piece to the nearest enemy, in spaces


def evaluate(state: State, seat: Seat) -> float:
    """How good a state is for a seat: a win or loss if it is over, else sieges, tight groups, pins and nearness."""
    position = state.position
    if position[PHASE] == OVER:
        winner = int(position[WINNER])
        return 0.0 if winner < 0 else WIN if winner == seat else -WIN
    return _trouble(position, 1 - seat, seat) - _trouble(position, seat, seat) - DISTANCE * _distance(position, seat)


def _trouble(position: Position, seat: Seat, judge: Seat) -> float:
    """How badly the groups of a seat stand, as the judge sees it, whose own turn is about to be complete."""
    worth = PINNED * sum(bool(is_pinned(position, cell)) for cell in men_of(position, seat))
    enemies = men_of(position, 1 - seat)
    free = [cell for cell in enemies if not is_pinned(position, cell)]
    realms = [[cell for cell in free if realm_of(cell) == realm] for realm in range(REALMS)]
    for group in groups_of(position, seat):
        room = room_of(position, group)
        worth += TIGHT[len(room)] if len(room) < len(TIGHT) else 0.0
        if any(len(room) <= len(men) and _fills(position, men, room) for men in realms):
            worth += DANGER if seat == judge else THREAT
    return worth


def _fills(position: Position, men: list[Cell], room: list[Cell]) -> bool:
    """Whether every one of these spaces is in reach of one of the pieces; that they may be the same is let pass."""
    return all(any(_reaches(position, source, target) for source in men) for target in room)


def _reaches(position: Position, source: Cell, target: Cell) -> bool:
    way = direction_between(source, target)
    if way is None:
        return False
    length = abs(source - target) // (SIDE if way in (NORTH, SOUTH) else 1)
    return bool(length <= slide_length(position, source, way))


def _distance(position: Position, seat: Seat) -> int:
    enemies = men_of(position, 1 - seat)
    return sum(
        min((abs(cell % SIDE - enemy % SIDE) + abs(cell // SIDE - enemy // SIDE) for enemy in enemies), default=0)
        for cell in men_of(position, seat)
    )
