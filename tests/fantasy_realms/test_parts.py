"""What the page shows besides the picture: chips, steps of a turn, the moment, the tab Deck, news and the tie-break."""

from __future__ import annotations

from typing import Any

import pytest

from realmtable.engine.protocol import Seat
from realmtable.engine.table_parts import NewsCard
from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.picture.deck_panel import unseen_cards
from realmtable.games.fantasy_realms.state import State
from tests.fantasy_realms import example_views as views
from tests.fantasy_realms.helpers import GAME, play, split_seat, start, table
from tests.fantasy_realms.test_table_picture import texts_of
from tests.picture_checks import parse_svg


def news(state: State, text: str, viewer: Seat | None) -> NewsCard | None:
    """Return the card of a step for a viewer."""
    seat, step = split_seat(state, text)
    return GAME.news_card(state, seat, GAME.parse_move(state, step), viewer)


def title(state: State, text: str, viewer: Seat | None = None) -> str:
    card = news(state, text, viewer)
    return "" if card is None else card.title


# ---- seats


def test_a_chip_says_what_only_its_own_player_may_know() -> None:
    state = table(3)
    chips = GAME.seat_chips(GAME.view(state, 1))
    worth = GAME.view(state, 1)["worth"]
    assert [chip.total and chip.total.value for chip in chips] == [None, str(worth["total"]), None]
    assert [chip.facts[0].value for chip in chips] == ["7", "7", "7"]
    assert not any(chip.total for chip in GAME.seat_chips(GAME.view(state, None)))


def test_at_the_end_every_chip_has_its_points() -> None:
    view = views.final_view(4)
    assert [chip.total and chip.total.value for chip in GAME.seat_chips(view)] == [
        str(score["total"]) for score in view["scores"]
    ]


def test_while_trading_a_chip_counts_the_offers() -> None:
    state = play(table(3, "chaos"), "1 offer Mountain")
    assert [[fact.value for fact in chip.facts] for chip in GAME.seat_chips(GAME.view(state, None))] == [
        ["7", "1"], ["7", "0"], ["7", "0"],
    ]  # fmt: skip


# ---- the turn and the game


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ((), [("Draw", "", "now"), ("Discard", "", "later")]),
        (("deck", "King"), [("Draw", "King", "done"), ("Discard", "", "now")]),
    ],
)
def test_the_parts_of_a_turn(steps: tuple[str, ...], expected: list[tuple[str, str, str]]) -> None:
    state = play(table(3), *steps)
    assert [(step.title, step.note, step.state) for step in GAME.turn_steps(GAME.view(state, 0))] == expected
    assert GAME.turn_steps(GAME.view(state, 1)) == []


def test_the_parts_of_a_turn_in_the_two_player_set_up() -> None:
    """W1."""
    state = play(start(2), "first 1")
    assert [step.note for step in GAME.turn_steps(GAME.view(state, 0))] == ["two, or take one", "one of the two"]


def test_the_necromancer_draws_three_and_keeps_one() -> None:
    """X7."""
    state = play(table(4, "chaos"), "time")
    owner = state.seat
    assert [step.state for step in GAME.turn_steps(GAME.view(state, owner))] == ["now", "later"]
    assert GAME.moment(GAME.view(state, owner)).title == "The Necromancer's choice"


def moment(**changed: Any) -> tuple[str, str]:  # noqa: ANN401 - any field
    found = GAME.moment(views.DRAWING | changed)
    return found.title, found.text


def test_the_moment_says_what_ends_the_game_and_what_is_left() -> None:
    assert moment() == ("5 more discards end the game", "17 cards in the deck")
    last = views.DRAWING["discard"] * 2
    assert moment(discard=last[:9], last_turns=True, deck=1) == (
        "Last turns: 1 more discard ends the game", "1 card in the deck",
    )  # fmt: skip
    assert moment(discard=last, last_turns=True)[0] == "Last turns: full hands end the game"
    assert GAME.moment(views.DEALING).title == "Dealing"
    assert GAME.moment(views.TRADING).text == "1 of 5 are ready"
    assert GAME.moment(views.final_view(3)).title == "The game is over"


# ---- the tab Deck


def test_the_tab_deck_has_the_cards_that_nobody_has_seen_and_those_known_in_other_hands() -> None:
    view = views.DRAWING
    (panel,) = GAME.panels(view)
    shown = {text for text in texts_of(parse_svg(panel.svg)) if text in {card.name for card in CARDS}}
    others = {name for seat, names in enumerate(view["known"]) if seat != view["viewer"] for name in names}
    assert shown == others | set(unseen_cards(view))
    assert not shown & {*view["hand"], *(entry["card"] for entry in view["discard"])}
    assert panel.badge == str(view["deck"])


def test_a_card_bid_to_the_viewer_is_known_to_be_in_the_bidders_hand() -> None:
    """X2: only the owner of the card on offer sees the bid."""
    state = play(table(3, "chaos"), "1 offer Mountain")
    mine = next(card.name for card in CARDS if card.id in state.hands[1])
    state = play(state, f"2 bid {mine} for Mountain")
    assert mine not in unseen_cards(GAME.view(state, 0))
    assert mine in unseen_cards(GAME.view(state, 2))


def test_at_the_end_the_tab_has_what_was_left_in_the_deck() -> None:
    view = views.final_view(3)
    held = {name for score in view["scores"] for name in score["hand"]}
    assert not held & set(unseen_cards(view))
    assert "In other hands" not in texts_of(parse_svg(GAME.panels(view)[0].svg))


def test_nothing_in_the_tab_is_cut_off() -> None:
    root = parse_svg(GAME.panels(views.CROWDED)[0].svg)
    wide, high = (float(number) for number in (root.get("viewBox") or "").split()[2:])
    for tag in root.iter("g"):
        if tag.get("data-card"):
            left, top = (float(number) for number in (tag.get("transform") or "")[10:-1].split())
            frame = next(tag.iter("rect"))
            assert left + float(frame.get("width") or 0) <= wide
            assert top + float(frame.get("height") or 0) <= high


# ---- news


def test_what_is_taken_and_discarded_is_news_with_a_picture() -> None:
    state = play(table(3), "deck", "King")
    card = news(state, "drop King", 1)
    assert card is not None
    assert (card.title, card.handles) == ("Scarlet discarded King", ("discard:King",))
    assert texts_of(parse_svg(card.svg)) == ["8"]
    assert title(play(state, "drop King"), "take King") == "Azure took King from the discard area"


def test_a_drawn_card_is_news_to_its_player_alone() -> None:
    state = play(table(3), "deck")
    draw = GAME.parse_move(state, "King")
    shown = [GAME.news_card(state, -1, draw, viewer) for viewer in (None, 0, 1)]
    assert [card and card.title for card in shown] == [None, "You drew King", None]
    assert title(table(3), "deck") == ""


def test_the_last_turns_and_the_end_concern_everybody() -> None:
    state = table(3)
    cards = []
    for _ in range(10):
        drawn = GAME.format_move(play(state, "deck"), GAME.chance(play(state, "deck"))[0].move)
        state = play(state, "deck", drawn)
        card = news(state, f"drop {drawn}", None)
        assert card is not None
        cards.append(card)
        state = play(state, f"drop {drawn}")
    assert [bool(card.concerns) for card in cards] == [False] * 7 + [True, False, True]
    assert cards[7].text == "Last turns: 2 more discards end the game."
    assert cards[9].title == "The game is over"
    assert cards[9].text == GAME.outcome(state).text  # type: ignore[union-attr] # it is over


def test_a_bid_and_its_answer_are_news_between_two_players_only() -> None:
    """X2."""
    state = play(table(3, "chaos"), "1 offer Mountain")
    assert title(table(3, "chaos"), "1 offer Mountain") == "Scarlet offers Mountain"
    mine = next(card.name for card in CARDS if card.id in state.hands[1])
    bid = f"2 bid {mine} for Mountain"
    assert [title(state, bid, viewer) for viewer in (None, 2)] == ["", ""]
    assert title(state, bid, 0) == f"Azure bids {mine} for your Mountain"
    state = play(state, bid)
    for verb, said in (("accept", "accepted"), ("refuse", "refused")):
        assert title(state, f"1 {verb} {mine} for Mountain", 1) == f"Scarlet {said} {mine} for Mountain"
    assert title(state, f"1 refuse {mine} for Mountain", 2) == ""
    assert title(state, f"1 accept {mine} for Mountain", 2) == "Scarlet gave Mountain to Azure for another card"


# ---- the end


def final(*numbers: tuple[int, int], ranking: list[int]) -> views.View:
    """A view of the end with these points and strengths."""
    view = views.final_view(len(numbers))
    scores = [
        score | {"total": total, "strength": strength}
        for score, (total, strength) in zip(view["scores"], numbers, strict=True)
    ]
    return view | {"scores": scores, "ranking": ranking}


@pytest.mark.parametrize(
    ("numbers", "ranking", "title", "decides", "text"),
    [
        (((150, 60), (131, 50)), [1, 2], "Points decide: 150 to 131", 0, "With 19 more points, Azure would have won."),
        (((150, 50), (131, 60)), [1, 2], "Points decide: 150 to 131", 0, "With 20 more points, Azure would have won."),
        (((150, 60), (149, 70)), [1, 2], "Points decide: 150 to 149", 0, "With 2 more points, Azure would have won."),
        (((150, 70), (149, 60)), [1, 2], "Points decide: 150 to 149", 0, "With 1 more point, Azure would have won."),
        (((150, 60), (150, 50)), [2, 1], "Equal points, so the lower strengths decide: 50 to 60", 1,
         "With 1 more point, Scarlet would have won."),
        (((150, 60), (150, 60)), [1, 1], "Scarlet and Azure share first place: equal points and strengths", -1, ""),
    ],
)  # fmt: skip
def test_what_decided(
    numbers: tuple[tuple[int, int], ...], ranking: list[int], title: str, decides: int, text: str
) -> None:
    """P6: with equal points, the lower strengths win."""
    found = GAME.tie_break(final(*numbers, ranking=ranking))
    assert found is not None
    assert (found.title, found.decides) == (title, decides)
    assert found.values == tuple((str(total), str(strength)) for total, strength in numbers)
    assert found.text == text
    assert GAME.tie_break(views.DRAWING) is None
