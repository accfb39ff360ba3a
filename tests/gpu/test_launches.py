"""Launches without a device: what the driver is given, read back as the kernel would read it."""

from __future__ import annotations

import ctypes
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cuda.bindings import driver
from numba import cuda
from numba.cuda import compiler

import realmtable
from realmtable.gpu import cuda_backend, cuda_target, launches
from realmtable.gpu.array_games import find_rules
from realmtable.gpu.cuda_backend import BLOCK, CudaBackend
from realmtable.gpu.dlpack import DeviceArray
from realmtable.gpu.launches import Launch, LaunchFailed, pack_argument
from realmtable.gpu.ptx import entry_types

HANDLE = 77
COMPILED = object()


class FakeDriver:
    """A fake driver that records launches."""

    CUfunction = driver.CUfunction
    CUresult = driver.CUresult

    def __init__(self) -> None:
        self.result = 0
        self.launches: list[tuple[Any, ...]] = []
        self.contexts: list[int] = []
        self.word_count = 0  # of the kernel

    def cuLaunchKernel(self, function: object, *given: int) -> tuple[int]:  # noqa: N802 - its name
        *sizes, parameters, extra = given
        pointers = (ctypes.c_void_p * self.word_count).from_address(parameters)
        words = [ctypes.c_int64.from_address(pointer).value for pointer in pointers if pointer is not None]
        assert extra == 0
        self.launches.append((int(function), tuple(sizes), words))  # type: ignore[call-overload] # it has a number
        return (self.result,)


@pytest.fixture
def fake_driver(monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    fake = FakeDriver()
    monkeypatch.setattr(launches, "driver", fake)
    monkeypatch.setattr(launches, "find_function", lambda compiled: HANDLE if compiled is COMPILED else 0)
    monkeypatch.setattr(launches, "enter_context", lambda: fake.contexts.append(threading.get_ident()))
    return fake


def make_array(address: int, *shape: int, dtype: str = "int32", strides: tuple[int, ...] | None = None) -> DeviceArray:
    interface = {"data": (address, False), "strides": strides}
    return DeviceArray(SimpleNamespace(shape=shape, dtype=dtype, __cuda_array_interface__=interface))


def test_an_array_becomes_words() -> None:
    assert pack_argument(9) == (9,)
    assert pack_argument(make_array(1_000, 5)) == (0, 0, 5, 4, 1_000, 5, 4)
    assert pack_argument(make_array(1_000, 2, 3, dtype="int64")) == (0, 0, 6, 8, 1_000, 2, 3, 24, 8)
    assert pack_argument(make_array(1_000, 2, 3, strides=(4, 8))) == (0, 0, 6, 4, 1_000, 2, 3, 4, 8)


def test_a_kernel_takes_as_many_words() -> None:
    """Numba flattens arguments in the same way."""
    for arguments in entry_types().values():
        kinds = [kind for argument in arguments for kind in getattr(argument, "types", [argument])]  # also of a batch
        arrays = [make_array(0, *[1] * kind.ndim) if hasattr(kind, "ndim") else 1 for kind in kinds]
        packer = compiler.cuda_target.target_context.get_arg_packer(arguments)
        assert sum(len(pack_argument(array)) for array in arrays) == len(packer.argument_types)


def test_only_other_arguments_are_written_again(fake_driver: FakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, number = make_array(1_000, 5), make_array(2_000, 2, 3), 300
    launch = Launch(COMPILED, (first, second, number))
    fake_driver.word_count = 7 + 9 + 1
    asked: list[object] = []

    def find_and_note(argument: DeviceArray | int) -> tuple[int, ...]:
        asked.append(argument)
        return pack_argument(argument)

    monkeypatch.setattr(launches, "pack_argument", find_and_note)
    launch.run(4, 256, (first, second, number))
    other = make_array(3_000, 6)
    launch.run(5, 128, (other, second, number))
    expected = [*pack_argument(first), *pack_argument(second), number]
    assert fake_driver.launches[0] == (HANDLE, (4, 1, 1, 256, 1, 1, 0, 0), expected)
    assert fake_driver.launches[1] == (HANDLE, (5, 1, 1, 128, 1, 1, 0, 0), [*pack_argument(other), *expected[7:]])
    assert asked == [other]


def test_every_thread_enters_the_context(fake_driver: FakeDriver) -> None:
    launch = Launch(COMPILED, (1,))
    fake_driver.word_count = 1
    launch.run(1, 1, (1,))
    launch.run(1, 1, (1,))
    other = threading.Thread(target=launch.run, args=(1, 1, (1,)))
    other.start()
    other.join()
    assert len(fake_driver.contexts) == 2
    assert len(set(fake_driver.contexts)) == 2


def test_a_refused_kernel_is_a_sentence(fake_driver: FakeDriver) -> None:
    fake_driver.result = 700
    with pytest.raises(LaunchFailed, match=r"^The GPU has refused a kernel: CUDA_ERROR_ILLEGAL_ADDRESS\.$"):
        Launch(COMPILED, (1,)).run(1, 1, (1,))


def test_a_backend_prepares_a_kernel_once(fake_driver: FakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def compile_entry(_: object, name: str) -> object:
        compiled.append(name)
        return COMPILED

    monkeypatch.setattr(cuda_backend, "_compile_entry", compile_entry)
    backend = CudaBackend(find_rules(realmtable.game("classic_realm")))
    streams, drawn = make_array(1_000, 300, dtype="uint64"), make_array(2_000, 300)
    legal, counts = make_array(3_000, 300, 9), make_array(4_000, 300)
    batch: Any = SimpleNamespace(sample_streams=streams, legal_list=legal, legal_count=counts, drawn=drawn)
    fake_driver.word_count = 7 + 9 + 7 + 7
    for _ in range(2):
        backend.draw(batch)
    assert compiled == ["draw_games"]
    expected = [word for array in (streams, legal, counts, drawn) for word in pack_argument(array)]
    assert fake_driver.launches == [(HANDLE, (2, 1, 1, BLOCK, 1, 1, 0, 0), expected)] * 2


def test_the_handle_and_the_context_come_from_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = SimpleNamespace(handle=np.int64(HANDLE))
    library = SimpleNamespace(get_cufunc=lambda: SimpleNamespace(kernel=kernel))
    compiled = SimpleNamespace(overloads={"signature": SimpleNamespace(_codelibrary=library)})
    assert cuda_target.find_function(compiled) == HANDLE
    entered: list[bool] = []
    monkeypatch.setattr(cuda, "current_context", lambda: entered.append(True))
    cuda_target.enter_context()
    assert entered == [True]
    cuda_target.leave_observation(np.zeros(1, dtype=np.uint8), np.zeros(1, dtype=np.int16))
