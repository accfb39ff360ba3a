"""What a position of Modern Realm is worth to a seat, at a glance: enough for a bot that plans one turn."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.engine.protocol import Seat
from realmtable.games.modern_realm.moves import agents_are_mobile, is_of, mark_targets, pieces_in, survey
from realmtable.games.modern_realm.position import (
    AGENT,
    COUNTER,
    EMPTY,
    HQ,
    LINES,
    MAX_STEPS,
    OVER,
    PHASE,
    SEAT,
    SEEN,
    SIDE_BIT,
)
from realmtable.games.modern_realm.rules import is_target
from realmtable.games.modern_realm.state import State
from realmtable.games.modern_realm.view import outcome
from realmtable.kit.array_state import Position, Steps
from realmtable.kit.kernel import kernel
from realmtable.kit.realm_board import CELLS, REALMS, Cell, Realm
from realmtable.kit.realm_tables import CENTER, REALM_OF, SPACES

WIN: Final = 10_000.0
HEADQUARTERS: Final = 100.0
THREAT: Final = 20.0  # a piece that could found an HQ next turn
IN_TURN: Final = 60.0  # one such piece more where it is that side's turn
FOOTHOLD: Final = 9.0  # an Agent in a target whose Center the enemy holds
STUCK: Final = 25.0  # an immobile Agent: every piece is needed for the eighth HQ
OPEN_DOOR: Final = 3.0  # a target with a vacant Center
MASTER_KEY: Final = 30.0  # a Counter-Agent still in play: no guard stops it, and no enemy enters where it is


def evaluate(state: State, seat: Seat) -> float:
    """How good a state is for a seat: a win or loss if it is over, else HQs and the ways to more of them weighed."""
    position = state.position
    if position[PHASE] == OVER:
        ended = outcome(state)
        assert ended is not None  # noqa: S101 - it is over
        return 0.0 if ended.winner is None else WIN if ended.winner == seat else -WIN
    return float(strength(position, seat) - strength(position, 1 - seat))


@kernel
def strength(position: Position, seat: int) -> float:
    """What a seat has, and may soon have, by the weights above."""
    out = np.empty(MAX_STEPS, dtype=np.int64)
    survey(position, seat, out)
    threats = 0
    worth = 0.0
    for realm in range(REALMS):
        worth += realm_worth(position, realm, seat)
        agents = agents_are_mobile(position, realm, seat)
        for place in range(9):
            cell = SPACES[realm, place]
            piece = position[cell] - (seat << SIDE_BIT)
            if piece == COUNTER or (piece == AGENT and agents):
                threats += 1 if can_capture(position, cell, out) else 0
    if threats > 0 and position[SEAT] == seat:
        worth += IN_TURN
    return worth + THREAT * threats


@kernel
def realm_worth(position: Position, realm: Realm, seat: int) -> float:
    """What a Realm and a seat's pieces in it are worth to that seat."""
    center = position[CENTER[realm]]
    target = is_target(realm, seat)
    worth = 0.0
    if center == HQ + (seat << SIDE_BIT):
        worth += HEADQUARTERS
    elif center == EMPTY and target:
        worth += OPEN_DOOR
    agents = 0
    for place in range(9):
        piece = position[SPACES[realm, place]] - (seat << SIDE_BIT)
        agents += 1 if piece == AGENT else 0
        worth += MASTER_KEY if piece == COUNTER else 0.0
    if not agents_are_mobile(position, realm, seat):
        worth -= STUCK * agents
    if target and is_of(center, 1 - seat):
        worth += FOOTHOLD * agents
    return worth


@kernel
def can_capture(position: Position, source: Cell, out: Steps) -> bool:
    """After `survey`: whether a move of this piece would found an HQ (D9)."""
    seat = position[source] >> SIDE_BIT
    out[SEEN:LINES] = 0
    mark_targets(position, source, out)
    for cell in range(CELLS):
        realm = REALM_OF[cell]
        if not out[SEEN + cell] or not is_target(realm, seat):
            continue
        center = position[CENTER[realm]]
        if is_of(center, seat):
            continue
        counter = position[source] == COUNTER + (seat << SIDE_BIT)
        if center == EMPTY or counter or pieces_in(position, realm, seat) >= pieces_in(position, realm, 1 - seat):
            return True
    return False
