"""Wounds and death (W2, W3), and evenings without combat (V8)."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.day_rules.chit_states import find_wounds, wound
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.step_text import format_step
from tests.magic_realm.helpers.day_helpers import begin, box_without, day, goods, knows, pack, pile, place
from tests.magic_realm.helpers.evening_helpers import midnight
from tests.magic_realm.helpers.flow_helpers import CATALOG


def test_w2_a_fatigued_chit_is_wounded_only_if_none_is_active() -> None:
    (elf,) = (row for row in CATALOG.characters if row.name == "Elf")
    states = (*[1] * 11, 0)
    (last,) = find_wounds(elf.chits, states)
    assert format_step(last) == f"wound {elf.chits[11].label}"
    states = wound(elf.chits, states, last)
    assert states == (*[1] * 11, 2)
    assert {step.verb for step in find_wounds(elf.chits, states)} == {"wound"}
    assert len(find_wounds(elf.chits, states)) == len({chit.label for chit in elf.chits[:11]})


def test_w3_belongings_go_under_the_pile_the_oldest_on_top_and_the_rest_is_lost() -> None:
    fields = (
        goods("Spear-1", "Quick Boots+", "Golden Crown/12", "Golden Icon+"),
        box_without("Quick Boots", "Golden Crown", "Golden Icon"),
        "piles=B2:Mace-1", "1.gold=30", "1.fame=5", "1.notoriety=7", "1.knows=Hoard", "1.at=B2", "2.at=CG2",
    )  # fmt: skip
    world = midnight(*fields, dying=[0], heroes="Elf;Witch", options="restart=no")
    assert pile(world, "B2") == ["Mace-1", "Spear-1", "Quick Boots", "Golden Crown", "Golden Icon"]
    hero = world.heroes[0]
    assert (hero.dead, hero.gold, hero.fame, hero.notoriety, knows(world)) == (True, 0, 0, 0, [])
    assert (place(world), pack(world)) == ("nowhere", [])
    assert (world.day, MACHINE.to_move(world)) == (2, (1,))


def test_w3_others_still_know_the_face_down_cards_that_they_knew_because_the_order_is_known() -> None:
    cards = ("Golden Crown/12", "Imperial Tabard/1", "Regent of Jewels/1")
    fields = (goods(*cards), box_without(*cards), "1.at=B2", "2.at=CG2")
    world = midnight(*fields, dying=[0], heroes="Elf;Witch")
    assert [world.goods[number].seen for number in world.tiles[15].piles[2]] == [3, 1, 1]
    seen = SeatView(world, 1).pile(CATALOG.names.by_name("clearing")["B2"])
    assert [thing.is_known for thing in seen] == [True, False, False]


@pytest.mark.parametrize(("encounter", "part"), [("1", "birdsong"), ("2", "evening")])
def test_v8_without_combat_monsters_block_but_do_not_attack(encounter: str, part: str) -> None:
    fields = ("1.at=B2", "1.goods=-", "1.plan=-", "denizens=Wolf-1:B2")
    world = begin(day(*fields, options=f"encounter={encounter}"))
    while MACHINE.to_move(world) == (CHANCE,) and MACHINE.label(world) != "clearing":
        world = MACHINE.play(world, CHANCE, MACHINE.chance(world)[0].move)
    assert world.heroes[0].blocked == (encounter == "2")  # until midnight
    assert world.part == part
    assert {*world.heroes[0].chits} == {0}
