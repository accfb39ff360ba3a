"""Rearrangement: R11, S8, V14, V15, V17."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from realmtable.engine.errors import BadNotation, IllegalMove
from realmtable.engine.options import OptionValue
from realmtable.games.realm.first_state import State
from realmtable.games.realm.layout import QUIET_TURNS
from realmtable.games.realm.steps import Step
from tests.realm.helpers import (
    GAME,
    bases_left,
    begins_turn,
    diff_pieces,
    enforcers_left,
    expect_refusal,
    legal,
    phase_of,
    pieces,
    play,
    position,
    seat_of,
)

RISING = ["g10", "h10", "i10", "g11", "i11", "g12", "h12", "i12"]  # the Border of h11 as S8 orders it
FACES = "NESW"
ONE_POWER = "W:Bh11,Pg10 B:Bh2"


def walls(*free: str) -> str:
    """Black's immobile Enforcers on every Border space of h11 but some."""
    return "".join(f",E{space}x" for space in RISING if space not in free)


def results(state: State) -> set[tuple[tuple[str, str], ...]]:
    """Return every position that the current Rearrangement can end in, as the content of h11."""
    found = set()
    open_states = [state]
    while open_states:
        state = open_states.pop()
        for text in legal(state):
            after = play(state, text)
            if phase_of(after) == "rearrange":
                open_states.append(after)
            else:
                found.add(tuple((space, pieces(after)[space]) for space in RISING if space in pieces(after)))
    return found


# ---- R11


def test_r11_a_rearrangement_lifts_and_puts_back_what_its_player_has_there() -> None:
    state = position("W:Bh11,Pg10,Pi10,Eg12S,Ei12x,Pa1 B:Bh2,Ph12")
    lifted = play(state, "Rh11")
    assert diff_pieces(state, lifted) == {"g10": "", "i10": "", "g12": "", "i12": ""}
    after = play(lifted, "Pi10 Pg11 Eg12E Eg10x")
    assert diff_pieces(state, after) == {"g10": "WEx", "g11": "WP", "g12": "WEE", "i12": ""}
    assert (seat_of(after), begins_turn(after)) == (1, True)


def test_r11_the_realm_may_be_any_and_no_event_follows() -> None:
    for board in ("W:Bb2,Pg10 B:Bh2", "W:Bb2,Pg10 B:Bh2,Bh11", "W:Bb2,Bh11,Pg10 B:Bh2"):
        state = position(board)
        after = play(state, "Rh11 Pi12")
        assert diff_pieces(state, after) == {"g10": "", "i12": "WP"}
        assert (bases_left(after), enforcers_left(after), after.position[QUIET_TURNS]) == (
            bases_left(state), enforcers_left(state), 1
        )  # fmt: skip


@pytest.mark.parametrize("board", [ONE_POWER, "W:Bb2,Pg10 B:Bh2"])
def test_r11_nothing_is_put_on_a_center_and_the_position_must_change(board: str) -> None:
    state = play(position(board), "Rh11")
    assert legal(state) == {"P" + space for space in RISING[1:]}
    assert expect_refusal(state, "Ph11").clause == "R11"


def test_r11_a_piece_may_return_if_something_else_changes() -> None:
    state = play(position("W:Bh11,Pg10,Eg12S B:Bh2"), "Rh11 Pg10")
    assert legal(state) == {f"E{space}{face}" for space in RISING[1:] for face in FACES} - {"Eg12S"}


def test_r11_s8_an_enforcer_may_just_turn() -> None:
    state = play(position(f"W:Bh11,Eg10N B:Bh2{walls('g10')}"), "Rh11")
    assert legal(state) == {"Eg10E", "Eg10S", "Eg10W"}


def test_r11_two_kinds_may_trade_places_in_a_full_realm() -> None:
    state = position(f"W:Bh11,Pg10,Eh10x B:Bh2{walls('g10', 'h10')}")
    assert results(play(state, "Rh11")) == {(("g10", "WEx"), ("h10", "WP"), *((s, "BEx") for s in RISING[2:]))}


@pytest.mark.parametrize("board", ["W:Bh11,Pg10,Ph10 B:Bh2", "W:Bh11,Eg10x,Eh10x B:Bh2"])
def test_r11_what_cannot_change_cannot_be_rearranged(board: str) -> None:
    state = position(board + walls("g10", "h10"))
    assert "Rh11" not in legal(state)
    assert expect_refusal(state, "Rh11").clause == "R11"
    assert "Rh11" in legal(position(board + walls("g10", "h10", "i12")))


def test_r11_a_player_rearranges_only_where_they_have_pieces() -> None:
    assert {text for text in legal(position("W:Bh11,Bb2,Pg10 B:Bh2,Pg3")) if text[0] == "R"} == {"Rh11"}


# ---- R11: three in a row

SHUTTLE = "W:Bh11,Bk2,Bk5,Pg10,Pa12 B:Bh2,Bh8,Bb11,Pj3"


def play_white_turns(state: State, *turns: str) -> State:
    """Turns of White's; Black's Power goes to and fro between White's Realms k2 and k5, without event."""
    for turn in turns:
        state = play(state, turn)
        state = play(state, "Pj3j4 end" if "j3" in pieces(state) else "Pj4j3 end")
    return state


def test_r11_three_rearrangements_of_one_realm_in_a_row_are_not_allowed() -> None:
    state = play_white_turns(position(SHUTTLE), "Rh11 Pi10", "Rh11 Pg10")
    assert {text for text in legal(state) if text[0] == "R"} == {"Rb11"}
    assert expect_refusal(state, "Rh11").clause == "R11"


@pytest.mark.parametrize("other", ["Rb11 Pc12", "Pg10g7 end"])
def test_r11_another_turn_breaks_the_row(other: str) -> None:
    state = play_white_turns(position(SHUTTLE.replace("Pg10", "Pg10,Pi12")), "Rh11 Pg10 Ph12", "Rh11 Pg10 Pi12", other)
    assert "Rh11" in legal(state)


def test_r11_a_pass_breaks_the_row() -> None:
    state = position(f"W:Bh11,Pg10,Ph10 B:Bh2,Pg9,Ph9{walls('g10', 'h10')},Ef10x rowW=h11*2 rowB=h2*1", enforcers=9)
    assert legal(state) == {"pass", "offer"}
    assert GAME.encode(play(state, "pass")).count("row") == 1


def test_r11_each_player_has_their_own_row() -> None:
    state = position("W:Bh11,Pg10 B:Bb2,Pi10 move=B rowW=h11*2")
    assert "Rh11" in legal(state)


def test_v17_without_the_limit_no_rows_are_kept() -> None:
    state = play_white_turns(position(SHUTTLE, rearrange_limit=False), "Rh11 Pi10", "Rh11 Pg10")
    assert "Rh11" in legal(state)
    assert " row" not in GAME.encode(state)


# ---- S8


def test_s8_pieces_are_put_in_a_fixed_order() -> None:
    state = play(position("W:Bh11,Ph12,Pg10,Eg12S,Ei12x B:Bh2"), "Rh11")
    orders = []
    while phase_of(state) == "rearrange":
        orders.append([(piece["kind"], piece["mobile"]) for piece in GAME.view(state, 0)["lifted"]])
        state = play(state, max(legal(state)) if len(orders) > 1 else min(legal(state)))
    power, mobile, flat = ("power", True), ("enforcer", True), ("enforcer", False)
    assert orders == [[power, power, mobile, flat], [power, mobile, flat], [mobile, flat], [flat]]


def test_s8_spaces_rise_within_a_class() -> None:
    state = play(position("W:Bh11,Pg10,Ph10,Ei12N,Eg11x,Eh12x B:Bh2"), "Rh11")
    assert legal(state) == {"P" + space for space in RISING[:-1]}
    state = play(state, "Pg11")
    assert legal(state) == {"P" + space for space in RISING[4:]}
    state = play(state, "Pi11")
    assert legal(state) == {f"E{space}{face}" for space in RISING[:3] + RISING[5:] for face in FACES}
    state = play(state, "Eg10N")
    assert legal(state) == {f"E{space}x" for space in ("h10", "i10", "g12", "h12")}
    assert legal(play(state, "Eg12x")) == {"Eh12x", "Ei12x"}


def test_s8_the_last_put_must_leave_a_change() -> None:
    state = play(position("W:Bh11,Pg10,Ph10 B:Bh2"), "Rh11")
    assert legal(play(state, "Pg10")) == {"P" + space for space in RISING[2:]}
    assert legal(play(state, "Ph10")) == {"P" + space for space in RISING[2:]}


def test_s8_a_rearrangement_counts_each_result_once() -> None:
    state = play(position("W:Bh11,Pg10,Ph10,Ei10x B:Bh2"), "Rh11")
    assert len(results(state)) == 28 * 6 - 1
    assert len(results(play(position("W:Bh11,Pg10,Eh10N B:Bh2"), "Rh11"))) == 8 * 7 * 4 - 1


# ---- the order in which the parts are written


def random_rearrangement(rng: Random, **options: OptionValue) -> tuple[State, list[Step]] | None:
    """A random crowd in h11 and a random way to rearrange it; None where it cannot be rearranged."""
    spaces = rng.sample(RISING, rng.randint(2, 7))
    kinds = [rng.choice(["P", "EN", "ES", "Ex"]) for _ in spaces]
    texts = [kind[0] + space + kind[1:] for space, kind in zip(spaces, kinds, strict=True)]
    own = rng.randint(1, len(texts))
    state = position(f"W:Bb2,{','.join(texts[:own])} B:{','.join(['Bk2', *texts[own:]])} move=W left=8/8", **options)
    if "Rh11" not in legal(state):
        return None
    steps = [GAME.parse_move(state, "Rh11")]
    lifted = play(state, "Rh11")
    while phase_of(lifted) == "rearrange":
        steps.append(rng.choice(GAME.legal_moves(lifted, 0)))
        lifted = GAME.play(lifted, 0, steps[-1])
    return state, steps


def shuffle_parts(rng: Random, text: str) -> str:
    """The turn's text with its parts in another order, on each side of a semicolon."""
    head, _, inner = text.removesuffix(")").partition("(")
    sides = [side.split(",") for side in inner.split(";")]
    for side in sides:
        rng.shuffle(side)
    return f"{head}({';'.join(','.join(side) for side in sides)})"


@pytest.mark.long
@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("rearrange", ["free", "all_move"])
def test_s8_the_parts_of_a_rearrangement_are_read_in_any_order(both: bool, rearrange: str) -> None:
    rng = Random(f"{both} {rearrange}")
    compared = 0
    while compared < 40:
        if found := random_rearrangement(rng, rearrange_both=both, rearrange=rearrange, powers=4, enforcers=9):
            state, steps = found
            text = GAME.format_turn(state, steps)
            for _ in range(4):
                read = GAME.parse_turn(state, shuffle_parts(rng, text))
                assert (read.moves, read.warnings, read.rest) == (steps, [], ""), text
            compared += 1


def test_s8_every_order_of_a_few_parts_is_read() -> None:
    state = position("W:Pg10,Ph12,Ei11S,Eg12x,Bb2 B:Bk2 move=W")
    steps = GAME.parse_turn(state, "Rh11(Pi10,Pg12,Eh10W,Eh12x)").moves
    for parts in permutations(["Pi10", "Pg12", "Eh10W", "Eh12x"]):
        assert GAME.parse_turn(state, f"Rh11({','.join(parts)})").moves == steps
    for parts in permutations(["PI10", "Pg12", "Eh10W", "Eh12x"]):  # a slip is forgiven in any order, too
        assert GAME.parse_turn(state, f"Rh11({', '.join(parts)})").moves == steps


def test_s8_without_a_semicolon_the_first_of_a_kind_are_ones_own() -> None:
    state = position("W:Pg10,Ph12,Bb2 B:Pi10,Ei12x,Bk2 move=W", rearrange_both=True)
    steps = GAME.parse_turn(state, "Rh11(Pg10,Pg11;Ph10,Eh12x)").moves
    for text in ("Pg11,Pg10,Ph10,Eh12x", "Eh12x,Pg11,Pg10,Ph10", "Pg11,Pg10;Eh12x,Ph10"):
        assert GAME.parse_turn(state, f"Rh11({text})").moves == steps
    assert GAME.parse_turn(state, "Rh11(Ph10,Pg11,Pg10,Eh12x)").moves != steps


@pytest.mark.parametrize(
    ("inner", "clause"),
    [("Pg12,Pg10", "R11"), ("Ph10,Ph10", "R11"), ("Pg7,Ph10", "R11"), ("Ph10,Eg12N", "S8"), ("Ph11,Pg10", "R11")],
)
def test_s8_what_is_no_rearrangement_is_refused_in_any_order(inner: str, clause: str) -> None:
    state = position("W:Pg10,Pg12,Bb2 B:Bk2 move=W")
    for text in (inner, ",".join(reversed(inner.split(",")))):
        with pytest.raises(IllegalMove) as caught:
            GAME.parse_turn(state, f"Rh11({text})")
        assert caught.value.clause == clause


def test_s8_what_is_no_piece_is_named() -> None:
    with pytest.raises(BadNotation, match="hello is not a step"):
        GAME.parse_turn(position("W:Pg10,Pg12,Bb2 B:Bk2 move=W"), "Rh11(hello,Pg10)")


# ---- V14


def test_v14_the_opponents_pieces_are_lifted_too() -> None:
    state = position("W:Bh11,Pg10 B:Bh2,Ph10,Ei10S,Eg12x", rearrange_both=True)
    lifted = play(state, "Rh11")
    assert diff_pieces(state, lifted) == dict.fromkeys(("g10", "h10", "i10", "g12"), "")
    assert [piece["seat"] for piece in GAME.view(lifted, 0)["lifted"]] == [0, 1, 1, 1]
    after = play(lifted, "Pg10 Ph10 Ei10N Eg12x")
    assert diff_pieces(state, after) == {"i10": "BEN"}  # the opponent's Enforcer is turned
    assert pieces(play(lifted, "Pg12 Pi12 Eg10S Eh10x"))["h10"] == "BEx"


def test_v14_needs_a_piece_of_ones_own() -> None:
    board = "W:Bh11,Pa1 B:Bh2,Ph10"
    assert {text for text in legal(position(board, rearrange_both=True)) if text[0] == "R"} == {"Rb2"}


def test_v14_off_the_opponents_pieces_stay() -> None:
    assert "h10" in pieces(play(position("W:Bh11,Pg10 B:Bh2,Ph10"), "Rh11"))


def test_v14_without_any_change_it_is_not_allowed() -> None:
    full = "W:Bh11,Pg10 B:Bh2,Pi12" + walls("g10", "i12")
    state = play(position(full, rearrange_both=True), "Rh11")
    own = ("g10", "WP")
    assert all(own not in after or ("i12", "BP") not in after for after in results(state))


# ---- V15

ALL_MOVE: dict[str, OptionValue] = {"rearrange": "all_move"}


def test_v15_a_lone_piece_of_a_class_must_change_its_space() -> None:
    state = play(position("W:Bh11,Pg10,Eh10N,Ei10x B:Bh2", **ALL_MOVE), "Rh11")
    assert legal(state) == {"P" + space for space in RISING[1:]}
    state = play(state, "Pg11")
    assert legal(state) == {f"E{space}{face}" for space in RISING for face in FACES if space not in ("h10", "g11")}
    assert legal(play(state, "Eg10N")) == {f"E{space}x" for space in RISING if space not in ("g10", "g11", "i10")}
    assert expect_refusal(play(state, "Eg10N"), "Ei10x").clause == "V15"


def test_v15_pieces_of_one_class_may_trade_but_the_position_must_change() -> None:
    state = play(position("W:Bh11,Pg10,Ph10 B:Bh2", **ALL_MOVE), "Rh11")
    assert legal(play(state, "Pg10")) == {"P" + space for space in RISING[2:]}
    turned = play(position("W:Bh11,Eg10N,Eh10N B:Bh2", **ALL_MOVE), "Rh11 Eg10N")
    assert {"Eh10E", "Eh10S", "Eh10W"} < legal(turned)
    assert "Eh10N" not in legal(turned)


def test_v15_no_put_leads_into_a_dead_end() -> None:
    state = position(f"W:Bh11,Pg10,Eh10N,Ei10x B:Bh2{walls('g10', 'h10', 'i10')}", **ALL_MOVE)
    lifted = play(state, "Rh11")
    assert legal(lifted) == {"Ph10", "Pi10"}
    assert legal(play(lifted, "Ph10")) == {"Ei10" + face for face in FACES}  # on g10 it would leave i10 to the last
    assert legal(play(lifted, "Pi10")) == {"Eg10" + face for face in FACES}
    assert len(results(lifted)) == 8


def test_v15_where_not_all_can_move_nothing_is_lifted() -> None:
    board = f"W:Bh11,Eg10N B:Bh2{walls('g10')}"
    assert "Rh11" in legal(position(board))
    state = position(board, **ALL_MOVE)
    assert "Rh11" not in legal(state)
    assert expect_refusal(state, "Rh11").clause == "V15"
    assert expect_refusal(position("W:Bh11 B:Bh2,Pg3,Pg10", **ALL_MOVE), "Rh11").clause == "R11"


def test_v15_v14_the_opponents_pieces_are_not_bound() -> None:
    state = play(position("W:Bh11,Pg10 B:Bh2,Ph10", rearrange_both=True, **ALL_MOVE), "Rh11 Pi10")
    assert legal(state) == {"P" + space for space in RISING if space != "i10"}
    lone = position("W:Bh11 B:Bh2,Ph10,Pg3", rearrange_both=True, **ALL_MOVE)
    assert "Rh11" not in legal(lone)
