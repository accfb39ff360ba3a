"""Run by Alembic for each upgrade: on the connection, and inside the transaction, that `upgrade` was given."""

from __future__ import annotations

from alembic import context

from realmtable.server.storage import schema

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=schema.metadata,
    transactional_ddl=True,
    render_as_batch=True,  # SQLite changes a column by rebuilding its table
)
with context.begin_transaction():
    context.run_migrations()
