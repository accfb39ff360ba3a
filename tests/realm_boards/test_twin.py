"""Step by step with the slow twins: the same steps, states and ends, under random options of every kind.

Each game has its own twin, in tests/<game>/twin.py, and its own `summary`; this module only plays both sides.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest

from realmtable.engine.options import OptionValue
from realmtable.kit.array_state import ArrayState
from realmtable.kit.compile import is_compiling
from tests.classic_realm import helpers as classic
from tests.classic_realm import twin as classic_twin
from tests.medieval_realm import helpers as medieval
from tests.medieval_realm import twin as medieval_twin
from tests.modern_realm import helpers as modern
from tests.modern_realm.twin import ModernTwin, ModernTwinOptions
from tests.oriental_realm import helpers as oriental
from tests.oriental_realm import twin as oriental_twin
from tests.realm import helpers as realm
from tests.realm.twin import Twin, TwinOptions
from tests.realm_boards.boards import BOARDS

COMPILED_GAMES = 10  # per chunk, where the rules are compiled
CHUNKS = 8  # of the slow run
GAMES = 500  # in the slow run


class TwinFacts(NamedTuple):
    """The slow twin of a game."""

    summary: Callable[[ArrayState[Any]], dict[str, object]]  # a state in the words of the twin's `summary`
    twin: Any  # its class
    options: Any  # the class of its options
    widths: Sequence[int] = ()  # a game chooses among its first 1, 2 … steps: few choices make positions repeat


TWINS = {
    "realm": TwinFacts(realm.summary, Twin, TwinOptions),
    "classic_realm": TwinFacts(
        classic.summary, classic_twin.ClassicTwin, classic_twin.ClassicTwinOptions, classic_twin.WIDTHS
    ),
    "medieval_realm": TwinFacts(
        medieval.summary, medieval_twin.MedievalTwin, medieval_twin.MedievalTwinOptions, medieval_twin.WIDTHS
    ),
    "oriental_realm": TwinFacts(
        oriental.summary, oriental_twin.OrientalTwin, oriental_twin.OrientalTwinOptions, oriental_twin.WIDTHS
    ),
    "modern_realm": TwinFacts(modern.summary, ModernTwin, ModernTwinOptions),
}
each_twin = pytest.mark.parametrize("name", TWINS)


def start_twin(name: str, options: object) -> Any:  # noqa: ANN401 - an instance of the twin's class
    """The twin of a first state under the game's options."""
    facts = TWINS[name]
    return facts.twin.initial(facts.options(**vars(options)))


def choose(rng: Random, texts: Sequence[str]) -> str:
    """Any step; offers and agreements are rare."""
    return rng.choice(texts if rng.random() >= 0.98 else [text for text in texts if text not in ("offer", "accept")])


def compare(name: str, seed: int, **fixed: OptionValue) -> None:
    """Play a random game on both sides and stop at the first difference."""
    rng, tested, facts = Random(seed), BOARDS[name], TWINS[name]
    game = tested.game
    options = tested.random_options(rng, **fixed)
    state, twin = game.initial(2, options), start_twin(name, options)
    width = rng.choice(facts.widths) if facts.widths else None
    played: list[str] = []
    while game.to_move(state):
        where = f"seed {seed}, {options}, after {' '.join(played)}"
        assert facts.summary(state) == twin.summary(), where
        steps = {game.grammar.format_bare(state, step): step for step in tested.steps(state)}
        texts = sorted(steps)
        assert texts == sorted(twin.steps()), where
        text = choose(rng, texts[:width]) if name == "realm" else rng.choice(texts[:width])
        state, twin = game.play(state, tested.seat_of(state), steps[text]), twin.play(text)
        played.append(text)
    assert facts.summary(state) == twin.summary()
    assert twin.steps() == []


@each_twin
@pytest.mark.parametrize("chunk", range(5))
def test_the_twin_agrees(name: str, chunk: int) -> None:
    if is_compiling():
        for seed in range(chunk * COMPILED_GAMES, (chunk + 1) * COMPILED_GAMES):
            compare(name, seed)
    else:
        compare(name, chunk, **BOARDS[name].limits)


@pytest.mark.slow
@each_twin
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_twin_agrees_on_many_games(name: str, chunk: int) -> None:
    for seed in range(1000 + chunk, 1000 + GAMES, CHUNKS):
        compare(name, seed)


@each_twin
def test_the_twin_knows_the_same_options(name: str) -> None:
    defaults = {field.name: field.default for field in dataclasses.fields(TWINS[name].options)}
    assert defaults == dataclasses.asdict(BOARDS[name].game.info.options_type())
