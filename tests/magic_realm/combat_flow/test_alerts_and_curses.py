"""Alert phases in games with combat, and what curses prevent (D14, D24, C27, V9 to V13)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.combat_flow.repositioning import build_melee
from realmtable.games.magic_realm.combat_flow.spoils import kill_character
from realmtable.games.magic_realm.combat_flow.state import Fight, Rules
from realmtable.games.magic_realm.day_rules.curses import list_curses
from realmtable.games.magic_realm.flow.evening_with_combat import get_fight
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.flow.resample import resample
from realmtable.games.magic_realm.flow.score import list_totals, plain_number, score_seat
from realmtable.games.magic_realm.game import GAME
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.entities import CURSES
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import (
    CATALOG,
    GOODS,
    begin,
    box_without,
    day,
    goods,
    next_actor,
    play,
    refusal,
    texts,
    used_phases,
)
from tests.magic_realm.helpers.evening_helpers import meet
from tests.magic_realm.helpers.fight_helpers import can, clash, go, skip, warrior
from tests.magic_realm.helpers.flow_helpers import random_step

COMBAT = "encounter=2"


def _turn(*fields: str, hero: str = "Elf", plan: str = "A", options: str = COMBAT) -> World:
    named = hero.replace(" ", "_")
    return begin(day("1.at=B2", f"1.plan={plan}", *fields, heroes=named, options=options), hero)


def _is_alerted(world: World, name: str) -> bool:
    return world.goods[GOODS[name]].alerted


def test_d14_an_alerted_weapon_can_be_unalerted_or_left_as_it_is() -> None:
    world = play(_turn(goods("Light Bow-1+"), plan="A;A;H"), "go")
    assert _is_alerted(world, "Light Bow-1")  # the first Alert has one answer
    world = play(world, "go")
    assert texts(world) == ["pass", "unalert"]
    assert refusal(world, "go") == "D14"
    assert not _is_alerted(play(world, "unalert"), "Light Bow-1")
    assert _is_alerted(play(world, "pass"), "Light Bow-1")


def test_d14_alert_has_no_effect_without_combat_or_weapon() -> None:
    world = play(_turn(goods("Light Bow-1+"), plan="A;H", options=""), "go")
    assert not _is_alerted(world, "Light Bow-1")
    bare = play(_turn(goods("Helmet-1+"), plan="A;H"), "go")
    assert used_phases(bare) == ["basic"]


def test_d14_the_berserker_chooses() -> None:
    world = play(_turn(goods("Great Axe-1+"), hero="Berserker", plan="A;A;H"), "go")
    assert texts(world) == ["alert", "berserk"]
    assert refusal(world, "go") == "D14"
    wild = play(world, "berserk")
    assert wild.heroes[0].berserk
    assert wild.heroes[0].chits.count(1) == 1
    assert not _is_alerted(wild, "Great Axe-1")
    again = play(wild, "go")  # only the weapon is left, so nobody is asked
    assert _is_alerted(again, "Great Axe-1")


def test_d24_followers_may_alert_too_or_not() -> None:
    fields = ("1.at=B2", "2.at=B2", "1.plan=A;H", "2.plan=F_Elf", "2.guide=1", "1.goods=-", goods("Mace-1+", seat=2))
    world = begin(day(*fields, heroes="Elf;Amazon", options=COMBAT))
    world = play(world, "go") if texts(world) == ["go"] else world
    while "alert" not in texts(world):
        world = play(world, "go")
    assert texts(world) == ["alert", "pass"]
    assert _is_alerted(play(world, "alert"), "Mace-1")
    assert not _is_alerted(play(world, "pass"), "Mace-1")


def test_d14_weapons_are_unalerted_when_they_change_hands() -> None:
    world = play(_turn(goods("Light Bow-1+!", "Spear-1"), plan="H;H"), "pack Light Bow-1", "activate Spear-1")
    assert _is_alerted(world, "Light Bow-1")
    left = play(_turn(goods("Light Bow-1+!", "Spear-1"), plan="H;H"), "leave Light Bow-1")
    assert not _is_alerted(left, "Light Bow-1")


# ---- curses


@pytest.mark.parametrize(("curse", "verb"), [("Eyemist", "S"), ("Squeak", "H"), ("Ill_Health", "R")])
def test_c27_a_curse_prevents_an_activity(curse: str, verb: str) -> None:
    fields = ("1.at=B2", "1.goods=-", "1.unhidden", "1.tired=1;2", f"1.plan={verb};-")
    cursed = begin(day(*fields, f"1.curses={curse}", heroes="Elf", options=COMBAT))
    free = begin(day(*fields, heroes="Elf", options=COMBAT))
    assert (cursed.heroes[0].phase, free.heroes[0].phase) == (2, 0)


def test_c27_eyemist_leaves_the_peer_of_the_telescope() -> None:
    fields = (
        "1.at=CL6",
        goods("Ancient Telescope+"),
        box_without("Ancient Telescope+"),
        "1.unhidden",
        "1.plan=P_CG2",
        "1.curses=Eyemist",
    )
    world = play(begin(day(*fields, heroes="Elf", options=COMBAT)), "go")
    assert next_actor(world) == "peer"


def test_c27_squeak_keeps_a_follower_unhidden_and_ill_health_from_resting() -> None:
    fields = ("1.at=B2", "2.at=B2", "1.goods=-", "2.goods=-", "2.plan=F_Elf", "2.guide=1", "1.unhidden", "2.unhidden")
    hide = day(*fields, "1.plan=H;-", "2.curses=Squeak", heroes="Elf;Amazon", options=COMBAT)
    hidden = play(begin(hide), "d 1 1")
    assert [hero.hidden for hero in hidden.heroes] == [True, False]
    rest = day(*fields, "1.plan=R;-", "2.curses=Ill_Health", "2.tired=2", heroes="Elf;Amazon", options=COMBAT)
    assert begin(rest).heroes[1].chits.count(1) == 1


def test_c27_wither_lets_no_chit_with_stars_become_active() -> None:
    tired = [number for number, chit in enumerate(CATALOG.characters[4].chits, 1) if chit.stars == 1][:2]
    hero = CATALOG.characters[4].name
    fields = ("1.goods=-", f"1.tired={';'.join(map(str, tired))}", "1.plan=R;-")
    world = day("1.at=B2", *fields, heroes=hero.replace(" ", "_"), options=COMBAT)
    withered = day("1.at=B2", *fields, "1.curses=Wither", heroes=hero.replace(" ", "_"), options=COMBAT)
    assert any(text.startswith("rest") for text in texts(begin(world, hero)))
    assert begin(withered, hero).heroes[0].chits.count(1) == 2


def test_c27_ashes_and_disgust_count_at_the_end() -> None:
    def tally(*fields: str) -> dict[str, float]:
        world = day("1.at=B2", "1.goods=-", "1.plan=-", "1.gold=50", "1.fame=7/2", *fields, options=COMBAT)
        assert list_totals(world)
        return {row.kind: row.owned for row in score_seat(world, 0)}

    assert (tally()["gold"], tally()["fame"]) == (50, 3.5)
    cursed = tally("1.curses=Ashes;Disgust")
    assert (cursed["gold"], cursed["fame"]) == (-1, -1)
    assert plain_number(Fraction(7, 3)) == 2.33
    assert list_curses(0b11) == [*CURSES[:2]]


# ---- options of combat


def test_v9_plain_kills_of_characters_are_not_multiplied() -> None:
    murdered = [warrior("Elf", 1, notoriety=Fraction(12)), warrior("Druid", 2)]

    def gain(rules: Rules) -> Fraction:
        fight = clash(warrior("Amazon", 0, kills=2), *murdered)
        return kill_character(replace(fight, rules=rules), 1, [0]).warrior(0).notoriety

    assert gain(Rules()) == 36
    assert gain(Rules(multiplies_kills=False)) == 12


def test_v10_a_horse_can_walk_twice() -> None:
    def ridden(rules: Rules) -> Fight:
        fight = clash(warrior("Amazon", 0, "Warhorse-1"), warrior("Elf", 1))
        return skip(go(replace(fight, rules=rules), "stir", "charge Elf with Warhorse-1 walk"), "play")

    assert not can(ridden(Rules()), "evade duck Warhorse-1 walk")
    assert can(ridden(Rules()), "evade duck Warhorse-1 gallop")
    assert can(ridden(Rules(turns_horses=False)), "evade duck Warhorse-1 walk")
    twice = skip(go(replace(
        clash(warrior("Amazon", 0, "Warhorse-1"), warrior("Elf", 1)), rules=Rules(turns_horses=False)
    ), "stir", "charge Elf with Warhorse-1 gallop"), "play")  # fmt: skip
    assert not can(twice, "evade duck Warhorse-1 gallop")


def test_v13_missiles_pierce_armour_if_the_option_says_so() -> None:
    for option, pierces in (("", False), ("missile_through_armour=on", True)):
        assert build_melee(get_fight(meet("1.unhidden", options=option))).missiles_pierce == pierces


def test_v11_charging_can_be_left_to_those_on_foot() -> None:
    fight = go(clash(warrior("Amazon", 0, "Warhorse-1"), warrior("Elf", 1)), "stir")
    assert can(fight, "charge Elf with Warhorse-1 walk")
    on_foot = replace(fight, rules=Rules(charges_on_horse=False))
    assert not can(on_foot, "charge Elf with Warhorse-1 walk")
    assert can(on_foot, "charge Elf with Move M4")


# ---- whole games


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_random_games_with_combat_keep_their_promises(seed: int) -> None:
    rng = Random(seed)
    options = MagicOptions(
        days="7",
        map="stock1",
        encounter="2",
        recording="as_you_go",
        horses=rng.choice(["turn", "gallop_once"]),
        charge_on_horse=rng.random() < 0.5,
    )
    world = GAME.initial(3, options)
    fought = 0
    while GAME.to_move(world):
        seat, step = random_step(world, rng, machine=MACHINE, rare=("order", "back", "-"))
        if world.journal and seat != CHANCE and fought < 40:
            fought += 1
            assert GAME.decode(GAME.encode(world)) == world
            other = resample(world, seat, rng)
            assert GAME.view(other, seat) == GAME.view(world, seat)
            assert GAME.legal_moves(other, seat) == GAME.legal_moves(world, seat)
            assert GAME.decode(GAME.encode(other)) == other
        world = GAME.play(world, seat, step)
    outcome = GAME.outcome(world)
    assert outcome is not None
