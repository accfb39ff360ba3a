"""Direct calls of SQLite's driver, for the few statements that every move needs.

SQLAlchemy makes about two hundred calls for a statement, which takes longer than the statement. Other databases, and
connections of an asynchronous driver, get SQLAlchemy's statements.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Insert, Table, Update, bindparam, insert, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

Converter: TypeAlias = Callable[[Any], Any] | None

MOST_ROWS: Final = 64  # of one statement
UPDATE_FROM: Final = (3, 33)  # the first SQLite whose updates can read from a list of rows


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
    """A statement that is run for many rows, compiled once."""

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
            self._call(driver, [self._convert(row) for row in rows])

    def _call(self, driver: sqlite3.Connection, rows: list[tuple[Any, ...]]) -> None:
        call_driver(driver.executemany, self._sql, rows)

    def _convert(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple([row[name] if convert is None else convert(row[name]) for name, convert in self._parameters])


class _ManyRowsWrite(PreparedWrite):
    """Writes many rows with one statement.

    `executemany` releases the interpreter's lock for each row, and then waits until the event loop's thread releases
    it: that takes longer than writing the row.
    """

    def __init__(self, statement: Insert | Update) -> None:
        super().__init__(statement)
        self._row = f"({', '.join('?' * len(self._parameters))})"
        self._sql_by_count: dict[int, str] = {}

    def _call(self, driver: sqlite3.Connection, rows: list[tuple[Any, ...]]) -> None:
        start = 0
        while start < len(rows):
            # Powers of two make few different statements, which the driver keeps prepared.
            count = min(1 << (len(rows) - start).bit_length() - 1, MOST_ROWS)
            values = [value for row in rows[start : start + count] for value in row]
            call_driver(driver.execute, self._sql_for(count), values)
            start += count

    def _sql_for(self, count: int) -> str:
        sql = self._sql_by_count.get(count)
        if sql is None:
            sql = self._sql_by_count[count] = self._format(", ".join([self._row] * count))
        return sql

    def _format(self, rows: str) -> str:
        """Return the statement for rows of question marks."""
        raise NotImplementedError


class PreparedInsert(_ManyRowsWrite):
    """An INSERT of whole rows."""

    def __init__(self, table: Table) -> None:
        super().__init__(insert(table))

    def _format(self, rows: str) -> str:
        return f"{self._sql.partition(' VALUES ')[0]} VALUES {rows}"


class PreparedUpdate(_ManyRowsWrite):
    """An UPDATE of some columns, `names`, of the rows with given keys.

    `key` is the column that identifies a row, and `key_parameter` the name under which `run` is given its value.
    """

    def __init__(self, table: Table, names: Sequence[str], key: str, key_parameter: str) -> None:
        self._table, self._names, self._key, self._key_parameter = table.name, names, key, key_parameter
        values = {name: bindparam(name, type_=table.c[name].type) for name in names}
        super().__init__(update(table).where(table.c[key] == bindparam(key_parameter)).values(values))

    def run(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write rows; of two with the same key, the later one is used."""
        super().run(connection, [*{row[self._key_parameter]: row for row in rows}.values()])

    def _call(self, driver: sqlite3.Connection, rows: list[tuple[Any, ...]]) -> None:
        if sqlite3.sqlite_version_info < UPDATE_FROM:
            call_driver(driver.executemany, self._sql, rows)
        else:
            super()._call(driver, rows)

    def _format(self, rows: str) -> str:
        columns = ", ".join(name for name, _ in self._parameters)
        changes = ", ".join(f"{name} = new.{name}" for name in self._names)
        return (
            f"WITH new ({columns}) AS (VALUES {rows}) "  # noqa: S608 - names of our own columns
            f"UPDATE {self._table} SET {changes} FROM new WHERE {self._table}.{self._key} = new.{self._key_parameter}"
        )
