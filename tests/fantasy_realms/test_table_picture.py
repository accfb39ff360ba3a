"""The picture of the table, made from the view alone: every card in its place, every handle, no secrets."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from realmtable.games.fantasy_realms.cards import BY_NAME, SUITS, WILD
from realmtable.games.fantasy_realms.picture.table import draw
from realmtable.kit.picture_style import THEMES
from tests.fantasy_realms import example_views as views
from tests.fantasy_realms.example_views import VIEWS, View
from tests.picture_checks import SVG, parse_svg, with_class

every_view = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)


def parse_picture(view: View, theme: str = "auto") -> ET.Element:
    return parse_svg(draw(view, theme))


def handles(root: ET.Element) -> dict[str, ET.Element]:
    found = [(handle, each) for each in root.iter() if (handle := each.get("data-handle"))]
    assert len(dict(found)) == len(found)
    return dict(found)


def texts_of(root: ET.Element) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter() if each.tag.removeprefix(SVG) == "text"]


def label(root: ET.Element, handle: str) -> str:
    return handles(root)[handle].get("aria-label") or ""


def at(element: ET.Element) -> tuple[float, float]:
    found = re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform") or "")
    assert found
    return float(found[1]), float(found[2])


@every_view
@pytest.mark.parametrize("theme", THEMES)
def test_every_situation_can_be_drawn(view: View, theme: str) -> None:
    root = parse_picture(view, theme)
    assert root.get("class") == f"rt-board rt-fantasy_realms rt-{theme}"
    assert root[0].text
    assert root[0].text.startswith("Fantasy Realms: ")


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="choose one of auto, light, dark"):
        draw(views.DRAWING, "pink")


@every_view
def test_whatever_can_be_pointed_at_says_what_it_is_and_can_be_lit(view: View) -> None:
    for handle, element in handles(parse_picture(view)).items():
        assert (element.get("role"), element.get("tabindex")) == ("button", "-1")
        assert re.split("[: ]", handle)[-1].casefold() in (element.get("aria-label") or "").casefold()
        # A page copies the classes of a handle to what it shows in its place: all other looks belong to its parts.
        assert element.get("class") == "fr-card"
        assert [child.get("class") for child in element][-1] == "fr-ring"
        assert len([child for child in element if child.tag == f"{SVG}rect"]) == 1


@every_view
def test_one_style_serves_all_pictures_and_no_element_has_its_own(view: View) -> None:
    root = parse_picture(view)
    assert root.findtext(f"{SVG}style") == parse_picture(views.DRAWING).findtext(f"{SVG}style")
    assert not [each for each in root.iter() if each.get("style")]


@every_view
def test_every_size_of_letters_and_every_colour_is_in_the_style(view: View) -> None:
    root = parse_picture(view)
    style = root.findtext(f"{SVG}style") or ""
    used = {name for each in root.iter() for name in (each.get("class") or "").split() if name.startswith("fr-")}
    assert {name for name in used - {"fr-card", "fr-seat"} if f".{name}" not in style} == set()


@every_view
def test_the_picture_shows_only_what_is_in_the_view(view: View) -> None:
    """Check that every named card occurs in the view."""
    shown_view = str({key: view[key] for key in view if key != "options"})
    named = {each.get("aria-label") or "" for each in with_class(parse_picture(view), "fr-card")}
    shown = {
        re.split(", | as ", label)[0]
        for label in named
        if not label.startswith(("Deck", "Accept ", "Refuse ", "Bids "))
    }
    assert shown
    assert all(f"'{card}'" in shown_view for card in shown)
    assert shown <= set(BY_NAME)


@every_view
def test_everything_is_within_the_picture(view: View) -> None:
    root = parse_picture(view)
    wide, high = (float(side) for side in (root.get("viewBox") or "").split()[2:])
    assert wide == 800
    for element in root:
        if element.get("transform"):
            across, down = at(element)
            assert 0 < across < wide
            assert 0 < down < high


@pytest.mark.parametrize(
    "name", ["drawing", "discarding", "waiting", "setting_up", "trading", "quiet_market", "keeping", "dealing"]
)
def test_the_own_hand_is_drawn_in_full_in_the_order_it_came(name: str) -> None:
    view = VIEWS[name]
    hand = [handle for handle in handles(parse_picture(view)) if handle.startswith("hand:")]
    drawn = view["drawn"] if view["phase"] == "keep" else []  # these are next to the deck
    assert hand == [f"hand:{card}" for card in [*drawn, *(card for card in view["hand"] if card not in drawn)]]


def test_the_places_of_cards_do_not_overlap() -> None:
    for name in ("drawing", "discarding", "setting_up"):
        boxes = [(at(each), each.find(f"{SVG}rect")) for each in handles(parse_picture(VIEWS[name])).values()]
        for place, ((left, top), rect) in enumerate(boxes):
            assert rect is not None
            for (other_left, other_top), _ in boxes[place + 1 :]:
                apart = abs(left - other_left) >= float(rect.get("width", 0)) or abs(top - other_top) >= 46
                assert apart, name


# What is written where

NO_ANSWER = "No answer yet. Tap one to withdraw it."
LEGEND = "On a bid: what you would gain"


@pytest.mark.parametrize(
    ("view", "shown", "missing"),
    [
        (views.DRAWING, {"Discard area: 5 of 10", "the game ends after 5 more", "Your realm, Scarlet"}, set()),
        (views.DRAWING, {f"worth {views.DRAWING['worth']['total']} now"}, {"Winner"}),
        (views.CROWDED, {"full hands end the game"}, set()),
        (views.SPECTATING, {"discarded by Amber"}, {"Your realm, Scarlet"}),
        (views.final_view(4), {"Winner", "2nd place", "3rd place", "4th place"}, set()),
        (views.TRADING, {LEGEND, NO_ANSWER, "Bids for your cards: 2", "+16", "+3"}, set()),
        (views.QUIET_MARKET, {"Hydra", "Tap one of your cards twice to offer it."}, {NO_ANSWER}),
        (views.SPECTATING_TRADE, set(), {LEGEND}),
        (views.FULL_MARKET, {"8 more"}, set()),
    ],
)
def test_the_picture_says(view: View, shown: set[str], missing: set[str]) -> None:
    texts = set(texts_of(parse_picture(view)))
    assert shown <= texts
    assert not missing & texts


def test_a_hand_that_is_not_scored_has_no_worth_and_known_names_are_not_cut() -> None:
    assert not [text for text in texts_of(parse_picture(views.DEALING)) if text.startswith("worth")]
    assert not [text for text in texts_of(parse_picture(views.CROWDED)) if text.endswith("…")]


@pytest.mark.parametrize(
    ("view", "handle", "words"),
    [
        (views.DRAWING, "discard:Swamp", "Swamp, Flood, discarded by Scarlet, strength 18. −3 for each Army"),
        (views.DRAWING, "deck", "Deck, 17 cards"),
        (views.DRAWING | {"deck": 1}, "deck", "Deck, 1 card"),
        (views.DISCARDING, "hand:Dragon", "Dragon, Beast, new, strength 30."),
        (views.TRADING, "hand:Collector", "Collector, Wizard, on offer"),
        (views.TRADING, "hand:Warlock Lord", "Warlock Lord, Wizard, bid"),
        (views.TRADING, "hand:Protection Rune", "Protection Rune, Artifact, strength 1"),
        (views.TRADING, "offer:Hydra", "Hydra, Beast, on offer by Amber, strength 12."),
        (views.TRADING, "offer:Candle", "Candle, Flame, on offer by Azure, strength 2."),
        (views.TRADING, "offer:World Tree", "World Tree, Artifact, yours, on offer, strength 2."),
        (views.TRADING, "accept:Swamp:World Tree", "Accept Swamp for World Tree, +16 for you"),
        (views.TRADING, "refuse:Swamp:World Tree", "Refuse Swamp for World Tree"),
        (views.FULL_MARKET, "bids", "Bids for your cards: 12, 8 more"),
    ],
)
def test_a_handle_says_what_it_is(view: View, handle: str, words: str) -> None:
    assert label(parse_picture(view), handle).startswith(words)


@pytest.mark.parametrize(
    ("view", "handle", "kind", "is_marked"),
    [
        (views.DRAWING, "discard:Smoke", "fr-last", False),
        (views.DRAWING, "discard:Air Elemental", "fr-last", True),  # the newest
        (views.DISCARDING, "hand:Dragon", "fr-new", True),
        (views.DISCARDING, "hand:Wildfire", "fr-new", False),
        (views.SPECTATING, "discard:Swamp", "fr-head", True),  # in full
        (views.SPECTATING_TWO, "discard:Candle", "fr-head", False),  # there is no room
    ],
)
def test_what_is_new_is_marked_and_spectators_see_discards_in_full(
    view: View, handle: str, kind: str, is_marked: bool
) -> None:
    assert bool(with_class(handles(parse_picture(view))[handle], kind)) == is_marked


# The discard area and the deck


def test_the_discards_lie_open_with_places_for_those_that_end_the_game() -> None:
    root = parse_picture(views.DRAWING)
    assert [handle for handle in handles(root) if handle.startswith("discard:")] == [
        f"discard:{entry['card']}" for entry in views.DRAWING["discard"]
    ]
    assert len(with_class(root, "fr-place")) == 5 + 1  # five more discards, and the card to be drawn
    crowded = handles(parse_picture(views.CROWDED))
    assert len([handle for handle in crowded if handle.startswith("discard:")]) == 14


def test_the_last_turns_are_announced_at_the_discard_area() -> None:
    alarming = with_class(parse_picture(views.CROWDED), "fr-bad")
    assert "full hands end the game" in [text for each in alarming for text in texts_of(each)]


@pytest.mark.parametrize("name", ["drawing", "discarding", "setting_up", "spectating"])
def test_the_table_can_be_read_on_a_laptop(name: str) -> None:
    """At 1366 by 768, a page has 891 by 688 pixels for the picture; below 13 pixels letters are hard to read."""
    root = parse_picture(VIEWS[name])
    wide, high = (float(number) for number in (root.get("viewBox") or "").split()[2:])
    scale = min(891 / wide, 688 / high)
    classes = [each.get("class") or "" for each in root.iter() if each.tag.endswith("text")]
    sizes = [int(size) for name in classes for size in re.findall(r"fr-t(\d+)", name)]
    assert min(sizes) * scale >= 13


def is_card_text(element: ET.Element) -> bool:
    """Whether this is a line of a card's bonus or penalty: it begins after a bar."""
    return element.get("x") == "17"


SUIT_TYPE = 17


@pytest.mark.parametrize("view", [views.DRAWING, views.DISCARDING, views.CROWDED, views.WAITING, views.KEEPING])
def test_names_and_values_of_the_hand_and_the_discards_can_be_read_on_a_phone(view: views.View) -> None:
    cards = [each for name, each in handles(parse_picture(view)).items() if name.startswith(("hand:", "discard:"))]
    lines = [each for card in cards for each in card.iter() if each.tag.endswith("text") and not is_card_text(each)]
    sizes = {
        "".join(line.itertext()): int(re.findall(r"fr-t(\d+)", line.get("class") or "")[0])
        for line in lines
        if not re.match("blanked|as |.* → ", "".join(line.itertext()))
    }
    small = {words for words, size in sizes.items() if size * 390 / 800 < 11}
    assert small <= {*SUITS, WILD, "cleared", "Army struck"}, "the emblem and the points say these as well"
    assert any(name in sizes for name in ("King", "Collector"))


def test_ready_players_have_a_tick() -> None:
    assert len(with_class(parse_picture(views.TRADING), "fr-tick")) == 1
    assert not with_class(parse_picture(views.QUIET_MARKET), "fr-tick")


# The hand


def test_the_necromancers_best_eighth_card_is_next_to_the_hand() -> None:
    root = parse_picture(views.WAITING)
    eighth = [each for each in with_class(root, "fr-card") if "eighth card," in (each.get("aria-label") or "")]
    assert len(eighth) == 1
    assert eighth[0].get("data-handle") is None
    assert (eighth[0].get("aria-label") or "").startswith("Basilisk, Beast, eighth card, strength 35.")


# Chaos Realms


def test_the_three_cards_of_the_necromancer_are_next_to_the_deck() -> None:
    root = parse_picture(views.KEEPING)
    tops = {handle: at(element)[1] for handle, element in handles(root).items()}
    assert {tops[f"hand:{card}"] for card in views.KEEPING["drawn"]} == {tops["deck"]}
    assert tops["hand:Collector"] > tops["deck"]
    assert next(iter(handles(parse_picture(views.NECROMANCER)))) == "deck"


def test_the_deck_is_a_button_only_while_the_necromancer_may_draw() -> None:
    for view, buttons in ((views.NECROMANCER, ["Draw three cards"]), (views.KEEPING, []), (views.DRAWING, [])):
        assert [text for each in parse_picture(view).iter() if (text := each.get("data-button"))] == buttons
    assert len(handles(parse_picture(views.OTHERS_KEEP))) == 1 + 7


# The end


def realms(view: View) -> list[ET.Element]:
    return [each for each in parse_picture(view) if each.get("role") == "group"]


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_at_the_end_all_realms_are_laid_out_the_best_first(seats: int) -> None:
    view = views.final_view(seats)
    labels = [re.findall(r"place (\d+), (\d+) points", each.get("aria-label") or "")[0] for each in realms(view)]
    assert [int(place) for place, _ in labels] == sorted(view["ranking"])
    assert [int(total) for _, total in labels] == sorted((each["total"] for each in view["scores"]), reverse=True)
    assert not handles(parse_picture(view))


def test_at_the_end_every_card_has_its_points_and_blanked_ones_are_crossed() -> None:
    view = views.final_view(6)
    last = realms(view)[-1]
    cards = with_class(last, "fr-card")
    assert (last.get("aria-label") or "").startswith("Violet, place 6, 35 points")
    assert len(cards) == 7
    assert len(with_class(last, "fr-cross")) == 6
    assert [texts[-1] for texts in map(texts_of, cards)] == ["35", *["0"] * 6]
    few, many = (" ".join(texts_of(parse_picture(views.final_view(seats)))) for seats in (2, 6))
    assert ("8 and 15 for 3" in few, "8 and 15 for 3" in many) == (True, False)  # where there is room
    assert any(
        "8; +10 for Island." in (each.get("aria-label") or "") for each in with_class(parse_picture(view), "fr-card")
    )


def test_the_winner_has_the_frame_and_shared_places_are_named() -> None:
    first, *others = realms(views.final_view(4))
    assert with_class(first, "fr-won")
    assert not [each for each in others if with_class(each, "fr-won")]
    shared = views.final_view(3) | {"ranking": [1, 1, 3]}
    assert len(with_class(parse_picture(shared), "fr-won")) == 2


# The end as it unfolds


def beats(root: ET.Element) -> dict[int, list[ET.Element]]:
    found: dict[int, list[ET.Element]] = {}
    for each in root.iter():
        if each.get("data-beat"):
            found.setdefault(int(each.get("data-beat") or 0), []).append(each)
    return found


def test_at_the_end_the_scoring_can_unfold_a_card_a_beat_and_the_winner_last() -> None:
    view = views.final_view(3)
    root, unfinished = parse_picture(view), parse_picture(views.DRAWING)
    assert (root.get("data-show"), unfinished.get("data-show"), beats(unfinished)) == ("the scoring", None, {})
    cards = sum(len(scored["cards"]) for scored in view["scores"])
    found = beats(root)
    assert sorted(found) == list(range(1, cards + 2))
    sentences = [
        caption for beat in range(1, cards + 1) for each in found[beat] if (caption := each.get("data-caption"))
    ]
    assert len(sentences) == cards
    *_, first = ranked = sorted(view["scores"], key=lambda scored: scored["total"])
    assert sentences[0].startswith(f"{ranked[0]['cards'][0]['card']}: ")
    assert sentences[-1] == f"{first['cards'][-1]['card']}: 30 points. {first['cards'][-1]['sentence']}"


def test_the_totals_count_up_to_what_is_drawn_and_are_said_with_the_last_card() -> None:
    view = views.final_view(3)
    root = parse_picture(view)
    counting = [each for each in root.iter() if each.get("data-counts")]
    assert len(counting) == 3
    for each in counting:
        counts = (each.get("data-counts") or "").split()
        assert counts[-1] == texts_of(each)[0]
    totals = sorted(scored["total"] for scored in view["scores"])
    said = [each.get("data-say") or "" for _, group in sorted(beats(root).items()) for each in group]
    heard = [words for words in said if words]
    assert [words.split(": ")[1] for words in heard[:3]] == [f"{total} points." for total in totals]
    assert heard[3].endswith(f"with {totals[-1]}.")
    shown = [text for each in beats(root)[max(beats(root))] for text in texts_of(each)]
    assert {"Winner", "2nd place", "3rd place"} <= set(shown)


@pytest.mark.parametrize("seats", [2, 6])
def test_a_cleared_penalty_is_ticked(seats: int) -> None:
    view = views.final_view(seats)
    entry = view["scores"][0]["cards"][0]
    cleared = {**entry, "cleared_by": ["Protection Rune"], "blanked": False}
    before = len(with_class(parse_picture(view), "fr-clear"))
    view["scores"][0] = {**view["scores"][0], "cards": [cleared, *view["scores"][0]["cards"][1:]]}
    assert len(with_class(parse_picture(view), "fr-clear")) == before + 1
