"""The time that tables run on: set by the wall clock once, then counted by a clock that nobody can set.

Players' clocks follow from the times of events, so a step of the wall clock would flag somebody or give them hours.
`SteadyTime` never steps. A process that starts goes on with the time of the one before it, or of those beside it: it
finds their note in the lock file of an SQLite database or in Redis. Within one boot of a machine this is exact; from
another machine it is right to about a second. Where there is no note, after a reboot for example, the wall clock is
believed: time that passes while no server runs counts.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import structlog

from realmtable.server.tasks import cancel_tasks

TOLERATED_STEP_S: Final = 2.0  # so close, the wall clock is the better one
LARGEST_ADOPTED_STEP_S: Final = 86_400.0  # further off, the earlier wall clock had not been set at all
REDIS_KEY: Final = "realmtable:time"
SHARE_EVERY_S: Final = 1.0
KEY_EXPIRY_S: Final = 30
BOOT_ID_FILE: Final = Path("/proc/sys/kernel/random/boot_id")

log = structlog.get_logger(__name__)


def boot_id() -> str:
    """What tells this boot of this machine from all others; empty where the system does not say."""
    try:
        return BOOT_ID_FILE.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def seconds_since_boot() -> float:
    """Seconds on a clock that never steps, those of a sleeping laptop included where the system counts them."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class SteadyTime:
    """Seconds since 1970 that pass evenly. Call `now`; the arguments stand in for the machine's clocks in tests."""

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
        """The time at the tables."""
        return self._elapsed() + self._offset

    def wall_clock_ahead_s(self) -> float:
        """By how much the wall clock has stepped away since."""
        return self._wall() - self.now()

    def make_note(self) -> str:
        """What another process needs in order to go on with this time."""
        return json.dumps({"boot": self._boot, "elapsed": self._elapsed(), "now": self.now()})

    def adopt(self, note: str, *, is_fresh: bool = False) -> bool:
        """Go on with the time of an earlier process; returns whether its note could be used.

        A note of this boot can, however old it is; one of another machine only if it `is_fresh`.
        """
        theirs = self._time_from_note(note, is_fresh=is_fresh)
        if theirs is None:
            return False
        step_s = self._wall() - theirs
        if abs(step_s) > LARGEST_ADOPTED_STEP_S:
            log.warning("time_not_adopted", wall_clock_ahead_s=round(step_s))
            return False
        if abs(step_s) > TOLERATED_STEP_S:
            log.warning("wall_clock_stepped", wall_clock_ahead_s=round(step_s))
            self._offset = theirs - self._elapsed()
        return True

    def _time_from_note(self, note: str, *, is_fresh: bool) -> float | None:
        try:
            found: dict[str, Any] = json.loads(note)
            boot, elapsed, now = str(found["boot"]), float(found["elapsed"]), float(found["now"])
        except (ValueError, KeyError, TypeError):
            return None
        passed = self._elapsed() - elapsed
        if boot and boot == self._boot and passed >= 0:
            return now + passed
        return now if is_fresh else None


class TimeSharing:
    """Keeps a process's time in Redis for those that start later; `start` first adopts the one it finds there."""

    def __init__(self, steady: SteadyTime, redis_url: str) -> None:
        from redis.asyncio import Redis  # noqa: PLC0415 - one process needs no Redis

        self._steady = steady
        self._redis = Redis.from_url(redis_url, decode_responses=True, socket_timeout=1, socket_connect_timeout=1)
        self._share_task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Adopt the others' time if Redis answers, and share ours from now on."""
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
