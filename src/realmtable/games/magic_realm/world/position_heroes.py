"""Reads the characters of a position (F5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.world.entities import (
    ACTION_CHITS,
    CURSES,
    FATIGUED,
    FOUND,
    GOALS,
    ORDERS,
    WOUNDED,
    Hero,
)
from realmtable.games.magic_realm.world.map_layout import start_place
from realmtable.games.magic_realm.world.places import NOWHERE
from realmtable.games.magic_realm.world.position_defaults import usual_hero
from realmtable.games.magic_realm.world.position_words import (
    MAX_LIST,
    NO_ONE,
    read_name,
    read_number,
    read_phase,
    read_place,
    read_seat,
    read_source,
    split_list,
)
from realmtable.games.magic_realm.world.position_writer import UNUSUAL_ORDERS
from realmtable.games.magic_realm.world.world import World

SEAT_FIELDS: Final = (
    "at", "unhidden", "blocked", "dead", "done", "found", "anywhere", "guide", "came", "climbs", "tired", "wounded",
    "gold", "curses", "berserk", "kills", "fame", "notoriety", "goods", "knows", "points", "start", "plan", "phase",
    "used", "orders", "backs", "ordered", "ready",
)  # fmt: skip
Fields = dict[str, str]


def read_heroes(world: World, fields: Fields) -> list[list[str] | None]:
    """Read all heroes; return the texts of their goods, None for the usual ones."""
    packs: list[list[str] | None] = []
    for seat, hero in enumerate(world.heroes):
        own = {name: fields.pop(f"{seat + 1}.{name}") for name in SEAT_FIELDS if f"{seat + 1}.{name}" in fields}
        packs.append(split_list(own.pop("goods")) if "goods" in own else None)
        world.heroes[seat] = usual_hero(world, hero.character)
        _read_start(world, seat, own)
        for name, value in own.items():
            _READERS[name](world.writable_hero(seat), value, len(world.heroes))
    unknown = next((name for name in fields if "." in name), None)
    if unknown is not None:
        raise BadPosition(f"There is no seat for the field {unknown[:40]}.")
    return packs


def _read_start(world: World, seat: Seat, own: Fields) -> None:
    hero = world.writable_hero(seat)
    if "start" in own:
        text = own.pop("start")
        hero.start = -1 if text == NO_ONE else read_name("start", text)
        place = start_place(world, hero.start) if world.day and hero.start >= 0 else None
        world.move_hero(seat, NOWHERE if place is None else place)
    if "at" in own:
        world.move_hero(seat, read_place(own.pop("at")))


def _set(name: str, read: Callable[[str], object]) -> Callable[[Hero, str, int], None]:
    return lambda hero, text, _: setattr(hero, name, read(text))


def _set_states(state: int) -> Callable[[Hero, str, int], None]:
    def read(hero: Hero, text: str, _: int) -> None:
        chosen = {read_number(part, 1, ACTION_CHITS) - 1 for part in split_list(text)}
        hero.chits = tuple(state if number in chosen else found for number, found in enumerate(hero.chits))

    return read


def _read_bits(words: Sequence[str], text: str) -> int:
    parts = split_list(text)
    if not {*parts} <= {*words}:
        raise BadPosition(f"Write some of {', '.join(words)}, not {text[:40]!r}.")
    return sum(1 << bit for bit, word in enumerate(words) if word in parts)


def _read_goals(text: str) -> tuple[int, ...]:
    parts = split_list(text, ",")
    if not {*parts} <= {*GOALS}:
        raise BadPosition(f"Points are assigned to {', '.join(GOALS)}, not {text[:40]!r}.")
    return tuple(map(GOALS.index, parts))


def _read_guide(hero: Hero, text: str, seats: int) -> None:
    hero.guide = read_seat(text, seats)


def _read_points(text: str) -> int | Fraction:
    """Read fame or notoriety, which can be a fraction like 7/2 (K1)."""
    above, slash, below = text.partition("/")
    number = Fraction(-read_number(above[1:]) if above.startswith("-") else read_number(above))
    points = number / read_number(below, 2) if slash else number
    return points.numerator if points.denominator == 1 else points


_CURSE_WORDS: Final = tuple(word.replace(" ", "_") for word in CURSES)
_ORDER_WORDS: Final = tuple(f"{word}:{unusual}" for word, unusual in zip(ORDERS, UNUSUAL_ORDERS, strict=True))
_READERS: Final[dict[str, Callable[[Hero, str, int], None]]] = {
    "unhidden": _set("hidden", lambda _: False),
    "blocked": _set("blocked", bool),
    "dead": _set("dead", bool),
    "done": _set("turn_taken", bool),
    "found": _set("found", lambda text: _read_bits(FOUND, text)),
    "anywhere": _set("anywhere", bool),
    "guide": _read_guide,
    "came": _set("came_by", read_place),
    "climbs": _set("climbs", read_place),
    "tired": _set_states(FATIGUED),
    "wounded": _set_states(WOUNDED),
    "gold": _set("gold", read_number),
    "fame": _set("fame", _read_points),
    "notoriety": _set("notoriety", _read_points),
    "curses": _set("curses", lambda text: _read_bits(_CURSE_WORDS, text)),
    "berserk": _set("berserk", bool),
    "kills": _set("kills", lambda text: read_number(text, 1, MAX_LIST)),
    "knows": _set("discoveries", lambda text: sum({1 << read_name("discovery", part) for part in split_list(text)})),
    "points": _set("points", _read_goals),
    "plan": _set("plan", lambda text: tuple(map(read_phase, text.split(";", MAX_LIST)))),
    "phase": _set("phase", lambda text: read_number(text, 0, MAX_LIST)),
    "used": _set("used", lambda text: tuple(map(read_source, split_list(text, ",")))),
    "orders": _set("orders", lambda text: _read_bits(_ORDER_WORDS, text)),
    "backs": _set("backs", lambda text: read_number(text, 0, MAX_LIST)),
    "ordered": _set("ordered", lambda text: read_number(text, 0, MAX_LIST)),
    "ready": _set("ready", bool),
}
