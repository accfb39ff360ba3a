"""Measure the searches' speed, or print their signatures: `python -m bench.speed.search [--signatures]`."""

from __future__ import annotations

import time
from typing import Any

import click

import realmtable
from bench.measure import Row, compare, format_rows, run_in_process
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.rules import HasRules, SearchParameters
from realmtable.search.bench_signature import play_random_turns, signature
from realmtable.search.mcts.parallel_search import search_in_parallel
from realmtable.search.mcts.search import UCT
from realmtable.search.search_result import SearchLimits

INTERPRETED = """
import json
from bench.speed.search import rates
print(json.dumps(rates({game!r}, {seconds}, threads=1)))
"""


def kernel_games() -> list[ArrayGame[Any, Any]]:
    """Return every game for two that is searched inside compiled code."""
    games = (realmtable.game(info.id) for info in realmtable.infos())
    return [game for game in games if isinstance(game, ArrayGame)]


def rates(game_id: str, seconds: float, threads: int) -> dict[str, float]:
    """Measure our search's visits and evaluations per second, and textbook UCT's playouts per second."""
    game = realmtable.game(game_id)
    assert isinstance(game, ArrayGame)  # noqa: S101 - as listed
    visits, evaluations = _rate(game, game.rules.search_parameters, seconds, threads)
    _, playouts = _rate(game, UCT, seconds, threads)
    return {"visits": visits, "evaluations": evaluations, "playouts": playouts}


def _rate(game: ArrayGame[Any, Any], parameters: SearchParameters, seconds: float, threads: int) -> tuple[float, float]:
    state = play_random_turns(game, 12)
    # Compile before the clock starts.
    search_in_parallel(game, state, SearchLimits(nodes=threads), parameters, 1, threads)
    start = time.perf_counter()
    forest = search_in_parallel(game, state, SearchLimits(seconds=seconds), parameters, 1, threads)
    passed = time.perf_counter() - start
    return forest.visits / passed, forest.evaluations / passed


def rows(seconds: float) -> list[Row]:
    """Compare rates: one thread with the same code interpreted, two threads with one."""
    found = []
    for game in kernel_games():
        name = game.info.id
        one, two = (rates(name, seconds, threads) for threads in (1, 2))
        plain = run_in_process(INTERPRETED.format(game=name, seconds=seconds), REALMTABLE_COMPILE="0")
        for what in ("visits", "evaluations", "playouts"):
            claim = f"{name}: {what} per second, 1 thread"
            found.append(compare(claim, one[what], "the same code interpreted", plain[what]))
        found.append(compare(f"{name}: visits per second, 2 threads", two["visits"], "1 thread", one["visits"]))
    return found


@click.command()
@click.option("--seconds", type=click.FloatRange(0.2, 60), default=2.0, show_default=True, help="Seconds per rate.")
@click.option("--signatures", is_flag=True, help="Print the signatures that the tests expect, and measure nothing.")
def main(seconds: float, *, signatures: bool) -> None:
    """Measure the speed of every game's search."""
    if signatures:
        for info in realmtable.infos():
            if isinstance(game := realmtable.game(info.id), HasRules):
                click.echo(f'    "{info.id}": "{signature(game)}",')
        return
    click.echo(format_rows(rows(seconds)))


if __name__ == "__main__":
    main()
