"""The search for several seats on a whole game."""

from __future__ import annotations

from random import Random

import realmtable
from realmtable.engine.bots import plan_steps
from realmtable.search.bench_signature import play_random_turns
from realmtable.search.bot_levels import make_bot
from realmtable.search.search_result import SearchLimits
from realmtable.search.think import think

GAME = realmtable.game("realms_of_etherium")
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


def test_a_bot_plays_from_any_decision() -> None:
    state = play_random_turns(GAME, 9)
    seat = GAME.to_move(state)[0]
    assert make_bot("mcts:nodes=1").choose(GAME, state, seat, Random(1)) in GAME.legal_moves(state, seat)
