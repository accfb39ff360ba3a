"""Prevents players from getting engine help in rated games.

While a player is in a rated game, the engine answers no questions about that game from them or from anyone at their
address, because another browser there may be theirs too. Once a rated game has left its opening, the engine refuses
everyone's questions about positions like the one on its board, up to a piece or two of difference.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from realmtable.analysis.game_analysis import can_analyse, check_can_analyse
from realmtable.engine import registry
from realmtable.engine.record import load_record
from realmtable.server.accounts.addresses import SharedAddresses
from realmtable.server.errors import NotAllowed, NotFound
from realmtable.server.fair_queue import Requester
from realmtable.server.storage.table_store import TableStore
from realmtable.server.tables.live.table_service import TableService
from realmtable.server.tables.replays.replay_tasks import estimate_steps
from realmtable.server.tables.table import Table
from realmtable.server.workers.replay_pool import ReplayPool

OPENING_TURNS: Final = 6  # positions up to here are common knowledge: many games begin alike
MAX_TABLES: Final = 100  # the latest rated games that are compared
MAX_DISTANCE: Final = 4  # pieces that may differ; a moved piece counts twice
PIECES_PER_DIFFERENCE: Final = 4  # at most one difference per this many pieces
REFRESH_S: Final = 1.0

Pieces = frozenset[str]


class EngineHelpRules:
    """Decides who may ask the engine about which position."""

    def __init__(
        self,
        table_service: TableService,
        store: TableStore,
        seen: SharedAddresses,
        pool: ReplayPool,
        clock: Callable[[], float],
        *,
        by_address: bool,
    ) -> None:
        self._by_address = by_address
        self._table_service, self._store, self._seen, self._pool, self._clock = table_service, store, seen, pool, clock
        self._running: dict[str, tuple[float, list[str]]] = {}  # by game: the time of the query, and the tables
        self._pieces: dict[str, tuple[int, Pieces]] = {}  # by table: its version and the pieces on its board

    async def check_may_ask(self, player_id: str | None, address: str, game_id: str) -> None:
        """Refuse games that cannot be analysed, and anyone who is playing a rated game of this kind."""
        check_can_analyse(registry.info(game_id))
        await self.refuse_during_rated_game(player_id, address, game_id)

    async def refuse_during_rated_game(self, player_id: str | None, address: str, game_id: str) -> None:
        """Refuse anyone who is playing a rated game of this kind, or shares an address with such a player."""
        title = registry.info(game_id).title
        if player_id is not None and await self._store.plays_rated([player_id], game_id):
            raise NotAllowed(f"You are playing a rated game of {title}; the engine is available when it is over.")
        others = [other for other in self._seen.players_at(address) if other != player_id] if self._by_address else []
        if others and await self._store.plays_rated(others, game_id):
            raise NotAllowed(
                f"Someone at your address is playing a rated game of {title}; the engine is available when it is over."
            )

    async def check_position(self, game_id: str, position: str | None) -> None:
        """Refuse a position like the current one of a rated game; raise BadPosition if it is invalid."""
        game = registry.game(game_id)
        if position is not None and can_analyse(game.info):
            state = await asyncio.to_thread(game.decode, position)
            await self._check_not_on_board(game_id, [pieces_of(game.encode(state))])

    async def check_table(self, table: Table) -> None:
        """Refuse if the position of an unrated table is like that of a rated game."""
        if can_analyse(table.game.info):
            await self._check_not_on_board(table.setup.game, [pieces_of(table.game.encode(table.match.state))])

    async def check_record(self, game_id: str, read: Callable[[], Awaitable[str]], requester: Requester) -> None:
        """Refuse if any position in a record is like that of a rated game; read it only if there are such games."""
        if not await self._positions_of_rated_games(game_id):
            return
        text = await read()
        await self._check_not_on_board(
            game_id, await self._pool.run_long(requester, estimate_steps(text), record_pieces, text)
        )

    async def _check_not_on_board(self, game_id: str, asked: Iterable[Pieces]) -> None:
        played = await self._positions_of_rated_games(game_id)
        if any(are_alike(board, pieces) for board in played for pieces in asked):
            raise NotAllowed(
                "A rated game has a similar position on the board; the engine is available when that game is over."
            )

    async def _positions_of_rated_games(self, game_id: str) -> list[Pieces]:
        """Return the pieces on the boards of the rated games of a kind that have left their openings."""
        queried_at, ids = self._running.get(game_id, (float("-inf"), []))
        if self._clock() - queried_at >= REFRESH_S:
            ids = await self._store.running_rated_tables(game_id, MAX_TABLES)
            self._running[game_id] = (self._clock(), ids)
        boards = []
        for table_id in ids:
            try:
                table = await self._table_service.table(table_id)
            except NotFound:  # removed a moment ago
                continue
            if table.status == "running" and len(table.move_list) >= OPENING_TURNS:
                boards.append(self._pieces_on_board(table))
        if len(self._pieces) > 2 * MAX_TABLES:
            self._pieces = {key: pieces for key, pieces in self._pieces.items() if key in ids}
        return boards

    def _pieces_on_board(self, table: Table) -> Pieces:
        version, pieces = self._pieces.get(table.id, (-1, frozenset()))
        if version != table.version:
            pieces = pieces_of(table.game.encode(table.match.state))
            self._pieces[table.id] = (table.version, pieces)
        return pieces


def pieces_of(position: str) -> Pieces:
    """Return the pieces of an encoded position with their sides, without the seat to move, counters and options.

    >>> sorted(pieces_of("W:Fb2,Fe2 B:Fb8 move=W turns=7"))
    ['B:Fb8', 'W:Fb2', 'W:Fe2']

    If the pieces are not written by sides, they are the entries of all lists, with the seats they belong to.

    >>> sorted(pieces_of("tiles=Portal@0,0;Draw@0,1 mages=0,1;portal/portal;portalx turn=7"))
    ['mages 0:0,1', 'mages 0:portal', 'mages 1:portal', 'mages 1:portalx', 'tiles 0:Draw@0,1', 'tiles 0:Portal@0,0']
    """
    parts = position.split()
    sides = [part.partition(":") for part in parts if ":" in part and "=" not in part]
    if sides:
        return frozenset(f"{side}:{piece}" for side, _, pieces in sides for piece in pieces.split(",") if piece)
    lists = [part.partition("=") for part in parts if ";" in part]
    return frozenset(
        f"{name} {seat}:{piece}"
        for name, _, groups in lists
        for seat, pieces in enumerate(groups.split("/"))
        for piece in pieces.split(";")
    )


def are_alike(board: Pieces, asked: Pieces) -> bool:
    """Whether a position equals the one on a board, or is so similar that help with one is help with the other.

    >>> board = pieces_of("W:Fb2,Fe2,Fh2,Fk2 B:Fb8,Fe8,Fh8,Fk8")
    >>> are_alike(board, board), are_alike(board, pieces_of("W:Fb2,Fe2,Fh2,Fl2 B:Fb8,Fe8,Fh8,Fk8"))
    (True, True)
    >>> are_alike(board, pieces_of("W:Fb2,Fe2 B:Fb8,Fe8,Fh8,Fl8"))
    False
    """
    return bool(board) and len(board ^ asked) <= min(MAX_DISTANCE, len(board) // PIECES_PER_DIFFERENCE)


def record_pieces(text: str) -> set[Pieces]:
    """Return the pieces of every position in a record."""
    match = load_record(text, registry.game).replay()
    states: list[Any] = [entry.before for entry in match.log()] + [match.state]
    return {pieces_of(match.game.encode(state)) for state in states}
