"""Which extras a server needs, depending on its settings."""

from __future__ import annotations

from realmtable.engine.extras import require_extra
from realmtable.server.settings import Settings


def require_extras_for(settings: Settings) -> None:
    """Raise MissingExtra if a server with these settings lacks packages."""
    require_extra("server")
    if settings.uses_postgresql:
        require_extra("postgres")
    if settings.redis_url is not None:
        require_extra("redis")
