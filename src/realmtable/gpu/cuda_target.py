"""Adapts Numba's CUDA target to the kernels of the rules.

Numba turns the rules' own functions into functions of the device, with five changes that it has no settings for:
lookup tables lie in global memory, because the constant memory that Numba uses has 64 KB; `np.empty` with a constant
size is memory of the thread; observations are not cleared by the thread that writes one, because the threads of a block
do it together; large functions are not copied into every caller; and all of it works without a device.

This module uses parts of numba-cuda that are not documented.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FunctionType, SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from llvmlite import ir
from numba import cuda, types
from numba.cuda import compiler, dispatcher, target
from numba.cuda.core import config
from numba.cuda.cudadecl import Cuda_local_array
from numba.cuda.cudadrv import nvvm
from numpy.typing import NDArray

from realmtable.kit.plane_kernels import Numbers, Planes, clear_observation

Unknown = Any  # Numba has no types
Capability = tuple[int, int]  # of a device, such as (9, 0)
TABLE_ALIGNMENT: Final = 16  # bytes
HOPPER: Final[Capability] = (9, 0)
OWN_CODE: Final = ("realmtable.gpu.", "realmtable.kit.")  # small, or called in one place
LARGE: Final = 400  # bytes of bytecode from which on a function is not copied into its callers


@contextmanager
def adapt_target(
    capability: Capability | None = None, *, narrow: bool = False
) -> Iterator[None]:  # fmt: skip
    """Apply the changes; with a capability, compile for devices of that kind, whatever this machine has."""
    resolve = target.CUDATypingContext.resolve_value_type
    compile_function = compiler.compile_cuda

    device_functions: dict[FunctionType, Unknown] = {}

    def resolve_value_type(self: Unknown, value: Unknown) -> Unknown:
        if value is np.empty:
            return types.Function(Cuda_local_array)
        if value is clear_observation:
            value = leave_observation
        if isinstance(value, FunctionType):  # a kernel that is not compiled for the CPU
            value = device_functions.setdefault(value, cuda.jit(value, device=True))
        return resolve(self, value)

    def make_constant_array(self: Unknown, builder: Unknown, kind: Unknown, table: NDArray[Any]) -> Unknown:
        if narrow and table.dtype == np.int64:  # keys of 32 bits, in 64
            table = table.astype(np.int32).astype(np.int64)
        return make_table(self, builder, kind, np.ascontiguousarray(table))

    def compile_cuda(function: Callable[..., Any], *arguments: Unknown, **options: Unknown) -> Unknown:
        result = compile_function(function, *arguments, **options)
        if len(function.__code__.co_code) >= LARGE and not function.__module__.startswith(OWN_CODE):
            result.library.get_function(result.fndesc.llvm_func_name).attributes.add("noinline")
        return result

    device = SimpleNamespace(compute_capability=capability)
    with ExitStack() as changes:
        for owner, name, replacement in (
            (target.CUDATypingContext, "resolve_value_type", resolve_value_type),
            (target.CUDATargetContext, "make_constant_array", make_constant_array),
            (dispatcher, "compile_cuda", compile_cuda),
            (dispatcher, "get_current_device", dispatcher.get_current_device if capability is None else lambda: device),
        ):
            changes.enter_context(patch.object(owner, name, replacement))
        yield


def leave_observation(planes: Planes, numbers: Numbers) -> None:
    """Do nothing, in place of `clear_observation`."""


def find_function(compiled: Unknown) -> int:
    """Return the driver's handle of a kernel that was compiled for one signature."""
    (found,) = compiled.overloads.values()
    return int(found._codelibrary.get_cufunc().kernel.handle)  # noqa: SLF001 - Numba has no public way


def enter_context() -> None:
    """Let this thread use the device."""
    cuda.current_context()


def allow_small_grids() -> None:
    """Do not warn of launches that leave parts of the device idle: small batches are for tests."""
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0


def make_table(context: Unknown, builder: Unknown, kind: Unknown, table: NDArray[Any]) -> Unknown:
    """Return an array for a lookup table in global memory. Tables with the same content are one, in all functions."""
    content = bytearray(table.tobytes())
    name = f"table_{hashlib.sha256(content).hexdigest()[:16]}"
    place = builder.module.globals.get(name)
    if place is None:
        bytes_type = ir.ArrayType(ir.IntType(8), len(content))
        place = ir.GlobalVariable(builder.module, bytes_type, name, addrspace=nvvm.ADDRSPACE_GLOBAL)
        place.linkage = "linkonce_odr"
        place.global_constant = True
        place.initializer = ir.Constant(bytes_type, content)
        place.align = TABLE_ALIGNMENT
    pointer = builder.addrspacecast(place, ir.PointerType(ir.IntType(8)), "generic")
    array = context.make_array(kind)(context, builder)
    context.populate_array(
        array,
        data=builder.bitcast(pointer, array.data.type),
        shape=[context.get_constant(types.intp, size) for size in table.shape],
        strides=[context.get_constant(types.intp, stride) for stride in table.strides],
        itemsize=array.itemsize,
        parent=array.parent,
        meminfo=None,
    )
    return array._getvalue()  # noqa: SLF001 - as Numba does it
