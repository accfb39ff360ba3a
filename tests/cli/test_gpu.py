"""`realmtable gpu`, on a machine without a GPU."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from realmtable.gpu import backends, device, golden, kernel_files
from realmtable.gpu.backends import Backend
from realmtable.gpu.cpu_backend import CpuBackend
from realmtable.gpu.device import Device, NoDevice
from realmtable.kit.rules import Rules
from tests.cli.command_line import expect_refusal, run_cli

HOPPER = Device("NVIDIA H200", (9, 0), "13.0")


@pytest.fixture
def pretended_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the CPU is a GPU."""

    def choose(rules: Rules, _: str = "auto", __: int = 1) -> Backend:
        return CpuBackend(rules)

    monkeypatch.setattr(device, "find_device", lambda: HOPPER)
    monkeypatch.setattr(backends, "choose_backend", choose)
    monkeypatch.setattr("realmtable.gpu.measure.choose_backend", choose)
    monkeypatch.setattr("realmtable.rl.vector_env.choose_backend", choose)


@pytest.mark.usefixtures("pretended_device")
def test_check(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run_cli("gpu", "check", "classic_realm", "--games", "1")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [HOPPER.describe(), "classic_realm: the same as the CPU"]
    monkeypatch.setattr(golden, "find_differences", lambda *_: ["one thing", "another"])
    done = run_cli("gpu", "check", "classic_realm")
    assert (done.code, done.out.splitlines()[1]) == (1, "classic_realm: one thing; another")


def test_without_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Device:
        raise NoDevice("There is no GPU.")

    monkeypatch.setattr(device, "find_device", refuse)
    assert expect_refusal("gpu", "check").endswith("There is no GPU.")
    assert expect_refusal("gpu", "bench").endswith("There is no GPU.")


def test_compile(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []

    def write(folder: Path, games: Any, capability: tuple[int, int], *, bits: int) -> list[str]:  # noqa: ANN401 - a list of games
        asked.append((folder, [game.info.id for game in games], capability, bits))
        return ["classic_realm: 40 registers"]

    monkeypatch.setattr(kernel_files, "write_kernels", write)
    done = run_cli("gpu", "compile", str(tmp_path), "classic_realm", "--capability", "10.3", "--bits", "32")
    assert (done.code, done.out) == (0, "classic_realm: 40 registers\n")
    run_cli("gpu", "compile", str(tmp_path))
    assert asked[0] == (tmp_path, ["classic_realm"], (10, 3), 32)
    assert len(asked[1][1]) == 6
    assert asked[1][3] == 64
    sentence = expect_refusal("gpu", "compile", str(tmp_path), "--capability", "ninety")
    assert sentence.endswith("A compute capability looks like 9.0, not ninety.")


@pytest.mark.usefixtures("pretended_device")
@pytest.mark.parametrize(("where", "described"), [("cuda", HOPPER.describe()), ("cpu", "CPU")])
def test_bench(where: str, described: str) -> None:
    arguments = ["--device", where, "--seconds", "0.01", "--batch", "1", "--batch", "2"]
    done = run_cli("gpu", "bench", "classic_realm", *arguments)
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert [(line["game"], line["device"], line["batch"]) for line in lines] == [
        ("classic_realm", described, batch) for batch in (1, 2)
    ]
    assert all(line["games_per_s"] > 0 and line["env_steps_per_s"] > 0 for line in lines)


@pytest.mark.parametrize("name", ["check", "bench"])
def test_an_unknown_game_is_named_before_a_gpu_is_looked_for(name: str) -> None:
    done = run_cli("gpu", name, "chess")
    assert (done.code, done.err.partition(";")[0]) == (2, "There is no game 'chess'")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run_cli("gpu", "compile", str(tmp_path / "file" / "kernels"), "classic_realm")
    assert done.code == 2
    assert done.err.startswith("The folder ")
    assert "cannot be made: not a directory" in done.err
