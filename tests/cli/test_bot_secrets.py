"""Bots and hints in the terminal are given what their seat may know, never the true state."""

from __future__ import annotations

import pytest

from realmtable.engine import registry
from realmtable.search import baselines, bot_levels
from tests.cli.command_line import input_lines, run_cli
from tests.toys.spy_bot import SpyBot, WatchedCards, assert_saw_no_secret


@pytest.fixture
def cards(toys: None, monkeypatch: pytest.MonkeyPatch) -> WatchedCards:  # noqa: ARG001 - a fixture
    game = WatchedCards()
    monkeypatch.setattr(registry, "game", lambda _: game)
    return game


def test_bots_are_given_resampled_states(cards: WatchedCards, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = SpyBot()
    monkeypatch.setattr(bot_levels, "make_bot", lambda _: spy)
    done = run_cli("play", "secret_cards", "--seed", "8", "--seats", "bot:random,bot:random,bot:random")
    assert done.code == 0, done.err
    assert {seat for seat, _ in spy.given} == {0, 1, 2}
    assert_saw_no_secret(spy, cards)


def test_a_hint_is_thought_of_in_a_resampled_state(cards: WatchedCards, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = SpyBot()
    monkeypatch.setattr(baselines, "GreedyBot", lambda: spy)
    done = run_cli("play", "secret_cards", "--seed", "8", "--seats", "human,human", text=input_lines("hint", "quit"))
    assert "The bot would play " in done.out
    assert_saw_no_secret(spy, cards)
