"""Plays through the set-up and the mornings; a stand-in takes the place of daylight, evening and midnight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.flow.agenda import DONE, Next, Task
from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.handlers import HANDLERS, first_state
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World


def skip_day(world: World, _frame: Frame) -> Next:
    """Stand in for the rest of the day: nothing happens."""
    if world.day < world.options.last_day:
        return (Frame("dawn"),)
    world.part = "over"
    return DONE


MACHINE = Machine({**HANDLERS, "daylight": Task(skip_day)})
STOCK = MagicOptions(map="stock1")
VALLEYS = "chits=AV:Bones;BV:Stink;CV:Smoke;DV:Dank;EV:Ruins"  # Ghosts, Inn, House, Chapel, Guardhouse


def play(world: World, *steps: tuple[Seat, str]) -> World:
    """Play steps given as text."""
    for seat, text in steps:
        world = MACHINE.play(world, seat, parse_step(text))
    return world


def random_step(world: World, rng: Random, machine: Machine = MACHINE, rare: Sequence[str] = ()) -> tuple[Seat, Step]:
    """Return a random seat that may act and a random legal step; one with a rare verb is usually avoided."""
    seat = rng.choice(machine.to_move(world))
    if seat == CHANCE:
        outcomes = machine.chance(world)
        return seat, rng.choices([one.move for one in outcomes], [one.weight for one in outcomes])[0]
    legal = machine.legal_moves(world, seat)
    usual = [step for step in legal if step.verb not in rare] if rare else []
    return seat, rng.choice(usual if usual and rng.random() < 0.9 else legal)


def random_game(seats: int, options: MagicOptions, rng: Random, limit: int = 10_000) -> Iterator[World]:
    """Yield the states of a random game."""
    world = first_state(seats, options)
    yield world
    while MACHINE.to_move(world) and limit:
        limit -= 1
        world = MACHINE.play(world, *random_step(world, rng))
        yield world


def position(*fields: str, heroes: str = "Elf", options: str = "map=stock1") -> World:
    """Return the state of a sparse position on the first stock map, with open valleys."""
    return decode(MACHINE, " ".join([f"options={options}", f"heroes={heroes}", VALLEYS, *fields]))


def with_pack(names: Sequence[str]) -> str:
    """Return the field of the first seat's goods; all are active."""
    return "1.goods=" + ";".join(name.replace(" ", "_") + "+" for name in names)


CATALOG = load_catalog()
