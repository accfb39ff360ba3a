"""Hands as people type them, with fixed choices: parsed leniently, refused by name, never above the best."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from realmtable.engine.errors import BadInput
from realmtable.games.fantasy_realms import cards
from realmtable.games.fantasy_realms.cards import CARDS, names_of
from realmtable.games.fantasy_realms.hand_scorer.scorer import SCORER
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.fixed_choices import best_score_with_fixed_choices
from realmtable.games.fantasy_realms.scoring.hand_text import (
    SIZE_RULE,
    Choices,
    Question,
    choice_kind,
    describe_unusual_size,
    format_fixed_choice,
    question_to_texts,
)
from realmtable.games.fantasy_realms.scoring.score import best_score, best_worth, score_with_choices
from realmtable.kit.calculators import find_hand_scorer
from tests.fantasy_realms.helpers import ids

read, sheet, effort, list_known_cards = SCORER.read, SCORER.sheet, SCORER.effort, SCORER.list_known_cards
STORM = "Whirlwind, Mirage, Blizzard"
REALM = "Bell Tower, Candle, Necromancer, Warhorse, Sword of Keth, Gem of Order, Book of Changes"


def refusal(hand: str, discard: str = "", choose: Sequence[str] = ()) -> str:
    with pytest.raises(BadInput) as refused:
        sheet(read(hand, discard, choose))
    return str(refused.value)


def choice(found: dict[str, Any], card: str) -> dict[str, Any]:
    return next(each for each in found["choices"] if each["card"] == card)


# ---- reading


@pytest.mark.parametrize(
    "text",
    [
        "King, Doppelgänger, Cavern",
        "KING;doppelganger\nunderground caverns",
        ["king", "Doppel", " cavern "],
        "king\tdop,cav,",
    ],
)
def test_names_are_read_forgivingly(text: str | list[str]) -> None:
    assert names_of(read(text).hand) == ["King", "Doppelgänger", "Cavern"]


@pytest.mark.parametrize(
    ("hand", "discard", "words"),
    [
        ("", "", "Name the cards"),
        (" , ;\n", "", "Name the cards"),
        ("Kinng", "", "no card Kinng; did you mean King?"),
        ("K", "", "King or Knights"),
        ("King, queen, KING", "", "King appears twice in the hand"),
        ("King", "Queen, Queen", "Queen appears twice in the discard area"),
        ("King", "Queen, King", "King is both in the hand and in the discard area"),
        (", ".join(names_of(range(9))), "", "This hand has 9 cards. At the end of a game, a hand has seven cards, or"),
        (", ".join(names_of(range(12))), "", "hands of one to eight cards can be scored."),
        ("King" * 2000, "", "at most 4,000 characters"),
    ],
)
def test_a_hand_that_cannot_be_is_refused_by_name(hand: str, discard: str, words: str) -> None:
    assert words in refusal(hand, discard)


def test_what_can_be_read_of_a_list_with_slips() -> None:
    assert list_known_cards("king, nobody, K, Qu; queen,,") == ["King", "Queen"]


def test_names_that_match_nothing_are_not_guessed_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page reads lists of a thousand names before anything else; a guess at each took half a second in all."""

    def refuse(_: str) -> list[str]:
        raise AssertionError("a guess takes long")

    monkeypatch.setattr(cards, "_close_names", refuse)
    assert list_known_cards(",".join(f"x{number}" for number in range(300)) + ",king") == ["King"]


@pytest.mark.parametrize(
    ("hand", "is_odd"),
    [(REALM, False), ("King", True), (f"{REALM}, King", False), (STORM, True)],
)
def test_an_unusual_number_of_cards_is_noted_and_scored(hand: str, is_odd: bool) -> None:
    found = sheet(read(hand))
    assert bool(found["note"]) == is_odd
    assert found["note"] == SCORER.describe_unusual_size(read(hand))
    assert ("1 card." in found["note"]) == (hand == "King")


@pytest.mark.parametrize("size", [9, 10, 11, 12, 20])
def test_every_way_to_score_refuses_impossible_hands_with_the_same_sentence(size: int) -> None:
    """One rule for the number of cards: of what is scored with a note and of what is refused, on paper and in code."""
    cards = list(range(size))
    asked: list[Callable[[], object]] = [
        lambda: read(names_of(cards)),
        lambda: read(", ".join(names_of(cards)), names_of(range(30, 40))),
        lambda: best_score(cards),
        lambda: best_worth(cards),
        lambda: score_with_choices(cards),
        lambda: score_with_choices(cards[:8], Choices(eighth=cards[8])),
    ]
    for ask in asked:
        with pytest.raises(BadInput) as refused:
            ask()
        assert str(refused.value).split(". ", 1)[1] == describe_unusual_size(cards[:1]).split(". ", 1)[1] == SIZE_RULE


def test_a_hand_of_eight_cards_takes_no_ninth() -> None:
    """S8: the Necromancer's card is an eighth one; a hand that has it already is scored as it is."""
    hand, discard = f"{REALM}, King", "Queen, Rangers"
    found = sheet(read(hand, discard))
    assert (found["eighth"], len(found["cards"]), found["note"]) == (None, 8, "")
    assert found["total"] == sheet(read(hand))["total"]
    assert not any(each["card"] == "Necromancer" for each in found["choices"])
    assert "already has eight cards" in refusal(hand, discard, ["Necromancer=Queen"])


def test_eight_cards_without_the_necromancer_are_odd() -> None:
    assert "8 cards" in describe_unusual_size(ids("King,Queen,Princess,Warlord,Empress,Smoke,Forest,Island"))


def test_texts_of_a_question_give_it_again() -> None:
    question = read(REALM, "King, Rangers", ["Necro=none", "book=bell tower to LAND"], ["ring=together", ""])
    texts = question_to_texts(question)
    assert texts["choose"] == ["Necromancer=none", "Book of Changes=Bell Tower:Land"]
    assert texts["options"] == ["ring=together"]
    assert read(texts["hand"], texts["discard"], texts["choose"], texts["options"]) == question
    assert pickle.loads(pickle.dumps(question)) == question  # noqa: S301 - our own


# ---- choices by hand


@pytest.mark.parametrize(
    ("hand", "choose", "total"),
    [  # worked cases of the rulings
        (STORM, "Mirage=Rainstorm", 83),
        (STORM, "Mirage=none", 43),
        ("Basilisk, Doppelgänger", "Doppelgänger=Basilisk", 0),
        ("Basilisk, Doppelgänger, Beastmaster", "doppel = basilisk", 97),
        ("Island, Great Flood, Forge, Cavern, Knights", "Island=Great Flood", 73),
        ("Book of Changes, Bell Tower, Candle, Magic Wand", "Book of Changes=Bell Tower:Wizard", 154),
        ("Book of Changes, Blizzard, Wildfire, Rainstorm", "Book of Changes=Blizzard → flood", 11),
        ("Warlord, Doppelgänger, Knights", "Doppelgänger=Warlord", 48),
        ("Island, Book of Changes, Dragon, Fire Elemental", "Island=Dragon", 66),  # the Book makes it a Flame for that
    ],
)
def test_a_choice_by_hand_is_kept_and_the_others_are_the_best_then(hand: str, choose: str, total: int) -> None:
    found = sheet(read(hand, choose=[choose]))
    assert found["total"] == total
    assert found["best"] >= total
    assert [each["fixed"] for each in found["choices"]].count(True) == 1


@pytest.mark.parametrize(
    ("hand", "choose", "words"),
    [
        (STORM, "Mirage", "CARD=CHOICE"),
        (STORM, "Mirage=King", "Mirage cannot become King"),
        (STORM, "Blizzard=King", "Blizzard has no choice"),
        (STORM, "Island=Whirlwind", "Island is not in the hand"),
        ("Doppelgänger, King", "Doppelgänger=Queen", "Queen, which is not in the hand"),
        ("Doppelgänger, King", "Doppelgänger=Doppelgänger", "not itself"),
        ("Island, King", "Island=King", "Island cannot clear King"),
        ("Island, King", "Island=Great Flood", "Great Flood, which is not in the hand"),
        ("Book of Changes, King", "Book=King", "needs a card and a suit"),
        ("Book of Changes, King", "Book=King:Sofa", "Sofa is not a suit"),
        ("Book of Changes, King", "Book=King:W", "W is not a suit"),
        ("Book of Changes, King", "Book=King:Wild", "Wild is not a suit"),
        ("Book of Changes, King", "Book=Queen:Army", "Queen, which is not in the hand"),
        ("Necromancer, King", "Necromancer=Queen", "Necromancer cannot take Queen"),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused(hand: str, choose: str, words: str) -> None:
    assert words in refusal(hand, choose=[choose])


def test_a_choice_is_made_once() -> None:
    assert "Mirage has two choices" in refusal(STORM, choose=["Mirage=Rainstorm", "mirage=Smoke"])


def test_choices_that_exclude_each_other_are_refused() -> None:
    hand = "Island, Book of Changes, Dragon, Fire Elemental"
    assert "Island cannot clear Dragon" in refusal(hand, choose=["Book=Dragon:Army", "Island=Dragon"])


def test_s4_the_book_may_make_a_card_wild_where_that_is_the_ruling() -> None:
    options = ["book_to_wild=on"]
    for more in ([], ["wild_is_suit=off"]):
        found = sheet(read("Book of Changes, King, Mirage", (), ["Book=King:Wild", "Mirage=none"], options + more))
        assert choice(found, "Book of Changes")["words"] == "King to Wild"
        assert choice(found, "Book of Changes")["value"] == "King:Wild"
    found = sheet(read("Book of Changes, Island, Dragon", (), ["Island=Dragon"], options))
    assert choice(found, "Book of Changes")["groups"][1]["options"][-1]["value"] == "Dragon:Wild"


def test_the_necromancer_takes_what_is_wished() -> None:
    discard = "King, Rangers, Smoke"
    best = sheet(read(REALM, discard))
    taken = {card: sheet(read(REALM, discard, [f"Necromancer={card}"])) for card in ("King", "Rangers", "none")}
    assert max(found["total"] for found in taken.values()) == best["total"]
    assert [found["eighth"] for found in taken.values()] == ["King", "Rangers", None]
    assert [each["value"] for each in choice(best, "Necromancer")["groups"][0]["options"]] == ["Rangers", "King"]
    assert "cannot take Smoke" in refusal(REALM, discard, ["Necromancer=Smoke"])
    assert not any(each["card"] == "Necromancer" for each in sheet(read(REALM))["choices"])  # nothing to take
    gives = {card["card"]: card["points"] for card in best["cards"]}[best["eighth"]]
    assert f"{best['eighth']} is not taken; it would give {gives}" in taken["none"]["instead"]
    other = next(card for card in ("King", "Rangers") if card != best["eighth"])
    assert any(words.startswith(f"{other} is taken for ") for words in taken[other]["instead"])


def test_a_wish_may_be_about_the_card_that_is_taken() -> None:
    hand, discard = "Necromancer, Island, Book of Changes, Doppelgänger", "King, Dragon"
    found = sheet(read(hand, discard, ["Island=Dragon"]))
    assert (found["eighth"], choice(found, "Book of Changes")["value"]) == ("Dragon", "Dragon:Flame")
    assert sheet(read(hand, discard, ["Doppelgänger=Dragon"]))["eighth"] == "Dragon"
    assert "Dragon, which is not in the hand" in refusal(hand, "King", ["Doppelgänger=Dragon"])


def random_question(seed: int) -> Question:
    """A hand with at least two cards that choose, and some of a discard area."""
    rng = Random(seed)
    choosers = [card.id for card in CARDS if choice_kind(card)]
    hand = rng.sample(choosers, 2)
    rest = rng.sample([card.id for card in CARDS if card.id not in hand], 6)
    return Question((*hand, *rest[:3]), tuple(rest[3:]) if rng.random() < 0.5 else ())


@pytest.mark.parametrize("seed", range(6))
def test_the_best_of_all_choices_of_one_card_is_the_best(seed: int) -> None:
    """Every choice of a card, with the others as good as can be then: never better than the best, and once as good."""
    question = random_question(seed)
    best = best_score(question.hand, question.discard)
    found = sheet(question)
    assert (found["total"], found["best"], SCORER.best_score(question)["total"]) == (best.total,) * 3
    for each in found["choices"][:1]:
        values = ["none", *(option["value"] for group in each["groups"] for option in group["options"])]
        totals = {}
        for value in values:
            wished = read(names_of(question.hand), names_of(question.discard), [f"{each['card']}={value}"])
            totals[value] = best_score_with_fixed_choices(wished).total
        assert max(totals.values()) == best.total
        assert totals[each["value"]] == best.total


# ---- the sheet


def test_a_sheet_shows_points_reasons_and_responsible_cards() -> None:
    found = sheet(read("Great Flood, Island, Forest, King"))
    cards = {card["card"]: card for card in found["cards"]}
    assert cards["Great Flood"]["cleared_by"] == ["Island"]
    assert cards["Great Flood"]["penalty_text"].startswith("Blanks")
    assert found["total"] == sum(card["points"] for card in found["cards"])
    assert choice(found, "Island")["words"] == "Great Flood"
    blanked = sheet(read("Great Flood, Island, Forest, King", choose=["Island=none"]))
    assert blanked["cards"][2]["blanked_by"] == ["Great Flood"]
    assert blanked["best"] - blanked["total"] == 7
    assert blanked["instead"] == ["Forest gives 0 instead of 7"]
    assert found["instead"] == []
    assert choice(blanked, "Island")["best_words"] == "Great Flood"
    assert json.loads(json.dumps(found)) == found


def test_a_choice_that_is_as_good_as_the_best_costs_nothing_and_names_the_best() -> None:
    """Gem of Order or Warlock Lord copied, both are worth 35 with other points a card; ties prefer the weaker (P6)."""
    found = sheet(read("Doppelgänger, Gem of Order, Warlock Lord", choose=["Doppelgänger=Warlock Lord"]))
    assert (found["total"], found["best"], found["instead"]) == (35, 35, [])
    made = choice(found, "Doppelgänger")
    assert (made["value"], made["best"], made["best_words"]) == ("Warlock Lord", "Gem of Order", "Gem of Order")


def test_a_card_lists_what_it_can_choose() -> None:
    found = sheet(read("Doppelgänger, Mirage, Book of Changes, Swamp"))
    labels = {each["card"]: [group["label"] for group in each["groups"]] for each in found["choices"]}
    assert labels == {
        "Doppelgänger": [""],
        "Mirage": ["Army", "Land", "Weather", "Flood", "Flame"],
        "Book of Changes": ["Doppelgänger", "Mirage", "Swamp"],
    }
    suits = choice(found, "Book of Changes")["groups"][2]["options"]
    assert len(suits) == 9
    assert {"value": "Swamp:Army", "words": "Swamp to Army"} in suits


def test_rulings_are_the_options_that_scores_depend_on() -> None:
    names = [option.name for option in SCORER.scoring_options()]
    assert "ring" in names
    assert "variant" not in names
    hand = "Book of Changes, Bell Tower, Candle, Magic Wand"
    assert sheet(read(hand, (), ["Book=Bell:Wizard"], ["self_counts=off"]))["total"] == 139
    assert read(hand, options=["self_counts=off"]).options == FantasyOptions(self_counts=False)


def test_tiles_show_every_card_once() -> None:
    found = SCORER.card_tiles()
    assert "Necromancer" in found["discard_label"]
    assert len(list_known_cards(found["example"])) == 2
    assert sorted(card["name"] for group in found["groups"] for card in group["cards"]) == sorted(names_of(range(53)))
    for group in found["groups"]:
        assert f'id="{group["emblem"]}"' in found["defs"]
        assert f".{group['tone']}{{" in found["defs"]


def test_hands_with_much_to_choose_are_known_before() -> None:
    assert effort(read("King, Queen")) == 1
    assert effort(read(REALM)) < effort(read(REALM, "King, Rangers"))
    assert effort(read("Doppelgänger, Mirage, Shapeshifter, Book of Changes")) > 10_000


def test_a_choice_in_words_and_as_it_is_typed() -> None:
    assert [format_fixed_choice(wish) for wish in (None, 0, (0, "Flood"), (0, ""))] == [
        "none",
        CARDS[0].name,
        f"{CARDS[0].name}:Flood",
        f"{CARDS[0].name}:Wild",
    ]


def test_advice_on_eight_cards_says_what_to_discard() -> None:
    found = SCORER.advise(read("King, Queen, Knights, Rangers, Warlord, Smoke, Candle, Unicorn"), 4, "", Random(1))
    assert found["charts"][0]["title"] == "What to discard?"
    assert found["move"].startswith("drop ")


# ---- the scorer, for callers that know nothing about the cards


def test_callers_find_it() -> None:
    assert find_hand_scorer("fantasy_realms") is SCORER


@pytest.mark.parametrize(
    ("hand", "slow"),
    [(REALM, False), ("Mirage, King", False), ("Mirage, Book of Changes", True), ("Island, Necromancer", False)],
)
def test_advice_is_slow_where_cards_become_others(hand: str, *, slow: bool) -> None:
    assert SCORER.is_advice_slow(read(hand)) is slow


def test_what_cannot_be_advised_is_known_before() -> None:
    SCORER.check_advice(read(REALM), 3, "Smoke")
    with pytest.raises(BadInput, match="Name seven cards"):
        SCORER.check_advice(read("King"), 3, "")


def test_reading_a_hand_loads_no_rules() -> None:
    """So that a caller can still decide whether they are compiled."""
    code = (
        "import sys\n"
        "from realmtable.kit.calculators import find_hand_scorer\n"
        "scorer = find_hand_scorer('fantasy_realms')\n"
        "scorer.is_advice_slow(scorer.read('King, Queen'))\n"
        "print([name for name in sys.modules if name.endswith('kit.compile')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    assert done.stdout.strip() == "[]"
