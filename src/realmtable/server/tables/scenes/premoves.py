"""Moves that a waiting player can choose in advance, where nothing is hidden.

They are the legal moves of the current position with the turn passed to that player. The server stores no plan: a
client sends the chosen move when the turn comes, and only then is it checked.
See docs/decisions/0016-premoves.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from realmtable.engine import registry
from realmtable.engine.errors import BadPosition, NotYourTurn
from realmtable.engine.protocol import CHANCE, AnyGame, HasPalette, Seat, State
from realmtable.server.tables.scenes.legal_choices import add_words, labels_of, list_choices
from realmtable.server.tables.table import Table


def can_premove(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether a player with these seats waits for another one in a game that offers moves in advance."""
    if table.status != "running" or len(seats) != 1 or len(table.acting) != 1:
        return False
    if table.acting[0] in {CHANCE, *seats}:
        return False
    return isinstance(table.game, HasPalette) and not table.game.info.hidden


def seat_for_premove(table: Table, seats: Sequence[Seat]) -> Seat:
    """Return the seat that a move can be chosen for in advance."""
    if not can_premove(table, seats):
        raise NotYourTurn("You cannot choose a move in advance now.")
    return seats[0]


def list_premoves(game_id: str, position: str, seat: Seat) -> dict[str, Any]:
    """Return the choices of a waiting seat with their labels; none in a phase without ordinary turns.

    Runs in a worker process.
    """
    game = registry.game(game_id)
    state = _pass_turn(game, position, seat)
    if state is None:
        return {"choices": [], "labels": {}}
    choices = list_choices(game, state, seat, game.view(state, seat))
    add_words(game, state, seat, choices)
    return {"choices": choices, "labels": labels_of(game, choices)}


def _pass_turn(game: AnyGame, position: str, seat: Seat) -> State | None:
    """Return the position with this seat to move; None if that drops the current phase, such as placing pieces."""
    assert isinstance(game, HasPalette)  # noqa: S101 - checked by `can_premove`
    state = game.decode(position)
    acting = game.to_move(state)[0]
    try:
        same, passed = (game.decode(game.with_turn(position, mover)) for mover in (acting, seat))
    except BadPosition:
        return None
    is_ordinary = not set(_legal_texts(game, state, acting)).isdisjoint(_legal_texts(game, same, acting))
    return passed if is_ordinary and seat in game.to_move(passed) else None


def _legal_texts(game: AnyGame, state: State, seat: Seat) -> list[str]:
    if seat not in game.to_move(state):
        return []
    return [game.format_move(state, move) for move in game.legal_moves(state, seat)]
