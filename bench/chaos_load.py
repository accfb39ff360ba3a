"""Chaos Realms with seven at once: people over HTTP who trade as fast as they can, and bots who trade among themselves.

`python -m bench.chaos_load` runs all of it, ends by itself and writes docs/chaos-load.md; a part alone writes nothing.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import click
import orjson
import uvloop

from bench import chaos_trading_rules
from bench.chaos_players import SEATS, ChaosTable, Guest
from bench.http_client import RequestFailed
from bench.load import current_commit
from bench.load_report import Figures, format_time, usage_between
from bench.measure import format_rate
from bench.server_process import describe_machine, raise_file_limit, read_usage, run_server

PAGE = Path(__file__).parent.parent / "docs" / "chaos-load.md"
LIVELY_PER_S = 3.0  # actions of a lively person
MAX_LIMITED_TABLES = 7  # tables at which the limit on new guests from one address lets seven sit down, and one more
FLOOD_MOVES = 120  # steps that somebody sends at once
PARTS = ("people", "bots")

INTRODUCTION = """\
Seven guests with sessions of their own sit at every table, each with an open event stream (gzip, plain scenes) over
real HTTP on the loopback; the server is `realmtable serve` as anybody starts it. Everybody offers, bids, accepts,
refuses, takes back, is ready and comes back, half of the time with the newest card on offer; some steps are decided on
an old scene, some are nonsense, some are sent twice at once with one key. A delay runs from sending an offer until the
last of the seven streams has shown it. Lively people act three times a second, under the usual rate limits; the others
again as soon as they are answered, without limits."""
CHECKS_TEXT = """\
Checked from outside, after every public step that at least two of the seven were shown, and at the end: no card is in
two hands, no hand has more or fewer than seven cards, all 49 cards are there whenever all seven saw the same step, all
see the same market, a bid is of a card that its bidder holds, and when trading pauses only its bidder and the owner see
it; every refusal has status 409
or 422 (429 under limits), a code and a sentence; the record replays to the hands that the seven saw last and to the
same scores, and has exactly the steps that were answered with a yes."""
BOTS_TEXT = """\
The same {deals} deals to seven bots, with every rule on all seats; ± is half a 95 % interval of the paired difference.
A hand's worth is its score when trading ends, before the Necromancer's choice. *One after the other*: always the
first who is not ready is asked, as the server did before. *In turn*: who was asked longest ago, and after a change
who is ready too, as the server does now. A step takes 0.7 s at a live table, so {steps:.0f} steps take {minutes:.1f}
minutes of the five."""


@dataclass(frozen=True)
class RunResult:
    """What a run of people found."""

    figures: Figures
    offered: str  # how often everybody acts
    taken: int
    refused: Counter[str]
    joined: int
    compared: int
    flood: str = ""  # what the limits do to who sends many steps at once

    @property
    def moves_per_s(self) -> float:
        """Steps that were taken, per second."""
        return self.taken / self.figures.seconds


@click.command()
@click.option("--tables", type=click.IntRange(1, 500), default=4, show_default=True, help="Tables of seven people.")
@click.option("--seconds", type=click.FloatRange(0.5, 600), default=20.0, show_default=True, help="Time of each run.")
@click.option("--deals", type=click.IntRange(2, 10_000), default=100, show_default=True, help="Deals to seven bots.")
@click.option("--only", type=click.Choice(PARTS), help="Run one part and write nothing.")
@click.option("--bots", is_flag=True, help="The same as --only bots.")
def main(tables: int, seconds: float, deals: int, only: str | None, bots: bool) -> None:
    """Measure seven people at once, and what trading is worth to seven bots; check that no card is lost or doubled.

    Databases lie in the system's temporary folder meanwhile; TMPDIR names another.
    """
    part = "bots" if bots else only
    try:
        people = [] if part == "bots" else measure_people(tables, seconds)
    except (RequestFailed, OSError, TimeoutError) as error:
        raise click.ClickException(str(error) or type(error).__name__) from None
    rows = [] if part == "people" else chaos_trading_rules.rows(deals, lambda words: click.echo(words, err=True))
    if rows:
        click.echo(chaos_trading_rules.table(rows))
    if part is None:
        PAGE.write_text(page(people, rows, seconds), encoding="utf-8")
        click.echo(f"Written to {PAGE.name}.", err=True)
    if any(found.figures.errors for found in people):
        raise click.ClickException("There were faults; the figures do not count.")


# ---- people


def measure_people(tables: int, seconds: float) -> list[RunResult]:
    """Lively people under the usual limits, at one table and at several, and people who act as soon as they can."""
    raise_file_limit(4 * SEATS * tables)
    counts = sorted({1, min(tables, MAX_LIMITED_TABLES)})
    lively = [report(uvloop.run(run(count, seconds, LIVELY_PER_S, limited=True))) for count in counts]
    return [*lively, report(uvloop.run(run(tables, seconds, None, limited=False)))]


async def run(tables: int, seconds: float, rate: float | None, *, limited: bool) -> RunResult:
    """A server of its own, tables of seven who trade for a while, and what came of it."""
    with tempfile.TemporaryDirectory(prefix="realmtable-chaos-") as place:
        settings = {"limits_factor": str(int(limited)), "compile_bots": "off"}  # there are no bots
        async with run_server(Path(place), SEATS * (tables + 1), **settings) as (port, pid):
            parties = [ChaosTable(port, random.Random(number), limited=limited) for number in range(tables)]
            try:
                click.echo(f"Opening {tables} tables of seven …", err=True)
                for party in parties:
                    await party.open()
                found = await measure_trading(parties, pid, seconds, rate)
            finally:
                for party in parties:
                    party.close()
            return replace(found, flood=await measure_flood(port)) if limited else found


async def measure_trading(parties: Sequence[ChaosTable], pid: int, seconds: float, rate: float | None) -> RunResult:
    """Everybody trades at all tables, then all are ready and the checks are made."""
    before, start = read_usage(pid), time.perf_counter()
    await asyncio.gather(*(party.trade(seconds, rate) for party in parties))
    after, end = read_usage(pid), time.perf_counter()
    taken = sum(party.taken for party in parties)
    await asyncio.gather(*(party.finish() for party in parties))
    cpu, memory = usage_between(before, after, end - start)
    name = "people who act at once" if rate is None else "lively people"
    delays = tuple(delay for party in parties for delay in party.delays_s())
    errors = sum((party.faults for party in parties), Counter[str]())
    many = len(parties)
    figures = Figures(name, many, SEATS * many, None, end - start, delays, dict(errors), cpu, memory)
    return RunResult(
        figures,
        "as soon as answered" if rate is None else f"{rate:g} a second each",
        taken,
        sum((party.refused for party in parties), Counter[str]()),
        sum(party.checker.joined for party in parties),
        sum(party.checker.compared for party in parties),
    )


def report(found: RunResult) -> RunResult:
    """Say what was found, at once."""
    click.echo(format_row(found))
    if found.flood:
        click.echo(found.flood)
    for reason, times in found.figures.errors.items():
        click.echo(f"Fault, {times} times: {reason}", err=True)
    return found


async def measure_flood(port: int) -> str:
    """What the usual limits do to somebody who sends many steps at once, as a sentence."""
    party = ChaosTable(port, random.Random(1), limited=True)
    try:
        await party.open()
        statuses = Counter(await asyncio.gather(*(_post_move(party.guests[0]) for _ in range(FLOOD_MOVES))))
    finally:
        party.close()
    return (
        f"Under the usual limits somebody who sends {FLOOD_MOVES} steps at once gets {statuses[429]} refused with 429 "
        f"and a sentence that says when to come back; {statuses[200] + statuses[409]} are looked at."
    )


async def _post_move(guest: Guest) -> int:
    body = {"version": guest.scene["version"], "move": guest.pick_move() or "ready", "key": f"flood-{random.random()}"}
    path = f"/api/tables/{guest.table.id}/moves"
    answer = await guest.session.pool.send("POST", path, guest.session.headers(), orjson.dumps(body))
    return answer.status


# ---- the page

HEAD = (
    "| run | tables | streams | actions | steps taken/s | refused/s | p50 | p95 | p99 | worst | faults | CPU | memory |"
    "\n|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def format_row(found: RunResult) -> str:
    """One run as a line of the table."""
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


def page(people: Sequence[RunResult], rows: Sequence[chaos_trading_rules.RuleResult], seconds: float) -> str:
    """The page of a whole run."""
    made = (
        f"Made by `python -m bench.chaos_load --tables {people[-1].figures.tables} --seconds {seconds:g} "
        f"--deals {len(rows[0].deals)}` on {describe_machine()}, Python {'.'.join(map(str, sys.version_info[:3]))}, "
        f"commit `{current_commit()}`, {datetime.now(UTC).date()}. CPU is of the server alone, in processors; "
        f"the machine's load over the last quarter of an hour was {os.getloadavg()[2]:.1f}."
    )
    refused = sum((found.refused for found in people), Counter[str]())
    kinds = ", ".join(f"{times:,} × {kind}" for kind, times in refused.most_common())
    joined, compared = sum(found.joined for found in people), sum(found.compared for found in people)
    counted = f"{joined:,} steps were seen by all seven, {compared:,} pairs of hands compared. Refusals: {kinds}."
    steps = sum(deal.steps for deal in rows[-1].deals) / len(rows[-1].deals)
    about = " ".join(BOTS_TEXT.split()).format(deals=len(rows[0].deals), steps=steps, minutes=steps * 0.7 / 60)
    parts = ["# Seven at once: Chaos Realms", made, "## People", " ".join(INTRODUCTION.split())]
    parts += [
        "\n".join([HEAD, *map(format_row, people)]),
        f"{' '.join(CHECKS_TEXT.split())} {counted}",
        people[0].flood,
    ]
    parts += ["## Bots", about, chaos_trading_rules.table(rows)]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
