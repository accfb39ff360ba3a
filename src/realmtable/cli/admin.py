"""`realmtable admin`: what the person who runs a server needs beside it, on the same settings."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from realmtable.cli.serve import setting_flags
from realmtable.cli.shared import disable_compiling, path_exists
from realmtable.engine.errors import BadInput
from realmtable.server.extras import require_extra
from realmtable.server.settings import Settings, label

if TYPE_CHECKING:
    from realmtable.server.admin import Person
    from realmtable.server.storage.database import Database

ResultT = TypeVar("ResultT")
database_flag = setting_flags("database_url")


HELP = """Look after a server: sign-in links, backups, migrations, checks.

\b
For example
  realmtable admin sign-in-link Ada
  realmtable admin backup evening.backup
  realmtable admin check

All of this works while people play, but for `restore`. The settings are those of `realmtable serve`: the same
variables, or the flags of each command.
"""


@click.group("admin", help=HELP)
def command() -> None:
    """The group that holds the commands."""


@command.command("sign-in-link")
@click.argument("name")
@click.option(
    "--minutes", type=click.IntRange(1, 10080), default=15, show_default=True, help="How long it can be used."
)
@setting_flags("database_url", "public_url")
def sign_in_link(name: str, minutes: int, **flags: Any) -> None:  # noqa: ANN401 - the settings' own
    """Print an address that signs NAME in once.

    It is for somebody who lost the password; a player id will do for a name.
    """
    settings = read_settings(flags)

    async def make(database: Database) -> str:
        from realmtable.server.accounts.accounts import Accounts  # noqa: PLC0415 - the help text need not wait for it

        return await Accounts(database).make_link(name, minutes)

    click.echo(f"{settings.public_url}/sign-in/{run_query(settings, make)}")


@command.command("players")
@click.option("--guests", is_flag=True, help="List the guests too.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, help="How many, newest first."
)
@database_flag
def players(*, guests: bool, limit: int, **flags: Any) -> None:  # noqa: ANN401 - the settings' own
    """List the people.

    A line has id, kind, day of arrival, tables, open sessions and name.
    """

    async def find(database: Database) -> list[Person]:
        from realmtable.server import admin  # noqa: PLC0415 - as above

        return await admin.list_people(database, guests=guests, limit=limit)

    for who in run_query(read_settings(flags), find):
        day = datetime.fromtimestamp(who.created_at, UTC).date()
        click.echo(f"{who.id}  {who.kind:6}  {day}  {who.tables:5} tables  {who.sessions:3} sessions  {who.name}")


@command.command("sign-out")
@click.argument("name")
@click.option("--tokens", is_flag=True, help="Revoke the personal tokens too.")
@database_flag
def sign_out(name: str, *, tokens: bool, **flags: Any) -> None:  # noqa: ANN401 - the settings' own
    """End every session of NAME.

    A player id will do for a name; running servers notice within two seconds, and open streams end.
    """

    async def end(database: Database) -> tuple[str, int, int]:
        from realmtable.server import admin  # noqa: PLC0415 - as above

        return await admin.sign_out(database, name, tokens=tokens)

    who, sessions, revoked = run_query(read_settings(flags), end)
    click.echo(f"{who}: {sessions} sessions ended, {revoked} tokens revoked.")


@command.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@database_flag
def backup(file: Path, **flags: Any) -> None:  # noqa: ANN401 - the settings' own
    """Write everything to FILE.

    It holds all as it is at one moment; SQLite and PostgreSQL can both be restored from it.
    """
    settings = read_settings(flags)
    if path_exists(file):
        raise BadInput(f"{file} exists already; choose another name.")
    from realmtable.server.storage import backup as backups  # noqa: PLC0415 - as above

    rows = asyncio.run(backups.backup(settings.database_url, file))
    click.echo(f"{file} holds everything: {_format_counts(rows)}.")


@command.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Throw away what the database holds now; stop the server first.")
@database_flag
def restore(file: Path, *, replace: bool, **flags: Any) -> None:  # noqa: ANN401 - the settings' own
    """Put a backup into an empty database.

    It is restored whole or not at all.
    """
    settings = read_settings(flags)
    from realmtable.server.storage import backup as backups  # noqa: PLC0415 - as above
    from realmtable.server.storage.database_lock import lock_database  # noqa: PLC0415 - as above

    with lock_database(settings.database_url):
        rows = asyncio.run(backups.restore(file, settings.database_url, replace=replace))
    click.echo(f"Restored from {file}: {_format_counts(rows)}.")


def _format_counts(rows: dict[str, int]) -> str:
    return ", ".join(f"{rows[name]:,} {name}" for name in ("players", "tables", "events") if name in rows)


@command.command("expire")
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
@setting_flags("database_url", "abandoned_days", "guest_days", "session_days")
def expire(*, dry_run: bool, **flags: Any) -> None:  # noqa: ANN401 - the settings' own
    """Remove what guests have left behind.

    Games and records of guests after the days that the settings name, and guests who did not come back. Nothing goes
    that a named account takes part in. A running server does this by itself once a day.
    """
    settings = read_settings(flags)

    async def work(database: Database) -> dict[str, int]:
        from realmtable.server.services import expiry_terms  # noqa: PLC0415 - as above
        from realmtable.server.storage.expiry import Expiry  # noqa: PLC0415 - as above

        expiry = Expiry(database, expiry_terms(settings), time.time())
        return await expiry.count() if dry_run else await expiry.remove()

    found = run_query(settings, work)
    counts = ", ".join(f"{found.get(kind, 0):,} {kind}" for kind in ("tables", "records", "guests"))
    click.echo(f"{counts} {'would be' if dry_run else 'were'} removed.")


@command.command("migrate")
@database_flag
def migrate(**flags: Any) -> None:  # noqa: ANN401 - the settings' own
    """Bring the database to the newest schema.

    `serve` does it by itself.
    """
    settings = read_settings(flags)
    from realmtable.server.storage import database  # noqa: PLC0415 - as above

    asyncio.run(database.migrate(settings.database_url))
    click.echo("The database has the newest schema.")


@command.command("check")
@database_flag
def check(**flags: Any) -> None:  # noqa: ANN401 - the settings' own
    """Replay every running table.

    Under the rules of today; each difference is told, and the exit code is 1 if there is one.
    """
    disable_compiling()
    seen, differing = run_query(read_settings(flags), _check_tables)
    click.echo(f"{seen} running tables replayed, {differing} differ.")
    if differing:
        raise click.exceptions.Exit(1)


async def _check_tables(database: Database) -> tuple[int, int]:
    """How many tables were replayed and how many differ; each difference is printed as it is found."""
    from realmtable.server import admin  # noqa: PLC0415 - as above

    seen = differing = 0
    async for table_id, differences in admin.check_replays(database):
        seen += 1
        differing += bool(differences)
        for text in differences:
            click.echo(f"{table_id}: {text}")
    return seen, differing


def read_settings(flags: Mapping[str, Any]) -> Settings:
    """The server's settings; MissingExtra if the server's packages are not installed."""
    require_extra("server")
    return Settings.read(flags=flags)


def run_query(settings: Settings, ask: Callable[[Database], Awaitable[ResultT]]) -> ResultT:
    """Ask the database something."""

    async def connect_and_ask() -> ResultT:
        async with _open_database(settings.database_url) as database:
            return await ask(database)

    return asyncio.run(connect_and_ask())


@asynccontextmanager
async def _open_database(url: str) -> AsyncIterator[Database]:
    from realmtable.server.storage.database import connect, sqlite_path  # noqa: PLC0415 - as above

    place = sqlite_path(url)
    if place is not None and not path_exists(place):
        raise BadInput(f"There is no database at {place}; say which with {label('database_url')}.")
    database = await connect(url)
    try:
        yield database
    finally:
        await database.close()
