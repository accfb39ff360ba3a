"""Schema migrations. `prepare` creates the latest schema in an empty database, and upgrades an older one to it.

To add a revision, change `schema.py`, add a file under `versions/` and set `HEAD` to it. The contract tests check on
both databases that the revisions lead to the schema.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, inspect, select, text

from realmtable.kit.wording import end_sentence
from realmtable.server.errors import Unavailable
from realmtable.server.storage import schema

HEAD = "fair_play"

# The same table that Alembic creates, so that Alembic need not be imported for a new database.
revisions = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def prepare(connection: Connection) -> None:
    """Create or upgrade the schema of the database, within the caller's transaction.

    Raises Unavailable if a newer version of this program has already upgraded it.
    """
    names = set(inspect(connection).get_table_names())
    if not names & ({*schema.metadata.tables} | {revisions.name}):
        create(connection)
    elif revision(connection, names) != HEAD:
        upgrade(connection)


def revision(connection: Connection, names: set[str]) -> str | None:
    """Return the revision of a database with these tables; None if it has none yet."""
    if revisions.name not in names:
        return None
    return connection.execute(select(revisions.c.version_num)).scalar()


def create(connection: Connection) -> None:
    """Create the latest schema in an empty database, without running every revision."""
    schema.metadata.create_all(connection, checkfirst=False)
    revisions.create(connection)
    connection.execute(revisions.insert(), {"version_num": HEAD})


def upgrade(connection: Connection, target: str = "head") -> None:
    """Run the revisions that the database lacks, up to `target`."""
    # Slow to import, and needed only for old databases.
    from alembic import command  # noqa: PLC0415 - slow to import
    from alembic.config import Config  # noqa: PLC0415 - slow to import
    from alembic.util import CommandError  # noqa: PLC0415 - slow to import

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, target)
    except CommandError as error:
        reason = end_sentence(str(error))
        raise Unavailable(f"The database was upgraded by a newer version of this program: {reason}") from error
    if has_dangling_rows(connection):
        raise Unavailable("The database could not be upgraded: a row refers to one that is missing.")


def has_dangling_rows(connection: Connection) -> bool:
    """Whether a row refers to a missing one. PostgreSQL always checks this, SQLite not while it rebuilds tables."""
    sqlite = connection.dialect.name == "sqlite"
    return sqlite and connection.execute(text("PRAGMA foreign_key_check")).first() is not None
