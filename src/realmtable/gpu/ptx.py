"""Compiles the kernels of a game ahead of time, on a machine with or without a GPU, to PTX and to machine code."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from numba import types
from numba.cuda import compiler
from numba.cuda.cudadrv import nvrtc, nvvm

from realmtable.engine.errors import RealmtableError
from realmtable.gpu.cuda_target import HOPPER, Capability, adapt_target
from realmtable.kit.rules import Rules
from realmtable.kit.specialise import specialise
from realmtable.kit.vector_batch import Batch

Unknown = Any  # Numba has no types
ENTRY_SOURCE: Final = Path(__file__).with_name("cuda_kernels.py")
PTX_VERSION: Final = "9.0"  # what the drivers of CUDA 13.0 read; newer compilers write a newer one
WIDE: Final = 64  # bits of an entry of a position


class AssemblerMissing(RealmtableError):
    """There is no ptxas."""


class AssemblerRefusal(RealmtableError):
    """ptxas has refused a program."""


def entry_types(position_bits: int = 64, layout: str = "C") -> Mapping[str, tuple[Unknown, ...]]:
    """Return the types of the arguments of each entry point."""
    whole = types.int64 if position_bits == WIDE else types.int32
    positions = types.Array(whole, 2, layout)
    start = types.Array(whole, 1, "C")
    wide, words, codes = (types.Array(kind, 1, "C") for kind in (types.int64, types.uint64, types.int32))
    lists, rewards, masks = (types.Array(kind, 2, "C") for kind in (types.int32, types.float32, types.boolean))
    shares = types.Array(types.float32, 1, "C")
    small, flags = types.Array(types.int8, 1, "C"), types.Array(types.boolean, 1, "C")
    planes, numbers = (types.Array(kind, 2, "C") for kind in (types.uint8, types.int16))
    play = start, words, positions, lists, words, wide, wide
    batch = types.NamedTuple(
        (
            positions, start, words, words, lists, codes, codes, small, rewards, shares, small, codes, flags, flags,
            positions, types.int64,
        ), Batch
    )  # fmt: skip
    return {
        "play_games": play,
        "play_games_sorted": play,
        "step_games": (codes, batch),
        "take_games": (codes, codes, batch),
        "count_groups": (positions, codes, codes),
        "place_groups": (codes, codes),
        "order_games": (positions, codes, codes, codes),
        "list_games": (codes, batch),
        "draw_games": (words, lists, codes, codes),
        "mask_games": (lists, codes, masks),
        "observe_games": (positions, planes, numbers),
    }


class Program(NamedTuple):
    """The kernels of one game for one kind of device."""

    ptx: str
    capability: Capability


def compile_game(
    rules: Rules,
    capability: Capability = HOPPER,
    *,
    signatures: Mapping[str, tuple[Unknown, ...]] | None = None,
    narrow: bool = False,
) -> Program:
    """Compile the entry points of a game, which share the functions of its rules, to one program."""
    entries = specialise(ENTRY_SOURCE, __package__ or "", rules)
    with adapt_target(capability, narrow=narrow):
        translated = {
            name: compile_entry(getattr(entries, name), arguments, capability)
            for name, arguments in (signatures or entry_types()).items()
        }
    text = link([result.library for result in translated.values()], capability)
    for name, result in translated.items():
        text = text.replace(result.fndesc.llvm_func_name, name)
    return Program(re.sub(r"(?m)^\.version .*$", f".version {PTX_VERSION}", text, count=1), capability)


def link(libraries: list[Unknown], capability: Capability) -> str:
    """Link the entry points with the functions that they call and return PTX."""
    modules = {text: None for library in libraries for text in library.llvm_strs}
    code = nvvm.compile_ir([*modules], opt=3, arch=nvrtc.get_arch_option(*capability))
    return str(code.decode().strip("\x00").strip())


def compile_entry(function: Callable[..., Any], arguments: tuple[Unknown, ...], capability: Capability) -> Unknown:
    """Compile one entry point to LLVM code."""
    options = {"opt": 3, "fastmath": False}
    result = compiler.compile_cuda(function, types.void, arguments, nvvm_options=options, cc=capability)
    compiler.kernel_fixup(result.library.get_function(result.fndesc.llvm_func_name), debug=False)
    return result


def find_assembler() -> Path:
    """Return ptxas, from the package nvidia-cuda-nvcc or from a CUDA toolkit."""
    spec = find_spec("nvidia")
    folders = [Path(folder) for folder in (spec.submodule_search_locations or [])] if spec else []
    wheels = [file for folder in folders for file in sorted(folder.glob("*/bin/ptxas"))]
    found = wheels[-1] if wheels else shutil.which("ptxas")
    if found is None:
        raise AssemblerMissing("There is no ptxas: pip install nvidia-cuda-nvcc, or install a CUDA toolkit.")
    return Path(found)


class MachineCode(NamedTuple):
    """Machine code, and what ptxas says about it."""

    code: bytes
    notes: str


def assemble(program: Program) -> MachineCode:
    """Assemble a program to machine code with ptxas, which also checks the limits of the device."""
    architecture = f"sm_{program.capability[0]}{program.capability[1]}"
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "kernels.ptx"), Path(folder, "kernels.cubin")
        source.write_text(program.ptx, encoding="utf-8")
        command = [str(find_assembler()), f"-arch={architecture}", "-O3", "-v", str(source), "-o", str(target)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
        if done.returncode:
            raise AssemblerRefusal(f"ptxas refuses the kernels: {done.stderr.strip()[:500]}")
        return MachineCode(target.read_bytes(), done.stderr)
