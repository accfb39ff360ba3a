"""Streams of a real server: their events and readers, reconnecting, and slow or leaving servers and readers."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing
from typing import Any, NamedTuple

import httpx
import pytest

from realmtable.server.services import Services
from realmtable.server.tables.live import event_stream
from realmtable.server.tables.scenes.changes import Scene, apply_change, read_scene
from tests.server.support.live_server import (
    WAIT_S,
    Person,
    ServerThread,
    make_feed,
    stays_signed_in,
    wait_until,
)
from tests.server.support.table_harness import register_toys
from tests.server.tables.test_table_service import draft_first_move, open_table

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("quiet_logs")]

QUIET_S = 0.4  # long enough for anything that is going to come


class StreamEvent(NamedTuple):
    """One event of a stream, and the scene after it."""

    id: str
    kind: str
    scene: Scene
    data: Scene  # as it was sent


class Reader:
    """Reads a stream in a task of its own, as a browser does, but does not come back by itself."""

    def __init__(self, lines: AsyncIterator[str], known: Scene | None = None) -> None:
        self.events: list[StreamEvent] = []
        self.pings = 0
        self.sent = known or {}  # the scene as it was sent
        self.ended = False
        self._news = asyncio.Event()
        self.task = asyncio.create_task(self._read(lines))

    async def _read(self, lines: AsyncIterator[str]) -> None:
        event_id, kind = "", ""
        try:
            async for line in lines:
                if line.startswith("id: "):
                    event_id = line[4:]
                elif line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: "):
                    data = json.loads(line[6:])
                    self.sent = apply_change(self.sent if kind == "change" else {}, data)
                    self.events.append(StreamEvent(event_id, kind, read_scene(self.sent), data))
                self.pings += line.startswith(":")
                self._news.set()
        except httpx.TransportError:
            pass
        finally:
            self.ended = True
            self._news.set()

    @property
    def versions(self) -> list[int]:
        return [event.scene["version"] for event in self.events]

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def wait_for_version(self, version: int) -> StreamEvent:
        """The first event with this version or a later one."""
        await self.wait_until(lambda: any(shown >= version for shown in self.versions))
        return next(event for event in self.events if event.scene["version"] >= version)

    async def wait_for_first(self) -> StreamEvent:
        await self.wait_until(lambda: bool(self.events))
        return self.events[0]


class StreamHarness:
    """A server, its people and a table at which two of them play."""

    def __init__(self, served: ServerThread, stack: AsyncExitStack) -> None:
        self.server = served
        self.stack = stack
        self.table = ""

    async def open_person(self) -> Person:
        limits = httpx.Limits(max_connections=None)
        client = httpx.AsyncClient(base_url=self.server.url, timeout=WAIT_S, limits=limits)
        return Person(await self.stack.enter_async_context(client))

    async def seat_two(self, game: str = "classic_realm") -> tuple[Person, Person]:
        ann, bob = await self.open_person(), await self.open_person()
        await self.open_table(ann, game)
        await bob.post(f"/api/tables/{self.table}/seats")
        return ann, bob

    async def open_table(self, ann: Person, game: str = "classic_realm") -> None:
        self.table = await ann.open_table(game=game)

    async def scene(self, person: Person) -> dict[str, Any]:
        scene: dict[str, Any] = await person.get(f"/api/tables/{self.table}")
        return scene

    async def move(self, *people: Person) -> int:
        """A step of whoever is to move; the version after it."""
        for person in people:
            if (await self.scene(person))["your_turn"]:
                return await person.play(self.table)
        raise AssertionError("nobody is to move")

    async def watch(self, person: Person, after: Reader | None = None) -> Reader:
        """Open a stream; or go on with that of an earlier reader."""
        last, known = (after.events[-1].id, after.sent) if after is not None else ("", None)
        return await self.open_stream(person, last, known)

    async def open_stream(self, person: Person, last: str = "", known: Scene | None = None) -> Reader:
        headers = {"Accept-Encoding": "gzip", **({"Last-Event-ID": last} if last else {})}
        path = f"/api/tables/{self.table}/events"
        answer = await self.stack.enter_async_context(person.client.stream("GET", path, headers=headers))
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        reader = Reader(answer.aiter_lines(), known)
        self.stack.callback(reader.task.cancel)
        return reader


@pytest.fixture
async def here(served: ServerThread) -> AsyncIterator[StreamHarness]:
    async with AsyncExitStack() as stack:
        yield StreamHarness(served, stack)


async def test_a_stream_begins_with_the_scene_and_goes_on_with_every_change(here: StreamHarness) -> None:
    ann, bob = await here.seat_two()
    people = (ann, bob, await here.open_person())
    readers = [await here.watch(person) for person in people]
    for reader in readers:  # both are connected
        await reader.wait_until(lambda reader=reader: all_are_connected(reader))  # type: ignore[misc]
    versions = []
    for _ in range(5):
        versions.append(await here.move(ann, bob))
        for reader in readers:
            await reader.wait_for_version(versions[-1])
    for reader, person in zip(readers, people, strict=True):
        assert {event.kind for event in reader.events[1:]} == {"change"} != {reader.events[0].kind}
        assert len({event.id for event in reader.events}) == len(reader.events)
        assert reader.versions[-6:] == [versions[0] - 1, *versions]
        assert _differences(await here.scene(person), reader.events[-1].scene) == set()
        assert "topics" not in reader.events[-1].data, "what has not changed is not sent again"


def all_are_connected(reader: Reader) -> bool:
    return bool(reader.events) and all(seat["connected"] for seat in reader.events[-1].scene["seats"])


async def test_who_comes_back_with_the_present_scene_hears_of_the_next(here: StreamHarness) -> None:
    ann, bob = await here.seat_two()
    eve = await here.open_person()
    first = await here.watch(eve)
    await first.wait_for_first()
    again = await here.watch(eve, first)
    await asyncio.sleep(QUIET_S)
    assert again.events == []
    event = await again.wait_for_version(await here.move(ann, bob))
    assert event.kind == "change"
    assert _differences(await here.scene(eve), event.scene) == set()


async def test_who_comes_back_after_one_change_is_sent_that_change(here: StreamHarness) -> None:
    ann, bob = await here.seat_two()
    eve = await here.open_person()
    first = await here.watch(eve)
    other = await here.watch(eve)  # so that someone follows meanwhile
    await first.wait_for_first()
    first.task.cancel()
    await other.wait_for_version(await here.move(ann, bob))
    event = await (await here.watch(eve, first)).wait_for_first()
    assert event.kind == "change"
    assert _differences(await here.scene(eve), event.scene) == set()


async def test_who_comes_back_with_another_scene_gets_the_newest_whole_scene_at_once(here: StreamHarness) -> None:
    ann, bob = await here.seat_two()
    eve = await here.open_person()
    watching = await here.watch(eve)
    old = (await watching.wait_for_first()).id
    after = [await here.move(ann, bob) for _ in range(2)][-1]
    await watching.wait_for_version(after)
    own = (await (await here.watch(ann)).wait_for_first()).id  # of another kind of viewer
    for last in (old, own, "0", str(after), "-1", "abc", "4.0", "9" * 40):
        reader = await here.open_stream(eve, last)
        event = await reader.wait_for_version(after)
        assert (event.kind, event.scene["version"]) == ("scene", after)
        await asyncio.sleep(QUIET_S / 8)
        assert reader.versions == [after] * len(reader.events)  # that Ann has come is news, too


async def test_a_stream_with_secrets_has_changes_too(here: StreamHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    register_toys(monkeypatch)
    ann, bob = await here.seat_two("secret_cards")
    reader = await here.watch(ann)
    await reader.wait_for_first()
    for _ in range(2):
        event = await reader.wait_for_version(await here.move(ann, bob))
        assert event.kind == "change"
        assert _differences(await here.scene(ann), event.scene) == set()


async def test_a_spectator_sees_what_a_player_sees_but_for_what_is_his(here: StreamHarness) -> None:
    ann, bob = await here.seat_two()
    readers = [await here.watch(person) for person in (ann, bob, await here.open_person())]
    after = await here.move(ann, bob)
    scenes = [(await reader.wait_for_version(after)).scene for reader in readers]
    waiting, acting, watching = scenes
    assert [scene["you"] for scene in scenes] == [[0], [1], []]
    assert [scene["view"].pop("viewer") for scene in scenes] == [0, 1, None]
    assert _differences(watching, acting) == {"you", "your_turn", "headline", "prompt", "choices", "can"}
    assert _differences(watching, waiting) == {"you", "can"}


async def test_in_a_game_with_secrets_views_and_notes_differ_too(
    monkeypatch: pytest.MonkeyPatch, here: StreamHarness
) -> None:
    register_toys(monkeypatch)
    ann, bob = await here.seat_two("secret_cards")
    readers = [await here.watch(person) for person in (ann, bob, await here.open_person())]
    after = await here.move(ann)
    committed, acting, watching = [(await reader.wait_for_version(after)).scene for reader in readers]
    hidden = {"you", "can", "view", "chat_open"}
    assert _differences(watching, committed) == hidden | {"lines", "news", "latest"}
    assert _differences(watching, acting) == hidden | {"your_turn", "headline", "choices"}
    assert watching["view"]["hand"] is None


def _differences(one: dict[str, Any], other: dict[str, Any]) -> set[str]:
    """The fields in which two scenes differ; the moment they were made does not count."""
    assert one.keys() == other.keys()
    return {name for name in one if one[name] != other[name] and name != "now"}


async def test_sitting_down_and_standing_up_ends_a_stream_so_that_it_is_opened_anew(here: StreamHarness) -> None:
    ann, bob, eve = await here.open_person(), await here.open_person(), await here.open_person()
    await here.open_table(ann)
    await bob.post("/api/me/tokens", {"label": "makes Bob somebody"})
    watching, others = await here.watch(bob), await here.watch(eve)
    assert (await watching.wait_for_first()).scene["can"] == ["sit", "chat"]
    await bob.post(f"/api/tables/{here.table}/seats")
    await watching.wait_until(lambda: watching.ended)
    assert all(told.scene["you"] == [] for told in watching.events)
    again = await here.watch(bob, watching)
    assert (await again.wait_for_first()).scene["you"] == [1]
    assert not others.ended
    assert others.events[-1].scene["status"] == "running"


async def test_signing_out_ends_a_players_stream_and_no_other(here: StreamHarness) -> None:
    ann, bob = await here.seat_two()
    watching, others = await here.watch(ann), await here.watch(bob)
    await watching.wait_for_first()
    await others.wait_for_first()
    await ann.request_json("DELETE", "/api/session")
    await watching.wait_until(lambda: watching.ended)
    again = await here.watch(ann, watching)
    assert (await again.wait_for_first()).scene["you"] == []
    assert not others.ended


async def test_streams_end_when_their_table_is_deleted_or_others_need_their_place(
    here: StreamHarness, served: ServerThread
) -> None:
    ann, _ = await here.seat_two()
    services: Services = served.app.state.services
    spectator, player = await here.watch(await here.open_person()), await here.watch(ann)
    await player.wait_for_first()
    services.streams.max_total = 2
    later = await here.watch(ann)
    await spectator.wait_until(lambda: spectator.ended)
    await later.wait_for_first()
    assert not player.ended
    served.call_on_loop(lambda: services.table_service.forget(here.table))
    await player.wait_until(lambda: player.ended)
    await later.wait_until(lambda: later.ended)


async def test_presence_is_told(here: StreamHarness) -> None:
    ann, bob = await here.seat_two()
    eve = await here.watch(await here.open_person())
    assert [seat["connected"] for seat in (await eve.wait_for_first()).scene["seats"]] == [False, False]
    async with bob.client.stream("GET", f"/api/tables/{here.table}/events") as answer:
        assert answer.status_code == 200
        await eve.wait_until(lambda: bool(eve.events[-1].scene["seats"][1]["connected"]))
    await eve.wait_until(lambda: not eve.events[-1].scene["seats"][1]["connected"])
    assert len(set(eve.versions)) == 1
    assert (await here.scene(ann))["version"] == eve.versions[-1]


async def test_a_stream_pings_and_says_nothing_else_while_nothing_happens(
    monkeypatch: pytest.MonkeyPatch, here: StreamHarness
) -> None:
    monkeypatch.setattr(event_stream, "PING_S", 0.05)
    ann, bob = await here.seat_two()
    eve = await here.open_person()
    reader = await here.watch(eve)
    await reader.wait_until(lambda: reader.pings >= 3)
    assert len(reader.events) == 1
    back = await here.watch(eve, reader)
    await back.wait_until(lambda: back.pings >= 3)
    assert back.events == [], "the present scene was known"
    after = await here.move(ann, bob)
    assert (await back.wait_for_version(after)).scene["version"] == after


async def test_a_closing_server_ends_all_streams_at_once(here: StreamHarness, served: ServerThread) -> None:
    async def no_open_streams() -> bool:
        return len(served.app.state.services.streams) == 0

    ann, bob = await here.seat_two()
    eve = await here.open_person()
    readers = [await here.watch(person) for person in (ann, bob, eve)]
    for reader in readers:
        await reader.wait_for_first()
    served.call_on_loop(served.app.state.services.stop_streams)
    begun = time.monotonic()
    for reader in readers:
        await reader.wait_until(lambda reader=reader: reader.ended)  # type: ignore[misc]
    assert time.monotonic() - begun < 0.8 * event_stream.PING_S
    await wait_until(no_open_streams)  # a reader may see the end before the server has counted it


async def test_a_new_name_is_shown_in_the_next_scene(here: StreamHarness) -> None:
    ann, bob = await here.seat_two()
    reader = await here.watch(await here.open_person())
    await reader.wait_for_version(await here.move(ann, bob))
    await ann.join("Ann of the Lake")
    await reader.wait_for_version(await here.move(ann, bob))
    names = [seat["player"]["name"] for seat in reader.events[-1].scene["seats"]]
    assert "Ann of the Lake" in names


@pytest.mark.long
async def test_two_hundred_streams_each_get_the_final_version(here: StreamHarness, served: ServerThread) -> None:
    ann, bob = await here.seat_two()
    crowd = [await here.open_person() for _ in range(4)]
    readers = [await here.watch(crowd[number % 4]) for number in range(200)]
    after = [await here.move(ann, bob) for _ in range(5)][-1]
    for reader in readers:
        assert (await reader.wait_for_version(after)).scene["version"] == after
        assert reader.versions == sorted(set(reader.versions))
    whole = await here.scene(crowd[0])
    assert all(_differences(whole, reader.events[-1].scene) == set() for reader in readers)
    assert len(served.app.state.services.streams) == 200


@pytest.mark.long
async def test_a_slow_reader_holds_up_nobody_and_gets_the_newest_in_the_end(
    here: StreamHarness, served: ServerThread
) -> None:
    ann, bob = await here.seat_two()
    eve = await here.watch(await here.open_person())
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", served.port))
        slow.sendall(f"GET /api/tables/{here.table}/events HTTP/1.1\r\nHost: here\r\n\r\n".encode())
        await asyncio.to_thread(slow.recv, 10)
        after = 0
        for _ in range(30):
            after = await here.move(ann, bob)
            await eve.wait_for_version(after)
        slow.settimeout(WAIT_S)
        await asyncio.to_thread(_read_to, slow, f'"version":{after},"'.encode())


def _read_to(connection: socket.socket, mark: bytes) -> bytes:
    text = b""
    while mark not in text:
        text += connection.recv(65536)
    return text


async def test_a_reader_who_has_missed_changes_is_sent_the_newest_scene_once(services: Services) -> None:
    player, table = await open_table(services)
    live = await services.table_service.find(table.id)
    stream = event_stream.stream_scenes(make_feed(services, live, player.id), stays_signed_in)
    async with aclosing(stream) as events:  # type: ignore[type-var]  # it is a generator
        received = [await anext(events), await anext(events)]
        for moves in (1, 5, 1):
            for _ in range(moves):
                table = await services.table_service.act(table.id, draft_first_move)
                await services.table_service.scenes.latest(live, (0, 1), pictures=False)  # as others watch
            received.append(await anext(events))
            assert b'"version":%d,' % table.version in received[-1]
    kinds = [event.partition(b"event: ")[2].partition(b"\n")[0] for event in received[1:]]
    assert kinds == [b"scene", b"change", b"scene", b"change"]


@pytest.mark.long
async def test_the_lobby_is_told_of_every_change(here: StreamHarness) -> None:
    ann, eve = await here.open_person(), await here.open_person()
    answer = await here.stack.enter_async_context(
        eve.client.stream("GET", "/api/lobby/events", headers={"Accept-Encoding": "identity"})
    )
    reader = Reader(answer.aiter_lines())
    here.stack.callback(reader.task.cancel)
    await asyncio.sleep(QUIET_S / 4)
    wish = {"game": "realm", "seats": ["me", "open"], "listed": True}
    await ann.post("/api/tables", wish)
    await reader.wait_until(lambda: len(reader.events) == 1)
    assert len(await eve.get("/api/tables?status=open")) == 1
    await ann.post("/api/tables", wish)  # while the reader was only just told of the first
    async with asyncio.timeout(0.8 * event_stream.PING_S):
        await reader.wait_until(lambda: len(reader.events) == 2)
    assert len(await eve.get("/api/tables?status=open")) == 2
