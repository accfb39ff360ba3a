"""Kernels are translated once and become machine code only where Python calls them."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from realmtable.kit import linked_kernels
from realmtable.kit.array_kernels import copy_at_once, copy_each
from realmtable.kit.compile import kernel
from realmtable.kit.linked_kernels import Kernel


@Kernel
def add(number: int, other: int) -> int:
    return number + other


@Kernel
def add_three_times(number: int) -> int:
    return add(add(number, 1), 2) + add(number, number)  # type: ignore[no-any-return] # Numba has no types


@Kernel
def is_even(number: int) -> bool:
    return True if number == 0 else is_odd(number - 1)


@Kernel
def is_odd(number: int) -> bool:
    return False if number == 0 else is_even(number - 1)


@Kernel
def divide(number: int, other: int) -> int:
    return number // other


@Kernel
def sum_of_shares(number: int) -> int:
    shares = np.zeros(3, dtype=np.int64)
    for index in range(3):
        shares[index] = divide(12, number - index)
    return add(shares[0], add(shares[1], shares[2]))  # type: ignore[no-any-return]


def translations(made: Kernel) -> int:
    return len(made.part.overloads)


@pytest.mark.long
def test_a_kernel_is_translated_once_however_it_is_called() -> None:
    assert add_three_times(5) == 18
    assert len(add_three_times.signatures) == translations(add_three_times) == 1
    assert translations(add) == 1  # for constants and others alike
    assert not add.signatures  # there is no machine code of it alone
    assert add(1, 2) == 3
    assert (len(add.signatures), translations(add)) == (1, 1)


def test_kernels_call_each_other_in_a_circle() -> None:
    assert [is_even(number) for number in range(4)] == [True, False, True, False]
    assert is_odd(3)


@pytest.mark.long
def test_kernels_allocate_and_raise_like_their_functions() -> None:
    assert sum_of_shares(3) == 4 + 6 + 12
    with pytest.raises(ZeroDivisionError):
        sum_of_shares(2)


def test_garbage_collection_is_as_before_after_compiling() -> None:
    for switch in (gc.disable, gc.enable):
        switch()
        expected = gc.isenabled()
        with linked_kernels._without_garbage_collection():
            assert not gc.isenabled()
        assert gc.isenabled() == expected


def test_a_linked_kernel_is_loaded_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    for hits in (0, 1):
        made = Kernel(add_three_times.py_func)
        made.enable_caching()
        assert made(5) == 18
        assert sum(made.stats.cache_hits.values()) == hits
        assert translations(made) == 1 - hits


def test_another_numba_compiles_kernels_its_own_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REALMTABLE_COMPILE", "1")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setitem(sys.modules, "realmtable.kit.linked_kernels", None)  # as if it could not be imported
    made: Any = kernel(add.py_func)
    assert isinstance(made, numba.core.registry.CPUDispatcher)
    assert not isinstance(made, Kernel)


@pytest.mark.parametrize("copy", [copy_at_once, copy_each])
def test_both_ways_copy_an_array(copy: Callable[[NDArray[np.int64], NDArray[np.int64]], None]) -> None:
    target, source = np.zeros(3, dtype=np.int64), np.array([4, 5, 6])
    copy(target, source)
    assert target.tolist() == [4, 5, 6]
