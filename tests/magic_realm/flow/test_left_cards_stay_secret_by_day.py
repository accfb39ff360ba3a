"""When a player leaves one of several look-alike cards, or dies, the others cannot tell which card it was (X1).

The others see the order of a pack when its owner dies (W3), so that order must not depend on the card that was left.
"""

from __future__ import annotations

from typing import Any

import pytest

from realmtable.games.magic_realm.day_rules.death import let_die
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import pack, pile, plan, play, texts

CROWN, BAND, VEST, CHARM = "Golden Crown", "Golden Arm Band", "Bejeweled Dwarf Vest", "Lucky Charm"
BOOTS, GLOVES, KEYS = "Quick Boots", "Deft Gloves", "Lost Keys"  # small ones that can be active


def own(*cards: str, heroes: str = "Elf;Witch") -> World:
    """Return the beginning of a phase of the Elf, who has belongings."""
    return plan("-", *(["2.at=CG2"] if ";" in heroes else []), hero=heroes, cards=cards)


def list_views(world: World) -> list[dict[str, Any]]:
    """Return what others see now, and what they would see if the Elf died."""
    dead = world.fork()
    let_die(dead, 0)
    states = (world, dead.seal())
    return [dict(view(state, MACHINE, viewer)) for state in states for viewer in ({None, len(world.heroes) - 1} - {0})]


@pytest.mark.parametrize(("heroes", "knowing"), [("Elf;Witch", "12"), ("Elf", "1")])
def test_x1_w3_the_pile_of_a_dead_character_does_not_tell_which_card_it_had_left(heroes: str, knowing: str) -> None:
    world = own(f"{CROWN}/{knowing}", "Spear-1", f"{BAND}/1", "Helmet-1", heroes=heroes)
    crown, band = (play(world, f"leave {card}") for card in (CROWN, BAND))
    assert list_views(crown) == list_views(band)
    assert pack(crown) == ["Spear-1", "Helmet-1", BAND]


def test_x1_w3_nor_does_it_when_one_of_those_that_were_kept_is_active() -> None:
    """Whoever remembers when each of three cards was found would know from the place of the second one."""
    world = own(f"{BOOTS}/1", "Spear-1", f"{GLOVES}/12", "Helmet-1", f"{KEYS}/12")
    first, last = (play(world, f"leave {card}", f"activate {GLOVES}") for card in (BOOTS, KEYS))
    assert list_views(first) == list_views(last)
    assert [pack(first), pack(last)] == [["Spear-1", "Helmet-1", kept, f"{GLOVES}+"] for kept in (KEYS, BOOTS)]


def test_x1_d11_what_is_too_heavy_does_not_tell_which_card_it_was() -> None:
    """The Elf carries up to medium weight: the Great Axe and one card of several stay behind."""
    orders = []
    for first, last in ((CROWN, BAND), (BAND, CROWN)):
        cards = (f"{first}/1", "Great Axe-1", f"{last}/1")
        world = play(plan("M B3", "2.at=CG2", hero="Elf;Witch", cards=cards), "go")
        assert pile(world, "B2") == ["Great Axe-1", CROWN]
        orders.append(list_views(world))
    assert orders[0] == orders[1]


def test_d25_what_was_changed_is_remembered_when_the_order_changes() -> None:
    world = play(own(f"{BOOTS}+", f"{GLOVES}/1", f"{KEYS}/1", "Spear-1"), f"pack {BOOTS}", f"activate {GLOVES}")
    assert pack(world) == [BOOTS, KEYS, "Spear-1", f"{GLOVES}+"]
    world = play(world, f"leave {KEYS}")
    assert pack(world) == ["Spear-1", f"{GLOVES}+", BOOTS]
    assert texts(world) == ["activate Spear-1", "go", "leave Spear-1", "run on"]


def test_x1_a_counter_keeps_its_place_when_it_is_made_active() -> None:
    assert pack(play(own("Spear-1", f"{CROWN}/1"), "activate Spear-1")) == ["Spear-1+", CROWN]


def test_x1_the_only_card_of_its_size_changes_no_order() -> None:
    world = play(own(f"{BOOTS}/1", f"{CHARM}/1", f"{VEST}/1", "Spear-1"), f"leave {BOOTS}")
    assert pack(world) == [CHARM, VEST, "Spear-1"]
