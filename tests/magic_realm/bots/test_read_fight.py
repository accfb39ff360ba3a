"""Bots read a fight from a view: it is the fight itself, without what the viewer may not know."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.bots.read_fight import read_fight
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.secrets import hide_secrets
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.day_rules.modifiers import DiceRule
from realmtable.games.magic_realm.view_parts.combat_part import combat_data
from realmtable.games.magic_realm.world.places import road_place
from tests.magic_realm.helpers.fight_helpers import clash, go, random_fight, skip, warrior

CLEARING = 1
ROAD = road_place(1, 2)


def with_real_roads(fight: Fight) -> Fight:
    return replace(fight, warriors=tuple(replace(each, exits=(ROAD,)) for each in fight.warriors))


def read(fight: Fight, viewer: int | None) -> Fight:
    return read_fight(combat_data(fight, CLEARING, viewer, lambda _: True, lambda _: True))


def without_past(fight: Fight) -> Fight:
    """Return a fight without what no longer decides anything: the latest melee, and where dead monsters lay."""
    boxes = {counter: box for counter, box in fight.boxes.items() if counter.monster in fight.sheets.monsters}
    return replace(fight, melee=None, report=None, boxes=boxes)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_a_fight_is_read_as_the_viewer_may_know_it(seed: int) -> None:
    rng = Random(seed)
    fight, questions = machine.begin(with_real_roads(random_fight(rng))), 0
    while fight.agenda and questions < 120:
        deciding = machine.list_deciding(fight)
        for viewer in () if deciding == (CHANCE,) else (*fight.sheets.seats, None):
            seen = read(fight, viewer)
            assert seen == without_past(hide_secrets(fight, viewer))
            if viewer in deciding:
                assert machine.list_answers(seen, viewer) == machine.list_answers(fight, viewer)
                questions += 1
        seat = rng.choice(deciding)
        usable = [each for each in machine.list_answers(fight, seat) if each.verb != "back"]
        fight = machine.play(fight, seat, rng.choice(usable))


def test_charges_dice_and_what_is_spared_are_read() -> None:
    captain = warrior(
        "Captain", 0, "Pony-1", exits=(ROAD,), dice={"missile": DiceRule(1, -1)}, curses=frozenset({"Squeak"})
    )
    pilgrim = warrior("Pilgrim", 1, "-Quick Boots", exits=(), spared_by=frozenset({3}))
    fight = go(clash(captain, pilgrim), "stir", "charge Pilgrim with Pony-1 gallop")
    assert read(fight, 1) == hide_secrets(fight, 1)
    booted = go(skip(clash(warrior("Pilgrim", 1, "Quick Boots"), warrior("Elf", 0)), "quiet"), "stir")
    charged = go(booted, "charge Elf with Quick Boots")
    assert read(charged, 0).sheets == charged.sheets


def test_what_a_viewer_does_not_know_is_missing() -> None:
    fight = clash(warrior("Amazon", 0, "Mace-1", gold=7))
    seen = read_fight(combat_data(fight, CLEARING, None, lambda _: False, lambda _: False))
    assert (seen.warrior(0).gear, seen.warrior(0).gold) == ((), 0)
