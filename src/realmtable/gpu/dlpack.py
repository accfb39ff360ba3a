"""Arrays on the device that PyTorch, JAX, CuPy and Numba take without a copy, by DLPack or the CUDA array interface."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

CPU: Final = 1
CUDA: Final = 2
TYPE_CODES: Final = {"i": 0, "u": 1, "f": 2, "b": 6}  # by the kind of a NumPy type
CAPSULE: Final = b"dltensor"
_KEPT: dict[int, tuple[Any, ...]] = {}  # exported arrays, by the address of their descriptions, until they are released


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


def _forget(address: int) -> None:
    _KEPT.pop(address, None)


_RELEASE: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_forget)


def _forget_untaken(capsule: int) -> None:
    """Release an array that nobody has taken; whoever takes one renames its capsule."""
    api = ctypes.pythonapi
    if api.PyCapsule_IsValid(ctypes.c_void_p(capsule), CAPSULE):
        api.PyCapsule_GetPointer.restype = ctypes.c_void_p
        _forget(api.PyCapsule_GetPointer(ctypes.c_void_p(capsule), CAPSULE))


_FORGET_UNTAKEN: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_forget_untaken)


def make_capsule(
    owner: object,
    address: int,
    shape: Sequence[int],
    dtype: np.dtype[Any],
    device: tuple[int, int],
    *,
    strides: Sequence[int] | None = None,
) -> Any:  # noqa: ANN401 - a capsule
    """Return a capsule for an array at an address; `owner` lives until the capsule's taker releases it.

    The strides are in bytes; without them, rows follow each other.
    """
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    jumps = None if strides is None else (ctypes.c_int64 * len(shape))(*(jump // dtype.itemsize for jump in strides))
    managed = _Managed()
    managed.tensor = _Tensor(
        data=address,
        device_type=device[0],
        device_id=device[1],
        ndim=len(shape),
        code=TYPE_CODES[dtype.kind],
        bits=dtype.itemsize * 8,
        lanes=1,
        shape=ctypes.cast(sizes, ctypes.POINTER(ctypes.c_int64)),
        strides=None if jumps is None else ctypes.cast(jumps, ctypes.POINTER(ctypes.c_int64)),
        byte_offset=0,
    )
    managed.deleter = ctypes.cast(_RELEASE, ctypes.c_void_p)
    place = ctypes.addressof(managed)
    _KEPT[place] = managed, sizes, jumps, owner
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    return new(ctypes.c_void_p(place), CAPSULE, _FORGET_UNTAKEN)


class DeviceArray:
    """An array on the device. `torch.from_dlpack(array)` and the like share its memory."""

    def __init__(self, array: Any) -> None:  # noqa: ANN401 - Numba has no types
        self.array = array
        self.shape: tuple[int, ...] = array.shape
        self.dtype: np.dtype[Any] = np.dtype(array.dtype)

    def reshape(self, *shape: int) -> DeviceArray:
        """Return the same memory with another shape."""
        return DeviceArray(self.array.reshape(*shape))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The array for PyTorch, CuPy and Numba."""
        interface: dict[str, Any] = self.array.__cuda_array_interface__
        return interface

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, 0

    def __dlpack__(self, **_: object) -> Any:  # noqa: ANN401 - a capsule
        """Return the array for libraries with DLPack. Kernels run on the default stream, which others wait for."""
        interface = self.__cuda_array_interface__
        address, strides = interface["data"][0], interface.get("strides")
        return make_capsule(self, address, self.shape, self.dtype, self.__dlpack_device__(), strides=strides)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:  # noqa: ANN401 - always a copy
        """Copy the array to NumPy."""
        return np.asarray(self.array.copy_to_host(), dtype=dtype)
