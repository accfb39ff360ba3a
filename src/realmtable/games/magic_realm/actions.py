"""Numbers of steps, for programs that learn to play.

Each verb of a player has a range of numbers, and in it a number for every combination of its arguments: all names of
the catalog, whether a game uses them or not. So a number means the same in every game. Two arguments have bounds of
their own: tiles are laid within 19 hexes of the Borderland, as 20 tiles cannot reach further, and a roadway onto which
a character runs is numbered by the clearing at its other end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Final, NamedTuple

from realmtable.engine.errors import IllegalMove
from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.world.places import TILES, road_ends
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

FARTHEST: Final = TILES - 1  # hexes
COORDINATE: Final = range(-FARTHEST, FARTHEST + 1)
TURNS: Final = range(6)
THREE: Final = range(3)  # directions and maneuvers
NO_OR_YES: Final = range(2)

# Kinds of arguments: a range of numbers, or a kind of names. The order of the verbs is part of the numbers: later ones
# come last. Verbs of chance have no numbers.
ArgumentKind = range | str
VERBS: Final[dict[str, tuple[ArgumentKind, ...]]] = {
    "M": ("clearing", NO_OR_YES),  # whether the pony moves
    "H": (),
    "S": (),
    "R": (),
    "A": (),
    "P": ("clearing",),
    "F": ("character",),
    "-": (),
    "order": (range(6),),
    "back": (),
    "done": (),
    "ready": (),
    "tile": ("tile",),
    "place": (COORDINATE, COORDINATE),
    "turn": (TURNS,),
    "be": ("character",),
    "gear": ("gear", "box"),
    "want": (range(5),),  # four goals, and one for later parts
    "start": ("start",),
    "now": (),
    "later": (),
    "activate": ("goods",),
    "pack": ("goods",),
    "leave": ("goods",),
    "go": (),
    "run on": (),
    "along": (),
    "stop": (),
    "shed": ("character",),
    "block": ("blocked",),
    "pass": (),
    "peer": ("clearing",),
    "locate": (),
    "sight": (),
    "loot": ("looted",),
    "choose": (range(7),),
    "exchange": (),
    "put back": (),
    "take": (range(2), "looted"),
    "take nothing": (),
    "force": ("force",),
    "keep": (),
    "tire": ("action", "action"),
    "rest": ("rest", "action"),
    "enough": (),
    "to": ("clearing",),
    "run": ("clearing", "piece"),
    "unalert": (),
    "wound": ("action",),
    "rest easy": (),
    "stir": (),
    "continue": (),
    "lure": ("monster",),
    "charge": ("character", "piece"),
    "alert": ("piece",),
    "berserk": (),
    "aim": ("blocked",),
    "aim none": (),
    "strike": (THREE, "piece"),
    "turn weapon": ("piece",),
    "evade": (THREE, "piece"),
    "shield": (THREE,),
    "set": ("counter", THREE),
    "unhide": (),
}
CHANCE_VERBS: Final = ("draw", "lay", "deal", "chit", "die", "next", "d", "card", "clearing")
RUN: Final = "run"


class Numbering(NamedTuple):
    """Where the numbers of each verb begin, and the places of arguments: 0 means that there is none."""

    first: dict[str, int]
    places: dict[str, tuple[dict[int, int], ...]]  # by verb, for each argument: from its number to its place
    size: int


@cache
def numbering() -> Numbering:
    """Return the numbers of all actions, which follow from the catalog."""
    first, places, size = {}, {}, 0
    for verb, kinds in VERBS.items():
        first[verb] = size
        places[verb] = tuple({number: place for place, number in enumerate(_list_numbers(kind), 1)} for kind in kinds)
        size += prod(len(place_of) + 1 for place_of in places[verb])
    return Numbering(first, places, size)


def _list_numbers(kind: ArgumentKind) -> Sequence[int]:
    return sorted(load_catalog().names.by_number(kind)) if isinstance(kind, str) else kind


def action_of(world: World, seat: Seat, step: Step) -> int:
    """Return the number of a player's step."""
    numbers, rest = numbering(), 0
    args = (_other_end(world, seat, step.args[0]), *step.args[1:]) if step.verb == RUN else step.args
    for index, place_of in enumerate(numbers.places[step.verb]):
        rest = rest * (len(place_of) + 1) + (place_of[args[index]] if index < len(args) else 0)
    return numbers.first[step.verb] + rest


def _other_end(world: World, seat: Seat, road: int) -> int:
    """Return the end of a roadway where the seat's character is not."""
    near, far = road_ends(road)
    return near if world.heroes[seat].place == far else far


def find_move(world: World, seat: Seat, action: int, legal: Sequence[Step]) -> Step:
    """Return the legal step with a number; raise `IllegalMove` if there is none."""
    found = next((step for step in legal if action_of(world, seat, step) == action), None)
    if found is None:
        raise IllegalMove("Z1", f"No legal step has the number {action} now.")
    return found
