"""What a played game teaches: the winning chance after every turn, the turns that gave some away, and what was better.

`studying` asks for one thought after the other, so that whoever drives it decides where they are thought: `analyse`
thinks at once, a server asks a process of its own. A turn that seems to have given something away is judged twice:
the better turn is played and the state behind it is thought about for just as long as the one that was reached.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, GameInfo, Seat
from realmtable.engine.record import Record, RecordTurn
from realmtable.search import think as thinking
from realmtable.search.reasons import why_better
from realmtable.search.result import Limits, Thought
from realmtable.search.variation import (
    LineTurn,
    Way,
    best_way,
    chance_of,
    first_turn_only,
    followed,
    is_complete,
    way_of,
)

ENGINE: Final = 1  # one more whenever analyses made before are worth making again
TWO: Final = 2
SLIP: Final = "?!"
MARKS: Final = ((0.35, "??"), (0.2, "?"), (0.1, SLIP))  # by what a turn gives away at least, of a whole game
TURNING_POINTS: Final = 6

Think = Callable[..., Thought]


class Question(NamedTuple):
    """A state to be thought about, and how far the study is."""

    state: Any
    done: int
    total: int


@dataclass(frozen=True)
class BestLine:
    """What would have been best, and what it is worth to the first seat."""

    turns: tuple[LineTurn, ...]
    chance: float
    proven: bool


@dataclass(frozen=True)
class JudgedTurn:
    """A turn that was played, and what became of the chances."""

    number: int
    seat: Seat
    text: str
    steps: tuple[int, int]  # the numbers of its first and last step
    chance: float  # the first seat's expected score after it: 1 a win, ½ a draw, 0 a loss
    proven: bool  # whether that is certain
    loss: float  # how much of its own the mover gave away
    mark: str  # "??", "?", "?!" or nothing
    best: BestLine | None  # the best line that was found instead of it or, where nothing was better, with it
    reason: str  # a sentence, where something was better


@dataclass(frozen=True)
class Analysis:
    """A whole game, judged."""

    game: str
    rules_version: int
    engine: int
    seconds_per_move: float | None
    nodes_per_move: int | None
    seat_names: tuple[str, ...]
    chance: float  # the first seat's before the first turn
    turns: tuple[JudgedTurn, ...]
    nodes: int  # positions searched altogether
    seconds: float  # time spent on them

    def turning_points(self) -> list[JudgedTurn]:
        """The turns that gave away most, in the order in which they were played; slips only where there was no more."""
        marked = [turn for turn in self.turns if turn.mark]
        grave = [turn for turn in marked if turn.mark != SLIP]
        worst = sorted(grave or marked, key=lambda turn: -turn.loss)[:TURNING_POINTS]
        return sorted(worst, key=lambda turn: turn.steps)

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Analysis:
        """The analysis of such data."""
        turns = tuple(_turn_from(turn) for turn in data["turns"])
        return cls(**{**data, "turns": turns, "seat_names": tuple(data["seat_names"])})


def _turn_from(data: Mapping[str, Any]) -> JudgedTurn:
    best = data["best"]
    turns = () if best is None else tuple(LineTurn(**{**turn, "moves": tuple(turn["moves"])}) for turn in best["turns"])
    line = None if best is None else BestLine(turns, best["chance"], best["proven"])
    return JudgedTurn(**{**data, "steps": tuple(data["steps"]), "best": line})


# ---- which games


def can_study(info: GameInfo) -> bool:
    """Whether a game is one that can be thought about: for two, nothing hidden, no dice."""
    return not info.hidden and not info.chance and info.seats == (TWO,)


def check_study(info: GameInfo) -> None:
    """Refuse a game that cannot be thought about."""
    if not can_study(info):
        raise BadInput(f"{info.title} cannot be analysed: only games for two without secrets and dice can.")


# ---- the study


def analyse(
    record: Record,
    limits: Limits,
    *,
    think: Think | None = None,
    tell: Callable[[int, int], None] = lambda _done, _total: None,
    threads: int = 1,
) -> Analysis:
    """The analysis of a record; `tell` hears how many turns of how many are done."""
    thinks = think or thinking.think
    study = studying(record, limits)
    thought: Thought | None = None
    while True:
        try:
            question = next(study) if thought is None else study.send(thought)
        except StopIteration as done:
            found: Analysis = done.value
            return found
        tell(question.done, question.total)
        thought = thinks(record.game, question.state, limits, threads=threads)


def studying(record: Record, limits: Limits) -> Generator[Question, Thought, Analysis]:
    """Asks for a thought about each state it needs to know, and at the end returns the analysis."""
    check_study(record.game.info)
    if not record.turns:
        raise BadInput("The record holds no turn to analyse.")
    study = _Study(record)
    yield from study.run()
    return Analysis(
        game=record.game.info.id,
        rules_version=record.game.info.rules_version,
        engine=ENGINE,
        seconds_per_move=limits.seconds,
        nodes_per_move=limits.nodes,
        seat_names=record.game.info.seat_names,
        chance=study.first_chance,
        turns=tuple(study.judged),
        nodes=study.nodes,
        seconds=round(study.seconds, 3),
    )


class _Study:
    """The state of a study: what was thought, and which turns are judged."""

    def __init__(self, record: Record) -> None:
        self.game: AnyGame = record.game
        self.record = record
        self.judged: list[JudgedTurn] = []
        self.first_chance = 0.5
        self.step = self.nodes = 0
        self.seconds = 0.0

    def run(self) -> Generator[Question, Thought, None]:
        turns = self.record.turns
        before = yield from self._thought(turns[0].before)
        self.first_chance = chance_of(self.game, turns[0].before, before, 0)
        for index, turn in enumerate(turns):
            final = index + 1 == len(turns)
            after = self._after(turn) if final else turns[index + 1].before
            then = yield from self._thought(after)
            assert before is not None  # noqa: S101 - a turn was played there
            yield from self._judge(turn, before, after, then)
            before = then

    def _after(self, turn: RecordTurn) -> Any:  # noqa: ANN401 - the game's own
        state = turn.before
        for move in turn.moves:
            state = self.game.play(state, turn.seat, move)
        return state

    def _thought(self, state: Any) -> Generator[Question, Thought, Thought | None]:  # noqa: ANN401 - the game's own
        """A thought about a state; none where the game is over."""
        if not self.game.to_move(state):
            return None
        thought = yield Question(state, len(self.judged), len(self.record.turns))
        self.nodes += thought.nodes
        self.seconds += thought.seconds
        return thought

    def _judge(
        self,
        turn: RecordTurn,
        before: Thought,
        after: Any,  # noqa: ANN401 - the game's own
        then: Thought | None,
    ) -> Generator[Question, Thought, None]:
        own = way_of(self.game, turn.before, turn.moves, 0, proven=False)
        played = followed(self.game, own.turns[0], after, then, turn.seat)
        best = best_way(self.game, turn.before, before) if before.lines else None
        better = None if best is None else (yield from self._better(turn, best, played))
        self._note(turn, played, better, best)

    def _better(self, turn: RecordTurn, best: Way, played: Way) -> Generator[Question, Thought, Way | None]:
        """The best way, if it still is better once the state after its turn was thought about too."""
        game = self.game
        if not _gives_away(best, played) or not is_complete(game, turn.before, best):
            return None
        if game.encode(best.states[0]) == game.encode(played.states[0]):
            return None
        if best.proven:
            return best
        thought = yield from self._thought(best.states[0])
        first = first_turn_only(best)
        checked = followed(game, first.turns[0], first.states[0], thought, turn.seat)
        return checked if _gives_away(checked, played) else None

    def _note(self, turn: RecordTurn, played: Way, better: Way | None, best: Way | None) -> None:
        first, self.step = self.step + 1, self.step + len(turn.moves)
        loss = 0.0 if better is None else round(better.chance - played.chance, 4)
        shown = better or best
        self.judged.append(
            JudgedTurn(
                number=turn.turn.number,
                seat=turn.seat,
                text=turn.text,
                steps=(first, self.step),
                chance=round(_first_seats(played.chance, turn.seat), 4),
                proven=played.proven,
                loss=loss,
                mark=next((mark for least, mark in MARKS if loss >= least), ""),
                best=None if shown is None else _line(shown, turn.seat),
                reason="" if better is None else why_better(self.game, turn.seat, better, played),
            )
        )


def _gives_away(better: Way, played: Way) -> bool:
    """Whether one way is so much worse than another that it is worth a mark."""
    return round(better.chance - played.chance, 4) >= MARKS[-1][0]


def _line(way: Way, seat: Seat) -> BestLine:
    return BestLine(way.turns, round(_first_seats(way.chance, seat), 4), way.proven)


def _first_seats(chance: float, seat: Seat) -> float:
    return chance if seat == 0 else 1 - chance
