"""Runs tasks on a cluster of Dask workers; Dask runs the tasks of a lost worker again on another.

Import this module only after `require_extra("lab")`.
"""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from math import inf
from time import monotonic
from typing import Any, Final

from distributed import Client, KilledWorker, as_completed

from realmtable.engine.errors import BadInput, RealmtableError
from realmtable.lab.jobs.code_version import SHOWN, fingerprint_code
from realmtable.lab.jobs.job_runner import ResultT, TaskT, WorkersLost

CONNECT_S: Final = 10
AHEAD_ON_CLUSTER: Final = 8  # tasks scheduled per thread: enough to hide the round trips of short ones
COUNT_EVERY_S: Final = 1.0  # how often workers are counted
WORKERS_S: Final = 120  # how long to wait for the first worker: a queue may start it late


class WorkersDiffer(RealmtableError):
    """A worker has another version of Realmtable."""


class DaskRunner:
    """Runs tasks on a cluster.

    A result counts once, by the key of its task, however often a lost worker makes Dask run the task again.
    """

    def __init__(self, cluster: str | Any, *, wait_s: float = WORKERS_S) -> None:  # noqa: ANN401 - any cluster of Dask
        """Connect to a scheduler's address, such as ``tcp://host:8786``, or to a cluster object of Dask."""
        try:
            make_client: Any = Client  # the library's types are incomplete
            self.client = make_client(cluster, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError) as error:
            raise BadInput(f"No Dask scheduler answers at {cluster}: {_first_line(error)}.") from None
        self.name = self.client.scheduler.address
        self._threads, self._counted_at = 0, -inf
        try:
            self._check_workers(wait_s)
        except BaseException:
            self.close()
            raise

    def run(
        self, function: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]
    ) -> Generator[tuple[TaskT, ResultT], None, None]:
        checked = partial(call_checked, fingerprint_code(), function)
        waiting, run_id, numbers = iter(tasks), uuid.uuid4().hex, itertools.count()
        running: dict[str, tuple[Any, TaskT]] = {}
        watch: Any = as_completed
        finished = watch(loop=self.client.loop, with_results=True, raise_errors=False)

        def submit_some() -> None:
            room = max(1, self._count_threads()) * AHEAD_ON_CLUSTER - len(running)
            for task in islice(waiting, max(0, room)):
                key = f"realmtable-{run_id}-{next(numbers)}"
                future = self.client.submit(checked, task, key=key, pure=False)
                running[key] = future, task
                finished.add(future)

        submit_some()
        try:
            while running:
                for future, result in finished.next_batch():
                    _, task = running.pop(future.key)
                    self._check_success(future, task)
                    yield task, result
                submit_some()
        finally:
            self.client.cancel([future for future, _ in running.values()], force=True)

    def close(self) -> None:
        with suppress(OSError):
            self.client.close(timeout=CONNECT_S)

    def _check_success(self, future: Any, task: object) -> None:  # noqa: ANN401 - Dask's future
        """Raise what a task has raised, or why it did not finish."""
        if future.cancelled():
            raise WorkersLost(f"The scheduler at {self.name} has stopped or forgotten the tasks.")
        if future.status == "error":
            error = future.exception()
            if isinstance(error, KilledWorker):
                raise WorkersLost(f"The workers that were given {str(task)[:200]} died again and again.") from None
            raise error

    def _check_workers(self, wait_s: float) -> None:
        """Wait for the first worker, and refuse workers with another version."""
        try:
            self.client.wait_for_workers(1, timeout=wait_s)
        except TimeoutError:
            raise WorkersLost(
                f"No worker has joined the cluster at {self.name} within {wait_s:g} seconds; start one with "
                f"`dask worker {self.name} --nthreads 1`."
            ) from None
        try:
            self.client.run(check_fingerprint, fingerprint_code())
        except ImportError as error:
            raise WorkersDiffer(f"A worker at {self.name} cannot load Realmtable: {_first_line(error)}.") from None

    def _count_threads(self) -> int:
        """Return the number of tasks that can run at once; workers come and go, but asking takes a round trip."""
        if monotonic() - self._counted_at > COUNT_EVERY_S:
            self._threads, self._counted_at = sum(self.client.nthreads().values()), monotonic()
        return self._threads


def call_checked(expected: str, function: Callable[[TaskT], ResultT], task: TaskT) -> ResultT:
    """Check the worker's code, then call a function: a worker that joined late may have another version."""
    check_fingerprint(expected)
    return function(task)


def check_fingerprint(expected: str) -> None:
    """Raise `WorkersDiffer` if this worker's code is not the expected one."""
    if fingerprint_code() != expected:
        raise WorkersDiffer(
            f"A worker has other code ({fingerprint_code()[:SHOWN]}) than this program ({expected[:SHOWN]}); "
            "install the same version of Realmtable everywhere and restart the workers."
        )


def _first_line(error: BaseException) -> str:
    lines: Iterator[str] = iter(str(error).splitlines())
    return next(lines, type(error).__name__).rstrip(".")
