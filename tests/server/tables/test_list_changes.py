"""Changes of scenes: together with the scene before, they are the scene after."""

from __future__ import annotations

from random import Random
from typing import Any

import orjson
import pytest

from realmtable.server.tables import actions
from realmtable.server.tables.scenes.list_changes import KnownLists, apply_changes, find_list_changes, known_lists
from realmtable.server.tables.scenes.move_list import MAX_RECENT_LINES, RECENT_LINES
from realmtable.server.tables.scenes.scene import SceneContext, encode_changes, encode_scene
from realmtable.server.tables.table import MAX_NEWS, Table, replace
from tests.server.support.table_harness import START, TableHarness, start_table

VIEWERS: tuple[tuple[int, ...], ...] = ((0,), (1,), (0, 1), ())


class Follower:
    """A viewer who receives one scene, and then changes as long as they can be sent."""

    def __init__(self, you: tuple[int, ...], *, groups: bool = False) -> None:
        self._you, self._groups = you, groups
        self._known: KnownLists | None = None
        self.scene: dict[str, Any] = {}
        self.whole_scenes = 0

    def follow(self, table: Table, context: SceneContext) -> None:
        known = self._known
        changes = None if known is None else encode_changes(table, self._you, context, known, groups=self._groups)
        whole = orjson.loads(encode_scene(table, self._you, context, pictures=False, groups=self._groups)[1])
        if changes is None:
            self.scene, self._known = whole, known_lists(table)
            self.whole_scenes += 1
        else:
            self.scene = apply_changes(self.scene, orjson.loads(changes.data))
            self._known = changes.now_known
        assert self.scene == whole


def play_on(table: TableHarness, rng: Random, number: int) -> None:
    """Play a step, or do something else that viewers see."""
    if number % 7 == 3 and actions.can_undo(table.table, (0, 1)):
        table.act(actions.undo, (0, 1))
    elif number % 31 == 30 and table.table.offer is None:
        table.act(actions.offer, (0,), "takeback")
        table.act(actions.answer_offer, (1,), accept=True)
    elif number % 13 == 12:
        table.act(actions.chat, "p0", (0,), "Hello")
    else:
        table.play(rng)


@pytest.mark.parametrize(
    "game", ["classic_realm", "medieval_realm", "modern_realm", "oriental_realm", "realm", "realms_of_etherium"]
)
def test_the_scene_before_and_the_changes_are_the_scene_after(game: str) -> None:
    table, rng = start_table(game), Random(5)
    followers = [Follower(you, groups=groups) for you in VIEWERS for groups in (False, True)]
    for number in range(40):
        context = SceneContext({}, {}, [True, number % 9 > 4], START + number)
        for follower in followers:
            follower.follow(table.table, context)
            if number % 8 == 5:  # a change that is none of the table's
                follower.follow(table.table, context._replace(connected=[False, True], now=START + number + 0.5))
        if table.table.result is not None:
            break
        play_on(table, rng, number)
    assert {follower.whole_scenes for follower in followers} <= {1, 2, 3, 4}  # the others were changes


def test_followers_who_have_missed_versions_get_what_they_lack() -> None:
    table, rng = start_table("classic_realm"), Random(3)
    follower = Follower((0,))
    for number in range(80):
        if number % 6 == 0:
            follower.follow(table.table, SceneContext({}, {}, None, START + number))
        if table.table.result is not None:
            break
        play_on(table, rng, number)
    assert follower.whole_scenes <= 3


def test_followers_of_one_table_share_the_changes() -> None:
    table, context = start_table("classic_realm"), SceneContext({}, {}, None, START)
    known = known_lists(table.table)
    assert known is not None
    assert known_lists(table.table) is known
    table.play(Random(1))
    first, second = [encode_changes(table.table, you, context, known) for you in ((0,), (1,))]
    assert first is not None
    assert second is not None
    assert first.now_known is second.now_known is known_lists(table.table)


def test_changes_are_smaller_than_scenes() -> None:
    table, rng, context = start_table("classic_realm"), Random(7), SceneContext({}, {}, None, START)
    for _ in range(RECENT_LINES + 5):
        table.play(rng)
    known = known_lists(table.table)
    table.play(rng)
    assert known is not None
    changes = encode_changes(table.table, (0,), context, known)
    assert changes is not None
    assert 2 * len(changes.data) < len(encode_scene(table.table, (0,), context, pictures=False)[1])


def test_the_whole_scene_is_sent_where_the_lists_differ_too_much() -> None:
    table, rng = start_table("classic_realm"), Random(7)
    for _ in range(4):
        table.play(rng)
    now = table.table
    known = known_lists(now)
    assert known is not None
    assert find_list_changes(now, known) is not None
    assert find_list_changes(now, known._replace(first=1)) is None  # a line from before those that are known
    assert find_list_changes(now, known._replace(entries=())) is not None
    many = tuple([now.lines[0]] * (MAX_RECENT_LINES + 1))
    assert find_list_changes(replace(now, lines=many), known) is None  # none of those that are known is left
    assert find_list_changes(now, known._replace(news=())) is None
    assert find_list_changes(now, known._replace(news=known.news[1:])) is None
    other = known.news[-1]._replace(version=99)
    assert find_list_changes(now, known._replace(news=(*known.news[:-1], other))) is None
    assert find_list_changes(replace(now, news=()), known) is None
    assert find_list_changes(replace(now, news=()), known._replace(news=())) is not None
    named = (*now.lines[:-1], now.lines[-1]._replace(topics=("trade",)))
    assert find_list_changes(replace(now, lines=named), known) is None
    assert known_lists(replace(now, lines=named)) is None
    assert len(known.news) <= MAX_NEWS


def test_where_viewers_know_different_things_the_whole_scene_is_sent() -> None:
    table = start_table("fantasy_realms", seats=3)
    assert known_lists(table.table) is None
    known = KnownLists((), 0, ())
    assert encode_changes(table.table, (0,), SceneContext({}, {}, None, START), known) is None
