"""Pictures of cards: the printed text, the points in a hand, and text that fits."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, SUITS, WILD
from realmtable.games.fantasy_realms.game import GAME
from realmtable.games.fantasy_realms.picture.card import CARD_HEIGHT, CARD_WIDTH, draw_card, draw_texts
from realmtable.games.fantasy_realms.picture.card_group import CardPlacement
from realmtable.games.fantasy_realms.picture.card_status import (
    CardMark,
    CardStatus,
    card_statuses,
    describe_blanking,
    describe_card,
)
from realmtable.games.fantasy_realms.picture.chip import draw_chip, draw_tag, tag_width
from realmtable.games.fantasy_realms.picture.emblems import EMBLEM_PATHS
from realmtable.games.fantasy_realms.picture.hand_card import HAND_CARD_HEIGHT, draw_hand_card
from realmtable.games.fantasy_realms.picture.style import STYLE
from realmtable.kit.text_metrics import SANS_BOLD, fit_text, text_width, truncate_text, wrap_text
from tests.fantasy_realms.example_views import DISCARDING, DRAWING, TRADING, View, entry, worth
from tests.fantasy_realms.test_table_picture import texts_of
from tests.picture_checks import contrast, parse_svg, with_class

every_card = pytest.mark.parametrize("name", list(BY_NAME))
HERE = CardPlacement()
PLAIN = CardMark()


def standing(name: str, /, *others: View, **changed: object) -> CardStatus:
    """What a card gives in a hand with these others."""
    return card_statuses(worth(entry(name, **changed), *others))[name]  # type: ignore[arg-type] # fields of any kind


def draw_in_hand(name: str, /, *others: View, **changed: object) -> ET.Element:
    return parse_svg(draw_hand_card(name, standing(name, *others, **changed), PLAIN, HERE))


def size_of(text: ET.Element) -> int:
    return int((text.get("class") or "").split()[0].removeprefix("fr-t"))


# ---- what is printed


@every_card
def test_a_full_card_shows_all_that_is_printed_on_it_within_its_frame(name: str) -> None:
    printed = BY_NAME[name]
    root = parse_svg(draw_card(name, CardMark("discarded by Azure"), HERE))
    text = " ".join(texts_of(root))
    for part in (str(printed.strength), printed.suit, printed.bonus_text, printed.penalty_text, "discarded by Azure"):
        assert part in text
    assert " ".join(wrap_text(name, 20, 120, SANS_BOLD)) in text
    for line in root.iter("text"):
        assert float(line.get("y", 0)) + size_of(line) * 0.25 <= CARD_HEIGHT
        if line.get("x") == "17":
            assert 17 + text_width("".join(line.itertext()), size_of(line)) <= CARD_WIDTH
            assert size_of(line) >= 16
            assert float(line.get("y", 0)) <= CARD_HEIGHT - 26


@every_card
@pytest.mark.parametrize("changed", [None, {}, {"bonus": 20, "penalty": -15}, {"blanked": True}])
def test_the_text_of_a_card_in_the_own_hand_fits_in_its_frame(name: str, changed: dict[str, object] | None) -> None:
    status = None if changed is None else standing(name, **changed)
    root = parse_svg(draw_hand_card(name, status, PLAIN, HERE))
    texts = [text for text in root.iter("text") if text.get("x") == "17"]
    assert BY_NAME[name].bonus_text in " ".join("".join(text.itertext()) for text in texts)
    bottom = HAND_CARD_HEIGHT - (32 if changed else 6)
    for text in texts:
        assert 17 + text_width("".join(text.itertext()), size_of(text)) <= CARD_WIDTH
        assert size_of(text) >= 13
        assert float(text.get("y", 0)) <= bottom


@every_card
def test_the_label_says_all_of_the_card(name: str) -> None:
    printed = BY_NAME[name]
    text = describe_card(name)
    assert text.startswith(f"{name}, {printed.suit}, strength {printed.strength}.")
    assert printed.bonus_text in text
    assert printed.penalty_text in text
    assert parse_svg(draw_hand_card(name, None, PLAIN, HERE)).get("aria-label") == text


def test_every_suit_has_its_own_emblem() -> None:
    assert set(EMBLEM_PATHS) == {*SUITS, WILD} == {card.suit for card in CARDS}
    assert all(first != second for first, second in combinations(EMBLEM_PATHS.values(), 2))


# ---- what it gives in a hand


def test_nothing_is_known_of_a_hand_that_is_not_scored() -> None:
    assert card_statuses(None) == {}


@pytest.mark.parametrize(
    ("name", "changed", "mark", "shown", "missing"),
    [
        ("King", {"bonus": 15}, "", {"+15", "23"}, set()),
        ("King", {}, "", {"8"}, {"+15", "+0"}),
        ("Dragon", {"penalty": -40}, "", {"−10", "−40"}, set()),
        ("Mirage", {"name": "Fountain of Life", "suit": "Flood"}, "", {"Wild", "as Fountain of Life"}, set()),
        ("Mirage", {"suit": ""}, "", {"Wild"}, set()),
        ("Shapeshifter", {"name": "Queen", "suit": "Leader"}, "", {"Shapeshifter", "as Queen", "Wild"}, set()),
        ("Doppelgänger", {"name": "King", "suit": "Leader", "strength": 8}, "", {"as King, strength 8", "0"}, set()),
        ("Doppelgänger", {"name": "King", "suit": "Army"}, "", {"as King, Leader → Army"}, set()),
        ("Candle", {"suit": "Land"}, "", {"Flame → Land", "Flame"}, set()),
        ("Swamp", {"cleared_by": ["Protection Rune"]}, "", {"cleared"}, set()),
        ("Swamp", {"cleared_by": ["Rangers"]}, "", {"Army struck"}, {"cleared"}),
        ("Swamp", {"cleared_by": ["Mountain"], "bonus": 100, "penalty": -100}, "", {"+100", "−100"}, {"cleared"}),
        ("Swamp", {}, "eighth card", {"eighth card"}, set()),
        ("Swamp", {"blanked": True, "blanked_by": ["Great Flood"]}, "", {"blanked by Great Flood", "18"}, set()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_card_of_the_hand_says_what_it_gives_and_what_has_changed_it(
    name: str, changed: dict[str, object], mark: str, shown: set[str], missing: set[str]
) -> None:
    drawn = draw_hand_card(name, standing(name, **changed), CardMark(mark), HERE)
    texts = set(texts_of(parse_svg(drawn)))
    assert shown <= texts
    assert not missing & texts


def test_a_text_that_has_an_effect_has_a_full_bar_others_are_pale_with_a_hollow_one() -> None:
    def count_hollow(name: str, *others: View, **changed: object) -> tuple[int, int]:
        root = draw_in_hand(name, *others, **changed)
        return len(with_class(root, "fr-idle")), bool(with_class(root, "fr-soft"))

    assert count_hollow("King", bonus=15) == (0, False)
    assert count_hollow("King") == (1, True)
    assert count_hollow("Dragon", penalty=-40) == (0, False)
    assert count_hollow("Basilisk", entry("King", blanked=True, blanked_by=["Basilisk"])) == (0, False)
    assert count_hollow("Beastmaster", entry("Dragon", cleared_by=["Beastmaster"])) == (0, False)
    assert count_hollow("Beastmaster", entry("Dragon")) == (1, True)


def test_choices_that_are_made_have_an_effect() -> None:
    helps = {name for name, each in card_statuses(DRAWING["worth"]).items() if each.helps}
    assert helps == {"King", "Elven Archers", "Book of Changes", "Shapeshifter"}
    taken = worth(entry("Necromancer"), entry("Dragon"), eighth="Dragon")
    assert [each.helps for each in card_statuses(taken).values()] == [True, False]


def test_a_cleared_penalty_is_struck_through_or_only_the_word_army() -> None:
    whole = with_class(draw_in_hand("Swamp", cleared_by=["Mountain"]), "fr-struck")
    assert " ".join("".join(line.itertext()) for line in whole) == BY_NAME["Swamp"].penalty_text
    word = draw_in_hand("Great Flood", cleared_by=["Rangers"])
    assert [each.text for each in with_class(word, "fr-struck")] == ["Armies"]


@pytest.mark.parametrize(
    ("name", "changed", "is_red"),
    [("King", {}, False), ("Dragon", {"penalty": -40}, True), ("Knights", {"blanked": True}, True)],
)
def test_points_that_are_lost_are_red(name: str, changed: dict[str, object], is_red: bool) -> None:
    (points,) = with_class(draw_in_hand(name, **changed), "fr-far")
    assert ("fr-bad" in (points.get("class") or "").split()) == is_red


def test_a_blanked_card_is_grey_and_crossed() -> None:
    root = draw_in_hand("Knights", blanked=True, blanked_by=["Basilisk", "Great Flood"])
    assert with_class(root, "fr-off")
    assert with_class(root, "fr-cross")
    assert texts_of(root)[-1].startswith("blanked by Basilisk")
    assert texts_of(root)[0] == "20"  # though it counts for nothing


@pytest.mark.parametrize(
    ("by", "text"),
    [
        ([], "blanked"),
        (["Wildfire"], "blanked by itself"),
        (["Basilisk"], "blanked by Basilisk"),
        (["Basilisk", "Wildfire"], "blanked by Basilisk"),
    ],
)
def test_the_blanking_cards_are_named(by: list[str], text: str) -> None:
    assert describe_blanking(standing("Wildfire", blanked=True, blanked_by=by)) == text


def test_a_changed_card_keeps_its_printed_colours_under_a_ribbon_in_those_of_its_new_suit() -> None:
    chip = parse_svg(draw_chip("Knights", standing("Knights", suit="Artifact"), HERE))
    for root in (draw_in_hand("Knights", suit="Artifact"), chip):
        classes = [each.get("class") for each in root.iter("g")]
        assert classes.index("fr-army") < classes.index("fr-artifact")
        assert "20" in texts_of(root)
    assert "fr-artifact" not in {each.get("class") for each in draw_in_hand("Knights").iter("g")}


def test_a_doppelganger_has_the_penalty_of_what_it_copies() -> None:
    found = card_statuses(TRADING["worth"])["Doppelgänger"]
    text = " ".join(texts_of(parse_svg(draw_hand_card("Doppelgänger", found, PLAIN, HERE))))
    assert BY_NAME["War Dirigible"].penalty_text in text
    assert BY_NAME["War Dirigible"].penalty_text in describe_card("Doppelgänger", found)
    king = draw_in_hand("Doppelgänger", name="King", suit="Leader")
    assert BY_NAME["Doppelgänger"].bonus_text in " ".join(texts_of(king))


def test_the_label_says_what_a_card_gives_now_and_what_it_counts_as() -> None:
    found = card_statuses(DISCARDING["worth"])
    assert describe_card("Mountain", found["Mountain"]).endswith("Now 59 points. 9 and 50 with Smoke and Wildfire.")
    assert describe_card("Magic Wand", standing("Magic Wand")).endswith("Now 1 point.")
    queen = describe_card("Shapeshifter", standing("Shapeshifter", name="Queen", suit="Leader"))
    assert queen.startswith("Shapeshifter as Queen, Leader, strength 0.")
    assert describe_card("Candle", standing("Candle", suit="Land")).startswith("Candle, Flame → Land, strength 2.")
    copy = standing("Doppelgänger", name="King", suit="Army", strength=8)
    assert describe_card("Doppelgänger", copy).startswith("Doppelgänger as King, Leader → Army, strength 8.")


# ---- chips and tags


@every_card
def test_a_chip_has_strength_emblem_and_name_and_the_rest_in_its_label(name: str) -> None:
    root = parse_svg(draw_chip(name, None, HERE))
    assert " ".join(texts_of(root)) == f"{BY_NAME[name].strength} {name}"
    assert EMBLEM_PATHS[BY_NAME[name].suit] in {each.get("d") for each in root.iter("path")}
    assert (root.get("aria-label"), root.get("data-card")) == (describe_card(name), name)


def test_a_chip_says_what_a_copy_counts_as() -> None:
    copied = standing("Mirage", name="Fountain of Life", suit="Flood")
    tall = parse_svg(draw_chip("Mirage", copied, CardPlacement(size=(220, 60))))
    assert " ".join(texts_of(tall)) == "0 Mirage as Fountain of Life 0"
    low = parse_svg(draw_chip("Mirage", copied, HERE))
    assert "as Fountain of Life" in (low.get("aria-label") or "").replace("Mirage as", "as")
    assert "as" in texts_of(low)[2:]


def test_a_tall_chip_has_room_for_a_note_and_cuts_what_is_too_long() -> None:
    tall = CardPlacement(size=(160, 100))
    assert " ".join(texts_of(parse_svg(draw_chip("King", None, tall, "as it is here")))) == "8 King as it is here"
    long = parse_svg(draw_chip("King", standing("King", blanked=True), tall, "so " * 99))
    assert texts_of(long)[-2].endswith("…")
    assert all(float(text.get("y", 0)) < 100 for text in long.iter("text"))
    assert "so " * 99 in (long.get("aria-label") or "")


@every_card
def test_a_tag_has_strength_and_name_and_is_as_wide_as_they_are(name: str) -> None:
    tag = parse_svg(draw_tag(name, HERE))
    assert texts_of(tag) == [str(BY_NAME[name].strength), name]
    (frame,) = with_class(tag, "fr-face")
    assert float(frame.get("width") or 0) == pytest.approx(tag_width(name), abs=0.01)
    assert tag_width(name) > text_width(name, 15) + 26


# ---- letters and colours


def test_letters_shrink_until_they_fit() -> None:
    assert fit_text("King", (20, 10), 100, 1) == (20, ("King",))
    assert fit_text("King of all the realms", (20, 10), 100, 2) == (10, ("King of all the", "realms"))
    assert fit_text("Unendingness", (20, 10), 30, 1) == (10, ("Unendingness",))
    assert truncate_text("Unendingness", 10, 30)[0].endswith("…")
    assert wrap_text("", 10, 30) == ()


def test_a_text_too_long_for_a_card_is_set_in_the_smallest_letters() -> None:
    texts = [parse_svg(part) for part in draw_texts(BY_NAME["Great Flood"], None, 0, 10, (20, 17, 14))]
    assert {size_of(text) for text in texts if text.tag == "text"} == {14}


def themes() -> list[dict[str, str]]:
    """The value of every variable in each theme, where a page overrides none."""
    plain = re.sub(r"var\(--[\w-]+,([^()]*)\)", r"\1", STYLE)
    blocks = dict.fromkeys(re.findall(r"\{([^{}]*--fr-card:[^{}]*)\}", plain))
    return [{name: value for name, _, value in (each.partition(":") for each in block.split(";"))} for block in blocks]


def test_every_letter_has_enough_contrast() -> None:
    assert len(themes()) == 2
    for named in themes():
        grounds = [named[name] for name in ("--fr-card", "--fr-cloth", "--rt-paper")]
        for ink in ("--rt-ink", "--rt-soft", "--fr-good", "--fr-bad"):
            assert min(contrast(named[ink], ground) for ground in grounds) >= 4.5, ink
        for suit in (*SUITS, WILD):
            assert contrast(named[f"--fr-{suit.lower()}"], named["--fr-on"]) >= 4.5, suit
            assert contrast(named[f"--fr-{suit.lower()}"], named["--fr-card"]) >= 4.5, suit
        assert contrast(named["--fr-on"], named["--fr-good"]) >= 4.5
        assert contrast(named["--fr-on"], named["--fr-bad"]) >= 4.5


# ---- the gallery


def test_the_gallery_has_all_53_cards_by_suit() -> None:
    groups = GAME.gallery().groups
    assert [group.title for group in groups] == [*SUITS, WILD]
    assert [len(group.cards) for group in groups] == [5] * 10 + [3]
    assert {card.name for group in groups for card in group.cards} == set(BY_NAME)
    for group in groups:
        for card in group.cards:
            assert BY_NAME[card.name].suit == group.title
            assert card.text == describe_card(card.name)
