"""What a player knows, read from their view: the map, the chits, the monsters and their own character.

Bots and advice use nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, cast

from realmtable.games.magic_realm.catalog import load_catalog, map_graph
from realmtable.games.magic_realm.catalog.characters_and_denizens import ActionChit, Character
from realmtable.games.magic_realm.catalog.effects import Effect
from realmtable.games.magic_realm.catalog.goods_and_spells import Goods, Horse, Treasure
from realmtable.games.magic_realm.catalog.ids import STRENGTHS, Place, TileId, is_as_strong, place_of, tile_of
from realmtable.games.magic_realm.catalog.map_graph import MOUNTAIN_MOVES, MapGraph, Way, is_known
from realmtable.games.magic_realm.catalog.placement import Placement
from realmtable.games.magic_realm.catalog.setup_card import MapChit
from realmtable.games.magic_realm.view_parts.schema import GoodsData, MagicView, OwnData, PlayerData

CAVE_COST: Final = 2  # a Move into a cave costs the sunlight phases too
DIE: Final = 6


@dataclass(frozen=True)
class TileChits:
    """The chits that lie in a tile, as far as the viewer knows them."""

    warning: MapChit | None  # None if it is unknown or has been replaced by a dwelling
    has_warning: bool
    others: tuple[MapChit, ...]  # sounds and sites
    unknown: int  # second chits that the viewer does not know
    red: bool  # whether the Lost City or the Lost Castle is known to be here


class KnownWorld:
    """What a view tells a viewer whose character is on the map."""

    def __init__(self, view: MagicView) -> None:
        assert view["viewer"] is not None  # noqa: S101 - spectators have no bots
        assert view["own"] is not None  # noqa: S101 - and characters come first
        self.view = view
        self.player: PlayerData = view["players"][view["viewer"]]
        self.own: OwnData = view["own"]

    # ---- the map

    @cached_property
    def graph(self) -> MapGraph:
        """The clearings of the map and the ways between them."""
        tiles = {tile.code: tile.id for tile in load_catalog().tiles}
        layout = [
            Placement(tiles[one["tile"]], one["column"], one["row"], one["turn"]) for one in self.view["map"]["tiles"]
        ]
        return map_graph(tuple(sorted(layout)))

    @cached_property
    def roads(self) -> int:
        """The discovered hidden paths and secret passages, as bits."""
        known = {*self.view["map"]["known_roads"]}
        return sum(1 << road.secret_id for road in load_catalog().secret_roads if road.id in known)

    @cached_property
    def starts(self) -> tuple[Place, ...]:
        """The clearing where the character is, or the two ends of its roadway."""
        return tuple(read_place(name) for name in self.player["at"].split("-") if name)

    @property
    def is_on_road(self) -> bool:
        """Whether the character is on a roadway."""
        return len(self.starts) > 1

    def is_cave(self, place: Place) -> bool:
        """Whether a clearing is in a cave."""
        return self.graph.clearings[place].kind == "cave"

    def is_open(self, way: Way) -> bool:
        """Whether the character can use a way."""
        return is_known(way.secret, self.roads)

    def entry_cost(self, place: Place) -> float:
        """Return how many phases of a day it costs to enter a clearing."""
        return self._entry_costs[self.graph.clearings[place].kind]

    @cached_property
    def _entry_costs(self) -> Mapping[str, float]:
        return {"woods": 1, "mountain": MOUNTAIN_MOVES, "cave": 1 if self.never_has_sunlight else CAVE_COST}

    def reverse(self, way: Way, origin: Place) -> Way:
        """Return the way back to where a way begins."""
        return way._replace(to=origin, moves=MOUNTAIN_MOVES if self.graph.clearings[origin].kind == "mountain" else 1)

    # ---- chits and monsters

    @cached_property
    def chits(self) -> Mapping[TileId, TileChits]:
        """The chits of each tile."""
        catalog = load_catalog()
        by_name = {chit.name: chit for chit in catalog.map_chits}
        found: dict[TileId, TileChits] = {}
        for tile in catalog.tiles:
            names = [chit["name"] for chit in self.view["map"]["chits"] if chit["tile"] == tile.code]
            has_warning = bool(names) and tile.id not in self._tiles_with_dwellings
            warning = by_name.get(names[0]) if has_warning else None
            others = [by_name.get(name) for name in names[has_warning:]]
            lying = tuple(chit for chit in others if chit is not None and chit.kind != "red")
            red = any(chit is not None and chit.kind == "red" for chit in others)
            found[tile.id] = TileChits(warning, has_warning, lying, others.count(None), red)
        return found

    @cached_property
    def _tiles_with_dwellings(self) -> frozenset[TileId]:
        """The tiles whose warnings have been replaced; those of the valleys always are (M5)."""
        places = [read_place(dwelling["at"]) for dwelling in self.view["map"]["dwellings"]]
        return frozenset([*map(tile_of, places), *(tile.id for tile in load_catalog().tiles if tile.letter == "V")])

    @cached_property
    def sites(self) -> Mapping[str, Place]:
        """The clearings of the sites that the viewer knows to be there, by name."""
        return {
            chit.name: place_of(tile, chit.clearing)
            for tile, lying in self.chits.items()
            for chit in lying.others
            if chit.kind == "site"
        }

    @cached_property
    def unknown_chits(self) -> tuple[MapChit, ...]:
        """The sounds and sites that the viewer has not seen."""
        seen = {chit.name for lying in self.chits.values() for chit in lying.others}
        return tuple(
            chit for chit in load_catalog().map_chits if chit.kind in ("sound", "site") and chit.name not in seen
        )

    def unknown_warnings(self, letter: str) -> tuple[MapChit, ...]:
        """Return the warnings of a letter that the viewer has not seen."""
        seen = {lying.warning.name for lying in self.chits.values() if lying.warning}
        campfires = {dwelling["name"] for dwelling in self.view["map"]["dwellings"]}
        seen |= {
            load_catalog().map_chits[dwelling.chit].name
            for dwelling in load_catalog().dwellings
            if dwelling.name in campfires
        }
        return tuple(
            chit
            for chit in load_catalog().map_chits
            if chit.kind == "warning" and chit.letter == letter and chit.name not in seen
        )

    @cached_property
    def monsters(self) -> Mapping[str, Place]:
        """The monsters on the map that can harm the character, by name."""
        found = {denizen["name"]: read_place(denizen["at"]) for denizen in self.view["map"]["denizens"]}
        return {
            monster.name: found[monster.name]
            for monster in load_catalog().monsters
            if monster.name in found and monster.kind not in self.sparing
        }

    @cached_property
    def monster_clearings(self) -> frozenset[Place]:
        """The clearings with monsters."""
        return frozenset(self.monsters.values())

    @cached_property
    def others(self) -> Mapping[int, Place]:
        """The clearings of the other characters by seats; of those on roadways, one end."""
        seats = [player for player in self.view["players"] if player["seat"] != self.view["viewer"] and player["at"]]
        return {player["seat"]: read_place(player["at"].split("-")[0]) for player in seats}

    # ---- the character

    @cached_property
    def character(self) -> Character:
        """The row of the character."""
        return next(row for row in load_catalog().characters if row.name == self.player["character"])

    @cached_property
    def goods(self) -> tuple[tuple[Goods, bool], ...]:
        """The belongings, each with whether it is active."""
        by_name = goods_by_name()
        return tuple((by_name[one["name"]], one["active"]) for one in self.player["goods"] if one["name"])

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """What the advantages and the active cards do."""
        cards = [thing for thing, active in self.goods if active and isinstance(thing, Treasure)]
        return (*self.character.effects, *(effect for card in cards for effect in card.effects))

    @cached_property
    def sparing(self) -> frozenset[str]:
        """The kinds of monsters that neither block nor attack the character."""
        return frozenset(name for effect in self.effects if effect.verb == "spared_by" for name in effect.names)

    @cached_property
    def silent(self) -> frozenset[str]:
        """The kinds of chits that do not summon when the character's turn ends."""
        return frozenset(name for effect in self.effects if effect.verb == "no_summons" for name in effect.names)

    def has(self, verb: str) -> bool:
        """Whether an advantage or an active card does something."""
        return any(effect.verb == verb for effect in self.effects)

    @cached_property
    def never_has_sunlight(self) -> bool:
        """Whether the character has no sunlight phases anywhere: the Dwarf."""
        return self.has("no_sunlight")

    def dice(self, table: str, place: Place) -> int:
        """Return how many dice the character rolls on a table in a clearing."""
        rows = [effect for effect in self.effects if effect.verb == "one_die" and table in effect.tables]
        return 1 if any(self._works(effect.where, place) for effect in rows) else 2

    def _works(self, where: str, place: Place) -> bool:
        if where == "woods tile":
            return "Woods" in load_catalog().tiles[tile_of(place)].name
        return not where or self.graph.clearings[place].kind == where

    def active_chits(self) -> Iterator[ActionChit]:
        """Yield the active action chits."""
        for chit, state in zip(self.character.chits, self.player["chits"], strict=True):
            if state["state"] == "active":
                yield chit

    def count_chits(self, state: str) -> int:
        """Return how many action chits are active, fatigued or wounded."""
        return sum(chit["state"] == state for chit in self.player["chits"])

    @cached_property
    def fastest(self) -> int:
        """The time of the fastest piece with which the character can run now; large if it has none (E14)."""
        load = max(
            (self.character.weight, *(thing.weight for thing, _ in self.goods if thing.weight)), key=STRENGTHS.index
        )
        pieces = [(chit.strength, chit.time) for chit in self.active_chits() if chit.kind == "Move"]
        pieces += [(effect.strength, effect.time) for effect in self.effects if effect.verb == "move_piece"]
        return min((time for strength, time in pieces if is_as_strong(strength, load)), default=99)

    @cached_property
    def strength(self) -> str:
        """The strength with which the character carries belongings when no chit is fatigued or wounded (D11)."""
        pieces = [chit.strength for chit in self.character.chits if chit.kind == "Move"]
        pieces += [effect.strength for effect in self.effects if effect.verb == "move_piece"]
        pieces += [thing.walk.strength for thing, active in self.goods if active and isinstance(thing, Horse)]
        return max([STRENGTHS[0], *pieces], key=STRENGTHS.index)

    @cached_property
    def can_open_doors(self) -> bool:
        """Whether the character can open the Vault: by keys, or with tremendous strength (D19)."""
        pieces = [chit.strength for chit in self.active_chits() if chit.kind != "Magic"]
        pieces += [effect.strength for effect in self.effects if effect.verb in ("fight_piece", "move_piece")]
        pieces += [thing.walk.strength for thing, active in self.goods if active and isinstance(thing, Horse)]
        return self.has("keys") or STRENGTHS[-1] in pieces

    @property
    def has_combat(self) -> bool:
        """Whether monsters are fought in this game (RULES-combat.md)."""
        return bool(cast("Mapping[str, object]", self.view).get("combat_rules"))

    @property
    def days_left(self) -> int:
        """The days that are left, including today."""
        return self.view["last_day"] - self.view["day"] + 1

    def box(self, name: str) -> list[GoodsData]:
        """Return what lies in the box of a site or site card."""
        return next(box["goods"] for box in self.view["boxes"] if box["name"] == name)

    def is_opened(self, name: str) -> bool:
        """Whether the door of a site is open."""
        return next(box["opened"] for box in self.view["boxes"] if box["name"] == name)

    @cached_property
    def piles(self) -> Mapping[Place, list[GoodsData]]:
        """The piles of goods by clearing."""
        return {read_place(pile["at"]): pile["goods"] for pile in self.view["piles"]}


def read_place(name: str) -> Place:
    """Return the clearing of a name."""
    return load_catalog().names.by_name("clearing")[name]


def name_clearing(place: Place) -> str:
    """Return the name of a clearing."""
    return load_catalog().names.by_number("clearing")[place]


def goods_by_name() -> Mapping[str, Goods]:
    """Return all goods by name."""
    return _GOODS


_GOODS: Final = {thing.name: thing for thing in load_catalog().goods}


def chance_of(results: range | tuple[int, ...], dice: int) -> float:
    """Return how likely the higher of some dice is one of the results.

    >>> round(36 * chance_of((4,), 2)), round(6 * chance_of((4,), 1))
    (7, 1)
    """
    return float(sum(number**dice - (number - 1) ** dice for number in results) / DIE**dice)
