"""Names and phrases that all texts share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.catalog.ids import GREEN, Place, clearing_of, tile_of
from realmtable.games.magic_realm.world.entities import OPEN_LARGE
from realmtable.games.magic_realm.world.places import is_road, road_ends
from realmtable.games.magic_realm.world.step_text import FIRST_MONSTER
from realmtable.kit.wording import join_words

ACTIVITY_NAMES: Final = {
    "M": "Move",
    "H": "Hide",
    "S": "Search",
    "R": "Rest",
    "A": "Alert",
    "P": "Peer",
    "F": "Follow",
    "-": "Blank phase",
}
GOAL_NAMES: Final = {"treasures": "great treasures", "fame": "fame", "notoriety": "notoriety", "gold": "gold"}
WEIGHTS: Final = {"N": "negligible", "L": "light", "M": "medium", "H": "heavy", "T": "tremendous"}
NUMBER_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six")
_SIZES: Final = {"H": "heavy", "T": "tremendous"}


def name_clearing(place: Place) -> str:
    """Return a clearing or roadway with the whole name of its tile: "Bad Valley 4"."""
    if is_road(place):
        return f"the roadway between {' and '.join(map(name_clearing, road_ends(place)))}"
    return f"{load_catalog().tiles[tile_of(place)].name} {clearing_of(place)}"


def format_place(code: str) -> str:
    """Return the whole name of a clearing, a roadway or a tile that a view names by its code.

    >>> format_place("BV4"), format_place("BV")
    ('Bad Valley 4', 'Bad Valley')
    """
    names = load_catalog().names
    if "-" in code:
        return f"the roadway between {' and '.join(map(format_place, code.split('-')))}"
    clearing = names.by_name("clearing").get(code)
    if clearing is not None:
        return name_clearing(clearing)
    tile = names.by_name("tile code").get(code)
    return code if tile is None else load_catalog().tiles[tile].name


def find_kind(code: str) -> str:
    """Return the kind of a clearing that a view names by its code; empty for roadways.

    >>> find_kind("CS2"), find_kind("BV2-BV5")
    ('cave', '')
    """
    place = load_catalog().names.by_name("clearing").get(code)
    if place is None:
        return ""
    clearings = load_catalog().tiles[tile_of(place)].sides[GREEN].clearings
    return next(clearing.kind for clearing in clearings if clearing.number == clearing_of(place))


def name_goods(number: int) -> str:
    """Return what something is called among players: "Shield", without the number of its counter."""
    goods = load_catalog().goods[number]
    name, dash, last = goods.name.rpartition("-")
    return name if dash and last.isdecimal() and goods.kind.lower() == name.lower() else goods.name


def describe_values(name: str) -> str:
    """Return what a belonging adds to the score: "a great treasure, notoriety 10"; empty if it adds nothing.

    >>> describe_values("Regent of Jewels")
    'a great treasure, notoriety 10'
    """
    catalog = load_catalog()
    goods = catalog.goods[catalog.names.by_name("goods")[name]]
    facts = ["a great treasure"] if isinstance(goods, Treasure) and goods.is_great else []
    values = (("fame", goods.fame), ("notoriety", goods.notoriety))
    return ", ".join([*facts, *(f"{word} {number}".replace("-", "−") for word, number in values if number)])


def name_back(back: int) -> str:
    """Return what a card looks like from behind."""
    return "a large treasure" if back == OPEN_LARGE else "a small treasure"


def name_chit(number: int) -> str:
    """Return what a map chit is called: "Howl 4", "Bones", "Hoard"."""
    chit = load_catalog().map_chits[number]
    return f"{chit.word} {chit.clearing}" if chit.kind == "sound" else chit.word


def name_character(character: int) -> str:
    """Return a character with its article: "the Elf"."""
    return f"the {load_catalog().characters[character].name}"


def name_monster(monster: int) -> str:
    """Return a monster with its number, "Wolf 2"."""
    return format_counter(load_catalog().monsters[monster].name)


def name_target(target: int) -> str:
    """Return whom a step blocks or aims at."""
    if target < FIRST_MONSTER:
        return name_character(target)
    return f"the {name_monster(target - FIRST_MONSTER)}"


def format_counter(name: str) -> str:
    """Return a monster, its head or its club that a view names by its counter.

    >>> format_counter("H Spider-2"), format_counter("Giant-1 club")
    ('heavy Spider 2', "Giant 1's club")
    """
    words, _, part = name.rpartition(" ")
    is_part = part in ("head", "club")
    monster = format_kind(words if is_part else name).replace("-", " ")
    return f"{monster}'s {part}" if is_part else monster


def name_monsters(monsters: Iterable[int]) -> str:
    """Return monsters in groups: "2 Wolves and a Giant"."""
    kinds = Counter(load_catalog().monsters[monster].kind for monster in monsters)
    return join_words([_count_kind(kind, number) for kind, number in kinds.items()])


def _count_kind(kind: str, number: int) -> str:
    words = format_kind(kind)
    if number == 1:
        return f"{'an' if words[0] in 'AEIO' else 'a'} {words}"
    return f"{number} {'Wolves' if words == 'Wolf' else f'{words}s'}"


def format_kind(kind: str) -> str:
    """Return a kind of monster with its size as a word.

    >>> format_kind("H Spider"), format_kind("Wolf")
    ('heavy Spider', 'Wolf')
    """
    size, _, rest = kind.partition(" ")
    return f"{_SIZES[size]} {rest}" if size in _SIZES else kind


def name_road(discovery: int) -> str:
    """Return a hidden path or secret passage: "the hidden path between Deep Woods 1 and 4"."""
    road = next(road for road in load_catalog().secret_roads if road.secret_id == discovery)
    kind = "hidden path" if road.kind == "hidden" else "secret passage"
    return f"the {kind} between {load_catalog().tiles[road.tile].name} {road.start} and {road.end}"


def capitalise(text: str) -> str:
    """Return a text with a capital letter at its beginning; the others stay as they are."""
    return text[:1].upper() + text[1:]
