"""Launches a compiled kernel again and again with almost the same arguments.

Numba prepares every array at every launch, which took 130 microseconds for the twelve arrays of a step. Here the words
that a kernel takes for an array are written once, and again only when another array is given.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Sequence
from typing import Any, Final

from cuda.bindings import driver

from realmtable.engine.errors import RealmtableError
from realmtable.gpu.cuda_target import enter_context, find_function
from realmtable.gpu.dlpack import DeviceArray

Unknown = Any  # Numba has no types
DEFAULT_STREAM: Final = 0
Argument = DeviceArray | int


class LaunchFailed(RealmtableError):
    """The device has refused a kernel."""


class Launch:
    """A compiled kernel and the arguments that it had at its latest launch."""

    def __init__(self, compiled: Unknown, arguments: Sequence[Argument]) -> None:
        words = [pack_argument(argument) for argument in arguments]
        self._function = driver.CUfunction(find_function(compiled))
        self._arguments = list(arguments)
        self._places = [sum(map(len, words[:index])) for index in range(len(words))]
        flat = [word for own in words for word in own]
        self._words = (ctypes.c_int64 * len(flat))(*flat)
        size = ctypes.sizeof(ctypes.c_int64)
        first = ctypes.addressof(self._words)
        self._pointers = (ctypes.c_void_p * len(flat))(*range(first, first + size * len(flat), size))
        self._thread = 0

    def run(self, blocks: int, threads: int, arguments: Sequence[Argument]) -> None:
        """Start the kernel on the default stream; the arrays must have the dimensions of the first ones."""
        for index, (before, argument) in enumerate(zip(self._arguments, arguments, strict=True)):
            if argument is not before:
                self._replace(index, argument)
        if self._thread != threading.get_ident():
            enter_context()
            self._thread = threading.get_ident()
        (code,) = driver.cuLaunchKernel(
            self._function, blocks, 1, 1, threads, 1, 1, 0, DEFAULT_STREAM, ctypes.addressof(self._pointers), 0
        )
        if code:
            raise LaunchFailed(f"The GPU has refused a kernel: {driver.CUresult(code).name}.")

    def _replace(self, index: int, argument: Argument) -> None:
        words = pack_argument(argument)
        place = self._places[index]
        self._words[place : place + len(words)] = list(words)
        self._arguments[index] = argument


def pack_argument(argument: Argument) -> tuple[int, ...]:
    """Return an argument as Numba's kernels take it: for an array unused pointers, sizes, address, shape, strides."""
    if isinstance(argument, int):
        return (argument,)
    interface = argument.__cuda_array_interface__
    shape, size = argument.shape, argument.dtype.itemsize
    strides = interface.get("strides") or [size * math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    return 0, 0, math.prod(shape), size, interface["data"][0], *shape, *strides
