"""Maps errors of database drivers: the database is unavailable, or a value cannot be stored.

Any other driver error is a bug and is passed through.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Error as SqliteError

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from realmtable.engine.errors import BadInput
from realmtable.server.errors import Unavailable

# https://www.sqlite.org/rescode.html, primary codes.
SQLITE_SENTENCES = {
    5: "The database is locked by another program; try again in a moment.",  # BUSY
    6: "The database is locked by another program; try again in a moment.",  # LOCKED
    7: "The server is out of memory; try again in a moment.",  # NOMEM
    8: "The database cannot be written: its file is read-only.",  # READONLY
    10: "The database's disk cannot be read or written at the moment.",  # IOERR
    11: "The database's file is damaged; restore a backup.",  # CORRUPT
    13: "The database's disk is full; nothing was stored.",  # FULL
    14: "The database's file cannot be opened.",  # CANTOPEN
    26: "The database's file is not a database.",  # NOTADB
}
# https://www.postgresql.org/docs/current/errcodes-appendix.html, classes and single codes.
POSTGRESQL_SENTENCES = {
    "53100": "The database's disk is full; nothing was stored.",
    "08": "The database cannot be reached at the moment.",
    "25006": "The database is read-only at the moment.",
    "28": "The database rejects the server's user name or password.",
    "3D": "The database does not exist on its server.",
    "40": "The database is busy with another change to the same rows; try again.",
    "53": "The database is out of resources at the moment.",
    "55P03": "The database is busy with another change to the same rows; try again.",
    "57": "The database is shutting down or starting.",
    "58": "The database's disk cannot be read or written at the moment.",
}
UNREACHABLE = "The database cannot be reached at the moment."
UNSTORABLE = "A text or number in this request cannot be stored: it is too long or contains a forbidden character."


@contextmanager
def map_driver_errors(*unreachable: type[Exception]) -> Iterator[None]:
    """Raise `Unavailable` or `BadInput` for the matching driver errors, and for exceptions in `unreachable`."""
    lost: tuple[type[Exception], ...] = (ConnectionError, TimeoutError, *unreachable)
    try:
        yield
    except DBAPIError as error:
        if sentence := _unavailable_message(error):
            raise Unavailable(sentence) from error
        if _is_unstorable(error):
            raise BadInput(UNSTORABLE) from error
        raise
    except PoolTimeout as error:
        raise Unavailable("The database is too busy at the moment; try again.") from error
    except lost as error:
        raise Unavailable(UNREACHABLE) from error
    except (UnicodeEncodeError, OverflowError) as error:
        raise BadInput(UNSTORABLE) from error


def _unavailable_message(error: DBAPIError) -> str | None:
    if isinstance(error.orig, SqliteError):
        code = getattr(error.orig, "sqlite_errorcode", None)
        return None if code is None else SQLITE_SENTENCES.get(code & 0xFF)
    state = _sql_state(error)
    for length in (5, 2):
        if sentence := POSTGRESQL_SENTENCES.get(state[:length]):
            return sentence
    return UNREACHABLE if error.connection_invalidated else None


def _is_unstorable(error: DBAPIError) -> bool:
    # Class 22: too long, out of range, not a character. The driver itself raises ValueError for some of these.
    return _sql_state(error).startswith("22") or isinstance(error.orig and error.orig.__cause__, ValueError)


def _sql_state(error: DBAPIError) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "")
