"""Check positions in daylight: find agendas that no game could continue from (F9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.catalog.effects import TABLES
from realmtable.games.magic_realm.day_rules.active_goods import TABLES as DICE_TABLES
from realmtable.games.magic_realm.day_rules.move import MoveKind, judge_move
from realmtable.games.magic_realm.flow.dice import INFORMATION
from realmtable.games.magic_realm.flow.phase import BEGIN, LEAVE
from realmtable.games.magic_realm.flow.turn import has_drawable
from realmtable.games.magic_realm.flow.turn_notes import BEGUN, PHASE, TURN
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import NO_SEAT
from realmtable.games.magic_realm.world.places import box_of, is_box, is_clearing
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

OUTSIDE_PHASES: Final = ("daylight", "moment", "next", TURN, "end", "meet", "chit")
# Tasks such as the beginning of an activity are not among these: they leave the agenda before anyone is asked.
IN_PHASES: Final = (
    PHASE, "choose", "arrange", "along", "shed", "move", "dice", "block", "search", "pick", "roads", "look", "exchange",
    "take", "force", "pay", "card", "gain", "found", "to", "rest", "alerting",
)  # fmt: skip
OF_OTHERS: Final = (
    "arrange",
    "along",
    "block",
    "meet",
    "end",
    "rest",
    "alerting",
    "chit",
    "card",
)  # of everyone, or of chance
BLANK: Final = Step("-")
BETWEEN_TURNS: Final = ("next", "moment")
ON_TOP: Final = ("chit", "card", *BETWEEN_TURNS)  # frames with nothing below them
LEAST_FRAMES: Final = ("daylight", TURN)  # below the phase


def find_mistakes(world: World) -> Iterator[str]:
    """Yield what is wrong with a position in daylight."""
    if world.part != "daylight" or not world.agenda:
        return
    if [number for number, frame in enumerate(world.agenda) if frame.kind == "daylight"] != [0]:
        yield "In daylight, the agenda begins with the frame daylight."
    seats = {*world.counters, *(frame.seat for frame in world.agenda)} - {CHANCE}
    if any(world.heroes[seat].dead for seat in seats):
        yield "The dead take no turns."
    for hero in world.heroes:
        guide = None if hero.guide == NO_SEAT else world.heroes[hero.guide]
        if guide and (hero.dead or guide.dead or hero.place != guide.place or guide.guide != NO_SEAT):
            yield "A follower is where its guide is, and its guide follows no one."
    yield from _find_wrong_order(world)
    for frame in world.agenda:
        if not _CHECKS.get(frame.kind, _accept)(world, frame):
            yield f"The frame {frame.kind} of the agenda does not fit the position."


def _find_wrong_order(world: World) -> Iterator[str]:
    kinds = [frame.kind for frame in world.agenda]
    phases = [frame for frame in world.agenda if frame.kind in (PHASE, "choose")]
    between = any(kind in BETWEEN_TURNS for kind in kinds[2:])
    if between or {*kinds} - {*OUTSIDE_PHASES, *IN_PHASES} or any(kind in ON_TOP for kind in kinds[:-1]):
        yield "The agenda has a frame that cannot wait, or not under another one."
    if TURN in kinds or any(kind not in OUTSIDE_PHASES for kind in kinds):
        if tuple(kinds[:2]) != LEAST_FRAMES or kinds.count(TURN) > 1 or [*world.agenda[2:3]] != phases or not phases:
            yield "What is done in a turn needs one turn and one phase of it on the agenda."
        elif any(frame.seat != world.agenda[1].seat for frame in world.agenda[2:] if frame.kind not in OF_OTHERS):
            yield "A phase is done by the character whose turn it is."


Check = Callable[[World, Frame], bool]


def _accept(_world: World, _frame: Frame) -> bool:
    return True


def _has_begun(_world: World, frame: Frame) -> bool:
    return bool(frame.c & BEGUN)


def _has_phase(world: World, frame: Frame) -> bool:
    hero = world.heroes[frame.seat]
    return hero.phase < len(hero.plan) or frame.a in (BEGIN, LEAVE)


def _can_move(world: World, frame: Frame) -> bool:
    hero = world.heroes[frame.seat]
    step = (*hero.plan, BLANK)[hero.phase]
    return step.verb == "M" and judge_move(world, frame.seat, step.args[0]) is not MoveKind.IMPOSSIBLE


def _has_counter(world: World, _frame: Frame) -> bool:
    return has_drawable(world)


def _names_clearing(_world: World, frame: Frame) -> bool:
    return frame.a in catalog_lookups().clearings


def _is_in_clearing(world: World, frame: Frame) -> bool:
    return is_clearing(world.heroes[frame.seat].place)


def _names_list(world: World, frame: Frame) -> bool:
    return _is_in_clearing(world, frame) and _is_list(world, frame.a)


def _is_list(world: World, place: int) -> bool:
    return place in catalog_lookups().clearings or (is_box(place) and box_of(place) < len(world.boxes))


def _has_table(world: World, frame: Frame) -> bool:
    """Whether a roll is made on a table that is used, for a clearing or a box if the table is about one."""
    table = TABLES[frame.a]
    if table in INFORMATION:
        return frame.b in catalog_lookups().clearings
    return table in DICE_TABLES and (table == "hide" or _is_list(world, frame.b)) and _is_in_clearing(world, frame)


def _has_combat(world: World, _frame: Frame) -> bool:
    return world.options.has_combat


_CHECKS: Final[Mapping[str, Check]] = {
    "alerting": _has_combat,
    TURN: _has_begun,
    PHASE: _has_phase,
    "moment": _has_counter,
    "dice": _has_table,
    "arrange": _is_in_clearing,
    "search": _is_in_clearing,
    "take": _is_in_clearing,
    "to": _is_in_clearing,
    "found": _is_in_clearing,
    "pick": _names_clearing,
    "roads": _names_clearing,
    "look": _names_clearing,
    "exchange": _names_clearing,
    "gain": _names_list,
    "move": _can_move,
}
