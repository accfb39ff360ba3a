"""The bench of the scenes of Magic Realm."""

from __future__ import annotations

from itertools import islice

import pytest

from bench import magic_table_costs
from bench.magic_table_costs import VIEWERS, SentScene, Viewer
from realmtable.server.tables.scenes.scene import encode_scene


def test_viewers_get_a_whole_scene_first_and_then_what_changes() -> None:
    viewer = Viewer((0,))
    tables = [table for table, _ in islice(magic_table_costs.play_at_table(7, 1), 3)]
    sizes = [viewer.send(table) for table in tables]
    assert sizes[0] > 2 * sizes[-1]
    assert viewer.scene == encode_scene(tables[-1], (0,), magic_table_costs.CONTEXT, pictures=True, groups=True)[1]


def test_every_step_is_measured_for_every_viewer_but_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = list(islice(magic_table_costs.play_at_table(7, 1), 4))
    assert all(seconds > 0 for _, seconds in begun)
    monkeypatch.setattr(magic_table_costs, "play_at_table", lambda *_: iter(begun))
    scenes = magic_table_costs.measure_scenes(7)
    assert len(scenes) == 3 * len(VIEWERS)
    assert all(scene.sent > 0 and scene.seconds > 0 and scene.whole > 1000 and scene.kept > 0 for scene in scenes)


def test_figures_have_the_limits_of_the_design() -> None:
    scenes = [SentScene(0.01, 12_000, 300, 2_000)] * 98 + [SentScene(0.04, 16_000, 1_500, 2_000)] * 2
    found = {figure.name: (figure.value, figure.is_met) for figure in magic_table_costs.list_figures(scenes)}
    assert found == {
        "a step for one viewer, median": (10.0, True),
        "a step for one viewer, 99%": (40.0, False),
        "a whole scene, worst": (16.0, False),
        "what is sent, median": (0.3, True),
        "what is sent, 99%": (1.5, True),
        "memory kept for a step, mean": (2.0, True),
    }
