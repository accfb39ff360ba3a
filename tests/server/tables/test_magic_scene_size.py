"""How much a viewer of Magic Realm is sent once they have the map."""

from __future__ import annotations

import gzip
from random import Random
from typing import Final

import orjson

from realmtable.server.tables.scenes.changes import NOTHING, Scene, find_change
from realmtable.server.tables.scenes.scene import SceneContext, scene
from realmtable.server.tables.table import Table
from tests.server.support.table_harness import start_table

# Compressed. A whole scene is sent when a viewer comes, and a change at each step.
MOST_BYTES: Final = 15_000
MOST_BYTES_OF_CHANGE: Final = 4_000
STEPS: Final = 400
EVERY: Final = 40
VIEWERS: Final = ((0,), (3,), ())


def see(table: Table, viewer: tuple[int, ...]) -> Scene:
    return scene(table, viewer, SceneContext({}, {}, None), pictures=True)


def count_bytes(data: Scene) -> int:
    return len(gzip.compress(orjson.dumps(data)))


def test_scenes_without_the_map_and_their_changes_are_small() -> None:
    table, rng = start_table("magic_realm", seats=4, options=("map=stock1", "days=7")), Random(5)
    sizes, changes = [], []
    for number in range(STEPS):
        if table.table.result is not None:
            break
        table.play(rng)
        if number % EVERY == 0:
            before = {viewer: find_change(NOTHING, see(table.table, viewer)) for viewer in VIEWERS}
            sizes += [count_bytes(whole) for _, whole in before.values()]
            table.play(rng)
            for viewer, (placed, _) in before.items():
                changes.append(count_bytes(find_change(placed, see(table.table, viewer))[1]))
    assert len(sizes) > 20
    assert max(sizes) < MOST_BYTES
    assert max(changes) < MOST_BYTES_OF_CHANGE
