"""Board games list many choices at once as they do one by one, and ask only the acting seat for a step."""

from __future__ import annotations

from typing import Any

import pytest

import realmtable
from realmtable.kit.realm_board.board_game import RealmBoardGame
from tests.conformance.random_games import play_randomly

GAMES: list[RealmBoardGame[Any, Any]] = [
    game for info in realmtable.infos() if isinstance(game := realmtable.game(info.id), RealmBoardGame)
]


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_many_choices_are_listed_as_one_by_one(game: RealmBoardGame[Any, Any]) -> None:
    for step in play_randomly(game, game.initial(), 1, 20).steps:
        moves = game.legal_moves(step.state, step.seat)
        view = game.view(step.state, step.seat)
        assert game.format_legal_moves(step.state, moves) == [game.format_move(step.state, move) for move in moves]
        assert game.list_handles(view, moves) == [game.handles(view, move) for move in moves]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_only_the_acting_seat_is_asked_for_a_step(game: RealmBoardGame[Any, Any]) -> None:
    state = game.initial()
    prompt = game.prompt(game.view(state, 0))
    assert prompt is not None
    assert prompt.text.endswith(".")
    assert game.prompt(game.view(state, 1)) is None
    assert game.prompt(game.view(state, None)) is None
