"""Lists of tables: open seats, running games, and a player's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.errors import UnknownGame
from realmtable.engine.protocol import GameInfo
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.storage.table_store import SeatRow, TableRow, TableStore
from realmtable.server.tables.scenes.scene import display_name
from realmtable.server.tables.setup import Setup
from realmtable.server.ttl_cache import TtlCache

Entry = dict[str, Any]
MAX_LIVE: Final = 24  # tables on the page with all live games
LIVE_CACHE_S: Final = 2.0


class Lobby:
    """Lists of tables as plain data."""

    def __init__(self, store: TableStore, accounts: Accounts) -> None:
        self.store = store
        self.accounts = accounts
        self._live: TtlCache[str, list[Entry]] = TtlCache(1, LIVE_CACHE_S)

    async def list_open_and_running(self, game: str | None = None) -> dict[str, list[Entry]]:
        """Return the listed open and running tables, newest first."""
        return {status: await self.list_tables(status, game) for status in ("open", "running")}

    async def list_tables(self, status: str, game: str | None = None) -> list[Entry]:
        """Return the listed tables with a status."""
        return await self.make_entries(await self.store.list_tables(status, game), None)

    async def list_live(self) -> list[Entry]:
        """Return the listed running tables: those of people first, then the newest; cached for a moment."""
        found = self._live.get("all")
        if found is None:
            epoch = self._live.epoch
            found = await self.make_entries(await self.store.list_tables("running", limit=MAX_LIVE), None)
            # In this order, cards keep their places while the games go on.
            found.sort(key=lambda entry: (not _has_people(entry), -entry["created_at"], entry["table"]))
            self._live.put("all", found, epoch)
        return found

    async def list_tables_of(
        self, player: Player, before: float | None = None, *, limit: int = 50, over: bool | None = None
    ) -> list[Entry]:
        """Return a player's own tables, those where it is their turn first; `over` selects by whether they are over."""
        rows = await self.store.list_tables_of(player.id, limit, before, over=over)
        entries = await self.make_entries(rows, player)
        return sorted(entries, key=lambda entry: (not entry["your_turn"], entry["status"] == "over"))

    async def make_entries(self, rows: Sequence[TableRow], viewer: Player | None) -> list[Entry]:
        """Turn table rows into entries, with names instead of ids."""
        seats = await self.store.seats([row.id for row in rows])
        ids = {seat.player_id for table_seats in seats.values() for seat in table_seats if seat.player_id}
        players = await self.accounts.players(sorted(ids))
        return [
            _entry(row, info, seats.get(row.id, []), players, viewer)
            for row in rows
            if (info := _info(row.game)) is not None
        ]


def _has_people(entry: Entry) -> bool:
    return any(seat["player"] is not None and seat["bot"] is None for seat in entry["seats"])


def _info(game: str) -> GameInfo | None:
    """Return a game's info, or None if the game no longer exists."""
    try:
        return registry.info(game)
    except UnknownGame:
        return None


def _entry(
    row: TableRow, info: GameInfo, seats: Sequence[SeatRow], players: dict[str, Player], viewer: Player | None
) -> Entry:
    setup, summary = Setup.from_data(row.setup), row.summary
    tells_deadline = not info.hidden or not setup.first_step_s  # until a first step, which may be secret
    mine = [seat.seat for seat in seats if viewer is not None and seat.player_id == viewer.id]
    return {
        "table": row.id,
        "url": f"/tables/{row.id}",
        "game": row.game,
        "title": info.title,
        "status": summary.status,
        "seats": [
            {
                "name": info.seat_names[seat.seat],
                "player": display_name(players[seat.player_id]) if seat.player_id in players else None,
                "bot": seat.bot,
            }
            for seat in seats
        ],
        "open_seats": [seat.seat for seat in seats if seat.player_id is None],
        "options": setup.describe(),
        "clock": setup.clock.describe(),
        "rated": setup.rated,
        "turn": summary.turn,
        "created_at": row.created_at,
        "updated_at": summary.updated_at,
        "deadline": summary.deadline if tells_deadline else None,
        "your_turn": any(seat in summary.acting for seat in mine),
        "you": mine,
        "result": summary.result,
    }
