"""Runs kernels that were compiled ahead of time, on a machine with a GPU, CuPy and NumPy, without Numba or Realmtable.

`realmtable gpu compile FOLDER` copies this file next to the kernels as run.py: `python run.py` checks that the device
plays the games as the CPU did, and `python run.py --bench` measures how fast.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

RESET: Final = -(2**31)  # instead of an action
NOTHING: Final = -1  # behind the last action of a list
BLOCK: Final = 256
ORDERED_BLOCK: Final = 128  # threads of a step of ordered games
GROUPS: Final = 256  # as ORDERED_GROUPS in cuda_kernels.py
FEW_SECONDS: Final = 0.7  # of a measurement
WARM_STEPS: Final = 100  # before a measurement: first steps are alike in all games
STEP_BATCHES: Final = (1_024, 8_192, 65_536, 262_144)
PLAY_BATCHES: Final = (1_024, 16_384, 262_144, 1_048_576)
Unknown = Any  # arrays of CuPy, and its functions


def digest_games(games: dict[str, Any]) -> str:
    """Return a digest of what the arrays of a vector environment say after a step."""
    legal, counts = games["legal_list"], games["legal_count"]
    digest = hashlib.sha256(legal[np.arange(legal.shape[1])[None, :] < counts[:, None]].tobytes())
    for name in ("legal_count", "drawn", "seats", "rewards", "reasons", "lengths", "chance_streams", "sample_streams"):
        array = games[name].astype(np.int32) if name == "seats" else games[name]
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def make_streams(seed: int, count: int) -> Any:  # noqa: ANN401 - this file also runs where arrays have no types
    """Return the first numbers of random streams, none of them 0, by the mixing function of SplitMix64."""
    weyl = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = _mix(weyl + _mix(np.array([seed], dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)))
    mixed[mixed == 0] = 1
    return mixed


def _mix(numbers: Any) -> Any:  # noqa: ANN401
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers ^ numbers >> np.uint64(31)


def make_arrays(xp: Any, count: int, start: Any, facts: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401
    """Return the arrays of a vector environment, in the order of the kernels' arguments; `xp` is NumPy or CuPy.

    Of the facts it needs `size`, `capacity`, `seats` and `layout`. Until the first step, with RESET as the actions,
    there is nothing in them.
    """
    streams = make_streams(facts["seed"], 2 * count)
    rows = max(count, 2) if facts["layout"] == "F" else count  # Numba takes a single row for layout C
    return {
        "actions": xp.full(count, RESET, dtype=xp.int32),
        "positions": xp.zeros((rows, facts["size"]), dtype=start.dtype, order=facts["layout"]),
        "start": start,
        "chance_streams": xp.asarray(streams[0::2].copy()),
        "sample_streams": xp.asarray(streams[1::2].copy()),
        "legal_list": xp.full((count, facts["capacity"]), NOTHING, dtype=xp.int32),
        "legal_count": xp.zeros(count, dtype=xp.int32),
        "drawn": xp.zeros(count, dtype=xp.int32),
        "seats": xp.zeros(count, dtype=xp.int8),
        "rewards": xp.zeros((count, facts["seats"]), dtype=xp.float32),
        "actor_rewards": xp.zeros(count, dtype=xp.float32),
        "reasons": xp.zeros(count, dtype=xp.int8),
        "lengths": xp.zeros(count, dtype=xp.int32),
        "terminated": xp.zeros(count, dtype=xp.bool_),
        "truncated": xp.zeros(count, dtype=xp.bool_),
        "last_positions": xp.zeros((rows, start.size), dtype=start.dtype, order=facts["layout"]),
    }


class OrderBuffers(NamedTuple):
    """Working memory for ordering games; any order will do before the first step."""

    order: Any  # [games] the games, group by group
    sizes: Any  # [GROUPS] zeros between steps
    places: Any  # [GROUPS]


def make_order_buffers(xp: Any, count: int) -> OrderBuffers:  # noqa: ANN401
    """Return working memory for ordering `count` games; `xp` is NumPy or CuPy."""
    sizes, places = xp.zeros(GROUPS, dtype=xp.int32), xp.zeros(GROUPS, dtype=xp.int32)
    return OrderBuffers(xp.arange(count, dtype=xp.int32), sizes, places)


def plan_ordered_step(
    actions: Any,  # noqa: ANN401
    games: Sequence[Any],
    buffers: OrderBuffers,
    block: int = ORDERED_BLOCK,
    single: int = GROUPS,
) -> list[tuple[str, int, int, tuple[Any, ...]]]:
    """Return the launches of a step of games that are ordered: names of kernels, blocks, threads and arguments.

    Games are ordered after the actions, when their phases are known; the next actions are taken in the same order.
    """
    blocks = -(-actions.shape[0] // block)
    positions, counts = games[0], games[5]  # as in Batch
    return [
        ("take_games", blocks, block, (actions, buffers.order, *games)),
        ("count_groups", blocks, block, (positions, counts, buffers.sizes)),
        ("place_groups", 1, single, (buffers.sizes, buffers.places)),
        ("order_games", blocks, block, (positions, counts, buffers.places, buffers.order)),
        ("list_games", blocks, block, (buffers.order, *games)),
    ]


class DeviceProgram:
    """The kernels of one game on the device, by CuPy."""

    def __init__(self, folder: Path, facts: dict[str, Any], registers: int = 0) -> None:
        import cupy  # noqa: PLC0415 - the file can be read without it

        self.cupy: Unknown = cupy
        self.facts = facts
        module = self.load(folder, registers)
        self.play = module.get_function(facts["play"])
        self.module = module
        self.whole = cupy.int64 if facts["bits"] == 64 else cupy.int32  # noqa: PLR2004
        self.start = cupy.asarray(np.array(facts["start"], dtype=np.int64).astype(self.whole))

    def load(self, folder: Path, registers: int) -> Unknown:
        """Load the machine code; if it is for other devices, or registers are limited, let the driver assemble it."""
        if not registers:
            try:
                return self.load_file(folder / self.facts["cubin"])
            except self.cupy.cuda.driver.CUDADriverError:
                pass
        ptx = (folder / self.facts["ptx"]).read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as other:
            path = Path(other, "kernels.ptx")
            path.write_text(limit_registers(ptx, registers), encoding="utf-8")
            return self.load_file(path)

    def load_file(self, path: Path) -> Unknown:
        """Load a program."""
        module = self.cupy.RawModule(path=str(path))
        module.get_function(self.facts["play"])  # only now the file is read
        return module

    def rows(self, count: int) -> Unknown:
        """Return an empty array for `count` positions."""
        return self.cupy.zeros((count, self.facts["size"]), dtype=self.whole, order=self.facts["layout"])

    def play_games(self, count: int, threads: int) -> tuple[list[int], float]:
        """Play games and return the sums and the seconds."""
        xp = self.cupy
        threads = max(BLOCK, min(threads, count) // BLOCK * BLOCK)
        seeds = xp.asarray(np.arange(1, count + 1, dtype=np.uint64))
        numbers = xp.zeros(self.facts["numbers"], dtype=xp.int64)
        lists = xp.zeros((threads, self.facts["capacity"]), dtype=xp.int32)
        streams = xp.zeros(threads, dtype=xp.uint64)
        arguments = [self.start, seeds, self.rows(threads), lists, streams, xp.zeros(1, dtype=xp.int64), numbers]
        xp.cuda.Device().synchronize()
        begun = time.perf_counter()
        self.play((threads // BLOCK,), (BLOCK,), pack_arguments(arguments))
        xp.cuda.Device().synchronize()
        return [int(number) for number in numbers.get()], time.perf_counter() - begun

    def make_games(self, count: int) -> dict[str, Unknown]:
        """Return the arrays of a vector environment after a reset; from then on the actions are the drawn ones."""
        games = make_arrays(self.cupy, count, self.start, self.facts)
        self.take_steps(games, 1)
        games["actions"] = games["drawn"]
        return games

    def take_steps(self, games: dict[str, Unknown], steps: int) -> None:
        """Take steps in all games."""
        actions, *others = games.values()
        if self.facts["orders_games"]:
            plan = plan_ordered_step(actions, [*others, 0], make_order_buffers(self.cupy, actions.size))
        else:
            plan = [("step_games", -(-actions.size // BLOCK), BLOCK, (actions, *others, 0))]
        launches = [
            (self.module.get_function(name), (blocks,), (threads,), pack_arguments(arguments))
            for name, blocks, threads, arguments in plan
        ]
        for _ in range(steps):
            for function, blocks, threads, words in launches:
                function(blocks, threads, words)

    def step_rate(self, count: int) -> float:
        """Return the random steps per second that the device takes with `count` games at once."""
        xp = self.cupy
        games = self.make_games(count)
        self.take_steps(games, WARM_STEPS)
        steps = 20
        while True:
            xp.cuda.Device().synchronize()
            begun = time.perf_counter()
            self.take_steps(games, steps)
            xp.cuda.Device().synchronize()
            seconds = time.perf_counter() - begun
            if seconds > FEW_SECONDS:
                return count * steps / seconds
            steps = int(steps * max(2.0, 1.2 * FEW_SECONDS / seconds)) if seconds < FEW_SECONDS / 4 else steps * 4


def limit_registers(ptx: str, registers: int) -> str:
    """Return a program whose threads use at most `registers` registers (0: any number), so that more run at once."""
    return re.sub(r"(\.entry \w+\([^)]*\)\s*)\{", rf"\1.maxnreg {registers}\n{{", ptx) if registers else ptx


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def pack_arguments(arguments: Sequence[Unknown]) -> tuple[Any, ...]:
    """Return arguments as Numba's kernels take them, arrays as two unused pointers, sizes, address, shape, strides."""
    words: list[Any] = []
    for array in arguments:
        words += (
            [array]
            if isinstance(array, int)
            else [0, 0, array.size, array.itemsize, array.data.ptr, *array.shape, *array.strides]
        )
    return tuple(np.int64(word) for word in words)


def check(device: DeviceProgram) -> list[str]:
    """Compare the device's results with those of the CPU and return what differs."""
    facts = device.facts
    wrong = []
    golden = facts["golden"]
    numbers, _ = device.play_games(golden["games"], 1 << 20)
    if numbers != golden["numbers"]:
        wrong.append(f"playouts: {numbers} instead of {golden['numbers']}")
    for at_once, steps, expected in golden["steps"]:
        games = device.make_games(at_once)
        device.take_steps(games, steps)
        found = digest_games({name: array.get() for name, array in games.items()})
        if found != expected:
            wrong.append(f"{steps} steps of {at_once} games: {found} instead of {expected}")
    return wrong


def bench(device: DeviceProgram, seconds: float) -> None:
    """Print the speed of playouts and steps."""
    begun = time.perf_counter()
    for count in PLAY_BATCHES:
        device.play_games(min(count, BLOCK), 1 << 20)
        best = None
        for threads in device.facts["threads"]:
            if best is not None and (threads > count or time.perf_counter() - begun > seconds / 2):
                continue
            numbers, spent = device.play_games(count, threads)
            rates = count / spent / 1e3, numbers[0] / spent / 1e6, threads
            best = rates if best is None or rates > best else best
        if best is not None:
            say(f"  play {count:>9,}: {best[0]:>10,.1f} k games/s {best[1]:>8,.1f} M steps/s ({best[2]:,} threads)")
        if time.perf_counter() - begun > seconds / 2:
            break
    for count in STEP_BATCHES:
        say(f"  step {count:>9,}: {device.step_rate(count) / 1e6:>8,.1f} M steps/s")
        if time.perf_counter() - begun > seconds:
            break


def main() -> int:
    """Check, and measure if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent)
    parser.add_argument("--bench", action="store_true")
    parser.add_argument("--seconds", type=float, default=10.0, help="the time for each program's measurements")
    parser.add_argument("--registers", default="0", help="per thread, separated by commas; 0 for any number")
    parser.add_argument("--only", default="", help="programs whose names contain this")
    chosen = parser.parse_args()
    import cupy  # noqa: PLC0415

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    say(f"{name}, driver {cupy.cuda.runtime.driverGetVersion()}, CuPy {cupy.__version__}")
    failed = 0
    for facts in json.loads((chosen.folder / "manifest.json").read_text(encoding="utf-8")):
        if chosen.only in facts["name"]:
            for registers in chosen.registers.split(","):
                failed += run_program(chosen.folder, facts, int(registers), chosen.seconds if chosen.bench else 0.0)
    return 1 if failed else 0


def run_program(folder: Path, facts: dict[str, Any], registers: int, seconds: float) -> int:
    """Check a program, and measure it if there are seconds to spend; return whether it is wrong."""
    import cupy  # noqa: PLC0415

    begun = time.perf_counter()
    name = f"{facts['name']}, at most {registers} registers" if registers else facts["name"]
    try:
        device = DeviceProgram(folder, facts, registers)
        loaded = time.perf_counter()
        wrong = check(device)
    except cupy.cuda.driver.CUDADriverError as error:
        say(f"{name}: {error}")
        return 1
    times = f"loaded in {loaded - begun:.1f} s, checked in {time.perf_counter() - loaded:.1f} s"
    say(f"{name}: {'; '.join(wrong) or 'the same as the CPU'} ({times}; {facts['notes']})")
    if seconds:
        bench(device, seconds)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
