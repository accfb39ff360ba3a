"""Run every known attack against servers on the loopback interface, each with a time limit: `make abuse`.

Each attack gets a fresh server with the default limits and reports how another user was affected. The table of results
goes to docs/host/abuse.md; `--only` runs some and writes nothing. The exit status is 1 if an attack was not held.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import click
import httpx

from bench.attacks import accounts, bot_queue, disk_fill, floods, memory, record_import, secret_bids, sockets, streams
from bench.measure import describe_run
from bench.server.http_client import RequestFailed
from bench.server.process import HOST, raise_file_limit, run_server

PAGE = Path(__file__).parents[2] / "docs" / "host" / "abuse.md"
TIMEOUT_S = 180.0  # for one attack
STREAMS = 1_000
INTRODUCTION = """\
Each attack runs against `realmtable serve` with the default limits and a fresh database. Attackers and bystanders come
from different addresses. *Before* is what an outside check had found, *now* is what this run measured, and *bound* is
the most that is acceptable. The clients run on the same processors, so delays are overestimated."""

Figures = Mapping[str, Any]


class Server(NamedTuple):
    """The address, process and database of a server under attack."""

    url: str
    port: int
    pid: int
    database_url: str


@dataclass(frozen=True)
class Attack:
    """An attack: how to run it, its acceptable effect, and its effect before the fixes."""

    name: str
    run: Callable[[Server], Awaitable[Figures]]
    holds: Callable[[Figures], bool]
    describe: Callable[[Figures], str]
    before: str
    bound: str
    settings: Mapping[str, str] = field(default_factory=dict)
    limit_s: float = TIMEOUT_S


class Result(NamedTuple):
    """The result of an attack."""

    attack: Attack
    now: str
    is_held: bool
    seconds: float


def _record_attack(name: str, before: str) -> Attack:
    """Return an attack of `record_import` by name; while it runs, a bystander views and opens tables."""

    async def run(server: Server) -> Figures:
        impact = await record_import.measure(server.port, name)
        return {"worst_ms": max(impact.worst_ms, impact.open_table_ms), "answered": impact.answered}

    return Attack(
        name.replace("_", " "),
        run,
        lambda figures: figures["worst_ms"] <= record_import.BOUND_MS,
        lambda figures: f"{figures['worst_ms']:,.0f} ms (attacker: {figures['answered']})",
        before,
        f"{record_import.BOUND_MS:,.0f} ms for others",
    )


FLOOD_S = 20.0
ROUTE_S = 2.0
MAX_RATIO = 3.0  # of a bystander's median delay
MAX_BUSY_RATIO = 5.0  # for floods of what everybody at a table does
MAX_GROWTH_MIB = 100.0
BUSY_FLOODS = ("chat", "guests", "bot tables")
BUSY_ROUTES = ("POST /api/tables/{table_id}/chat", "POST /api/me", "POST /api/tables")
FLOODS_BEFORE = {
    "broken JSON": "9×, 207 MiB more in 5 s",
    "escapes": "494×",
    "many keys": "726×",
    "unknown pages": "36×",
    "large valid bodies": "39×",
    "expensive pages": "75×",
    "misspelt cards": "never limited",
    "chat": "8.6×",
    "guests": "13×",
    "bot tables": "11×",
    "networks of one IPv6 site": "all limits passed",
}


def _flood_attack(name: str, seconds: float) -> Attack:
    """Return an attack of `floods` by name; while it runs, a bystander plays."""
    most = MAX_BUSY_RATIO if name in BUSY_FLOODS else MAX_RATIO

    async def run(server: Server) -> Figures:
        flood = await floods.FLOODS[name](server.url)
        impact = await floods.measure(server.url, server.pid, flood, seconds)
        return {**impact._asdict(), "ratio": impact.ratio}

    return Attack(
        f"a flood of {name}",
        run,
        lambda got: got["ratio"] <= most and got["grew_mib"] <= MAX_GROWTH_MIB,
        _describe_impact,
        FLOODS_BEFORE[name],
        f"{most:.0f}×, {MAX_GROWTH_MIB:.0f} MiB",
        limit_s=seconds + TIMEOUT_S,
    )


def _describe_impact(got: Figures) -> str:
    return (
        f"{got['ratio']:.1f}× ({got['quiet_ms']:.1f} to {got['busy_ms']:.1f} ms, worst {got['worst_ms']:,.0f} ms),"
        f" {max(0, got['grew_mib']):.0f} MiB more; attacker: {floods.format_statuses(got['statuses'])}"
    )


async def _flood_sockets(server: Server) -> Figures:
    impact = await sockets.flood_messages(server.url, server.pid, FLOOD_S)
    return {**impact._asdict(), "ratio": impact.ratio}


async def _flood_routes(server: Server) -> Figures:
    impacts, grew_mib = await floods.flood_routes(server.url, server.pid, ROUTE_S)
    over = [
        impact for impact in impacts if impact.ratio > (MAX_BUSY_RATIO if impact.route in BUSY_ROUTES else MAX_RATIO)
    ]
    return {"over": over, "impacts": impacts, "grew_mib": grew_mib}


def _describe_routes(figures: Figures) -> str:
    over = figures["over"] or figures["impacts"][:1]
    named = ", ".join(f"`{impact.route}` {impact.ratio:.1f}×" for impact in over)
    return f"{len(figures['impacts'])} routes; {named}; {max(0, figures['grew_mib']):.0f} MiB more"


RECORDS_BEFORE = {
    "one_record_of_nested_variations": "180 s",
    "eight_records_of_joined_words": "102 s",
    "long_lines_explored": "916 ms",
}
ATTACKS: tuple[Attack, ...] = (
    *(_flood_attack(name, FLOOD_S) for name in floods.FLOODS),
    Attack(
        "every route with its largest body",
        _flood_routes,
        lambda got: not got["over"] and got["grew_mib"] <= MAX_GROWTH_MIB,
        _describe_routes,
        "–",
        f"{MAX_RATIO:.0f}× ({MAX_BUSY_RATIO:.0f}× for chat, guests and tables of bots), {MAX_GROWTH_MIB:.0f} MiB",
        limit_s=1800,
    ),
    *(_record_attack(name, RECORDS_BEFORE.get(name, "–")) for name in record_import.ATTACKS),
    Attack(
        "a member is signed out while a thief holds a session, a token and a stream",
        lambda server: accounts.revoke_sessions(server.url, server.database_url),
        lambda got: max(got["session_s"], got["token_s"], got["stream_s"]) <= 2 and got["new_token"] >= 400,
        lambda got: (
            f"session {got['session_s']:.1f} s, token {got['token_s']:.1f} s, stream {got['stream_s']:.1f} s;"
            f" a new token: {got['new_token']}"
        ),
        "601 s, and a new token",
        "2 s, no new token",
    ),
    Attack(
        "sixty watched tables of strong bots",
        lambda server: bot_queue.flood_bots(server.url),
        lambda got: got["worst_s"] <= 10,
        lambda got: f"a level-1 bot answers in {got['quiet_s']:.1f} s alone, {got['worst_s']:.1f} s at worst",
        "43 s",
        "10 s, one search",
        {"bot_workers": "2"},
    ),
    Attack(
        "ten unwatched tables of bots",
        lambda server: bot_queue.open_unwatched_bots(server.url),
        lambda got: got["steps_unwatched"] == 0 and got["resumed_s"] <= 10,
        lambda got: f"{got['steps_unwatched']} steps; once watched, one resumes after {got['resumed_s']:.1f} s",
        "they kept playing",
        "no step",
    ),
    Attack(
        "thirty analyses by one guest",
        lambda server: bot_queue.flood_analyses(server.url),
        lambda got: got["ahead"] <= 2,
        lambda got: f"{got['ahead']} ahead of another guest's, which starts after {got['begun_s']:.1f} s",
        "30 ahead",
        "at most 2 ahead",
    ),
    Attack(
        "forty evaluations at once from one address",
        lambda server: bot_queue.flood_board(server.url),
        lambda got: got["status"] == 200 and got["felt_s"] <= 15,
        lambda got: f"another guest's evaluation takes {got['felt_s']:.1f} s ({got['status']})",
        "–",
        "15 s",
    ),
    Attack(
        "one address hoards streams",
        lambda server: streams.hold_streams(server.url, STREAMS),
        lambda got: not got["player_refused"] and got["held"] <= 200,
        lambda got: f"{got['held']:.0f} of {got['asked']:.0f} held; a player elsewhere gets a stream",
        "5,040 held, a player refused",
        "200 held, no player refused",
    ),
    Attack(
        "a flood of messages over sockets",
        _flood_sockets,
        lambda got: got["ratio"] <= MAX_BUSY_RATIO and got["grew_mib"] <= MAX_GROWTH_MIB,
        _describe_impact,
        "–",
        f"{MAX_BUSY_RATIO:.0f}×, {MAX_GROWTH_MIB:.0f} MiB",
    ),
    Attack(
        "a hundred sockets whose clients vanish",
        lambda server: sockets.leave_sockets_half_open(server.url),
        lambda got: got["silent"] == 0 and got["unfinished"] == 0,
        lambda got: f"{got['silent']:.0f} silent and {got['unfinished']:.0f} unfinished ones still open after 45 s",
        "–",
        "none open",
    ),
    Attack(
        "two thousand idle sockets",
        lambda server: sockets.hold_idle_sockets(server.url, server.pid),
        lambda got: got["sockets"] == 2000 and got["mib"] <= 400,
        lambda got: (
            f"{got['sockets']:.0f} held, {got['mib']:.0f} MiB in all; a player waits {got['worst_ms']:,.0f} ms at worst"
        ),
        "–",
        "400 MiB",
        {"limits_factor": "0", "max_streams": "5000", "max_streams_per_address": "5000", "address_limits": "off"},
    ),
    Attack(
        "headers and URLs of 100 MiB",
        lambda server: streams.send_long_heads(server.url),
        lambda got: got["header_status"] >= 400 and got["address_status"] >= 400 and got["other_worst_s"] <= 2,
        lambda got: f"refused with {got['header_status']:.0f} and {got['address_status']:.0f}",
        "read completely",
        "refused",
    ),
    Attack(
        "two hundred connections that send one byte per second",
        lambda server: streams.send_slowly(server.url, seconds=15),
        lambda got: not any(value for name, value in got.items() if name.startswith("open_")),
        lambda got: f"{sum(value for name, value in got.items() if name.startswith('open_')):.0f} still open",
        "all open",
        "none open",
        {"request_limit_s": "8"},
    ),
    Attack(
        "four guests store the longest possible records",
        lambda server: disk_fill.fill_disk(server.url, lasts_s=20),
        lambda got: got["stored_mib"] <= disk_fill.BOUND_MIB and got["refused"] > 0,
        lambda got: f"{got['stored_mib']:.0f} MiB, then refused",
        "120 MB in 7 s",
        f"{disk_fill.BOUND_MIB:.0f} MiB per day",
    ),
    Attack(
        "150 tables of 25 steps with a budget of 16 MiB",
        lambda server: memory.fill_memory(server.url, server.pid),
        lambda got: got["estimated_mib"] <= memory.BUDGET_MIB + 1 and got["intact"] == got["tables"],
        lambda got: (
            f"{got['estimated_mib']:.0f} MiB of tables in memory, {got['evicted']:.0f} evicted,"
            f" {got['intact']:.0f} intact"
        ),
        "1.1 MiB per table, up to 5.5 GB",
        "the budget, all intact",
        {"limits_factor": "0", "memory_mib": str(memory.BUDGET_MIB)},
    ),
    Attack(
        "sixty wrong passwords for one name",
        lambda server: accounts.guess_passwords(server.url),
        lambda got: got["known_device"] == 200 and got["new_device"] == 200 and got["refused"] > 0,
        lambda got: (
            f"{got['refused']} refused; the owner's browser gets {got['known_device']}, a new one {got['new_device']}"
        ),
        "the owner was locked out",
        "the owner can sign in",
    ),
    Attack(
        "rated games by new guests and from custom positions",
        lambda server: accounts.buy_ratings(server.url),
        lambda got: got["opened"] == 0 and got["on_the_list"] == 0,
        lambda got: f"{got['opened']} opened, {got['refused']} refused",
        "first place",
        "none opened",
    ),
    Attack(
        "a Cyrillic name that looks like another player's",
        lambda server: accounts.claim_lookalike(server.url),
        lambda got: 400 <= got["lookalike"] < 500,
        lambda got: f"{got['lookalike']}",
        "accepted",
        "refused",
    ),
    Attack(
        "a spectator listens for twenty secret bids",
        lambda server: secret_bids.listen_for_bids(server.url),
        lambda got: got["events"] == 0 and got["fields_changed"] == 0,
        lambda got: f"{got['events']} events, {got['fields_changed']} fields changed",
        "20 events, naming the bidder",
        "nothing",
    ),
)


@click.command()
@click.option("--only", multiple=True, help="Run the attacks whose names contain this, and write nothing.")
@click.option("--minutes", type=float, help="Run only floods, each for this long, and write nothing.")
@click.option("--list", "names_only", is_flag=True, help="Print the names of the attacks.")
def main(only: Sequence[str], minutes: float | None, names_only: bool) -> None:
    """Attack servers started on this machine, and report how other users were affected."""
    attacks = ATTACKS if minutes is None else [_flood_attack(name, 60 * minutes) for name in floods.FLOODS]
    chosen = [attack for attack in attacks if not only or any(part in attack.name for part in only)]
    if names_only or not chosen:
        click.echo("\n".join(attack.name for attack in ATTACKS))
        sys.exit(0 if names_only else 2)
    raise_file_limit(4 * STREAMS)
    results = asyncio.run(run_attacks(chosen))
    if not only and minutes is None:
        PAGE.write_text(page(results), encoding="utf-8")
        click.echo(f"Wrote {PAGE.name}.", err=True)
    sys.exit(not all(result.is_held for result in results))


async def run_attacks(attacks: Sequence[Attack]) -> list[Result]:
    """Run each attack against a fresh server and print its row."""
    click.echo(HEAD)
    results = []
    for attack in attacks:
        results.append(await run_attack(attack))
        click.echo(format_row(results[-1]))
    return results


async def run_attack(attack: Attack) -> Result:
    """Run one attack. An attack that fails or times out counts as not held."""
    start = time.perf_counter()
    defaults = {"limits_factor": "1", "compile_bots": "off", "trust_proxy": "on", "max_streams_per_address": "200"}
    defaults["address_limits"] = "on"  # as on a public server
    with tempfile.TemporaryDirectory(prefix="realmtable-abuse-") as place:
        async with run_server(Path(place), STREAMS, **{**defaults, **attack.settings}) as (port, pid):
            url, database_url = f"http://{HOST}:{port}", f"sqlite:///{Path(place) / 'tables.sqlite3'}"
            try:
                async with asyncio.timeout(attack.limit_s):
                    figures = await attack.run(Server(url, port, pid, database_url))
                now, is_held = attack.describe(figures), attack.holds(figures)
            except (RequestFailed, TimeoutError, OSError, KeyError, httpx.HTTPError) as error:
                now, is_held = f"failed: {type(error).__name__} {error}", False
    return Result(attack, now, is_held, time.perf_counter() - start)


# ---- the page

HEAD = "| attack | before | now | bound | |\n|---|---|---|---|---|"


def format_row(result: Result) -> str:
    """Format a result as a row of the table."""
    attack = result.attack
    verdict = "held" if result.is_held else "NOT HELD"
    return f"| {attack.name} | {attack.before} | {result.now} | {attack.bound} | {verdict} |"


def page(results: Sequence[Result]) -> str:
    """Return the page for a complete run."""
    made = (
        f"Made by `make abuse` on {describe_run()}, "
        f"in {sum(result.seconds for result in results) / 60:.0f} minutes; "
        f"the machine's 15-minute load average was {os.getloadavg()[2]:.1f}."
    )
    parts = ["# Abuse", made, " ".join(INTRODUCTION.split()), "\n".join([HEAD, *map(format_row, results)])]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
