"""Mining: which positions become puzzles, and a file that grows line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import realmtable
from realmtable.analysis.puzzles import Puzzle, judge_answer, load_puzzles, play_turn, start_match
from realmtable.cli import mine
from realmtable.cli.main import group
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, State
from realmtable.kit.realm_board.position_classes import position_class
from realmtable.lab import puzzle_mining
from realmtable.lab.candidate_turns import (
    CandidateTurn,
    candidate_turns,
    drop_duplicates,
    stands_out,
    state_after,
)
from realmtable.lab.puzzle_mining import (
    Miner,
    MiningTask,
    PuzzleCollection,
    feature_gains,
    mine_puzzles,
)
from realmtable.search.search_result import SearchLimits, SearchLine, SearchResult
from realmtable.search.think import think
from tests.analysis.small_puzzles import LATER, ONE_TURN_PUZZLE, POSITION
from tests.lab.one_turn_search import think_one_turn

GAME = realmtable.game("realm")
TASK = MiningTask("realm", 5, 100, 20)


def miner() -> Miner:
    return Miner(GAME, TASK, think_one_turn)


@cache
def mine_known_position() -> Puzzle | None:
    """Return the puzzle that is made of a position in which one turn wins."""
    return miner().check_position(GAME.decode(POSITION))


@pytest.fixture(autouse=True)
def relaxed_thresholds(monkeypatch: pytest.MonkeyPatch) -> None:
    """`think_one_turn` gives both sides 0.3 in a quiet position, so 0.7 has to count as failing."""
    monkeypatch.setattr(puzzle_mining, "FAILING_SCORE", 0.75)
    monkeypatch.setattr(puzzle_mining, "PLAIN_WIN_SHARE", 1.0)


def turn(value: float, *words: str) -> CandidateTurn:
    return CandidateTurn((), words, words, value, proven=False)


# ---- candidates


def test_one_class_of_turns_must_win_and_all_others_fail() -> None:
    assert stands_out([turn(0.95, "a"), turn(0.94, "a"), turn(0.6, "b")])
    assert not stands_out([turn(0.95, "a"), turn(0.7, "b")])
    assert not stands_out([turn(0.84, "a"), turn(0.1, "b")])
    assert not stands_out([turn(0.95, "a"), turn(0.94, "a")])
    assert not stands_out([])


def test_turns_that_lead_to_the_same_state_are_one() -> None:
    assert drop_duplicates([turn(0.9, "a"), turn(0.8, "a"), turn(0.7, "b")]) == [
        turn(0.9, "a"),
        turn(0.7, "b"),
    ]


def test_an_unfinished_turn_is_no_candidate() -> None:
    state = GAME.decode(POSITION)
    ends = think_one_turn(GAME, state, SearchLimits(nodes=1), lines=3).lines
    begun = SearchLine((GAME.parse_move(state, "Pa1d1"),), 0.2, 1, proven=False)
    assert len(candidate_turns(GAME, state, SearchResult(1.0, True, 1, 0.0, (*ends, begun)))) == 3


def test_only_the_first_turn_of_a_line_is_the_candidate() -> None:
    state = GAME.decode(LATER)
    first = think_one_turn(GAME, state, SearchLimits(nodes=1)).lines[0].moves
    after = state_after(GAME, state, first)
    line = SearchLine((*first, GAME.legal_moves(after, 1)[0]), 0.9, 1, proven=False)
    (found,) = candidate_turns(GAME, state, SearchResult(0.9, False, 1, 0.0, (line,)))
    assert (found.moves, found.state) == (first, after)


# ---- checking


@pytest.mark.long
def test_a_position_with_one_winning_turn_becomes_a_puzzle() -> None:
    puzzle = mine_known_position()
    assert puzzle is not None
    assert (puzzle.theme, puzzle.seat, puzzle.proven, puzzle.value) == ("win at once", 0, True, 1.0)
    assert puzzle.line[0].startswith("Pa4a")
    assert puzzle.second == pytest.approx(0.7)  # the other side sees nothing either
    assert puzzle.nodes == 400


def test_a_position_where_nothing_wins_does_not() -> None:
    assert miner().check_position(GAME.decode(LATER)) is None


@pytest.mark.long
def test_a_position_where_a_second_look_finds_another_win_does_not() -> None:
    """The first searches prefer one turn, but searches of the states after the others show that they win too."""

    def find_second_win(game: AnyGame, state: State, limits: SearchLimits, **wishes: int) -> SearchResult:
        thought = think_one_turn(game, state, limits, **wishes)
        return replace(thought, value=0.0) if game.to_move(state) == (1,) else thought

    assert Miner(GAME, TASK, find_second_win).check_position(GAME.decode(POSITION)) is None


def test_a_position_on_which_two_searches_differ_does_not() -> None:
    def think_differently(game: AnyGame, state: State, limits: SearchLimits, **wishes: int) -> SearchResult:
        thought = think_one_turn(game, state, limits, **wishes)
        return thought if limits.nodes == TASK.nodes else replace(thought, lines=thought.lines[::-1])

    assert Miner(GAME, TASK, think_differently).check_position(GAME.decode(POSITION)) is None


def test_few_positions_are_taken_in_which_a_single_step_ends_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_mining, "PLAIN_WIN_SHARE", 0.0)
    assert miner().check_position(GAME.decode(POSITION)) is None


@pytest.mark.long
def test_what_was_checked_is_judged_at_once() -> None:
    puzzle = mine_known_position()
    assert puzzle is not None
    assert judge_answer(puzzle, [puzzle.line[0]]).kind == "solved"
    start = start_match(puzzle)
    for answer in puzzle.others[0]:
        log = play_turn(start, answer.turn).log()
        reached = judge_answer(puzzle, [GAME.format_move(entry.before, entry.move) for entry in log])
        assert reached.kind == ("wrong" if answer.value < 0.85 else "solved")


@pytest.mark.long
def test_the_tempting_turn_is_among_those_that_were_checked() -> None:
    puzzle = mine_known_position()
    assert puzzle is not None
    assert len(puzzle.others[0]) >= 3


def test_harder_puzzles_need_more_nodes() -> None:
    state = GAME.decode(POSITION)
    best = candidate_turns(GAME, state, think_one_turn(GAME, state, SearchLimits(nodes=1), lines=8))[0]

    def think_slowly(game: AnyGame, state: State, limits: SearchLimits, **wishes: int) -> SearchResult:
        thought = think_one_turn(game, state, limits, **{**wishes, "lines": 8})
        return thought if (limits.nodes or 0) >= 1000 else replace(thought, lines=thought.lines[::-1])

    easy = miner().difficulty(state, best)
    assert easy in (1, 2)
    assert Miner(GAME, TASK, think_slowly).difficulty(state, best) == easy + 2
    assert miner().difficulty(state, best, turns=2) == easy + 1


def test_the_theme_of_a_turn_is_its_main_feature() -> None:
    before = GAME.decode("W:Pa1,Bb2 B:Bk11,Pl12 move=W")
    after = GAME.decode("W:Pa4,Bb2,Bb5 B:Bk11,Pl12 move=W")
    assert feature_gains(GAME, before, after)[0] in {feature.words for feature in GAME.features()}  # type: ignore[attr-defined]
    assert feature_gains(GAME, before, before) == []


# ---- games


@pytest.mark.long
def test_the_same_task_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAME, "initial", lambda _: GAME.decode(POSITION), raising=False)
    monkeypatch.setattr(puzzle_mining, "MISTAKES_PER_POSITION", 0)
    one, other = (mine_puzzles(TASK, think_one_turn) for _ in range(2))
    assert one == other
    assert [puzzle.position for puzzle in one] == [POSITION]


@pytest.mark.long
def test_mistakes_of_balanced_games_are_looked_at() -> None:
    """White has nothing to win at first; any random move of Black leaves White the last Base."""
    state = GAME.decode(POSITION.replace("move=W", "move=B"))
    found = list(miner()._states_after_mistakes(state, Random(1)))
    assert len(found) == puzzle_mining.MISTAKES_PER_POSITION
    assert all(GAME.to_move(after) == (0,) and thought.value == 1 for after, thought in found)


@pytest.mark.parametrize(
    ("endings", "begun", "tried"),
    [(0, [], list(range(2, 11))), (2, [9, 10] * 2, [7, 8, 9, 10] * 4)],
    ids=["without", "with"],
)
def test_other_endings_begin_in_the_last_balanced_positions(
    monkeypatch: pytest.MonkeyPatch, endings: int, begun: list[int], tried: list[int]
) -> None:
    """States are numbers here: the first two are won, and every game has nine more."""
    one = Miner(GAME, replace(TASK, endings=endings), think_one_turn)
    asked: dict[str, list[Any]] = {"play": [], "mistake": []}

    def eleven_turns(state: State, rng: Random) -> Iterator[tuple[Any, SearchResult]]:
        assert isinstance(rng, Random)
        asked["play"].append(state)
        for number in range(11):
            yield number, SearchResult(1.0 if number < 2 else 0.5, proven=False, nodes=1, seconds=0.0, lines=())

    def no_mistakes(state: State, _: Random) -> list[tuple[Any, SearchResult]]:
        asked["mistake"].append(state)
        return []

    monkeypatch.setattr(one, "_play_to_end", eleven_turns)
    monkeypatch.setattr(one, "_states_after_mistakes", no_mistakes)
    assert [state for state, _ in one._states_with_results()] == list(range(11)) * (1 + len(begun))
    assert asked["play"][1:] == begun
    assert asked["mistake"] == tried


@pytest.mark.parametrize(("endings", "most"), [(0, 3), (2, 6)])
def test_a_game_brings_few_puzzles_and_more_with_other_endings(
    monkeypatch: pytest.MonkeyPatch, endings: int, most: int
) -> None:
    """States are numbers here, and each is a puzzle."""
    one = Miner(GAME, replace(TASK, endings=endings), think_one_turn)
    monkeypatch.setattr(puzzle_mining, "symmetry_class", lambda _, state: state)
    monkeypatch.setattr(puzzle_mining, "without_history", lambda _, state: state)
    monkeypatch.setattr(one, "_states_with_results", lambda: ((number, None) for number in range(100)))
    monkeypatch.setattr(one, "_is_promising", lambda _, thought: thought is None)
    monkeypatch.setattr(one, "check_position", lambda state: replace(ONE_TURN_PUZZLE, seed=state))
    apart = puzzle_mining.MIN_DISTANCE + 1
    assert [puzzle.seed for puzzle in one.puzzles()] == [apart * number for number in range(most)]


@pytest.mark.long
def test_a_game_brings_no_two_puzzles_of_one_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    one, state = miner(), GAME.decode(POSITION)
    thought = think_one_turn(GAME, state, SearchLimits(nodes=1), lines=8)
    monkeypatch.setattr(
        one, "_states_with_results", lambda: iter([(state, thought)] * (2 * puzzle_mining.MIN_DISTANCE))
    )
    assert [puzzle.position for puzzle in one.puzzles()] == [POSITION]


# ---- the collection


def copies(count: int) -> list[Puzzle]:
    """Return puzzles that differ from each other and from `ONE_TURN_PUZZLE`, but not in any way that matters."""
    centers = ["k2", "h2", "e2", "b2"]
    turns = ["Pa4a8(Bb8)", "Pa4a9(Bb8)", "Pa1d1", "Pa1d1(Ef1S)"]
    return [
        replace(
            ONE_TURN_PUZZLE,
            id=f"{number}",
            position=POSITION.replace(f",B{centers[number]}", ""),
            line=(turns[number],),
            difficulty=number % 5 + 1,
        )
        for number in range(count)
    ]


def test_turned_and_mirrored_copies_are_taken_once() -> None:
    collection = PuzzleCollection(GAME, 10)
    mirrored = "W:Pl1,Bk2,Bh2,Be2,Bb2,Pl4,Bk5,Bh5,Be5 B:Bb5,Pc10,Pa10,Bk11,Bh11,Be11,Bb11 move=W left=1/5 stock=3/3"
    assert collection.add_if_distinct(ONE_TURN_PUZZLE)
    assert not collection.add_if_distinct(
        replace(ONE_TURN_PUZZLE, id="2", position=mirrored, theme="other", difficulty=2)
    )
    assert collection.size == 1


def test_the_same_turns_are_to_be_found_once() -> None:
    collection = PuzzleCollection(GAME, 4)
    one, other = copies(2)
    assert collection.add_if_distinct(one)
    assert not collection.add_if_distinct(replace(other, line=one.line))
    assert collection.add_if_distinct(other)


def test_no_kind_of_puzzle_fills_the_collection() -> None:
    collection = PuzzleCollection(GAME, 4)
    taken = [collection.add_if_distinct(puzzle) for puzzle in copies(4)]
    assert taken == [True, True, True, False]  # three of four may have one theme


def test_a_full_collection_takes_nothing() -> None:
    collection = PuzzleCollection(GAME, 1, [ONE_TURN_PUZZLE])
    assert collection.is_full()
    assert not collection.add_if_distinct(replace(copies(1)[0], theme="other"))


# ---- work and files


def test_a_collection_is_filled_game_by_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = {3: [], 4: [ONE_TURN_PUZZLE], 5: [ONE_TURN_PUZZLE]}
    monkeypatch.setattr(puzzle_mining, "mine_puzzles", lambda task: found[task.seed])
    path = tmp_path / "puzzles.jsonl"
    assert "1 puzzles; 2 games" in run(["realm", "--out", str(path), "--count", "1", "--seed", "3"])
    assert path.read_text(encoding="utf-8") == f"{ONE_TURN_PUZZLE.as_json()}\n"


def run(arguments: Sequence[str]) -> str:
    result = CliRunner().invoke(group, ["mine", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_file_that_is_full_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    mine.append_puzzles(path, [ONE_TURN_PUZZLE])
    assert "1 puzzles; 0 games" in run(["realm", "--out", str(path), "--count", "1"])
    assert path.read_text(encoding="utf-8") == f"{ONE_TURN_PUZZLE.as_json()}\n"


def test_mining_continues_with_the_next_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "puzzles.jsonl"
    mine.append_puzzles(path, [ONE_TURN_PUZZLE])
    asked: list[int] = []

    def mine_fake(task: MiningTask) -> list[Puzzle]:
        asked.append(task.seed)
        return [replace(copies(4)[task.seed - 2], seed=task.seed, theme=f"theme {task.seed}")]

    monkeypatch.setattr(puzzle_mining, "mine_puzzles", mine_fake)
    run(["realm", "--out", str(path), "--count", "4"])
    assert asked == [2, 3, 4]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 4


def test_a_line_that_was_cut_short_is_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    path.write_text(f"{ONE_TURN_PUZZLE.as_json()}\n{ONE_TURN_PUZZLE.as_json()[:50]}", encoding="utf-8")
    assert mine.read_puzzle_file(path, "realm") == [ONE_TURN_PUZZLE]
    assert path.read_text(encoding="utf-8").endswith("\n")


@pytest.mark.parametrize(
    ("text", "why"), [("nonsense\n", "line 1"), (f"{ONE_TURN_PUZZLE.as_json()}\n", "not of classic_realm")]
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "puzzles.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=why):
        mine.read_puzzle_file(tmp_path / "puzzles.jsonl", "classic_realm")


# ---- the shipped puzzles, searched again


def find_objection(puzzle: Puzzle, nodes: int, think: puzzle_mining.Think = think) -> str | None:
    """Search a puzzle again; return why its solution is not the only winning turn, or None if it still is."""
    start = start_match(puzzle)
    game, limits = start.game, SearchLimits(nodes=nodes)
    found = candidate_turns(game, start.state, think(game, start.state, limits, lines=puzzle_mining.LINES, seed=nodes))
    if not found or found[0].class_key != position_class(game, play_turn(start, puzzle.line[0]).state):
        return f"the search prefers {game.format_turn(start.state, found[0].moves) if found else 'nothing'}"
    values = [round(turn.value, 2) for turn in found]
    return None if stands_out(found, *puzzle_mining.PROMISING_SCORES) else f"the values are {values}"


ALL = [puzzle for info in realmtable.infos() for puzzle in load_puzzles(info.id).values()]
SHIPPED = [puzzle for puzzle in ALL if not puzzle.goal]


@pytest.mark.compiled
@pytest.mark.parametrize("puzzle", SHIPPED[::60], ids=lambda puzzle: f"{puzzle.game}-{puzzle.id}")
def test_a_new_search_agrees_with_a_sample(puzzle: Puzzle) -> None:
    assert find_objection(puzzle, 10_000) is None


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("puzzle", SHIPPED, ids=lambda puzzle: f"{puzzle.game}-{puzzle.id}")
def test_a_new_search_agrees_with_every_puzzle(puzzle: Puzzle) -> None:
    assert find_objection(puzzle, 20_000) is None


def test_a_puzzle_that_a_search_does_not_confirm_is_complained_about() -> None:
    assert find_objection(ONE_TURN_PUZZLE, 10, think_one_turn) is None
    assert "prefers" in str(find_objection(replace(ONE_TURN_PUZZLE, line=("Pa1d1(Ef1N)",)), 10, think_one_turn))
    assert "prefers" in str(find_objection(replace(ONE_TURN_PUZZLE, position=LATER), 10, think_one_turn))
