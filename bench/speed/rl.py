"""Measure the vector environments in steps per second, alongside environments of other libraries in the same run.

The peers play chess, the game that all of them have, with random legal moves. A peer that is not installed is skipped
with a message; `pip install pettingzoo chess pygame open_spiel pgx jax` installs all of them.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import click

import realmtable
from bench.measure import Row, compare, describe_machine, measure_rate
from realmtable.engine.extras import MissingExtra
from realmtable.engine.options import OptionValue
from realmtable.rl.vector_env import VectorEnv

GAMES: dict[str, dict[str, OptionValue]] = {
    "classic_realm": {},
    "realm": {"agree_end": False},
}  # random players would offer and accept the end
SIZES = (256, 1024, 4096, 16384)
BATCH = 256  # games at once where a peer has several
Measure = Callable[[Callable[[], int]], float]  # returns the rate of some work
WARM_STEPS = 300  # so that games are in all stages
STEPS_PER_CALL = 16384  # between two looks at the clock
MAX_PLIES = 200  # of a random game of chess


def measure_vector(
    game: str, count: int, threads: int, measure: Measure, *, observations: bool = True, masks: bool = False
) -> float:
    """Return steps per second with random legal actions, sampling included."""
    with VectorEnv(
        game, count, threads=threads, options=GAMES.get(game), seed=1, observations=observations, masks=masks
    ) as env:
        for _ in range(WARM_STEPS):
            env.step(env.sample())

        def play() -> int:
            rounds = max(1, STEPS_PER_CALL // count)
            for _ in range(rounds):
                env.step(env.sample())
            return rounds * count

        return measure(play)


def measure_protocol(game_id: str, measure: Measure) -> float:
    """Return steps per second of the same game with `play` and `legal_moves` from Python."""
    game = realmtable.game(game_id)
    start = game.initial(2, game.options(None, **GAMES.get(game_id, {})))
    rng = Random(1)

    def play() -> int:
        state, steps = start, 0
        while acting := game.to_move(state):
            state = game.play(state, acting[0], rng.choice(game.legal_moves(state, acting[0])))
            steps += 1
        return steps

    return measure(play)


# ---- peers; each returns steps per second or raises ImportError


def measure_pettingzoo(measure: Measure) -> float:
    """PettingZoo's chess."""
    chess = importlib.import_module("pettingzoo.classic.chess_v6")
    env = chess.env()
    rng = Random(1)

    def play() -> int:
        env.reset(seed=rng.randrange(2**31))
        steps = 0
        for _ in env.agent_iter(MAX_PLIES):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
            steps += 1
        return steps

    return measure(play)


def measure_openspiel(measure: Measure) -> float:
    """OpenSpiel's chess in its `rl_environment`."""
    return measure_rl_environment("chess", measure)


def measure_rl_environment(name: str, measure: Measure) -> float:
    """Return steps per second of a game of OpenSpiel in its `rl_environment`, which observes for all seats."""
    env = importlib.import_module("open_spiel.python.rl_environment").Environment(name)
    rng = Random(1)

    def play() -> int:
        step, steps = env.reset(), 0
        while not step.last() and steps < MAX_PLIES:
            step = env.step([rng.choice(step.observations["legal_actions"][step.observations["current_player"]])])
            steps += 1
        return steps

    return measure(play)


def measure_spiel_states(name: str, measure: Measure) -> float:
    """Return steps per second of a game of OpenSpiel without chance by its states alone, without observations."""
    game = importlib.import_module("pyspiel").load_game(name)
    rng = Random(1)

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal() and steps < MAX_PLIES:
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return measure(play)


def measure_pgx(measure: Measure) -> float:
    """Pgx's chess on the CPU: compiled by JAX, many games at once, which start again when they end."""
    jax, pgx = importlib.import_module("jax"), importlib.import_module("pgx")
    wrappers = importlib.import_module("pgx.experimental.wrappers")
    cpu = jax.devices("cpu")[0]
    env = pgx.make("chess")
    step = wrappers.auto_reset(env.step, env.init)

    def advance(state: Any, key: Any) -> Any:  # noqa: ANN401 - JAX's
        choose, go_on = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choose, logits, axis=-1)
        return jax.vmap(step)(state, actions, jax.random.split(go_on, BATCH))

    with jax.default_device(cpu):
        compiled = jax.jit(advance)
        keys = jax.random.split(jax.random.PRNGKey(1), BATCH)
        held = {"state": jax.jit(jax.vmap(env.init))(keys), "key": jax.random.PRNGKey(2)}

        def play() -> int:
            held["key"], key = jax.random.split(held["key"])
            held["state"] = compiled(held["state"], key)
            held["state"].rewards.block_until_ready()
            return BATCH

        return measure(play)


PEERS: dict[str, Callable[[Measure], float]] = {
    "PettingZoo, chess": measure_pettingzoo,
    "OpenSpiel `rl_environment`, chess": measure_openspiel,
    f"Pgx on the CPU, chess, {BATCH} games": measure_pgx,
}


def try_peer(name: str, measure: Measure) -> float | None:
    """Return a peer's steps per second, or print a message and return None if it is not installed."""
    try:
        return PEERS[name](measure)
    except ImportError as error:
        click.echo(f"{name} was skipped: {error}.", err=True)
        return None


# ---- tables


def size_rows(game: str, measure: Measure, sizes: tuple[int, ...]) -> Iterator[Row]:
    """Yield a row for each number of games: two threads compared with one."""
    for count in sizes:
        one = measure_vector(game, count, 1, measure, observations=False)
        two = measure_vector(game, count, 2, measure, observations=False)
        claim = f"{game}, {count:,} games, lists, 2 threads (steps/s)"
        yield compare(claim, two, "1 thread", one)


def own_rows(game: str, measure: Measure, count: int, lists: float) -> Iterator[Row]:
    """Yield rows that compare lists with what else an environment can write, and with steps from Python."""
    rates = {
        "with planes": measure_vector(game, count, 2, measure),
        "with masks": measure_vector(game, count, 2, measure, observations=False, masks=True),
        "`play` + `legal_moves` from Python": measure_protocol(game, measure),
    }
    yield from ratio_rows(game, count, lists, rates)


def ratio_rows(game: str, count: int, lists: float, rates: dict[str, float]) -> Iterator[Row]:
    """Yield a row for each of several rates."""
    claim = f"{game}, {count:,} games, 2 threads (steps/s)"
    for name, rate in rates.items():
        yield compare(claim, lists, name, rate)


def spiel_rows(games: tuple[str, ...], measure: Measure) -> Iterator[Row]:
    """Yield what OpenSpiel's `rl_environment` costs, for our games and for its own chess."""
    try:
        importlib.import_module("realmtable.rl.open_spiel")
    except MissingExtra as error:
        click.echo(f"OpenSpiel was skipped: {error}", err=True)
        return
    for name in (*(f"python_realmtable(game={game})" for game in games), "chess"):
        states, steps = measure_spiel_states(name, measure), measure_rl_environment(name, measure)
        claim = f"`rl_environment`, {name} (steps/s)"
        yield compare(claim, steps, "states alone", states)


def rows(measure: Measure, games: tuple[str, ...] = tuple(GAMES), sizes: tuple[int, ...] = SIZES) -> Iterator[Row]:
    """Measure everything, one row at a time; the peers come last because some leave threads behind that stay busy."""
    count, lists = sizes[len(sizes) // 2], {}
    for game in games:
        yield from size_rows(game, measure, sizes)
        lists[game] = measure_vector(game, count, 2, measure, observations=False)
        yield from own_rows(game, measure, count, lists[game])
    yield from spiel_rows(games, measure)
    for name in PEERS:
        rate = try_peer(name, measure)
        for game in games if rate else ():
            yield from ratio_rows(game, count, lists[game], {name: rate or 0.0})


@click.command()
@click.option("--seconds", type=click.FloatRange(0.01, 600), default=2.0, show_default=True, help="Seconds per rate.")
@click.option("--game", "games", multiple=True, default=tuple(GAMES), show_default=True, help="A game; repeatable.")
@click.option("--size", "sizes", multiple=True, type=int, default=SIZES, show_default=True, help="Games at once.")
@click.option("--processor-time", is_flag=True, help="Measure processor time instead of wall time, for busy machines.")
def main(seconds: float, games: tuple[str, ...], sizes: tuple[int, ...], *, processor_time: bool) -> None:
    """Compare the vector environments with PettingZoo, OpenSpiel and Pgx."""
    clock = time.process_time if processor_time else time.perf_counter
    print(f"On {describe_machine()}, load {os.getloadavg()[0]:.1f} before the start.")
    print(f"Rates are per second of {'processor' if processor_time else 'wall'} time.\n")
    print("| measurement | figure | peer | peer's figure | ratio |\n|---|---:|---|---:|---:|")
    for row in rows(partial(measure_rate, seconds=seconds, clock=clock), games, sizes):
        print(f"| {row.claim} | {row.figure} | {row.peer} | {row.peer_figure} | {row.ratio} |", flush=True)


if __name__ == "__main__":
    main()
