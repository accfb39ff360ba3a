"""Whoever leaves one of several inactive cards that look alike in combat does not tell the others which (X1, E19).

What a card is in the fight counts, not what it was before: it may have been made active, packed or inherited there.
"""

from __future__ import annotations

import pytest

from realmtable.games.magic_realm.combat_flow.machine import advance
from realmtable.games.magic_realm.combat_flow.spoils import kill_character
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.evening_with_combat import get_fight, world_if_combat_ended
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.text.secrecy import text_for_viewer
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.combat_evenings import fight_on, meet, skip_to
from tests.magic_realm.helpers.day_helpers import GOODS, box_without, goods

CROWN, BAND, VEST = "Golden Crown", "Golden Arm Band", "Bejeweled Dwarf Vest"
HIDDEN = "leave a large treasure"


def duel(*cards: str, others: tuple[str, ...] = (), heroes: str = "Elf;Dwarf") -> World:
    """Return the first action of the Elf, who has cards; so has the Dwarf."""
    boxes = box_without(*cards, *others)
    world = meet(goods(*cards), goods(*(others or ("-",)), seat=2), boxes, heroes=heroes, monsters="")
    return skip_to(fight_on(world, "stir"), "act")


def read_step(world: World, text: str, viewer: int | None) -> str:
    return text_for_viewer(MACHINE, world, MACHINE.to_move(world)[0], parse_step(text), viewer)


def knowing(world: World, *names: str) -> list[int]:
    """Return who would know cards if combat ended now, as bits."""
    return [world_if_combat_ended(world).goods[GOODS[name]].seen for name in names]


def check(world: World) -> World:
    """Return a state after a check that a position can hold it."""
    check_world(world)
    assert decode(MACHINE, encode(world)) == world
    return world


def test_x1_a_card_that_was_packed_in_combat_looks_like_the_others() -> None:
    world = fight_on(duel(f"{CROWN}+", f"{BAND}/12"), f"pack {CROWN}", "done", "done")
    world = fight_on(skip_to(world, "quiet"), "stir")
    world = skip_to(world, "act")
    assert [read_step(world, f"leave {card}", 1) for card in (CROWN, BAND)] == [HIDDEN, HIDDEN]
    assert read_step(world, f"leave {CROWN}", 0) == f"leave {CROWN}"
    views = [view(check(fight_on(world, f"leave {card}")), MACHINE, 1) for card in (CROWN, BAND)]
    assert views[0] == views[1]
    assert knowing(fight_on(world, f"leave {CROWN}"), CROWN, BAND) == [0b01, 0b01]


def test_x1_a_card_that_was_made_active_in_combat_stays_known() -> None:
    world = fight_on(duel(f"{CROWN}/1", f"{BAND}/12", f"{VEST}/12"), f"activate {CROWN}", "done", "done")
    world = skip_to(fight_on(skip_to(world, "quiet"), "stir"), "act")
    world = check(fight_on(world, f"leave {BAND}"))
    assert knowing(world, CROWN, BAND, VEST) == [0b11, 0b01, 0b01]


def test_e19_a_card_that_is_made_active_is_known_again() -> None:
    world = fight_on(duel(f"{CROWN}/12", f"{BAND}/12"), f"leave {CROWN}")
    assert knowing(world, CROWN, BAND) == [0b01, 0b01]
    world = skip_to(fight_on(skip_to(fight_on(world, "done"), "quiet"), "stir"), "act")
    assert knowing(check(fight_on(world, f"activate {BAND}")), CROWN, BAND) == [0b01, 0b11]


def test_x1_the_only_inactive_card_is_no_secret() -> None:
    world = fight_on(duel(f"{CROWN}/12", f"{BAND}/12"), f"activate {CROWN}", "done", "done")
    world = skip_to(fight_on(skip_to(world, "quiet"), "stir"), "act")
    assert read_step(world, f"leave {BAND}", 1) == f"leave {BAND}"
    assert read_step(world, f"leave {CROWN}", 1) == f"leave {CROWN}"
    assert knowing(fight_on(world, f"leave {BAND}"), CROWN, BAND) == [0b11, 0b11]


def test_x1_the_order_of_what_is_kept_does_not_tell_which_card_was_left() -> None:
    """Everyone sees the order of a pack when its owner dies (W3)."""
    world = duel(f"{CROWN}/1", "Spear-1", f"{BAND}/1", "Helmet-1")
    orders = []
    for left, kept in ((CROWN, BAND), (BAND, CROWN)):
        hero = world_if_combat_ended(check(fight_on(world, f"leave {left}"))).heroes[0]
        assert hero.pack == tuple(GOODS[name] for name in ("Spear-1", "Helmet-1", kept))
        dead = fight_on(world, f"leave {left}").fork()
        dead.fight = kill_character(get_fight(dead), 0, ())
        orders.append(view(dead.seal(), MACHINE, 1)["piles"])
    assert orders[0] == orders[1]


def test_x1_nor_does_it_when_one_of_those_that_were_kept_is_made_active() -> None:
    """Whoever remembers when each of three cards was found would know from the place of the second one."""
    world, orders = duel(f"{CROWN}/1", "Spear-1", f"{BAND}/12", "Helmet-1", f"{VEST}/12"), []
    for left, kept in ((CROWN, VEST), (VEST, CROWN)):
        after = skip_to(fight_on(skip_to(fight_on(world, f"leave {left}", "done"), "quiet"), "stir"), "act")
        after = check(fight_on(after, f"activate {BAND}"))
        names = ("Spear-1", "Helmet-1", kept, BAND)
        assert world_if_combat_ended(after).heroes[0].pack == tuple(GOODS[name] for name in names)
        dead = after.fork()
        dead.fight = kill_character(get_fight(dead), 0, ())
        orders.append([view(state, MACHINE, 1) for state in (after, dead.seal())])
    assert orders[0] == orders[1]


def inherit(world: World, heir: int, dead: int) -> World:
    """Let a character kill another one, although nobody has struck."""
    new = world.fork()
    new.fight = advance(kill_character(get_fight(world), dead, (heir,)))
    return new.seal()


def test_x1_k4_inherited_cards_look_like_the_others() -> None:
    cards = (f"{CROWN}/123", f"{BAND}/123")
    world = inherit(duel("-", others=cards, heroes="Elf;Dwarf;Wizard"), heir=0, dead=1)
    assert [read_step(world, f"leave {card}", 2) for card in (CROWN, BAND)] == [HIDDEN, HIDDEN]
    assert knowing(fight_on(world, f"leave {CROWN}"), CROWN, BAND) == [0b001, 0b001]


def test_k4_whoever_leaves_an_inherited_card_still_knows_it() -> None:
    world = inherit(duel("-", others=(f"{CROWN}/2",), heroes="Elf;Dwarf;Wizard"), heir=0, dead=1)
    left = fight_on(world, f"leave {CROWN}")
    names = [view(left, MACHINE, viewer)["piles"][0]["goods"][0]["name"] for viewer in (0, 1, 2, None)]
    assert names == [CROWN, CROWN, "", ""]


@pytest.mark.parametrize("viewer", [2, None])
def test_x1_k4_the_order_of_a_pile_does_not_tell_whose_card_it_was(viewer: int | None) -> None:
    world = duel(f"{CROWN}/1", others=("Helmet-1", f"{VEST}/2"), heroes="Elf;Dwarf;Wizard")
    world = fight_on(inherit(world, heir=1, dead=0), "leave Helmet-1")
    views = [view(fight_on(world, f"leave {card}"), MACHINE, viewer) for card in (CROWN, VEST)]
    assert views[0] == views[1]
    assert [thing["name"] for thing in views[0]["piles"][0]["goods"]] == ["Helmet-1", ""]
