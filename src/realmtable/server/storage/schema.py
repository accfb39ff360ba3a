"""The database schema for SQLAlchemy. Alembic's migrations create it; a test compares the two.

Times are seconds since 1970 as floats, so that both databases store them alike. Secrets that people send are stored
only as hashes; `server_keys` and `push_subscriptions` hold what the server itself needs to send notifications.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

players = Table(
    "players",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("name_key", String(80), unique=True),  # casefolded, for members and bots; guests may share names
    Column("kind", String(8), nullable=False),  # "guest", "member" or "bot"
    Column("password_hash", String(200)),
    Column("created_at", Double, nullable=False),
    Column("change_number", Integer, index=True),  # of the latest change, from `counters`; other processes poll it
    Column("skeleton", String(120)),  # equal for names that look alike; for members and bots
    Column("preferences", String(400)),  # as JSON; null means the defaults
    Index(None, "skeleton", unique=True),
    Index(None, "kind", "created_at"),
)

counters = Table(
    "counters",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Integer, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    # Whether it can set a password without the old one: it comes from an administrator's link.
    Column("resets_password", Boolean, nullable=False, server_default=false()),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("label", String(60), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("created_at", Double, nullable=False),
    Column("used_at", Double),
    Column("revoked_at", Double),
)

sign_in_links = Table(
    "sign_in_links",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("used_at", Double),
    Column("resets_password", Boolean, nullable=False, server_default=false()),  # handed on to the session
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("setup", JSON, nullable=False),  # realmtable.server.tables.setup.Setup
    Column("seed", String(200), nullable=False),
    Column("created_by", ForeignKey("players.id"), nullable=False, index=True),
    Column("created_at", Double, nullable=False),
    # The summary: what lists and sweeps query, updated with every event.
    Column("status", String(8), nullable=False),  # "open", "running", "over" or "halted"
    Column("version", Integer, nullable=False),
    Column("acting", JSON, nullable=False),  # the seats to move
    Column("bot_due", Boolean, nullable=False),  # whether one of them is a bot
    Column("deadline", Double),  # when the first clock runs out
    Column("turn", Integer, nullable=False),
    Column("result", JSON(none_as_null=True)),  # realmtable.server.tables.table.Result
    Column("listed", Boolean, nullable=False),  # whether the lobby shows it
    Column("updated_at", Double, nullable=False),
    Index(None, "status", "updated_at"),
    Index(None, "deadline"),
    Index(None, "bot_due", "updated_at"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player_id", ForeignKey("players.id")),
    Column("bot", String(40)),  # the bot's name, if it is one
    Column("is_over", Boolean, nullable=False, server_default=false()),  # whether the table's status is "over"
    Index(None, "player_id", "is_over"),
)

uptimes = Table(
    "uptimes",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),  # 1, 2, …
    Column("began", Double, nullable=False),  # when a server started, or was available again
    Column("ended", Double, nullable=False),  # the last moment at which one is known to have been running
)

events = Table(
    "events",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),  # 1, 2, … without gaps: the second of two writers fails here
    Column("kind", String(16), nullable=False),
    Column("seat", Integer),
    Column("player_id", ForeignKey("players.id"), index=True),
    Column("data", JSON, nullable=False),
    Column("at", Double, nullable=False),
    Column("key", String(64)),  # chosen by the sender: a repeated request gets the first answer
    UniqueConstraint("table_id", "player_id", "key"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("data", JSON, nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("updated_at", Double, nullable=False),
    Index(None, "game", "mu"),
)

rated_tables = Table(
    "rated_tables",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),  # so that no table counts twice
    Column("at", Double, nullable=False),
    Column("changes", JSON, nullable=False),
)

rated_opponents = Table(
    "rated_opponents",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("opponent_id", ForeignKey("players.id"), primary_key=True),
)

rated_pairs = Table(
    "rated_pairs",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),  # the smaller of the two ids
    Column("opponent_id", ForeignKey("players.id"), primary_key=True),
    Column("day", Integer, nullable=False),  # since 1970, of their latest games that count
    Column("games", Integer, nullable=False),  # on that day
)

rating_history = Table(
    "rating_history",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("number", Integer, primary_key=True),  # of the rated game: 1, 2, …
    Column("value", Integer, nullable=False),  # after the game, as shown
    Column("plus_minus", Integer, nullable=False),
    Column("at", Double, nullable=False),
)

records = Table(
    "records",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("created_by", ForeignKey("players.id"), nullable=False),
    Column("created_at", Double, nullable=False),
    Column("size", Integer),  # of the text in bytes, for quotas
    Index(None, "created_by", "size"),
)

analyses = Table(
    "analyses",
    metadata,
    Column("source", String(48), primary_key=True),  # "table:ID" or "record:ID"
    Column("engine", Integer, primary_key=True),  # version: a better engine makes a new analysis
    Column("game", String(40), nullable=False),
    Column("status", String(8), nullable=False),  # "waiting", "running", "done" or "failed"
    Column("asked_by", ForeignKey("players.id"), nullable=False, index=True),
    Column("asked_at", Double, nullable=False),
    Column("beat_at", Double, nullable=False),  # latest heartbeat of the process that works on it
    Column("done", Integer, nullable=False),  # turns analysed
    Column("total", Integer, nullable=False),
    Column("data", JSON(none_as_null=True)),  # realmtable.analysis.game_analysis.Analysis
    Column("message", String(300), nullable=False),  # why it failed
    Index(None, "status", "asked_at"),
)

solves = Table(
    "solves",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("puzzle", String(16), primary_key=True),
    Column("day", Integer, primary_key=True),  # since 1970 if it was that day's puzzle, else 0
    Column("game", String(40), nullable=False),
    Column("at", Double, nullable=False),
)

mutes = Table(
    "mutes",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("muted_id", ForeignKey("players.id"), primary_key=True, index=True),
    Column("at", Double, nullable=False),
)

# A report outlives the table and the guests it names, so it has names and no foreign keys.
chat_reports = Table(
    "chat_reports",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("table_id", String(32), nullable=False),
    Column("version", Integer, nullable=False),  # of the reported message
    Column("game", String(40), nullable=False),
    Column("reporter_id", String(32), nullable=False),
    Column("reporter_name", String(40), nullable=False),
    Column("reported_id", String(32), nullable=False),
    Column("reported_name", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("lines", JSON, nullable=False),  # the messages before it and the message: name, player, text, at
    Column("at", Double, nullable=False),
    Column("resolved_at", Double),
    UniqueConstraint("table_id", "version", "reporter_id"),
    Index(None, "at"),
)

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("endpoint_hash", String(64), primary_key=True),  # so that a device is never notified twice
    # Whatever ends a session ends its notifications.
    Column("session_hash", ForeignKey("sessions.token_hash", ondelete="CASCADE"), nullable=False, index=True),
    Column("endpoint", String(1000), nullable=False),  # address at the push service of the browser
    Column("p256dh", String(100), nullable=False),  # the browser's public key
    Column("auth", String(40), nullable=False),
    Column("seen_at", Double, nullable=False),  # when the browser last confirmed it
)

server_keys = Table(
    "server_keys",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
