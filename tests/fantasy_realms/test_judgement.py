"""Finished games are judged step by step, by what each player could know, and mistakes are explained by cards."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from realmtable.analysis.game_analysis import Analysis, analyse, can_analyse
from realmtable.cli.analyse import format_analysis
from realmtable.engine.errors import BadInput
from realmtable.engine.match import Match
from realmtable.engine.protocol import Judgement, player_seats
from realmtable.engine.record import Record
from realmtable.games.fantasy_realms.bots.bot import FantasyBot
from realmtable.games.fantasy_realms.bots.judgement import explain_better
from realmtable.games.fantasy_realms.bots.knowledge import read_knowledge
from realmtable.games.fantasy_realms.bots.turn_lookahead import Prospect
from realmtable.games.fantasy_realms.state import State, Step
from realmtable.search.search_result import SearchLimits
from tests.fantasy_realms.helpers import GAME, ids, start, table
from tests.shipped_records import ShippedRecords

LIMITS = SearchLimits(nodes=1)


def judge_discard(hand: list[str], card: str, discard: list[str]) -> Judgement:
    """Judge the discard of a card from a hand of eight, late in a game of three."""
    view = {**GAME.view(table(3), 0), "phase": "discard", "hand": hand, "known": [[], [], []], "last_turns": True}
    view["discard"] = [{"card": name, "seat": 1} for name in discard]
    view["moves"] = {"deck": False, "take": [], "drop": hand}
    found = GAME.judge(view, Step("drop", ids(card)[0]), Random(1))
    assert found is not None
    return found


HAND = ["Knights", "King", "Queen", "Rangers", "Elven Archers", "Princess", "Empress", "Smoke"]
LATE = ["Candle", "Swamp", "Forge", "Hydra", "Warship", "Air Elemental", "Dragon", "Warhorse"]


def test_the_best_discard_has_no_mark_and_a_costly_one_says_what_it_cost() -> None:
    best = judge_discard(HAND, "Smoke", LATE)
    assert (best.loss, best.mark, best.reason, best.best) == (0, "", "", Step("drop", ids("Smoke")[0]))
    worst = judge_discard(HAND, "King", LATE)
    assert worst.mark == "??"
    assert worst.loss > 24
    assert worst.best == best.best
    assert worst.best_value == best.value > worst.value
    assert worst.reason.startswith(
        f"Keeping King and discarding Smoke would have been worth about {round(worst.loss)} more: with "
    )


def test_a_card_left_lying_and_one_given_to_others_are_explained() -> None:
    view = {**GAME.view(table(3), 0), "phase": "draw", "hand": HAND[1:], "known": [[], [], []]}
    view["discard"] = [{"card": "Knights", "seat": 1}]
    view["moves"] = {"deck": True, "take": ["Knights"], "drop": []}
    found = GAME.judge(view, Step("deck"), Random(1))
    assert found is not None
    assert found.best == Step("take", ids("Knights")[0])
    assert found.reason.startswith(f"Taking Knights would have been worth about {round(found.loss)} more: with ")
    known = read_knowledge(view)
    worse, better = (
        Prospect(Step("drop", ids(name)[0]), 100, lead, 90, 110, ()) for name, lead in (("King", 0), ("Queen", 20))
    )
    sentence = explain_better(known, better, worse, GAME.options())
    assert sentence == "Discarding Queen would have been worth about 20 more: King helps the strongest opponent."


def test_a_step_without_a_choice_and_steps_of_trading_are_not_judged() -> None:
    view = GAME.view(table(3), 1)
    assert GAME.judge({**view, "moves": {"deck": True, "take": [], "drop": []}}, Step("deck"), Random(1)) is None
    trading = GAME.view(table(3, "chaos"), 0)
    assert GAME.judge(trading, Step("ready"), Random(1)) is None


@cache
def short_match() -> Match:
    """A two-player game of greedy players, cut off after a few turns."""
    match = Match.start(GAME, start(2), seed="judged")
    bot, rng = FantasyBot(), Random(1)
    while len(match.turns()) < 14 and (acting := player_seats(GAME.to_move(match.state))):
        match = match.play(acting[0], bot.choose(GAME, match.state, acting[0], rng))
    return match


@cache
def short_analysis() -> Analysis:
    return analyse(Record.from_match(short_match()), LIMITS)


def test_a_game_has_the_points_every_seat_could_expect_after_each_decision() -> None:
    found, log = short_analysis(), short_match().log()
    assert (found.unit, found.seat_names) == ("points", ("Scarlet", "Azure"))
    assert can_analyse(GAME.info)
    before = found.shares
    for turn in found.turns:
        entry = log[turn.steps[0] - 1]
        assert (turn.seat, turn.text) == (entry.seat, GAME.format_move(entry.before, entry.move))
        assert [after for seat, after in enumerate(turn.shares) if seat != turn.seat] == [
            points for seat, points in enumerate(before) if seat != turn.seat
        ]
        assert bool(turn.mark) == bool(turn.reason) == (turn.loss >= 8)
        before = turn.shares
    assert Analysis.from_dict(found.as_dict()) == found


def test_a_judgement_depends_only_on_what_the_seat_knew() -> None:
    """The same decision in another deal of the hidden cards is judged the same."""
    entry = next(entry for entry in short_match().log() if entry.move == Step("deck"))
    others: list[State] = [GAME.resample(entry.before, entry.seat, Random(seed)) for seed in range(3)]
    found = {GAME.judge(GAME.view(state, entry.seat), entry.move, Random(1)) for state in [entry.before, *others]}
    assert len(found) == 1


def test_the_command_prints_points_instead_of_chances() -> None:
    text = format_analysis(short_analysis())
    assert text.startswith("Expected points, step by step\n")
    assert "%" not in text


def test_a_game_that_ended_ends_with_its_scores() -> None:
    found = analyse(ShippedRecords("fantasy_realms").record_of("end-max-turns"), LIMITS)
    assert list(found.turns[-1].shares) == [106, 91, 110]
    assert found.turns[-1].proven


def test_chaos_realms_are_not_analysed_and_the_refusal_says_why() -> None:
    match = Match.start(GAME, start(3, "chaos"), seed="chaos")
    match = match.play(0, Step("ready"))
    with pytest.raises(BadInput, match="Chaos Realms are not analysed"):
        analyse(Record.from_match(match), LIMITS)
