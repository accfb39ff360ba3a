"""Games a day of two players, links and sessions that reset a password, and the look of names without their accents."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from realmtable.server.storage.migrations.versions.account_changes import fill_skeletons

revision = "fair_play"
down_revision = "current_seats"


def upgrade() -> None:
    """Add the table and the columns, and compare the names anew."""
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
