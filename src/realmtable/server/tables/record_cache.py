"""Whole games for those who look back: of tables and of kept records, each read once while people look at it.

What takes time is done in the processes of `replay_pool`, for whoever asks.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

from realmtable.engine import registry
from realmtable.engine.protocol import Seat
from realmtable.engine.record import Record, load
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.errors import NotAllowed, NotFound, RateLimited
from realmtable.server.storage.store import Store
from realmtable.server.tables import actions, moments, replay_tasks
from realmtable.server.tables.replay_tasks import EncodedRun, OpenedGame, OpenedRecord, estimate_steps
from realmtable.server.tables.scene import match_at, may_explore, shown_name, viewpoint
from realmtable.server.tables.service import House
from realmtable.server.tables.table import Table
from realmtable.server.workers.replay_pool import Asker, ReplayPool

KEPT_GAMES: Final = 64
KEPT_CHARACTERS: Final = 50_000_000  # of all kept games together

Shown = TypeVar("Shown")


class ReplayBook:
    """Whole games to look at: of tables, of kept records."""

    def __init__(self, house: House, store: Store, accounts: Accounts, pool: ReplayPool) -> None:
        self.house = house
        self.store = store
        self.accounts = accounts
        self.pool = pool
        self.records: OrderedDict[str, OpenedRecord] = OrderedDict()
        self.reading: dict[str, asyncio.Future[OpenedRecord]] = {}  # records that are being read
        self.tables: OrderedDict[str, OpenedGame] = OrderedDict()  # those that memory holds from a snapshot on only

    # ---- tables

    async def table(self, table_id: str, player: Player | None, asker: Asker) -> dict[str, object]:
        """What the replay page of a table shows first."""
        table = await self.house.table(table_id)
        step = table.numbering(_seats_of(table, player)).step(table.step)
        latest = await self.table_moment(table_id, player, step, asker, replay_tasks.moment_data)
        promise = await self.fairness(table_id, asker) if table.game.info.chance else None
        return moments.table_replay(table, player, await self.names(table), latest, promise)

    async def table_moment(
        self, table_id: str, player: Player | None, step: int, asker: Asker, work: Callable[..., Shown]
    ) -> Shown:
        """A table after its first `step` steps, as a player (None: a visitor) may see it."""
        table = await self.house.table(table_id)
        seats = _seats_of(table, player)
        numbering = table.numbering(seats)
        steps = numbering.step(table.step)
        if not 0 <= step <= steps:
            raise NotFound(f"The game has steps 0 to {steps}.")
        run, viewer = await self._run(table, numbering.first_step(step), asker), viewpoint(table, seats)
        return await self.pool.run(asker, 1 + len(run.moves), work, run, viewer, step, steps, may_explore(table))

    async def _run(self, table: Table, step: int, asker: Asker) -> EncodedRun:
        if table.base == 0 or step > table.base:
            return replay_tasks.encode_latest(match_at(table.match, table.step, step))
        opened = self.tables.get(table.id)
        if opened is None or opened.steps < step:  # what lies before a snapshot never changes
            live = await self.house.find(table.id)
            events = await self.store.events(table.id)
            opened = await self.pool.run_long(asker, table.step, replay_tasks.open_whole_table, live.row, events)
            self.tables[table.id] = opened
        self.tables.move_to_end(table.id)
        _forget(self.tables, lambda kept: kept.size)
        return opened.run_at(step)

    async def preview(self, table_id: str, player: Player | None, text: str, asker: Asker) -> bytes:
        """What a step would do, shown to the player who may take it; nothing is stored.

        In a game with secrets a step may show one, so there it is refused.
        """
        table = await self.house.table(table_id)
        if table.game.info.hidden:
            raise NotAllowed("In a game with secrets a step is seen when it is taken.")
        seat = actions.playing_seat(table, _seats_of(table, player))
        run = replay_tasks.encode_latest(table.match)
        cost = 1 + len(run.moves) + estimate_steps(text)
        return await self.pool.run(asker, cost, replay_tasks.preview_json, run, seat, text, table.step)

    async def record_text(self, table_id: str, asker: Asker) -> str:
        """A table's record as a file; where there are secrets only when it is over."""
        live = await self.house.find(table_id)
        self._check_may_leave(live.table)
        names, events = await self.names(live.table), await self.store.events(table_id)
        cost = 1 + live.table.step
        return await self.pool.run_long(asker, cost, replay_tasks.table_record_text, live.row, events, names)

    async def fairness(self, table_id: str, asker: Asker) -> dict[str, Any]:
        """Whether a table's dice and shuffles are those that its published hash promised."""
        live = await self.house.find(table_id)
        if live.table.result is None:
            return moments.fairness(live.table)
        events, cost = await self.store.events(table_id), 1 + live.table.step
        return await self.pool.run_long(asker, cost, replay_tasks.table_fairness, live.row, events)

    async def record(self, table_id: str) -> Record:
        """A table's record to analyse; one at a time is, so a thread will do."""
        table = await self.house.whole(table_id)
        self._check_may_leave(table)
        return await asyncio.to_thread(moments.table_record, table, await self.names(table))

    @staticmethod
    def _check_may_leave(table: Table) -> None:
        if not may_explore(table):
            raise NotAllowed("The record of a game with secrets is given out when it is over.")

    async def names(self, table: Table) -> dict[str, str]:
        """The players by the name of their seat."""
        players = await self.accounts.players([sitter.player_id for sitter in table.seats if sitter])
        names = table.game.info.seat_names
        return {
            names[seat]: shown_name(players[sitter.player_id]) if sitter and sitter.player_id in players else "nobody"
            for seat, sitter in enumerate(table.seats)
        }

    # ---- kept records

    async def kept_text(self, record_id: str) -> str:
        """The text of a kept record."""
        row = await self.store.record(record_id)
        if row is None:
            raise NotFound("There is no such record.")
        return row.text

    async def kept_game(self, record_id: str) -> str:
        """The id of the game that a kept record is of."""
        row = await self.store.record(record_id)
        if row is None:
            raise NotFound("There is no such record.")
        return row.game

    async def kept(self, record_id: str, asker: Asker | None) -> OpenedRecord:
        """A kept record, read once while people look at it, and once for all who wait for it."""
        opened = self.records.get(record_id)
        if opened is not None:
            self.records.move_to_end(record_id)
        while opened is None:
            reading = self.reading.get(record_id)
            if reading is not None:
                with suppress(RateLimited):  # that is between the server and who asked first
                    opened = await asyncio.shield(reading)
                continue
            reading = self.reading[record_id] = asyncio.ensure_future(self._read(record_id, asker))
            reading.add_done_callback(lambda _: self.reading.pop(record_id, None))
            opened = await asyncio.shield(reading)
        return opened

    async def _read(self, record_id: str, asker: Asker | None) -> OpenedRecord:
        text = await self.kept_text(record_id)
        cost = estimate_steps(text)
        opened = await self.pool.run_long(asker, cost, replay_tasks.open_record, record_id, text)
        self.records[record_id] = opened
        _forget(self.records, lambda kept: kept.size)
        return opened

    async def kept_moment(self, record_id: str, step: int, asker: Asker, work: Callable[..., Shown]) -> Shown:
        """A moment of a kept record."""
        opened = (await self.kept(record_id, asker)).opened
        if not 0 <= step <= opened.steps:
            raise NotFound(f"The record has steps 0 to {opened.steps}.")
        run = opened.run_at(step)
        return await self.pool.run(asker, 1 + len(run.moves), work, run, None, step, opened.steps, True)

    async def kept_record(self, record_id: str, asker: Asker | None) -> Record:
        """The main line of a kept record to analyse; one at a time is, so a thread will do."""
        return await asyncio.to_thread(load, (await self.kept(record_id, asker)).main_line, registry.game)


def _seats_of(table: Table, player: Player | None) -> tuple[Seat, ...]:
    return table.seats_of(player.id if player else None)


def _forget(kept: OrderedDict[str, Shown], size: Callable[[Shown], int]) -> None:
    """Forget those that nobody has looked at for longest; the latest stays, however large."""
    total = sum(map(size, kept.values()))
    while len(kept) > 1 and (len(kept) > KEPT_GAMES or total > KEPT_CHARACTERS):
        total -= size(kept.popitem(last=False)[1])
