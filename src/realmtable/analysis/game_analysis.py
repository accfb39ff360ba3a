"""Analyses a played game: the winning chances after every turn, the mistakes, and the better turns.

`run_study` is a generator that requests one search at a time, so that the caller decides where they run: `analyse` runs
them directly, the server in a separate process. Apparent mistakes are checked twice: the state after the better turn is
searched for just as long as the state after the turn that was played.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from realmtable.analysis.reasons import explain_better
from realmtable.analysis.variation import (
    Variation,
    VariationTurn,
    best_variation,
    build_variation,
    continue_turn,
    estimate_score,
    first_turn_only,
    is_complete,
)
from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, GameInfo, Seat, State
from realmtable.engine.record import Record, RecordTurn
from realmtable.search import think as thinking
from realmtable.search.search_result import SearchLimits, SearchResult

ENGINE_VERSION: Final = 1  # increase it when earlier analyses should be repeated
TWO_SEATS: Final = 2
DUBIOUS: Final = "?!"
MARKS: Final = ((0.35, "??"), (0.2, "?"), (0.1, DUBIOUS))  # by the minimum loss of expected score
TURNING_POINTS: Final = 6

Think = Callable[..., SearchResult]


class ThinkRequest(NamedTuple):
    """A state to search, and the progress of the study."""

    state: Any
    done: int
    total: int


@dataclass(frozen=True)
class BestLine:
    """The best line, and the first seat's expected score in it."""

    turns: tuple[VariationTurn, ...]
    chance: float
    proven: bool


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

    def turning_points(self) -> list[AnalysedTurn]:
        """Return the worst mistakes in the order of play; dubious turns only if there are no worse ones."""
        marked = [turn for turn in self.turns if turn.mark]
        grave = [turn for turn in marked if turn.mark != DUBIOUS]
        worst = sorted(grave or marked, key=lambda turn: -turn.loss)[:TURNING_POINTS]
        return sorted(worst, key=lambda turn: turn.steps)

    def as_dict(self) -> dict[str, Any]:
        """Return the analysis as plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Analysis:
        """Restore an analysis from `as_dict` data."""
        turns = tuple(_turn_from_dict(turn) for turn in data["turns"])
        return cls(**{**data, "turns": turns, "seat_names": tuple(data["seat_names"])})


def _turn_from_dict(data: Mapping[str, Any]) -> AnalysedTurn:
    best = data["best"]
    turns = (
        ()
        if best is None
        else tuple(VariationTurn(**{**turn, "moves": tuple(turn["moves"])}) for turn in best["turns"])
    )
    line = None if best is None else BestLine(turns, best["chance"], best["proven"])
    return AnalysedTurn(**{**data, "steps": tuple(data["steps"]), "best": line})


# ---- which games


def can_analyse(info: GameInfo) -> bool:
    """Whether a game can be analysed: two seats, no hidden information, no dice."""
    return not info.hidden and not info.chance and info.seats == (TWO_SEATS,)


def check_can_analyse(info: GameInfo) -> None:
    """Raise `BadInput` if a game cannot be analysed."""
    if not can_analyse(info):
        raise BadInput(f"{info.title} cannot be analysed: it must be a two-player game without secrets or dice.")


# ---- the study


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
    thought: SearchResult | None = None
    while True:
        try:
            request = next(study) if thought is None else study.send(thought)
        except StopIteration as done:
            found: Analysis = done.value
            return found
        on_progress(request.done, request.total)
        thought = search(record.game, request.state, limits, threads=threads)


def run_study(record: Record, limits: SearchLimits) -> Generator[ThinkRequest, SearchResult, Analysis]:
    """Yield a request for each state to search, receive the results, and return the analysis."""
    check_can_analyse(record.game.info)
    if not record.turns:
        raise BadInput("The record has no turns to analyse.")
    study = _Study(record)
    yield from study.run()
    return Analysis(
        game=record.game.info.id,
        rules_version=record.game.info.rules_version,
        engine=ENGINE_VERSION,
        seconds_per_move=limits.seconds,
        nodes_per_move=limits.nodes,
        seat_names=record.game.info.seat_names,
        chance=study.first_chance,
        turns=tuple(study.analysed_turns),
        nodes=study.nodes,
        seconds=round(study.seconds, 3),
    )


class _Study:
    """The state of a study: the turns analysed so far and the totals."""

    def __init__(self, record: Record) -> None:
        self.game: AnyGame = record.game
        self.record = record
        self.analysed_turns: list[AnalysedTurn] = []
        self.first_chance = 0.5
        self.step = self.nodes = 0
        self.seconds = 0.0

    def run(self) -> Generator[ThinkRequest, SearchResult, None]:
        turns = self.record.turns
        before = yield from self._think_about(turns[0].before)
        self.first_chance = estimate_score(self.game, turns[0].before, before, 0)
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
        thought = yield ThinkRequest(state, len(self.analysed_turns), len(self.record.turns))
        self.nodes += thought.nodes
        self.seconds += thought.seconds
        return thought

    def _judge(
        self,
        turn: RecordTurn,
        before: SearchResult,
        after: State,
        then: SearchResult | None,
    ) -> Generator[ThinkRequest, SearchResult, None]:
        own = build_variation(self.game, turn.before, turn.moves, 0, proven=False)
        played = continue_turn(self.game, own.turns[0], after, then, turn.seat)
        best = best_variation(self.game, turn.before, before) if before.lines else None
        better = None if best is None else (yield from self._confirm_better(turn, best, played))
        self._add_turn(turn, played, better, best)

    def _confirm_better(
        self, turn: RecordTurn, best: Variation, played: Variation
    ) -> Generator[ThinkRequest, SearchResult, Variation | None]:
        """Return the best line if it is still better after a search of the state it leads to."""
        game = self.game
        if not _gives_away(best, played) or not is_complete(game, turn.before, best):
            return None
        if game.encode(best.states[0]) == game.encode(played.states[0]):
            return None
        if best.proven:
            return best
        thought = yield from self._think_about(best.states[0])
        first = first_turn_only(best)
        checked = continue_turn(game, first.turns[0], first.states[0], thought, turn.seat)
        return checked if _gives_away(checked, played) else None

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
                chance=round(_first_seat_chance(played.chance, turn.seat), 4),
                proven=played.proven,
                loss=loss,
                mark=next((mark for least, mark in MARKS if loss >= least), ""),
                best=None if shown is None else _best_line(shown, turn.seat),
                reason="" if better is None else explain_better(self.game, turn.seat, better, played),
            )
        )


def _gives_away(better: Variation, played: Variation) -> bool:
    """Whether the played line is so much worse than the better one that it gets a mark."""
    return round(better.chance - played.chance, 4) >= MARKS[-1][0]


def _best_line(way: Variation, seat: Seat) -> BestLine:
    return BestLine(way.turns, round(_first_seat_chance(way.chance, seat), 4), way.proven)


def _first_seat_chance(chance: float, seat: Seat) -> float:
    return chance if seat == 0 else 1 - chance
