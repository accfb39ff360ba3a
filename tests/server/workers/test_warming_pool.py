"""Bots think at once in plain Python, and in compiled code when it is ready."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest

import realmtable
from realmtable.server.workers.bot_workers import choose_moves
from realmtable.server.workers.warming_pool import CompileWarmup, WarmingPool, compile_rules
from tests.server.support.table_harness import register_toys
from tests.server.support.worker_tasks import (
    compile_all_but_two,
    describe_compile_switch,
    die_at,
    end_by_signal,
    note_and_wait,
)

pytestmark = pytest.mark.anyio

EVERY_GAME = {info.id for info in realmtable.infos()}
TIMEOUT_S = 240.0  # for a busy machine: workers let everybody else go first


def never(_game: str) -> bool:
    return False


def started_games(folder: Path) -> list[str]:
    file = folder / "started"
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


async def wait_until_started(folder: Path, game_id: str) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        while game_id not in started_games(folder):  # noqa: ASYNC110 - it starts in another process
            await asyncio.sleep(0.01)


@pytest.fixture
async def make_pool() -> AsyncIterator[Callable[[CompileWarmup], WarmingPool]]:
    made: list[WarmingPool | CompileWarmup] = []

    def build(compile_warmup: CompileWarmup) -> WarmingPool:
        pool = WarmingPool(1, TIMEOUT_S, compile_warmup)
        made.extend((pool, compile_warmup))
        return pool

    yield build
    for one in made:
        await one.close()


@pytest.mark.long
async def test_a_game_is_thought_about_in_plain_python_until_it_is_compiled(
    make_pool: Callable[[CompileWarmup], WarmingPool],
) -> None:
    compile_warmup = CompileWarmup(wanted=False)
    pool = make_pool(compile_warmup)
    assert await pool.run(describe_compile_switch, ("realm",), TIMEOUT_S) == "0 False"
    compile_warmup.compiled_games.add("realm")
    assert await pool.run(describe_compile_switch, ("realm",), TIMEOUT_S) == "1 True"
    assert await pool.run(describe_compile_switch, ("classic_realm",), TIMEOUT_S) == "0 False"


@pytest.mark.long
async def test_a_bot_answers_whether_compiled_or_not(make_pool: Callable[[CompileWarmup], WarmingPool]) -> None:
    game = realmtable.game("classic_realm")
    position = game.encode(game.initial())
    answer = await make_pool(CompileWarmup(wanted=False)).choose("classic_realm", position, 0, "level3", 5)
    assert answer == choose_moves("classic_realm", position, 0, "level3", 5)


@pytest.mark.long
@pytest.mark.parametrize(
    ("run", "lacking", "reported"),
    [
        (compile_all_but_two, {"classic_realm", "modern_realm"}, ["classic_realm"]),
        (partial(die_at, "realm"), {"realm"}, ["realm"]),
        (end_by_signal, EVERY_GAME, []),  # as a service manager stops the workers
    ],
)
async def test_games_are_compiled_one_after_another_and_a_failure_stops_none_but_its_own(
    make_pool: Callable[[CompileWarmup], WarmingPool],
    caplog: pytest.LogCaptureFixture,
    run: Callable[[str], bool],
    lacking: set[str],
    reported: list[str],
) -> None:
    compile_warmup = CompileWarmup(wanted=True, run=run, is_cached=never)
    make_pool(compile_warmup)
    compile_warmup.start()
    compile_warmup.start()  # it is under way
    assert all(compile_warmup.is_warming(game_id) for game_id in EVERY_GAME)
    await asyncio.wait_for(compile_warmup.wait_finished(), TIMEOUT_S)
    assert compile_warmup.compiled_games == EVERY_GAME - lacking
    assert re.findall(r"the rules of (\w+) could not be compiled", caplog.text) == reported
    assert not any(map(compile_warmup.is_warming, EVERY_GAME))  # what failed will not be faster later


@pytest.mark.slow
async def test_a_game_in_use_is_compiled_first_and_interrupts_one_that_is_not(
    make_pool: Callable[[CompileWarmup], WarmingPool], tmp_path: Path
) -> None:
    compile_warmup = CompileWarmup(wanted=True, run=partial(note_and_wait, tmp_path), is_cached=never)
    pool = make_pool(compile_warmup)
    compile_warmup.start()
    first, second, third, fourth, *others = [info.id for info in realmtable.infos()]
    await wait_until_started(tmp_path, first)
    assert await pool.run(describe_compile_switch, (third,), TIMEOUT_S) == "0 False"  # a task requests its game
    await wait_until_started(tmp_path, third)
    for game_id in (second, second, fourth):
        compile_warmup.request(game_id)  # neither interrupts a game in use
    (tmp_path / "finish").touch()
    await asyncio.wait_for(compile_warmup.wait_finished(), TIMEOUT_S)
    compile_warmup.request(third)  # it is done
    assert started_games(tmp_path) == [first, third, second, fourth, first, *others]
    assert await pool.run(describe_compile_switch, (third,), TIMEOUT_S) == "1 True"


@pytest.mark.long
async def test_games_that_were_compiled_before_are_ready_at_once(
    make_pool: Callable[[CompileWarmup], WarmingPool],
) -> None:
    compile_warmup = CompileWarmup(
        wanted=True, run=compile_all_but_two, is_cached=lambda game_id: game_id == "classic_realm"
    )
    pool = make_pool(compile_warmup)
    compile_warmup.start()
    assert compile_warmup.compiled_games == {"classic_realm"}
    assert not compile_warmup.is_warming("classic_realm")
    pool.prepare("classic_realm")
    assert await pool.run(describe_compile_switch, ("classic_realm",), TIMEOUT_S) == "1 True"
    await asyncio.wait_for(compile_warmup.wait_finished(), TIMEOUT_S)  # the others are compiled as usual
    assert compile_warmup.compiled_games == EVERY_GAME - {"modern_realm"}


async def test_nothing_is_compiled_where_it_is_not_wanted() -> None:
    compile_warmup = CompileWarmup(wanted=False, run=compile_all_but_two)
    compile_warmup.start()
    await compile_warmup.wait_finished()
    await compile_warmup.close()
    assert compile_warmup.compiled_games == set()
    assert not compile_warmup.is_warming("realm")


def test_only_games_with_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compile_rules("classic_realm")
    register_toys(monkeypatch)
    assert not compile_rules("dice_duel")
