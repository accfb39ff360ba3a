"""Puzzles: the shipped ones are correct, answers are judged by their result, and every day has its own."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import realmtable
from realmtable.analysis.goals import points_of
from realmtable.analysis.puzzles import (
    FAILING_SCORE,
    MAX_DIFFICULTY,
    WINNING_SCORE,
    CheckedTurn,
    Puzzle,
    judge_answer,
    load_puzzles,
    own_turns,
    play_turn,
    puzzle_from_json,
    puzzle_id,
    puzzle_of_the_day,
    start_match,
    without_history,
)
from realmtable.engine.errors import BadInput, BadNotation, GameOver, IllegalMove
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE
from tests.analysis.small_puzzles import ONE_TURN_PUZZLE, POSITION, TWO_TURN_PUZZLE
from tests.realm.helpers import SETUP

GAME = realmtable.game("realm")
GAMES = [info.id for info in realmtable.infos() if load_puzzles(info.id)]
BOARD_GAMES = [info.id for info in realmtable.infos() if not info.hidden and not info.chance]
SHIPPED = [puzzle for game in GAMES for puzzle in load_puzzles(game).values()]
WON = [puzzle for puzzle in SHIPPED if not puzzle.goal]
LEAST = {"realm": 200}  # of the others 50


# ---- judging


@pytest.mark.parametrize(
    ("puzzle", "texts", "kind", "found"),
    [
        (ONE_TURN_PUZZLE, ["Pa4a7"], "solved", 1),
        (ONE_TURN_PUZZLE, ["Pa4a9"], "solved", 1),  # another space of the same Realm
        (ONE_TURN_PUZZLE, ["Pa4a7(Bb8)"], "solved", 1),  # typed as a whole turn
        (ONE_TURN_PUZZLE, ["Pa1d1"], "open", 0),
        (ONE_TURN_PUZZLE, ["Pa1d1", "Ef1N", "end"], "wrong", 0),  # a checked turn
        (ONE_TURN_PUZZLE, ["Pa1d1", "Ef1S", "end"], "unknown", 0),
        (TWO_TURN_PUZZLE, ["Pa4a7", "end"], "right", 1),
        (TWO_TURN_PUZZLE, ["Pa4a7", "end", "Pa7d7"], "solved", 2),
    ],
    ids=str,
)
def test_answers_are_judged(puzzle: Puzzle, texts: list[str], kind: str, found: int) -> None:
    reached = judge_answer(puzzle, texts)
    assert (reached.kind, reached.found) == (kind, found)
    is_first_turn = kind != "right" and found < 2
    assert (reached.begin.state == start_match(puzzle).state) == is_first_turn


def test_a_checked_turn_is_refuted_at_once_with_its_reply() -> None:
    reached = judge_answer(ONE_TURN_PUZZLE, ["Pa1d1", "Ef1N", "end"])
    assert reached.value == 0.25
    assert GAME.format_turn(reached.match.state, reached.reply) == "Pj10j7(Bk8)"


def test_a_turn_that_is_known_to_win_is_accepted() -> None:
    answers = (CheckedTurn("Pa1d1(Ef1N)", 0.95, "Pj10j7(Bk8)"),)
    assert judge_answer(replace(ONE_TURN_PUZZLE, others=(answers,)), ["Pa1d1", "Ef1N", "end"]).kind == "wins"


def test_a_right_turn_is_answered() -> None:
    reached = judge_answer(TWO_TURN_PUZZLE, ["Pa4a7", "end"])
    assert GAME.to_move(reached.match.state) == (0,)
    assert reached.begin.state == reached.match.state


def test_a_whole_turn_may_be_typed() -> None:
    reached = judge_answer(TWO_TURN_PUZZLE, ["Pa4a9(Bb8),Pa1a8(Ea7N)"])
    assert reached.kind in ("open", "unknown")
    assert len(reached.match.log()) >= 3


def test_the_order_of_steps_does_not_matter() -> None:
    one = judge_answer(TWO_TURN_PUZZLE, ["Pa4a7", "end"])
    match = play_turn(start_match(TWO_TURN_PUZZLE), TWO_TURN_PUZZLE.line[0])
    assert one.match.state == play_turn(match, TWO_TURN_PUZZLE.line[1]).state


def test_an_answer_is_given_once() -> None:
    with pytest.raises(GameOver, match="restart the puzzle"):
        judge_answer(ONE_TURN_PUZZLE, ["Pa4a7", "Pa1d1"])


@pytest.mark.parametrize(("text", "refusal"), [("Pa4b4", IllegalMove), ("nonsense", BadNotation)])
def test_what_cannot_be_played_is_refused(text: str, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        judge_answer(ONE_TURN_PUZZLE, [text])


# ---- files and days


def test_a_puzzle_is_read_as_it_was_written() -> None:
    assert puzzle_from_json(TWO_TURN_PUZZLE.as_json()) == TWO_TURN_PUZZLE


@pytest.mark.parametrize("text", ["", "nonsense", "{}", "[]", '{"others": 1, "line": 2}', '{"others": [], "line": []}'])
def test_a_line_that_is_no_puzzle_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="not a puzzle"):
        puzzle_from_json(text)


def test_what_was_repeated_before_is_no_part_of_a_puzzle() -> None:
    state = GAME.initial()
    for text in [*SETUP.split(), "Pf7f4", "end"]:
        state = GAME.play(state, GAME.to_move(state)[0], GAME.parse_move(state, text))
    assert "seen=" in GAME.encode(state)
    assert "seen=" not in GAME.encode(without_history(GAME, state))


def make_puzzles(count: int) -> list[Puzzle]:
    return [replace(ONE_TURN_PUZZLE, id=f"{number:010}") for number in range(count)]


def test_every_puzzle_has_its_day_before_any_comes_again() -> None:
    found = make_puzzles(20)
    first, second = ([puzzle_of_the_day(found, day) for day in days] for days in (range(20), range(20, 40)))
    assert {*first} == {*second} == {*found}
    assert first != second
    assert first == [puzzle_of_the_day(found[::-1], day) for day in range(20)]  # whatever the order of the file
    assert puzzle_of_the_day([], 5) is None


# ---- goals

GOAL_PUZZLE = next(puzzle for puzzle in load_puzzles("realms_of_etherium").values() if len(own_turns(puzzle)) == 2)


def steps_of_solution(puzzle: Puzzle) -> list[str]:
    """Return the solver's steps, without those of chance and of others."""
    match, texts = start_match(puzzle), []
    for number, text in enumerate(puzzle.line):
        before, match = match, play_turn(match, text)
        if number in own_turns(puzzle):
            log = match.log()[len(before.log()) :]
            texts += [match.game.format_move(entry.before, entry.move) for entry in log]
    return texts


def test_chance_brings_the_likeliest_result_on_the_way_to_a_goal() -> None:
    *texts, last = steps_of_solution(GOAL_PUZZLE)
    reached = judge_answer(GOAL_PUZZLE, texts)
    assert reached.kind == "open"
    drawn = [entry for entry in reached.match.log() if entry.seat == CHANCE]
    assert reached.match.game.format_turn(drawn[0].before, [entry.move for entry in drawn]) == GOAL_PUZZLE.line[1]
    assert judge_answer(GOAL_PUZZLE, [*texts, last]).kind == "solved"


def test_a_turn_that_misses_the_goal_is_wrong_however_it_ends() -> None:
    texts = [*itertools.takewhile(lambda text: text.startswith("mage"), GOAL_PUZZLE.line[0].split(", ")), "end"]
    reached = judge_answer(GOAL_PUZZLE, texts)
    assert (reached.kind, reached.found, reached.reply) == ("wrong", 0, ())
    with pytest.raises(GameOver, match="restart the puzzle"):
        judge_answer(GOAL_PUZZLE, [*texts, "end"])


def test_a_goal_is_the_most_that_every_other_idea_misses() -> None:
    """A twin of the miner: it tries random turns and never gets further."""
    start = start_match(GOAL_PUZZLE)
    rng, most = Random(1), 0
    for _ in range(60):
        reached, texts = judge_answer(GOAL_PUZZLE, []), list[str]()
        while reached.kind == "open":
            state = reached.match.state
            move = rng.choice(start.game.legal_moves(state, GOAL_PUZZLE.seat))
            texts.append(start.game.format_move(state, move))
            reached = judge_answer(GOAL_PUZZLE, texts)
        most = max(most, points_of(start.game, reached.match.state, GOAL_PUZZLE.seat))
    assert points_of(start.game, start.state, GOAL_PUZZLE.seat) <= most <= GOAL_PUZZLE.goal


# ---- the shipped ones


def test_every_game_in_which_positions_can_be_judged_has_puzzles() -> None:
    assert {*GAMES} == {*BOARD_GAMES, "realms_of_etherium"}


@pytest.mark.parametrize("game_id", GAMES)
def test_there_are_enough_of_all_kinds(game_id: str) -> None:
    found = load_puzzles(game_id).values()
    assert len(found) >= LEAST.get(game_id, 50)
    levels = Counter(puzzle.difficulty for puzzle in found)
    assert len(levels) >= 3
    assert max(levels.values()) <= 0.8 * len(found)  # a single step that wins is the commonest kind


@pytest.mark.parametrize("puzzle", SHIPPED, ids=lambda puzzle: f"{puzzle.game}-{puzzle.id}")
def test_a_shipped_puzzle_can_be_solved(puzzle: Puzzle) -> None:
    """Every shipped puzzle decodes, has a legal solution with a clear margin, and accepts that solution."""
    game = realmtable.game(puzzle.game)
    assert puzzle.id == puzzle_id(puzzle.game, puzzle.position)
    assert game.encode(game.decode(puzzle.position)) == puzzle.position
    assert game.to_move(game.decode(puzzle.position)) == (puzzle.seat,)
    assert 1 <= puzzle.difficulty <= MAX_DIFFICULTY
    assert puzzle.value >= WINNING_SCORE
    assert puzzle.second <= FAILING_SCORE
    assert len(puzzle.others) == len(own_turns(puzzle))
    assert judge_answer(puzzle, steps_of_solution(puzzle)).kind == "solved"


@pytest.mark.parametrize(
    "puzzle", [puzzle for puzzle in SHIPPED if not puzzle.goal][::7], ids=lambda puzzle: f"{puzzle.game}-{puzzle.id}"
)
def test_the_checked_alternatives_are_legal_and_listed(puzzle: Puzzle) -> None:
    start = start_match(puzzle)
    assert puzzle.others[0]
    for answer in puzzle.others[0]:
        after = play_turn(start, answer.turn)
        assert isinstance(after, Match)
        if answer.reply:
            assert play_turn(after, answer.reply).log()


def test_positions_have_distinct_names() -> None:
    assert len({puzzle.id for puzzle in SHIPPED}) == len(SHIPPED)
    assert puzzle_id("realm", POSITION) == ONE_TURN_PUZZLE.id
