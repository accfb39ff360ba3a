"""What a player is asked to do, with the clause that explains it, and what choosing something would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.engine.protocol import Prompt, Seat, View
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.kernels.layout import KIND_NAMES, VERB_NAMES, VERB_OF
from realmtable.games.realms_of_etherium.picture.geometry import PORTAL, empty_hexes, portals_of
from realmtable.games.realms_of_etherium.places import neighbours_of
from realmtable.games.realms_of_etherium.tiles.tile_facts import tile_of
from realmtable.games.realms_of_etherium.wording import acting_seat, format_etherium

OUT_OF_TURN: Final = "Out of turn"


def prompt(view: View) -> Prompt | None:
    """Return what the viewer is asked to do; nothing for viewers who do not act."""
    seat = acting_seat(view)
    if seat is None or view["viewer"] != seat:
        return None
    text, clause = _QUESTIONS[view["phase"]](view)
    if seat != view["turn"]["seat"]:
        return Prompt(OUT_OF_TURN, text, None, clause)
    if view["phase"] == "colours":
        return Prompt("", text, None, clause)
    number, total = _count_activations(view, seat)
    player = view["players"][seat]
    title = f"Activation {number} of {total}; you have {player['white']} White, {player['black']} Black"
    return Prompt(title, text, None, clause)


def _count_activations(view: View, seat: Seat) -> tuple[int, int]:
    """Return the number of a player's activation in this Round, and how many they have."""
    mages = [mage for mage in view["mages"] if mage["seat"] == seat]
    done = sum(mage["exhausted"] and mage["mage"] != view["active_mage"] for mage in mages)
    return min(done + 1, len(mages)), len(mages)


def _act(view: View) -> tuple[str, str]:
    """Ask for a move, if there is one left, by what is next to the Mage."""
    moves = view["moves_left"]
    here = _place_of(view, view["active_mage"])
    around = _list_around(view, here)
    can_enter = any(
        realm["at"] in around and not (here == PORTAL and realm["kind"] == "Portal") for realm in view["realms"]
    )
    can_summon = not around.isdisjoint(empty_hexes(view))
    ways = ["a Realm to enter"] * can_enter + ["a hex with + to summon a Realm"] * can_summon
    if moves == 0 or not ways:
        return "Choose a button below, or end the activation.", "R2"
    again = "" if moves == 1 else f" ({moves} moves left)"
    return f"Choose {', or '.join(ways)}{again}.", "M1"


def _list_around(view: View, place: str) -> set[str]:
    """Return the hexes next to a place; all Portals are one place."""
    hexes = portals_of(view) if place == PORTAL else [place]
    return {near for hex_ in hexes for near in neighbours_of(hex_)}


def _enter(view: View) -> tuple[str, str]:
    """Ask about the power of the Realm that has been entered."""
    at = _place_of(view, view["entering"])
    kind = next(realm["kind"] for realm in view["realms"] if realm["at"] == at)
    return _ENTRIES[VERB_NAMES[VERB_OF[KIND_NAMES.index(kind)]]]


def _place_of(view: View, name: str) -> str:
    return next(str(mage["at"]) for mage in view["mages"] if mage["mage"] == name)


_ENTRIES: Final = {
    "conjure": ("Choose whether to pay for a new Mage.", "T4"),
    "convert": ("Choose how much Etherium to convert, or skip it.", "T5"),
    "exhaust": ("Choose whether to Exhaust opponents' Mages in adjacent Realms.", "T11"),
    "shift": ("Choose a Realm to move, or skip it.", "T12"),
    "swap": ("Choose a Realm to swap, or skip it.", "T13"),
}


def _asked_mage(view: View) -> str:
    seat, _, number = view["asked"].partition(".")
    name = INFO.seat_names[int(seat) - 1]
    return f"your Mage {number}" if int(seat) - 1 == view["viewer"] else f"{name}'s Mage {number}"


_QUESTIONS: Final[Mapping[str, Callable[[View], tuple[str, str]]]] = {
    "colours": lambda _: ("Choose a colour: it decides your player power.", "U5"),
    "mage": lambda _: ("Choose a Mage to activate.", "R1"),
    "act": _act,
    "source": lambda _: ("Choose a tile for the new Realm: an open one, or the top of a Supply.", "M3"),
    "enter": _enter,
    "put": lambda _: ("Choose an empty hex for the Realm.", "T12"),
    "with": lambda _: ("Choose the second Realm.", "T13"),
    "tribute": lambda view: (f"Choose what to take from {_asked_mage(view)}.", "T15"),
    "protect": lambda view: (f"Choose whether to protect {_asked_mage(view)}.", "P9"),
    "push": lambda _: ("Choose a Mage, then where to push it.", "T6"),
    "target": lambda view: (f"Choose where {_asked_mage(view)} goes.", "T6"),
    "react": lambda _: ("Choose the Realm that reacts.", "P8"),
}


# ---- notes, while a player points at something


def note(view: View, handle: str) -> str:
    """Return what entering a Realm would do at once, or what a changed tile says; empty if there is nothing to say."""
    place, _, hex_ = handle.partition(":")
    realm = next((realm for realm in view["realms"] if place == "hex" and realm["at"] == hex_), None)
    if realm is None:
        return ""
    tile = tile_of(view, realm["kind"])
    power = tile.power
    if view["phase"] == "act" and power.verb == "disrupt":
        return "Your activation would end here."
    if view["phase"] == "act" and power.verb == "gain":
        times = _count_touching(view, hex_, power.per) if power.per else 1
        return f"You would gain {format_etherium(power.white * times, power.black * times)}."
    return tile.sentence() if realm["kind"] in view["changes"] else ""


def _count_touching(view: View, hex_: str, colour: str) -> int:
    around = neighbours_of(hex_)
    return sum(realm["at"] in around and tile_of(view, realm["kind"]).colour == colour for realm in view["realms"])
