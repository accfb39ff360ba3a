"""The gallery of characters, treasures and monsters."""

from __future__ import annotations

import re

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import TREASURE_KINDS
from realmtable.games.magic_realm.picture.characters import draw_character_choice
from realmtable.games.magic_realm.picture.emblems import TREASURE_EMBLEMS
from realmtable.games.magic_realm.picture.gallery import CARD_HEIGHT, CARD_WIDTH, gallery
from realmtable.kit.text_metrics import SANS, SERIF_BOLD, text_width
from tests.picture_checks import check_nothing_is_loaded, parse_svg, spaces_in, with_class

CATALOG = load_catalog()
CARDS = {card.name: card for group in gallery().groups for card in group.cards}


def test_the_gallery_has_every_character_treasure_and_kind_of_monster() -> None:
    assert [(group.title, len(group.cards)) for group in gallery().groups] == [
        ("Characters", 16),
        ("Small treasures", 45),
        ("Large treasures", 23),
        ("Cards that lead to treasures", 6),
        ("Monsters", len({monster.kind for monster in CATALOG.monsters})),
    ]
    assert len(CARDS) == sum(len(group.cards) for group in gallery().groups)


def test_cards_have_labels_and_no_style_of_their_own() -> None:
    for card in CARDS.values():
        root = parse_svg(card.svg)
        assert root.get("aria-label") == card.text
        assert not [found for found in root.iter() if found.get("id") or found.tag.endswith(("style", "title"))]
        check_nothing_is_loaded(card.svg, ("rt-", "mr-"))
        names = {name for found in root.iter() for name in (found.get("class") or "").split()}
        assert [name for name in names if name.startswith("mr-") and f".{name}" not in gallery().style] == []


def test_words_stay_on_their_cards() -> None:
    for card in CARDS.values():
        for found in parse_svg(card.svg).iter():
            words, size = found.text or "", (found.get("class") or "mr-t13").split()[0]
            x, y = float(found.get("x") or 0), float(found.get("y") or 0)
            if found.tag.endswith("text") and y > 40:
                half = text_width(words, int(size.removeprefix("mr-t")), 1.2 if "mr-letter" in card.svg else 1) / 2
                assert x - half > -4, words
                assert x + half < CARD_WIDTH + 4, words
                assert y < CARD_HEIGHT - 6, words


def test_a_character_has_twelve_chits_and_its_advantages() -> None:
    root = parse_svg(CARDS["Dwarf"].svg)
    assert len(with_class(root, "mr-chit")) == 12
    assert "Cave Knowledge" in CARDS["Dwarf"].text


def test_kinds_of_treasures_have_pictures() -> None:
    assert {*TREASURE_EMBLEMS} == {*TREASURE_KINDS}
    assert len({*TREASURE_EMBLEMS.values()}) == len(TREASURE_KINDS)
    assert all(with_class(parse_svg(CARDS[treasure.name].svg), "mr-gem") for treasure in CATALOG.treasures)


def test_a_treasure_says_its_weight_and_values() -> None:
    assert CARDS["Eye of the Idol"].text.startswith(
        "Eye of the Idol. Large treasure. Weight medium. Worth 34 gold, −5 fame, 10 notoriety. "
    )
    assert "Stays where it is" in CARDS["Crypt of the Knight"].text


def test_a_monster_says_when_it_prowls_and_how_it_attacks() -> None:
    assert CARDS["T Dragon"].text == (
        "T Dragon. Prowls when a 1 is rolled. Armoured. Light side: moves at time 6, attacks at time 5, heavy harm. "
        "Dark side: moves at time 6, attacks at time 3, red harm. Worth 10 fame, 10 notoriety. 2 of them."
    )
    assert "attacks at time 6, heavy harm and 1 star." in CARDS["Sword Goblin"].text
    assert "Prowls every day." in CARDS["Ghost"].text
    assert "casts Power of the Pit" in CARDS["Demon"].text
    harmless = next(one for one in CATALOG.monsters if not one.light.attack)
    assert f"Light side: moves at time {harmless.light.move}, cannot attack." in CARDS[harmless.kind].text


def test_no_text_touches_the_edges_of_a_character_that_can_be_chosen() -> None:
    root = parse_svg(str(draw_character_choice({}, "light", "Choose")))
    for place in spaces_in(root).values():
        (plate,) = with_class(place, "mr-plate")
        for text in (each for each in place.iter() if each.tag.endswith("text")):
            kind = text.get("class") or ""
            font = SERIF_BOLD if "mr-letter" in kind else SANS
            size = float(re.findall(r"mr-t(\d+)", kind)[0])
            middle, half = float(text.get("x") or 0), text_width(text.text or "", size, font) / 2
            assert middle - half >= 10, text.text
            assert middle + half <= float(plate.get("width") or 0) - 10, text.text
