"""Positions of the Realm board as planes."""

from __future__ import annotations

import numpy as np

from realmtable.kit.plane_kernels import Planes
from realmtable.kit.realm_board.plane_kernels import mark_realm


def test_a_realm_is_nine_spaces_and_no_realm_is_none() -> None:
    planes: Planes = np.zeros(2 * 144, dtype=np.uint8)
    mark_realm(planes, 1, 15)
    mark_realm(planes, 0, -1)
    assert np.flatnonzero(planes).tolist() == [144 + rank * 12 + file for rank in (9, 10, 11) for file in (9, 10, 11)]
