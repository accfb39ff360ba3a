"""Blocking: who can block whom, and what it does (L1 to L7)."""

from __future__ import annotations

from collections.abc import Iterable

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.day_rules.modifiers import list_effects
from realmtable.games.magic_realm.day_rules.sight import (
    followers_of,
    heroes_at,
    is_following,
    monsters_at,
    reveal,
    sees,
)
from realmtable.games.magic_realm.world.entities import NO_SEAT
from realmtable.games.magic_realm.world.places import is_clearing
from realmtable.games.magic_realm.world.world import World


def is_spared_by(world: World, seat: Seat, monster: MonsterId) -> bool:
    """Whether a monster neither blocks nor attacks a character (M9)."""
    kind = load_catalog().monsters[monster].kind
    return any(effect.verb == "spared_by" and kind in effect.names for effect in list_effects(world, seat))


def list_blocking_monsters(world: World, seat: Seat, monsters: Iterable[MonsterId]) -> list[MonsterId]:
    """Return the monsters among these that block a character in their clearing, if it can be blocked (L1, L2)."""
    if world.heroes[seat].hidden or is_following(world, seat):
        return []
    return [monster for monster in monsters if not is_spared_by(world, seat, monster)]


def block_monsters(world: World, seat: Seat, monsters: Iterable[MonsterId]) -> None:
    """Let a character and monsters block each other; the monsters do not move again today (L5)."""
    for monster in monsters:
        world.writable_denizen(monster).blocked = True
        stop_hero(world, seat)


def block_hero(world: World, one: Seat, other: Seat) -> None:
    """Let two characters block each other (L3)."""
    stop_hero(world, one)
    stop_hero(world, other)


def stop_hero(world: World, seat: Seat) -> None:
    """Let a character lose what is left of its turn, or the turn to come; its followers then have none either (L3)."""
    reveal(world, seat)
    world.writable_hero(seat).blocked = True
    if seat in world.counters:
        world.counters = tuple([other for other in world.counters if other != seat])
        world.writable_hero(seat).turn_taken = True
        for follower in followers_of(world, seat):
            hero = world.writable_hero(follower)
            hero.guide, hero.turn_taken = NO_SEAT, True


def list_blockable_heroes(world: World, blocker: Seat, turn: Seat) -> list[Seat]:
    """Return whom a character can block at the end of a phase: the one whose turn it is, or anyone in its own turn."""
    others = heroes_at(world, world.heroes[blocker].place)
    chosen = (
        [seat for seat in others if seat != blocker] if blocker == turn else [seat for seat in others if seat == turn]
    )
    return [
        seat
        for seat in chosen
        if not world.heroes[seat].blocked and not is_following(world, seat) and sees(world, blocker, seat)
    ]


def list_blockable_monsters(world: World, blocker: Seat) -> list[MonsterId]:
    """Return the monsters in a character's clearing that have neither blocked nor been blocked."""
    monsters = monsters_at(world, world.heroes[blocker].place)
    return [monster for monster in monsters if not world.denizens[monster].blocked]


def can_block(world: World, seat: Seat) -> bool:
    """Whether a character can block at all (L7)."""
    hero = world.heroes[seat]
    return not hero.dead and is_clearing(hero.place) and not is_following(world, seat)
