"""The page of an analysed game: its graph, boards and texts."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import replace
from pathlib import Path

import pytest

import realmtable
from realmtable.analysis.game_analysis import AnalysedTurn, Analysis, BestLine, analyse
from realmtable.analysis.variation import VariationTurn
from realmtable.engine.record import Record, load_record
from realmtable.lab.analysis_html import HEIGHT, LEFT, WIDTH, build_graph, render_analysis
from realmtable.search.search_result import SearchLimits
from tests.analysis.fake_think import think_greedily

FILE = Path(realmtable.__file__).parent / "games/realm/records/magazine-game.record"


@pytest.fixture(scope="module")
def record() -> Record:
    return load_record(FILE.read_text(encoding="utf-8"), realmtable.game)


@pytest.fixture(scope="module")
def analysis(record: Record) -> Analysis:
    return analyse(record, SearchLimits(nodes=50), think=think_greedily)


def make_judged_turn(number: int, seat: int, chance: float, mark: str = "") -> AnalysedTurn:
    line = BestLine((VariationTurn(number, seat, "Bb5", ("Bb5",)),), 0.9, proven=False)
    step = 2 * number + seat
    return AnalysedTurn(number, seat, f"turn{step}", (step, step), chance, False, 0.3, mark, line, "Bb5 was better.")


def make_analysis(*turns: AnalysedTurn, chance: float = 0.5) -> Analysis:
    return Analysis("realm", 1, 1, 1.0, None, ("White", "Black"), chance, turns, 1234, 2.5)


def test_the_line_begins_with_the_chance_before_the_game_and_rises_with_the_first_seat_s() -> None:
    drawn = build_graph(make_analysis(make_judged_turn(1, 0, 1.0), make_judged_turn(1, 1, 0.0), chance=0.5))
    heights = [float(place.split()[1]) for place in drawn.line.split("L")]
    assert heights == [HEIGHT / 2, 5, HEIGHT - 5, HEIGHT - 5]
    assert drawn.line.startswith(f"{LEFT} ")
    assert drawn.right < WIDTH


def test_marked_turns_are_spots_and_lead_to_their_turning_point_or_their_row() -> None:
    drawn = build_graph(
        make_analysis(make_judged_turn(1, 0, 0.5), make_judged_turn(1, 1, 0.6, "?!"), make_judged_turn(2, 0, 0.2, "??"))
    )
    assert [(spot.turn.mark, spot.is_turning_point) for spot in drawn.spots] == [("?!", False), ("??", True)]


@pytest.mark.parametrize(("turns", "ticks"), [(4, [1, 2]), (60, [1, 4, 7, 10, 13, 16, 19, 22, 25, 28])])
def test_numbers_of_turns_stand_below_without_a_crowd(turns: int, ticks: list[int]) -> None:
    drawn = build_graph(make_analysis(*(make_judged_turn(index // 2 + 1, index % 2, 0.5) for index in range(turns))))
    assert [number for _, number in drawn.ticks] == ticks


@pytest.mark.slow
def test_boards_show_what_was_played_and_what_was_better(record: Record, analysis: Analysis) -> None:
    point = analysis.turning_points()[0]
    assert point.best is not None
    game, index = record.game, analysis.turns.index(point)
    played, better = record.turns[index + 1].before, record.turns[index].before
    for move in game.parse_turn(better, point.best.turns[0].text).moves:
        better = game.play(better, point.seat, move)
    pictures = [b64decode(text).decode() for text in re.findall(r"base64,([^\"]+)", render_analysis(record, analysis))][
        :2
    ]
    assert pictures == [game.draw(game.view(state, None)) for state in (played, better)]


@pytest.mark.long
def test_the_page_names_the_players_and_how_it_ended(record: Record, analysis: Analysis) -> None:
    assert "<title>Realm: an analysed game</title>" in render_analysis(record, analysis)
    assert "White wins with 8 Realms to 7." in render_analysis(record, analysis)
    names = {"White": "Ada <3", "Black": "Bo", "Termination": "Black resigns; White wins."}
    broken_off = replace(record, headers=names, turns=record.turns[:9], final=record.turns[9].before)
    known = render_analysis(broken_off, replace(analysis, turns=analysis.turns[:9]))
    assert "<title>Realm: Ada &lt;3 – Bo</title>" in known
    assert '<p class="soft">Black resigns; White wins.</p>' in known


@pytest.mark.long
def test_a_game_without_mistakes_says_so(record: Record, analysis: Analysis) -> None:
    calm = replace(analysis, turns=tuple(replace(turn, mark="", best=None) for turn in analysis.turns))
    shown = render_analysis(record, calm)
    assert "No turn lost 10% or more of the expected score." in shown
    assert "<article" not in shown
    assert "<circle" not in shown
