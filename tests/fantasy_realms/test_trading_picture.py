"""The picture of trading in Chaos Realms: offers, their gain for the viewer, and one tap to answer."""

from __future__ import annotations

import re

import pytest

from realmtable.games.fantasy_realms.cards import BY_NAME
from realmtable.games.fantasy_realms.scoring.score import best_worth
from realmtable.games.fantasy_realms.state import Step
from tests.fantasy_realms import example_views as views
from tests.fantasy_realms.helpers import GAME
from tests.fantasy_realms.test_table_picture import at, handles, label, parse_picture, texts_of
from tests.picture_checks import with_class


def hand_after_swap(hand: list[str], give: str = "", get: str = "") -> list[int]:
    return sorted(BY_NAME[card].id for card in (*hand, get) if card not in ("", give))


def test_offers_lie_in_the_rows_of_their_owners() -> None:
    root = parse_picture(views.TRADING)
    rows = {(each.get("aria-label") or "").split()[0]: each for each in root if each.get("role") == "group"}
    offered = {name: [handle for handle in handles(row) if handle.startswith("offer:")] for name, row in rows.items()}
    assert offered["Azure"] == ["offer:Candle", "offer:Bell Tower"]
    assert offered["Jade"] == []
    assert offered["Violet"] == [f"offer:{card}" for card in ("Rangers", "Forge", "Lightning", "Queen", "Unicorn")]
    assert rows["You"].get("aria-label") == "You offer 2 cards"


def test_what_is_known_but_not_on_offer_cannot_be_pointed_at() -> None:
    root = parse_picture(views.QUIET_MARKET)
    assert [handle for handle in handles(root) if not handle.startswith("hand:")] == []


def test_a_bid_for_the_own_card_says_what_it_brings() -> None:
    hand = views.TRADING["hand"]
    gain = best_worth(hand_after_swap(hand, "World Tree", "Swamp")) - best_worth(hand_after_swap(hand))
    answer = label(parse_picture(views.TRADING), "accept:Swamp:World Tree")
    assert answer == f"Accept Swamp for World Tree, +{gain} for you"


def test_a_bid_that_harms_says_so_and_is_not_green() -> None:
    harmful = {**views.TRADING, "bids": [{"card": "Candle", "seat": 1, "for": "Collector"}]}
    hand = views.TRADING["hand"]
    loss = best_worth(hand_after_swap(hand, "Collector", "Candle")) - best_worth(hand_after_swap(hand))
    assert loss < 0
    root = parse_picture(harmful)
    assert label(root, "accept:Candle:Collector") == f"Accept Candle for Collector, −{-loss} for you"
    assert not [part for part in handles(root)["accept:Candle:Collector"].iter() if part.get("class") == "fr-good"]


def test_the_buttons_next_to_a_bid_are_large_enough_for_a_finger() -> None:
    buttons = [
        each for name, each in handles(parse_picture(views.TRADING)).items() if name.startswith(("accept", "ref"))
    ]
    faces = [face for button in buttons for face in with_class(button, "fr-face")]
    assert faces
    for face in faces:
        assert min(float(face.get(side) or 0) for side in ("width", "height")) * 390 / 800 >= 40


def test_a_known_card_that_is_faded_says_that_it_is_not_on_offer() -> None:
    faded = with_class(parse_picture(views.QUIET_MARKET), "fr-quiet")
    assert [texts_of(each)[-1] for each in faded] == ["not on offer"]
    assert "known, but not on offer" in (faded[0][0].get("aria-label") or "")


def test_own_bids_are_called_back_by_one_tap() -> None:
    root = parse_picture(views.TRADING)
    assert "your bid for Amber's Hydra" in label(root, "bid:Warlock Lord:Hydra")
    assert [handle for handle in handles(root) if handle.startswith("bid:")] == ["bid:Warlock Lord:Hydra"]


def test_an_offer_does_not_say_what_it_would_bring() -> None:
    """That is advice, which everyone sees being asked for."""
    root = parse_picture(views.TRADING)
    assert not [
        words for handle in handles(root) if handle.startswith("offer:") and "for you" in (words := label(root, handle))
    ]


def test_gains_that_take_long_to_compute_are_not_shown() -> None:
    """Two cards with a choice are one too many for a picture."""
    view = views.TRADING | {"hand": [*views.TRADING["hand"][:5], "Mirage", "Doppelgänger"]}
    labels = [each.get("aria-label") or "" for each in handles(parse_picture(view)).values()]
    assert not [label for label in labels if "for you" in label]


def test_a_card_on_offer_keeps_its_place_while_others_come_and_go() -> None:
    fewer = views.TRADING | {"offers": [entry for entry in views.TRADING["offers"] if entry["card"] != "Candle"]}
    both, alone = handles(parse_picture(views.TRADING)), handles(parse_picture(fewer))
    assert at(both["offer:Bell Tower"]) == at(alone["offer:Bell Tower"])
    assert "offer:Candle" in both
    assert "offer:Candle" not in alone


def test_what_is_known_leaves_the_offers_their_room() -> None:
    view = views.TRADING | {
        "known": [[], ["Candle", "Bell Tower", "King", "Queen", "Forge", "Mountain", "Island"], [], [], []]
    }
    root = parse_picture(view)
    assert "on offer by" in label(root, "offer:Bell Tower")
    assert "King" in texts_of(root)
    assert "Mountain" not in texts_of(root)  # its seat's label names it


def test_a_full_market_shows_every_offer_and_as_many_bids_as_there_is_room_for() -> None:
    root = parse_picture(views.FULL_MARKET)
    assert len([handle for handle in handles(root) if handle.startswith("offer:")]) == 7 + 6 * 6
    shown = [handle for handle in handles(root) if handle.startswith("accept:")]
    assert len(shown) == 4
    steps = [Step("accept", BY_NAME[bid["card"]].id, BY_NAME[bid["for"]].id) for bid in views.FULL_MARKET["bids"]]
    paths = [GAME.handles(views.FULL_MARKET, step) for step in steps]
    assert sorted(path[0] for path in paths if len(path) == 1) == sorted(shown)
    assert {path[0] for path in paths if len(path) > 1} == {"bids"}


@pytest.mark.parametrize("view", [views.TRADING, views.QUIET_MARKET, views.FULL_MARKET, views.SPECTATING_TRADE])
def test_all_type_can_be_read_on_a_phone(view: views.View) -> None:
    """A picture is 800 units wide, a phone 390 pixels; below 11 pixels nobody can read it."""
    root = parse_picture(view)
    sizes = {
        int(found[1])
        for each in root.iter()
        if each.tag.endswith("text") and (found := re.search(r"fr-t(\d+)", each.get("class") or ""))
    }
    assert min(sizes) * 390 / 800 >= 11


def test_newcomers_read_how_to_trade() -> None:
    root = parse_picture(views.QUIET_MARKET)
    assert (root.get("data-tips") or "").split("|")[0] == "How trading works"
    assert parse_picture(views.DRAWING).get("data-tips") is None


def test_a_blanked_card_and_a_negative_one_are_red() -> None:
    blanked = views.entry("Candle", blanked=True)
    view = views.QUIET_MARKET | {"hand": ["Candle", "King"], "worth": views.worth(blanked, views.entry("King"))}
    root = parse_picture(view)
    assert "Now 0 points." in label(root, "hand:Candle")
    assert len([each for each in handles(root)["hand:Candle"].iter() if each.get("class") == "fr-cross"]) == 1
    assert parse_picture(view | {"worth": None}) is not None


def test_spectators_of_trading_see_offers_alone() -> None:
    assert {handle.split(":")[0] for handle in handles(parse_picture(views.SPECTATING_TRADE))} == {"offer"}
