"""A step that cannot have effects is written without playing it; this must not change what is written."""

from __future__ import annotations

from random import Random

import pytest

import realmtable
from realmtable.kit.array_game import ArrayGame

GAMES = ("classic_realm", "medieval_realm", "modern_realm", "oriental_realm", "realm")


@pytest.mark.parametrize("game_id", GAMES)
def test_a_step_judged_to_have_no_effects_has_none(game_id: str) -> None:
    game = realmtable.game(game_id)
    assert isinstance(game, ArrayGame)
    grammar, rng = game.spec.grammar, Random(7)
    for _ in range(4):
        state = game.initial(2)
        for _ in range(60):
            if not game.to_move(state):
                break
            steps = game.legal_moves(state, game.to_move(state)[0])
            for step in rng.sample(steps, min(len(steps), 6)):
                if not grammar.may_have_effects(state, step) and grammar.effects is not None:
                    assert grammar.effects(state, step, grammar.after(state, step)) == []
            state = game.play(state, game.to_move(state)[0], rng.choice(steps))


def test_a_game_without_effects_writes_none() -> None:
    grammar = realmtable.game("oriental_realm").spec.grammar
    state = realmtable.game("oriental_realm").initial(2)
    assert grammar.effects is None
    assert grammar.effects_of(state, realmtable.game("oriental_realm").legal_moves(state, 0)[0]) == []


def test_the_state_after_the_latest_step_is_kept_until_the_caches_are_dropped() -> None:
    state = realmtable.game("classic_realm").initial(2)
    code = state.legal_codes()[0]
    after = state.after(code)
    assert state.after(code) is after
    state.drop_caches()
    assert state.after(code) is not after
    assert state.after(code) == after
