"""Finds the GPU, or says in one sentence why there is none."""

from __future__ import annotations

import os
from typing import Any, Literal, NamedTuple

from realmtable.engine.errors import RealmtableError
from realmtable.engine.extras import require_extra

DeviceName = Literal["auto", "cuda", "cpu"]
NO_DEVICE = "There is no NVIDIA GPU with a driver for CUDA 13 or newer here"


class NoDevice(RealmtableError):
    """There is no GPU that the kernels can run on."""


class Device(NamedTuple):
    """A GPU."""

    name: str
    capability: tuple[int, int]
    driver: str  # the newest version of CUDA that the driver knows

    def describe(self) -> str:
        """Return a line for people."""
        major, minor = self.capability
        return f"{self.name} (compute capability {major}.{minor}, driver for CUDA {self.driver})"


def is_simulating() -> bool:
    """Whether Numba runs kernels for GPUs in Python, for tests."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") == "1"


def find_device() -> Device:
    """Return the GPU, or raise NoDevice or MissingExtra."""
    require_extra("gpu")
    if is_simulating():
        return Device("Numba's simulator", (0, 0), "none")
    from numba import cuda  # noqa: PLC0415 - importing it takes longer than most commands run

    return _ask_driver(cuda)


def _ask_driver(cuda: Any) -> Device:  # noqa: ANN401 - Numba has no types
    try:
        available = cuda.is_available()
    except Exception as error:
        raise NoDevice(f"{NO_DEVICE}: {' '.join(str(error).split())[:200]}.") from error
    if not available:
        raise NoDevice(f"{NO_DEVICE}; the same games with the same results run on the CPU (device='cpu').")
    found = cuda.get_current_device()
    name = found.name.decode() if isinstance(found.name, bytes) else str(found.name)
    major, minor = cuda.cudadrv.driver.driver.get_version()
    return Device(name, tuple(found.compute_capability[:2]), f"{major}.{minor}")


def has_device() -> bool:
    """Whether there is a GPU and everything that it needs."""
    try:
        find_device()
    except RealmtableError:
        return False
    return True
