"""Move by move with the slow twin: the same steps, the same states, under random options of every kind."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from realmtable.games.oriental_realm.notation import bare_text
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.kit.compile import is_compiling
from tests.oriental_realm.helpers import GAME, SHORT, random_options, seat_of, summary
from tests.oriental_realm.twin import OrientalTwin, OrientalTwinOptions

CHUNKS = 8
GAMES = 2000  # in the slow run
WIDTHS = (1, 2, 10, 1000, 1000, 1000)  # a narrow choice of steps crowds the board and makes positions repeat


def twin_of(options: OrientalOptions) -> OrientalTwin:
    return OrientalTwin.initial(OrientalTwinOptions(**dataclasses.asdict(options)))


def compare(seed: int, options: OrientalOptions, rng: Random) -> int:
    """Play a random game on both and stop at the first difference; how many steps it took is returned."""
    state, twin = GAME.initial(2, options), twin_of(options)
    width = rng.choice(WIDTHS)
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


def compare_games(seeds: range, short: bool = False) -> int:
    steps = 0
    for seed in seeds:
        rng = Random(seed)
        steps += compare(seed, random_options(rng, **(SHORT if short else {})), rng)
    return steps


@pytest.mark.parametrize("chunk", range(5))
def test_the_twin_agrees(chunk: int) -> None:
    if is_compiling():
        compare_games(range(chunk * 10, chunk * 10 + 10))
    else:
        compare_games(range(chunk, chunk + 1), short=True)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_twin_agrees_on_many_games(chunk: int) -> None:
    size = GAMES // CHUNKS
    compare_games(range(1000 + chunk * size, 1000 + (chunk + 1) * size))


def test_the_twin_knows_the_same_options() -> None:
    defaults = {field.name: field.default for field in dataclasses.fields(OrientalTwinOptions)}
    assert defaults == dataclasses.asdict(OrientalOptions())
