"""What lies on the map, and the action chits: each thing has its handle, its label and its shape."""

from __future__ import annotations

import gzip
from collections import Counter
from functools import partial
from xml.etree import ElementTree as ET

import pytest

from realmtable.conformance.call_counts import count_calls
from realmtable.engine.pictures import insert_layers
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.picture import counters, emblems
from realmtable.games.magic_realm.picture.action_chits import draw_action_chits
from realmtable.games.magic_realm.picture.chit_handles import list_chit_handles
from realmtable.games.magic_realm.picture.geometry import distance
from realmtable.games.magic_realm.picture.labels import label_action_chit, label_chit, label_group
from realmtable.games.magic_realm.picture.map_layers import AREA_RADIUS, draw, layers
from realmtable.games.magic_realm.picture.style import STYLE
from realmtable.games.magic_realm.view_parts.map_schema import ActionChitData, ChitData, DenizenData, HeroData, MapData
from tests.magic_realm.helpers.sample_map import make_bare_map, make_map
from tests.magic_realm.picture.sent_pictures import count_sent_bytes
from tests.picture_checks import check_document, check_nothing_is_loaded

CATALOG = load_catalog()


def nodes_of(svg: str) -> list[ET.Element]:
    return list(ET.fromstring(svg).iter())  # noqa: S314 - our own picture


def handles_of(data: MapData) -> dict[str, ET.Element]:
    return {handle: node for node in nodes_of(draw(data)) if (handle := node.get("data-handle"))}


def label_of(data: MapData, handle: str) -> str:
    return handles_of(data)[handle].get("aria-label") or ""


def text_of(node: ET.Element) -> list[str]:
    return [one.text or "" for one in node.iter() if one.tag.endswith("text")]


def classes_of(node: ET.Element) -> list[str]:
    return [name for one in node.iter() for name in (one.get("class") or "").split()]


def map_with(**changes: object) -> MapData:
    return {**make_bare_map(), **changes}  # type: ignore[typeddict-item]  # a test names a few of the fields


# ---- handles


@pytest.mark.parametrize("number", [0, 1, 2])
def test_every_clearing_and_tile_has_one_handle_and_a_label(number: int) -> None:
    handles = [node for node in nodes_of(draw(make_map(number))) if node.get("data-handle")]
    names = Counter(node.get("data-handle") for node in handles)
    assert max(names.values()) == 1
    clearings, codes = {*CATALOG.names.by_number("clearing").values()}, {f"tile:{tile.code}" for tile in CATALOG.tiles}
    assert clearings | codes | {"Elf", "Dwarf"} <= {*names}
    assert all(node.get("role") == "button" and node.get("tabindex") == "-1" for node in handles)
    labels = {node.get("data-handle"): node.get("aria-label") or "" for node in handles}
    for tile in CATALOG.tiles:
        assert labels[f"tile:{tile.code}"].startswith(f"{tile.name}, ")
        assert all(labels[f"{tile.code}{n}"].startswith(f"{tile.name} {n}, ") for n in tile.numbers)


def test_a_handle_is_large_enough_for_a_finger_at_the_suggested_view() -> None:
    focus = nodes_of(draw(make_map()))[0].get("data-focus") or ""
    wide = float(focus.split()[2])
    assert 2 * AREA_RADIUS * 360 / wide >= 40


def test_the_picture_and_its_layer_have_the_same_view_box() -> None:
    data = make_map(1)
    picture, layer = draw(data), layers(data)[0].svg
    assert nodes_of(picture)[0].get("viewBox") == nodes_of(layer)[0].get("viewBox")
    assert nodes_of(insert_layers(picture, [layer]))[0].get("data-pans") == ""


def test_the_moving_part_is_small() -> None:
    assert len(gzip.compress(draw(make_bare_map()).encode())) < 7_500
    assert len(gzip.compress(draw(make_map()).encode())) < 10_000


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_the_whole_picture_loads_nothing(theme: str) -> None:
    data = make_map()
    picture = insert_layers(draw(data, theme), [layer.svg for layer in layers(data, theme)])
    check_document(picture, most_bytes=130_000)
    check_nothing_is_loaded(picture, ("rt-", "mr-"))
    check_nothing_is_loaded(draw_action_chits(chits_of("Witch King"), theme), ("rt-", "mr-"))


def test_a_step_changes_little_of_the_picture() -> None:
    before, after = make_map(), make_map()
    elf, monsters = after["heroes"][0], after["denizens"]
    elf["at"], elf["hidden"] = "CN1", True
    monsters += [{"at": "CN1", "name": f"Giant Bat-{number}", "side": "light"} for number in (4, 5)]
    after["chits"] = [{**chit, "name": "Slither-6", "face_up": True} if chit["tile"] == "CN" and not chit["name"]
                      else chit for chit in after["chits"]]  # fmt: skip
    after["route"], after["focus"] = ["CN1", "CN3"], "CN1"
    assert count_sent_bytes([draw(data, marked=["CN1"]) for data in (before, after)])[1] < 1_500


def test_a_picture_that_is_drawn_again_takes_little_work() -> None:
    data = make_map()
    draw(data)
    assert count_calls(partial(draw, data))[1] < 4_000


def test_every_class_has_a_style() -> None:
    without_style = {"mr-places", "mr-kind"}
    chits = draw_action_chits(chits_of("Berserker"))
    names = {name for svg in (draw(make_map()), chits) for name in classes_of(nodes_of(svg)[0])}
    assert [name for name in names - without_style if name.startswith("mr-") and f".{name}" not in STYLE] == []


def test_the_focus_is_on_a_tile() -> None:
    by_clearing, by_tile = (nodes_of(draw(map_with(focus=name)))[0].get("data-focus") for name in ("BV5", "BV"))
    assert by_clearing == by_tile
    assert nodes_of(draw(make_bare_map()))[0].get("data-focus") is None


# ---- clearings


def test_a_label_says_what_is_in_a_clearing() -> None:
    data = make_map()
    assert label_of(data, "BV5") == "Bad Valley 5, meadow. Inn. Elf. Dwarf, hidden. 8 of the Rogues with their leader"
    assert label_of(data, "DV1") == "Dark Valley 1, meadow, grey magic"
    assert label_of(data, "CG4") == "Crag 4, mountain. 2 Wolves. T Dragon, red side up. Howl 4. 3 abandoned things"
    assert label_of(data, "CS6") == "Caves 6, cave. 3 Giant Bats. Ogre, dark side up"
    assert label_of(data, "R5").endswith("1 of the Lancers, hired")
    assert label_of(data, "HP1").endswith("1 abandoned thing")
    assert label_of(data, "CL6") == "Cliff 6, mountain. Hoard, seen face down"


def test_a_label_says_what_is_in_a_tile() -> None:
    data = make_map()
    assert label_of(data, "tile:CG") == "Crag, mountain tile. Unknown mountain chit"
    assert label_of(data, "tile:DV") == "Dark Valley, enchanted valley tile"
    assert label_of(data, "tile:LW") == "Linden Woods, woods tile. Stink W"


def test_a_clearing_with_counters_can_be_enlarged() -> None:
    handles = handles_of(make_map())
    assert handles["CG4"].get("data-details") == ""
    assert handles["CG1"].get("data-details") is None


def test_an_unknown_chit_shows_its_letter_and_nothing_else() -> None:
    data = map_with(chits=[{"tile": "CG", "back": "M", "name": "", "face_up": False}])
    assert text_of(handles_of(data)["tile:CG"]) == ["M"]
    assert "Howl" not in draw(data)


def test_a_chit_that_the_viewer_has_seen_has_an_eye_and_a_broken_edge() -> None:
    peeked: ChitData = {"tile": "CG", "back": "M", "name": "Howl-4", "face_up": False}
    shown: ChitData = {**peeked, "face_up": True}
    first, second = (classes_of(handles_of(map_with(chits=[chit]))["CG4"]) for chit in (peeked, shown))
    assert {"mr-eye", "mr-peek"} <= {*first}
    assert not {"mr-eye", "mr-peek"} & {*second}
    assert label_chit(counters.DrawnChit("M", "Howl-4", is_face_up=False)) == "Howl 4, seen face down"
    assert label_chit(counters.DrawnChit("M", "Howl-4", is_face_up=True)) == "Howl 4"


def test_kinds_of_chits_differ_in_outline() -> None:
    names = ("Howl-4", "Hoard", "Smoke M")
    chits = [CATALOG.map_chits[CATALOG.names.find(name, "map chit").id] for name in names]
    assert len({counters._slip_path(chit, 40) for chit in chits}) == 3


def test_hidden_heroes_have_a_leaf() -> None:
    handles = handles_of(make_map())
    assert "mr-cover" in classes_of(handles["Dwarf"])
    assert "mr-cover" not in classes_of(handles["Elf"])
    assert handles["Dwarf"].get("aria-label") == "Dwarf, in Bad Valley 5, hidden"


def test_heroes_stand_in_the_order_of_the_data_so_that_a_page_can_move_them() -> None:
    heroes = make_map()["heroes"]
    moved = map_with(heroes=[{**hero, "at": "AV1"} for hero in heroes])
    names = [hero["character"] for hero in heroes]
    for data in (make_map(), moved):
        assert [name for name in handles_of(data) if name in names] == names


def test_a_hero_on_a_road_stands_between_its_ends() -> None:
    def find_spot(at: str) -> tuple[float, float]:
        elf: HeroData = {"seat": 0, "character": "Elf", "at": at, "hidden": False}
        node = handles_of(map_with(heroes=[elf]))["Elf"]
        x, y = (node.get("transform") or "")[10:-1].split()
        return float(x), float(y)

    for start, end in (("BV2", "BV5"), ("BV5", "CN1")):
        points = [find_spot(at) for at in (start, end, f"{start}-{end}")]
        assert distance(points[2], points[0]) + distance(points[2], points[1]) < 1.3 * distance(points[0], points[1])
        assert min(distance(points[2], end) for end in points[:2]) > 10
    elf: HeroData = {"seat": 0, "character": "Elf", "at": "BV2-BV5", "hidden": True}
    assert (
        label_of(map_with(heroes=[elf]), "Elf") == "Elf, on the roadway between Bad Valley 2 and Bad Valley 5, hidden"
    )


def test_clearings_of_the_latest_steps_are_marked() -> None:
    nodes = nodes_of(draw(make_bare_map(), marked=["CG4", "AV1", "no clearing"]))
    handles = {node.get("data-handle"): node for node in nodes}
    marked = [handle for handle, node in handles.items() if handle and "mr-last" in classes_of(node)]
    assert sorted(marked) == ["AV1", "CG4"]


def test_every_character_monster_and_dwelling_has_a_picture() -> None:
    characters = [character.name for character in CATALOG.characters]
    assert sorted(characters) == sorted(emblems.CHARACTER_EMBLEMS)
    assert len({*emblems.CHARACTER_EMBLEMS.values()}) == len(characters)
    families = {emblems.monster_emblem(monster.kind) for monster in CATALOG.monsters}
    assert len(families) == len(emblems.MONSTER_EMBLEMS) == len({*emblems.MONSTER_EMBLEMS.values()})
    assert [dwelling.name for dwelling in CATALOG.dwellings] == [*emblems.DWELLINGS]
    assert len({*emblems.DWELLINGS.values()}) == len(CATALOG.dwellings)


def test_tokens_show_side_number_and_employer() -> None:
    handles = handles_of(make_map())
    crag = handles["CG4"]
    assert "2" in text_of(crag)  # wolves
    assert {"mr-deadly", "mr-fold"} <= {*classes_of(crag)}
    assert "mr-turned" in classes_of(handles["CS6"])
    assert "Am" in text_of(handles["R5"])  # the flag of the Amazon
    assert "mr-flag" in classes_of(handles["R5"])


def test_many_kinds_in_a_clearing_become_a_number() -> None:
    assert "+3" in text_of(handles_of(make_map())["HP1"])


def test_a_single_thing_is_a_sack_without_a_number() -> None:
    handles = handles_of(map_with(piles=[{"at": "CG4", "count": 1}, {"at": "CG1", "count": 5}]))
    assert (text_of(handles["CG4"]), text_of(handles["CG1"])) == ([], ["5"])


def test_denizens_are_grouped_by_kind_side_and_employer() -> None:
    def group(*denizens: DenizenData) -> list[str]:
        return [label_group(one) for one in counters.group_denizens(denizens)]

    wolf: DenizenData = {"at": "CG4", "name": "Wolf-1", "side": "light"}
    assert group(wolf, {**wolf, "name": "Wolf-2"}) == ["2 Wolves"]
    assert group(wolf, {**wolf, "name": "Wolf-2", "side": "dark"}) == ["Wolf", "Wolf, dark side up"]
    rogue: DenizenData = {"at": "CG4", "name": "Rogues-1", "side": "light"}
    assert group(rogue, {**rogue, "name": "Rogues-2", "employer": 1}) == ["1 of the Rogues", "1 of the Rogues, hired"]
    assert group(rogue, {**rogue, "name": "Rogues-HQ"}) == ["2 of the Rogues with their leader"]


def test_the_flag_of_an_absent_employer_is_empty() -> None:
    lancer: DenizenData = {"at": "CG4", "name": "Lancers-1", "side": "light", "employer": 9}
    assert [*filter(None, text_of(handles_of(map_with(denizens=[lancer]))["CG4"]))] == ["L"]


# ---- roads


def test_discovered_roads_and_the_route_are_drawn_over_the_map() -> None:
    assert "mr-known" not in draw(make_bare_map())[len(STYLE) + 200 :]
    picture = nodes_of(draw(make_map()))
    drawn = [node.get("class") or "" for node in picture if node.tag.endswith("path")]
    assert {"mr-hidden mr-known", "mr-secret mr-known", "mr-trail", "mr-route"} <= {*drawn}


def test_a_route_follows_the_roads_within_tiles_and_across_edges() -> None:
    def count(*route: str) -> int:
        paths = [node.get("d") or "" for node in nodes_of(draw(map_with(route=[*route])))
                 if node.get("class") == "mr-route"]  # fmt: skip
        return sum(data.count("M") for data in paths)

    assert count("BV2", "BV5") == 1
    assert count("BV2", "BV5", "CN1") == 3  # two halves of a road across an edge
    assert count("BV2", "CG4") == 0  # no road joins them
    assert count("BV2") == 0


# ---- action chits


def chits_of(character: str) -> list[ActionChitData]:
    found = next(one for one in CATALOG.characters if one.name == character)
    states = ("active", "fatigued", "wounded")
    return [{"label": chit.label, "state": states[number % 3]} for number, chit in enumerate(found.chits)]


@pytest.mark.parametrize("character", [character.name for character in CATALOG.characters])
def test_the_twelve_action_chits_are_sorted_by_their_state(character: str) -> None:
    chits = chits_of(character)
    nodes = nodes_of(draw_action_chits(chits))
    handles = {node.get("data-handle"): node for node in nodes if node.get("data-handle")}
    names = list_chit_handles(chits)
    assert {*handles} == {*names}
    assert len(handles) == 12
    assert {"4 active", "4 fatigued", "4 wounded"} <= {*text_of(nodes[0])}
    for number, chit in enumerate(chits):
        node = handles[names[number]]
        kind, value = chit["label"].rstrip("*").split()
        assert text_of(node) == [kind, value]
        assert classes_of(node).count("mr-star") == chit["label"].count("*")
        assert node.get("aria-label") == label_action_chit(chit)


def test_states_of_action_chits_differ_without_colour() -> None:
    nodes = nodes_of(draw_action_chits(chits_of("Amazon")))
    handles = {node.get("data-handle"): node for node in nodes if node.get("data-handle")}
    assert "mr-cut" in classes_of(handles["chit:wounded Fight L4"])
    assert "mr-tired" in classes_of(handles["chit:fatigued Move M3*"])
    assert ".mr-tired{" in STYLE
    assert "stroke-dasharray" in STYLE.split(".mr-tired{")[1].split("}")[0]


def test_the_label_of_an_action_chit_says_its_stars_and_state() -> None:
    assert label_action_chit({"label": "Move M4", "state": "active"}) == "Move M4, active"
    assert label_action_chit({"label": "Move M3*", "state": "fatigued"}) == "Move M3, 1 star, fatigued"
    assert label_action_chit({"label": "Fight M3**", "state": "wounded"}) == "Fight M3, 2 stars, wounded"


def test_states_in_which_no_chit_is_take_no_space() -> None:
    chits = chits_of("Amazon")
    rested: list[ActionChitData] = [{**chit, "state": "active"} for chit in chits]
    heights = [
        float((nodes_of(draw_action_chits(found))[0].get("viewBox") or "").split()[3]) for found in (rested, chits)
    ]
    assert text_of(nodes_of(draw_action_chits(rested))[0])[0] == "12 active"
    assert not [words for words in text_of(nodes_of(draw_action_chits(rested))[0]) if words.startswith("0 ")]
    assert heights[0] < heights[1]


def test_a_panel_without_chits_is_well_formed() -> None:
    assert "0 active" in text_of(nodes_of(draw_action_chits([]))[0])
