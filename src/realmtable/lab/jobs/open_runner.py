"""Chooses where tasks run: on this machine, on a running cluster, or on one that Slurm or Kubernetes starts."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from realmtable.engine.errors import BadInput
from realmtable.engine.extras import MissingExtra, require_extra
from realmtable.lab.jobs.job_runner import JobRunner
from realmtable.lab.jobs.local_runner import LocalRunner

LOCAL: Final = "local"
ADDRESS_STARTS: Final = ("tcp://", "tls://")
DEFAULT_JOBS: Final = 4  # workers that Slurm or Kubernetes starts


class _Starter(NamedTuple):
    """How a kind of cluster is started."""

    title: str
    package: str
    module: str
    name: str


STARTERS: Final = {
    "slurm": _Starter("A Slurm cluster", "dask-jobqueue", "dask_jobqueue", "SLURMCluster"),
    "kubernetes": _Starter("A Kubernetes cluster", "dask-kubernetes", "dask_kubernetes.operator", "KubeCluster"),
}


@contextmanager
def open_runner(cluster: str = LOCAL, workers: int | None = None) -> Iterator[JobRunner]:
    """Open the runner for a ``--cluster`` text; raise `BadInput` or `MissingExtra` if that is impossible.

    `workers` is the number of local processes (by default one per core) or of workers to start on Slurm or Kubernetes;
    a running cluster has its own.
    """
    if cluster == LOCAL:
        yield LocalRunner(workers)
    elif cluster.startswith(ADDRESS_STARTS):
        if workers is not None:
            raise BadInput(f"The cluster at {cluster[:80]} has its own workers; leave out --workers.")
        with _connect(cluster) as runner:
            yield runner
    elif cluster in STARTERS:
        with _start(STARTERS[cluster], workers or DEFAULT_JOBS) as started, _connect(started) as runner:
            yield runner
    else:
        raise BadInput(
            f"A cluster is {LOCAL}, a scheduler's address such as tcp://host:8786, {' or '.join(STARTERS)}, "
            f"not {cluster[:40]}."
        )


@contextmanager
def _connect(cluster: str | Any) -> Iterator[JobRunner]:  # noqa: ANN401 - any cluster of Dask
    require_extra("lab")
    from realmtable.lab.jobs.dask_runner import DaskRunner  # noqa: PLC0415 - an extra

    runner = DaskRunner(cluster)
    try:
        yield runner
    finally:
        runner.close()


@contextmanager
def _start(starter: _Starter, workers: int) -> Iterator[Any]:
    """Start a cluster with the settings of Dask's own configuration files, and stop it at the end."""
    require_extra("lab")
    if find_spec(starter.module.partition(".")[0]) is None:
        raise MissingExtra(f"{starter.title} needs another package: pip install {starter.package}.")
    started = getattr(importlib.import_module(starter.module), starter.name)()
    try:
        started.scale(workers)
        yield started
    finally:
        started.close()
