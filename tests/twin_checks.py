"""The comparison of a board game with its slow twin; a game's `test_twin.py` subclasses `TwinChecks`.

Each game has its own twin and its own `summary`; this module only plays both sides and compares them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from realmtable.engine.options import OptionValue
from realmtable.kit.array_state import ArrayState
from realmtable.kit.compile import is_compiling
from tests.game_under_test import BoardGame
from tests.twin_games import Twin

COMPILED_GAMES = 10  # per chunk, where the rules are compiled
CHUNKS = 8  # of the slow run
GAMES = 500  # in the slow run


class TwinChecks:
    """The game and its twin have the same steps, states and ends in random games with random options."""

    tested: BoardGame[Any, Any]
    summary: Callable[[ArrayState[Any]], dict[str, object]]  # a state in the words of the twin's `summary`
    twin: Any  # the twin's class
    twin_options: Any  # the class of its options
    widths: Sequence[int] = ()  # a game chooses among its first 1, 2 … steps: few choices make positions repeat

    @classmethod
    def start_twin(cls, options: object) -> Any:  # noqa: ANN401 - an instance of `twin`
        """The twin of a first state under the game's options."""
        return cls.twin.initial(cls.twin_options(**vars(options)))

    def choose(self, rng: Random, texts: Sequence[str]) -> str:
        return rng.choice(texts)

    def compare(self, seed: int, **fixed: OptionValue) -> None:
        """Play a random game on both sides and stop at the first difference."""
        rng = Random(seed)
        game = self.tested.game
        options = self.tested.random_options(rng, **fixed)
        state, twin = game.initial(2, options), self.start_twin(options)
        width = rng.choice(self.widths) if self.widths else None
        played: list[str] = []
        while game.to_move(state):
            where = f"seed {seed}, {options}, after {' '.join(played)}"
            assert type(self).summary(state) == twin.summary(), where
            steps = [(game.spec.grammar.format_bare(state, step), step) for step in self.tested.steps(state)]
            texts = sorted(text for text, _ in steps)
            assert texts == sorted(twin.steps()), where
            text = self.choose(rng, texts[:width])
            state, twin = game.play(state, self.tested.seat_of(state), dict(steps)[text]), twin.play(text)
            played.append(text)
        assert type(self).summary(state) == twin.summary()
        assert twin.steps() == []

    @pytest.mark.parametrize("chunk", range(5))
    def test_the_twin_agrees(self, chunk: int) -> None:
        if is_compiling():
            for seed in range(chunk * COMPILED_GAMES, (chunk + 1) * COMPILED_GAMES):
                self.compare(seed)
        else:
            self.compare(chunk, **self.tested.limits)

    @pytest.mark.slow
    @pytest.mark.parametrize("chunk", range(CHUNKS))
    def test_the_twin_agrees_on_many_games(self, chunk: int) -> None:
        for seed in range(1000 + chunk, 1000 + GAMES, CHUNKS):
            self.compare(seed)

    def test_the_twin_knows_the_same_options(self) -> None:
        defaults = {field.name: field.default for field in dataclasses.fields(self.twin_options)}
        assert defaults == dataclasses.asdict(self.tested.game.info.options_type())


# ---- counts of step sequences


def count_sequences(state: ArrayState[Any], depth: int) -> int:
    """`perft` without playing the last step."""
    codes = state.legal_codes()
    return len(codes) if depth <= 1 else sum(count_sequences(state.after(code), depth - 1) for code in codes)


def count_twin_sequences(twin: Twin, depth: int) -> int:
    """The twin's own perft, without playing the last step."""
    steps = twin.steps()
    return len(steps) if depth <= 1 else sum(count_twin_sequences(twin.play(step), depth - 1) for step in steps)
