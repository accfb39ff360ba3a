"""Why an activity is not possible when its phase comes (D3)."""

from __future__ import annotations

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.day_rules.curses import is_prevented
from realmtable.games.magic_realm.day_rules.modifiers import is_cave, is_mountain
from realmtable.games.magic_realm.day_rules.move import MoveKind, judge_move
from realmtable.games.magic_realm.world.entities import ACTIVE
from realmtable.games.magic_realm.world.places import is_road
from realmtable.games.magic_realm.world.position_words import SUNLIGHT
from realmtable.games.magic_realm.world.step_text import is_pony_move
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World


def cannot_rest_tomorrow(world: World, seat: Seat) -> bool:
    """Whether a character can do nothing but rest, and not even that: it dies at midnight (D8)."""
    hero = world.heroes[seat]
    return is_exhausted(world, seat) and (is_road(hero.place) or is_prevented(world, seat, "R"))


def is_exhausted(world: World, seat: Seat) -> bool:
    """Whether none of a character's chits is active, so that it can only rest (D8)."""
    return ACTIVE not in world.heroes[seat].chits


def why_lost(world: World, seat: Seat, step: Step, source: int | None) -> str:
    """Return the clause by which an activity is lost; empty if it can be done. `source` is the phase that it uses."""
    hero = world.heroes[seat]
    if source is None:
        return "D6" if is_pony_move(step) else "T1" if step.verb == "P" else "D5"
    if step.verb not in ("R", "-") and is_exhausted(world, seat):
        return "D8"
    if is_prevented(world, seat, step.verb):
        return "C27"
    if step.verb == "M":
        return _why_not_move(world, seat, step.args[0])
    if is_road(hero.place) and step.verb != "-":
        return "D30"
    if step.verb == "P" and (step.args[0] == hero.place or not is_mountain(world, step.args[0])):
        return "T1"
    return ""


def _why_not_move(world: World, seat: Seat, to: int) -> str:
    if judge_move(world, seat, to) is MoveKind.IMPOSSIBLE:
        return "D30" if is_road(world.heroes[seat].place) else "D9"
    return "D4" if is_barred_cave(world, seat, to) else ""


def is_barred_cave(world: World, seat: Seat, to: int) -> bool:
    """Whether a clearing is a cave, which no one enters after a sunlight phase (D4)."""
    return is_cave(world, to) and SUNLIGHT in world.heroes[seat].used
