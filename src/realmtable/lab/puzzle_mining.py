"""Mining puzzles: bots play, and where one turn wins and no other does, that is checked twice and kept.

While a game is played every turn is thought about briefly. Where the best idea looks won and every other does not, the
position is searched again, then with four times the nodes and another seed, and each turn that might win as well is
searched from where it leads.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count as counted
from random import Random
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, Seat
from realmtable.kit.evaluation import HasJudgement
from realmtable.lab.ordered_pool import worked
from realmtable.lab.turn_classes import Gist, Idea, distinct, gist, ideas, shape, stands_out, state_after, turn_of
from realmtable.search.bots import Bot, GreedyBot, RandomBot
from realmtable.search.puzzles import (
    FAILS,
    HARDEST,
    Answer,
    Puzzle,
    is_same_turn,
    own_turns,
    played,
    puzzle_id,
    timeless,
)
from realmtable.search.result import Limits, Thought
from realmtable.search.think import think

HOPEFUL: Final = (0.75, 0.7)  # what a brief thought must say of the best idea and the second
DEEPER: Final = 4  # times the nodes of the second check
LINES: Final = 8
CAREFREE: Final = 0.3  # how often a bot takes another turn than the best, so that no two games are alike
EVEN, BALANCED = 0.5, 0.3  # an even score, and how far from it a mistake still changes something
LATE: Final = 16  # balanced positions, the last of a game, in which mistakes are tried out: they decide there
MISTAKES: Final = 8  # in each of them
LAST: Final = 2  # of them, from which a game may be played to its end again
FINAL: Final = 4  # positions of such an end in which mistakes are tried out
LONGEST: Final = 3  # turns of the player in one puzzle
THEMES: Final = ("", "win at once", "win in two", "win in three")
COMBINATION: Final = "win at once by several steps"
LADDER: Final = (40, 200, 1000, 5000)  # nodes; the more a search needs to see the solution, the harder it is
FEW_CHOICES: Final = 6  # a position with fewer first steps is no puzzle
A_GAME: Final = 3  # puzzles taken from one game; twice as many where its other endings are looked at, too
APART: Final = MISTAKES  # thoughts between them, so that no two follow from one position
PLAIN_WINS: Final = 1.0  # of the positions in which a single step ends the game that are looked at
SHARE: Final = 0.75  # of the puzzles that may be equally hard, or have the same theme

Think = Callable[..., Thought]
State = Any
Others = tuple[Answer, ...]


@dataclass(frozen=True)
class Task:
    """One game to be played and looked through."""

    game: str
    seed: int
    nodes: int  # of the first check
    quick: int  # of a brief thought
    endings: int = 0  # how often the game is played to its end again from each of its last balanced positions


def mined(task: Task, think: Think = think) -> list[Puzzle]:
    """The puzzles that one game of bots holds; the same for the same task."""
    return list(Miner(registry.game(task.game), task, think).puzzles())


class Miner:
    """Plays one game and looks for puzzles in it."""

    def __init__(self, game: AnyGame, task: Task, think: Think = think) -> None:
        self.game = game
        self.task = task
        self._think = think

    def think(self, state: State, nodes: int, lines: int = 1, seed: int = 0) -> Thought:
        """A thought about a state."""
        return self._think(self.game, state, Limits(nodes=nodes), lines=lines, seed=self.task.seed + seed)

    def puzzles(self) -> Iterator[Puzzle]:
        """The puzzles of the game, a few at most."""
        found, waits, seen = 0, 0, set[Gist]()
        most = 2 * A_GAME if self.task.endings else A_GAME
        for state, thought in self._thoughts():
            waits -= 1
            if waits >= 0 or not self._is_hopeful(state, thought) or shape(self.game, state) in seen:
                continue
            seen.add(shape(self.game, state))
            puzzle = self.checked(timeless(self.game, state))
            if puzzle is not None:
                found, waits = found + 1, APART
                yield puzzle
            if found == most:
                break

    def _thoughts(self) -> Iterator[tuple[State, Thought]]:
        """States in which a turn begins, briefly thought about.

        First come those of the game; then those of its other endings, if asked for, or else those that mistakes bring.
        """
        rng = Random(f"{self.task.game} {self.task.seed}")  # noqa: S311 - a game, not a secret
        late: deque[State] = deque(maxlen=LATE)
        game = self.game
        for state, thought in self._played(game.initial(game.info.seats[0]), rng):
            yield state, thought
            if abs(thought.value - EVEN) < BALANCED:
                late.append(state)
        for state in [*late][-LAST:] * self.task.endings:
            yield from self._ending(state, rng)
        for state in () if self.task.endings else late:
            yield from self._mistakes(state, rng)

    def _ending(self, state: State, rng: Random) -> Iterator[tuple[State, Thought]]:
        """Another end of the game, and what mistakes in its last turns bring, whoever was winning."""
        ending = list(self._played(state, rng))
        yield from ending
        for before, _ in ending[-FINAL:]:
            yield from self._mistakes(before, rng)

    def _played(self, state: State, rng: Random) -> Iterator[tuple[State, Thought]]:
        """Play the game from a state to its end."""
        game, begin = self.game, None
        while game.to_move(state):
            thought = self.think(state, self.task.quick, LINES, rng.getrandbits(30))
            if begin is None or not is_same_turn(game, begin, state):
                begin = state
                yield state, thought
            line = rng.choice(thought.lines) if rng.random() < CAREFREE else thought.lines[0]
            state = state_after(game, state, turn_of(game, state, line.moves))

    def _mistakes(self, state: State, rng: Random) -> Iterator[tuple[State, Thought]]:
        """What follows if somebody plays at random here: nobody punishes mistakes that are not made."""
        for _ in range(MISTAKES):
            after = self._turn_by(RandomBot(), state, rng)[1]
            if self.game.to_move(after):
                yield after, self.think(after, self.task.quick, LINES, rng.getrandbits(30))

    def _turn_by(self, bot: Bot, state: State, rng: Random) -> tuple[list[Any], State]:
        """A turn that a bot plays, and where it leads."""
        moves, now = [], state
        while is_same_turn(self.game, state, now):
            seat = self.game.to_move(now)[0]
            moves.append(bot.choose(self.game, now, seat, rng))
            now = self.game.play(now, seat, moves[-1])
        return moves, now

    def _is_hopeful(self, state: State, thought: Thought) -> bool:
        if thought.value < HOPEFUL[0]:
            return False
        choices = self.game.legal_moves(state, self.game.to_move(state)[0])
        return len(choices) >= FEW_CHOICES and stands_out(ideas(self.game, state, thought), *HOPEFUL)

    # ---- checking

    def checked(self, state: State) -> Puzzle | None:
        """The puzzle of a position, if both searches and a look at every other turn agree that it is one."""
        nodes = self.task.nodes
        first = ideas(self.game, state, self.think(state, nodes, LINES, 1))
        if not stands_out(first) or self._is_dull(first[0]):
            return None
        second = ideas(self.game, state, self.think(state, nodes * DEEPER, LINES, 2))
        if not stands_out(second) or second[0].gist != first[0].gist:
            return None
        best, *rest = distinct([*second, *first, *self._tempting(state)])
        others = self.weighed(state, rest[: LINES + 2])
        elsewhere = [other.value for other, idea in zip(others, rest, strict=False) if idea.gist != best.gist]
        if not elsewhere or max(elsewhere) > FAILS:
            return None
        return self._made(state, best, others, max(elsewhere))

    def _is_dull(self, best: Idea) -> bool:
        """Whether a single step ends the game, and this is not one of the few of that kind which are wanted."""
        if self.game.to_move(best.state) or self._steps(best) > 1:
            return False
        return Random(f"{best.gist}").random() >= PLAIN_WINS  # noqa: S311 - a choice, not a secret

    def _tempting(self, state: State) -> list[Idea]:
        """What somebody plays who looks at his own turn only."""
        if not isinstance(self.game, HasJudgement):
            return []
        moves, after = self._turn_by(GreedyBot(), state, Random(1))  # noqa: S311 - a game, not a secret
        return [Idea(tuple(moves), after, gist(self.game, after), 0.0, proven=False)]

    def weighed(self, state: State, found: Sequence[Idea]) -> Others:
        """What each turn from a state is worth, searched from where it leads, and the best reply."""
        return tuple(self._weighed(state, idea) for idea in found)

    def _weighed(self, state: State, idea: Idea) -> Answer:
        game, seat = self.game, self.game.to_move(state)[0]
        text = game.format_turn(state, idea.moves)
        if not game.to_move(idea.state):
            return Answer(text, score(game, idea.state, seat), "")
        thought = self.think(idea.state, self.task.nodes, seed=3)
        value = thought.value if game.to_move(idea.state) == (seat,) else 1 - thought.value
        return Answer(text, round(value, 3), game.format_turn(idea.state, self._whole_turn(idea.state, thought)))

    def _whole_turn(self, state: State, thought: Thought) -> tuple[Any, ...]:
        """The best turn of a thought, thought on where its line stops short."""
        moves = turn_of(self.game, state, thought.lines[0].moves)
        now = state_after(self.game, state, moves)
        while is_same_turn(self.game, state, now):
            further = self.think(now, self.task.quick, seed=4)
            more = turn_of(self.game, now, further.lines[0].moves)
            moves, now = moves + more, state_after(self.game, now, more)
        return moves

    # ---- what is told about a puzzle

    def _made(self, state: State, best: Idea, others: Others, second: float) -> Puzzle:
        line, more = self.solution(state, best)
        position = self.game.encode(state)
        return Puzzle(
            id=puzzle_id(self.task.game, position),
            game=self.task.game,
            position=position,
            seat=self.game.to_move(state)[0],
            theme=self.theme(state, best, len(more) + 1 if self._ends(state, line) else 0),
            difficulty=self.difficulty(state, best, len(more) + 1),
            line=line,
            others=(others, *more),
            value=round(best.value, 3),
            second=second,
            proven=best.proven,
            nodes=self.task.nodes * DEEPER,
            seed=self.task.seed,
        )

    def _ends(self, state: State, line: Sequence[str]) -> bool:
        match = Match.start(self.game, state)
        for text in line:
            match = played(match, text)
        return not self.game.to_move(match.state)

    def solution(self, state: State, best: Idea) -> tuple[tuple[str, ...], tuple[Others, ...]]:
        """The winning turn and, where a certain win ends the game soon, what follows; with what was checked there."""
        game, seat = self.game, self.game.to_move(state)[0]
        texts, others, now = [game.format_turn(state, best.moves)], list[Others](), best.state
        while best.proven and game.to_move(now) and len(others) < LONGEST:
            thought = self.think(now, self.task.nodes, LINES, 5)
            moves = self._whole_turn(now, thought)
            after = state_after(game, now, moves)
            if game.to_move(now) == (seat,):
                others.append(self.weighed(now, [idea for idea in ideas(game, now, thought) if idea.state != after]))
            texts.append(game.format_turn(now, moves))
            now = after
        if game.to_move(now) or len(others) >= LONGEST or score(game, now, seat) < 1:
            return (texts[0],), ()
        return tuple(texts), tuple(others)

    def theme(self, state: State, best: Idea, turns: int) -> str:
        """How soon a turn wins, in so many turns; else (0) what it brings most of, once it has been answered."""
        if turns:
            return COMBINATION if turns == 1 and self._steps(best) > 1 else THEMES[turns]
        reply = self._whole_turn(best.state, self.think(best.state, self.task.quick, seed=6))
        gains = gained(self.game, state, state_after(self.game, best.state, reply))
        return gains[0] if gains else "a winning turn"

    def difficulty(self, state: State, best: Idea, turns: int = 1) -> int:
        """How hard a solution is to find, 1 to HARDEST.

        It grows with what a search must look at to see it, with each further turn, with each further step of the turn,
        and where somebody who looks at his own turn only would play otherwise.
        """
        tempted = any(idea.gist != best.gist for idea in self._tempting(state))
        points = self._rung(state, best) + turns - 1 + self._steps(best) - 1 + tempted
        return min(HARDEST, 1 + points)

    def _steps(self, idea: Idea) -> int:
        """The steps of a turn, without the one that only ends it."""
        return max(1, len(idea.moves) - bool(self.game.to_move(idea.state)))

    def _rung(self, state: State, best: Idea) -> int:
        """How many rungs of the ladder a search climbs before it sees the solution."""
        for rung, nodes in enumerate(LADDER):
            found = ideas(self.game, state, self.think(state, nodes, 2, 7))
            if found and found[0].gist == best.gist:
                return rung
        return len(LADDER)


def score(game: AnyGame, state: State, seat: Seat) -> float:
    """What a finished game brings a seat: 1 for a win, ½ for a draw."""
    outcome = game.outcome(state)
    assert outcome is not None  # noqa: S101 - nobody acts any more
    return 0.5 if outcome.winner is None else float(outcome.winner == seat)


def gained(game: AnyGame, before: State, after: State) -> list[str]:
    """What the seat that acts in the first state has more of in the second: features of the game, the weightiest first.

    A game without features, or one that is over, has nothing to tell.
    """
    if not isinstance(game, HasJudgement) or not game.to_move(after):
        return []
    sign = 1 - 2 * game.to_move(before)[0]
    pairs = zip(game.features(), game.measures(before), game.measures(after), strict=True)
    better = [(feature.weight * sign * (new - old), feature.words) for feature, old, new in pairs]
    return [words for worth, words in sorted(better, reverse=True) if worth > 0]


def complaint(puzzle: Puzzle, nodes: int, think: Think = think) -> str | None:
    """What a new search has against a puzzle; None where it agrees that the solution wins and stands alone."""
    game = registry.game(puzzle.game)
    start = Match.start(game, game.decode(puzzle.position))
    found = ideas(game, start.state, think(game, start.state, Limits(nodes=nodes), lines=LINES, seed=nodes))
    if not found or found[0].gist != gist(game, played(start, puzzle.line[0]).state):
        preferred = game.format_turn(start.state, found[0].moves) if found else "nothing"
        return f"{puzzle.id}: the search prefers {preferred}."
    if not stands_out(found, *HOPEFUL):
        return f"{puzzle.id}: the values are {[round(idea.value, 2) for idea in found]}."
    return None


# ---- a collection


class Shelf:
    """Puzzles of one game that differ from each other, and not too many of a kind among so many as are wanted."""

    def __init__(self, game: AnyGame, count: int, kept: Iterable[Puzzle] = ()) -> None:
        self.game = game
        self.count = count
        self.shapes: set[Gist] = set()
        self.solutions: set[tuple[str, ...]] = set()
        self.kinds: Counter[int | str] = Counter()
        self.size = 0
        for puzzle in kept:
            self._add(puzzle)

    def takes(self, puzzle: Puzzle) -> bool:
        """Put a puzzle on the shelf, unless one is like it or solved by the same turns, or its kind has enough."""
        most = max(1, round(self.count * SHARE))
        full = max(self.kinds[puzzle.difficulty], self.kinds[puzzle.theme]) >= most
        known = self._shape(puzzle) in self.shapes or solved_by(puzzle) in self.solutions
        if full or known or self.is_full():
            return False
        self._add(puzzle)
        return True

    def is_full(self) -> bool:
        """Whether there are as many as wanted."""
        return self.size >= self.count

    def _shape(self, puzzle: Puzzle) -> Gist:
        return shape(self.game, self.game.decode(puzzle.position))

    def _add(self, puzzle: Puzzle) -> None:
        self.shapes.add(self._shape(puzzle))
        self.solutions.add(solved_by(puzzle))
        self.kinds.update((puzzle.difficulty, puzzle.theme))
        self.size += 1


def solved_by(puzzle: Puzzle) -> tuple[str, ...]:
    """The turns of the player in the solution: who knows them from another puzzle has nothing to find."""
    return tuple(puzzle.line[number] for number in own_turns(puzzle))


def collected(first: Task, shelf: Shelf, workers: int = 1) -> Iterator[list[Puzzle]]:
    """Fill a shelf: for each game from the first task's seed on the puzzles taken from it, maybe none."""
    tasks = (replace(first, seed=seed) for seed in counted(first.seed))
    for found in worked(mined, tasks, workers):
        yield [puzzle for puzzle in found if shelf.takes(puzzle)]
        if shelf.is_full():
            return
