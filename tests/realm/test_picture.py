"""The picture of Realm: complete, labelled, readable by shape and colour, and made from the view alone."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from realmtable.games.realm.game import GAME
from realmtable.games.realm.picture import describe, draw, headline, sketch
from realmtable.kit.picture_style import THEMES
from realmtable.kit.realm_board.geometry import CELLS, CENTERS, REALMS, cell_name
from realmtable.kit.terminal_picture import plain_text
from tests.picture_checks import (
    SVG,
    check_document,
    check_nothing_is_loaded,
    check_sketch_fits,
    find_space,
    parse_svg,
    with_class,
)

HOSTILE = '"><script>x</script>&'


def piece(at: str, seat: int, kind: str, facing: str | None = None, *, mobile: bool = True) -> dict[str, Any]:
    return {"at": at, "seat": seat, "kind": kind, "facing": facing, "mobile": mobile}


PIECES = [
    piece("h11", 0, "base", mobile=False),
    piece("e8", 1, "base", mobile=False),
    piece("c10", 0, "power"),
    piece("d9", 1, "power"),
    piece("g12", 0, "enforcer", "S"),
    piece("g11", 0, "enforcer", "N"),
    piece("i12", 1, "enforcer", "W"),
    piece("i10", 1, "enforcer", "E"),
    piece("a1", 0, "enforcer", mobile=False),
    piece("l12", 1, "enforcer", mobile=False),
]


def view_of(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - a view holds any JSON value
    view: dict[str, Any] = {
        "game": "realm",
        "viewer": None,
        "pieces": PIECES,
        "to_move": [0],
        "phase": "turn",
        "turn": {"number": 7, "seat": 0},
        "stock": [{"bases": 9, "enforcers": 6, "captured": 2}, {"bases": 0, "enforcers": 0, "captured": 0}],
        "realms": [1, 1],
        "lifted": [],
        "open": {"origin": None, "target": None, "moves": 0},
        "outcome": None,
    }
    return view | changes


def over(winner: int | None, reason: str = "last_base") -> dict[str, Any]:
    outcome = {"scores": [8, 7] if winner == 0 else [7, 8] if winner else [7, 7], "winner": winner, "reason": reason}
    return view_of(phase="over", to_move=[], outcome=outcome)


REARRANGED = view_of(
    phase="rearrange",
    to_move=[1],
    turn={"number": 8, "seat": 1},
    lifted=[
        {"seat": 1, "kind": "power", "facing": None, "mobile": True},
        {"seat": 1, "kind": "enforcer", "facing": None, "mobile": True},
        {"seat": 0, "kind": "enforcer", "facing": None, "mobile": False},
    ],
)
OPENED = view_of(open={"origin": "h11", "target": "e8", "moves": 1}, last=[["c10", "g10"], ["g12"]])
VIEWS = [view_of(), view_of(pieces=[]), REARRANGED, OPENED, over(0), over(1), over(None)]


def parse_picture(view: dict[str, Any], theme: str = "auto") -> Element:
    return parse_svg(draw(view, theme))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("theme", THEMES)
def test_every_view_is_one_well_formed_small_document(view: dict[str, Any], theme: str) -> None:
    check_document(draw(view, theme), most_bytes=45_000)


def test_the_fullest_board_stays_small() -> None:
    bases = [piece(cell_name(center), 1, "base") for center in CENTERS]
    others = [cell_name(cell) for cell in range(CELLS) if cell not in CENTERS][:26]
    full = view_of(pieces=[*bases, *(piece(at, 1, "enforcer", "W") for at in others)])
    assert len(draw(full).encode()) < 55_500


def test_the_board_is_a_grid_of_all_spaces_from_rank_12_down() -> None:
    (grid,) = (each for each in parse_picture(view_of()).iter() if each.get("role") == "grid")
    rows = [[cell.get("data-handle") for cell in row] for row in grid]
    assert all(row.get("role") == "row" for row in grid)
    assert all(cell.get("role") == "gridcell" for row in grid for cell in row)
    assert [row[0] for row in rows] == [f"a{rank}" for rank in range(12, 0, -1)]
    assert sorted(str(name) for row in rows for name in row) == sorted(map(cell_name, range(CELLS)))


@pytest.mark.parametrize(
    ("handle", "label"),
    [
        ("c10", "c10, White Power"),
        ("d9", "d9, Black Power"),
        ("h11", "h11, Center, White Base"),
        ("g12", "g12, White Enforcer facing south"),
        ("i10", "i10, Black Enforcer facing east"),
        ("a1", "a1, White Enforcer, immobile (cannot move)"),
        ("b2", "b2, Center, vacant"),
        ("b1", "b1, vacant"),
    ],
)
def test_a_space_says_what_is_on_it(handle: str, label: str) -> None:
    assert find_space(parse_picture(view_of()), handle).get("aria-label") == label


@pytest.mark.parametrize(("handle", "turn"), [("g11", ""), ("i10", "90"), ("g12", "180"), ("i12", "270")])
def test_an_enforcer_points_where_it_faces(handle: str, turn: str) -> None:
    transform = find_space(parse_picture(view_of()), handle)[1].get("transform") or ""
    assert (re.findall(r"rotate\((\d+)\)", transform) or [""]) == [turn]


def test_an_immobile_enforcer_has_a_distinct_shape() -> None:
    root = parse_picture(view_of())
    fallen, standing = (
        {each.get("d") for each in find_space(root, handle).iter() if each.get("d")} for handle in ("a1", "g11")
    )
    assert not fallen & standing
    assert len(with_class(find_space(root, "a1"), "rt-lock")) == 1
    assert not with_class(find_space(root, "g11"), "rt-lock")
    assert with_class(find_space(root, "a1"), "rt-lock") == with_class(find_space(root, "a1"), "rt-up")


def test_centers_are_circled() -> None:
    assert len(with_class(parse_picture(view_of(pieces=[])), "rt-center")) == REALMS == len(CENTERS)


def test_controlled_realms_differ_by_more_than_hue() -> None:
    root = parse_picture(view_of())
    assert len(with_class(root, "rt-hold")) == 2
    assert len(with_class(root, "rt-hatch")) == 1
    assert not with_class(parse_picture(view_of(pieces=[piece("c10", 0, "base")])), "rt-hold")


def test_the_latest_step_is_marked_and_trailed() -> None:
    root = parse_picture(OPENED)
    assert len(with_class(root, "rt-last")) == 3
    assert len(with_class(root, "rt-trail")) == 1


@pytest.mark.parametrize("last", [None, [], [["end"]], [["pass", "N"]]])
def test_handles_that_are_no_spaces_leave_no_mark(last: Any) -> None:  # noqa: ANN401 - any JSON value
    assert not with_class(parse_picture(view_of(last=last)), "rt-last")


def test_nothing_joins_the_two_pieces_of_a_sacrifice() -> None:
    root = parse_picture(view_of(last=[["sacrifice", "a1", "b3", "face:N"], ["c1", "c2", "c3"]]))
    assert len(with_class(root, "rt-last")) == 5
    assert not with_class(root, "rt-trail") + with_class(root, "rt-leap")


@pytest.mark.parametrize(
    ("origin", "target", "kinds"),
    [("h11", "e8", ["rt-origin", "rt-target"]), ("h11", None, ["rt-origin"]), (None, "e8", ["rt-target"])],
)
def test_open_realms_are_outlined_and_named(origin: str | None, target: str | None, kinds: list[str]) -> None:
    view = view_of(open={"origin": origin, "target": target, "moves": 1})
    root = parse_picture(view)
    assert [kind for kind in ("rt-origin", "rt-target") if with_class(root, kind)] == kinds
    assert ("from h11" in headline(view), "into e8" in headline(view)) == (bool(origin), bool(target))


def test_open_realms_are_named_only_where_a_move_is_next() -> None:
    assert headline(OPENED | {"phase": "create"}) == "White creates an Enforcer"


def test_the_trays_show_stock_captures_and_lifted_pieces() -> None:
    black, white = (each for each in parse_picture(REARRANGED) if each.get("role") == "img")
    assert white.get("aria-label") == "White; 1 Realm; 9 Bases and 6 Enforcers uncreated; 2 Bases captured"
    assert (black.get("aria-label") or "").endswith(
        "0 Bases captured; in hand Black Power, Black Enforcer, White Enforcer, immobile (cannot move)"
    )
    assert len(with_class(black, "rt-next")) == 1
    assert len(with_class(black, "rt-none")) == 2
    assert not with_class(white, "rt-next")
    counts = [words.text for words in white.iter("{http://www.w3.org/2000/svg}text") if words.text]
    assert counts == ["1 Realm", "2 captured", "6", "9"]


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (view_of(), "White to move"),
        (view_of(to_move=[1], phase="bases"), "Black places a Base"),
        (view_of(phase="found"), "White founds a Base"),
        (view_of(phase="parley"), "White parley"),
        (view_of(offered=True), "White to move, may accept the offer"),
        (over(0), "White won 8 to 7, last base"),
        (over(1, "no_progress"), "Black won 8 to 7, no progress"),
        (over(None, "agreement"), "drawn 7 to 7, agreement"),
    ],
)
def test_the_headline_names_the_acting_player_and_the_action(view: dict[str, Any], words: str) -> None:
    assert headline(view) == words
    assert parse_picture(view)[0].text == f"Realm: {words}"


def test_one_tray_says_whose_turn_it_is() -> None:
    root = parse_picture(view_of())
    assert len(with_class(root, "rt-turn")) == 1
    assert [each.text for each in with_class(root, "rt-words")] == [None, "to move"]


def test_an_offered_end_is_shown_at_the_tray_of_the_player_who_may_accept_it() -> None:
    words = [each.get("aria-label") or "" for each in parse_picture(view_of(offered=True)) if each.get("role") == "img"]
    assert [label.split(";")[0] for label in words] == ["Black", "White, to move, may accept the offer"]
    assert "  may accept the offer" in plain_text(sketch(view_of(offered=True)))
    assert "may accept the offer" not in draw(over(None) | {"offered": True})


def test_both_trays_describe_the_end() -> None:
    words = {
        winner: [each.text for each in with_class(parse_picture(over(winner)), "rt-words")] for winner in (0, 1, None)
    }
    assert words == {
        0: ["lost", "won · last base"],
        1: ["won · last base", "lost"],
        None: ["drew · last base", "drew · last base"],
    }
    assert not with_class(parse_picture(over(None)), "rt-turn")


def test_themes_change_the_class_alone() -> None:
    assert len({draw(OPENED, theme).replace(f"rt-realm rt-{theme}", "rt-realm") for theme in THEMES}) == 1
    assert parse_picture(view_of(), "dark").get("class") == "rt-board rt-realm rt-dark"


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="sepia"):
        draw(view_of(), "sepia")


def test_boards_on_one_page_cannot_collide() -> None:
    root = parse_picture(OPENED)
    names = {name for each in root.iter() for name in (each.get("class") or "").split()}
    assert all(name.startswith("rt-") for name in names)
    assert not any(each.get("id") for each in root.iter())


def test_nothing_is_loaded_and_nothing_runs() -> None:
    check_nothing_is_loaded(draw(OPENED))


def test_hostile_words_stay_words() -> None:
    for view in (over(0, HOSTILE), view_of(phase=HOSTILE), view_of(open={"origin": "h11", "target": HOSTILE})):
        assert not [each for each in parse_picture(view).iter() if each.tag == SVG + "script"]


@pytest.mark.parametrize("missing", ["last", "lifted", "open", "outcome", "offered", "viewer", "game"])
def test_a_view_without_an_optional_key_is_drawn(missing: str) -> None:
    view = {key: value for key, value in view_of().items() if key != missing}
    assert draw(view) == draw(view_of())
    assert sketch(view) == sketch(view_of())


def test_drawing_leaves_the_view_alone_and_repeats_itself() -> None:
    before = repr(OPENED)
    assert (draw(OPENED), sketch(OPENED)) == (draw(OPENED), sketch(OPENED))
    assert repr(OPENED) == before


def test_a_piece_off_the_board_is_not_drawn() -> None:
    assert draw(view_of(pieces=[piece("z9", 0, "power")])).count("White Power") == 0


def test_the_description_is_one_sentence() -> None:
    assert describe(OPENED) == (
        "Turn 7; White to move, from h11 or into e8; White controls 1 Realm and has 1 Power and 3 Enforcers"
        " (1 immobile) on the board; Black controls 1 Realm and has 1 Power and 3 Enforcers (1 immobile) on the board;"
        " last step c10 to g10, g12."
    )
    assert parse_picture(OPENED)[1].text == describe(OPENED)


def test_the_tray_leaves_it_to_the_prompt_how_a_turn_can_go_on() -> None:
    assert "White, to move; 1 Realm" in draw(OPENED)


@pytest.mark.parametrize("view", VIEWS)
def test_the_sketch_fits_a_terminal_and_every_line_is_equally_wide(view: dict[str, Any]) -> None:
    check_sketch_fits(sketch(view))


def test_the_sketch_shows_seats_facings_centers_and_the_latest_step_without_colour() -> None:
    board = [line[2:43] for line in plain_text(sketch(OPENED)).splitlines()[1:18]]
    assert board == [
        "┌─────────┬─────────┬─────────┬─────────┐",
        "│ ·  ·  · │ ·  ·  · │[▽] ·  ◄ │ ·  ·  ✖ │",
        "│ · ( ) · │ · ( ) · │ △ (□) · │ · ( ) · │",
        "│ ·  · [○]│ ·  ·  · │[·] ·  ► │ ·  ·  · │",
        "├─────────┼─────────┼─────────┼─────────┤",
        "│ ·  ·  · │ ●  ·  · │ ·  ·  · │ ·  ·  · │",
        "│ · ( ) · │ · (■) · │ · ( ) · │ · ( ) · │",
        "│ ·  ·  · │ ·  ·  · │ ·  ·  · │ ·  ·  · │",
        "├─────────┼─────────┼─────────┼─────────┤",
        "│ ·  ·  · │ ·  ·  · │ ·  ·  · │ ·  ·  · │",
        "│ · ( ) · │ · ( ) · │ · ( ) · │ · ( ) · │",
        "│ ·  ·  · │ ·  ·  · │ ·  ·  · │ ·  ·  · │",
        "├─────────┼─────────┼─────────┼─────────┤",
        "│ ·  ·  · │ ·  ·  · │ ·  ·  · │ ·  ·  · │",
        "│ · ( ) · │ · ( ) · │ · ( ) · │ · ( ) · │",
        "│ ×  ·  · │ ·  ·  · │ ·  ·  · │ ·  ·  · │",
        "└─────────┴─────────┴─────────┴─────────┘",
    ]


def test_the_sketch_panel_names_the_turn_the_stock_and_the_hand() -> None:
    text = plain_text(sketch(REARRANGED))
    assert all(words in text for words in ("Turn 8", "puts pieces back", "uncreated □ 9  △ 6", "in hand   ● ▲ ×"))
    active = [span.text for line in sketch(REARRANGED) for span in line if span.style == "active"]
    assert active == ["● Black, 1 Realm"]


def test_the_pieces_of_the_notation_have_symbols() -> None:
    assert set(GAME.piece_symbols()) == {"P", "B", "E"}
