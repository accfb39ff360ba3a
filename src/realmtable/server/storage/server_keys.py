"""Keys that the server creates for itself, shared by all its processes and contained in backups."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sqlalchemy import Connection, select

from realmtable.server.storage import schema
from realmtable.server.storage.database import Database


async def load_key(database: Database, name: str, create: Callable[[], str]) -> str:
    """Return the key with this name, created on first use; of several processes, all use the first one's."""
    columns = schema.server_keys.c
    query = select(columns.value).where(columns.name == name)
    if rows := await database.rows(query):
        return str(rows[0].value)
    statement = database.insert_new(schema.server_keys, {"name": name, "value": await asyncio.to_thread(create)})

    def write(connection: Connection) -> str:
        connection.execute(statement)
        return str(connection.execute(query).scalar_one())

    return await database.write(write)
