"""Puzzles: positions with a single winning turn, the turns that were checked, and judging a player's answer.

A game keeps its puzzles in ``data/puzzles.jsonl``, one per line, made by `realmtable.lab.puzzle_mining`. A player's
turn is judged by the position it leads to: that of the solution, that of another checked turn, the end of the game, or
a new position that a search must evaluate first. In games for several seats, a puzzle has a goal instead: the turn has
to bring so many points, see `goals.py`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from realmtable.analysis.goals import play_chance, points_of
from realmtable.engine import registry
from realmtable.engine.errors import BadInput, BadNotation, GameOver
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, Move, Seat, State

PUZZLE_FILE: Final = "data/puzzles.jsonl"
WINNING_SCORE: Final = 0.85  # a turn with at least this expected score wins
FAILING_SCORE: Final = 0.6  # every turn that leads elsewhere scores less
MAX_DIFFICULTY: Final = 5
ID_LENGTH: Final = 10
HISTORY_FIELD: Final = "seen="  # earlier positions are not part of a puzzle

ProgressKind = Literal["open", "right", "solved", "wins", "wrong", "unknown"]


class CheckedTurn(NamedTuple):
    """A checked turn: its text, its value for the seat that plays it, and the best reply found."""

    turn: str
    value: float  # expected score: 1 a win, ½ a draw, 0 a loss
    reply: str  # empty if the game is over


@dataclass(frozen=True)
class Puzzle:
    """A position in which one turn wins or reaches a goal."""

    id: str
    game: str
    position: str
    seat: Seat  # the seat that has to find the solution
    theme: str  # the idea of the puzzle, in a few words
    difficulty: int  # 1 to MAX_DIFFICULTY
    line: tuple[str, ...]  # the solution, turn by turn, with the replies; it ends with the seat's turn
    others: tuple[tuple[CheckedTurn, ...], ...]  # the alternatives checked at each of the seat's turns
    value: float  # of the solution; 1 for a goal
    second: float  # value of the best turn that leads elsewhere; with a goal, its share of the points to be gained
    proven: bool  # whether the win is proven, not just very likely
    nodes: int  # nodes searched by the last check
    seed: int  # seed of the game it comes from
    goal: int = 0  # the points to reach in the turn; 0: the turn has to win

    def as_json(self) -> str:
        """Return the puzzle as a line of a puzzle file."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))


def puzzle_from_json(text: str) -> Puzzle:
    """Read a puzzle from a line of a puzzle file."""
    try:
        data = json.loads(text)
        others = tuple(tuple(CheckedTurn(*answer) for answer in turn) for turn in data.pop("others"))
        return Puzzle(line=tuple(data.pop("line")), others=others, **data)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadInput(f"This line is not a puzzle: {text[:60]}") from error


def puzzle_id(game_id: str, position: str) -> str:
    """Return a stable id: the same position always gets the same one."""
    return hashlib.sha256(f"{game_id} {position}".encode()).hexdigest()[:ID_LENGTH]


def without_history(game: AnyGame, state: State) -> State:
    """Return the state without its earlier positions."""
    fields = [field for field in game.encode(state).split(" ") if not field.startswith(HISTORY_FIELD)]
    return game.decode(" ".join(fields))


# ---- shipped puzzles


def puzzle_path(game_id: str) -> Path:
    """Return the path of a game's puzzle file, which may not exist."""
    return registry.game_folder(game_id) / PUZZLE_FILE


@cache
def load_puzzles(game_id: str) -> Mapping[str, Puzzle]:
    """Return the puzzles of a game by id, easiest first."""
    path = puzzle_path(game_id)
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    found = sorted(map(puzzle_from_json, lines), key=lambda puzzle: (puzzle.difficulty, puzzle.id))
    return {puzzle.id: puzzle for puzzle in found}


def puzzle_of_the_day(found: Iterable[Puzzle], day: int) -> Puzzle | None:
    """Return the puzzle of a day, counted from 1970: the same for everyone, with no repeats until all were shown."""
    listed = list(found)
    if not listed:
        return None
    lap, place = divmod(day, len(listed))
    return sorted(listed, key=lambda puzzle: hashlib.sha256(f"{lap} {puzzle.id}".encode()).digest())[place]


# ---- judging answers


class PuzzleProgress(NamedTuple):
    """Where a player's steps lead.

    `open`: the turn is not complete. `right`: it matches the solution, and the reply has been played. `solved`: it was
    the last turn, or it won the game. `wins`: another turn that wins as well. `wrong`: `reply` shows why. `unknown`:
    the turn was never checked; a search must judge `match.state`.
    """

    kind: ProgressKind
    match: Match  # after the steps and, for `right`, the reply
    begin: Match  # at the start of the seat's current turn
    found: int  # turns of the solution played so far
    reply: tuple[Any, ...] = ()  # the opponent's steps from `match.state`
    value: float | None = None  # the value of the turn, if it was checked


def start_match(puzzle: Puzzle) -> Match:
    """Start a match at the puzzle's position."""
    game = registry.game(puzzle.game)
    return Match.start(game, game.decode(puzzle.position))


def judge_answer(puzzle: Puzzle, texts: Sequence[str]) -> PuzzleProgress:
    """Judge a player's steps, given in notation; the opponent's replies come from the puzzle and are not included."""
    match = start_match(puzzle)
    reached = PuzzleProgress("open", match, match, 0)
    for text in texts:
        for move in parse_steps(reached.match, text):
            if reached.kind not in ("open", "right"):
                raise GameOver("You have already answered; restart the puzzle to try again.")
            reached = _judge_step(puzzle, reached, move)
    return reached


def parse_steps(match: Match, text: str) -> Sequence[Any]:
    """Parse a text as one step or as the steps of a turn, which may be incomplete."""
    game = match.game
    try:
        return [game.parse_move(match.state, text)]
    except BadNotation:
        read = game.parse_turn(match.state, text, running=True)
        if read.rest or not read.moves:
            raise
        return read.moves


def _judge_step(puzzle: Puzzle, before: PuzzleProgress, move: Move) -> PuzzleProgress:
    begin = before.begin
    match = before.match.play(puzzle.seat, move)
    if puzzle.goal:
        return _judge_goal(puzzle, play_chance(match), begin)
    if is_same_turn(match.game, begin.state, match.state):
        return PuzzleProgress("open", match, begin, before.found)
    return _judge_turn(puzzle, match, begin, before.found)


def _judge_goal(puzzle: Puzzle, match: Match, begin: Match) -> PuzzleProgress:
    """Judge a step towards a goal; it counts as soon as it is reached."""
    if points_of(match.game, match.state, puzzle.seat) >= puzzle.goal:
        return PuzzleProgress("solved", match, begin, 1, (), puzzle.value)
    goes_on = match.game.to_move(match.state) == (puzzle.seat,) and is_same_turn(match.game, begin.state, match.state)
    return PuzzleProgress("open" if goes_on else "wrong", match, begin, 0)


def is_same_turn(game: AnyGame, before: State, after: State) -> bool:
    """Whether two states belong to the same turn."""
    return bool(game.to_move(after)) and game.turn(before) == game.turn(after)


def _judge_turn(puzzle: Puzzle, match: Match, begin: Match, found: int) -> PuzzleProgress:
    """Judge a complete turn."""
    outcome = match.outcome()
    if outcome is not None:
        won = outcome.winner == puzzle.seat
        return PuzzleProgress("solved" if won else "wrong", match, begin, found + won, (), float(won))
    own = own_turns(puzzle)
    if leads_to(begin, puzzle.line[own[found]], match.state):
        return _play_reply(puzzle, match, begin, found + 1)
    for answer in puzzle.others[found]:
        if leads_to(begin, answer.turn, match.state):
            kind: ProgressKind = "wins" if answer.value >= WINNING_SCORE else "wrong"
            return PuzzleProgress(kind, match, begin, found, _parse_turn(match, answer.reply), answer.value)
    return PuzzleProgress("unknown", match, begin, found)


def _play_reply(puzzle: Puzzle, match: Match, begin: Match, found: int) -> PuzzleProgress:
    own = own_turns(puzzle)
    if found == len(own):
        return PuzzleProgress("solved", match, begin, found, (), puzzle.value)
    for text in puzzle.line[own[found - 1] + 1 : own[found]]:
        match = play_turn(match, text)
    return PuzzleProgress("right", match, match, found)


@cache
def own_turns(puzzle: Puzzle) -> tuple[int, ...]:
    """Return the indices of the player's turns in the line."""
    match = start_match(puzzle)
    own = []
    for number, text in enumerate(puzzle.line):
        if match.game.to_move(match.state) == (puzzle.seat,):
            own.append(number)
        match = play_turn(match, text)
    return tuple(own)


def play_turn(match: Match, turn: str) -> Match:
    """Play a turn given in notation and return the match."""
    for move in _parse_turn(match, turn):
        match = match.play(match.game.to_move(match.state)[0], move)
    return match


def leads_to(begin: Match, turn: str, state: State) -> bool:
    """Whether a turn in notation leads to a state; the order of the steps does not matter."""
    return bool(play_turn(begin, turn).state == state)


def _parse_turn(match: Match, turn: str) -> tuple[Any, ...]:
    return tuple(match.game.parse_turn(match.state, turn).moves) if turn else ()
