"""The texts of the picture, and the table for a terminal."""

from __future__ import annotations

from copy import deepcopy

import pytest

from realmtable.games.fantasy_realms.picture.captions import describe, end_warning, headline
from realmtable.games.fantasy_realms.picture.table import sketch
from realmtable.kit.terminal_picture import STYLE_WORDS, plain_text, width
from tests.fantasy_realms import example_views as views
from tests.fantasy_realms.example_views import VIEWS, View
from tests.fantasy_realms.helpers import GAME

every_view = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (views.DRAWING, "Your turn: draw a card or take a discard"),
        (views.DISCARDING, "Your turn: discard a card"),
        (views.WAITING, "Azure draws a card"),
        (views.DEALING, "Dealing"),
        (views.CROWDED, "Your turn: draw two cards or take one"),
        (views.SPECTATING_TWO | {"phase": "draw"}, "Scarlet draws two cards or takes one"),
        (views.SPECTATING_SIX, "Scarlet discards a card"),
        (views.TRADING, "Trading: 1 of 5 ready"),
        (views.NECROMANCER, "Your turn: your Necromancer may draw three cards"),
        (views.OTHERS_KEEP, "Scarlet keeps one of three cards"),
        (views.final_view(3), "Azure wins with 191"),
        (views.final_view(3, 1), "You win with 191"),
        (views.final_view(3) | {"ranking": [1, 1, 3]}, "You and Azure share first place with 74"),
    ],
)
def test_the_headline_names_the_acting_player_or_the_winner(view: View, expected: str) -> None:
    assert headline(view) == expected


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (views.DRAWING, ""),
        (views.DISCARDING, "Last turns: 3 more discards end the game"),
        (views.DISCARDING | {"limit": 8}, "Last turns: 1 more discard ends the game"),
        (views.CROWDED, "Last turns: full hands end the game"),
        (views.final_view(2) | {"last_turns": True}, ""),
    ],
)
def test_the_last_turns_are_announced(view: View, expected: str) -> None:
    assert end_warning(view) == expected


def test_the_table_is_described_in_sentences() -> None:
    assert describe(views.DRAWING) == (
        "Your turn: draw a card or take a discard. You hold King, Knights, Elven Archers, Dwarvish Infantry, "
        "Book of Changes, Candle and Shapeshifter, now worth 74. Azure has 7 cards, including Rainstorm and Great "
        "Flood. Amber has 7 cards. Jade has 7 cards, including Dragon. Discard area, 5 of 10: Swamp, Magic "
        "Wand, Basilisk, Smoke and Air Elemental."
    )
    assert "You hold King and Queen. " in describe(views.DEALING)
    assert "You hold no cards. " in describe(views.DEALING | {"hand": []})
    assert "Discard area, 0 of 10: empty." in describe(views.DEALING)


def test_offers_and_ready_players_are_described() -> None:
    text = describe(views.TRADING)
    assert "Jade has 7 cards, ready." in text
    assert "On offer: World Tree by You, Collector by You, Candle by Azure," in text
    assert "discard" not in text


def test_at_the_end_every_realm_is_described_by_rank() -> None:
    text = describe(views.final_view(3))
    assert text.startswith("Azure wins with 191. Azure 191 for Wildfire, Mountain,")
    assert text.index("Azure 191") < text.index("Amber 131") < text.index("You 74 for King, Knights,")


@every_view
def test_a_sketch_fits_a_terminal_and_speaks_the_common_styles(view: View) -> None:
    lines = sketch(view)
    assert max(map(width, lines)) < 100
    assert {word for line in lines for span in line for word in span.style.split()} <= set(STYLE_WORDS)


def test_the_sketch_of_a_hand_says_what_every_card_gives_and_does() -> None:
    text = plain_text(sketch(views.DISCARDING))
    assert "Your realm, worth 191 now" in text
    assert "*  30 Dragon" not in text
    assert "\n* 30 Dragon            Beast      30\n" in text
    assert "\n   9 Mountain          Land       59\n     9 and 50 with Smoke and Wildfire.\n     +50 with both" in text
    assert "> You       8 cards  with Dragon" in text
    assert "Discard area: 7 of 10; deck: 4 cards" in text
    assert "  13 Whirlwind         Weather   from Scarlet" in text


def test_the_sketch_works_without_a_score() -> None:
    assert GAME.sketch(views.DEALING) == sketch(views.DEALING)
    text = plain_text(sketch(views.DEALING))
    assert "Your realm\n" in text
    assert "Amber     1 card\n" in text
    assert "\n   8 King              Leader   \n" in text


def test_the_sketch_of_trading_lists_offers_and_bids() -> None:
    text = plain_text(sketch(views.TRADING))
    assert "12 Hydra             Beast     on offer by Amber" in text
    assert "25 Warlock Lord      Wizard    bid for Hydra by You" in text
    assert "Jade      7 cards  ready" in text
    assert "\nTrading\n" not in plain_text(sketch(views.QUIET_MARKET))
    assert "Your realm" not in plain_text(sketch(views.SPECTATING_TRADE))


def test_the_sketch_of_the_end_ranks_all_realms() -> None:
    text = plain_text(sketch(views.final_view(6)))
    assert text.startswith("Azure wins with 191\n\n1. Azure: 191\n    40 Wildfire          40.\n")
    assert "6. Violet: 35\n    35 Basilisk          Strength 35.\n     0 Light Cavalry     Blanked by Basilisk." in text


def test_long_sentences_of_the_end_continue_in_the_next_line() -> None:
    view = deepcopy(views.final_view(2))
    view["scores"][0]["cards"][0]["sentence"] = "Strength 8; +15 for " + "Knights, " * 9
    assert "\n                         Knights," in plain_text(sketch(view))
