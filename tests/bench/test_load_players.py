"""The guests of a load run, without a server: the tests show them scenes."""

import asyncio
import time
from random import Random

import orjson
import pytest

from bench.http_client import FINISHED, Response
from bench.load_players import Guest, LoadRun, Pair, Session
from bench.load_report import MoveTiming

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, object]]]:
    """Collect what guests post; every request is accepted."""
    found: list[tuple[str, dict[str, object]]] = []

    async def post(_: Session, path: str, body: dict[str, object]) -> Response:
        found.append((path, body))
        return Response(200, {}, b'{"table":"next"}')

    monkeypatch.setattr(Session, "post", post)
    return found


def make_run() -> tuple[LoadRun, Guest, Guest]:
    run = LoadRun(1, "any", pictures=False)
    run.pairs = [Pair(run, Random(1))]
    run.pairs[0].table = "this"
    return run, *run.pairs[0].guests


def make_scene(*, your_turn: bool, status: str = "running") -> bytes:
    return orjson.dumps({"status": status, "your_turn": your_turn, "choices": [{"move": "a1"}] * your_turn})


async def show_scene(guest: Guest, version: int, *, your_turn: bool) -> None:
    guest.on_scene(version, make_scene(your_turn=your_turn))
    await asyncio.sleep(0.01)


async def test_a_move_is_sent_once_and_arrives_with_the_opponents_next_version(
    requests: list[tuple[str, dict[str, object]]],
) -> None:
    run, first, second = make_run()
    run.playing = True
    await show_scene(second, 4, your_turn=False)
    await show_scene(first, 4, your_turn=True)
    await show_scene(first, 4, your_turn=True)  # someone joined or left: the same version again
    assert [(path, body["version"], body["move"]) for path, body in requests] == [
        ("/api/tables/this/moves?scene=false", 4, "a1")
    ]
    await show_scene(second, 4, your_turn=False)
    assert run.move_timings == []
    await show_scene(second, 5, your_turn=True)
    assert len(run.move_timings) == 1
    assert run.move_timings[0].shown > run.move_timings[0].sent
    assert requests[-1][1]["version"] == 5


async def test_several_steps_of_one_turn_are_several_moves(
    requests: list[tuple[str, dict[str, object]]],
) -> None:
    run, first, second = make_run()
    run.playing = True
    await show_scene(first, 4, your_turn=True)
    await show_scene(first, 5, your_turn=True)
    assert [body["version"] for _, body in requests] == [4, 5]
    await show_scene(second, 6, your_turn=False)
    assert len(run.move_timings) == 2


async def test_a_turn_waits_for_its_time_and_for_the_run(requests: list[tuple[str, dict[str, object]]]) -> None:
    run, first, _ = make_run()
    await show_scene(first, 4, your_turn=True)
    assert requests == []  # the run has not started
    run._start(rate=None)
    await asyncio.sleep(0.01)
    assert len(requests) == 1
    run._start(rate=0.001)
    await show_scene(first, 6, your_turn=True)
    assert len(requests) == 1  # the next move is minutes away
    first.sent.clear()
    await run._stop()
    assert first.timer is None


async def test_moves_keep_their_distance_even_if_one_is_late() -> None:
    run, _, _ = make_run()
    run.interval_s = 2.0
    pair = run.pairs[0]
    pair.due = 10.0
    assert pair.take_wait_s(9.5) == 0.5
    assert pair.take_wait_s(12.75) == 0.0
    assert pair.take_wait_s(12.8) == pytest.approx(1.2)


async def test_a_move_that_never_arrives_is_an_error(
    requests: list[tuple[str, dict[str, object]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.load_players.DRAIN_TIMEOUT_S", 0.05)
    run, first, _ = make_run()
    run.playing = True
    await show_scene(first, 4, your_turn=True)
    await run._stop()
    assert len(requests) == 1
    assert run.errors == {"a move was never shown to the opponent": 1}


async def test_a_run_lasts_until_a_move_was_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    run, _, _ = make_run()
    start = time.perf_counter()
    run.move_timings.append(MoveTiming(start - 2, start - 1))  # while the server warmed up
    waiting = asyncio.create_task(run._wait_for_move(start))
    await asyncio.sleep(0.12)
    assert not waiting.done()
    run.move_timings.append(MoveTiming(start, time.perf_counter()))
    await waiting
    monkeypatch.setattr("bench.load_players.DRAIN_TIMEOUT_S", 0.05)
    await run._wait_for_move(time.perf_counter())  # not forever: then the run has failed


async def test_a_stream_that_ends_is_an_error() -> None:
    run, first, _ = make_run()
    first.on_stream_end("stream ended")
    assert run.errors == {"stream ended": 1}


async def test_a_stream_that_the_server_finishes_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    run, first, _ = make_run()
    opened: list[str] = []

    async def reopen(_: object, path: str, *__: object) -> None:
        opened.append(path)

    monkeypatch.setattr("bench.load_players.open_stream", reopen)
    first.last_moved_version = 7
    first.on_stream_end(FINISHED)
    await asyncio.gather(*run.tasks)
    assert len(opened) == 1
    assert (first.last_moved_version, run.errors) == (7, {})


async def test_the_next_game_begins_when_both_have_seen_the_end(
    requests: list[tuple[str, dict[str, object]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def watch(_: Guest) -> None:
        return

    monkeypatch.setattr(Guest, "watch", watch)
    run, first, second = make_run()
    first.on_scene(9, make_scene(your_turn=False, status="over"))
    first.on_scene(9, make_scene(your_turn=False, status="over"))
    await asyncio.sleep(0.01)
    assert requests == []
    second.on_scene(9, make_scene(your_turn=False, status="over"))
    await asyncio.sleep(0.01)
    assert [path for path, _ in requests] == ["/api/tables", "/api/tables/next/seats"]
    assert run.pairs[0].table == "next"
    assert not run.errors
