"""`realmtable analyse`: find the turning points of a game and the better turns."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from realmtable.cli.command_helpers import path_exists, read_valid_record, write_text
from realmtable.engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from realmtable.analysis.game_analysis import AnalysedTurn, Analysis, SeatMistakes
    from realmtable.engine.record import Record
    from realmtable.search.search_result import SearchLimits

BLOCKS = " ▁▂▃▄▅▆▇█"
ROWS = 5  # of the graph
MARK_SIGNS = {"": " ", "?!": "·", "?": "?", "??": "?"}  # shown below a column
MAX_COLUMNS = 96
MAX_LINE_TURNS = 4  # of a better line
DEFAULT_SECONDS = 1.0  # per position


@click.command("analyse")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--seconds-per-move",
    "seconds",
    type=click.FloatRange(0.01, 3600),
    help=f"Search time per position. [default: {DEFAULT_SECONDS:g}]",
)
@click.option("--nodes", type=click.IntRange(1), help="Search this many nodes per position instead; reproducible.")
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True, help="Number of search threads.")
@click.option("--html", type=click.Path(path_type=Path), help="Write the analysis as an HTML page with boards.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole analysis as JSON.")
def command(
    *,
    file: Path,
    seconds: float | None,
    nodes: int | None,
    threads: int,
    html: Path | None,
    as_json: bool,
) -> None:
    """Analyse every turn of a record: winning chances, mistakes, and the better turns; FILE may be - for stdin.

    Turns that lose 10% of the expected score are marked ?!, 20% ? and 35% ??; with more than two players, in proportion
    to a fair share.

    \b
    For example
      realmtable analyse game.record
      realmtable analyse game.record --seconds-per-move 5 --html game.html
    """  # noqa: D301 - Click needs the literal \b
    from realmtable.analysis.game_analysis import check_can_analyse  # noqa: PLC0415 - keeps --help fast
    from realmtable.search.search_result import SearchLimits  # noqa: PLC0415 - as above

    if html is not None and not path_exists(html.parent):
        raise BadInput(f"There is no folder {html.parent} to write {html.name} to.")
    record = read_valid_record(file)
    check_can_analyse(record.game.info)
    if html is not None and record.game.info.judges_steps:
        raise BadInput(f"An analysis of {record.game.info.title} has no page with boards; leave out --html.")
    limits = SearchLimits(DEFAULT_SECONDS if seconds is None and nodes is None else seconds, nodes)
    analysis = _run_analysis(record, limits, threads)
    click.echo(json.dumps(analysis.as_dict()) if as_json else format_analysis(analysis))
    if html is not None:
        from realmtable.lab import analysis_html  # noqa: PLC0415 - as above

        write_text(html, analysis_html.render_analysis(record, analysis))


def _run_analysis(record: Record, limits: SearchLimits, threads: int) -> Analysis:
    """Analyse a record, with a progress bar on stderr."""
    from realmtable.analysis.game_analysis import analyse, without_setup  # noqa: PLC0415 - as above

    turns = len(without_setup(record.turns))
    if not turns:
        raise BadInput("The record has no turns to analyse.")
    with click.progressbar(length=turns, label="Thinking", show_pos=True, file=sys.stderr) as bar:
        analysis = analyse(record, limits, on_progress=lambda done, _total: bar.update(done - bar.pos), threads=threads)
        bar.update(turns - bar.pos)
    return analysis


# ---- output


def format_analysis(analysis: Analysis) -> str:
    """Format the analysis: the graph, every turn and the turning points."""
    spent = f"{analysis.nodes:,} positions searched in {analysis.seconds:,.1f} s"
    if analysis.shares:
        title = "Expected points, step by step" if analysis.unit else f"Winning chances, turn by turn ({spent})"
        lines = [title, *format_shares(analysis), ""]
    else:
        lines = [f"{analysis.seat_names[0]}'s chances, turn by turn ({spent})", *format_graph(analysis), ""]
    lines += [_turn_line(analysis, turn) for turn in analysis.turns]
    points = analysis.turning_points()
    if analysis.shares:
        lines += ["", "Mistakes", *(_mistakes_line(analysis, seat) for seat in analysis.sum_up_mistakes())]
    none = "No turn gave much away." if analysis.shares else "No turn lost 10% or more of the expected score."
    lines += ["", "Turning points" if points else none]
    lines += [f"  {_turn_label(analysis, turn)} {turn.text}{turn.mark}\n      {turn.reason}" for turn in points]
    return "\n".join(lines)


def _turn_label(analysis: Analysis, turn: AnalysedTurn) -> str:
    return f"{turn.number:>3}. {'Chance' if turn.seat < 0 else analysis.seat_names[turn.seat]:<6}"


def _mistakes_line(analysis: Analysis, mistakes: SeatMistakes) -> str:
    unit = analysis.unit or "of a win"
    given = f", {analysis.format_value(mistakes.loss)} {unit} given away" if mistakes.loss else ""
    return f"  {analysis.seat_names[mistakes.seat]:<8} {mistakes.describe()}{given}"


def _turn_line(analysis: Analysis, turn: AnalysedTurn) -> str:
    chances = " ".join(f"{analysis.format_value(share):>4}" for share in turn.shares or (turn.chance,))
    line = f"{_turn_label(analysis, turn)} {chances} {turn.mark:<2} {turn.text}"
    if turn.mark and turn.best is not None:
        better = "  ".join(step.text for step in turn.best.turns[:MAX_LINE_TURNS])
        chance = turn.best.shares[turn.seat] if turn.best.shares else turn.best.chance
        line += f"\n{'':>19}better ({analysis.format_value(chance)}): {better}"
    return line


def format_shares(analysis: Analysis) -> list[str]:
    """Draw every seat's chances after every turn as a row of blocks, with the marks of its turns below."""
    parts = _columns(analysis.turns)
    lines = []
    for seat, name in enumerate(analysis.seat_names):
        blocks = "".join(BLOCKS[round(analysis.height_of(part[-1].shares[seat]) * 8)] for part in parts)
        lines.append(f"{name:<8} │{blocks}│")
        own = [[turn for turn in part if turn.seat == seat] for part in parts]
        marks = "".join(max((MARK_SIGNS[turn.mark] for turn in part), key=" ·?".index, default=" ") for part in own)
        lines += [f"{'':<8}  {marks.rstrip()}"] if marks.strip() else []
    return lines


def _columns(turns: Sequence[AnalysedTurn]) -> list[Sequence[AnalysedTurn]]:
    """Return the turns that share each column of a graph."""
    columns = min(len(turns), MAX_COLUMNS)
    return [turns[index * len(turns) // columns : (index + 1) * len(turns) // columns] for index in range(columns)]


def format_graph(analysis: Analysis) -> list[str]:
    """Draw the first seat's chances after every turn as columns of blocks, with the marks below."""
    parts = _columns(analysis.turns)
    heights = [round(part[-1].chance * ROWS * 8) for part in parts]
    lines = []
    for row in reversed(range(ROWS)):
        scale = {ROWS - 1: "100%", ROWS // 2: " 50%", 0: "  0%"}.get(row, "")
        lines.append(f"{scale:>4} │" + "".join(BLOCKS[max(0, min(8, height - 8 * row))] for height in heights))
    marks = "".join(max((MARK_SIGNS[turn.mark] for turn in part), key=" ·?".index) for part in parts).rstrip()
    return [*lines, *([f"{'':>4}  {marks}"] if marks else [])]
