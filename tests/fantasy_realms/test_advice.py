"""Advice in Fantasy Realms: every choice with its value, the reason in words, and no hidden information."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from realmtable.engine.errors import BadInput, Refused
from realmtable.engine.protocol import HasAdvice
from realmtable.games.fantasy_realms.bots import advice as advising
from realmtable.games.fantasy_realms.bots.advice import advise_question, advise_view
from realmtable.games.fantasy_realms.bots.advice_data import certain_row, make_chart
from realmtable.games.fantasy_realms.bots.advice_reasons import Reasons
from realmtable.games.fantasy_realms.bots.hand_values import mask_of
from realmtable.games.fantasy_realms.bots.knowledge import Knowledge
from realmtable.games.fantasy_realms.bots.turn_lookahead import Prospect
from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.hand_text import read
from realmtable.games.fantasy_realms.scoring.score import best_worth
from realmtable.games.fantasy_realms.state import State, Step
from tests.fantasy_realms.helpers import GAME, card, ids, legal

REALM = "King, Queen, Knights, Rangers, Candle, Sword of Keth, Bell Tower"
HANDS = (
    "hands=Mountain,Cavern,Bell-Tower,Forest,Basilisk,Dragon,Beastmaster"
    "/King,Queen,Princess,Knights,Empress,Rangers,Sword-of-Keth"
    "/Candle,Forge,Wildfire,Lightning,Smoke,Magic-Wand,Enchantress"
)
TRADING = f"{HANDS} phase=trade options=variant=chaos"
SET_UP = "hands=Candle,Book-of-Changes/Forest phase=draw first=1 turns=3 discard=Smoke@1"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the prospects be what the hand is worth at once, with the same spread for all."""

    def immediate_prospects(
        known: Knowledge, steps: Sequence[Step], options: FantasyOptions, _: Random
    ) -> list[Prospect]:
        found = [prospect(step, best_worth(hand_after(known.hand, step), (), options), known.hand) for step in steps]
        return sorted(found, key=lambda each: -each.value)

    monkeypatch.setattr(advising, "evaluate_steps", immediate_prospects)


def hand_after(hand: tuple[CardId, ...], step: Step) -> tuple[CardId, ...]:
    more = (*hand, step.card) if step.verb == "take" else hand
    return tuple(each for each in more if step.verb != "drop" or each != step.card)


def prospect(step: Step, value: float, hand: tuple[CardId, ...]) -> Prospect:
    heading = [(each, 0.9 - place / 10) for place, each in enumerate(hand_after(hand, step))]
    return Prospect(step, value, value - 200, value - 30.4, value + 20.6, tuple(heading))


def view(text: str, seat: int = 0) -> dict[str, Any]:
    return GAME.view(GAME.decode(text), seat)


def rows(found: dict[str, Any], place: int = 0) -> dict[str, dict[str, Any]]:
    return {choice["words"]: choice for choice in found["charts"][place]["choices"]}


# ---- drawing and dropping


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("text", "title"),
    [
        (f"{HANDS} phase=draw first=1 turns=6 discard=Island@1,Unicorn@2,Swamp@3", "What to draw?"),
        (HANDS.replace("Mountain", "Mountain,Hydra") + " phase=discard first=1", "What to discard?"),
        (SET_UP, "What to draw?"),
    ],
)
def test_every_legal_choice_is_listed_best_first(text: str, title: str) -> None:
    state = GAME.decode(text)
    found = advise_view(GAME.view(state, GAME.to_move(state)[0]), Random(1))
    (chart,) = found["charts"]
    assert chart["title"] == title
    assert sorted(choice["move"] for choice in chart["choices"]) == sorted(legal(state))
    values = [choice["value"] for choice in chart["choices"]]
    assert values == sorted(values, reverse=True)
    assert [choice["best"] for choice in chart["choices"]] == [True] + [False] * (len(values) - 1)
    assert [choice["behind"] for choice in chart["choices"]] == pytest.approx([values[0] - value for value in values])
    for choice in chart["choices"]:
        assert chart["low"] < choice["low"] < choice["value"] < choice["high"] <= chart["high"]
    assert (found["move"], found["words"]) == (chart["choices"][0]["move"], chart["choices"][0]["words"])
    assert json.loads(json.dumps(found)) == found


@pytest.mark.usefixtures("quick")
def test_value_and_spread_are_given_in_words_and_in_short() -> None:
    found = rows(advise_question(read(REALM, "Shield of Keth, Smoke"), 4, "", Random(1)))
    best, other = found["Take Shield of Keth"], found["Draw from the deck"]
    assert (best["shown"], best["span"]) == ("230", "200 to 251")
    assert best["text"] == "about 230, most games 200 to 251"
    assert other["text"] == "about 156, most games 126 to 177, 74 behind the best"


@pytest.mark.usefixtures("quick")
def test_the_hand_one_is_heading_for_is_shown_with_what_it_would_score() -> None:
    heading = advise_question(read(REALM, "Shield of Keth, Smoke"), 4, "", Random(1))["heading"]
    assert [each["card"] for each in heading["cards"]] == REALM.split(", ")
    assert heading["total"] == best_worth(ids(REALM))
    assert all(each["held"] for each in heading["cards"])
    assert heading["cards"][0]["chance"] == 0.9
    assert 'aria-label="King' in heading["cards"][0]["picture"]
    assert "90%, you hold it" in heading["cards"][0]["picture"]
    assert "<style" not in heading["cards"][0]["picture"]  # a page allows none but those it knows


@pytest.mark.usefixtures("quick")
def test_what_the_necromancer_would_take_counts_in_the_hand_to_come() -> None:
    hand = "Necromancer, Queen, Knights, Rangers, Candle, Forest, Bell Tower"
    found = advise_question(read(hand, "King, Smoke"), 4, "", Random(1))
    assert found["move"] == "take King"
    assert found["heading"]["total"] == best_worth(ids(hand), ids("Smoke"))


@pytest.mark.usefixtures("quick")
def test_cards_not_held_yet_are_marked_by_their_chance_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [Prospect(Step("deck"), 100, -20, 90, 120, ((card("King"), 0.5), (card("Smoke"), 0.25)))]
    monkeypatch.setattr(advising, "evaluate_steps", lambda *_: steps)
    found = advise_question(read(REALM), 4, "", Random(1))["heading"]["cards"]
    assert [(each["card"], each["held"]) for each in found] == [("King", True), ("Smoke", False)]
    assert "25%" in found[1]["picture"]
    assert "you hold it" not in found[1]["picture"]


@pytest.mark.usefixtures("quick")
def test_in_the_set_up_for_two_one_draws_two() -> None:
    assert advise_question(read("King, Queen"), 2, "", Random(1))["words"] == "Draw two from the deck"


# ---- why


def explain_with(
    hand: str,
    discard: str = "",
    heading: str = REALM,
    richest: Step = Step("deck"),  # noqa: B008 - a constant
) -> Callable[..., str]:
    away = ids(discard) if discard else ()
    reasons = Reasons(ids(hand), away, ids(heading), FantasyOptions(), richest)

    def sentence(verb: str, name: str = "", second: str = "") -> str:
        return reasons.sentence(
            Step(verb, card(name)) if name else Step(verb), Step("drop", card(second)) if second else None
        )

    return sentence


def test_a_card_that_is_taken_is_good_for_what_it_adds() -> None:
    keth = REALM.replace("Candle", "Shield of Keth")
    assert explain_with(REALM, "Shield of Keth", keth)("take", "Shield of Keth") == (
        "Shield of Keth adds 72 points now if you discard Candle, "
        "and 74 to the hand you are heading for, with Sword of Keth."
    )
    assert explain_with(REALM, "Shield of Keth")("take", "Shield of Keth").endswith("now if you discard Candle.")
    assert explain_with("Candle, King", "Queen", "King")("take", "Queen") == "Queen adds 6 points now."
    tower = explain_with("Wildfire", "Basilisk", "Basilisk, Candle")
    assert tower("take", "Basilisk") == "Basilisk adds nothing now, but 35 to the hand you are heading for."


def test_the_deck_is_good_if_the_discard_area_has_little() -> None:
    assert explain_with(REALM)("deck") == "The discard area is still empty."
    assert explain_with(REALM, "Dragon")("deck") == "Nothing in the discard area helps your hand now; a new card may."
    assert explain_with(REALM, "Dragon, Princess")("deck") == (
        "In the discard area, Princess helps most now, by 32 if you discard Candle; a new card promises more."
    )
    assert explain_with("King", "Queen")("deck").startswith("In the discard area, Queen helps most now, by 6; a new")


def test_a_card_that_is_dropped_is_missed_least_and_the_next_one_has_a_reason_to_stay() -> None:
    heading = "King, Queen, Knights, Rangers, Bell Tower, Warlord, Light Cavalry"
    best = explain_with(f"{heading}, Candle", "", heading)("drop", "Candle", "Bell Tower")
    assert best == (
        "Without Candle, your hand is worth the most now: 238. "
        "Keep Bell Tower: it adds 16 to the hand you are heading for, with Rangers."
    )
    assert explain_with("King, Queen, Candle")("drop", "Candle") == (
        "Without Candle, your hand is worth the most now: 14."
    )
    assert explain_with("King, Queen, Candle", "", "King, Queen")("drop", "Candle", "Forest") == (
        "Without Candle, your hand is worth the most now: 14."
    )


def test_a_card_that_looks_useless_stays_for_what_may_come() -> None:
    found = explain_with("King, Queen, Candle", "", "King, Queen, Candle, Knights")("drop", "Queen")
    assert found == (
        "Discarding Candle costs 4 points less today, but Queen has less future. "
        "Keep Candle: it adds 2 to the hand you are heading for."
    )


def test_a_choice_with_more_points_that_helps_others_is_mentioned(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, drawn = Step("take", card("Smoke")), Step("deck")
    heading = tuple((each, 0.5) for each in ids(REALM))
    found = [Prospect(drawn, 150, 20, 120, 180, heading), Prospect(taken, 158.2, 12, 130, 190, heading)]
    monkeypatch.setattr(advising, "evaluate_steps", lambda *_: found)
    advice = advise_question(read(REALM, "Smoke"), 4, "", Random(1))
    assert advice["reason"].endswith("Take Smoke promises you 8 more, but helps the strongest opponent even more.")
    assert "a new card promises more" not in advice["reason"]
    assert [(choice["best"], choice["behind"]) for choice in advice["charts"][0]["choices"]] == [(True, 0), (False, 8)]
    greedy = explain_with("King, Queen, Candle", "", "King, Queen, Candle", Step("drop", card("Candle")))
    assert greedy("drop", "Queen") == "Discarding Candle costs 4 points less today."


def test_a_gain_below_one_point_leaves_no_incomplete_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = f"{REALM}, Unicorn"
    heading = tuple((each, 0.5) for each in ids(REALM))
    found = [
        Prospect(Step("drop", card("King")), 150, 20, 120, 180, heading),
        Prospect(Step("drop", card("Candle")), 150.4, 19, 120, 180, heading),
    ]
    monkeypatch.setattr(advising, "evaluate_steps", lambda *_: found)
    advice = advise_question(read(hand), 4, "", Random(1))
    assert "Discarding Candle costs" in advice["reason"]
    assert "but King has less future." in advice["reason"]


def test_a_card_that_harms_the_hand_to_come_is_not_praised() -> None:
    assert explain_with("Candle, King", "Dragon", "Dragon, Candle")("take", "Candle").count("heading") == 1
    assert "heading" not in explain_with("Smoke, King", "", "Smoke, Candle")("drop", "King", "Smoke").split("Keep")[0]
    assert (
        explain_with("King", "Basilisk", "Basilisk, Light Cavalry, King, Wildfire")("take", "Basilisk").count("heading")
        == 0
    )


# ---- hands from a real table


@pytest.mark.parametrize(
    ("hand", "discard", "seats", "words"),
    [
        ("King", 0, 4, "Name seven cards"),
        (f"{REALM}, Smoke, Forest", 0, 4, "This hand has 9 cards"),
        (REALM, 0, 1, "2 to 6 players, not for 1"),
        (REALM, 0, 7, "2 to 6 players, not for 7"),
        (REALM, 10, 4, "With 10 cards in the discard area the game is over"),
        (REALM, 12, 2, "With 12 cards in the discard area the game is over"),
    ],
)
def test_a_hand_that_leaves_nothing_to_choose_is_refused(hand: str, discard: int, seats: int, words: str) -> None:
    others = [each.name for each in CARDS if each.name not in hand]
    with pytest.raises(BadInput, match=words):
        advise_question(read(hand, others[:discard]), seats, "", Random(1))


@pytest.mark.usefixtures("quick")
def test_with_eight_cards_advice_says_what_to_discard() -> None:
    found = advise_question(read(f"{REALM}, Mirage"), 3, "", Random(1))
    assert {choice["move"] for choice in found["charts"][0]["choices"]} == {
        f"drop {name}" for name in f"{REALM}, Mirage".split(", ")
    }


def test_what_others_hold_is_unseen() -> None:
    known = advising.knowledge_from_question(read(REALM, "Smoke"), 5)
    assert (known.seats, known.limit, known.needed) == (5, 10, 0)
    assert set(known.unseen) == {each.id for each in CARDS} - set(ids(f"{REALM}, Smoke"))
    assert advising.knowledge_from_question(read("King"), 2).needed == 6


def test_cards_that_others_took_are_in_their_hands() -> None:
    known = advising.knowledge_from_question(read(REALM), 3, "smoke; Forest, Dragon")
    assert known.held == (0, mask_of(ids("Smoke, Dragon")), mask_of(ids("Forest")))
    assert not set(known.unseen) & set(ids("Smoke, Forest, Dragon"))


@pytest.mark.parametrize(
    ("taken", "words"),
    [
        ("King", "King is in the hand and taken by another player"),
        ("Smoke", "Smoke is in the discard area and taken"),
        ("Forest, forest", "The cards taken by others list a card twice"),
        (", ".join(each.name for each in CARDS[:9] if each.name not in REALM), "The others hold at most 7 cards"),
        ("Kinng", "did you mean King"),
    ],
)
def test_cards_that_others_cannot_have_are_refused(taken: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        advise_question(read(REALM, "Smoke"), 2, taken, Random(1))


# ---- no leak


@pytest.mark.parametrize(
    "text",
    [
        f"{HANDS} phase=draw first=1 turns=6 discard=Island@1,Unicorn@2,Swamp@3 known=King",
        HANDS.replace("Mountain", "Mountain,Hydra") + " phase=discard first=1",
        f"{TRADING} known=King,Dragon offers=Dragon,King bids=Candle>Dragon seen=Candle//",
    ],
)
def test_hidden_cards_change_nothing(text: str) -> None:
    state = GAME.decode(text)
    other = GAME.resample(state, 0, Random(5))
    assert other.hands[1:] != state.hands[1:]
    assert get_advice(other) == get_advice(state)


def test_advice_is_about_the_cards_one_holds() -> None:
    text = f"{TRADING} known=King offers=King"
    for seat in range(3):
        found = advise_view(view(text, seat), Random(1))
        assert found["needs"] == [f"hand:{name}" for name in view(text, seat)["hand"]]
        assert all(f'data-handle="{handle}"' in GAME.draw(view(text, seat)) for handle in found["needs"])


def get_advice(state: State) -> dict[str, Any]:
    assert isinstance(GAME, HasAdvice)
    return GAME.advice(GAME.view(state, 0), Random(3))


@pytest.mark.parametrize("seat", [1, None])
def test_waiting_players_and_spectators_get_no_advice(seat: int | None) -> None:
    with pytest.raises(Refused, match="nothing to choose"):
        advise_view(GAME.view(GAME.decode(f"{HANDS} phase=draw first=1"), seat), Random(1))


# ---- scales


def test_scales_hold_all_that_is_drawn() -> None:
    wide = make_chart(
        "x", [certain_row("a", 12, "", None), certain_row("b", -7, "", None)], note="", best=None, zero=True
    )
    assert (wide["low"], wide["from"], wide["high"]) == (-10, 0, 20)
    nothing = make_chart("x", [certain_row("a", 0, "", None)], note="", best=None, zero=True)
    assert nothing["low"] < nothing["high"]
    far = make_chart("x", [certain_row("a", 214, "", None), certain_row("b", 208, "", None)], note="", best=None)
    assert (far["low"], far["from"], far["high"]) == (190, 190, 220)
