"""Move by move with the slow twin: the same steps, the same states, under random options of every kind."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from realmtable.games.realm.notation import bare_text
from realmtable.games.realm.options import RealmOptions
from realmtable.kit.compile import is_compiling
from tests.realm.helpers import GAME, SHORT, random_options, seat_of, summary
from tests.realm.twin import Twin, TwinOptions

CHUNKS = 8
GAMES = 2000  # in the slow run


def compare(seed: int, options: RealmOptions, rng: Random) -> None:
    """Play a random game on both and stop at the first difference."""
    state, twin = GAME.initial(2, options), Twin.initial(TwinOptions(**dataclasses.asdict(options)))
    played: list[str] = []
    while GAME.to_move(state):
        where = f"seed {seed}, {options}, after {' '.join(played[-8:])}"
        assert summary(state) == twin.summary(), where
        steps = {bare_text(state, step): step for step in GAME.legal_moves(state, seat_of(state))}
        assert set(steps) == set(twin.steps()), where
        quiet = sorted(text for text in steps if text not in ("offer", "accept"))
        text = rng.choice(quiet if rng.random() < 0.98 else sorted(steps))
        state, twin = GAME.play(state, seat_of(state), steps[text]), twin.play(text)
        played.append(text)
    assert summary(state) == twin.summary()
    assert twin.steps() == []


def compare_games(seeds: range, short: bool = False) -> None:
    for seed in seeds:
        rng = Random(seed)
        compare(seed, random_options(rng, **(SHORT if short else {})), rng)


@pytest.mark.no_cover
@pytest.mark.parametrize("chunk", range(5))
def test_the_twin_agrees(chunk: int) -> None:
    if is_compiling():
        compare_games(range(chunk * 15, chunk * 15 + 15))
    else:
        compare_games(range(chunk, chunk + 1), short=True)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_twin_agrees_on_many_games(chunk: int) -> None:
    size = GAMES // CHUNKS
    compare_games(range(1000 + chunk * size, 1000 + (chunk + 1) * size))


def test_the_twin_knows_the_same_options() -> None:
    defaults = {field.name: field.default for field in dataclasses.fields(TwinOptions)}
    assert defaults == dataclasses.asdict(RealmOptions())
