"""Analyses of games for several seats: chances of every seat, chance's own turns, and mistakes in words."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import realmtable
from realmtable.analysis.game_analysis import (
    Analysis,
    analyse,
    can_analyse,
    check_has_board,
    has_analysis_board,
    without_setup,
)
from realmtable.cli.analyse import format_analysis
from realmtable.engine.errors import BadInput
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, AnyGame, HasSeatCount, State
from realmtable.engine.record import Record, load_record
from realmtable.lab.analysis_html import build_graph, render_analysis
from realmtable.search.search_result import SearchLimits, SearchResult
from realmtable.search.think import think
from tests.analysis.fake_think import think_first_moves, think_of_shares
from tests.toys.parry_duel import ParryDuel

GAME = realmtable.game("realms_of_etherium")
FILE = Path(realmtable.__file__).parent / "games/realms_of_etherium/records/game-three-players.record"
LIMITS = SearchLimits(nodes=2)
SETUP = 7  # steps of chance


@cache
def whole_record() -> Record:
    return load_record(FILE.read_text(encoding="utf-8"), realmtable.game)


@cache
def whole_analysis() -> Analysis:
    return analyse(whole_record(), LIMITS, think=think_of_shares)


@pytest.mark.long
def test_every_turn_has_the_chances_of_every_seat() -> None:
    analysis = whole_analysis()
    assert analysis.seat_names == ("Scarlet", "Azure", "Amber")
    assert len(analysis.turns) == len(whole_record().turns) - SETUP
    assert analysis.turns[0].steps == (SETUP + 1, SETUP + 2)
    assert {len(turn.shares) for turn in analysis.turns} == {3}
    for turn in analysis.turns:
        assert sum(turn.shares) == pytest.approx(1, abs=0.001)
        assert turn.chance == turn.shares[0]
    last = analysis.turns[-1]
    assert (last.shares, last.proven) == ((0, 1, 0), True)  # Azure has won


@pytest.mark.long
def test_steps_of_chance_are_listed_and_never_mistakes() -> None:
    drawn = [turn for turn in whole_analysis().turns if turn.seat == CHANCE]
    assert drawn
    assert all((turn.mark, turn.best, turn.loss) == ("", None, 0) for turn in drawn)
    assert drawn[0].text == "*reveal Transmute"


@pytest.mark.long
def test_a_mistake_names_the_better_turn_and_its_chances_for_its_player() -> None:
    marked = [turn for turn in whole_analysis().turns if turn.mark]
    assert marked
    for turn in marked:
        assert turn.best is not None
        gained = turn.best.shares[turn.seat] - turn.shares[turn.seat]
        assert gained == pytest.approx(turn.loss, abs=0.001)
        assert "winning chances of" in turn.reason or "win" in turn.reason


@pytest.mark.parametrize(("loss", "mark"), [(0.06, ""), (0.07, "?!"), (0.14, "?"), (0.24, "??")])
def test_marks_among_three_begin_at_a_fifth_of_a_fair_share(loss: float, mark: str) -> None:
    record = whole_record()
    turn = without_setup(record.turns)[0]
    played = turn.before
    for move in turn.moves:
        played = GAME.play(played, turn.seat, move)

    def think_less_of_what_was_played(game: AnyGame, state: State, limits: SearchLimits, **_: object) -> SearchResult:
        share = 0.4 - loss * (state == played)
        others = tuple(share if seat == turn.seat else (1 - share) / 2 for seat in range(3))
        return replace(think_of_shares(game, state, limits), value=share, shares=others)

    (judged,) = analyse(replace(record, turns=[turn]), LIMITS, think=think_less_of_what_was_played).turns
    assert judged.mark == mark


@pytest.mark.long
def test_mistakes_are_summed_up_for_each_seat() -> None:
    summed = whole_analysis().sum_up_mistakes()
    marked = [turn for turn in whole_analysis().turns if turn.mark]
    assert sum(sum(each.counts.values()) for each in summed) == len(marked)
    assert sum(each.loss for each in summed) == pytest.approx(sum(turn.loss for turn in marked), abs=0.001)


def test_an_analysis_survives_as_data() -> None:
    assert Analysis.from_dict(json.loads(json.dumps(whole_analysis().as_dict()))) == whole_analysis()


def test_an_older_analysis_has_no_shares() -> None:
    data = whole_analysis().as_dict()
    del data["shares"]
    for turn in data["turns"]:
        del turn["shares"]
        (turn["best"] or {}).pop("shares", None)
    old = Analysis.from_dict(data)
    assert (old.shares, old.turns[0].shares) == ((), ())


def test_the_terminal_shows_a_row_for_each_seat_and_the_mistakes_in_words() -> None:
    text = format_analysis(whole_analysis())
    lines = text.splitlines()
    assert lines[0].startswith("Winning chances, turn by turn")
    for name in ("Scarlet", "Azure", "Amber"):
        assert sum(line.startswith(f"{name:<8} │") for line in lines) == 1
    assert "Mistakes" in lines
    assert any(line.startswith("  ") and line.endswith("of a win given away") for line in lines)
    assert any("Chance" in line and "*reveal" in line for line in lines)


def test_the_page_has_a_line_for_each_seat_and_boards_of_the_right_turns() -> None:
    graph = build_graph(whole_analysis())
    assert len(graph.lines) == 3
    assert all(line.count("L") == len(whole_analysis().turns) + 1 for line in graph.lines)
    page = render_analysis(whole_record(), whole_analysis())
    assert all(f'class="chances line-{seat}"' in page for seat in range(3))
    assert page.count('<tr id="turn-') == len(whole_analysis().turns)
    point = whole_analysis().turning_points()[0]
    played = without_setup(whole_record().turns)[whole_analysis().turns.index(point)]
    assert played.text == point.text
    name = whole_analysis().seat_names[point.seat]
    assert f"{name}&#39;s chances went from" in page


def test_the_search_evaluates_states_in_which_chance_acts() -> None:
    record = whole_record()
    drawn = next(turn for turn in without_setup(record.turns) if turn.seat == CHANCE)
    found = think(GAME, drawn.before, SearchLimits(nodes=4))
    assert found.lines == ()
    assert sum(found.shares) == pytest.approx(1)
    assert found.value == found.shares[drawn.turn.seat]
    decided = think(GAME, without_setup(record.turns)[0].before, SearchLimits(nodes=4))
    assert decided.shares[1] == decided.value
    assert sum(decided.shares) == pytest.approx(1)


def test_games_for_several_seats_have_no_analysis_board() -> None:
    assert can_analyse(GAME.info)
    assert not has_analysis_board(GAME.info)
    with pytest.raises(BadInput, match="has no analysis board"):
        check_has_board(GAME.info)
    assert not can_analyse(realmtable.game("magic_realm").info)


def test_the_seats_of_a_state_that_does_not_know_them_are_counted_by_a_playout(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ParryDuel()
    assert not isinstance(game, HasSeatCount)
    monkeypatch.setattr(game, "info", replace(game.info, compiled=True))  # else it could not be analysed
    match = Match.start(game, game.initial(3))
    record = Record.from_match(match.play(0, game.legal_moves(match.state, 0)[0]))
    analysis = analyse(record, LIMITS, think=think_first_moves)
    assert analysis.seat_names == game.info.seat_names[:3]
