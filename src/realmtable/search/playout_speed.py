"""Measure the speed of random games, in bulk: in kernels and on threads if the game can, else step by step."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any

from realmtable.engine import chance
from realmtable.engine.bots import non_proposal_moves
from realmtable.engine.protocol import CHANCE, CLOCK, AnyGame, State
from realmtable.kit.playouts import HasPlayouts, PlayoutNumbers

SLICE_S = 0.25  # target duration of a batch of games


@dataclass(frozen=True)
class PlayoutSpeed:
    """A run of random games and how long it took."""

    numbers: PlayoutNumbers
    seconds: float
    threads: int

    def as_dict(self) -> dict[str, Any]:
        numbers = self.numbers
        return {
            "playouts_per_s": round(numbers.games / self.seconds, 4),
            "steps_per_s": round(numbers.steps / self.seconds),
            "steps_per_game": round(numbers.steps / numbers.games, 2),
            "branching": round(numbers.choices / max(numbers.steps, 1), 2),
            "turns_per_game": round(numbers.turns / numbers.games, 2),
            "outcomes": {
                "winners": dict(sorted(numbers.winners.items())),
                "reasons": dict(sorted(numbers.reasons.items())),
            },
            "games": numbers.games,
            "seconds": round(self.seconds, 3),
            "threads": self.threads,
        }


def play_out(game: AnyGame, state: State, seeds: list[int]) -> PlayoutNumbers:
    """Play one random game from a state for each seed; proposals are left out."""
    if isinstance(game, HasPlayouts):
        return game.playouts(state, seeds)
    numbers = PlayoutNumbers()
    for seed in seeds:
        numbers.add(_play_one(game, state, seed))
    return numbers


def _play_one(game: AnyGame, state: State, seed: int) -> PlayoutNumbers:
    rng = Random(seed)
    numbers = PlayoutNumbers(games=1)
    turn = None
    while acting := game.to_move(state):
        seat = rng.choice([seat for seat in acting if seat != CLOCK])
        if seat == CHANCE:
            outcomes = game.chance(state)
            pick = chance.draw(str(seed), numbers.steps, [outcome.weight for outcome in outcomes])
            move = outcomes[pick].move
        else:
            moves = non_proposal_moves(game, state, seat)
            move = rng.choice(moves)
            numbers.choices += len(moves)
            numbers.turns += game.turn(state) != turn
            turn = game.turn(state)
        numbers.steps += 1
        state = game.play(state, seat, move)
    outcome = game.outcome(state)
    assert outcome is not None  # noqa: S101 - no seat is to act
    numbers.winners = Counter(["draw" if outcome.winner is None else str(outcome.winner)])
    numbers.reasons = Counter([outcome.reason])
    return numbers


def measure_playouts(
    game: AnyGame,
    state: State,
    *,
    seconds: float,
    threads: int = 1,
    seed: int = 1,
    on_progress: Callable[[float], None] = lambda _: None,
) -> PlayoutSpeed:
    """Play random games for about `seconds`; `on_progress` receives the share of the time that has passed."""
    rng = Random(seed)
    play_out(game, state, [rng.getrandbits(63)])  # compile before the clock starts
    batch = _batch_size(game, state, rng)
    total = PlayoutNumbers()
    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        while (passed := time.perf_counter() - start) < seconds:
            on_progress(passed / seconds)
            batches = [[rng.getrandbits(63) for _ in range(batch)] for _ in range(threads)]
            for numbers in pool.map(lambda seeds: play_out(game, state, seeds), batches):
                total.add(numbers)
    return PlayoutSpeed(total, time.perf_counter() - start, threads)


def _batch_size(game: AnyGame, state: State, rng: Random) -> int:
    size = 1
    while True:
        start = time.perf_counter()
        play_out(game, state, [rng.getrandbits(63) for _ in range(size)])
        if (took := time.perf_counter() - start) > SLICE_S / 4:
            return max(1, int(size * SLICE_S / took))
        size *= 2
