"""Measure random games and the search of Realms of Etherium: `python -m bench.etherium_search`.

Figures are given for compiled and interpreted code, which runs in a second process, per processor second of one thread.
"""

from __future__ import annotations

import time
from typing import Final

import click

import realmtable
from bench.measure import run_in_process
from realmtable.kit.playouts import HasPlayouts
from realmtable.kit.rules import HasArrayRules
from realmtable.search.bench_signature import play_random_turns
from realmtable.search.mcts.search import Search

GAME: Final = "realms_of_etherium"
TURNS_BEFORE_SEARCH: Final = 30
INTERPRETED: Final = """
import json
from bench.etherium_search import rates
print(json.dumps(rates({seats}, {seconds})))
"""


def rates(seats: int, seconds: float) -> dict[str, float]:
    """Measure steps of random games, and visits and evaluations of a search in a game of two, per second."""
    game = realmtable.game(GAME)
    assert isinstance(game, HasPlayouts)  # noqa: S101 - it has both
    assert isinstance(game, HasArrayRules)  # noqa: S101
    start = game.initial(seats)
    game.playouts(start, [1])  # compile before the clock starts
    began, seed, steps = time.process_time(), 2, 0
    while time.process_time() - began < seconds:
        steps += game.playouts(start, [seed]).steps
        seed += 1
    figures = {"steps of random games": steps / (time.process_time() - began)}
    position = game.position_of(play_random_turns(game, TURNS_BEFORE_SEARCH))
    search = Search(game.rules, position, game.rules.search_parameters, 1, 100_000)
    search.run(1, None)
    visits, evaluations, began = search.visits, search.evaluations, time.process_time()
    while time.process_time() - began < seconds:
        search.run(search.visits + 1, None)
    spent = time.process_time() - began
    figures["visits of a search"] = (search.visits - visits) / spent
    figures["evaluations of a search"] = (search.evaluations - evaluations) / spent
    return figures


@click.command(help=__doc__)
@click.option("--seats", default=4, show_default=True, type=click.IntRange(2, 6))
@click.option("--seconds", default=5.0, show_default=True, type=click.FloatRange(0.1))
def main(seats: int, seconds: float) -> None:
    """Measure and print the rates."""
    compiled = rates(seats, seconds)
    plain = run_in_process(INTERPRETED.format(seats=seats, seconds=seconds), REALMTABLE_COMPILE="0")
    for what, rate in compiled.items():
        click.echo(f"{what}: {rate:,.0f}/s, interpreted {plain[what]:,.0f}/s, {rate / plain[what]:,.0f} : 1")


if __name__ == "__main__":
    main()
