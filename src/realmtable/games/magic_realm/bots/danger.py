"""How dangerous it is to end a day in a clearing, by the monsters that are there or may come (P1 to P3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Final, NamedTuple

from realmtable.games.magic_realm.bots.known_world import KnownWorld, chance_of
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import EVERY_DAY, ROWS, Monster
from realmtable.games.magic_realm.catalog.ids import Place, TileId, clearing_of, tile_of
from realmtable.games.magic_realm.catalog.setup_card import ChartBox, MapChit

HIDES: Final = range(1, 6)  # the results of the Hide table that hide
CHITS: Final = 12
FRAILTY: Final = 0.8  # what it costs to be nearly dead, as a share of what death costs
WOUND: Final = 0.08  # points that the rest for a wound costs
RUN_COST: Final = 1.0  # points lost by a night on a roadway
BLOCK_COST: Final = 0.3  # points lost by waking up among monsters, which block those who do not hide first
TIRED: Final = 0.8  # how much of an active chit a fatigued one is worth
END_IN_DEATH: Final = 60.0  # points that a death without a new life costs on top
NEW_LIFE: Final = 6.0  # points that a new beginning costs


class Attack(NamedTuple):
    """What a row of the chart brings: how many monsters, and the move time of the fastest."""

    monsters: float
    time: int
    loss: float = 0.0  # points that a fight with them costs, in games with combat


class Danger:
    """The danger for a viewer's character."""

    def __init__(self, known: KnownWorld, holdings: float) -> None:
        self.known = known
        self.death = holdings + self._loss()
        self.health = known.count_chits("active") + TIRED * known.count_chits("fatigued")
        self._costs: dict[Place, float] = {}

    def _loss(self) -> float:
        """Return what death costs apart from the belongings."""
        is_last = self.known.days_left == 1 or "restart=off" in self.known.view["options"]
        return NEW_LIFE + (END_IN_DEATH if is_last else 0)

    # ---- hiding

    def hide_chance(self, place: Place, phases: int) -> float:
        """Return how likely the character is hidden after some Hide phases in a clearing."""
        return 1 - (1 - chance_of(HIDES, self.known.dice("hide", place))) ** phases

    # ---- wounds

    def missing_health(self, health: float) -> float:
        """Return what it costs to have only some of the twelve chits: little at first, much near death."""
        missing = CHITS - health
        return self.death * FRAILTY * (missing / CHITS) ** 2 + WOUND * missing

    def wounds_cost(self, wounds: float) -> float:
        """Return what some wounds cost; death if there are as many as the character can take."""
        left = self.health - wounds
        return self.death if left <= 0 else self.missing_health(left) - self.missing_health(self.health)

    def rest_gain(self, phases: int) -> float:
        """Return what some Rest phases are worth."""
        return self.missing_health(self.health) - self.missing_health(min(CHITS, self.health + phases))

    def attack_cost(self, attack: Attack) -> float:
        """Return what monsters cost an unhidden character: without combat, they only block it."""
        return BLOCK_COST * min(1.0, attack.monsters)

    # ---- who comes

    def cost(self, place: Place) -> float:
        """Return the expected cost of ending a day unhidden in a clearing."""
        if place not in self._costs:
            rows = range(1, ROWS + 1) if not self._rows else [0]  # once the die is cast, all rows are the same
            costs = [self.attack_cost(self.expect(place, row)) for row in rows]
            self._costs[place] = sum(costs) * (1 if self._rows else self._row_chance)
        return self._costs[place]

    def expected_monsters(self, place: Place) -> float:
        """Return how many monsters are expected in a clearing at the end of a day."""
        return sum(self.expect(place, row).monsters for row in range(1, ROWS + 1)) / ROWS

    @cached_property
    def _row_chance(self) -> float:
        """The chance that a row prowls, with one die or two (B5)."""
        options = self.known.view["options"]
        two_dice = "two_rows=always" in options or (self.known.view["seats"] == 1 and "two_rows=solo" in options)
        return (1 - (1 - 1 / ROWS) ** 2) if two_dice else 1 / ROWS

    @cached_property
    def _rows(self) -> frozenset[int]:
        return frozenset(self.known.view["rows"])

    def expect(self, place: Place, row: int) -> Attack:
        """Return what to expect in a clearing at the end of a day on which a row prowls."""
        return self.measure_attack(self.list_expected(place, row))

    def measure_attack(self, expected: Iterable[tuple[float, list[Monster]]]) -> Attack:
        """Return how many monsters attack on average, and how fast the fastest are."""
        count, time = 0.0, 99
        for chance, monsters in expected:
            count += chance * len(monsters)
            time = min([time, *[monster.light.move for monster in monsters]])
        return Attack(count, time)

    def list_expected(self, place: Place, row: int) -> Iterator[tuple[float, list[Monster]]]:
        """Yield the monsters that may be in a clearing at the end of such a day, with their chances."""
        rows = self._rows or {row}  # once the die is cast, everyone knows the row
        near = self._by_tile.get(tile_of(place), ())
        yield 1.0, [monster for monster in near if self._arrives(monster, place, rows)]
        yield from self._list_summoned(place, rows)

    def _arrives(self, monster: Monster, place: Place, rows: Iterable[int]) -> bool:
        """Whether a monster of a tile is in a clearing, or prowls elsewhere in the tile."""
        return self.known.monsters[monster.name] == place or monster.row in (EVERY_DAY, *rows)

    @cached_property
    def _by_tile(self) -> Mapping[TileId, list[Monster]]:
        """The monsters on the map that can harm the character, by tile."""
        found: dict[TileId, list[Monster]] = {}
        for monster in load_catalog().monsters:
            if monster.name in self.known.monsters:
                found.setdefault(tile_of(self.known.monsters[monster.name]), []).append(monster)
        return found

    def _list_summoned(self, place: Place, rows: Iterable[int]) -> Iterator[tuple[float, list[Monster]]]:
        """Yield the monsters that chits may bring to a clearing, with the chance that they lie there."""
        tile = tile_of(place)
        lying, letter = self.known.chits[tile], load_catalog().tiles[tile].letter
        warnings: tuple[MapChit, ...] = ()
        if lying.has_warning and "warning" not in self.known.silent:
            warnings = (lying.warning,) if lying.warning else self.known.unknown_warnings(letter)
        gone: set[str] = set()  # those that another chit has brought already
        for chit in warnings:
            found = self._summon(chit, letter, rows, gone)
            gone |= {one.name for one in found} if lying.warning else set()
            yield 1 / len(warnings), found
        audible = [
            chit for chit in lying.others if chit.clearing == clearing_of(place) and chit.kind not in self.known.silent
        ]
        for chit in audible:
            found = self._summon(chit, letter, rows, gone)
            gone |= {one.name for one in found}
            yield 1.0, found
        unknown = self.known.unknown_chits if lying.unknown else ()
        for chit in unknown:
            if chit.clearing == clearing_of(place) and chit.kind not in self.known.silent:
                yield lying.unknown / len(unknown), self._summon(chit, letter, rows, gone)

    def _summon(self, chit: MapChit, letter: str, rows: Iterable[int], gone: set[str]) -> list[Monster]:
        """Return the monsters of the first box that a chit summons (P3)."""
        catalog = load_catalog()
        for row in sorted(rows):
            for box in _list_boxes(row, chit.id, letter):
                waiting = [catalog.monsters[number] for number in box.monsters]
                waiting = [one for one in waiting if one.name not in self.on_map and one.name not in gone]
                if waiting:
                    return [one for one in waiting if one.kind not in self.known.sparing]
        return []

    @cached_property
    def on_map(self) -> frozenset[str]:
        """The monsters that have left their boxes."""
        return frozenset(denizen["name"] for denizen in self.known.view["map"]["denizens"])


@cache
def _list_boxes(row: int, chit: int, letter: str) -> tuple[ChartBox, ...]:
    """Return the boxes that a chit can summon; they never change."""
    return load_catalog().summoned_boxes(row, chit, letter)
