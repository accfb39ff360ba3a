"""Where the kernels of a game run: compiled for this machine's GPU by Numba, or on the CPU with the same results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.errors import BadInput
from realmtable.gpu.array_games import choose_style
from realmtable.gpu.device import DeviceName, find_device, has_device, is_simulating
from realmtable.gpu.dlpack import DeviceArray
from realmtable.kit.playouts import PLAYOUT_SOURCE
from realmtable.kit.rules import Position, Rules
from realmtable.kit.specialise import specialise

Unknown = Any  # Numba has no types
BATCH_SOURCE: Final = Path(__file__).with_name("batch_kernels.py")
OBSERVATION_SOURCE: Final = Path(__file__).with_name("observation_kernels.py")
ENTRY_SOURCE: Final = Path(__file__).with_name("cuda_kernels.py")
BLOCK: Final = 256  # threads; as in `cuda_kernels.py`
MASK_BLOCK: Final = 128
OBSERVATION_BLOCK: Final = 64  # small, so that a few thousand games occupy the whole device
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

    def observe(self, arrays: Mapping[str, Any], planes: Any, numbers: Any) -> None:  # noqa: ANN401 - as above
        """Write what the acting seat of each game sees: planes are [games, all entries of a game]."""

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

    def observe(
        self, arrays: Mapping[str, NDArray[Any]], planes: NDArray[np.uint8], numbers: NDArray[np.int16]
    ) -> None:  # fmt: skip
        """Write what the acting seat of each game sees."""
        specialise(OBSERVATION_SOURCE, __package__, self._rules).observe_all(arrays["positions"], planes, numbers)

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
        self._launches: dict[str, Unknown] = {}  # by the name of the entry point
        self._suffix = choose_style(rules).suffix

    def put(self, array: NDArray[Any]) -> DeviceArray:
        """Copy an array to the device."""
        return DeviceArray(self._cuda.to_device(array))

    def take(self, array: Any) -> DeviceArray:  # noqa: ANN401 - of any library
        """Copy an array of NumPy; use one that is on the device where it is."""
        if isinstance(array, DeviceArray):
            return array
        if hasattr(array, "__cuda_array_interface__"):
            found = DeviceArray(self._cuda.as_cuda_array(array))
            if found.array.strides != (found.dtype.itemsize,):
                raise BadInput("step needs an array whose numbers follow each other in memory; copy it first.")
            return found
        return self.put(np.ascontiguousarray(array))

    def step(self, arrays: Mapping[str, DeviceArray], max_steps: int) -> None:
        """Take a step in each game."""
        blocks = -(-arrays["actions"].shape[0] // self._block)
        self._repeat(f"step_games{self._suffix}", blocks, self._block, (*arrays.values(), max_steps))

    def mask(self, arrays: Mapping[str, DeviceArray], masks: DeviceArray) -> None:
        """Write the masks of all games."""
        legal, counts = arrays["legal_list"], arrays["legal_count"]
        block = SIMULATED_THREADS if is_simulating() else MASK_BLOCK
        self._repeat("mask_games", legal.shape[0], block, (legal, counts, masks))

    def observe(self, arrays: Mapping[str, DeviceArray], planes: DeviceArray, numbers: DeviceArray) -> None:
        """Write what the acting seat of each game sees."""
        block = SIMULATED_THREADS if is_simulating() else OBSERVATION_BLOCK
        self._repeat("observe_games", -(-planes.shape[0] // block), block, (arrays["positions"], planes, numbers))

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

    def _repeat(self, entry: str, blocks: int, threads: int, arguments: Sequence[DeviceArray | int]) -> None:
        """Launch a kernel that is launched often, with little work for Python."""
        if is_simulating():
            inner = [argument if isinstance(argument, int) else argument.array for argument in arguments]
            self._launch(entry, blocks, threads, *inner)
            return
        launch = self._launches.get(entry)
        if launch is None:
            from realmtable.gpu.launches import Launch  # noqa: PLC0415 - needs the extra

            launch = self._launches[entry] = Launch(_compile_entry(self._rules, entry), arguments)
        launch.run(blocks, threads, arguments)

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
