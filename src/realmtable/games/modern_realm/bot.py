"""What a position of Modern Realm is worth to a seat, at a glance: enough for a bot that plans one turn."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.modern_realm.moves import agents_are_mobile, is_of, pieces_in
from realmtable.games.modern_realm.position import AGENT, COUNTER, EMPTY, HQ, KIND, OVER, PHASE, SIDE_BIT
from realmtable.games.modern_realm.rules import is_target
from realmtable.games.modern_realm.state import State
from realmtable.games.modern_realm.view import outcome
from realmtable.kit.realm_board import REALMS, Realm, center_of, spaces_of

WIN: Final = 10_000.0
HEADQUARTERS: Final = 100.0
OPEN_DOOR: Final = 14.0  # a target with a vacant Center, which any piece may take
FOOTHOLD: Final = 9.0  # an Agent in a target that is not yet taken
BREACH: Final = 8.0  # one more Agent would take it
STUCK: Final = 25.0  # an immobile Agent: every piece is needed for the eighth HQ
MASTER_KEY: Final = 12.0  # a Counter-Agent still in play: no guard stops it, and no enemy enters where it is


def evaluate(state: State, seat: Seat) -> float:
    """How good a state is for a seat: a win or loss if it is over, else HQs and the ways to more of them weighed."""
    if state.position[PHASE] == OVER:
        ended = outcome(state)
        assert ended is not None  # noqa: S101 - it is over
        return 0.0 if ended.winner is None else WIN if ended.winner == seat else -WIN
    return sum(_in_realm(state, realm, seat) - _in_realm(state, realm, 1 - seat) for realm in range(REALMS))


def _in_realm(state: State, realm: Realm, seat: Seat) -> float:
    """What a Realm and a seat's pieces in it are worth to that seat."""
    position = state.position
    side = seat << SIDE_BIT
    center = int(position[center_of(realm)])
    if center == HQ + side:
        worth = HEADQUARTERS
    elif center == EMPTY and is_target(realm, seat):
        worth = OPEN_DOOR
    else:
        worth = 0.0
    kinds = [int(position[cell]) & KIND for cell in spaces_of(realm) if is_of(position[cell], seat)]
    agents = kinds.count(AGENT)
    worth += MASTER_KEY * kinds.count(COUNTER)
    if agents and not agents_are_mobile(position, realm, seat):
        worth -= STUCK * agents
    if agents and is_target(realm, seat) and is_of(center, 1 - seat):
        lacking = pieces_in(position, realm, 1 - seat) - pieces_in(position, realm, seat)
        worth += FOOTHOLD * agents + BREACH * (lacking <= 0)
    return worth
