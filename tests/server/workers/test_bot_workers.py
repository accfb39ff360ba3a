"""Bots in separate processes: answers, limits, crashes, cancellation and death."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest

import realmtable
from realmtable.engine.errors import BadPosition, UnknownGame
from realmtable.engine.protocol import CHANCE
from realmtable.server.errors import Unavailable
from realmtable.server.workers.bot_workers import BotWorkers, Chooser, choose_moves
from realmtable.server.workers.process import NICENESS
from tests.server.support.worker_tasks import (
    crash_once,
    crash_while_greedy,
    describe_worker,
    fail,
    pid_of_worker,
    think_forever,
    think_forever_at_first,
)

pytestmark = pytest.mark.anyio

GAMES = [info.id for info in realmtable.infos()]
TIMEOUT_S = 120  # for a busy machine: workers let everybody else go first


# ---- helpers


@pytest.fixture
async def open_workers() -> AsyncIterator[Callable[..., BotWorkers]]:
    made: list[BotWorkers] = []

    def build(*args: object, **named: object) -> BotWorkers:
        made.append(BotWorkers(*args, **named))  # type: ignore[arg-type]
        return made[-1]

    yield build
    for workers in made:
        await workers.close()


def middle_of(game_id: str, seed: int, steps: int = 25) -> tuple[str, int]:
    """A position some random steps into a game, and who acts."""
    game = realmtable.game(game_id)
    rng, state = Random(seed), game.initial()
    while steps > 0 or game.to_move(state) == (CHANCE,):
        seat = game.to_move(state)[0]
        drawn = [outcome.move for outcome in game.chance(state)]
        state = game.play(state, seat, rng.choice(drawn or game.legal_moves(state, seat)))
        steps -= seat != CHANCE
    return game.encode(state), game.to_move(state)[0]


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that nobody has buried yet does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] == "Z")


async def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(20 * TIMEOUT_S):
        if holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it never came to that")


# ---- tests


@pytest.mark.long
async def test_a_bot_answers_with_legal_steps_of_every_game(open_workers: Callable[..., BotWorkers]) -> None:
    workers = open_workers(2, TIMEOUT_S)
    questions = [(game_id, *middle_of(game_id, seed)) for game_id in GAMES for seed in (1, 2)]
    bots = ["random", "greedy", "level2", "level3"]
    asked = [(*question, bots[number % 4]) for number, question in enumerate(questions)]
    answers = await asyncio.gather(*(workers.choose(*question, number) for number, question in enumerate(asked)))
    for (game_id, position, seat, _), answer in zip(asked, answers, strict=True):
        game = realmtable.game(game_id)
        state = game.decode(position)
        for text in answer:
            move = game.parse_move(state, text)
            assert move in game.legal_moves(state, seat)
            state = game.play(state, seat, move)
        assert answer


@pytest.mark.long
async def test_the_same_seed_gives_the_same_answer(open_workers: Callable[..., BotWorkers]) -> None:
    workers = open_workers(1, TIMEOUT_S)
    question = ("realm", *middle_of("realm", 5), "level2", 7)
    assert [await workers.choose(*question) for _ in range(3)] == [choose_moves(*question)] * 3


@pytest.mark.long
async def test_options_travel_with_the_position(open_workers: Callable[..., BotWorkers]) -> None:
    game = realmtable.game("realm")
    state = game.initial(2, game.options(choose_seat="place"))
    answer = await open_workers(1, TIMEOUT_S).choose("realm", game.encode(state), 1, "random", 1)
    assert answer in (["place:White"], ["place:Black"])


@pytest.mark.long
async def test_what_cannot_be_read_is_refused(open_workers: Callable[..., BotWorkers]) -> None:
    workers = open_workers(1, TIMEOUT_S)
    with pytest.raises(BadPosition):
        await workers.choose("realm", "W:Zz99", 0, "random", 1)
    with pytest.raises(UnknownGame):
        await workers.choose("chess", "", 0, "random", 1)


async def test_no_process_starts_before_it_is_needed(open_workers: Callable[..., BotWorkers]) -> None:
    before = len(multiprocessing.active_children())
    open_workers(2, TIMEOUT_S)
    assert len(multiprocessing.active_children()) == before


@pytest.mark.long
async def test_a_worker_is_polite_and_leaves_interrupts_to_its_parent(open_workers: Callable[..., BotWorkers]) -> None:
    answer = await open_workers(1, TIMEOUT_S, run=describe_worker).choose("realm", "", 0, "random", 1)
    assert answer == [f"{min(19, os.nice(0) + NICENESS)} True"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("run", "limit_s", "reports"),
    [
        (think_forever_at_first, 0.4, ["thought longer than 0.4 s"]),
        (crash_while_greedy, TIMEOUT_S, ["a worker ended"] * 2),
        (fail, TIMEOUT_S, ["failed in classic_realm"]),
    ],
)
async def test_a_random_step_is_taken_for_a_bot_that_is_late_crashes_twice_or_fails(
    open_workers: Callable[..., BotWorkers],
    caplog: pytest.LogCaptureFixture,
    run: Chooser,
    limit_s: float,
    reports: list[str],
) -> None:
    position, seat = middle_of("classic_realm", 3)
    workers = open_workers(1, limit_s, run=run)
    with caplog.at_level(logging.WARNING):
        answer = await workers.choose("classic_realm", position, seat, "greedy", 9)
    assert answer == choose_moves("classic_realm", position, seat, "random", 9)
    assert len(caplog.messages) == len(reports)
    assert all(report in message for report, message in zip(reports, caplog.messages, strict=True))
    assert await workers.choose("classic_realm", position, seat, "random", 9) == answer  # by a new process


@pytest.mark.long
async def test_cancelling_kills_the_work(open_workers: Callable[..., BotWorkers], tmp_path: Path) -> None:
    note = tmp_path / "pid"
    workers = open_workers(1, TIMEOUT_S, run=think_forever)
    task = asyncio.create_task(workers.choose("realm", str(note), 0, "random", 1))
    await wait_until(lambda: note.exists() and note.read_text(encoding="utf-8") != "")
    pid = int(note.read_text(encoding="utf-8"))
    assert is_alive(pid)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await wait_until(lambda: not is_alive(pid))


@pytest.mark.long
async def test_a_crash_is_tried_again(open_workers: Callable[..., BotWorkers], tmp_path: Path) -> None:
    note = tmp_path / "crashed"
    assert await open_workers(1, TIMEOUT_S, run=crash_once).choose("realm", str(note), 0, "greedy", 1) == ["answered"]


@pytest.mark.long
async def test_an_idle_worker_that_dies_is_replaced(open_workers: Callable[..., BotWorkers]) -> None:
    workers = open_workers(1, TIMEOUT_S, run=pid_of_worker)
    [first] = await workers.choose("realm", "", 0, "random", 1)
    os.kill(int(first), signal.SIGKILL)
    await wait_until(lambda: not is_alive(int(first)))
    await asyncio.sleep(0.3)
    [second] = await workers.choose("realm", "", 0, "random", 1)
    assert second.isdigit()
    assert second != first


@pytest.mark.long
async def test_closing_ends_the_processes_and_tells_who_waits(
    open_workers: Callable[..., BotWorkers], tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    workers = open_workers(1, TIMEOUT_S, run=think_forever)
    task = asyncio.create_task(workers.choose("realm", str(note), 0, "random", 1))
    await wait_until(lambda: note.exists() and note.read_text(encoding="utf-8") != "")
    await workers.close()
    assert not is_alive(int(note.read_text(encoding="utf-8")))
    with pytest.raises(Unavailable):
        await task
    with pytest.raises(Unavailable):
        await workers.choose("realm", str(note), 0, "random", 1)
    await workers.close()


PARENT = """
import asyncio, sys
from realmtable.server.workers.bot_workers import BotWorkers
from tests.server.support.worker_tasks import think_forever

async def main():
    await BotWorkers(1, 600.0, run=think_forever).choose("realm", sys.argv[1], 0, "random", 1)

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.long
async def test_workers_die_with_their_parent_however_suddenly(tmp_path: Path) -> None:
    note, script = tmp_path / "pid", tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    parent = subprocess.Popen([sys.executable, script, note], env=environment)  # noqa: ASYNC220, S603 - our own
    try:
        await wait_until(lambda: note.exists() and note.read_text(encoding="utf-8") != "")
    finally:
        parent.kill()
        parent.wait()
    pid = int(note.read_text(encoding="utf-8"))
    await wait_until(lambda: not is_alive(pid))
