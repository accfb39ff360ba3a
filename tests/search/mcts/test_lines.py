"""Lines of a search: certain losses come last, and a position is lost only if every line loses."""

from __future__ import annotations

from typing import Any

import pytest

import realmtable
from realmtable.engine.protocol import Move, State
from realmtable.kit.rules import SearchParameters
from realmtable.search.compiled_games import require_array_game
from realmtable.search.mcts.lines import best_lines
from realmtable.search.mcts.parallel_search import ParallelSearch
from realmtable.search.mcts.search import Branch, Search
from realmtable.search.search_result import SearchLimits, SearchLine
from realmtable.search.think import cut_at_end, think

GAME = require_array_game(realmtable.game("classic_realm"))
OPEN = "W:Fb2,Fe2,Fh2,Fk2,Fb5,Fe5,Fh5,Fk5 B:Fb8,Fe8,Fh8,Fk8,Fb11,Fe11,Fh11,Fk11 move=W"
SHUTTLE = "Fb2e2 Fk11h11 Fe2b2 Fh11k11"  # four steps after which the position is the same again


@pytest.fixture
def search() -> Search:
    """A search that has visited some of many steps. White acts, and each step is a turn."""
    state: Any = GAME.decode(OPEN)
    made = Search(GAME.rules, state.position, SearchParameters(width=6, widening=0.1), 1, 40)
    made.run(40, None)
    return made


def branches_with_visits(search: Search) -> list[Branch]:
    return [branch for branch in search.branches() if branch.visits]


def mark_lost(search: Search, node: int) -> None:
    search.tree.node_proven[node] = 1
    search.tree.node_best[node] = -1.0


def mark_losing(search: Search, branches: list[Branch]) -> None:
    """Mark these steps as proven losses."""
    for branch in branches:
        mark_lost(search, branch.node)


def extract_lines(search: Search, wanted: int) -> tuple[SearchLine, ...]:
    return best_lines(ParallelSearch([search], (0,)), wanted, GAME.step_of)


def step_of(branch: Branch) -> Move:
    return GAME.step_of(branch.step)


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
    mark_lost(search, 0)
    assert [(line.value, line.proven) for line in extract_lines(search, 2)] == [(0.0, True), (0.0, True)]


# ---- the end of the game


def count_steps(line: SearchLine, state: State) -> int:
    """Play a line to its end, or to the end of the game; return how many steps were played."""
    for played, move in enumerate(line.moves):
        if not GAME.to_move(state):
            return played
        state = GAME.play(state, GAME.to_move(state)[0], move)
    return len(line.moves)


def test_a_line_stops_where_a_position_is_repeated_for_the_third_time() -> None:
    start: Any = GAME.decode("W:Fb2,~e5*4,~h8*3 B:~h5*3,~e8*4,Fk11")
    state, moves = start, []
    for text in [*SHUTTLE.split()] * 2:
        moves.append(GAME.parse_move(state, text))
        state = GAME.play(state, GAME.to_move(state)[0], moves[-1])
    assert not GAME.to_move(state)
    whole = SearchLine(tuple(moves), 0.5, 9, proven=False)
    assert cut_at_end(GAME, start, whole) == whole
    assert cut_at_end(GAME, start, SearchLine((*moves, *moves), 0.5, 9, proven=False)) == whole


@pytest.mark.slow
@pytest.mark.compiled
def test_lines_of_a_long_search_stop_with_the_game() -> None:
    """In this position the best line of 20,000 nodes repeats a position for the third time."""
    state: Any = GAME.decode(
        "W:Fe2,Fh2,Fk2,Fb5,~e5,Fh5,Fk5,~e8 B:Fe5,Fb8,Fe8,~e8,Fh8,Fk8,Fe11,Fh11 move=W turns=4"
        " seen=7384a516fe69df4b,3713abc6327daf91,91641c94aaeb2197,1e746b53d79911e6,cf935852a165b705"
    )
    for line in think(GAME, state, SearchLimits(nodes=20_000), lines=3).lines:
        assert count_steps(line, state) == len(line.moves)
