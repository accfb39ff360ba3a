"""A clock for tables that starts from the wall clock and then never jumps.

Players' clocks are computed from event times, so a jump of the wall clock could make a player lose on time or gain
hours. `SteadyTime` never jumps. A new process continues the time of the previous process, or of those running in
parallel, from a note in the lock file of an SQLite database or in Redis. Within one boot of a machine this is exact;
between machines it is accurate to about a second. Without a note, for example after a reboot, the wall clock is used,
so time during which no server runs counts.
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
LARGEST_ADOPTED_STEP_S: Final = 86_400.0  # beyond it, the earlier process probably ran before the wall clock was set
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

    def adopt(self, note: str, *, is_fresh: bool = False) -> bool:
        """Continue the time of another process; return whether its note was usable.

        A note from this boot is usable at any age, a note from another machine only if it `is_fresh`.
        """
        noted = self._time_from_note(note, is_fresh=is_fresh)
        if noted is None:
            return False
        step_s = self._wall() - noted
        if abs(step_s) > LARGEST_ADOPTED_STEP_S:
            log.warning("time_not_adopted", wall_clock_ahead_s=round(step_s))
            return False
        if abs(step_s) > TOLERATED_STEP_S:
            log.warning("wall_clock_stepped", wall_clock_ahead_s=round(step_s))
            self._offset = noted - self._elapsed()
        return True

    def _time_from_note(self, note: str, *, is_fresh: bool) -> float | None:
        try:
            data: dict[str, Any] = json.loads(note)
            boot, elapsed, now = str(data["boot"]), float(data["elapsed"]), float(data["now"])
        except (ValueError, KeyError, TypeError):
            return None
        passed = self._elapsed() - elapsed
        if boot and boot == self._boot and passed >= 0:
            return now + passed
        return now if is_fresh else None


class TimeSharing:
    """Shares the time of this process through Redis; `start` first adopts the time it finds there."""

    def __init__(self, steady: SteadyTime, redis_url: str) -> None:
        from redis.asyncio import Redis  # noqa: PLC0415 - a single process does not need Redis

        self._steady = steady
        self._redis = Redis.from_url(redis_url, decode_responses=True, socket_timeout=1, socket_connect_timeout=1)
        self._share_task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Adopt the shared time if Redis answers, then start sharing ours."""
        from redis.exceptions import RedisError  # noqa: PLC0415 - as above

        try:
            note = await self._redis.get(REDIS_KEY)
        except (RedisError, OSError):
            note = None
        if note:
            self._steady.adopt(note if isinstance(note, str) else note.decode(), is_fresh=True)
        self._share_task = asyncio.ensure_future(self._share())

    async def _share(self) -> None:
        from redis.exceptions import RedisError  # noqa: PLC0415 - as above

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
