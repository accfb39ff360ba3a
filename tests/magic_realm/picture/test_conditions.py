"""What hampers or helps a character: in its panels, and with signs on the melee sheet."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from realmtable.games.magic_realm.picture import view_picture
from realmtable.games.magic_realm.picture.melee.conditions import draw_conditions
from realmtable.games.magic_realm.text.conditions import CURSE_EFFECTS, describe_state
from realmtable.games.magic_realm.world.entities import CURSES
from tests.magic_realm.helpers.day_helpers import search
from tests.magic_realm.helpers.fight_helpers import clash, go, warrior
from tests.magic_realm.helpers.melee_views import roam, view_fight
from tests.magic_realm.helpers.text_helpers import rows_of
from tests.magic_realm.picture.test_melee_sheet import fought, words_in
from tests.picture_checks import parse_svg, spaces_in, with_class

KNIGHT = warrior("White Knight", 0, "Great Sword!", "Suit of Armor-1!", "Warhorse-1")


def test_c27_every_curse_has_an_effect_in_words() -> None:
    assert [*CURSE_EFFECTS] == [*CURSES]


def test_the_panel_names_curses_berserk_and_chits_to_rest() -> None:
    world = search("CN6", "1.curses=Wither;Ashes", "1.berserk", "1.tired=1;2", "1.wounded=3", heroes="Berserker;Elf")
    rows = rows_of(world, "character")
    assert rows["☠ Curse: Wither"] == "No active chits with stars. A midnight at the Chapel lifts it."
    assert rows["☠ Curse: Ashes"].startswith("Recorded gold counts as −1. ")
    assert rows["‼ Berserk"] == "Until midnight, only tremendous harm kills"
    assert rows["Chits to rest"] == "2 fatigued, 1 wounded"
    assert "; cursed (Wither, Ashes); berserk; 2 fatigued, 1 wounded; " in rows_of(world, "character", 1)["Berserker"]


def test_the_panel_of_a_sound_character_has_no_such_rows() -> None:
    rows = rows_of(search("CN6"), "character")
    assert not [label for label in rows if "Curse" in label or "Berserk" in label or "rest" in label]


@pytest.mark.parametrize(
    ("name", "flags", "words"),
    [
        ("Light Bow-1", (True, False), "▲ alerted, harm L**, time 1"),
        ("Short Sword-1", (False, False), "△ unalerted, harm L*, the time of the chit"),
        ("Shield-1", (False, True), "◐ damaged"),
        ("Helmet-1", (False, False), "● intact"),
        ("Cloven Hoof", (False, False), ""),
    ],
)
def test_belongings_say_their_state_without_colour(name: str, flags: tuple[bool, bool], words: str) -> None:
    assert describe_state(name, is_alerted=flags[0], is_damaged=flags[1]) == words


def test_a_horse_says_how_it_moves() -> None:
    rows = rows_of(search("CN6", "1.goods=Pony-1+;Shield-1+~", heroes="Amazon"), "belongings")
    assert rows["Pony 1"] == "active, walks M5, gallops M4"
    assert rows["Shield 1"] == "active, ◐ damaged, medium weight"


def test_the_sheet_has_a_sign_and_a_sentence_for_each_condition() -> None:
    cursed = replace(KNIGHT, curses=frozenset({"Ill Health", "Wither"}), is_berserk=True)
    shown = view_fight(clash(cursed, warrior("Elf", 1)), 0)
    own = next(each for each in shown["combat"]["warriors"] if each["seat"] == 0)
    assert len(draw_conditions(own).parts) == 4
    words = words_in(parse_svg(view_picture.draw(shown))).replace("\n", " ")
    for text in (
        "Cursed with Ill Health: no Rest",
        "Cursed with Wither: no active chits with stars",
        "Berserk: until midnight, only tremendous harm kills",
        "Suit of Armor damaged: another hit of H destroys it",
    ):
        assert text in words
    other = words_in(parse_svg(view_picture.draw(view_fight(clash(cursed, warrior("Elf", 1)), 1)))).replace("\n", " ")
    assert "cursed (Ill Health, Wither)" in other
    assert draw_conditions(view_fight(clash(warrior("Elf", 0)), 0)["combat"]["warriors"][0]).height == 0


def test_the_sign_of_an_alerted_weapon_is_filled() -> None:
    alerted, plain = (
        parse_svg(view_picture.draw(view_fight(clash(warrior("White Knight", 0, name), monsters=["Wolf-1"]), 0)))
        for name in ("Great Sword!", "Great Sword")
    )
    assert len(with_class(alerted, "mr-sign")) == len(with_class(plain, "mr-sign")) + 1


def test_chits_that_cannot_be_played_are_counted_and_shown_after_a_melee() -> None:
    fight = fought()
    chits = fight.warrior(0).chits
    hurt = fight.change(0, chits=(2, 1, *chits[2:]))
    shown = parse_svg(view_picture.draw(view_fight(hurt, 0)))
    words = words_in(shown).splitlines()
    assert {"Your active chits", "Your fatigued chits", "Your wounded chits"} <= {*words}
    assert not [handle for handle in spaces_in(shown) if handle.startswith("chit:wounded")]
    acting = roam(go(clash(KNIGHT, monsters=["Wolf-1"]), "pass"), Random(1), "act").change(0, chits=(1, 2, 2, *[0] * 9))
    assert "1 fatigued, 2 wounded" in words_in(parse_svg(view_picture.draw(view_fight(acting, 0)))).splitlines()


def test_e6_before_a_round_the_sheet_begins_with_who_is_there() -> None:
    quiet = roam(clash(warrior("Elf", 0), warrior("Dwarf", 1)), Random(1), "quiet")
    words = words_in(parse_svg(view_picture.draw(view_fight(quiet, 0)))).splitlines()
    assert words.index("Dwarf") < words.index("Thrust")


def test_a_long_line_on_monsters_without_a_sheet_is_broken() -> None:
    names = [f"Sword Goblin-{number}" for number in range(1, 7)]
    shown = view_fight(clash(warrior("Elf", 0), monsters=names), 0)
    for counter in shown["combat"]["counters"]:
        counter.update(on=None, box="smash")
    lines = words_in(parse_svg(view_picture.draw(shown))).splitlines()
    first = next(line for line in lines if line.startswith("On no sheet."))
    assert "Sword Goblin 6" not in first
    assert any("Sword Goblin 6" in line for line in lines)
