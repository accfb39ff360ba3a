"""Server-sent events: a stream of scenes that wakes only when its table has changed, compressed once for everybody."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import lru_cache
from typing import Final

from realmtable.server.stream_limits import OpenStream
from realmtable.server.tables.live_table import LiveTable
from realmtable.server.tables.service import TableService

PING_S: Final = 15.0
PING: Final = b": still here\n\n"
RETRY: Final = b"retry: 1000\n\n"  # how soon a browser comes back, in milliseconds
GZIP_HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


def encode_event(name: str, data: bytes, number: int | None = None) -> bytes:
    """One event as the wire has it."""
    head = b"" if number is None else b"id: %d\n" % number
    return head + b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"


@lru_cache(maxsize=256)  # all who see the same get the same piece
def compress_block(data: bytes) -> bytes:
    """Data as whole deflate blocks that refer to nothing before them: a piece of any gzip stream."""
    squeezer = zlib.compressobj(level=3, wbits=-15, memLevel=8)
    return squeezer.compress(data) + squeezer.flush(zlib.Z_FULL_FLUSH)


async def gzip_events(events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """A stream of events as one gzip stream that never ends."""
    yield GZIP_HEAD
    async for event in events:
        yield compress_block(event)


async def stream_scenes(  # noqa: PLR0913 - a stream is told how to begin, and when to end
    table_service: TableService,
    live: LiveTable,
    player_id: str | None,
    *,
    pictures: bool,
    known: int | None,
    closing: asyncio.Event,
    admitted: Callable[[], Awaitable[bool]],
    stream: OpenStream | None = None,
) -> AsyncIterator[bytes]:
    """The events of a table for one viewer: the present scene, unless it is `known`, and every later one.

    `admitted` is asked once whether the viewer is still the player, who may have been signed out since the request.
    """
    yield RETRY
    you, dismissed = live.table.seats_of(player_id), table_service.stream_closings[player_id or ""]
    if player_id is not None and not await admitted():  # after `dismissed` was read: whatever comes later is seen below
        return
    async with table_service.presence(live, you, stream.owner if stream else None):
        sent = b""
        while not closing.is_set() and not (stream and stream.ended):
            changed = live.change_event(you)  # before looking, so that no change is missed
            if live.table.seats_of(player_id) != you or table_service.stream_closings[player_id or ""] != dismissed:
                return  # sat down, stood up or signed out: the reader comes back and is told as who
            if table_service.live.get(live.table.id) is not live:
                return  # laid aside before we were counted: the reader comes back to the one in use
            version, data = await table_service.scene_bytes(live, you, pictures=pictures)
            if version == known:
                sent, known = data, None
            if data is not sent:
                yield encode_event("scene", data, version)
                sent = data
            if not await wait_for_change(changed, stream):
                yield PING


async def stream_lobby_changes(
    table_service: TableService, closing: asyncio.Event, stream: OpenStream | None = None
) -> AsyncIterator[bytes]:
    """An event whenever the lists of the lobby have changed, a second apart at least."""
    yield RETRY
    changed = table_service.lobby_changed
    while not closing.is_set() and not (stream and stream.ended):
        if await wait_for_change(changed, stream):
            changed = table_service.lobby_changed  # before telling, so that no change is missed
            yield encode_event("changed", b"{}")
            await asyncio.sleep(1)
        else:
            yield PING


async def wait_for_change(changed: asyncio.Event, stream: OpenStream | None = None) -> bool:
    """Wait for a change; False when nothing happened for a while, or the stream has to end."""
    try:
        async with asyncio.timeout(PING_S) as patience:
            if stream is not None:
                stream.timeout = patience
            await changed.wait()
    except TimeoutError:
        return False
    return True
