"""The search for several seats on a whole game."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest

import realmtable
from realmtable.engine.bots import plan_steps
from realmtable.engine.protocol import CHANCE
from realmtable.games.realms_of_etherium.kernels.keys import table_key
from realmtable.games.realms_of_etherium.kernels.tally import MOST_IDLE
from realmtable.search.bench_signature import play_random_turns
from realmtable.search.bot_levels import make_bot
from realmtable.search.compiled_matches import make_seat_policy, play_games
from realmtable.search.search_result import SearchLimits
from realmtable.search.think import think

GAME: Any = realmtable.game("realms_of_etherium")
# Control of Affinity is worth two points, which end the game; every other Mage has acted.
WINNING = (
    "tiles=Portal@0,0;Quicken@1,0;Affinity@0,1;Displace@-1,1 mages=0,1/portalx etherium=1.2/0.0"
    " reserve=Draw;Shift;Lessen;Accord;Bond;Network phase=act active=1 turn=9 round=9 options=points=2"
)


def test_a_search_takes_the_points_that_win() -> None:
    state = GAME.decode(WINNING)
    found = think(GAME, state, SearchLimits(nodes=20))
    assert GAME.format_move(state, found.lines[0].moves[0]) == "control"
    assert found.value > 0.5
    bot = make_bot("mcts:nodes=20")
    assert GAME.format_move(state, plan_steps(bot, GAME, state, 0, Random(1))[0]) == "control"


# Without Etherium, each in the way of the other: from a game in which 13 activations in a row changed nothing.
BLOCKED = (
    "tiles=Portal@0,0;Transfer@0,1;Streamline@-1,1;Diversity@-1,0 mages=-1,0;-1,1x;0,1/-1,0;-1,1;0,1"
    " reserve=Conjure;Transmute;Transmute;Antagonism;Outgrowth;Polarity seat=2 turn=8 round=2"
)


@pytest.mark.parametrize("name", ["greedy", pytest.param("level5", marks=pytest.mark.slow)])
def test_a_bot_does_something_where_everyone_blocks_everyone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)  # only the nodes limit a search
    before = state = GAME.decode(BLOCKED)
    rng = Random(1)
    while GAME.turn(state) == GAME.turn(before):
        seat = GAME.to_move(state)[0]
        if seat == CHANCE:
            state = GAME.play(state, CHANCE, GAME.chance(state)[0].move)
        else:
            state = GAME.play(state, seat, make_bot(name).choose(GAME, state, seat, rng))
    assert table_key(GAME.position_of(state)) != table_key(GAME.position_of(before))


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["greedy", "level5"])
def test_bots_never_wait_for_each_other(name: str) -> None:
    """`studies.etherium.bots --stalls` plays more games."""
    start = GAME.position_of(GAME.initial(2))
    seeds = [Random(game).getrandbits(60) for game in range(12)]  # small numbers would give similar first draws
    played = play_games(GAME.rules, [start] * 12, [make_seat_policy(name, GAME.rules)] * 2, seeds)
    assert 0 < played.tallies[:, MOST_IDLE].max() < 20


def test_a_bot_plays_from_any_decision() -> None:
    state = play_random_turns(GAME, 9)
    seat = GAME.to_move(state)[0]
    assert make_bot("mcts:nodes=1").choose(GAME, state, seat, Random(1)) in GAME.legal_moves(state, seat)
