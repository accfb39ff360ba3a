"""What the planes of all games share."""

from __future__ import annotations

import numpy as np
import pytest

from realmtable.kit.plane_kernels import Numbers, Planes, clear_at_once, clear_each
from realmtable.kit.realm_board.plane_kernels import mark_realm


@pytest.mark.parametrize("clear", [clear_at_once, clear_each])
def test_an_observation_is_cleared(clear: object) -> None:
    planes: Planes = np.ones(8, dtype=np.uint8)
    numbers: Numbers = np.ones(3, dtype=np.int16)
    assert callable(clear)
    clear(planes, numbers)
    assert not planes.any()
    assert not numbers.any()


def test_a_realm_is_nine_spaces_and_no_realm_is_none() -> None:
    planes: Planes = np.zeros(2 * 144, dtype=np.uint8)
    mark_realm(planes, 1, 15)
    mark_realm(planes, 0, -1)
    assert np.flatnonzero(planes).tolist() == [144 + rank * 12 + file for rank in (9, 10, 11) for file in (9, 10, 11)]
