"""Where the evaluation sees pieces get to is where their moves lead."""

from __future__ import annotations

import numpy as np
import pytest

from realmtable.games.modern_realm.evaluation import state_key
from realmtable.games.modern_realm.first_state import State
from realmtable.games.modern_realm.layout import AGENT, COUNTER, MARKS, SEAT_SHIFT, WORK_SIZE
from realmtable.games.modern_realm.moves import mark_targets, prepare_marks
from realmtable.games.modern_realm.reachability import SUMMARY_SIZE, reachable_goals, summarise_board
from realmtable.kit.realm_board.geometry import CELLS, REALMS, find_cell, realm_of, spaces_of
from tests.modern_realm.helpers import GAME, play, position, random_game
from tests.seeds import list_seeds


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


@pytest.mark.long
def test_s5_states_have_equal_keys_where_they_are_equal() -> None:
    keys: dict[int, State] = {}
    for state in [state for seed in range(3) for state in states(seed)]:
        same = keys.setdefault(state_key(state.position), state)
        assert GAME.encode(same).split(" turns=")[0] == GAME.encode(state).split(" turns=")[0]
    before = position("W:Ab4,Ac4 B:Al12 move=W")
    orders = [play(before, turn) for turn in ("Ab4b3 Ac4c3", "Ac4c3 Ab4b3")]
    assert len({state_key(state.position) for state in orders}) == 1
    assert state_key(before.position) != state_key(position("W:Ab4,Ac4 B:Al12 move=B").position)
