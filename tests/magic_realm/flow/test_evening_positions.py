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
from tests.magic_realm.helpers.evening_helpers import evening
from tests.magic_realm.helpers.flow_helpers import VALLEYS


@cache
def walk(seed: int) -> list[World]:
    """Return the states of a random evening with many attacks, and of the new lives after it."""
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
    world = evening(*fields, heroes=";".join(heroes))
    states = [world]
    while (world.part == "evening" or world.agenda[-1].kind != "write") and len(states) < 200:
        seat = MACHINE.to_move(world)[0]
        steps = [o.move for o in MACHINE.chance(world)] if seat == CHANCE else MACHINE.legal_moves(world, seat)
        world = MACHINE.play(world, seat, rng.choice(steps))
        states.append(check_world(world))
    return states


@pytest.mark.parametrize("seed", range(8))
def test_f8_random_evenings_are_written_and_read_back(seed: int) -> None:
    for world in walk(seed):
        assert decode(MACHINE, encode(world)) == world


@pytest.mark.parametrize("seed", range(4))
def test_what_a_seat_does_not_know_can_be_drawn_anew_in_the_evening_and_in_new_lives(seed: int) -> None:
    rng = Random(seed)
    for world in walk(seed):
        for seat in range(len(world.heroes)):
            guess = check_world(resample(world, seat, rng))
            assert MACHINE.to_move(guess) == MACHINE.to_move(world)
            assert decode(MACHINE, encode(guess)) == guess


@pytest.mark.parametrize("seed", range(8))
def test_f9_damaged_evenings_are_refused_or_can_be_played(seed: int) -> None:
    rng = Random(seed)
    kinds = (
        "evening",
        "assign",
        "attack",
        "attacked",
        "wounds",
        "effort",
        "life",
        "outfit",
        "goals",
        "write",
        "midnight",
    )
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


# Wolf-1 has the number 53, so it is 8192 in the third number of a frame; B2 has the number 122.
PAIR = "1.at=B2 1.unhidden 2.at=B2 2.unhidden 3.at=CG2 3.unhidden"
WRONG = [
    ("agenda=write", "another part of the day"),
    ("agenda=wounds:1:1", "needs another one|above those"),
    ("agenda=evening:-:123;attacked:1:0:0:8192;attacked:2:0:0:16384", "order of the day"),
    ("agenda=evening:-:123;attacked:3:0:0:8192", "attacks one character there"),
    ("agenda=evening:-:123;attacked:2:0:0:8192;attacked:1:0:0:8192", "attacks one character there"),
    ("agenda=evening:-:124;attacked:1:0:0:8192", "attacks one character there"),
    ("agenda=evening:-:123;attacked:1:1", "attacks one character there"),
    ("agenda=evening:-:123;attacked:2;attacked:1;attack:-:53", "does not fit"),
    ("agenda=evening:-:123;attacked:2;attacked:1;assign:-:122:53;attack:-:53", "does not fit"),
    ("agenda=evening:-:123;attacked:1;assign:-:122:54;attack:-:53", "does not fit"),
    ("agenda=evening:-:123;attacked:2;attacked:1:0:0:8192;assign:-:122:54;attack:-:53", "does not fit"),
    ("agenda=evening:-:123;attacked:2;attacked:1;assign:-:122:2;attack:-:1", "does not fit"),
    ("agenda=evening:-:123;wounds:1:3", "does not fit"),
    ("agenda=evening:-:123;wounds:3:1", "does not fit"),
    ("agenda=evening:-:123;wounds:1:1;wounds:2:1", "does not fit"),
    ("agenda=evening:-:123;effort:1", "does not fit"),
    ("agenda=evening:-:123;effort:4", "does not fit"),
    ("agenda=evening:-:123;assign:-:122", "does not fit"),
    ("agenda=evening:-:123", "cannot wait"),
]


@pytest.mark.parametrize(("agenda", "says"), WRONG)
def test_f9_evenings_that_do_not_fit_are_refused(agenda: str, says: str) -> None:
    head = f"options=map=stock1 heroes=Elf;Witch;Druid;Dwarf {VALLEYS} part=evening 4.at=B2-B3 4.tired=10"
    with pytest.raises(BadPosition, match=says):
        decode(MACHINE, f"{head} {PAIR} denizens=Wolf-1:B2;Wolf-2:B2 {agenda}")
