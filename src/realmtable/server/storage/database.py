"""Database access: SQLite (WAL) by default, PostgreSQL for several processes or machines.

`Database` gives out connections for reading and transactions for writing. If the database cannot be reached or written,
it raises `Unavailable`; the next attempt reconnects.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, closing, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from sqlalchemy import URL, Connection, Delete, Insert, Row, Select, Table, Update, create_engine, event, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from realmtable.engine.errors import BadInput
from realmtable.engine.extras import require_extra
from realmtable.server.errors import Unavailable
from realmtable.server.storage.driver_errors import map_driver_errors
from realmtable.server.storage.migrations import prepare

Result = TypeVar("Result")

SQLITE_BUSY_S = 5.0
WAL_RETRY_S = 0.01
SQLITE_CONNECTIONS = 8
SQLITE_READERS = 2
POSTGRESQL_CONNECTIONS = 20  # they stay open: opening one takes both sides longer than many queries
CONNECT_TIMEOUT_S = 5.0
CLOSE_TIMEOUT_S = 10.0  # for threads that are still connecting
COMMAND_TIMEOUT_S = 30.0
# An arbitrary number for the advisory lock that a migration holds.
MIGRATION_LOCK = 0x7265616C6D
URL_HELP = "A database address must be sqlite:///path/to/file or postgresql://user:password@host/name."


class Database:
    """A database with its connection pool.

    `url` is `sqlite:///path` or `postgresql://user:password@host/name`. Connections for `migrating` have no time limit,
    and SQLite does not check foreign keys, since migrations rebuild tables.
    """

    engine: AsyncEngine
    dialect: str  # "sqlite" or "postgresql"

    def __init__(self, url: str, *, migrating: bool = False) -> None:
        self._stops: set[asyncio.Future[Any]] = set()
        self.engine = _make_engine(url, self._stops, migrating=migrating)
        self.dialect = self.engine.dialect.name
        self._writers = self.engine.execution_options(writing=True)
        # SQLite allows one writer at a time: queue here, in order, instead of polling for the file's lock.
        self._write_lock: asyncio.Lock | nullcontext[None] = (
            asyncio.Lock() if self.dialect == "sqlite" else nullcontext()
        )
        uses_threads = self.dialect == "sqlite" and not migrating
        self._writer = _SqliteThreads(self.engine.url, 1, writing=True) if uses_threads else None
        self._readers = _SqliteThreads(self.engine.url, SQLITE_READERS, writing=False) if uses_threads else None

    @asynccontextmanager
    async def reading(self, *, steady: bool = False) -> AsyncIterator[AsyncConnection]:
        """Open a read-only connection; if `steady`, all its reads see one snapshot of the database."""
        async with self._open_connection(self.engine.connect()) as connection:
            if steady and self.dialect == "postgresql":
                await connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction that is committed at the end of the block, or rolled back if it raises."""
        async with self._write_lock, self._open_connection(self._writers.begin()) as connection:
            yield connection

    async def rows(self, statement: Select[Any]) -> Sequence[Row[Any]]:
        """Return the rows of a query."""
        if self._readers is None:
            async with self.reading() as connection:
                return await connection.run_sync(partial(_fetch_all, statement=statement))
        with map_driver_errors():
            return await self._readers.run(partial(_fetch_all, statement=statement))

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in one transaction; with SQLite, all of it runs in a separate thread."""
        if self._writer is None:
            async with self.writing() as connection:
                return await connection.run_sync(work)
        with map_driver_errors():
            async with self._write_lock:
                return await self._writer.run(work)

    async def execute(self, statement: Insert | Update | Delete) -> int:
        """Run one statement in its own transaction; return the number of rows that it changed."""
        return await self.write(lambda connection: connection.execute(statement).rowcount)

    def insert_new(self, table: Table, rows: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> Insert:
        """Return an INSERT that leaves out the rows whose keys exist."""
        inserts = postgresql.insert if self.dialect == "postgresql" else sqlite.insert
        return inserts(table).values(rows).on_conflict_do_nothing()

    async def close(self) -> None:
        """Close the connections; those in use stay open until they are released."""
        for threads in (self._writer, self._readers):
            if threads is not None:
                await threads.close()
        await self.engine.dispose()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                while self._stops:
                    await asyncio.wait(self._stops)

    @asynccontextmanager
    async def _open_connection(
        self, context: AbstractAsyncContextManager[AsyncConnection]
    ) -> AsyncIterator[AsyncConnection]:
        with map_driver_errors():
            async with AsyncExitStack() as stack:
                # While connecting, any OSError concerns the database, such as an unknown host name.
                with map_driver_errors(OSError):
                    connection = await stack.enter_async_context(context)
                yield connection


def _fetch_all(connection: Connection, statement: Select[Any]) -> Sequence[Row[Any]]:
    return connection.execute(statement).all()


class _SqliteThreads:
    """Threads with their own connections, in which a transaction takes only two switches from the event loop.

    An asynchronous driver takes about twenty, one for each statement and commit, and each waits for other tasks.
    """

    def __init__(self, url: URL, threads: int, *, writing: bool) -> None:
        timeout = {} if "timeout" in url.query else {"timeout": SQLITE_BUSY_S}
        engine = create_engine(
            url.set(drivername="sqlite"), pool_size=threads, connect_args=timeout, hide_parameters=True
        )
        event.listen(engine, "connect", partial(_set_up_sqlite, foreign_keys=True))
        event.listen(engine, "begin", _begin_sqlite)
        self._engine = engine.execution_options(writing=writing)
        self._count = threads
        self._threads: ThreadPoolExecutor | None = None  # started on first use

    async def run(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in a transaction."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._count, "sqlite")
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._transact, work)

    def _transact(self, work: Callable[[Connection], Result]) -> Result:
        with self._engine.begin() as connection:
            return work(connection)

    async def close(self) -> None:
        """Finish and close the connections; they are reopened when needed."""
        threads, self._threads = self._threads, None
        if threads is not None:
            await asyncio.to_thread(threads.shutdown)
            self._engine.dispose()


class _DriverConnection(sqlite3.Connection):
    """A connection that rolls back before it closes.

    SQLite keeps a closed connection, its transaction and its lock for as long as one of its cursors has rows left. If a
    task is cancelled while a statement runs, nobody closes the cursor before it is collected as garbage.
    """

    def close(self) -> None:
        """Roll back and close; a second call does nothing."""
        with suppress(sqlite3.ProgrammingError):  # it is closed already
            self.rollback()
        super().close()


class _SqliteConnection(aiosqlite.Connection):
    """A connection that adds a future to `stops` until its thread has ended.

    If a task is cancelled while it connects, nothing else waits for the thread, which then reports to a closed loop.
    """

    def __init__(self, stops: set[asyncio.Future[Any]], connect: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connect, iter_chunk_size=64)
        self._thread.daemon = True
        self._stops = stops
        self._stopped: asyncio.Future[Any] | None = None

    def stop(self) -> asyncio.Future[Any] | None:
        """Close the connection and end its thread; a second call, which the thread would never answer, does nothing."""
        if self._stopped is None:
            self._stopped = super().stop()
            if self._stopped is not None and self._thread.is_alive():
                self._stops.add(self._stopped)
                self._stopped.add_done_callback(self._stops.discard)
        return self._stopped


async def connect(url: str) -> Database:
    """Return the database at `url`, after creating or migrating it if necessary.

    Raises BadInput if the address is invalid, and Unavailable if the database cannot be reached.
    """
    await migrate(url)
    return Database(url)


async def migrate(url: str) -> None:
    """Migrate the database to the latest schema in one transaction; a failure leaves it unchanged."""
    database = Database(url, migrating=True)
    try:
        if path := sqlite_path(url):
            await asyncio.to_thread(_switch_to_wal, path)
        async with database.writing() as connection:
            if database.dialect == "postgresql":
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
            await connection.run_sync(prepare)
    finally:
        await database.close()


def sqlite_path(address: str) -> Path | None:
    """Return the file of an SQLite database, or None for other databases."""
    url = _parse_url(address)
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def _parse_url(address: str) -> URL:
    # Messages never repeat the address, which may contain a password.
    try:
        url = make_url(address)
    except ArgumentError:
        raise BadInput(URL_HELP) from None
    kind = url.get_backend_name()
    if kind == "postgres":  # as some hosting providers spell it
        return url.set(drivername="postgresql")
    if kind == "postgresql" or (kind == "sqlite" and url.database not in (None, "", ":memory:")):
        return url
    raise BadInput(URL_HELP)


def _make_engine(address: str, stops: set[asyncio.Future[Any]], *, migrating: bool) -> AsyncEngine:
    url = _parse_url(address)
    if url.get_backend_name() == "sqlite":
        return _make_sqlite_engine(url, stops, migrating=migrating)
    return _make_postgresql_engine(url, migrating=migrating)


def _make_sqlite_engine(url: URL, stops: set[asyncio.Future[Any]], *, migrating: bool) -> AsyncEngine:
    _make_file(Path(str(url.database)))
    pool: dict[str, Any] = {"poolclass": NullPool} if migrating else {"pool_size": SQLITE_CONNECTIONS}
    arguments: dict[str, Any] = {} if "timeout" in url.query else {"timeout": SQLITE_BUSY_S}
    arguments["async_creator_fn"] = lambda *given, **named: _SqliteConnection(
        stops, partial(sqlite3.connect, *given, factory=_DriverConnection, **named)
    )
    engine = create_async_engine(
        url.set(drivername="sqlite+aiosqlite"), hide_parameters=True, connect_args=arguments, **pool
    )
    event.listen(engine.sync_engine, "connect", partial(_set_up_sqlite, foreign_keys=not migrating))
    event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return engine


def _make_file(path: Path) -> None:
    """Create the file before the driver does, readable only by its owner, to report problems early."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise Unavailable(f"The database's file {path} cannot be opened: {error.strerror}.") from error


def _switch_to_wal(path: Path) -> None:
    """Set the file's journal mode, which stays with the file; if that fails, the next connection reports why.

    If several processes switch a new file at once, SQLite tells all but one that it is locked without waiting for its
    busy timeout, so try again until the time is over.
    """
    end = time.monotonic() + SQLITE_BUSY_S
    while time.monotonic() < end:
        try:
            with closing(sqlite3.connect(path, timeout=SQLITE_BUSY_S)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                return
            time.sleep(WAL_RETRY_S)
        else:
            return


def _set_up_sqlite(connection: Any, _entry: ConnectionPoolEntry, *, foreign_keys: bool) -> None:  # noqa: ANN401  # the driver's
    # The driver would upgrade a read transaction to a write halfway, so `_begin_sqlite` issues BEGIN instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")  # an acknowledged move survives a power cut
    cursor.execute(f"PRAGMA foreign_keys = {int(foreign_keys)}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    is_writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def _make_postgresql_engine(url: URL, *, migrating: bool) -> AsyncEngine:
    require_extra("postgres")
    # The driver calls libpq's `sslmode` option `ssl`.
    mode = url.query.get("sslmode")
    url = url.difference_update_query(["sslmode"]).set(drivername="postgresql+asyncpg")
    arguments: dict[str, Any] = {"timeout": CONNECT_TIMEOUT_S} | ({"ssl": mode} if mode else {})
    if migrating:
        return create_async_engine(url, poolclass=NullPool, connect_args=arguments, hide_parameters=True)
    arguments["command_timeout"] = COMMAND_TIMEOUT_S
    return create_async_engine(
        url,
        pool_pre_ping=True,
        pool_size=POSTGRESQL_CONNECTIONS,
        max_overflow=0,
        pool_use_lifo=True,  # so that few of them are in use
        connect_args=arguments,
        hide_parameters=True,
    )
