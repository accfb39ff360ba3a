"""Pictures of Realm boards: order, marks, trays, texts, and styles that can share a page."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element as Node
from xml.etree.ElementTree import fromstring, tostring

import pytest

from realmtable.kit import picture_style
from realmtable.kit.picture_style import THEMES
from realmtable.kit.realm_board.geometry import CELLS, CENTERS, REALMS, Cell, cell_name, find_cell
from realmtable.kit.realm_board.picture import (
    BoardEdge,
    BoardPicture,
    BoardStyle,
    Outline,
    PieceDrawing,
    corner,
    draw_board,
    middle,
    piece,
)
from realmtable.kit.realm_board.tray import SQUARE, TRIANGLE, TrayCount, TrayHead, draw_tray, wrap_tray
from realmtable.kit.svg import Element, element

DISC = element("circle", r=9)
TRAYS = (wrap_tray(0, label="below", active=False), wrap_tray(1, label="above", active=True))
LOOK = BoardStyle(
    "pond",
    rules={".rt-pad": "fill:var(--rt-pad)", ".rt-field": "fill:none"},
    light="--rt-pad:#9db76a",
    dark="--rt-pad:#4d5f31",
    ground=(element("rect", class_="rt-water", width=480, height=480),),
    center=element("circle", class_="rt-pad", r=15),
)


def at(name: str) -> Cell:
    cell = find_cell(name)
    assert cell is not None
    return cell


def parse_board(board: BoardPicture, look: BoardStyle = LOOK, theme: str = "auto") -> Node:
    return fromstring(draw_board(board, look, title="A", description="B", theme=theme))  # noqa: S314 - our own markup


def parse_group(*parts: Element) -> Node:
    return fromstring(element("g", *parts))  # noqa: S314 - our own markup


def with_class(root: Node, name: str) -> list[Node]:
    return [found for found in root.iter() if name in (found.get("class") or "").split()]


def draw_steps(*names: str) -> Node:
    return parse_board(BoardPicture({}, TRAYS, steps=[[at(name) for name in names]]))


def style_of(look: BoardStyle) -> str:
    return parse_board(BoardPicture({}, TRAYS), look)[2].text or ""


def selectors(style: str) -> list[str]:
    return re.findall(r"(?:^|[{}])([^{}@]+)\{", style)


# The board


def test_a_space_has_a_handle_a_label_and_its_figure() -> None:
    figures = {
        at("b2"): PieceDrawing(1, DISC, "Blue Disc", turn=90, size=0.5),
        at("c10"): PieceDrawing(0, DISC, "Red Disc"),
    }
    spaces = {
        space.get("data-handle"): space for space in with_class(parse_board(BoardPicture(figures, TRAYS)), "rt-space")
    }
    assert set(spaces) == set(map(cell_name, range(CELLS)))
    assert [spaces[name].get("aria-label") for name in ("b2", "c10", "e2", "a1")] == [
        "b2, Center, Blue Disc",
        "c10, Red Disc",
        "e2, Center, vacant",
        "a1, vacant",
    ]
    assert spaces["b2"][1].attrib == {"class": "rt-seat1", "transform": "translate(60 20) scale(0.5) rotate(90)"}
    assert spaces["c10"][1].attrib == {"class": "rt-seat0", "transform": "translate(100 20)"}
    assert [[part.tag.rpartition("}")[2] for part in spaces[name]] for name in ("a1", "b2")] == [
        ["rect", "circle"],
        ["rect", "g", "circle"],  # the ring of a choice is drawn over the piece
    ]


def test_an_edge_can_be_pointed_at_on_its_seats_side() -> None:
    edges = [BoardEdge("off", "Off the board", 1), BoardEdge("home", "Home", 0)]
    north, south = with_class(parse_board(BoardPicture({}, TRAYS, edges=edges)), "rt-edge")
    assert (north.get("data-handle"), north.get("aria-label"), north.get("role")) == ("off", "Off the board", "button")
    assert south.get("data-handle") == "home"
    spans = [(float(edge[0].get("y") or 0), float(edge[0].get("height") or 0)) for edge in (north, south)]
    top, bottom = 43, 43 + 480
    assert [first + height <= top or first >= bottom for first, height in spans] == [True, True]
    assert spans[0][1] == spans[1][1] > 40
    assert with_class(parse_board(BoardPicture({}, TRAYS)), "rt-edge") == []


def test_choices_differ_in_shape() -> None:
    """Marks differ in shape, not only in colour, and nothing moves."""
    style = style_of(BoardStyle("plain"))
    rules = dict(re.findall(r"\.rt-board (\.rt-space[^{},]*)\{([^}]*)\}", style))
    shapes = {name: re.findall(r"(?:r|stroke-width|stroke-dasharray):[^;]*", rule) for name, rule in rules.items()}
    marks = [shapes[f".rt-space.{mark}"] for mark in ("lit>circle", "target>circle", "target>g~circle", "chosen>rect")]
    assert len({tuple(mark) for mark in marks}) == len(marks)
    assert "animation" not in style
    assert "transition" not in style
    for look in ("light", "dark"):
        assert getattr(picture_style, f"_{look.upper()}").count("--rt-pick:") == 1


def test_rank_12_is_on_top() -> None:
    assert (corner(at("a12")), corner(at("l1")), middle(at("b11"))) == ((0, 0), (440, 440), (60, 60))


def test_seat_1_sits_above_the_board_and_seat_0_below() -> None:
    root = parse_board(BoardPicture({}, TRAYS))
    parts = [child.get("aria-label") for child in root if child.get("aria-label")]
    assert parts == ["above", "Board", "below"]
    assert [len(with_class(each, "rt-turn")) for each in root if each.get("role") == "img"] == [1, 0]


def test_a_theme_fades_the_ground_but_not_the_signs() -> None:
    root = parse_board(BoardPicture({}, TRAYS), LOOK._replace(signs=(element("path", class_="rt-goal"),)))
    (faded,) = with_class(root, "rt-decor")
    assert len(with_class(faded, "rt-water")) == len(with_class(root, "rt-goal")) == 1
    assert with_class(faded, "rt-goal") == []


def test_outlines_on_the_board_follow_the_theme_of_the_board() -> None:
    """A light board on a dark page needs dark outlines: the colour of the page's text would vanish."""
    style = style_of(BoardStyle("plain"))
    assert style.count("--rt-line:var(--board-ink,") == style.count("--rt-ink:#")
    rules = dict(re.findall(r"\.rt-board (\.rt-[\w-]+)\{([^}]*)\}", style))
    assert "stroke:var(--rt-line)" in rules[".rt-down"]
    assert all("--rt-ink" not in rule for name, rule in rules.items() if name != ".rt-tiny")


def test_a_games_ground_is_drawn_over_the_fields_and_the_tint_below_the_lines() -> None:
    root = parse_board(BoardPicture({}, TRAYS, holders={3: 0, 1: 1}))
    (ground,) = (group for group in root if with_class(group, "rt-lines"))
    words = [each.get("class") or "" for each in ground.iter() if each.get("class")]
    order = [words.index(name) for name in ("rt-field", "rt-water", "rt-wash", "rt-lines", "rt-pad")]
    assert order == sorted(order)
    assert [len(with_class(root, name)) for name in ("rt-wash", "rt-hold", "rt-hatch")] == [3, 2, 1]


def test_centers_are_circled_unless_a_game_draws_them() -> None:
    own, common = parse_board(BoardPicture({}, TRAYS)), parse_board(BoardPicture({}, TRAYS), BoardStyle("plain"))
    assert (len(with_class(own, "rt-pad")), len(with_class(own, "rt-center"))) == (REALMS, 0)
    assert len(with_class(common, "rt-center")) == REALMS == len(CENTERS)


def test_neighbouring_vacant_realms_differ() -> None:
    root = parse_board(BoardPicture({}, TRAYS, holders={1: 0}))
    assert [len(with_class(root, name)) for name in ("rt-field", "rt-other")] == [9, 7]


def test_outlines_are_dashed_where_a_move_comes_from() -> None:
    root = parse_board(BoardPicture({}, TRAYS, outlines=[Outline(0, 1, dashed=True), Outline(15, 0)]))
    ((origin,), (target,)) = (with_class(root, name) for name in ("rt-origin", "rt-target"))
    assert (origin.get("x"), origin.get("y")) == ("3.2", "363.2")
    assert (target.get("x"), target.get("y")) == ("363.2", "3.2")


# The latest steps


@pytest.mark.parametrize(
    ("names", "marks", "trails", "leaps"),
    [
        (["c10"], 1, 0, 0),
        (["c10", "g10"], 2, 1, 0),
        (["a1", "b3"], 2, 0, 1),
        (["b2", "h2"], 2, 0, 1),
        (["b2", "h8"], 2, 0, 1),
        (["b2", "c2"], 2, 1, 0),
        (["c1", "c2", "c3"], 3, 0, 0),
        (["c1", "c1"], 2, 0, 0),
    ],
)
def test_a_step_is_marked_and_joined(names: list[str], marks: int, trails: int, leaps: int) -> None:
    root = draw_steps(*names)
    found = [len(with_class(root, name)) for name in ("rt-last", "rt-trail", "rt-leap")]
    assert found == [marks, trails, leaps]


@pytest.mark.parametrize(("target", "turn"), [("c12", -90), ("g10", 0), ("c3", 90), ("a10", 180)])
def test_an_arrow_points_where_the_piece_went(target: str, turn: int) -> None:
    (arrow,) = with_class(draw_steps("c10", target), "rt-trail")
    assert arrow.get("transform") == f"translate(100 100) rotate({turn})"


def test_a_leap_bows_over_its_way_and_stops_short_of_the_piece() -> None:
    (leap,) = with_class(draw_steps("b2", "h2"), "rt-leap")
    assert leap.get("transform") == "translate(60 420) rotate(0)"
    line = [float(number) for number in re.findall(r"-?[\d.]+", leap[1].get("d") or "")]
    (start, start_down, top, top_down, tip, tip_down) = line[:6]
    assert start < top == 120 < tip < 240 - 15
    assert top_down < start_down < 0
    assert top_down < tip_down < 0


# Trays


TO_MOVE = {"to_move": [0], "outcome": None}


def draw_tray_of(*counts: TrayCount, status: str = "to move", right: str = "", in_hand: int = 0) -> Node:
    figure = PieceDrawing(0, DISC, "Red Disc")
    head = TrayHead(figure, [status], right)
    return parse_group(draw_tray(TO_MOVE, 0, head, *counts, in_hand=[figure] * in_hand, facts=[]))[0]


def texts_of(root: Node) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter("text")]


def test_a_tray_names_the_seat_and_what_it_does() -> None:
    assert texts_of(draw_tray_of(right="3 Realms")) == ["Whiteto move", "3 Realms"]
    assert texts_of(draw_tray_of()) == ["Whiteto move"]


def test_counts_are_set_from_the_right_and_fade_for_none() -> None:
    root = draw_tray_of(TrayCount(7, TRIANGLE), TrayCount(0, SQUARE, "captured", 1), right="3 Realms")
    assert texts_of(root)[1:] == ["3 Realms", "0 captured", "7"]
    starts = [float(each.get("x") or 0) for each in root.iter("text")][1:]
    assert starts == sorted(starts, reverse=True)
    groups = [each.get("class") for each in root if with_class(each, "rt-tiny")]
    assert groups == ["rt-seat1 rt-none", "rt-tiny"]  # the other needs no group


def test_a_long_status_ends_where_the_counts_begin() -> None:
    assert texts_of(draw_tray_of(status="to move " * 20))[0].endswith("…")
    full = [TrayCount(10, SQUARE, "in the water")] * 4
    assert texts_of(draw_tray_of(*full))[0] == "White"


def test_the_first_piece_in_hand_is_ringed() -> None:
    root = draw_tray_of(TrayCount(7, TRIANGLE), in_hand=2)
    (ring,) = with_class(root, "rt-next")
    places = [
        float(each) for each in re.findall(r"translate\(([\d.]+) 13.5\) scale\(0.55\)", tostring(root, "unicode"))
    ]
    assert places[0] == float(ring.get("cx") or 0) < places[1]
    assert not with_class(draw_tray_of(), "rt-next")


def test_sizes_multiply() -> None:
    assert "transform" in piece(PieceDrawing(0, DISC, ""), 1, 2)
    assert "scale" not in piece(PieceDrawing(0, DISC, "", size=2), 1, 2, 0.5)
    assert "scale(1.5)" in piece(PieceDrawing(0, DISC, "", size=3), 1, 2, 0.5)


# Trays with their words


def test_a_tray_tells_screen_readers_the_name_the_status_and_the_facts() -> None:
    view = {"to_move": [1], "outcome": None}
    head = TrayHead(PieceDrawing(1, DISC, ""), ["to move"], "3 Realms")
    root = parse_group(draw_tray(view, 1, head, TrayCount(2, SQUARE), facts=["3 Realms", "2 Discs left"]))
    assert root[0].get("aria-label") == "Black, to move; 3 Realms; 2 Discs left"
    assert "rt-turn" in {node.get("class") for node in root.iter()}


# Styles


@pytest.mark.parametrize("theme", THEMES)
def test_the_theme_is_a_class(theme: str) -> None:
    assert parse_board(BoardPicture({}, TRAYS), theme=theme).get("class") == f"rt-board rt-pond rt-{theme}"


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="sepia"):
        parse_board(BoardPicture({}, TRAYS), theme="sepia")


def test_auto_follows_the_system_and_the_page() -> None:
    for look, scope in ((BoardStyle("plain"), ".rt-board"), (LOOK, ".rt-board.rt-pond")):
        style = style_of(look)
        assert f"@media(prefers-color-scheme:dark){{{scope}.rt-auto{{--rt" in style
        assert all(f"[data-theme={theme}] {scope}.rt-auto" in style for theme in ("dark", "light"))


def test_boards_of_several_games_share_a_page() -> None:
    common, own = style_of(BoardStyle("plain")), style_of(LOOK)
    assert own.startswith(common)
    assert all(".rt-board" in rule for rule in selectors(common))
    assert all(".rt-board.rt-pond" in rule for rule in selectors(own.removeprefix(common)))
    assert not any(each.get("id") for each in parse_board(BoardPicture({}, TRAYS)).iter())


def test_a_board_can_be_turned_without_turning_its_texts_and_pieces_upside_down() -> None:
    figures = {at("b2"): PieceDrawing(1, DISC, "Blue Disc", turn=90)}
    root = parse_board(BoardPicture(figures, TRAYS, edges=[BoardEdge("off", "Off the board", 1)]))
    assert root.get("data-turns") == "true"
    turned = {each.get("role") or (each.get("class") or "").split()[0] for each in with_class(root, "rt-turns")}
    assert turned == {"rt-coordinates", "rt-turns", "grid", "button"}  # the second is the ground
    assert ":is(.rt-turns,.rt-coordinates text,.rt-space>g>g,.rt-up){rotate:180deg}" in style_of(BoardStyle("plain"))


def test_a_games_rules_outrank_the_common_ones() -> None:
    assert ".rt-board .rt-field{" in style_of(LOOK)
    assert ".rt-board.rt-pond .rt-field{fill:none}" in style_of(LOOK)


def test_where_pieces_slide_a_move_from_center_to_center_is_an_arrow() -> None:
    root = parse_board(BoardPicture({}, TRAYS, steps=[[at("b2"), at("h2")]], slides=True))
    assert [len(with_class(root, name)) for name in ("rt-trail", "rt-leap")] == [1, 0]
