"""The static evaluation of Classic Realm."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from realmtable.engine.options import OptionValue
from realmtable.games.classic_realm.evaluation import FEATURES, count_bits, count_groups
from realmtable.kit.evaluation import WIN, HasFeatures
from realmtable.kit.realm_board.geometry import Symmetry
from realmtable.kit.rules import NO_WINNER
from realmtable.search.bot_levels import GreedyBot
from tests.classic_realm.helpers import FAR, GAME, WON, play, position, random_game, start
from tests.classic_realm.test_symmetry import transform_text

NAMES = [feature.name for feature in FEATURES]
DOUBLE: dict[str, OptionValue] = {"double_moves": True}


def lead(feature: str, board: str, **options: OptionValue) -> float:
    """White's amount of a feature minus Black's."""
    return GAME.measures(position(board, **options))[NAMES.index(feature)]


def worth(board: str, seat: int = 0, **options: OptionValue) -> float:
    return GAME.evaluate(position(board, **options), seat)


# ---- features


@pytest.mark.parametrize(
    ("feature", "board", "amount"),
    [
        ("frogs", "W:Fb2,Fe2,Fk2,~k2*5 B:Fk11,~h11*7", 2),
        ("last", FAR, 0),
        ("last", "W:Fb2,~b2*7 B:Fk8,Fk11,~h11*6", 1),
        ("last", "W:Fb2,Fe2,~b2*6 B:Fk11,~h11*7", -1),
        # A friend in the water can be rescued only below a frog of the same side (C5), one at a time.
        ("rescues", "W:Fb2,~b2*7 B:Fk8,Fk11,~h11*6", 1),
        ("rescues", "W:Fb2,Fe2,~b2*3,~e2*3 B:Fk11,~k11*7", 1),
        ("deep", "W:Fb2,Fe2,~b2*3,~e2*3 B:Fk11,~h11*7", 4),
        ("deep", "W:Fb2,~b2,~h2*6 B:Fk11,~h11*7", 0),
        # No enemy holds them below a vacant pad.
        ("held", "W:Fb2,~k11*7 B:Fk11,~h11*7", 7),
        ("held", "W:Fb2,~h2*7 B:Fk11,~b2*3,~h11*4", -3),
        ("front", "W:Fb2,Fe2,~h2*6 B:Fb5,~h11*7", 0),
        ("front", "W:Fb2,Fe5,~h2*6 B:Fb5,~h11*7", 1),  # two next to one
        ("central", "W:Fe5,Fh8,Fb2,~h2*5 B:Fh5,Fk11,~h11*6", 1),
        ("groups", "W:Fb2,Fe2,Fk2,~k2*5 B:Fk11,~h11*7", 1),  # two groups and one
        ("groups", "W:Fb2,Fe5,~k2*6 B:Fk11,Fh11,Fh8,~h11*5", 1),  # pads that meet at a corner are not neighbours
        ("room", "W:Fe5,~h2*7 B:Fk11,~h11*7", 2),  # four and two
        ("room", "W:Fe5,Fh5,~h2*6 B:Fk11,~h11*7", 4),  # six and two
        ("room", "W:Fe5,~h2*7 B:Fe8,~h11*7", 0),  # an enemy's pad is not vacant
        ("to_move", FAR, 1),
        ("to_move", FAR + " move=B", -1),
    ],
)
def test_what_is_counted(feature: str, board: str, amount: float) -> None:
    assert lead(feature, board) == amount


@pytest.mark.parametrize(
    ("feature", "board", "white", "black"),
    [
        # Side by side, and nothing below either.
        ("freeing_now", "W:Fb2,~k2*7 B:Fe2,~h11*7", 0, 0),
        ("bury_now", "W:Fb2,~k2*7 B:Fe2,~h11*7", 0, 0),
        ("bury_loose_now", "W:Fb2,~k2*7 B:Fe2,~h11*7", 0, 0),
        # White's friends are below Black's frog, so White can free them; from far away not.
        ("freeing_now", "W:Fb2,~e2*7 B:Fe2,~h11*7", 1, 0),
        ("freeing_now", "W:Fb2,~e8*7 B:Fe8,~h11*7", 0, 0),
        # By way of its friend on e2 White's frog also gets to h2 (C3).
        ("freeing_now", "W:Fb2,Fe2,~h2*6 B:Fh2,~h11*7", 1, 0),
        # Black's friends lie below the frog that White can dunk: the deepest such place counts.
        ("bury_now", "W:Fe2,~k11*7 B:Fb2,~b2*2,Fh2,~h2*3,~h11", 3, 0),
        ("bury_loose_now", "W:Fe2,~k11*7 B:Fb2,~b2*2,Fh2,~h2*3,~h11", 1, 0),
        ("bury_now", "W:Fe2,~e2*4,~k11*3 B:Fh2,~h11*7", 0, 4),
        # Black's frog on k2 could avenge the dunk on h2; none could avenge that on b2, where nothing is buried.
        ("bury_now", "W:Fe2,~k11*7 B:Fb2,Fh2,~h2*3,Fk2,~h11*2", 3, 0),
        ("bury_loose_now", "W:Fe2,~k11*7 B:Fb2,Fh2,~h2*3,Fk2,~h11*2", 0, 0),
    ],
)
def test_features_of_the_seat_to_move(feature: str, board: str, white: float, black: float) -> None:
    assert lead(feature, board) == white
    assert lead(feature, board + " move=B") == -black


def test_c6_no_frog_is_dunked_in_a_realm_of_nine() -> None:
    crowded = "W:Fb5,~k2,~e5*6 B:Fe5,~e5*2,Fk11,~h11*4"
    assert (lead("bury_now", crowded), lead("freeing_now", crowded)) == (0, 0)
    assert lead("room", "W:Fb5,~k2,~e5*6 B:~e5*3,Fk11,~h11*4") == 0  # b5 has two left: no frog may land on e5
    less = crowded.replace("~k2,~e5*6", "~k2*2,~e5*5")
    assert (lead("bury_now", less), lead("freeing_now", less)) == (2, 1)


@pytest.mark.parametrize(
    ("right", "counted"),
    [
        ("right=B owed=2", (0, 0, 0)),
        ("right=B owed=1", (-1, 0, 0)),
        ("right=B owed=0", (0, -1, 0)),
        ("right=W owed=0", (0, 0, 1)),
        ("right=W owed=0 phase=second", (0, 0, 1)),
        ("right=W owed=0 move=B", (0, 1, 0)),
    ],
)
def test_v2_how_near_a_double_move_is(right: str, counted: tuple[float, ...]) -> None:
    features = ("double_next", "double_ready", "double_now")
    assert tuple(lead(feature, f"{FAR} {right}", **DOUBLE) for feature in features) == counted
    assert [lead(feature, FAR) for feature in features] == [0, 0, 0]  # without the option


def test_counting_pads_and_groups() -> None:
    rng = Random(1)
    for mask in [0, 0xFFFF, *(rng.getrandbits(16) for _ in range(50))]:
        assert count_bits(mask) == mask.bit_count()
    assert [count_groups(mask) for mask in (0, 1, 0xFFFF, 0x9009, 0x0018, 0x5A5A)] == [0, 1, 1, 4, 2, 8]


# ---- seats and sides
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("symmetry", [0, 3, 6])
def test_a_turned_pond_is_worth_the_same_and_a_swapped_one_the_opposite(symmetry: int, swap: bool) -> None:
    way = cast("Symmetry", symmetry)
    for seed in range(3):
        for state, step in list(random_game(seed, free_setup=False))[5:60:9]:
            if step is not None:
                image = GAME.decode(transform_text(state, way, swap))
                sign = -1 if swap else 1
                assert GAME.measures(image) == tuple(sign * amount for amount in GAME.measures(state))


def test_frogs_that_are_being_placed_are_judged_too() -> None:
    state = start(free_setup=True)
    assert set(GAME.measures(state)) == {0, 1}  # it is White's turn, and that is all
    placed = play(state, "Fb2 Fb5")
    assert GAME.measures(placed)[NAMES.index("front")] == 0
    assert GreedyBot().choose(GAME, placed, 0, Random(1)) in GAME.legal_moves(placed, 0)


# ---- worth


def test_a_game_that_is_over_is_won_lost_or_drawn() -> None:
    drawn = FAR + " phase=over end=repetition"
    assert (worth(WON), worth(WON, 1)) == (WIN, -WIN)
    assert worth(drawn) == worth(drawn, 1) == 0
    assert [GAME.rules.winner_of(position(board).position) for board in (WON, drawn)] == [0, NO_WINNER]


def test_only_the_fall_of_the_last_frog_is_sure() -> None:
    ends = (WON, FAR + " phase=over end=repetition", FAR + " phase=over end=max_plies turns=300")
    assert [GAME.rules.is_path_independent(position(board).position) for board in ends] == [True, False, False]
    assert [GAME.rules.is_over(position(board).position) for board in (*ends, FAR)] == [True, True, True, False]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("W:Fb2,Fe2,~k2*6 B:Fk11,~h11*7", "W:Fb2,~e2,~k2*6 B:Fk11,~h11*7"),  # a frog on a pad
        ("W:Fb2,~b2,~k2*6 B:Fk11,~h11*7", "W:Fb2,~e2,~k2*6 B:Fk11,~h11*7"),  # one that can be rescued
        ("W:Fb2,~k2*7 B:Fk11,~h11*7", "W:Fb2,~k11*7 B:Fk11,~h11*7"),  # rather than one under an enemy
        ("W:Fb2,~k2*7 B:Fe2,~h11*7", "W:Fb2,~k2*7 B:Fe2,~h11*7 move=B"),  # to be the first to jump
        (FAR + " right=W owed=0 options=double_moves=on", FAR + " right=B owed=0 options=double_moves=on"),
    ],
)
def test_what_is_worth_more(better: str, worse: str) -> None:
    assert worth(better) > worth(worse)
    assert worth(better, 1) == -worth(better)


def test_no_state_is_worth_more_than_a_win() -> None:
    assert isinstance(GAME, HasFeatures)
    for state, step in list(random_game(1))[::5]:
        assert step is None or abs(GAME.evaluate(state, 0)) < WIN


def test_the_greedy_bot_dunks_the_last_frog() -> None:
    state = position("W:Fh11,Fb2,~b2*6 B:Fk11,~e8*7")
    step = GreedyBot().choose(GAME, state, 0, Random(1))
    assert GAME.format_move(state, step) == "Fh11k11(xFk11)"
