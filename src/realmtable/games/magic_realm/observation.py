"""A view of Magic Realm as numbers, for programs that learn to play.

The day, the characters and the map have numbers of their own. The rest of the view, such as the fight that is going on,
is hashed: see `realmtable.kit.observations.hash_view`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.world.entities import CURSES, GOALS
from realmtable.games.magic_realm.world.world import PARTS
from realmtable.kit.observations import Numbers, Parts, hash_view, multi_hot, one_hot, seats_from

MONTH: Final = 28  # days
MANY_POINTS: Final = 50  # of fame or notoriety
MUCH_GOLD: Final = 100
WIDTH: Final = 10  # of a map, in hexes
MANY: Final = 5  # denizens in a clearing
FLAGS: Final = ("hidden", "blocked", "turn_taken", "dead", "anywhere", "berserk")
CHIT_STATES: Final = ("active", "fatigued", "wounded")
COUNTERS: Final = 12  # action chits of a character
HASHED: Final = (
    "rows",
    "counters",
    "piles",
    "boxes",
    "own",
    "doing",
    "question",
    "roll",
    "combat",
    "scores",
    "options",
)


def observe(view: View) -> Parts:
    """Return a seat's view: the day, each character, the viewer's first, the map, and a hash of the rest."""
    seats = seats_from(view["viewer"], view["seats"])
    land = view["map"]
    parts: Parts = {
        "day": view["day"] / MONTH,
        "last day": view["last_day"] / MONTH,
        "part": one_hot(view["part"], PARTS),
        "written": float(view["recording"] == "written"),
        "combat rules": float(view["combat_rules"]),
        "acting": [float(seat in view["acting"]) for seat in seats],
        "first": one_hot(view["first"], seats),
        "goals": _observe_goals(view["own"]),
    }
    for place, seat in enumerate(seats):
        parts |= _observe_player(place, view["players"][seat])
    parts["tiles"] = _observe_tiles(land["tiles"])
    parts["dwellings"] = _mark_pairs(((row["name"], row["at"]) for row in land["dwellings"]), "dwelling", "clearing")
    parts["map chits"] = _mark_pairs(((row["name"], row["tile"]) for row in land["chits"]), "map chit", "tile code")
    parts["denizens"] = multi_hot((row["name"] for row in land["denizens"]), _names("denizen"))
    parts["denizens by clearing"] = _count(row["at"] for row in land["denizens"])
    parts["rest"] = hash_view({key: view[key] for key in HASHED})
    return parts


@cache
def _names(kind: str) -> tuple[str, ...]:
    """Return all names of a kind, in the order of the catalog."""
    by_number = load_catalog().names.by_number(kind)
    return tuple(by_number[number] for number in sorted(by_number))


def _observe_goals(own: Mapping[str, Any] | None) -> Numbers:
    """Return the victory points that the viewer has assigned to each goal."""
    return [0.0] * len(GOALS) if own is None else [own["points"].get(goal, 0) / MANY for goal in GOALS]


def _observe_player(place: int, player: Mapping[str, Any]) -> Parts:
    states = [chit["state"] for chit in player["chits"]]
    return {
        f"character of {place}": one_hot(player["character"], _names("character")),
        f"clearing of {place}": one_hot(player["at"], _names("clearing")),
        f"flags of {place}": [float(player[flag]) for flag in FLAGS],
        f"fame of {place}": player["fame"] / MANY_POINTS,
        f"notoriety of {place}": player["notoriety"] / MANY_POINTS,
        f"gold of {place}": (player["gold"] or 0) / MUCH_GOLD,
        f"curses of {place}": multi_hot(player["curses"], CURSES),
        f"chits of {place}": [states.count(state) / COUNTERS for state in CHIT_STATES],
        f"goods of {place}": multi_hot((row["name"] for row in player["goods"]), _names("goods")),
        f"active goods of {place}": multi_hot(
            (row["name"] for row in player["goods"] if row["active"]), _names("goods")
        ),
    }


def _observe_tiles(tiles: Iterable[Mapping[str, Any]]) -> Numbers:
    """Return for each tile whether it lies on the map, where, how it is turned, and whether it is enchanted."""
    laid = {row["tile"]: row for row in tiles}
    numbers: Numbers = []
    for code in _names("tile code"):
        row = laid.get(code)
        numbers += (
            [0.0] * 5
            if row is None
            else [1.0, row["column"] / WIDTH, row["row"] / WIDTH, row["turn"] / 6, float(row["side"] != "green")]
        )
    return numbers


def _mark_pairs(pairs: Iterable[tuple[str, str]], kind: str, place_kind: str) -> Numbers:
    """Return a 1 for each pair of a thing and a place that is among some pairs."""
    among = {*pairs}
    return [float((name, place) in among) for name in _names(kind) for place in _names(place_kind)]


def _count(clearings: Iterable[str]) -> Numbers:
    there = [*clearings]
    return [there.count(name) / MANY for name in _names("clearing")]
