"""The history of ratings, muted players and reports of chat messages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "people"
down_revision = "expiry"

CHUNK = 500


def upgrade() -> None:
    """Make the tables, and fill the history of ratings from the rated tables."""
    op.create_table(
        "rating_history",
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("plus_minus", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_rating_history_player_id")),
        sa.PrimaryKeyConstraint("player_id", "game", "number", name=op.f("pk_rating_history")),
    )
    op.create_table(
        "mutes",
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("muted_id", sa.String(length=32), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_mutes_player_id")),
        sa.ForeignKeyConstraint(["muted_id"], ["players.id"], name=op.f("fk_mutes_muted_id")),
        sa.PrimaryKeyConstraint("player_id", "muted_id", name=op.f("pk_mutes")),
    )
    op.create_index(op.f("ix_mutes_muted_id"), "mutes", ["muted_id"], unique=False)
    op.create_table(
        "chat_reports",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("reporter_id", sa.String(length=32), nullable=False),
        sa.Column("reporter_name", sa.String(length=40), nullable=False),
        sa.Column("reported_id", sa.String(length=32), nullable=False),
        sa.Column("reported_name", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("resolved_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_reports")),
        sa.UniqueConstraint(
            "table_id", "version", "reporter_id", name=op.f("uq_chat_reports_table_id_version_reporter_id")
        ),
    )
    op.create_index(op.f("ix_chat_reports_at"), "chat_reports", ["at"], unique=False)
    fill_history()


def fill_history() -> None:
    """Write a row of the history for every change that a rated table has stored."""
    rated = sa.table("rated_tables", sa.column("table_id"), sa.column("at"), sa.column("changes", sa.JSON()))
    tables = sa.table("tables", sa.column("id"), sa.column("game"))
    history = sa.table(
        "rating_history",
        *(sa.column(name) for name in ("player_id", "game", "number", "value", "plus_minus", "at")),
    )
    connection = op.get_bind()
    query = sa.select(tables.c.game, rated.c.at, rated.c.changes).where(tables.c.id == rated.c.table_id)
    for chunk in connection.execute(query).partitions(CHUNK):
        rows = [
            {
                "player_id": player_id,
                "game": game,
                "number": change["after"]["games"],
                "value": change["after"]["value"],
                "plus_minus": change["after"]["plus_minus"],
                "at": at,
            }
            for game, at, changes in chunk
            for player_id, change in changes.items()
        ]
        if rows:
            connection.execute(sa.insert(history), rows)
