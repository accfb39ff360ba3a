"""What a viewer may know, as plain data: nothing leaks, and what everyone sees is there."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import get_type_hints

import pytest

from realmtable.engine import registry
from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.handlers import MACHINE, first_state
from realmtable.games.magic_realm.flow.resample import resample
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.view import make_view, view
from realmtable.games.magic_realm.view_parts.schema import MagicView
from tests.magic_realm.helpers.day_helpers import at_site, begin, day, play, search
from tests.magic_realm.helpers.flow_helpers import position, random_step
from tests.magic_realm.helpers.random_states import OPTIONS, random_states
from tests.seeds import mark_long


@pytest.mark.parametrize("seats", mark_long(range(1, 9), 5, 6, 7, 8))
def test_x1_a_view_does_not_change_with_what_the_viewer_does_not_know(seats: int) -> None:
    rng = Random(seats)
    for number, world in enumerate(random_states(seats, OPTIONS[seats % len(OPTIONS)], rng)):
        if number % 10 == 0:
            for seat in range(seats):
                other = resample(world, seat, rng)
                for viewer in (seat, None):  # spectators know no more than any seat
                    assert view(other, MACHINE, viewer) == view(world, MACHINE, viewer)


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


def test_x3_fame_chits_hiding_and_following_are_open_to_all() -> None:
    fields = (
        "2.fame=3",
        "2.notoriety=4",
        "2.tired=2",
        "2.wounded=3",
        "2.unhidden",
        "3.guide=2",
        "3.plan=F_Dwarf",
        "2.found=all",
    )
    where = ("1.at=B1", "2.at=B2", "3.at=B2", "part=daylight", "rows=2", "waiting=12", "agenda=daylight;next")
    world = position(*fields, *where, heroes="Elf;Dwarf;Witch")
    for viewer in (0, None):
        dwarf, witch = view(world, MACHINE, viewer)["players"][1:]
        assert (dwarf["fame"], dwarf["notoriety"], dwarf["hidden"], dwarf["found"]) == (3, 4, False, ["all"])
        assert {chit["state"] for chit in dwarf["chits"]} == {"active", "fatigued", "wounded"}
        assert witch["guide"] == 1


def test_z6_what_others_write_does_not_show() -> None:
    options, rng = MagicOptions(days="7", map="stock1"), Random(5)
    for world in random_states(3, options, Random(5), 120):
        if world.part == "birdsong" and 1 in MACHINE.to_move(world):
            entries = [step for step in MACHINE.legal_moves(world, 1) if step.verb != "done"]
            for step in rng.sample(entries, 2):
                assert view(MACHINE.play(world, 1, step), MACHINE, 0) == view(world, MACHINE, 0)


@pytest.mark.parametrize("seed", range(3))
def test_z6_a_state_that_is_drawn_anew_does_not_tell_what_others_have_chosen_so_far(seed: int) -> None:
    """A bot gets the same state whether or not another player has made one more secret choice, of whatever kind."""
    rng, compared = Random(seed), Counter[str]()
    world = first_state(3, MagicOptions(map="stock1", days="7"))
    while world.day < 4:
        seat, step = random_step(world, rng)
        after = MACHINE.play(world, seat, step)
        if world.agenda[-1].kind in ("secrets", "write") and step.verb not in ("ready", "done"):
            for viewer in {0, 1, 2} - {seat}:
                assert resample(after, viewer, Random(5)) == resample(world, viewer, Random(5)), step
                compared[step.verb] += 1
        world = after
    assert {"want", "back", "order", "H"} <= compared.keys()


def test_k8_nor_what_they_have_chosen_for_a_new_life() -> None:
    fields = ["2.dead", "2.at=nowhere", "agenda=write;goals:2"]
    one, other = (position(*fields, *points, heroes="Elf;Amazon") for points in ([], ["2.points=fame,gold"]))
    assert one != other
    assert resample(one, 0, Random(3)) == resample(other, 0, Random(3))
    assert len({len(resample(one, 0, Random(seed)).heroes[1].points) for seed in range(40)}) > 3


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


def test_w3_the_dead_have_no_route_though_they_had_written_more_moves() -> None:
    fields = ("2.dead", "2.at=nowhere", "2.plan=M_B3;M_B2", "2.goods=-", "waiting=1")
    found = view(day(*fields, heroes="Elf;Witch"), MACHINE, 1)
    assert found["map"]["route"] == []
    assert registry.game("magic_realm").draw({**found, "last": []}).startswith("<svg")


def test_d19_a_view_names_what_is_asked_about() -> None:
    world = at_site("Hoard")
    found = make_view(world, MACHINE, 0)
    assert found["question"] is not None
    assert (found["question"]["kind"], found["question"]["activity"]) == ("search", "S")
    assert (found["question"]["phase"], found["question"]["phases"]) == (1, 3)
    assert "loot Hoard" in found["question"]["moves"]
    assert found["map"]["focus"] == "CN6"
