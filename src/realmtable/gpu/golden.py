"""Reference results, computed on the CPU for a few seeds, that a GPU must reproduce."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import AnyGame
from realmtable.gpu.array_games import choose_tuning, find_position, find_rules
from realmtable.gpu.backends import Backend, make_batch, make_step_outputs
from realmtable.gpu.cpu_backend import CpuBackend
from realmtable.gpu.kernel_runner import digest_games
from realmtable.kit.playouts import REASONS0
from realmtable.kit.rules import Position

SEED: Final = 1


class Size(NamedTuple):
    """How many games and steps are compared."""

    games: int  # whole random games
    at_once: int  # games of a vector environment
    steps: int  # of each of them


SMALL: Final = Size(games=16, at_once=16, steps=10)
LARGE: Final = Size(games=2_000, at_once=1_000, steps=300)


def describe_game(game: AnyGame) -> dict[str, Any]:
    """Return what a program needs to know about a game, without its kernels: the first position and sizes."""
    rules = find_rules(game)
    seats = min(game.info.seats)
    position = first_position(game)
    return {
        "game": rules.game_id,
        "start": rules.content(position).tolist(),
        "size": position.size,
        "capacity": rules.step_capacity,
        "seats": seats,
        "numbers": REASONS0 + len(rules.reasons),
        "seed": SEED,
        "layout": choose_tuning(rules).layout,
        "bits": 64,
    }


def first_position(game: AnyGame) -> Position:
    """Return the first position with the default options and the fewest players."""
    return find_position(game, game.initial(min(game.info.seats), None))


def compute_results(game: AnyGame, backend: Backend, size: Size) -> dict[str, Any]:
    """Return the sums of whole random games, and a digest of a vector environment after some steps."""
    facts = describe_game(game)
    numbers: NDArray[np.int64] = np.zeros(facts["numbers"], dtype=np.int64)
    backend.play(first_position(game), np.arange(1, size.games + 1, dtype=np.uint64), numbers)
    actions, batch = make_batch(backend, size.at_once, np.array(facts["start"], dtype=np.int64), facts)
    outputs = make_step_outputs(backend, size.at_once)
    backend.step(batch, actions, outputs)
    for _ in range(size.steps):
        backend.step(batch, batch.drawn, outputs)
    digest = digest_games({name: np.asarray(array) for name, array in batch._asdict().items()})
    return {"games": size.games, "numbers": numbers.tolist(), "steps": [[size.at_once, size.steps, digest]]}


def compute_golden_results(game: AnyGame, size: Size) -> dict[str, Any]:
    """Return the CPU's results, which other backends must reproduce."""
    return compute_results(game, CpuBackend(find_rules(game)), size)


def find_differences(game: AnyGame, backend: Backend, size: Size) -> list[str]:
    """Return how a backend's results differ from the CPU's, in words; empty if they do not."""
    expected, found = compute_golden_results(game, size), compute_results(game, backend, size)
    wrong = []
    if found["numbers"] != expected["numbers"]:
        wrong.append(f"{size.games} random games sum up to {found['numbers']} instead of {expected['numbers']}")
    if found["steps"] != expected["steps"]:
        wrong.append(f"{size.at_once} games differ after {size.steps} steps")
    return wrong
