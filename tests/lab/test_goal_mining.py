"""Mining goals: every turn is looked at, and only one idea brings the most points, without luck."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import realmtable
from realmtable.analysis.goals import likeliest_result, points_of
from realmtable.analysis.puzzles import Puzzle, load_puzzles
from realmtable.engine.protocol import CHANCE
from realmtable.lab.goal_mining import Reached, explore_turn, make_puzzle, mine_goals, needs_luck
from realmtable.lab.puzzle_mining import MiningTask, mine_puzzles

GAME = realmtable.game("realms_of_etherium")
GOALS = list(load_puzzles(GAME.info.id).values())
SMALL = min(GOALS, key=lambda puzzle: puzzle.nodes)


def explore_small() -> list[Reached]:
    return explore_turn(GAME, GAME.decode(SMALL.position))


def test_a_position_gives_its_puzzle() -> None:
    found = make_puzzle(GAME, GAME.decode(SMALL.position), SMALL.seed)
    assert found is not None
    assert replace(found, difficulty=SMALL.difficulty) == SMALL  # a slow search may miss what a fast one finds


def test_random_turns_lead_nowhere_else() -> None:
    known = {each.state for each in explore_small()}
    for seed in range(30):
        rng, state = Random(seed), GAME.decode(SMALL.position)
        while GAME.to_move(state) == (SMALL.seat,) and GAME.turn(state) == GAME.turn(GAME.decode(SMALL.position)):
            state = GAME.play(state, SMALL.seat, rng.choice(GAME.legal_moves(state, SMALL.seat)))
            while GAME.to_move(state) == (CHANCE,):
                state = GAME.play(state, CHANCE, likeliest_result(GAME, state))
            assert state in known


def test_a_path_leads_where_it_says() -> None:
    for reached in explore_small()[:40]:
        state = GAME.decode(SMALL.position)
        for seat, move in reached.path:
            state = GAME.play(state, seat, move)
        assert (state, points_of(GAME, state, SMALL.seat)) == (reached.state, reached.points)


def test_what_is_drawn_needs_luck_and_what_is_taken_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the goal is that a tile lies in the world."""
    puzzle = next(puzzle for puzzle in GOALS if puzzle.line[0].startswith("summon") and len(puzzle.line) > 1)
    summon = puzzle.line[0].split(", ")[0]
    for source, is_lucky in (("draw victory", True), (puzzle.line[0].split(", ")[1], False)):
        state, path = GAME.decode(puzzle.position), []
        for text in (summon, source):
            path.append((puzzle.seat, GAME.parse_move(state, text)))
            state = GAME.play(state, *path[-1])
        path.append((CHANCE, likeliest_result(GAME, state)))
        drawn = GAME.format_move(state, path[-1][1]) if is_lucky else source
        tile = f"{drawn.split()[-1]}@"
        monkeypatch.setattr(
            "realmtable.lab.goal_mining.points_of", lambda _, now, __, tile=tile: int(tile in GAME.encode(now))
        )
        assert needs_luck(GAME, GAME.decode(puzzle.position), tuple(path), 1) is is_lucky


def test_a_game_gives_few_puzzles_that_lie_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every position is a puzzle here."""
    monkeypatch.setattr("realmtable.lab.goal_mining.play_turns", lambda *_: range(100))
    monkeypatch.setattr("realmtable.lab.goal_mining.make_puzzle", lambda _, state, __: replace(SMALL, seed=state))
    assert [puzzle.seed for puzzle in mine_goals(GAME, 1)] == [0, 13]


def test_games_for_several_seats_are_mined_for_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realmtable.lab.puzzle_mining.mine_goals", lambda _, seed: iter([replace(SMALL, seed=seed)]))
    assert mine_puzzles(MiningTask(GAME.info.id, 7, 100, 20)) == [replace(SMALL, seed=7)]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("puzzle", GOALS, ids=lambda puzzle: puzzle.id)
def test_every_goal_is_found_again(puzzle: Puzzle) -> None:
    assert make_puzzle(GAME, GAME.decode(puzzle.position), puzzle.seed) == puzzle
