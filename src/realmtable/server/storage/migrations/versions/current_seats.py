"""Seats at games that are not over, found by index for the number of games that wait for a player."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "current_seats"
down_revision = "notifications"


def upgrade() -> None:
    """Add the column and its index, which replaces that of the players."""
    op.add_column("seats", sa.Column("is_over", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute("UPDATE seats SET is_over = true WHERE table_id IN (SELECT id FROM tables WHERE status = 'over')")
    op.create_index(op.f("ix_seats_player_id_is_over"), "seats", ["player_id", "is_over"], unique=False)
    op.drop_index(op.f("ix_seats_player_id"), table_name="seats")
