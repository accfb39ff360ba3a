"""The numbers of the game, and its missions and campaigns, from `data/setup.toml` (D4, N12, Q8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog.ids import COLOURS
from realmtable.games.magic_realm.catalog.toml_entry import TomlEntry

WEEKS = 4


@dataclass(frozen=True, slots=True)
class Victory:
    """What the score counts: one victory point stands for this much of each kind (Q8)."""

    points_besides_weeks: int
    great_treasures: int
    spells: int
    fame: int
    notoriety: int
    gold: int
    negatives_count: int  # how many times a shortfall counts
    dead: int  # the score of a character who is dead at the end


@dataclass(frozen=True, slots=True)
class Mission:
    """Something to carry to a dwelling."""

    name: str
    notoriety: int
    days: int
    to: str
    else_to: str  # if it was taken at `to`


@dataclass(frozen=True, slots=True)
class Campaign:
    """A war at the side of some natives against others."""

    name: str
    fame: int  # its cost
    notoriety: int
    days: int  # 0 = no limit
    partners: tuple[str, ...]
    foes: tuple[str, ...]  # native groups or kinds of monsters


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of the game."""

    days: int
    seventh_day_colours: tuple[tuple[str, ...], ...]  # of days 7, 14, 21 and 28
    chit_colours: Mapping[str, str]  # by the type of a Magic chit
    basic_phases: int
    sunlight_phases: int
    starting_gold: int
    spell_price: int
    victory: Victory
    visitor_chits: tuple[tuple[str, ...], ...]  # both sides of each
    visitor_boxes: tuple[tuple[str, ...], ...]
    mission_gold_per_clearing: int
    mission_gold_without_way: int
    missions: tuple[Mission, ...]
    campaigns: tuple[Campaign, ...]


def read_numbers(file: TomlEntry) -> Numbers:
    """Take everything but the boxes of `setup.toml`."""
    colours = file.word_lists("seventh_day_colours")
    if len(colours) != WEEKS or not all(colour in COLOURS for week in colours for colour in week):
        raise BadInput(f"seventh_day_colours must name some of {', '.join(COLOURS)} for each of the {WEEKS} weeks.")
    by_type = file.entry("chit_colours")
    return Numbers(
        file.number("days", 1, 28),
        colours,
        MappingProxyType({kind: by_type.word(kind, COLOURS) for kind in by_type.fields()}),
        file.number("basic_phases", 1, 9),
        file.number("sunlight_phases", 1, 9),
        file.number("starting_gold", 0, 99),
        file.number("spell_price", 0, 99),
        _read_victory(file.entry("victory")),
        file.word_lists("visitor_chits"),
        file.word_lists("visitor_boxes"),
        file.number("mission_gold_per_clearing", 0, 99),
        file.number("mission_gold_without_way", 0, 99),
        tuple(_read_mission(entry) for entry in file.entries("mission")),
        tuple(_read_campaign(entry) for entry in file.entries("campaign")),
    )


def _read_victory(entry: TomlEntry) -> Victory:
    victory = Victory(
        entry.number("points_besides_weeks", 0, 9),
        entry.number("great_treasures", 1, 99),
        entry.number("spells", 1, 99),
        entry.number("fame", 1, 99),
        entry.number("notoriety", 1, 99),
        entry.number("gold", 1, 99),
        entry.number("negatives_count", 1, 9),
        entry.number("dead", -999, 0),
    )
    entry.finish()
    return victory


def _read_mission(entry: TomlEntry) -> Mission:
    mission = Mission(
        entry.text("name"),
        entry.number("notoriety", 1, 99),
        entry.number("days", 1, 28),
        entry.text("to"),
        entry.text("else_to"),
    )
    entry.finish()
    return mission


def _read_campaign(entry: TomlEntry) -> Campaign:
    campaign = Campaign(
        entry.text("name"),
        entry.number("fame", 1, 99, 0),
        entry.number("notoriety", 1, 99, 0),
        entry.number("days", 1, 28, 0),
        entry.words("partners", default=None),
        entry.words("foes", default=None),
    )
    entry.finish()
    return campaign
