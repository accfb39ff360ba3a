"""Load tests of Chaos Realms: seven players trading over HTTP as fast as they can, and seven bots trading.

`python -m studies.chaos_realms` runs everything and writes load.md; running one part writes nothing.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import orjson
import uvloop

from bench.load.report import Figures, format_time
from bench.measure import describe_run, format_rate
from bench.server.http_client import RequestFailed
from bench.server.process import raise_file_limit, run_server
from bench.server.usage import read_usage, usage_between
from studies.chaos_realms import trading_rules
from studies.chaos_realms.players import SEATS, ChaosTable, Guest

PAGE = Path(__file__).with_name("load.md")
LIVELY_PER_S = 3.0  # actions of a lively player
MAX_LIMITED_TABLES = 7  # the limit on new guests per address allows these and one more table of seven
FLOOD_MOVES = 120  # steps that one player sends at once
PARTS = ("people", "bots")

INTRODUCTION = """\
Seven guests with separate sessions sit at every table, each with an open event stream (gzip, plain scenes) over real
HTTP on the loopback interface; the server is `realmtable serve` with its defaults. All of them offer, bid, accept,
refuse, withdraw, declare themselves ready and come back, half of the time with the newest card on offer. Some steps are
based on an old scene, some are nonsense, some are sent twice at once with the same key. A delay runs from sending an
offer until the last of the seven streams has shown it. Lively players act three times a second, under the default rate
limits; eager players act as soon as they get a response, without limits."""
CHECKS_TEXT = """\
The clients check, after every public step that at least two of the seven saw, and at the end, that no card is in two
hands, no hand has more or fewer than seven cards, all 49 cards are present whenever all seven saw the same step, all
see the same market, a bid offers a card that its bidder holds, and, when trading pauses, only the bidder and the owner
see it; that every refusal has status 409 or 422 (429 under limits), a code and a sentence; and that the record replays
to the hands that the seven saw last and to the same scores, and contains exactly the steps that were accepted."""
BOTS_TEXT = """\
Seven bots play the same {deals} deals with each rule on all seats; ± is half the 95% interval of the paired difference.
A hand's worth is its score when trading ends, before the Necromancer's choice. *First bot first*: the first bot that is
not ready always acts, as on the server before. *In turn*: the bot that has waited longest acts, and after a change also
bots that are ready, as on the server now. A step takes 0.7 s at a live table, so {steps:.0f} steps take {minutes:.1f}
of the five minutes."""


@dataclass(frozen=True)
class RunResult:
    """The result of a run with players."""

    figures: Figures
    offered: str  # how often each player acts
    taken: int
    refused: Counter[str]
    joined: int
    compared: int
    flood: str = ""  # how the limits treat a player who sends many steps at once

    @property
    def moves_per_s(self) -> float:
        """Accepted steps per second."""
        return self.taken / self.figures.seconds


@click.command()
@click.option("--tables", type=click.IntRange(1, 500), default=4, show_default=True, help="Tables of seven players.")
@click.option("--seconds", type=click.FloatRange(0.5, 600), default=20.0, show_default=True, help="Seconds per run.")
@click.option("--deals", type=click.IntRange(2, 10_000), default=100, show_default=True, help="Deals to seven bots.")
@click.option("--only", type=click.Choice(PARTS), help="Run one part without writing the page.")
def main(tables: int, seconds: float, deals: int, only: str | None) -> None:
    """Measure tables of seven players and the value of trading to seven bots; check that no card is lost or duplicated.

    Databases are created in the system's temporary folder; set TMPDIR to use another.
    """
    try:
        people = [] if only == "bots" else measure_people(tables, seconds)
    except (RequestFailed, OSError, TimeoutError) as error:
        raise click.ClickException(str(error) or type(error).__name__) from None
    rows = [] if only == "people" else trading_rules.rows(deals, lambda words: click.echo(words, err=True))
    if rows:
        click.echo(trading_rules.table(rows))
    if only is None:
        PAGE.write_text(page(people, rows, seconds), encoding="utf-8")
        click.echo(f"Wrote {PAGE.name}.", err=True)
    if any(found.figures.errors for found in people):
        raise click.ClickException("There were faults; the figures are invalid.")


# ---- people


def measure_people(tables: int, seconds: float) -> list[RunResult]:
    """Measure lively players under the default limits, at one table and at several, and eager players."""
    raise_file_limit(4 * SEATS * tables)
    counts = sorted({1, min(tables, MAX_LIMITED_TABLES)})
    lively = [report(uvloop.run(run(count, seconds, LIVELY_PER_S, limited=True))) for count in counts]
    return [*lively, report(uvloop.run(run(tables, seconds, None, limited=False)))]


async def run(tables: int, seconds: float, rate: float | None, *, limited: bool) -> RunResult:
    """Start a server, let tables of seven trade for a while, and return the result."""
    with tempfile.TemporaryDirectory(prefix="realmtable-chaos-") as place:
        settings = {"limits_factor": str(int(limited)), "compile_bots": "off"}  # there are no bots
        async with run_server(Path(place), SEATS * (tables + 1), **settings) as (port, pid):
            opened = [ChaosTable(port, random.Random(number), limited=limited) for number in range(tables)]
            try:
                click.echo(f"Opening {tables} tables of seven …", err=True)
                for table in opened:
                    await table.open()
                found = await measure_trading(opened, pid, seconds, rate)
            finally:
                for table in opened:
                    table.close()
            return replace(found, flood=await measure_flood(port)) if limited else found


async def measure_trading(played: Sequence[ChaosTable], pid: int, seconds: float, rate: float | None) -> RunResult:
    """Trade at all tables, finish the games and run the checks."""
    before, start = read_usage(pid), time.perf_counter()
    await asyncio.gather(*(table.trade(seconds, rate) for table in played))
    after, end = read_usage(pid), time.perf_counter()
    taken = sum(table.taken for table in played)
    await asyncio.gather(*(table.finish() for table in played))
    cpu, memory = usage_between(before, after, end - start)
    name = "eager players" if rate is None else "lively players"
    delays = tuple(delay for table in played for delay in table.delays_s())
    errors = sum((table.faults for table in played), Counter[str]())
    tables = len(played)
    figures = Figures(name, tables, SEATS * tables, None, end - start, delays, dict(errors), cpu, memory)
    return RunResult(
        figures,
        "as soon as possible" if rate is None else f"{rate:g} per second each",
        taken,
        sum((table.refused for table in played), Counter[str]()),
        sum(table.checker.joined for table in played),
        sum(table.checker.compared for table in played),
    )


def report(found: RunResult) -> RunResult:
    """Print a result at once, and return it."""
    click.echo(format_row(found))
    if found.flood:
        click.echo(found.flood)
    for reason, times in found.figures.errors.items():
        click.echo(f"Fault, {times} times: {reason}", err=True)
    return found


async def measure_flood(port: int) -> str:
    """Return a sentence on how the default limits treat a player who sends many steps at once."""
    table = ChaosTable(port, random.Random(1), limited=True)
    try:
        await table.open()
        statuses = Counter(await asyncio.gather(*(_post_move(table.guests[0]) for _ in range(FLOOD_MOVES))))
    finally:
        table.close()
    return (
        f"Under the default limits, of {FLOOD_MOVES} steps that a player sends at once, {statuses[429]} are refused "
        f"with 429 and a sentence that says when to retry; {statuses[200] + statuses[409]} are processed."
    )


async def _post_move(guest: Guest) -> int:
    body = {"version": guest.scene["version"], "move": guest.pick_move() or "ready", "key": f"flood-{random.random()}"}
    path = f"/api/tables/{guest.table.id}/moves"
    answer = await guest.session.pool.send("POST", path, guest.session.headers(), orjson.dumps(body))
    return answer.status


# ---- the page

HEAD = (
    "| run | tables | streams | actions | steps/s | refused/s | p50 | p95 | p99 | worst | faults | CPU | memory |"
    "\n|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def format_row(found: RunResult) -> str:
    """Format a run as a row of the table."""
    figures = found.figures
    cells = [
        figures.name,
        str(figures.tables),
        str(figures.streams),
        found.offered,
        format_rate(found.moves_per_s),
        format_rate(found.refused.total() / figures.seconds),
        *(format_time(figures.quantile(share)) for share in (0.5, 0.95, 0.99, 1.0)),
        str(sum(figures.errors.values())),
        "–" if figures.cpu is None else f"{figures.cpu:.2f}",
        "–" if figures.memory is None else f"{figures.memory / 2**20:,.0f} MiB",
    ]
    return f"| {' | '.join(cells)} |"


def page(people: Sequence[RunResult], rows: Sequence[trading_rules.RuleResult], seconds: float) -> str:
    """Return the page for a complete run."""
    made = (
        f"Made by `python -m studies.chaos_realms --tables {people[-1].figures.tables} --seconds {seconds:g} "
        f"--deals {len(rows[0].deals)}` on {describe_run()}. CPU is the server's, in processors; "
        f"the machine's 15-minute load average was {os.getloadavg()[2]:.1f}."
    )
    refused = sum((found.refused for found in people), Counter[str]())
    kinds = ", ".join(f"{times:,} × {kind}" for kind, times in refused.most_common())
    joined, compared = sum(found.joined for found in people), sum(found.compared for found in people)
    counted = f"All seven saw {joined:,} steps; {compared:,} pairs of hands were compared. Refusals: {kinds}."
    steps = sum(deal.steps for deal in rows[-1].deals) / len(rows[-1].deals)
    about = " ".join(BOTS_TEXT.split()).format(deals=len(rows[0].deals), steps=steps, minutes=steps * 0.7 / 60)
    parts = ["# Chaos Realms under load", made, "## Players", " ".join(INTRODUCTION.split())]
    parts += [
        "\n".join([HEAD, *map(format_row, people)]),
        f"{' '.join(CHECKS_TEXT.split())} {counted}",
        people[0].flood,
    ]
    parts += ["## Bots", about, trading_rules.table(rows)]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
