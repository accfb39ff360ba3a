"""Changes of scenes: applied to what was sent before, they give the whole scene, in order."""

from __future__ import annotations

import gzip
from itertools import pairwise
from random import Random
from typing import Any, Final

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine import registry
from realmtable.server.tables import actions
from realmtable.server.tables.events.step import list_news
from realmtable.server.tables.scenes.changes import (
    LEAST_GAP,
    NOTHING,
    Places,
    Scene,
    apply_change,
    find_change,
    place_entries,
    read_scene,
    whole_change,
)
from realmtable.server.tables.scenes.move_list import RECENT_LINES, list_recent_moves
from realmtable.server.tables.scenes.scene import SceneContext, scene, viewpoint
from realmtable.server.tables.table import Table, replace
from realmtable.server.tables.viewer_knowledge import names_for
from tests.seeds import mark_long
from tests.server.support.table_harness import TableHarness, show, start_table

KEYS = "abcdefgh"
STEPS = 22
ORDERS = st.lists(st.sampled_from(KEYS), unique=True)


def make_scene(news: list[str], parts: list[str], step: int) -> Scene:
    """Return a scene; in the next step, half of its entries have another value."""
    words = {str(ord(key)): {"words": ord(key) * step % 3} for key in sorted(news)}
    return {"step": step, "acting": [step % 2], "news": words, "picture": dict.fromkeys(parts, f"<g>{step % 2}</g>")}


SCENES = st.builds(make_scene, ORDERS, ORDERS, st.integers(0, 3))


def send(data: Any) -> Any:
    """Return data as it arrives."""
    return orjson.loads(orjson.dumps(data))


# ---- any scenes


@given(st.lists(SCENES, max_size=6))
def test_each_change_gives_the_whole_scene_in_order(scenes: list[Scene]) -> None:
    placed, sent = NOTHING, Scene()
    for each in scenes:
        placed, change = find_change(placed, each)
        check_that_all_differs(sent, send(change))
        sent = apply_change(sent, send(change))
        assert sent == send(whole_change(placed))
        assert (sent["step"], sent["acting"]) == (each["step"], each["acting"])
        assert [(key, {"words": entry["words"]}) for key, entry in sent["news"].items()] == [*each["news"].items()]
        assert [(key, part["svg"]) for key, part in sent["picture"].items()] == [*each["picture"].items()]
        assert find_change(placed, send(each))[1] == {}


def check_that_all_differs(before: Scene, change: Scene) -> None:
    """Check that a change has nothing that is known already."""
    for name, value in change.items():
        if name not in before:
            continue
        assert value != before[name]
        if isinstance(value, dict):
            assert value
            assert all(entry != before[name].get(key) for key, entry in value.items())


@given(st.lists(ORDERS))
def test_places_ascend_whatever_the_order_was_before(orders: list[list[str]]) -> None:
    places: Places = {}
    for order in orders:
        places = place_entries(order, places)
        assert [*places] == order
        assert all(after - before >= LEAST_GAP for before, after in pairwise(places.values()))


@given(ORDERS, st.sets(st.sampled_from(KEYS)), st.lists(st.tuples(st.integers(0, 8), st.sampled_from("xyz"))))
def test_entries_that_stay_in_order_keep_their_places(
    order: list[str], removed: set[str], added: list[tuple[int, str]]
) -> None:
    known = place_entries(order, {})
    later = [key for key in order if key not in removed]
    for index, key in dict(reversed(added)).items():
        if key not in later:
            later.insert(index, key)
    places = place_entries(later, known)
    assert {key: places[key] for key in later if key in known} == {key: known[key] for key in later if key in known}


def test_entries_whose_places_become_too_close_are_numbered_again() -> None:
    parts, placed, sent, numbered_again = ["first", "last"], NOTHING, Scene(), 0
    for number in range(100):
        parts.insert(1, str(number))
        placed, change = find_change(placed, {"picture": dict.fromkeys(parts, "<g/>")})
        sent = apply_change(sent, change)
        assert [*sent["picture"]] == parts
        numbered_again += len(change["picture"]) > 1
    assert 2 <= numbered_again <= 1 + 100 // 15  # the first scene is sent whole


def test_entries_that_are_only_added_and_removed_are_sent_once() -> None:
    """As with lines and news, of which the latest are shown."""
    placed, sent = NOTHING, Scene()
    for number in range(200):
        lines = {str(n): {"text": f"line {n}"} for n in range(max(0, number - 9), number + 1)}
        placed, change = find_change(placed, {"lines": lines})
        assert {key for key, entry in change["lines"].items() if entry is not None} == {str(number)}
        sent = apply_change(sent, change)
        assert [*sent["lines"]] == [*lines]


# ---- tables


class Follower:
    """A viewer who is sent the changes of a table's scenes."""

    def __init__(self, you: tuple[int, ...], *, pictures: bool = False) -> None:
        self._you, self._pictures = you, pictures
        self._placed, self._sent = NOTHING, Scene()
        self.sizes: list[int] = []

    def follow(self, table: Table, context: SceneContext) -> Scene:
        self._placed, change = find_change(self._placed, scene(table, self._you, context, pictures=self._pictures))
        self._sent = apply_change(self._sent, send(change))
        shown, fresh = read_scene(self._sent), replace(table, viewer_caches={})  # of which nothing was kept
        assert shown == send(show(fresh, self._you, context=context, pictures=self._pictures))
        self.sizes.append(len(orjson.dumps(change)))
        return shown


def act(table: TableHarness, rng: Random, number: int) -> None:
    """Play a step, or do something else that viewers see."""
    if number % 7 == 3 and actions.can_undo(table.table, (0, 1)):
        table.act(actions.undo, (0, 1))
    elif number == 18 and not table.table.game.info.hidden:
        table.act(actions.offer, (0,), "takeback")
        table.act(actions.answer_offer, (1,), accept=True)
    elif number % 8 == 4:
        table.now += 1
        table.act(actions.chat, "p0", (0,), f"Hello {number}")
    elif table.table.result is None:
        table.play(rng)


@pytest.mark.parametrize("game", mark_long((info.id for info in registry.infos() if 2 in info.seats), "modern_realm"))
def test_viewers_of_any_game_see_the_whole_scene_after_each_change(game: str) -> None:
    table, rng = start_table(game), Random(5)
    viewers: tuple[tuple[int, ...], ...] = ((0,), (1,), (0, 1), ())
    followers = {you: Follower(you, pictures=you == (0,)) for you in viewers}
    for number in range(STEPS):
        if number == STEPS - 1:
            table.act(actions.resign, (1,))
        context = SceneContext({}, {}, [True, number % 9 > 4])
        for you, follower in followers.items():
            shown, seen = follower.follow(table.table, context), table.table
            # Each entry has a key of its own: none has replaced another.
            assert shown["lines"] == send(list_recent_moves(seen, you, viewpoint(seen, you))[0])
            names = names_for(seen.game, seen.game.view(seen.match.state, viewpoint(seen, you)), 2)
            assert shown["news"] == send(list_news(seen, viewpoint(seen, you), seen.numbering(you), names))
            chat = [message.text for message in seen.chat] if shown["chat_open"] else []
            assert [message["text"] for message in shown["chat"]] == chat
        act(table, rng, number)


def test_changes_are_much_smaller_than_scenes() -> None:
    table, rng, follower = start_table("classic_realm"), Random(7), Follower((0,), pictures=True)
    for _ in range(RECENT_LINES + 5):
        follower.follow(table.table, SceneContext({}, {}, None))
        table.play(rng)
    whole, *changes = follower.sizes
    assert 6 * max(changes) < whole


# Compressed. A whole scene is sent when a viewer comes, and a change at each step.
MOST_BYTES: Final = 15_000
MOST_BYTES_OF_CHANGE: Final = 4_500  # with chips, steps of the turn, choices and cards of news
EVERY: Final = 40
VIEWERS: Final = ((0,), (3,), ())


def see(table: Table, viewer: tuple[int, ...]) -> Scene:
    return scene(table, viewer, SceneContext({}, {}, None), pictures=True)


def count_bytes(data: Scene) -> int:
    return len(gzip.compress(orjson.dumps(data)))


@pytest.mark.long
def test_scenes_without_the_map_and_their_changes_are_small() -> None:
    table, rng = start_table("magic_realm", seats=4, options=("map=stock1", "days=7")), Random(5)
    sizes, changes = [], []
    for number in range(400):
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
