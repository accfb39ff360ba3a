"""Remembers when a server was running, so that the clocks of tables leave out the time in between.

While a server runs, it stores every few seconds that it does. A gap between two such moments is an outage: the server
was down, its machine slept, the database could not be written, or a new process started with a clock that had been set
meanwhile. Processes that share a database share the moments too, so only a time without any of them is an outage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, Final, NamedTuple

import structlog
from sqlalchemy import Connection, Row, delete, func, select, update

from realmtable.server.errors import Unavailable
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

BEAT_S: Final = 2.0
GAP_S: Final = 3 * BEAT_S  # what is longer than this is an outage, even if other processes may have been running
RECONNECT_S: Final = 10.0  # clocks go on this long after an outage, so that browsers can reconnect first

log = structlog.get_logger(__name__)


class Outage(NamedTuple):
    """A time during which no server was running."""

    began: float
    ended: float


class LostTime(NamedTuple):
    """The seconds that the clocks of a table leave out, and when they go on."""

    seconds: float
    until: float


class Outages:
    """The outages of this database; `on_outage` is called after one that this process has survived."""

    def __init__(self, database: Database, now: Callable[[], float]) -> None:
        self._database, self._now = database, now
        self._beat_at = now()
        self._uptimes: list[Row[Any]] = []
        self._outages: list[Outage] = []
        self.on_outage: Callable[[], None] | None = None

    async def latest_moment(self) -> float:
        """Return when a server was last known to run; 0 if there was none yet."""
        rows = await self._database.rows(select(func.max(schema.uptimes.c.ended)))
        return float(rows[0][0] or 0.0)

    async def start(self, *, is_alone: bool) -> None:
        """Note that a server runs from now on; if this process `is_alone`, none was running just before."""
        if is_alone:
            await self._database.write(partial(_forget_future, now=self._now()))
        await self._store_moment(0.0 if is_alone else GAP_S)

    async def beat(self) -> None:
        """Note that this server is running."""
        if await self._store_moment(GAP_S) and self.on_outage is not None:
            self.on_outage()

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            await asyncio.sleep(BEAT_S)
            try:
                await self.beat()
            except Unavailable:
                pass  # if it lasts, it is an outage
            except Exception:  # whatever happens, the next beat must follow
                log.exception("beat_failed")

    async def require_beat(self) -> None:
        """Beat now if the latest beat is too long ago; call this before anyone loses on time."""
        if self._now() - self._beat_at > GAP_S:
            await self.beat()

    def has_outage_since(self, since: float, now: float) -> bool:
        """Whether there was an outage since the time `since` of a clock, or `since` lies in the future."""
        return bool(self._outages and self._outages[-1].ended > since) or since > now + RECONNECT_S + GAP_S

    def time_lost(self, since: float, now: float) -> LostTime:
        """Return what a clock that runs `since` then leaves out; there must be something.

        A time far in the future comes from a wall clock that has been set back since: the clock goes on from now. The
        clocks of several processes may differ by a little.
        """
        if since > now + RECONNECT_S + GAP_S:
            return LostTime(now - since, now)
        later = [outage for outage in self._outages if outage.ended > since]
        seconds = sum(outage.ended - max(since, outage.began) for outage in later)
        return LostTime(seconds + RECONNECT_S, later[-1].ended + RECONNECT_S)

    async def _store_moment(self, gap_s: float) -> bool:
        """Store the present moment, and read the outages; return whether there is a new one."""
        now, known = self._now(), self._uptimes[-1].number if self._uptimes else 0
        rows = await self._database.write(partial(self._extend_uptime, now=now, gap_s=gap_s, known=known))
        self._uptimes = [*(row for row in self._uptimes if row.number < known), *rows]
        self._outages = [
            Outage(one.ended, other.began) for one, other in pairwise(self._uptimes) if other.began > one.ended
        ]
        self._beat_at = now
        if self._uptimes[-1].number == known or not self._outages:
            return False
        log.info("time_left_out", seconds=round(self._outages[-1].ended - self._outages[-1].began))
        return True

    def _extend_uptime(self, connection: Connection, *, now: float, gap_s: float, known: int) -> list[Row[Any]]:
        """Extend the latest time of running to `now`, or begin another after a gap; return those from `known` on."""
        columns = schema.uptimes.c
        newest_first = select(schema.uptimes).order_by(columns.number.desc()).limit(1)
        latest = connection.execute(newest_first).first()
        if latest is None or now - latest.ended > gap_s:
            number = 1 if latest is None else latest.number + 1
            # Another process may have noticed the same outage first.
            begun = self._database.insert_new(schema.uptimes, {"number": number, "began": now, "ended": now})
            connection.execute(begun)
        else:
            later = (columns.number == latest.number) & (columns.ended < now)
            connection.execute(update(schema.uptimes).where(later).values(ended=now))
        found = select(schema.uptimes).where(columns.number >= known).order_by(columns.number)
        return list(connection.execute(found).all())


def _forget_future(connection: Connection, *, now: float) -> None:
    """Forget what was stored after `now`, when the wall clock was ahead by more than a day."""
    columns = schema.uptimes.c
    connection.execute(delete(schema.uptimes).where(columns.began > now))
    connection.execute(update(schema.uptimes).where(columns.ended > now).values(ended=now))
