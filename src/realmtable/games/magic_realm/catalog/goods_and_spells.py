"""What can be owned: weapons, armour, horses and treasures, which share one numbering as goods; and the spells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog.effects import Effect, read_effects
from realmtable.games.magic_realm.catalog.ids import (
    COLOURS,
    DIRECTIONS,
    MAGIC_TYPES,
    STRENGTHS,
    GoodsId,
    SpellId,
    number_names,
)
from realmtable.games.magic_realm.catalog.toml_entry import TomlEntry

MAX_PRICE: Final = 100
MAX_VALUE: Final = 60
LAYERS: Final = ("shield", "card", "plate", "suit")  # of armour, from the outside in (C20)
HORSE_KINDS: Final = ("pony", "warhorse", "workhorse")
EXTRA_MOVES: Final = ("one", "behind each")
SIZES: Final = ("large", "small", "within")
TREASURE_KINDS: Final = (
    "item",
    "boots",
    "gloves",
    "potion",
    "single use",
    "artifact",
    "book",
    "armor",
    "site",
    "exchange",
)
USES: Final = ("drinker", "weapon", "reusable", "instant")
DURATIONS: Final = ("instant", "attack", "fly", "phase", "combat", "day", "permanent")
ANY_COLOUR: Final = "any"


@dataclass(frozen=True, slots=True)
class Goods:
    """What all goods have."""

    id: GoodsId
    name: str  # of this counter or card: "Spear-2"
    kind: str  # "Spear"; of a horse "pony"; of a treasure one of TREASURE_KINDS
    weight: str  # empty for horses and for site cards, which cannot be carried
    price: int
    fame: int
    notoriety: int
    is_treasure: bool  # found in a box of the set-up card, never among natives at the start


@dataclass(frozen=True, slots=True)
class WeaponSide:
    """The unalerted or alerted side of a weapon."""

    harm: str
    stars: int
    time: int  # 0: the time of the Fight chit counts


@dataclass(frozen=True, slots=True)
class Weapon(Goods):
    """A weapon."""

    length: int
    is_missile: bool
    unalerted: WeaponSide
    alerted: WeaponSide


@dataclass(frozen=True, slots=True)
class Armor(Goods):
    """A piece of armour; its weight is also the harm that damages it."""

    layer: str
    covers: tuple[str, ...]  # directions; a shield covers one of them at a time
    damaged_price: int
    destroyed_price: int  # paid to the owner when it is destroyed
    home: str  # the group whose box it returns to when destroyed; empty if it leaves the game


@dataclass(frozen=True, slots=True)
class Gait:
    """How a horse moves: walking or galloping."""

    strength: str
    time: int


@dataclass(frozen=True, slots=True)
class HorseKind:
    """What all horses of a kind have in common."""

    name: str
    vulnerability: str
    is_armored: bool
    extra_moves: str  # one of EXTRA_MOVES, or empty (D6)


@dataclass(frozen=True, slots=True)
class Horse(Goods):
    """A horse that characters can own."""

    breed: HorseKind
    walk: Gait
    gallop: Gait  # played with a star


@dataclass(frozen=True, slots=True)
class Treasure(Goods):
    """A treasure card."""

    size: str  # one of SIZES
    is_great: bool
    reward_group: str  # the group that pays fame for it, or empty
    reward_fame: int
    visitor_prices: tuple[tuple[str, int], ...]
    magic: str  # the type of an artifact or book, or empty
    colour: str  # the magic it supplies, or empty
    used: str  # how a potion is used up, or empty
    home: str  # where a used potion returns to, or empty
    gold: int  # that its finder receives
    text: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class SpellAttack:
    """The attack of a spell."""

    harm: str
    stars: int
    length: int
    is_missile: bool
    time: int  # 0: the time of the chit


@dataclass(frozen=True, slots=True)
class Spell:
    """A spell card, or a spell that belongs to a treasure."""

    id: SpellId
    name: str
    type: str  # empty if it belongs to a treasure
    colour: str  # one of COLOURS or ANY_COLOUR
    duration: str
    target: str
    clearing: str  # the kind of clearing it needs, or empty
    attack: SpellAttack | None
    text: str


def read_weapons(file: TomlEntry) -> tuple[tuple[Weapon, ...], Weapon]:
    """Return the weapons of `weapons.toml`, numbered from 0, and the dagger, which has no counter."""
    kinds = [_read_weapon(entry) for entry in file.entries("weapon")]
    file.finish()
    dagger = next((weapon for weapon, count in kinds if count == 0), None)
    if dagger is None:
        raise BadInput("One weapon must have the count 0: the dagger that every character has.")
    return _number_counters(kinds, 0), dagger


def read_armor(file: TomlEntry, first: GoodsId) -> tuple[Armor, ...]:
    """Return the armour of `armor.toml`, numbered from `first`."""
    kinds = [_read_armor(entry) for entry in file.entries("armor")]
    file.finish()
    return _number_counters(kinds, first)


def read_horses(file: TomlEntry, first: GoodsId) -> tuple[tuple[HorseKind, ...], tuple[Horse, ...]]:
    """Return the kinds of horses and the horses of `horses.toml`, numbered from `first`."""
    breeds = tuple(_read_breed(entry) for entry in file.entries("kind"))
    horses = [(_read_horse(entry, breeds), 1) for entry in file.entries("horse", "kind")]
    file.finish()
    return breeds, _number_counters(horses, first)


def read_treasures(file: TomlEntry, first: GoodsId) -> tuple[Treasure, ...]:
    """Return the cards of `treasures.toml`, numbered from `first`."""
    treasures = tuple(_read_treasure(first + number, row) for number, row in enumerate(file.entries("treasure")))
    file.finish()
    return treasures


def read_spells(file: TomlEntry) -> tuple[Spell, ...]:
    """Return the spells of `spells.toml`: the cards, then those that belong to a treasure."""
    spells = tuple(_read_spell(number, entry) for number, entry in enumerate(file.entries("spell")))
    file.finish()
    return spells


AnyGoods = TypeVar("AnyGoods", bound=Goods)


def _number_counters(kinds: Sequence[tuple[AnyGoods, int]], first: GoodsId) -> tuple[AnyGoods, ...]:
    """Return as many counters of each kind as there are, with their own numbers and names."""
    counters = [goods for goods, count in kinds for _ in range(count)]
    names = number_names([goods.name for goods in counters])
    return tuple(
        replace(goods, id=first + number, name=name)
        for number, (goods, name) in enumerate(zip(counters, names, strict=True))
    )


def _read_renown(entry: TomlEntry) -> tuple[int, int]:
    """Return the fame and notoriety of something."""
    return entry.number("fame", -MAX_VALUE, MAX_VALUE, 0), entry.number("notoriety", -MAX_VALUE, MAX_VALUE, 0)


def _read_weapon(entry: TomlEntry) -> tuple[Weapon, int]:
    name, count = entry.text("name"), entry.number("count", 0, 9)
    weapon = Weapon(
        0,
        name,
        name,
        entry.word("weight", STRENGTHS),
        entry.number("price", 0, MAX_PRICE, 0),
        *_read_renown(entry),
        entry.flag("treasure"),
        entry.number("length", 0, 20),
        entry.flag("missile"),
        _read_weapon_side(entry.entry("unalerted")),
        _read_weapon_side(entry.entry("alerted")),
    )
    entry.finish()
    return weapon, count


def _read_weapon_side(entry: TomlEntry) -> WeaponSide:
    side = WeaponSide(entry.word("harm", STRENGTHS), entry.number("stars", 1, 3, 0), entry.number("time", 1, 9, 0))
    entry.finish()
    return side


def _read_armor(entry: TomlEntry) -> tuple[Armor, int]:
    name, count = entry.text("name"), entry.number("count", 1, 9)
    armor = Armor(
        0,
        name,
        name,
        entry.word("weight", STRENGTHS),
        entry.number("price", 0, MAX_PRICE),
        *_read_renown(entry),
        entry.flag("treasure"),
        entry.word("layer", LAYERS),
        entry.words("covers", DIRECTIONS, default=None),
        entry.number("damaged_price", 0, MAX_PRICE),
        entry.number("destroyed_price", 0, MAX_PRICE, 0),
        entry.text("home", ""),
    )
    entry.finish()
    return armor, count


def _read_breed(entry: TomlEntry) -> HorseKind:
    breed = HorseKind(
        entry.word("name", HORSE_KINDS),
        entry.word("vulnerability", STRENGTHS),
        entry.flag("armored"),
        entry.word("extra_moves", EXTRA_MOVES, ""),
    )
    entry.finish()
    return breed


def _read_horse(entry: TomlEntry, breeds: Sequence[HorseKind]) -> Horse:
    kinds = [breed.name for breed in breeds]
    kind = entry.word("kind", kinds)
    horse = Horse(
        0,
        kind.capitalize(),
        kind,
        "",
        entry.number("price", 0, MAX_PRICE),
        0,
        0,
        entry.flag("treasure"),
        breeds[kinds.index(kind)],
        Gait(*entry.signature("walk")),
        Gait(*entry.signature("gallop")),
    )
    entry.finish()
    return horse


def _read_treasure(number: GoodsId, entry: TomlEntry) -> Treasure:
    reward_group, reward_fame = _read_reward(entry)
    treasure = Treasure(
        number,
        entry.text("name"),
        entry.word("kind", TREASURE_KINDS),
        entry.word("weight", STRENGTHS, ""),
        entry.number("price", 0, MAX_PRICE, 0),
        *_read_renown(entry),
        is_treasure=True,
        size=entry.word("size", SIZES),
        is_great=entry.flag("great"),
        reward_group=reward_group,
        reward_fame=reward_fame,
        visitor_prices=_read_visitor_prices(entry),
        magic=entry.word("magic", MAGIC_TYPES, ""),
        colour=entry.word("colour", COLOURS, ""),
        used=entry.word("used", USES, ""),
        home=entry.text("home", ""),
        gold=entry.number("gold", 0, MAX_PRICE, 0),
        text=entry.text("text"),
        effects=read_effects(entry),
    )
    entry.finish()
    return treasure


def _read_reward(entry: TomlEntry) -> tuple[str, int]:
    if not entry.has("reward"):
        return "", 0
    reward = entry.entry("reward")
    group, fame = reward.text("group"), reward.number("fame", 1, MAX_VALUE)
    reward.finish()
    return group, fame


def _read_visitor_prices(entry: TomlEntry) -> tuple[tuple[str, int], ...]:
    if not entry.has("visitor_prices"):
        return ()
    prices = entry.entry("visitor_prices")
    return tuple((visitor, prices.number(visitor, 1, MAX_PRICE)) for visitor in prices.fields())


def _read_spell(number: SpellId, entry: TomlEntry) -> Spell:
    spell = Spell(
        number,
        entry.text("name"),
        entry.word("type", MAGIC_TYPES, ""),
        entry.word("colour", (*COLOURS, ANY_COLOUR)),
        entry.word("duration", DURATIONS),
        entry.text("target"),
        entry.word("clearing", ("cave", "mountain"), ""),
        _read_spell_attack(entry.entry("attack")) if entry.has("attack") else None,
        entry.text("text"),
    )
    entry.finish()
    return spell


def _read_spell_attack(entry: TomlEntry) -> SpellAttack:
    attack = SpellAttack(
        entry.word("harm", STRENGTHS),
        entry.number("stars", 1, 3, 0),
        entry.number("length", 0, 20),
        entry.flag("missile"),
        entry.number("time", 1, 9, 0),
    )
    entry.finish()
    return attack
