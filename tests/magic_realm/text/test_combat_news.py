"""Steps of combat as something that happened, for everyone as far as they may know it."""

from __future__ import annotations

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.agenda import Draw
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.text import combat_events, combat_news, secrecy, topics
from realmtable.games.magic_realm.text.combat_events import list_fight_events
from realmtable.games.magic_realm.world.places import GONE
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.combat_evenings import fight_on, meet, news_of, skip_to
from tests.magic_realm.helpers.day_helpers import day
from tests.magic_realm.helpers.fight_helpers import CATALOG, MONSTER, clash, go, skip, step, warrior


def test_e6_e7_news_of_the_opening() -> None:
    quiet = meet(heroes="Elf;Amazon")
    assert news_of(quiet, "rest easy", 1) == "The Elf rests easy"
    assert news_of(quiet, "stir").startswith("You begin a round of combat")
    world = meet(heroes="Elf;Amazon", monsters="Wolf-1;Wolf-2", hidden=1)
    assert news_of(world, "lure Wolf-1", 1) == "The Elf lures the Wolf 1; the Elf is no longer hidden"
    lured = fight_on(world, "lure Wolf-1")
    assert news_of(lured, "pass") == "You lure no one else"
    assert news_of(fight_on(lured, "pass"), "lure Wolf-1") == "The Amazon lures the Wolf 1 away from you"
    assert (
        news_of(fight_on(world, "pass"), "pass")
        == "The Amazon lures no one; the Wolf 1 and the Wolf 2 attack the Amazon"
    )


def test_e8_news_of_rolls_for_a_monster() -> None:
    world = fight_on(meet(heroes="Elf;Amazon", monsters="Wolf-1"), "pass", "pass")
    assert news_of(world, "d 3 5") == "You roll 3 and 5 for the Wolf 1"
    rolled = fight_on(world, "d 3 5")
    assert news_of(rolled, "d 5 1").endswith("; it is a tie, and they roll again for the Wolf 1")
    assert news_of(rolled, "d 6 1") == "The Amazon rolls 6 and 1 for the Wolf 1; the Wolf 1 attacks the Amazon"


def test_e11_to_e19_news_of_the_encounter() -> None:
    world = fight_on(meet("1.goods=Light_Bow-1+;Spear-1", heroes="Elf;Amazon"), "stir")
    assert news_of(world, "charge Amazon with Move M4", 1) == "The Elf charges you with Move M4"
    assert news_of(world, "pass") == "You charge no one"
    act = skip_to(world, "act")
    assert news_of(act, "alert Fight M4", None) == "The Elf turns the Light Bow to its alerted side with Fight M4"
    assert news_of(act, "pack Light Bow-1") == "You pack the Light Bow away"
    assert news_of(act, "leave Spear-1", 1) == "The Elf leaves the Spear"
    assert news_of(act, "done") == "You do no action"
    assert news_of(fight_on(act, "leave Spear-1"), "done") == "You are done"
    run = "The Elf runs onto the roadway between Borderland 2 and Borderland 3 with Move M4"
    assert news_of(act, "run B2-B3 with Move M4", 1).startswith(run)
    alert = meet("1.goods=Light_Bow-1+!", heroes="Elf;Amazon")
    assert "to its unalerted side" in news_of(skip_to(fight_on(alert, "stir"), "act"), "alert Fight M4")
    rage = skip_to(fight_on(meet(heroes="Berserker;Amazon"), "stir"), "act")
    assert news_of(rage, "berserk", 1) == "The Berserker goes berserk"


def test_e12_news_when_the_last_character_runs_too() -> None:
    act = skip_to(fight_on(meet(heroes="Elf;Amazon"), "stir"), "act")
    alone = fight_on(act, "run B2-B3 with Move M4")
    run = "runs onto the roadway between Borderland 2 and Borderland 3 with Move M4; combat ends"
    assert news_of(alone, "run B2-B3 with Move M4").startswith(f"The Amazon {run}")


def test_c3_news_of_targets() -> None:
    world = skip_to(meet(heroes="Elf;Amazon", monsters="Wolf-1"), "next")
    assert news_of(world, "next Elf") == "You are next to aim"
    aim = fight_on(world, "next Elf")
    assert [news_of(aim, "aim Amazon", viewer) for viewer in (0, 1)] == [
        "You aim at the Amazon",
        "The Elf aims at you",
    ]
    assert news_of(aim, "aim Wolf-1", None) == "The Elf aims at the Wolf 1"
    assert news_of(aim, "aim none") == "You aim at no one"


def playing() -> World:
    goods = ("1.goods=Light_Bow-1+!", "2.goods=Short_Sword-1+;Shield-1+")
    world = fight_on(meet(*goods, heroes="Elf;Amazon", monsters="Wolf-1"), "lure Wolf-1", "pass")
    return skip_to(fight_on(skip_to(world, "next"), "next Elf", "aim Wolf-1"), "play")


def test_c7_x1_plays_are_secret_until_everyone_is_ready() -> None:
    world = playing()
    swing, back = parse_step("strike swing Fight M4"), parse_step("back")
    assert news_of(world, "0: strike swing Fight M4") == "Your choice: Swing with Fight M4"
    played = fight_on(world, "0: strike swing Fight M4")
    for state, secret in ((world, swing), (played, back)):
        for viewer in (1, None):
            assert secrecy.text_for_viewer(MACHINE, state, 0, secret, viewer) == ""
            assert topics.topic(state, 0, secret, viewer) == ""
        assert topics.topic(state, 0, secret, 0) == "fights"
    assert news_of(played, "0: back", 1) == ""
    ready = fight_on(played, "0: evade duck Move M4", "0: ready", "1: shield smash", "1: turn weapon Fight M5")
    assert news_of(played, "0: ready", 1) == "The Elf is ready"
    shown = news_of(ready, "1: ready")
    assert "; you swing with Fight M4 and duck with Move M4; " in shown
    assert shown.endswith("the Amazon holds the shield against smash and turns the weapon with Fight M5")
    own = news_of(ready, "1: ready", 1)
    assert own.startswith("You are ready; the Elf swings with Fight M4 and ducks with Move M4; you hold your shield")
    idle = fight_on(world, "0: ready", "1: shield smash")
    assert "; you play nothing; " in news_of(idle, "1: ready")
    assert "; the Elf plays nothing; " in news_of(idle, "1: ready", None)


def test_c13_to_c18_news_of_dice_and_strikes() -> None:
    world = fight_on(
        playing(), "0: strike swing Fight M4", "0: evade duck Move M4", "0: ready", "1: shield smash", "1: ready"
    )
    assert news_of(world, "die 5") == "The die shows 5 for your sheet: the Wolf 1 in swing"
    world = fight_on(world, "die 5")
    assert news_of(world, "d 6 1", 1) == "The dice show 6 and 1 for swing on the Elf's sheet: the Wolf 1 turns over"
    assert news_of(world, "d 5 1").endswith(" on your sheet: nothing turns over")
    world = fight_on(world, "d 5 1")
    roll = news_of(world, "die 2")
    assert roll.startswith("You roll 2 on Missile: 2; the Wolf 1 misses you: time 4 does not undercut 4, and ")
    assert "; you hit the Wolf 1: swing matches dodge, and harm " in roll
    assert "your Light Bow is no longer alerted; you get " in roll
    assert roll.endswith("round 2 begins")
    assert "; the Elf gets " in news_of(world, "die 2", None)


def test_c17_news_of_a_club_and_of_a_cancelled_hit() -> None:
    world = skip_to(meet(monsters="Giant-1"), "play")
    died = news_of(fight_on(world, "ready", "die 4"), "d 1 1")
    assert "the Giant 1's club hits you: there is no manoeuvre, and harm " in died
    assert "but you are already dead; you die" in died


def test_k3_k4_news_of_a_killed_character() -> None:
    goods = ("1.goods=Light_Bow-1+!", "2.goods=Spear-1;Shield-1", "2.notoriety=10", "2.gold=7")
    world = skip_to(fight_on(meet(*goods, heroes="Elf;Amazon"), "stir"), "next")
    world = skip_to(fight_on(world, "next Elf", "aim Amazon"), "play")
    world = fight_on(world, "0: strike swing Fight M4", "0: ready", "1: ready")
    killed = news_of(world, "die 1")
    assert "; you hit the Amazon: there is no manoeuvre, and harm above T (L + 2 for stars" in killed
    assert "; your Light Bow is no longer alerted; you get 10 notoriety; " in killed
    assert "you take the Spear and the Shield; the Amazon dies; you get 7 gold" in killed
    assert "the Elf takes the Spear and the Shield; the Amazon dies" in news_of(world, "die 1", None)


def test_k7_news_of_a_dead_monster_do_not_say_where_it_goes() -> None:
    world = fight_on(skip_to(meet("1.goods=Light_Bow-1+!", monsters="Wolf-1"), "next"), "next Elf", "aim Wolf-1")
    world = fight_on(world, "strike swing Fight M4", "evade duck Move M4", "ready", "die 5", "d 1 1")
    killed = news_of(world, "die 1")
    assert "kills the Wolf 1" in killed
    assert "combat ends" in news_of(fight_on(world, "die 1"), "rest easy")
    assert killed.count("Wolf") == killed.count("the Wolf 1")
    assert fight_on(world, "die 1", "rest easy").denizens[MONSTER["Wolf-1"]].place == GONE


def test_d14_news_around_combat() -> None:
    armed = day("1.plan=A;A", "1.goods=Short_Sword-1+", heroes="Berserker", options="encounter=2")
    alert = fight_on(armed, "next Berserker", "run on")
    assert news_of(alert, "alert").startswith("You alert your weapon")
    assert news_of(alert, "berserk", None).startswith("The Berserker goes berserk")


def test_c20_c26_news_of_armour_and_a_red_side() -> None:
    world = skip_to(meet("1.goods=Helmet-1+", heroes="Berserker", monsters="T_Troll-1"), "play")
    hit = news_of(fight_on(world, "evade duck Move H5*", "ready"), "die 2")
    assert "smash matches duck, and harm H strikes the Helmet and destroys it, one wound" in hit
    assert hit.endswith("the tremendous Troll 1 is red side up and holds you; you lose the Helmet")
    bat = skip_to(meet("1.goods=Breastplate-1+", heroes="Amazon", monsters="Giant_Bat-1"), "play")
    bitten = fight_on(bat, "ready", "die 4")
    assert "; your Breastplate is damaged" in news_of(bitten, "d 1 1")


def test_w4_w5_news_of_fatigue_and_wounds() -> None:
    knight = skip_to(meet(heroes="White_Knight", monsters="Wolf-1"), "play")
    tired = skip_to(fight_on(knight, "evade duck Move H4**", "ready"), "fatigue")
    assert news_of(tired, "tire Move H5*", None).startswith("The White Knight fatigues Move H5*")
    hurt = skip_to(knight, "wounds")
    label = MACHINE.legal_moves(hurt, 0)[0]
    assert MACHINE.play(hurt, 0, label) != hurt
    assert news_of(hurt, "wound Move H6", None).startswith("The White Knight takes a wound: Move H6")


def test_w4_news_of_a_chit_that_becomes_active() -> None:
    fight = skip(clash(warrior("White Knight", 0), monsters=["Wolf-1"]), "play")
    assert combat_news.say_fight_step(fight, 0, step("tire Move H4** for Move H5*"), None) == (
        "the White Knight fatigues Move H4**, and Move H5* becomes active"
    )


def test_c13_news_of_a_monster_that_lies_alone() -> None:
    alone = go(clash(warrior("Elf", 0, "Light Bow-1!", is_hidden=True), monsters=["Giant-1"]), "stir", "pass", "done")
    alone = go(alone, "next Elf", "aim Giant-1", "strike smash Fight M4", "ready")
    said = combat_news.say_fight_step(alone, CHANCE, step("die 2"), 0)
    assert said == "the die shows 2 for the Giant 1: the Giant 1 in smash"


# ---- the Imp and the Demons


def events_of(fight: Fight, text: str, viewer: Seat | None = 0) -> str:
    """Return the events of a roll."""
    chosen = step(text)
    return "; ".join(list_fight_events(fight, machine.play(fight, CHANCE, chosen), chosen, viewer))


def spell(monster: str, *others: str) -> Fight:
    """Return a fight in which a character rolls on the table of a demon."""
    fight = skip(clash(warrior("Elf", 0, "Light Bow-1!"), monsters=[monster, *others]), "play")
    return skip(fight, "dice")


def test_c27_news_of_every_curse_and_of_the_pit() -> None:
    imp, demon = spell("Imp"), spell("Demon", "Wolf-1")
    assert "a curse on you: Squeak (no Hide)" in events_of(imp, "d 2 1")
    (words,) = zip(*CATALOG.tables.by_name["pit"].results, strict=True)
    assert {*combat_events.PIT} == {*words}
    assert "a fiery chasm kills everyone who is not hidden; the Demon is killed; the Wolf 1 is killed" in events_of(
        demon, "d 1 1"
    )
    assert "demons carry the Elf away" in events_of(demon, "d 2 1", None)
    assert "blight wounds all of your active chits with stars" in events_of(demon, "d 4 1")
    assert "blight wounds all of the Elf's active chits with stars" in events_of(demon, "d 4 1", None)
    assert "you roll 2: Power of the Pit" in events_of(demon, "d 2 1")


def test_c18_news_of_a_roll_that_is_changed() -> None:
    world = fight_on(meet("1.goods=Light_Bow-1+!", heroes="Captain", monsters="Wolf-1"), "pass", "done")
    world = fight_on(world, "next Captain", "aim Wolf-1", "strike swing Fight M5", "ready", "die 5", "d 1 1")
    assert news_of(world, "d 3 2").startswith("You roll 3 and 2, −1 on Missile: 2")


def test_every_verb_and_draw_of_combat_has_news() -> None:
    draws = {kind for kind, handler in machine.HANDLERS.items() if isinstance(handler, Draw)}
    assert {*combat_news._ROLLS} == draws
    secret = {"strike", "turn weapon", "evade", "shield", "set", "back"}
    silent = {"activate", "pack", "leave"}  # the events say so
    rolled = {"d", "die", "next", "clearing"}
    verbs = "rest easy,stir,lure,pass,charge,alert,berserk,run,done,aim,aim none,ready,tire,wound"
    assert {*combat_news.PHRASES} == {*verbs.split(",")}
    assert not {*combat_news.PHRASES} & (secret | silent | rolled)
