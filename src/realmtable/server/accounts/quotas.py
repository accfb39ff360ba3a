"""Quotas for the tables and records that a person may keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select

from realmtable.server.accounts.accounts import Player
from realmtable.server.errors import QuotaReached, TooLarge, Unavailable
from realmtable.server.settings import MIB, Settings
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

if TYPE_CHECKING:
    from realmtable.server.storage.disk_usage import DiskUse

RECORDS_PER_MIB: Final = 20  # limits the number of small records
NAME_HINT: Final = " Choose a name and password to store more."


class Quotas:
    """The quotas of one server. Methods raise QuotaReached or TooLarge if a quota is exceeded."""

    def __init__(self, settings: Settings, database: Database, disk_use: DiskUse) -> None:
        self._settings = settings
        self._database = database
        self._disk_use = disk_use
        self._is_on = settings.limits_factor > 0

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
        mib = self._settings.member_mib if player.kind == "member" else self._settings.guest_mib
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

    def _advice(self, player: Player) -> str:
        if player.kind == "member":
            return " Contact the administrator of this server."
        days = self._settings.guest_days
        return (f" Finished games and records of guests are deleted after {days} days." if days else "") + NAME_HINT
