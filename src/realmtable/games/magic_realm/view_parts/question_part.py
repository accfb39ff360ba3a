"""What is being done, what the viewer is asked, and the last roll."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import TABLES
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.catalog.tables import DIE
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.flow.evening_with_combat import COMBAT_FRAMES
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.flow.map_building import MIDDLE
from realmtable.games.magic_realm.flow.phase import BEGIN, LEAVE
from realmtable.games.magic_realm.flow.turn_notes import PHASE, TURN
from realmtable.games.magic_realm.view_parts.names import name_place
from realmtable.games.magic_realm.view_parts.schema import CurrentActionData, QuestionData, RollData
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.places import NOWHERE, is_box
from realmtable.games.magic_realm.world.position_defaults import gear_kinds
from realmtable.games.magic_realm.world.step_text import format_step
from realmtable.games.magic_realm.world.steps import Frame, join_bits
from realmtable.games.magic_realm.world.world import World

PLACE_FRAMES: Final = ("pick", "exchange", *COMBAT_FRAMES)  # frames whose first number is a clearing
COUNTING_FRAMES: Final = ("draw", "hand", "chit", "prowl", "rest")
AS_YOU_GO: Final = "as_you_go"


def doing_data(seen: SeatView, fight: Fight | None = None) -> CurrentActionData | None:
    """Return what is being done; None once the game is over."""
    if not seen.agenda:
        return None
    frame = seen.agenda[-1]
    if fight is not None:
        return _do_combat(fight, frame.a)
    turn = next((below.seat for below in seen.agenda if below.kind == TURN), None)
    return {
        "kind": frame.kind,
        "seat": None if frame.seat == CHANCE else frame.seat,
        "turn": turn,
        "phase": 0 if turn is None else _number_phase(seen, turn),
        "at": _name_where(frame),
        "about": _SUBJECTS.get(frame.kind, _name_nothing)(seen, frame),
        "hex": [frame.b - MIDDLE, frame.c - MIDDLE] if frame.kind == "angle" else None,
        "number": _count(frame),
        "monsters": _list_monsters(frame),
    }


def _do_combat(fight: Fight, place: Place) -> CurrentActionData:
    """Return what is being done in combat; `number` tells two draws of a kind apart."""
    frame = fight.agenda[-1]
    return {
        "kind": frame.kind,
        "seat": None if frame.seat == CHANCE else frame.seat,
        "turn": None,
        "phase": 0,
        "at": name_place(place),
        "about": "",
        "hex": None,
        "number": len(fight.agenda),
        "monsters": [],
    }


def _number_phase(seen: SeatView, turn: Seat) -> int:
    """Return the number of the present phase of a turn.

    A phase counts as done before players are asked whom they block, and is the present one until the next begins (L3).
    """
    is_counted = any(frame.kind == PHASE and frame.a in (BEGIN, LEAVE) for frame in seen.agenda)
    return seen.hero(turn).phase + (not is_counted)


def _count(frame: Frame) -> int:
    """Return a number that distinguishes two draws of a kind."""
    if frame.kind == "card":
        return frame.b + 1
    return frame.a if frame.kind in COUNTING_FRAMES else 0


def place_of_frame(frame: Frame) -> Place:
    """Return the clearing that a frame is about; NOWHERE if it is about none."""
    if frame.kind in PLACE_FRAMES:
        return frame.a
    return frame.b if frame.kind == "dice" and not is_box(frame.b) and frame.b else NOWHERE


def _name_where(frame: Frame) -> str:
    tiles = load_catalog().tiles
    if frame.kind in ("place", "angle", "lay"):
        return tiles[frame.a].code
    return tiles[frame.b].code if frame.kind == "chit" else name_place(place_of_frame(frame))


def _list_monsters(frame: Frame) -> list[str]:
    if frame.kind != "meet":
        return []
    bits = join_bits(frame)
    return [monster.name for monster in load_catalog().monsters if bits >> monster.id & 1]


def _name_nothing(_seen: SeatView, _frame: Frame) -> str:
    return ""


def _name_tile(_seen: SeatView, frame: Frame) -> str:
    return load_catalog().tiles[frame.a].name


def _name_gear(seen: SeatView, frame: Frame) -> str:
    return gear_kinds(seen.hero(frame.seat).character)[frame.a]


def _name_looted(_seen: SeatView, frame: Frame) -> str:
    return load_catalog().names.by_number("looted")[frame.a]


def _name_table(_seen: SeatView, frame: Frame) -> str:
    return load_catalog().tables.by_name[TABLES[frame.a]].title


def _name_newest(seen: SeatView, frame: Frame) -> str:
    found = seen.newest(frame.seat)
    return load_catalog().goods[found.goods].name if found.is_known else ""


def _name_box(_seen: SeatView, frame: Frame) -> str:
    return load_catalog().boxes[frame.a].name


_SUBJECTS: Final[Mapping[str, Callable[[SeatView, Frame], str]]] = {
    "place": _name_tile,
    "angle": _name_tile,
    "lay": _name_tile,
    "gear": _name_gear,
    "outfit": _name_gear,
    "force": _name_looted,
    "dice": _name_table,
    "found": _name_newest,
    "card": _name_box,
    "take": lambda _, frame: "card" if frame.a else "counter",
}


def question_data(world: World, machine: Machine, seen: SeatView, fight: Fight | None = None) -> QuestionData | None:
    """Return what the viewer is asked; None if they are not to act."""
    moves = [] if seen.seat is None else machine.legal_moves(world, seen.seat)
    if seen.seat is None or not moves:
        return None
    hero, doing = seen.hero(seen.seat), doing_data(seen, fight)
    phase = doing["phase"] if doing is not None and doing["turn"] == seen.seat else 0
    return {
        "kind": world.agenda[-1].kind if fight is None else fight.agenda[-1].kind,
        "activity": format_step(hero.plan[phase - 1]) if 0 < phase <= len(hero.plan) else "",
        "phase": phase,
        "phases": len(hero.plan) if phase and seen.options.recording != AS_YOU_GO else 0,
        "moves": [format_step(step) for step in moves],
    }


def roll_data(seen: SeatView) -> RollData | None:
    """Return the last roll of the day on a table."""
    rolled = seen.last_roll
    if rolled is None:
        return None
    table = load_catalog().tables.by_name[TABLES[rolled.table]]
    result = min(max(max(rolled.dice) + rolled.add, 1), DIE)
    return {
        "seat": rolled.seat,
        "table": table.title,
        "dice": [*rolled.dice],
        "add": rolled.add,
        "result": result,
        "words": [*table.read(result)],
    }
