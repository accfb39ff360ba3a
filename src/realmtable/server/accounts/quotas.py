"""Quotas for what a person may store.

Bytes per day are counted by person and address, in memory or in Redis; totals are queried from the database. Addresses
are never stored.
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
from realmtable.server.accounts.rate_limits import (
    LOG,
    REDIS_RETRY_S,
    WIDER_FACTOR,
    MemoryStorage,
    RedisLimiter,
    site_of,
)
from realmtable.server.errors import QuotaReached, RateLimited, TooLarge, Unavailable
from realmtable.server.settings import MIB, Settings
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

if TYPE_CHECKING:
    from realmtable.server.storage.disk_usage import DiskUse

DAY_S: Final = 86_400
EVENT_BYTES: Final = 500  # what a request stores besides its text: a row, its index entries, a bot's reply
TABLE_BYTES: Final = 3_000
RECORD_BYTES: Final = 500
REPORT_BYTES: Final = 8_000  # a report with up to eleven messages
RECORDS_PER_MIB: Final = 20  # limits the number of small records
GAMES_FACTOR: Final = 3
NAME_HINT: Final = " Choose a name and password to store more."


class Quotas:
    """The quotas of one server. Methods raise RateLimited, QuotaReached or TooLarge if a quota is exceeded."""

    def __init__(self, settings: Settings, database: Database, disk_use: DiskUse) -> None:
        self._settings = settings
        self._database = database
        self._disk_use = disk_use
        self._is_on = settings.limits_factor > 0
        self._memory = FixedWindowRateLimiter(MemoryStorage())
        self._shared = RedisLimiter(settings.redis_url) if settings.redis_url else None
        self._away_until = 0.0

    async def spend(self, player: Player | None, address: str, amount: int, *, in_a_game: bool = False) -> None:
        """Count bytes that are about to be stored; raise RateLimited if a person or address exceeds its daily quota.

        Running games have a higher limit, so that no one loses a game to a quota.
        """
        if not self._is_on:
            return
        windows = [("address", address, self._settings.address_mib)]
        if site := site_of(address):
            windows.append(("address", site, WIDER_FACTOR * self._settings.address_mib))
        if player is not None:
            windows.append(("person", player.id, self._person_mib(player)))
        factor = GAMES_FACTOR if in_a_game else 1
        limited = [(kind, key, mib * factor) for kind, key, mib in windows if mib]
        for kind, key, mib in limited:
            until = await self._next_room_at(_limit_item(mib), kind, key, amount)
            if until is not None:
                raise self._refusal(kind, player, mib, until)
        for kind, key, mib in limited:
            await self._hit(_limit_item(mib), kind, key, amount)

    async def check_tables(self, player: Player) -> None:
        """Raise QuotaReached if a person has as many tables as they may open."""
        most = self._settings.member_tables if player.kind == "member" else self._settings.guest_tables
        if not (self._is_on and most):
            return
        rows = await self._database.rows(
            select(func.count()).select_from(schema.tables).where(schema.tables.c.created_by == player.id)
        )
        if rows[0][0] >= most:
            raise QuotaReached(f"You have reached the limit of {most:,} tables.{self._advice(player)}")

    async def check_records(self, player: Player, size: int) -> None:
        """Raise QuotaReached if another record of `size` bytes would exceed a person's quota."""
        if self._disk_use.is_low():
            raise Unavailable("The server's disk is almost full, so records cannot be stored now; try again later.")
        mib = self._person_mib(player)
        if not (self._is_on and mib):
            return
        if size > mib * MIB:
            raise TooLarge(f"A record can have at most {mib} MiB here; shorten it.{self._advice(player)}")
        records = schema.records.c
        sums = select(func.count().label("how_many"), func.coalesce(func.sum(records.size), 0).label("used"))
        stored = (await self._database.rows(sums.where(records.created_by == player.id)))[0]
        count, used = int(stored.how_many), int(stored.used)
        if used + size > mib * MIB or count >= mib * RECORDS_PER_MIB:
            raise QuotaReached(
                f"You have stored {used / MIB:.1f} MiB in {count:,} record{'s' * (count != 1)}; the limit is {mib} MiB"
                f" and {mib * RECORDS_PER_MIB:,} records.{self._advice(player)}"
            )

    async def close(self) -> None:
        """Close the connections to Redis."""
        if self._shared is not None:
            await self._shared.close()

    def _person_mib(self, player: Player) -> int:
        return self._settings.member_mib if player.kind == "member" else self._settings.guest_mib

    def _advice(self, player: Player) -> str:
        if player.kind == "member":
            return " Contact the administrator of this server."
        days = self._settings.guest_days
        return (f" Finished games and records of guests are deleted after {days} days." if days else "") + NAME_HINT

    def _refusal(self, kind: str, player: Player | None, mib: int, until: float) -> RateLimited:
        wait_s = max(1, math.ceil(until - time.time()))
        if kind == "address":
            text = f"Your network has reached its limit of {mib} MiB per day; try again in {describe_wait(wait_s)}."
        else:
            hint = "" if player is None or player.kind == "member" else NAME_HINT
            text = f"You have reached your limit of {mib} MiB per day; try again in {describe_wait(wait_s)}.{hint}"
        return RateLimited(text, wait_s)

    async def _next_room_at(self, item: RateLimitItemPerSecond, kind: str, key: str, amount: int) -> float | None:
        """Return when `amount` can be stored, or None if it can be now."""
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


def describe_wait(seconds: int) -> str:
    """Return a waiting time in words, rounded up: in minutes for up to two hours, then in hours.

    >>> describe_wait(1), describe_wait(61), describe_wait(7200), describe_wait(7201)
    ('a minute', '2 minutes', '120 minutes', '3 hours')
    """
    if seconds > 2 * 3600:
        return f"{math.ceil(seconds / 3600)} hours"
    minutes = math.ceil(seconds / 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"


def _limit_item(mib: int) -> RateLimitItemPerSecond:
    return RateLimitItemPerSecond(mib * MIB, DAY_S, namespace="realmtable")
