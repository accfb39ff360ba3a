"""Every game counts what seats gain from the start, in the same words to the end."""

from __future__ import annotations

import pytest

import realmtable
from realmtable.engine.protocol import CountsGains
from tests.conformance.random_games import play_randomly

GAMES = [info.id for info in realmtable.infos()]


@pytest.mark.parametrize("name", GAMES)
def test_nobody_has_gained_anything_at_the_start(name: str) -> None:
    game = realmtable.game(name)
    assert isinstance(game, CountsGains)
    for seats, preset in ((2, None), (game.info.seats[-1], "chaos" if "chaos" in game.info.presets else None)):
        gains = game.gains(game.initial(seats, game.options(preset)))
        assert gains
        assert all(len(counts) == seats and max(counts) == 0 for counts in gains.values())


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_gains_are_counted_in_the_same_words(name: str) -> None:
    game = realmtable.game(name)
    assert isinstance(game, CountsGains)
    words = set(game.gains(game.initial()))
    states = [state for seed in range(3) for state in play_randomly(game, game.initial(), seed, 400).states[::25]]
    found = [game.gains(state) for state in states]
    assert all(set(gains) == words for gains in found)
    if name != "magic_realm":  # random players find and kill too little; it has tests of its own
        assert any(max(counts) > 0 for gains in found for counts in gains.values())
