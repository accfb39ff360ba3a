"""What a waiting player can plan: the steps of their next turn and, while pieces are placed, their next placements.

The steps are chosen from positions that may arise: the current one with the turn passed or, where a turn cannot be
passed, those after the other seat's possible steps. Decision 16 explains this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.errors import BadPosition, NotYourTurn, RealmtableError
from realmtable.engine.protocol import CHANCE, AnyGame, HasPalette, HasSetup, Seat, State
from realmtable.server.tables.scenes.legal_choices import Choice, add_words, labels_of, list_choices
from realmtable.server.tables.table import Table

MAX_STEPS: Final = 40  # of a plan
MAX_POSITIONS: Final = 8  # that are looked at: a placement is on offer if it is possible after one of so many replies
MAX_STEPS_OF_OTHERS: Final = 4  # that are played until the turn can be passed


def can_premove(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether a player with these seats waits for another one in a game that offers moves in advance."""
    if table.status != "running" or len(seats) != 1 or len(table.acting) != 1:
        return False
    if table.acting[0] in {CHANCE, *seats}:
        return False
    return isinstance(table.game, HasPalette) and not table.game.info.hidden


def seat_for_premove(table: Table, seats: Sequence[Seat]) -> Seat:
    """Return the seat that moves can be planned for."""
    if not can_premove(table, seats):
        raise NotYourTurn("You cannot plan your moves now.")
    return seats[0]


def list_premoves(game_id: str, position: str, seat: Seat, planned: Sequence[str] = ()) -> dict[str, Any]:
    """Return what a waiting seat can choose after the planned steps, with labels; nothing once its plan is complete.

    `turn` says after how many of its turns it makes the choice: 0 in its next one. Raises the refusal of the first
    planned step that cannot be taken. Runs in a worker process.
    """
    game = registry.game(game_id)
    states: Sequence[State] = _wait_for_turn(game, game.decode(position), seat)
    turn = 0
    for text in planned:
        played = _spread(_play(game, states, seat, text))
        states = _let_others_play(game, played, seat)
        turn += not any(seat in game.to_move(state) for state in played)
    choices: dict[tuple[str, ...], Choice] = {}
    for state in _spread(states):
        found = list_choices(game, state, seat, game.view(state, seat))
        add_words(game, state, seat, found)
        choices = {tuple(choice["path"]): choice for choice in found} | choices
    offered = list(choices.values())
    return {"choices": offered, "labels": labels_of(game, offered), "turn": turn}


def _play(game: AnyGame, states: Iterable[State], seat: Seat, text: str) -> list[State]:
    """Return the positions after a planned step, from those in which it can be taken."""
    after: list[State] = []
    refusal: RealmtableError = NotYourTurn("Your turn ends before this step.")
    for state in states:
        try:
            after.append(game.play(state, seat, game.parse_move(state, text)))
        except RealmtableError as error:
            refusal = error
    if not after:
        raise refusal
    return after


def _let_others_play(game: AnyGame, states: Sequence[State], seat: Seat) -> list[State]:
    """Return the positions in which the seat acts again: in its turn or, while pieces are placed, in its next one."""
    going_on = []
    for state in states:
        if seat in game.to_move(state):
            going_on.append(state)
        elif isinstance(game, HasSetup) and game.is_in_setup(state):
            going_on += _wait_for_turn(game, state, seat)
    return going_on


def _wait_for_turn(game: AnyGame, state: State, seat: Seat) -> list[State]:
    """Return positions with this seat to move: the turn is passed or, while the rules do not allow that, played on."""
    states, limit = [state], MAX_POSITIONS
    for _ in range(MAX_STEPS_OF_OTHERS):
        ready = [passed for state in states if (passed := _pass_turn(game, state, seat)) is not None]
        if ready:
            return ready
        states = [after for state in states for after in _play_on(game, state, limit)]
        if any(seat in game.to_move(state) for state in states):
            return [state for state in states if seat in game.to_move(state)]
        limit = 1  # what another seat chooses next hardly matters
    return []


def _play_on(game: AnyGame, state: State, limit: int) -> list[State]:
    """Return the positions after some of the steps of the seat that is to move."""
    acting = game.to_move(state)
    if not acting or acting[0] == CHANCE:
        return []
    return [game.play(state, acting[0], move) for move in _spread(game.legal_moves(state, acting[0]), limit)]


def _spread(items: Sequence[Any], limit: int = MAX_POSITIONS) -> Sequence[Any]:
    """Return at most so many items from all over a list.

    >>> _spread("abcdefg", 3)
    'adg'
    """
    return items[:: -(-len(items) // limit)] if items else items


def _pass_turn(game: AnyGame, state: State, seat: Seat) -> State | None:
    """Return the position with this seat to move; None if that drops the current phase, such as placing pieces."""
    acting = game.to_move(state)
    if not isinstance(game, HasPalette) or not acting or acting[0] == CHANCE:
        return None
    position = game.encode(state)
    try:
        same, passed = (game.decode(game.with_turn(position, mover)) for mover in (acting[0], seat))
    except BadPosition:
        return None
    is_ordinary = not set(_legal_texts(game, state, acting[0])).isdisjoint(_legal_texts(game, same, acting[0]))
    return passed if is_ordinary and seat in game.to_move(passed) else None


def _legal_texts(game: AnyGame, state: State, seat: Seat) -> list[str]:
    if seat not in game.to_move(state):
        return []
    return [game.format_move(state, move) for move in game.legal_moves(state, seat)]
