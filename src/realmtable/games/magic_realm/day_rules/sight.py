"""Who sees whom, who follows whom, and what others learn by watching (B4, L2, L7, X2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.world.entities import FOUND, NO_SEAT
from realmtable.games.magic_realm.world.position_words import is_card
from realmtable.games.magic_realm.world.step_text import is_following_plan
from realmtable.games.magic_realm.world.world import World

ALL, COUNTERS, CARDS = (1 << FOUND.index(word) for word in ("all", "counters", "cards"))


def heroes_at(world: World, place: Place) -> list[Seat]:
    """Return the living characters in a clearing, by seats."""
    return [number for number in world.at(place) if number < len(world.heroes) and not world.heroes[number].dead]


def monsters_at(world: World, place: Place) -> list[int]:
    """Return the monsters in a clearing, by their numbers."""
    seats, monsters = len(world.heroes), len(load_catalog().monsters)
    return [number - seats for number in world.at(place) if seats <= number < seats + monsters]


def sees(world: World, watcher: Seat, seat: Seat) -> bool:
    """Whether a character sees another one in its clearing (L2)."""
    found, target = world.heroes[watcher].found, world.heroes[seat]
    if not target.hidden or found & ALL:
        return True
    cards = [is_card(goods) for goods in target.pack]
    return bool((found & COUNTERS and not all(cards)) or (found & CARDS and any(cards)))


def list_watchers(world: World, seat: Seat, place: Place) -> list[Seat]:
    """Return the other characters in a clearing that see a character who acts there (X2)."""
    return [other for other in heroes_at(world, place) if other != seat and sees(world, other, seat)]


def discover(world: World, seats: Iterable[Seat], discoveries: int) -> None:
    """Let characters discover roadways, sites or site cards, as bits."""
    for seat in seats:
        if discoveries & ~world.heroes[seat].discoveries:
            world.writable_hero(seat).discoveries |= discoveries


def followers_of(world: World, seat: Seat) -> list[Seat]:
    """Return the characters who follow another one, by seats beginning after it (D24)."""
    seats = len(world.heroes)
    others = [(seat + ahead) % seats for ahead in range(1, seats)]
    return [other for other in others if world.heroes[other].guide == seat]


def read_guides(world: World) -> list[Seat]:
    """Return the seat that each seat has written to follow."""
    seats = {hero.character: seat for seat, hero in enumerate(world.heroes)}
    plans = [hero.plan for hero in world.heroes]
    return [seats.get(plan[0].args[0], NO_SEAT) if is_following_plan(plan) else NO_SEAT for plan in plans]


def find_guide(written: Sequence[Seat], seat: Seat) -> Seat:
    """Return the seat that someone follows in the end; none if that leads into a circle (B4)."""
    for _ in written:
        if written[seat] == NO_SEAT:
            return seat
        seat = written[seat]
    return NO_SEAT


def is_following(world: World, seat: Seat) -> bool:
    """Whether someone follows now, in a circle or not: such characters neither block nor are blocked (L7)."""
    return world.heroes[seat].guide != NO_SEAT or find_guide(read_guides(world), seat) == NO_SEAT


def reveal(world: World, seat: Seat) -> None:
    """Make a character unhidden, and its followers with it (D2, D24)."""
    for other in (seat, *followers_of(world, seat)):
        if world.heroes[other].hidden:
            world.writable_hero(other).hidden = False
