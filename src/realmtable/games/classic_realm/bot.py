"""What a position of Classic Realm is worth to a seat, at a glance: enough for a bot that plans one turn."""

from __future__ import annotations

from realmtable.engine.protocol import Seat
from realmtable.games.classic_realm.position import FULL, HOLDER, OVER, OWED, PADS, PHASE, SEAT, WATER
from realmtable.games.classic_realm.rules import neighbours
from realmtable.games.classic_realm.state import State
from realmtable.games.classic_realm.view import on_pads, outcome
from realmtable.kit.array_state import Position
from realmtable.kit.realm_board import REALMS

WIN = 10_000.0
FROG = 10.0  # a frog on a pad
RESCUE = 4.0  # a frog in the water under a friend, who can let it climb out
DROWNED = 1.0  # a frog in the water under an enemy
TARGET = 1.0  # an enemy frog within reach
PREY = 5.0  # the first of them for who is to move next
RIGHT = 2.0  # a double move that may be used at once


def evaluate(state: State, seat: Seat) -> float:
    """How good a state is for a seat: a win or loss if it is over, else frogs, rescues and threats weighed."""
    position = state.position
    if position[PHASE] == OVER:
        ended = outcome(state)
        assert ended is not None  # noqa: S101 - it is over
        return 0.0 if ended.winner is None else WIN if ended.winner == seat else -WIN
    return _strength(position, seat) - _strength(position, 1 - seat)


def _strength(position: Position, seat: Seat) -> float:
    prey = (reached(position, seat) & position.item(PADS + 1 - seat)).bit_count()
    worth = FROG * on_pads(position, seat) + TARGET * prey
    worth += PREY * (prey > 0 and position.item(SEAT) == seat)
    worth += RIGHT * (position.item(HOLDER) == seat and position.item(OWED) == 0)
    for realm in range(REALMS):
        swimmers = position.item(WATER + seat * REALMS + realm)
        worth += RESCUE * (swimmers > 0 and position.item(PADS + seat) >> realm & 1)
        worth -= DROWNED * swimmers * (position.item(PADS + 1 - seat) >> realm & 1)
    return worth


def reached(position: Position, seat: Seat) -> int:
    """The pads where some move of a seat may end, as bits: those next to any of its frogs."""
    own, full = position.item(PADS + seat), position.item(FULL)
    return int(neighbours(own)) & ~(own | full)
