"""Where the kernels of a game run: compiled for this machine's GPU by Numba, or on the CPU with the same results."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from realmtable.gpu.array_games import choose_style
from realmtable.gpu.device import DeviceName, find_device, has_device, is_simulating
from realmtable.gpu.dlpack import DeviceArray
from realmtable.kit.playouts import PLAYOUT_SOURCE
from realmtable.kit.rules import Position, Rules
from realmtable.kit.specialise import specialise

Unknown = Any  # Numba has no types
BATCH_SOURCE: Final = Path(__file__).with_name("batch_kernels.py")
ENTRY_SOURCE: Final = Path(__file__).with_name("cuda_kernels.py")
BLOCK: Final = 256  # threads; as in `cuda_kernels.py`
MASK_BLOCK: Final = 128
MOST_THREADS: Final = 1 << 18  # of playouts; more games than this take turns
SIMULATED_THREADS: Final = 8  # the simulator starts a thread of the system for each


class Backend(Protocol):
    """Runs the kernels of one game."""

    name: str
    layout: Literal["C", "F"]  # of the positions

    def put(self, array: NDArray[Any]) -> Any:  # noqa: ANN401 - an array of this backend
        """Return an array as the kernels take it."""

    def take(self, array: Any) -> Any:  # noqa: ANN401 - as above
        """Return an array that may come from elsewhere as the kernels take it, without a copy if possible."""

    def step(self, arrays: Mapping[str, Any], max_steps: int) -> None:
        """Take a step in each game."""

    def mask(self, arrays: Mapping[str, Any], masks: Any) -> None:  # noqa: ANN401 - as above
        """Write the masks of all games."""

    def play(self, start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
        """Play one random game for each seed and add to the numbers."""


class CpuBackend:
    """Runs the kernels on the CPU."""

    name = "cpu"
    layout: Literal["C", "F"] = "C"

    def __init__(self, rules: Rules) -> None:
        self._batch = specialise(BATCH_SOURCE, __package__, rules)
        self._rules = rules

    def put(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return the array itself."""
        return array

    def take(self, array: Any) -> NDArray[Any]:  # noqa: ANN401 - of any library
        """Return an array of NumPy."""
        return np.ascontiguousarray(array)

    def step(self, arrays: Mapping[str, NDArray[Any]], max_steps: int) -> None:
        """Take a step in each game."""
        self._batch.step_all(*arrays.values(), max_steps)

    def mask(self, arrays: Mapping[str, NDArray[Any]], masks: NDArray[np.bool_]) -> None:
        """Write the masks of all games."""
        legal, counts = arrays["legal_list"], arrays["legal_count"]
        used = np.arange(legal.shape[1]) < counts[:, None]
        masks[:] = False
        masks[np.nonzero(used)[0], legal[used]] = True

    def play(self, start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
        """Play one random game for each seed and add to the numbers."""
        specialise(PLAYOUT_SOURCE, "realmtable.kit", self._rules).play_many(start, seeds, numbers)


class GpuBackend:
    """Runs the kernels on the GPU, or in Numba's simulator."""

    name = "gpu"
    layout: Literal["C", "F"] = "C"  # by entry is faster in some games, but not yet tried on a device through Numba

    def __init__(self, rules: Rules) -> None:
        from numba import cuda  # noqa: PLC0415 - importing it takes longer than most commands run

        self._cuda = cuda
        self._rules = rules
        self._block = SIMULATED_THREADS if is_simulating() else BLOCK
        self._suffix = choose_style(rules).suffix

    def put(self, array: NDArray[Any]) -> DeviceArray:
        """Copy an array to the device."""
        return DeviceArray(self._cuda.to_device(array))

    def take(self, array: Any) -> DeviceArray:  # noqa: ANN401 - of any library
        """Copy an array of NumPy; use one that is on the device where it is."""
        if isinstance(array, DeviceArray):
            return array
        if hasattr(array, "__cuda_array_interface__"):
            return DeviceArray(self._cuda.as_cuda_array(array))
        return self.put(np.ascontiguousarray(array))

    def step(self, arrays: Mapping[str, DeviceArray], max_steps: int) -> None:
        """Take a step in each game."""
        blocks = -(-arrays["actions"].shape[0] // self._block)
        inner = [array.array for array in arrays.values()]
        self._launch(f"step_games{self._suffix}", blocks, self._block, *inner, max_steps)

    def mask(self, arrays: Mapping[str, DeviceArray], masks: DeviceArray) -> None:
        """Write the masks of all games."""
        legal, counts = arrays["legal_list"], arrays["legal_count"]
        block = SIMULATED_THREADS if is_simulating() else MASK_BLOCK
        self._launch("mask_games", legal.shape[0], block, legal.array, counts.array, masks.array)

    def play(self, start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
        """Play one random game for each seed and add to the numbers."""
        cuda = self._cuda
        blocks = max(1, min(seeds.size, MOST_THREADS) // self._block)
        threads = blocks * self._block
        sums = cuda.to_device(numbers)
        self._launch(
            f"play_games{self._suffix}",
            blocks,
            self._block,
            cuda.to_device(self._rules.content(start).copy()),
            cuda.to_device(seeds),
            cuda.device_array((threads, start.size), dtype=np.int64),
            cuda.device_array((threads, self._rules.step_capacity), dtype=np.int32),
            cuda.device_array(threads, dtype=np.uint64),
            cuda.to_device(np.zeros(1, dtype=np.int64)),
            sums,
        )
        sums.copy_to_host(numbers)

    def _launch(self, entry: str, blocks: int, threads: int, *arguments: Unknown) -> None:
        _compile_entry(self._rules, entry)[blocks, threads](*arguments)


@cache
def _compile_entry(rules: Rules, name: str) -> Unknown:
    """Compile an entry point of a game for this machine's GPU; the simulator runs it as it is."""
    from numba import cuda  # noqa: PLC0415 - as above

    entry = getattr(specialise(ENTRY_SOURCE, __package__, rules), name)
    if is_simulating():
        return cuda.jit(entry)
    from realmtable.gpu.cuda_target import adapt_target, allow_small_grids  # noqa: PLC0415 - the simulator lacks parts
    from realmtable.gpu.ptx import entry_types  # noqa: PLC0415

    allow_small_grids()
    with adapt_target():
        return cuda.jit(entry_types()[name])(entry)


def choose_backend(rules: Rules, device: DeviceName = "auto") -> Backend:
    """Return where the kernels should run: "auto" is the GPU if there is one."""
    if device == "gpu":
        find_device()  # raises if there is none
    on_gpu = device == "gpu" or (device == "auto" and has_device())
    return GpuBackend(rules) if on_gpu else CpuBackend(rules)
