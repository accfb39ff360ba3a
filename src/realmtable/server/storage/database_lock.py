"""Allows only one server per SQLite file: a second one would not be notified of changes and would show old tables.

The lock is an operating system lock on a file next to the database. It is released when the process ends for any
reason, so a crash leaves nothing to clean up. Commands that use the database briefly do not take it.
"""

from __future__ import annotations

import errno
import os
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Final

import structlog

from realmtable.server.errors import Unavailable
from realmtable.server.settings import label
from realmtable.server.storage.database import sqlite_path

SUFFIX: Final = ".lock"
MAX_ID_LENGTH: Final = 20
LOCKS_UNSUPPORTED: Final = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)

log = structlog.get_logger(__name__)


class DatabaseLock(AbstractContextManager["DatabaseLock"]):
    """A held lock; empty if the database is not a file."""

    def __init__(self, descriptor: int | None = None) -> None:
        self._descriptor = descriptor

    def name_holder(self) -> None:
        """Write the process id, for the message to others; ignore errors, such as a full disk."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.ftruncate(self._descriptor, 0)
                os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Release the lock. The file stays, since another process may already have opened it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __exit__(self, *_: object) -> None:
        self.release()


def lock_database(url: str) -> DatabaseLock:
    """Lock the database at `url` for a server, or for a command that replaces all of it.

    Raises Unavailable if a server holds the lock. PostgreSQL does not need one; on systems without file locks, this
    logs a warning.
    """
    database_path = sqlite_path(url)
    if database_path is None:
        return DatabaseLock()
    path = Path(f"{database_path.resolve()}{SUFFIX}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Unavailable(f"The lock file {path} cannot be opened: {error.strerror}.") from error
    try:
        is_locked = _try_lock(descriptor)
        holder = os.pread(descriptor, MAX_ID_LENGTH, 0).decode(errors="replace").partition("\n")[0]
    except BaseException:
        os.close(descriptor)
        raise
    if is_locked:
        return DatabaseLock(descriptor)
    os.close(descriptor)
    process = f" (process {holder})" if holder.isdigit() else ""
    raise Unavailable(
        f"A server{process} is using the database {database_path}: stop it, or choose another database with"
        f" {label('database_url')}. Several servers can share PostgreSQL and Redis, but not one SQLite file."
    )


def _try_lock(descriptor: int) -> bool:
    """Take the lock if it is free; return whether this process holds it now."""
    try:
        import fcntl  # noqa: PLC0415 - not on every system
    except ImportError:
        log.warning("database_not_locked", reason="this system has no such locks")
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in LOCKS_UNSUPPORTED:
            raise Unavailable(f"The database's lock file cannot be locked: {error.strerror}.") from error
        log.warning("database_not_locked", reason="its file system has no locks")
    return True
