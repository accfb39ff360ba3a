"""Server-sent events: the scenes of a table, for programs, and changes of the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from realmtable.server.stream_limits import OpenStream
from realmtable.server.tables.live.live_tables import wait_for
from realmtable.server.tables.live.table_feed import TableFeed
from realmtable.server.tables.live.table_service import TableService

PING_S: Final = 15.0
PING: Final = b": still here\n\n"
RETRY: Final = b"retry: 1000\n\n"  # when a browser reconnects, in milliseconds
LOBBY_PAUSE_S: Final = 1.0


def encode_event(name: str, data: bytes, event_id: str = "") -> bytes:
    """Encode an event for the wire."""
    head = f"id: {event_id}\n".encode() if event_id else b""
    return b"%bevent: %b\ndata: %b\n\n" % (head, name.encode(), data)


async def stream_scenes(feed: TableFeed, admitted: Callable[[], Awaitable[bool]]) -> AsyncIterator[bytes]:
    """Yield the events of a table for one viewer: the scene, unless they know it, and then every change.

    `admitted` checks once that the viewer is still signed in as this player.
    """
    yield RETRY
    if feed.player_id is not None and not await admitted():  # after the feed has begun to note the end of sign-ins
        return
    with feed.watch():
        while not feed.must_end():
            update = await feed.next_update()
            if update is not None:
                yield encode_event("scene" if update.is_whole else "change", update.change, update.scene_id)
            if not await wait_for(feed.viewer.woken, PING_S):
                yield PING


async def stream_lobby_changes(
    table_service: TableService, closing: asyncio.Event, stream: OpenStream
) -> AsyncIterator[bytes]:
    """Yield an event when the lists of the lobby change, at most one per second."""
    yield RETRY
    woken = asyncio.Event()
    stream.on_end = woken.set
    table_service.lobby_viewers.add(woken)
    try:
        while not closing.is_set() and not stream.ended:
            if await wait_for(woken, PING_S):
                woken.clear()  # before sending, so that no change is missed
                yield encode_event("changed", b"{}")
                await asyncio.sleep(LOBBY_PAUSE_S)
            else:
                yield PING
    finally:
        table_service.lobby_viewers.discard(woken)
