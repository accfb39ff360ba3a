"""Mining: what becomes a puzzle and what does not, and a file that grows line by line."""

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
from realmtable.cli import mine
from realmtable.cli.main import group
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame
from realmtable.lab import puzzle_mining
from realmtable.lab.ordered_pool import worked
from realmtable.lab.puzzle_mining import Miner, Shelf, Task, complaint, gained, mined
from realmtable.lab.turn_classes import Idea, distinct, gist, ideas, shape, stands_out, state_after
from realmtable.search.puzzles import Puzzle, judged, played, puzzles, start_of
from realmtable.search.result import Limits, Line, Thought
from tests.lab.glancing import glance
from tests.search.small_puzzles import AT_ONCE, LATER, POSITION

GAME = realmtable.game("realm")
TASK = Task("realm", 5, 100, 20)


def miner() -> Miner:
    return Miner(GAME, TASK, glance)


@cache
def made() -> Puzzle | None:
    """What becomes of a position in which one turn wins."""
    return miner().checked(GAME.decode(POSITION))


@pytest.fixture(autouse=True)
def nothing_stands_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """`glance` calls a dull position dull for both sides, 0.3 each, so that 0.7 has to count as failing."""
    monkeypatch.setattr(puzzle_mining, "FAILS", 0.75)
    monkeypatch.setattr(puzzle_mining, "PLAIN_WINS", 1.0)


def idea(value: float, *words: str) -> Idea:
    return Idea((), words, words, value, proven=False)


# ---- ideas


def test_spaces_and_facings_make_no_idea() -> None:
    texts = [
        "W:Pa1,Bb2,Ec3N B:Bk11,Pl12 move=W",
        "W:Pa3,Bb2,Eb1W B:Bk11,Pj10 move=W",
        "W:Pa4,Bb2,Ec3N B:Bk11,Pl12 move=W",
    ]
    one, same, other = (gist(GAME, GAME.decode(text)) for text in texts)
    assert one == same != other


def test_a_turned_board_with_changed_colours_has_the_same_shape() -> None:
    texts = ["W:Pa1,Bb2 B:Bk5,Pj10 move=W", "W:Be2,Pc12 B:Pl12,Bk11 move=B"]
    one, other = (shape(GAME, GAME.decode(text)) for text in texts)
    assert one == shape(GAME, GAME.decode("W:Pl1,Bk2 B:Bb5,Pc10 move=W"))
    assert one != other


def test_one_idea_must_win_and_all_others_fail() -> None:
    assert stands_out([idea(0.95, "a"), idea(0.94, "a"), idea(0.6, "b")])
    assert not stands_out([idea(0.95, "a"), idea(0.7, "b")])
    assert not stands_out([idea(0.84, "a"), idea(0.1, "b")])
    assert not stands_out([idea(0.95, "a"), idea(0.94, "a")])
    assert not stands_out([])


def test_ideas_that_lead_to_the_same_state_are_one() -> None:
    assert distinct([idea(0.9, "a"), idea(0.8, "a"), idea(0.7, "b")]) == [idea(0.9, "a"), idea(0.7, "b")]


def test_an_unfinished_turn_is_no_idea() -> None:
    state = GAME.decode(POSITION)
    ends = glance(GAME, state, Limits(nodes=1), lines=3).lines
    begun = Line((GAME.parse_move(state, "Pa1d1"),), 0.2, 1, proven=False)
    assert len(ideas(GAME, state, Thought(1.0, True, 1, 0.0, (*ends, begun)))) == 3


def test_only_the_first_turn_of_a_line_is_the_idea() -> None:
    state = GAME.decode(LATER)
    first = glance(GAME, state, Limits(nodes=1)).lines[0].moves
    after = state_after(GAME, state, first)
    line = Line((*first, GAME.legal_moves(after, 1)[0]), 0.9, 1, proven=False)
    (found,) = ideas(GAME, state, Thought(0.9, False, 1, 0.0, (line,)))
    assert (found.moves, found.state) == (first, after)


# ---- checking


def test_a_position_with_one_winning_turn_becomes_a_puzzle() -> None:
    puzzle = made()
    assert puzzle is not None
    assert (puzzle.theme, puzzle.seat, puzzle.proven, puzzle.value) == ("win at once", 0, True, 1.0)
    assert puzzle.line[0].startswith("Pa4a")
    assert puzzle.second == pytest.approx(0.7)  # the other side sees nothing either
    assert puzzle.nodes == 400


def test_a_position_where_nothing_wins_does_not() -> None:
    assert miner().checked(GAME.decode(LATER)) is None


def test_a_position_where_a_second_look_finds_another_win_does_not() -> None:
    """The first searches like one turn only; searched from where they lead, others win as well."""

    def generous(game: AnyGame, state: Any, limits: Limits, **wishes: int) -> Thought:  # noqa: ANN401 - the game's own
        thought = glance(game, state, limits, **wishes)
        return replace(thought, value=0.0) if game.to_move(state) == (1,) else thought

    assert Miner(GAME, TASK, generous).checked(GAME.decode(POSITION)) is None


def test_a_position_on_which_two_searches_differ_does_not() -> None:
    def unsteady(game: AnyGame, state: Any, limits: Limits, **wishes: int) -> Thought:  # noqa: ANN401 - the game's own
        thought = glance(game, state, limits, **wishes)
        return thought if limits.nodes == TASK.nodes else replace(thought, lines=thought.lines[::-1])

    assert Miner(GAME, TASK, unsteady).checked(GAME.decode(POSITION)) is None


def test_few_positions_are_taken_in_which_a_single_step_ends_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_mining, "PLAIN_WINS", 0.0)
    assert miner().checked(GAME.decode(POSITION)) is None


def test_what_was_checked_is_judged_at_once() -> None:
    puzzle = made()
    assert puzzle is not None
    assert judged(puzzle, [puzzle.line[0]]).kind == "solved"
    start = start_of(puzzle)
    for answer in puzzle.others[0]:
        log = played(start, answer.turn).log()
        reached = judged(puzzle, [GAME.format_move(entry.before, entry.move) for entry in log])
        assert reached.kind == ("wrong" if answer.value < 0.85 else "solved")


def test_the_tempting_turn_is_among_those_that_were_checked() -> None:
    puzzle = made()
    assert puzzle is not None
    assert len(puzzle.others[0]) >= 3


def test_harder_puzzles_need_more_nodes() -> None:
    state = GAME.decode(POSITION)
    best = ideas(GAME, state, glance(GAME, state, Limits(nodes=1), lines=8))[0]

    def slow(game: AnyGame, state: Any, limits: Limits, **wishes: int) -> Thought:  # noqa: ANN401 - the game's own
        thought = glance(game, state, limits, **{**wishes, "lines": 8})
        return thought if (limits.nodes or 0) >= 1000 else replace(thought, lines=thought.lines[::-1])

    easy = miner().difficulty(state, best)
    assert easy in (1, 2)
    assert Miner(GAME, TASK, slow).difficulty(state, best) == easy + 2
    assert miner().difficulty(state, best, turns=2) == easy + 1


def test_what_a_turn_brings_is_told_by_the_game_s_features() -> None:
    before = GAME.decode("W:Pa1,Bb2 B:Bk11,Pl12 move=W")
    after = GAME.decode("W:Pa4,Bb2,Bb5 B:Bk11,Pl12 move=W")
    assert gained(GAME, before, after)[0] in {feature.words for feature in GAME.features()}  # type: ignore[attr-defined]
    assert gained(GAME, before, before) == []


# ---- games


def test_the_same_task_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAME, "initial", lambda _: GAME.decode(POSITION), raising=False)
    monkeypatch.setattr(puzzle_mining, "MISTAKES", 0)
    one, other = (mined(TASK, glance) for _ in range(2))
    assert one == other
    assert [puzzle.position for puzzle in one] == [POSITION]


def test_mistakes_of_balanced_games_are_looked_at() -> None:
    """White has nothing to win at first; whatever Black does at random leaves White his last Base."""
    state = GAME.decode(POSITION.replace("move=W", "move=B"))
    found = list(miner()._mistakes(state, Random(1)))
    assert len(found) == puzzle_mining.MISTAKES
    assert all(GAME.to_move(after) == (0,) and thought.value == 1 for after, thought in found)


@pytest.mark.parametrize(
    ("endings", "begun", "tried"),
    [(0, [], list(range(2, 11))), (2, [9, 10] * 2, [7, 8, 9, 10] * 4)],
    ids=["without", "with"],
)
def test_other_endings_begin_in_the_last_balanced_positions(
    monkeypatch: pytest.MonkeyPatch, endings: int, begun: list[int], tried: list[int]
) -> None:
    """Here a state is a number, the first two are won, and every game has nine states more."""
    one = Miner(GAME, replace(TASK, endings=endings), glance)
    asked: dict[str, list[Any]] = {"play": [], "mistake": []}

    def eleven_turns(state: Any, rng: Random) -> Iterator[tuple[Any, Thought]]:  # noqa: ANN401 - the game's own
        assert isinstance(rng, Random)
        asked["play"].append(state)
        for number in range(11):
            yield number, Thought(1.0 if number < 2 else 0.5, proven=False, nodes=1, seconds=0.0, lines=())

    def no_mistakes(state: Any, _: Random) -> list[tuple[Any, Thought]]:  # noqa: ANN401 - the game's own
        asked["mistake"].append(state)
        return []

    monkeypatch.setattr(one, "_played", eleven_turns)
    monkeypatch.setattr(one, "_mistakes", no_mistakes)
    assert [state for state, _ in one._thoughts()] == list(range(11)) * (1 + len(begun))
    assert asked["play"][1:] == begun
    assert asked["mistake"] == tried


@pytest.mark.parametrize(("endings", "most"), [(0, 3), (2, 6)])
def test_a_game_brings_few_puzzles_and_more_with_other_endings(
    monkeypatch: pytest.MonkeyPatch, endings: int, most: int
) -> None:
    """Here every state, a number, is a puzzle."""
    one = Miner(GAME, replace(TASK, endings=endings), glance)
    monkeypatch.setattr(puzzle_mining, "shape", lambda _, state: state)
    monkeypatch.setattr(puzzle_mining, "timeless", lambda _, state: state)
    monkeypatch.setattr(one, "_thoughts", lambda: ((number, None) for number in range(100)))
    monkeypatch.setattr(one, "_is_hopeful", lambda _, thought: thought is None)
    monkeypatch.setattr(one, "checked", lambda state: replace(AT_ONCE, seed=state))
    apart = puzzle_mining.APART + 1
    assert [puzzle.seed for puzzle in one.puzzles()] == [apart * number for number in range(most)]


def test_a_game_brings_no_two_puzzles_of_one_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    one, state = miner(), GAME.decode(POSITION)
    thought = glance(GAME, state, Limits(nodes=1), lines=8)
    monkeypatch.setattr(one, "_thoughts", lambda: iter([(state, thought)] * (2 * puzzle_mining.APART)))
    assert [puzzle.position for puzzle in one.puzzles()] == [POSITION]


# ---- the shelf


def copies(count: int) -> list[Puzzle]:
    """Puzzles that differ from each other, and from `AT_ONCE`, and in nothing that matters."""
    centers = ["k2", "h2", "e2", "b2"]
    turns = ["Pa4a8(Bb8)", "Pa4a9(Bb8)", "Pa1d1", "Pa1d1(Ef1S)"]
    return [
        replace(
            AT_ONCE,
            id=f"{number}",
            position=POSITION.replace(f",B{centers[number]}", ""),
            line=(turns[number],),
            difficulty=number % 5 + 1,
        )
        for number in range(count)
    ]


def test_turned_and_mirrored_copies_are_taken_once() -> None:
    shelf = Shelf(GAME, 10)
    mirrored = "W:Pl1,Bk2,Bh2,Be2,Bb2,Pl4,Bk5,Bh5,Be5 B:Bb5,Pc10,Pa10,Bk11,Bh11,Be11,Bb11 move=W left=1/5 stock=3/3"
    assert shelf.takes(AT_ONCE)
    assert not shelf.takes(replace(AT_ONCE, id="2", position=mirrored, theme="other", difficulty=2))
    assert shelf.size == 1


def test_the_same_turns_are_to_be_found_once() -> None:
    shelf = Shelf(GAME, 4)
    one, other = copies(2)
    assert shelf.takes(one)
    assert not shelf.takes(replace(other, line=one.line))
    assert shelf.takes(other)


def test_no_kind_of_puzzle_fills_the_shelf() -> None:
    shelf = Shelf(GAME, 4)
    taken = [shelf.takes(puzzle) for puzzle in copies(4)]
    assert taken == [True, True, True, False]  # three of four may have one theme


def test_a_full_shelf_takes_nothing() -> None:
    shelf = Shelf(GAME, 1, [AT_ONCE])
    assert shelf.is_full()
    assert not shelf.takes(replace(copies(1)[0], theme="other"))


# ---- work and files


def double(number: int) -> int:
    return 2 * number


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_their_tasks(workers: int) -> None:
    assert list(worked(double, range(7), workers)) == [0, 2, 4, 6, 8, 10, 12]


def run(arguments: Sequence[str]) -> str:
    result = CliRunner().invoke(group, ["mine", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_file_that_is_full_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    mine.append(path, [AT_ONCE])
    assert "1 puzzles; 0 games" in run(["realm", "--out", str(path), "--count", "1"])
    assert path.read_text(encoding="utf-8") == f"{AT_ONCE.as_json()}\n"


def test_mining_goes_on_with_the_next_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "puzzles.jsonl"
    mine.append(path, [AT_ONCE])
    asked: list[int] = []

    def found(task: Task) -> list[Puzzle]:
        asked.append(task.seed)
        return [replace(copies(4)[task.seed - 2], seed=task.seed, theme=f"theme {task.seed}")]

    monkeypatch.setattr(puzzle_mining, "mined", found)
    run(["realm", "--out", str(path), "--count", "4"])
    assert asked == [2, 3, 4]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 4


def test_a_line_that_was_cut_short_is_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    path.write_text(f"{AT_ONCE.as_json()}\n{AT_ONCE.as_json()[:50]}", encoding="utf-8")
    assert mine.kept_puzzles(path, "realm") == [AT_ONCE]
    assert path.read_text(encoding="utf-8").endswith("\n")


@pytest.mark.parametrize(
    ("text", "why"), [("nonsense\n", "line 1"), (f"{AT_ONCE.as_json()}\n", "not of classic_realm")]
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "puzzles.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=why):
        mine.kept_puzzles(tmp_path / "puzzles.jsonl", "classic_realm")


# ---- the shipped puzzles, searched again

SHIPPED = [puzzle for info in realmtable.infos() for puzzle in puzzles(info.id).values()]


@pytest.mark.compiled
@pytest.mark.parametrize("puzzle", SHIPPED[::60], ids=lambda puzzle: f"{puzzle.game}-{puzzle.id}")
def test_a_new_search_agrees_with_a_sample(puzzle: Puzzle) -> None:
    assert complaint(puzzle, 10_000) is None


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("puzzle", SHIPPED, ids=lambda puzzle: f"{puzzle.game}-{puzzle.id}")
def test_a_new_search_agrees_with_every_puzzle(puzzle: Puzzle) -> None:
    assert complaint(puzzle, 20_000) is None


def test_a_puzzle_that_a_search_does_not_confirm_is_complained_about() -> None:
    assert complaint(AT_ONCE, 10, glance) is None
    assert "prefers" in str(complaint(replace(AT_ONCE, line=("Pa1d1(Ef1N)",)), 10, glance))
    assert "prefers" in str(complaint(replace(AT_ONCE, position=LATER), 10, glance))
