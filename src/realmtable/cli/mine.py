"""`realmtable mine`: mine puzzles from bot games."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import click

from realmtable.analysis.puzzles import Puzzle, puzzle_from_json
from realmtable.cli.command_helpers import cluster_option, game_argument, open_small_runner
from realmtable.engine import registry
from realmtable.engine.errors import BadInput, RealmtableError


@click.command("mine")
@game_argument
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="File to add puzzles to.")
@click.option(
    "--count", type=click.IntRange(1, 100_000), default=50, show_default=True, help="Number of puzzles in the file."
)
@click.option("--nodes", type=click.IntRange(10), default=10_000, show_default=True, help="Nodes of the first check.")
@click.option("--quick", type=click.IntRange(10), default=600, show_default=True, help="Nodes per turn in the games.")
@click.option(
    "--endings",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Other endings to play from each of a game's last two balanced positions.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the first game.")
@click.option("--workers", type=click.IntRange(1, 256), help="Number of processes. [default: 1]")
@cluster_option
@click.option("--seconds-budget", type=click.FloatRange(1), help="Stop after this time, when the current game ends.")
def command(  # noqa: PLR0913 - one argument for each flag
    *,
    game_id: str,
    out: Path,
    count: int,
    nodes: int,
    quick: int,
    endings: int,
    seed: int,
    workers: int | None,
    cluster: str,
    seconds_budget: float | None,
) -> None:
    """Let bots play GAME and collect positions in which exactly one turn wins.

    Each is checked by a search, by a second search with four times the nodes and another seed, and by a search of every
    other turn that might win. In games for several players, the positions are those in which one idea brings the most
    points. Puzzles are appended to the file; repeat the command to continue.

    \b
    For example
      realmtable mine realm --count 200 --out puzzles.jsonl --workers 2
    """  # noqa: D301 - Click needs the literal \b
    from realmtable.lab.puzzle_mining import MiningTask, PuzzleCollection, fill_collection  # noqa: PLC0415 - keeps --help fast

    game = registry.game(game_id)
    known = read_puzzle_file(out, game_id)
    collection = PuzzleCollection(game, count, known)
    first = max([seed, *(puzzle.seed + 1 for puzzle in known)])
    games, begin = 0, time.monotonic()
    with (
        open_small_runner(cluster, workers) as runner,
        click.progressbar(length=count, label=f"{game.info.title}: puzzles", show_pos=True) as bar,
    ):
        bar.update(min(count, collection.size))
        for found in (
            ()
            if collection.is_full()
            else fill_collection(MiningTask(game_id, first, nodes, quick, endings), collection, runner)
        ):
            append_puzzles(out, found)
            games += 1
            bar.label = f"{game.info.title}: puzzles, {games} games"
            bar.update(len(found))
            if seconds_budget is not None and time.monotonic() - begin > seconds_budget:
                break
    click.echo(f"{out}: {collection.size} puzzles; {games} games searched.")


def read_puzzle_file(path: Path, game_id: str) -> list[Puzzle]:
    """Read the puzzles of a file, and remove an incomplete last line from it."""
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
    """Append puzzles to a file in one write, so that it gets all puzzles of a game or none."""
    if not puzzles:
        return
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write("".join(f"{puzzle.as_json()}\n" for puzzle in puzzles))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error}.") from None
