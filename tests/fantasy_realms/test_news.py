"""The news as viewers read it, and the deal as one line of the move list."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.fantasy_realms.state import Step
from tests.example_tables import read_table
from tests.fantasy_realms.helpers import GAME, card, play, set_up, split_seat, start, table

# A game, the steps before, the step, and its news for spectators, the first seat and the second.
NEWS = read_table("""
dealt 3 | | deck | Scarlet draws a card | | Scarlet draws a card
dealt 3 | deck | King | | You draw King |
dealt 3 | deck; King | drop King | Scarlet discards King | You discard King | Scarlet discards King
dealt 3 | deck; King; drop King | take King | Azure takes King | Azure takes King | You take King
# the dealt cards are no news
new 3 | | first 2 | Azure begins | Azure begins | You begin
new 3 | first 2 | King | | |
dealt 2 two_player | | deck | Scarlet draws two cards | | Scarlet draws two cards
# what concerns only two is hidden from others
dealt 3 chaos | OFFER | 1 offer Cavern | Scarlet offers Cavern | You offer Cavern | Scarlet offers Cavern
dealt 3 chaos | OFFER | 1 withdraw Forest | Scarlet withdraws Forest | You withdraw Forest | Scarlet withdraws Forest, which ends your bid for Forest
dealt 3 chaos | 1 offer Forest | 2 bid Island for Forest | | Azure bids Island for Forest | You bid Island for Forest
dealt 3 chaos | OFFER | 2 cancel Island for Forest | | Azure cancels the bid of Island for Forest | You cancel the bid of Island for Forest
dealt 3 chaos | OFFER | 1 refuse Island for Forest | | You refuse Island for Forest | Scarlet refuses your bid of Island for Forest
dealt 3 chaos | OFFER | 1 accept Island for Forest | Scarlet accepts a card from Azure for Forest | You accept Island for Forest | Scarlet accepts Island for Forest
dealt 3 chaos | OFFER | 2 ready | Azure wants no more trades | Azure wants no more trades | You want no more trades
dealt 3 chaos | OFFER; 2 ready | 2 active | Azure trades again | Azure trades again | You trade again
dealt 3 chaos | 1 offer Forest; 2 bid Island for Forest; 3 bid Candle for Forest | 1 accept Candle for Forest | Scarlet accepts a card from Amber for Forest | You accept Candle for Forest | Scarlet accepts a card from Amber for Forest, which ends your bid for Forest
dealt 3 chaos | | time | Time is up | Time is up | Time is up
""")  # noqa: E501 - a row is one example


@pytest.mark.parametrize(("before", "steps", "text", "spectator", "first", "second"), NEWS)
def test_the_news_show_what_each_viewer_may_know(
    before: str, steps: str, text: str, spectator: str, first: str, second: str
) -> None:
    offered = steps.replace("OFFER", "1 offer Forest; 2 bid Island for Forest")
    state = play(set_up(before), *filter(None, offered.split("; ")))
    seat, move = split_seat(state, text)
    step = GAME.parse_move(state, move)
    assert [GAME.news(state, seat, step, viewer) for viewer in (None, 0, 1)] == [spectator, first, second]


def test_the_news_of_the_necromancer() -> None:
    state = play(table(4, "chaos"), "time")
    assert GAME.news(state, 3, Step("deck"), None) == "Jade draws three cards"
    assert GAME.news(state, 3, Step("leave"), 0) == "Jade stays at seven cards"
    keep, drawn = Step("keep", card("King")), play(state, "deck", "King", "Queen", "Dragon")
    assert [GAME.news(drawn, 3, keep, viewer) for viewer in (None, 3)] == ["Jade keeps a card", "You keep King"]


def test_the_deal_is_one_line_and_what_is_drawn_later_is_not_in_it() -> None:
    deal, draw = play(start(3), "first 2"), Step("draw", card("King"))
    assert GAME.fold_label(start(3), Step("first", 1)) == "Azure begins"
    assert GAME.fold_label(deal, draw) == "Each player is dealt seven cards"
    assert GAME.fold_label(start(3, "chaos"), draw) == "Each player is dealt seven cards"
    assert GAME.fold_label(play(table(), "deck"), draw) == ""
    assert GAME.to_move(deal) == (CHANCE,)
