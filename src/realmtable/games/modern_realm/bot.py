"""What a position of Modern Realm is worth to a seat, at a glance: enough for a bot that plans one turn.

Plain Python over lists: it is asked thousands of times for a turn, in servers that run the rules interpreted too.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.modern_realm.position import (
    AGENT,
    COUNTER,
    EMPTY,
    HQ,
    KIND,
    OVER,
    PHASE,
    SEAT,
    SIDE_BIT,
)
from realmtable.games.modern_realm.state import State
from realmtable.games.modern_realm.view import outcome
from realmtable.kit.realm_board import CELLS, REALMS, Cell, Realm, center_of, ray, realm_of, spaces_of

WIN: Final = 10_000.0
HEADQUARTERS: Final = 100.0
THREAT: Final = 20.0  # a piece that could found an HQ next turn
IN_TURN: Final = 60.0  # one such piece more where it is that side's turn
FOOTHOLD: Final = 9.0  # an Agent in a target whose Center the enemy holds
STUCK: Final = 25.0  # an immobile Agent: every piece is needed for the eighth HQ
OPEN_DOOR: Final = 3.0  # a target with a vacant Center
MASTER_KEY: Final = 30.0  # a Counter-Agent still in play: no guard stops it, and no enemy enters where it is

_SPACES: Final = tuple(spaces_of(realm) for realm in range(REALMS))
_CENTER: Final = tuple(center_of(realm) for realm in range(REALMS))
_REALM_OF: Final = tuple(realm_of(cell) for cell in range(CELLS))
_RAYS: Final = tuple(tuple(ray(cell, way) for way in range(4)) for cell in range(CELLS))
_ASIDES: Final = ((5, 7), (4, 6), (5, 7), (4, 6))  # what a piece that went a way has turned to: that way + 4
_TARGETS: Final = (frozenset(range(REALMS // 2, REALMS)), frozenset(range(REALMS // 2)))  # B2


def evaluate(state: State, seat: Seat) -> float:
    """How good a state is for a seat: a win or loss if it is over, else HQs and the ways to more of them weighed."""
    position = state.position
    if position[PHASE] == OVER:
        ended = outcome(state)
        assert ended is not None  # noqa: S101 - it is over
        return 0.0 if ended.winner is None else WIN if ended.winner == seat else -WIN
    board = position[:CELLS].tolist()
    count = _counts(board, state.options.hq_counts)
    acting = position.item(SEAT)
    return _strength(board, count, seat, acting) - _strength(board, count, 1 - seat, acting)


def _counts(board: list[int], hq_counts: bool) -> tuple[list[int], list[int]]:
    """How many pieces each seat has in every Realm, Headquarters counted where they count (D11, V2)."""
    counts = [0] * REALMS, [0] * REALMS
    for cell, piece in enumerate(board):
        if piece != EMPTY and (hq_counts or piece & KIND != HQ):
            counts[piece >> SIDE_BIT][_REALM_OF[cell]] += 1
    return counts


class _Front(NamedTuple):
    """How the board looks to a seat that is to move on it."""

    own: set[Realm]  # with an own piece on the Center
    enemy: set[Realm]  # with an enemy one
    held: set[Realm]  # those of the enemy's in which he has more pieces
    closed: Realm  # with the enemy Counter-Agent (D5); -1 none


def _front(board: list[int], counts: tuple[list[int], list[int]], seat: Seat) -> _Front:
    own = {realm for realm in range(REALMS) if board[_CENTER[realm]] and board[_CENTER[realm]] >> SIDE_BIT == seat}
    enemy = {realm for realm in range(REALMS) if board[_CENTER[realm]]} - own
    held = {realm for realm in enemy if counts[seat][realm] < counts[1 - seat][realm]}
    counter = COUNTER + (1 - seat << SIDE_BIT)
    return _Front(own, enemy, held, _REALM_OF[board.index(counter)] if counter in board else -1)


def _strength(board: list[int], counts: tuple[list[int], list[int]], seat: Seat, acting: Seat) -> float:
    """What a seat has, and may soon have, by the weights above."""
    front = _front(board, counts, seat)
    goals = {COUNTER: _TARGETS[seat] - front.own, AGENT: _TARGETS[seat] - front.own - front.held}  # D9
    threats, worth = 0, 0.0
    for realm in range(REALMS):
        men = [cell for cell in _SPACES[realm] if board[cell] and board[cell] >> SIDE_BIT == seat]
        worth += _realm_worth([board[cell] & KIND for cell in men], realm, front, seat)
        for cell in men:
            kind = board[cell] & KIND
            if kind == COUNTER or (kind == AGENT and realm not in front.held):  # D3
                threats += _can_capture(board, cell, front, goals[kind])
    return worth + THREAT * threats + (IN_TURN if threats and acting == seat else 0.0)


def _realm_worth(kinds: list[int], realm: Realm, front: _Front, seat: Seat) -> float:
    """What a Realm and a seat's pieces in it are worth to that seat."""
    agents = kinds.count(AGENT)
    worth = MASTER_KEY * kinds.count(COUNTER) + HEADQUARTERS * kinds.count(HQ)
    worth -= STUCK * agents if realm in front.held else 0.0
    if realm in _TARGETS[seat]:
        worth += FOOTHOLD * agents if realm in front.enemy else 0.0 if realm in front.own else OPEN_DOOR
    return worth


def _can_capture(board: list[int], source: Cell, front: _Front, goals: frozenset[Realm]) -> bool:
    """Whether a piece can move into one of some Realms: the moves of D4 to D8, followed until the first that does.

    Lines and marks are those of `moves.mark_targets`.
    """
    own, enemy, _, closed = front
    home = _REALM_OF[source]
    seen = [0] * CELLS
    lines = [(source, way) for way in range(4)] if goals else []
    while lines:
        start, heading = lines.pop()
        way, realm = heading & 3, _REALM_OF[start]
        for space in _RAYS[start][way]:
            if board[space]:
                break
            here = _REALM_OF[space]
            if here != realm:
                if here in (home, closed) or (realm != home and realm in enemy):
                    break
                realm, heading = here, way
                if realm in goals:
                    return True
            elif realm == home:
                continue
            if seen[space] & (1 << heading | 1 << way):
                break
            seen[space] |= 1 << heading
            if heading < 4 and realm in own:  # noqa: PLR2004 - D7: it has not turned in this Realm
                for aside in _ASIDES[way]:
                    if not seen[space] >> aside & 1:
                        seen[space] |= 1 << aside
                        lines.append((space, aside))
    return False
