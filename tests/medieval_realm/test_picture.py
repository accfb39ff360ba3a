"""The picture: complete, labelled, readable by shape as well as colour, and made from the view alone."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from realmtable.engine.match import Match
from realmtable.games.medieval_realm.picture import describe, headline
from realmtable.kit.picture_style import THEMES
from realmtable.kit.realm_board.geometry import CELLS
from realmtable.kit.terminal_picture import Span, plain_text
from tests.medieval_realm.helpers import GAME, play, position, random_game, record_of, start

SVG = "{http://www.w3.org/2000/svg}"
BOARD = "W:De2,Mb5,Ma7 B:Dh11,Mb8"


def picture(view: dict[str, Any], theme: str = "auto") -> ET.Element:
    return ET.fromstring(GAME.draw(view, theme))  # noqa: S314 - our own picture


def view_of(text: str, **more: object) -> dict[str, Any]:
    return {**GAME.view(position(text), None), **more}


def spaces(view: dict[str, Any]) -> dict[str, ET.Element]:
    """Every space of the picture by its handle."""
    return {
        space.attrib["data-handle"]: space for space in picture(view).iter(f"{SVG}g") if "data-handle" in space.attrib
    }


def labels(view: dict[str, Any]) -> dict[str, str]:
    return {handle: space.attrib["aria-label"] for handle, space in spaces(view).items()}


def shapes(view: dict[str, Any], handle: str) -> list[str]:
    """The outlines on a space, without any colour."""
    return [path.attrib["d"] for path in spaces(view)[handle].iter(f"{SVG}path")]


def tray_labels(view: dict[str, Any]) -> list[str]:
    found = [part.attrib["aria-label"] for part in picture(view).iter(f"{SVG}g") if part.get("role") == "img"]
    return [next(label for label in found if label.startswith(name)) for name in ("White", "Black")]


def test_every_space_has_a_handle_and_a_label() -> None:
    found = labels(view_of(BOARD))
    assert len(found) == CELLS + 1
    assert found["off"] == "Off the board"
    assert found["e2"] == "e2, Center, White Duke"
    assert found["b5"] == "b5, Center, White Man"
    assert found["a7"] == "a7, White Man, dislodged"
    assert found["h11"] == "h11, Center, Black Duke"
    assert found["h8"] == "h8, Center, vacant"
    assert found["a1"] == "a1, vacant"


def test_the_far_side_of_the_acting_seat_can_be_clicked() -> None:
    heights = [float(spaces(view_of(f"W:Mb11 B:Mb2,Dk11 move={seat}"))["off"][0].attrib["y"]) for seat in ("W", "B")]
    assert heights[0] == 0
    assert heights[1] == 43 + 480
    assert "off" not in spaces(view_of("W: B:Dh11,Mb8 move=W end=borne_off"))


def test_pieces_differ_in_shape() -> None:
    view = view_of("W:De2,Mb5,Ma7 B:Db8,Mh8,Mi6,Dh5")
    drawn = [tuple(shapes(view, handle)) for handle in ("e2", "b5", "a7", "b8", "h8", "i6")]
    assert len(set(drawn)) == 6
    assert drawn[3] == tuple(shapes(view, "h5"))
    kinds = [space.get("class") for handle in ("a7", "i6") for space in spaces(view)[handle].iter(f"{SVG}g")]
    assert kinds.count("rt-fallen") == 2


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_is_well_formed(theme: str) -> None:
    assert f"rt-{theme}" in picture(view_of(BOARD), theme).attrib["class"].split()


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="Unknown theme"):
        GAME.draw(view_of(BOARD), "pink")


def test_trays_show_the_acting_seat_and_the_pieces_borne_off() -> None:
    assert tray_labels(view_of(BOARD)) == [
        "White, to move; 1 Duke and 4 Men borne off",
        "Black; 1 Duke and 5 Men borne off",
    ]
    rows = tray_labels(view_of(BOARD + " dukes=1/2"))
    assert [row.split("; ")[2] for row in rows] == ["1 Duke move in a row", "2 Duke moves in a row"]
    silent = GAME.view(position(BOARD + " dukes=1/2", duke_draw=False), None)
    assert tray_labels(silent) == tray_labels(view_of(BOARD))


def test_a_player_who_cannot_move_is_informed() -> None:
    view = view_of("W:Ma7 B:Mb8")
    assert headline(view) == "White cannot move and must pass"
    assert tray_labels(view)[0].startswith("White, cannot move and must pass")


def test_the_end_in_words() -> None:
    won = GAME.view(play(position("W:Mb11 B:Mb8"), "Mb11off"), None)
    assert headline(won) == "White won 8 to 7, borne off"
    assert [label.split("; ")[0] for label in tray_labels(won)] == ["White, won, borne off", "Black, lost"]
    drawn = GAME.view(record_of("end-duke-draw").replay().state, None)
    assert headline(drawn) == "drawn 2 to 1, duke draw"
    assert tray_labels(drawn)[1].startswith("Black, drew, duke draw")


def test_the_board_in_a_sentence() -> None:
    assert describe(view_of(BOARD)) == (
        "Turn 1; White to move; White has 1 Duke and 1 Man on Centers, 1 Man dislodged and 5 pieces borne off;"
        " Black has 1 Duke and 1 Man on Centers, 0 Men dislodged and 6 pieces borne off."
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [("De2e5", "last step e2 to e5."), ("Mb11off", "last step b11 off the board."), ("pass", "last step pass.")],
)
def test_the_latest_step_is_shown(text: str, words: str) -> None:
    match = Match.start(GAME, position("W:De2,Mb11 B:Dh11" if text != "pass" else "W:Ma7 B:Mb8"))
    match = match.play(0, GAME.parse_move(match.state, text))
    view = match.view(None)
    assert describe(view).endswith(words)
    marks = [part.attrib["class"] for part in picture(view).iter() if part.get("class") in ("rt-last", "rt-leap")]
    assert marks == {"De2e5": ["rt-last", "rt-last", "rt-leap"], "Mb11off": ["rt-last"], "pass": []}[text]


def test_keeps_and_roads_are_on_the_board() -> None:
    classes = [part.get("class") for part in picture(view_of(BOARD)).iter()]
    assert (classes.count("rt-keep"), classes.count("rt-road")) == (16, 1)


def test_a_picture_is_made_from_the_view_alone() -> None:
    for state, _ in list(random_game(5))[::6]:
        view = GAME.view(state, None)
        assert GAME.draw(json.loads(json.dumps(view))) == GAME.draw(view)


# ---- the terminal


def text_of(view: dict[str, Any]) -> str:
    return plain_text([[Span(*span) for span in line] for line in GAME.sketch(view)])


def test_the_sketch() -> None:
    lines = text_of(view_of(BOARD + " dukes=0/2", last=[["e5", "e2"]])).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert max(len(line) for line in lines) <= 80
    text = "\n".join(lines)
    assert "[◇]" in text
    assert "(△)" in text
    assert "(◆)" in text
    assert "(▲)" in text
    assert " × " in text
    assert "borne off 6:  ◆ 1  ▲ 5" in text
    assert "Duke moves in a row: 2" in text
    assert text.count("to move") == 1


def test_the_sketch_of_the_set_up_has_sixteen_pieces() -> None:
    board = "\n".join(line[:45] for line in text_of(GAME.view(start(), 0)).splitlines())
    assert {sign: board.count(sign) for sign in "◇◆△▲×✖"} == {"◇": 2, "◆": 2, "△": 6, "▲": 6, "×": 0, "✖": 0}
