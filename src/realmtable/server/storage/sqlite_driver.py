"""Direct calls of SQLite's driver, for the few statements that every move needs.

SQLAlchemy makes about two hundred calls for a statement, which takes longer than the statement. Other databases, and
connections of an asynchronous driver, get SQLAlchemy's statements.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Connection, Insert, Update
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

Converter: TypeAlias = Callable[[Any], Any] | None


def driver_of(connection: Connection) -> sqlite3.Connection | None:
    """Return the driver's connection, or None if it is not SQLite's own."""
    found = connection.connection.driver_connection
    return found if isinstance(found, sqlite3.Connection) else None


def call_driver(statement: Callable[[str, Sequence[Any]], sqlite3.Cursor], sql: str, values: Sequence[Any] = ()) -> Any:  # noqa: ANN401 - rows of any columns
    """Run a statement and return its rows. Errors are those of SQLAlchemy."""
    try:
        return statement(sql, values).fetchall()
    except sqlite3.Error as error:
        raise DBAPIError.instance(sql, None, error, sqlite3.Error, hide_parameters=True) from error


class PreparedWrite:
    """An INSERT or UPDATE of many rows, compiled once."""

    def __init__(self, statement: Insert | Update) -> None:
        dialect = sqlite.dialect()
        compiled = statement.compile(dialect=dialect)
        names = compiled.positiontup or []
        types = [compiled.binds[name].type.dialect_impl(dialect) for name in names]
        self._statement = statement
        self._sql = str(compiled)
        self._parameters: list[tuple[str, Converter]] = [
            (name, kind.bind_processor(dialect)) for name, kind in zip(names, types, strict=True)
        ]

    def run(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write rows, given by the names of the statement's parameters."""
        if not rows:
            return
        driver = driver_of(connection)
        if driver is None:
            connection.execute(self._statement, rows)
        else:
            call_driver(driver.executemany, self._sql, [self._convert(row) for row in rows])

    def _convert(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple([row[name] if convert is None else convert(row[name]) for name, convert in self._parameters])
