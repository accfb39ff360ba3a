"""What advantages and treasures do, as rows of verbs (T1). `data/treasures.toml` describes the verbs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog.ids import ACTIVITIES, STRENGTHS
from realmtable.games.magic_realm.catalog.toml_entry import TomlEntry

ANY_ACTIVITY: Final = "any"
PEER_AFAR: Final = "peer afar"  # the Peer of the Ancient Telescope
PHASE_ACTIVITIES: Final = (*ACTIVITIES, ANY_ACTIVITY, PEER_AFAR)
WHERE: Final = (
    "cave",
    "mountain",
    "dwelling",
    "woods tile",
    "clearing",
    "trade",
    "Lost City",
    "Lost Castle",
    "Ruins",
)
SITE_CARD_TABLES: Final = ("toadstool circle", "crypt of the knight", "enchanted meadow")
SEARCH_TABLES: Final = ("peer", "locate", "loot", "runes", "sight", *SITE_CARD_TABLES)
SPELL_TABLES: Final = ("curse", "wish", "pit", "transform", "lost", "storm")
TABLES: Final = ("hide", *SEARCH_TABLES, "meeting", "missile", *SPELL_TABLES)
TABLE_SETS: Final[Mapping[str, tuple[str, ...]]] = {
    "all": TABLES,
    "search": SEARCH_TABLES,
    "site cards": SITE_CARD_TABLES,
    **{table: (table,) for table in TABLES},
}
# The parameters of each verb; `where` may be left out.
VERBS: Final[Mapping[str, tuple[str, ...]]] = {
    "one_die": ("tables", "where"),
    "add": ("tables", "number", "where"),
    "extra_phase": ("activity", "where"),
    "no_sunlight": (),
    "rest_stars": ("number",),
    "magic_sight": (),
    "choose_moment": (),
    "know_roads": (),
    "no_summons": ("names",),
    "spared_by": ("names",),
    "move_piece": ("strength", "time"),
    "fight_piece": ("strength", "time"),
    "fly_piece": ("strength", "time"),
    "keys": (),
    "weapon": ("strength", "length", "harm", "stars"),
    "armor": ("names", "strength", "number"),
    "strength_by_stars": ("names",),
    "time_by_stars": ("numbers",),
    "star_limit": ("number",),
    "add_stars": ("number",),
    "shift_attack": ("time",),
    "shift_maneuver": ("time",),
}


@dataclass(frozen=True, slots=True)
class Effect:
    """One row: a verb with its parameters; those that the verb does not have keep their defaults."""

    verb: str
    where: str = ""  # empty: everywhere
    tables: tuple[str, ...] = ()  # names of single tables
    activity: str = ""
    number: int = 0
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    strength: str = ""
    time: int = 0
    length: int = 0
    harm: str = ""
    stars: int = 0


def read_effects(entry: TomlEntry) -> tuple[Effect, ...]:
    """Take the field `does` of an entry, if it has one."""
    if not entry.has("does"):
        return ()
    return tuple(_read_effect(entry.title, row) for row in entry.entries("does", "verb"))


def _read_effect(title: str, row: TomlEntry) -> Effect:
    verb = row.word("verb", VERBS)
    row.title = f"{verb} of {title}"
    wanted = VERBS[verb]
    effect = Effect(
        verb,
        where=row.word("where", WHERE, "") if "where" in wanted else "",
        tables=_read_tables(row) if "tables" in wanted else (),
        activity=row.word("activity", PHASE_ACTIVITIES) if "activity" in wanted else "",
        number=row.number("number", -9, 99) if "number" in wanted else 0,
        names=row.words("names", default=None) if "names" in wanted else (),
        numbers=row.numbers("numbers", 0, 9) if "numbers" in wanted else (),
        strength=row.word("strength", STRENGTHS) if "strength" in wanted else "",
        time=row.number("time", 1, 9) if "time" in wanted else 0,
        length=row.number("length", 0, 20) if "length" in wanted else 0,
        harm=row.word("harm", STRENGTHS) if "harm" in wanted else "",
        stars=row.number("stars", 0, 3) if "stars" in wanted else 0,
    )
    row.finish()
    return effect


def _read_tables(row: TomlEntry) -> tuple[str, ...]:
    names = row.words("tables", TABLE_SETS, default=None)
    tables = [table for name in names for table in TABLE_SETS[name]]
    if not tables or len(tables) != len(set(tables)):
        raise BadInput(f"tables of {row.title} must name at least one table, and none twice.")
    return tuple(tables)
