"""A clock for tables that starts from the wall clock and then never jumps.

Players' clocks are computed from event times, so a jump of the wall clock could make a player lose on time or gain
hours. `SteadyTime` never jumps. A process that joins others takes their time from a note in Redis: exact within one
boot of a machine, and accurate to about a second between machines. A process that starts alone takes the wall clock,
but does not go back behind the latest moment that was stored; what lies between is an outage, which clocks leave out
(see `realmtable.server.storage.outages`).
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import structlog

from realmtable.server.task_cancellation import cancel_tasks

TOLERATED_STEP_S: Final = 2.0  # up to this difference the wall clock is preferred
LARGEST_STEP_BACK_S: Final = 86_400.0  # beyond it, the earlier process ran with a wall clock that was wrong
REDIS_KEY: Final = "realmtable:time"
SHARE_EVERY_S: Final = 1.0
KEY_EXPIRY_S: Final = 30
_BOOT_CLOCK: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", None)  # not on every system
BOOT_ID_FILE: Final = Path("/proc/sys/kernel/random/boot_id")

log = structlog.get_logger(__name__)


def boot_id() -> str:
    """Return an id unique to this boot of this machine; empty if the system provides none."""
    try:
        return BOOT_ID_FILE.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def seconds_since_boot() -> float:
    """Return the seconds of a monotonic clock, including time spent asleep if the system counts it."""
    return time.monotonic() if _BOOT_CLOCK is None else time.clock_gettime(_BOOT_CLOCK)


class SteadyTime:
    """A Unix time that passes evenly. Tests pass their own clocks as arguments."""

    def __init__(
        self,
        wall: Callable[[], float] | None = None,
        elapsed: Callable[[], float] = seconds_since_boot,
        boot: str | None = None,
    ) -> None:
        self._wall = wall or time.time
        self._elapsed = elapsed
        self._boot = boot_id() if boot is None else boot
        self._offset = self._wall() - elapsed()

    def now(self) -> float:
        """Return the current time of all tables."""
        return self._elapsed() + self._offset

    def wall_clock_ahead_s(self) -> float:
        """Return by how many seconds the wall clock is ahead of this clock."""
        return self._wall() - self.now()

    def make_note(self) -> str:
        """Return a note from which another process can continue this time."""
        return json.dumps({"boot": self._boot, "elapsed": self._elapsed(), "now": self.now()})

    def adopt(self, note: str) -> bool:
        """Take the time of another process from its latest note; return whether the note was usable."""
        noted = self._time_from_note(note)
        if noted is not None:
            self._continue_from(noted, TOLERATED_STEP_S)
        return noted is not None

    def catch_up(self, moment: float) -> None:
        """Do not go back behind a stored moment, unless the wall clock was far ahead then."""
        if moment - self.now() > LARGEST_STEP_BACK_S:
            log.warning("wall_clock_set_back", wall_clock_ahead_s=round(self._wall() - moment))
        elif moment > self.now():
            self._continue_from(moment, 0.0)

    def _continue_from(self, moment: float, tolerance_s: float) -> None:
        step_s = self._wall() - moment
        if abs(step_s) > TOLERATED_STEP_S:
            log.warning("wall_clock_stepped", wall_clock_ahead_s=round(step_s))
        if abs(step_s) > tolerance_s:
            self._offset = moment - self._elapsed()

    def _time_from_note(self, note: str) -> float | None:
        try:
            data: dict[str, Any] = json.loads(note)
            boot, elapsed, now = str(data["boot"]), float(data["elapsed"]), float(data["now"])
        except (ValueError, KeyError, TypeError):
            return None
        passed = self._elapsed() - elapsed
        if boot and boot == self._boot and passed >= 0:
            return now + passed
        return now


class TimeSharing:
    """Shares the time of this process through Redis; `start` first adopts the time it finds there."""

    def __init__(self, steady: SteadyTime, redis_url: str) -> None:
        from redis.asyncio import Redis  # noqa: PLC0415 - a single process does not need Redis

        self._steady = steady
        self._redis = Redis.from_url(redis_url, decode_responses=True, socket_timeout=1, socket_connect_timeout=1)
        self._share_task: asyncio.Task[None] | None = None

    async def start(self) -> bool:
        """Adopt the shared time if there is one, then start sharing ours; return whether there was one."""
        from redis.exceptions import RedisError  # noqa: PLC0415 - one process needs no Redis

        try:
            note = await self._redis.get(REDIS_KEY)
        except (RedisError, OSError):
            note = None
        text = note.decode() if isinstance(note, bytes) else note
        adopted = text is not None and self._steady.adopt(text)
        self._share_task = asyncio.ensure_future(self._share())
        return adopted

    async def _share(self) -> None:
        from redis.exceptions import RedisError  # noqa: PLC0415 - one process needs no Redis

        while True:
            try:
                await self._redis.set(REDIS_KEY, self._steady.make_note(), ex=KEY_EXPIRY_S)
            except (RedisError, OSError):
                log.debug("time_not_shared")
            await asyncio.sleep(SHARE_EVERY_S)

    async def close(self) -> None:
        """Stop sharing."""
        if self._share_task is not None:
            await cancel_tasks([self._share_task])
        await self._redis.aclose()
