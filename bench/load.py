"""Load: many tables, each with two people and their open streams, on one server process with SQLite.

`python -m bench.load` runs all of it, ends by itself and writes docs/load.md; a part alone writes nothing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
import uvloop

from bench import load_boardgameio
from bench.http_client import RequestFailed
from bench.load_boardgameio import Skipped
from bench.load_players import LoadRun
from bench.load_report import Figures, format_row, ratio_table, table
from bench.server_process import describe_machine, raise_file_limit, run_server

PAGE = Path(__file__).parent.parent / "docs" / "load.md"
MOVES_PER_TABLE_S = 0.3  # one move in 3.3 seconds at every table: brisk people
PICTURES_SHARE = 4  # a browser's run has so many times fewer tables
PARTS = ("plain", "pictures", "peer")

INTRODUCTION = """\
Two guests with sessions of their own sit at every table, each with an open event stream (gzip, as browsers ask for
it) over real HTTP on the loopback. Who sees on its stream that it is its turn thinks until its time has come, posts
any legal move, and the clock of that move stops when the opponent's stream has shown the version after it. Steady
runs offer a fixed rate; in the others nobody thinks, so the delay is the length of the queue and the rate is the
limit. The server is `realmtable serve` as anybody starts it, one process with SQLite, every move on the disk
(`synchronous=FULL`) before anybody sees it; only the rate limits are off. Programs get plain scenes; browsers get
scenes with the drawn board. The measuring side runs on the same processors."""
PEER_TEXT = """\
{name} {version} plays its own tic-tac-toe in the same run on the same machine: its server as its documentation
starts it (one process, matches in memory, nothing on the disk), players with credentials, two websocket connections a
match, the same rates, moves and clocks. Matches that are over are followed by others that were opened before (they
are part of its memory). What is
compared is the whole way of a move from one person to the other. The work differs: {name} sends a state of a few
hundred bytes to be drawn by the reader, Realmtable a scene with every legal move, the moves list and the news, and it
waits for the disk."""


@click.command()
@click.option("--tables", type=click.IntRange(1, 20_000), default=1000, show_default=True, help="Two-player tables.")
@click.option("--seconds", type=click.FloatRange(0.5, 600), default=20.0, show_default=True, help="Time of each run.")
@click.option("--game", default="classic_realm", show_default=True, help="The game played.")
@click.option("--rate", type=click.FloatRange(0.1), help="Moves per second offered.  [default: 0.3 a table]")
@click.option("--only", type=click.Choice(PARTS), help="Run one part and write nothing.")
@click.option(
    "--peer-folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Install the peer here and leave it for the next time.",
)
def main(
    tables: int, seconds: float, game: str, rate: float | None, only: str | None, peer_folder: Path | None
) -> None:
    """Measure moves per second and the delay from a click to the opponent's stream, beside a named peer.

    Databases lie in the system's temporary folder meanwhile; TMPDIR names another, on another disk perhaps.
    """
    per_table = MOVES_PER_TABLE_S if rate is None else rate / tables
    parts = PARTS if only is None else (only,)
    try:
        raise_file_limit(4 * tables)  # every guest has a stream and a kept connection
        fewer = max(1, tables // PICTURES_SHARE)
        plain = measure_ours(game, tables, per_table, seconds, pictures=False) if "plain" in parts else []
        pictures = measure_ours(game, fewer, per_table, seconds, pictures=True) if "pictures" in parts else []
        peers, note = measure_peer(tables, per_table, seconds, peer_folder) if "peer" in parts else ([], "")
    except (RequestFailed, OSError) as error:
        raise click.ClickException(str(error)) from None
    if only is None:
        PAGE.write_text(page(plain, pictures, peers, note), encoding="utf-8")
        click.echo(f"Written to {PAGE.name}.", err=True)
    check_runs([*plain, *pictures])


def measure_ours(game: str, tables: int, per_table: float, seconds: float, *, pictures: bool) -> list[Figures]:
    """Our server: a steady run and one at the limit."""
    what = f"{game}, {'scenes with pictures' if pictures else 'plain scenes'}"

    async def run_both() -> list[Figures]:
        with tempfile.TemporaryDirectory(prefix="realmtable-load-") as place:
            async with run_server(Path(place), 2 * tables) as (port, pid):
                hall = LoadRun(port, game, pictures=pictures)
                try:
                    await _open_tables(hall, tables, what)
                    return [
                        report(await hall.measure(f"Realmtable, {what}", pid, rate, seconds))
                        for rate in (tables * per_table, None)
                    ]
                finally:
                    hall.close()

    return uvloop.run(run_both())


async def _open_tables(hall: LoadRun, tables: int, what: str) -> None:
    click.echo(f"Opening {tables:,} tables: {what} …", err=True)
    start = time.perf_counter()
    await hall.open(tables)
    click.echo(f"Opened in {time.perf_counter() - start:.1f} s.", err=True)


def measure_peer(tables: int, per_table: float, seconds: float, folder: Path | None) -> tuple[list[Figures], str]:
    """The peer in the same runs, and a paragraph on it; no figures where it cannot be run."""
    with tempfile.TemporaryDirectory(prefix="realmtable-peer-") as fresh:
        place = folder or Path(fresh)
        click.echo(f"Installing {load_boardgameio.NAME} …", err=True)
        try:
            version = load_boardgameio.install(place)
            found = uvloop.run(load_boardgameio.measure(place, tables, [tables * per_table, None], seconds))
        except Skipped as reason:
            click.echo(str(reason), err=True)
            return [], str(reason)
    for figures in found:
        report(figures)
    return found, " ".join(PEER_TEXT.format(name=load_boardgameio.NAME, version=version).split())


def report(figures: Figures) -> Figures:
    """Say what was found, at once."""
    click.echo(format_row(figures))
    if figures.client_cpu is not None:
        click.echo(f"(The measuring side used {figures.client_cpu:.2f} processors.)", err=True)
    for reason, times in figures.errors.items():
        click.echo(f"Error, {times} times: {reason}", err=True)
    return figures


def check_runs(runs: Sequence[Figures]) -> None:
    """End with a complaint where something went wrong."""
    if any(figures.errors or not figures.delays_s for figures in runs):
        raise click.ClickException("There were errors; the figures do not count.")
    if not all(figures.keeps_up for figures in runs):
        click.echo("The server did not keep up with the moves offered.", err=True)


def page(plain: Sequence[Figures], pictures: Sequence[Figures], peers: Sequence[Figures], note: str) -> str:
    """The page of a whole run."""
    seconds, tables, offered = plain[0].seconds, plain[0].tables, plain[0].offered_per_s
    rate = "" if offered is None else f" --rate {offered:g}"
    made = (
        f"Made by `python -m bench.load --tables {tables} --seconds {seconds:.0f}{rate}` on {describe_machine()}, "
        f"Python {'.'.join(map(str, sys.version_info[:3]))}, commit `{current_commit()}`, {datetime.now(UTC).date()}. "
        "Delays are from click to the opponent's stream; CPU is of the server alone, in processors."
    )
    parts = ["# Load", made, " ".join(INTRODUCTION.split()), table([*plain, *pictures, *peers]), note]
    if peers:
        parts += [ratio_table(plain, peers, load_boardgameio.NAME)]
    return "\n\n".join(parts) + "\n"


def current_commit() -> str:
    """The commit measured."""
    try:
        result = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)  # noqa: S607
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return result.stdout.strip()


if __name__ == "__main__":
    main()
