"""The compiled search in games for two: exact limits, reproducible, and certain of proofs."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise
from math import log, sqrt
from random import Random
from typing import Any

import pytest

import realmtable
from realmtable.engine.bots import non_proposal_moves
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import State
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.rules import HasRules, SearchParameters
from realmtable.search.compiled_games import require_array_game
from realmtable.search.mcts.bot import CompiledMctsBot
from realmtable.search.mcts.lines import best_lines
from realmtable.search.mcts.parallel_search import ParallelSearch, search_in_parallel
from realmtable.search.mcts.search import UCT, Search
from realmtable.search.search_result import SearchLimits
from realmtable.search.think import think
from tests.toys.dice_duel import DiceDuel
from tests.toys.secret_cards import SecretCards

KERNEL_GAMES = [game for info in realmtable.infos() if isinstance(game := realmtable.game(info.id), ArrayGame)]
# Modern Realm has hundreds of steps to judge at every node: it is searched in `test_bench_signature.py`.
every_game = pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=pytest.mark.slow if game.info.id == "oriental_realm" else (), id=game.info.id)
        for game in KERNEL_GAMES
        if game.info.id != "modern_realm"
    ],
)
REALM = require_array_game(realmtable.game("realm"))
CLASSIC = require_array_game(realmtable.game("classic_realm"))
VISITS = 14
# The textbook's search plays every game to its end: so that it is not far.
ENDS_SOON = {
    "realm": {"max_turns": 20},
    "classic_realm": {"max_plies": 20},
    "medieval_realm": {"max_plies": 20},
    "oriental_realm": {"max_turns": 20},
}

# Each is won by its first turn: the last Base with more Realms, and the last frog dunked.
LAST_BASE = (
    "W:Bh5,Pd6,Ef6x,Ea7x,Pe7,Ef7N,Bb8,Be8,Bh8,Bk8,Pj9,Ed10N,Be11,Bh11"
    " B:Bb2,Be2,Bh2,Bk2,Pl4,Bb5,Bk5,Pa6,Pb6,El6W,Ej7x,Bb11,Ej12x move=W captured=2/4 turns=18"
)
LAST_FROG = "W:Fb5,~h5*2,~b8*2,~h8*3 B:Fe5,Fh5,~h5,Fb8,Fe8,Fh8,Fk8,Fk11 move=B turns=17"


def middle_of(game: ArrayGame[Any, Any], seed: int, turns: int, **options: int) -> State:
    """Return the state after a number of random turns."""
    rng = Random(seed)
    state = game.initial(2, game.options(None, **options))
    while game.turn(state).number < turns:
        seat = game.to_move(state)[0]
        state = game.play(state, seat, rng.choice(non_proposal_moves(game, state, seat)))
    return state


def search_of(
    game: ArrayGame[Any, Any],
    state: State,
    visits: int,
    parameters: SearchParameters | None = None,
    seed: int = 1,
) -> Search:
    search = Search(game.rules, state.position, parameters or game.rules.search_parameters, seed, visits)
    search.run(visits, None)
    return search


@every_game
def test_it_makes_the_given_number_of_visits_and_is_reproducible(game: ArrayGame[Any, Any]) -> None:
    state = middle_of(game, 1, 6)
    first, again = (search_of(game, state, VISITS) for _ in range(2))
    assert first.visits == again.visits == VISITS
    assert first.evaluations == again.evaluations > VISITS
    assert first.branches() == again.branches()
    assert sum(branch.visits for branch in first.branches()) == VISITS - 1  # the first visit opened the root


@every_game
def test_every_step_of_the_list_is_a_branch_with_a_value(game: ArrayGame[Any, Any]) -> None:
    state = middle_of(game, 2, 4)
    seat = game.to_move(state)[0]
    steps = [game.spec.step_table.code_of(move) for move in non_proposal_moves(game, state, seat)]
    branches = search_of(game, state, VISITS).branches()
    assert sorted(branch.step for branch in branches) == sorted(steps)
    assert all(-1.0 <= branch.value <= 1.0 for branch in branches)
    visits = [branch.visits for branch in branches]
    assert visits == sorted(visits, reverse=True)


@pytest.mark.long
@every_game
def test_the_textbook_search_visits_every_step_before_any_twice(game: ArrayGame[Any, Any]) -> None:
    state = middle_of(game, 3, 4, **ENDS_SOON[game.info.id])
    count = len(non_proposal_moves(game, state, game.to_move(state)[0]))
    branches = search_of(game, state, count + 1, UCT).branches()
    assert {branch.visits for branch in branches} == {1}


def upper_bounds(search: Search, explore: float) -> dict[int, float]:
    """Return the UCT score of each step from the root: the mean for the acting seat, plus the exploration bonus."""
    logarithm = log(search.visits + 1)
    return {branch.step: branch.value + explore * sqrt(logarithm / branch.visits) for branch in search.branches()}


@pytest.mark.parametrize("move", ["W", "B"])
@pytest.mark.parametrize("explore", [0.0, 0.2, 0.9, 5.0])
def test_the_textbook_search_takes_the_step_with_the_highest_upper_bound(move: str, explore: float) -> None:
    state = CLASSIC.decode(f"W:Fb5,Fe5,~k2*6 B:Fb8,Fe8,~k11*6 move={move} options=max_plies=40")  # soon won or lost
    first = len(CLASSIC.legal_moves(state, "WB".index(move))) + 1
    parameters = replace(UCT, explore=explore)
    searches = [search_of(CLASSIC, state, visits, parameters) for visits in range(first, first + 12)]
    for before, after in pairwise(searches):
        bounds = upper_bounds(before, explore)
        visits = [{branch.step: branch.visits for branch in search.branches()} for search in (before, after)]
        [taken] = [step for step in visits[0] if visits[1][step] > visits[0][step]]
        assert bounds[taken] == pytest.approx(max(bounds.values()))
    assert len(set(upper_bounds(searches[0], 0.0).values())) > 1  # there was something to prefer


@pytest.mark.parametrize(("game", "text"), [(REALM, LAST_BASE), (CLASSIC, LAST_FROG)])
def test_a_win_at_hand_is_found_and_proven(game: ArrayGame[Any, Any], text: str) -> None:
    state = game.decode(text)
    thought = think(game, state, SearchLimits(nodes=400))
    assert thought.proven
    assert thought.value == 1.0
    assert thought.nodes < 400  # nothing was left to find
    for move in thought.lines[0].moves:
        state = game.play(state, game.to_move(state)[0], move)
    assert game.outcome(state) is not None


@pytest.mark.long
def test_a_search_for_several_turns_continues_after_a_proof() -> None:
    state = CLASSIC.decode(LAST_FROG)
    thought = think(CLASSIC, state, SearchLimits(nodes=120), lines=4)
    assert thought.nodes > think(CLASSIC, state, SearchLimits(nodes=120)).nodes
    assert len(thought.lines) == 4
    assert (thought.lines[0].value, thought.lines[0].proven) == (1.0, True)
    assert len(thought.lines[0].moves) == 1  # what ends the game comes first


def test_a_loss_is_proven_when_every_step_loses() -> None:
    # White has one frog left, next to two of Black's: wherever it jumps it is dunked.
    state = CLASSIC.decode("W:Fb2,~e5*3,~h5*4 B:Fb5,Fe5,Fe2,Fh5,Fb8,Fe8,Fh8,Fk8 move=W turns=20")
    thought = think(CLASSIC, state, SearchLimits(nodes=3000), lines=1)
    assert (thought.value, thought.proven) == (0.0, True)


def test_an_end_that_rests_on_what_came_before_proves_nothing() -> None:
    state = CLASSIC.decode(f"{LAST_FROG.replace('move=B turns=17', 'move=W turns=19')} options=max_plies=20")
    search = search_of(CLASSIC, state, 300, SearchParameters())
    assert not any(branch.proven for branch in search.branches())
    assert {branch.value for branch in search.branches()} == {0.0}  # drawn, all the same


@pytest.mark.long
def test_orders_of_the_same_moves_meet() -> None:
    state = middle_of(REALM, 7, 12)
    search = search_of(REALM, state, 150, SearchParameters(broad=True, width=100))
    edges = [
        edge for edge in search.tree.edge_child[: search.tree.counters[search.kernels.EDGES]].tolist() if edge >= 0
    ]
    assert len(edges) > len(set(edges))


@every_game
def test_lines_begin_with_different_turns_and_can_be_played(game: ArrayGame[Any, Any]) -> None:
    state = middle_of(game, 5, 8)
    turn = game.turn(state)
    thought = think(game, state, SearchLimits(nodes=30), lines=3)
    ends = set()
    for line in thought.lines:
        after, end = state, None
        for move in line.moves:
            after = game.play(after, game.to_move(after)[0], move)
            if end is None and (game.turn(after) != turn or not game.to_move(after)):
                end = after
        assert end is not None
        ends.add(game.encode(end))
    assert len(ends) == len(thought.lines) >= 2
    assert thought.value == thought.lines[0].value


def test_a_turn_that_was_not_searched_to_its_end_is_begun() -> None:
    state = middle_of(REALM, 5, 8)
    for nodes in (1, 2):
        thought = think(REALM, state, SearchLimits(nodes=nodes), lines=2)
        assert thought.lines[0].moves[0] in REALM.legal_moves(state, REALM.to_move(state)[0])


# ---- threads, limits, bots


@pytest.mark.long
def test_threads_share_the_nodes_and_add_up() -> None:
    state = middle_of(CLASSIC, 1, 4)
    forest = search_in_parallel(CLASSIC, state, SearchLimits(nodes=101), SearchParameters(), 1, threads=2)
    assert [search.visits for search in forest.searches] == [51, 51]
    together = {branch.step: branch for branch in forest.branches()}
    for step, branch in together.items():
        apart = [next(b for b in search.branches() if b.step == step) for search in forest.searches]
        assert branch.visits == sum(one.visits for one in apart)
        low, high = sorted(one.value for one in apart)
        assert low - 1e-9 <= branch.value <= high + 1e-9
    best = forest.branches()[0].step
    assert forest.after(best).branches()
    assert forest.after(-5).branches() == []
    assert len(best_lines(forest, 2, CLASSIC.step_of)) == 2


def test_certainty_of_one_thread_is_certainty_of_all() -> None:
    state = CLASSIC.decode(LAST_FROG)
    forest = search_in_parallel(CLASSIC, state, SearchLimits(nodes=60), SearchParameters(), 1, threads=2)
    assert forest.branches()[0].proven
    assert best_lines(forest, 1, CLASSIC.step_of)[0].value == 1.0


def test_a_full_room_ends_the_search() -> None:
    search = Search(CLASSIC.rules, CLASSIC.initial().position, SearchParameters(), 1, 30)
    search.run(10_000, None)
    assert 20 < search.visits <= 32


def test_time_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]

    def tick() -> float:
        now[0] += 0.05
        return now[0]

    monkeypatch.setattr(time, "monotonic", tick)
    search = Search(CLASSIC.rules, CLASSIC.initial().position, SearchParameters(), 1, 5000)
    search.run(None, 100.5)
    assert 0 < search.visits < 5000
    assert now[0] < 100.8


def test_however_late_it_is_there_is_a_step_to_take() -> None:
    search = Search(CLASSIC.rules, CLASSIC.initial().position, SearchParameters(), 1, 50)
    search.run(None, 0.0)
    assert search.visits == 1
    assert search.branches()


@every_game
def test_a_bot_plans_its_turn_to_the_end_and_no_further(game: ArrayGame[Any, Any]) -> None:
    state = middle_of(game, 6, 8)
    turn, seat = game.turn(state), game.to_move(state)[0]
    moves = CompiledMctsBot(SearchLimits(nodes=12)).plan(game, state, seat, Random(1))
    for number, move in enumerate(moves):
        assert game.turn(state) == turn, f"step {number} is in another turn"
        state = game.play(state, seat, move)
    assert game.turn(state) != turn or not game.to_move(state)


def test_a_bot_with_a_clock_shares_its_time_over_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[SearchLimits] = []

    def note(game: Any, state: Any, limits: SearchLimits, *rest: Any) -> ParallelSearch:  # noqa: ANN401 - as the search
        asked.append(limits)
        return search_in_parallel(game, state, SearchLimits(nodes=3), *rest)

    monkeypatch.setattr("realmtable.search.mcts.bot.search_in_parallel", note)
    state = middle_of(REALM, 6, 8)
    CompiledMctsBot(SearchLimits(seconds=10.0)).plan(REALM, state, REALM.to_move(state)[0], Random(1))
    seconds = [limits.seconds or 0.0 for limits in asked]
    assert seconds[0] == 7.0
    assert len(seconds) > 1
    assert all(more <= 5.0 for more in seconds[1:])  # half of what is left


def test_only_games_with_kernels_are_searched_so() -> None:
    with pytest.raises(BadInput, match="no compiled search"):
        require_array_game(DiceDuel())
    assert not isinstance(DiceDuel(), HasRules)


def test_what_cannot_be_thought_about_is_said() -> None:
    with pytest.raises(BadInput, match="seconds or nodes"):
        SearchLimits()
    with pytest.raises(BadInput, match="greater than 0"):
        SearchLimits(nodes=0)
    with pytest.raises(BadInput, match="greater than 0"):
        SearchLimits(seconds=-1.0)
    with pytest.raises(BadInput, match="hidden information or chance"):
        think(SecretCards(), SecretCards().initial(), SearchLimits(nodes=1))
    state = CLASSIC.decode(LAST_FROG)
    won = CLASSIC.play(state, 1, CLASSIC.parse_move(state, "Fe8b5"))
    with pytest.raises(BadInput, match="over"):
        think(CLASSIC, won, SearchLimits(nodes=1))
