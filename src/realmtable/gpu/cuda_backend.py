"""Runs the kernels of a game on this machine's GPU, compiled by Numba, or in Numba's simulator."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.errors import BadInput
from realmtable.gpu.array_games import choose_tuning
from realmtable.gpu.cpu_backend import find_free_memory
from realmtable.gpu.device import is_simulating
from realmtable.gpu.dlpack import DeviceArray
from realmtable.gpu.kernel_runner import ORDERED_BLOCK, OrderBuffers, make_order_buffers, plan_ordered_step
from realmtable.kit.rules import Position, Rules
from realmtable.kit.specialise import specialise
from realmtable.kit.vector_batch import NOTHING, Batch, StepOutputs

Unknown = Any  # Numba has no types
ENTRY_SOURCE: Final = Path(__file__).with_name("cuda_kernels.py")
BLOCK: Final = 256  # threads; as in `cuda_kernels.py`
MASK_BLOCK: Final = 128
OBSERVATION_BLOCK: Final = 64  # small, so that a few thousand games occupy the whole device
MOST_THREADS: Final = 1 << 18  # of playouts; more games than this take turns
SIMULATED_THREADS: Final = 8  # the simulator starts a thread of the system for each
TAKES_BATCH: Final = frozenset({"step_games", "take_games", "list_games"})  # as the last argument


class CudaBackend:
    """Runs the kernels on the GPU, or in Numba's simulator."""

    name = "cuda"
    layout: Literal["C", "F"] = "C"  # "F" is faster in some games, but has not been tried on a device through Numba
    copies_samples = False  # copying would take longer than a step

    def __init__(self, rules: Rules) -> None:
        from numba import cuda  # noqa: PLC0415 - importing it takes longer than most commands run

        self._cuda = cuda
        self._rules = rules
        self._block = SIMULATED_THREADS if is_simulating() else BLOCK
        self._launches: dict[str, Unknown] = {}  # by the name of the entry point
        self._orders_games = choose_tuning(rules).orders_games
        self._order_buffers: dict[int, OrderBuffers] = {}  # by the number of games

    def put(self, array: NDArray[Any]) -> DeviceArray:
        return DeviceArray(self._cuda.to_device(array))

    def copy(self, array: DeviceArray) -> DeviceArray:
        copied = self._cuda.device_array(array.shape, dtype=array.dtype)
        copied.copy_to_device(array.array)
        return DeviceArray(copied)

    def take(self, actions: Any, count: int) -> DeviceArray | None:  # noqa: ANN401 - of any library
        """Return actions of PyTorch, JAX, CuPy or a DeviceArray without a copy; None if they are not on the device."""
        if isinstance(actions, DeviceArray):
            found = actions
        elif hasattr(actions, "__cuda_array_interface__"):
            found = DeviceArray(self._cuda.as_cuda_array(actions))
        else:
            return None
        if found.shape != (count,) or found.dtype != np.int32:
            raise BadInput(
                f"step needs {count} numbers of the type int32 on the device, "
                f"not an array of {found.dtype} with the shape {found.shape}."
            )
        if found is not actions and found.array.strides != (found.dtype.itemsize,):
            raise BadInput("step needs an array whose numbers follow each other in memory; copy it first.")
        return found

    def find_illegal(self, batch: Batch, actions: DeviceArray) -> int:  # noqa: ARG002 - as the CPU's
        """Return NOTHING: `step` refuses illegal actions; checking first would mean waiting for the device."""
        return NOTHING

    def step(self, batch: Batch, actions: DeviceArray, outputs: StepOutputs) -> None:
        count = actions.shape[0]
        if self._orders_games:
            for launch in self._plan_ordered_step(batch, actions):
                self._repeat(*launch)
        else:
            self._repeat("step_games", -(-count // self._block), self._block, (actions, *batch))
        if outputs.masks.shape[1]:
            block = SIMULATED_THREADS if is_simulating() else MASK_BLOCK
            self._repeat("mask_games", count, block, (batch.legal_list, batch.legal_count, outputs.masks))
        if outputs.planes.shape[1]:
            block = SIMULATED_THREADS if is_simulating() else OBSERVATION_BLOCK
            arrays = batch.positions, outputs.planes, outputs.numbers
            self._repeat("observe_games", -(-count // block), block, arrays)

    def observe_ended(self, batch: Batch, outputs: StepOutputs) -> None:
        """Return None: finding the games that have ended would mean waiting for the device."""

    def _plan_ordered_step(self, batch: Batch, actions: DeviceArray) -> list[tuple[str, int, int, tuple[Any, ...]]]:
        count = actions.shape[0]
        if count not in self._order_buffers:
            self._order_buffers[count] = OrderBuffers(*(self.put(array) for array in make_order_buffers(np, count)))
        block = SIMULATED_THREADS if is_simulating() else ORDERED_BLOCK
        return plan_ordered_step(actions, batch, self._order_buffers[count], block, self._block)

    def draw(self, batch: Batch) -> None:
        arrays = batch.sample_streams, batch.legal_list, batch.legal_count, batch.drawn
        self._repeat("draw_games", -(-batch.drawn.shape[0] // self._block), self._block, arrays)

    def play(self, start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
        cuda = self._cuda
        blocks = max(1, min(seeds.size, MOST_THREADS) // self._block)
        threads = blocks * self._block
        sums = cuda.to_device(numbers)
        self._launch(
            "play_games_sorted" if self._orders_games else "play_games",
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

    def find_free_memory(self) -> int | None:
        """Return the free memory of the device, or of the machine if it has less: arrays are made there first."""
        free = self._cuda.current_context().get_memory_info().free
        return int(min(free, find_free_memory() or free))

    def close(self) -> None:
        """Release nothing."""

    def _repeat(self, entry: str, blocks: int, threads: int, arguments: Sequence[Any]) -> None:
        """Launch a kernel that is launched often, with little work for Python."""
        if is_simulating():
            inner: list[Unknown] = [part if isinstance(part, int) else part.array for part in arguments]
            if entry in TAKES_BATCH:  # whose arrays a device takes one by one
                first = len(inner) - len(Batch._fields)
                inner[first:] = [Batch(*inner[first:])]
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
