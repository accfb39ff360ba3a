"""`realmtable mine`: make puzzles from games of bots."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import click

from realmtable.cli.shared import game_argument
from realmtable.engine import registry
from realmtable.engine.errors import BadInput, RealmtableError
from realmtable.search.puzzles import Puzzle, puzzle_from_json


@click.command("mine")
@game_argument
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="File to add puzzles to.")
@click.option("--count", type=click.IntRange(1, 100_000), default=50, show_default=True, help="How many to have then.")
@click.option("--nodes", type=click.IntRange(10), default=10_000, show_default=True, help="Of the first check.")
@click.option("--quick", type=click.IntRange(10), default=600, show_default=True, help="Nodes a turn in the games.")
@click.option(
    "--endings",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Other endings of a game, from each of its last two balanced positions.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The first game's.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes at work.")
@click.option("--seconds-budget", type=click.FloatRange(1), help="Stop after the game that is running then.")
def command(  # noqa: PLR0913 - one argument for each flag
    *,
    game_id: str,
    out: Path,
    count: int,
    nodes: int,
    quick: int,
    endings: int,
    seed: int,
    workers: int,
    seconds_budget: float | None,
) -> None:
    """Let bots play GAME and keep positions in which one turn wins and no other does.

    Each is checked by a search of so many nodes, by one of four times as many with another seed, and by a look at every
    turn that might win as well. The file grows line by line; the same command goes on where it stopped.

    \b
    For example
      realmtable mine realm --count 200 --out puzzles.jsonl --workers 2
    """  # noqa: D301 - Click wants the backspace itself
    from realmtable.lab.puzzle_mining import MiningTask, PuzzleCollection, fill_collection  # noqa: PLC0415 - the help text need not wait for it

    game = registry.game(game_id)
    kept = read_puzzle_file(out, game_id)
    shelf = PuzzleCollection(game, count, kept)
    first = max([seed, *(puzzle.seed + 1 for puzzle in kept)])
    games, begin = 0, time.monotonic()
    with click.progressbar(length=count, label=f"{game.info.title}: puzzles", show_pos=True) as bar:
        bar.update(min(count, shelf.size))
        for found in (
            ()
            if shelf.is_full()
            else fill_collection(MiningTask(game_id, first, nodes, quick, endings), shelf, workers)
        ):
            append_puzzles(out, found)
            games += 1
            bar.label = f"{game.info.title}: puzzles, {games} games"
            bar.update(len(found))
            if seconds_budget is not None and time.monotonic() - begin > seconds_budget:
                break
    click.echo(f"{out}: {shelf.size} puzzles; {games} games looked through.")


def read_puzzle_file(path: Path, game_id: str) -> list[Puzzle]:
    """What a file holds already; a last line that was cut short is taken out of it."""
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {error}.") from None
    whole = text[: text.rfind("\n") + 1]
    puzzles = []
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            puzzles.append(puzzle_from_json(line))
        except RealmtableError as error:
            raise BadInput(f"{path}, line {number}: {error}") from None
        if puzzles[-1].game != game_id:
            raise BadInput(f"{path}, line {number} is a puzzle of {puzzles[-1].game}, not of {game_id}.")
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return puzzles


def append_puzzles(path: Path, puzzles: Sequence[Puzzle]) -> None:
    """Add puzzles to a file at once, so that those of one game are all in it or none."""
    if not puzzles:
        return
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write("".join(f"{puzzle.as_json()}\n" for puzzle in puzzles))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error}.") from None
