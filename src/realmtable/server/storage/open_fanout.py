"""Chooses the fan-out for a server: in memory for one process, through Redis for several."""

from __future__ import annotations

from realmtable.engine.extras import require_extra
from realmtable.server.storage.fanout import Fanout, MemoryFanout


def open_fanout(redis_url: str | None) -> Fanout:
    """Return the fan-out for this Redis URL, or one within this process if the URL is empty."""
    if not redis_url:
        return MemoryFanout()
    require_extra("redis")
    from realmtable.server.storage.redis_fanout import RedisFanout  # noqa: PLC0415 - one process needs no Redis

    return RedisFanout(redis_url)
