"""The search for several seats: known values with chance, max-n and paranoid, limits, bots, lines and levels."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

import realmtable
from realmtable.engine.bots import plan_steps
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame
from realmtable.kit.rules import HasArrayRules, SearchParameters
from realmtable.search.baselines import GreedyBot
from realmtable.search.bot_levels import LEVELS, make_bot
from realmtable.search.compiled_games import has_several_seats
from realmtable.search.mcts.bot import CompiledMctsBot
from realmtable.search.mcts.lines import best_lines
from realmtable.search.mcts.parallel_search import ParallelSearch, search_in_parallel
from realmtable.search.mcts.search import Search
from realmtable.search.search_result import SearchLimits
from realmtable.search.think import think
from tests.toys.share_tree import (
    NODE,
    RESULT0,
    TREE,
    Node,
    ShareTree,
    best_shares,
    make_position,
    make_rules,
    random_tree,
)

GAME = ShareTree()
PLAYED = cast("AnyGame", GAME)
DRAW, TRUST_BOB, TRUST_CID, LOSE = range(4)
MANY = 2000


def search_tree(tree: Any, visits: int = MANY, seed: int = 1, **changes: Any) -> Search:  # noqa: ANN401 - nodes and settings
    rules = make_rules(tree, f"share_tree_{id(tree)}_{len(tree)}")
    search = Search(rules, make_position(tree, 0), replace(rules.search_parameters, **changes), seed, visits)
    search.run(visits, None)
    return search


def test_every_seat_maximises_its_own_share() -> None:
    search = search_tree(TREE)
    best = search.branches()[0]
    assert (best.step, best.proven, best.value) == (TRUST_BOB, True, 0.0)  # a half, from -1 to 1
    assert search.shares() == best_shares(TREE) == (0.5, 0.5, 0.0)


def test_a_paranoid_search_trusts_no_one() -> None:
    search = search_tree(TREE, paranoid=True)
    assert search.branches()[0].step == DRAW
    assert search.shares() == pytest.approx((0.4, 0.0, 0.6))
    assert best_shares(TREE, root=0) == pytest.approx((0.4, 0.0, 0.6))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("paranoid", [False, True])
def test_random_trees_get_their_exact_values(seed: int, paranoid: bool) -> None:
    tree = random_tree(Random(seed), 3)
    search = search_tree(tree, paranoid=paranoid)
    assert search.tree.node_proven[0]
    assert search.shares() == pytest.approx(best_shares(tree, root=0 if paranoid else None))
    assert search.visits < MANY


def test_a_search_of_the_own_turn_takes_what_looks_best() -> None:
    search = search_tree(TREE, visits=50, own_turn=True, mix=1.0)
    assert search.branches()[0].step == TRUST_CID
    assert {int(turn) for turn in search.tree.node_turn[: search.tree.counters[0]]} == {1, 2}
    assert search.tree.node_first[search.child(0, TRUST_CID)] == search.kernels.NOTHING


@pytest.mark.parametrize("own_turn", [False, True])
@pytest.mark.parametrize(("idle_cost", "chosen"), [(0.0, 0), (0.4, 0), (1.0, 1)])
def test_a_seat_waits_only_if_everything_else_costs_more(own_turn: bool, idle_cost: float, chosen: int) -> None:
    waiting, acting = (Node(1, 3, children=(own, own), looks=(looks, 0.0, 0.0)) for own, looks in ((3, 0.5), (4, 0.0)))
    tree = (Node(0, 1, children=(1, 2)), replace(waiting, turn=2), replace(acting, turn=2), waiting, acting)
    rules = make_rules(tree, "waiting")._replace(is_standstill=lambda _, after: bool(after[NODE] == 1))
    parameters = SearchParameters(idle_cost=idle_cost, own_turn=own_turn)
    search = Search(rules, make_position(tree, 0), parameters, 1, 100)
    search.run(100, None)
    assert search.branches()[0].step == chosen


def test_a_position_that_is_not_quiet_is_worth_its_best_step() -> None:
    values = {branch.step: branch.value for branch in search_tree(TREE, visits=1).branches()}
    assert values[LOSE] == -1.0
    assert values[TRUST_CID] > 0.9  # as it looks
    assert (
        search_tree((TREE[0], *TREE[1:4], replace(TREE[4], quiet=True), *TREE[5:]), visits=1).branches()[0].step == LOSE
    )


def test_steps_before_chance_are_evaluated_by_drawn_results() -> None:
    few, many = (
        {branch.step: branch.value for branch in search_tree(TREE, visits=1, samples=samples).branches()}[DRAW]
        for samples in (1, 500)
    )
    assert few in {1.0, -1.0}
    assert many == pytest.approx(-0.2, abs=0.1)  # 2 in 5


def test_chance_nodes_begin_with_few_results() -> None:
    wide = (Node(0, 1, children=(1, 1)), Node(-1, 1, tuple(range(2, 9)), (1,) * 7), *[Node(shares=(1.0, 0.0, 0.0))] * 7)
    search = search_tree(wide, visits=3, results=0.1)
    chance = search.child(0, 0)
    results = search.tree.edge_visits[search.tree.node_first[chance] :][:7]
    assert (results > 0).sum() <= 2
    assert search.branches(chance) == []
    assert search_tree(wide, visits=40, results=2.0).tree.node_proven[0]


def test_results_are_visited_in_proportion_to_their_weights() -> None:
    later = Node(1, 3, children=(4, 4))
    tree = (Node(0, 1, children=(1, 1)), Node(-1, 1, (2, 3), (3, 1)), later, later, Node(2, 4, children=(5, 5)), later)
    with pytest.raises(RecursionError):  # it never ends: nothing can be proven
        best_shares(tree)
    search = search_tree(tree, visits=400)
    chance = search.child(0, 0)
    first = search.tree.node_first[chance]
    often, seldom = search.tree.edge_visits[first : first + 2]
    assert often / seldom == pytest.approx(3.0, rel=0.1)


def test_searches_repeat_and_stop_at_their_limits() -> None:
    endless = (Node(0, 1, children=(1, 1)), Node(1, 2, children=(0, 0)))
    one, other = (search_tree(endless, visits=30) for _ in range(2))
    assert one.branches() == other.branches()
    assert one.visits == 30
    assert one.evaluations > 30
    small = Search(make_rules(endless, "endless"), make_position(endless, 0), SearchParameters(), 1, 5)
    small.run(10_000, None)
    assert small.visits < 10_000
    assert small.tree.counters[small.kernels.NODES] < small.tree.node_seat.size
    assert small.child(0, 9) == -1


def test_long_visits_are_evaluated_where_they_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = (Node(0, 1, children=(1, 1)), Node(-1, 1, (0,), (1,)))
    search = Search(make_rules(chain, "chain"), make_position(chain, 0), SearchParameters(width=1, widening=0), 1, 300)
    monkeypatch.setattr(search.kernels, "MAX_PATH_STEPS", 4)
    search.run(50, None)
    assert search.visits == 50
    assert sum(search.shares()) == pytest.approx(1.0)


def test_threads_share_the_nodes() -> None:
    forest = search_in_parallel(GAME, 0, SearchLimits(nodes=40), GAME.rules.search_parameters, 1, threads=2)
    assert forest.branches()[0].step == TRUST_BOB
    assert forest.visits <= 40
    assert forest.after(TRUST_BOB).branches()[0].step == 0


# ---- bots and thinking


def test_bots_choose_and_plan() -> None:
    bot = CompiledMctsBot(SearchLimits(nodes=200))
    assert bot.choose(PLAYED, 0, 0, Random(1)) == TRUST_BOB
    assert plan_steps(bot, PLAYED, 0, 0, Random(1)) == [TRUST_BOB]
    timed = CompiledMctsBot(SearchLimits(nodes=200, seconds=60), threads=2, changes={"paranoid": True})
    assert plan_steps(timed, PLAYED, 0, 0, Random(1)) == [DRAW]
    both = CompiledMctsBot(SearchLimits(nodes=1), SearchParameters())
    assert plan_steps(both, PLAYED, 4, 0, Random(1)) in ([0], [1])
    tree = (replace(TREE[0], children=(4, 4)), *TREE[1:])
    assert len(plan_steps(both, cast("AnyGame", ShareTree(tree)), 0, 0, Random(1))) == 2  # a second search


def test_the_greedy_bot_looks_only_at_its_turn() -> None:
    assert GreedyBot().choose(PLAYED, 0, 0, Random(1)) == TRUST_CID


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_every_level_plays(level: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401 - a level
    frozen = SimpleNamespace(monotonic=lambda: 0.0)  # however busy the machine is
    monkeypatch.setattr("realmtable.search.mcts.search.time", frozen)
    assert level.make().choose(PLAYED, 0, 0, Random(3)) in GAME.legal_moves(0, 0)
    if level.name in {"level5", "level6", "level7", "level8"}:
        assert plan_steps(level.make(), PLAYED, 0, 0, Random(1)) == [TRUST_BOB]


def test_named_searches_suit_the_number_of_seats() -> None:
    assert plan_steps(make_bot("mcts:nodes=100"), PLAYED, 0, 0, Random(1)) == [TRUST_BOB]
    assert make_bot("mcts:nodes=100").choose(PLAYED, 0, 0, Random(1)) == TRUST_BOB


def test_games_for_two_are_not_for_several_seats() -> None:
    classic = realmtable.game("classic_realm")
    assert isinstance(classic, HasArrayRules)
    assert not has_several_seats(classic)
    assert isinstance(GAME, HasArrayRules)
    assert has_several_seats(PLAYED)


def test_thinking_gives_the_expected_share_and_different_turns() -> None:
    result = think(PLAYED, 0, SearchLimits(nodes=100), lines=3)
    assert (result.value, result.proven) == (0.5, True)
    assert len({line.moves[0] for line in result.lines}) == 3
    assert result.lines[0].moves == (TRUST_BOB,)  # without Bob's reply
    assert think(PLAYED, 0, SearchLimits(nodes=1)).lines[0].visits == 0
    assert all(move < RESULT0 for line in result.lines for move in line.moves)


def test_lines_end_with_the_turn_and_prefer_certain_wins() -> None:
    tree = (Node(0, 1, children=(1, 2)), Node(0, 1, children=(3, 4)), Node(shares=(0.2, 0.8, 0.0)), *TREE[5:7])
    lines = best_lines(ParallelSearch([search_tree(tree, visits=50)], (0,)), 5, lambda step: step)
    assert lines[0].moves == (0, 0)
    assert (lines[0].value, lines[0].proven) == (1.0, True)


def test_thinking_needs_a_decision() -> None:
    with pytest.raises(BadInput, match="over"):
        think(PLAYED, 5, SearchLimits(nodes=1))


def test_where_chance_acts_thinking_gives_shares_alone() -> None:
    found = think(PLAYED, 1, SearchLimits(nodes=100))
    assert (found.lines, found.proven) == ((), True)
    assert sum(found.shares) == pytest.approx(1)
    assert found.value == found.shares[PLAYED.turn(1).seat]
