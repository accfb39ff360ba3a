"""Who acts: the characters with their action chits, the monsters, and the natives and visitors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog.effects import Effect, read_effects
from realmtable.games.magic_realm.catalog.goods_and_spells import Gait, HorseKind
from realmtable.games.magic_realm.catalog.ids import (
    MAGIC_TYPES,
    RED,
    RELATIONS,
    STRENGTHS,
    CharacterId,
    GroupId,
    MonsterId,
    NativeId,
    number_names,
)
from realmtable.games.magic_realm.catalog.toml_entry import TomlEntry

CHITS_PER_CHARACTER: Final = 12
CHIT_KINDS: Final = ("Move", "Fight", "Magic", "Duck", "Berserk")
CHIT_LABEL: Final = re.compile(r"(Move|Fight|Duck|Berserk) ([LMHT])(\d)(\*{0,2})|(Magic) (V?I{1,3}|IV|V)(\d)(\*{0,2})")
LEVELS: Final = 4
ADVANTAGES: Final = 2
ROWS: Final = 6  # of the appearance chart
EVERY_DAY: Final = 0  # the row of monsters that always prowl


@dataclass(frozen=True, slots=True)
class ActionChit:
    """One of a character's twelve action chits."""

    label: str  # "Move M3*"
    kind: str  # one of CHIT_KINDS
    strength: str  # empty for Magic
    magic: str  # the type of a Magic chit, or empty
    time: int
    stars: int


@dataclass(frozen=True, slots=True)
class Advantage:
    """A special advantage of a character."""

    name: str
    text: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class StartingGear:
    """What a character begins with at one of the four levels."""

    title: str
    weapon: str  # a kind of weapon, or empty
    armor: tuple[str, ...]
    spells: int
    spell_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Character:
    """A character; the weight is also the harm that kills."""

    id: CharacterId
    name: str
    weight: str
    is_fighter: bool
    pronoun: str
    starts: tuple[str, ...]  # dwellings, or "Ghosts"
    worth: int  # gold and price of the gear at the start (Q8)
    gear: StartingGear
    levels: tuple[StartingGear, ...]
    relations: tuple[tuple[str, str], ...]  # group or visitor and relation; others are neutral
    chits: tuple[ActionChit, ...]  # three for each level
    advantages: tuple[Advantage, Advantage]

    def relation(self, name: str) -> str:
        """Return the relation to a native group or visitor."""
        return dict(self.relations).get(name, "neutral")

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What the advantages do."""
        return tuple(effect for advantage in self.advantages for effect in advantage.effects)


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a monster, native, head or club."""

    move: int  # time; 0 for heads and clubs
    attack: int  # time; 0 if this side cannot attack
    harm: str  # one of STRENGTHS or RED; empty without an attack or with a spell
    stars: int
    length: int
    spell: str  # cast instead of harm, or empty
    magic: str  # the type of that spell, or empty


@dataclass(frozen=True, slots=True)
class Part:
    """A head or club, which attacks together with its monster."""

    name: str
    light: Face
    dark: Face


@dataclass(frozen=True, slots=True)
class Monster:
    """A monster; the size is its weight and the harm that kills it."""

    id: MonsterId
    name: str  # of this counter: "Wolf-2"
    kind: str
    size: str
    is_armored: bool
    flies: bool
    fame: int
    notoriety: int  # also its wage when it is pacified
    row: int  # of the chart, or EVERY_DAY
    light: Face
    dark: Face
    part: Part | None


@dataclass(frozen=True, slots=True)
class NativeHorse:
    """The horse a native rides."""

    breed: HorseKind
    walk: Gait
    gallop: Gait


@dataclass(frozen=True, slots=True)
class Native:
    """A native."""

    id: NativeId
    name: str  # "Rogues-7", "Rogues-HQ"
    code: str  # as on the counter: "R7"
    group: GroupId
    is_leader: bool
    kind: str
    weight: str
    vulnerability: str
    is_armored: bool
    is_missile: bool
    wage: int  # also the bounty in gold
    notoriety: int
    light: Face
    dark: Face
    horse: NativeHorse | None


@dataclass(frozen=True, slots=True)
class NativeGroup:
    """A native group."""

    id: GroupId
    name: str
    row: int
    hired_singly: bool
    garrison: str  # the dwelling it begins at, or empty
    comes_to: tuple[str, ...]  # the dwellings it appears at
    members: tuple[NativeId, ...]  # the leader first


def read_characters(file: TomlEntry) -> tuple[Character, ...]:
    """Return the characters of `characters.toml`."""
    characters = tuple(_read_character(number, entry) for number, entry in enumerate(file.entries("character")))
    file.finish()
    return characters


def _read_character(number: CharacterId, entry: TomlEntry) -> Character:
    chits = tuple(read_chit(label) for label in entry.words("chits", default=None))
    levels = tuple(_read_gear(row) for row in entry.entries("levels", "title"))
    advantages = tuple(_read_advantage(row) for row in entry.entries("advantages"))
    if len(chits) != CHITS_PER_CHARACTER or len(levels) != LEVELS or len(advantages) != ADVANTAGES:
        raise BadInput(f"{entry.title} needs {CHITS_PER_CHARACTER} chits, {LEVELS} levels and {ADVANTAGES} advantages.")
    character = Character(
        number,
        entry.text("name"),
        entry.word("weight", STRENGTHS),
        entry.flag("fighter"),
        entry.word("pronoun", ("he", "she")),
        entry.words("starts", default=None),
        entry.number("worth", 10, 99),
        _read_gear(entry, entry.title),
        levels,
        tuple((name, relation) for relation in RELATIONS for name in entry.words(relation)),
        chits,
        (advantages[0], advantages[1]),
    )
    entry.finish()
    return character


def _read_gear(entry: TomlEntry, title: str = "") -> StartingGear:
    gear = StartingGear(
        title or entry.text("title"),
        entry.text("weapon", ""),
        entry.words("armor"),
        entry.number("spells", 1, 9, 0),
        entry.words("spell_types", MAGIC_TYPES),
    )
    if not title:
        entry.finish()
    return gear


def _read_advantage(entry: TomlEntry) -> Advantage:
    advantage = Advantage(entry.text("name"), entry.text("text"), read_effects(entry))
    entry.finish()
    return advantage


def read_chit(label: str) -> ActionChit:
    """Return the action chit with this label.

    >>> read_chit("Move M3*").stars, read_chit("Magic IV4*").magic
    (1, 'IV')
    """
    match = CHIT_LABEL.fullmatch(label)
    if match is None:
        raise BadInput(f"An action chit has a label such as Move M3* or Magic IV4*, not {label[:40]}.")
    if match[1]:
        return ActionChit(label, match[1], match[2], "", int(match[3]), len(match[4]))
    return ActionChit(label, match[5], "", match[6], int(match[7]), len(match[8]))


def read_monsters(file: TomlEntry) -> tuple[Monster, ...]:
    """Return the monsters of `monsters.toml`, one row for each counter."""
    rows = [(entry, entry.number("count", 1, 9)) for entry in file.entries("monster")]
    file.finish()
    names = iter(number_names([entry.title for entry, count in rows for _ in range(count)]))
    monsters: list[Monster] = []
    for entry, count in rows:
        kind = _read_monster(entry)
        monsters += [replace(kind, id=len(monsters) + number, name=next(names)) for number in range(count)]
    return tuple(monsters)


def _read_monster(entry: TomlEntry) -> Monster:
    kind, length = entry.text("name"), entry.number("length", 1, 20, 0)
    monster = Monster(
        0,
        kind,
        kind,
        entry.word("size", STRENGTHS),
        entry.flag("armored"),
        entry.flag("flies"),
        entry.number("fame", 0, 20),
        entry.number("notoriety", 0, 20),
        entry.number("row", 1, ROWS, EVERY_DAY),
        _read_face(entry.entry("light"), length),
        _read_face(entry.entry("dark"), length),
        _read_part(entry.entry("part")) if entry.has("part") else None,
    )
    entry.finish()
    return monster


def _read_part(entry: TomlEntry) -> Part:
    length = entry.number("length", 1, 20)
    part = Part(entry.text("name"), _read_face(entry.entry("light"), length), _read_face(entry.entry("dark"), length))
    entry.finish()
    return part


def _read_face(entry: TomlEntry, length: int) -> Face:
    face = Face(
        entry.number("move", 1, 9, 0),
        entry.number("attack", 1, 9, 0),
        entry.word("harm", (*STRENGTHS, RED), ""),
        entry.number("stars", 1, 3, 0),
        entry.number("length", 1, 20, length),
        entry.text("spell", ""),
        entry.word("type", MAGIC_TYPES, ""),
    )
    entry.finish()
    if bool(face.attack) != bool(face.harm or face.spell):
        raise BadInput(f"{entry.title} needs a time of attack and harm or a spell, or neither.")
    return face


def read_natives(
    file: TomlEntry, breeds: Sequence[HorseKind]
) -> tuple[tuple[NativeGroup, ...], tuple[Native, ...], tuple[str, ...]]:
    """Return the groups, natives and visitors of `natives.toml`."""
    groups: list[NativeGroup] = []
    natives: list[Native] = []
    for number, entry in enumerate(file.entries("group")):
        name, first = entry.text("name"), len(natives)
        for row in entry.entries("members", "code"):
            natives.append(_read_native(row, len(natives), (number, name), len(natives) == first, breeds))
        group = NativeGroup(
            number,
            name,
            entry.number("row", 1, ROWS),
            entry.word("hired", ("together", "singly")) == "singly",
            entry.text("garrison", ""),
            entry.words("comes_to"),
            tuple(range(first, len(natives))),
        )
        entry.finish()
        groups.append(group)
    visitors = file.words("visitors", default=None)
    file.finish()
    return tuple(groups), tuple(natives), visitors


def _read_native(
    entry: TomlEntry, number: NativeId, group: tuple[GroupId, str], is_leader: bool, breeds: Sequence[HorseKind]
) -> Native:
    code, length, weight = entry.text("code"), entry.number("length", 1, 20), entry.word("weight", STRENGTHS)
    native = Native(
        number,
        f"{group[1]}-{code[1:]}",
        code,
        group[0],
        is_leader,
        entry.text("kind"),
        weight,
        entry.word("vulnerability", STRENGTHS, weight),
        entry.flag("armored"),
        entry.flag("missile"),
        entry.number("wage", 1, 20),
        entry.number("notoriety", 1, 20),
        _read_face(entry.entry("light"), length),
        _read_face(entry.entry("dark"), length),
        _read_native_horse(entry.entry("horse"), breeds) if entry.has("horse") else None,
    )
    entry.finish()
    return native


def _read_native_horse(entry: TomlEntry, breeds: Sequence[HorseKind]) -> NativeHorse:
    kinds = [breed.name for breed in breeds]
    breed = breeds[kinds.index(entry.word("kind", kinds))]
    horse = NativeHorse(breed, Gait(*entry.signature("walk")), Gait(*entry.signature("gallop")))
    entry.finish()
    return horse
