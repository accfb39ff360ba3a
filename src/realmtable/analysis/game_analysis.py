"""Analyses a played game: the winning chances after every turn, the mistakes, and the better turns.

`run_study` is a generator that requests one search at a time, so that the caller decides where they run: `analyse` runs
them directly, the server in a separate process. Apparent mistakes are checked twice: the state after the better turn is
searched for just as long as the state after the turn that was played.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any, Final, NamedTuple

from realmtable.analysis.judged_steps import JudgedStep, JudgeRequest, judge_steps
from realmtable.analysis.reasons import explain_better, percent
from realmtable.analysis.variation import (
    Variation,
    VariationTurn,
    best_variation,
    build_variation,
    continue_turn,
    estimate_score,
    is_complete,
)
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, GameInfo, JudgesSteps, Seat, State
from realmtable.engine.record import Record, RecordTurn
from realmtable.kit.wording import format_count, join_words
from realmtable.search import think as thinking
from realmtable.search.mcts_policies import count_seats
from realmtable.search.search_result import SearchLimits, SearchResult

ENGINE_VERSION: Final = 1  # increase it when earlier analyses should be repeated
TWO_SEATS: Final = 2
DUBIOUS: Final = "?!"
MARKS: Final = ((0.35, "??"), (0.2, "?"), (0.1, DUBIOUS))  # by the minimum loss of expected score, with two seats
# In games for several seats, a search sees about three quarters of what a turn loses (studies/etherium/mistakes.md), so
# among two, marks begin where they do among three.
MIN_SEATS: Final = 3
MIN_LOSS: Final = 0.04  # with many seats; a guess at the noise of a search, not measured
TURNING_POINTS: Final = 6

Think = Callable[..., SearchResult]


class ThinkRequest(NamedTuple):
    """A state to search, and the progress of the study."""

    state: Any
    done: int
    total: int


@dataclass(frozen=True)
class BestLine:
    """The best line, and the first seat's expected score in it; with several seats, every seat's."""

    turns: tuple[VariationTurn, ...]
    chance: float
    proven: bool
    shares: tuple[float, ...] = ()


@dataclass(frozen=True)
class AnalysedTurn:
    """A played turn and its effect on the chances."""

    number: int
    seat: Seat
    text: str
    steps: tuple[int, int]  # numbers of its first and last step
    chance: float  # the first seat's expected score after it: 1 a win, ½ a draw, 0 a loss
    proven: bool  # whether that is proven
    loss: float  # the expected score that the acting seat gave away
    mark: str  # "??", "?", "?!" or ""
    best: BestLine | None  # the better line or, if there is none, the best line that was found
    reason: str  # why that line was better; "" if none was
    shares: tuple[float, ...] = ()  # in games for several seats: every seat's expected score after it


class SeatMistakes(NamedTuple):
    """The marked turns of a seat."""

    seat: Seat
    counts: dict[str, int]  # by mark
    loss: float  # the expected score that they gave away together

    def describe(self) -> str:
        """Describe them in words.

        >>> SeatMistakes(0, {"??": 1, "?": 2, "?!": 1}, 0.5).describe(), SeatMistakes(1, {"??": 0}, 0.0).describe()
        ('1 blunder, 2 mistakes and 1 dubious turn', 'no turn gave much away')
        """
        names = {"??": "blunder", "?": "mistake", DUBIOUS: "dubious turn"}
        found = [format_count(count, names[mark]) for mark, count in self.counts.items() if count]
        return join_words(found) if found else "no turn gave much away"


@dataclass(frozen=True)
class Analysis:
    """The analysis of a whole game."""

    game: str
    rules_version: int
    engine: int
    seconds_per_move: float | None
    nodes_per_move: int | None
    seat_names: tuple[str, ...]
    chance: float  # the first seat's expected score before the first turn
    turns: tuple[AnalysedTurn, ...]
    nodes: int  # positions searched in total
    seconds: float  # total search time
    shares: tuple[float, ...] = ()  # in games for several seats: every seat's expected score before the first turn
    unit: str = ""  # "points" if the numbers are expected final points instead of chances

    def sum_up_mistakes(self) -> list[SeatMistakes]:
        """Return for each seat how many of its turns have each mark, and the expected score that they gave away."""
        return [_sum_up_seat(self.turns, seat) for seat in range(len(self.seat_names))]

    def turning_points(self) -> list[AnalysedTurn]:
        """Return the worst mistakes in the order of play; dubious turns only if there are no worse ones."""
        marked = [turn for turn in self.turns if turn.mark]
        grave = [turn for turn in marked if turn.mark != DUBIOUS]
        worst = sorted(grave or marked, key=lambda turn: -turn.loss)[:TURNING_POINTS]
        return sorted(worst, key=lambda turn: turn.steps)

    def format_value(self, value: float) -> str:
        """Format a chance, or expected points."""
        return f"{value:.0f}" if self.unit else percent(value)

    def height_of(self, value: float) -> float:
        """Return where a value lies in a graph: a chance as it is, points between the least and the most."""
        if not self.unit:
            return value
        values = [each for shares in (self.shares, *(turn.shares for turn in self.turns)) for each in shares]
        return (value - min(values)) / max(1.0, max(values) - min(values))

    def as_dict(self) -> dict[str, Any]:
        """Return the analysis as plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Analysis:
        """Restore an analysis from `as_dict` data."""
        turns = tuple(_turn_from_dict(turn) for turn in data["turns"])
        shares = tuple(data.get("shares", ()))  # older ones have none
        return cls(**{**data, "turns": turns, "seat_names": tuple(data["seat_names"]), "shares": shares})


def _turn_from_dict(data: Mapping[str, Any]) -> AnalysedTurn:
    best = None if data["best"] is None else _line_from_dict(data["best"])
    shares = tuple(data.get("shares", ()))
    return AnalysedTurn(**{**data, "steps": tuple(data["steps"]), "best": best, "shares": shares})


def _line_from_dict(data: Mapping[str, Any]) -> BestLine:
    turns = tuple(VariationTurn(**{**turn, "moves": tuple(turn["moves"])}) for turn in data["turns"])
    return BestLine(turns, data["chance"], data["proven"], tuple(data.get("shares", ())))


def _sum_up_seat(turns: Sequence[AnalysedTurn], seat: Seat) -> SeatMistakes:
    own = [turn for turn in turns if turn.seat == seat]
    counts = {mark: sum(turn.mark == mark for turn in own) for _, mark in MARKS}
    return SeatMistakes(seat, counts, round(sum(turn.loss for turn in own if turn.mark), 4))


# ---- which games


def has_analysis_board(info: GameInfo) -> bool:
    """Whether positions of a game can be analysed on a board: two seats, no hidden information, no dice."""
    return not info.hidden and not info.chance and info.seats == (TWO_SEATS,)


def can_analyse(info: GameInfo) -> bool:
    """Whether played games can be analysed; with several seats or dice, the compiled search is needed."""
    return has_analysis_board(info) or (info.compiled and not info.hidden) or info.judges_steps


def check_can_analyse(info: GameInfo) -> None:
    """Raise `BadInput` if played games cannot be analysed."""
    if not can_analyse(info):
        reason = "it has secrets" if info.hidden else "the engine cannot search its dice or its number of players"
        raise BadInput(f"{info.title} cannot be analysed: {reason}.")


def check_has_board(info: GameInfo) -> None:
    """Raise `BadInput` if positions of a game cannot be analysed on a board."""
    if not has_analysis_board(info):
        raise BadInput(f"{info.title} has no analysis board; only two-player games without secrets and dice do.")


# ---- the study

Study = Generator[ThinkRequest | JudgeRequest, Any, Analysis]


def analyse(
    record: Record,
    limits: SearchLimits,
    *,
    think: Think | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    threads: int = 1,
) -> Analysis:
    """Analyse a record; `on_progress` receives the number of finished turns and the total."""
    search = think or thinking.think
    study = run_study(record, limits)
    step = advance_study(study, None)
    while not isinstance(step, Analysis):
        on_progress(step.done, step.total)
        if isinstance(step, JudgeRequest):
            step = advance_study(study, step.judge())
        else:
            step = advance_study(study, search(record.game, step.state, limits, threads=threads))
    return step


def advance_study(study: Study, result: Any) -> ThinkRequest | JudgeRequest | Analysis:  # noqa: ANN401 - of either request
    """Send the result of a request to a study, None to start it; return its next request, or the finished analysis."""
    try:
        return study.send(result)
    except StopIteration as done:
        analysis: Analysis = done.value
        return analysis


def run_study(record: Record, limits: SearchLimits) -> Study:
    """Yield a request for each state to search or step to judge, receive the results, and return the analysis."""
    check_can_analyse(record.game.info)
    if not without_setup(record.turns):
        raise BadInput("The record has no turns to analyse.")
    if isinstance(record.game, JudgesSteps):
        return _as_analysis(record, (yield from judge_steps(record)))
    study = _Study(record)
    yield from study.run()
    return Analysis(
        game=record.game.info.id,
        rules_version=record.game.info.rules_version,
        engine=ENGINE_VERSION,
        seconds_per_move=limits.seconds,
        nodes_per_move=limits.nodes,
        seat_names=record.game.info.seat_names[: study.seats],
        chance=study.first_chance,
        turns=tuple(study.analysed_turns),
        nodes=study.nodes,
        seconds=round(study.seconds, 3),
        shares=study.first_shares,
    )


class _Study:
    """The state of a study: the turns analysed so far and the totals."""

    def __init__(self, record: Record) -> None:
        self.game: AnyGame = record.game
        self.record = record
        self.analysed_turns: list[AnalysedTurn] = []
        self.seats = count_seats(self.game, record.turns[0].before, Random(1))  # noqa: S311 - the seed does not matter
        self.marks = marks_in(self.game.info, self.seats)
        self.first_chance = 0.5
        self.first_shares: tuple[float, ...] = ()
        self.step = self.nodes = 0
        self.seconds = 0.0

    def run(self) -> Generator[ThinkRequest, SearchResult, None]:
        turns = without_setup(self.record.turns)
        self.step = sum(len(turn.moves) for turn in self.record.turns[: len(self.record.turns) - len(turns)])
        before = yield from self._think_about(turns[0].before)
        self.first_chance = estimate_score(self.game, turns[0].before, before, 0)
        self.first_shares = _round_shares(before.shares) if before is not None else ()
        for index, turn in enumerate(turns):
            final = index + 1 == len(turns)
            after = self._after(turn) if final else turns[index + 1].before
            then = yield from self._think_about(after)
            assert before is not None  # noqa: S101 - a turn was played there
            yield from self._judge(turn, before, after, then)
            before = then

    def _after(self, turn: RecordTurn) -> State:
        state = turn.before
        for move in turn.moves:
            state = self.game.play(state, turn.seat, move)
        return state

    def _think_about(self, state: State) -> Generator[ThinkRequest, SearchResult, SearchResult | None]:
        """Request a search of a state; return None if the game is over."""
        if not self.game.to_move(state):
            return None
        result = yield ThinkRequest(state, len(self.analysed_turns), len(without_setup(self.record.turns)))
        self.nodes += result.nodes
        self.seconds += result.seconds
        return result

    def _judge(
        self, turn: RecordTurn, before: SearchResult, after: State, then: SearchResult | None
    ) -> Generator[ThinkRequest, SearchResult, None]:
        own = build_variation(self.game, turn.before, turn.moves, 0, proven=False)
        played = continue_turn(self.game, own.turns[0], after, then, max(turn.seat, 0))
        if then is None and self.first_shares:
            scores = [estimate_score(self.game, after, None, seat) for seat in range(self.seats)]
            played = replace(played, shares=tuple(scores))
        best = best_variation(self.game, turn.before, before) if before.lines else None
        better = None if best is None else (yield from self._confirm_better(turn, best, played))
        self._add_turn(turn, played, better, best)

    def _confirm_better(
        self, turn: RecordTurn, best: Variation, played: Variation
    ) -> Generator[ThinkRequest, SearchResult, Variation | None]:
        """Return the best line if it is still better after a search of the state it leads to."""
        game = self.game
        if not self._gives_away(best, played) or not is_complete(game, turn.before, best):
            return None
        if game.encode(best.states[0]) == game.encode(played.states[0]):
            return None
        if best.proven:
            return best
        result = yield from self._think_about(best.states[0])
        checked = continue_turn(game, best.turns[0], best.states[0], result, turn.seat)
        return checked if self._gives_away(checked, played) else None

    def _gives_away(self, better: Variation, played: Variation) -> bool:
        """Whether the played line is so much worse than the better one that it gets a mark."""
        return round(better.chance - played.chance, 4) >= self.marks[-1][0]

    def _add_turn(self, turn: RecordTurn, played: Variation, better: Variation | None, best: Variation | None) -> None:
        first, self.step = self.step + 1, self.step + len(turn.moves)
        loss = 0.0 if better is None else round(better.chance - played.chance, 4)
        shown = better or best
        self.analysed_turns.append(
            AnalysedTurn(
                number=turn.turn.number,
                seat=turn.seat,
                text=turn.text,
                steps=(first, self.step),
                chance=round(_first_seat_chance(played, turn.seat), 4),
                proven=played.proven,
                loss=loss,
                mark=next((mark for least, mark in self.marks if loss >= least), ""),
                best=None if shown is None else _best_line(shown, turn.seat),
                reason="" if better is None else explain_better(self.game, turn.seat, better, played),
                shares=_round_shares(played.shares),
            )
        )


def _as_analysis(record: Record, judged: Sequence[JudgedStep]) -> Analysis:
    """Return the analysis of a game that judges its steps: a turn for each step at which something was decided."""
    before, turns = judged[0].points_before, [_judged_turn(step) for step in judged]
    info = record.game.info
    return Analysis(
        game=info.id,
        rules_version=info.rules_version,
        engine=ENGINE_VERSION,
        seconds_per_move=None,
        nodes_per_move=None,
        seat_names=info.seat_names[: len(before)],
        chance=before[0],
        turns=tuple(turns),
        nodes=0,
        seconds=0.0,
        shares=before,
        unit="points",
    )


def _judged_turn(step: JudgedStep) -> AnalysedTurn:
    own, best = step.judgement, VariationTurn(step.number, step.seat, step.best, (step.best,))
    promised = (*step.points[: step.seat], own.best_value, *step.points[step.seat + 1 :])
    return AnalysedTurn(
        number=step.number,
        seat=step.seat,
        text=step.text,
        steps=(step.step, step.step),
        chance=step.points[0],
        proven=step.is_last,
        loss=own.loss,
        mark=own.mark,
        best=BestLine((best,), promised[0], proven=False, shares=promised),
        reason=own.reason,
        shares=step.points,
    )


def without_setup(turns: Sequence[RecordTurn]) -> Sequence[RecordTurn]:
    """Return the turns from the first step of a player on; before it, there was nothing to decide."""
    return turns[next((index for index, turn in enumerate(turns) if turn.seat >= 0), len(turns)) :]


def marks_in(info: GameInfo, seats: int) -> tuple[tuple[float, str], ...]:
    """Return the marks in a game with so many seats, and their minimum loss."""
    return marks_for(seats if info.seats == (TWO_SEATS,) else max(seats, MIN_SEATS))


def marks_for(seats: int) -> tuple[tuple[float, str], ...]:
    """Return marks and their minimum loss: in proportion to a fair share of the win, but not within the noise.

    >>> marks_for(2), marks_for(6)
    (((0.35, '??'), (0.2, '?'), (0.1, '?!')), ((0.1167, '??'), (0.0667, '?'), (0.04, '?!')))
    """
    return tuple((max(MIN_LOSS, round(least * TWO_SEATS / seats, 4)), mark) for least, mark in MARKS)


def _round_shares(shares: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(share, 4) for share in shares)


def _best_line(variation: Variation, seat: Seat) -> BestLine:
    chance = round(_first_seat_chance(variation, seat), 4)
    return BestLine(variation.turns, chance, variation.proven, _round_shares(variation.shares))


def _first_seat_chance(variation: Variation, seat: Seat) -> float:
    if variation.shares:
        return variation.shares[0]
    return variation.chance if seat == 0 else 1 - variation.chance
