"""Runners of tasks: every result exactly once, in processes and on a real cluster, even if workers die."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from distributed import Client, Future, KilledWorker, LocalCluster
from distributed.scheduler import WorkerState
from pebble import ProcessPool

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.extras import MissingExtra
from realmtable.lab.balance.experiment import design_experiment
from realmtable.lab.balance.game_cache import open_game_cache
from realmtable.lab.balance.run_experiment import run_experiment
from realmtable.lab.balance.stop_rule import StopRule
from realmtable.lab.jobs import code_version, dask_runner, local_runner, open_runner
from realmtable.lab.jobs.code_version import fingerprint_code, fingerprint_rules
from realmtable.lab.jobs.dask_runner import DaskRunner, WorkersDiffer, call_checked
from realmtable.lab.jobs.job_runner import JobRunner, WorkersLost, run_in_order
from realmtable.lab.jobs.local_runner import LocalRunner
from realmtable.lab.matches.match import play_match
from tests.lab.jobs.tasks import Marked, die, die_once, double, mark_and_double, refuse, sleep_and_double


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Two worker processes on the loopback."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as started:  # type: ignore[no-untyped-call] # its types are incomplete
        yield started


@pytest.fixture
def on_cluster(cluster: LocalCluster) -> Iterator[DaskRunner]:
    with open_runner.open_runner(cluster.scheduler_address) as runner:
        assert isinstance(runner, DaskRunner)
        yield runner


# ---- on this machine


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_every_task_has_its_result_once(workers: int) -> None:
    assert sorted(LocalRunner(workers).run(double, range(7))) == [(number, 2 * number) for number in range(7)]


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_results_can_be_had_in_order(workers: int) -> None:
    assert [*run_in_order(LocalRunner(workers), sleep_and_double, range(6))] == [0, 2, 4, 6, 8, 10]


@pytest.mark.long
def test_tasks_may_be_endless() -> None:
    assert [*islice(run_in_order(LocalRunner(2), double, count()), 5)] == [0, 2, 4, 6, 8]


def test_no_tasks_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("realmtable.lab.jobs.local_runner.ProcessPool")
    assert [*LocalRunner(2).run(double, [])] == []


@pytest.mark.long
def test_a_task_runs_again_if_its_process_dies(tmp_path: Path) -> None:
    tasks = [Marked(number, str(tmp_path)) for number in range(3)]
    assert sorted(LocalRunner(2).run(die_once, tasks)) == [(task, 2 * task.number) for task in tasks]


@pytest.mark.long
def test_a_task_that_always_ends_its_process_is_given_up() -> None:
    with pytest.raises(WorkersLost, match="The process working on 5 died 3 times"):
        list(run_in_order(LocalRunner(2), die, [5]))


def test_an_error_of_a_task_is_raised_here() -> None:
    with pytest.raises(BadInput, match=r"Not [12]\."):
        list(LocalRunner(2).run(refuse, [1]))


def test_a_pool_that_has_stopped_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProcessPool, "active", False)
    with pytest.raises(WorkersLost, match="could not be kept running"):
        list(LocalRunner(2).run(double, [1]))


def test_a_pool_also_works_outside_the_main_thread() -> None:
    found: list[tuple[int, int]] = []
    thread = threading.Thread(target=lambda: found.extend(LocalRunner(2).run(double, [4])))
    thread.start()
    thread.join()
    assert found == [(4, 8)]


@pytest.mark.long
def test_an_interrupt_ends_a_run() -> None:
    results = LocalRunner(2).run(double, count())
    next(results)
    os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        list(results)


def test_a_worker_ends_with_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    local_runner._exit_with_parent()
    assert codes == [], "this process has no parent that starts workers"
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: SimpleNamespace(sentinel=7))
    monkeypatch.setattr(local_runner, "wait_for", lambda _: None)
    local_runner._exit_with_parent()
    assert codes == [1]
    local_runner._init_worker()


def test_there_must_be_a_worker() -> None:
    assert LocalRunner().workers >= 1
    with pytest.raises(BadInput, match="At least one worker"):
        LocalRunner(0)


# ---- on a cluster


@pytest.mark.long
def test_a_cluster_runs_every_task_once(on_cluster: DaskRunner) -> None:
    assert sorted(on_cluster.run(double, range(30))) == [(number, 2 * number) for number in range(30)]
    assert [*islice(run_in_order(on_cluster, sleep_and_double, count()), 5)] == [0, 2, 4, 6, 8]


@pytest.mark.long
def test_a_killed_worker_loses_and_doubles_nothing(
    cluster: LocalCluster, on_cluster: DaskRunner, tmp_path: Path
) -> None:
    tasks = [Marked(number, str(tmp_path)) for number in range(40)]
    found, victim = [], next(iter(cluster.workers.values())).pid
    for number, result in enumerate(on_cluster.run(mark_and_double, tasks)):
        found.append(result)
        if number == 10:
            os.kill(victim, signal.SIGKILL)
    assert sorted(found) == [(task, 2 * task.number) for task in tasks]
    starts = [path.name.split(".") for path in tmp_path.iterdir()]
    assert {int(start[0]) for start in starts} == {*range(40)}
    assert len({start[1] for start in starts} - {str(victim)}) >= 1
    assert any(start[1] == str(victim) for start in starts), "the killed worker had begun to work"


@pytest.mark.long
def test_an_experiment_on_a_cluster_has_the_same_games(on_cluster: DaskRunner) -> None:
    experiment = design_experiment("classic_realm", [], bots=["random"])
    with open_game_cache(None) as here, open_game_cache(None) as there:
        local = run_experiment(experiment, StopRule(3), LocalRunner(1), here)
        remote = run_experiment(experiment, StopRule(3), on_cluster, there)
    assert [replace(game, seconds=0) for game in local.games[0]] == [
        replace(game, seconds=0) for game in remote.games[0]
    ]


@pytest.mark.long
def test_a_match_on_a_cluster_has_the_same_games(cluster: LocalCluster) -> None:
    here = play_match("classic_realm", ["random", "random"], games=4, workers=1)
    there = play_match("classic_realm", ["random", "random"], games=4, cluster=cluster.scheduler_address)
    assert [game.steps for game in here.games] == [game.steps for game in there.games]


@pytest.mark.long
def test_an_error_on_a_cluster_is_raised_here(on_cluster: DaskRunner) -> None:
    with pytest.raises(BadInput, match=r"Not [12]\."):
        list(on_cluster.run(refuse, [1, 2]))


@pytest.mark.slow
def test_a_task_that_kills_all_its_workers_is_given_up(on_cluster: DaskRunner) -> None:
    with pytest.raises(WorkersLost, match="that were given 5 died again and again"):
        list(on_cluster.run(die, [5]))


def test_a_task_that_dask_gives_up_is_named(on_cluster: DaskRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = KilledWorker("a task", cast("WorkerState", None), 3)
    monkeypatch.setattr(Future, "exception", lambda _: lost)
    with pytest.raises(WorkersLost, match="that were given 5 died again and again"):
        list(on_cluster.run(refuse, [5]))


def test_workers_with_other_code_are_refused(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_runner, "fingerprint_code", lambda: "another")
    with pytest.raises(WorkersDiffer, match=r"other code \([0-9a-f]{12}\) than this program \(another\)"):
        DaskRunner(cluster.scheduler_address)


def test_a_worker_that_joins_late_is_checked_too() -> None:
    assert call_checked(fingerprint_code(), double, 3) == 6
    with pytest.raises(WorkersDiffer):
        call_checked("another", double, 3)


def test_a_worker_without_realmtable_is_refused(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:  # noqa: ANN401 - any arguments
        raise ModuleNotFoundError("No module named 'realmtable'")

    monkeypatch.setattr(Client, "run", fail)
    with pytest.raises(WorkersDiffer, match="cannot load Realmtable: No module named 'realmtable'"):
        DaskRunner(cluster.scheduler_address)


@pytest.mark.long
def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_runner, "CONNECT_S", 1)
    with pytest.raises(BadInput, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:1: "):
        DaskRunner("tcp://127.0.0.1:1")


def test_a_cluster_needs_a_worker(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(Client, "wait_for_workers", fail)
    with pytest.raises(WorkersLost, match=r"within 0.1 seconds; start one with `dask worker tcp://"):
        DaskRunner(cluster.scheduler_address, wait_s=0.1)


@pytest.mark.long
def test_a_scheduler_that_forgets_its_tasks_is_noticed(on_cluster: DaskRunner) -> None:
    results = on_cluster.run(double, count())
    next(results)
    on_cluster.client.restart(wait_for_workers=False)
    with pytest.raises(WorkersLost, match="has stopped or forgotten the tasks"):
        list(results)


# ---- where tasks run


def test_clusters_are_chosen_by_name() -> None:
    with open_runner.open_runner("local", 3) as runner:
        assert isinstance(runner, LocalRunner)
        assert runner.workers == 3


@pytest.mark.parametrize(
    ("cluster", "workers", "sentence"),
    [
        (
            "moon",
            None,
            "A cluster is local, a scheduler's address such as tcp://host:8786, slurm or kubernetes, not moon.",
        ),
        ("tcp://host:8786", 2, "The cluster at tcp://host:8786 has its own workers; leave out --workers."),
    ],
)
def test_a_bad_cluster_is_refused(cluster: str, workers: int | None, sentence: str) -> None:
    with pytest.raises(BadInput) as refusal, open_runner.open_runner(cluster, workers):
        pass
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(("cluster", "package"), [("slurm", "dask-jobqueue"), ("kubernetes", "dask-kubernetes")])
def test_other_clusters_need_a_package(cluster: str, package: str) -> None:
    with (
        pytest.raises(MissingExtra, match=f"needs another package: pip install {package}"),
        open_runner.open_runner(cluster),
    ):
        pass


@pytest.mark.long
def test_a_cluster_is_started_and_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []

    class FakeCluster:
        def scale(self, workers: int) -> None:
            done.append(workers)

        def close(self) -> None:
            done.append("closed")

    class FakeRunner(LocalRunner):
        def __init__(self, cluster: object) -> None:
            done.append(type(cluster).__name__)
            super().__init__(1)

        def close(self) -> None:
            done.append("disconnected")

    monkeypatch.setattr(open_runner, "find_spec", lambda _: True)
    monkeypatch.setattr(importlib, "import_module", lambda _: SimpleNamespace(SLURMCluster=FakeCluster))
    monkeypatch.setattr(dask_runner, "DaskRunner", FakeRunner)
    with open_runner.open_runner("slurm", 8) as runner:
        assert [*runner.run(double, [1])] == [(1, 2)]
    assert done == [8, "FakeCluster", "disconnected", "closed"]


@pytest.mark.long
def test_runners_need_no_common_base() -> None:
    runners: list[JobRunner] = [LocalRunner(1)]
    assert [*runners[0].run(double, [1])] == [(1, 2)]


# ---- the fingerprint of the code


@pytest.mark.long
def test_a_fingerprint_depends_on_the_code_of_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fingerprint_rules("classic_realm") != fingerprint_rules("medieval_realm") != fingerprint_code()
    folder = tmp_path / "chess"
    folder.mkdir()
    monkeypatch.setattr(code_version, "SHARED_FOLDERS", ())
    monkeypatch.setattr(registry, "source_path", lambda _: folder)
    seen = set()
    for name, text in [("rules.py", "1"), ("rules.py", "2"), ("RULES.md", "3"), ("data.toml", "4")]:
        (folder / name).write_text(text, encoding="utf-8")
        seen.add(fingerprint_rules.__wrapped__("chess"))
    assert len(seen) == 3, "everything counts but documents"
