"""Replays run in other threads, a few at once per person, with the same results as here."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from random import Random

import orjson
import pytest

from realmtable.engine import registry
from realmtable.engine.errors import BadRecord, IllegalMove
from realmtable.engine.match import Match
from realmtable.engine.record import MAX_STEPS, Record, load_record
from realmtable.server.accounts.rate_limits import DEFAULTS, Limits
from realmtable.server.errors import RateLimited, TooLarge, Unavailable
from realmtable.server.fair_queue import Requester
from realmtable.server.tables.replays import replay_tasks, replay_views
from realmtable.server.tables.scenes.moment import match_at, moment
from realmtable.server.workers import replay_pool
from realmtable.server.workers.replay_pool import (
    MAX_CONCURRENT_PER_ADDRESS,
    MAX_CONCURRENT_PER_PERSON,
    MAX_WAITING,
    ReplayPool,
)
from tests.server.support.worker_tasks import end, process_id, refuse_move, refuse_record, sleep

pytestmark = pytest.mark.anyio

LONG = max(registry.infos(), key=lambda info: info.max_steps)
ANN, BOB, EVE = Requester("192.0.2.1", "ann"), Requester("192.0.2.1", "bob"), Requester("192.0.2.9", "eve")
GAMES = [
    "realm",
    "classic_realm",
    "medieval_realm",
    "oriental_realm",
    pytest.param("modern_realm", marks=pytest.mark.slow),
    "fantasy_realms",
]


def play_on(game_id: str, steps: int) -> Match:
    """A match after some random steps."""
    game, rng = registry.game(game_id), Random(4)
    match = Match.start(game, game.initial(2), seed="s")
    while len(match.log()) < steps and (acting := game.to_move(match.state)):
        match = match.play(acting[0], rng.choice(game.legal_moves(match.state, acting[0])))
    return match


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def processes() -> AsyncIterator[ReplayPool]:
    """One pool of real processes for all tests here."""
    pool = ReplayPool(1, Limits(factor=0))
    await pool.start()
    yield pool
    await pool.close()


async def test_starting_a_pool_that_is_already_closed_is_no_error() -> None:
    pool = ReplayPool(1, Limits(factor=0))
    await pool.close()
    await pool.start()
    with pytest.raises(Unavailable, match=r"^The server is shutting down\.$"):
        await pool.run(ANN, 1, process_id)


@pytest.mark.long
async def test_quick_work_does_not_wait_for_the_start_of_its_process() -> None:
    pool = ReplayPool(1, Limits(factor=0))
    async with asyncio.TaskGroup() as tasks:
        start = tasks.create_task(pool.start())
        await asyncio.sleep(0)
        assert await pool.run(ANN, 1, process_id) == os.getpid()
        assert not start.done()
    assert await pool.run(ANN, 1, process_id) != os.getpid()
    await pool.close()


@pytest.mark.long
async def test_work_runs_in_other_processes_quick_and_long_apart(processes: ReplayPool) -> None:
    quick, long = await processes.run(ANN, 1, process_id), await processes.run_long(ANN, 1, process_id)
    assert len({quick, long, os.getpid()}) == 3
    assert await processes.run(None, 0, process_id) == quick


async def test_refusals_come_back_with_all_their_facts(processes: ReplayPool) -> None:
    with pytest.raises(IllegalMove, match=r"^One event a piece\. \(R10\)$") as illegal:
        await processes.run(ANN, 1, refuse_move)
    assert illegal.value.clause == "R10"
    with pytest.raises(BadRecord, match=r"^Line 7: No such turn\.$") as bad:
        await processes.run(ANN, 1, refuse_record)
    assert bad.value.line == 7


@pytest.mark.long
async def test_a_process_that_ends_is_no_fault_of_the_next(processes: ReplayPool) -> None:
    with pytest.raises(Unavailable):
        await processes.run(ANN, 1, end)
    assert await processes.run(ANN, 1, process_id) != os.getpid()


@pytest.mark.long
async def test_what_takes_too_long_is_given_up(processes: ReplayPool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert processes._quick is not None
    monkeypatch.setattr(processes._quick, "limit_s", 0.3)
    with pytest.raises(TooLarge, match="shorter"):
        await processes.run(ANN, 1, sleep, 600)


@pytest.mark.long
async def test_the_real_work_says_elsewhere_what_it_says_here(processes: ReplayPool) -> None:
    match = play_on("realm", 30)
    text = Record.from_match(match).text()
    assert await processes.run_long(ANN, 1, replay_tasks.check_record, text) == replay_tasks.check_record(text)
    opened = await processes.run_long(ANN, 1, replay_tasks.load_stored_record, "r", text)
    assert opened == replay_tasks.load_stored_record("r", text)
    explored = await processes.run(ANN, 1, replay_tasks.explore_json, "realm", None, ["Bh11"])
    assert orjson.loads(explored) == replay_views.explore("realm", None, ["Bh11"])
    for refused in ("Game: realm\n\n1. Zz9", "Game: nothing\n"):
        with pytest.raises(BadRecord) as here:
            replay_tasks.check_record(refused)
        with pytest.raises(BadRecord) as there:
            await processes.run_long(ANN, 1, replay_tasks.check_record, refused)
        assert (str(here.value), here.value.line) == (str(there.value), there.value.line)


# ---- places and costs


class Gate:
    """Work in threads that waits to be let through."""

    def __init__(self) -> None:
        self.running: list[str] = []
        self.open = False

    def pass_through(self, name: str) -> None:
        self.running.append(name)
        while not self.open:
            time.sleep(0.005)


async def start_tasks(pool: ReplayPool, gate: Gate, requesters: list[Requester]) -> list[asyncio.Task[None]]:
    tasks = [
        asyncio.create_task(pool.run(requester, 1, gate.pass_through, str(requester.person)))
        for requester in requesters
    ]
    await asyncio.sleep(0.2)
    return tasks


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> ReplayPool:
    monkeypatch.setattr(replay_pool, "THREADS", 20)
    return ReplayPool(0, Limits(factor=0))


async def test_a_person_has_a_few_places_and_others_have_theirs(threads: ReplayPool) -> None:
    gate = Gate()
    tasks = await start_tasks(threads, gate, [ANN] * 5 + [EVE])
    assert sorted(gate.running) == ["ann"] * MAX_CONCURRENT_PER_PERSON + ["eve"]
    gate.open = True
    await asyncio.gather(*tasks)
    assert gate.running.count("ann") == 5


async def test_all_of_one_address_share_its_places(threads: ReplayPool) -> None:
    gate = Gate()
    many = [Requester("192.0.2.1", f"guest {number}") for number in range(MAX_CONCURRENT_PER_ADDRESS + 3)] + [
        Requester("192.0.2.1", None)
    ]
    tasks = await start_tasks(threads, gate, [*many, EVE])
    assert len(gate.running) == MAX_CONCURRENT_PER_ADDRESS + 1
    assert "eve" in gate.running
    gate.open = True
    await asyncio.gather(*tasks)
    assert threads._people._queues == threads._addresses._queues == {}, "nothing is kept of those who are gone"


async def test_who_waits_for_too_much_is_refused(threads: ReplayPool) -> None:
    gate = Gate()
    tasks = await start_tasks(threads, gate, [ANN] * (MAX_CONCURRENT_PER_PERSON + MAX_WAITING))
    with pytest.raises(RateLimited, match="too many requests in progress") as refusal:
        await threads.run(ANN, 1, process_id)
    assert refusal.value.retry_after_s == 2
    gate.open = True
    await asyncio.gather(*tasks)
    await threads.run(ANN, 1, process_id)


async def test_steps_are_paid_for_by_person_and_address() -> None:
    pool, most = ReplayPool(0, Limits()), DEFAULTS["steps"][0]
    await pool.run(ANN, most, process_id)
    with pytest.raises(RateLimited, match="the limit is 30,000 steps in 10 minutes"):
        await pool.run(ANN, 1, process_id)
    await pool.run(BOB, most, process_id)
    for number in range(1, 3):  # the refused step was counted for the person alone
        await pool.run(Requester(BOB.address, f"guest {number}"), most, process_id)
    with pytest.raises(RateLimited, match="the limit is 120,000 steps in 10 minutes"):
        await pool.run(Requester(BOB.address, "guest 3"), most, process_id)
    await pool.run(EVE, 1, process_id)
    await pool.run(None, 10 * most, process_id)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("", 1),
        ("Bh11", 1),
        ("1. Bh11 Bh2 " * 100, 201),
        ("x" * 1_000_000, 166_667),
        ("x\n" * 500_000, MAX_STEPS),
        ("\n" * 3_000 + f"Game: {LONG.id}\n\n" + "x" * 6 * LONG.max_steps, LONG.max_steps),
        (f"Ga\u200bme: {LONG.id}\n\n{'x' * 6 * LONG.max_steps}", LONG.max_steps),
        (f"Game: classic_realm\n\n{'x' * 1_000_000}", MAX_STEPS),
        (f"\nEvent: none\nGame: {LONG.id}\n\n{'x' * 6 * LONG.max_steps}", LONG.max_steps),
    ],
    ids=["empty", "step", "turns", "one line", "no game", "late game", "hidden game", "short game", "long game"],
)
def test_a_text_is_paid_for_by_its_length_and_game(text: str, steps: int) -> None:
    assert replay_tasks.estimate_steps(text) == steps


# ---- moments from plain data are those of the match


@pytest.mark.long
@pytest.mark.parametrize("game_id", GAMES)
def test_every_moment_of_a_game_is_the_same_from_its_runs(game_id: str) -> None:
    match = play_on(game_id, 40)
    opened, steps = replay_tasks.encode_match(match), len(match.log())
    assert opened.steps == steps
    for step in range(steps + 1):
        there = match_at(match, steps, step)
        wanted = moment(there, 0, step=step, steps=steps, open_to_all=True)
        for run in (opened.run_at(step), replay_tasks.encode_latest_run(there)):
            assert replay_tasks.moment_data(run, 0, step=step, steps=steps, open_to_all=True) == wanted, step


def test_a_game_without_a_step_has_its_first_moment() -> None:
    match = Match.start(registry.game("realm"))
    opened = replay_tasks.encode_match(match)
    assert (opened.steps, opened.run_at(0)) == (0, replay_tasks.encode_latest_run(match))


def test_the_main_line_is_the_record_without_what_is_said_beside_it() -> None:
    text = "Game: realm\nWhite: Ada\n\n{first} 1. Bh11 {good} [Bb5 [Be8]] / Bh2"
    opened = replay_tasks.load_stored_record("r", text)
    assert opened.turns == 2
    main = load_record(opened.main_line, registry.game)
    assert [(turn.text, turn.comment, turn.variations) for turn in main.turns] == [("Bh11", "", []), ("Bh2", "", [])]
    assert main.headers["White"] == "Ada"
