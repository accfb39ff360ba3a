"""Check positions in the evening and at birdsong: find agendas and new lives that no game could continue from (F9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.day_rules.action_chits import list_chits
from realmtable.games.magic_realm.day_rules.evening_without_combat import MOVE, list_targets
from realmtable.games.magic_realm.day_rules.sight import monsters_at
from realmtable.games.magic_realm.flow import validate_combat
from realmtable.games.magic_realm.flow.blocking import list_in_order
from realmtable.games.magic_realm.flow.evening_with_combat import find_place
from realmtable.games.magic_realm.flow.evening_without_combat import ATTACKED, list_attackers
from realmtable.games.magic_realm.flow.new_life import LIFE
from realmtable.games.magic_realm.world.entities import ACTIVE, NO_CHARACTER
from realmtable.games.magic_realm.world.places import is_road
from realmtable.games.magic_realm.world.position_defaults import gear_kinds
from realmtable.games.magic_realm.world.steps import Agenda, Frame
from realmtable.games.magic_realm.world.world import World

WRITE: Final = "write"
BEGINNING: Final = ("outfit", "goals")  # of a new life, after its character was chosen


def find_mistakes(world: World) -> Iterator[str]:
    """Yield what is wrong with a position in the evening."""
    if world.part == "evening" and world.options.has_combat:
        yield from validate_combat.find_mistakes(world, world.agenda[len(_list_lives(world)) :])
    elif world.part == "evening":
        yield from _find_wrong_evening(world, _list_lives(world))
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


def _find_wrong_evening(world: World, lives: list[Frame]) -> Iterator[str]:
    rest = world.agenda[len(lives) :]
    if world.agenda[: len(lives)] != tuple(lives) or [frame.kind for frame in rest[:1]] != ["evening"]:
        yield "The agenda of the evening has the frame evening, above those of new lives."
        return
    place, questions, top = rest[0].a - 1, [frame for frame in rest if frame.kind == ATTACKED], rest[-1]
    asked = [frame.seat for frame in reversed(questions)]
    if asked != [seat for seat in list_in_order(world) if seat in asked]:
        yield "The attacked characters are asked in the order of the day."
    attackers = [(monster, frame.seat) for frame in questions for monster in list_attackers(frame)]
    possible = [(monster, seat) for monster in monsters_at(world, place) for seat in list_targets(world, monster)]
    monsters = [monster for monster, _ in attackers]
    if not {*attackers} <= {*possible} or len(monsters) != len({*monsters}):
        yield "Each monster in the clearing attacks one character there that it can attack."
    if rest[1:] != (*questions, *_list_others(place, top)) or not _fits(world, questions, top, possible):
        yield f"The frame {top.kind} of the agenda does not fit the position."


def _list_others(place: int, top: Frame) -> Agenda:
    """Return what the agenda must have above the questions: whose wounds or effort is due, or what chance decides."""
    if top.kind == "attack":
        return Frame("assign", a=place, b=top.a + 1), top
    return (top,) if top.kind in ("wounds", "effort") else ()


def _fits(world: World, questions: list[Frame], top: Frame, possible: list[tuple[int, int]]) -> bool:
    """Whether the last frame of the evening fits the attacks that are possible, as pairs of monster and seat."""
    match top.kind:
        case "attack":
            asked = {frame.seat for frame in questions}
            is_free = not any(top.a in list_attackers(frame) for frame in questions)
            return (
                is_free and (top.a in [monster for monster, _ in possible]) and {seat for _, seat in possible} <= asked
            )
        case "wounds":
            return top.a <= sum(seat == top.seat for _, seat in possible)
        case "effort":
            chits = list_chits(world, top.seat, ACTIVE)
            return is_road(world.heroes[top.seat].place) and any(chit.kind == MOVE and chit.stars > 1 for chit in chits)
    return True
