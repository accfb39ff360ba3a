"""Move by move with the slow twin: the same steps, the same states, under random options; and counts of sequences."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from realmtable.engine.options import OptionValue
from realmtable.engine.perft import perft
from realmtable.games.classic_realm.notation import bare_text
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.state import State
from realmtable.kit.compile import is_compiling
from tests.classic_realm.helpers import GAME, options_of, play, random_options, seat_of, start, summary
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


def compare_games(seeds: range, **fixed: OptionValue) -> int:
    steps = 0
    for seed in seeds:
        rng = Random(seed)
        steps += compare(seed, random_options(rng, **fixed), rng)
    return steps


@pytest.mark.parametrize("chunk", range(5))
def test_the_twin_agrees(chunk: int) -> None:
    if is_compiling():
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


# ---- counts of sequences, agreed by both

PLACED = "Fb2 Fb8 Fe2 Fe8 Fh2 Fh8 Fk2 Fk8 Fb5 Fb11 Fe5 Fe11 Fh5 Fh11 Fk5 Fk11"
OPENING = "Fe5b8 Fk8b8 Fh5b8 Fe8b8"
MIDDLE = OPENING + " Fh2b8 Fb11b8 Fb5b8 Fh11b11 Fb8b11 Fe11b11 Fb8b11 Fh8h11"
PERFT: list[tuple[dict[str, OptionValue], str, list[int]]] = [
    ({}, "", [32, 896, 29638, 838306]),
    ({}, MIDDLE, [18, 108, 2276, 14779]),
    ({"max_plies": 20}, MIDDLE + " Fb8e11 Fk11h8 Fk2k8 Fh11h5 Fe11h11 Fh8h2", [23, 204, 0]),
    ({"free_setup": True}, "", [16, 240, 3360, 43680]),
    ({"free_setup": True}, PLACED, [32, 896, 29638, 838306]),
    ({"double_moves": True}, "", [32, 896, 29638, 838306]),
    ({"double_moves": True}, OPENING + " Fh2b8", [20, 463, 8925, 193751]),
    ({"double_moves": True}, "Fb2k8 Fb8h5 Fe2k11 Fb11k11 Fk2h5", [25, 668, 17393]),  # a rescue by the first move
    (
        {"double_moves": True, "free_setup": True},
        PLACED + " Fk8h5 Fk2b8 Fb11k8 Fe5k2 Fe11b11",
        [35, 1099, 28975, 780546],
    ),
]


def count(state: State, depth: int) -> int:
    if depth == 1:
        return len(state.legal_codes())
    return sum(count(state.after(code), depth - 1) for code in state.legal_codes())


def twin_count(twin: ClassicTwin, depth: int) -> int:
    if depth == 1:
        return len(twin.steps())
    return sum(twin_count(twin.play(step), depth - 1) for step in twin.steps())


def check_perft(options: dict[str, OptionValue], texts: str, depth: int, number: int) -> None:
    state, twin = start(**options), twin_of(options_of(**options))
    for text in texts.split():
        state, twin = play(state, text), twin.play(text)
    assert (count(state, depth), twin_count(twin, depth)) == (number, number)


@pytest.mark.parametrize(("options", "texts", "numbers"), PERFT)
def test_short_sequences_are_counted_alike(options: dict[str, OptionValue], texts: str, numbers: list[int]) -> None:
    for depth, number in enumerate(numbers[:2], 1):
        check_perft(options, texts, depth, number)


@pytest.mark.slow
@pytest.mark.parametrize(("options", "texts", "numbers"), PERFT)
def test_longer_sequences_are_counted_alike(options: dict[str, OptionValue], texts: str, numbers: list[int]) -> None:
    for depth, number in enumerate(numbers[2:], 3):
        check_perft(options, texts, depth, number)


def test_the_protocol_counts_the_same() -> None:
    assert [perft(GAME, start(), depth) for depth in range(3)] == [1, *PERFT[0][2][:2]]
