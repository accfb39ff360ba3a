"""The picture and the sketch, made from the view alone: frogs differ in shape, the water from the pads."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

import pytest

from realmtable.engine.match import Match
from realmtable.games.classic_realm.picture import describe, draw, headline, sketch
from realmtable.kit.picture_style import THEMES
from realmtable.kit.realm_board.geometry import CELLS, REALMS
from realmtable.kit.terminal_picture import plain_text
from tests.classic_realm.helpers import GAME, play, position, start
from tests.classic_realm.test_codec import WON
from tests.classic_realm.test_rules import FAR, FULL
from tests.example_tables import read_table
from tests.picture_checks import check_nothing_is_loaded, check_sketch_fits, find_space, parse_svg, with_class

DOUBLE = " options=double_moves=on"
BUSY = GAME.view(position(FULL), None)
PLACING = GAME.view(play(start(free_setup=True), "Fb2 Fk11 Fe2"), None)
SECOND = GAME.view(play(position(FAR + " right=W owed=0" + DOUBLE), "Fb2e2"), None)
LAST = Match.start(GAME, position(FULL)).play(0, GAME.parse_move(position(FULL), "Fe5h5")).view(None)
VIEWS = [BUSY, PLACING, SECOND, LAST, GAME.view(start(), 0), GAME.view(position(WON), None)]


def parse_picture(view: dict[str, Any], theme: str = "auto") -> Element:
    return parse_svg(draw(view, theme))


def shapes(root: Element, handle: str) -> set[str]:
    return {each.get("d", "") for each in find_space(root, handle).iter()} - {""}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("theme", THEMES)
def test_a_picture_has_every_space_and_every_pad(view: dict[str, Any], theme: str) -> None:
    root = parse_picture(view, theme)
    assert len([each for each in root.iter() if each.get("data-handle")]) == CELLS
    assert len(with_class(root, "rt-pad")) == REALMS
    assert root.get("class") == f"rt-board rt-classic_realm rt-{theme}"


LABELS = """
    b2 | b2, lily pad, White frog
    b8 | b8, lily pad, Black frog
    d4 | d4, White frog, in the water
    f6 | f6, Black frog, in the water
    h5 | h5, lily pad, vacant
    a1 | a1, vacant
"""  # handle and label


@pytest.mark.parametrize(("handle", "label"), read_table(LABELS))
def test_a_space_says_what_is_on_it(handle: str, label: str) -> None:
    assert find_space(parse_picture(BUSY), handle).get("aria-label") == label


def test_frogs_differ_in_shape() -> None:
    root = parse_picture(BUSY)
    sitting, swimming = shapes(root, "b2"), shapes(root, "d4")
    assert not sitting & swimming
    assert with_class(find_space(root, "b8"), "rt-stripe")
    assert with_class(find_space(root, "f6"), "rt-stripe")
    assert not with_class(find_space(root, "b2"), "rt-stripe")
    assert with_class(find_space(root, "b2"), "rt-belly")
    assert with_class(find_space(root, "d4"), "rt-ripple")
    assert not with_class(find_space(root, "b2"), "rt-ripple")


def test_the_latest_step_is_marked_and_leaped() -> None:
    root = parse_picture(LAST)
    assert len(with_class(root, "rt-last")) == 2
    assert len(with_class(root, "rt-leap")) == 1


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (BUSY, "White to move"),
        (PLACING, "Black places a frog"),
        (SECOND, "White may move again"),
        (BUSY | {"phase": "dream"}, "White dream"),
        (GAME.view(position(WON), None), "White won 1 to 0, all enemies dunked"),
        (GAME.view(position(FAR + " phase=over end=repetition"), None), "drawn 1 to 1, repetition"),
    ],
)
def test_the_headline_names_the_acting_player_and_the_action(view: dict[str, Any], words: str) -> None:
    assert headline(view) == words
    assert parse_picture(view)[0].text == f"Classic Realm: {words}"


def trays(view: dict[str, Any]) -> list[str]:
    return [each.get("aria-label") or "" for each in parse_picture(view) if each.get("role") == "img"][::-1]


def test_the_trays_count_the_frogs() -> None:
    assert trays(BUSY) == ["White, to move; 4 frogs on pads, 4 in the water", "Black; 3 frogs on pads, 5 in the water"]
    assert trays(PLACING)[1] == "Black, places a frog; 1 frog on pads, 0 in the water, 7 to place"
    assert "6 to place" in draw(PLACING)


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        (" right=B owed=2", "double move after 2 turns"),
        (" right=B owed=1", "after 1 turn"),
        (" right=B owed=0", "ready"),
    ],
)
def test_the_right_to_a_double_move_is_shown_at_its_holder(rest: str, words: str) -> None:
    view = GAME.view(position(FAR + rest + DOUBLE), None)
    assert words in trays(view)[1]
    assert "double" not in trays(view)[0]
    assert words in describe(view)
    assert words in plain_text(sketch(view))


def test_the_right_is_not_spoken_of_while_frogs_are_placed() -> None:
    assert "double" not in " ".join(trays(GAME.view(start(free_setup=True, double_moves=True), None)))


def test_the_description_is_one_sentence() -> None:
    assert describe(LAST) == (
        "Turn 1; Black to move; White has 5 frogs on pads and 3 in the water; Black has 3 frogs on pads and 5 in the"
        " water; last step e5 to h5."
    )
    assert parse_picture(LAST)[1].text == describe(LAST)


@pytest.mark.parametrize("missing", ["right", "outcome", "viewer", "game"])
def test_a_view_without_an_optional_key_is_drawn(missing: str) -> None:
    view = {key: value for key, value in BUSY.items() if key != missing}
    assert (draw(view), sketch(view)) == (draw(BUSY), sketch(BUSY))


def test_a_frog_off_the_board_is_not_drawn() -> None:
    assert "frog, in the water" not in draw(BUSY | {"pieces": [{"at": "z9", "seat": 0, "swims": True}]})


def test_nothing_is_loaded_and_nothing_runs() -> None:
    check_nothing_is_loaded(draw(LAST))


@pytest.mark.parametrize("view", VIEWS)
def test_the_sketch_fits_a_terminal(view: dict[str, Any]) -> None:
    check_sketch_fits(sketch(view))


def test_frogs_differ_in_the_sketch_without_colour() -> None:
    board = [line[2:43] for line in plain_text(sketch(LAST)).splitlines()[9:17]]
    assert board == [
        "├─────────┼─────────┼─────────┼─────────┤",
        "│ ·  ·  · │ ◓  ◓  · │ ·  ·  · │ ·  ·  · │",
        "│ · ( ) · │ ◓ [○] ◓ │ · [○] · │ · ( ) · │",
        "│ ·  ·  · │ ◠  ◠  ◓ │ ·  ·  · │ ·  ·  · │",
        "├─────────┼─────────┼─────────┼─────────┤",
        "│ ·  ·  · │ ·  ·  · │ ·  ·  · │ ·  ·  · │",
        "│ · (○) · │ · (○) · │ · ( ) · │ · (○) · │",
        "│ ·  ·  · │ ·  ·  · │ ·  ·  · │ ·  ·  · │",
    ]
    assert "to place     ○ 6" in plain_text(sketch(PLACING))
