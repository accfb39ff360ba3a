"""The board, the set-up and the options that change them: B1 to B3, R1 to R5, V1 to V4, V8, V10, V11, S1, S2."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue
from realmtable.kit.realm_board.geometry import CELLS, CENTERS, REALMS, cell_name, center_of, spaces_of
from tests.realm.helpers import (
    GAME,
    SETUP,
    TESTED,
    bases_left,
    legal,
    options_of,
    phase_of,
    pieces,
    play,
    position,
    seat_of,
    start,
    targets,
)
from tests.rule_checks import check_white_begins_and_the_loser_is_white_next

BASES = SETUP.split()[:6]
CENTER_NAMES = {cell_name(cell) for cell in CENTERS}


def borders(*centers: str) -> set[str]:
    """The Border spaces of some Realms."""
    realms = [realm for realm in range(REALMS) if cell_name(center_of(realm)) in centers]
    return {cell_name(cell) for realm in realms for cell in spaces_of(realm)} - CENTER_NAMES


def seats_of(texts: str, **options: OptionValue) -> list[int]:
    """Who acts at each of the steps and after them."""
    state = start(**options)
    seats = [seat_of(state)]
    for text in texts.split():
        state = play(state, text)
        seats.append(seat_of(state))
    return seats


# ---- the board


def test_b1_twelve_files_and_twelve_ranks() -> None:
    assert [cell_name(cell) for cell in range(CELLS)] == [
        f"{file}{rank}" for rank in range(1, 13) for file in "abcdefghijkl"
    ]


def test_b2_sixteen_realms_around_their_centers() -> None:
    assert {cell_name(center_of(realm)) for realm in range(REALMS)} == {
        f"{f}{r}" for f in "behk" for r in (2, 5, 8, 11)
    }
    assert borders("b2") == {"a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"}
    assert sorted(cell for realm in range(REALMS) for cell in spaces_of(realm)) == list(range(CELLS))


@pytest.mark.parametrize(("facing", "back"), [("N", "d1"), ("E", "a4"), ("S", "d7"), ("W", "g4")])
def test_b3_north_is_up_and_east_is_to_the_right(facing: str, back: str) -> None:
    ends = targets(position(f"W:Bh11,Ed4{facing} B:Bk2"), "d4")
    assert ends & {"d1", "a4", "d7", "g4"} == {"d1", "a4", "d7", "g4"} - {back}


# ---- pieces


def test_b4_white_begins_and_in_a_rematch_the_loser_is_white() -> None:
    check_white_begins_and_the_loser_is_white_next(TESTED)


@pytest.mark.parametrize(
    "values", [{"bases": 10}, {"bases": 15}, {"enforcers": 0}, {"enforcers": 10}, {"powers": 0}, {"powers": 5}]
)
def test_v1_v2_v3_have_bounds(values: dict[str, OptionValue]) -> None:
    with pytest.raises(BadOptions, match="must be"):
        options_of(**values)


@pytest.mark.parametrize("powers", [1, 2])
def test_v3_with_fewer_powers_three_bases_are_placed_all_the_same(powers: int) -> None:
    state = play(start(powers=powers), "Bb2 Be2 Be5 Bh5 Bh8 Bk8")
    assert (phase_of(state), bases_left(state), GAME.turn(state).number) == ("powers", (9, 9), 4)
    assert len(legal(state)) == 3 * 8  # the player chooses the Realm that gets one
    texts = ["Pd4", "Pg4", "Pa1", "Pd1"][: 2 * powers]
    for text in texts:
        assert GAME.decode(GAME.encode(state)) == state
        state = play(state, text)
    assert (phase_of(state), seat_of(state), GAME.turn(state)) == ("turn", 0, (4 + powers, 0))
    assert GAME.decode(GAME.encode(state)) == state


# ---- placing


def test_r2_white_begins_and_the_players_alternate() -> None:
    assert seats_of(" ".join(BASES)) == [0, 1, 0, 1, 0, 1, 0]


def test_r3_a_power_goes_on_a_border_space_of_an_own_realm_without_one() -> None:
    state = play(start(), " ".join(BASES))
    assert legal(state) == {"P" + name for name in borders("h11", "e8", "b5")}
    state = play(state, "Pi10")
    assert legal(state) == {"P" + name for name in borders("h2", "e5", "b8")}
    state = play(state, "Pg3")
    assert legal(state) == {"P" + name for name in borders("e8", "b5")}
    assert seats_of(SETUP)[6:] == [0, 1, 0, 1, 0, 1, 0]


def test_v8_the_second_to_place_moves_first() -> None:
    assert seats_of(SETUP, second_moves_first=True) == [0, 1] * 6 + [1]


@pytest.mark.parametrize(
    ("values", "first", "second_mover"),
    [
        ({}, "", 1),
        ({"second_moves_first": True}, "", 0),
        ({"choose_seat": "place"}, "place:White", 1),
        ({"choose_seat": "place"}, "place:Black", 0),
    ],
)
def test_v10_the_second_to_move_places_one_more_base(
    values: dict[str, OptionValue], first: str, second_mover: int
) -> None:
    state = play(start(extra_base_second=True, **values), first)
    assert bases_left(state) == ((12, 13) if second_mover else (13, 12))
    beginner = seat_of(state)
    state = play(state, " ".join(BASES))
    assert (phase_of(state), seat_of(state)) == ("bases", second_mover)
    # R2 as V3 relaxes it: the column k and one row are free of the player's Bases.
    own = {space for space, piece in pieces(state).items() if piece == "WB"[second_mover] + "B"}
    lines = {space[0] for space in own}, {space[1:] for space in own}
    free = {name for name in CENTER_NAMES if name[0] not in lines[0] and name[1:] not in lines[1]}
    assert legal(state) == {"B" + name for name in free - set(pieces(state))}
    state = play(state, min(legal(state)))
    assert (phase_of(state), seat_of(state)) == ("powers", beginner)
    assert bases_left(state) == (9, 9)
    while phase_of(state) == "powers":  # the player chooses which of their four Realms get one
        assert len(legal(state)) % 8 == 0
        state = play(state, max(legal(state)))
    assert seat_of(state) == 1 - second_mover
    assert list(pieces(state).values()).count("WP") == list(pieces(state).values()).count("BP") == 3


# ---- the first player


@pytest.mark.parametrize(
    ("choice", "texts", "seats"),
    [
        ("none", SETUP, [0, 1] * 6 + [0]),
        ("place", "place:White " + SETUP, [1, *[0, 1] * 6, 0]),
        ("place", "place:Black " + SETUP, [1, *[1, 0] * 6, 1]),
        ("move", SETUP + " move:White", [*[0, 1] * 6, 1, 0]),
        ("move", SETUP + " move:Black", [*[0, 1] * 6, 1, 1]),
        ("both", f"place:Black {SETUP} move:White", [1, *[1, 0] * 6, 1, 0]),
        ("both", f"place:White {SETUP} move:Black", [1, *[0, 1] * 6, 1, 1]),
    ],
)
def test_v11_black_chooses_the_seat_that_places_or_moves_first(choice: str, texts: str, seats: list[int]) -> None:
    assert seats_of(texts, choose_seat=choice) == seats
    assert phase_of(play(start(choose_seat=choice), texts)) == "turn"


@pytest.mark.parametrize("rule", ["second_moves_first", "extra_base_second"])
@pytest.mark.parametrize("choice", ["move", "both"])
def test_v8_v10_are_refused_with_v11_move(rule: str, choice: str) -> None:
    with pytest.raises(BadOptions, match="keep one of them"):
        options_of(choose_seat=choice, **{rule: True})


def test_s2_s1_every_choice_and_placement_has_its_own_turn() -> None:
    state = start(choose_seat="both")
    turns = []
    for text in f"place:Black {SETUP} move:White".split():
        turns.append(GAME.turn(state))
        state = play(state, text)
    assert len(set(turns)) == len(turns)
