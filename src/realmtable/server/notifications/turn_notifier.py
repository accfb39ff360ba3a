"""Notifies players when it becomes their turn in a correspondence game, unless they have the table open.

Only the process that has stored the change notifies, so that each turn is announced once. It waits a few seconds
first: meanwhile the player may open the table or answer, and other processes report players who have it open there.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Sequence
from functools import partial
from typing import Final

import orjson
import structlog

from realmtable.engine.errors import RealmtableError
from realmtable.kit.wording import join_words
from realmtable.server.accounts.rate_limits import Limits
from realmtable.server.errors import NotFound
from realmtable.server.notifications.push_sender import PushMessage, PushSender
from realmtable.server.storage.push_subscriptions import SubscriptionStore
from realmtable.server.tables.live.table_service import TableService
from realmtable.server.tables.scenes.scene import display_name
from realmtable.server.tables.table import Table

DELAY_S: Final = 5.0
MAX_PENDING: Final = 10_000
MIN_TTL_S: Final = 60
MAX_TTL_S: Final = 28 * 86_400  # push services keep a message for four weeks at most
MAX_NAMES: Final = 3
PRESENT_CHANNEL: Final = "present:"

log = structlog.get_logger(__name__)


class TurnNotifier:
    """Watches the tables of one process."""

    def __init__(
        self,
        table_service: TableService,
        subscriptions: SubscriptionStore,
        sender: PushSender,
        limits: Limits,
    ) -> None:
        self._tables = table_service
        self._subscriptions = subscriptions
        self._sender = sender
        self._limits = limits
        self._pending: dict[tuple[str, str], asyncio.TimerHandle] = {}  # by table and player
        table_service.on_stored.append(self.on_stored)
        table_service.on_change.append(self.on_change)
        table_service.fanout.listen(self.on_message, PRESENT_CHANNEL)

    def close(self) -> None:
        """Forget the turns that were not announced yet."""
        for timer in self._pending.values():
            timer.cancel()
        self._pending.clear()

    def on_stored(self, before: Table, after: Table) -> None:
        """Announce the turns that a change stored by this process has started."""
        if not is_correspondence(after):
            return
        acted = {*people_to_move(before)} if before.status == "running" else set()
        for player_id in people_to_move(after):
            key = (after.id, player_id)
            if player_id not in acted and key not in self._pending and len(self._pending) < MAX_PENDING:
                self._pending[key] = asyncio.get_running_loop().call_later(DELAY_S, self._start, key)

    def on_change(self, table: Table) -> None:
        """Report the players who have a table open here, if another process may be about to notify them."""
        if self._tables.presence.is_complete or not is_correspondence(table):
            return
        for player_id in people_to_move(table):
            if self._has_open(table, player_id):
                self._tables.spawn(self._tables.fanout.publish(f"{PRESENT_CHANNEL}{table.id}", player_id))

    def on_message(self, channel: str, message: str) -> None:
        """Do not notify a player who has the table open at another process."""
        timer = self._pending.pop((channel.removeprefix(PRESENT_CHANNEL), message), None)
        if timer is not None:
            timer.cancel()

    def _start(self, key: tuple[str, str]) -> None:
        self._pending.pop(key, None)
        self._tables.spawn(self._notify(*key))

    async def _notify(self, table_id: str, player_id: str) -> None:
        try:
            if not await self._is_waiting(table_id, player_id):
                return
            subscriptions = await self._subscriptions.list_of(player_id, time.time())
            if not subscriptions:
                return
            await self._limits.check("notified", player_id)
            table = await self._tables.table(table_id)
            payload = orjson.dumps(await self._describe(table, player_id))
        except RealmtableError as error:  # too many, the table is gone, or the database does not answer
            log.info("notification_skipped", reason=error.code)
            return
        ttl_s = self._time_left_s(table, player_id)
        topic = hashlib.sha256(table_id.encode()).hexdigest()[:32]
        is_wanted = partial(self._is_waiting, table_id, player_id)
        for subscription in subscriptions:
            self._sender.send(PushMessage(player_id, subscription, payload, topic, ttl_s, is_wanted))

    async def _is_waiting(self, table_id: str, player_id: str) -> bool:
        """Whether a game still waits for a player who does not have it open."""
        try:
            table = await self._tables.table(table_id)
        except NotFound:  # deleted meanwhile
            return False
        return player_id in people_to_move(table) and not self._has_open(table, player_id)

    def _has_open(self, table: Table, player_id: str) -> bool:
        live = self._tables.live.get(table.id)
        return live is not None and any(live.is_watched_by(seat) for seat in table.seats_of(player_id))

    def _time_left_s(self, table: Table, player_id: str) -> int:
        left = table.clock.remaining_at(self._tables.now())
        return int(max(MIN_TTL_S, min([MAX_TTL_S, *(left[seat] for seat in table.seats_of(player_id))])))

    async def _describe(self, table: Table, player_id: str) -> dict[str, str]:
        """Return a notification: the game and the other players, and nothing of what has happened in it."""
        ids = [sitter.player_id for sitter in table.seats if sitter is not None and sitter.player_id != player_id]
        players = await self._tables.accounts.players(ids)
        others = [display_name(players[each]) for each in dict.fromkeys(ids) if each in players]
        against = "Against" if len(table.seats) == 2 else "With"  # noqa: PLR2004 - two players
        return {
            "title": f"Your turn at {table.game.info.title}",
            "body": f"{against} {join_names(others)}" if others else "",
            "tag": f"turn-{table.id}",
            "url": f"/tables/{table.id}",
        }


def is_correspondence(table: Table) -> bool:
    """Whether a game is played with days per move."""
    return table.status == "running" and table.clock.rule.kind == "days"


def people_to_move(table: Table) -> list[str]:
    """Return the ids of the people to move, each once."""
    return [*dict.fromkeys(table.people[seat] for seat in table.acting if seat in table.people)]


def join_names(names: Sequence[str]) -> str:
    """Join names to a list in words.

    >>> join_names(["Ann"]), join_names(["Ann", "Bob"]), join_names(["Ann", "Bob", "Cleo", "Dan"])
    ('Ann', 'Ann and Bob', 'Ann, Bob and 2 others')
    """
    if len(names) > MAX_NAMES:
        names = [*names[: MAX_NAMES - 1], f"{len(names) - MAX_NAMES + 1} others"]
    return join_words(names)
