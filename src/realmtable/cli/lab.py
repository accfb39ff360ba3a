"""`realmtable lab`: experiments on one machine or on a cluster."""

from __future__ import annotations

import shlex
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from realmtable.cli.command_helpers import cluster_option, game_argument, make_folder, read_option_value, write_text
from realmtable.cli.match import INTERRUPTED
from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.extras import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from realmtable.lab.balance.balance_result import BalanceResult
    from realmtable.lab.balance.experiment import Experiment, Factor
    from realmtable.lab.balance.stop_rule import StopRule

DEFAULT_GAMES = 200
COMPILING = "Compiling the rules and bots and playing the first games; compiling takes minutes, once a version"
PLAYING = "Playing"


@click.group("lab")
def command() -> None:
    """Run experiments on one machine or on a cluster."""


@command.command("balance")
@game_argument
@click.option(
    "--option", "pairs", multiple=True, metavar="K=V[,W…]", help="Rule option with values to compare; may be repeated."
)
@click.option("--preset", "presets", default="", metavar="A[,B…]", help="Named sets of options to compare.")
@click.option(
    "--bots", default="level3", show_default=True, metavar="A[,B…]", help="Bots to compare; each plays all seats."
)
@click.option("--players", type=int, help="Number of players. [default: the fewest]")
@click.option("--games", type=int, help=f"Games per combination. [default: {DEFAULT_GAMES}]")
@click.option(
    "--until-half-width", "half_width", type=float, metavar="W", help="Play until every interval is at most ±W."
)
@click.option("--measure", metavar="NAME", help="The measure that --until-half-width is about. [default: first_player]")
@click.option("--opening-turns", type=int, metavar="K", help="Random turns before the bots take over.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@cluster_option
@click.option(
    "--workers", type=click.IntRange(1, 10_000), help="Processes, or workers to start. [default: one per core]"
)
@click.option("--no-cache", is_flag=True, help="Ignore games of other experiments; --out still resumes.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the result and all games.")
@click.option("--html", is_flag=True, help="Also write a page with charts to the folder.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def balance(  # noqa: PLR0913 - one argument for each flag
    *,
    game_id: str,
    pairs: tuple[str, ...],
    presets: str,
    bots: str,
    players: int | None,
    games: int | None,
    half_width: float | None,
    measure: str | None,
    opening_turns: int | None,
    seed: int,
    cluster: str,
    workers: int | None,
    no_cache: bool,
    out: Path | None,
    html: bool,
    as_json: bool,
) -> None:
    """Measure how rule options and bots change GAME: who wins, how long games last and how exciting they are.

    Every combination of the values is played with the same seeds. The first value of each option is what the others
    are compared with. Finished games are cached: an interrupted experiment resumes, and a repeated one costs nothing.

    \b
    For example
      realmtable lab balance classic_realm --option double_moves=off,on --bots level2,level5
      realmtable lab balance realm --until-half-width 0.03 --out study --html
      realmtable lab balance realm --games 10000 --cluster tcp://scheduler:8786
    """  # noqa: D301 - Click needs the literal \b
    from realmtable.lab.balance import balance_text  # noqa: PLC0415 - keeps --help fast
    from realmtable.lab.balance.balance_files import format_json  # noqa: PLC0415 - as above
    from realmtable.lab.balance.experiment import design_experiment  # noqa: PLC0415 - as above
    from realmtable.lab.balance.stop_rule import StopRule  # noqa: PLC0415 - as above

    if games is not None and half_width is not None:
        raise BadInput("Choose either --games or --until-half-width.")
    if measure is not None and half_width is None:
        raise BadInput("--measure goes with --until-half-width.")
    if html and out is None:
        raise BadInput("--html needs a folder for the page: add --out.")
    experiment = design_experiment(
        game_id,
        _read_factors(game_id, pairs),
        bots=_split(bots),
        presets=_split(presets) if presets else (),
        seats=players,
        seed=seed,
        opening_turns=opening_turns,
    )
    rule = StopRule(DEFAULT_GAMES if games is None else games, half_width, measure or "first_player")
    if out is not None:
        make_folder(out)
    result = _run(experiment, rule, cluster, workers, _cache_path(out, no_cache=no_cache), shown=not as_json)
    command_line = shlex.join(["realmtable", *sys.argv[1:]])
    if out is not None:
        _write_files(result, out, command_line, html=html)
    click.echo(format_json(result, command_line) if as_json else balance_text.format_result(result))
    if result.interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _read_factors(game_id: str, pairs: tuple[str, ...]) -> list[Factor]:
    """Return the options to vary; a value may be a file, where the option allows it."""
    from realmtable.lab.balance.experiment import Factor  # noqa: PLC0415 - keeps --help fast

    options_type = registry.info(game_id).options_type
    factors: list[Factor] = []
    for pair in pairs:
        name, equals, text = (part.strip() for part in pair.partition("="))
        labels = _split(text)
        if not equals or not all(labels):
            raise BadInput(f"Write an option with its values as name=value,value, not {pair[:40]!r}.")
        if any(factor.name == name for factor in factors):
            raise BadInput(f"Option {name[:40]} is given twice; write its values as {name[:40]}=value,value.")
        values = [str(read_option_value(options_type, name, label)) for label in labels]
        factors.append(Factor(name, (*labels,), (*values,)))
    return factors


def _cache_path(out: Path | None, *, no_cache: bool) -> Path | None:
    from realmtable.lab.balance.game_cache import FILE_NAME, default_cache_path  # noqa: PLC0415 - keeps --help fast

    if not no_cache:
        return default_cache_path()
    return None if out is None else out / FILE_NAME


def _run(
    experiment: Experiment,
    rule: StopRule,
    cluster: str,
    workers: int | None,
    cache_path: Path | None,
    *,
    shown: bool,
) -> BalanceResult:
    from realmtable.lab.balance.game_cache import open_game_cache  # noqa: PLC0415 - keeps --help fast
    from realmtable.lab.balance.run_experiment import run_experiment  # noqa: PLC0415 - as above
    from realmtable.lab.jobs.open_runner import open_runner  # noqa: PLC0415 - as above

    with (
        open_game_cache(cache_path) as cache,
        open_runner(cluster, workers) as runner,
        show_progress(shown=shown) as on_game,
    ):
        return run_experiment(experiment, rule, runner, cache, on_game)


@contextmanager
def show_progress(*, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar with an estimate of the remaining time on stderr, if it is a terminal.

    Until the first game is finished it says why that can take minutes: every process compiles or loads the rules.
    """
    if not (shown and sys.stderr.isatty()):
        yield lambda _done, _planned: None
        return
    from rich.console import Console  # noqa: PLC0415 - only this needs it
    from rich.progress import (  # noqa: PLC0415 - as above
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from realmtable.kit.compile import is_compiling  # noqa: PLC0415 - as above

    text = TextColumn("{task.description}")
    columns = (text, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("about"), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.stderr)) as progress:
        bar = progress.add_task(COMPILING if is_compiling() else PLAYING, total=None)
        games_found: int | None = None  # in the cache

        def show(done: int, planned: int) -> None:
            nonlocal games_found
            if games_found is None:
                games_found = done
            text = PLAYING if done > games_found else None
            progress.update(bar, completed=done, total=planned, description=text)

        yield show


def _write_files(result: BalanceResult, out: Path, command_line: str, *, html: bool) -> None:
    from realmtable.lab.balance import balance_files, balance_html  # noqa: PLC0415 - keeps --help fast

    write_text(out / balance_files.RESULT_FILE, balance_files.format_json(result, command_line))
    if html:
        write_text(out / balance_files.PAGE_FILE, balance_html.render_balance(result, command_line))
    try:
        balance_files.write_parquet(result, out / balance_files.GAMES_FILE)
    except MissingExtra:
        click.echo("The table of games (Parquet) was left out: pip install 'realmtable[lab]'.", err=True)
