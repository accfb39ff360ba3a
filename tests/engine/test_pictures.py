"""Pictures: they have parts, and in whole ones layers lie under the content."""

from __future__ import annotations

import pickle
from xml.etree import ElementTree as ET

from realmtable.engine.pictures import Picture, draw_whole, find_handles, insert_layers, layers_of, parts_of
from tests.toys.dice_duel import DiceDuel
from tests.toys.hex_map import HexMap

SVG = "{http://www.w3.org/2000/svg}"


PARTS = {"svg": "<svg>", "a1": '<g data-handle="a1"/>', "/svg": "</svg>"}


def test_a_picture_is_its_parts_joined_and_a_plain_text_is_one_part() -> None:
    picture = Picture.from_parts(PARTS)
    assert picture == '<svg><g data-handle="a1"/></svg>'
    assert parts_of(picture) == PARTS
    assert parts_of(str(picture)) == {"svg": picture}


def test_a_picture_keeps_its_parts_in_a_pickle() -> None:
    picture = pickle.loads(pickle.dumps(Picture.from_parts(PARTS)))  # noqa: S301 - our own
    assert isinstance(picture, Picture)
    assert picture == "".join(PARTS.values())
    assert list(picture.parts.items()) == list(PARTS.items())


def test_handles_are_found_in_all_parts_as_games_name_them() -> None:
    inner = '<g><g id="x" data-handle="hand:King &amp; &quot;Queen&quot;"/><path data-handle="b2"/></g>'
    assert find_handles({**PARTS, "hand": inner}) == {"a1", 'hand:King & "Queen"', "b2"}
    assert find_handles({"svg": '<svg aria-label="handle"/>'}) == find_handles({}) == set()


def test_layers_come_first_and_start_at_the_origin_of_the_view_box() -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 7 10 10"><circle r="1"/></svg>'
    layer = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 7 10 10"><rect/></svg>'
    whole = ET.fromstring(insert_layers(picture, [layer, layer]))  # noqa: S314 - our own picture
    assert [child.tag for child in whole] == [f"{SVG}g", f"{SVG}circle"]
    assert whole[0].get("transform") == "translate(-5 7)"
    assert [child.tag for child in whole[0]] == [f"{SVG}svg"] * 2


def test_a_picture_without_a_view_box_gets_its_layers_too() -> None:
    assert insert_layers("<svg><a/></svg>", ["<svg/>"]) == "<svg><g><svg/></g><a/></svg>"


def test_a_style_that_picture_and_layers_share_is_there_once() -> None:
    layer = "<svg><style>.a{}</style><style>.b{}</style><b/></svg>"
    whole = insert_layers("<svg><style>.a{}</style><a/></svg>", [layer])
    assert whole == "<svg><g><svg><style>.b{}</style><b/></svg></g><style>.a{}</style><a/></svg>"


def test_without_layers_a_picture_stays_as_it_is() -> None:
    game = DiceDuel()
    view = game.view(game.initial(), None)
    assert layers_of(game, view) == []
    assert draw_whole(game, view) == game.draw(view)


def test_layers_have_the_theme_of_the_picture() -> None:
    game = HexMap()
    whole = draw_whole(game, game.view(game.initial(), None), "dark")
    assert whole.count("rt-dark") >= 2
    assert 'class="rt-board hm rt-auto"' not in whole
    assert len(layers_of(game, game.view(game.initial(), None))[0].svg) > 30_000
