"""Kernels in a folder: what is written there, and what the runner makes of it, with a CuPy in the CPU's memory."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import realmtable
from realmtable.engine.errors import BadInput
from realmtable.gpu import kernel_files, kernel_runner
from realmtable.gpu.array_games import GpuTuning
from realmtable.gpu.cuda_target import HOPPER
from realmtable.gpu.golden import Size
from realmtable.gpu.kernel_files import write_kernels
from realmtable.gpu.kernel_runner import limit_registers
from realmtable.gpu.ptx import MachineCode, Program
from tests.gpu.fake_cupy import make_fake_cupy

SIZE = Size(games=1, at_once=3, steps=4)
PTX = ".visible .entry step_games(\n\t.param .u64 first,\n\t.param .u64 second\n)\n{\n\tret;\n}\n"
NOTES = "".join(
    f"Compiling entry function '{name}'\nUsed {count} registers, used 0 barriers, 64 bytes cumulative stack size\n"
    for name, count in (("step_games", 40), ("list_games", 48))
)


@pytest.fixture(params=[False, True], ids=["as they come", "in order"])
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """Return the folder of a program that was not compiled, which would take too long."""
    monkeypatch.setattr(kernel_files, "choose_tuning", lambda _: GpuTuning(request.param, "C"))
    monkeypatch.setattr(kernel_files, "compile_game", lambda _, capability, **__: Program(PTX, capability))
    monkeypatch.setattr(kernel_files, "assemble", lambda _: MachineCode(b"machine code", NOTES))
    place = tmp_path / "kernels"
    lines = write_kernels(place, [realmtable.game("classic_realm")], HOPPER, SIZE)
    assert lines == [f"classic_realm: {48 if request.param else 40} registers, 64 bytes of stack"]
    monkeypatch.setitem(sys.modules, "cupy", make_fake_cupy())
    monkeypatch.setattr(kernel_runner, "FEW_SECONDS", 0.001)
    monkeypatch.setattr(kernel_runner, "STEP_BATCHES", (2, 3))
    monkeypatch.setattr(kernel_runner, "PLAY_BATCHES", (1, 2))
    monkeypatch.setattr(kernel_runner, "WARM_STEPS", 1)
    return place


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["run.py", "--folder", str(folder), *arguments])
    return kernel_runner.main()


def test_the_folder_has_all_that_is_needed(folder: Path) -> None:
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["classic_realm.cubin", "classic_realm.ptx", "manifest.json", "run.py"]
    assert "import realmtable" not in (folder / "run.py").read_text()
    assert "from realmtable" not in (folder / "run.py").read_text()
    with pytest.raises(BadInput, match="is not empty; choose another folder"):
        write_kernels(folder, [], HOPPER)


def test_the_runner_checks(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, folder) == 0
    assert "classic_realm: the same as the CPU (loaded in" in capsys.readouterr().out
    assert run(monkeypatch, folder, "--only", "nothing") == 0
    manifest = folder / "manifest.json"
    facts = json.loads(manifest.read_text())
    facts[0]["golden"]["numbers"][0] += 1
    facts[0]["golden"]["steps"][0][2] = "0"
    manifest.write_text(json.dumps(facts))
    assert run(monkeypatch, folder) == 1
    out = capsys.readouterr().out
    assert "classic_realm: playouts: [" in out
    assert "; 4 steps of 3 games: " in out


def test_the_runner_measures(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    assert run(monkeypatch, folder, "--bench", "--registers", "64", "--seconds", "60") == 0
    out = capsys.readouterr().out
    assert "classic_realm, at most 64 registers: the same as the CPU" in out
    assert [line.split()[:2] for line in out.splitlines()[2:]] == [
        ["play", "1:"], ["play", "2:"], ["step", "2:"], ["step", "3:"],
    ]  # fmt: skip
    assert run(monkeypatch, folder, "--bench", "--seconds", "0.000001") == 0
    assert len(capsys.readouterr().out.splitlines()) == 4  # it stops after one of each


def test_machine_code_for_another_device_is_assembled_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "classic_realm.cubin").write_bytes(b"other")
    assert run(monkeypatch, folder) == 0
    (folder / "classic_realm.ptx").write_bytes(b"other")
    assert run(monkeypatch, folder) == 1
    assert "classic_realm: no kernel image is available" in capsys.readouterr().out


def test_registers_are_limited() -> None:
    assert limit_registers(PTX, 0) == PTX
    assert limit_registers(PTX, 64) == PTX.replace(")\n{", ")\n.maxnreg 64\n{")
