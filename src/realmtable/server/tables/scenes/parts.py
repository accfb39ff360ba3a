"""What a game tells the page of its table (`realmtable.engine.table_parts`), as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from realmtable.engine.protocol import AnyGame, Move, Seat, State, View
from realmtable.engine.table_parts import (
    HasChoiceCards,
    HasMoments,
    HasNewsCards,
    HasSeatChips,
    HasTieBreaks,
    HasTurnSteps,
    SeatChip,
)

Data = dict[str, Any]


def seat_chips(game: AnyGame, view: View) -> dict[str, Data]:
    """Return the chip of each seat, by its number; none if the game has none."""
    chips = game.seat_chips(view) if isinstance(game, HasSeatChips) else []
    return {str(seat): _chip_data(chip) for seat, chip in enumerate(chips)}


def _chip_data(chip: SeatChip) -> Data:
    total = None if chip.total is None else chip.total._asdict()
    return {"icon": chip.icon, "facts": [fact._asdict() for fact in chip.facts], "total": total}


def own_parts(game: AnyGame, state: State, view: View | None) -> Data:
    """Return the parts of a turn and the cards of choices for the view of a seat that may act; none without one."""
    if view is not None and not game.info.hidden and isinstance(game, HasTurnSteps | HasChoiceCards):
        view = {**view, "position": game.encode(state)}
    steps = game.turn_steps(view) if view is not None and isinstance(game, HasTurnSteps) else []
    cards = game.choice_cards(view) if view is not None and isinstance(game, HasChoiceCards) else []
    return {"turn_steps": [step._asdict() for step in steps], "choice_cards": [card._asdict() for card in cards]}


def by_number(parts: Iterable[Data]) -> dict[str, Data]:
    """Return parts by their number, so that a change of a scene has only those that differ."""
    return {str(number): part for number, part in enumerate(parts)}


def shared_parts(game: AnyGame, view: View) -> Data:
    """Return the seat chips, the moment of the game and, at its end, how the order came about."""
    moment = game.moment(view) if isinstance(game, HasMoments) else None
    tie = game.tie_break(view) if isinstance(game, HasTieBreaks) else None
    return {
        "chips": seat_chips(game, view),
        "moment": None if moment is None else moment._asdict(),
        "tie_break": None if tie is None else tie._asdict(),
    }


def news_cards(game: AnyGame, state: State, seat: Seat, move: Move, viewers: int) -> tuple[Data | None, ...]:
    """Return the cards of a step: one for all, or one for spectators and each seat; empty if nobody is shown any."""
    if not isinstance(game, HasNewsCards):
        return ()
    readers = (None, *range(viewers)) if game.info.hidden else (None,)
    cards = [news_card(game, state, seat, move, viewer) for viewer in readers]
    if all(card == cards[0] for card in cards):
        return () if cards[0] is None else (cards[0],)
    return tuple(cards)


def news_card(game: AnyGame, state: State, seat: Seat, move: Move, viewer: Seat | None) -> Data | None:
    """Return the card of a step as a viewer may see it; None if the game shows none."""
    card = game.news_card(state, seat, move, viewer) if isinstance(game, HasNewsCards) else None
    if card is None:
        return None
    given = {name: value for name, value in card._asdict().items() if value and name not in {"roll", "weight"}}
    roll = {} if card.roll is None else {"roll": card.roll._asdict()}
    return {**given, **roll, "weight": card.weight}
