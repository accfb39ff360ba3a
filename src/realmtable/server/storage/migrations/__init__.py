"""The schema's history. `prepare` makes a fresh database at once and takes an older one through the revisions.

A new revision: change `schema.py`, add a file under `versions/`, and set `HEAD` to it; the contract tests compare all
three on both databases.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, inspect, select, text

from realmtable.server.errors import Unavailable
from realmtable.server.storage import schema

HEAD = "notifications"

# As Alembic makes it, so that a fresh database needs none of its machinery.
revisions = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def prepare(connection: Connection) -> None:
    """Bring the database to the newest schema, within the caller's transaction.

    Raises Unavailable if a newer program has changed the schema since.
    """
    names = set(inspect(connection).get_table_names())
    if not names & ({*schema.metadata.tables} | {revisions.name}):
        create(connection)
    elif revision(connection, names) != HEAD:
        upgrade(connection)


def revision(connection: Connection, names: set[str]) -> str | None:
    """The revision this database is at, given the names of its tables; None before the first."""
    if revisions.name not in names:
        return None
    return connection.execute(select(revisions.c.version_num)).scalar()


def create(connection: Connection) -> None:
    """The newest schema in an empty database; the revisions, run one after the other, lead to the same."""
    schema.metadata.create_all(connection, checkfirst=False)
    revisions.create(connection)
    connection.execute(revisions.insert(), {"version_num": HEAD})


def upgrade(connection: Connection, target: str = "head") -> None:
    """Run the revisions this database has not seen, up to `target`."""
    # Needed by old databases only, and slow to import.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, target)
    except CommandError as error:
        raise Unavailable(f"The database is of a newer version than this program: {error}.") from error
    if dangling(connection):
        raise Unavailable("The database could not be brought to the newest schema: a row would point to nothing.")


def dangling(connection: Connection) -> bool:
    """Whether a row points to nothing: SQLite does not look while tables are rebuilt, PostgreSQL always does."""
    sqlite = connection.dialect.name == "sqlite"
    return sqlite and connection.execute(text("PRAGMA foreign_key_check")).first() is not None
