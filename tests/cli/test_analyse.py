"""`realmtable analyse`: the evaluation of every turn, the turning points, a graph, and clear errors."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import realmtable
from realmtable.analysis.game_analysis import AnalysedTurn, Analysis, BestLine
from realmtable.analysis.variation import VariationTurn
from realmtable.cli.analyse import format_analysis, format_graph
from realmtable.engine.record import load_record
from realmtable.search import think
from tests.analysis.fake_think import think_greedily
from tests.cli.command_line import expect_refusal, run_cli, run_process

RECORDS = Path(realmtable.__file__).parent / "games"
GAME = RECORDS / "realm/records/magazine-game.record"
SHORT = RECORDS / "realm/records/option-power-sacrifice.record"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the search of this process by a fast fake."""
    monkeypatch.setattr(think, "think", think_greedily)


@pytest.mark.long
def test_every_turn_is_judged_and_turning_points_say_what_was_better() -> None:
    done = run_cli("analyse", str(GAME))
    assert done.code == 0
    assert "White's chances, turn by turn" in done.out
    listed = [line for line in done.out.splitlines() if "%" in line and "White  " in line + "  "]
    assert any("Pi10i6(Bh5),Pc4g4(Ei4W)" in line for line in listed)
    assert "Turning points" in done.out
    assert "instead of" in done.out
    assert "Thinking" in done.err


@pytest.mark.long
def test_json_is_the_whole_analysis() -> None:
    done = run_cli("analyse", str(SHORT), "--json", "--nodes", "50")
    found = Analysis.from_dict(json.loads(done.out))
    assert (found.game, found.nodes_per_move, found.seconds_per_move) == ("realm", 50, None)
    assert len(found.turns) == len(load_record(SHORT.read_text(encoding="utf-8"), realmtable.game).turns)


@pytest.mark.long
def test_the_page_holds_the_graph_the_turning_points_with_boards_and_every_turn() -> None:
    done = run_cli("analyse", str(GAME), "--html", "game.html")
    assert done.code == 0
    assert "Turning points" in done.out  # it is printed all the same
    found = Path("game.html").read_text(encoding="utf-8")
    assert found.startswith("<!doctype html>")
    assert not re.search(r'(src|href)="(?!data:|#)', found)  # nothing from elsewhere
    turns = load_record(GAME.read_text(encoding="utf-8"), realmtable.game).turns
    assert found.count('<tr id="turn-') == len(turns)
    points = found.count('<article class="point"')
    assert points == done.out.split("Turning points")[1].count("instead of") > 0
    assert found.count('src="data:image/svg+xml;base64,') == 2 * points  # what was played, and what was better
    assert set(re.findall(r'href="#([^"]+)"', found)) <= set(re.findall(r' id="([^"]+)"', found))


@pytest.mark.long
def test_a_page_is_written_with_json_and_only_into_an_existing_folder() -> None:
    done = run_cli("analyse", str(SHORT), "--json", "--html", "short.html")
    assert json.loads(done.out)["game"] == "realm"
    assert Path("short.html").exists()
    assert "There is no folder nowhere to write short.html to." in expect_refusal(
        "analyse", str(SHORT), "--html", "nowhere/short.html"
    )


def test_other_games_are_refused_in_a_sentence(toys: None) -> None:
    assert toys is None
    Path("empty.record").write_text("Game: realm\n", encoding="utf-8")
    Path("dice.record").write_text("Game: dice_duel\n", encoding="utf-8")
    assert "cannot be analysed: the engine cannot search its dice" in expect_refusal("analyse", "dice.record")
    assert "has no turns" in expect_refusal("analyse", "empty.record")
    assert "cannot be read" in expect_refusal("analyse", "nothing.record")


@pytest.mark.parametrize("flags", [["--nodes", "0"], ["--seconds-per-move", "0"], ["--threads", "0"]])
def test_limits_must_be_positive(flags: list[str]) -> None:
    assert run_cli("analyse", str(GAME), *flags).code == 2


def make_judged_turn(number: int, chance: float, mark: str = "") -> AnalysedTurn:
    best = BestLine((VariationTurn(number, 0, "Bb5", ("Bb5",)),), 0.9, proven=False)
    return AnalysedTurn(number, 0, f"turn{number}", (number, number), chance, False, 0.3, mark, best, "Bb5 was better.")


def make_analysis(*turns: AnalysedTurn) -> Analysis:
    return Analysis("realm", 1, 1, 1.0, None, ("White", "Black"), 0.5, turns, 1234, 2.5)


def test_the_graph_rises_with_the_chances_and_carries_the_marks() -> None:
    drawn = format_graph(
        make_analysis(make_judged_turn(1, 0.0), make_judged_turn(2, 0.5, "?!"), make_judged_turn(3, 1.0, "??"))
    )
    assert drawn == [
        "100% │  █",
        "     │  █",
        " 50% │ ▄█",
        "     │ ██",
        "  0% │ ██",
        "       ·?",
    ]
    assert format_graph(make_analysis(make_judged_turn(1, 1.0)))[-1] == "  0% │█"


def test_a_long_game_fits_the_terminal() -> None:
    drawn = format_graph(
        make_analysis(*(make_judged_turn(number, number / 400, "?" if number == 399 else "") for number in range(400)))
    )
    assert max(map(len, drawn)) <= 104
    assert drawn[-1].strip() == "?"


def test_what_is_printed() -> None:
    text = format_analysis(make_analysis(make_judged_turn(1, 0.5), make_judged_turn(2, 0.25, "?")))
    assert "1,234 positions searched in 2.5 s" in text
    assert "  2. White   25% ?  turn2\n                   better (90%): Bb5" in text
    assert text.endswith("Turning points\n    2. White  turn2?\n      Bb5 was better.")
    assert format_analysis(make_analysis(make_judged_turn(1, 0.5))).endswith(
        "No turn lost 10% or more of the expected score."
    )


@pytest.mark.slow
def test_the_real_engine_analyses_a_real_game() -> None:
    done = run_process("analyse", str(SHORT), "--nodes", "200")
    assert done.code == 0, done.err
    assert "White's chances" in done.out
