"""Notifications: the browsers that asked for them, and the keys that sign them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "notifications"
down_revision = "preferences"


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "push_subscriptions",
        sa.Column("endpoint_hash", sa.String(length=64), nullable=False),
        sa.Column("session_hash", sa.String(length=64), nullable=False),
        sa.Column("endpoint", sa.String(length=1000), nullable=False),
        sa.Column("p256dh", sa.String(length=100), nullable=False),
        sa.Column("auth", sa.String(length=40), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_hash"],
            ["sessions.token_hash"],
            name=op.f("fk_push_subscriptions_session_hash"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("endpoint_hash", name=op.f("pk_push_subscriptions")),
    )
    op.create_index(op.f("ix_push_subscriptions_session_hash"), "push_subscriptions", ["session_hash"], unique=False)
    op.create_table(
        "server_keys",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_server_keys")),
    )
