"""How much somebody may store.

What is stored within a day is counted by person and address, in memory or in Redis; what is kept in all is asked of the
database. Addresses are never stored.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Final

from limits import RateLimitItemPerSecond
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError
from sqlalchemy import func, select

from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.rate_limits import LOG, REDIS_RETRY_S, MemoryStorage, RedisLimiter
from realmtable.server.errors import QuotaReached, RateLimited, TooLarge, Unavailable
from realmtable.server.settings import MIB, Settings
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

if TYPE_CHECKING:
    from realmtable.server.storage.disk_usage import DiskUse

DAY_S: Final = 86_400
EVENT_BYTES: Final = 500  # what a request stores beside its text: a row, its keys in the indexes, what a bot answers
TABLE_BYTES: Final = 3_000
RECORD_BYTES: Final = 500
RECORDS_PER_MIB: Final = 20  # so that small records cannot be kept without number
GAMES_FACTOR: Final = 3
NAME_HINT: Final = " Choose a name and a password: then you may keep more."


class Quotas:
    """The quotas of one server. Each method raises RateLimited, QuotaReached or TooLarge, and else counts."""

    def __init__(self, settings: Settings, database: Database, disk_use: DiskUse) -> None:
        self._settings = settings
        self._database = database
        self._disk_use = disk_use
        self._is_on = settings.limits_factor > 0
        self._memory = FixedWindowRateLimiter(MemoryStorage())
        self._shared = RedisLimiter(settings.redis_url) if settings.redis_url else None
        self._away_until = 0.0

    async def spend(self, player: Player | None, address: str, amount: int, *, in_a_game: bool = False) -> None:
        """Count bytes that are about to be stored; RateLimited if a person or address has stored enough for a day.

        What belongs to a game that is being played has a wider bound of its own: nobody loses a game to a quota.
        """
        windows = [("address", address, self._settings.address_mib)]
        if player is not None:
            windows.append(("person", player.id, self._person_mib(player)))
        factor = GAMES_FACTOR if in_a_game else 1
        bounded = [(kind, key, mib * factor) for kind, key, mib in windows if mib and self._is_on]
        for kind, key, mib in bounded:
            until = await self._next_room_at(_limit_item(mib), kind, key, amount)
            if until is not None:
                raise self._refusal(kind, player, mib, until)
        for kind, key, mib in bounded:
            await self._hit(_limit_item(mib), kind, key, amount)

    async def check_tables(self, player: Player) -> None:
        """QuotaReached if so many tables that a person opened are kept that one more would be too many."""
        most = self._settings.member_tables if player.kind == "member" else self._settings.guest_tables
        if not (self._is_on and most):
            return
        found = await self._database.rows(
            select(func.count()).select_from(schema.tables).where(schema.tables.c.created_by == player.id)
        )
        if found[0][0] >= most:
            raise QuotaReached(f"You have opened {most:,} tables, as many as are kept for you.{self._advice(player)}")

    async def check_records(self, player: Player, size: int) -> None:
        """QuotaReached if a person's records are too many or too long with one more of `size`."""
        if self._disk_use.is_low():
            raise Unavailable("The server's disk is almost full, so no records are taken; try again later.")
        mib = self._person_mib(player)
        if not (self._is_on and mib):
            return
        if size > mib * MIB:
            raise TooLarge(f"A record has at most {mib} MiB here; shorten it.{self._advice(player)}")
        records = schema.records.c
        sums = select(func.count().label("how_many"), func.coalesce(func.sum(records.size), 0).label("taken"))
        kept = (await self._database.rows(sums.where(records.created_by == player.id)))[0]
        count, taken = int(kept.how_many), int(kept.taken)
        if taken + size > mib * MIB or count >= mib * RECORDS_PER_MIB:
            raise QuotaReached(
                f"You keep {count:,} records of {taken / MIB:.1f} MiB; {mib * RECORDS_PER_MIB:,} and {mib} MiB are the"
                f" most.{self._advice(player)}"
            )

    async def close(self) -> None:
        """Close the way to Redis."""
        if self._shared is not None:
            await self._shared.close()

    def _person_mib(self, player: Player) -> int:
        return self._settings.member_mib if player.kind == "member" else self._settings.guest_mib

    def _advice(self, player: Player) -> str:
        if player.kind == "member":
            return " Ask whoever runs this server."
        days = self._settings.guest_days
        return (f" Those of guests are removed after {days} days." if days else "") + NAME_HINT

    def _refusal(self, kind: str, player: Player | None, mib: int, until: float) -> RateLimited:
        wait_s = max(1, math.ceil(until - time.time()))
        hours = f"{math.ceil(wait_s / 3600)} hours" if wait_s > 2 * 3600 else f"{math.ceil(wait_s / 60)} minutes"
        if kind == "address":
            text = f"Your network has stored {mib} MiB within a day, all that one may; go on in {hours}."
        else:
            hint = "" if player is None or player.kind == "member" else NAME_HINT
            text = f"You have stored {mib} MiB within a day, all that one may; go on in {hours}.{hint}"
        return RateLimited(text, wait_s)

    async def _next_room_at(self, item: RateLimitItemPerSecond, kind: str, key: str, amount: int) -> float | None:
        """When there is room for so much again; None if there is now."""
        limiter = self._limiter()
        try:
            if await limiter.test(item, "stored", kind, key, cost=amount):
                return None
            return (await limiter.get_window_stats(item, "stored", kind, key)).reset_time
        except (StorageError, OSError):
            self._leave_redis()
            return await self._next_room_at(item, kind, key, amount)

    async def _hit(self, item: RateLimitItemPerSecond, kind: str, key: str, amount: int) -> None:
        try:
            await self._limiter().hit(item, "stored", kind, key, cost=amount)
        except (StorageError, OSError):
            self._leave_redis()
            await self._hit(item, kind, key, amount)

    def _limiter(self) -> FixedWindowRateLimiter:
        return self._shared if self._shared is not None and time.time() >= self._away_until else self._memory

    def _leave_redis(self) -> None:
        self._away_until = time.time() + REDIS_RETRY_S
        LOG.warning("Redis does not count the quotas; this process counts for itself.")


def _limit_item(mib: int) -> RateLimitItemPerSecond:
    return RateLimitItemPerSecond(mib * MIB, DAY_S, namespace="realmtable")
