"""The one interface to whatever runs many tasks: this process, a pool of processes, or a cluster.

A task's function is importable by name (or a `functools.partial` of such a function) and its task is plain data, so a
worker needs nothing but the same version of Realmtable.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from typing import Generic, NamedTuple, Protocol, TypeVar

from realmtable.engine.errors import RealmtableError

TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")

AHEAD = 2  # tasks scheduled per worker, so that none has to wait
ATTEMPTS = 3  # one lost process may be the machine's fault; three for the same task are the task's


class WorkersLost(RealmtableError):
    """Workers have died and cannot be replaced, or always die at the same task."""


class JobRunner(Protocol):
    """Runs tasks."""

    def run(
        self, function: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]
    ) -> Generator[tuple[TaskT, ResultT], None, None]:
        """Yield every task with its result, in any order and each exactly once.

        Tasks may be endless: they are taken as workers become free. A worker that dies is replaced, and its task runs
        again. Closing the generator drops all tasks that are not finished. Raises what the function raises, and
        `WorkersLost`.
        """


class _Numbered(NamedTuple, Generic[TaskT]):
    number: int
    task: TaskT

    def __str__(self) -> str:
        return str(self.task)


def run_in_order(
    runner: JobRunner, function: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]
) -> Generator[ResultT, None, None]:
    """Yield the results in the order of the tasks, so that what follows does not depend on the number of workers."""
    finished: dict[int, ResultT] = {}
    following = 0
    call: Callable[[_Numbered[TaskT]], ResultT] = partial(_call_numbered, function)
    numbered = (_Numbered(number, task) for number, task in enumerate(tasks))
    with closing(runner.run(call, numbered)) as results:
        for (number, _), result in results:
            finished[number] = result
            while following in finished:
                yield finished.pop(following)
                following += 1


def _call_numbered(function: Callable[[TaskT], ResultT], numbered: _Numbered[TaskT]) -> ResultT:
    return function(numbered.task)
