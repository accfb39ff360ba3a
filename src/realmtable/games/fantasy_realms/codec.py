"""Encode a state of Fantasy Realms as one line of text that people can also write by hand.

Example: ``hands=King,Queen/Candle phase=draw first=1 turns=3 discard=Book-of-Changes@2``. Hands are listed by seat, in
the order their cards arrived; each discard names the seat that made it; seats count from 1. Empty fields are omitted:

- ``owed``: the number of cards chance has yet to draw; ``known``: cards whose holder everyone knows; ``end``: why the
  game is over;
- in Chaos Realms ``offers``, ``bids`` like ``King>Queen``, ``refused`` bids, ``ready`` seats, trading ``steps``;
  ``seen``: by seat, the other players' cards that this seat knows beyond ``known``;
- ``options``: those that differ from the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from realmtable.engine.errors import BadInput, BadOptions, BadPosition
from realmtable.engine.options import as_pairs
from realmtable.engine.protocol import Seat
from realmtable.games.fantasy_realms.cards import CARDS, CardId, find_card
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.state import (
    NECROMANCER_DRAW,
    PHASES,
    REASONS,
    Bid,
    Cards,
    State,
    as_sorted_tuple,
    first_state,
)
from realmtable.games.fantasy_realms.validate import check_state
from realmtable.kit.position_text import read_choice, read_number, read_options, unknown_field

MAX_TEXT: Final = 200_000
MAX_COUNT: Final = 5000  # turns or steps

# ---- writing


def encode(state: State) -> str:
    """Return the whole state, hidden hands included, as one line; `decode` restores it."""
    fields = {
        "hands": "/".join(map(_encode_cards, state.hands)),
        "phase": state.phase,
        "first": "" if state.first is None else str(state.first + 1),
        "turns": str(state.turns or ""),
        "owed": str(state.owed or ""),
        "discard": ",".join(f"{_encode_card(card)}@{seat + 1}" for card, seat in state.discard),
        "known": _encode_cards(state.known),
        "offers": _encode_cards(state.offers),
        "bids": _encode_bids(state.bids),
        "refused": _encode_bids(state.refused),
        "ready": ",".join(str(seat + 1) for seat, ready in enumerate(state.ready) if ready),
        "steps": str(state.steps or ""),
        "seen": "/".join(map(_encode_cards, state.seen)) if any(state.seen) else "",
        "end": state.reason,
        "options": ",".join(as_pairs(state.options)),
    }
    return " ".join(f"{name}={value}" for name, value in fields.items() if value)


def _encode_bids(bids: Iterable[Bid]) -> str:
    return ",".join(f"{_encode_card(bid.card)}>{_encode_card(bid.offer)}" for bid in bids)


def _encode_card(card: CardId) -> str:
    return CARDS[card].name.replace(" ", "-")


def _encode_cards(cards: Iterable[CardId]) -> str:
    return ",".join(map(_encode_card, cards))


# ---- reading


def decode(text: str) -> State:
    """Return the state that a line describes; raise `BadPosition` with a sentence on what is wrong."""
    fields = _split_fields(text)
    options = read_options(FantasyOptions, fields.pop("options", ""))
    hands = tuple(map(_decode_cards, fields.pop("hands", "").split("/")))
    try:
        start = first_state(len(hands), options)
    except BadOptions as error:
        raise BadPosition(f"{error} Write one hand per player, like hands=King,Queen/Candle.") from None
    read: dict[str, Any] = {"hands": hands, "ready": start.ready, "seen": start.seen}
    for name, value in fields.items():
        if name not in _READERS:
            raise unknown_field(name, ["hands", "options", *_READERS])
        attribute, reader = _READERS[name]
        read[attribute] = reader(value, len(hands))
    return check_state(State(options, **read))


def _split_fields(text: str) -> dict[str, str]:
    if len(text) > MAX_TEXT:
        raise BadPosition(f"A position must be shorter than {MAX_TEXT:,} characters.")
    fields: dict[str, str] = {}
    for field in text.split():
        name, equals, value = field.partition("=")
        if not equals:
            raise BadPosition(f"{name[:40]} is not a field; write every field as name=value.")
        if name in fields:
            raise BadPosition(f"The field {name[:40]} is given twice.")
        fields[name] = value
    return fields


def _decode_card(text: str) -> CardId:
    try:
        return find_card(text).id
    except BadInput as error:
        raise BadPosition(str(error)) from None


def _decode_cards(text: str, _: int = 0) -> Cards:
    return tuple(map(_decode_card, text.split(","))) if text else ()


def _decode_seat(text: str, seats: int) -> Seat:
    if text not in {str(seat + 1) for seat in range(seats)}:
        raise BadPosition(f"A seat is a number from 1 to {seats}, not {text[:20]}.")
    return int(text) - 1


def _decode_discard(text: str, seats: int) -> tuple[CardId, Seat]:
    card, _, seat = text.partition("@")
    return _decode_card(card), _decode_seat(seat, seats)


def _decode_bid(text: str) -> Bid:
    card, _, offer = text.partition(">")
    return Bid(_decode_card(card), _decode_card(offer))


def _decode_ready(text: str, seats: int) -> tuple[bool, ...]:
    chosen = {_decode_seat(part, seats) for part in text.split(",")}
    return tuple(seat in chosen for seat in range(seats))


def _decode_seen(text: str, seats: int) -> tuple[Cards, ...]:
    parts = text.split("/")
    if len(parts) != seats:
        raise BadPosition(f"`seen` needs a list of cards for each of the {seats} seats, separated by /.")
    return tuple(as_sorted_tuple(set(_decode_cards(part))) for part in parts)


def _number_reader(name: str, maximum: int) -> tuple[str, Callable[[str, int], int]]:
    return name, lambda text, _: read_number(name, text, maximum)


def _word_reader(name: str, attribute: str, words: tuple[str, ...]) -> tuple[str, Callable[[str, int], str]]:
    return attribute, lambda text, _: words[read_choice(name, text, words)]


_READERS: Final[dict[str, tuple[str, Callable[[str, int], Any]]]] = {
    "phase": _word_reader("phase", "phase", PHASES),
    "first": ("first", _decode_seat),
    "turns": _number_reader("turns", MAX_COUNT),
    "owed": _number_reader("owed", NECROMANCER_DRAW),
    "discard": ("discard", lambda text, seats: tuple(_decode_discard(part, seats) for part in text.split(","))),
    "known": ("known", lambda text, _: as_sorted_tuple(set(_decode_cards(text)))),
    "offers": ("offers", _decode_cards),
    "bids": ("bids", lambda text, _: tuple(map(_decode_bid, text.split(",")))),
    "refused": ("refused", lambda text, _: tuple(map(_decode_bid, text.split(",")))),
    "ready": ("ready", _decode_ready),
    "steps": _number_reader("steps", MAX_COUNT),
    "seen": ("seen", _decode_seen),
    "end": _word_reader("end", "reason", REASONS),
}
