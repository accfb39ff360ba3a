"""Where the kernels of a game run: on the CPU, or compiled for this machine's GPU by Numba, with the same results."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from realmtable.gpu.cpu_backend import CpuBackend, EndedGames
from realmtable.gpu.cuda_backend import CudaBackend
from realmtable.gpu.device import DeviceName, find_device, has_device
from realmtable.gpu.kernel_runner import make_arrays
from realmtable.kit.rules import Position, Rules
from realmtable.kit.vector_batch import Batch, StepOutputs

Array = Any  # of the backend: NumPy's, or a DeviceArray


class Backend(Protocol):
    """Runs the kernels of one game, on arrays that `put` or `copy` of the same backend returned."""

    name: str
    layout: Literal["C", "F"]  # of the positions
    copies_samples: bool  # whether sampled actions are copied, so that no step overwrites them

    def put(self, array: NDArray[Any]) -> Array:
        """Return a NumPy array in the form that the kernels take."""

    def copy(self, array: Array) -> Array:
        """Return a copy of an array."""

    def take(self, actions: Array, count: int) -> Array | None:
        """Return actions that are already on the backend's device, without a copy; None if they are elsewhere."""

    def find_illegal(self, batch: Batch, actions: Array) -> int:
        """Return the first game whose action is not legal; NOTHING if there is none, or if `step` checks this."""

    def step(self, batch: Batch, actions: Array, outputs: StepOutputs) -> None:
        """Take a step in each game, then list its legal actions and write its mask and observation."""

    def observe_ended(self, batch: Batch, outputs: StepOutputs) -> EndedGames | None:
        """Return the last observations of games that have just ended.

        None if there are none, if observations are not wanted, or if finding these games means waiting for a device.
        """

    def draw(self, batch: Batch) -> None:
        """Draw another random action for each game."""

    def play(self, start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
        """Play one random game for each seed and add its results to `numbers`."""

    def find_free_memory(self) -> int | None:
        """Return the free memory in bytes, or None if it is not known."""

    def close(self) -> None:
        """Release what is not needed between steps."""


def choose_backend(rules: Rules, device: DeviceName = "auto", threads: int = 1) -> Backend:
    """Return the backend for a device; "auto" is the GPU if there is one. Only the CPU uses `threads`."""
    if device == "cuda":
        find_device()  # raises if there is none
    on_gpu = device == "cuda" or (device == "auto" and has_device())
    return CudaBackend(rules) if on_gpu else CpuBackend(rules, threads)


def make_batch(
    backend: Backend, count: int, start: Position, facts: dict[str, Any], max_steps: int = 0
) -> tuple[Array, Batch]:  # fmt: skip
    """Return the arrays of `count` games, and the actions of a first step, which starts them."""
    made = make_arrays(np, count, start, {**facts, "layout": backend.layout})
    arrays = {name: backend.put(array) for name, array in made.items()}
    return arrays.pop("actions"), Batch(**arrays, max_steps=max_steps)


def make_step_outputs(backend: Backend, count: int, columns: tuple[int, int, int] = (0, 0, 0)) -> StepOutputs:
    """Return arrays for masks, planes and numbers with these numbers of columns."""
    kinds = "bool", "uint8", "int16"
    made = [np.zeros((count, width), dtype=kind) for width, kind in zip(columns, kinds, strict=True)]
    return StepOutputs(*(backend.put(array) if array.size else array for array in made))
