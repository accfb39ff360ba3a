"""The picture, the terminal sketch and the texts, all made from the view alone."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.picture import describe, draw, headline, sketch
from realmtable.kit.picture_style import THEMES
from realmtable.kit.terminal_picture import plain_text
from tests.example_tables import read_table
from tests.oriental_realm.helpers import GAME, play, position, start
from tests.picture_checks import SVG, check_document, check_sketch_fits, find_space, parse_svg, with_class

HOSTILE = '"><script>alert(1)</script>'
BOARD = "W:Ee4,Md6,Mf6,Mb5,Mk5,Ml1,Mk1 B:Ee9,Ma5,Mc5,Me7,Ml2,Mj1,Mh8,Mh2 move=W"


def view(state: State, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    return GAME.view(state, None) | more


OPENED = view(play(position("W:Ee4,Mb5,Mc5 B:Eh8"), "Mb5b6"), last=[["b5", "b6"]])
WARNED = view(position(BOARD, warning=True))
OVER = view(play(position("W:Ma1,Ek9 B:Ma2,Mb5 move=B"), "Mb5b1"))
DRAWN = view(play(position("W: B:"), "pass pass"))
PLACING = view(play(start(free_setup=True), "Mb2 Eh8"))
VIEWS = [view(start()), OPENED, WARNED, OVER, DRAWN, PLACING, view(start(emperor="choose"))]


def parse_picture(shown: dict[str, Any], theme: str = "auto") -> Element:
    return parse_svg(draw(shown, theme))


@pytest.mark.parametrize("shown", VIEWS)
@pytest.mark.parametrize("theme", THEMES)
def test_every_view_is_one_well_formed_small_document(shown: dict[str, Any], theme: str) -> None:
    root = check_document(draw(shown, theme), most_bytes=50_000)
    assert root.get("class") == f"rt-board rt-oriental rt-{theme}"


LABELS = """
    e4 | e4, White Emperor
    e7 | e7, Black Mandarin
    b5 | b5, Center, White Mandarin, pinned
    k1 | k1, White Mandarin, warned
    b2 | b2, Center, vacant
"""  # handle and label


@pytest.mark.parametrize(("handle", "label"), read_table(LABELS))
def test_a_space_says_what_is_on_it(handle: str, label: str) -> None:
    assert find_space(parse_picture(WARNED), handle).get("aria-label") == label


def test_kinds_and_pins_have_shapes_of_their_own() -> None:
    root = parse_picture(WARNED)
    assert [len(with_class(find_space(root, at), "rt-or-ring")) for at in ("e4", "d6", "b5")] == [2, 0, 0]
    assert [len(with_class(find_space(root, at), "rt-or-rim")) for at in ("e4", "d6", "b5")] == [0, 1, 0]
    assert [len(with_class(find_space(root, at), "rt-or-pin")) for at in ("e4", "d6", "b5")] == [0, 0, 1]


def test_v3_the_warned_group_has_one_outline() -> None:
    root = parse_picture(WARNED)
    frames = {at: with_class(find_space(root, at), "rt-or-warn")[0].get("d") for at in ("k1", "l1")}
    assert frames == {"k1": "M-20-19H20M-20 19H20M-19-20V20", "l1": "M-20-19H20M19-20V20M-20 19H20"}
    assert len(with_class(root, "rt-or-warn")) == 2
    assert "in danger: k1 l1" in headline(WARNED)


def test_what_is_surrounded_has_a_strong_outline() -> None:
    root = parse_picture(OVER)
    assert len(with_class(root, "rt-or-shut")) == 1
    assert find_space(root, "a1").get("aria-label") == "a1, White Mandarin, surrounded"
    assert "surrounded:" in plain_text(sketch(OVER))


def test_a_piece_within_its_group_has_no_side_of_the_outline() -> None:
    names = ["c4", "d3", "d4", "d5", "e4"]
    shown = view(position("W:Ed4,Mc4,Me4,Md3,Md5 B:Eh8"), warned=names)
    assert with_class(find_space(parse_picture(shown), "d4"), "rt-or-warn")[0].get("d") == ""
    assert len(with_class(parse_picture(shown), "rt-or-warn")) == 5


def test_the_open_realm_is_outlined_and_named_and_the_latest_step_marked() -> None:
    root = parse_picture(OPENED)
    assert len(with_class(root, "rt-origin")) == 1
    assert len(with_class(root, "rt-last")) == 2
    assert len(with_class(root, "rt-trail")) == 1
    assert headline(OPENED) == "White to move, from b5"
    assert not with_class(parse_picture(view(start())), "rt-origin")


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (view(start()), "White to move"),
        (PLACING, "White places a piece"),
        (view(start(emperor="choose")), "White chooses the Emperor's Center"),
        (view(start(), phase="parley"), "White parley"),
        (OVER, "Black won, by surrounding"),
        (DRAWN, "drawn, neither player can move"),
    ],
)
def test_the_headline_names_the_acting_player_and_the_action(shown: dict[str, Any], words: str) -> None:
    assert headline(shown) == words
    assert parse_picture(shown)[0].text == f"Oriental Realm: {words}"


def test_the_trays_count_free_pinned_and_unplaced_pieces() -> None:
    black, white = (each for each in parse_picture(WARNED) if each.get("role") == "img")
    assert white.get("aria-label") == "White, to move, in danger: k1 l1; 6 free pieces, 1 pinned"
    assert black.get("aria-label") == "Black; 8 free pieces, 0 pinned"
    assert [words.text for words in white.iter("{http://www.w3.org/2000/svg}text") if words.text] == [
        "1 pinned",
        "6 free",
    ]
    assert "8 free pieces" in [words.text for words in black.iter("{http://www.w3.org/2000/svg}text")]
    black, white = (each for each in parse_picture(PLACING) if each.get("role") == "img")
    assert white.get("aria-label") == "White, places a piece; 6 Mandarins and 1 Emperor to place"
    assert black.get("aria-label") == "Black; 7 Mandarins and 0 Emperors to place"


def test_the_description_is_one_sentence() -> None:
    assert describe(OPENED) == (
        "Turn 1; White to move, from b5; White has the Emperor on e4 and 2 Mandarins (0 pinned) on the board;"
        " Black has the Emperor on h8 and 0 Mandarins (0 pinned) on the board; last step b5 to b6."
    )
    assert "; surrounded a1." in describe(OVER)
    assert parse_picture(OPENED)[1].text == describe(OPENED)


def test_boards_on_one_page_cannot_collide_and_nothing_runs() -> None:
    for shown in VIEWS:
        root = parse_picture(shown)
        names = {name for each in root.iter() for name in (each.get("class") or "").split()}
        assert all(name.startswith("rt-") for name in names)
        assert not any(each.get("id") for each in root.iter())
        text = draw(shown).replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?:|url\(|@import|<script|\son\w+=|href", text)


def test_hostile_words_stay_words() -> None:
    for shown in (view(start(), phase=HOSTILE), view(start(), warned=[HOSTILE]), view(start(), realm=HOSTILE)):
        assert not [each for each in parse_picture(shown).iter() if each.tag == SVG + "script"]


@pytest.mark.parametrize("missing", ["last", "warned", "surrounded", "realm", "unmoved", "outcome", "viewer", "game"])
def test_a_view_without_an_optional_key_is_drawn(missing: str) -> None:
    shown = {key: value for key, value in view(start()).items() if key != missing}
    assert draw(shown) == draw(view(start()))
    assert sketch(shown) == sketch(view(start()))


def test_a_piece_off_the_board_is_not_drawn() -> None:
    shown = view(start(), pieces=[{"at": "z9", "seat": 0, "kind": "mandarin", "pinned": False}])
    assert "White Mandarin" not in draw(shown)


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="sepia"):
        draw(OVER, "sepia")


@pytest.mark.parametrize("shown", VIEWS)
def test_the_sketch_fits_a_terminal_and_every_line_is_equally_wide(shown: dict[str, Any]) -> None:
    check_sketch_fits(sketch(shown))


def test_the_sketch_shows_seats_kinds_and_pins_without_colour() -> None:
    text = plain_text(sketch(WARNED))
    assert " 5│ ● (×) ● │ · ( ) · │ · ( ) · │ · (○) · │5" in text
    assert " 4│ ·  ·  · │ ·  ☆  · │ ·  ·  · │ ·  ·  · │4" in text
    assert " 9│ ·  ·  · │ ·  ★  · │ ·  ·  · │ ·  ·  · │9" in text
    assert all(words in text for words in ("Turn 1", "in danger:", "k1 l1", "pinned 1"))
    assert "may still move:" in plain_text(sketch(OPENED))
    assert "to place ○ ○ ○ ○ ○ ○ ☆" in plain_text(sketch(PLACING))
