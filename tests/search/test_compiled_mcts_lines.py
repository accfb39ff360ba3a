"""Lines of a search: certain losses come last, and a position is lost only if every line loses."""

from __future__ import annotations

from typing import Any

import pytest

import realmtable
from realmtable.engine.protocol import Move
from realmtable.kit.rules import SearchStyle
from realmtable.search.compiled_mcts import Branch, Search
from realmtable.search.compiled_mcts_bot import ParallelSearch, require_array_game
from realmtable.search.compiled_mcts_lines import best_lines
from realmtable.search.search_result import SearchLine

GAME = require_array_game(realmtable.game("classic_realm"))
OPEN = "W:Fb2,Fe2,Fh2,Fk2,Fb5,Fe5,Fh5,Fk5 B:Fb8,Fe8,Fh8,Fk8,Fb11,Fe11,Fh11,Fk11 move=W"


@pytest.fixture
def search() -> Search:
    """A search that has looked at some steps of many; White acts, and a step is a turn."""
    state: Any = GAME.decode(OPEN)
    made = Search(GAME.rules, state.position, SearchStyle(width=6, widening=0.1), 1, 40)
    made.run(40, None)
    return made


def branches_with_visits(search: Search) -> list[Branch]:
    return [branch for branch in search.branches() if branch.visits]


def mark_losing(search: Search, branches: list[Branch]) -> None:
    """As if these steps had been shown to lose."""
    for branch in branches:
        search.tree.node_proof[branch.node] = -1.0


def extract_lines(search: Search, wanted: int) -> tuple[SearchLine, ...]:
    return best_lines(ParallelSearch([search]), wanted, GAME.spec.step_table.step_of)


def step_of(branch: Branch) -> Move:
    return GAME.spec.step_table.step_of(branch.step)


def test_sure_losses_do_not_hide_what_was_looked_at_less(search: Search) -> None:
    *most, last = branches_with_visits(search)
    assert len(most) > 3
    mark_losing(search, most)
    best = extract_lines(search, 1)[0]
    assert (best.moves[0], best.proven) == (step_of(last), False)


def test_a_position_is_not_lost_while_some_steps_were_not_looked_at(search: Search) -> None:
    branches = branches_with_visits(search)
    assert len(branches) < len(search.branches())
    mark_losing(search, branches)
    best, *others = extract_lines(search, 3)
    assert best.moves[0] not in [step_of(branch) for branch in branches]
    assert not best.proven
    assert best.value > 0
    assert [(line.value, line.proven) for line in others] == [(0.0, True), (0.0, True)]


def test_a_position_is_lost_where_every_step_is(search: Search) -> None:
    mark_losing(search, branches_with_visits(search))
    search.tree.node_proof[0] = -1.0
    assert [(line.value, line.proven) for line in extract_lines(search, 2)] == [(0.0, True), (0.0, True)]
