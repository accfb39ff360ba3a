import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from bench.http_client import FINISHED, ConnectionPool, EventReader, RequestFailed, format_request, open_stream

pytestmark = pytest.mark.anyio
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
EVENTS = b'retry: 1000\n\nid: 3\nevent: scene\ndata: {"a":1}\n\n: still here\n\nid: 4\nevent: change\ndata: {"b":2}\n\n'


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def run_server(handler: Handler) -> AsyncIterator[ConnectionPool]:
    async def handle_and_close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await handler(reader, writer)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(handle_and_close, "127.0.0.1", 0)
    async with server:
        yield ConnectionPool("127.0.0.1", server.sockets[0].getsockname()[1])


async def test_a_request_is_written_as_http_has_it() -> None:
    assert format_request("GET", "/a?b=1", {"host": "x"}) == b"GET /a?b=1 HTTP/1.1\r\nhost: x\r\n\r\n"
    assert format_request("POST", "/a", {}, b"{}") == b"POST /a HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}"
    assert format_request("POST", "/a", {}) == b"POST /a HTTP/1.1\r\ncontent-length: 0\r\n\r\n"


@pytest.mark.parametrize("piece", [1, 7, 1000])
async def test_events_are_read_however_they_are_cut(piece: int) -> None:
    seen: list[tuple[str, bytes]] = []
    reader = EventReader(lambda kind, data: seen.append((kind, data)))
    for start in range(0, len(EVENTS), piece):
        reader.feed(EVENTS[start : start + piece])
    assert seen == [("scene", b'{"a":1}'), ("change", b'{"b":2}')]


async def test_a_connection_is_kept_and_used_again() -> None:
    connections = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        while head := await reader.readuntil(b"\r\n\r\n") if not reader.at_eof() else b"":
            size = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            body = await reader.readexactly(size)
            writer.write(b"HTTP/1.1 201 Created\r\nX-Kind: echo\r\nContent-Length: %d\r\n\r\n%b" % (size, body))
            if body == b"last":
                return

    async with run_server(answer) as lines:
        first = await lines.send("POST", "/", {}, b"one")
        second = await lines.send("POST", "/", {}, b"last")
        assert (first.status, first.headers["x-kind"], first.body, second.body) == (201, "echo", b"one", b"last")
        assert len(connections) == 1
        await asyncio.sleep(0.05)
        assert (await lines.send("POST", "/", {}, b"last")).status == 201
        assert len(connections) == 2
        lines.close()


async def test_a_lost_answer_fails() -> None:
    async def hang_up(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")

    async with run_server(hang_up) as lines:
        with pytest.raises(RequestFailed, match="connection lost"):
            await lines.send("GET", "/", {})


async def test_a_kept_connection_that_was_closed_is_replaced() -> None:
    requests = []

    async def answer_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        if len(requests) == 1:
            await reader.readuntil(b"\r\n\r\n")  # do not answer the second request

    async with run_server(answer_one) as lines:
        assert (await lines.send("GET", "/", {})).status == 200
        assert (await lines.send("GET", "/", {})).status == 200
    assert len(requests) == 2


async def test_a_refused_connection_fails() -> None:
    async with run_server(lambda _, __: asyncio.sleep(0)) as lines:
        pass
    with pytest.raises(RequestFailed, match="cannot connect"):
        await lines.send("GET", "/", {})
    with pytest.raises(RequestFailed, match="cannot connect"):
        await open_stream(lines, "/", {}, lambda _, __: None, lambda _: None)


async def test_a_stream_reports_its_events_and_its_end() -> None:
    async def stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        writer.write(b"%x\r\n%b\r\n" % (len(EVENTS), EVENTS))
        await writer.drain()

    seen: list[str] = []
    ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with run_server(stream) as lines:
        await open_stream(lines, "/events", {}, lambda kind, _: seen.append(kind), ended.set_result)
        assert "closed by the server" in await asyncio.wait_for(ended, 5)
    assert seen == ["scene", "change"]


async def test_a_finished_stream_is_told_from_a_lost_one() -> None:
    async def finish(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        writer.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(EVENTS), EVENTS))
        await reader.read()  # the connection stays open

    ended: list[str] = []
    async with run_server(finish) as lines:
        stream = await open_stream(lines, "/events", {}, lambda _, __: None, ended.append)
        async with asyncio.timeout(5):
            while not ended:  # noqa: ASYNC110 - the callback tells it
                await asyncio.sleep(0.01)
        assert stream.closing
    assert ended == [FINISHED]


async def test_a_refused_stream_fails() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n")

    async with run_server(refuse) as lines:
        with pytest.raises(RequestFailed, match="refused with 429"):
            await open_stream(lines, "/", {}, lambda _, __: None, lambda _: None)
