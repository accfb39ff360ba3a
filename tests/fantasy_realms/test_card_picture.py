"""Pictures of cards: the printed text, the points in a hand, and text that fits."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, SUITS, WILD
from realmtable.games.fantasy_realms.game import GAME
from realmtable.games.fantasy_realms.picture import card as card_module
from realmtable.games.fantasy_realms.picture import style
from realmtable.games.fantasy_realms.picture.card import CARD_HEIGHT, CARD_WIDTH, draw_card, draw_card_document
from realmtable.games.fantasy_realms.picture.card_group import CardPlacement
from realmtable.games.fantasy_realms.picture.card_status import (
    CardMark,
    CardStatus,
    card_statuses,
    describe_blanking,
    describe_card,
)
from realmtable.games.fantasy_realms.picture.chip import draw_chip, draw_tag
from realmtable.games.fantasy_realms.picture.emblems import EMBLEM_PATHS
from realmtable.games.fantasy_realms.picture.hand_card import HAND_CARD_HEIGHT, draw_hand_card
from realmtable.kit import picture_style
from realmtable.kit.text_metrics import (
    SANS_BOLD,
    fit_text,
    text_width,
    truncate_text,
    wrap_text,
)
from tests.fantasy_realms.example_views import DISCARDING, DRAWING, TRADING, entry, worth
from tests.fantasy_realms.test_table_picture import texts_of, with_class

every_card = pytest.mark.parametrize("name", list(BY_NAME))


def parse_picture(markup: str) -> ET.Element:
    return ET.fromstring(markup)  # noqa: S314 - our own picture


def draw_in_hand(name: str, /, *others: dict[str, object], **changed: object) -> ET.Element:
    """A card as it is drawn in a hand where it gives this."""
    scored = worth(entry(name, **changed), *others)  # type: ignore[arg-type] # fields of any kind
    return parse_picture(draw_card(name, card_statuses(scored)[name]))


def standing(name: str, /, **changed: object) -> CardStatus:
    return card_statuses(worth(entry(name, **changed)))[name]  # type: ignore[arg-type] # fields of any kind


# What is printed
@every_card
def test_a_card_shows_all_that_is_printed_on_it(name: str) -> None:
    printed = BY_NAME[name]
    text = " ".join(texts_of(parse_picture(draw_card(name))))
    for part in (str(printed.strength), printed.suit, printed.bonus_text, printed.penalty_text):
        assert part in text
    assert " ".join(wrap_text(name, 20, 120, SANS_BOLD)) in text


@every_card
def test_the_text_of_a_card_fits_in_its_frame(name: str) -> None:
    for root in (parse_picture(draw_card(name)), draw_in_hand(name)):
        for text in root.iter("text"):
            size = int((text.get("class") or "").split()[0].removeprefix("fr-t"))
            assert float(text.get("y", 0)) + size * 0.25 <= CARD_HEIGHT
            if text.get("x") == "17":
                assert 17 + text_width("".join(text.itertext()), size) <= CARD_WIDTH
                assert size >= 16
                assert float(text.get("y", 0)) <= CARD_HEIGHT - 30


@every_card
@pytest.mark.parametrize("changed", [None, {}, {"bonus": 20, "penalty": -15}, {"blanked": True}])
def test_the_text_of_a_card_in_the_own_hand_fits_in_its_frame(name: str, changed: dict[str, object] | None) -> None:
    status = None if changed is None else standing(name, **changed)
    root = parse_picture(draw_hand_card(name, status, CardMark(), CardPlacement()))
    texts = [text for text in root.iter("text") if text.get("x") == "17"]
    assert BY_NAME[name].bonus_text in " ".join("".join(text.itertext()) for text in texts)
    bottom = HAND_CARD_HEIGHT - (32 if changed else 6)
    for text in texts:
        size = int((text.get("class") or "").split()[0].removeprefix("fr-t"))
        assert 17 + text_width("".join(text.itertext()), size) <= CARD_WIDTH
        assert size >= 13
        assert float(text.get("y", 0)) <= bottom


def test_a_card_of_the_hand_says_what_a_copy_counts_as_what_clears_it_and_why_it_lies_there() -> None:
    def texts(name: str, mark: str = "", /, **changed: object) -> list[str]:
        drawn = draw_hand_card(name, standing(name, **changed), CardMark(mark), CardPlacement())
        return texts_of(parse_picture(drawn))

    assert "as Fountain of Life" in texts("Mirage", name="Fountain of Life")
    assert "cleared" in texts("Swamp", cleared_by=["Protection Rune"])
    assert "Army struck" in texts("Swamp", cleared_by=["Rangers"])
    assert "cleared" not in texts("Swamp", cleared_by=["Protection Rune"], bonus=100, penalty=-100)
    assert texts("Swamp", "eighth card")[-1] == "eighth card"
    assert texts("Swamp", blanked=True, blanked_by=["Great Flood"])[-1] == "blanked by Great Flood"


@every_card
def test_the_label_says_all_of_the_card(name: str) -> None:
    printed = BY_NAME[name]
    text = describe_card(name)
    assert text.startswith(f"{name}, {printed.suit}, strength {printed.strength}.")
    assert printed.bonus_text in text
    assert printed.penalty_text in text
    assert parse_picture(draw_card(name)).get("aria-label") == text


def test_every_suit_has_its_own_emblem() -> None:
    assert set(EMBLEM_PATHS) == {*SUITS, WILD}
    assert all(first != second for first, second in combinations(EMBLEM_PATHS.values(), 2))


# What it gives in a hand


def test_nothing_is_known_of_a_hand_that_is_not_scored() -> None:
    assert card_statuses(None) == {}
    assert not with_class(parse_picture(draw_card("King")), "fr-sum")


def test_a_bonus_that_counts_has_a_full_bar_and_its_points() -> None:
    root = draw_in_hand("King", bonus=15)
    assert not with_class(root, "fr-idle")
    assert texts_of(root)[-1] == "+15"
    assert "23" in texts_of(root)


def test_a_bonus_that_does_not_count_is_pale_with_a_hollow_bar() -> None:
    root = draw_in_hand("King")
    assert len(with_class(root, "fr-idle")) == 1
    assert with_class(root, "fr-soft")
    assert texts_of(root)[-1] == "8"


def test_a_penalty_that_counts_has_its_points_with_a_minus() -> None:
    root = draw_in_hand("Dragon", penalty=-40)
    assert texts_of(root)[-2:] == ["−10", "−40"]
    assert not with_class(root, "fr-idle")


def test_a_card_that_blanks_or_clears_others_has_a_full_bar_without_points() -> None:
    stunned = entry("King", blanked=True, blanked_by=["Basilisk"])
    assert not with_class(draw_in_hand("Basilisk", stunned), "fr-idle")
    assert not with_class(draw_in_hand("Beastmaster", entry("Dragon", cleared_by=["Beastmaster"])), "fr-idle")
    assert len(with_class(draw_in_hand("Beastmaster", entry("Dragon")), "fr-idle")) == 1


def test_choices_that_are_made_have_a_full_bar() -> None:
    helps = {name for name, each in card_statuses(DRAWING["worth"]).items() if each.helps}
    assert helps == {"King", "Elven Archers", "Book of Changes", "Shapeshifter"}
    taken = worth(entry("Necromancer"), entry("Dragon"), eighth="Dragon")
    assert [each.helps for each in card_statuses(taken).values()] == [True, False]


def test_a_cleared_penalty_is_struck_through() -> None:
    root = draw_in_hand("Swamp", cleared_by=["Mountain"])
    assert len(with_class(root, "fr-struck")) == len(wrap_text(BY_NAME["Swamp"].penalty_text, 20, 165))
    assert "cleared" in texts_of(root)
    both = draw_in_hand("Empress", cleared_by=["Protection Rune"], bonus=100, penalty=-100)
    assert "cleared" not in texts_of(both)  # no room next to two sums


def test_where_the_word_army_is_struck_only_that_word_is() -> None:
    root = draw_in_hand("Great Flood", cleared_by=["Rangers"])
    assert [each.text for each in with_class(root, "fr-struck")] == ["Armies"]
    assert "Army struck" in texts_of(root)
    assert "Blanks Armies," in texts_of(root)


def test_a_blanked_card_is_grey_and_crossed_and_says_by_whom() -> None:
    root = draw_in_hand("Knights", blanked=True, blanked_by=["Basilisk", "Great Flood"])
    assert with_class(root, "fr-off")
    assert with_class(root, "fr-cross")
    assert texts_of(root)[-1].startswith("blanked by Basilisk")
    assert not with_class(root, "fr-sum")
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


def test_a_copy_shows_what_it_counts_as() -> None:
    root = draw_in_hand("Shapeshifter", name="Queen", suit="Leader")
    assert {"Shapeshifter", "as Queen", "Leader"} <= set(texts_of(root))
    assert "Wild" not in texts_of(root)
    assert EMBLEM_PATHS["Leader"] in {each.get("d") for each in root.iter("path")}


def test_a_doppelganger_has_the_penalty_of_what_it_copies() -> None:
    found = card_statuses(TRADING["worth"])["Doppelgänger"]
    text = " ".join(texts_of(parse_picture(draw_card("Doppelgänger", found))))
    assert "35" in text
    assert BY_NAME["War Dirigible"].penalty_text in text
    assert BY_NAME["War Dirigible"].penalty_text in describe_card("Doppelgänger", found)
    assert BY_NAME["Doppelgänger"].bonus_text in " ".join(
        texts_of(draw_in_hand("Doppelgänger", name="King", suit="Leader"))
    )


def test_an_unused_wild_is_shown_as_wild_where_that_is_no_suit() -> None:
    known = card_statuses(worth(entry("Mirage", suit="")))
    assert known["Mirage"].suit == WILD
    assert "Wild" in texts_of(ET.fromstring(draw_card_document("Mirage", known["Mirage"])))  # noqa: S314 - our own picture


def test_a_changed_suit_shows_both() -> None:
    root = draw_in_hand("Candle", suit="Land")
    assert {"Land", "was Flame"} <= set(texts_of(root))
    assert describe_card("Candle", standing("Candle", suit="Land")).startswith("Candle, Land, was Flame, strength 2.")
    marked = parse_picture(draw_card("Candle", standing("Candle", suit="Land"), CardMark("on offer")))
    assert "on offer" in texts_of(marked)
    assert "was Flame" not in texts_of(marked)  # both would not fit


def test_the_label_says_what_a_card_gives_now() -> None:
    found = card_statuses(DISCARDING["worth"])
    assert describe_card("Mountain", found["Mountain"]).endswith("Now 59 points. 9 and 50 with Smoke and Wildfire.")
    assert describe_card("Magic Wand", standing("Magic Wand")).endswith("Now 1 point.")
    assert describe_card("Shapeshifter", standing("Shapeshifter", name="Queen", suit="Leader")).startswith(
        "Shapeshifter as Queen, Leader, strength 0."
    )


# Chips, tags, cards alone
@every_card
def test_a_chip_has_strength_emblem_and_name_and_the_rest_in_its_label(name: str) -> None:
    root = parse_picture(draw_chip(name))
    assert texts_of(root) == [str(BY_NAME[name].strength), *texts_of(root)[1:]]
    assert " ".join(texts_of(root)[1:]) == name
    assert EMBLEM_PATHS[BY_NAME[name].suit] in {each.get("d") for each in root.iter("path")}
    assert (root.get("aria-label"), root.get("data-card")) == (describe_card(name), name)


def test_a_chip_says_what_a_copy_counts_as() -> None:
    copied = standing("Mirage", name="Fountain of Life", suit="Flood")
    assert " ".join(texts_of(parse_picture(draw_chip("Mirage", copied)))) == "0 Mirage as Fountain of Life 0"
    low = parse_picture(draw_chip("Mirage", copied, place=CardPlacement(size=(158, 46))))
    assert "…" not in "".join(texts_of(low))


def test_a_tall_chip_has_room_for_a_note_and_cuts_what_is_too_long() -> None:
    tall = CardPlacement(size=(160, 100))
    assert (
        " ".join(texts_of(parse_picture(draw_chip("King", place=tall, note="as it is here")))) == "8 King as it is here"
    )
    long = parse_picture(draw_chip("King", standing("King", blanked=True), place=tall, note="so " * 99))
    assert texts_of(long)[-2].endswith("…")
    assert all(float(text.get("y", 0)) < 100 for text in long.iter("text"))
    assert "so so so" * 9 in (long.get("aria-label") or "").replace("so so so ", "so so so")


@every_card
def test_a_tag_has_strength_and_name_and_where_there_is_room_the_emblem(name: str) -> None:
    narrow, wide = (parse_picture(draw_tag(name, CardPlacement(), room)) for room in (240, 270))
    for tag in (narrow, wide):
        assert texts_of(tag) == [str(BY_NAME[name].strength), name]
    assert [len(with_class(tag, "fr-emblem")) for tag in (narrow, wide)] == [0, 1]
    _, cut = texts_of(parse_picture(draw_tag(name, CardPlacement(), 180)))
    assert cut == name or len(cut) >= 8


def test_a_card_alone_is_a_picture_and_a_page_needs_the_style_once() -> None:
    assert "<style>" in draw_card_document("King")
    assert "<style/>" in draw_card_document("King", styled=False)
    assert f'viewBox="0 0 {CARD_WIDTH + 4} {CARD_HEIGHT + 4}"' in draw_card_document("King")
    assert len(draw_card_document("King", compact=True)) < len(draw_card_document("King"))
    assert 'class="rt-board rt-fantasy_realms rt-dark"' in draw_card_document("King", theme="dark")
    with pytest.raises(ValueError, match="Unknown theme"):
        draw_card_document("King", theme="pink")


# Letters and colours


def test_letters_shrink_until_they_fit() -> None:
    assert fit_text("King", (20, 10), 100, 1) == (20, ("King",))
    assert fit_text("King of all the realms", (20, 10), 100, 2) == (10, ("King of all the", "realms"))
    assert fit_text("Unendingness", (20, 10), 30, 1) == (10, ("Unendingness",))
    assert truncate_text("Unendingness", 10, 30)[0].endswith("…")
    assert wrap_text("", 10, 30) == ()


def test_a_text_too_long_for_a_card_is_set_in_the_smallest_letters() -> None:
    size, broken = card_module._fit_texts(["long words " * 40], 100, (20, 17, 14))
    assert size == 14
    assert len(broken[0]) > 7


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def variables(text: str) -> dict[str, str]:
    """Return the value of every variable where a page overrides none."""
    plain = re.sub(r"var\(--[\w-]+,([^()]*)\)", r"\1", text)
    return {name: value for name, _, value in (each.partition(":") for each in plain.split(";"))}


@pytest.mark.parametrize(
    ("common", "own", "suits"),
    [
        (picture_style._LIGHT, style._LIGHT, style._LIGHT_SUIT_COLOURS),
        (picture_style._DARK, style._DARK, style._DARK_SUIT_COLOURS),
    ],
    ids=["light", "dark"],
)
def test_every_letter_has_enough_contrast(common: str, own: str, suits: dict[str, str]) -> None:
    named = variables(common) | variables(own)
    grounds = [named[name] for name in ("--fr-card", "--fr-cloth", "--rt-paper")]
    for ink in ("--rt-ink", "--rt-soft", "--fr-good", "--fr-bad"):
        assert min(contrast(named[ink], ground) for ground in grounds) >= 4.5, ink
    for suit, colour in suits.items():
        assert contrast(colour, named["--fr-on"]) >= 4.5, suit
        assert contrast(colour, named["--fr-card"]) >= 4.5, suit
    assert contrast(named["--fr-on"], named["--fr-good"]) >= 4.5
    assert contrast(named["--fr-on"], named["--fr-bad"]) >= 4.5


def test_there_is_a_colour_for_every_suit_and_every_card_has_one() -> None:
    assert set(style._LIGHT_SUIT_COLOURS) == set(style._DARK_SUIT_COLOURS) == {card.suit for card in CARDS}


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
