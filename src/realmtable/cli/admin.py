"""`realmtable admin`: manage a server, with the same settings as `realmtable serve`."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from realmtable.cli.command_helpers import disable_compiling, path_exists
from realmtable.cli.serve import setting_flags
from realmtable.engine.errors import BadInput
from realmtable.engine.extras import require_extra
from realmtable.kit.wording import format_count
from realmtable.server.settings import Settings, label

if TYPE_CHECKING:
    from realmtable.server.storage.database import Database
    from realmtable.server.storage.moderation import ChatReport

ResultT = TypeVar("ResultT")
database_flag = setting_flags("database_url")


HELP = """Manage a server: sign-in links, reports, backups, migrations, checks.

\b
For example
  realmtable admin sign-in-link Ada
  realmtable admin backup evening.backup
  realmtable admin check

All commands except `restore` work while people play. The settings are those of `realmtable serve`: the same environment
variables, or the flags of each command.
"""


@click.group("admin", help=HELP)
def command() -> None:
    """Run a subcommand."""


@command.command("sign-in-link")
@click.argument("name")
@click.option(
    "--minutes", type=click.IntRange(1, 10080), default=15, show_default=True, help="How long the link is valid."
)
@setting_flags("database_url", "public_url")
def sign_in_link(name: str, minutes: int, **flags: object) -> None:
    """Print a link that signs NAME in once.

    Use it when someone has lost their password: with this link, they can choose a new one without the old one. NAME may
    be a player id.
    """
    settings = read_settings(flags)
    from realmtable.server.accounts.accounts import Accounts  # noqa: PLC0415 - keeps --help fast

    token = run_query(settings, lambda database: Accounts(database).make_link(name, minutes, resets_password=True))
    click.echo(f"{settings.public_url}/sign-in/{token}")


@command.command("players")
@click.option("--guests", is_flag=True, help="Include guests.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Maximum number, newest first."
)
@database_flag
def players(*, guests: bool, limit: int, **flags: object) -> None:
    """List the players.

    Each line shows id, kind, date of registration, tables, open sessions and name.
    """
    settings = read_settings(flags)
    from realmtable.server import admin  # noqa: PLC0415 - as above

    for person in run_query(settings, lambda database: admin.list_people(database, guests=guests, limit=limit)):
        day = datetime.fromtimestamp(person.created_at, UTC).date()
        counts = f"{person.tables:5} tables  {person.sessions:3} sessions"
        click.echo(f"{person.id}  {person.kind:6}  {day}  {counts}  {person.name}")


@command.command("sign-out")
@click.argument("name")
@click.option("--tokens", is_flag=True, help="Also revoke their personal tokens.")
@database_flag
def sign_out(name: str, *, tokens: bool, **flags: object) -> None:
    """End every session of NAME.

    NAME may be a player id. Running servers notice within two seconds and close open streams.
    """
    settings = read_settings(flags)
    from realmtable.server import admin  # noqa: PLC0415 - as above

    player_name, sessions, revoked = run_query(settings, lambda database: admin.sign_out(database, name, tokens=tokens))
    ended = f"{format_count(sessions, 'session')} ended"
    click.echo(f"{player_name}: {ended}, {format_count(revoked, 'token')} revoked.")


@command.group("reports", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--all", "everything", is_flag=True, help="Include resolved reports.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Maximum number, newest first."
)
@database_flag
@click.pass_context
def reports(context: click.Context, /, *, as_json: bool, everything: bool, limit: int, **flags: object) -> None:
    """List the chat messages that players have reported.

    Each report shows its id, the reporting and the reported player, the table, and the messages up to the reported one.
    `reports resolve ID` marks a report as resolved.
    """
    if context.invoked_subcommand is not None:
        return
    settings = read_settings(flags)
    from realmtable.server.storage.moderation import ReportStore  # noqa: PLC0415 - as above

    found = run_query(settings, lambda database: ReportStore(database).list_reports(limit, resolved=everything))
    if as_json:
        click.echo(json.dumps([asdict(report) for report in found], ensure_ascii=False, indent=2))
    elif not found:
        click.echo("There are no reports.")
    else:
        click.echo("\n\n".join(map(_format_report, found)))


def _format_report(report: ChatReport) -> str:
    state = "" if report.resolved_at is None else f" (resolved {_format_time(report.resolved_at)})"
    people = f"{report.reporter_name} ({report.reporter_id}) reported {report.reported_name} ({report.reported_id})"
    head = f"{report.id}  {_format_time(report.at)}  {people} at /tables/{report.table_id} ({report.game}){state}"
    return "\n".join(
        [head, *(f"  {_format_time(line['at'])}  {line['name']}: {line['text']}" for line in report.lines)]
    )


def _format_time(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")


@reports.command("resolve")
@click.argument("report_id", metavar="ID")
@database_flag
def resolve_report(report_id: str, **flags: object) -> None:
    """Mark the report with this ID as resolved."""
    settings = read_settings(flags)
    from realmtable.server.storage.moderation import ReportStore  # noqa: PLC0415 - as above

    if not run_query(settings, lambda database: ReportStore(database).resolve(report_id, time.time())):
        raise BadInput(f"There is no unresolved report {report_id}; see `realmtable admin reports`.")
    click.echo(f"Report {report_id} is resolved.")


@command.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@database_flag
def backup(file: Path, **flags: object) -> None:
    """Write a backup of the whole database to FILE.

    The backup is a consistent snapshot and can be restored to SQLite or PostgreSQL.
    """
    settings = read_settings(flags)
    if path_exists(file):
        raise BadInput(f"{file} already exists; choose another name.")
    from realmtable.server.storage import backup as backups  # noqa: PLC0415 - as above

    rows = asyncio.run(backups.backup(settings.database_url, file))
    click.echo(f"Backed up to {file}: {_format_counts(rows)}.")


@command.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Delete the current content of the database; stop the server first.")
@database_flag
def restore(file: Path, *, replace: bool, **flags: object) -> None:
    """Restore a backup into an empty database.

    The backup is restored completely or not at all.
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
@click.option("--dry-run", is_flag=True, help="Only print what would be removed.")
@setting_flags("database_url", "abandoned_days", "guest_days", "session_days")
def expire(*, dry_run: bool, **flags: object) -> None:
    """Remove old data of guests.

    This removes games and records of guests after the number of days in the settings, and guests who did not come back.
    It never removes anything that belongs to a named account. A running server does this once a day.
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
def migrate(**flags: object) -> None:
    """Migrate the database to the latest schema.

    `serve` does this when it starts.
    """
    settings = read_settings(flags)
    from realmtable.server.storage import database  # noqa: PLC0415 - as above

    asyncio.run(database.migrate(settings.database_url))
    click.echo("The database has the latest schema.")


@command.command("check")
@database_flag
def check(**flags: object) -> None:
    """Replay every running table under the current rules.

    Prints each difference and exits with 1 if there are any.
    """
    disable_compiling()
    seen, differing = run_query(read_settings(flags), _check_tables)
    click.echo(f"{seen} running tables replayed, {differing} differ.")
    if differing:
        raise click.exceptions.Exit(1)


async def _check_tables(database: Database) -> tuple[int, int]:
    """Replay all tables, print each difference, and return the number of tables and of those that differ."""
    from realmtable.server import admin  # noqa: PLC0415 - as above

    seen = differing = 0
    async for table_id, differences in admin.check_replays(database):
        seen += 1
        differing += bool(differences)
        for text in differences:
            click.echo(f"{table_id}: {text}")
    return seen, differing


def read_settings(flags: Mapping[str, Any]) -> Settings:
    """Return the server's settings; raise `MissingExtra` if the server's packages are not installed."""
    require_extra("server")
    return Settings.read(flags=flags)


def run_query(settings: Settings, ask: Callable[[Database], Awaitable[ResultT]]) -> ResultT:
    """Connect to the database and run a query."""

    async def connect_and_ask() -> ResultT:
        async with _open_database(settings.database_url) as database:
            return await ask(database)

    return asyncio.run(connect_and_ask())


@asynccontextmanager
async def _open_database(url: str) -> AsyncIterator[Database]:
    from realmtable.server.storage.database import connect, sqlite_path  # noqa: PLC0415 - as above

    place = sqlite_path(url)
    if place is not None and not path_exists(place):
        raise BadInput(f"There is no database at {place}; set it with {label('database_url')}.")
    database = await connect(url)
    try:
        yield database
    finally:
        await database.close()
