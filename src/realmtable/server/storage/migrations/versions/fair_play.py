"""Links and sessions that reset a password, and the look of names without their accents."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from realmtable.server.storage.migrations.versions.account_changes import fill_skeletons

revision = "fair_play"
down_revision = "current_seats"


def upgrade() -> None:
    """Add the columns, and compare the names anew."""
    for table in ("sessions", "sign_in_links"):
        op.add_column(table, sa.Column("resets_password", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(sa.text("UPDATE players SET skeleton = NULL"))
    fill_skeletons()
