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
from realmtable.engine.record import Record, load_record
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.errors import NotAllowed, NotFound, RateLimited
from realmtable.server.storage.store import Store
from realmtable.server.tables import actions, moments, replay_tasks
from realmtable.server.tables.replay_tasks import EncodedGame, EncodedRun, LoadedRecord, estimate_steps
from realmtable.server.tables.scene import display_name, match_at, may_explore, viewpoint
from realmtable.server.tables.service import TableService
from realmtable.server.tables.table import Table
from realmtable.server.workers.replay_pool import Asker, ReplayPool

MAX_GAMES: Final = 64
MAX_CHARACTERS: Final = 50_000_000  # of all kept games together

Result = TypeVar("Result")


class RecordCache:
    """Whole games to look at: of tables, of kept records."""

    def __init__(self, table_service: TableService, store: Store, accounts: Accounts, pool: ReplayPool) -> None:
        self.table_service = table_service
        self.store = store
        self.accounts = accounts
        self.pool = pool
        self.loaded_records: OrderedDict[str, LoadedRecord] = OrderedDict()
        self.loading: dict[str, asyncio.Future[LoadedRecord]] = {}  # records that are being read
        self.encoded_tables: OrderedDict[str, EncodedGame] = (
            OrderedDict()
        )  # those that memory holds from a snapshot on only

    # ---- tables

    async def table_replay(self, table_id: str, player: Player | None, asker: Asker) -> dict[str, object]:
        """What the replay page of a table shows first."""
        table = await self.table_service.table(table_id)
        step = table.numbering(_seats_of(table, player)).visible_step(table.step)
        latest = await self.table_moment(table_id, player, step, asker, replay_tasks.moment_data)
        promise = await self.table_fairness(table_id, asker) if table.game.info.chance else None
        return moments.table_replay(table, player, await self.player_names(table), latest, promise)

    async def table_moment(
        self, table_id: str, player: Player | None, step: int, asker: Asker, work: Callable[..., Result]
    ) -> Result:
        """A table after its first `step` steps, as a player (None: a visitor) may see it."""
        table = await self.table_service.table(table_id)
        seats = _seats_of(table, player)
        numbering = table.numbering(seats)
        steps = numbering.visible_step(table.step)
        if not 0 <= step <= steps:
            raise NotFound(f"The game has steps 0 to {steps}.")
        run, viewer = await self._find_run(table, numbering.actual_step(step), asker), viewpoint(table, seats)
        return await self.pool.run(asker, 1 + len(run.moves), work, run, viewer, step, steps, may_explore(table))

    async def _find_run(self, table: Table, step: int, asker: Asker) -> EncodedRun:
        if table.snapshot_step == 0 or step > table.snapshot_step:
            return replay_tasks.encode_latest_run(match_at(table.match, table.step, step))
        opened = self.encoded_tables.get(table.id)
        if opened is None or opened.steps < step:  # what lies before a snapshot never changes
            live = await self.table_service.find(table.id)
            events = await self.store.events(table.id)
            opened = await self.pool.run_long(asker, table.step, replay_tasks.encode_table, live.row, events)
            self.encoded_tables[table.id] = opened
        self.encoded_tables.move_to_end(table.id)
        _evict(self.encoded_tables, lambda kept: kept.size)
        return opened.run_at(step)

    async def preview(self, table_id: str, player: Player | None, text: str, asker: Asker) -> bytes:
        """What a step would do, shown to the player who may take it; nothing is stored.

        In a game with secrets a step may show one, so there it is refused.
        """
        table = await self.table_service.table(table_id)
        if table.game.info.hidden:
            raise NotAllowed("In a game with secrets a step is seen when it is taken.")
        seat = actions.playing_seat(table, _seats_of(table, player))
        run = replay_tasks.encode_latest_run(table.match)
        cost = 1 + len(run.moves) + estimate_steps(text)
        return await self.pool.run(asker, cost, replay_tasks.preview_json, run, seat, text, table.step)

    async def table_record_text(self, table_id: str, asker: Asker) -> str:
        """A table's record as a file; where there are secrets only when it is over."""
        live = await self.table_service.find(table_id)
        self._check_may_export(live.table)
        names, events = await self.player_names(live.table), await self.store.events(table_id)
        cost = 1 + live.table.step
        return await self.pool.run_long(asker, cost, replay_tasks.table_record_text, live.row, events, names)

    async def table_fairness(self, table_id: str, asker: Asker) -> dict[str, Any]:
        """Whether a table's dice and shuffles are those that its published hash promised."""
        live = await self.table_service.find(table_id)
        if live.table.result is None:
            return moments.check_fairness(live.table)
        events, cost = await self.store.events(table_id), 1 + live.table.step
        return await self.pool.run_long(asker, cost, replay_tasks.table_fairness, live.row, events)

    async def table_record(self, table_id: str) -> Record:
        """A table's record to analyse; one at a time is, so a thread will do."""
        table = await self.table_service.full_history(table_id)
        self._check_may_export(table)
        return await asyncio.to_thread(moments.table_record, table, await self.player_names(table))

    @staticmethod
    def _check_may_export(table: Table) -> None:
        if not may_explore(table):
            raise NotAllowed("The record of a game with secrets is given out when it is over.")

    async def player_names(self, table: Table) -> dict[str, str]:
        """The players by the name of their seat."""
        players = await self.accounts.players([sitter.player_id for sitter in table.seats if sitter])
        names = table.game.info.seat_names
        return {
            names[seat]: display_name(players[sitter.player_id]) if sitter and sitter.player_id in players else "nobody"
            for seat, sitter in enumerate(table.seats)
        }

    # ---- kept records

    async def load_text(self, record_id: str) -> str:
        """The text of a kept record."""
        row = await self.store.record(record_id)
        if row is None:
            raise NotFound("There is no such record.")
        return row.text

    async def load_game_id(self, record_id: str) -> str:
        """The id of the game that a kept record is of."""
        row = await self.store.record(record_id)
        if row is None:
            raise NotFound("There is no such record.")
        return row.game

    async def load_record(self, record_id: str, asker: Asker | None) -> LoadedRecord:
        """A kept record, read once while people look at it, and once for all who wait for it."""
        opened = self.loaded_records.get(record_id)
        if opened is not None:
            self.loaded_records.move_to_end(record_id)
        while opened is None:
            reading = self.loading.get(record_id)
            if reading is not None:
                with suppress(RateLimited):  # that is between the server and who asked first
                    opened = await asyncio.shield(reading)
                continue
            reading = self.loading[record_id] = asyncio.ensure_future(self._load(record_id, asker))
            reading.add_done_callback(lambda _: self.loading.pop(record_id, None))
            opened = await asyncio.shield(reading)
        return opened

    async def _load(self, record_id: str, asker: Asker | None) -> LoadedRecord:
        text = await self.load_text(record_id)
        cost = estimate_steps(text)
        opened = await self.pool.run_long(asker, cost, replay_tasks.load_stored_record, record_id, text)
        self.loaded_records[record_id] = opened
        _evict(self.loaded_records, lambda kept: kept.size)
        return opened

    async def record_moment(self, record_id: str, step: int, asker: Asker, work: Callable[..., Result]) -> Result:
        """A moment of a kept record."""
        opened = (await self.load_record(record_id, asker)).encoded_game
        if not 0 <= step <= opened.steps:
            raise NotFound(f"The record has steps 0 to {opened.steps}.")
        run = opened.run_at(step)
        return await self.pool.run(asker, 1 + len(run.moves), work, run, None, step, opened.steps, True)

    async def load_main_line(self, record_id: str, asker: Asker | None) -> Record:
        """The main line of a kept record to analyse; one at a time is, so a thread will do."""
        return await asyncio.to_thread(load_record, (await self.load_record(record_id, asker)).main_line, registry.game)


def _seats_of(table: Table, player: Player | None) -> tuple[Seat, ...]:
    return table.seats_of(player.id if player else None)


def _evict(kept: OrderedDict[str, Result], size: Callable[[Result], int]) -> None:
    """Forget those that nobody has looked at for longest; the latest stays, however large."""
    total = sum(map(size, kept.values()))
    while len(kept) > 1 and (len(kept) > MAX_GAMES or total > MAX_CHARACTERS):
        total -= size(kept.popitem(last=False)[1])
