"""The map, the panels, the gallery and the sketch show what the view says."""

from __future__ import annotations

import cmath
import gzip
import re
from itertools import combinations
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import Panel, View
from realmtable.games.realms_of_etherium import places
from realmtable.games.realms_of_etherium.game import GAME
from realmtable.games.realms_of_etherium.picture import emblems, geometry, style, world
from realmtable.games.realms_of_etherium.picture.gallery import CARD_HEIGHT, CARD_WIDTH, gallery
from realmtable.games.realms_of_etherium.picture.panels import WIDTH
from realmtable.games.realms_of_etherium.picture.power_signs import power_lines, price_text
from realmtable.games.realms_of_etherium.picture.tile import BAND, FACE, FOOT, MIDDLE, draw_line, draw_tile
from realmtable.games.realms_of_etherium.tiles.manifest import COLOURS, VERBS, standard_manifest
from realmtable.games.realms_of_etherium.tiles.tile_facts import standard_tiles, tile_of
from realmtable.games.realms_of_etherium.tiles.tile_facts import type_of as type_of_tile
from tests.picture_checks import contrast, parse_svg
from tests.realms_of_etherium.helpers import RESERVE, with_reserve

WORLD = (
    "tiles=Portal@0,0;Portal.2@3,-1;Conjure@1,0;Transmute@1,-1;Transmute.2@2,-1;Modularity@0,1:1;Channel@2,0:2 "
    "mages=portal;1,0;0,1x/portal;portal;1,-1 etherium=1.0/2.1"
)
SMALL = "tiles=Portal@0,0;Polarity@1,0;Proximity@1,-1 mages=portal;portal;portal/portal;portal;portal"


def view_of(text: str, viewer: int | None = None) -> dict[str, Any]:
    """The view of a position, with a full Reserve unless the line names one."""
    return GAME.view(GAME.decode(with_reserve(text)), viewer)


def nodes_of(svg: str) -> list[ET.Element]:
    return list(parse_svg(svg).iter())


def handles_of(svg: str) -> dict[str, ET.Element]:
    return {handle: node for node in nodes_of(svg) if (handle := node.get("data-handle"))}


def texts_of(svg: str) -> list[str]:
    return [node.text or "" for node in nodes_of(svg) if node.tag.endswith("text")]


# ---- the map


def test_every_realm_and_every_hex_that_touches_two_can_be_clicked() -> None:
    handles = handles_of(GAME.draw(view_of(WORLD)))
    assert {"hex:1,0", "hex:1,-1", "hex:2,-1", "hex:0,1", "hex:2,0", "portal"} <= {*handles}
    assert {"hex:1,1", "hex:0,-1", "hex:3,-2"} <= {*handles}  # empty
    assert "hex:-1,0" not in handles  # it touches only one Realm
    assert handles["hex:1,1"].get("aria-label") == "Empty hex next to Conjure, clockwise of Channel"


def test_while_all_realms_are_portals_one_is_enough() -> None:
    handles = handles_of(GAME.draw(view_of("mages=portal;portal;portal/portal;portal;portal phase=act active=1")))
    assert {handle for handle in handles if handle.startswith("hex:")} == {
        f"hex:{q},{r}" for q, r in places.SIDES
    }  # fmt: skip


def test_all_portals_are_one_handle_unless_a_single_one_can_be_chosen() -> None:
    one = handles_of(GAME.draw(view_of(WORLD)))
    assert "hex:0,0" not in one
    assert len(one["portal"].findall("{*}polygon")) == 2
    assert one["portal"].get("aria-label", "").startswith("2 Portals, one place.")
    entering = "tiles=Portal@0,0;Portal.2@1,-1;Swap@1,0;Channel@0,1 mages=1,0;portal;portal/portal;portal;portal"
    several = handles_of(GAME.draw(view_of(f"{entering} etherium=3.0/0.0 phase=enter active=1 entering=1.1 held=1,0")))
    assert {"hex:0,0", "hex:1,-1"} <= {*several}
    assert "portal" not in several


def test_portals_are_enlarged_by_pages_only_if_they_are_wider_than_high() -> None:
    high = "tiles=Portal@0,0;Portal.2@0,2;Channel@0,1;Gather@1,0;Gather.2@1,1 mages=portal;portal/portal;portal"
    assert handles_of(GAME.draw(view_of(high)))["portal"].get("data-card") is None
    assert handles_of(GAME.draw(view_of(WORLD)))["portal"].get("data-card") == "Portal"


def test_a_hex_is_wider_than_high_so_that_pages_show_its_whole_card() -> None:
    points = [[*map(float, pair.split(","))] for pair in style.hexagon(FACE).split()]
    across, down = [point[0] for point in points], [point[1] for point in points]
    assert max(across) - min(across) > max(down) - min(down)


def test_a_realm_says_everything_about_it() -> None:
    handles = handles_of(GAME.draw(view_of(WORLD)))
    assert handles["hex:0,1"].get("data-card") == "Modularity"
    assert handles["hex:0,1"].get("data-now") == "Controlled by Scarlet. Worth 3 points now. Scarlet is here."
    assert handles["hex:1,0"].get("data-now") == (
        "No one Controls it. Scarlet is here. Constrained: it cannot be Dispelled or Shifted."
    )
    label = "Channel (Blue). On entering, gain 2 White. Controlled by Azure. No Mage is here."
    assert handles["hex:2,0"].get("aria-label") == label
    assert handles["portal"].get("data-now") == "Mages of Scarlet and Azure are here."


def test_constrained_and_moved_realms_say_so() -> None:
    ring = "tiles=Portal@0,0;Draw@1,0;Gather@0,1;Harvest@-1,1;Condense@-1,0;Channel@0,-1;Quicken@1,-1"
    mages = "mages=portal;portal;portal/portal;portal;portal"
    shown = handles_of(GAME.draw(view_of(f"{ring} {mages} before=1,0")))
    assert "Shifted or Swapped in the turn before" in shown["hex:1,0"].get("data-now", "")
    middle = ring.replace("Portal@0,0", "Channel.2@0,0").replace("Channel@0,-1", "Portal@0,-1")
    shown = handles_of(GAME.draw(view_of(f"{middle} {mages}")))
    assert "Constrained" in shown["hex:0,0"].get("data-now", "")


def test_the_declared_hex_and_the_latest_places_are_marked() -> None:
    declared = view_of(f"{SMALL} phase=source active=1 hex=0,1")
    assert "et-declared" in GAME.draw(declared).partition("</style>")[2]
    plain = view_of(WORLD)
    assert '"et-last"' not in GAME.draw(plain)
    marked = GAME.draw({**plain, "last": [["hex:1,0"], ["portal"]]})
    assert marked.count('"et-last"') == 3  # two Portals


def test_control_shows_the_owner_and_the_points() -> None:
    drawn = GAME.draw(view_of(WORLD))
    assert "et-owned et-seat0" in drawn
    assert "et-owned et-seat1" in drawn
    assert "3" in texts_of(drawn)


def test_the_tiles_are_a_layer_that_moves_do_not_change() -> None:
    before, after = view_of(WORLD), view_of(WORLD.replace("portal;1,0;0,1x", "portal;portal;0,1"))
    assert GAME.draw(before) != GAME.draw(after)
    assert GAME.layers(before) == GAME.layers(after)
    names = [text for text in texts_of(GAME.layers(before)[0].svg) if text.istitle() and len(text) > 4]
    assert {"Portal", "Conjure", "Transmute", "Modularity", "Channel"} <= {*names}


def test_layers_and_picture_have_the_same_view_box_around_all_hexes() -> None:
    view = view_of(WORLD)
    boxes = {parse_svg(svg).get("viewBox") for svg in (GAME.draw(view), GAME.layers(view)[0].svg)}
    assert len(boxes) == 1
    left, top, wide, high = map(float, str(boxes.pop()).split())
    for hex_ in [*(realm["at"] for realm in view["realms"]), *geometry.empty_hexes(view)]:
        x, y = geometry.center_of(hex_)
        assert left <= x - style.RADIUS < x + style.RADIUS <= left + wide
        assert top <= y - style.HALF < y + style.HALF <= top + high
    parse_svg(draw_whole(GAME, view))


def test_hexes_that_share_a_side_are_equally_far_apart() -> None:
    x, y = geometry.center_of("2,-3")
    distances = [((x - a) ** 2 + (y - b) ** 2) ** 0.5 for a, b in map(geometry.center_of, places.neighbours_of("2,-3"))]
    assert len(distances) == 6
    assert max(distances) - min(distances) < 0.5
    assert len(places.neighbours_of("20,0")) == 3  # W2


def test_a_phone_begins_where_to_act() -> None:
    def focus_of(view: View) -> tuple[float, float]:
        left, top, wide, high = map(float, str(parse_svg(GAME.draw(view)).get("data-focus")).split())
        return left + wide / 2, top + high / 2

    def middle_of(hex_: str) -> tuple[float, float]:
        x, y = geometry.center_of(hex_)
        return round(x), round(y)

    assert focus_of(view_of(f"{WORLD} phase=act active=2 held=1,0")) == middle_of("1,0")
    exhausted = WORLD.replace("portal;1,0;0,1x", "portalx;1,0;0,1x")
    assert focus_of(view_of(exhausted)) == middle_of("1,0")
    over = view_of(WORLD.replace("portal;1,0;0,1x", "2,0x;1,0x;0,1x").replace("portal;portal;1,-1", "2,0x;2,0x;2,0x"
    ) + " phase=over end=points triggered")  # fmt: skip
    assert focus_of(over) == middle_of("2,0")


def test_unknown_themes_are_refused() -> None:
    with pytest.raises(ValueError, match="Unknown theme"):
        GAME.draw(view_of(WORLD), "sepia")


# ---- Mages


def test_equal_mages_are_one_handle_and_the_others_separate() -> None:
    handles = handles_of(GAME.draw(view_of("mages=portal;portal;portalx/portal;portal;portal")))
    assert {handle for handle in handles if handle.startswith("mage:")} == {"mage:1.1", "mage:1.3", "mage:2.1"}
    assert handles["mage:1.1"].get("aria-label") == "2 Mages of Scarlet"
    assert handles["mage:1.3"].get("aria-label") == "Scarlet's Mage 3, Exhausted"


def test_the_active_mage_is_marked() -> None:
    drawn = GAME.draw(view_of(f"{WORLD} phase=act active=2 held=1,0"))
    assert handles_of(drawn)["mage:1.2"].get("aria-label") == "Scarlet's Mage 2, active"
    assert drawn.count('class="et-active"') == 1


def test_mages_keep_their_order_so_that_pages_can_move_them() -> None:
    def seats_of(text: str) -> list[str]:
        drawn = GAME.draw(view_of(text))
        return re.findall(r'class="et-mage et-seat(\d)', drawn)

    assert seats_of(WORLD) == [*"000111"]
    assert seats_of(WORLD.replace("portal;1,0;0,1x", "1,0;0,1;portalx")) == [*"000111"]


def spots_of(view: View) -> dict[str, tuple[float, float, float]]:
    """Where the Mages that have a handle stand: across and down in their place, and their scale."""
    spots = {}
    for handle, node in handles_of(GAME.draw(view)).items():
        for part in node.iter():
            if part.get("class") == "et-spot":
                across, down, scale = map(float, re.findall(r"[-\d.]+", part.get("transform", "")))
                spots[handle] = across, down, scale
    return spots


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_all_groups_of_mages_in_the_portal_have_different_spots(seats: int) -> None:
    place = ";".join(["portal", "portalx"] * 2)
    spots = spots_of(view_of("mages=" + "/".join([place] * seats)))
    assert len(spots) == len({spot[:2] for spot in spots.values()}) == 2 * seats
    for across, down, scale in spots.values():
        assert abs(across) + 20 * scale < style.RADIUS
        assert style.HALF > down > -style.HALF / 2  # below the name


@pytest.mark.parametrize("groups", [1, 2, 3, 4, 5, 6])
def test_mages_stand_beside_what_their_tile_says(groups: int) -> None:
    places = [";".join(["1,0", "1,0x"][: groups - 2 * seat] or ["portal"]) for seat in range(3)]
    spots = spots_of(view_of(f"tiles=Portal@0,0;Conjure@1,0 mages={'/'.join(places)}"))
    here = [spots[f"mage:{index // 2 + 1}.{index % 2 + 1}"] for index in range(groups)]
    for across, down, scale in here:
        assert abs(across) - 20 * scale > MIDDLE  # one that lies is wider than one that stands
        assert down + 17 * scale < FOOT


def test_equal_mages_are_one_figure_with_a_number() -> None:
    drawn = GAME.draw(view_of("mages=portal;portal;portalx/portal;portal;portal"))
    assert [text for text in texts_of(drawn) if text.isdigit()] == ["2", "3"]
    assert drawn.count(" et-follow") == 3


def test_other_portals_show_who_is_in_all_of_them() -> None:
    shown = texts_of(GAME.draw(view_of(WORLD)))
    assert shown.count("1") == 1  # Scarlet
    assert shown.count("2") == 2  # two of Azure, in the first Portal too
    nobody = WORLD.replace("portal;1,0;0,1x", "1,0;1,0;0,1").replace("portal;portal;1,-1", "1,-1;1,-1;1,-1")
    assert "1" not in texts_of(GAME.draw(view_of(nobody)))


# ---- what a page does with the map


def test_the_boxes_of_a_turned_map_hold_all_hexes() -> None:
    view = view_of(WORLD)
    root = parse_svg(GAME.draw(view))
    realms = [realm["at"] for realm in view["realms"]]
    for hexes, name in ((realms, "data-opens"), ([*realms, *geometry.empty_hexes(view)], "data-turns")):
        boxes = [[*map(float, box.split())] for box in str(root.get(name)).split(";")]
        assert len(boxes) == 3
        for sixths, (left, top, wide, high) in enumerate(boxes):
            for x, y in map(geometry.center_of, hexes):
                turned = (x + 1j * y) * cmath.exp(1j * cmath.pi / 3 * sixths)
                assert left <= turned.real - style.RADIUS + 1 < turned.real + style.RADIUS - 1 <= left + wide
                assert top <= turned.imag - style.HALF + 1 < turned.imag + style.HALF - 1 <= top + high
    assert root.get("data-turns", "").partition(";")[0] == root.get("viewBox")


def test_letters_have_13_pixels_where_the_map_is_called_readable() -> None:
    for tile in standard_tiles().values():
        sizes = {int(size) for size in re.findall(r'class="et-t(\d+)', draw_tile(tile))}
        assert all(size * style.READABLE >= 13 for size in sizes)
        sentence = draw_tile(tile, has_sentence=True).removeprefix(draw_tile(tile)[: -len("</g>")])
        assert all(int(size) * style.DETAILS[1] >= 13 for size in re.findall(r'class="et-t(\d+)', sentence))
    assert style.DETAILS[0] < style.READABLE < style.DETAILS[1]


def test_a_sentence_stays_on_its_tile() -> None:
    for tile in standard_tiles().values():
        root = parse_svg(draw_tile(tile, has_sentence=True))
        lines = [text for group in root.iter("g") if group.get("class") == "et-sentence" for text in group]
        assert " ".join(str(line.text) for line in lines) == ("" if tile.name == "Portal" else tile.sentence())
        assert all(BAND + 8 < float(line.get("y", 0)) < FOOT for line in lines)


def test_stars_lie_on_the_sides_that_the_victory_realm_of_the_active_mage_counts() -> None:
    text = WORLD.replace("mages=portal", "mages=0,1")
    assert "et-side-star" not in GAME.draw(view_of(text)).partition("</style>")[2]
    assert GAME.draw(view_of(f"{text} phase=act active=1 held=0,1")).count('class="et-side-star"') == 1


def test_in_the_end_realms_that_nobody_controls_fade() -> None:
    assert "et-faded" not in GAME.layers(view_of(WORLD))[0].svg.partition("</style>")[2]
    over = GAME.layers(view_of(f"{WORLD} phase=over end=points triggered"))[0].svg.partition("</style>")[2]
    assert over.count(" et-faded") == 5


# ---- signs


def test_every_colour_seat_and_power_has_a_sign_of_its_own() -> None:
    assert {*COLOURS, "portal", "disruption"} == {*emblems.COLOUR_SIGNS} == {*style.COLOUR_CODES}
    assert {*VERBS} == {*emblems.EMBLEMS}
    for shapes in (emblems.COLOUR_SIGNS.values(), emblems.SEAT_SIGNS, emblems.EMBLEMS.values()):
        assert all(one != other for one, other in combinations(shapes, 2))
    assert len(emblems.SEAT_SIGNS) == len(style.SEAT_COLOURS) == len(GAME.info.seat_names)


@pytest.mark.parametrize("colour", style.COLOUR_CODES)
def test_names_are_readable_on_every_colour(colour: str) -> None:
    assert contrast(style.COLOUR_CODES[colour], "#ffffff") >= 4.5


@pytest.mark.parametrize("colour", style.SEAT_FEET)
def test_points_are_readable_on_every_marker_of_control(colour: str) -> None:
    assert contrast(colour, "#ffffff") >= 4.5


def test_white_and_black_etherium_differ_in_shape() -> None:
    assert "circle" in emblems.draw_etherium("black", 0, 0, 24)
    assert "circle" not in emblems.draw_etherium("white", 0, 0, 24)


# ---- words on tiles


@pytest.mark.parametrize("name", standard_tiles())
def test_signs_fit_between_the_mages(name: str) -> None:
    lines = power_lines(standard_tiles()[name])
    assert len(lines) in ((0,) if name in ("Portal", "Disruption") else (1, 2))
    signs = set(re.findall(r"\{(\w+)\}", " ".join(lines)))
    assert signs <= {"white", "black", "star", *COLOURS, *emblems.THINGS, *emblems.EMBLEMS}
    drawn = draw_tile(standard_tiles()[name])
    inside = re.findall(r'<g class="et-signs">.*?</g>(?=<g class="et-price|</g>$)', drawn)
    for across in re.findall(r'translate\((\S+) |<text[^>]* x="(\S+)"', "".join(inside)):
        assert -MIDDLE <= float(across[0] or across[1]) <= MIDDLE


def test_the_words_on_a_tile_fit_in_any_font() -> None:
    """A picture that is shown alone has none of ours."""
    for tile in standard_tiles().values():
        root = parse_svg(draw_tile(tile))
        texts = [text for text in root.iter("text") if text.text]
        assert texts
        for text in texts:
            assert 4 < float(text.attrib["textLength"]) <= 128, text.text
            assert text.attrib["lengthAdjust"] == "spacingAndGlyphs"


def test_lines_draw_words_and_signs_from_left_to_right() -> None:
    drawn = draw_line("2{white} and {star} {red}", 0, 0, 17)
    assert [re.match(r"<(\w+)", part)[1] for part in drawn] == ["text", "path", "text", "path", "path"]  # type: ignore[index]  # all match


def test_free_things_say_so() -> None:
    assert power_lines(standard_tiles()["Shift"]) == ("1{white}:{shift}",)
    changed = view_of(f"{SMALL} options=manifest=shift.use:0/0;channel.control:0/0;conjure.use:0/0;draw.white:3")
    assert power_lines(tile_of(changed, "Shift")) == ("{shift}",)
    assert power_lines(tile_of(changed, "Conjure")) == ("+1{mage}",)
    assert power_lines(tile_of(changed, "Draw")) == ("3{white}/{red}",)
    free = tile_of(changed, "Channel").control
    assert free is not None
    assert price_text(free) == "free"


def test_types_without_a_colour_are_named_by_their_tile() -> None:
    tiles = standard_tiles()
    assert [type_of_tile(tiles[name]) for name in ("Portal", "Disruption", "Draw")] == ["portal", "disruption", "blue"]


# ---- edited manifests


def test_a_view_lists_only_changed_kinds() -> None:
    assert view_of(SMALL)["changes"] == {}
    view = view_of(f"{SMALL} options=alteration=orange,manifest=accord.colours:red/blue;draw.white:3;draw.per:none")
    assert {*view["changes"]} == {"Accord", "Draw", "Polarity"}
    assert tile_of(view, "Polarity").sentence() == "Worth 1 point for each adjacent Orange Realm."
    assert tile_of(view, "Accord").power.colours == ("red", "blue")
    assert tile_of(view, "Draw").power.white == 3
    assert tile_of(view, "Draw").power.per == ""
    assert tile_of(view, "Channel") is standard_tiles()["Channel"]


CHANGES = (
    "channel.control:none;conjure.colour:purple;generate.to:white;antagonism.where:connected;"
    "continuity.by:opponents;modularity.of:blue;bond.points:3;tribute.use:2/0"
)


def test_a_tile_is_shown_as_it_is_played() -> None:
    state = GAME.decode(f"{SMALL} {RESERVE} options=manifest={CHANGES}")
    view, played = GAME.view(state, None), state.options.tiles()
    for tile in played.tiles:
        shown = tile_of(view, tile.name)
        of = "red" if tile.power.of == "alteration" else tile.power.of
        assert (shown.colour, shown.use, shown.control, shown.power.of) == (tile.colour, tile.use, tile.control, of)
        assert shown.power.colours == tile.power.colours
        assert (shown.power.to, shown.power.by, shown.power.where) == (tile.power.to, tile.power.by, tile.power.where)
        assert shown.power.points == tile.power.points


def test_changed_tiles_are_drawn_changed() -> None:
    view = view_of(f"{SMALL} options=manifest=proximity.control:3/3")
    assert GAME.layers(view) != GAME.layers(view_of(SMALL))


def test_alteration_is_called_by_its_colour() -> None:
    assert tile_of(view_of(SMALL), "Polarity").sentence() == "Worth 1 point for each adjacent Red Realm."


# ---- panels


def panel_of(view: View, name: str) -> Panel:
    return next(panel for panel in GAME.panels(view) if panel.id == name)


def test_scores_say_where_stars_come_from_and_who_begins_the_next_round() -> None:
    panel = panel_of(view_of(WORLD, 0), "scores")
    assert [row[:2] for row in panel.rows] == [
        ("Scarlet", "3 of 12 stars"),
        ("Modularity: 3 linked Green Realms", "3"),
        ("Azure", "0 of 12 stars"),
        ("Next Round begins with", "Scarlet"),
    ]
    assert panel.badge == "3 stars"
    assert panel_of(view_of(WORLD), "scores").badge == ""
    assert panel_of(view_of(SMALL, 0), "scores").badge == ""  # nothing yet, and a 0 would explain nothing
    powers = panel_of(view_of(f"{WORLD} colours=Red/Green options=player_powers=on"), "scores")
    assert "Red player: Red reactions trigger each other." in [row.label for row in powers.rows]
    over = panel_of(view_of(f"{WORLD} phase=over end=points triggered"), "scores")
    assert "Next Round begins with" not in [row.label for row in over.rows]


def test_reserves_are_shown_in_full_and_open_when_a_tile_is_chosen() -> None:
    text = f"{SMALL} reserve=Draw;Draw;Disruption;Accord;Bond;Network"
    panel = panel_of(view_of(f"{text} phase=source active=1 hex=0,1", 0), "reserve")
    handles = handles_of(panel.svg)
    assert {*handles} == {
        *(f"reserve:{name}" for name in ("Draw", "Disruption", "Accord", "Bond", "Network")),
        "supply:realm",
        "supply:victory",
    }
    assert "Draw ×2" in texts_of(panel.svg)
    words = " ".join(" ".join(node.itertext()) for node in nodes_of(panel.svg) if node.tag.endswith("}text"))
    assert "Draw ×2:  On entering, gain 1 White for each adjacent Red Realm. Control costs 2 White." in words
    assert panel.opens
    assert not panel_of(view_of(f"{text} phase=source active=1 hex=0,1", 1), "reserve").opens
    assert not panel_of(view_of(f"{text} phase=source active=1 hex=0,1"), "reserve").opens
    assert not panel_of(view_of(text, 0), "reserve").opens


@pytest.mark.parametrize(
    ("reserve", "rows"),
    [
        ("reserve=Draw;Shift;Accord;Bond", 1),
        (RESERVE, 2),
        ("reserve=Draw;Shift;Lessen;Swap;Accord;Bond", 2),
        (f"{RESERVE};Channel;Gather", 2),
    ],
)
def test_tiles_of_the_reserves_stand_in_rows_of_five(reserve: str, rows: int) -> None:
    svg = panel_of(view_of(f"{SMALL} {reserve}"), "reserve").svg
    at = re.findall(r'translate\((\S+) (\S+)\)"><g role="button" tabindex="-1" data-handle="reserve:', svg)
    assert len(at) == len({*at}) == reserve.count(";") + 1
    assert len({down for _, down in at}) == rows
    assert all(0 < float(across) < WIDTH for across, _ in at)


def test_the_supplies_list_what_is_left() -> None:
    view = view_of(SMALL)
    rows = {row.label.partition(":")[0]: row for row in panel_of(view, "reserve").rows[1:]}
    assert rows["Permanent"][:2] == ("Permanent: Portal ×5, Disruption ×6", "×11")
    assert rows["Blue"][:2] == ("Blue: Channel ×2, Condense ×2, Draw, Gather ×2, Harvest ×2", "×9")
    assert sum(int(row.value[1:]) for row in rows.values()) == 74 - 3 - 6


def test_the_realms_panel_lists_what_victory_realms_are_worth() -> None:
    text = WORLD.replace("Channel@2,0:2", "Antagonism@2,0;Rooting@0,2")
    rows = {row.label: row.value for row in panel_of(view_of(text), "realms").rows}
    assert rows["Modularity: Scarlet (3 linked Green Realms)"] == "3 stars"
    assert rows["Antagonism: Control costs 1 White and 2 Black"] == "depends on its owner"
    assert rows["Rooting: Control costs 1 White and 2 Black"] == "0 stars"
    free = view_of(f"{text.replace(':1', '')} options=manifest=modularity.control:none")
    assert "Modularity: cannot be Controlled" in {row.label for row in panel_of(free, "realms").rows}
    empty = view_of("mages=portal;portal/portal;portal")
    assert [row.label for row in panel_of(empty, "realms").rows] == ["No Victory Realm has been summoned yet"]


# ---- the gallery and the terminal


def test_the_gallery_shows_every_tile_once_with_its_whole_text() -> None:
    cards = [card for group in GAME.gallery().groups for card in group.cards]
    assert sorted(card.name for card in cards) == sorted(tile.name for tile in standard_manifest().tiles)
    assert [group.title for group in gallery().groups] == [
        "Red", "Blue", "Green", "Purple", "Orange", "Victory", "Permanent",
    ]  # fmt: skip
    for card in cards:
        lines = [node for node in nodes_of(card.svg) if node.tag.endswith("text") and node.get("x") == "14"]
        sentence = " ".join(str(node.text) for node in lines[:-2])
        assert sentence == standard_tiles()[card.name].sentence()
        assert float(lines[-3].get("y", 0)) <= float(lines[-2].get("y", 0)) - 18
        assert float(lines[-1].get("y", 0)) < CARD_HEIGHT
    assert CARD_WIDTH < CARD_HEIGHT


def test_a_terminal_shows_the_map_the_players_and_the_reserves() -> None:
    view = view_of(f"{WORLD} reserve=Draw;Draw;Shift;Accord;Bond;Network triggered")
    lines = ["".join(span[0] for span in line) for line in GAME.sketch(view)]
    text = "\n".join(lines)
    assert lines[0] == "Round 1, Scarlet to act"
    assert "The last Round." in lines
    assert "0,1 Sca=3" in text
    assert "2,0 Azu" in text
    assert "Sc3x" in text
    assert "Az2" in text  # two in the Portal
    assert "> Scarlet 3 points, 1 White, 0 Black, 1 Controlled" in lines
    assert lines[-1].startswith("Reserves: Draw ×2, Shift")
    powers = GAME.sketch(view_of(f"{WORLD} colours=Red/Green options=player_powers=on"))
    assert any("power of Green" in span[0] for line in powers for span in line)


def test_a_terminal_says_when_no_player_acts() -> None:
    first = GAME.sketch(GAME.view(GAME.initial(2), None))
    assert first[0][0][0] == "Round 1"
    over = GAME.sketch(view_of(f"{WORLD} phase=over end=points triggered"))
    assert over[0][0][0] == "The game is over"


# ---- size


def test_a_large_map_stays_small_to_send() -> None:
    kinds = [tile.name for tile in standard_manifest().tiles if tile.name != "Portal"]
    places = [f"{q},{r}" for q in range(-3, 4) for r in range(-3, 4) if (q, r) != (0, 0)]
    tiles = ";".join(f"{name}@{at}" for name, at in zip(kinds, places, strict=False))
    view = view_of(f"tiles=Portal@0,0;{tiles} mages={'/'.join(['portal;portal;portal'] * 6)} reserve=Draw;Shift;Lessen")
    moving = world.draw(view).partition("</style>")[2]
    assert len(gzip.compress(moving.encode())) < 6_000
    assert len(gzip.compress(GAME.layers(view)[0].svg.encode())) < 12_000
