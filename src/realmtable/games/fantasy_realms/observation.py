"""A view of Fantasy Realms as numbers, for programs that learn to play: mostly a 0 or 1 for each card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE
from realmtable.games.fantasy_realms.state import PHASES, SEATS_BY_VARIANT
from realmtable.kit.observations import Numbers, Parts, multi_hot, one_hot, seats_from

_NAMES: Final = tuple(card.name for card in CARDS)
LONG_GAME: Final = 100  # turns
GOOD_HAND: Final = 300  # points


def observe(view: View) -> Parts:
    """Return a seat's view: the table, its own cards, then what it knows of each seat, itself first."""
    viewer, worth = view["viewer"], view["worth"]
    seats = seats_from(viewer, view["seats"])
    mine = {*view["hand"]}
    parts: Parts = {
        "variant": one_hot(view["variant"], SEATS_BY_VARIANT),
        "phase": one_hot(view["phase"], PHASES),
        "may act": float(bool(view["moves"])),
        "seat of the turn": one_hot(view["seat"], seats),
        "starting seat": one_hot(view["first"], seats),
        "turn": min(1.0, view["turn"] / LONG_GAME),
        "deck": view["deck"] / len(CARDS),
        "discards left": 0.0 if view["limit"] is None else 1 - len(view["discard"]) / view["limit"],
        "last turns": float(view["last_turns"]),
        "worth": 0.0 if worth is None else worth["total"] / GOOD_HAND,
        "hand": _cards(view["hand"]),
        "drawn": _cards(view["drawn"]),
        "discard": _cards(entry["card"] for entry in view["discard"]),
        "own bids": _cards(bid["card"] for bid in view["bids"] if bid["card"] in mine),
        "own bids are for": _cards(bid["for"] for bid in view["bids"] if bid["card"] in mine),
        "others' bids": _cards(bid["card"] for bid in view["bids"] if bid["card"] not in mine),
        "others' bids are for": _cards(bid["for"] for bid in view["bids"] if bid["card"] not in mine),
        "refused bids": _cards(bid["card"] for bid in view["refused"]),
        "refused bids are for": _cards(bid["for"] for bid in view["refused"]),
    }
    for place, seat in enumerate(seats):
        parts[f"cards of {place}"] = view["counts"][seat] / (HAND_SIZE + 1)
        parts[f"known cards of {place}"] = _cards(view["known"][seat])
        parts[f"offers of {place}"] = _cards(offer["card"] for offer in view["offers"] if offer["seat"] == seat)
        parts[f"{place} is ready"] = float(view["ready"][seat])
    return parts


def _cards(names: Iterable[str]) -> Numbers:
    return multi_hot(names, _NAMES)
