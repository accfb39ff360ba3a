"""Renders an analysed game as a page: a graph of the chances, the turning points with boards, and every turn."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from realmtable.analysis.game_analysis import DUBIOUS, AnalysedTurn, Analysis, BestLine, without_setup
from realmtable.analysis.reasons import percent
from realmtable.analysis.variation import VariationTurn
from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import AnyGame, Seat, State
from realmtable.engine.record import Record, RecordTurn
from realmtable.lab.html_page import render_template

WIDTH: Final = 720
HEIGHT: Final = 200  # of the plot
LEFT: Final = 66
RIGHT: Final = 10
BELOW: Final = 26
MAX_TICKS: Final = 12
MARK_WORDS: Final = {"": "", DUBIOUS: "dubious", "?": "a mistake", "??": "a blunder"}
UNKNOWN_PLAYER: Final = "unknown"  # how records name an unknown player


@dataclass(frozen=True)
class Spot:
    """A marked turn in the graph."""

    x: float
    y: float
    turn: AnalysedTurn
    is_turning_point: bool  # turning points are linked


@dataclass(frozen=True)
class Graph:
    """The first seat's chances: a line on a dark plot, light below the line; with several seats, a line for each."""

    line: str  # of the first seat
    lines: tuple[str, ...]  # of every seat, in games for several seats; otherwise empty
    even: float  # where the chances are equal
    spots: tuple[Spot, ...]
    ticks: tuple[tuple[float, int], ...]
    left: int = LEFT
    right: int = WIDTH - RIGHT
    height: int = HEIGHT
    width: int = WIDTH
    below: int = BELOW


@dataclass(frozen=True)
class BoardImage:
    """A position as an embedded image."""

    caption: str
    text: str
    source: str


@dataclass(frozen=True)
class TurningPoint:
    """A turning point: the turn, its effect on the chances, and boards of the played and the better turn."""

    turn: AnalysedTurn
    change_text: str
    boards: tuple[BoardImage, ...]


def render_analysis(record: Record, analysis: Analysis) -> str:
    """Render the page of a record and its analysis."""
    filters: dict[str, Any] = {
        "chance": percent,
        "line": _number_turns,
        "mark": MARK_WORDS.__getitem__,
        "chance_of": chance_of,
    }
    return render_template("analysis.html", _template_context(record, analysis), **filters)


def _template_context(record: Record, analysis: Analysis) -> dict[str, Any]:
    points = analysis.turning_points()
    outcome = record.outcome()
    return {
        "title": _title(record),
        "headers": record.headers,
        "result": outcome.text if outcome is not None else record.headers.get("Termination", ""),
        "analysis": analysis,
        "names": analysis.seat_names,
        "mistakes": [seat.describe() for seat in analysis.sum_up_mistakes()],
        "graph": build_graph(analysis),
        "points": [_turning_point(record, analysis, turn) for turn in points],
        "turning_points": {turn.steps for turn in points},
    }


def _title(record: Record) -> str:
    names = [record.headers.get(name, UNKNOWN_PLAYER) for name in record.game.info.seat_names]
    known = " – ".join(names) if UNKNOWN_PLAYER not in names else "an analysed game"
    return f"{record.game.info.title}: {known}"


def _number_turns(turns: tuple[VariationTurn, ...], most: int) -> list[tuple[str, VariationTurn]]:
    """Return up to `most` turns of a line, each with its number unless it repeats the previous one."""
    numbers = [None, *(turn.number for turn in turns)]
    return [
        ("" if number == turn.number else f"{turn.number}.", turn)
        for number, turn in zip(numbers, turns[:most], strict=False)
    ]


# ---- the graph


def build_graph(analysis: Analysis) -> Graph:
    """Build the graph of the chances after every turn, with the marked turns as spots."""
    turns = analysis.turns
    turning_points = {turn.steps for turn in analysis.turning_points()}
    heights = [_y(turn.shares[max(turn.seat, 0)] if turn.shares else turn.chance) for turn in turns]
    spots = [
        Spot(_x(index, len(turns)), heights[index], turn, turn.steps in turning_points)
        for index, turn in enumerate(turns)
        if turn.mark
    ]
    lines = [
        _line([analysis.shares[seat], *(turn.shares[seat] for turn in turns)]) for seat in range(len(analysis.shares))
    ]
    even = _y(1 / len(lines)) if lines else HEIGHT / 2
    first = _line([analysis.chance, *(turn.chance for turn in turns)])
    return Graph(first, tuple(lines), even, tuple(spots), tuple(_ticks(turns)))


def _line(chances: Sequence[float]) -> str:
    """Return the path of a seat's chances before the first turn and after each."""
    count = len(chances) - 1
    places = [(_x(index, count), _y(chance)) for index, chance in enumerate(chances[1:])]
    ends = [(LEFT, _y(chances[0])), *places, (WIDTH - RIGHT, places[-1][1])]
    return "L".join(f"{x} {y}" for x, y in ends)


def _x(index: int, count: int) -> float:
    return round(LEFT + (index + 0.5) * (WIDTH - LEFT - RIGHT) / count, 1)


def _y(chance: float) -> float:
    return round(5 + (1 - chance) * (HEIGHT - 10), 1)


def _ticks(turns: tuple[AnalysedTurn, ...]) -> list[tuple[float, int]]:
    """Return the turn numbers below the graph: at the first turn of each number, thinned out to MAX_TICKS."""
    firsts = [index for index, turn in enumerate(turns) if index == 0 or turn.number != turns[index - 1].number]
    step = -(-len(firsts) // MAX_TICKS)
    return [(_x(index, len(turns)), turns[index].number) for index in firsts[::step]]


# ---- turning points


def _turning_point(record: Record, analysis: Analysis, turn: AnalysedTurn) -> TurningPoint:
    index = analysis.turns.index(turn)
    seat = turn.seat if analysis.shares else 0
    before = analysis.turns[index - 1] if index else analysis
    change = (
        f"{analysis.seat_names[seat]}'s chances went from {percent(chance_of(before, seat))} "
        f"to {percent(chance_of(turn, seat))}."
    )
    played = without_setup(record.turns)[index]
    return TurningPoint(turn, change, tuple(_board_images(record.game, played, turn)))


def chance_of(judged: AnalysedTurn | Analysis | BestLine, seat: Seat) -> float:
    """Return a seat's chances; without several seats, those of the first."""
    return judged.shares[seat] if judged.shares else judged.chance


def _board_images(game: AnyGame, played: RecordTurn, analysed: AnalysedTurn) -> list[BoardImage]:
    state = played.before
    for move in played.moves:
        state = game.play(state, played.seat, move)
    boards = [_board_image(game, "Played", analysed.text, state)]
    if analysed.best is not None:
        best = analysed.best.turns[0]
        boards.append(_board_image(game, "Better", best.text, _after(game, played.before, best)))
    return boards


def _after(game: AnyGame, state: State, turn: VariationTurn) -> State:
    for text in turn.moves:
        state = game.play(state, turn.seat, game.parse_move(state, text))
    return state


def _board_image(game: AnyGame, caption: str, text: str, state: State) -> BoardImage:
    """Draw the position after a turn as an image; inline SVG would add hundreds of tab stops to the page."""
    drawn = draw_whole(game, game.view(state, None))
    return BoardImage(caption, text, "data:image/svg+xml;base64," + b64encode(drawn.encode()).decode())
