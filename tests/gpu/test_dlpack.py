"""Arrays are shared by DLPack. NumPy can read those in the CPU's memory, which shows that the description is right."""

from __future__ import annotations

import gc
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from realmtable.gpu import dlpack
from realmtable.gpu.dlpack import CPU, DeviceArray, make_capsule


class InMemory:
    """An array in the CPU's memory, exported like one on a device."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __dlpack__(self, **_: object) -> Any:  # noqa: ANN401 - a capsule
        strides = None if self.array.flags.c_contiguous else self.array.strides
        return make_capsule(self, self.array.ctypes.data, self.array.shape, self.array.dtype, (CPU, 0), strides=strides)

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU, 0


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint64, np.float32, np.bool_])
def test_memory_is_shared_until_it_is_released(dtype: type) -> None:
    array: np.ndarray[Any, Any] = np.arange(6).reshape(2, 3).astype(dtype)
    before = len(dlpack._KEPT)
    taken = np.from_dlpack(InMemory(array))
    assert taken.tolist() == array.tolist()
    assert taken.dtype == array.dtype
    assert np.shares_memory(taken, array)
    assert len(dlpack._KEPT) == before + 1
    del taken
    gc.collect()
    assert len(dlpack._KEPT) == before


def test_a_capsule_that_nobody_takes_is_released() -> None:
    before = len(dlpack._KEPT)
    capsule = InMemory(np.zeros(3)).__dlpack__()
    assert len(dlpack._KEPT) == before + 1
    del capsule
    gc.collect()
    assert len(dlpack._KEPT) == before


def test_a_device_array_says_where_it_is() -> None:
    inner = np.arange(4, dtype=np.int32)
    interface = {"data": (inner.ctypes.data, False), "shape": (4,), "typestr": "<i4", "version": 3}
    fake = SimpleNamespace(
        shape=inner.shape, dtype=inner.dtype, __cuda_array_interface__=interface, copy_to_host=inner.copy
    )
    array = DeviceArray(fake)
    assert array.__cuda_array_interface__ == interface
    assert array.__dlpack_device__() == (2, 0)
    assert np.asarray(array).tolist() == [0, 1, 2, 3]
    assert "dltensor" in repr(array.__dlpack__())


def test_columns_stay_columns() -> None:
    array = np.asfortranarray(np.arange(6).reshape(2, 3))
    taken = np.from_dlpack(InMemory(array))
    assert taken.tolist() == array.tolist()
    assert taken.strides == array.strides
