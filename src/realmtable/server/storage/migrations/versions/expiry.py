"""Sizes of records for quotas, and indexes by player for quotas and expiry."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "expiry"
down_revision = "account_changes"


def upgrade() -> None:
    """Add the indexes, and the size of every record."""
    op.add_column("records", sa.Column("size", sa.Integer(), nullable=True))
    in_bytes = "octet_length(text)" if op.get_bind().dialect.name == "postgresql" else "length(CAST(text AS BLOB))"
    op.execute(f"UPDATE records SET size = {in_bytes}")  # noqa: S608 - one of two texts of ours
    op.create_index(op.f("ix_records_created_by_size"), "records", ["created_by", "size"], unique=False)
    op.create_index(op.f("ix_tables_created_by"), "tables", ["created_by"], unique=False)
    op.create_index(op.f("ix_events_player_id"), "events", ["player_id"], unique=False)
    op.create_index(op.f("ix_analyses_asked_by"), "analyses", ["asked_by"], unique=False)
    op.create_index(op.f("ix_sign_in_links_player_id"), "sign_in_links", ["player_id"], unique=False)
    op.create_index(op.f("ix_players_kind_created_at"), "players", ["kind", "created_at"], unique=False)
