"""A bot in a match or an experiment is given what its seat may know, never the true state."""

from __future__ import annotations

import pytest

from realmtable.lab.balance import game_facts
from realmtable.lab.balance.experiment import BalanceTask
from realmtable.lab.matches.match_game import play_game
from realmtable.lab.matches.match_plan import Entrant, GameTask, Plan
from tests.toys import add_games
from tests.toys.spy_bot import SpyBot, WatchedCards, assert_saw_no_secret


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> WatchedCards:
    game = WatchedCards()
    add_games(monkeypatch, game)
    return game


def test_bots_of_a_match_are_given_resampled_states(cards: WatchedCards) -> None:
    spies = SpyBot(), SpyBot()
    plan = Plan("secret_cards", (Entrant("one", lambda: spies[0]), Entrant("two", lambda: spies[1])), 2)
    for pair in range(3):
        play_game(plan, GameTask(pair, (0, 1)))
    for spy in spies:
        assert_saw_no_secret(spy, cards)


def test_bots_of_an_experiment_are_given_resampled_states(cards: WatchedCards, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = SpyBot()
    monkeypatch.setattr(game_facts, "make_bot", lambda _: spy)
    for seed in range(3):
        game_facts.play_balance_game(BalanceTask("secret_cards", 2, (), "random", seed, 0))
    assert_saw_no_secret(spy, cards)
