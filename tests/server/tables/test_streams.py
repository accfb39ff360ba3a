"""Streams of a real server: their events and readers, reconnecting, and slow or leaving servers and readers."""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest

from realmtable.server.tables.live import event_stream
from realmtable.server.tables.live.change_signal import ChangeSignal
from realmtable.server.tables.live.event_stream import SceneFeed
from realmtable.server.tables.live.scene_cache import SceneCache
from realmtable.server.tables.live.scene_patch import apply_patch
from realmtable.server.tables.scenes.legal_choices import expand_choices
from realmtable.server.tables.scenes.list_changes import apply_changes
from tests.server.support.live_server import WAIT_S, Person, ServerThread, log_errors_only, wait_until
from tests.server.support.table_harness import register_toys

pytestmark = pytest.mark.anyio

QUIET_S = 0.4  # long enough for anything that is going to come

TEXT = bytes(Random(1).choices(b"abcdefghijklmnopqrstuvwxyz", k=5_000))


@pytest.fixture(autouse=True)
def quiet_logs() -> Iterator[None]:
    with log_errors_only():
        yield


class StreamEvent(NamedTuple):
    """One event of a stream."""

    id: int
    scene: dict[str, Any]


class Reader:
    """Reads a stream in a task of its own, as a browser does, but does not come back by itself."""

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self.events: list[StreamEvent] = []
        self.pings = 0
        self.patches = 0
        self.changes = 0
        self.ended = False
        self._news = asyncio.Event()
        self.task = asyncio.create_task(self._read(lines))

    async def _read(self, lines: AsyncIterator[str]) -> None:
        number, kind, text = -1, "", ""
        scene: dict[str, Any] = {}
        try:
            async for line in lines:
                if line.startswith("id: "):
                    number = int(line[4:])
                elif line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: "):
                    text = apply_patch(text.encode(), line[6:].encode()).decode() if kind == "patch" else line[6:]
                    scene = apply_changes(scene, json.loads(text)) if kind == "changes" else json.loads(text)
                    self.events.append(StreamEvent(number, scene))
                    self.patches += kind == "patch"
                    self.changes += kind == "changes"
                self.pings += line.startswith(":")
                self._news.set()
        except httpx.TransportError:
            pass
        finally:
            self.ended = True
            self._news.set()

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def wait_for_version(self, version: int) -> StreamEvent:
        """The first event with this version or a later one."""
        await self.wait_until(lambda: any(told.id >= version for told in self.events))
        return next(told for told in self.events if told.id >= version)

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
        self.table = (await ann.post("/api/tables", {"game": game, "seats": ["me", "open"]}))["table"]

    async def scene(self, person: Person) -> dict[str, Any]:
        scene: dict[str, Any] = await person.get(f"/api/tables/{self.table}")
        return scene

    async def move(self, *people: Person) -> int:
        """A step of whoever is to move; the version after it."""
        for person in people:
            scene = await self.scene(person)
            if scene["your_turn"]:
                wish = {"version": scene["version"], "move": scene["choices"][0]["move"]}
                return int((await person.post(f"/api/tables/{self.table}/moves", wish))["version"])
        raise AssertionError("nobody is to move")

    async def watch(
        self, person: Person, last: str | None = None, packing: str = "identity", query: str = ""
    ) -> Reader:
        headers = {"Accept-Encoding": packing} | ({} if last is None else {"Last-Event-ID": last})
        path = f"/api/tables/{self.table}/events{query}"
        answer = await self.stack.enter_async_context(person.client.stream("GET", path, headers=headers))
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers.get("content-encoding", "identity") == packing
        reader = Reader(answer.aiter_lines())
        self.stack.callback(reader.task.cancel)
        return reader


@asynccontextmanager
async def open_harness(served: ServerThread) -> AsyncIterator[StreamHarness]:
    async with AsyncExitStack() as stack:
        yield StreamHarness(served, stack)


async def test_ids_are_versions_and_rise(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        reader = await here.watch(await here.open_person())
        for _ in range(4):
            await reader.wait_for_version(await here.move(ann, bob))
        ids = [told.id for told in reader.events]
        assert ids == [told.scene["version"] for told in reader.events]
        assert ids == sorted(set(ids))
        assert reader.events[-1].scene["lines"] == (await here.scene(bob))["lines"]


async def test_who_comes_back_with_the_present_version_hears_of_the_next(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        version = (await here.scene(ann))["version"]
        readers = [await here.watch(person, last=str(version)) for person in (await here.open_person(), bob)]
        await asyncio.sleep(QUIET_S)
        assert readers[1].events == []
        assert [told.id for told in readers[0].events if told.id != version] == []  # Bob's coming is news to others
        after = await here.move(ann, bob)
        assert [(await reader.wait_for_version(after)).id for reader in readers] == [after, after]


async def test_who_comes_back_with_another_version_gets_the_newest_scene_at_once(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        after = await here.move(ann, bob)
        eve = await here.open_person()
        for last in ("0", "1", "3", "999999", "-1", "abc", "4.0", "٤", "9" * 5000, "1" * 4200):
            path, headers = f"/api/tables/{here.table}/events", [(b"last-event-id", last.encode())]
            async with eve.client.stream("GET", path, headers=headers) as answer:
                assert answer.status_code == 200
                reader = Reader(answer.aiter_lines())
                assert (await reader.wait_for_first()).id == after
                await asyncio.sleep(QUIET_S / 8)
                assert len(reader.events) == 1
                reader.task.cancel()


async def test_packed_and_plain_streams_tell_the_same(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        eve = await here.open_person()
        plain, packed = await here.watch(eve), await here.watch(eve, packing="gzip")
        for _ in range(5):
            after = await here.move(ann, bob)
            await plain.wait_for_version(after)
            await packed.wait_for_version(after)
        assert plain.events == packed.events


async def test_patches_lead_to_the_same_scenes(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        eve = await here.open_person()
        queries = ("?pictures=true", "?pictures=true&patches=true")
        whole, patched = [await here.watch(eve, packing="gzip", query=query) for query in queries]
        for _ in range(5):
            after = await here.move(ann, bob)
            await whole.wait_for_version(after)
            await patched.wait_for_version(after)
        assert whole.events == patched.events
        assert (whole.patches, patched.patches) == (0, 5)
        again = await here.watch(eve, str(patched.events[-1].id), query=queries[1])
        assert (await again.wait_for_first()).id == patched.events[-1].id  # whole, although it is known
        assert again.patches == 0


async def test_changes_lead_to_the_same_scenes(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        queries = ("", "?changes=true")
        readers = [[await here.watch(person, query=query) for query in queries] for person in (ann, bob)]
        for _ in range(5):
            after = await here.move(ann, bob)
            for reader in itertools.chain(*readers):
                await reader.wait_for_version(after)
        for whole, changed in readers:
            assert whole.events[-4:] == changed.events[-4:]
            assert whole.changes == 0
            assert changed.changes == len(changed.events) - 1 >= 5
        latest = readers[0][1].events[-1].id
        again = await here.watch(ann, str(latest), query=queries[1])
        assert (await again.wait_for_first()).id == latest  # whole, although it is known
        assert again.changes == 0


async def test_streams_with_pictures_or_secrets_send_no_changes(
    served: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    register_toys(monkeypatch)
    async with open_harness(served) as here:
        for game, query in (("classic_realm", "?pictures=true&changes=true"), ("secret_cards", "?changes=true")):
            ann, bob = await here.seat_two(game)
            reader = await here.watch(ann, query=query)
            await reader.wait_for_first()
            for _ in range(2):
                after = await here.move(ann, bob)
                assert (await reader.wait_for_version(after)).scene["lines"] == (await here.scene(ann))["lines"]
            assert reader.changes == 0


async def test_a_stream_of_changes_says_nothing_while_nothing_happens(
    served: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "PING_S", QUIET_S / 8)
    async with open_harness(served) as here:
        await here.seat_two()
        reader = await here.watch(await here.open_person(), query="?changes=true")
        await reader.wait_for_first()
        await reader.wait_until(lambda: reader.pings >= 3)
        assert len(reader.events) == 1


async def test_groups_stand_for_the_same_choices(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two("modern_realm")
        mover = ann if (await here.scene(ann))["your_turn"] else bob
        whole, grouped = [await here.watch(mover, query=query) for query in ("", "?groups=true")]
        listed = (await whole.wait_for_first()).scene["choices"]
        joined = (await grouped.wait_for_first()).scene["choices"]
        assert len(listed) > 10 * len(joined)
        assert expand_choices(joined) == listed == (await here.scene(mover))["choices"]


async def test_few_choices_are_sent_alike_with_and_without_groups(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        mover = ann if (await here.scene(ann))["your_turn"] else bob
        first = [await (await here.watch(mover, query=query)).wait_for_first() for query in ("", "?groups=true")]
        assert [len(event.scene["choices"]) for event in first] == [len((await here.scene(mover))["choices"])] * 2
        assert first[0].scene["choices"] == first[1].scene["choices"]


async def test_every_piece_of_a_packed_stream_can_be_read_when_it_comes(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        eve = await here.open_person()
        path = f"/api/tables/{here.table}/events"
        answer = await here.stack.enter_async_context(
            eve.client.stream("GET", path, headers={"Accept-Encoding": "gzip"})
        )
        reader, text = zlib.decompressobj(31), ""
        pieces = answer.aiter_raw()
        for _ in range(3):
            while not text.endswith("}\n\n"):
                text += reader.decompress(await anext(pieces)).decode()
            assert text.count("event: scene\n") == 1
            text = ""
            await here.move(ann, bob)


async def test_a_spectator_sees_what_a_player_sees_but_for_what_is_his(served: ServerThread) -> None:
    async with open_harness(served) as here:
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
    monkeypatch: pytest.MonkeyPatch, served: ServerThread
) -> None:
    register_toys(monkeypatch)
    async with open_harness(served) as here:
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


async def test_sitting_down_and_standing_up_ends_a_stream_so_that_it_is_opened_anew(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob, eve = await here.open_person(), await here.open_person(), await here.open_person()
        await here.open_table(ann)
        await bob.post("/api/me/tokens", {"label": "makes Bob somebody"})
        watching, others = await here.watch(bob), await here.watch(eve)
        assert (await watching.wait_for_first()).scene["can"] == ["sit", "chat"]
        await bob.post(f"/api/tables/{here.table}/seats")
        await watching.wait_until(lambda: watching.ended)
        assert all(told.scene["you"] == [] for told in watching.events)
        again = await here.watch(bob, last=str(watching.events[-1].id))
        assert (await again.wait_for_first()).scene["you"] == [1]
        assert not others.ended
        assert others.events[-1].scene["status"] == "running"


async def test_presence_is_told(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        eve = await here.watch(await here.open_person())
        assert [seat["connected"] for seat in (await eve.wait_for_first()).scene["seats"]] == [False, False]
        async with bob.client.stream("GET", f"/api/tables/{here.table}/events") as answer:
            assert answer.status_code == 200
            await eve.wait_until(lambda: bool(eve.events[-1].scene["seats"][1]["connected"]))
        await eve.wait_until(lambda: not eve.events[-1].scene["seats"][1]["connected"])
        assert len({told.id for told in eve.events}) == 1
        assert (await here.scene(ann))["version"] == eve.events[-1].id


@pytest.mark.parametrize("packing", ["identity", "gzip"])
async def test_a_stream_pings_and_says_nothing_else_while_nothing_happens(
    monkeypatch: pytest.MonkeyPatch, served: ServerThread, packing: str
) -> None:
    monkeypatch.setattr(event_stream, "PING_S", 0.05)
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        eve = await here.open_person()
        reader = await here.watch(eve, packing=packing)
        await reader.wait_until(lambda: reader.pings >= 3)
        assert len(reader.events) == 1
        back = await here.watch(eve, last=str(reader.events[0].id), packing=packing)
        await back.wait_until(lambda: back.pings >= 3)
        assert back.events == [], "the present scene was known"
        after = await here.move(ann, bob)
        assert (await back.wait_for_version(after)).id == after


async def test_a_closing_server_ends_all_streams_at_once(served: ServerThread) -> None:
    async def no_open_streams() -> bool:
        return bool(served.app.state.services.open_streams == 0)

    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        eve = await here.open_person()
        readers = [await here.watch(person, packing=how) for person in (ann, bob, eve) for how in ("identity", "gzip")]
        for reader in readers:
            await reader.wait_for_first()
        served.call_on_loop(served.app.state.services.stop_streams)
        begun = time.monotonic()
        for reader in readers:
            await reader.wait_until(lambda reader=reader: reader.ended)  # type: ignore[misc]
        assert time.monotonic() - begun < 0.8 * event_stream.PING_S
        await wait_until(no_open_streams)  # a reader may see the end before the server has counted it


async def test_scenes_are_sent_without_waking_the_tasks_of_streams(
    served: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed: list[bool] = []
    push = SceneFeed.push

    def note_push(feed: SceneFeed) -> ChangeSignal | None:
        signal = push(feed)
        pushed.append(signal is not None)
        return signal

    monkeypatch.setattr(SceneFeed, "push", note_push)
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        readers = [await here.watch(person, packing="gzip") for person in (ann, bob)]
        for reader in readers:  # both are connected
            await reader.wait_for_first()
        version = await here.move(ann, bob)
        for reader in readers:
            await reader.wait_for_version(version)
        pushed.clear()
        for _ in range(5):
            version = await here.move(ann, bob)
            for reader in readers:
                await reader.wait_for_version(version)
        assert pushed == [True] * 10
        for reader, person in zip(readers, (ann, bob), strict=True):
            versions = [event.id for event in reader.events]
            assert versions[-6:] == [*range(version - 5, version + 1)]
            own, latest = await here.scene(person), reader.events[-1].scene
            assert _differences(own, latest) <= {"now"}


async def test_scenes_that_need_something_loaded_are_sent_by_the_tasks_of_streams(
    served: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SceneCache, "scene_bytes_now", lambda *_, **__: None)
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        readers = [await here.watch(person) for person in (ann, bob)]
        for _ in range(3):
            version = await here.move(ann, bob)
            for reader in readers:
                await reader.wait_for_version(version)


async def test_a_new_name_is_shown_in_the_next_scene(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        reader = await here.watch(await here.open_person())
        await reader.wait_for_version(await here.move(ann, bob))
        await ann.join("Ann of the Lake")
        await reader.wait_for_version(await here.move(ann, bob))
        names = [seat["player"]["name"] for seat in reader.events[-1].scene["seats"]]
        assert "Ann of the Lake" in names


async def test_two_hundred_streams_each_get_the_final_version(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        crowd = [await here.open_person() for _ in range(4)]
        readers = [
            await here.watch(crowd[number % 4], packing="gzip" if number % 2 else "identity") for number in range(200)
        ]
        after = [await here.move(ann, bob) for _ in range(5)][-1]
        for reader in readers:
            assert (await reader.wait_for_version(after)).id == after
            ids = [told.id for told in reader.events]
            assert ids == sorted(set(ids))
        assert len({json.dumps(reader.events[-1].scene) for reader in readers}) == 1
        assert served.app.state.services.open_streams == 200


async def test_a_slow_reader_holds_up_nobody_and_gets_the_newest_in_the_end(served: ServerThread) -> None:
    async with open_harness(served) as here:
        ann, bob = await here.seat_two()
        eve = await here.watch(await here.open_person())
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect(("127.0.0.1", served.port))
            path = f"/api/tables/{here.table}/events?pictures=true"
            slow.sendall(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
            await asyncio.to_thread(slow.recv, 10)
            after = 0
            for _ in range(30):
                after = await here.move(ann, bob)
                await eve.wait_for_version(after)
            slow.settimeout(WAIT_S)
            text = await asyncio.to_thread(_read_to, slow, f"id: {after}\n".encode())
            assert text.count(b"event: scene") <= 31


def _read_to(connection: socket.socket, mark: bytes) -> bytes:
    text = b""
    while mark not in text:
        text += connection.recv(65536)
    return text


async def test_the_lobby_is_told_of_every_change(served: ServerThread) -> None:
    async with open_harness(served) as here:
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


def test_a_scene_is_compressed_with_the_one_before_it() -> None:
    scenes = [event_stream.encode_event("scene", b'{"seat":%d,"text":"%s"}' % (n, TEXT), n) for n in range(3)]
    encoder = event_stream.GzipEncoder()
    pieces = [encoder.encode(event) for each in scenes for event in (event_stream.RETRY, each, event_stream.PING)]
    reader = zlib.decompressobj(31)
    text = b"".join(reader.decompress(piece) for piece in pieces)
    assert text == b"".join(event_stream.RETRY + each + event_stream.PING for each in scenes)
    first, *later = (len(piece) for piece in pieces[1::3])
    assert max(later) < first / 10


@pytest.mark.parametrize("length", [200, 3_000, 9_000, 20_000, 60_000])
def test_scenes_of_all_sizes_refer_to_the_one_before(length: int) -> None:
    text = bytes(Random(2).choices(b"abcdefghijklmnopqrstuvwxyz", k=length))
    scenes = [event_stream.encode_event("scene", b"%d" % number + text, number) for number in range(3)]
    encoders = [event_stream.GzipEncoder(for_many=for_many) for for_many in (False, True)]
    pieces, shared = [[encoder.encode(scene) for scene in scenes] for encoder in encoders]
    assert pieces == shared
    assert zlib.decompressobj(31).decompress(b"".join(pieces)) == b"".join(scenes)
    if length < event_stream.WINDOW:
        assert max(len(piece) for piece in pieces[1:]) < 60 + length / 50


def test_spectators_share_compressed_scenes_and_players_compress_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    compressed: list[bytes] = []
    deflate = event_stream._deflate

    def count(data: bytes, before: bytes, level: int) -> bytes:
        compressed.append(data)
        return deflate(data, before, level)

    monkeypatch.setattr(event_stream, "_deflate", count)
    scene = event_stream.encode_event("scene", b"a scene that no other test compresses", 1)
    assert len({event_stream.GzipEncoder().encode(scene) for _ in range(3)}) == 1
    assert compressed == [scene]
    event_stream.GzipEncoder(for_many=False).encode(scene)
    assert compressed == [scene, scene]
