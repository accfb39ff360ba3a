"""The static evaluation of Oriental Realm."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from realmtable.games.oriental_realm.evaluation import FEATURES, is_path_independent
from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.groups import empty_neighbours, groups_of, piece_cells
from realmtable.games.oriental_realm.moves import is_pinned
from realmtable.games.oriental_realm.rules_record import RULES
from realmtable.games.oriental_realm.surround_distance import (
    EMPTY_COUNT,
    FILLABLE,
    PIECE_CELLS,
    PIECE_COUNT,
    PIECES_EACH,
    PINNED,
    SUMMARY_SIZE,
    group_of,
    max_filled_cells,
    summarise_board,
    survey_group,
)
from realmtable.kit.evaluation import WIN, HasFeatures
from realmtable.search.bot_levels import GreedyBot
from tests.oriental_realm.helpers import GAME, play, position, random_game, start
from tests.oriental_realm.test_symmetry import TURNINGS, Turning

NAMES = [feature.name for feature in FEATURES]


def measures(state: State) -> dict[str, float]:
    return dict(zip(NAMES, GAME.measures(state), strict=True))


def lead(feature: str, board: str) -> float:
    return measures(position(board))[feature]


# ---- features


@pytest.mark.parametrize(
    ("feature", "board", "amount"),
    [
        ("pins", "W:Mj2,Ek12 B:Md5,Mf5 move=W", 0),
        ("pins", "W:Me5,Ek12 B:Md5,Mf5 move=W", -1),
        ("pins", "W:Ee5 B:Md5,Mf5 move=W", 0),  # an Emperor never is (O5)
        ("tight", "W:Me5 B:Eh8", 0),  # both have four empty neighbours
        ("tight", "W:Me5 B:Ea1", 9 / 4 - 1 / 4),  # two against four
        ("edges", "W:Me5 B:Ea1", 2),
        ("edges", "W:Me5,Ma6 B:Ea1,Ml5", 2),
        ("pairs", "W:Ma1,Mb2 B:Me1,Mh1", 1),
        ("pairs", "W:Ma1,Mb2,Mc3 B:Me1,Mh1", 0),
        ("squads", "W:Ma1,Mb2,Mc3 B:Me1,Mh1", 1),
        ("squads", "W:Ma1,Mb2,Mc3 B:Mh1,Mh2,Mg1,Mi1", 0),  # a fourth is no second squad
        ("courtiers", "W:Ee5,Me6,Md5 B:Eh8,Mh9", 1),
        ("courtiers", "W:Ee5,Mk1 B:Me6,Eh9", 0),  # an enemy is no courtier
        ("mobility", "W:Ma1 B:", 22),
        ("mobility", "W:Ma1,Ma2 B:", 11 + 10 + 11),
        ("to_move", "W:Me5 B:Eh8 move=B", -1),
    ],
)
def test_what_is_counted(feature: str, board: str, amount: float) -> None:
    assert lead(feature, board) == pytest.approx(amount)


SIEGES = ("sieges", "second_sieges", "pinned_sieges", "near_sieges")


@pytest.mark.parametrize(
    ("board", "black"),
    [
        ("W:Ma1,Ek12 B:Ma2,Mb5", (1, 0, 0, 0)),  # b5 can fill the last space
        ("W:Ma1,Ek12 B:Ma2,Mc5", (0, 0, 0, 1)),  # c5 cannot
        ("W:Ma1,Ek12 B:Mb4,Mc2,Mh8", (0, 0, 0, 1)),  # pieces of two Realms do not move in one turn (O2)
        ("W:Ma1,Ek12 B:Mf1,Md2", (1, 0, 0, 0)),  # those of one do: b1 and a2
        ("W:Ma1,Ek12 B:Md1,Mf1", (0, 0, 0, 1)),  # but two pieces on one line fill one space
        ("W:Ma1,Ek12 B:Ma2,Mc4", (0, 0, 0, 1)),  # a piece next to the group already fills a space
        ("W:Ma1,Ml1 B:Ma2,Ml2,Mb5,Mk5", (1, 1, 0, 0)),  # two groups at once
        ("W:Me12,Ek5 B:Md12,Mf12,Me4", (1, 0, 1, 0)),  # pinned on the edge, the last space open to e4
        ("W:Me12,Ee11 B:Md12,Mf12,Md4,Me4,Mf4", (1, 0, 0, -2)),  # three for three spaces; the Emperor frees e12 (O5)
        ("W:Ma1,Ma9,Mc9,Ek12 B:Ma2,Mb9", (0, 0, 0, 1)),  # b9 is pinned and does not come to b1
    ],
)
def test_o8_sieges_by_pieces_of_one_realm(board: str, black: tuple[int, ...]) -> None:
    for move in "WB":
        found = measures(position(f"{board} move={move}"))
        assert tuple(-found[name] for name in SIEGES) == black
        assert found["sieges_now"] == (-black[0] if move == "B" else 0)
        assert (found["near_now"] < 0) == (move == "B" and black[3] > 0)


def test_o2_a_started_turn_continues_only_in_its_realm() -> None:
    board = "W:Ma1,Ek12 B:Ma2,Mb5,Mk2 move=B"
    assert lead("sieges_now", board) == -1
    assert lead("sieges_now", f"{board} from=b5 unmoved=b5") == -1
    for begun in ("from=b5", "from=k2 unmoved=k2"):
        assert (lead("sieges_now", f"{board} {begun}"), lead("sieges", f"{board} {begun}")) == (0, -1)
    assert lead("near_now", f"{board} from=k2 unmoved=k2") == -1
    assert lead("near_now", "W:Me5,Ek12 B:Ma2,Mb2,Mh8 move=B from=b2 unmoved=a2,b2") == 0


# ---- helpers of the features


def states(seed: int) -> list[State]:
    return [state for state, step in random_game(seed, max_turns=30) if step is not None][::4]


@pytest.mark.parametrize("seed", range(4))
def test_groups_rooms_and_pins_are_those_of_the_rules(seed: int) -> None:
    for state in states(seed):
        notes = np.empty(SUMMARY_SIZE, dtype=np.int64)
        summarise_board(state.position, notes)
        for seat in range(2):
            men = [int(notes[PIECE_CELLS + seat * PIECES_EACH + man]) for man in range(int(notes[PIECE_COUNT + seat]))]
            assert men == piece_cells(state.position, seat)
            pinned = [cell for man, cell in enumerate(men) if notes[PINNED + seat] >> man & 1]
            assert pinned == [cell for cell in men if is_pinned(state.position, cell)]
            for group in groups_of(state.position, seat):
                bits = group_of(notes, seat, men.index(group[0]))
                assert tuple(cell for man, cell in enumerate(men) if bits >> man & 1) == group
                survey_group(state.position, notes, seat, bits)
                assert notes[EMPTY_COUNT] == len(empty_neighbours(state.position, group))


@pytest.mark.parametrize(
    ("fills", "most"),
    [([], 0), ([0], 0), ([0b1], 1), ([0b1, 0b1], 1), ([0b1, 0b11], 2), ([0b11, 0b11, 0b11], 2), ([0b111, 0b1, 0b1], 2)],
)
def test_each_piece_fills_one_space(fills: list[int], most: int) -> None:
    notes = np.zeros(SUMMARY_SIZE, dtype=np.int64)
    notes[FILLABLE : FILLABLE + len(fills)] = fills
    assert max_filled_cells(notes, (1 << len(fills)) - 1, len(fills)) == most


# ---- judgement


def test_the_game_says_what_it_is_judged_by() -> None:
    assert isinstance(GAME, HasFeatures)
    assert GAME.rules is RULES
    assert GAME.features() == FEATURES


@pytest.mark.parametrize("turning", TURNINGS[1::2], ids=lambda turning: f"{turning.symmetry}-swapped")
def test_judgement_knows_neither_up_from_down_nor_white_from_black(turning: Turning) -> None:
    for state in states(turning.symmetry):
        image = turning.state(state)
        assert GAME.measures(image) == pytest.approx([-amount for amount in GAME.measures(state)])
        assert GAME.evaluate(image, 1) == pytest.approx(GAME.evaluate(state, 0))
        assert GAME.evaluate(state, 1) == -GAME.evaluate(state, 0)


@pytest.mark.parametrize(
    ("board", "worth", "sure"),
    [
        ("W:Ma1 B:Ma2,Mb1 phase=over end=surrounded won=B", -WIN, True),
        ("W:Ma2,Mb1 B:Ma1 phase=over end=surrounded won=W", WIN, True),
        ("W:Ma1 B:Ma9 phase=over end=repetition", 0, False),
        ("W:Ma1 B:Ma9 phase=over turns=400 end=max_turns", 0, False),
    ],
)
def test_a_game_that_is_over_is_won_lost_or_drawn(board: str, worth: float, sure: bool) -> None:
    state = position(board)
    assert (GAME.evaluate(state, 0), GAME.evaluate(state, 1)) == (worth, -worth)
    assert (GAME.rules.is_over(state.position), is_path_independent(state.position)) == (True, sure)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("W:Me5,Ek12 B:Mh8", "W:Ma1,Ek12 B:Ma2,Mh8"),  # room
        ("W:Ma1,Ek12 B:Ma2,Mc5", "W:Ma1,Ek12 B:Ma2,Mb5"),  # b5 can fill the last space
        ("W:Mb3,Ma1,Ek12 B:Ma2,Mb5", "W:Mc3,Ma1,Ek12 B:Ma2,Mb5"),  # unless something is in the way
        ("W:Me5,Ek12 B:Md5,Mf9", "W:Me5,Ek12 B:Md5,Mf5"),  # a pin
    ],
)
def test_what_is_worth_more(better: str, worse: str) -> None:
    assert GAME.evaluate(position(better), 0) > GAME.evaluate(position(worse), 0)


def test_danger_weighs_more_than_a_threat() -> None:
    board = "W:Ma1,Ek12 B:Ma2,Mb5"
    assert GAME.evaluate(position(f"{board} move=B"), 1) > 2 * GAME.evaluate(position(f"{board} move=W"), 1) > 0


def test_an_empty_board_is_worth_no_more_than_the_move() -> None:
    assert GAME.measures(position("W: B:"))[:-1] == (0,) * (len(FEATURES) - 1)


def test_no_state_is_worth_more_than_a_win() -> None:
    for state, step in list(random_game(1, max_turns=40))[::9]:
        assert GAME.rules.is_over(state.position) == (step is None)
        assert all(abs(GAME.evaluate(state, seat)) < WIN or step is None for seat in range(2))


def test_the_greedy_bot_surrounds_what_it_can_and_runs_from_danger() -> None:
    state = position("W:Ma1,Ek9 B:Md1,Me2 move=B")
    for _ in range(2):
        state = GAME.play(state, 1, GreedyBot().choose(GAME, state, 1, Random(1)))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winner == 1
    state = position("W:Ma1,Ek9 B:Ma2,Mb5")
    move = GreedyBot().choose(GAME, state, 0, Random(1))
    after = play(state, GAME.format_move(state, move) + " end")
    assert measures(after)["sieges_now"] == 0


def test_the_greedy_bot_plays_the_set_up_too() -> None:
    for options in ({"free_setup": True}, {"emperor": "choose"}):
        state = start(**options)
        move = GreedyBot(width=1, length=1).choose(GAME, state, 0, Random(1))
        assert move in GAME.legal_moves(state, 0)
