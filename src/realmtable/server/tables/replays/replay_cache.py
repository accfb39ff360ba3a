"""Replays of tables and stored records, cached while people view them.

Expensive work runs in the processes of `replay_pool`, charged to the person who asks.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.protocol import Reason, Seat
from realmtable.engine.record import Record, load_record
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.errors import NotAllowed, NotFound
from realmtable.server.fair_queue import Requester
from realmtable.server.shared_tasks import SharedTasks
from realmtable.server.sized_cache import SizedCache
from realmtable.server.storage.table_store import TableStore
from realmtable.server.tables import actions
from realmtable.server.tables.live.table_service import TableService
from realmtable.server.tables.replays import replay_tasks, replay_views
from realmtable.server.tables.replays.replay_tasks import EncodedGame, EncodedRun, LoadedRecord, estimate_steps
from realmtable.server.tables.scenes.legal_choices import (
    describe_handle,
    find_reason,
    reason_data,
    view_for_reason,
)
from realmtable.server.tables.scenes.moment import match_at
from realmtable.server.tables.scenes.premoves import list_premoves, seat_for_premove
from realmtable.server.tables.scenes.scene import display_name, may_explore, viewpoint
from realmtable.server.tables.table import MoveListEntry, Table
from realmtable.server.workers.replay_pool import ReplayPool

MAX_GAMES: Final = 64
MAX_CHARACTERS: Final = 50_000_000  # of all cached games together

Result = TypeVar("Result")


class EncodedTable(NamedTuple):
    """A table's game for replay; its first `steps` steps stay the same for as long as their last line does."""

    game: EncodedGame
    steps: int
    place: int  # of that line
    line: MoveListEntry

    def covers(self, table: Table, step: int) -> bool:
        """Whether this has the first `step` steps of a table; they may have been taken back."""
        return step <= self.steps and self.place < len(table.move_list) and table.move_list[self.place] is self.line


class TableMoment(NamedTuple):
    """A table, the run of steps that ends at one of its moments, and the number of steps that its viewer knows of."""

    table: Table
    run: EncodedRun
    steps: int


class ReplayCache:
    """Loads whole games for replay, from tables and from stored records."""

    def __init__(self, table_service: TableService, store: TableStore, accounts: Accounts, pool: ReplayPool) -> None:
        self.table_service = table_service
        self.store = store
        self.accounts = accounts
        self.pool = pool
        self.loaded_records: SizedCache[str, LoadedRecord] = SizedCache(
            MAX_CHARACTERS, lambda record: record.size, MAX_GAMES
        )
        self.loading: SharedTasks[LoadedRecord] = SharedTasks()
        self.encoded_tables: SizedCache[str, EncodedTable] = SizedCache(
            MAX_CHARACTERS, lambda table: table.game.size, MAX_GAMES
        )  # of tables that have dropped states

    # ---- tables

    async def table_replay(self, table_id: str, player: Player | None, requester: Requester) -> dict[str, object]:
        """Return the initial data of a table's replay page."""
        table = await self.table_service.table(table_id)
        step = table.numbering(_seats_of(table, player)).visible_step(table.step)
        latest = await self.table_moment(table_id, player, step, requester, replay_tasks.moment_data)
        fairness = await self.table_fairness(table_id, requester) if table.game.info.chance else None
        return replay_views.table_replay(table, player, await self.player_names(table), latest, fairness)

    async def table_moment(
        self, table_id: str, player: Player | None, step: int, requester: Requester, work: Callable[..., Result]
    ) -> Result:
        """Return a table after its first `step` steps, as a player (None: a visitor) may see it, shown by `work`."""
        table, run, steps = await self.find_moment(table_id, player, step, requester)
        viewer, is_open = viewpoint(table, _seats_of(table, player)), may_explore(table)
        show = partial(work, run, viewer, step=step, steps=steps, open_to_all=is_open, result=table.result)
        return await self.pool.run(requester, 1 + len(run.moves), show)

    async def find_moment(self, table_id: str, player: Player | None, step: int, requester: Requester) -> TableMoment:
        """Return a table with the run of steps that ends after its first `step` steps, as a player counts them."""
        table = await self.table_service.table(table_id)
        numbering = table.numbering(_seats_of(table, player))
        steps = numbering.visible_step(table.step)
        if not 0 <= step <= steps:
            raise NotFound(f"The game has steps 0 to {steps}.")
        return TableMoment(table, await self._find_run(table, numbering.actual_step(step), requester), steps)

    async def load_whole_table(self, table_id: str, requester: Requester) -> EncodedGame:
        """Return a table's whole game for replay."""
        live, events = await self.table_service.find(table_id), await self.store.events(table_id)
        return await self.pool.run_long(requester, 1 + live.table.step, replay_tasks.encode_table, live.row, events)

    async def _find_run(self, table: Table, step: int, requester: Requester) -> EncodedRun:
        if table.snapshot_step == 0 or step > table.snapshot_step:
            return replay_tasks.encode_latest_run(match_at(table.match, table.step, step))
        encoded = self.encoded_tables.get(table.id)
        if encoded is None or not encoded.covers(table, step):
            live, events = await self.table_service.find(table.id), await self.store.events(table.id)
            events = [event for event in events if event.version <= table.version]
            game = await self.pool.run_long(requester, table.step, replay_tasks.encode_table, live.row, events)
            place = bisect_right(table.move_list, table.snapshot_step, key=lambda line: line.first) - 1
            encoded = EncodedTable(game, table.snapshot_step, place, table.move_list[place])
            self.encoded_tables.put(table.id, encoded)
        return encoded.game.run_at(step)

    async def preview(
        self, table_id: str, player: Player | None, text: str, requester: Requester, known_layers: Collection[str] = ()
    ) -> bytes:
        """Return the effect of a step for the player who may take it, without storing anything.

        Not available in games with hidden information, where a step may reveal some.
        """
        table = await self.table_service.table(table_id)
        if table.game.info.hidden:
            raise NotAllowed("Moves cannot be previewed in games with hidden information.")
        seat = actions.playing_seat(table, _seats_of(table, player))
        run = replay_tasks.encode_latest_run(table.match)
        cost = 1 + len(run.moves) + estimate_steps(text)
        return await self.pool.run(
            requester, cost, replay_tasks.preview_json, run, seat, text, table.step, known_layers
        )

    async def why_not(
        self, table_id: str, player: Player | None, path: Sequence[str], handle: str, requester: Requester
    ) -> dict[str, Any]:
        """Return why a handle cannot follow the handles of `path`, from what the player may see."""
        table = await self.table_service.table(table_id)
        seats, game_id = _seats_of(table, player), table.game.info.id
        try:
            seat = actions.playing_seat(table, seats)
        except RealmtableError as error:
            return reason_data(game_id, Reason("", str(error)), path)
        view = view_for_reason(table.game, table.match.state, seat)
        reason = await self.pool.run(requester, 1, find_reason, game_id, view, tuple(path), handle)
        return reason_data(game_id, reason, path)

    async def note(self, table_id: str, player: Player | None, handle: str, requester: Requester) -> dict[str, Any]:
        """Return what choosing a handle would do, and each step that starts with it; empty without a seat that acts."""
        table = await self.table_service.table(table_id)
        try:
            seat = actions.playing_seat(table, _seats_of(table, player))
        except RealmtableError:
            return {"text": "", "words": {}}
        game, state = table.game, table.match.state
        view, position = game.view(state, seat), game.encode(state)
        return await self.pool.run(requester, 1, describe_handle, game.info.id, position, seat, view, handle)

    async def premoves(
        self, table_id: str, player: Player | None, planned: Sequence[str], requester: Requester
    ) -> dict[str, Any]:
        """Return what a waiting player can choose in advance after the steps that they have planned."""
        table = await self.table_service.table(table_id)
        seat, game = seat_for_premove(table, _seats_of(table, player)), table.game
        position, cost = game.encode(table.match.state), 1 + len(planned)
        return await self.pool.run(requester, cost, list_premoves, game.info.id, position, seat, planned)

    async def table_record_text(self, table_id: str, requester: Requester) -> str:
        """Return a table's record as a file; with hidden information, only once the game is over."""
        live = await self.table_service.find(table_id)
        self._check_may_export(live.table)
        names, events = await self.player_names(live.table), await self.store.events(table_id)
        cost = 1 + live.table.step
        return await self.pool.run_long(requester, cost, replay_tasks.table_record_text, live.row, events, names)

    async def table_fairness(self, table_id: str, requester: Requester) -> dict[str, Any]:
        """Check that a table's dice and shuffles match the hash that was published in advance."""
        live = await self.table_service.find(table_id)
        if live.table.result is None:
            return replay_views.check_fairness(live.table)
        events, cost = await self.store.events(table_id), 1 + live.table.step
        return await self.pool.run_long(requester, cost, replay_tasks.table_fairness, live.row, events)

    async def table_record(self, table_id: str) -> Record:
        """Return a table's record for analysis. Analyses run one at a time, so a thread is enough."""
        live = await self.table_service.find(table_id)
        table = live.table
        self._check_may_export(table)
        if table.snapshot_step:
            table = await self.table_service.replay_log(live, table.version)
        return await asyncio.to_thread(replay_views.table_record, table, await self.player_names(table))

    @staticmethod
    def _check_may_export(table: Table) -> None:
        if not may_explore(table):
            raise NotAllowed("The record of a game with hidden information is available once the game is over.")

    async def player_names(self, table: Table) -> dict[str, str]:
        """Return the players' names by the name of their seat; two if one ran out of time and a bot played on."""
        sat = [(late.seat, late.player_id) for late in table.timed_out]
        sat += [(seat, sitter.player_id) for seat, sitter in enumerate(table.seats) if sitter]
        players = await self.accounts.players(sorted({player_id for _, player_id in sat}))
        names: dict[Seat, list[str]] = {seat: [] for seat in range(len(table.seats))}
        for seat, player_id in dict.fromkeys(sat):  # a bot that ran out of time keeps its seat
            if player_id in players:
                names[seat].append(display_name(players[player_id]))
        return {table.game.info.seat_names[seat]: ", then ".join(names[seat]) or "nobody" for seat in names}

    # ---- stored records

    async def load_text(self, record_id: str) -> str:
        """Return the text of a stored record."""
        row = await self.store.record(record_id)
        if row is None:
            raise NotFound("This record does not exist.")
        return row.text

    async def load_game_id(self, record_id: str) -> str:
        """Return the game id of a stored record."""
        row = await self.store.record(record_id)
        if row is None:
            raise NotFound("This record does not exist.")
        return row.game

    async def load_record(self, record_id: str, requester: Requester | None) -> LoadedRecord:
        """Return a stored record from the cache, or load it once for all concurrent callers."""
        loaded = self.loaded_records.get(record_id)
        return loaded or await self.loading.run(record_id, partial(self._load, record_id, requester))

    async def _load(self, record_id: str, requester: Requester | None) -> LoadedRecord:
        text = await self.load_text(record_id)
        cost = estimate_steps(text)
        loaded = await self.pool.run_long(requester, cost, replay_tasks.load_stored_record, record_id, text)
        self.loaded_records.put(record_id, loaded)
        return loaded

    async def record_moment(
        self, record_id: str, step: int, requester: Requester, work: Callable[..., Result]
    ) -> Result:
        """Return a stored record after its first `step` steps, shown by `work`."""
        run = await self.record_run(record_id, step, requester)
        steps = (await self.load_record(record_id, requester)).encoded_game.steps
        show = partial(work, run, None, step=step, steps=steps, open_to_all=True)
        return await self.pool.run(requester, 1 + len(run.moves), show)

    async def record_run(self, record_id: str, step: int, requester: Requester) -> EncodedRun:
        """Return the run of steps that ends after the first `step` steps of a stored record."""
        encoded = (await self.load_record(record_id, requester)).encoded_game
        if not 0 <= step <= encoded.steps:
            raise NotFound(f"The record has steps 0 to {encoded.steps}.")
        return encoded.run_at(step)

    async def load_main_line(self, record_id: str, requester: Requester | None) -> Record:
        """Return the main line of a stored record for analysis, in a thread as `table_record` does."""
        return await asyncio.to_thread(
            load_record, (await self.load_record(record_id, requester)).main_line, registry.game
        )


def _seats_of(table: Table, player: Player | None) -> tuple[Seat, ...]:
    return table.seats_of(player.id if player else None)
