"""Patches between scenes: they lead to the very text of the later scene, and are small for every board game."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from random import Random

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.server.tables.live.event_stream import compress_block
from realmtable.server.tables.live.scene_patch import MAX_SHARE, apply_patch, make_patch
from realmtable.server.tables.scenes.scene import SceneContext, scene
from tests.server.support.table_harness import start_table

BOARD_GAMES = ("classic_realm", "medieval_realm", "modern_realm", "oriental_realm", "realm")
MOVES = 30
MAX_MEAN_BYTES = 2_000  # of a move on the wire
TEXTS = st.lists(st.sampled_from(["a", "b", "é", "<", "<g>", "<rect/>", '\\"', "𝛀"]), max_size=60).map("".join)


def play_scenes(game: str, *, pictures: bool) -> Iterator[bytes]:
    found, rng = start_table(game), Random(3)
    context = SceneContext({}, {}, [True, True], 0.0)
    for _ in range(MOVES):
        yield orjson.dumps(scene(found.table, (0,), context, pictures=pictures))
        if found.table.result is not None:
            return
        found.play(rng)


@given(TEXTS, TEXTS)
def test_a_patch_leads_to_the_later_text(before: str, after: str) -> None:
    padding = "x" * 400  # so that a patch is worth it
    old, new = f"{padding}<{before}".encode(), f"{padding}<{after}".encode()
    patch = make_patch(old, new)
    assert patch is not None
    assert apply_patch(old, patch) == new


def test_a_patch_that_is_nearly_as_long_as_the_scene_is_not_made() -> None:
    assert make_patch(b'{"a":1}', b'{"b":2}') is None
    assert make_patch(b"<" * 500, b"x" * 500) is None


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_a_move_of_a_board_game_takes_little_on_the_wire(game: str) -> None:
    for pictures in (False, True):
        reader, wire, sizes = zlib.decompressobj(-15), b"", []
        before = sent = b""
        for data in play_scenes(game, pictures=pictures):
            patch = make_patch(before, data) if before else None
            if pictures and before:
                assert patch is not None
                assert len(patch) <= MAX_SHARE * len(data)
            event = patch or data
            wire = compress_block(event, sent)
            assert reader.decompress(wire) == event
            assert before == b"" or patch is None or apply_patch(before, patch) == data
            sizes += [len(wire)] if before else []
            before, sent = data, event
        assert sum(sizes) / len(sizes) < MAX_MEAN_BYTES, (game, pictures, sizes)
