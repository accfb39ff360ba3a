"""Puzzles: positions with one clearly winning turn, what was checked about them, and judging a player's answer.

A game keeps its puzzles in ``data/puzzles.jsonl``, one per line, made by `realmtable.lab.puzzle_mining`. A player's
turn is judged by where it leads: to the solution, to another turn that was checked, to the end of the game, or to a
position that a search must evaluate first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from realmtable.engine import registry
from realmtable.engine.errors import BadInput, BadNotation, GameOver
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, Seat

PUZZLE_FILE: Final = "data/puzzles.jsonl"
WINNING_SCORE: Final = 0.85  # the expected score from which a turn is a winning one
FAILING_SCORE: Final = 0.6  # what every turn that leads elsewhere stays under
MAX_DIFFICULTY: Final = 5
ID_LENGTH: Final = 10
HISTORY_FIELD: Final = "seen="  # what was repeated before a position is no part of a puzzle

ProgressKind = Literal["open", "right", "solved", "wins", "wrong", "unknown"]


class CheckedTurn(NamedTuple):
    """A turn that was checked: its text, what it is worth to who plays it, and the best reply found."""

    turn: str
    value: float  # expected score: 1 a win, ½ a draw, 0 a loss
    reply: str  # empty where the game is over


@dataclass(frozen=True)
class Puzzle:
    """A position in which one turn wins."""

    id: str
    game: str
    position: str
    seat: Seat  # who is to find it
    theme: str  # what it is about, in a few words
    difficulty: int  # 1 to HARDEST
    line: tuple[str, ...]  # the solution, turn by turn, with the replies; the last one is the seat's
    others: tuple[tuple[CheckedTurn, ...], ...]  # for each turn of the seat in the line: what else was checked there
    value: float  # of the solution
    second: float  # of the best turn that leads elsewhere
    proven: bool  # whether the win is certain, or only as good as certain
    nodes: int  # that the last check searched
    seed: int  # of the game it comes from

    def as_json(self) -> str:
        """The puzzle as a line of its file."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))


def puzzle_from_json(text: str) -> Puzzle:
    """The puzzle of a line; `BadInput` if it is none."""
    try:
        data = json.loads(text)
        others = tuple(tuple(CheckedTurn(*answer) for answer in turn) for turn in data.pop("others"))
        return Puzzle(line=tuple(data.pop("line")), others=others, **data)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadInput(f"This line is no puzzle: {text[:60]}") from error


def puzzle_id(game_id: str, position: str) -> str:
    """A name that stays: the same for the same position."""
    return hashlib.sha256(f"{game_id} {position}".encode()).hexdigest()[:ID_LENGTH]


def without_history(game: AnyGame, state: Any) -> Any:  # noqa: ANN401 - the game's own
    """The state without what was repeated before it."""
    fields = [field for field in game.encode(state).split(" ") if not field.startswith(HISTORY_FIELD)]
    return game.decode(" ".join(fields))


# ---- the shipped ones


def puzzle_path(game_id: str) -> Path:
    """Where a game keeps its puzzles, if it has any."""
    package = Path(str(import_module(registry.PACKAGE).__file__)).parent
    return package / registry.info(game_id).id / PUZZLE_FILE


@cache
def load_puzzles(game_id: str) -> Mapping[str, Puzzle]:
    """The puzzles of a game by id, the easiest first."""
    path = puzzle_path(game_id)
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {puzzle.id: puzzle for puzzle in sort_puzzles(map(puzzle_from_json, lines))}


def sort_puzzles(found: Iterable[Puzzle]) -> list[Puzzle]:
    """Puzzles by difficulty; those that are as difficult in an order without meaning, the same everywhere."""
    return sorted(found, key=lambda puzzle: (puzzle.difficulty, puzzle.id))


def puzzle_of_the_day(found: Iterable[Puzzle], day: int) -> Puzzle | None:
    """The puzzle of a day, counted from 1970: the same for everybody, and none twice before all have been."""
    listed = list(found)
    if not listed:
        return None
    lap, place = divmod(day, len(listed))
    return sorted(listed, key=lambda puzzle: hashlib.sha256(f"{lap} {puzzle.id}".encode()).digest())[place]


# ---- judging an answer


class PuzzleProgress(NamedTuple):
    """Where a player's steps lead.

    `open`: the turn goes on. `right`: it was the solution's, and the reply has been played. `solved`: it was the last
    one, or ended the game with a win. `wins`: another turn that wins as well. `wrong`: `reply` shows why. `unknown`:
    nobody has looked at this turn; a search must judge `match.state`.
    """

    kind: ProgressKind
    match: Match  # after the steps; of `right` after the reply, too
    begin: Match  # where the present turn of the seat began
    found: int  # how many turns of the solution have been played
    reply: tuple[Any, ...] = ()  # steps of the opponent, from `match.state`
    value: float | None = None  # what the turn is worth, where it was checked


def start_match(puzzle: Puzzle) -> Match:
    """The puzzle before its first step."""
    game = registry.game(puzzle.game)
    return Match.start(game, game.decode(puzzle.position))


def judge_answer(puzzle: Puzzle, texts: Sequence[str]) -> PuzzleProgress:
    """Judge a player's steps, in notation; what the opponent does in between is the puzzle's, and not among them."""
    match = start_match(puzzle)
    reached = PuzzleProgress("open", match, match, 0)
    for text in texts:
        for move in parse_steps(reached.match, text):
            if reached.kind not in ("open", "right"):
                raise GameOver("The answer has been given; start the puzzle again to try another.")
            reached = _judge_step(puzzle, reached, move)
    return reached


def parse_steps(match: Match, text: str) -> Sequence[Any]:
    """The steps of a text: one, or the several of a turn that may go on."""
    game = match.game
    try:
        return [game.parse_move(match.state, text)]
    except BadNotation:
        read = game.parse_turn(match.state, text, running=True)
        if read.rest or not read.moves:
            raise
        return read.moves


def _judge_step(puzzle: Puzzle, before: PuzzleProgress, move: Any) -> PuzzleProgress:  # noqa: ANN401 - the game's own
    begin = before.begin
    match = before.match.play(puzzle.seat, move)
    if is_same_turn(match.game, begin.state, match.state):
        return PuzzleProgress("open", match, begin, before.found)
    return _judge_turn(puzzle, match, begin, before.found)


def is_same_turn(game: AnyGame, before: Any, after: Any) -> bool:  # noqa: ANN401 - the game's own
    """Whether a turn that runs in one state goes on in the other."""
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
    """Which turns of the line are the player's."""
    match = start_match(puzzle)
    own = []
    for number, text in enumerate(puzzle.line):
        if match.game.to_move(match.state) == (puzzle.seat,):
            own.append(number)
        match = play_turn(match, text)
    return tuple(own)


def play_turn(match: Match, turn: str) -> Match:
    """A match after a turn in notation."""
    for move in _parse_turn(match, turn):
        match = match.play(match.game.to_move(match.state)[0], move)
    return match


def leads_to(begin: Match, turn: str, state: Any) -> bool:  # noqa: ANN401 - the game's own
    """Whether a turn in notation leads to a state, in whatever order its steps come."""
    return bool(play_turn(begin, turn).state == state)


def _parse_turn(match: Match, turn: str) -> tuple[Any, ...]:
    return tuple(match.game.parse_turn(match.state, turn).moves) if turn else ()
