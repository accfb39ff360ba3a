"""What seats gain is counted from the start, in the same words to the end."""

from __future__ import annotations

import pytest

import realmtable
from realmtable.engine.protocol import CountsGains
from tests.conformance.random_games import play_randomly

GAMES = ["classic_realm", "medieval_realm", "modern_realm", "oriental_realm", "realm", "realms_of_etherium"]
COUNTING = [name for name in GAMES if name != "oriental_realm"]


@pytest.mark.parametrize("name", GAMES)
def test_nobody_has_gained_anything_at_the_start(name: str) -> None:
    game = realmtable.game(name)
    assert isinstance(game, CountsGains)
    gains = game.gains(game.initial())
    assert bool(gains) == (name in COUNTING)
    assert all(len(counts) == 2 and max(counts) == 0 for counts in gains.values())


@pytest.mark.parametrize("name", COUNTING)
def test_gains_are_counted_in_the_same_words(name: str) -> None:
    game = realmtable.game(name)
    assert isinstance(game, CountsGains)
    words = set(game.gains(game.initial()))
    ends = [game.gains(play_randomly(game, game.initial(), seed, 400).last) for seed in range(3)]
    assert all(set(gains) == words for gains in ends)
    assert any(max(counts) > 0 for gains in ends for counts in gains.values())
