"""The bench of the scenes of Magic Realm."""

from __future__ import annotations

from itertools import islice

import pytest
from click.testing import CliRunner

from bench import magic_scenes
from bench.magic_scenes import VIEWERS, SentScene, Viewer
from realmtable.server.tables.scenes.scene import encode_scene


def test_viewers_get_a_whole_scene_first_and_then_what_changes() -> None:
    viewer = Viewer((0,))
    tables = [table for table, _ in islice(magic_scenes.play_week(7, 1), 3)]
    sizes = [viewer.send(table) for table in tables]
    assert sizes[0] > 2 * sizes[-1]
    assert viewer.scene == encode_scene(tables[-1], (0,), magic_scenes.CONTEXT, pictures=True, groups=True)[1]


def test_every_step_is_measured_for_every_viewer_but_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = list(islice(magic_scenes.play_week(7, 1), 4))
    assert all(seconds > 0 for _, seconds in begun)
    monkeypatch.setattr(magic_scenes, "play_week", lambda *_: iter(begun))
    scenes = magic_scenes.measure(7, 1)
    assert len(scenes) == 3 * len(VIEWERS)
    assert all(scene.sent > 0 and scene.seconds > 0 and scene.whole > 1000 for scene in scenes)


def test_figures_are_printed_with_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = [SentScene(0.01, 12_000, 300)] * 98 + [SentScene(0.04, 16_000, 1_500)] * 2
    monkeypatch.setattr(magic_scenes, "measure", lambda *_: scenes)
    done = CliRunner().invoke(magic_scenes.main, ["--days", "14"])
    assert "| a step for one viewer, median | 10 ms | ≤ 30 ms | yes |" in done.output
    assert "| a step for one viewer, 99% | 40 ms | ≤ 30 ms | no |" in done.output
    assert "| a whole scene, worst | 16 kB | ≤ 15 kB | no |" in done.output
    assert "20 steps, 5 viewers." in done.output
