"""Players' preferences, such as the theme of the board."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "preferences"
down_revision = "people"


def upgrade() -> None:
    """Add their column."""
    op.add_column("players", sa.Column("preferences", sa.String(length=400), nullable=True))
