"""One server to an SQLite file: a second one would show old tables, for nobody tells it of the first one's moves.

The lock is the operating system's, on a file beside the database. It ends with the process, however that ends, so
nothing has to be cleaned up after a crash. Commands that only visit the database do not take it.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import structlog

from realmtable.server.errors import Unavailable
from realmtable.server.settings import label
from realmtable.server.storage.database import sqlite_path

SUFFIX: Final = ".lock"
MAX_NOTE_BYTES: Final = 4096
LOCKS_UNSUPPORTED: Final = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)

log = structlog.get_logger(__name__)


class DatabaseLock:
    """A held lock, or nothing to hold where the database is no file. `note` is what the holder before left in it."""

    def __init__(self, descriptor: int | None = None, note: str = "") -> None:
        self._descriptor = descriptor
        self.note = note

    def leave_note(self, note: str) -> None:
        """Write this process's number and a note for the next holder; a full disk is no reason not to start."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.ftruncate(self._descriptor, 0)
                os.pwrite(self._descriptor, f"{os.getpid()}\n{note}".encode()[:MAX_NOTE_BYTES], 0)

    def release(self) -> None:
        """Let others have the database. The file stays: removing it could take it from a process that waits for it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def lock_database(url: str) -> DatabaseLock:
    """Take the database at `url` for one server process, or for one command that replaces all of it.

    Raises Unavailable if a server holds it. PostgreSQL needs no such lock; on a file system or operating system without
    locks a line in the log says that nobody watches over this.
    """
    place = sqlite_path(url)
    if place is None:
        return DatabaseLock()
    path = Path(f"{place.resolve()}{SUFFIX}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Unavailable(f"The lock file {path} cannot be opened: {error.strerror}.") from error
    try:
        held = _try_lock(descriptor)
        holder, _, note = os.pread(descriptor, MAX_NOTE_BYTES, 0).decode(errors="replace").partition("\n")
    except BaseException:
        os.close(descriptor)
        raise
    if held:
        return DatabaseLock(descriptor, note)
    os.close(descriptor)
    process = f" (process {holder})" if holder.isdigit() else ""
    raise Unavailable(
        f"A server{process} is using the database {place}: stop it, or choose another database with"
        f" {label('database_url')}. Several servers can share PostgreSQL and Redis, but not one SQLite file."
    )


def _try_lock(descriptor: int) -> bool:
    """Whether the lock is ours now."""
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
