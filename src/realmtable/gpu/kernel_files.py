"""Kernels compiled ahead of time, in a folder that runs on a machine with a GPU and CuPy, without Numba."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame
from realmtable.gpu import kernel_runner
from realmtable.gpu.array_games import choose_tuning, find_rules
from realmtable.gpu.cuda_target import Capability
from realmtable.gpu.golden import LARGE, Size, compute_golden_results, describe_game
from realmtable.gpu.ptx import WIDE, assemble, compile_game, entry_types

MANIFEST: Final = "manifest.json"
RUNNER: Final = "run.py"
THREADS: Final = (1 << 16, 1 << 17, 1 << 18)  # of playouts; the runner measures with each


def write_kernels(
    folder: Path, games: Sequence[AnyGame], capability: Capability, size: Size = LARGE, *, bits: int = WIDE
) -> list[str]:
    """Write the programs of some games, the CPU's results to compare with, and the runner; return a line on each game.

    Positions with 32-bit entries are faster, but very rarely two different ones are taken for the same.
    """
    if folder.exists() and any(folder.iterdir()):
        raise BadInput(f"{folder} is not empty; choose another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    programs, lines = [], []
    for game in games:
        facts = write_program(folder, game, capability, size, bits)
        programs.append(facts)
        lines.append(f"{facts['name']}: {facts['notes']}")
    (folder / MANIFEST).write_text(json.dumps(programs), encoding="utf-8")
    shutil.copy(Path(kernel_runner.__file__), folder / RUNNER)
    return lines


def write_program(folder: Path, game: AnyGame, capability: Capability, size: Size, bits: int) -> dict[str, Any]:
    """Write the program of one game and return its entry in the manifest."""
    name = game.info.id
    rules = find_rules(game)
    orders_games, layout = choose_tuning(rules)
    program = compile_game(rules, capability, signatures=entry_types(bits, layout), narrow=bits < WIDE)
    assembled = assemble(program)
    (folder / f"{name}.ptx").write_text(program.ptx, encoding="utf-8")
    (folder / f"{name}.cubin").write_bytes(assembled.code)
    return {
        **describe_game(game),
        "bits": bits,
        "name": name,
        "ptx": f"{name}.ptx",
        "cubin": f"{name}.cubin",
        "play": "play_games_sorted" if orders_games else "play_games",
        "orders_games": orders_games,
        "threads": THREADS,
        "golden": compute_golden_results(game, size),
        "notes": describe_use(assembled.notes, "list_games" if orders_games else "step_games"),
    }


def describe_use(notes: str, entry: str) -> str:
    """Return what ptxas says about the registers and the memory of an entry point."""
    after = notes.partition(f"Compiling entry function '{entry}'")[2]
    found = re.search(r"Used (\d+) registers.*?(?:(\d+) bytes cumulative stack size)?\n", after)
    return f"{found[1]} registers, {found[2] or 0} bytes of stack" if found else "nothing is known about its registers"
