"""How the guests of a load run behave, without any server: scenes are shown to them by hand."""

import asyncio
from random import Random

import orjson
import pytest

from bench.load_http import Answer
from bench.load_play import Guest, Hall, Pair, Session

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, object]]]:
    """What guests post, with every answer being a yes."""
    found: list[tuple[str, dict[str, object]]] = []

    async def post(_: Session, path: str, body: dict[str, object]) -> Answer:
        found.append((path, body))
        return Answer(200, {}, b'{"table":"next"}')

    monkeypatch.setattr(Session, "post", post)
    return found


def seated() -> tuple[Hall, Guest, Guest]:
    hall = Hall(1, "any", pictures=False)
    hall.pairs = [Pair(hall, Random(1))]
    hall.pairs[0].table = "this"
    return hall, *hall.pairs[0].guests


def scene(*, your_turn: bool, status: str = "running") -> bytes:
    return orjson.dumps({"status": status, "your_turn": your_turn, "choices": [{"move": "a1"}] * your_turn})


async def shown(guest: Guest, version: int, *, your_turn: bool) -> None:
    guest.see(version, scene(your_turn=your_turn))
    await asyncio.sleep(0.01)


async def test_a_move_is_sent_once_and_arrives_with_the_opponents_next_version(
    posted: list[tuple[str, dict[str, object]]],
) -> None:
    hall, first, second = seated()
    hall.playing = True
    await shown(second, 4, your_turn=False)
    await shown(first, 4, your_turn=True)
    await shown(first, 4, your_turn=True)  # somebody came or went: the same version again
    assert [(path, body["version"], body["move"]) for path, body in posted] == [("/api/tables/this/moves", 4, "a1")]
    await shown(second, 4, your_turn=False)
    assert hall.played == []
    await shown(second, 5, your_turn=True)
    assert len(hall.played) == 1
    assert hall.played[0].shown > hall.played[0].sent
    assert posted[-1][1]["version"] == 5


async def test_several_steps_of_one_turn_are_several_moves(posted: list[tuple[str, dict[str, object]]]) -> None:
    hall, first, second = seated()
    hall.playing = True
    await shown(first, 4, your_turn=True)
    await shown(first, 5, your_turn=True)
    assert [body["version"] for _, body in posted] == [4, 5]
    await shown(second, 6, your_turn=False)
    assert len(hall.played) == 2


async def test_a_turn_waits_for_its_time_and_for_the_run(posted: list[tuple[str, dict[str, object]]]) -> None:
    hall, first, _ = seated()
    await shown(first, 4, your_turn=True)
    assert posted == []  # the run has not begun
    hall._begin(rate=None)
    await asyncio.sleep(0.01)
    assert len(posted) == 1
    hall._begin(rate=0.001)
    await shown(first, 6, your_turn=True)
    assert len(posted) == 1  # thinks for minutes
    first.sent.clear()
    await hall._stop()
    assert first.timer is None


async def test_moves_keep_their_distance_even_if_one_is_late() -> None:
    hall, _, _ = seated()
    hall.interval_s = 2.0
    pair = hall.pairs[0]
    pair.due = 10.0
    assert pair.wait_s(9.5) == 0.5
    assert pair.wait_s(12.75) == 0.0
    assert pair.wait_s(12.8) == pytest.approx(1.2)


async def test_a_move_that_never_arrives_is_an_error(
    posted: list[tuple[str, dict[str, object]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.load_play.DRAIN_S", 0.05)
    hall, first, _ = seated()
    hall.playing = True
    await shown(first, 4, your_turn=True)
    await hall._stop()
    assert len(posted) == 1
    assert hall.errors == {"a move was never shown to the opponent": 1}


async def test_a_stream_that_ends_is_an_error() -> None:
    hall, first, _ = seated()
    first.lost("stream ended")
    assert hall.errors == {"stream ended": 1}


async def test_the_next_game_begins_when_both_have_seen_the_end(
    posted: list[tuple[str, dict[str, object]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def watch(_: Guest) -> None:
        return

    monkeypatch.setattr(Guest, "watch", watch)
    hall, first, second = seated()
    first.see(9, scene(your_turn=False, status="over"))
    first.see(9, scene(your_turn=False, status="over"))
    await asyncio.sleep(0.01)
    assert posted == []
    second.see(9, scene(your_turn=False, status="over"))
    await asyncio.sleep(0.01)
    assert [path for path, _ in posted] == ["/api/tables", "/api/tables/next/seats"]
    assert hall.pairs[0].table == "next"
    assert not hall.errors
