"""How much a viewer of Magic Realm is sent once they have the map."""

from __future__ import annotations

import gzip
from random import Random
from typing import Final

import orjson

from realmtable.server.tables.scenes.scene import scene
from tests.server.support.table_harness import start_table
from tests.server.tables.test_move_list import CONTEXT

# Compressed. A whole scene is sent when a viewer comes, and patches of at most 2 kB at each step
# (tests/magic_realm/picture/test_view_picture.py).
MOST_BYTES: Final = 15_000
STEPS: Final = 400
EVERY: Final = 40


def test_a_whole_scene_without_the_map_is_small() -> None:
    table, rng = start_table("magic_realm", seats=4, options=("map=stock1", "days=7")), Random(5)
    sizes = []
    for number in range(STEPS):
        if table.table.result is not None:
            break
        table.play(rng)
        if number % EVERY == 0:
            for viewer in ((0,), (3,), ()):
                shown = orjson.dumps(scene(table.table, viewer, CONTEXT, pictures=True))
                sizes.append(len(gzip.compress(shown)))
    assert len(sizes) > 20
    assert max(sizes) < MOST_BYTES
