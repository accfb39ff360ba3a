"""Clearing observations, which all games do."""

from __future__ import annotations

import numpy as np
import pytest

from realmtable.kit.plane_kernels import Numbers, Planes, clear_at_once, clear_each


@pytest.mark.parametrize("clear", [clear_at_once, clear_each])
def test_an_observation_is_cleared(clear: object) -> None:
    planes: Planes = np.ones(8, dtype=np.uint8)
    numbers: Numbers = np.ones(3, dtype=np.int16)
    assert callable(clear)
    clear(planes, numbers)
    assert not planes.any()
    assert not numbers.any()
