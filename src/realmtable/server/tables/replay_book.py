"""Whole games for those who look back: of tables and of kept records, each read once while people look at it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from realmtable.engine import registry
from realmtable.engine.record import Record, load
from realmtable.server.errors import NotAllowed, NotFound
from realmtable.server.people.accounts import Accounts, Player
from realmtable.server.storage.store import Store
from realmtable.server.tables import replays
from realmtable.server.tables.house import House
from realmtable.server.tables.scene import may_explore, shown_name
from realmtable.server.tables.table import Table

KEPT_RECORDS: Final = 64


class ReplayBook:
    """Whole games to look at: of tables, of kept records."""

    def __init__(self, house: House, store: Store, accounts: Accounts) -> None:
        self.house = house
        self.store = store
        self.accounts = accounts
        self.records: OrderedDict[str, Record] = OrderedDict()

    async def table(self, table_id: str, player: Player | None) -> dict[str, object]:
        """What the replay page of a table shows first."""
        table = await self.house.whole(table_id)
        return replays.table_replay(table, player, await self.names(table))

    async def record(self, table_id: str) -> Record:
        """A table's record; where there are secrets only when it is over."""
        table = await self.house.whole(table_id)
        if not may_explore(table):
            raise NotAllowed("The record of a game with secrets is given out when it is over.")
        return replays.table_record(table, await self.names(table))

    async def names(self, table: Table) -> dict[str, str]:
        """The players by the name of their seat."""
        players = await self.accounts.players([sitter.player_id for sitter in table.seats if sitter])
        names = table.game.info.seat_names
        return {
            names[seat]: shown_name(players[sitter.player_id]) if sitter and sitter.player_id in players else "nobody"
            for seat, sitter in enumerate(table.seats)
        }

    async def kept_text(self, record_id: str) -> str:
        """The text of a kept record."""
        row = await self.store.record(record_id)
        if row is None:
            raise NotFound("There is no such record.")
        return row.text

    async def kept(self, record_id: str) -> dict[str, object]:
        """What the page of a kept record shows first."""
        return replays.record_replay(record_id, await self.kept_record(record_id))

    async def kept_moment(self, record_id: str, step: int) -> replays.Moment:
        """A moment of a kept record."""
        return replays.record_moment(await self.kept_record(record_id), step)

    async def kept_record(self, record_id: str) -> Record:
        """A kept record, read once while people look at it; in a thread, for a long one takes its time."""
        record = self.records.get(record_id)
        if record is None:
            record = await asyncio.to_thread(load, await self.kept_text(record_id), registry.game)
            self.records[record_id] = record
            while len(self.records) > KEPT_RECORDS:
                self.records.popitem(last=False)
        self.records.move_to_end(record_id)
        return record
