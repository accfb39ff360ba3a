"""Step by step with the slow twin: the same steps, states and ends, and the same numbers of step sequences."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from realmtable.engine.options import OptionValue
from realmtable.engine.perft import perft
from realmtable.games.medieval_realm.notation import bare_text
from realmtable.games.medieval_realm.options import MedievalOptions
from realmtable.games.medieval_realm.state import State
from realmtable.kit.compile import is_compiling
from tests.medieval_realm.helpers import GAME, random_options, record_of, seat_of, summary
from tests.medieval_realm.twin import MedievalTwin, MedievalTwinOptions

CHUNKS = 4
GAMES = 2000  # in the slow run


def twin_options(options: MedievalOptions) -> MedievalTwinOptions:
    return MedievalTwinOptions(**dataclasses.asdict(options))


def steps_of(state: State) -> list[str]:
    return [bare_text(state, step) for step in GAME.legal_moves(state, seat_of(state))]


def compare(seed: int, options: MedievalOptions, rng: Random) -> None:
    """Play a random game on both and stop at the first difference; a narrow choice makes positions repeat."""
    state, twin = GAME.initial(2, options), MedievalTwin.initial(twin_options(options))
    width = rng.choice((1, 2, 1000, 1000, 1000, 1000))
    played: list[str] = []
    while GAME.to_move(state):
        where = f"seed {seed}, {options}, after {' '.join(played)}"
        assert summary(state) == twin.summary(), where
        steps = dict(zip(steps_of(state), GAME.legal_moves(state, seat_of(state)), strict=True))
        assert sorted(steps) == sorted(twin.steps()), where
        text = rng.choice(sorted(steps)[:width])
        state, twin = GAME.play(state, seat_of(state), steps[text]), twin.play(text)
        played.append(text)
    assert summary(state) == twin.summary()
    assert twin.steps() == []


def compare_games(seeds: range, **fixed: OptionValue) -> None:
    for seed in seeds:
        rng = Random(seed)
        compare(seed, random_options(rng, **fixed), rng)


@pytest.mark.parametrize("chunk", range(5))
def test_the_twin_agrees(chunk: int) -> None:
    if is_compiling():
        compare_games(range(chunk * 20, chunk * 20 + 20))
    else:
        compare_games(range(chunk, chunk + 1), max_plies=60)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_twin_agrees_on_many_games(chunk: int) -> None:
    size = GAMES // CHUNKS
    compare_games(range(1000 + chunk * size, 1000 + (chunk + 1) * size))


def test_the_twin_knows_the_same_options() -> None:
    defaults = {field.name: field.default for field in dataclasses.fields(MedievalTwinOptions)}
    assert defaults == dataclasses.asdict(MedievalOptions())


# ---- perft


def twin_perft(twin: MedievalTwin, depth: int) -> int:
    steps = twin.steps()
    if depth <= 1:
        return len(steps) if depth else 1
    return sum(twin_perft(twin.play(step), depth - 1) for step in steps)


def both_after(name: str, turns: int, **changed: OptionValue) -> tuple[State, MedievalTwin]:
    """Game and twin after the first turns of a record, under its options but for those given."""
    record = record_of(name)
    options = dataclasses.replace(record.start.options, **changed)
    state, twin = GAME.initial(2, options), MedievalTwin.initial(twin_options(options))
    for turn in record.turns[:turns]:
        twin = twin.play(bare_text(state, turn.moves[0]))
        state = GAME.play(state, turn.seat, turn.moves[0])
    return state, twin


# Numbers of step sequences by length: from each set-up, then from games under way, with options that matter there.
PERFT: list[tuple[str, int, dict[str, OptionValue], list[int]]] = [
    ("end-borne-off-white", 0, {"duke_squares": "back_middle"}, [1, 32, 776, 19178, 419662]),
    ("end-borne-off-white", 0, {"duke_squares": "back_corners"}, [1, 32, 776, 19056, 406884]),
    ("end-borne-off-white", 0, {"duke_squares": "front_middle"}, [1, 16, 224, 4024, 73382]),
    ("end-borne-off-white", 0, {"duke_squares": "front_corners"}, [1, 16, 222, 4564, 79998]),
    ("end-borne-off-white", 12, {}, [1, 20, 427, 7008]),
    ("end-borne-off-white", 24, {}, [1, 22, 86, 1745, 7915]),
    ("end-borne-off-white", 38, {}, [1, 17, 83, 1036, 5897]),
    ("end-duke-draw", 17, {}, [1, 14, 198, 2452, 40802]),
    ("end-duke-draw", 17, {"duke_draw": False}, [1, 14, 198, 2659, 43766]),
    ("end-max-plies", 17, {}, [1, 5, 70, 413, 0]),
    ("end-max-plies", 17, {"max_plies": 300}, [1, 5, 70, 413, 5196]),
]
QUICK = 2  # the depth that is counted step by step without a compiler
USUAL = 3


def check_perft(name: str, turns: int, options: dict[str, OptionValue], numbers: list[int]) -> None:
    state, twin = both_after(name, turns, **options)
    assert [perft(GAME, state, depth) for depth in range(len(numbers))] == numbers
    assert [twin_perft(twin, depth) for depth in range(len(numbers))] == numbers


@pytest.mark.parametrize(("name", "turns", "options", "numbers"), PERFT)
def test_perft(name: str, turns: int, options: dict[str, OptionValue], numbers: list[int]) -> None:
    check_perft(name, turns, options, numbers[: 1 + (USUAL if is_compiling() else QUICK)])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "turns", "options", "numbers"), PERFT)
def test_deep_perft(name: str, turns: int, options: dict[str, OptionValue], numbers: list[int]) -> None:
    check_perft(name, turns, options, numbers)
