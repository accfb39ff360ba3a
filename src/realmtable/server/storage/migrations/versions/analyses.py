"""Analyses of finished games, waiting and done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "analyses"
down_revision = "0001"


def upgrade() -> None:
    """Create the table of analyses."""
    op.create_table(
        "analyses",
        sa.Column("source", sa.String(length=48), nullable=False),
        sa.Column("engine", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("asked_by", sa.String(length=32), nullable=False),
        sa.Column("asked_at", sa.Double(), nullable=False),
        sa.Column("beat_at", sa.Double(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("message", sa.String(length=300), nullable=False),
        sa.ForeignKeyConstraint(["asked_by"], ["players.id"], name=op.f("fk_analyses_asked_by")),
        sa.PrimaryKeyConstraint("source", "engine", name=op.f("pk_analyses")),
    )
    op.create_index(op.f("ix_analyses_status_asked_at"), "analyses", ["status", "asked_at"], unique=False)
