"""The Realm board as lookup arrays for kernels."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.kit.realm_board.geometry import CELLS, CENTERS, REALMS, SIDE, center_of, ray, realm_of, spaces_of

REALM_OF: Final = np.array([realm_of(cell) for cell in range(CELLS)], dtype=np.int64)  # [144] -> Realm
CENTER: Final = np.array(CENTERS, dtype=np.int64)  # [16] -> space
IS_CENTER: Final = np.array([cell in CENTERS for cell in range(CELLS)], dtype=np.bool_)  # [144]
SPACES: Final = np.array([spaces_of(realm) for realm in range(REALMS)], dtype=np.int64)  # [16, 9] -> space
REACH: Final = np.array(
    [[len(ray(cell, way)) for way in range(4)] for cell in range(CELLS)], dtype=np.int64
)  # [144, 4]
STRIDE: Final = np.array([SIDE, 1, -SIDE, -1], dtype=np.int64)  # [4] -> offset of the next space N, E, S, W
DIRECTIONS_BETWEEN: Final = (
    np.array(  # [16, 16] -> bits of the directions that lead from one Realm to another along a rank or file
        [
            [
                sum(
                    1 << way
                    for way in range(4)
                    if any(realm_of(cell) == target for cell in ray(center_of(source), way))
                )
                for target in range(REALMS)
            ]
            for source in range(REALMS)
        ],
        dtype=np.int64,
    )
    * (1 - np.eye(REALMS, dtype=np.int64))
)
