"""The text of a step: its verb and the names of what it refers to (Z2).

A text means the same for every seat, so it names characters and never seats. Later parts add their verbs to the table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from realmtable.engine.errors import BadNotation
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS
from realmtable.games.magic_realm.catalog.parse_numbers import parse_short_number
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import GOALS
from realmtable.games.magic_realm.world.places import road_ends, road_place
from realmtable.games.magic_realm.world.steps import Step


class Kind(NamedTuple):
    """What an argument of a step refers to: how it is written, and how it is read."""

    title: str
    write: Callable[[int], str]
    read: Callable[[str], int | None]  # None if the text names nothing of this kind


def _find(names: tuple[str, ...], text: str) -> int | None:
    return names.index(text) if text in names else None


def _words(title: str, *words: str) -> Kind:
    return Kind(title, words.__getitem__, partial(_find, words))


def _names(kind: str, title: str) -> Kind:
    def write(number: int) -> str:
        return load_catalog().names.by_number(kind)[number]

    def read(text: str) -> int | None:
        return load_catalog().names.by_name(kind).get(text)

    return Kind(title, write, read)


def _behind(word: str, kind: Kind) -> Kind:
    """Return a kind of argument that is written after a word."""

    def write(number: int) -> str:
        return f"{word} {kind.write(number)}"

    def read(text: str) -> int | None:
        return kind.read(text.removeprefix(f"{word} ")) if text.startswith(f"{word} ") else None

    return Kind(f"{word} {kind.title}", write, read)


def _write_roadway(place: int) -> str:
    return "-".join(CLEARING.write(end) for end in road_ends(place))


def _read_roadway(text: str) -> int | None:
    start, end = (CLEARING.read(word) for word in text.partition("-")[::2])
    return None if start is None or end is None or start == end else road_place(start, end)


NUMBER: Final = Kind("a number", str, parse_short_number)
TILE: Final = _names("tile code", "a tile such as CG")
TILE_NAME: Final = _names("tile", "a tile such as Crag")
CLEARING: Final = _names("clearing", "a clearing such as BV4")
CHARACTER: Final = _names("character", "a character such as Elf")
START: Final = _names("start", "a place to start such as Inn")
BOX: Final = _names("box", "a group such as Patrol")
GEAR: Final = _names("gear", "a kind of gear such as Shield")
CHIT: Final = _names("short chit", "a map chit such as Howl-4")
GOODS: Final = _names("goods", "a belonging such as Shield-1")
BLOCKED: Final = _names("blocked", "a character or monster such as Giant-1")
LOOTED: Final = _names("looted", "the pile, a site or a site card such as Hoard")
ACTION: Final = _names("action", "an action chit such as Move M3*")
RESTED: Final = _names("rest", "an action chit such as Move M3*")
FORCE: Final = _names("force", "an action chit or a belonging such as Gloves of Strength")
ROADWAY: Final = Kind("a roadway such as BV2-BV5", _write_roadway, _read_roadway)
MONSTER: Final = _names("monster", "a monster such as Wolf-2")
PIECE: Final = _names("piece", "an action chit or a belonging such as Pony-1 gallop")
COUNTER: Final = _names("counter", "a monster, its head or its club such as Giant-1 club")
DIRECTION: Final = _words("thrust, swing or smash", *DIRECTIONS)
MANEUVER: Final = _words("charge, dodge or duck", *MANEUVERS)
CHOICES: Final = ("clues+paths", "hidden+paths", "hidden", "clues", "passages+clues", "passages", "chits")
CHOICE: Final = _words("a result such as clues+paths", *CHOICES)
TAKEN: Final = _words("counter or card", "counter", "card")
GOAL: Final = _words("a goal such as fame", *GOALS)
ORDER: Final = _words(
    "an order such as block never", "block ask", "block never", "shed keep", "shed ask", "follow along", "follow ask"
)

PHASE_VERBS: Final[dict[str, tuple[Kind, ...]]] = {
    "M": (CLEARING,),
    "H": (),
    "S": (),
    "R": (),
    "A": (),
    "P": (CLEARING,),
    "F": (CHARACTER,),
    "-": (),
}
VERBS: Final[dict[str, tuple[Kind, ...]]] = {
    **PHASE_VERBS,
    "order": (ORDER,),
    "back": (),
    "done": (),
    "ready": (),
    "draw": (TILE_NAME,),
    "lay": (NUMBER, NUMBER, NUMBER),
    "deal": (TILE_NAME,),
    "tile": (TILE_NAME,),
    "place": (NUMBER, NUMBER),
    "turn": (NUMBER,),
    "be": (CHARACTER,),
    "gear": (GEAR, BOX),
    "want": (GOAL,),
    "start": (START,),
    "chit": (TILE, CHIT),
    "die": (NUMBER,),
    "next": (CHARACTER,),
    "d": (NUMBER, NUMBER),
    "now": (),
    "later": (),
    "activate": (GOODS,),
    "pack": (GOODS,),
    "leave": (GOODS,),
    "go": (),
    "run on": (),
    "along": (),
    "stop": (),
    "shed": (CHARACTER,),
    "block": (BLOCKED,),
    "pass": (),
    "peer": (CLEARING,),
    "locate": (),
    "sight": (),
    "loot": (LOOTED,),
    "choose": (CHOICE,),
    "exchange": (),
    "put back": (),
    "take": (TAKEN, LOOTED),
    "take nothing": (),
    "force": (FORCE,),
    "card": (BOX, NUMBER, GOODS),
    "keep": (),
    "tire": (ACTION, _behind("for", ACTION)),
    "rest": (RESTED, _behind("with", ACTION)),
    "enough": (),
    "to": (CLEARING,),
    "run": (ROADWAY, _behind("with", PIECE)),
    "wound": (ACTION,),
    "clearing": (CLEARING,),
    "rest easy": (),
    "stir": (),
    "continue": (),
    "lure": (MONSTER,),
    "unhide": (),
    "charge": (CHARACTER, _behind("with", PIECE)),
    "alert": (PIECE,),
    "unalert": (),
    "berserk": (),
    "aim": (BLOCKED,),
    "aim none": (),
    "strike": (DIRECTION, PIECE),
    "turn weapon": (PIECE,),
    "evade": (MANEUVER, PIECE),
    "shield": (DIRECTION,),
    "set": (COUNTER, DIRECTION),
}
FEWEST: Final = {
    "activate": 0,
    "alert": 0,
    "leave": 0,
    "peer": 0,
    "tire": 1,
    "rest": 1,
}  # the fewest arguments
MOVE: Final = "M"
FOLLOW: Final = "F"
FIRST_MONSTER: Final = 16  # what can be blocked: characters, then monsters
ON_PONY: Final = " pony"


def format_step(step: Step) -> str:
    """Return the text of a step. A Move of the pony has a second argument (Z12).

    >>> format_step(Step("want", (1,)))
    'want fame'
    """
    kinds = VERBS[step.verb]
    words = " ".join([step.verb, *(kind.write(number) for kind, number in zip(kinds, step.args, strict=False))])
    return words + ON_PONY if is_pony_move(step) else words


def is_pony_move(step: Step) -> bool:
    """Whether a written phase is a Move of the pony (D6)."""
    return step.verb == MOVE and len(step.args) > 1


def is_following_plan(plan: tuple[Step, ...]) -> bool:
    """Whether a written day consists of following someone (B4)."""
    return bool(plan) and plan[0].verb == FOLLOW


def parse_step(text: str) -> Step:
    """Return the step that a text stands for, legal or not. Raises `BadNotation`."""
    verb, rest = _split_verb(" ".join(text.split()))
    kinds = VERBS.get(verb)
    if kinds is None:
        raise BadNotation(f"{verb[:40]!r} is not a step; steps begin with {', '.join(VERBS)}.")
    on_pony = verb == MOVE and rest.endswith(ON_PONY)
    words = (rest.removesuffix(ON_PONY) if on_pony else rest).split(" ") if rest else []
    lengths = range(len(kinds), FEWEST.get(verb, len(kinds)) - 1, -1)
    readings = (_read_arguments(kinds[:length], words) for length in lengths)
    found = next((reading for reading in readings if reading is not None), None)
    if found is None:
        wanted = ", then ".join(kind.title for kind in kinds) or "nothing"
        raise BadNotation(f"{verb} is followed by {wanted}, not {rest[:40]!r}.")
    if verb == "chit":
        found = (found[0], _with_letter(found[0], found[1]))
    return Step(verb, (*found, 1) if on_pony else found)


def _split_verb(text: str) -> tuple[str, str]:
    """Return the verb of a step, which may have two words, and what follows."""
    words = text.split(" ")
    length = 2 if " ".join(words[:2]) in VERBS else 1
    return " ".join(words[:length]), " ".join(words[length:])


def _with_letter(tile: int, chit: int) -> int:
    """Return the warning of a tile's letter with the same word; other chits stay as they are."""
    warnings = catalog_lookups().warnings
    return warnings[tile][chit % len(warnings[tile])] if chit in warnings[0] else chit


def _read_arguments(kinds: tuple[Kind, ...], words: list[str]) -> tuple[int, ...] | None:
    """Return the arguments that some words name. Names may have several words, so every split is tried."""
    if not kinds:
        return None if words else ()
    for length in range(1, len(words) - len(kinds) + 2):
        number = kinds[0].read(" ".join(words[:length]))
        rest = None if number is None else _read_arguments(kinds[1:], words[length:])
        if number is not None and rest is not None:
            return (number, *rest)
    return None
