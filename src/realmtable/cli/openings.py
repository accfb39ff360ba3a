"""`realmtable openings`: the opening study of Realm."""

from __future__ import annotations

import json
import time
from contextlib import closing
from pathlib import Path

import click

from realmtable.cli.command_helpers import cluster_option, open_small_runner, write_text

RUNS_HELP = "placements, standard, free, or rule options as KEY=VALUE,…; may be repeated. [default: placements]"


@click.group("openings")
def command() -> None:
    """Study the openings of Realm: let a bot play itself from every placement of Bases, and report statistics."""


@command.command("play")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The study's file.")
@click.option("--run", "runs", multiple=True, help=RUNS_HELP)
@click.option("--placement", metavar="WHITE/BLACK", help="Play only this placement, like b11-e8-h5/b2-e5-h8.")
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=4,
    show_default=True,
    help="Games for each of the 666 placements, or in total for other runs.",
)
@click.option(
    "--bot",
    "bot_spec",
    default="mcts:nodes=400:noise=0.05",
    show_default=True,
    help="The bot that plays both sides; without noise all its games are the same.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@click.option("--workers", type=click.IntRange(1, 256), help="Number of processes. [default: 1]")
@cluster_option
@click.option("--seconds-budget", type=click.FloatRange(1), help="Stop after this time, when the current game ends.")
def play(  # noqa: PLR0913 - one argument for each flag
    *,
    out: Path,
    runs: tuple[str, ...],
    placement: str | None,
    games: int,
    bot_spec: str,
    seed: int,
    workers: int | None,
    cluster: str,
    seconds_budget: float | None,
) -> None:
    """Play the games of a study; the same command resumes where it stopped.

    \b
    For example
      realmtable openings play --out study.jsonl --games 10 --workers 2
      realmtable openings play --out study.jsonl --run standard --run bases=13 --games 1000
    """  # noqa: D301 - Click needs the literal \b
    from realmtable.lab.jobs.job_runner import run_in_order  # noqa: PLC0415
    from realmtable.lab.openings import opening_study  # noqa: PLC0415 - keeps the help text fast
    from realmtable.search.bot_levels import make_bot  # noqa: PLC0415

    make_bot(bot_spec)  # refuses an unknown bot before any game is played
    if placement is not None:
        wanted = list(opening_study.placement_tasks(placement, games, bot_spec, seed))
    else:
        chosen = runs or (opening_study.PLACEMENTS,)
        wanted = [task for run in chosen for task in opening_study.run_tasks(run, games, bot_spec, seed)]
    opening_study.check_options(wanted)
    file = opening_study.StudyFile(out, bot_spec, seed)
    missing = file.missing_tasks(wanted)
    begin = time.monotonic()
    with (
        open_small_runner(cluster, workers) as runner,
        closing(run_in_order(runner, opening_study.play_game, missing)) as played,
        click.progressbar(length=len(wanted), label="Games", show_pos=True) as bar,
    ):
        bar.update(len(wanted) - len(missing))
        for game in played:
            file.add(game)
            bar.update(1)
            if seconds_budget is not None and time.monotonic() - begin > seconds_budget:
                break
    click.echo(f"{out}: {len(file.done):,} games.")


@command.command("report")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="Write the statistics for the web page.")
@click.option("--docs", "docs_path", type=click.Path(path_type=Path), help="Write the documentation page.")
@click.option("--made-by", default="", metavar="COMMANDS", help="The commands to show on the page.")
def report(file: Path, json_path: Path | None, docs_path: Path | None, made_by: str) -> None:
    """Report the statistics of a study; FILE is the file that `play` wrote."""
    from realmtable.lab.openings.opening_report import add_titles, format_page  # noqa: PLC0415
    from realmtable.lab.openings.opening_statistics import summarise  # noqa: PLC0415 - keeps the help text fast
    from realmtable.lab.openings.opening_study import load_games  # noqa: PLC0415

    head, games = load_games(file)
    data = add_titles(summarise(head, games))
    commands = made_by or f"realmtable openings play --out {file.name} --bot {head['bot']} --seed {head['seed']}"
    data["commands"] = [*commands.splitlines(), f"realmtable openings report {file.name}"]
    if json_path is not None:
        write_text(json_path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")
    if docs_path is not None:
        write_text(docs_path, format_page(data, "\n".join(data["commands"])))
    click.echo(f"{len(games):,} games of {head['bot']}.")
    for each in data["findings"]:
        click.echo(f"\n{each['question']}\n  {each['answer']}")
