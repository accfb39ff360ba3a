"""Positions of the evening are written, read back, drawn anew, and refused if they are damaged."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.flow.resample import resample
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.evening_helpers import sunset
from tests.seeds import mark_long


@cache
def walk(seed: int) -> list[World]:
    """Return the states of a random evening with many monsters, and of the new lives after it."""
    rng = Random(seed)
    names = ["Elf", "Witch", "Wizard", "Dwarf", "Pilgrim", "Black_Knight"]
    heroes = rng.sample(names, rng.randint(2, 5))
    seats = range(1, len(heroes) + 1)
    where = [rng.choice(("B2", "CG2", "BV5")) for _ in seats]
    monsters = [
        f"{name}:{rng.choice(where)}" for name in ("Wolf-1", "Wolf-2", "Giant-1", "Imp", "Ghost-1", "T_Dragon-1")
    ]
    fields = [f"{seat}.at={at}" for seat, at in zip(seats, where, strict=True)]
    fields += [f"{seat}.unhidden" for seat in seats]
    fields += [
        f"{seat}.wounded={';'.join(map(str, sorted(rng.sample(range(1, 13), rng.randint(8, 11)))))}" for seat in seats
    ]
    fields += [f"first={rng.choice(seats)}", f"denizens={';'.join(monsters)}"]
    world = sunset(*fields, heroes=";".join(heroes))
    states = [world]
    while (world.part == "evening" or world.agenda[-1].kind != "write") and len(states) < 200:
        seat = MACHINE.to_move(world)[0]
        steps = [o.move for o in MACHINE.chance(world)] if seat == CHANCE else MACHINE.legal_moves(world, seat)
        world = MACHINE.play(world, seat, rng.choice(steps))
        states.append(check_world(world))
    return states


@pytest.mark.parametrize("seed", mark_long(range(8), 0, 4, 5, 7))
def test_f8_random_evenings_are_written_and_read_back(seed: int) -> None:
    for world in walk(seed):
        assert decode(MACHINE, encode(world)) == world


@pytest.mark.parametrize("seed", mark_long(range(4), 0, 1, 3))
def test_what_a_seat_does_not_know_can_be_drawn_anew_in_the_evening_and_in_new_lives(seed: int) -> None:
    rng = Random(seed)
    for world in walk(seed):
        for seat in range(len(world.heroes)):
            guess = check_world(resample(world, seat, rng))
            assert MACHINE.to_move(guess) == MACHINE.to_move(world)
            assert decode(MACHINE, encode(guess)) == guess


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_f9_damaged_evenings_are_refused_or_can_be_played(seed: int) -> None:
    rng = Random(seed)
    kinds = ("sunset", "clearing", "combat", "combat_choice", "combat_draw", "tidy", "life", "outfit", "goals", "write")
    refused = 0
    for world in walk(seed):
        fields = dict(field.partition("=")[::2] for field in encode(world).split())
        frames = fields.get("agenda", "write").split(";")
        new = [rng.choice(kinds), rng.choice("-123"), *(str(rng.choice((0, 0, 1, 2, 121, 122, 123))) for _ in range(3))]
        at = rng.randrange(len(frames))
        frames[at : at + rng.randrange(2)] = rng.choice(([":".join(new)], [], [frames[at], frames[at]]))
        fields["agenda"] = ";".join(frames)
        text = " ".join(
            f"{name}={value}" if value else name for name, value in fields.items() if name != "agenda" or value
        )
        try:
            damaged = decode(MACHINE, text)
        except BadPosition:
            refused += 1
            continue
        for _ in range(60):
            if not (acting := MACHINE.to_move(damaged)):
                break
            steps = [o.move for o in MACHINE.chance(damaged)] or MACHINE.legal_moves(damaged, acting[0])
            damaged = check_world(MACHINE.play(damaged, acting[0], rng.choice(steps)))
    assert refused
