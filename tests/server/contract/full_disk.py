"""Run by test_storage_failures on a tiny file system: fill it, get refused, free space, and continue."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from realmtable.server.errors import Unavailable
from realmtable.server.storage.database import connect
from realmtable.server.storage.table_store import TableStore
from tests.server.contract.helpers import add_players, append, open_table

PIECE = b"x" * 4096


async def main(folder: Path) -> None:
    """Fail unless storage keeps what it acknowledged on a full disk, and continues once there is space."""
    database = await connect(f"sqlite:///{folder}/table.db")
    await add_players(database)
    store = TableStore(database)
    await open_table(store, "t")
    fill(folder / "ballast")
    stored = 1
    try:
        while True:
            await append(store, "t", stored + 1, data={"text": "y" * 20_000})
            stored += 1
    except Unavailable as refusal:
        sys.stderr.write(f"{refusal}\n")
    try:
        await store.ping()
    except Unavailable as refusal:
        sys.stderr.write(f"{refusal}\n")
    check(
        [event.version for event in await store.events("t")] == list(range(1, stored + 1)),
        "the log has exactly the acknowledged events",
    )
    (folder / "ballast").unlink()
    await append(store, "t", stored + 1)
    await store.ping()
    check(len(await store.events("t")) == stored + 1, "the log continues after space was freed")
    await store.close()
    await database.close()


def fill(path: Path) -> None:
    """Fill the disk, except for the space that the database already has."""
    with suppress(OSError), path.open("wb", buffering=0) as ballast:
        while ballast.write(PIECE):
            pass


def check(holds: bool, what: str) -> None:
    """Exit with an error unless a condition holds, even if Python runs without assertions."""
    if not holds:
        raise SystemExit(f"failed: {what}")


asyncio.run(main(Path(sys.argv[1])))
