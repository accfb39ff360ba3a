"""Mines puzzles from bot games: positions in which exactly one turn wins, confirmed by two searches.

Every position of a game gets a quick search. If only the best class of turns looks winning, the position is searched
again, then with four times the nodes and another seed, and the state after every turn that might also win is searched.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count as counted
from random import Random
from typing import Any, Final

from realmtable.analysis.puzzles import (
    FAILING_SCORE,
    MAX_DIFFICULTY,
    CheckedTurn,
    Puzzle,
    is_same_turn,
    own_turns,
    play_turn,
    puzzle_id,
    without_history,
)
from realmtable.engine import registry
from realmtable.engine.bots import Bot
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, Seat
from realmtable.kit.evaluation import HasFeatures
from realmtable.kit.realm_board.position_classes import ClassKey, position_class, symmetry_class
from realmtable.lab.candidate_turns import (
    CandidateTurn,
    candidate_turns,
    drop_duplicates,
    first_turn,
    stands_out,
    state_after,
)
from realmtable.lab.goal_mining import mine_goals
from realmtable.lab.jobs.job_runner import JobRunner, run_in_order
from realmtable.search.baselines import GreedyBot, RandomBot
from realmtable.search.compiled_games import has_several_seats
from realmtable.search.search_result import SearchLimits, SearchResult
from realmtable.search.think import think

PROMISING_SCORES: Final = (0.75, 0.7)  # from the quick search: at least, for the best class; at most, for the others
DEEPER_FACTOR: Final = 4  # the second check searches this many times the nodes
LINES: Final = 8
OTHER_TURN_RATE: Final = 0.3  # how often a bot does not play the best turn, so that games differ
EVEN, BALANCED = 0.5, 0.3  # an even score, and the distance from it at which mistakes still matter
LATE_POSITIONS: Final = 16  # mistakes are tried in the last balanced positions, where they decide the game
MISTAKES_PER_POSITION: Final = 8
ENDING_STARTS: Final = 2  # late positions from which the game may be played to its end again
ENDING_POSITIONS: Final = 4  # positions of such an ending in which mistakes are tried
MAX_SOLUTION_TURNS: Final = 3  # the player's turns in one puzzle
THEMES: Final = ("", "win at once", "win in two", "win in three")
COMBINATION: Final = "win at once by several steps"
NODE_LADDER: Final = (40, 200, 1000, 5000)  # the more nodes a search needs to find the solution, the harder the puzzle
MIN_CHOICES: Final = 6  # a position with fewer first steps is not a puzzle
PUZZLES_PER_GAME: Final = 3  # twice as many if other endings are searched
MIN_DISTANCE: Final = MISTAKES_PER_POSITION  # states between two puzzles, so that they come from different positions
PLAIN_WIN_SHARE: Final = 1.0  # share of single-step wins that are considered
MAX_KIND_SHARE: Final = 0.75  # maximum share of puzzles with the same difficulty or theme

Think = Callable[..., SearchResult]
State = Any
CheckedTurns = tuple[CheckedTurn, ...]


@dataclass(frozen=True)
class MiningTask:
    """One game to play and search for puzzles."""

    game: str
    seed: int
    nodes: int  # nodes of the first check
    quick: int  # nodes of a quick search
    endings: int = 0  # how often to replay the ending from each of the last balanced positions


def mine_puzzles(task: MiningTask, think: Think = think) -> list[Puzzle]:
    """Play one game and return its puzzles; the same task always gives the same puzzles.

    In games for several seats, puzzles have goals.
    """
    game = registry.game(task.game)
    if has_several_seats(game):
        return list(mine_goals(game, task.seed))
    return list(Miner(game, task, think).puzzles())


class Miner:
    """Plays one game and looks for puzzles in it."""

    def __init__(self, game: AnyGame, task: MiningTask, think: Think = think) -> None:
        self.game = game
        self.task = task
        self._think = think

    def think(self, state: State, nodes: int, lines: int = 1, seed: int = 0) -> SearchResult:
        return self._think(self.game, state, SearchLimits(nodes=nodes), lines=lines, seed=self.task.seed + seed)

    def puzzles(self) -> Iterator[Puzzle]:
        """Yield the puzzles of the game, up to a limit."""
        found, cooldown, seen = 0, 0, set[ClassKey]()
        most = 2 * PUZZLES_PER_GAME if self.task.endings else PUZZLES_PER_GAME
        for state, result in self._states_with_results():
            cooldown -= 1
            if cooldown >= 0 or not self._is_promising(state, result) or symmetry_class(self.game, state) in seen:
                continue
            seen.add(symmetry_class(self.game, state))
            puzzle = self.check_position(without_history(self.game, state))
            if puzzle is not None:
                found, cooldown = found + 1, MIN_DISTANCE
                yield puzzle
            if found == most:
                break

    def _states_with_results(self) -> Iterator[tuple[State, SearchResult]]:
        """Yield states in which a turn starts, each with a quick search result.

        The states of the game come first, then those of its other endings if requested, else those after mistakes.
        """
        rng = Random(f"{self.task.game} {self.task.seed}")  # noqa: S311 - a game, not a secret
        late: deque[State] = deque(maxlen=LATE_POSITIONS)
        game = self.game
        for state, result in self._play_to_end(game.initial(game.info.seats[0]), rng):
            yield state, result
            if abs(result.value - EVEN) < BALANCED:
                late.append(state)
        for state in [*late][-ENDING_STARTS:] * self.task.endings:
            yield from self._play_ending(state, rng)
        for state in () if self.task.endings else late:
            yield from self._states_after_mistakes(state, rng)

    def _play_ending(self, state: State, rng: Random) -> Iterator[tuple[State, SearchResult]]:
        """Yield the states of another ending, and those after mistakes in its last turns."""
        ending = list(self._play_to_end(state, rng))
        yield from ending
        for before, _ in ending[-ENDING_POSITIONS:]:
            yield from self._states_after_mistakes(before, rng)

    def _play_to_end(self, state: State, rng: Random) -> Iterator[tuple[State, SearchResult]]:
        """Play from a state to the end of the game and yield the state at the start of each turn."""
        game, begin = self.game, None
        while game.to_move(state):
            result = self.think(state, self.task.quick, LINES, rng.getrandbits(30))
            if begin is None or not is_same_turn(game, begin, state):
                begin = state
                yield state, result
            line = rng.choice(result.lines) if rng.random() < OTHER_TURN_RATE else result.lines[0]
            state = state_after(game, state, first_turn(game, state, line.moves))

    def _states_after_mistakes(self, state: State, rng: Random) -> Iterator[tuple[State, SearchResult]]:
        """Yield states after random turns: a position with a punishable mistake needs someone to make it."""
        for _ in range(MISTAKES_PER_POSITION):
            after = self._play_bot_turn(RandomBot(), state, rng)[1]
            if self.game.to_move(after):
                yield after, self.think(after, self.task.quick, LINES, rng.getrandbits(30))

    def _play_bot_turn(self, bot: Bot, state: State, rng: Random) -> tuple[list[Any], State]:
        """Let a bot play a turn; return its steps and the state after it."""
        moves, now = [], state
        while is_same_turn(self.game, state, now):
            seat = self.game.to_move(now)[0]
            moves.append(bot.choose(self.game, now, seat, rng))
            now = self.game.play(now, seat, moves[-1])
        return moves, now

    def _is_promising(self, state: State, result: SearchResult) -> bool:
        if result.value < PROMISING_SCORES[0]:
            return False
        choices = self.game.legal_moves(state, self.game.to_move(state)[0])
        return len(choices) >= MIN_CHOICES and stands_out(candidate_turns(self.game, state, result), *PROMISING_SCORES)

    # ---- checking

    def check_position(self, state: State) -> Puzzle | None:
        """Return the puzzle of a position, or None if a search or another turn speaks against it."""
        nodes = self.task.nodes
        first = candidate_turns(self.game, state, self.think(state, nodes, LINES, 1))
        if not stands_out(first) or self._is_dull(first[0]):
            return None
        second = candidate_turns(self.game, state, self.think(state, nodes * DEEPER_FACTOR, LINES, 2))
        if not stands_out(second) or second[0].class_key != first[0].class_key:
            return None
        best, *rest = drop_duplicates([*second, *first, *self._greedy_turns(state)])
        others = self.evaluate_turns(state, rest[: LINES + 2])
        elsewhere = [other.value for other, turn in zip(others, rest, strict=False) if turn.class_key != best.class_key]
        if not elsewhere or max(elsewhere) > FAILING_SCORE:
            return None
        return self._make_puzzle(state, best, others, max(elsewhere))

    def _is_dull(self, best: CandidateTurn) -> bool:
        """Whether a single step ends the game and this position is not in the sample of such wins."""
        if self.game.to_move(best.state) or self._step_count(best) > 1:
            return False
        return Random(f"{best.class_key}").random() >= PLAIN_WIN_SHARE  # noqa: S311 - a choice, not a secret

    def _greedy_turns(self, state: State) -> list[CandidateTurn]:
        """Return the turn of a player who looks no further than their own turn."""
        if not isinstance(self.game, HasFeatures):
            return []
        moves, after = self._play_bot_turn(GreedyBot(), state, Random(1))  # noqa: S311 - a game, not a secret
        return [CandidateTurn(tuple(moves), after, position_class(self.game, after), 0.0, proven=False)]

    def evaluate_turns(self, state: State, turns: Sequence[CandidateTurn]) -> CheckedTurns:
        """Search the state after each turn and return the value of the turn and the best reply."""
        return tuple(self._evaluate_turn(state, turn) for turn in turns)

    def _evaluate_turn(self, state: State, turn: CandidateTurn) -> CheckedTurn:
        game, seat = self.game, self.game.to_move(state)[0]
        text = game.format_turn(state, turn.moves)
        if not game.to_move(turn.state):
            return CheckedTurn(text, final_score(game, turn.state, seat), "")
        result = self.think(turn.state, self.task.nodes, seed=3)
        value = result.value if game.to_move(turn.state) == (seat,) else 1 - result.value
        return CheckedTurn(text, round(value, 3), game.format_turn(turn.state, self._best_turn(turn.state, result)))

    def _best_turn(self, state: State, result: SearchResult) -> tuple[Any, ...]:
        """Return the best turn of a search result, with further searches if its line ends before the turn does."""
        moves = first_turn(self.game, state, result.lines[0].moves)
        now = state_after(self.game, state, moves)
        while is_same_turn(self.game, state, now):
            further = self.think(now, self.task.quick, seed=4)
            more = first_turn(self.game, now, further.lines[0].moves)
            moves, now = moves + more, state_after(self.game, now, more)
        return moves

    # ---- describing a puzzle

    def _make_puzzle(self, state: State, best: CandidateTurn, others: CheckedTurns, second: float) -> Puzzle:
        line, more = self.solution(state, best)
        position = self.game.encode(state)
        return Puzzle(
            id=puzzle_id(self.task.game, position),
            game=self.task.game,
            position=position,
            seat=self.game.to_move(state)[0],
            theme=self.theme(state, best, len(more) + 1 if self._ends_game(state, line) else 0),
            difficulty=self.difficulty(state, best, len(more) + 1),
            line=line,
            others=(others, *more),
            value=round(best.value, 3),
            second=second,
            proven=best.proven,
            nodes=self.task.nodes * DEEPER_FACTOR,
            seed=self.task.seed,
        )

    def _ends_game(self, state: State, line: Sequence[str]) -> bool:
        match = Match.start(self.game, state)
        for text in line:
            match = play_turn(match, text)
        return not self.game.to_move(match.state)

    def solution(self, state: State, best: CandidateTurn) -> tuple[tuple[str, ...], tuple[CheckedTurns, ...]]:
        """Return the solution and the alternatives checked at its later turns.

        It is the winning turn alone, unless a proven win ends the game soon.
        """
        game, seat = self.game, self.game.to_move(state)[0]
        texts, others, now = [game.format_turn(state, best.moves)], list[CheckedTurns](), best.state
        while best.proven and game.to_move(now) and len(others) < MAX_SOLUTION_TURNS:
            result = self.think(now, self.task.nodes, LINES, 5)
            moves = self._best_turn(now, result)
            after = state_after(game, now, moves)
            if game.to_move(now) == (seat,):
                others.append(
                    self.evaluate_turns(
                        now, [turn for turn in candidate_turns(game, now, result) if turn.state != after]
                    )
                )
            texts.append(game.format_turn(now, moves))
            now = after
        if game.to_move(now) or len(others) >= MAX_SOLUTION_TURNS or final_score(game, now, seat) < 1:
            return (texts[0],), ()
        return tuple(texts), tuple(others)

    def theme(self, state: State, best: CandidateTurn, turns: int) -> str:
        """Return the theme: how many turns the win takes or, if `turns` is 0, the main gain after the reply."""
        if turns:
            return COMBINATION if turns == 1 and self._step_count(best) > 1 else THEMES[turns]
        reply = self._best_turn(best.state, self.think(best.state, self.task.quick, seed=6))
        gains = feature_gains(self.game, state, state_after(self.game, best.state, reply))
        return gains[0] if gains else "a winning turn"

    def difficulty(self, state: State, best: CandidateTurn, turns: int = 1) -> int:
        """Rate how hard a solution is to find, from 1 to MAX_DIFFICULTY.

        It increases with the nodes a search needs to find it, with each further turn and each further step, and if a
        player who looks no further than their own turn would play something else.
        """
        tempted = any(turn.class_key != best.class_key for turn in self._greedy_turns(state))
        points = self._ladder_index(state, best) + turns - 1 + self._step_count(best) - 1 + tempted
        return min(MAX_DIFFICULTY, 1 + points)

    def _step_count(self, turn: CandidateTurn) -> int:
        """Count the steps of a turn, without the one that only ends it."""
        return max(1, len(turn.moves) - bool(self.game.to_move(turn.state)))

    def _ladder_index(self, state: State, best: CandidateTurn) -> int:
        """Return the index of the first node count that finds the solution."""
        for rung, nodes in enumerate(NODE_LADDER):
            found = candidate_turns(self.game, state, self.think(state, nodes, 2, 7))
            if found and found[0].class_key == best.class_key:
                return rung
        return len(NODE_LADDER)


def final_score(game: AnyGame, state: State, seat: Seat) -> float:
    """Return a seat's score in a finished game: 1 for a win, ½ for a draw."""
    outcome = game.outcome(state)
    assert outcome is not None  # noqa: S101 - no seat is to act
    return 0.5 if outcome.winner is None else float(outcome.winner == seat)


def feature_gains(game: AnyGame, before: State, after: State) -> list[str]:
    """Return the features that improve from `before` to `after` for the seat to act in `before`, weightiest first.

    The list is empty if the game is over or has no features.
    """
    if not isinstance(game, HasFeatures) or not game.to_move(after):
        return []
    sign = 1 - 2 * game.to_move(before)[0]
    pairs = zip(game.features(), game.measures(before), game.measures(after), strict=True)
    better = [(feature.weight * sign * (new - old), feature.words) for feature, old, new in pairs]
    return [words for worth, words in sorted(better, reverse=True) if worth > 0]


# ---- a collection


class PuzzleCollection:
    """Up to `count` distinct puzzles of one game, with a limit on each difficulty and theme."""

    def __init__(self, game: AnyGame, count: int, kept: Iterable[Puzzle] = ()) -> None:
        self.game = game
        self.count = count
        self.shapes: set[ClassKey] = set()
        self.solutions: set[tuple[str, ...]] = set()
        self.kinds: Counter[int | str] = Counter()
        self.size = 0
        for puzzle in kept:
            self._add(puzzle)

    def add_if_distinct(self, puzzle: Puzzle) -> bool:
        """Add a puzzle unless it resembles another, has the same solution as another, or its kind is full."""
        most = max(1, round(self.count * MAX_KIND_SHARE))
        full = max(self.kinds[puzzle.difficulty], self.kinds[puzzle.theme]) >= most
        known = self._symmetry_class(puzzle) in self.shapes or solution_turns(puzzle) in self.solutions
        if full or known or self.is_full():
            return False
        self._add(puzzle)
        return True

    def is_full(self) -> bool:
        return self.size >= self.count

    def _symmetry_class(self, puzzle: Puzzle) -> ClassKey:
        return symmetry_class(self.game, self.game.decode(puzzle.position))

    def _add(self, puzzle: Puzzle) -> None:
        self.shapes.add(self._symmetry_class(puzzle))
        self.solutions.add(solution_turns(puzzle))
        self.kinds.update((puzzle.difficulty, puzzle.theme))
        self.size += 1


def solution_turns(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the player's turns in the solution; a player who knows them from another puzzle has nothing to find."""
    return tuple(puzzle.line[number] for number in own_turns(puzzle))


def fill_collection(first: MiningTask, collection: PuzzleCollection, runner: JobRunner) -> Iterator[list[Puzzle]]:
    """Mine games until the collection is full; yield the puzzles added from each game, which may be none."""
    tasks = (replace(first, seed=seed) for seed in counted(first.seed))
    with closing(run_in_order(runner, mine_puzzles, tasks)) as games:
        for found in games:
            yield [puzzle for puzzle in found if collection.add_if_distinct(puzzle)]
            if collection.is_full():
                return
