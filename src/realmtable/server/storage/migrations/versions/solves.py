"""Solved puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "solves"
down_revision = "analyses"


def upgrade() -> None:
    """Create the table of solved puzzles."""
    op.create_table(
        "solves",
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("puzzle", sa.String(length=16), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_solves_player_id")),
        sa.PrimaryKeyConstraint("player_id", "puzzle", "day", name=op.f("pk_solves")),
    )
