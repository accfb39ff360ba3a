"""Check positions in the evening and at birdsong: find agendas and new lives that no game could continue from (F9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.flow import validate_combat
from realmtable.games.magic_realm.flow.evening_with_combat import find_place
from realmtable.games.magic_realm.flow.new_life import LIFE
from realmtable.games.magic_realm.world.entities import NO_CHARACTER
from realmtable.games.magic_realm.world.position_defaults import gear_kinds
from realmtable.games.magic_realm.world.steps import Frame
from realmtable.games.magic_realm.world.world import World

WRITE: Final = "write"
BEGINNING: Final = ("outfit", "goals")  # of a new life, after its character was chosen


def find_mistakes(world: World) -> Iterator[str]:
    """Yield what is wrong with a position in the evening."""
    if world.part == "evening" and world.options.has_combat:
        yield from validate_combat.find_mistakes(world, world.agenda[len(_list_lives(world)) :])
    elif world.part == "evening":
        yield "Without combat, nothing happens in the evening."
    if world.journal and find_place(world) is None:
        yield "Only a position with combat has steps of combat."


def find_wrong_lives(world: World) -> Iterator[str]:
    """Yield what is wrong with new lives, in a position whose agenda can be worked on."""
    if world.part == "setup":
        return
    lives = _list_lives(world)
    yield from _find_wrong_lives(world, lives)
    choosing = [frame.seat for frame in lives] if world.part == "birdsong" else []
    if any((hero.character == NO_CHARACTER) != (seat in choosing) for seat, hero in enumerate(world.heroes)):
        yield "Every seat has a character once the game has begun, unless it chooses one for a new life."
    if world.part == "birdsong":
        yield from _find_wrong_birdsong(world, lives)


def _list_lives(world: World) -> list[Frame]:
    return [frame for frame in world.agenda if frame.kind == LIFE]


def _find_wrong_lives(world: World, lives: list[Frame]) -> Iterator[str]:
    seats = [frame.seat for frame in lives]
    if lives and (world.part not in ("birdsong", "evening") or not world.options.restart):
        yield "New lives are waited for in the evening and begin at birdsong, if the options allow them."
    if len(seats) != len({*seats}) or not all(world.heroes[seat].dead for seat in seats):
        yield "A new life is for a player whose character is dead."
    if lives and world.part == "evening" and world.day == world.options.last_day:
        yield "No new life begins after the last day."


def _find_wrong_birdsong(world: World, lives: list[Frame]) -> Iterator[str]:
    """Find frames that cannot wait at birdsong: writing, under new lives, of which one may have begun."""
    begun = [frame for frame in world.agenda[-1:] if frame.kind in BEGINNING]
    if world.agenda != (Frame(WRITE), *lives, *begun):
        yield "The agenda of birdsong has the frame write, under those of new lives."
    for frame in begun:
        hero = world.heroes[frame.seat]
        if not hero.dead or hero.character == NO_CHARACTER:
            yield "Someone who begins a new life has chosen a character and is not on the map yet."
        else:
            kinds = [load_catalog().goods[goods].kind for goods in hero.pack]
            usual = gear_kinds(hero.character)[: frame.a if frame.kind == "outfit" else None]
            if len(kinds) != len({*kinds}) or not {*kinds} <= {*usual}:
                yield "Someone who begins a new life has no other belongings than the gear of the character."
            if hero.points and frame.kind == "outfit":
                yield "Points are assigned when the gear is complete."
