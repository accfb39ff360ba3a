"""The curses of the Imp, and what they prevent (C27)."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.world.entities import CURSES
from realmtable.games.magic_realm.world.world import World

EYEMIST, SQUEAK, WITHER, ILL_HEALTH, ASHES, DISGUST = range(len(CURSES))
PREVENTED: Final = {"S": EYEMIST, "H": SQUEAK, "R": ILL_HEALTH}  # activities that a curse prevents


def is_cursed(world: World, seat: Seat, curse: int) -> bool:
    """Whether a character has a curse."""
    return bool(world.heroes[seat].curses >> curse & 1)


def is_prevented(world: World, seat: Seat, verb: str) -> bool:
    """Whether a curse prevents an activity."""
    return verb in PREVENTED and is_cursed(world, seat, PREVENTED[verb])


def list_curses(curses: int) -> list[str]:
    """Return the names of curses that are given as bits."""
    return [word for bit, word in enumerate(CURSES) if curses >> bit & 1]
