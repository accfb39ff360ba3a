"""The picture, the sketch and the texts, all made from the view alone."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from realmtable.games.modern_realm.picture import describe, draw, headline, sketch
from realmtable.kit.realm_board.geometry import CELLS, cell_name
from realmtable.kit.terminal_picture import STYLE_WORDS, plain_text
from tests.modern_realm.helpers import GAME, SHORT, play, position, random_game, start

SVG = "{http://www.w3.org/2000/svg}"
STUCK = "W:Aa9,Hk8,Ce2 B:Ab8,Ac7,Hb2,Ch11"


def view_of(text: str = "", steps: str = "", **options: str | bool | int) -> dict[str, Any]:
    state = position(text, **options) if text else start(**options)
    return GAME.view(play(state, steps), None)


def cells_of(view: dict[str, Any]) -> dict[str, ET.Element]:
    root = ET.fromstring(draw(view))  # noqa: S314 - our own picture
    return {handle: node for node in root.iter() if (handle := node.get("data-handle"))}


def classes_in(node: ET.Element) -> set[str]:
    return {word for each in node.iter() for word in (each.get("class") or "").split()}


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_a_picture_is_a_whole_document(theme: str) -> None:
    text = draw(view_of(), theme)
    root = ET.fromstring(text)  # noqa: S314 - our own picture
    assert root.tag == SVG + "svg"
    assert f"rt-modern rt-{theme}" in (root.get("class") or "")
    assert root.findtext(SVG + "title") == "Modern Realm: White to move"
    assert "id=" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="Unknown theme"):
        draw(view_of(), "sepia")


def test_every_space_can_be_pointed_at_and_says_what_it_holds() -> None:
    cells = cells_of(view_of(STUCK))
    assert set(cells) == {cell_name(cell) for cell in range(CELLS)}
    labels = {handle: node.get("aria-label") for handle, node in cells.items()}
    assert labels["a9"] == "a9, White Agent, immobile"
    assert labels["b8"] == "b8, Center, Black Agent"
    assert labels["k8"] == "k8, Center, White HQ"
    assert labels["e2"] == "e2, Center, White Counter-Agent"
    assert labels["a1"] == "a1, vacant"


def test_pieces_differ_by_shape_and_owner() -> None:
    cells = cells_of(view_of(STUCK))
    kinds = {space: classes_in(cells[space]) for space in ("a9", "b8", "k8", "e2")}
    assert "rt-down" in kinds["a9"]
    assert "rt-band" in kinds["b8"]
    assert "rt-flag" in kinds["k8"]
    assert "rt-scope" in kinds["e2"]
    assert "rt-seat0" in kinds["a9"]
    assert "rt-seat1" in kinds["b8"]


def test_b2_the_targets_of_both_sides_are_marked() -> None:
    text = draw(view_of())
    assert len(re.findall(r'class="rt-seat[01]"><path class="rt-bracket"', text)) == 2
    assert "whose targets are ranks 7 to 12" in describe(view_of())


def test_b2_a_theme_without_decoration_keeps_the_targets_and_the_lines_between_spaces() -> None:
    root = ET.fromstring(draw(view_of()))  # noqa: S314 - our own picture
    (decoration,) = (node for node in root.iter() if node.get("class") == "rt-decor")
    assert {"rt-block", "rt-park", "rt-river"} <= classes_in(decoration)
    assert "rt-bracket" in classes_in(root) - classes_in(decoration)
    assert ".rt-modern .rt-lines{stroke:var(--board-line,none)}" in (root.findtext(SVG + "style") or "")


def test_captured_realms_are_tinted_and_the_realm_of_the_turn_is_outlined() -> None:
    assert draw(view_of(STUCK)).count('class="rt-hold"') == 2
    before, during = view_of("W:Aa1,Ac3 B:Al12"), view_of("W:Aa1,Ac3 B:Al12", "Aa1a4")
    assert (draw(before).count("rt-open rt-origin"), draw(during).count("rt-open rt-origin")) == (0, 1)
    assert headline(during) == "White to move, out of b2"


def test_a_dislodged_agent_waits_in_the_tray_of_the_captor() -> None:
    view = view_of("W:Cb4 B:Ab8,Al12", "Cb4b7")
    text = draw(view)
    assert text.count('class="rt-next"') == 1
    assert "in hand Black Agent" in text
    assert "rt-open rt-target" in text
    assert headline(view) == "White dislodges an Agent, in b8"
    assert "in hand ▲" in plain_text(sketch(view))


def test_the_latest_steps_are_marked() -> None:
    view = view_of("W:Ab4 B:Al12,Ak1") | {"last": [["b4", "b7"], ["pass"], ["e5", "g6"]]}
    text = draw(view)
    assert (text.count('class="rt-last"'), text.count('class="rt-trail"'), text.count('class="rt-leap"')) == (4, 1, 1)
    assert describe(view).endswith("last step b4 to b7, e5 to g6.")
    assert "[" in plain_text(sketch(view))


def test_words_of_a_choice_and_of_the_end() -> None:
    assert headline(view_of(counter_agent="choose")) == "White chooses a Counter-Agent"
    over = view_of("W:Hb8,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Al1 move=W end=eight_headquarters")
    assert headline(over) == "White won 8 to 0, eight headquarters"
    assert "Black, lost" in draw(over)
    drawn = view_of("W:Hb8 B:Al1 passed end=two_passes")
    assert headline(drawn) == "drawn 1 to 0, two passes"


def test_the_description_counts() -> None:
    assert describe(view_of(STUCK)) == (
        "Turn 1; White to move; White, whose targets are ranks 7 to 12, has founded 1 of 8 HQs and has 1 Agent"
        " (1 immobile) and 1 Counter-Agent on the board; Black, whose targets are ranks 1 to 6, has founded 1 of 8 HQs"
        " and has 2 Agents (0 immobile) and 1 Counter-Agent on the board."
    )


def test_a_piece_on_no_space_is_left_out() -> None:
    view = view_of()
    view["pieces"].append({"at": "z9", "seat": 0, "kind": "agent", "mobile": True})
    assert len(cells_of(view)) == CELLS


def test_pieces_differ_in_the_sketch_without_colour() -> None:
    lines = plain_text(sketch(view_of(STUCK))).splitlines()
    assert len(lines) == 19
    assert {len(line) for line in lines} == {len(lines[0])}
    assert all(sign in "\n".join(lines) for sign in "×▲□◇■◆")
    assert "aims at ranks 7 to 12" in "\n".join(lines)
    words = {word for line in sketch(view_of(STUCK)) for span in line for word in span.style.split()}
    assert words <= set(STYLE_WORDS)


def test_every_state_can_be_drawn() -> None:
    for state, _ in list(random_game(2, **SHORT))[::5]:
        view = GAME.view(state, None)
        ET.fromstring(GAME.draw(view))  # noqa: S314 - our own picture
        assert GAME.sketch(view)
    assert start()._repr_svg_() == GAME.draw(GAME.view(start(), None))
