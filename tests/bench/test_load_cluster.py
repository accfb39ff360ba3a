"""Runs with several server processes: what they need, what they read, and a small one on real services."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from bench import load, load_cluster, load_players, server_process
from bench.load_cluster import ClusterServices, usage_reader
from bench.load_players import SERVER
from bench.server_process import parent_of, read_tree_usage, read_usage
from tests.server.support.restartable_server import LINUX

SERVICES = ("REALMTABLE_TEST_DATABASE_URL", "REALMTABLE_TEST_REDIS_URL")
SPIN_IN_CHILD = """
import subprocess, sys
subprocess.run([sys.executable, "-c", "sum(range(20_000_000))"])
print(flush=True)
input()
"""


@pytest.mark.parametrize("given", [[], ["--database", "postgresql://x/y"], ["--redis", "redis://x"]])
def test_missing_addresses_are_named(given: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SERVICES:
        monkeypatch.delenv(name, raising=False)
    result = CliRunner().invoke(load.main, ["--only", "cluster", *given])
    assert result.exit_code == 2
    assert "Several processes need PostgreSQL and Redis: give --database and --redis" in result.output


def test_a_complete_run_without_addresses_says_what_was_not_measured() -> None:
    found = load.measure_cluster(None, None, 2, load_cluster.Load("any", 1, (None,), 1.0))
    assert found.runs == {}
    assert "PostgreSQL or Redis was missing" in found.note


def test_a_service_that_does_not_answer_is_named() -> None:
    arguments = ["--only", "cluster", "--database", "postgresql://me@127.0.0.1:1/x", "--redis", "redis://127.0.0.1:1"]
    result = CliRunner().invoke(load.main, arguments)
    assert result.exit_code == 1
    assert "Error: PostgreSQL does not answer" in result.output
    assert "Traceback" not in result.output


@LINUX
def test_the_usage_of_a_process_includes_its_running_and_ended_children() -> None:
    with subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-c", SPIN_IN_CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert parent_of(process.pid) == os.getpid()
        own, tree, ours = (
            read_usage(process.pid),
            read_tree_usage(process.pid),
            read_tree_usage(os.getpid()),
        )
        assert own is not None
        assert tree is not None
        assert ours is not None
        assert tree.memory == own.memory > 0
        assert tree.cpu_s > own.cpu_s, "its child has ended"
        assert ours.memory > tree.memory
        process.communicate(b"\n")
    assert read_tree_usage(2**30) is None
    assert parent_of(2**30) is None


@LINUX
def test_services_on_other_machines_have_no_usage() -> None:
    read = usage_reader(ClusterServices("", "", None, os.getpid(), ""), os.getpid())
    found = read()
    assert found["PostgreSQL"] is None
    assert found["Redis"] is not None
    assert found[SERVER] is not None


@pytest.mark.slow
@pytest.mark.skipif(
    not all(map(os.environ.get, SERVICES)), reason='needs PostgreSQL and Redis: eval "$(.ci/services)" and try again'
)
def test_a_small_run_with_one_and_two_processes_has_moves_and_no_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((load_players, "DRAIN"), (load_players, "FIRST_SCENE"), (server_process, "START")):
        monkeypatch.setattr(module, f"{name}_TIMEOUT_S", 300.0)  # for a busy machine
    arguments = ["--tables", "32", "--seconds", "1", "--rate", "64", "--only", "cluster"]
    result = CliRunner().invoke(load.main, arguments)
    assert result.exit_code == 0, result.output
    assert [result.output.count(f"| {count} | 8 | ") for count in (1, 2)] == [2, 2]
