"""Bots think at once in plain Python, and compiled as soon as that is done."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable

import pytest

import realmtable
from realmtable.kit.compile import compiling
from realmtable.server.workers.warming_pool import Crew, Warmth, compile_rules
from realmtable.server.workers.worker_pool import chosen
from tests.server.tabling import with_toys

pytestmark = pytest.mark.anyio

PATIENCE_S = 240.0  # for a busy machine: workers let everybody else go first


def switch_of(_game: str) -> str:
    return f"{os.environ['REALMTABLE_COMPILE']} {compiling()}"


def all_but_two(game_id: str) -> bool:
    if game_id == "classic_realm":
        raise ZeroDivisionError
    return game_id != "modern_realm"


@pytest.fixture
async def crews() -> AsyncIterator[Callable[[Warmth], Crew]]:
    made: list[Crew | Warmth] = []

    def build(warmth: Warmth) -> Crew:
        crew = Crew(1, PATIENCE_S, warmth)
        made.extend((crew, warmth))
        return crew

    yield build
    for one in made:
        await one.close()


async def test_a_game_is_thought_about_in_plain_python_until_it_is_compiled(crews: Callable[[Warmth], Crew]) -> None:
    warmth = Warmth(wanted=False)
    crew = crews(warmth)
    assert await crew.ask(switch_of, ("realm",), PATIENCE_S) == "0 False"
    warmth.games.add("realm")
    assert await crew.ask(switch_of, ("realm",), PATIENCE_S) == "1 True"
    assert await crew.ask(switch_of, ("classic_realm",), PATIENCE_S) == "0 False"


async def test_a_bot_answers_whether_compiled_or_not(crews: Callable[[Warmth], Crew]) -> None:
    game = realmtable.game("classic_realm")
    position = game.encode(game.initial())
    answer = await crews(Warmth(wanted=False)).choose("classic_realm", position, 0, "level3", 5)
    assert answer == chosen("classic_realm", position, 0, "level3", 5)


async def test_games_are_compiled_one_after_another_and_a_failure_stops_none_but_its_own(
    crews: Callable[[Warmth], Crew], caplog: pytest.LogCaptureFixture
) -> None:
    warmth = Warmth(wanted=True, run=all_but_two)
    crews(warmth)
    warmth.start()
    warmth.start()  # it is under way
    every = {info.id for info in realmtable.infos()}
    assert all(warmth.is_warming(game_id) for game_id in every)
    await asyncio.wait_for(warmth.finished(), PATIENCE_S)
    assert warmth.games == every - {"classic_realm", "modern_realm"}
    assert "the rules of classic_realm could not be compiled" in caplog.text
    assert not any(warmth.is_warming(game_id) for game_id in every)  # what failed will not be faster later


async def test_nothing_is_compiled_where_it_is_not_wanted() -> None:
    warmth = Warmth(wanted=False, run=all_but_two)
    warmth.start()
    await warmth.finished()
    await warmth.close()
    assert warmth.games == set()
    assert not warmth.is_warming("realm")


def test_only_games_with_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compile_rules("classic_realm")
    with_toys(monkeypatch)
    assert not compile_rules("dice_duel")
