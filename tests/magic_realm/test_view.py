"""What a viewer may know, as plain data: nothing leaks, and what everyone sees is there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import get_type_hints

import pytest

from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.flow.handlers import MACHINE, first_state
from realmtable.games.magic_realm.flow.positions import decode, encode
from realmtable.games.magic_realm.flow.resample import resample
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.view import make_view, view
from realmtable.games.magic_realm.viewing.schema import MagicView
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.day_helpers import at_site, begin, day, play, search

LONG = 240
OPTIONS = [
    MagicOptions(days="7", map="stock1"),
    MagicOptions(days="7", map="stock2", recording="as_you_go", follow="may_stop"),
    MagicOptions(days="7", secret_gold=False, two_rows="always"),
    MagicOptions(days="7", map="players"),
]


def random_states(seats: int, options: MagicOptions, rng: Random, limit: int = LONG) -> Iterator[World]:
    """Yield the states of a random game in which days are written out, and orders are given now and then."""
    world = first_state(seats, options)
    for _ in range(limit):
        yield world
        asked = MACHINE.to_move(world)
        if not asked:
            return
        seat = rng.choice(asked)
        if seat == CHANCE:
            outcomes = MACHINE.chance(world)
            step = rng.choices([one.move for one in outcomes], [one.weight for one in outcomes])[0]
        else:
            legal = MACHINE.legal_moves(world, seat)
            usual = [one for one in legal if one.verb not in ("back", "order", "done", "run on")]
            step = rng.choice(usual if usual and rng.random() < 0.9 else legal)
        world = MACHINE.play(world, seat, step)


@pytest.mark.no_cover
@pytest.mark.parametrize("seats", range(1, 9))
def test_x1_a_view_does_not_change_with_what_the_viewer_does_not_know(seats: int) -> None:
    rng = Random(seats)
    for number, world in enumerate(random_states(seats, OPTIONS[seats % len(OPTIONS)], rng)):
        if number % 10 == 0:
            for seat in range(seats):
                other = resample(world, seat, rng)
                for viewer in (seat, None):  # spectators know no more than any seat
                    assert view(other, MACHINE, viewer) == view(world, MACHINE, viewer)


@pytest.mark.no_cover
@pytest.mark.parametrize("options", OPTIONS)
def test_a_view_is_plain_data_with_the_keys_of_the_schema(options: MagicOptions) -> None:
    keys = [*get_type_hints(MagicView)]
    for world in random_states(3, options, Random(4), 60):
        for seat in (None, CHANCE, 0, 2):
            found = view(world, MACHINE, seat)
            assert [*found] == keys
            assert json.loads(json.dumps(found)) == found


def test_spectators_and_chance_see_the_same() -> None:
    world = search("CG2")
    assert view(world, MACHINE, CHANCE) == view(world, MACHINE, None)
    assert view(world, MACHINE, None)["own"] is None


@pytest.mark.no_cover
def test_z6_what_others_write_does_not_show() -> None:
    options, rng = MagicOptions(days="7", map="stock1"), Random(5)
    for world in random_states(3, options, Random(5), 120):
        if world.part == "birdsong" and 1 in MACHINE.to_move(world):
            entries = [step for step in MACHINE.legal_moves(world, 1) if step.verb != "done"]
            for step in rng.sample(entries, 2):
                assert view(MACHINE.play(world, 1, step), MACHINE, 0) == view(world, MACHINE, 0)


# ---- rolls


def test_g3_a_view_has_the_last_roll_of_the_day() -> None:
    world = play(search("CG2"), "peer", "d 3 2")
    for seat in (None, 0):
        assert view(world, MACHINE, seat)["roll"] == {
            "seat": 0, "table": "Peer", "dice": [3, 2], "add": 0, "result": 3, "words": ["hidden enemies", "paths"],
        }  # fmt: skip


def test_g3_a_roll_is_part_of_the_position() -> None:
    world = play(search("CG2"), "peer", "d 3 2")
    assert "rolled=1:peer:3,2" in encode(world)
    assert decode(MACHINE, encode(world)) == world
    hoof = play(search("CG2", cards=("Cloven Hoof+",)), "peer", "d 6 2")
    assert "rolled=1:peer:6,2:1" in encode(hoof)
    assert make_view(hoof, MACHINE, 0)["roll"] == {
        "seat": 0, "table": "Peer", "dice": [6, 2], "add": 1, "result": 6, "words": ["nothing"],
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["1", "1:jump:3", "1:hide", "1:hide:7", "1:hide:1,2,3", "3:hide:3", "1:hide:3:0", "1:hide:3:1:1", "1:meeting:2"],
)
def test_f9_damaged_rolls_are_refused(text: str) -> None:
    with pytest.raises(BadPosition):
        day(f"rolled={text}", heroes="Elf;Dwarf")


def test_a_roll_is_forgotten_in_the_morning() -> None:
    world = play(begin(day("1.plan=H", "1.goods=-")), "d 1 1")
    while world.day == 1:
        world = MACHINE.play(world, CHANCE, MACHINE.chance(world)[0].move)
    assert view(world, MACHINE, 0)["roll"] is None


def test_d19_a_view_names_what_is_asked_about() -> None:
    world = at_site("Hoard")
    found = make_view(world, MACHINE, 0)
    assert found["question"] is not None
    assert (found["question"]["kind"], found["question"]["activity"]) == ("search", "S")
    assert (found["question"]["phase"], found["question"]["phases"]) == (1, 3)
    assert "loot Hoard" in found["question"]["moves"]
    assert found["map"]["focus"] == "CN6"
