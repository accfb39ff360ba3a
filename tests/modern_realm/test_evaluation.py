"""The static evaluation of Modern Realm."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from realmtable.games.modern_realm.evaluation import FEATURES, is_path_independent, state_key
from realmtable.games.modern_realm.first_state import State, state_of
from realmtable.games.modern_realm.layout import AGENT, COUNTER, MARKS, ORIGIN, SEAT_SHIFT, WORK_SIZE
from realmtable.games.modern_realm.moves import mark_targets, prepare_marks
from realmtable.games.modern_realm.reachability import SUMMARY_SIZE, reachable_goals, summarise_board
from realmtable.games.modern_realm.rules_record import RULES
from realmtable.kit.evaluation import WIN, HasFeatures
from realmtable.kit.realm_board.geometry import CELLS, REALMS, find_cell, realm_of, spaces_of
from realmtable.search.bot_levels import make_bot
from tests.modern_realm.helpers import GAME, SHORT, play, position, random_game, seat_of
from tests.modern_realm.test_symmetry import TURNINGS, Turning
from tests.seeds import list_seeds


def measures(board: str, **options: bool) -> dict[str, float]:
    """What a position measures, by feature; nothing where both sides have as much."""
    found = GAME.measures(position(board, **options))
    return {feature.name: amount for feature, amount in zip(FEATURES, found, strict=True) if amount}


def lead(feature: str, board: str, **options: bool) -> float:
    return measures(board, **options).get(feature, 0)


# ---- features


@pytest.mark.parametrize(
    ("feature", "board", "amount"),
    [
        ("headquarters", "W:Hb8,He8,Hh8,Ae2 B:Hb5,Ak8", 2),
        ("last", "W:Hb8,He8,Hh8,Hk8,Hb11,He11,Ae2 B:Hb2,He5,Hh5,Hk5,Hb5,Ak11", 3),  # two squared, less one
        ("under_way", "W:Ab2,Aa2,Aa8 B:Ah11,Ch8", 2),  # only b2 is at home
        ("under_way", "W:Ab2 B:Ah11,Ch7", -1),
        ("sprint", "W:Aa1,Ac3 B:Ah11,Ch7,Ak11", 1 / 2 - 1 / 4),  # one Realm of pieces left against three
        ("counters", "W:Ce2,Ab2 B:Ab8", 1),
        ("shields", "W:Ce2,Ab2 B:Ab8", 1),
        ("shields", "W:Ce7,Ab2 B:Ab8", 0),  # no target of Black's
        ("shields", "W:Cd2,Ab2 B:Ab8,He2", 0),  # captured already
        ("shields", "W:Ab2 B:Cb8,Ah8", -1),
        ("to_move", "W:Ab2 B:Ab8 move=B", -1),
    ],
)
def test_what_is_counted(feature: str, board: str, amount: float) -> None:
    assert lead(feature, board) == pytest.approx(amount)


@pytest.mark.parametrize(
    ("board", "captures"),
    [
        ("W:Ab4 B:Al1", 1),  # b7 is open
        ("W:Ab4,Ac4 B:Al1", 2),  # two Agents of one Realm take two targets in a turn
        ("W:Ab4,Ah4 B:Al1", 1),  # those of two Realms do not
        ("W:Ab4 B:Ab8,Ae8,Ah8,Ak8,Ab11", 0),  # a guard, and the targets behind it
        ("W:Cb4 B:Ab8", 1),  # no guard stops a Counter-Agent (D9)
        ("W:Ab4 B:Cb8", 0),  # and no piece enters its Realm (D5)
        ("W:Ab4,Ac4 B:Ab8,Ae8", 1),  # two against one
        ("W:Ab4,Aa9 B:Ab8,Al1", 1),  # with a friend there one is enough
        ("W:Ab4,Ac4 B:Ab8,Ac8,Ae8,Ak8", 0),  # two against two
        ("W:Ab4,Hb8 B:Al1,Ae8,Ae11,Ab11", 0),  # what is founded is founded
        ("W:Aa4 B:Hb5,Ac5,Al1", 0),  # an Agent outnumbered under an enemy Center is stuck (D3)
        ("W:Aa4,Ac4 B:Hb5,Ab6,Al1", 2),  # as many are not
        ("W:Ac4,Ca4 B:Hb5,Ab6,Ac6,Al1", 1),  # a Counter-Agent never is
    ],
)
def test_d9_captures_of_the_next_turn(board: str, captures: int) -> None:
    assert lead("captures_now", f"{board} move=W") == captures
    assert lead("captures_now", f"{board} move=B") <= 0  # in Black's turn only Black's count


def test_threats_are_counted_outside_the_own_turn_too() -> None:
    board = "W:Ab4,Ac4,Ah4 B:Al1"  # Black's Agent is in a target with an open Center, and cannot stay there
    for move in "WB":
        assert lead("threats", f"{board} move={move}") == 3 - 1
    assert lead("in_reach", "W:Ab4 B:Aj12,Ae12") == 2 - 4


def test_d2_in_a_turn_that_has_begun_only_the_rest_of_its_realm_captures() -> None:
    board = "W:Ab4,Ah4,Ai4 B:Al1 move=W"
    assert lead("captures_now", board) == 2
    assert lead("captures_now", f"{board} from=b5") == 1
    after = play(position("W:Ab4,Ac4,Ah4,Ai4 B:Al12 move=W"), "Ac4d4")
    assert after.position[ORIGIN] >= 0
    assert dict(zip([feature.name for feature in FEATURES], GAME.measures(after), strict=True))["captures_now"] == 1


def test_v2_light_headquarters_immobilise_no_piece() -> None:
    board = "W:Ab6 B:Hb5,Ac5,Al1 move=W"
    assert lead("captures_now", board) == 0
    assert lead("captures_now", board, hq_counts=False) == 1


# ---- where pieces get to


def states(seed: int, **options: bool) -> list[State]:
    return [state for state, step in random_game(seed, max_turns=60, **options) if step is not None][::9]


@pytest.mark.parametrize("seed", list_seeds(4, quick=2))
@pytest.mark.parametrize("on_entry", [False, True])
def test_d4_to_d7_pieces_enter_the_realms_their_moves_end_in(seed: int, on_entry: bool) -> None:
    for state in states(seed, origin_closed=True, capture_on_entry=on_entry):
        for seat in range(2):
            for realm in range(REALMS):
                assert entered_realms(state, seat, realm) == realms_by_moves(state, seat, realm)


@pytest.mark.parametrize("seed", list_seeds(4, quick=2))
def test_d4_ways_back_lead_to_few_realms_more(seed: int) -> None:
    more = all_realms = 0
    for state in states(seed, origin_closed=False):
        for seat in range(2):
            for realm in range(REALMS):
                found, expected = entered_realms(state, seat, realm), realms_by_moves(state, seat, realm)
                assert found & ~expected == 0
                more += (expected & ~found).bit_count()
                all_realms += expected.bit_count()
    assert more < 0.02 * all_realms


def entered_realms(state: State, seat: int, realm: int) -> int:
    """The Realms, as bits, that the judgement sees a seat's pieces in a Realm enter."""
    notes = np.empty(SUMMARY_SIZE, dtype=np.int64)
    summarise_board(state.position, notes)
    return reachable_goals(notes, seat, realm, places(state, seat, realm), 0xFFFF)


def places(state: State, seat: int, realm: int) -> int:
    men = AGENT + (seat << SEAT_SHIFT), COUNTER + (seat << SEAT_SHIFT)
    return sum(1 << place for place, cell in enumerate(spaces_of(realm)) if state.position[cell] in men)


def realms_by_moves(state: State, seat: int, realm: int) -> int:
    """The Realms, as bits, in which the rules let a seat's pieces in a Realm end a move."""
    work = np.empty(WORK_SIZE, dtype=np.int64)
    found = 0
    for place, cell in enumerate(spaces_of(realm)):
        if places(state, seat, realm) >> place & 1:
            prepare_marks(state.position, seat, work)
            mark_targets(state.position, cell, work)
            for target in range(CELLS):
                found |= (1 << realm_of(target)) * bool(work[MARKS + target])
    return found


def test_only_the_requested_realms_are_returned() -> None:
    state = position("W:Ab4 B:Al1")
    notes = np.empty(SUMMARY_SIZE, dtype=np.int64)
    summarise_board(state.position, notes)
    cell = find_cell("b8")
    assert cell is not None
    goal = 1 << realm_of(cell)
    assert reachable_goals(notes, 0, 4, 0b10, goal) == goal
    assert reachable_goals(notes, 0, 4, 0, goal) == reachable_goals(notes, 0, 4, 0b10, 0) == 0


# ---- judgement


def test_the_game_says_what_it_is_judged_by() -> None:
    assert isinstance(GAME, HasFeatures)
    assert GAME.rules is RULES
    assert GAME.features() == FEATURES


@pytest.mark.parametrize("turning", TURNINGS, ids=("mirrored", "half-turn, swapped", "upside down, swapped"))
@pytest.mark.parametrize("seed", list_seeds(3, quick=1))
def test_judgement_knows_neither_left_from_right_nor_white_from_black(turning: Turning, seed: int) -> None:
    for state in states(seed):
        image = state_of(turning.position(state.position), state.options)
        side = -1 if turning.swap else 1
        assert GAME.measures(image) == pytest.approx([side * amount for amount in GAME.measures(state)])
        assert GAME.evaluate(image, int(turning.swap)) == pytest.approx(GAME.evaluate(state, 0))
        assert GAME.evaluate(state, 1) == -GAME.evaluate(state, 0)


@pytest.mark.parametrize(
    ("board", "worth", "sure"),
    [
        ("W:Hb8,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Al1 move=W end=eight_headquarters", WIN, True),
        ("W:Al12 B:Hb2,He2,Hh2,Hk2,Hb5,He5,Hh5,Hk5 move=B end=eight_headquarters", -WIN, True),
        ("W:Hb8 B:Al1 passed end=two_passes", 0, False),
        ("W:Hb8,Ab1 B:Al1 turns=300 end=max_turns", 0, False),
    ],
)
def test_a_game_that_is_over_is_won_lost_or_drawn(board: str, worth: float, sure: bool) -> None:
    state = position(board)
    assert (GAME.evaluate(state, 0), GAME.evaluate(state, 1)) == (worth, -worth)
    assert (GAME.rules.is_over(state.position), is_path_independent(state.position)) == (True, sure)


def test_no_state_is_worth_more_than_a_win() -> None:
    for state, step in list(random_game(3, **SHORT))[::6]:
        assert GAME.rules.is_over(state.position) == (step is None)
        assert abs(GAME.evaluate(state, 0)) < WIN or step is None


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("W:Ab4,Hk8 B:Al12", "W:Ab4,Ak2 B:Al12"),  # an HQ
        ("W:Ab4,Ce2 B:Al12,Ab8", "W:Ab4,Cd7 B:Al12,Ab8"),  # a Counter-Agent that shields
        ("W:Ab4,Aa9 B:Ab8 move=B", "W:Ab4,Ak2 B:Ab8 move=B"),  # a friend in a target, so that the next captures
        ("W:Aa9 B:Ab8,Al8", "W:Aa9 B:Ab8,Ac8"),  # an Agent that is not stuck
        ("W:Ab4 B:Al12 move=W", "W:Ab4 B:Al12 move=B"),  # a threat in one's own turn
    ],
)
def test_what_is_worth_more(better: str, worse: str) -> None:
    assert GAME.evaluate(position(better), 0) > GAME.evaluate(position(worse), 0)


def test_s5_states_have_equal_keys_where_they_are_equal() -> None:
    keys: dict[int, State] = {}
    for state in [state for seed in range(3) for state in states(seed)]:
        same = keys.setdefault(state_key(state.position), state)
        assert GAME.encode(same).split(" turns=")[0] == GAME.encode(state).split(" turns=")[0]
    before = position("W:Ab4,Ac4 B:Al12 move=W")
    orders = [play(before, turn) for turn in ("Ab4b3 Ac4c3", "Ac4c3 Ab4b3")]
    assert len({state_key(state.position) for state in orders}) == 1
    assert state_key(before.position) != state_key(position("W:Ab4,Ac4 B:Al12 move=B").position)


def test_the_greedy_bot_captures() -> None:
    state = position("W:Ab4,Ak1 B:Ae11,Ah8")
    step = make_bot("greedy").choose(GAME, state, 0, Random(1))
    after = play(state, GAME.format_move(state, step))
    assert (GAME.view(after, None)["headquarters"], seat_of(after)) == ([1, 0], 1)
