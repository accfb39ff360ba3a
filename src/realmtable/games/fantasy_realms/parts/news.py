"""Steps as cards: what was taken and discarded, trades as far as a viewer may know them, and the end."""

from __future__ import annotations

from typing import Final

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import CHANCE, CLOCK, Seat
from realmtable.engine.table_parts import NewsCard
from realmtable.games.fantasy_realms import INFO, rules
from realmtable.games.fantasy_realms.cards import CARDS, CardId, card_name
from realmtable.games.fantasy_realms.outcome import outcome
from realmtable.games.fantasy_realms.picture.mini_card import draw_mini_card
from realmtable.games.fantasy_realms.secrecy import drawing_seat, text_for_viewer
from realmtable.games.fantasy_realms.state import DISCARD_LIMITS, State, Step

OFFER, DRAWN, TAKEN, TRADE, LAST_TURNS, END = range(1, 7)  # by weight


def news_card(state: State, seat: Seat, step: Step, viewer: Seat | None) -> NewsCard | None:
    """Return the card of a step as far as a viewer may know it; None if it shows no card to them."""
    after = rules.play(state, seat, step)
    ended = outcome(after)
    if ended is not None:
        everyone = tuple(range(len(state.hands)))
        return NewsCard(translate("The game is over"), ended.text, "points", concerns=everyone, weight=END)
    if seat == CHANCE:
        return _report_draw(state, step, viewer)
    if seat == CLOCK:
        return NewsCard(translate("Time is up: trading is over"), icon="offer", weight=END)
    if text_for_viewer(state, seat, step, viewer) != text_for_viewer(state, seat, step, seat):
        return _report_secret(state, seat, step)
    name = INFO.seat_names[seat]
    if step.verb == "take":
        title = translate("{player} took {card} from the discard area", player=name, card=card_name(step.card))
        return _show(step.card, title, weight=TAKEN)
    if step.verb == "drop":
        return _report_discard(state, after, name, step.card)
    if step.verb == "offer":
        return _show(
            step.card, translate("{player} offers {card}", player=name, card=card_name(step.card)), weight=OFFER
        )
    return _report_bid(state, name, seat, step)


def _show(
    card: CardId, title: str, text: str = "", *, weight: int, handle: str = "", concerns: tuple[Seat, ...] = ()
) -> NewsCard:
    picture = draw_mini_card(CARDS[card].name)
    return NewsCard(title, text, svg=picture, handles=(handle,) if handle else (), concerns=concerns, weight=weight)


def _report_draw(state: State, step: Step, viewer: Seat | None) -> NewsCard | None:
    """Show a card that was drawn to who drew it."""
    if state.phase == "deal" or viewer is None or viewer != drawing_seat(state):
        return None
    return _show(step.card, translate("You drew {card}", card=card_name(step.card)), weight=DRAWN)


def _report_discard(state: State, after: State, name: str, card: CardId) -> NewsCard:
    title, handle = (
        translate("{player} discarded {card}", player=name, card=card_name(card)),
        f"discard:{card_name(card)}",
    )
    left = DISCARD_LIMITS[state.variant] - len(after.discard)
    starts_end = left == len(state.hands) - 1  # from here on, everyone may have had their last turn
    if not starts_end:
        return _show(card, title, weight=TAKEN, handle=handle)
    text = translate_count(
        "Last turns: {count} more discard ends the game.", "Last turns: {count} more discards end the game.", left
    )
    return _show(card, title, text, weight=LAST_TURNS, handle=handle, concerns=tuple(range(len(state.hands))))


def _report_secret(state: State, seat: Seat, step: Step) -> NewsCard | None:
    """Show what everyone sees of a trade between others: the card that was on offer."""
    bidder = state.holder(step.card)
    if step.verb != "accept" or bidder is None:
        return None
    fields = {"owner": INFO.seat_names[seat], "bidder": INFO.seat_names[bidder], "card": card_name(step.other)}
    return _show(step.other, translate("{owner} gave {card} to {bidder} for another card", **fields), weight=TRADE)


_BID_TITLES: Final = {
    "bid": "{player} bids {card} for your {other}",
    "accept": "{player} accepted {card} for {other}",
    "refuse": "{player} refused {card} for {other}",
}


def _report_bid(state: State, name: str, seat: Seat, step: Step) -> NewsCard | None:
    """Show a bid or its answer to the two players between whom it is."""
    if step.verb not in _BID_TITLES:
        return None
    other = state.holder(step.other if step.verb == "bid" else step.card)
    fields = {"player": name, "card": card_name(step.card), "other": card_name(step.other)}
    concerns = () if other is None or other == seat else (other,)
    return _show(step.card, translate(_BID_TITLES[step.verb], **fields), weight=TRADE, concerns=concerns)
