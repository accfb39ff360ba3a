"""Days as they are written: which phases a day has, and whether a plan fits into them (D4 to D6, Z12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from realmtable.games.magic_realm.bots.known_world import KnownWorld, name_clearing, read_place
from realmtable.games.magic_realm.catalog.effects import ANY_ACTIVITY
from realmtable.games.magic_realm.catalog.map_graph import Way

HIDE, SEARCH, REST = "H", "S", "R"
ACTIVITIES: Final = {"M": "move", HIDE: "hide", SEARCH: "search", REST: "rest", "A": "alert", "P": "peer afar"}
PONY: Final = " pony"


def write_moves(ways: Sequence[Way]) -> list[str]:
    """Return the Moves of a way; a mountain takes two."""
    return [f"M {name_clearing(way.to)}" for way in ways for _ in range(way.moves)]


def ride(known: KnownWorld, plan: Sequence[str]) -> list[str]:
    """Return a plan in which every second Move is the pony's, if there is one; not in caves (D6, D11)."""
    if not known.own["pony"]:
        return [*plan]
    written, moves, has_pony = [], 0, True
    for step in plan:
        is_move = step.startswith("M ")
        moves += is_move
        written.append(step + PONY if is_move and has_pony and not moves % 2 else step)
        has_pony = has_pony and not (is_move and known.is_cave(read_place(step.split(" ")[1])))
    return written


def fits(known: KnownWorld, plan: Sequence[str]) -> bool:
    """Whether there are phases for everything in a plan (D5)."""
    own = known.own
    targets = [step.split(" ")[1] for step in plan if step.startswith("M ")]
    enters_cave = any(known.is_cave(read_place(name)) for name in targets)
    wanted = Counter(ACTIVITIES.get(step.split(" ")[0], "-") for step in plan if not step.endswith(PONY))
    wanted.subtract(own["extra"])
    spare = own["basic"] + (0 if enters_cave else own["sunlight"]) + own["extra"].count(ANY_ACTIVITY)
    return sum(number for number in wanted.values() if number > 0) <= spare
