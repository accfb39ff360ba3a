"""The branches of a node, computed in bulk, equal those computed edge by edge."""

from __future__ import annotations

from typing import Any

import pytest

import realmtable
from realmtable.kit.rules import SearchParameters
from realmtable.search.compiled_games import require_array_game
from realmtable.search.mcts.search import UCT, Branch, Search, sort_branches
from tests.toys.share_tree import TREE, make_position, make_rules

GAME = require_array_game(realmtable.game("classic_realm"))
# Won in a turn, so that some steps are certain; and the middle of a game, where few are.
POSITIONS = (
    "W:Fb5,~h5*2,~b8*2,~h8*3 B:Fe5,Fh5,~h5,Fb8,Fe8,Fh8,Fk8,Fk11 move=B turns=17",
    "W:Fb2,Fe2,Fh2,Fk2,Fb5,Fe5,Fh5,Fk5 B:Fb8,Fe8,Fh8,Fk8,Fb11,Fe11,Fh11,Fk11 move=W",
)
PARAMETER_SETS = (SearchParameters(width=1.5, widening=0.6), SearchParameters(broad=True), UCT)


def branches_by_edge(search: Search, node: int) -> list[Branch]:
    """Compute the branches one edge at a time, with the values of the search's kernel, and sort them in Python."""
    tree, kernels = search.tree, search.kernels
    first, seat = int(tree.node_first[node]), int(tree.node_seat[node])
    found = []
    for edge in range(first, first + int(tree.node_count[node])) if seat >= 0 else ():
        value = float(kernels.worth_of_edge(tree, seat, edge))
        value = value if search.is_for_two else 2.0 * value - 1.0
        child, proven = int(tree.edge_child[edge]), bool(kernels.is_proven_edge(tree, edge))
        found.append(Branch(int(tree.edge_step[edge]), child, int(tree.edge_visits[edge]), value, proven))
    return sort_branches(found)


def run_search(position: str, parameters: SearchParameters, visits: int = 20) -> Search:
    state: Any = GAME.decode(position)
    search = Search(GAME.rules, state.position, parameters, 1, visits)
    search.run(visits, None)
    return search


def assert_equal_to_twin(search: Search) -> None:
    nodes = range(int(search.tree.counters[search.kernels.NODES]))
    found = [search.branches(node) for node in nodes]
    assert found == [branches_by_edge(search, node) for node in nodes]
    assert any(len(branches) > 1 for branches in found)


@pytest.mark.parametrize("parameters", PARAMETER_SETS, ids=("narrow", "broad", "textbook"))
@pytest.mark.parametrize("position", POSITIONS, ids=("won", "open"))
def test_branches_equal_those_computed_edge_by_edge(position: str, parameters: SearchParameters) -> None:
    assert_equal_to_twin(run_search(position, parameters))


@pytest.mark.parametrize("visits", [1, 3, 100])
def test_branches_for_several_seats_equal_those_computed_edge_by_edge(visits: int) -> None:
    search = Search(make_rules(TREE), make_position(TREE, 0), SearchParameters(), 1, 100)
    search.run(visits, None)
    assert_equal_to_twin(search)


def test_proven_steps_are_among_the_branches() -> None:
    branches = run_search(POSITIONS[0], PARAMETER_SETS[1]).branches()
    assert (branches[0].proven, branches[0].value) == (True, 1.0)
    assert not branches[-1].proven or branches[-1].value < 1.0


def test_the_best_alone_is_the_first_of_all() -> None:
    search = run_search(POSITIONS[1], PARAMETER_SETS[0])
    assert search.branches(most=1) == search.branches()[:1]
    assert search.branches(most=3) == search.branches()[:3]


def test_an_unexpanded_node_has_no_branches() -> None:
    search = run_search(POSITIONS[1], PARAMETER_SETS[0])
    fresh = int(search.tree.counters[search.kernels.NODES]) - 1
    search.tree.node_first[fresh] = search.kernels.NOTHING
    assert search.branches(fresh) == []
