"""States as text: the world, and the agenda where the part of the day does not imply it (F8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.map_rules import first_tile
from realmtable.games.magic_realm.flow import validate_daylight, validate_evening
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.world.entities import NO_CHARACTER, NO_START
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.map_layout import layout_of
from realmtable.games.magic_realm.world.places import TILES, is_pack
from realmtable.games.magic_realm.world.position_defaults import gear_kinds
from realmtable.games.magic_realm.world.position_reader import read_position
from realmtable.games.magic_realm.world.position_words import NO_ONE, read_number
from realmtable.games.magic_realm.world.position_writer import write_position
from realmtable.games.magic_realm.world.steps import MAX_FRAME_NUMBER, Agenda, Frame
from realmtable.games.magic_realm.world.world import World
from realmtable.games.magic_realm.world.world_before_setup import world_before_setup

USUAL_AGENDAS: Final[dict[str, Agenda]] = {"birdsong": (Frame("write"),), "over": ()}
MAP_FRAMES: Final = ("draw", "lay", "hand", "tile", "place", "angle")
MAX_FRAMES: Final = 100
MAX_PARTS: Final = 5  # of a frame: kind, seat and three numbers


def encode(world: World) -> str:
    """Return a state as one line of text."""
    usual = world.agenda == USUAL_AGENDAS.get(world.part)
    return write_position(world, "" if usual else ";".join(map(_write_frame, world.agenda)))


def decode(machine: Machine, text: str) -> World:
    """Return the state that a text describes. Raises `BadPosition`."""
    world, agenda = read_position(text)
    if agenda:
        frames = agenda.split(";", MAX_FRAMES)
        if len(frames) > MAX_FRAMES:
            raise BadPosition(f"An agenda has at most {MAX_FRAMES} frames.")
        world.agenda = tuple(map(_read_frame, frames))
    else:
        world.agenda = USUAL_AGENDAS.get(world.part, ())
    check_world(world)
    machine.check_frames(world)
    for sentence in (*validate_daylight.find_mistakes(world), *validate_evening.find_mistakes(world)):
        raise BadPosition(sentence)
    machine.check_agenda(world)
    for sentence in validate_evening.find_wrong_lives(world):
        raise BadPosition(sentence)
    _check_setup(world)
    return world.seal()


def _check_setup(world: World) -> None:
    """Refuse a set-up whose frame does not fit what has been done: the map, then characters, then secret choices."""
    if world.part == "setup":
        for sentence in (*_find_wrong_frames(world), *_find_wrong_gear(world)):
            raise BadPosition(sentence)


def _find_wrong_frames(world: World) -> Iterator[str]:
    top = world.agenda[-1]
    if [frame.kind for frame in world.agenda[:-1]] != (["valleys"] if top.kind == "chit" else []):
        yield "The agenda of the set-up has one frame, or two while the valleys are shown."
    laid = [placement.tile for placement in layout_of(world)]
    if len(laid) < TILES and (top.kind not in MAP_FRAMES or (laid and first_tile(load_catalog().tiles) not in laid)):
        yield "The map begins with the Borderland, and it is complete when characters are chosen."
    seats = {"be": top.seat, "gear": top.seat + 1, **dict.fromkeys(MAP_FRAMES, 0)}.get(top.kind, len(world.heroes))
    if any((hero.character != NO_CHARACTER) != (seat < seats) for seat, hero in enumerate(world.heroes)):
        yield "In the set-up, the players choose characters by seats."
    for hero in world.heroes:
        has_finished = top.kind == "chit" or hero.ready
        if has_finished and (hero.start == NO_START or len(hero.points) < world.options.points_to_assign):
            yield "Secret choices are finished when all points are assigned and the starting place is chosen."


def _find_wrong_gear(world: World) -> Iterator[str]:
    """Find characters with other pieces than theirs, and goods that are neither in packs nor in their boxes."""
    top, goods = world.agenda[-1], load_catalog().goods
    for seat, hero in enumerate(world.heroes):
        usual = gear_kinds(hero.character) if hero.character != NO_CHARACTER else ()
        pieces = top.a if (top.kind, top.seat) == ("gear", seat) else len(usual)
        if [goods[number].kind for number in hero.pack] != [*usual[:pieces]]:
            yield "In the set-up, a character takes its own pieces in order."
    before = world_before_setup(len(world.heroes), world.options)
    for now, then in zip(world.goods, before.goods, strict=True):
        if now.place != then.place and not is_pack(now.place):
            yield "In the set-up, goods are in their boxes or taken by characters."


def _write_frame(frame: Frame) -> str:
    parts = [frame.kind, NO_ONE if frame.seat == CHANCE else str(frame.seat + 1), *map(str, frame[2:])]
    while parts[-1] in ("0", NO_ONE):
        parts.pop()
    return ":".join(parts)


def _read_frame(text: str) -> Frame:
    kind, *rest = text.split(":")
    if len(rest) >= MAX_PARTS:
        raise BadPosition(f"A frame has a word, a seat and up to three numbers, not {text[:40]!r}.")
    seat = CHANCE if not rest or rest[0] == NO_ONE else read_number(rest[0], 1) - 1
    return Frame(kind, seat, *(read_number(number, 0, MAX_FRAME_NUMBER - 1) for number in rest[1:]))
