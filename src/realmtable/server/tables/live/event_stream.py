"""Server-sent events: streams of scenes that wake only when a table changes; viewers share compressed data."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final, NamedTuple

from realmtable.server.stream_limits import OpenStream
from realmtable.server.tables.live.change_signal import ChangeSignal, ChangeWaiter
from realmtable.server.tables.live.live_table import LiveTable
from realmtable.server.tables.live.scene_patch import make_patch
from realmtable.server.tables.live.table_service import TableService
from realmtable.server.tables.scenes.list_changes import KnownLists, known_lists
from realmtable.server.tables.table import visible_version

PING_S: Final = 15.0
PING: Final = b": still here\n\n"
RETRY: Final = b"retry: 1000\n\n"  # when a browser reconnects, in milliseconds
WINDOW: Final = 32 * 1024  # how far back deflate blocks can refer
FAST_LEVEL: Final = 3
BEST_LEVEL: Final = 9
LARGE_BLOCKS: Final = 1_600  # bytes; about one move in 23 of random games of Etherium with four players
GZIP_HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


class SceneForm(NamedTuple):
    """How a viewer wants scenes."""

    pictures: bool
    patches: bool
    groups: bool
    changes: bool = False  # whether events after the first leave out most of what is the same


def encode_event(name: str, data: bytes, number: int | None = None) -> bytes:
    """Encode an event for the wire."""
    head = b"" if number is None else b"id: %d\n" % number
    return b"%bevent: %b\ndata: %b\n\n" % (head, name.encode(), data)


def compress_block(data: bytes, before: bytes = b"") -> bytes:
    """Compress data to deflate blocks for a gzip stream whose data so far ends with `before`.

    Most of a scene repeats the one before it, so the blocks refer to it. No compressor is kept for a stream: each would
    take a quarter of a megabyte. The few large blocks are compressed again, which takes longer and saves a seventh.
    """
    blocks = _deflate(data, before, FAST_LEVEL)
    is_first = len(before) <= len(RETRY)  # it is sent once, and often to many viewers at the same time
    return blocks if is_first or len(blocks) <= LARGE_BLOCKS else _deflate(data, before, BEST_LEVEL)


def _deflate(data: bytes, before: bytes, level: int) -> bytes:
    compressor = zlib.compressobj(level=level, wbits=-15, memLevel=6, zdict=before[-WINDOW:])
    return compressor.compress(data) + compressor.flush(zlib.Z_SYNC_FLUSH)


compress_for_many = lru_cache(maxsize=256)(compress_block)  # for viewers who see the same


class GzipEncoder:
    """Compresses the events of one stream to an endless gzip stream."""

    def __init__(self, *, for_many: bool = True) -> None:
        """`for_many`: whether other viewers may see the same, such as spectators; players of one table do not."""
        self._compress = compress_for_many if for_many else compress_block
        self._head = GZIP_HEAD
        self._before = b""

    def encode(self, event: bytes) -> bytes:
        """Return the next part of the stream."""
        head, self._head = self._head, b""
        part = head + self._compress(event, self._before)
        # A short event, such as a comment or a scene without choices, must not hide a longer one before it.
        is_short = 2 * len(event) < len(self._before)
        self._before = (self._before + event)[-WINDOW:] if is_short else event
        return part


class Outgoing(NamedTuple):
    """What a stream sends next."""

    event: bytes | None  # None if the viewer has it
    data: bytes  # of the scene, or of the changes
    lists: KnownLists | None  # that the viewer knows then, if changes of them can be sent


class SceneFeed:
    """The events of a table for one viewer: what was sent, and what comes next."""

    def __init__(
        self,
        table_service: TableService,
        live: LiveTable,
        player_id: str | None,
        form: SceneForm,
        closing: asyncio.Event,
    ) -> None:
        self._service, self._live = table_service, live
        self._player_id, self.you = player_id, live.table.seats_of(player_id)
        self._checked_seats = live.table.seats  # in which `you` are the viewer's
        self._closings = self._count_closings()
        self._form = form
        self._sent = b""  # the data of what was sent last
        self._lists: KnownLists | None = None  # as in `Outgoing`
        self._next_change: ChangeSignal | None = None  # since then
        self._closing = closing
        self.stream: OpenStream | None = None

    def _count_closings(self) -> int:
        return self._service.presence.closings.get(self._player_id or "", 0)

    def must_end(self) -> bool:
        """Whether the stream must end; the client then reconnects."""
        live = self._live
        if self._closing.is_set() or (self.stream is not None and self.stream.ended):
            return True
        seats = live.table.seats
        if seats is not self._checked_seats:
            if live.table.seats_of(self._player_id) != self.you:
                return True  # the client reconnects with its new identity
            self._checked_seats = seats
        if self._count_closings() != self._closings:
            return True  # the sign-in changed: as above
        # Evicted before this stream was counted: the client reconnects to the current one.
        return self._service.live.get(live.table.id) is not live

    async def next_event(self, known: int | None) -> bytes | None:
        """Return the event for the current scene, or None if it was sent, or has the version `known`."""
        outgoing = self._find_changes()
        if outgoing is None:
            pictures, groups = self._form.pictures, self._form.groups
            version, data = await self._service.scenes.scene_bytes(
                self._live, self.you, pictures=pictures, groups=groups
            )
            if version == known and not self._form.patches and not self._form.changes:
                self._sent = data
            outgoing = self._encode(data, version)
        self._note(outgoing)
        return outgoing.event

    def push(self) -> ChangeSignal | None:
        """Send the current scene at once; return the signal of the next change.

        Return None, with nothing sent, if the task of the stream must do it: because something must be loaded, the
        client reads slowly, or the stream must end.
        """
        stream, live, you, form = self.stream, self._live, self.you, self._form
        if stream is None or stream.send_now is None or self.must_end():
            return None
        outgoing = self._find_changes()
        if outgoing is None:
            data = self._service.scenes.scene_bytes_now(live, you, pictures=form.pictures, groups=form.groups)
            if data is None:
                return None
            outgoing = self._encode(data, visible_version(live.table, you))
        if outgoing.event is not None and not stream.send_now(outgoing.event):
            return None
        self._note(outgoing)
        return self._next_change

    def _find_changes(self) -> Outgoing | None:
        """Return the event for what has changed; None if the whole scene must be sent."""
        live, you = self._live, self.you
        if self._lists is None:
            return None
        if self._next_change is live.change_signal(you) and not live.table.is_timed:
            return Outgoing(None, self._sent, self._lists)
        changes = self._service.scenes.changes_now(live, you, self._lists, groups=self._form.groups)
        if changes is None:
            return None
        event = encode_event("changes", changes.data, visible_version(live.table, you))
        return Outgoing(event, changes.data, changes.now_known)

    def _encode(self, data: bytes, version: int) -> Outgoing:
        """Return the event for a whole scene, or for a patch of the one before."""
        lists = known_lists(self._live.table) if self._form.changes else None
        if data is self._sent:
            return Outgoing(None, data, lists)
        patch = make_patch(self._sent, data) if self._form.patches and self._sent else None
        return Outgoing(encode_event("scene" if patch is None else "patch", patch or data, version), data, lists)

    def _note(self, outgoing: Outgoing) -> None:
        self._sent, self._lists = outgoing.data, outgoing.lists
        self._next_change = self._live.change_signal(self.you)


async def stream_scenes(  # noqa: PLR0913 - all are needed to start and end a stream
    table_service: TableService,
    live: LiveTable,
    player_id: str | None,
    *,
    pictures: bool,
    patches: bool = False,
    groups: bool = False,
    changes: bool = False,
    known: int | None,
    closing: asyncio.Event,
    admitted: Callable[[], Awaitable[bool]],
    stream: OpenStream | None = None,
) -> AsyncIterator[bytes]:
    """Yield the events of a table for one viewer: the current scene, unless it is `known`, and all later ones.

    With `patches`, later scenes are sent as patches of the one before; with `changes`, those without pictures are sent
    as what has changed, where that is possible. The first is then sent even if it is known, since a scene of the same
    version may differ in its times and connections. With `groups`, long lists of choices are sent in groups.
    `admitted` checks once that the viewer is still signed in as this player.

    While nothing is in the way, scenes are sent by `SceneFeed.push`, and this generator waits.
    """
    yield RETRY
    form = SceneForm(pictures, patches, groups, changes and not pictures)
    feed = SceneFeed(table_service, live, player_id, form, closing)
    # After the feed has counted the closings, so that no later closing is missed.
    if player_id is not None and not await admitted():
        return
    feed.stream = stream
    requester = stream.requester if stream else None
    with open_waiter(stream) as waiter:
        async with table_service.presence.count_stream(live, feed.you, requester):
            table_service.follow_announcements(live)  # which came before the stream was counted
            while not feed.must_end():
                changed = live.change_signal(feed.you)  # before reading the table, so that no change is missed
                event = await feed.next_event(known)
                known = None
                if event is not None:
                    yield event
                if not await waiter.wait(changed, feed.push):
                    yield PING


async def stream_lobby_changes(
    table_service: TableService, closing: asyncio.Event, stream: OpenStream | None = None
) -> AsyncIterator[bytes]:
    """Yield an event when the lists of the lobby change, at most one per second."""
    yield RETRY
    changed = table_service.lobby_changed
    with open_waiter(stream) as waiter:
        while not closing.is_set() and not (stream and stream.ended):
            if await waiter.wait(changed):
                changed = table_service.lobby_changed  # before sending, so that no change is missed
                yield encode_event("changed", b"{}")
                await asyncio.sleep(1)
            else:
                yield PING


@contextmanager
def open_waiter(stream: OpenStream | None) -> Iterator[ChangeWaiter]:
    """Open a waiter for a stream, whose waits end with the stream or when a ping is due."""
    waiter = ChangeWaiter(PING_S)
    if stream is not None:
        stream.on_end = waiter.stop
    try:
        yield waiter
    finally:
        waiter.close()
