"""The worked examples of combat in RULES-combat.md, with their numbers, and others of the same list.

Some examples have natives or spells, which later parts of the game add. Their tests say what plays the same role here.
The summary of the rules contradicts none of the examples 15 to 27 and 29. Example 26 is in `test_fight_melee`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from realmtable.games.magic_realm.combat_flow.gear import find_hand
from realmtable.games.magic_realm.combat_rules.armor import DAMAGED, DESTROYED
from realmtable.games.magic_realm.combat_rules.encounter import Sheets, find_time_limit, list_action_pieces
from realmtable.games.magic_realm.combat_rules.harm import level_of
from realmtable.games.magic_realm.combat_rules.hits import MATCHES, MISSES, UNDERCUTS
from realmtable.games.magic_realm.combat_rules.melee import MISSILE
from realmtable.games.magic_realm.combat_rules.plays import FIGHT, MOVE, list_fight_pieces
from realmtable.games.magic_realm.combat_rules.report import CANCELLED, MISSED, STRUCK, Death, Wear
from realmtable.games.magic_realm.combat_rules.round_costs import Debt, list_debts
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.catalog_helpers import monster
from tests.magic_realm.helpers.day_helpers import begin, day, labels_of, next_actor, numbers, texts
from tests.magic_realm.helpers.day_helpers import chits as day_chits
from tests.magic_realm.helpers.fight_helpers import MONSTER, can, clash, go, skip, warrior
from tests.magic_realm.helpers.melee_helpers import (
    CHARGE,
    DUCK,
    SMASH,
    SWING,
    THRUST,
    beast,
    bite,
    blow,
    chit,
    club,
    fight,
    hand,
    hero,
    hit,
    worn,
)


def test_example_15_a_piece_must_be_faster_than_what_is_on_the_sheet() -> None:
    """A character that charges on a galloping Pony (4) plays the role of the native."""
    sorceror, captain = warrior("Sorceror", 0), warrior("Captain", 1, "Pony-1")
    charged = skip(
        go(skip(clash(sorceror, captain), "quiet"), "stir", "pass", "charge Sorceror with Pony-1 gallop"), "act"
    )
    assert charged.agenda[-1].seat == 0
    assert find_time_limit(charged.sheets, 0) == 4
    assert not can(charged, "run Move M4*")
    assert can(replace(charged, sheets=replace(charged.sheets, charges={})), "run Move M4*")


def test_example_16_running_from_a_wolf() -> None:
    wolf = monster("Wolf").id
    sheets = Sheets((wolf,), (0,), {wolf: 0})
    moves = hand(chit("Move L2**"), chit("Move L3*"), load=level_of("L"))
    assert find_time_limit(sheets, 0) == 3
    assert list_action_pieces(moves, MOVE, 3) == [chit("Move L2**")]
    assert list_debts([chit("Move L2**")]) == [Debt(0, 1)]


def test_example_17_the_elf_shoots_a_goblin() -> None:
    elf, goblin = 0, 1
    report = fight(
        [hero("Elf", (DUCK, "Move M4")), beast("Axe Goblin", SWING, dark=True)],
        [
            blow("Light Bow", SWING, "Fight M4", attacker=elf, target=goblin, alerted=True),
            bite("Axe Goblin", SWING, attacker=goblin, target=elf, dark=True),
        ],
        {0: 5},
    )
    miss, shot = report.strikes
    assert (miss.verdict, miss.status) == (MISSES, MISSED)
    assert (shot.verdict, shot.level, shot.kills) == (MATCHES, level_of("L"), False)
    assert not report.deaths
    assert report.weapons == ((elf, False),)


def _two_against_two(*, first: bool) -> tuple[list, list, dict[int, int], bool]:  # type: ignore[type-arg]
    elf, swordsman, giant, bat = range(4)
    fighters = [
        hero("Elf"),
        hero("Swordsman", (CHARGE, "Move L3*")),
        beast("Giant", SWING),
        beast("Giant Bat", SMASH),
    ]
    attacks = [
        blow("Light Bow", THRUST, "Fight M4", attacker=elf, target=giant, alerted=True),
        blow("Thrusting Sword", SMASH, "Fight M4*", attacker=swordsman, target=bat),
        bite("Giant", SWING, attacker=giant, target=swordsman),
        club("Giant", THRUST, attacker=giant, target=swordsman, dark=not first),
        bite("Giant Bat", SMASH, attacker=bat, target=swordsman),
    ]
    return fighters, attacks, {0: 2}, first


def test_example_18_in_the_first_round_length_decides() -> None:
    fighters, attacks, rolls, first = _two_against_two(first=True)
    report = fight(fighters, attacks, rolls, first=first)
    assert [strike.attack for strike in report.strikes] == [2, 0, 3, 1, 4]
    assert [strike.status for strike in report.strikes] == [MISSED, STRUCK, CANCELLED, STRUCK, CANCELLED]
    assert [strike.verdict for strike in report.strikes] == [MISSES, UNDERCUTS, MATCHES, MATCHES, UNDERCUTS]
    assert report.deaths == (Death(2, (0,)), Death(3, (1,)))
    assert [strike.level for strike in report.strikes if strike.kills] == [level_of("T"), level_of("H")]


def test_example_18_later_the_time_decides() -> None:
    fighters, attacks, rolls, first = _two_against_two(first=False)
    report = fight(fighters, attacks, rolls, first=first)
    assert [strike.attack for strike in report.strikes] == [2, 0, 4, 3, 1]
    assert report.deaths == (Death(2, (0,)), Death(1, (3,)))
    assert report.strikes[-1].status == CANCELLED
    assert report.weapons == ((0, False), (1, True))
    assert list_debts([chit("Move L3*"), chit("Fight M4*")]) == [Debt(0, 1), Debt(1, 0)]


def test_example_19_the_armour_of_the_amazon() -> None:
    armor = worn("Helmet", "Breastplate", "Shield", shield=SMASH)
    report = fight(
        [hero("Amazon", (DUCK, "Move M3*"), armor), beast("Giant Bat", THRUST), beast("H Spider", SMASH, dark=True)],
        [
            bite("Giant Bat", THRUST, attacker=1, target=0),
            bite("H Spider", SMASH, attacker=2, target=0, dark=True),
        ],
    )
    assert report.wear == (Wear(0, 1, DAMAGED), Wear(0, 2, DESTROYED))
    assert report.wounds[0] == 2
    assert not report.deaths


def test_example_20_three_blows_at_one_instant() -> None:
    knight = hero("White Knight", None, worn("Suit of Armor"))
    blows = [hit(attacker, 0, harm=level_of("H")) for attacker in (1, 2, 3)]
    report = fight([knight, *[beast("Wolf")] * 3], blows)
    assert report.wear == (Wear(0, 0, DESTROYED),)
    assert report.wounds[0] == 3
    assert not report.deaths


def test_example_21_the_dagger() -> None:
    goblin, viper = beast("Sword Goblin"), beast("Viper")
    for target, level, deaths in ((goblin, "M", (Death(1, (0,)),)), (viper, "L", ())):
        report = fight([hero("Elf"), target], [blow("", THRUST, "Fight L4", attacker=0, target=1)])
        assert (report.strikes[0].level, report.deaths) == (level_of(level), deaths)
        assert report.weapons == ()


@pytest.mark.parametrize(("roll", "dies"), [(2, False), (1, True)])
def test_example_22_harm_above_t_passes_armour(roll: int, dies: bool) -> None:
    """A Crossbow, H*, with a 2 or a 1 plays the role of the Lightning Bolt, M***, with a 3 or a 2; V13 is on."""
    knight = hero("White Knight", None, worn("Suit of Armor"))
    shot = blow("Crossbow", THRUST, "Fight H6", attacker=1, target=0, alerted=True)
    report = fight([knight, hero("Captain")], [shot], {0: roll}, pierced=True)
    assert report.deaths == ((Death(0, (1,)),) if dies else ())
    assert report.wear == (() if dies else (Wear(0, 0, DESTROYED),))
    assert report.wounds[0] == (not dies)


@pytest.mark.parametrize(
    ("name", "roll", "level", "dies"),
    [("Pilgrim", 5, "", False), ("Pilgrim", 2, "H", True), ("Elf", 6, "", False), ("Elf", 4, "L", True)],
)
def test_example_23_missiles_of_harm_m(name: str, roll: int, level: str, dies: bool) -> None:
    """A missile of harm M without stars plays the role of Stones Fly, and the Elf (L) that of the Squirrel."""
    stones = replace(hit(1, 0, harm=level_of("M")), table=MISSILE)
    report = fight([hero(name), hero("Druid")], [stones], {0: roll})
    assert max(report.strikes[0].level, 0) == (level_of(level) if level else 0)
    assert report.deaths == ((Death(0, (1,)),) if dies else ())
    assert not report.wounds[0]


def test_example_24_stars_of_the_white_knight() -> None:
    pieces = [chit("Fight T5*"), chit("Fight H6"), chit("Move H4**")]
    assert list_fight_pieces(hand(*pieces, weapon_weight=level_of("H")), chit("Move H4**")) == [chit("Fight H6")]
    assert list_debts([chit("Move H4**"), chit("Fight H6")]) == [Debt(0, 1)]
    assert list_debts([chit("Move H5*"), chit("Fight H5*")]) == [Debt(0, 1), Debt(1, 0)]


def test_example_25_stars_of_the_druid() -> None:
    """A Fight chit plays the role of the Magic chit, which cannot be played in this part."""
    pieces = [chit("Fight L3*"), chit("Fight L2**"), chit("Move L3*")]
    assert list_fight_pieces(hand(*pieces), chit("Move L3*")) == [chit("Fight L3*")]
    assert list_debts([chit("Fight L3*"), chit("Move L3*")]) == [Debt(0, 1), Debt(1, 0)]
    playing = skip(clash(warrior("Druid", 0), monsters=["Wolf-1"]), "play")
    assert {piece.kind for piece in find_hand(playing, playing.warrior(0)).pieces} == {FIGHT, MOVE}


def test_example_27_rest() -> None:
    labels = labels_of("Amazon")
    wounded = resting("Amazon", f"1.wounded={numbers('Amazon', 'Move M3*')}", plan="R;R;H")
    assert (day_chits(wounded, "active"), next_actor(wounded)) == (labels, "hide")  # two Rests, each the only way
    once = resting("Amazon", f"1.wounded={numbers('Amazon', 'Move M3*')}", plan="R;H")
    assert (day_chits(once, "wounded"), day_chits(once, "fatigued")) == ([], ["Move M3*"])
    change = resting("Amazon", f"1.tired={numbers('Amazon', 'Fight H4**')}", plan="R;H")
    singles = {label for label in labels if label.count("*") == 1}
    assert {*texts(change)} == {"enough", *(f"rest Fight H4** with {label}" for label in singles)}
    dwarf = resting("Dwarf", f"1.tired={numbers('Dwarf', 'Move T5**')}", plan="R;H")
    assert day_chits(dwarf, "fatigued") == []


def test_example_29_ties_for_a_monster_are_rolled_again() -> None:
    """The Captain is unhidden himself, because hired natives belong to a later part."""
    both = clash(warrior("Amazon", 0), warrior("Captain", 1), monsters=["Wolf-1"])
    rolled = go(skip(both, "contest"), "d 4 2", "d 4 3")
    assert rolled.agenda[-1].kind == "contest"
    again = go(rolled, "d 1 2", "d 5 1")
    assert again.sheets.assigned == {MONSTER["Wolf-1"]: 1}


def resting(hero_name: str, *fields: str, plan: str) -> World:
    """Return the first question of a day that begins with Rests."""
    return begin(day("1.at=B2", f"1.plan={plan}", "1.goods=-", *fields, heroes=hero_name), hero_name)


def test_example_31_a_red_troll() -> None:
    berserker = hero("Berserker", (DUCK, "Move H6"), worn("Helmet"))
    report = fight([berserker, beast("T Troll", SMASH)], [bite("T Troll", SMASH, attacker=1, target=0)])
    assert report.wear == (Wear(0, 0, DESTROYED),)
    assert (report.wounds[0], report.red) == (1, (1,))
    red = beast("T Troll", THRUST, dark=True)
    held = hero("Berserker", (DUCK, "Move H6"))
    report = fight([held, red], [bite("T Troll", THRUST, attacker=1, target=0, dark=True)], first=False)
    assert (report.deaths, report.red) == ((Death(0, (1,)),), ())
    far = hero("Berserker", (DUCK, "Move H4**"))
    slow = hit(1, 0, THRUST, time=5)
    report = fight([far, red], [slow], first=False)
    assert report.red == (1,)
