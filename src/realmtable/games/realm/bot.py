"""What a Realm position is worth to a seat, at a glance: enough for a bot that plans one turn."""

from __future__ import annotations

from realmtable.engine.protocol import Seat
from realmtable.games.realm.position import (
    BASE,
    BASES_LEFT,
    ENFORCER,
    ENFORCERS_LEFT,
    IMMOBILE,
    KIND,
    OVER,
    PHASE,
    POWER,
    SIDE_BIT,
)
from realmtable.games.realm.state import State
from realmtable.games.realm.view import outcome
from realmtable.kit.realm_board import REALMS, spaces_of

WIN = 10_000.0
REALM = 10.0
ENFORCERS = 3.0  # mobile or uncreated: the tie-break, and what defends a Realm
THREAT = 4.0  # an enemy Realm that an Enforcer could take next turn
FORTRESS = 1.0  # an own Realm with a mobile Enforcer in it
CLOSING = 0.5  # each Base created brings the end nearer for who leads
SPACES = tuple(spaces_of(realm) for realm in range(REALMS))


def evaluate(state: State, seat: Seat) -> float:
    """How good a state is for a seat: a win or loss if it is over, else Realms, Enforcers and threats weighed."""
    position = state.position
    if position[PHASE] == OVER:
        ended = outcome(state)
        assert ended is not None  # noqa: S101 - it is over
        return 0.0 if ended.winner is None else WIN if ended.winner == seat else -WIN
    cells = position[:144].tolist()
    lead = _strength(state, cells, seat) - _strength(state, cells, 1 - seat)
    created = state.options.bases - int(position[BASES_LEFT + seat])
    return lead + ((lead > 0) - (lead < 0)) * CLOSING * created


def _strength(state: State, cells: list[int], seat: Seat) -> float:
    worth = ENFORCERS * float(state.position[ENFORCERS_LEFT + seat])
    for spaces in SPACES:
        worth += _in_realm([cells[space] for space in spaces], seat)
    return worth


def _in_realm(pieces: list[int], seat: Seat) -> float:
    powers = [0, 0]
    mobile = [0, 0]
    for piece in pieces:
        kind = piece & KIND
        powers[piece >> SIDE_BIT] += kind == POWER
        mobile[piece >> SIDE_BIT] += ENFORCER <= kind < IMMOBILE
    center = pieces[4]
    worth = ENFORCERS * mobile[seat]
    if center == BASE + (seat << SIDE_BIT):
        worth += REALM + FORTRESS * (mobile[seat] > 0)
    elif center == BASE + (1 - seat << SIDE_BIT) and powers[seat] > powers[1 - seat] and not mobile[1 - seat]:
        worth += THREAT
    return worth
