"""What bots ask: the worth of a state at a glance."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.games.oriental_realm.bot import DANGER, WIN, evaluate
from realmtable.search.bots import GreedyBot
from tests.oriental_realm.helpers import GAME, play, position, random_game, start


def worth(board: str, seat: int = 0) -> float:
    return evaluate(position(board), seat)


def test_a_game_that_is_over_is_won_lost_or_drawn() -> None:
    won = "W:Ma1 B:Ma2,Mb1 phase=over end=surrounded won=B"
    assert (worth(won, 0), worth(won, 1)) == (-WIN, WIN)
    drawn = "W:Ma1 B:Ma9 phase=over end=repetition"
    assert (worth(drawn, 0), worth(drawn, 1)) == (0, 0)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("W:Me5,Ek12 B:Mh8", "W:Ma1,Ek12 B:Ma2,Mh8"),  # room
        ("W:Ma1,Ek12 B:Ma2,Mc5", "W:Ma1,Ek12 B:Ma2,Mb5"),  # b5 can fill the last space
        ("W:Mb3,Ma1,Ek12 B:Ma2,Mb5", "W:Mc3,Ma1,Ek12 B:Ma2,Mb5"),  # unless something is in the way
        ("W:Me5,Ek12 B:Md5,Mf9", "W:Me5,Ek12 B:Md5,Mf5"),  # a pin
        ("W:Me5,Ek12 B:Me9", "W:Me5,Ek12 B:Mj2"),  # nearness
    ],
)
def test_what_is_worth_more(better: str, worse: str) -> None:
    assert worth(better) > worth(worse)


def test_danger_weighs_more_than_a_threat() -> None:
    board = "W:Ma1,Ek12 B:Ma2,Mb5"
    assert worth(board, 0) < -DANGER / 2
    assert 0 < worth(board, 1) < DANGER / 2


def test_nobody_on_the_board_is_worth_nothing() -> None:
    assert worth("W: B:") == 0
    assert worth("W:Ee5 B:") == -worth("W: B:Ee5")  # nobody is near to anybody


def test_no_state_is_worth_more_than_a_win() -> None:
    for state, step in list(random_game(1, max_turns=40))[::9]:
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
    assert GAME.evaluate(after, 0) > -DANGER / 2


def test_the_greedy_bot_plays_the_set_up_too() -> None:
    for options in ({"free_setup": True}, {"emperor": "choose"}):
        state = start(**options)
        move = GreedyBot(width=1, length=1).choose(GAME, state, 0, Random(1))
        assert move in GAME.legal_moves(state, 0)
