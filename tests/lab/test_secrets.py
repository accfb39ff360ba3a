"""A bot in a match is given what its seat may know, never the true state."""

from __future__ import annotations

import pytest

from realmtable.engine import registry
from realmtable.lab.plan import Entrant, Plan, Task
from realmtable.lab.playing import play
from tests.toys import secret_cards
from tests.toys.spying import SpyBot, WatchedCards, assert_saw_no_secret


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> WatchedCards:
    game = WatchedCards()
    folders = {**registry._folders(), "secret_cards": secret_cards}
    monkeypatch.setattr(registry, "_folders", lambda: folders)
    monkeypatch.setattr(registry, "game", lambda _: game)
    return game


def test_bots_of_a_match_are_given_resampled_states(cards: WatchedCards) -> None:
    spies = SpyBot(), SpyBot()
    plan = Plan("secret_cards", (Entrant("one", lambda: spies[0]), Entrant("two", lambda: spies[1])), 2)
    for pair in range(3):
        play(plan, Task(pair, (0, 1)))
    for spy in spies:
        assert_saw_no_secret(spy, cards)
