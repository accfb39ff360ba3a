"""Does the analysis find the mistakes of a random player of Realms of Etherium? Writes mistakes.md.

    python -m studies.etherium.mistakes --minutes 120

One seat plays at random, the others are bots of level 3. Each turn of the random seat is compared with the best turn of
a search of many nodes: from the position after each of the two, level 4 plays on for two Rounds many times, with the
same draws, and the evaluation of where that leads is each seat's chance. The loss is the mean difference. Turns that
seem to lose little after few continuations are not looked at more closely; the others get new continuations, so that
the choice does not colour the figure. Then the turn is analysed with as many nodes as a server searches in a second.

The evaluation is about right on average: the outcomes of 167 games between levels 3 to 5, with 21,687 positions, were
foretold best by 1.25 times its sums (0.75 in the first fifth of a game, 1.75 in the last).

A run that was stopped continues where it ended: each line of `mistakes.jsonl` is a turn.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any, Final

import click

from realmtable.analysis.game_analysis import analyse, marks_in, without_setup
from realmtable.analysis.variation import best_variation
from realmtable.engine import registry
from realmtable.engine.bots import Bot, plan_steps
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, AnyGame, Seat, State
from realmtable.engine.record import Record, RecordTurn
from realmtable.kit.evaluation import expected_shares
from realmtable.lab.match_statistics import Z, wilson
from realmtable.search.bot_levels import make_bot
from realmtable.search.mcts_policies import sample_chance
from realmtable.search.search_result import SearchLimits
from realmtable.search.think import think
from studies.etherium.batches import GAME, rules

RESULTS: Final = Path(__file__).with_name("mistakes.jsonl")
PAGE: Final = Path(__file__).with_name("mistakes.md")
SEATS: Final = (2, 3, 4)
TURNS_PER_GAME: Final = 12
BEST_NODES: Final = 10_000
SERVER_NODES: Final = 6_000
MIN_CHANCE: Final = 0.1  # a player with less cannot lose ten points
ROUNDS: Final = 2
FEW, MANY = 12, 60  # continuations
SEEMING_LOSS: Final = 0.04  # after few continuations
LOSS, NO_LOSS = 0.1, 0.03
FIRST_MAGES: Final = 3

Row = dict[str, Any]


# ---- games


def play_random_seat(game: AnyGame, seats: int, seed: int) -> Record:
    """Play a game in which the seat `seed % seats` plays at random."""
    rng = Random(f"mistakes {seats} {seed}")
    bots: list[Bot] = [make_bot("random" if seat == seed % seats else "level3") for seat in range(seats)]
    match = Match.start(game, game.initial(seats))
    while acting := game.to_move(match.state):
        for move in choose_steps(game, match.state, acting[0], bots, rng):
            match = match.play(acting[0], move)
    return Record.from_match(match)


def choose_steps(game: AnyGame, state: State, actor: Seat, bots: Sequence[Bot], rng: Random) -> Sequence[Any]:
    """Return the next steps of a bot or of chance."""
    return [sample_chance(game, state, rng)] if actor == CHANCE else plan_steps(bots[actor], game, state, actor, rng)


def state_after(game: AnyGame, turn: RecordTurn) -> State:
    """Return the state after a turn."""
    state = turn.before
    for move in turn.moves:
        state = game.play(state, turn.seat, move)
    return state


# ---- how much a turn lost


def continue_game(game: AnyGame, state: State, seats: int, seat: Seat, seed: int) -> float:
    """Play on for some Rounds and return the seat's chance there."""
    rng, bots = Random(seed), [make_bot("level4")] * seats
    last = game.turn(state).number + ROUNDS * FIRST_MAGES * seats
    while (acting := game.to_move(state)) and game.turn(state).number < last:
        for move in choose_steps(game, state, acting[0], bots, rng):
            state = game.play(state, acting[0], move)
    return expected_shares(rules(), state.position)[seat]


def measure_losses(game: AnyGame, best: State, played: State, row: Mapping[str, Any], seeds: range) -> list[float]:
    """Return what a turn lost in each continuation."""
    seats, seat = row["seats"], row["seat"]
    pairs = ([continue_game(game, state, seats, seat, seed) for state in (best, played)] for seed in seeds)
    return [better - worse for better, worse in pairs]


def measure_turn(game: AnyGame, record: Record, index: int, row: Row) -> Row | None:
    """Measure a turn; None if its player has hardly any chance left."""
    turn = record.turns[index]
    found = think(game, turn.before, SearchLimits(nodes=BEST_NODES), seed=2)
    if found.shares[turn.seat] < MIN_CHANCE:
        return None
    best, played = best_variation(game, turn.before, found).states[0], state_after(game, turn)
    losses = [0.0] if best == played else measure_losses(game, best, played, row, range(FEW))
    if fmean(losses) >= SEEMING_LOSS:
        losses = measure_losses(game, best, played, row, range(FEW, FEW + MANY))
    error = stdev(losses) / len(losses) ** 0.5 if len(losses) > 1 else 0.0
    analysis = analyse(replace(record, turns=[turn]), SearchLimits(nodes=SERVER_NODES))
    (marked,) = analysis.turns
    return {
        **row,
        "index": index,
        "text": turn.text,
        "continuations": len(losses),
        "loss": round(fmean(losses), 4),
        "error": round(error, 4),
        "seen": marked.loss,
    }


def measure_games(known: Sequence[Row], deadline: float) -> Iterator[Row]:
    """Yield the turns of one game after another until the time is over."""
    game = registry.game(GAME)
    measured = {(row["seats"], row["seed"], row["index"]) for row in known}
    number = 0
    while True:
        seats, seed = SEATS[number % len(SEATS)], number // len(SEATS)
        number += 1
        if (seats, seed) < max(((row["seats"], row["seed"]) for row in known if row["seats"] == seats), default=(0, 0)):
            continue
        record, row = play_random_seat(game, seats, seed), {"seats": seats, "seed": seed, "seat": seed % seats}
        setup = len(record.turns) - len(without_setup(record.turns))
        own = [index for index, turn in enumerate(record.turns[:-1]) if turn.seat == row["seat"] and index >= setup]
        for index in sorted(Random(seed).sample(own, min(TURNS_PER_GAME, len(own)))):
            if time.monotonic() >= deadline:
                return
            if (seats, seed, index) not in measured and (measure := measure_turn(game, record, index, row)) is not None:
                yield measure


# ---- the page


def format_page(rows: Sequence[Row]) -> str:
    """Return the page."""
    large = [row for row in rows if row["loss"] >= LOSS and row["continuations"] == MANY]
    marked = [row for row in rows if is_marked(row)]
    false = [row for row in marked if row["loss"] < NO_LOSS]
    clear = [row for row in false if row["loss"] + Z * row["error"] < NO_LOSS]
    seen = sum(row["seen"] for row in large) / max(sum(row["loss"] for row in large), 1e-9)
    lines = [
        "# Realms of Etherium: does the analysis find mistakes?",
        "",
        "Made by `python -m studies.etherium.mistakes`; the module says how the loss of a turn is measured.",
        "",
        f"- Turns of a random player: {len(rows):,}, of {len({(row['seats'], row['seed']) for row in rows}):,} games.",
        f"- Lost ten points of winning chance or more: {len(large)}. Marked by the analysis: {share(large)}.",
        f"- Of these losses, the analysis saw {seen:.0%}.",
        f"- Marked turns: {len(marked)}. False alarms: {len(false)} lost less than three points, {len(clear)} clearly.",
        "",
        "| lost | turns | marked |",
        "|---|---:|---:|",
    ]
    for low, high in ((-1.0, NO_LOSS), (NO_LOSS, 0.05), (0.05, LOSS), (LOSS, 1.1)):
        some = [row for row in rows if low <= row["loss"] < high]
        name = f"less than {high:.0%}" if low < 0 else f"{low:.0%} or more" if high > 1 else f"{low:.0%} to {high:.0%}"
        lines.append(f"| {name} | {len(some)} | {share(some)} |")
    return "\n".join(lines) + "\n"


def is_marked(row: Row) -> bool:
    """Whether the analysis marks a turn; it says what a turn lost only if it does."""
    least, _ = marks_in(registry.info(GAME), row["seats"])[-1]
    return bool(row["seen"] >= least)


def share(rows: Sequence[Row]) -> str:
    """Format how many of some turns were marked, with Wilson's 95% interval."""
    if not rows:
        return "–"
    marked = sum(map(is_marked, rows))
    low, high = wilson(marked / len(rows), len(rows))
    return f"{marked} of {len(rows)}, {marked / len(rows):.0%} ({low:.0%} to {high:.0%})"


@click.command(help=__doc__)
@click.option("--minutes", type=click.FloatRange(0), default=60.0, show_default=True, help="0 only writes the page.")
def main(minutes: float) -> None:
    """Measure, store the results and write the page."""
    known = [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()] if RESULTS.exists() else []
    if minutes:
        with RESULTS.open("a", encoding="utf-8") as file:
            for row in measure_games(known, time.monotonic() + 60 * minutes):
                file.write(json.dumps(row) + "\n")
                file.flush()
                click.echo(row, err=True)
    rows = [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()] if RESULTS.exists() else []
    PAGE.write_text(format_page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
