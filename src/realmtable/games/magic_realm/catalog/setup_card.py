"""Where everything lies at the start: map chits, dwellings, and the boxes of the set-up card and the chart (M4–M7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog.characters_and_denizens import ROWS, Monster
from realmtable.games.magic_realm.catalog.goods_and_spells import Goods
from realmtable.games.magic_realm.catalog.ids import (
    COLOURS,
    LETTERS,
    MAGIC_TYPES,
    MAX_CLEARING,
    BoxId,
    ChartBoxId,
    DwellingId,
    GoodsId,
    MapChitId,
    MonsterId,
)
from realmtable.games.magic_realm.catalog.toml_entry import TomlEntry

WARNING, SOUND, SITE, RED_CHIT = "warning", "sound", "site", "red"
LOOT_COSTS: Final = ("roll", "item", "open")
BOX_KINDS: Final = ("site", "natives", "visitor", "within", "book", "artifact")
LARGE, SMALL = "large", "small"
SLOTS: Final = (LARGE, SMALL, *MAGIC_TYPES)
SECTIONS: Final = ("Lost Castle", "Lost City", "site")


@dataclass(frozen=True, slots=True)
class MapChit:
    """A chit that lies in a tile: a warning, a sound, a site or a red chit."""

    id: MapChitId
    name: str  # "Bones V", "Howl-4", "Hoard", "Lost City"
    kind: str  # WARNING, SOUND, SITE or RED_CHIT
    word: str  # the name without letter or number: "Howl"
    letter: str  # of a warning or red chit, or empty
    clearing: int  # of a sound or site, or 0
    loot_cost: str  # of a site: one of LOOT_COSTS or empty
    holds: int  # of a red chit: the chits stacked under it


@dataclass(frozen=True, slots=True)
class Dwelling:
    """A dwelling or campfire, which replaces a warning chit."""

    id: DwellingId
    name: str
    chit: MapChitId
    clearings: tuple[int, ...]  # it stands in the first that a road joins to the Borderland (M5, M6)
    garrison: str  # a native group, or empty
    colour: str  # the magic it supplies, or empty


@dataclass(frozen=True, slots=True)
class Ghosts:
    """Monsters that replace a warning chit."""

    chit: MapChitId
    clearings: tuple[int, ...]
    monsters: tuple[MonsterId, ...]


@dataclass(frozen=True, slots=True)
class SetupBox:
    """A box of the set-up card."""

    id: BoxId
    name: str
    kind: str  # one of BOX_KINDS
    slots: tuple[str, ...]  # from the top: LARGE, SMALL or the type of a spell, each an unseen card
    goods: tuple[GoodsId, ...]


@dataclass(frozen=True, slots=True)
class ChartBox:
    """A box of monsters on the appearance chart."""

    id: ChartBoxId
    row: int
    section: str  # one of SECTIONS
    monsters: tuple[MonsterId, ...]
    chits: tuple[tuple[str, str], ...]  # the words that summon them, each with its letter or an empty text

    def is_summoned_by(self, chit: MapChit, letter: str) -> bool:
        """Return whether a chit in a tile with a warning of this letter summons these monsters (P3)."""
        return (chit.word, "") in self.chits or (chit.word, letter) in self.chits


def read_map_chits(file: TomlEntry) -> tuple[MapChit, ...]:
    """Take the chits of `chits.toml`."""
    letters, warnings = file.words("letters", LETTERS, default=None), file.words("warnings", default=None)
    rows = [(f"{word} {letter}", WARNING, word, letter, 0, "", 0) for letter in letters for word in warnings]
    for entry in file.entries("sounds"):
        word = entry.text("name")
        clearings = entry.numbers("clearings", 1, MAX_CLEARING)
        rows += [(f"{word}-{clearing}", SOUND, word, "", clearing, "", 0) for clearing in clearings]
        entry.finish()
    for entry in file.entries("sites"):
        word, clearing = entry.text("name"), entry.number("clearing", 1, MAX_CLEARING)
        rows.append((word, SITE, word, "", clearing, entry.word("cost", LOOT_COSTS, ""), 0))
        entry.finish()
    for entry in file.entries("red"):
        word, letter = entry.text("name"), entry.word("letter", LETTERS)
        rows.append((word, RED_CHIT, word, letter, 0, "", entry.number("holds", 1, 9)))
        entry.finish()
    return tuple(MapChit(number, *row) for number, row in enumerate(rows))


def read_dwellings(file: TomlEntry, chits: Sequence[MapChit]) -> tuple[Dwelling, ...]:
    """Take the dwellings of `chits.toml`."""
    dwellings = []
    for number, entry in enumerate(file.entries("dwelling")):
        dwelling = Dwelling(
            number,
            entry.text("name"),
            _read_chit(entry, chits),
            entry.numbers("clearings", 1, MAX_CLEARING),
            entry.text("garrison", ""),
            entry.word("colour", COLOURS, ""),
        )
        entry.finish()
        dwellings.append(dwelling)
    return tuple(dwellings)


def read_ghosts(file: TomlEntry, chits: Sequence[MapChit], monsters: Sequence[Monster]) -> Ghosts:
    """Take the Ghosts of `chits.toml`."""
    entry = file.entry("ghosts")
    kind = entry.word("monster", [monster.kind for monster in monsters])
    ghosts = Ghosts(
        _read_chit(entry, chits),
        entry.numbers("clearings", 1, MAX_CLEARING),
        tuple(monster.id for monster in monsters if monster.kind == kind),
    )
    entry.finish()
    return ghosts


def _read_chit(entry: TomlEntry, chits: Sequence[MapChit]) -> MapChitId:
    names = [chit.name for chit in chits if chit.kind == WARNING]
    return names.index(entry.word("chit", names))


def read_boxes(file: TomlEntry, goods: Sequence[Goods]) -> tuple[SetupBox, ...]:
    """Take the boxes of `setup.toml`."""
    ids = {thing.name: thing.id for thing in goods}
    boxes = []
    for number, entry in enumerate(file.entries("box")):
        slots = tuple(slot for text in entry.words("slots") for slot in _read_slots(entry.title, text))
        held = tuple(ids[name] for name in entry.words("goods", ids))
        boxes.append(SetupBox(number, entry.text("name"), entry.word("kind", BOX_KINDS), slots, held))
        entry.finish()
    return tuple(boxes)


def _read_slots(title: str, text: str) -> list[str]:
    """Return the slots that a text such as "large 3" stands for."""
    word, _, count = text.partition(" ")
    if word not in SLOTS or not (count.isdecimal() and count.isascii() and len(count) == 1):
        raise BadInput(f"slots of {title} must be large, small or the type of a spell with a number, not {text[:40]}.")
    return [word] * int(count)


def read_chart(file: TomlEntry, monsters: Sequence[Monster]) -> tuple[ChartBox, ...]:
    """Return the boxes of `chart.toml`; the counters of a kind are put into its boxes in their order."""
    waiting: dict[str, list[MonsterId]] = {}
    for monster in monsters:
        waiting.setdefault(monster.kind, []).append(monster.id)
    boxes = []
    for number, entry in enumerate(file.entries("box", "monster")):
        kind, count = entry.word("monster", waiting), entry.number("count", 1, 9)
        placed, waiting[kind] = waiting[kind][:count], waiting[kind][count:]
        if len(placed) < count:
            raise BadInput(f"There are fewer counters of {kind} than the boxes of the chart hold.")
        row, section = entry.number("row", 1, ROWS), entry.word("section", SECTIONS)
        chits = tuple(_split_letter(name) for name in entry.words("chits", default=None))
        boxes.append(ChartBox(number, row, section, tuple(placed), chits))
        entry.finish()
    file.finish()
    return tuple(boxes)


def _split_letter(name: str) -> tuple[str, str]:
    """Return the word and the letter of "Roar C"; the letter is empty if there is none."""
    word, _, letter = name.rpartition(" ")
    return (word, letter) if letter in LETTERS else (name, "")
