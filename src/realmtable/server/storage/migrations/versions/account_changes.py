"""Numbered account changes, the look of names, and the opponents behind each rating."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from realmtable.server import display_names

revision = "account_changes"
down_revision = "solves"


def upgrade() -> None:
    """Add them, and fill in what can be known of the rows that are there."""
    op.create_table(
        "counters",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_counters")),
    )
    op.add_column("players", sa.Column("change_number", sa.Integer(), nullable=True))
    op.add_column("players", sa.Column("skeleton", sa.String(length=120), nullable=True))
    op.create_index(op.f("ix_players_change_number"), "players", ["change_number"], unique=False)
    op.create_table(
        "rated_opponents",
        sa.Column("player_id", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("opponent_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_rated_opponents_player_id")),
        sa.ForeignKeyConstraint(["opponent_id"], ["players.id"], name=op.f("fk_rated_opponents_opponent_id")),
        sa.PrimaryKeyConstraint("player_id", "game", "opponent_id", name=op.f("pk_rated_opponents")),
    )
    fill_skeletons()
    op.create_index(op.f("ix_players_skeleton"), "players", ["skeleton"], unique=True)
    op.execute(sa.text(FILL_OPPONENTS))


def fill_skeletons() -> None:
    """Give the skeleton of several look-alike names only to the oldest.

    The others stay valid, but no new name may resemble them.
    """
    players = sa.table(
        "players", *(sa.column(name) for name in ("id", "name", "name_key", "kind", "created_at", "skeleton"))
    )
    connection = op.get_bind()
    seen = {""}
    query = sa.select(players.c.id, players.c.name, players.c.kind).where(players.c.name_key.is_not(None))
    for player_id, name, kind in connection.execute(query.order_by(players.c.created_at, players.c.id)).all():
        skeleton = display_names.skeleton(name)
        if skeleton not in seen:
            seen.add(skeleton)
            kept = f"bot:{skeleton}" if kind == "bot" else skeleton
            connection.execute(sa.update(players).where(players.c.id == player_id).values(skeleton=kept))


FILL_OPPONENTS = """
INSERT INTO rated_opponents (player_id, game, opponent_id)
SELECT DISTINCT one.player_id, tables.game, other.player_id
FROM rated_tables
JOIN tables ON tables.id = rated_tables.table_id
JOIN seats AS one ON one.table_id = tables.id
JOIN seats AS other ON other.table_id = tables.id AND other.player_id <> one.player_id
"""
