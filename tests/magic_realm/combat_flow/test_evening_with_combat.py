"""The evening with combat: where it takes place, what it leaves behind, and midnight (E1, E6, C21, K7, Q1 to Q4)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.combat_flow.state import DEAD
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.evening_with_combat import fight_of, get_fight, world_if_combat_ended
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.flow.settle_fight import settle_fight, world_if_fight_ended
from realmtable.games.magic_realm.outcome import choose_default
from realmtable.games.magic_realm.text.secrecy import text_for_viewer
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.belongings import list_goods_at
from realmtable.games.magic_realm.world.places import GONE, box_place
from realmtable.games.magic_realm.world.step_text import format_step, parse_step
from realmtable.games.magic_realm.world.steps import Frame
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import (
    CATALOG,
    GOODS,
    MONSTER,
    box_without,
    goods,
    next_actor,
    pack,
    pile,
    place,
    play,
    refusal,
    texts,
)
from tests.magic_realm.helpers.evening_helpers import meet, sunset
from tests.magic_realm.helpers.flow_helpers import VALLEYS

B2 = CATALOG.names.find("B2", "clearing").id


def outcomes(world: World) -> list[str]:
    return [format_step(outcome.move) for outcome in MACHINE.chance(world)]


# ---- E1, E6


def test_e1_clearings_are_drawn_one_by_one() -> None:
    world = sunset("1.at=B2", "2.at=CG2", "3.at=B2", heroes="Elf;Dwarf;Wizard")
    assert sorted(outcomes(world)) == ["clearing B2", "clearing CG2"]
    assert MACHINE.label(world) == "clearing"
    world = play(world, "clearing CG2", "rest easy")
    assert outcomes(world) == ["clearing B2"]
    assert play(world, "clearing B2", "rest easy", "rest easy").day == 2


def test_e1_only_those_in_the_clearing_take_part() -> None:
    world = play(sunset("1.at=B2", "2.at=CG2", "3.at=B2", heroes="Elf;Dwarf;Wizard"), "clearing B2")
    assert [warrior.seat for warrior in get_fight(world).warriors] == [0, 2]
    assert fight_of(sunset("1.at=B2")) is None


def test_e1_nobody_on_a_roadway_takes_part() -> None:
    assert sunset("1.at=B2-B3", "1.unhidden", "denizens=Wolf-1:B2").day == 2


def test_e5_the_first_character_of_the_day_comes_first() -> None:
    world = meet("2.at=B2", "first=2", heroes="Elf;Dwarf", monsters="")
    assert next_actor(world) == "Dwarf"


LONE = (
    "options=map=stock1,days=7,encounter=2,two_rows=never heroes=Elf chits=AV:Bones;BV:Stink;CV:Smoke;DV:Dank;EV:Ruins;"
    "CN:Dank;CN:Hoard rows=6 part=daylight waiting=1 1.at=CN3 1.plan=- agenda=daylight;next"
)


def test_e6_a_lone_character_may_run_or_change_its_gear() -> None:
    world = play(decode(MACHINE, LONE), "next Elf", "run on", "clearing CN3")
    assert texts(world) == ["rest easy", "stir"]
    assert play(world, "rest easy", "go").day == 2
    world = play(world, "stir")
    assert {"run", "pack", "leave", "done"} <= {text.split()[0] for text in texts(world)}
    assert place(play(world, "run CN1-CN3 with Move L2*")) == "CN1-CN3"


@pytest.mark.parametrize("hidden", ["", "1.unhidden"])
def test_e6_a_lone_character_has_two_rounds_and_is_asked_before_each(hidden: str) -> None:
    world = meet(*hidden.split(), monsters="")
    for _ in range(2):
        assert texts(world) == ["rest easy", "stir"]
        world = play(world, "stir", *["pass"] * (not hidden), "done", "next Elf", "ready")
    assert world.day == 2


def test_e6_a_character_may_run_when_the_last_monster_has_died() -> None:
    world = meet("1.unhidden", goods("Broadsword+"), heroes="Amazon")
    world = _kill(world, "Amazon", "Wolf-1", "strike thrust Fight M5", "evade dodge Move M4")
    world = play(world, "die 4", "d 1 1")
    assert texts(world) == ["rest easy", "stir"]
    assert place(play(world, "stir", "run B2-B3 with Move M4")) == "B2-B3"


def test_e7_a_character_becomes_unhidden_without_luring() -> None:
    world = play(meet(), "stir")
    assert texts(world) == ["lure Wolf-1", "pass", "unhide"]
    world = play(world, "unhide")
    assert texts(world) == ["lure Wolf-1", "pass"]
    assert get_fight(play(world, "pass")).sheets.assigned == {MONSTER["Wolf-1"]: 0}
    assert texts(play(meet(monsters=""), "stir")) == ["pass", "unhide"]


def test_e6_a_hidden_character_among_monsters_is_asked_too() -> None:
    world = meet()
    assert texts(world) == ["rest easy", "stir"]
    assert play(world, "rest easy").day == 2


# ---- combat at the table


def test_z15_steps_of_combat_are_played_and_kept_in_the_position() -> None:
    world = play(meet("1.unhidden"), "pass", "done", "next Elf", "aim Wolf-1", "strike swing Fight L3*", "back")
    assert "combat=1:pass;1:done;-:next_Elf;1:aim_Wolf-1" in encode(world)
    assert world.heroes[0].backs == 1
    world = play(world, "evade duck Move M4", "strike thrust Fight L3*", "ready")
    assert MACHINE.label(world) == "reposition"
    assert MACHINE.to_move(world) == (CHANCE,)


def test_z4_backs_are_limited() -> None:
    world = play(meet("1.unhidden", "1.backs=20"), "pass", "done", "next Elf", "aim none", "evade duck Move L2*")
    assert "back" not in texts(world)
    assert refusal(world, "back") == "Z4"
    assert refusal(world, "lure Wolf-1") == "C7"


def test_e14_a_runner_is_on_the_roadway_afterwards() -> None:
    world = meet("1.unhidden", "1.came=B2-B3", heroes="Swordsman")
    world = play(world, "pass", "run B2-B3 with Move L2**", "tire Move L3*")
    assert place(world) == "B2-B3"
    assert world.heroes[0].chits.count(1) == 1


def _kill(world: World, hero: str, monster: str, *plays: str) -> World:
    return play(world, "pass", "done", f"next {hero}", f"aim {monster}", *plays, "ready")


def test_k1_k7_a_kill_is_recorded_and_the_monster_leaves_the_map() -> None:
    world = meet("1.unhidden", goods("Broadsword+"), heroes="Amazon", monsters="Wolf-1:B2;Wolf-2:CG2")
    world = _kill(world, "Amazon", "Wolf-1", "strike thrust Fight M5", "evade dodge Move M4")
    world = play(world, "die 4", "d 1 1", "rest easy", "go")
    row = CATALOG.monsters[MONSTER["Wolf-1"]]
    assert (world.heroes[0].fame, world.heroes[0].notoriety) == (row.fame, row.notoriety)
    assert world.denizens[MONSTER["Wolf-1"]].place == GONE
    assert world.denizens[MONSTER["Wolf-2"]].place != GONE
    assert world.journal == ()
    assert world.day == 2
    assert world.heroes[0].kills == 0  # since midnight


def test_w3_k8_someone_who_dies_in_combat_starts_again() -> None:
    world = meet(
        "1.unhidden", "1.gold=30", "1.wounded=1;2;3;4;5;6;7;8;9;10;11", goods("Helmet-1+"), monsters="Wolf-1:B2"
    )
    fight = get_fight(world)
    dead = replace(fight.warriors[0], fate=DEAD, gear=(), gold=0)
    over = replace(fight, warriors=(dead,), agenda=(), pile=fight.warriors[0].gear, fallen=(0,))
    new = world.fork()
    new.fight = over
    new.agenda = (*world.agenda[:-1], Frame("combat", a=world.agenda[-1].a))
    MACHINE.advance(new)
    assert new.heroes[0].dead
    assert new.agenda[-1] == Frame("life", 0)
    assert pile(new, "B2") == ["Helmet-1"]


def test_c21_destroyed_armour_returns_to_those_who_make_it() -> None:
    cards = ("Golden Crown+",)
    world = meet("1.unhidden", goods("Helmet-1+", "Breastplate-1+", *cards), box_without(*cards), heroes="Amazon")
    fight = get_fight(world)
    kept = tuple(gear for gear in fight.warriors[0].gear if gear.goods == GOODS["Breastplate-1"])
    damaged = tuple(gear._replace(damaged=True) for gear in kept)
    lost = replace(
        fight,
        warriors=(replace(fight.warriors[0], gear=damaged, fame=Fraction(7, 2)),),
        gone=(GOODS["Helmet-1"], GOODS["Golden Crown"]),
    )
    shown = world_if_fight_ended(world, lost, world.agenda[-1].a)
    soldiers = CATALOG.names.by_name("box")["Soldiers"]
    assert list_goods_at(shown, box_place(soldiers))[-1] == GOODS["Helmet-1"]
    assert shown.goods[GOODS["Golden Crown"]].place == GONE
    assert shown.goods[GOODS["Breastplate-1"]].damaged
    assert shown.heroes[0].fame == Fraction(7, 2)
    assert pack(world)[0] == "Helmet-1+"  # the world itself is unchanged


def test_k4_a_killer_takes_the_belongings_and_learns_what_they_are() -> None:
    cards = ("Golden Crown/2",)
    fields = ("2.at=B2", goods(*cards, seat=2), box_without(*cards))
    world = meet(*fields, heroes="Amazon;Elf", monsters="")
    fight = get_fight(world)
    heir = replace(fight.warriors[0], gear=fight.warriors[1].gear, gold=60)
    dead = replace(fight.warriors[1], gear=(), gold=0, fate=DEAD)
    new = world.fork()
    settle_fight(new, replace(fight, warriors=(heir, dead), fallen=(1,)), world.agenda[-1].a)
    assert pack(new) == ["Golden Crown"]
    assert new.goods[GOODS["Golden Crown"]].seen == 0b11
    assert (new.heroes[0].gold, new.heroes[1].dead) == (60, True)


# ---- after combat, and midnight
def test_q1_belongings_can_be_rearranged_after_combat() -> None:
    world = play(meet(goods("Light Bow-1+", "Helmet-1")), "rest easy")
    assert texts(world) == ["activate Helmet-1", "go", "leave Light Bow-1", "leave Helmet-1", "pack Light Bow-1"]
    assert refusal(world, "run on") == "D25"
    assert play(world, "activate Helmet-1", "go").day == 2
    active = play(meet(goods("Light Bow-1+")), "rest easy")
    assert texts(active) == ["go", "leave Light Bow-1", "pack Light Bow-1"]
    assert pile(play(active, "leave Light Bow-1"), "B2") == ["Light Bow-1"]
    assert play(meet(), "rest easy").day == 2  # without belongings, nobody is asked


def test_e19_everyone_sees_a_card_that_is_made_active() -> None:
    cards = ("Golden Crown/1",)
    world = meet("2.at=B2", goods(*cards), box_without(*cards), heroes="Elf;Dwarf", monsters="")
    assert world.goods[GOODS["Golden Crown"]].seen == 0b01
    world = play(world, "stir", "pass", "pass", "activate Golden Crown")
    assert world.goods[GOODS["Golden Crown"]].seen == 0b11


def test_x1_others_do_not_learn_which_card_is_left_in_combat() -> None:
    cards = ("Golden Crown/12", "Golden Arm Band/12")
    world = meet("2.at=B2", goods(*cards), box_without(*cards), heroes="Elf;Dwarf", monsters="")
    step = parse_step("leave Golden Crown")
    world = play(world, "stir", "pass", "pass")
    assert text_for_viewer(MACHINE, world, 0, step, 0) == "leave Golden Crown"
    assert "Golden" not in text_for_viewer(MACHINE, world, 0, step, 1)
    after = play(world, "leave Golden Crown")
    assert [world_if_combat_ended(after).goods[GOODS[name.partition("/")[0]]].seen for name in cards] == [0b01, 0b01]
    assert "Golden" not in str(view(after, MACHINE, 1))


def test_x1_others_do_not_learn_where_someone_can_run() -> None:
    fields = ("1.at=DW1", "2.at=DW1", "1.knows=DW1-DW4")
    world = sunset(*fields, heroes="Elf;Dwarf")
    world = play(world, "clearing DW1", "stir")
    exits = [[each["exits"] for each in view(world, MACHINE, seat)["combat"]["warriors"]] for seat in (0, 1)]
    assert "DW1-DW4" in exits[0][0]
    assert (exits[0][1], exits[1][0]) == ([], [])
    assert "DW1-DW4" not in str(view(world, MACHINE, 1))
    assert "DW1-DW4" not in str(view(world, MACHINE, None))


def test_x1_others_do_not_learn_which_belonging_was_changed() -> None:
    cards = ("Golden Crown/1", "Golden Arm Band/1")
    world = meet("2.at=B2", goods(*cards), box_without(*cards), heroes="Elf;Dwarf", monsters="")
    world = play(world, "stir", "pass", "pass")
    left = [view(play(world, f"leave {name.partition('/')[0]}"), MACHINE, 1)["combat"]["agenda"] for name in cards]
    assert left[0] == left[1]


def test_views_show_alerted_weapons_and_damaged_armour() -> None:
    world = meet(goods("Light Bow-1+!", "Helmet-1+~"))
    bow, helmet = view(world, MACHINE, 0)["players"][0]["goods"]
    assert (bow["alerted"], helmet["damaged"]) == (True, True)
    assert "damaged" not in bow


def test_q3_weapons_are_unalerted_at_midnight() -> None:
    world = meet(goods("Light Bow-1+!"))
    assert world.goods[GOODS["Light Bow-1"]].alerted
    assert not play(world, "rest easy", "go").goods[GOODS["Light Bow-1"]].alerted


def test_q4_curses_are_lifted_at_the_chapel() -> None:
    fields = ("1.at=DV5", "2.at=B2", "1.curses=Ashes;Ill_Health", "2.curses=Squeak", "1.berserk", "2.kills=2")
    world = sunset(*fields, heroes="Elf;Dwarf")
    world = play(world, "clearing B2", "rest easy", "clearing DV5", "rest easy")
    assert [hero.curses for hero in world.heroes] == [0, 2]
    assert (world.heroes[0].berserk, world.heroes[1].kills) == (False, 0)


# ---- defaults and positions


def test_c7_the_usual_play_evades_and_puts_the_shield() -> None:
    world = meet("1.unhidden", goods("Shield-1+"), heroes="Amazon")
    for wanted in ("pass", "done"):
        assert format_step(choose_default(world, 0)) == wanted
        world = play(world, wanted)
    world = play(world, "next Amazon")
    played = []
    while MACHINE.to_move(world) == (0,):
        step = choose_default(world, 0)
        played.append(format_step(step))
        world = MACHINE.play(world, 0, step)
    assert played == ["aim none", "evade charge Move M4", "shield thrust", "ready"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ("agenda=sunset:-:1;combat_draw:-:{b2}", "does not wait"),
        ("agenda=sunset:-:1;combat_choice:-:{b2} combat=1:stir;1:ready", "not possible"),
        ("agenda=sunset;combat_choice:-:{b2}", "does not come again"),
        ("agenda=sunset:-:1;combat_choice:-:{b3}", "There is no combat"),
        ("agenda=clearing:-:1", "Chance draws a clearing"),
        ("agenda=sunset:-:1", "The agenda of the evening"),
        ("agenda=sunset:-:1;tidy:1;tidy:1", "asked once"),
        ("agenda=clearing combat=1:stir", "Only a position with combat"),
        ("agenda=sunset:-:1;combat_choice:-:{b2} combat=1:fly", "is not a step"),
    ],
)
def test_f9_impossible_positions_of_the_evening_are_refused(fields: str, sentence: str) -> None:
    head = f"options=map=stock1,encounter=2 heroes=Elf {VALLEYS} part=evening 1.at=B2 denizens=Wolf-1:B2"
    with pytest.raises(BadPosition, match=sentence):
        decode(MACHINE, f"{head} {fields.format(b2=B2, b3=B2 + 1)}")


def test_f9_questions_after_combat_come_in_order() -> None:
    head = f"options=map=stock1,encounter=2 heroes=Elf;Dwarf {VALLEYS} part=evening 1.at=B2 2.at=B2 first=1"
    packs = "1.goods=Light_Bow-1 2.goods=Great_Axe-1"
    decode(MACHINE, f"{head} {packs} agenda=sunset:-:3;tidy:2;tidy:1")
    with pytest.raises(BadPosition, match="in order"):
        decode(MACHINE, f"{head} {packs} agenda=sunset:-:1;tidy:2;tidy:1")


def test_f2_too_many_steps_of_combat_are_refused() -> None:
    head = f"options=map=stock1,encounter=2 heroes=Elf {VALLEYS} part=evening 1.at=B2"
    with pytest.raises(BadPosition, match="at most"):
        decode(MACHINE, f"{head} combat={';'.join(['1:stir'] * 10_001)}")


@pytest.mark.parametrize(("text", "points"), [("7/2", Fraction(7, 2)), ("8/2", 4), ("-5", -5)])
def test_f7_fame_can_be_a_fraction(text: str, points: Fraction | int) -> None:
    world = sunset("1.at=B2", f"1.fame={text}", f"1.notoriety={text}")
    assert world.heroes[0].fame == world.heroes[0].notoriety == points


def test_z3_the_only_answer_of_a_secret_question_is_asked() -> None:
    world = play(meet("1.unhidden"), "pass")
    assert "done" in texts(world)
    assert parse_step("done") in MACHINE.legal_moves(world, 0)
