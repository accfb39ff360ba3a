"""The packages that `pip install realmtable` leaves out, in extras: for servers, research, clusters and checks.

Nothing here imports them. Whatever needs an extra calls `require_extra` first, so that a person who has not installed
it reads which one to install instead of a traceback.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final, Literal

from realmtable.engine.errors import RealmtableError

Extra = Literal["server", "postgres", "redis", "rl", "openspiel", "lab", "gpu", "check"]

# What is imported from each requirement in pyproject.toml. Uvicorn works without uvloop, which is not for every system.
EXTRA_MODULES: Final[dict[Extra, tuple[str, ...]]] = {
    "server": (
        "aiosqlite",
        "alembic",
        "argon2",
        "certifi",
        "cssselect2",
        "fastapi",
        "httpcore",
        "httptools",
        "limits",
        "markdown_it",
        "openskill",
        "orjson",
        "PIL",
        "prometheus_client",
        "resvg_py",
        "segno",
        "sqlalchemy",
        "structlog",
        "tinycss2",
        "uvicorn",
        "webpush",
        "websockets",
    ),
    "postgres": ("asyncpg",),
    "redis": ("redis",),
    "rl": ("gymnasium", "pettingzoo"),
    "openspiel": ("pyspiel",),
    "lab": ("distributed", "pyarrow"),
    "gpu": ("numba_cuda",),
    "check": ("hypothesis", "pytest"),
}
REASONS: Final[dict[Extra, str]] = {
    "server": "The server needs more packages",
    "postgres": "PostgreSQL needs a driver",
    "redis": "Redis needs a driver",
    "rl": "Environments for reinforcement learning need more packages",
    "openspiel": "The adapter for OpenSpiel needs a package",
    "lab": "Experiments on a cluster need more packages",
    "gpu": "Playing on a GPU needs more packages",
    "check": "Checking a game needs more packages",
}


class MissingExtra(RealmtableError):
    """Packages that are needed here are not installed."""


def require_extra(extra: Extra) -> None:
    """Raise MissingExtra, which says what to install, if a package of an extra is missing."""
    if not all(find_spec(name) for name in EXTRA_MODULES[extra]):
        raise MissingExtra(f"{REASONS[extra]}: pip install 'realmtable[{extra}]'.")
