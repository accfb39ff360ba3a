"""The picture of a view: the map, a map that is being built, or characters among which players choose."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from realmtable.conformance.call_counts import count_calls
from realmtable.engine.pictures import insert_layers
from realmtable.games.magic_realm.flow.handlers import MACHINE, first_state
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.picture import map_building, view_picture
from realmtable.games.magic_realm.picture.characters import describe_character
from realmtable.games.magic_realm.picture.map_building import read_building
from realmtable.games.magic_realm.picture.map_ground import place_tiles
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.world import World
from realmtable.kit.picture_style import THEMES
from tests.magic_realm.helpers.flow_helpers import CATALOG
from tests.magic_realm.helpers.random_states import OPTIONS, random_states
from tests.magic_realm.picture.sent_pictures import count_sent_bytes
from tests.picture_checks import check_document, check_nothing_is_loaded, parse_svg, spaces_in, with_class

BUILT = MagicOptions(days="7", map="players")


@cache
def find_state(kind: str, laid: int = 4, seats: int = 2) -> World:
    """Return a state of a random game in which a question is asked, with some tiles on the map."""
    for world in random_states(seats, BUILT, Random(3), 1000):
        if world.agenda[-1].kind == kind and sum(tile.placed for tile in world.tiles) >= laid:
            return world
    raise AssertionError(kind)


def view_of(world: World, seat: int | None = None) -> dict[str, Any]:
    asked = MACHINE.to_move(world)[0]
    return view(world, MACHINE, asked if seat is None else seat)


def other_of(world: World) -> int:
    return 1 - MACHINE.to_move(world)[0]


# ---- all pictures
@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS)
def test_pictures_load_nothing_and_fit_their_layers(options: MagicOptions) -> None:
    for number, world in enumerate(random_states(3, options, Random(8), 300)):
        if number % 50 == 49:
            for seat, theme in zip((None, 0, 2), THEMES, strict=True):
                shown = view(world, MACHINE, seat)
                picture, layers = view_picture.draw(shown, theme), view_picture.layers(shown, theme)
                boxes = {parse_svg(part).get("viewBox") for part in (picture, *(layer.svg for layer in layers))}
                assert len(boxes) == 1
                assert not [handle for layer in layers for handle in spaces_in(parse_svg(layer.svg))]
                whole = insert_layers(picture, [layer.svg for layer in layers])
                check_nothing_is_loaded(whole, ("rt-", "mr-"))
                assert all(found.get("aria-label") for found in spaces_in(parse_svg(picture)).values())


@pytest.mark.long
def test_steps_change_little_of_the_picture() -> None:
    """A step sends at most 2.5 kB to each viewer, and mostly 300 bytes, except where another picture comes."""
    worlds = [world for world in random_states(4, OPTIONS[0], Random(6), 300) if world.day]
    pictures = [view_picture.draw(view(world, MACHINE, 1)) for world in worlds]
    is_melee = ['data-noun="piece"' in picture for picture in pictures]
    sent = zip(count_sent_bytes(pictures)[1:], pairwise(is_melee), strict=True)
    sizes = sorted(size for size, (before, after) in sent if size and before == after)
    assert len(sizes) > 30
    assert sizes[-1] < 2_500
    assert sizes[len(sizes) // 2] < 300


@pytest.mark.long
def test_pictures_are_drawn_with_bounded_work() -> None:
    for number, world in enumerate(random_states(3, OPTIONS[3], Random(9), 400)):
        if number % 20 == 0:
            shown = view(world, MACHINE, 0)
            assert count_calls(lambda shown=shown: view_picture.draw(shown))[1] < 120_000  # type: ignore[misc]
            assert count_calls(lambda shown=shown: view_picture.draw(shown))[1] < 20_000  # type: ignore[misc]


def test_the_title_says_when_it_is() -> None:
    shown = view_of(find_state("write", 20))
    assert view_picture.headline(shown) == "day 1 of 7, birdsong"
    assert view_picture.headline({**shown, "part": "over"}) == "the end"
    assert parse_svg(view_picture.draw(view_of(find_state("tile")))).get("aria-label") == "Magic Realm: set-up"


def test_the_clearings_of_the_last_turn_are_marked() -> None:
    shown = {**view_of(find_state("write", 20)), "last": [["CG2"], ["H"], ["pony", "BV4"]]}
    spaces = spaces_in(parse_svg(view_picture.draw(shown)))
    assert [handle for handle, found in spaces.items() if with_class(found, "mr-last")] == ["BV4", "CG2"]


# ---- a map that is being built


def test_a_map_without_tiles_has_a_picture() -> None:
    shown = view(first_state(2, BUILT), MACHINE, 0)
    check_document(insert_layers(view_picture.draw(shown), [layer.svg for layer in view_picture.layers(shown)]), 80_000)


def test_the_player_who_lays_a_tile_sees_the_hand_and_then_free_places_and_turns() -> None:
    tile, place, angle = (view_of(find_state(kind)) for kind in ("tile", "place", "angle"))
    hand = {f"tile {found.name}" for found in CATALOG.tiles
            if found.code in tile["players"][tile["viewer"]]["hand"]}  # fmt: skip
    drawn = [{*spaces_in(parse_svg(view_picture.draw(shown)))} for shown in (tile, place, angle)]
    assert hand <= drawn[0]
    assert set(place["question"]["moves"]) <= drawn[1]
    assert set(angle["question"]["moves"]) <= drawn[2]
    assert not [handle for handle in drawn[0] if handle.startswith(("place", "turn"))]


def test_the_chosen_tile_and_its_place_are_marked() -> None:
    place, angle = (parse_svg(view_picture.draw(view_of(find_state(kind)))) for kind in ("place", "angle"))
    chosen = [handle for handle, found in spaces_in(place).items() if with_class(found, "mr-turning")]
    assert chosen == [f"tile {view_of(find_state('place'))['doing']['about']}"]
    assert len(with_class(angle, "mr-turning")) == 1


def test_others_see_the_hand_but_no_places_to_choose() -> None:
    for kind in ("tile", "place", "angle"):
        world = find_state(kind)
        shown = view_of(world, other_of(world))
        handles = spaces_in(parse_svg(view_picture.draw(shown)))
        assert not [handle for handle in handles if handle.startswith(("place", "turn"))]
        assert [handle for handle in handles if handle.startswith("tile ")]


def test_the_tray_is_below_the_map_and_large_enough_for_a_finger() -> None:
    for laid in (1, 6, 12):
        shown = view_of(find_state("tile", laid))
        found = read_building(shown, place_tiles(shown["map"]["tiles"]))
        assert found is not None
        assert found.box.high > found.land.high
        assert map_building._pitch(found.land) * 360 / found.box.wide >= 40


def test_a_complete_map_is_not_being_built() -> None:
    shown = view_of(find_state("write", 20))
    assert read_building(shown, place_tiles(shown["map"]["tiles"])) is None
    assert read_building({**shown, "doing": None}, ()) is None


# ---- characters


def test_characters_are_chosen_from_cards_that_show_which_are_taken() -> None:
    first, second = (view_of(world) for world in (find_state("be", 20), _second_choice()))
    handles = spaces_in(parse_svg(view_picture.draw(first)))
    assert {*handles} == {f"be {character.name}" for character in CATALOG.characters}
    assert view_picture.layers(first) == []
    assert {found.get("data-card") for found in handles.values()} == {one.name for one in CATALOG.characters}
    taken = second["players"][0]["character"]
    marked = [
        handle
        for handle, found in spaces_in(parse_svg(view_picture.draw(second))).items()
        if with_class(found, "mr-taken")
    ]
    assert marked == [f"be {taken}"]


def _second_choice() -> World:
    return next(world for world in random_states(2, BUILT, Random(3), 1000)
                if world.agenda[-1].kind == "be" and world.agenda[-1].seat == 1)  # fmt: skip


def test_a_new_life_is_chosen_from_cards_while_others_see_the_map() -> None:
    shown = view_of(find_state("write", 20))
    chooses = {**shown, "question": {**shown["question"], "kind": "life"}}
    assert view_picture.layers(chooses) == []
    assert view_picture.layers({**chooses, "question": None}) != []


def test_a_card_tells_everything_about_a_character() -> None:
    words = describe_character(CATALOG.characters[0])
    assert words.startswith(
        "Amazon. Medium fighter. Starts at the Inn with Short Sword, Helmet, Breastplate, Shield. Aim:"
    )
    assert words.endswith("Fight M3**, Move M3*.")
    assert "with nothing." in describe_character(next(one for one in CATALOG.characters if one.name == "Witch"))
