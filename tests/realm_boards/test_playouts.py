"""Whole random games inside the kernels: the same for the same seeds, compiled or not, and they add up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

from realmtable.games.realm.evaluation import winner_of
from realmtable.kit.compile import is_compiling
from realmtable.kit.playouts import HasPlayouts, PlayoutNumbers
from realmtable.kit.rules import NO_WINNER
from tests.realm.helpers import position as realm_position
from tests.realm_boards.boards import BOARDS, Board, list_cases

SEEDS = range(3)
LATE = "W:Ab2,Ce2,Ah2,Ak5,He8,Hh8 B:Ab8,Ch11,Ak11,Hb5,Hh5,Hk2 turns=14 options=max_turns=20"
STARTS = {  # of games that end soon
    "realm": "max_turns=20,no_progress=10",
    "classic_realm": "max_plies=40,double_moves=on",
    "medieval_realm": "",
    "oriental_realm": "max_turns=20",
    "modern_realm": LATE,
}
each_start = pytest.mark.parametrize(("tested", "where"), list_cases({name: [(at,)] for name, at in STARTS.items()}))
PROGRAM = """
import json, sys, realmtable
game = realmtable.game(sys.argv[1])
starts = [game.decode(text) for text in sys.argv[2:]]
print(json.dumps([vars(game.playouts(start, range(4))) for start in starts]))
"""


def run(tested: Board, where: str, seeds: Sequence[int] = SEEDS) -> PlayoutNumbers:
    return tested.game.playouts(tested.at(where), seeds)


@each_start
def test_the_same_seeds_play_the_same_games(tested: Board, where: str) -> None:
    assert run(tested, where) == run(tested, where)
    assert run(tested, where) != run(tested, where, [seed + 100 for seed in SEEDS])


@each_start
def test_a_run_is_the_sum_of_its_games(tested: Board, where: str) -> None:
    total = PlayoutNumbers()
    for seed in SEEDS:
        total.add(run(tested, where, [seed]))
    assert total == run(tested, where)
    assert total.games == total.winners.total() == total.reasons.total() == len(SEEDS)
    assert total.choices > total.steps > 0


@each_start
def test_any_seed_is_accepted(tested: Board, where: str) -> None:
    assert run(tested, where, [0, -1, 2**64 - 1, 2**64, 10**30]).games == 5
    assert run(tested, where, []) == PlayoutNumbers()


@each_start
def test_playouts_do_not_modify_the_state(tested: Board, where: str) -> None:
    state = tested.at(where)
    before = state.position.tobytes()
    tested.game.playouts(state, SEEDS)
    assert state.position.tobytes() == before
    assert isinstance(tested.game, HasPlayouts)


COMPARED = {  # presets, and options that shorten the games
    "realm": (("nestor", "original", "four_powers"), {}),
    "classic_realm": (tuple(BOARDS["classic_realm"].game.info.presets), {}),
    "medieval_realm": (tuple(BOARDS["medieval_realm"].game.info.presets), {}),
    "oriental_realm": (("standard", "free_setup", "open_choice"), {"max_turns": 40}),
    "modern_realm": (("standard",), {}),
}


@pytest.mark.compiled
@pytest.mark.parametrize("name", COMPARED)
def test_compiled_and_interpreted_playouts_are_the_same(name: str) -> None:
    game, (presets, limits) = BOARDS[name].game, COMPARED[name]
    starts = [game.initial(2, game.options(preset, **limits)) for preset in presets]
    other = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM, name, *(game.encode(start) for start in starts)],
        env=os.environ | {"REALMTABLE_COMPILE": "0" if is_compiling() else "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = [vars(game.playouts(start, range(4))) for start in starts]
    assert json.loads(json.dumps(found)) == json.loads(other.stdout)


# ---- what is counted


def test_turns_are_counted_too() -> None:
    found = {name: run(BOARDS[name], where) for name, where in STARTS.items()}
    for name in ("realm", "oriental_realm"):
        assert found[name].steps > found[name].turns > 0
        assert found[name].turns <= 20 * found[name].games
    assert set(found["realm"].reasons) <= {"last_base", "no_progress", "max_turns", "repetition"}
    medieval = found["medieval_realm"]
    assert medieval.steps == medieval.turns > 0  # a step is a whole turn
    assert medieval.winners["draw"] == medieval.games - medieval.reasons["borne_off"]
    modern = found["modern_realm"]
    assert (modern.turns, set(modern.reasons)) == (20 * modern.games, {"max_turns"})


ENDED = {  # turns of each game, winner and reason
    "realm": [("W:Bh11,Bh8 B:Bh2 turns=7 phase=over end=agreement", 7, "0", "agreement")],
    "classic_realm": [
        ("W:Fb2,~e5*7 B:~k11*8 phase=over end=all_in_water turns=7", 8, "0", "all_in_water"),
        ("W:Fb2,~e5*4,~h8*3 B:Fk11,~h5*3,~e8*4 turns=7 phase=over end=repetition", 7, "draw", "repetition"),
    ],
    "medieval_realm": [("W:Dk2 B: move=B turns=7 end=borne_off", 8, "1", "borne_off")],
    "oriental_realm": [
        ("W:Ma1 B:Ma2,Mb1 turns=7 phase=over end=surrounded won=B", 7, "1", "surrounded"),
        ("W:Ma1 B:Ma2,Mb1 turns=7 phase=over end=repetition", 7, "draw", "repetition"),
    ],
    "modern_realm": [
        ("W:Hb8,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Al1 move=W turns=7 end=eight_headquarters",
         7, "0", "eight_headquarters"),
        ("W:Al12 B:Hb2,He2,Hh2,Hk2,Hb5,He5,Hh5,Hk5 move=B turns=7 end=eight_headquarters",
         7, "1", "eight_headquarters"),
        ("W:Hb8 B:Al1 turns=7 passed end=two_passes", 7, "draw", "two_passes"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("tested", "where", "turns", "winner", "reason"), list_cases(ENDED))
def test_a_game_that_is_over_is_counted_as_it_is(
    tested: Board, where: str, turns: int, winner: str, reason: str
) -> None:
    state = tested.at(where)
    before = state.position.tobytes()
    found = tested.game.playouts(state, [1, 2])
    assert found == PlayoutNumbers(2, 0, 2 * turns, 0, found.winners, found.reasons)
    assert (found.winners, found.reasons) == ({winner: 2}, {reason: 2})
    assert state.position.tobytes() == before


def test_no_game_ends_by_agreement_in_a_playout() -> None:
    offered = f"W:Bh11,Pg10 B:Bh2 offer=standing options={STARTS['realm']}"
    assert "agreement" not in run(BOARDS["realm"], offered).reasons


def test_complete_games_have_a_winner() -> None:
    found = run(BOARDS["modern_realm"], "W:Ab4,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Al12,Ak12")
    assert found.winners == {"0": 3}
    assert found.reasons == {"eight_headquarters": 3}


@pytest.mark.parametrize(("board", "winner"), [("W:Bh11 B:", 0), ("W: B:Bh11", 1), ("W:Bh11 B:Bh2", NO_WINNER)])
def test_the_winner_of_a_game_of_realm(board: str, winner: int) -> None:
    assert winner_of(realm_position(board + " phase=over end=agreement").position) == winner
