"""Move by move with the slow twin: the same steps, the same states, under random options; and counts of sequences."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from realmtable.engine.options import Value
from realmtable.games.classic_realm.notation import bare_text
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.kit.kernel import compiling
from tests.classic_realm.helpers import GAME, random_options, seat_of, summary
from tests.classic_realm.twin import ClassicTwin, ClassicTwinOptions

CHUNKS = 8
GAMES = 2000  # in the slow run


def twin_of(options: ClassicOptions) -> ClassicTwin:
    return ClassicTwin.initial(ClassicTwinOptions(**dataclasses.asdict(options)))


def compare(seed: int, options: ClassicOptions, rng: Random) -> int:
    """Play a random game on both and stop at the first difference; how many steps it had is returned."""
    state, twin = GAME.initial(2, options), twin_of(options)
    width = rng.choice((1, 2, 1000, 1000, 1000, 1000))  # a narrow choice of steps makes positions repeat
    played: list[str] = []
    while GAME.to_move(state):
        where = f"seed {seed}, {options}, after {' '.join(played[-8:])}"
        assert summary(state) == twin.summary(), where
        steps = {bare_text(state, step): step for step in GAME.legal_moves(state, seat_of(state))}
        assert set(steps) == set(twin.steps()), where
        text = rng.choice(sorted(steps)[:width])
        state, twin = GAME.play(state, seat_of(state), steps[text]), twin.play(text)
        played.append(text)
    assert summary(state) == twin.summary()
    assert twin.steps() == []
    return len(played)


def compare_games(seeds: range, **fixed: Value) -> int:
    steps = 0
    for seed in seeds:
        rng = Random(seed)
        steps += compare(seed, random_options(rng, **fixed), rng)
    return steps


@pytest.mark.parametrize("chunk", range(5))
def test_the_twin_agrees(chunk: int) -> None:
    if compiling():
        compare_games(range(chunk * 20, chunk * 20 + 20))
    else:
        compare_games(range(chunk, chunk + 1), max_plies=20)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_twin_agrees_on_many_games(chunk: int) -> None:
    size = GAMES // CHUNKS
    compare_games(range(1000 + chunk * size, 1000 + (chunk + 1) * size))


def test_the_twin_knows_the_same_options() -> None:
    defaults = {field.name: field.default for field in dataclasses.fields(ClassicTwinOptions)}
    assert defaults == dataclasses.asdict(ClassicOptions())
