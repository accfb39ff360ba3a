"""What pictures and sketches show of pieces, Realms, the latest step and the trays, by shape and not only by colour."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

import pytest

from realmtable.kit.realm_board.geometry import CELLS, CENTERS, REALMS, cell_name
from tests.classic_realm.helpers import FAR
from tests.picture_checks import (
    SVG,
    find_space,
    spaces_in,
    with_class,
)
from tests.realm_boards.picture_views import (
    BUSY,
    COURT_SETUP,
    DISLODGED,
    DOUBLE,
    LAND,
    LEAPT,
    MOVED,
    OPENED,
    PLACING,
    REARRANGED,
    STUCK,
    SURROUNDED,
    WARNED,
    View,
    description_of,
    draw,
    game_of,
    parse_picture,
    piece,
    realm_end,
    realm_view,
    sketch_text,
    texts_in,
    trays,
    view_after,
    view_at,
)

# ---- Realm


def test_the_fullest_board_stays_small() -> None:
    bases = [piece(cell_name(center), 1, "base") for center in CENTERS]
    others = [cell_name(cell) for cell in range(CELLS) if cell not in CENTERS][:26]
    full = realm_view(pieces=[*bases, *(piece(at, 1, "enforcer", "W") for at in others)])
    assert len(draw(full).encode()) < 55_500


@pytest.mark.parametrize(("handle", "turn"), [("g11", ""), ("i10", "90"), ("g12", "180"), ("i12", "270")])
def test_an_enforcer_points_where_it_faces(handle: str, turn: str) -> None:
    transform = find_space(parse_picture(realm_view()), handle)[1].get("transform") or ""
    assert (re.findall(r"rotate\((\d+)\)", transform) or [""]) == [turn]


def shapes(root: Element, handle: str) -> set[str]:
    """The outlines on a space, without any colour."""
    return {each.get("d", "") for each in find_space(root, handle).iter()} - {""}


def test_an_immobile_enforcer_has_a_distinct_shape() -> None:
    root = parse_picture(realm_view())
    assert not shapes(root, "a1") & shapes(root, "g11")
    assert len(with_class(find_space(root, "a1"), "rt-lock")) == 1
    assert not with_class(find_space(root, "g11"), "rt-lock")
    assert with_class(find_space(root, "a1"), "rt-lock") == with_class(find_space(root, "a1"), "rt-up")


def test_centers_are_circled_and_controlled_realms_differ_by_more_than_hue() -> None:
    assert len(with_class(parse_picture(realm_view(pieces=[])), "rt-center")) == REALMS == len(CENTERS)
    root = parse_picture(realm_view())
    assert len(with_class(root, "rt-hold")) == 2
    assert len(with_class(root, "rt-hatch")) == 1
    assert not with_class(parse_picture(realm_view(pieces=[piece("c10", 0, "base")])), "rt-hold")


@pytest.mark.parametrize(
    ("origin", "target", "kinds"),
    [("h11", "e8", ["rt-origin", "rt-target"]), ("h11", None, ["rt-origin"]), (None, "e8", ["rt-target"])],
)
def test_open_realms_are_outlined(origin: str | None, target: str | None, kinds: list[str]) -> None:
    root = parse_picture(realm_view(open={"origin": origin, "target": target, "moves": 1}))
    assert [kind for kind in ("rt-origin", "rt-target") if with_class(root, kind)] == kinds


def test_the_trays_show_stock_captures_and_lifted_pieces() -> None:
    black, white = (each for each in parse_picture(REARRANGED) if each.get("role") == "img")
    assert len(with_class(black, "rt-next")) == 1
    assert len(with_class(black, "rt-none")) == 2
    assert not with_class(white, "rt-next")
    assert texts_in(white) == ["1 Realm", "2 captured", "6", "9"]
    assert [each.text for each in with_class(parse_picture(realm_view()), "rt-words")] == [None, "to move"]


def test_an_offered_end_is_shown_only_while_the_game_runs() -> None:
    assert "  may accept the offer" in sketch_text(realm_view(offered=True))
    assert "may accept the offer" not in draw(realm_end(None) | {"offered": True})


@pytest.mark.parametrize(
    ("winner", "words"),
    [
        (0, ["lost", "won · last base"]),
        (1, ["won · last base", "lost"]),
        (None, ["drew · last base", "drew · last base"]),
    ],
)
def test_both_trays_describe_the_end(winner: int | None, words: list[str]) -> None:
    assert [each.text for each in with_class(parse_picture(realm_end(winner)), "rt-words")] == words


# ---- the latest step

LATEST: list[tuple[View, tuple[int, int, int]]] = [  # marks, trails and leaps
    (OPENED, (3, 1, 0)),
    (realm_view(last=None), (0, 0, 0)),
    (realm_view(last=[]), (0, 0, 0)),
    (realm_view(last=[["end"]]), (0, 0, 0)),
    (realm_view(last=[["pass", "N"]]), (0, 0, 0)),
    # nothing joins the two pieces of a sacrifice
    (realm_view(last=[["sacrifice", "a1", "b3", "face:N"], ["c1", "c2", "c3"]]), (5, 0, 0)),
    (LEAPT, (2, 0, 1)),
    (view_after("medieval_realm", "W:De2,Mb11 B:Dh11", "De2e5"), (2, 0, 1)),
    (view_after("medieval_realm", "W:De2,Mb11 B:Dh11", "Mb11off"), (1, 0, 0)),
    (view_after("medieval_realm", "W:Ma7 B:Mb8", "pass"), (0, 0, 0)),
    (MOVED, (2, 1, 0)),
    (view_at("modern_realm", "W:Ab4 B:Al12,Ak1", last=[["b4", "b7"], ["pass"], ["e5", "g6"]]), (4, 1, 1)),
]


@pytest.mark.parametrize(("view", "counts"), LATEST, ids=range(len(LATEST)))
def test_the_latest_step_is_marked_and_trailed(view: View, counts: tuple[int, int, int]) -> None:
    root = parse_picture(view)
    assert tuple(len(with_class(root, kind)) for kind in ("rt-last", "rt-trail", "rt-leap")) == counts


@pytest.mark.parametrize(
    ("where", "step", "words"),
    [
        ("W:De2,Mb11 B:Dh11", "De2e5", "last step e2 to e5."),
        ("W:De2,Mb11 B:Dh11", "Mb11off", "last step b11 off the board."),
        ("W:Ma7 B:Mb8", "pass", "last step pass."),
    ],
)
def test_the_latest_step_of_a_duke_or_man_is_described(where: str, step: str, words: str) -> None:
    assert description_of(view_after("medieval_realm", where, step)).endswith(words)


# ---- Classic Realm


def test_frogs_differ_in_shape() -> None:
    root = parse_picture(BUSY)
    assert not shapes(root, "b2") & shapes(root, "d4")
    marks = {
        handle: {kind for kind in ("rt-stripe", "rt-belly", "rt-ripple") if with_class(find_space(root, handle), kind)}
        for handle in ("b2", "b8", "d4", "f6")
    }
    assert marks == {"b2": {"rt-belly"}, "b8": {"rt-stripe"}, "d4": {"rt-ripple"}, "f6": {"rt-stripe", "rt-ripple"}}
    assert len(with_class(root, "rt-pad")) == REALMS


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ("right=B owed=2", "double move after 2 turns"),
        ("right=B owed=1", "after 1 turn"),
        ("right=B owed=0", "ready"),
    ],
)
def test_the_right_to_a_double_move_is_shown_at_its_holder(rest: str, words: str) -> None:
    view = view_at("classic_realm", f"{FAR} {rest} {DOUBLE}")
    assert words in trays(view)[1]
    assert "double" not in trays(view)[0]
    assert words in description_of(view)
    assert words in sketch_text(view)


def test_the_right_is_not_spoken_of_while_frogs_are_placed() -> None:
    assert "double" not in " ".join(trays(view_at("classic_realm", "free_setup=on,double_moves=on")))
    assert "6 to place" in draw(PLACING)


# ---- Medieval Realm


def test_the_far_side_of_the_acting_seat_can_be_clicked() -> None:
    edges = [
        find_space(parse_picture(view_at("medieval_realm", f"W:Mb11 B:Mb2,Dk11 move={seat}")), "off") for seat in "WB"
    ]
    assert [float(edge[0].attrib["y"]) for edge in edges] == [0, 43 + 480]
    over = parse_picture(view_at("medieval_realm", "W: B:Dh11,Mb8 move=W end=borne_off"))
    assert "off" not in spaces_in(over)


def test_dukes_men_and_the_dislodged_differ_in_shape_and_owner() -> None:
    root = parse_picture(view_at("medieval_realm", "W:De2,Mb5,Ma7 B:Db8,Mh8,Mi6,Dh5"))
    drawn = [frozenset(shapes(root, handle)) for handle in ("e2", "b5", "a7", "b8", "h8", "i6")]
    assert len(set(drawn)) == 6
    assert drawn[3] == shapes(root, "h5")
    assert [len(with_class(find_space(root, handle), "rt-fallen")) for handle in ("a7", "i6", "b5")] == [1, 1, 0]
    assert (len(with_class(root, "rt-keep")), len(with_class(root, "rt-road"))) == (16, 1)


# ---- Oriental Realm


def test_kinds_and_pins_have_shapes_of_their_own() -> None:
    root = parse_picture(WARNED)
    for kind, counts in (("rt-or-ring", [2, 0, 0]), ("rt-or-rim", [0, 1, 0]), ("rt-or-pin", [0, 0, 1])):
        assert [len(with_class(find_space(root, at), kind)) for at in ("e4", "d6", "b5")] == counts


def test_the_warned_group_has_one_outline() -> None:
    root = parse_picture(WARNED)
    frames = {at: with_class(find_space(root, at), "rt-or-warn")[0].get("d") for at in ("k1", "l1")}
    assert frames == {"k1": "M-20-19H20M-20 19H20M-19-20V20", "l1": "M-20-19H20M19-20V20M-20 19H20"}
    assert len(with_class(root, "rt-or-warn")) == 2


def test_what_is_surrounded_has_a_strong_outline() -> None:
    root = parse_picture(SURROUNDED)
    assert len(with_class(root, "rt-or-shut")) == 1
    assert find_space(root, "a1").get("aria-label") == "a1, White Mandarin, surrounded"
    assert "surrounded:" in sketch_text(SURROUNDED)


def test_a_piece_within_its_group_has_no_side_of_the_outline() -> None:
    names = ["c4", "d3", "d4", "d5", "e4"]
    root = parse_picture(view_at("oriental_realm", "W:Ed4,Mc4,Me4,Md3,Md5 B:Eh8", warned=names))
    assert with_class(find_space(root, "d4"), "rt-or-warn")[0].get("d") == ""
    assert len(with_class(root, "rt-or-warn")) == 5


def test_the_realm_of_the_turn_is_outlined() -> None:
    before, during = (view_at("modern_realm", "W:Aa1,Ac3 B:Al12", steps) for steps in ("", "Aa1a4"))
    found = [
        len(with_class(parse_picture(view), "rt-origin")) for view in (view_at("oriental_realm"), MOVED, before, during)
    ]
    assert found == [0, 1, 0, 1]


def test_the_trays_count_free_and_pinned_pieces() -> None:
    black, white = (each for each in parse_picture(WARNED) if each.get("role") == "img")
    assert texts_in(white) == ["1 pinned", "6 free"]
    assert "8 free pieces" in texts_in(black)


# ---- Modern Realm


def test_agents_and_headquarters_differ_by_shape_and_owner() -> None:
    root = parse_picture(STUCK)
    for handle, kinds in (
        ("a9", "rt-down rt-seat0"),
        ("b8", "rt-band rt-seat1"),
        ("k8", "rt-flag"),
        ("e2", "rt-scope"),
    ):
        assert all(with_class(find_space(root, handle), kind) for kind in kinds.split())
    assert len(with_class(root, "rt-hold")) == 2


def test_the_targets_of_both_sides_are_marked() -> None:
    text = draw(view_at("modern_realm"))
    assert len(re.findall(r'class="rt-seat[01]"><path class="rt-bracket"', text)) == 2


def test_a_theme_without_decoration_keeps_the_targets_and_the_lines_between_spaces() -> None:
    root = parse_picture(view_at("modern_realm"))
    (decoration,) = with_class(root, "rt-decor")
    assert all(with_class(decoration, kind) for kind in ("rt-block", "rt-park", "rt-river"))
    assert with_class(root, "rt-bracket")
    assert not with_class(decoration, "rt-bracket")
    assert ".rt-modern .rt-lines{stroke:var(--board-line,none)}" in (root.findtext(SVG + "style") or "")


def test_a_dislodged_agent_waits_in_the_tray_of_the_captor() -> None:
    text = draw(DISLODGED)
    assert text.count('class="rt-next"') == 1
    assert "in hand Black Agent" in text
    assert "rt-open rt-target" in text
    assert "in hand ▲" in sketch_text(DISLODGED)


# ---- the terminal


def test_the_sketch_shows_seats_facings_centers_and_the_latest_step_without_colour() -> None:
    board = [line[2:43] for line in sketch_text(OPENED).splitlines()[1:18]]
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


def test_frogs_differ_in_the_sketch_without_colour() -> None:
    board = [line[2:43] for line in sketch_text(LEAPT).splitlines()[9:17]]
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


SKETCHED: list[tuple[View, list[str]]] = [
    (REARRANGED, ["Turn 8", "puts pieces back", "uncreated □ 9  △ 6", "in hand   ● ▲ ×"]),
    (PLACING, ["to place     ○ 6"]),
    (
        view_at("medieval_realm", LAND + " dukes=0/2", last=[["e5", "e2"]]),
        ["[◇]", "(△)", "(◆)", "(▲)", " × ", "borne off 6:  ◆ 1  ▲ 5", "Duke moves in a row: 2", "to move"],
    ),
    (
        WARNED,
        [
            " 5│ ● (×) ● │ · ( ) · │ · ( ) · │ · (○) · │5",
            " 4│ ·  ·  · │ ·  ☆  · │ ·  ·  · │ ·  ·  · │4",
            " 9│ ·  ·  · │ ·  ★  · │ ·  ·  · │ ·  ·  · │9",
            "Turn 1",
            "in danger:",
            "k1 l1",
            "pinned 1",
        ],
    ),
    (MOVED, ["may still move:"]),
    (COURT_SETUP, ["to place ○ ○ ○ ○ ○ ○ ☆"]),
    (STUCK, ["×", "▲", "□", "◇", "■", "◆", "aims at ranks 7 to 12"]),
    (view_at("modern_realm", "W:Ab4 B:Al12,Ak1", last=[["b4", "b7"]]), ["["]),
]


@pytest.mark.parametrize(("view", "words"), SKETCHED, ids=range(len(SKETCHED)))
def test_the_sketch_shows_pieces_and_counts(view: View, words: list[str]) -> None:
    text = sketch_text(view)
    assert [each for each in words if each not in text] == []
    assert text.count("to move") <= 1


def test_the_sketch_of_a_set_up_has_sixteen_pieces() -> None:
    board = "\n".join(line[:45] for line in sketch_text(view_at("medieval_realm")).splitlines())
    assert {sign: board.count(sign) for sign in "◇◆△▲×✖"} == {"◇": 2, "◆": 2, "△": 6, "▲": 6, "×": 0, "✖": 0}


def test_the_panel_highlights_the_acting_seat() -> None:
    active = [span[0] for line in game_of(REARRANGED).sketch(REARRANGED) for span in line if span[1] == "active"]
    assert active == ["● Black, 1 Realm"]
