"""Load test: many tables, each with two players and their open streams, on one server process or on several.

`python -m bench.load` runs everything and writes docs/host/load.md; running one part writes nothing.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
import uvloop

from bench.load import peer
from bench.load.cluster import Load, inspect_services, measure_processes
from bench.load.players import SERVER, LoadRun
from bench.load.report import (
    Figures,
    cluster_table,
    compare_processes,
    format_cluster_row,
    format_row,
    ratio_table,
    table,
)
from bench.measure import describe_run
from bench.server.http_client import RequestFailed
from bench.server.process import raise_file_limit, run_server
from bench.server.usage import read_usage

PAGE = Path(__file__).parents[2] / "docs" / "host" / "load.md"
MOVES_PER_TABLE_S = 0.3  # one move every 3.3 seconds at each table: fast players
PICTURES_SHARE = 4  # the run with pictures has this many times fewer tables
PARTS = ("plain", "pictures", "peer", "cluster")
NEEDS_ADDRESSES = (
    'Several processes need PostgreSQL and Redis: give --database and --redis, or run `eval "$(.ci/services)"` first.'
)

INTRODUCTION = """\
Two guests with separate sessions sit at every table, each with the socket of a table's page, over the loopback
interface. When a guest's scene shows that it is their turn, they wait until the move is due and send a random legal
move; its delay ends when the opponent has received the change. Steady runs offer a fixed rate; in the other runs nobody
waits, so the delay is the length of the queue and the rate is the maximum. The server is `realmtable serve` with its
defaults: one process with SQLite, and every move is on disk (`synchronous=FULL`) before anyone sees it; only the rate
limits are off. Plain scenes are those for programs; scenes with pictures contain the parts of the board's picture, as
browsers draw it. Both are sent as changes. The clients run on the same processors."""
PEER_TEXT = """\
{name} {version} plays its tic-tac-toe in the same run on the same machine: its server as started in its documentation
(one process, matches in memory, nothing on disk), players with credentials, two websocket connections per match, and
the same rates, moves and clocks. When a match is over, the players continue in another that was opened in advance (and
counts towards its memory). The comparison covers the whole path of a move from one player to the other. The work
differs: {name} sends a state of a few hundred bytes for the client to draw; Realmtable sends a scene with every legal
move, the move list and the news, and waits for the disk."""

CLUSTER_TEXT = """\
The same players with plain scenes, on {services}: first one server process, then several that share a port
(`realmtable serve --processes`), each time with a new database. Any process can have any connection, so the players of
a table often use different processes: every move is stored in PostgreSQL, and Redis sends it to the other process,
which applies it and makes its own scenes. Server figures are sums over all server processes and their workers.
The servers, PostgreSQL, Redis and the clients share {cores} cores, so the processor time of a move says more about
several machines than the maximum rate does."""


@dataclass(frozen=True)
class ClusterRuns:
    """The runs on PostgreSQL and Redis by their number of processes, and a paragraph on them."""

    runs: Mapping[int, Sequence[Figures]] = field(default_factory=dict)
    note: str = ""


@click.command()
@click.option("--tables", type=click.IntRange(1, 20_000), default=1000, show_default=True, help="Two-player tables.")
@click.option("--seconds", type=click.FloatRange(0.5, 600), default=20.0, show_default=True, help="Seconds per run.")
@click.option("--game", default="classic_realm", show_default=True, help="The game to play.")
@click.option("--rate", type=click.FloatRange(0.1), help="Moves per second to offer.  [default: 0.3 per table]")
@click.option("--only", type=click.Choice(PARTS), help="Run one part without writing the page.")
@click.option(
    "--peer-folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Install the peer here and keep it for the next run.",
)
@click.option(
    "--processes",
    type=click.IntRange(2, 64),
    default=2,
    show_default=True,
    help="Server processes on PostgreSQL and Redis; one process is measured first.",
)
@click.option(
    "--database",
    metavar="URL",
    envvar="REALMTABLE_TEST_DATABASE_URL",
    help="PostgreSQL for several processes, with a role that may create databases.  [REALMTABLE_TEST_DATABASE_URL]",
)
@click.option(
    "--redis",
    metavar="URL",
    envvar="REALMTABLE_TEST_REDIS_URL",
    help="Redis for several processes.  [REALMTABLE_TEST_REDIS_URL]",
)
def main(  # noqa: PLR0913, PLR0917 - one for each option
    tables: int,
    seconds: float,
    game: str,
    rate: float | None,
    only: str | None,
    peer_folder: Path | None,
    processes: int,
    database: str | None,
    redis: str | None,
) -> None:
    """Measure moves per second and the delay from a click to the opponent's page, against a named peer.

    Databases are created in the system's temporary folder; set TMPDIR to use another folder or disk. The runs with
    several processes need PostgreSQL and Redis and are skipped without them.
    """
    if only == "cluster" and not (database and redis):
        raise click.UsageError(NEEDS_ADDRESSES)
    per_table = MOVES_PER_TABLE_S if rate is None else rate / tables
    parts = PARTS if only is None else (only,)
    try:
        raise_file_limit(4 * tables)  # a stream and a keep-alive connection per guest
        fewer = max(1, tables // PICTURES_SHARE)
        plain = measure_ours(game, tables, per_table, seconds, pictures=False) if "plain" in parts else []
        pictures = measure_ours(game, fewer, per_table, seconds, pictures=True) if "pictures" in parts else []
        peers, note = measure_peer(tables, per_table, seconds, peer_folder) if "peer" in parts else ([], "")
        cluster = ClusterRuns()
        if "cluster" in parts:
            load = Load(game, fewer, (fewer * per_table, None), seconds)
            cluster = measure_cluster(database, redis, processes, load)
    except (RequestFailed, OSError) as error:
        raise click.ClickException(str(error)) from None
    if only is None:
        PAGE.write_text(page(plain, pictures, peers, note, cluster), encoding="utf-8")
        click.echo(f"Wrote {PAGE.name}.", err=True)
    check_runs([*plain, *pictures, *(figures for some in cluster.runs.values() for figures in some)])


def measure_ours(game: str, tables: int, per_table: float, seconds: float, *, pictures: bool) -> list[Figures]:
    """Measure our server: a steady run and one at the limit."""
    what = f"{game}, {'scenes with pictures' if pictures else 'plain scenes'}"

    async def run_both() -> list[Figures]:
        with tempfile.TemporaryDirectory(prefix="realmtable-load-") as place:
            async with run_server(Path(place), 2 * tables) as (port, pid):
                load_run = LoadRun(port, game, pictures=pictures)
                try:
                    await _open_tables(load_run, tables, what)
                    return [
                        report(
                            await load_run.measure(
                                f"Realmtable, {what}", lambda: {SERVER: read_usage(pid)}, rate, seconds
                            )
                        )
                        for rate in (tables * per_table, None)
                    ]
                finally:
                    load_run.close()

    return uvloop.run(run_both())


async def _open_tables(load_run: LoadRun, tables: int, what: str) -> None:
    click.echo(f"Opening {tables:,} tables: {what} …", err=True)
    start = time.perf_counter()
    await load_run.open(tables)
    click.echo(f"Opened in {time.perf_counter() - start:.1f} s.", err=True)


def measure_peer(tables: int, per_table: float, seconds: float, folder: Path | None) -> tuple[list[Figures], str]:
    """Measure the peer in the same runs; return its figures, none if it cannot run here, and a paragraph on it."""
    with tempfile.TemporaryDirectory(prefix="realmtable-peer-") as fresh:
        place = folder or Path(fresh)
        click.echo(f"Installing {peer.NAME} …", err=True)
        try:
            version = peer.install(place)
            runs = uvloop.run(peer.measure(place, tables, [tables * per_table, None], seconds))
        except peer.Skipped as reason:
            click.echo(str(reason), err=True)
            return [], str(reason)
    for figures in runs:
        report(figures)
    return runs, " ".join(PEER_TEXT.format(name=peer.NAME, version=version).split())


def measure_cluster(database: str | None, redis: str | None, processes: int, load: Load) -> ClusterRuns:
    """Measure one server process and several, one after the other; return a note instead if they cannot run here."""
    if not (database and redis):
        click.echo(NEEDS_ADDRESSES, err=True)
        return ClusterRuns(note="Several processes were not measured: PostgreSQL or Redis was missing.")
    services = uvloop.run(inspect_services(database, redis))
    runs: dict[int, Sequence[Figures]] = {}
    for count in (1, processes):
        click.echo(f"Opening {load.tables:,} tables on PostgreSQL and Redis, server processes: {count} …", err=True)

        def show(figures: Figures, count: int = count) -> None:
            report(figures, format_cluster_row(figures, count))

        runs[count] = uvloop.run(measure_processes(services, count, load, show))
    about = CLUSTER_TEXT.format(services=services.description, cores=os.cpu_count())
    return ClusterRuns(runs, " ".join(about.split()))


def report(figures: Figures, row: str = "") -> Figures:
    """Print the figures at once, and return them."""
    click.echo(row or format_row(figures))
    if figures.client_cpu is not None:
        click.echo(f"(The clients used {figures.client_cpu:.2f} processors.)", err=True)
    for reason, times in figures.errors.items():
        click.echo(f"Error, {times} times: {reason}", err=True)
    return figures


def check_runs(runs: Sequence[Figures]) -> None:
    """Fail if a run had errors, and warn if the server did not keep up."""
    if any(figures.errors or not figures.delays_s for figures in runs):
        raise click.ClickException("There were errors; the figures are invalid.")
    if not all(figures.keeps_up for figures in runs):
        click.echo("The server did not keep up with the offered moves.", err=True)


def page(
    plain: Sequence[Figures],
    pictures: Sequence[Figures],
    peers: Sequence[Figures],
    note: str,
    cluster: ClusterRuns,
) -> str:
    """Return the page for a complete run."""
    seconds, tables, offered = plain[0].seconds, plain[0].tables, plain[0].offered_per_s
    rate = "" if offered is None else f" --rate {offered:g}"
    processes = f" --processes {max(cluster.runs)}" if cluster.runs else ""
    made = (
        f"Made by `python -m bench.load --tables {tables} --seconds {seconds:.0f}{rate}{processes}` "
        f"on {describe_run()}. "
        "Delays run from a click to the opponent's page; CPU is the server's, in processors."
    )
    parts = ["# Load", made, " ".join(INTRODUCTION.split()), table([*plain, *pictures, *peers]), note]
    if peers:
        parts += [ratio_table(plain, peers, peer.NAME)]
    parts += ["## Several processes", cluster.note]
    if cluster.runs:
        parts += [cluster_table(cluster.runs), compare_processes(cluster.runs)]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
