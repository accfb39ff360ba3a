"""Describe the steps of combat in words (Z15)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS
from realmtable.games.magic_realm.picture.combat_handles import BOX, SHIELD, WEAPON
from realmtable.games.magic_realm.text.wording import (
    capitalise,
    format_counter,
    format_place,
    name_character,
    name_clearing,
    name_monster,
    name_target,
)
from realmtable.games.magic_realm.world.step_text import COUNTER, PIECE

GALLOP: Final = " gallop"

PLAIN: Final = {
    "rest easy": "Rest easy",
    "continue": "Continue after combat",
    "stir": "Begin a round of combat",
    "unhide": "Become unhidden",
    "unalert": "Unalert your weapon",
    "berserk": "Go berserk",
    "aim none": "Aim at no one",
}
GROUPS: Final = {
    "lure": "Lure",
    "charge": "Charge",
    "alert": "Turn your weapon",
    "run": "Run",
    "aim": "Aim at",
    "strike": "Attack",
    "turn weapon": "Turn your weapon",
    "evade": "Manoeuvre",
    "shield": "Shield",
    "set": "Lay",
}
SHORT: Final = {
    **{f"{BOX}{way}": f"{capitalise(way)} and {other}" for way, other in zip(DIRECTIONS, MANEUVERS, strict=True)},
    SHIELD: "Your shield",
    WEAPON: "Turn your weapon with …",
}


def format_piece(name: str) -> str:
    """Return a piece that a view or a step names: an action chit, gloves, boots or a horse.

    >>> format_piece("Fight M4"), format_piece("Pony-1 gallop")
    ('Fight M4', 'Pony 1, galloping')
    """
    if name.endswith(GALLOP):
        return f"{name.removesuffix(GALLOP).replace('-', ' ')}, galloping"
    return name.replace("-", " ")


def label_of_combat(handle: str) -> str:
    """Return the text of a counter, a character or a piece of the melee sheet; empty for other handles."""
    kind, colon, name = handle.partition(":")
    match f"{kind}{colon}":
        case "counter:":
            return capitalise(f"the {format_counter(name)}")
        case "warrior:":
            return f"The {name}"
        case "piece:":
            return format_piece(name)
        case "run:":
            return f"Run to {format_place(name)}"
    return SHORT.get(handle, "")


def name_piece(number: int) -> str:
    """Return a piece by its number in steps."""
    return format_piece(PIECE.write(number))


def name_counter(number: int) -> str:
    """Return a monster, its head or its club by its number in steps, with an article."""
    return f"the {format_counter(COUNTER.write(number))}"


def _alert(*piece: int) -> str:
    return f"Turn your weapon over with {name_piece(*piece)}" if piece else "Alert your weapon"


SENTENCES: Final[Mapping[str, Callable[..., str]]] = {
    "clearing": lambda place: f"The evening comes to {name_clearing(place)}",
    "lure": lambda monster: f"Lure the {name_monster(monster)}",
    "charge": lambda character, piece: f"Charge {name_character(character)} with {name_piece(piece)}",
    "alert": _alert,
    "aim": lambda target: f"Aim at {name_target(target)}",
    "strike": lambda way, piece: f"{capitalise(DIRECTIONS[way])} with {name_piece(piece)}",
    "turn weapon": lambda piece: f"Turn your weapon over at the end of the round, with {name_piece(piece)}",
    "evade": lambda way, piece: f"{capitalise(MANEUVERS[way])} with {name_piece(piece)}",
    "shield": lambda way: f"Hold your shield against {DIRECTIONS[way]}",
    "set": lambda counter, box: f"Lay {name_counter(counter)} in {DIRECTIONS[box]}",
}
