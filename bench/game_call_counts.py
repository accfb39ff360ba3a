"""How much work a game does for one step, one view and one picture: `python -m bench.game_call_counts`.

A live table plays every step on the event loop and makes a view, and perhaps a picture, for every viewer, so all tables
wait while one of these runs. Work is counted in function calls, Python's and built-in ones, which are the same on every
machine however busy it is; the processor time of the worst case is given too. Rules run interpreted, as on a server.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple, TypeVar

import click

from realmtable.conformance.call_counts import count_calls
from realmtable.engine import registry
from realmtable.engine.errors import BadOptions
from realmtable.engine.protocol import CHANCE, CLOCK, AnyGame, State

Answer = TypeVar("Answer")

KINDS = ("play", "view", "draw")


class Cost(NamedTuple):
    """The work for one step, view or picture."""

    kind: str
    calls: int
    seconds: float  # processor time, including that of counting


def measure(kind: str, work: Callable[[], Answer]) -> tuple[Answer, Cost]:
    """Return what a function returns, and its cost."""
    start = time.process_time()
    answer, calls = count_calls(work)
    return answer, Cost(kind, calls, time.process_time() - start)


def costs_of_game(game: AnyGame, state: State, seats: int, rng: Random, most_steps: int) -> Iterator[Cost]:
    """Yield the costs of a random game: those of each step, and of the views and pictures of all viewers after it."""
    for _ in range(most_steps):
        acting = [seat for seat in game.to_move(state) if seat != CLOCK]
        if not acting:
            return
        seat = rng.choice(acting)
        outcomes = game.chance(state) if seat == CHANCE else []
        move = rng.choice(outcomes).move if outcomes else rng.choice(game.legal_moves(state, seat))
        state, cost = measure("play", lambda: game.play(state, seat, move))  # noqa: B023 - called at once
        yield cost
        for viewer in (None, *range(seats)):
            view, cost = measure("view", lambda: game.view(state, viewer))  # noqa: B023 - called at once
            yield cost
            yield measure("draw", lambda: game.draw(view))[1]  # noqa: B023 - called at once


def costs_of_games(game: AnyGame, options: Any, games: int, most_steps: int) -> list[Cost]:  # noqa: ANN401 - its options
    """Return the costs of random games, each with the most seats that the options allow."""
    costs: list[Cost] = []
    for number in range(games):
        seats, state = _first_state(game, options)
        costs += costs_of_game(game, state, seats, Random(number), most_steps)
    return costs


def _first_state(game: AnyGame, options: Any) -> tuple[int, State]:  # noqa: ANN401 - the game's options
    for seats in reversed(game.info.seats):
        try:
            return seats, game.initial(seats, options)
        except BadOptions:
            continue
    raise ValueError("The options allow no number of seats.")


def table(costs: list[Cost]) -> str:
    """Return the median and the worst cost of each kind as a table."""
    lines = [
        "| work | times | median calls | 99 of 100 need at most | most calls | longest |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for kind in KINDS:
        found = [cost for cost in costs if cost.kind == kind]
        calls = sorted(cost.calls for cost in found)
        longest = max(cost.seconds for cost in found)
        figures = (len(calls), statistics.median(calls), calls[len(calls) * 99 // 100], calls[-1])
        lines.append(f"| {kind} | {' | '.join(f'{figure:,.0f}' for figure in figures)} | {1000 * longest:,.0f} ms |")
    return "\n".join(lines)


@click.command()
@click.argument("game_ids", metavar="[GAME …]", nargs=-1)
@click.option("--preset", help="The preset to play; by default the game's own.")
@click.option("--games", default=6, show_default=True, help="Random games of each.")
@click.option("--steps", default=250, show_default=True, help="The most steps of each game.")
def main(game_ids: tuple[str, ...], preset: str | None, games: int, steps: int) -> None:
    """Count the work for each step, view and picture in random games."""
    os.environ.setdefault("REALMTABLE_COMPILE", "0")  # before any game is loaded
    for game_id in game_ids or [info.id for info in registry.infos()]:
        game = registry.game(game_id)
        click.echo(f"\n{game.info.title}{f', {preset}' if preset else ''}\n")
        click.echo(table(costs_of_games(game, game.options(preset), games, steps)))


if __name__ == "__main__":
    main()
