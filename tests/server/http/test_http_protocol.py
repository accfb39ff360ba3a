"""Requests byte by byte: endless heads and URLs, and requests that never arrive."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from realmtable.cli import serve
from realmtable.server import http_protocol
from realmtable.server.http_protocol import MAX_HEAD_BYTES, MAX_MESSAGE_BYTES
from realmtable.server.request_bounds import LARGEST_BODY
from tests.server.support.live_server import WAIT_S, ServerThread, log_errors_only, make_settings

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("quiet_logs")]

MIB = 1 << 20
JSON = b"content-type: application/json\r\n"


@pytest.fixture(autouse=True)
async def hang_up() -> AsyncIterator[None]:
    """Close every connection after a test."""
    yield
    while OPEN_WIRES:
        writer = OPEN_WIRES.pop().writer
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server to which a request must have arrived within a second, and which hangs up soon after a refusal."""
    with (
        log_errors_only(),
        mock.patch.object(http_protocol, "LINGER_S", 0.1),
        ServerThread(make_settings(tmp_path_factory.mktemp("server"), request_limit_s=1.0)) as served,
    ):
        yield served


class Wire:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def connect(cls, server: ServerThread) -> Wire:
        wire = cls(*await asyncio.open_connection("127.0.0.1", server.port))
        OPEN_WIRES.append(wire)
        return wire

    async def send(self, data: bytes) -> bool:
        """Whether it could be sent."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except OSError:
            return False
        return True

    async def read_to_end(self) -> bytes:
        """All that comes until the server hangs up."""
        async with asyncio.timeout(WAIT_S):
            text = b""
            try:
                while piece := await self.reader.read(65536):
                    text += piece
            except ConnectionResetError:  # what had come before is still there
                text += bytes(self.reader._buffer)  # type: ignore[attr-defined]
            return text

    async def read_answer(self) -> bytes:
        """One answer with its length."""
        async with asyncio.timeout(WAIT_S):
            head = await self.reader.readuntil(b"\r\n\r\n")
            length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            return head + await self.reader.readexactly(length)


OPEN_WIRES: list[Wire] = []  # by the test that runs


@pytest.fixture
async def wire(server: ServerThread) -> Wire:
    return await Wire.connect(server)


async def send_until_answered(wire: Wire, size: int) -> int:
    """Send so many bytes, as long as the server takes them and does not answer; how many it took."""
    sent = 0
    while sent < size and not wire.reader._buffer and await wire.send(b"a" * 65536):  # type: ignore[attr-defined]
        sent += 65536
        await asyncio.sleep(0)
    return sent


@pytest.mark.parametrize(
    ("start", "status"),
    [
        (b"GET / HTTP/1.1\r\nhost: here\r\nx-long: ", b"431"),
        (b"GET / HTTP/1.1\r\nhost: here\r\nlong-name-", b"431"),
        (b"GET /", b"414"),
        (b"GET /?q=", b"414"),
    ],
)
async def test_a_head_without_end_is_refused_before_it_is_read(wire: Wire, start: bytes, status: bytes) -> None:
    await wire.send(start)
    taken = await send_until_answered(wire, 100 * MIB)
    assert taken < 20 * MIB  # what lies in buffers on its way
    answer = await wire.read_to_end()
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b'{"error":{"code":"Request' in answer


async def test_the_largest_body_fits_however_it_is_sent() -> None:
    assert 2 * LARGEST_BODY + MAX_HEAD_BYTES < MAX_MESSAGE_BYTES


async def test_many_small_headers_are_too_large_together(wire: Wire) -> None:
    await wire.send(b"GET /healthz HTTP/1.1\r\nhost: here\r\n" + b"x-small: 1\r\n" * 10_000 + b"\r\n")
    assert (await wire.read_to_end()).startswith(b"HTTP/1.1 431")


async def test_a_head_that_is_long_but_not_too_long_is_read(wire: Wire) -> None:
    await wire.send(b"GET /healthz HTTP/1.1\r\nhost: here\r\nx-long: " + b"a" * (MAX_HEAD_BYTES - 200) + b"\r\n\r\n")
    assert (await wire.read_answer()).startswith(b"HTTP/1.1 200")


async def test_each_head_on_a_kept_connection_counts_for_itself(wire: Wire) -> None:
    for _ in range(5):
        await wire.send(b"GET /healthz HTTP/1.1\r\nhost: here\r\nx-long: " + b"a" * (MAX_HEAD_BYTES // 2) + b"\r\n\r\n")
        assert (await wire.read_answer()).startswith(b"HTTP/1.1 200")


async def test_a_long_body_and_the_next_request_in_one_breath_are_both_answered(wire: Wire) -> None:
    body = b" " * 500_000
    first = b"POST /api/records HTTP/1.1\r\nhost: here\r\n" + JSON + b"content-length: %d\r\n\r\n" % len(body) + body
    await wire.send(first + b"GET /healthz HTTP/1.1\r\nhost: here\r\n\r\n")
    assert (await wire.read_answer()).startswith(b"HTTP/1.1 422")  # no JSON, but read whole
    assert (await wire.read_answer()).startswith(b"HTTP/1.1 200")


async def test_a_refusal_before_the_whole_body_arrived_says_that_the_connection_ends(server: ServerThread) -> None:
    head = b"HTTP/1.1\r\nhost: here\r\n" + JSON + b"content-length: 300000\r\n\r\n"
    for path, status in ((b"/api/me", b"413"), (b"/api/nothing", b"404")):
        wire = await Wire.connect(server)
        await wire.send(b"POST " + path + b" " + head)
        answer = await wire.read_answer()
        assert answer.startswith(b"HTTP/1.1 " + status)
        assert b"connection: close" in answer.lower()


async def test_nothing_of_a_refused_request_outlasts_its_connection(wire: Wire) -> None:
    def is_kept() -> bool:
        requests = [each for each in gc.get_objects() if type(each) is RequestResponseCycle]
        return any(request.scope["path"] == "/api/refused" for request in requests)

    gc.disable()  # garbage would be found only when memory has grown
    try:
        head = b"POST /api/refused HTTP/1.1\r\nhost: here\r\ncontent-length: 300000\r\n\r\n"
        await wire.send(head + b" " * 60_000)
        assert (await wire.read_answer()).startswith(b"HTTP/1.1 404")
        assert is_kept()  # as long as the client may still be reading
        await wire.read_to_end()
        async with asyncio.timeout(WAIT_S):
            while is_kept():  # noqa: ASYNC110 - nothing announces it
                await asyncio.sleep(0.05)
    finally:
        gc.enable()


async def test_a_request_that_arrives_in_parts_after_another_is_answered(wire: Wire) -> None:
    request = b"GET /healthz HTTP/1.1\r\nhost: here\r\n\r\n"
    await wire.send(request + request[:20])
    assert (await wire.read_answer()).startswith(b"HTTP/1.1 200")
    await wire.send(request[20:])
    assert (await wire.read_answer()).startswith(b"HTTP/1.1 200")


async def test_what_follows_a_refused_body_is_not_read_without_end(wire: Wire) -> None:
    length = b"content-length: %d\r\n\r\n" % (10 * 1024 * MIB)
    await wire.send(b"POST /api/tables HTTP/1.1\r\nhost: here\r\n" + JSON + length)
    assert (await wire.read_answer()).startswith(b"HTTP/1.1 413")
    sent = 0
    while sent < 200 * MIB and await wire.send(b"a" * 65536):
        sent += 65536
        await asyncio.sleep(0)
    assert sent < 200 * MIB


@pytest.mark.parametrize("filler", [b"1;" + b"e" * 60_000 + b"\r\na\r\n", b"0\r\n" + b"x: y\r\n" * 10_000])
async def test_the_framing_of_a_body_in_pieces_is_bounded(wire: Wire, filler: bytes) -> None:
    await wire.send(
        b"POST /api/records HTTP/1.1\r\nhost: here\r\n" + JSON + b"transfer-encoding: chunked\r\n\r\n" + filler
    )
    sent, piece = 0, filler if filler.startswith(b"1;") else b"x: y\r\n" * 10_000
    while sent < 20 * MAX_MESSAGE_BYTES and not wire.reader._buffer and await wire.send(piece):  # type: ignore[attr-defined]
        sent += len(piece)
        await asyncio.sleep(0)
    assert (await wire.read_to_end()).startswith(b"HTTP/1.1 4")
    assert sent < 20 * MAX_MESSAGE_BYTES


LATE = [  # how a request begins, what follows a few bytes at a time, and the answer
    (b"GET / HTTP/1.1\r\nhost: here\r\nx-slow: ", b"a", b"HTTP/1.1 408"),
    (b"GET /slow", b"a", b"HTTP/1.1 408"),
    (b"POST /api/tables HTTP/1.1\r\nhost: h\r\n" + JSON + b"content-length: 100\r\n\r\n", b" ", b"HTTP/1.1 408"),
    (b"\r\n", b"\r\n", b"HTTP/1.1 408"),
    (b"GET /healthz HTTP/1.1\r\nhost: here\r\n\r\n", b"\r\n", b"HTTP/1.1 200"),  # blank lines begin no request
    (b"", b"", b""),
]


async def test_a_request_that_does_not_arrive_in_time_is_ended(server: ServerThread) -> None:
    async def answer_to(start: bytes, drip: bytes) -> bytes:
        wire, begun = await Wire.connect(server), time.monotonic()
        await wire.send(start)
        dripping = asyncio.ensure_future(_drip(wire, drip))
        answer = await wire.read_to_end()
        assert time.monotonic() - begun >= 0.9  # not before its time
        await dripping
        return answer

    answers = await asyncio.gather(*(answer_to(start, drip) for start, drip, _ in LATE))
    assert [answer[:12] for answer in answers] == [expected for *_, expected in LATE]


async def _drip(wire: Wire, drip: bytes) -> None:
    while not wire.reader.at_eof() and await wire.send(drip):  # noqa: ASYNC110 - the server is in another thread
        await asyncio.sleep(0.1)


@pytest.mark.long
async def test_a_kept_connection_and_a_stream_outlast_the_limit(server: ServerThread) -> None:
    kept, stream = await Wire.connect(server), await Wire.connect(server)
    await stream.send(b"GET /api/lobby/events HTTP/1.1\r\nhost: here\r\n\r\n")
    for _ in range(2):
        await kept.send(b"GET /healthz HTTP/1.1\r\nhost: here\r\n\r\n")
        assert (await kept.read_answer()).startswith(b"HTTP/1.1 200")
        await asyncio.sleep(1.5)
    assert not stream.reader.at_eof()
    assert (await stream.reader.read(1000)).startswith(b"HTTP/1.1 200")


async def test_others_are_answered_while_heads_pour_in(server: ServerThread) -> None:
    pouring = []
    for _ in range(5):
        wire = await Wire.connect(server)
        await wire.send(b"GET / HTTP/1.1\r\nx-long: ")
        pouring.append(asyncio.ensure_future(send_until_answered(wire, 20 * MIB)))
    other = await Wire.connect(server)
    await other.send(b"GET /healthz HTTP/1.1\r\nhost: here\r\n\r\n")
    assert (await other.read_answer()).startswith(b"HTTP/1.1 200")
    await asyncio.gather(*pouring)


@pytest.mark.long
async def test_a_reader_who_takes_nothing_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "STALL_TIMEOUT_S", 0.3)
    with ServerThread(make_settings(tmp_path)) as served:
        wire = await Wire.connect(served)
        wire.writer.transport.pause_reading()  # type: ignore[attr-defined]  # it is a transport that reads
        for _ in range(400):  # until the answers fill every buffer on the way
            if not await wire.send(b"GET /api/openapi.json HTTP/1.1\r\nhost: here\r\n\r\n"):
                break
            await asyncio.sleep(0.01)
        async with asyncio.timeout(WAIT_S):
            while served.server.server_state.connections:  # noqa: ASYNC110 - of a server in another thread
                await asyncio.sleep(0.05)


@pytest.mark.long
async def test_a_connection_is_closed_when_it_has_been_idle_since_its_last_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "KEEP_ALIVE_S", 0.4)
    request = b"GET /static/site.webmanifest HTTP/1.1\r\nhost: here\r\n\r\n"
    with ServerThread(make_settings(tmp_path)) as served:
        wire = await Wire.connect(served)
        for _ in range(4):  # in all longer than the limit
            assert await wire.send(request)
            assert (await wire.read_answer()).startswith(b"HTTP/1.1 ")
            await asyncio.sleep(0.25)
        assert await wire.send(request)
        assert (await wire.read_answer()).startswith(b"HTTP/1.1 ")
        started_at = time.monotonic()
        assert await wire.read_to_end() == b""
        assert time.monotonic() - started_at > 0.3


@pytest.mark.long
async def test_a_stream_is_no_idle_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "KEEP_ALIVE_S", 0.2)
    with ServerThread(make_settings(tmp_path)) as served:
        wire = await Wire.connect(served)
        assert await wire.send(b"GET /healthz HTTP/1.1\r\nhost: here\r\n\r\n")
        await wire.read_answer()
        assert await wire.send(b"GET /api/lobby/events HTTP/1.1\r\nhost: here\r\n\r\n")
        async with asyncio.timeout(WAIT_S):
            assert b"200 OK" in await wire.reader.readuntil(b"retry: 1000")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(wire.reader.readuntil(b"an end"), 0.6)
