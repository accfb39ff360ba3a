"""Pictures and sketches: complete, labelled, readable by shape and colour, and made from the view alone."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from realmtable.engine.match import Match
from realmtable.kit.picture_style import THEMES
from realmtable.kit.realm_board.geometry import CELLS, CENTERS, REALMS, cell_name
from realmtable.kit.terminal_picture import Span, plain_text
from tests.classic_realm.helpers import FAR, FULL, WON
from tests.example_tables import read_table
from tests.picture_checks import (
    SVG,
    check_document,
    check_nothing_is_loaded,
    check_sketch_fits,
    find_space,
    parse_svg,
    spaces_in,
    with_class,
)
from tests.realm_boards.boards import BOARDS, Board, each_board, list_cases

View = dict[str, Any]
HOSTILE = '"><script>x</script>&'

# ---- views


def view_at(name: str, where: str = "", steps: str = "", **changes: Any) -> View:  # noqa: ANN401 - any JSON value
    tested = BOARDS[name]
    return tested.game.view(tested.at(where, steps), None) | changes


def view_after(name: str, where: str, step: str) -> View:
    """A view of a match, which shows its latest step."""
    tested = BOARDS[name]
    state = tested.at(where)
    return Match.start(tested.game, state).play(0, tested.game.parse_move(state, step)).view(None)


def piece(at: str, seat: int, kind: str, facing: str | None = None, *, mobile: bool = True) -> View:
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


def realm_view(**changes: Any) -> View:  # noqa: ANN401 - any JSON value
    view: View = {
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


def realm_end(winner: int | None, reason: str = "last_base") -> View:
    outcome = {"scores": [8, 7] if winner == 0 else [7, 8] if winner else [7, 7], "winner": winner, "reason": reason}
    return realm_view(phase="over", to_move=[], outcome=outcome)


REARRANGED = realm_view(
    phase="rearrange",
    to_move=[1],
    turn={"number": 8, "seat": 1},
    lifted=[
        {"seat": 1, "kind": "power", "facing": None, "mobile": True},
        {"seat": 1, "kind": "enforcer", "facing": None, "mobile": True},
        {"seat": 0, "kind": "enforcer", "facing": None, "mobile": False},
    ],
)
OPENED = realm_view(open={"origin": "h11", "target": "e8", "moves": 1}, last=[["c10", "g10"], ["g12"]])
DOUBLE = "options=double_moves=on"
BUSY = view_at("classic_realm", FULL)
PLACING = view_at("classic_realm", "free_setup=on", "Fb2 Fk11 Fe2")
LEAPT = view_after("classic_realm", FULL, "Fe5h5")
LAND = "W:De2,Mb5,Ma7 B:Dh11,Mb8"
BESIEGED = "W:Ee4,Md6,Mf6,Mb5,Mk5,Ml1,Mk1 B:Ee9,Ma5,Mc5,Me7,Ml2,Mj1,Mh8,Mh2 move=W options=warning=on"
WARNED = view_at("oriental_realm", BESIEGED)
MOVED = view_at("oriental_realm", "W:Ee4,Mb5,Mc5 B:Eh8", "Mb5b6", last=[["b5", "b6"]])
SURROUNDED = view_at("oriental_realm", "W:Ma1,Ek9 B:Ma2,Mb5 move=B", "Mb5b1")
COURT_SETUP = view_at("oriental_realm", "free_setup=on", "Mb2 Eh8")
STUCK = view_at("modern_realm", "W:Aa9,Hk8,Ce2 B:Ab8,Ac7,Hb2,Ch11")
DISLODGED = view_at("modern_realm", "W:Cb4 B:Ab8,Al12", "Cb4b7")
VIEWS: Mapping[str, list[View]] = {
    "realm": [realm_view(), realm_view(pieces=[]), REARRANGED, OPENED, *map(realm_end, (0, 1, None))],
    "classic_realm": [
        BUSY,
        PLACING,
        view_at("classic_realm", f"{FAR} right=W owed=0 {DOUBLE}", "Fb2e2"),
        LEAPT,
        view_at("classic_realm"),
        view_at("classic_realm", WON),
    ],
    "medieval_realm": [view_at("medieval_realm", LAND), view_at("medieval_realm", LAND + " dukes=1/2")],
    "oriental_realm": [
        view_at("oriental_realm"),
        MOVED,
        WARNED,
        SURROUNDED,
        view_at("oriental_realm", "W: B:", "pass pass"),
        COURT_SETUP,
        view_at("oriental_realm", "emperor=choose"),
    ],
    "modern_realm": [view_at("modern_realm"), STUCK, DISLODGED],
}
STYLES = {"realm": "realm", "classic_realm": "classic_realm", "medieval_realm": "medieval",
          "oriental_realm": "oriental", "modern_realm": "modern"}  # fmt: skip
MOST_BYTES = {"realm": 45_000, "classic_realm": 75_000, "medieval_realm": 75_000, "oriental_realm": 50_000,
              "modern_realm": 75_000}  # fmt: skip
each_view = pytest.mark.parametrize(
    ("tested", "view"), list_cases({name: [(view,) for view in views] for name, views in VIEWS.items()})
)


def game_of(view: View) -> Any:  # noqa: ANN401 - the game object
    return BOARDS[view["game"]].game


def draw(view: View, theme: str = "auto") -> str:
    return str(game_of(view).draw(view, theme))


def parse_picture(view: View, theme: str = "auto") -> Element:
    return parse_svg(draw(view, theme))


def headline_of(view: View) -> str:
    title = parse_picture(view)[0].text or ""
    assert title.startswith(game_of(view).info.title + ": ")
    return title.removeprefix(game_of(view).info.title + ": ")


def description_of(view: View) -> str:
    return parse_picture(view)[1].text or ""


def sketch_text(view: View) -> str:
    return plain_text([[Span(*span) for span in line] for line in game_of(view).sketch(view)])


def trays(view: View) -> list[str]:
    """The labels of White's tray and of Black's."""
    return [each.get("aria-label") or "" for each in parse_picture(view) if each.get("role") == "img"][::-1]


def texts_in(tray: Element) -> list[str]:
    return [words.text for words in tray.iter(SVG + "text") if words.text]


# ---- what all pictures have in common


@each_view
@pytest.mark.parametrize("theme", THEMES)
def test_every_view_is_one_well_formed_small_document(tested: Board, view: View, theme: str) -> None:
    root = check_document(tested.game.draw(view, theme), MOST_BYTES[tested.game.info.id])
    assert root.get("class") == f"rt-board rt-{STYLES[tested.game.info.id]} rt-{theme}"


@each_view
def test_boards_on_one_page_cannot_collide_and_nothing_is_loaded_or_run(tested: Board, view: View) -> None:
    check_nothing_is_loaded(tested.game.draw(view))
    assert not any(each.get("id") for each in parse_picture(view).iter())


@each_view
def test_the_sketch_fits_a_terminal_and_every_line_is_equally_wide(tested: Board, view: View) -> None:
    check_sketch_fits([[Span(*span) for span in line] for line in tested.game.sketch(view)])


@each_view
def test_drawing_leaves_the_view_alone_and_needs_nothing_else(tested: Board, view: View) -> None:
    before = repr(view)
    again = json.loads(json.dumps(view))
    assert (tested.game.draw(view), tested.game.sketch(view)) == (tested.game.draw(again), tested.game.sketch(again))
    assert repr(view) == before


@each_board
def test_themes_change_the_class_alone(tested: Board) -> None:
    view = VIEWS[tested.game.info.id][0]
    assert len({tested.game.draw(view, theme).replace(f" rt-{theme}", "", 1) for theme in THEMES}) == 1
    with pytest.raises(ValueError, match="sepia"):
        tested.game.draw(view, "sepia")


@each_board
def test_every_state_can_be_drawn(tested: Board) -> None:
    for state, _ in list(tested.random_game(2, **tested.limits))[::6]:
        view = tested.game.view(state, None)
        assert tested.game.draw(json.loads(json.dumps(view))) == tested.game.draw(view)
        assert tested.game.sketch(view)


@each_board
def test_the_board_is_a_grid_of_all_spaces_from_rank_12_down(tested: Board) -> None:
    root = parse_picture(VIEWS[tested.game.info.id][0])
    (grid,) = (each for each in root.iter() if each.get("role") == "grid")
    rows = [[cell.get("data-handle") for cell in row] for row in grid]
    assert all(row.get("role") == "row" for row in grid)
    assert all(cell.get("role") == "gridcell" for row in grid for cell in row)
    assert [row[0] for row in rows] == [f"a{rank}" for rank in range(12, 0, -1)]
    assert sorted(str(name) for row in rows for name in row) == sorted(map(cell_name, range(CELLS)))
    edges = {"off"} if tested.game.info.id == "medieval_realm" else set()
    assert set(spaces_in(root)) - {cell_name(cell) for cell in range(CELLS)} == edges


@each_board
def test_the_pieces_of_the_notation_have_symbols(tested: Board) -> None:
    letters = {
        "realm": "PBE",
        "classic_realm": "F",
        "medieval_realm": "DM",
        "oriental_realm": "ME",
        "modern_realm": "ACH",
    }
    assert set(tested.game.piece_symbols()) == set(letters[tested.game.info.id])


OPTIONAL_KEYS = {
    "realm": ["last", "lifted", "open", "outcome", "offered", "viewer", "game"],
    "classic_realm": ["right", "outcome", "viewer", "game"],
    "oriental_realm": ["last", "warned", "surrounded", "realm", "unmoved", "outcome", "viewer", "game"],
}


@pytest.mark.parametrize(
    ("tested", "missing"), list_cases({name: [(key,) for key in keys] for name, keys in OPTIONAL_KEYS.items()})
)
def test_a_view_without_an_optional_key_is_drawn(tested: Board, missing: str) -> None:
    whole = VIEWS[tested.game.info.id][0]
    view = {key: value for key, value in whole.items() if key != missing}
    assert (tested.game.draw(view), tested.game.sketch(view)) == (tested.game.draw(whole), tested.game.sketch(whole))


OFF_BOARD = {
    "realm": piece("z9", 0, "power"),
    "classic_realm": {"at": "z9", "seat": 0, "swims": True},
    "medieval_realm": {"at": "z9", "seat": 0, "kind": "man", "down": False},
    "oriental_realm": {"at": "z9", "seat": 0, "kind": "mandarin", "pinned": False},
    "modern_realm": {"at": "z9", "seat": 0, "kind": "agent", "mobile": True},
}


@pytest.mark.parametrize("name", OFF_BOARD)
def test_a_piece_off_the_board_is_not_drawn(name: str) -> None:
    drawn = spaces_in(parse_picture(VIEWS[name][0] | {"pieces": [OFF_BOARD[name]]}))
    assert set(drawn) == set(spaces_in(parse_picture(VIEWS[name][0] | {"pieces": []})))
    assert {(space.get("aria-label") or "").rpartition(", ")[2] for key, space in drawn.items() if key != "off"} == {
        "vacant"
    }


HOSTILE_VIEWS = [
    realm_end(0, HOSTILE),
    realm_view(phase=HOSTILE),
    realm_view(open={"origin": "h11", "target": HOSTILE}),
    view_at("oriental_realm", phase=HOSTILE),
    view_at("oriental_realm", warned=[HOSTILE]),
    view_at("oriental_realm", realm=HOSTILE),
]


@pytest.mark.parametrize("view", HOSTILE_VIEWS, ids=range(len(HOSTILE_VIEWS)))
def test_hostile_words_stay_words(view: View) -> None:
    assert not [each for each in parse_picture(view).iter() if each.tag == SVG + "script"]


# ---- words

LABELS = {  # handle and label
    "realm": (realm_view(), """
        c10 | c10, White Power
        d9  | d9, Black Power
        h11 | h11, Center, White Base
        g12 | g12, White Enforcer facing south
        i10 | i10, Black Enforcer facing east
        a1  | a1, White Enforcer, immobile (cannot move)
        b2  | b2, Center, vacant
        b1  | b1, vacant
    """),
    "classic_realm": (BUSY, """
        b2  | b2, lily pad, White frog
        b8  | b8, lily pad, Black frog
        d4  | d4, White frog, in the water
        f6  | f6, Black frog, in the water
        h5  | h5, lily pad, vacant
        a1  | a1, vacant
    """),
    "medieval_realm": (VIEWS["medieval_realm"][0], """
        off | Off the board
        e2  | e2, Center, White Duke
        b5  | b5, Center, White Man
        a7  | a7, White Man, dislodged
        h11 | h11, Center, Black Duke
        h8  | h8, Center, vacant
        a1  | a1, vacant
    """),
    "oriental_realm": (WARNED, """
        e4  | e4, White Emperor
        e7  | e7, Black Mandarin
        b5  | b5, Center, White Mandarin, pinned
        k1  | k1, White Mandarin, warned
        b2  | b2, Center, vacant
    """),
    "modern_realm": (STUCK, """
        a9  | a9, White Agent, immobile
        b8  | b8, Center, Black Agent
        k8  | k8, Center, White HQ
        e2  | e2, Center, White Counter-Agent
        a1  | a1, vacant
    """),
}  # fmt: skip


@pytest.mark.parametrize("name", LABELS)
def test_a_space_says_what_is_on_it(name: str) -> None:
    view, table = LABELS[name]
    spaces = spaces_in(parse_picture(view))
    expected = {row[0]: row[1] for row in read_table(table)}
    assert {handle: spaces[handle].get("aria-label") for handle in expected} == expected


HEADLINES: Mapping[str, list[tuple[View, str]]] = {
    "realm": [
        (realm_view(), "White to move"),
        (realm_view(to_move=[1], phase="bases"), "Black places a Base"),
        (realm_view(phase="found"), "White founds a Base"),
        (realm_view(phase="parley"), "White parley"),
        (realm_view(offered=True), "White to move, may accept the offer"),
        (OPENED | {"phase": "create"}, "White creates an Enforcer"),
        (realm_view(open={"origin": "h11", "target": None, "moves": 1}), "White to move, from h11"),
        (realm_view(open={"origin": None, "target": "e8", "moves": 1}), "White to move, into e8"),
        (realm_end(0), "White won 8 to 7, last base"),
        (realm_end(1, "no_progress"), "Black won 8 to 7, no progress"),
        (realm_end(None, "agreement"), "drawn 7 to 7, agreement"),
    ],
    "classic_realm": [
        (BUSY, "White to move"),
        (PLACING, "Black places a frog"),
        (VIEWS["classic_realm"][2], "White may move again"),
        (BUSY | {"phase": "dream"}, "White dream"),
        (view_at("classic_realm", WON), "White won 1 to 0, all enemies dunked"),
        (view_at("classic_realm", FAR + " phase=over end=repetition"), "drawn 1 to 1, repetition"),
    ],
    "medieval_realm": [
        (view_at("medieval_realm", "W:Ma7 B:Mb8"), "White cannot move and must pass"),
        (view_at("medieval_realm", "W:Mb11 B:Mb8", "Mb11off"), "White won 8 to 7, borne off"),
        (view_at("medieval_realm", LAND + " end=duke_draw"), "drawn 5 to 6, duke draw"),
    ],
    "oriental_realm": [
        (view_at("oriental_realm"), "White to move"),
        (MOVED, "White to move, from b5"),
        (WARNED, "White to move, in danger: k1 l1"),
        (COURT_SETUP, "White places a piece"),
        (view_at("oriental_realm", "emperor=choose"), "White chooses the Emperor's Center"),
        (view_at("oriental_realm", phase="parley"), "White parley"),
        (SURROUNDED, "Black won, by surrounding"),
        (view_at("oriental_realm", "W: B:", "pass pass"), "drawn, neither player can move"),
    ],
    "modern_realm": [
        (view_at("modern_realm"), "White to move"),
        (view_at("modern_realm", "W:Aa1,Ac3 B:Al12", "Aa1a4"), "White to move, out of b2"),
        (DISLODGED, "White dislodges an Agent, in b8"),
        (view_at("modern_realm", "counter_agent=choose"), "White chooses a Counter-Agent"),
        (
            view_at("modern_realm", "W:Hb8,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Al1 move=W end=eight_headquarters"),
            "White won 8 to 0, eight headquarters",
        ),
        (view_at("modern_realm", "W:Hb8 B:Al1 passed end=two_passes"), "drawn 1 to 0, two passes"),
    ],
}


@pytest.mark.parametrize(("tested", "view", "words"), list_cases(HEADLINES))
def test_the_headline_names_the_acting_player_and_the_action(tested: Board, view: View, words: str) -> None:
    assert view["game"] == tested.game.info.id
    assert headline_of(view) == words


DESCRIPTIONS = {
    "realm": (OPENED, """
        Turn 7; White to move, from h11 or into e8; White controls 1 Realm and has 1 Power and 3 Enforcers (1 immobile)
        on the board; Black controls 1 Realm and has 1 Power and 3 Enforcers (1 immobile) on the board; last step c10 to
        g10, g12.
    """),
    "classic_realm": (LEAPT, """
        Turn 1; Black to move; White has 5 frogs on pads and 3 in the water; Black has 3 frogs on pads and 5 in the
        water; last step e5 to h5.
    """),
    "medieval_realm": (VIEWS["medieval_realm"][0], """
        Turn 1; White to move; White has 1 Duke and 1 Man on Centers, 1 Man dislodged and 5 pieces borne off; Black has
        1 Duke and 1 Man on Centers, 0 Men dislodged and 6 pieces borne off.
    """),
    "oriental_realm": (MOVED, """
        Turn 1; White to move, from b5; White has the Emperor on e4 and 2 Mandarins (0 pinned) on the board; Black has
        the Emperor on h8 and 0 Mandarins (0 pinned) on the board; last step b5 to b6.
    """),
    "modern_realm": (STUCK, """
        Turn 1; White to move; White, whose targets are ranks 7 to 12, has founded 1 of 8 HQs and has 1 Agent (1
        immobile) and 1 Counter-Agent on the board; Black, whose targets are ranks 1 to 6, has founded 1 of 8 HQs and
        has 2 Agents (0 immobile) and 1 Counter-Agent on the board.
    """),
}  # fmt: skip


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_the_description_is_one_sentence(name: str) -> None:
    view, text = DESCRIPTIONS[name]
    assert description_of(view) == " ".join(text.split())


def test_the_description_names_the_latest_steps_and_what_is_surrounded() -> None:
    assert "; surrounded a1." in description_of(SURROUNDED)
    latest = view_at("modern_realm", "W:Ab4 B:Al12,Ak1", last=[["b4", "b7"], ["pass"], ["e5", "g6"]])
    assert description_of(latest).endswith("last step b4 to b7, e5 to g6.")


TRAYS: list[tuple[View, list[str]]] = [  # how the labels of White's tray and Black's begin
    (REARRANGED, [
        "White; 1 Realm; 9 Bases and 6 Enforcers uncreated; 2 Bases captured",
        ("Black, puts pieces back; 1 Realm; 0 Bases and 0 Enforcers uncreated; 0 Bases captured;"
        " in hand Black Power, Black Enforcer, White Enforcer, immobile (cannot move)"),
    ]),
    # the prompt says how the turn can go on
    (OPENED, ["White, to move; 1 Realm", "Black; 1 Realm"]),
    (realm_view(offered=True), ["White, to move, may accept the offer;", "Black;"]),
    (BUSY, ["White, to move; 4 frogs on pads, 4 in the water", "Black; 3 frogs on pads, 5 in the water"]),
    (PLACING, ["White; 2 frogs on pads, 0 in the water, 6 to place",
               "Black, places a frog; 1 frog on pads, 0 in the water, 7 to place"]),
    (view_at("medieval_realm", LAND), [
        "White, to move; 1 Duke and 4 Men borne off", "Black; 1 Duke and 5 Men borne off",
    ]),
    (view_at("medieval_realm", LAND + " dukes=1/2"), [
        "White, to move; 1 Duke and 4 Men borne off; 1 Duke move in a row",
        "Black; 1 Duke and 5 Men borne off; 2 Duke moves in a row",
    ]),
    (view_at("medieval_realm", LAND + " dukes=1/2 options=duke_draw=off"), [
        "White, to move; 1 Duke and 4 Men borne off", "Black; 1 Duke and 5 Men borne off",
    ]),
    (view_at("medieval_realm", "W:Ma7 B:Mb8"), ["White, cannot move and must pass", "Black"]),
    (view_at("medieval_realm", "W:Mb11 B:Mb8", "Mb11off"), ["White, won, borne off; ", "Black, lost; "]),
    (view_at("medieval_realm", LAND + " end=duke_draw"), ["White, drew, duke draw", "Black, drew, duke draw"]),
    (WARNED, ["White, to move, in danger: k1 l1; 6 free pieces, 1 pinned", "Black; 8 free pieces, 0 pinned"]),
    (COURT_SETUP, ["White, places a piece; 6 Mandarins and 1 Emperor to place",
                   "Black; 7 Mandarins and 0 Emperors to place"]),
    (HEADLINES["modern_realm"][4][0], ["White, won", "Black, lost"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("view", "labels"), TRAYS, ids=[f"{view['game']}-{number}" for number, (view, _) in enumerate(TRAYS)]
)
def test_the_trays_say_whose_turn_it_is_and_count_the_pieces(view: View, labels: list[str]) -> None:
    found = trays(view)
    assert [label[: len(words)] for label, words in zip(found, labels, strict=True)] == labels
    assert ("Duke move" in found[0]) == ("Duke move" in labels[0])
    assert len(with_class(parse_picture(view), "rt-turn")) == (0 if view.get("outcome") and "drew" in found[0] else 1)


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
