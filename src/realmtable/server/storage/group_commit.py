"""Group commit: concurrent changes share one transaction, and one wait for the disk.

Changes that arrive while a transaction is being written form the next one. A change that is refused fails alone.
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

# Well below the parameter limits of both databases.
MAX_BATCH = 500


class GroupCommit:
    """Writes changes to one database, all waiting ones in one transaction."""

    def __init__(self, database: Database, on_commit: Callable[[int, float], None] | None = None) -> None:
        self._database = database
        self._on_commit = on_commit  # called with the number of changes and the seconds they took
        self._waiting: list[tuple[Change, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None  # runs while changes are waiting
        self._closed = False

    async def commit(self, change: Change) -> None:
        """Return once `change` is on disk, or raise why it was refused.

        After Unavailable the change may or may not be stored, since the reply to a COMMIT can be lost: reload.
        """
        if self._closed:
            raise Unavailable("The server is shutting down.")
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((change, done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_waiting())
        await done

    async def close(self) -> None:
        """Write the waiting changes, and refuse new ones."""
        self._closed = True
        if self._writer is not None:
            await self._writer

    async def _write_waiting(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
            # All processes lock tables in the same order, which prevents deadlocks.
            batch.sort(key=lambda waiting: waiting[0].table_id)
            started = time.perf_counter()
            try:
                refusals = await self._write([change for change, _ in batch])
            except asyncio.CancelledError:
                for _, done in (*batch, *self._waiting):
                    done.cancel()
                raise
            except Exception as error:  # noqa: BLE001  # passed on to the callers
                refusals = [error] * len(batch)
            if self._on_commit is not None:
                self._on_commit(len(batch), time.perf_counter() - started)
            for (_, done), refusal in zip(batch, refusals, strict=True):
                if done.done():  # the caller was cancelled
                    continue
                if refusal is None:
                    done.set_result(None)
                else:
                    done.set_exception(refusal)

    async def _write(self, changes: Sequence[Change]) -> list[Exception | None]:
        try:
            return await self._database.write(partial(write_batch, changes=changes))
        except IntegrityError:
            return await self._database.write(partial(write_one_by_one, changes=changes))
