"""Analyses: chances, losses and marks follow from the searches, reasons from the features."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import realmtable
from realmtable.analysis.game_analysis import MARKS, AnalysedTurn, Analysis, analyse, can_analyse, run_study
from realmtable.analysis.reasons import explain_better, explain_good, singular
from realmtable.analysis.variation import Variation, best_variation, build_variation
from realmtable.engine.errors import BadInput
from realmtable.engine.match import Match
from realmtable.engine.protocol import State
from realmtable.engine.record import Record, load_record
from realmtable.kit.evaluation import HasFeatures
from realmtable.search.search_result import SearchLimits, SearchLine, SearchResult
from realmtable.search.think import think
from tests.analysis.fake_think import think_greedily
from tests.conformance.random_games import TOYS

REALM = realmtable.game("realm")
RECORDS = Path(realmtable.__file__).parent / "games"
LIMITS = SearchLimits(nodes=10)
LATE = "W:Bh11,Bh5,Pg10,Pi12,Pi6 B:Bh2,Be5,Pg3,Pd6,Pd4 move=W"
TWO_REALMS = "Pg10f10(Be11),Pi12j12(Bk11)"
QUIET = "Pi6i3"


def record_of(*turns: str, start: str = LATE) -> Record:
    """Return a record of some turns of Realm."""
    match = Match.start(REALM, REALM.decode(start))
    for text in turns:
        for move in REALM.parse_turn(match.state, text).moves:
            match = match.play(REALM.to_move(match.state)[0], move)
    return Record.from_match(match)


class ScriptedThink:
    """A fake search that returns the given values and best turns, one per call."""

    def __init__(self, *thoughts: tuple[float, str] | tuple[float, str, bool]) -> None:
        self.thoughts = iter(thoughts)
        self.states: list[str] = []

    def __call__(self, game: Any, state: State, limits: SearchLimits, **_: Any) -> SearchResult:  # noqa: ANN401 - the game's own
        assert limits == LIMITS
        self.states.append(game.encode(state))
        value, text, *proven = next(self.thoughts)
        moves = tuple(game.parse_turn(state, text).moves)
        return SearchResult(value, bool(proven), 10, 0.5, (SearchLine(moves, value, 10, bool(proven)),))


# ---- chances and marks


def test_chances_are_the_first_seat_s_and_a_good_turn_loses_nothing() -> None:
    engine = ScriptedThink((0.6, "Pg10f10(Be11)"), (0.45, "Pg3f3(Be2)"), (0.55, "Pi6i7(Bh8)"))
    found = analyse(record_of("Pg10f10(Be11)", "Pg3f3(Be2)"), LIMITS, think=engine)
    assert found.chance == 0.6
    assert [(turn.chance, turn.mark, turn.loss, turn.reason) for turn in found.turns] == [
        (0.55, "", 0, ""),
        (0.55, "", 0, ""),
    ]
    assert [turn.steps for turn in found.turns] == [(1, 2), (3, 4)]
    assert (found.nodes, found.seconds) == (30, 1.5)


@pytest.mark.parametrize(
    ("loss", "mark"), [(0.05, ""), (0.1, "?!"), (0.2, "?"), (0.34, "?"), (0.35, "??"), (0.6, "??")]
)
def test_a_turn_is_marked_by_what_it_gives_away(loss: float, mark: str) -> None:
    kept = 0.8
    engine = ScriptedThink(
        (kept, "Pg10f10(Be11)"),  # before
        (1 - kept + loss, "Pg3f3(Be2)"),  # after the turn that was played, for Black
        (1 - kept, "Pg3f3(Be2)"),  # after the better one
    )
    (turn,) = analyse(record_of("Pi6i7(Bh8)"), LIMITS, think=engine).turns
    assert turn.mark == mark
    assert turn.loss == pytest.approx(loss if mark else 0)
    assert bool(turn.reason) == bool(mark)
    assert len(engine.states) == (3 if mark else 2)


def test_a_better_turn_must_hold_when_it_is_looked_at() -> None:
    engine = ScriptedThink((0.9, "Pg10f10(Be11)"), (0.6, "Pg3f3(Be2)"), (0.55, "Pg3f3(Be2)"))
    (turn,) = analyse(record_of("Pi6i7(Bh8)"), LIMITS, think=engine).turns
    assert (turn.mark, turn.loss, turn.reason) == ("", 0, "")
    assert turn.best is not None
    assert turn.best.turns[0].text == "Pg10f10(Be11)"


def test_another_order_of_the_same_turn_loses_nothing() -> None:
    engine = ScriptedThink((0.9, "Pi12j12(Bk11),Pg10f10(Be11)"), (0.6, "Pg3f3(Be2)"))
    (turn,) = analyse(record_of(TWO_REALMS), LIMITS, think=engine).turns
    assert (turn.mark, turn.loss) == ("", 0)


def test_black_s_losses_are_black_s() -> None:
    engine = ScriptedThink((0.5, "Pg10f10(Be11)"), (0.7, "Pd6c6(Bb5)"), (0.65, "Pi6i7(Bh8)"), (0.3, "Pi6i7(Bh8)"))
    found = analyse(record_of("Pg10f10(Be11)", "Pg3f3(Be2)"), LIMITS, think=engine)
    black = found.turns[1]
    assert (black.chance, black.mark) == (0.65, "??")
    assert black.best is not None
    assert black.best.chance == pytest.approx(0.3)
    assert "gives Black winning chances of 70% instead of 35%" in black.reason


@pytest.mark.long
def test_how_a_game_ended_is_certain() -> None:
    text = (RECORDS / "realm/records/magazine-game.record").read_text(encoding="utf-8")
    found = analyse(load_record(text, realmtable.game), LIMITS, think=think_greedily)
    assert (found.turns[-1].chance, found.turns[-1].proven) == (1.0, True)
    assert any(turn.mark for turn in found.turns)


def test_progress_is_reported_turn_by_turn() -> None:
    progress: list[tuple[int, int]] = []
    record = record_of("Pg10f10(Be11)", "Pg3f3(Be2)")
    analyse(record, LIMITS, think=think_greedily, on_progress=lambda *at: progress.append(at))
    assert progress[0] == (0, 2)
    assert [done for done, _ in progress] == sorted(done for done, _ in progress)


def make_judged_turn(number: int, loss: float) -> AnalysedTurn:
    mark = next((sign for least, sign in MARKS if loss >= least), "")
    return AnalysedTurn(number, 0, "", (number, number), 0.5, False, loss, mark, None, "")


def analysis_with_losses(*losses: float) -> Analysis:
    turns = tuple(make_judged_turn(number, loss) for number, loss in enumerate(losses, 1))
    return Analysis("realm", 1, 1, None, 10, ("White", "Black"), 0.5, turns, 0, 0)


def test_turning_points_are_the_worst_turns_in_order() -> None:
    many = analysis_with_losses(0.25, 0.12, 0.5, 0.0, 0.3, 0.4, 0.22, 0.21, 0.6)
    assert [turn.number for turn in many.turning_points()] == [1, 3, 5, 6, 7, 9]
    assert [turn.number for turn in analysis_with_losses(0.0, 0.12, 0.05, 0.11).turning_points()] == [2, 4]
    assert analysis_with_losses(0.0, 0.05).turning_points() == []


# ---- which games


def test_only_games_for_two_without_secrets_and_dice() -> None:
    assert can_analyse(REALM.info)
    for toy in TOYS:
        assert can_analyse(toy.info) == (toy.info.seats == (2,) and not toy.info.hidden and not toy.info.chance)
        if can_analyse(toy.info):
            continue
        record = Record.from_match(Match.start(toy, toy.initial(toy.info.seats[0]), "seed"))
        with pytest.raises(BadInput, match=r"cannot be analysed: (it has secrets|the engine cannot search)"):
            analyse(record, LIMITS, think=think_greedily)


def test_a_record_without_a_turn_is_refused() -> None:
    with pytest.raises(BadInput, match="has no turns"):
        next(run_study(record_of(), LIMITS))


# ---- reasons


def make_variation(start: str, *turns: str, chance: float, proven: bool = False) -> Variation:
    """Return the line of some turns from a position."""
    state = REALM.decode(start)
    record = record_of(*turns, start=start)
    return build_variation(REALM, state, [move for turn in record.turns for move in turn.moves], chance, proven)


def test_reasons_count_what_the_game_judges() -> None:
    better = make_variation(LATE, TWO_REALMS, chance=0.7)
    played = make_variation(LATE, QUIET, chance=0.5)
    said = explain_better(REALM, 0, better, played)
    assert said.startswith(
        f"{TWO_REALMS} gives White winning chances of 70% instead of 50%: on balance, White has two more Realms"
    )


def test_counts_in_reasons_are_differences_of_measures() -> None:
    better, played = make_variation(LATE, "Pg10f10(Be11)", chance=0.7), make_variation(LATE, QUIET, chance=0.5)
    assert isinstance(REALM, HasFeatures)
    index = [feature.words for feature in REALM.features()].index("Realms")
    counts = [REALM.measures(found.states[0])[index] for found in (better, played)]
    assert counts[0] - counts[1] == 1
    assert "one more Realm" in explain_better(REALM, 0, better, played)


def test_if_the_features_disagree_only_the_chances_are_given() -> None:
    better, played = make_variation(LATE, QUIET, chance=0.7), make_variation(LATE, TWO_REALMS, chance=0.5)
    assert explain_better(REALM, 0, better, played) == "Pi6i3 gives White winning chances of 70% instead of 50%."


def test_proven_wins_losses_and_draws_are_reported() -> None:
    played = make_variation(LATE, QUIET, chance=0.5)
    lost = make_variation(LATE, QUIET, chance=0.0, proven=True)
    win = make_variation(LATE, "Pg10f10(Be11)", "Pg3f3(Be2)", "Pi6i7(Bh8)", chance=1.0, proven=True)
    draw = make_variation(LATE, "Pg10f10(Be11)", chance=0.5, proven=True)
    fair = make_variation(LATE, "Pg10f10(Be11)", chance=0.6)
    assert explain_better(REALM, 0, win, played) == "Pg10f10(Be11) forces a win for White."
    said = explain_better(REALM, 0, fair, lost)
    assert said == "This lets Black force a win; Pg10f10(Be11) keeps White's chances at 60%."
    said = explain_better(REALM, 0, draw, make_variation(LATE, QUIET, chance=0.2))
    assert said == "Pg10f10(Be11) forces a draw; this turn gives White winning chances of 20%."
    said = explain_good(REALM, REALM.decode(LATE), 0, lost, None)
    assert said == "White loses whatever they play, if Black plays well."


def test_an_immediate_win_and_a_win_in_the_line_are_reported() -> None:
    text = (RECORDS / "realm/records/magazine-game.record").read_text(encoding="utf-8")
    turns = load_record(text, realmtable.game).turns
    last, third = turns[-1], turns[-3]
    at_once = build_variation(REALM, last.before, last.moves, 1.0, proven=True)
    assert explain_good(REALM, last.before, 0, at_once, None) == "Pe7e6(Be5) wins the game at once."
    moves = [move for turn in turns[-3:] for move in turn.moves]
    longer = build_variation(REALM, third.before, moves, 1.0, proven=True)
    said = explain_better(REALM, 0, longer, longer)
    assert said == "Pc7e7(Ef7N) forces a win for White within two turns in this line."


def test_hints_say_what_is_gained_until_one_moves_again_and_what_is_next_best() -> None:
    best = make_variation(LATE, TWO_REALMS, "Pg3g4", chance=0.7)
    second = make_variation(LATE, QUIET, chance=0.5)
    said = explain_good(REALM, REALM.decode(LATE), 0, best, second)
    assert said.startswith("White's winning chances: 70%. On balance, this means two more Realms")
    assert " after two turns of best play. " in said
    assert said.endswith(" The next best turn, Pi6i3, gives 50%.")
    assert explain_good(REALM, REALM.decode(LATE), 0, second, second) == "White's winning chances: 50%."


def test_where_nothing_is_gained_a_hint_names_the_answer_to_expect() -> None:
    quiet = make_variation(LATE, QUIET, "Pg3f3(Be2)", chance=0.5)
    said = explain_good(REALM, REALM.decode(LATE), 0, quiet, None)
    reply = "Pg3f3(Be2): Power from g3 to f3, founding a Base on e2"
    assert said == f"White's winning chances: 50%. Black's best reply is {reply}."


def test_features_of_every_game_can_be_described_one_by_one() -> None:
    for info in realmtable.infos():
        game = realmtable.game(info.id)
        if isinstance(game, HasFeatures):
            for feature in game.features():
                assert feature.words.startswith("the ") or singular(feature.words) != feature.words, feature


# ---- with the real engine


@pytest.mark.compiled
def test_the_engine_s_lines_are_legal_and_its_analysis_is_repeatable() -> None:
    record = record_of(QUIET, "Pg3f3(Be2)")
    limits = SearchLimits(nodes=400)
    found = analyse(record, limits)
    assert found.turns == analyse(record, limits).turns
    assert all(0 <= turn.chance <= 1 for turn in found.turns)
    thought = think(REALM, REALM.decode(LATE), limits, lines=3)
    assert best_variation(REALM, REALM.decode(LATE), thought).turns
