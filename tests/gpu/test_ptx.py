"""Kernels compile for devices on a machine without one: to PTX, which ptxas assembles."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import realmtable
from realmtable.engine import registry
from realmtable.gpu import kernel_files, ptx
from realmtable.gpu.array_games import find_rules
from realmtable.gpu.cuda_target import HOPPER
from realmtable.gpu.ptx import AssemblerMissing, AssemblerRefusal, Program, assemble, compile_game, find_assembler

GAMES = [info.id for info in realmtable.infos() if info.compiled]
ENTRIES = (
    "take_games",
    "count_groups",
    "place_groups",
    "order_games",
    "list_games",
    "draw_games",
    "mask_games",
    "observe_games",
)  # the others are compiled by the slow tests


@pytest.mark.long
def test_a_game_compiles_and_assembles() -> None:
    """In one test, because compiling takes long; the other games are slow tests."""
    program = compile_game(
        find_rules(realmtable.game("classic_realm")),
        signatures={name: ptx.entry_types(32)[name] for name in ENTRIES},
        narrow=True,
    )
    assert ".version 9.0\n" in program.ptx
    assert [name for name in ENTRIES if f".entry {name}(" not in program.ptx] == []
    assert ".const" not in program.ptx  # tables lie in global memory
    tables = [line for line in program.ptx.splitlines() if " table_" in line and ".b8" in line]
    assert len({line.split("[")[0].split()[-1] for line in tables}) == len(tables) > 0  # one copy of each
    done = assemble(program)
    assert done.code.startswith(b"\x7fELF")
    assert "registers" in kernel_files.describe_use(done.notes, "list_games")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_game_compiles_and_assembles(name: str) -> None:
    """In a process of its own, because the compiler needs a lot of memory, with the rules as they are compiled."""
    code = (
        "import realmtable\n"
        "from realmtable.gpu.array_games import find_rules\n"
        "from realmtable.gpu.ptx import assemble, compile_game\n"
        f"assemble(compile_game(find_rules(realmtable.game({name!r}))))\n"
    )
    environment = {**os.environ, "REALMTABLE_COMPILE": "1"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)  # noqa: S603 - our own code


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_arrays_in_kernels_have_constant_sizes(name: str) -> None:
    """A device cannot allocate others; a calculation such as ``SIZE + 1`` is not constant to its compiler."""
    found = []
    for path in sorted(registry.game_folder(name).rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef) and "kernel" in map(ast.unparse, function.decorator_list):
                calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
                sizes = [call.args[0] for call in calls if ast.unparse(call.func) == "np.empty"]
                found += [(path.name, function.name, ast.unparse(size)) for size in sizes if not is_constant(size)]
    assert found == []


def is_constant(size: ast.expr) -> bool:
    """Whether the size of an array is a number or a constant of the module."""
    return isinstance(size, ast.Constant) or (isinstance(size, ast.Name) and size.id.isupper())


def test_what_ptxas_refuses_is_told() -> None:
    with pytest.raises(AssemblerRefusal, match=r"^ptxas refuses the kernels: .*nothing"):
        assemble(Program(".version 9.0\n.target sm_90\n.address_size 64\nnothing\n", HOPPER))


def test_without_ptxas_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ptx, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AssemblerMissing, match="pip install nvidia-cuda-nvcc"):
        find_assembler()


def test_positions_can_be_narrow() -> None:
    wide, narrow = ptx.entry_types(), ptx.entry_types(32, "F")
    assert str(wide["step_games"][1][0]) == "array(int64, 2d, C)"
    assert str(narrow["step_games"][1][0]) == "array(int32, 2d, F)"


def test_an_entry_point_that_ptxas_did_not_mention() -> None:
    assert kernel_files.describe_use("", "step_games") == "nothing is known about its registers"
