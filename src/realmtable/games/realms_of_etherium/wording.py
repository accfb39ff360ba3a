"""Words that several parts of the game's interface share."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat, View
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.kernels.layout import MAX_MAGES, MageNumber
from realmtable.games.realms_of_etherium.tiles.manifest import Cost, describe_cost

NOTHING: Final = describe_cost(Cost(0, 0))

PLAYER_POWERS: Final = {
    "Red": "Red reactions trigger each other.",
    "Blue": "Blue gains give 1 White more.",
    "Orange": "Orange powers are free.",
    "Purple": "Purple powers and Control cost 1 less.",
    "Yellow": "Control of Victory Realms costs 1 less.",
    "Green": "Green powers cost only 1 Etherium.",
}


def format_etherium(white: int, black: int) -> str:
    """Return an amount of Etherium in words.

    >>> format_etherium(2, 1), format_etherium(0, 0)
    ('2 White and 1 Black', 'nothing')
    """
    return describe_cost(Cost(white, black))


def mage_name(mage: MageNumber, viewer: Seat | None = None) -> str:
    """Return a Mage with its owner, or "Mage 2" for the viewer's own."""
    seat, number = divmod(mage, MAX_MAGES)
    return f"Mage {number + 1}" if seat == viewer else f"{INFO.seat_names[seat]}'s Mage {number + 1}"


def count_copies(name: str, count: int) -> str:
    """Return the name of a tile, and how many there are if there are several."""
    return f"{name} ×{count}" if count > 1 else name


def headline(view: View) -> str:
    """Say in a few words where the game is."""
    if view["phase"] == "over":
        return "the game is over"
    seat = acting_seat(view)
    if seat is None:
        return f"Round {view['round']}"
    return f"Round {view['round']}, {INFO.seat_names[seat]} to act"


def acting_seat(view: View) -> Seat | None:
    """Return the seat of the player who has to decide, or None if chance acts or the game is over."""
    acting = [seat for seat in view["to_move"] if seat >= 0]
    return acting[0] if acting else None


def next_starter(view: View) -> Seat:
    """Return the seat that begins the next Round if no Mage becomes Exhausted out of turn (R6)."""
    seats = len(view["players"])
    waiting = [0] * seats
    for mage in view["mages"]:
        waiting[mage["seat"]] += not mage["exhausted"]
    last = seat = int(view["turn"]["seat"])
    while any(waiting):
        if waiting[seat]:
            waiting[seat] -= 1
            last = seat
        seat = (seat + 1) % seats
    return (last + 1) % seats
