"""Small pictures of listed tables for spectators, named by a digest of their content so that browsers cache them.

A table is drawn at most once a second, one table at a time and outside the event loop, however many people look.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import AnyGame, View
from realmtable.server.errors import NotFound
from realmtable.server.sized_cache import SizedCache
from realmtable.server.tables.live.table_service import TableService
from realmtable.server.tables.table import Table

KEY_LENGTH: Final = 32
REDRAW_S: Final = 1.0
MAX_TABLES: Final = 500
MAX_PICTURES: Final = 200
GONE = "This picture is not in use any more; reload the page."


@dataclass(eq=False)
class BoardPicture:
    """A position as spectators see it, with its drawings by theme."""

    game: AnyGame
    view: View
    drawings: dict[str, str] = field(default_factory=dict)

    def draw(self, theme: str) -> str:
        """Return the picture in a theme."""
        if theme not in self.drawings:
            self.drawings[theme] = draw_whole(self.game, self.view, theme)
        return self.drawings[theme]


class BoardPictures:
    """The current pictures of listed tables, and recent ones that browsers may still request."""

    def __init__(self, table_service: TableService) -> None:
        self._table_service = table_service
        self._current: OrderedDict[str, tuple[int, float, str]] = OrderedDict()  # by table: version, time, key
        self._pictures: SizedCache[tuple[str, str], BoardPicture] = SizedCache(MAX_PICTURES, lambda _: 1)  # by both
        self._drawing = asyncio.Lock()

    async def current_key(self, table_id: str) -> str:
        """Return the key of a table's current picture; raise NotFound unless the table is listed."""
        table = await self._table_service.table(table_id)
        if not table.setup.listed:
            raise NotFound(GONE)
        async with self._drawing:
            version, drawn_at, key = self._current.get(table_id, (0, 0.0, ""))
            is_recent = version == table.version or time.monotonic() - drawn_at < REDRAW_S
            if is_recent and self._pictures.get((table_id, key)) is not None:
                return key
            picture = BoardPicture(table.game, _spectator_view(table))
            key = _digest(await asyncio.to_thread(picture.draw, "auto"))
            self._current[table_id] = (table.version, time.monotonic(), key)
            if self._pictures.get((table_id, key)) is None:  # otherwise keep that one's drawings in other themes
                self._pictures.put((table_id, key), picture)
            while len(self._current) > MAX_TABLES:
                self._current.popitem(last=False)
            return key

    def known_key(self, table_id: str) -> str | None:
        """Return the key of the latest picture that was drawn of a table, or None."""
        return self._current.get(table_id, (0, 0.0, None))[2]

    async def load(self, table_id: str, key: str, theme: str) -> str:
        """Return a current or recent picture of a listed table; raise NotFound if there is none with this key."""
        if self._pictures.get((table_id, key)) is None:  # another process may have drawn it
            await self.current_key(table_id)
        picture = self._pictures.get((table_id, key))
        if picture is None:
            raise NotFound(GONE)
        async with self._drawing:
            return await asyncio.to_thread(picture.draw, theme)


def _spectator_view(table: Table) -> View:
    return table.view_to_draw(table.game.view(table.match.state, None))


def _digest(picture: str) -> str:
    return hashlib.sha256(picture.encode()).hexdigest()[:KEY_LENGTH]
