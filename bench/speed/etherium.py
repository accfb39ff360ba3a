"""Measure Realms of Etherium, compiled and interpreted: `python -m bench.speed.etherium`.

Steps from Python are what a table or a plain search does for one: `legal_moves`, or `chance`, and `play`. Random games
and the search run inside compiled code. All rates are per second of processor time; the interpreted ones come from a
second process, on the same games.
"""

from __future__ import annotations

import time
from random import Random
from typing import Final

import click

import realmtable
from bench.measure import compare, format_rows, measure_rate, run_in_process
from realmtable.engine.protocol import CHANCE
from realmtable.kit.playouts import HasPlayouts
from realmtable.kit.rules import HasArrayRules
from realmtable.search.bench_signature import play_random_turns
from realmtable.search.mcts.search import Search

GAME: Final = "realms_of_etherium"
STEPS_AT_ONCE: Final = 2_000
TURNS_BEFORE_SEARCH: Final = 30
MOST_NODES: Final = 100_000
INTERPRETED: Final = """
import json
from bench.speed.etherium import rates
print(json.dumps(rates({seats}, {seconds})))
"""


def rates(seats: int, seconds: float) -> dict[str, float]:
    """Measure steps from Python, steps of random games, and visits and evaluations of a search in a game of two."""
    game = realmtable.game(GAME)
    assert isinstance(game, HasPlayouts)  # noqa: S101 - it has both
    assert isinstance(game, HasArrayRules)  # noqa: S101 - as above
    start, rng = game.initial(seats), Random(1)
    states = [start]

    def take_steps() -> int:
        for _ in range(STEPS_AT_ONCE):
            if not (acting := game.to_move(states[0])):
                states[0] = start
                continue
            outcomes = game.chance(states[0]) if acting == (CHANCE,) else []
            moves = [outcome.move for outcome in outcomes] or game.legal_moves(states[0], acting[0])
            states[0] = game.play(states[0], acting[0], rng.choice(moves))
        return STEPS_AT_ONCE

    figures = {
        "steps from Python": measure_rate(take_steps, seconds, time.process_time),
        "steps of random games": measure_rate(
            lambda: game.playouts(start, [rng.getrandbits(60)]).steps, seconds, time.process_time
        ),
    }
    position = game.position_of(play_random_turns(game, TURNS_BEFORE_SEARCH))
    search = Search(game.rules, position, game.rules.search_parameters, 1, MOST_NODES)
    search.run(1, None)  # compile before the clock starts
    visits, evaluations, began = search.visits, search.evaluations, time.process_time()
    while time.process_time() - began < seconds:
        search.run(search.visits + 1, None)
    spent = time.process_time() - began
    figures["visits of a search"] = (search.visits - visits) / spent
    figures["evaluations of a search"] = (search.evaluations - evaluations) / spent
    return figures


@click.command(help=__doc__)
@click.option("--seats", default=4, show_default=True, type=click.IntRange(2, 6))
@click.option("--seconds", default=5.0, show_default=True, type=click.FloatRange(0.1), help="Seconds per rate.")
def main(seats: int, seconds: float) -> None:
    """Measure and print the rates."""
    compiled = rates(seats, seconds)
    plain = run_in_process(INTERPRETED.format(seats=seats, seconds=seconds), REALMTABLE_COMPILE="0")
    rows = [compare(f"{what} per second", rate, "interpreted", plain[what]) for what, rate in compiled.items()]
    click.echo(format_rows(rows))


if __name__ == "__main__":
    main()
