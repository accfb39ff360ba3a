"""Whole pictures: layers lie under the content of the picture."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from realmtable.engine.pictures import draw_whole, insert_layers, layers_of
from tests.toys.dice_duel import DiceDuel
from tests.toys.hex_map import HexMap

SVG = "{http://www.w3.org/2000/svg}"


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
