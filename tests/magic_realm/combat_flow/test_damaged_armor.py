"""Armour that was damaged in combat stays damaged, whoever has it and wherever it lies (C20)."""

from __future__ import annotations

from realmtable.games.magic_realm.combat_flow.spoils import kill_character
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.evening_with_combat import get_fight, world_if_combat_ended
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.flow.settle_fight import settle_fight
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.flow.test_new_life import reborn
from tests.magic_realm.helpers.combat_evenings import fight_on, meet, skip_to
from tests.magic_realm.helpers.day_helpers import CATALOG, GOODS, goods, pack, pile, play

HELMET = "Helmet-1"


def damage(world: World, name: str = HELMET) -> World:
    """Return a state of combat in which a piece of armour has just been damaged."""
    new = world.fork()
    fight = get_fight(world)
    gear = tuple(one._replace(damaged=one.goods == GOODS[name]) for one in fight.warriors[0].gear)
    new.fight = fight.change(0, gear=gear)
    return new.seal()


def is_damaged(world: World, name: str = HELMET) -> bool:
    """Whether a piece of armour would be damaged if combat ended now; the view says the same."""
    shown = world_if_combat_ended(world)
    check_world(shown)
    things = [thing for pile in view(world, MACHINE, 1)["piles"] for thing in pile["goods"]]
    things += [thing for player in view(world, MACHINE, 1)["players"] for thing in player["goods"]]
    (seen,) = [thing for thing in things if thing["name"] == name]
    assert seen.get("damaged", False) == shown.goods[GOODS[name]].damaged
    return shown.goods[GOODS[name]].damaged


def start(*cards: str) -> World:
    return skip_to(fight_on(meet(goods(*cards), heroes="Amazon;Elf"), "stir"), "act")


def test_c20_damaged_armour_that_is_left_in_combat_stays_damaged() -> None:
    world = start(f"{HELMET}+", "Shield-1+~")
    assert not is_damaged(fight_on(world, f"leave {HELMET}"))
    assert is_damaged(fight_on(damage(world), f"leave {HELMET}"))
    assert is_damaged(fight_on(world, "leave Shield-1"), "Shield-1")  # it was damaged on another day


def test_c20_k4_damaged_armour_of_the_dead_stays_damaged() -> None:
    """It goes to the pile, or to the killer."""
    for killers in ((), (1,)):
        new = damage(start(f"{HELMET}+", "Shield-1+")).fork()
        new.fight = kill_character(get_fight(new), 0, killers)
        assert is_damaged(new.seal())
        assert not is_damaged(new.seal(), "Shield-1")


def test_c20_damaged_armour_lies_damaged_in_the_pile_after_combat() -> None:
    world = fight_on(damage(start(f"{HELMET}+")), f"leave {HELMET}")
    new = world.fork()
    settle_fight(new, get_fight(world), world.heroes[0].place)
    assert (pile(new, "B2"), new.goods[GOODS[HELMET]].damaged) == ([HELMET], True)


def test_c20_d20_damaged_armour_that_is_left_and_found_by_day_stays_damaged() -> None:
    text = (
        "options=map=stock1 heroes=Elf chits=AV:Bones;BV:Stink;CV:Smoke;DV:Dank;EV:Ruins part=daylight rows=2 waiting=1"
    )
    world = decode(MACHINE, f"{text} 1.at=B2 1.goods=Helmet-1+~ 1.plan=S agenda=daylight;next")
    world = play(world, "next Elf", f"leave {HELMET}", "loot pile", "d 1 1", "activate")
    assert pack(world) == [f"{HELMET}+"]
    assert world.goods[GOODS[HELMET]].damaged
    assert decode(MACHINE, encode(world)) == world


def test_c20_k8_a_new_life_can_begin_with_damaged_armour_from_a_pile() -> None:
    others = [row.name for row in CATALOG.goods if row.kind == "Helmet" and row.name != HELMET]
    world = reborn("Berserker", "2.at=CG2", f"piles=CG2:{HELMET}~", goods(*others, seat=2))
    assert f"{HELMET}+" in pack(world)
    assert world.goods[GOODS[HELMET]].damaged
