"""CuPy in the CPU's memory: launches run the CPU's kernels on the arrays at the addresses they are given."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

import realmtable
from realmtable.gpu.array_games import find_rules
from realmtable.gpu.backends import make_step_outputs
from realmtable.gpu.cpu_backend import CpuBackend
from realmtable.kit.vector_batch import Batch

STEP_TYPES = {
    "actions": "int32",
    "positions": "int64",
    "start": "int64",
    "chance_streams": "uint64",
    "sample_streams": "uint64",
    "legal_list": "int32",
    "legal_count": "int32",
    "drawn": "int32",
    "seats": "int8",
    "rewards": "float32",
    "actor_rewards": "float32",
    "reasons": "int8",
    "lengths": "int32",
    "terminated": "bool",
    "truncated": "bool",
    "last_positions": "int64",
}
PLAY_TYPES = ["int64", "uint64", "int64", "int32", "uint64", "int64", "int64"]
DIMENSIONS = {"step": (1, 2, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 2), "play": (1, 1, 2, 2, 1, 1, 1)}
WORDS = 5  # before shape and strides


class Array(np.ndarray[Any, Any]):
    """An array with the parts of CuPy's that the runner needs."""

    @property
    def data(self) -> Any:  # noqa: ANN401 - as CuPy has it
        return SimpleNamespace(ptr=self.ctypes.data)

    def get(self) -> np.ndarray[Any, Any]:
        return np.asarray(self)


class CUDADriverError(Exception):
    """An error of the driver."""


def read_arrays(words: tuple[Any, ...], types: list[str], dimensions: tuple[int, ...]) -> list[np.ndarray[Any, Any]]:
    """Return the arrays that flattened arguments describe."""
    arrays = []
    for name, count in zip(types, dimensions, strict=True):
        own, words = words[: WORDS + 2 * count], words[WORDS + 2 * count :]
        shape, strides = own[WORDS : WORDS + count], own[WORDS + count :]
        memory = memoryview((ctypes.c_uint8 * int(own[2] * own[3])).from_address(int(own[4])))
        arrays.append(np.ndarray(tuple(map(int, shape)), np.dtype(name), memory, 0, tuple(map(int, strides))))
    return arrays


class RawModule:
    """A program of Classic Realm; machine code is for another device."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.content = b""

    def get_function(self, name: str) -> Any:  # noqa: ANN401 - a kernel
        self.content = self.content or self.path.read_bytes()  # once, as CuPy does
        if self.content.startswith(b"other"):
            raise CUDADriverError("no kernel image is available")
        backend = CpuBackend(find_rules(realmtable.game("classic_realm")))

        def step(_: object, __: object, words: tuple[Any, ...]) -> None:
            arrays = dict(
                zip(STEP_TYPES, read_arrays(words[:-1], [*STEP_TYPES.values()], DIMENSIONS["step"]), strict=True)
            )
            actions = arrays.pop("actions")
            backend.step(Batch(**arrays, max_steps=int(words[-1])), actions, make_step_outputs(backend, actions.size))

        def play(_: object, __: object, words: tuple[Any, ...]) -> None:
            start, seeds, positions, *_others, numbers = read_arrays(words, PLAY_TYPES, DIMENSIONS["play"])
            position = np.zeros(positions.shape[1], dtype=np.int64)
            position[: start.size] = start
            backend.play(position, seeds, numbers)

        def take_games(_: object, __: object, words: tuple[Any, ...]) -> None:
            actions = WORDS + 2
            step(None, None, (*words[:actions], *words[2 * actions :]))  # without the order

        kernels = {"step_games": step, "play_games": play, "play_games_sorted": play, "take_games": take_games}
        return kernels.get(name, lambda *_: None)  # the first kernel of a step does all of it


def make_fake_cupy() -> ModuleType:
    """Return a module that stands in for CuPy."""
    cupy = ModuleType("cupy")
    for name in ("arange", "zeros", "full", "asarray"):
        make = getattr(np, name)
        setattr(cupy, name, lambda *given, make=make, **named: make(*given, **named).view(Array))
    for name in ("int8", "int32", "int64", "uint64", "float32", "bool_"):
        setattr(cupy, name, getattr(np, name))
    runtime = SimpleNamespace(getDeviceProperties=lambda _: {"name": b"Fake"}, driverGetVersion=lambda: 13000)
    driver = SimpleNamespace(CUDADriverError=CUDADriverError)
    device = lambda: SimpleNamespace(synchronize=lambda: None)  # noqa: E731 - a class of CuPy
    cupy.__dict__.update(
        cuda=SimpleNamespace(runtime=runtime, driver=driver, Device=device), RawModule=RawModule, __version__="0"
    )
    return cupy
