"""What one viewer of a table is sent: the scene, then every change of it, as long as they may see it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from realmtable.server.stream_limits import OpenStream
from realmtable.server.tables.live.live_table import LiveTable, Viewer
from realmtable.server.tables.live.table_service import TableService
from realmtable.server.tables.live.viewer_scenes import Update


class TableFeed:
    """The scenes of a table for one viewer, who knows the one with the id `known`."""

    def __init__(  # noqa: PLR0913 - who watches what, and how
        self,
        table_service: TableService,
        live: LiveTable,
        player_id: str | None,
        stream: OpenStream,
        closing: asyncio.Event,
        *,
        pictures: bool,
        known: str = "",
    ) -> None:
        self.player_id = player_id
        self.viewer = Viewer(live.table.seats_of(player_id), stream.requester, player_id)
        self._service, self._live, self._stream, self._closing = table_service, live, stream, closing
        self._pictures, self._known = pictures, known
        self._closings = self._closings_so_far()

    def _closings_so_far(self) -> int:
        return self._service.presence.closings.get(self.player_id or "", 0)

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Count the viewer, who is woken by changes, while the context is open."""
        self._stream.on_end = self.viewer.woken.set
        with self._service.presence.watch(self._live, self.viewer):
            self._service.follow_announcements(self._live)  # which came before the viewer was counted
            yield

    def must_end(self) -> bool:
        """Whether the viewer must open the table again, because of what has changed about them or the server."""
        live = self._live
        return (
            self._closing.is_set()
            or self._stream.ended
            or live.table.seats_of(self.player_id) != self.viewer.you
            or self._closings_so_far() != self._closings
            or self._service.live.get(live.table.id) is not live  # evicted before this viewer was counted
        )

    async def next_update(self) -> Update | None:
        """Return what the viewer is to be sent now, if anything."""
        self.viewer.woken.clear()  # before reading the table, so that no change is missed
        update = await self._service.scenes.update(self._live, self.viewer.you, self._known, pictures=self._pictures)
        if update is None or self.must_end():  # their seats may have changed meanwhile
            return None
        self._known = update.scene_id
        return update
