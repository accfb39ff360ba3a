"""Pictures and sketches: complete, labelled and made from the view alone; their words."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from realmtable.kit.picture_style import THEMES
from realmtable.kit.realm_board.geometry import CELLS, cell_name
from realmtable.kit.terminal_picture import Span
from tests.classic_realm.helpers import FAR, WON
from tests.example_tables import read_table
from tests.picture_checks import (
    SVG,
    check_document,
    check_nothing_is_loaded,
    check_sketch_fits,
    spaces_in,
    with_class,
)
from tests.realm_boards.boards import Board, each_board, list_cases
from tests.realm_boards.picture_views import (
    BUSY,
    COURT_SETUP,
    DISLODGED,
    LAND,
    LEAPT,
    MOST_BYTES,
    MOVED,
    OPENED,
    PLACING,
    REARRANGED,
    STUCK,
    STYLES,
    SURROUNDED,
    VIEWS,
    WARNED,
    View,
    description_of,
    each_view,
    headline_of,
    parse_picture,
    piece,
    realm_end,
    realm_view,
    trays,
    view_at,
)

HOSTILE = '"><script>x</script>&'

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
