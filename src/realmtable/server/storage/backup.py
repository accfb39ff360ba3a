"""Online backups: a consistent copy of all rows, in one file that both kinds of database can restore.

The file is gzipped JSON lines: a header `{"realmtable": "backup", "format": 1, "revision": …}`, for each table a line
`{"table": …, "columns": […]}` followed by its rows as lists, and an end `{"rows": …}` that shows the file is complete.
A backup of an older schema is restored at its own revision and then upgraded.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from sqlalchemy import JSON, Column, Connection, MetaData, PrimaryKeyConstraint, Table, insert, inspect, select
from sqlalchemy.engine.interfaces import ReflectedColumn
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from realmtable.engine.errors import BadInput
from realmtable.kit.wording import end_sentence
from realmtable.server.errors import NotAllowed, NotFound, Unavailable
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database, sqlite_path
from realmtable.server.storage.migrations import HEAD, create, has_dangling_rows, revision, revisions, upgrade

FORMAT = 1
CHUNK = 1000


async def backup(url: str, path: Path) -> dict[str, int]:
    """Back up the database to `path`, which appears only once it is complete; return the rows of each table.

    Raises NotFound if there is no Realmtable database at `url`, and Unavailable if the database cannot be read or the
    file cannot be written.
    """
    source = sqlite_path(url)
    if source is not None and not await asyncio.to_thread(source.is_file):
        raise NotFound(f"There is no database at {source}.")
    database = Database(url)
    try:
        async with database.reading(steady=True) as connection:
            with _atomic_file(path) as file:
                return await _dump(connection, file)
    finally:
        await database.close()


async def restore(path: Path, url: str, *, replace: bool = False) -> dict[str, int]:
    """Restore the database from a backup, completely or not at all; return the number of rows of each table.

    Raises NotAllowed if the database is not empty and `replace` is not set, and BadInput if the file is not a complete
    backup. A server that uses the database must be restarted.
    """
    if not await asyncio.to_thread(path.is_file):
        raise NotFound(f"There is no backup at {path}.")
    database = Database(url, migrating=True)
    try:
        async with database.writing() as connection:
            await connection.run_sync(_clear, replace)
            with gzip.open(path, "rt", encoding="utf-8") as file, _as_bad_input(path):
                return await _load(connection, file)
    finally:
        await database.close()


async def _dump(connection: AsyncConnection, file: IO[str]) -> dict[str, int]:
    names = await connection.run_sync(_table_names)
    at_revision = await connection.run_sync(revision, names)
    if at_revision is None:
        raise NotFound("This is not a Realmtable database.")
    head = {"realmtable": "backup", "format": FORMAT, "revision": at_revision, "at": time.time()}
    file.write(json.dumps(head) + "\n")
    tables = await connection.run_sync(_reflect_tables)
    rows = {table.name: await _dump_table(connection, table, file) for table in tables}
    file.write(json.dumps({"rows": rows}) + "\n")
    return rows


async def _dump_table(connection: AsyncConnection, table: Table, file: IO[str]) -> int:
    file.write(json.dumps({"table": table.name, "columns": [column.name for column in table.columns]}) + "\n")
    count = 0
    async with connection.stream(select(table).order_by(*table.primary_key)) as result:
        async for chunk in result.partitions(CHUNK):
            lines = "".join(json.dumps(list(row), separators=(",", ":")) + "\n" for row in chunk)
            # Compression is slow, and a server may share this event loop.
            await asyncio.to_thread(file.write, lines)
            count += len(chunk)
    return count


async def _load(connection: AsyncConnection, file: IO[str]) -> dict[str, int]:
    head = json.loads(file.readline())
    if not isinstance(head, dict) or (head.get("realmtable"), head.get("format")) != ("backup", FORMAT):
        raise ValueError("its header is not that of a backup")
    if is_old := head["revision"] != HEAD:
        await connection.run_sync(upgrade, str(head["revision"]))
    else:  # the same schema, without running every revision
        await connection.run_sync(create)
    tables = {table.name: table for table in await connection.run_sync(_reflect_tables)}
    rows = dict.fromkeys(tables, 0)
    chunks = _read_chunks(file)
    while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
        name, values = chunk
        await connection.execute(insert(tables[name]), values)
        rows[name] += len(values)
    if await connection.run_sync(has_dangling_rows):
        raise ValueError("a row refers to one that is missing")
    if is_old:
        await connection.run_sync(upgrade)
    return rows


def _read_chunks(file: IO[str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the rows of the file in chunks, each with the name of its table."""
    counts: dict[str, int] = {}
    name, columns, chunk = "", [""], list[dict[str, Any]]()
    for line in map(json.loads, file):
        if isinstance(line, dict) or len(chunk) == CHUNK:
            if chunk:
                yield name, chunk
            chunk = []
        if isinstance(line, list):
            chunk.append(dict(zip(columns, line, strict=True)))
            counts[name] += 1
        elif "table" in line:
            name, columns = line["table"], line["columns"]
            counts[name] = 0
        else:
            _check_end(line["rows"], counts, file)
            return
    raise ValueError("its end is missing")


def _check_end(expected: object, actual: dict[str, int], file: IO[str]) -> None:
    """Raise ValueError unless the file has the number of rows that its end says, and nothing after it."""
    if not isinstance(expected, dict):
        raise ValueError("its end is missing")  # noqa: TRY004 - an error in the file, not by the caller
    for name in sorted({*expected, *actual}):
        if expected.get(name) != actual.get(name):
            raise ValueError(
                f"it should have {expected.get(name, 0):,} rows of {name}, but has {actual.get(name, 0):,}"
            )
    # Reading to the end also makes gzip verify its checksum.
    if file.read(1):
        raise ValueError("something follows its end")


def _clear(connection: Connection, replace: bool) -> None:
    tables = _reflect_tables(connection)
    if not replace and any(connection.execute(select(table).limit(1)).first() for table in tables):
        raise NotAllowed("The database is not empty. Restore into an empty one, or allow replacing its rows.")
    for table in reversed(tables):
        table.drop(connection)
    revisions.drop(connection, checkfirst=True)


def _table_names(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def _reflect_tables(connection: Connection) -> list[Table]:
    """Return our tables as they are in the database, in the order of their foreign keys.

    They have columns and primary keys only: reflecting everything else takes SQLite most of the time of a restore.
    """
    inspector = inspect(connection)
    ours = sorted({*inspector.get_table_names()} & {*schema.metadata.tables})
    if not ours:  # an empty filter would not filter
        return []
    columns = {name: found for (_, name), found in inspector.get_multi_columns(filter_names=ours).items()}
    keys = {name: found for (_, name), found in inspector.get_multi_pk_constraint(filter_names=ours).items()}
    order = [name for name, _ in inspector.get_sorted_table_and_fkc_names() if name in columns]
    return [_make_table(str(name), columns[name], keys[name]["constrained_columns"]) for name in order]


def _make_table(name: str, columns: Sequence[ReflectedColumn], key: Sequence[str]) -> Table:
    found = Table(name, MetaData())
    for column in columns:
        # None is SQL NULL, not the JSON value null.
        kind = JSON(none_as_null=True) if isinstance(column["type"], JSON) else column["type"]
        found.append_column(Column(column["name"], kind))
    found.append_constraint(PrimaryKeyConstraint(*(found.columns[part] for part in key)))
    return found


@contextmanager
def _atomic_file(path: Path) -> Iterator[IO[str]]:
    """Open a compressed file, readable only by its owner, that gets its name once everything is on disk."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as raw:  # noqa: PTH123  # a descriptor
            with gzip.open(raw, "wt", encoding="utf-8") as file:
                yield file
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(path)
    except ConnectionError:  # from the database, not the file
        raise
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _as_bad_input(path: Path) -> Iterator[None]:
    try:
        yield
    except (IntegrityError, ValueError, KeyError, TypeError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        reason = end_sentence(str(error.orig if isinstance(error, IntegrityError) else error))
        raise BadInput(f"{path} is not a complete backup: {reason} Nothing was changed.") from error
