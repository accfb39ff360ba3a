"""Every registered game, and every toy, passes the checks of its tier."""

from __future__ import annotations

import pytest

from realmtable.conformance import Check, checks_for
from realmtable.conformance.checks import PLAY_CHECKS, PlayCheck, check_random_games
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, GuidesPlayers, HasPanels, HasSeatNames
from tests.conformance.random_games import GAMES, TOYS, Step, game_id, play_randomly

SLOW_EXAMPLES = 10
CHECKED = [pytest.param(game, check, id=f"{check}-{game.info.id}") for game in GAMES for check in checks_for(game)]


@pytest.mark.hypothesis
@pytest.mark.parametrize(("game", "check"), CHECKED)
def test_check(game: AnyGame, check: Check) -> None:
    check.run(game)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=game_id)
@pytest.mark.parametrize("check", PLAY_CHECKS, ids=lambda check: check.__name__)
def test_check_in_many_whole_games(game: AnyGame, check: PlayCheck) -> None:
    check_random_games(check, game, SLOW_EXAMPLES)


def test_every_registered_game_is_complete() -> None:
    assert {game.info.tier for game in GAMES if game not in TOYS} == {"complete"}


def test_the_toys_do_what_realm_does_not() -> None:
    assert any(game.info.chance and not game.info.hidden for game in TOYS)
    assert any(game.info.hidden for game in TOYS)
    assert any(len(game.info.seats) > 1 for game in TOYS)
    assert any(1 in game.info.seats and isinstance(game, HasSeatNames) for game in TOYS)
    assert any(isinstance(game, HasPanels) and isinstance(game, GuidesPlayers) for game in TOYS)


def test_a_step_is_a_plain_tuple() -> None:
    """The fields of the helper: state, seat, move, state after."""
    game = TOYS[0]
    match = Match.start(game)
    play = play_randomly(game, match.state, 1, 1)
    assert play.steps == [Step(match.state, 0, "roll", play.last)]
