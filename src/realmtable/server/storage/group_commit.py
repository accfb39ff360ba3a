"""Group commit: changes made at the same time share one transaction, and one wait for the disk.

Changes that arrive while a transaction is being written form the next one. A change that cannot be made fails alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial

from sqlalchemy.exc import IntegrityError

from realmtable.server.errors import Unavailable
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_changes import Change, write_batch, write_one_by_one

# Far below what either database takes as parameters of one statement.
MAX_BATCH = 500


class GroupCommit:
    """Makes changes to one database, as many as are waiting in one transaction."""

    def __init__(self, database: Database, told: Callable[[int, float], None] | None = None) -> None:
        self._database = database
        self._on_commit = told  # how many changes a transaction made, and in how many seconds
        self._waiting: list[tuple[Change, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None  # lives as long as somebody waits
        self._closed = False

    async def commit(self, change: Change) -> None:
        """Return once `change` is on the disk; raises what speaks against it.

        After Unavailable the change may have been made or not, as when the answer to a COMMIT is lost: look again.
        """
        if self._closed:
            raise Unavailable("The server is shutting down.")
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((change, done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_waiting())
        await done

    async def close(self) -> None:
        """Finish what is waiting; refuse what comes later."""
        self._closed = True
        if self._writer is not None:
            await self._writer

    async def _write_waiting(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
            # One order of tables in every process: two of them may wait for each other's rows, but never in a circle.
            batch.sort(key=lambda waiting: waiting[0].table_id)
            begun = time.perf_counter()
            try:
                refusals = await self._write([change for change, _ in batch])
            except asyncio.CancelledError:
                for _, done in (*batch, *self._waiting):
                    done.cancel()
                raise
            except Exception as error:  # noqa: BLE001  # whatever it is, it belongs to those who wait
                refusals = [error] * len(batch)
            if self._on_commit is not None:
                self._on_commit(len(batch), time.perf_counter() - begun)
            for (_, done), refusal in zip(batch, refusals, strict=True):
                _resolve(done, refusal)

    async def _write(self, changes: Sequence[Change]) -> list[Exception | None]:
        try:
            return await self._database.write(partial(write_batch, changes=changes))
        except IntegrityError:
            return await self._database.write(partial(write_one_by_one, changes=changes))


def _resolve(done: asyncio.Future[None], refusal: Exception | None) -> None:
    if done.done():  # the asker has gone
        return
    if refusal is None:
        done.set_result(None)
    else:
        done.set_exception(refusal)
