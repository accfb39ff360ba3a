"""When a server was running, rated games a day, links that reset a password, and names without their accents."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from realmtable.server.storage.migrations.versions.account_changes import fill_skeletons

revision = "fair_play"
down_revision = "current_seats"


def upgrade() -> None:
    """Add the tables and the columns, and compare the names anew."""
    op.create_table(
        "uptimes",
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("began", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_uptimes")),
    )
    # The latest moment that is known, so that the time of the upgrade is charged to nobody.
    latest = "SELECT 1, MAX(updated_at), MAX(updated_at) FROM tables HAVING COUNT(*) > 0"
    op.execute(sa.text(f"INSERT INTO uptimes (number, began, ended) {latest}"))
    op.create_table(
        "rated_pairs",
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("opponent_id", sa.String(length=32), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_rated_pairs_player_id")),
        sa.ForeignKeyConstraint(["opponent_id"], ["players.id"], name=op.f("fk_rated_pairs_opponent_id")),
        sa.PrimaryKeyConstraint("player_id", "opponent_id", name=op.f("pk_rated_pairs")),
    )
    for table in ("sessions", "sign_in_links"):
        op.add_column(table, sa.Column("resets_password", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(sa.text("UPDATE players SET skeleton = NULL"))
    fill_skeletons()
