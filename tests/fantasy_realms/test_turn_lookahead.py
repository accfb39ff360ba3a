"""Lookahead over a turn: the possible results of each step, and the network's estimates of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from realmtable.games.fantasy_realms.bots.hand_values import hand_values_for, mask_of
from realmtable.games.fantasy_realms.bots.knowledge import Knowledge
from realmtable.games.fantasy_realms.bots.network import (
    DISCARD,
    DISCARD_COUNT,
    INPUTS,
    KNOWN,
    MISSING,
    SEATS,
    WORTH,
    TurnEnd,
    forecast,
    network_inputs,
)
from realmtable.games.fantasy_realms.bots.turn_lookahead import Prospect, TurnLookahead, evaluate_steps
from realmtable.games.fantasy_realms.cards import CARDS, CardId, names_of
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.score import best_worth
from realmtable.games.fantasy_realms.state import Step
from tests.fantasy_realms.helpers import ids

OPTIONS = FantasyOptions()


ARMY = ids("King", "Knights", "Light Cavalry", "Rangers", "Dwarvish Infantry", "Elven Archers", "Candle")


def knowledge_of(hand: tuple[CardId, ...] = ARMY, discard: tuple[CardId, ...] = (), *, seats: int = 4) -> Knowledge:
    """Return the knowledge of a player who has seen only their hand and the discard area."""
    unseen = tuple(card.id for card in CARDS if card.id not in {*hand, *discard})
    return Knowledge(0, seats, hand, discard, (0,) * seats, unseen, 12 if seats == 2 else 10, max(0, 7 - len(hand)))


def drop_prospects(knows: Knowledge) -> list[Prospect]:
    return evaluate_steps(knows, [Step("drop", card) for card in knows.hand], OPTIONS, Random(1))


def test_a_step_has_points_between_its_range_and_the_best_lead_is_first() -> None:
    found = drop_prospects(knowledge_of((*ARMY, *ids("Queen"))))
    assert [each.lead for each in found] == sorted((each.lead for each in found), reverse=True)
    assert all(each.low <= each.value <= each.high for each in found)
    assert all(150 < each.value < 350 for each in found)


def test_king_and_queen_are_not_discarded() -> None:
    found = drop_prospects(knowledge_of((*ARMY, *ids("Queen"))))
    assert {found[-1].step.card, found[-2].step.card} <= {*ids("King", "Queen", "Knights", "Dwarvish Infantry")}
    assert found[0].step.card not in ids("King", "Queen")


def test_the_heading_hand_has_about_seven_cards_those_held_first() -> None:
    best = drop_prospects(knowledge_of((*ARMY, *ids("Queen"))))[0]
    assert 6 < sum(chance for _, chance in best.heading) < 8
    assert [chance for _, chance in best.heading] == sorted((chance for _, chance in best.heading), reverse=True)
    assert {"King", "Queen"} <= set(names_of([card for card, _ in best.heading[:7]]))


def test_the_drop_that_ends_the_game_counts_what_there_is() -> None:
    """P4: with the tenth card nothing comes any more."""
    lying = ids(
        "Smoke", "Swamp", "Great Flood", "Mountain", "Wildfire", "Lightning", "Blizzard", "Whirlwind", "Rainstorm"
    )
    for each in drop_prospects(knowledge_of((*ARMY, *ids("Queen")), lying)):
        rest = [card for card in (*ARMY, *ids("Queen")) if card != each.step.card]
        assert each.value == each.low == each.high == best_worth(rest)
        assert dict(each.heading) == dict.fromkeys(rest, 1.0)


def test_the_deck_may_bring_any_unseen_card_and_a_taken_one_stays() -> None:
    turn = TurnLookahead(knowledge_of(discard=ids("Queen")), hand_values_for(OPTIONS), Random(1), 99)
    assert [len(case) for case in turn.cases(Step("take", *ids("Queen")))] == [7]
    assert all(
        moment.hand >> ids("Queen")[0] & 1 for case in turn.cases(Step("take", *ids("Queen"))) for moment in case
    )
    few = TurnLookahead(knowledge_of(discard=ids("Queen")), hand_values_for(OPTIONS), Random(1), 2)
    assert [len(case) for case in few.cases(Step("deck"))] == [8, 8]


def test_a_card_that_makes_the_hand_is_better_than_the_deck() -> None:
    steps = [Step("deck"), *(Step("take", card) for card in ids("Queen", "Smoke"))]
    found = evaluate_steps(knowledge_of(discard=ids("Queen", "Smoke")), steps, OPTIONS, Random(1), samples=3)
    assert found[0].step == Step("take", *ids("Queen"))
    assert found[-1].step == Step("take", *ids("Smoke"))


def test_while_two_players_gather_a_card_is_taken_for_nothing_or_one_of_two_is_kept() -> None:
    """W1."""
    knows = knowledge_of(ARMY[:3], ids("Queen"), seats=2)
    turn = TurnLookahead(knows, hand_values_for(OPTIONS), Random(1), 3)
    assert [[moment.hand.bit_count() for moment in case] for case in turn.cases(Step("take", *ids("Queen")))] == [[4]]
    pairs = list(turn.cases(Step("deck")))
    assert len(pairs) == 6
    assert all(one.hand ^ two.hand == one.discard ^ two.discard for one, two in pairs)
    assert len(evaluate_steps(knows, [Step("deck"), Step("take", *ids("Queen"))], OPTIONS, Random(1), samples=3)) == 2


def test_what_hidden_hands_hold_is_not_asked() -> None:
    """The order in which unseen cards are listed changes nothing where all are looked at."""
    knows = knowledge_of(ARMY[:6] + ids("Queen"))
    other = replace(knows, unseen=knows.unseen[::-1][:4])
    same = replace(knows, unseen=knows.unseen[-4:])
    one, two = (evaluate_steps(each, [Step("deck")], OPTIONS, Random(1))[0] for each in (other, same))
    assert one.value == pytest.approx(two.value)


# ---- the network


def test_a_state_sets_the_right_inputs() -> None:
    hand, lying, theirs = ids("King", "Queen"), ids("Smoke"), ids("Swamp", "Candle")
    row = network_inputs([TurnEnd(mask_of(hand), mask_of(lying), mask_of(theirs), 3, 50)])[0]
    expected = {*hand, DISCARD + lying[0], *(KNOWN + card for card in theirs), DISCARD_COUNT + 1, SEATS + 1}
    assert {int(place) for place in np.flatnonzero(row == 1)} == expected
    assert (len(row), row[MISSING], row[WORTH]) == (INPUTS, pytest.approx(5 / 7), 0.5)


def test_the_network_expects_more_of_more_time_and_less_of_a_hand_without_anything() -> None:
    army = mask_of(ARMY)
    lying = mask_of(ids("Smoke", "Swamp", "Great Flood", "Mountain", "Wildfire", "Lightning", "Blizzard", "Whirlwind"))
    worth = best_worth(ARMY)
    early, late = forecast([TurnEnd(army, 0, 0, 4, worth), TurnEnd(army, lying, 0, 4, worth)]).points
    assert early > late > worth - 20
