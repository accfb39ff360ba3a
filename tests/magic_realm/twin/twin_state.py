"""What the twin of Magic Realm knows during a day: heroes, pieces on the map, and the script of dice and choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.magic_realm.twin.twin_data import (
    CHARACTERS,
    CHITS,
    CLEARINGS,
    GOODS,
    LEVELS,
    RED_CHITS,
    SITE_CARDS,
    SITES,
    SPECIAL_BOXES,
    TILES,
    is_at_least,
    number_of,
    read_map,
    stock_map,
    tile_of,
)


class RefusedPlanError(Exception):
    """A day that may not be written; its argument is the clause."""


class ScriptError(Exception):
    """The dice or choices that a test gave do not fit the day."""


class Script:
    """The dice and the choices of a day, taken by label in the order in which they were given.

    An entry is `label: value`; one without a label fits any. With `strict`, each question that Z3 does not answer
    takes the next entry of its hero. Otherwise an entry waits until it is a legal answer, and the default is given.
    """

    def __init__(self, dice: Sequence[str], choices: Sequence[str], *, strict: bool) -> None:
        self.dice = [self.split(entry) for entry in dice]
        self.choices = [self.split(entry) for entry in choices]
        self.strict = strict
        self.asked: list[tuple[str, list[str], str]] = []  # every question that was put: hero, legal answers, answer

    @staticmethod
    def split(entry: str) -> tuple[str, str]:
        label, colon, value = entry.partition(": ")
        return (label, value) if colon else ("", entry)

    def roll(self, label: str, count: int) -> list[int]:
        """Take `count` dice."""
        for i, (name, value) in enumerate(self.dice):
            if name in {"", label}:
                del self.dice[i]
                numbers = [int(word) for word in value.split() if word not in {"d", "die"}]
                if len(numbers) != count or not {*numbers} <= {*range(1, 7)}:
                    msg = f"{label} needs {count} dice, not {value}"
                    raise ScriptError(msg)
                return numbers
        msg = f"no dice for {label}"
        raise ScriptError(msg)

    def draw(self, outcomes: dict[str, int]) -> str:
        """Take a chit, a card or a target that chance decides; `outcomes` are the texts of Z7 with their weights."""
        for i, (label, value) in enumerate(self.dice):
            if not label and value in outcomes:
                del self.dice[i]
                return value
        msg = f"nothing was drawn from {[*outcomes]}"
        raise ScriptError(msg)

    def draw_next(self, names: list[str]) -> str:
        """Take the hero whose counter is drawn; the first of `names` if no counter is given."""
        for i, (label, value) in enumerate(self.dice):
            if label == "next" or (not label and value.startswith("next ")):
                del self.dice[i]
                if value.removeprefix("next ") not in names:
                    msg = f"{value} cannot be next, only {names}"
                    raise ScriptError(msg)
                return value.removeprefix("next ")
        return names[0]

    def choose(self, hero: str, options: list[str], default: str | None, *, always: bool = False) -> str:
        """Take a hero's choice among the legal answers."""
        if len(options) == 1 and not always:  # Z3
            return options[0]
        answer = default
        for i, (label, value) in enumerate(self.choices):
            if label in {"", hero}:
                if value in options:
                    del self.choices[i]
                    answer = value
                elif self.strict:
                    msg = f"{hero} cannot answer {value}, only {options}"
                    raise ScriptError(msg)
                break
        else:
            if self.strict:
                msg = f"{hero} has no answer to {options}"
                raise ScriptError(msg)
        if answer is None:
            msg = f"{hero} must choose from {options}"
            raise ScriptError(msg)
        self.asked.append((hero, options, answer))
        return answer

    def check_empty(self) -> None:
        if self.dice or self.choices:
            msg = f"never used: {self.dice} {self.choices}"
            raise ScriptError(msg)


@dataclass
class Item:
    name: str
    active: bool
    alerted: bool = False  # D14


@dataclass
class Chit:
    """An action chit, such as `Move M3*`."""

    name: str
    state: str = "active"  # or fatigued, wounded

    @property
    def kind(self) -> str:
        return self.name.split()[0]

    @property
    def stars(self) -> int:
        return self.name.count("*")

    @property
    def strength(self) -> str:
        return self.name.split()[1][0]

    @property
    def type(self) -> str:
        """W1: Duck counts as Move, Berserk as Fight, and all Magic chits are of one type."""
        return {"Duck": "Move", "Berserk": "Fight"}.get(self.kind, self.kind)


@dataclass
class Hero:
    name: str
    seat: int
    at: str  # a clearing or a roadway
    goods: list[Item]  # in the order in which they came
    chits: list[Chit]
    hidden: bool = True
    blocked: bool = False
    done: bool = False  # has had its turn, or has lost it
    guide: str | None = None
    found: set[str] = field(default_factory=set)  # all, counters, cards
    anywhere: bool = False
    knows: set[str] = field(default_factory=set)  # roadways, sites, site cards
    seen: set[str] = field(default_factory=set)  # map chits it has looked at, as `CG Howl-4`
    gold: int = 10
    fame: int = 0
    notoriety: int = 0
    kills: int = 0  # today
    curses: set[str] = field(default_factory=set)  # C27
    berserk: bool = False  # E13
    points: list[str] = field(default_factory=list)
    orders: dict[str, str] = field(default_factory=dict)
    chosen_start: str = "Inn"
    home: str = "nowhere"  # where it started, once the valleys are turned up
    ready: bool = False  # it has finished a choice that all make at once
    backs: int = 0  # how often it took a choice back today
    ordered: int = 0  # how many orders it gave today
    plan: list[str] = field(default_factory=list)
    ready_items: set[str] = field(default_factory=set)  # those active at birdsong
    used: list[str] = field(default_factory=list)
    start: str = ""  # the place at birdsong
    was_in_cave: bool = False
    came: str | None = None
    climbs: str | None = None
    has_stopped_rearranging: bool = False
    phases: list[str] = field(default_factory=list)  # what became of each phase

    def has(self, name: str) -> bool:
        """Whether it has some piece active."""
        return any(item.name == name and item.active for item in self.goods)

    def active_goods(self, *classes: str) -> list[str]:
        return [item.name for item in self.goods if item.active and GOODS[item.name]["class"] in classes]

    def active_chits(self) -> list[Chit]:
        return [chit for chit in self.chits if chit.state == "active"]

    def strength(self) -> str:
        """D11: the strength of its strongest active Move chit, horse or boots."""
        levels = [chit.strength for chit in self.active_chits() if chit.kind == "Move"]
        levels += [GOODS[name]["strength"] for name in self.active_goods("horse", "boots")]
        return max(levels, key=LEVELS.index, default="N")

    def is_packed(self, item: Item) -> bool:
        """D11: whether one of its inactive horses carries an item."""
        horses = [horse.name for horse in self.goods if GOODS[horse.name]["class"] == "horse" and not horse.active]
        weight = GOODS[item.name].get("weight", "N")
        return not item.active and any(is_at_least(GOODS[horse]["strength"], weight) for horse in horses)

    @staticmethod
    def kind_of_back(item: Item) -> int:
        """X1: 2 for a small inactive card, 1 for any other inactive card, 0 for all else: the order of D11."""
        if item.active or GOODS[item.name]["counter"]:
            return 0
        return 2 if GOODS[item.name]["size"] == "small" else 1

    def list_alike(self, item: Item) -> list[Item]:
        """X1: the inactive cards that others cannot tell from one of them; none for all else."""
        back = self.kind_of_back(item)
        return [other for other in self.goods if back and self.kind_of_back(other) == back]

    def lose(self, item: Item) -> None:
        """X1: the cards that look like the one that is left go behind all other belongings."""
        alike = self.list_alike(item)
        if len(alike) > 1:
            self.goods.sort(key=lambda other: any(other is one for one in alike))
        self.goods.remove(item)


def make_hero(name: str, seat: int, facts: dict[str, Any]) -> Hero:
    goods = [Item(text.rstrip("+!"), "+" in text, "!" in text) for text in facts.get("goods", [])]
    chits = [Chit(text) for text in CHARACTERS[name]["chits"]]
    for state in ("fatigued", "wounded"):
        for number in facts.get(state, []):
            chits[number - 1].state = state
    hero = Hero(name, seat, facts["at"], goods, chits)
    for key in ("hidden", "blocked", "anywhere", "gold", "fame", "notoriety", "points", "orders"):
        if key in facts:
            setattr(hero, key, facts[key])
    hero.knows = {*facts.get("knows", [])}
    hero.curses = {*facts.get("curses", [])}
    hero.seen = {*facts.get("seen", [])}
    hero.start = hero.at
    hero.was_in_cave = CLEARINGS.get(hero.at) == "cave"
    hero.ready_items = {item.name for item in goods if item.active}
    return hero


class World:
    """The pieces on the map, and questions about them."""

    def __init__(self, setup: dict[str, Any], script: Script) -> None:
        self.script = script
        tiles = setup.get("map", "stock1")
        tiles = stock_map(tiles) if isinstance(tiles, str) else tiles
        self.roadways, self.adjacent_tiles, self.connected = read_map(tuple(tiles))
        self.options = {"follow": "all_day", "recording": "written", "encounter": "2", **setup.get("options", {})}
        self.day_number: int = setup.get("day", 1)
        self.rows: list[int] = list(setup.get("rows", []))
        self.heroes = {name: make_hero(name, seat, facts) for seat, (name, facts) in enumerate(setup["heroes"].items())}
        self.chits: dict[str, list[str]] = {tile: [*chits] for tile, chits in setup.get("chits", {}).items()}
        self.stacks: dict[str, list[str]] = {name: [*setup.get("stacks", {}).get(name, [])] for name in RED_CHITS}
        self.face_up: set[str] = {*setup.get("face_up", [])}  # `CG Howl-4`
        self.summoned: set[str] = {*setup.get("summoned", [])}  # has summoned today
        self.public: set[str] = {*setup.get("public", [])} | self.face_up  # known to everyone
        self.dwellings: dict[str, str] = dict(setup.get("dwellings", {}))
        self.monsters: dict[str, str] = dict(setup.get("monsters", {}))  # those on the map
        self.ghosts: str | None = setup.get("ghosts")  # where the Ghosts started
        self.held: set[str] = {*setup.get("held", [])}  # monsters that have blocked or been blocked today
        self.boxes: dict[str, list[str]] = {name: [*row.get("goods", [])] for name, row in SPECIAL_BOXES.items()}
        self.boxes |= {name: [*cards] for name, cards in setup.get("boxes", {}).items()}
        self.piles: dict[str, list[str]] = {name: [*cards] for name, cards in setup.get("piles", {}).items()}
        self.gone: list[str] = []
        self.damaged: set[str] = set()  # pieces of armour
        self.undecided: dict[str, list[str]] = {tile: [*row] for tile, row in setup.get("undecided", {}).items()}
        self.decided: set[str] = {*setup.get("decided", [])}
        self.vault_is_open: bool = setup.get("open", False)
        self.first: str | None = None  # the first character of the day
        self.seat_count = len(self.heroes)
        self.log: list[str] = []
        self.check()

    def check(self) -> None:
        """Refuse set-ups that name pieces or places that do not exist."""
        for hero in self.heroes.values():
            assert hero.at in CLEARINGS or hero.at in self.roadways, hero.at
            assert all(item.name in GOODS for item in hero.goods), hero.goods
            assert hero.knows <= {*self.roadways, *SITES, *SITE_CARDS}, hero.knows
        assert {*self.chits} <= {*TILES}
        for place in (*self.monsters.values(), *self.piles, *self.dwellings.values()):
            assert place in CLEARINGS, place
        assert all(card in GOODS for cards in self.piles.values() for card in cards), self.piles

    def by_seats(self, first: Hero | None = None, *, after: bool = False) -> list[Hero]:
        """All heroes by seats, from one of them on, or from the one after it (G1)."""
        heroes = [*self.heroes.values()]
        at = 0 if first is None else heroes.index(first) + after
        return heroes[at:] + heroes[:at]

    def asking_order(self) -> list[Hero]:
        """Z10."""
        return self.by_seats(self.heroes[self.first] if self.first else None)

    def heroes_in(self, place: str) -> list[Hero]:
        return [hero for hero in self.heroes.values() if hero.at == place]

    def followers_of(self, guide: Hero) -> list[Hero]:
        return [hero for hero in self.by_seats(guide, after=True) if hero.guide == guide.name]

    def monsters_in(self, place: str) -> list[str]:
        return [name for name, at in self.monsters.items() if at == place]

    def sees(self, hero: Hero, other: Hero) -> bool:
        """L2, D22: whether a hero sees another, hidden or not."""
        if not other.hidden or "all" in hero.found:
            return True
        counters = [GOODS[item.name]["counter"] for item in other.goods]
        return ("counters" in hero.found and True in counters) or ("cards" in hero.found and False in counters)

    def is_open(self, hero: Hero, roadway: str) -> bool:
        """D9."""
        kind = self.roadways[roadway]["kind"]
        return kind in {"road", "tunnel"} or roadway in hero.knows or hero.name == "Wizard"

    def roadway_between(self, one: str, two: str) -> str | None:
        ends = {one, two}
        return next((name for name, row in self.roadways.items() if {*row["ends"]} == ends), None)

    def roadway_to(self, hero: Hero, target: str) -> str | None:
        """The roadway by which a hero would get to a clearing; from a roadway, that roadway (D30)."""
        if hero.at in self.roadways:
            return hero.at if target in self.roadways[hero.at]["ends"] else None
        return self.roadway_between(hero.at, target)

    def sites_in(self, clearing: str) -> list[str]:
        chits = self.chits.get(tile_of(clearing), [])
        return [chit for chit in chits if SITES.get(chit) == number_of(clearing)]

    @staticmethod
    def chit_clearing(chit: str) -> int:
        """The number of a sound's or site's clearing; 0 for warnings, the Lost City and the Lost Castle."""
        if chit not in CHITS:
            return 0
        return int(chit[-1]) if chit[-1].isdigit() else SITES[chit]

    def cards_at(self, site: str) -> list[str]:
        """The site cards that lie in the box of a site."""
        return [card for card in self.boxes.get(site, []) if card in SITE_CARDS]

    def leave(self, place: str, names: Iterable[str]) -> None:
        """D20: what is left lies under what lies there already."""
        self.piles.setdefault(place, []).extend(names)
