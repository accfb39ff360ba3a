"""The evening without combat: A1 to A6, W2, W3."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.step_text import format_step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import (
    box_without,
    chits,
    goods,
    knows,
    next_actor,
    numbers,
    pack,
    pile,
    place,
    play,
    refusal,
    texts,
)
from tests.magic_realm.helpers.evening_helpers import evening, one
from tests.magic_realm.helpers.flow_helpers import CATALOG

UNHIDDEN = ("1.unhidden", "2.unhidden", "3.unhidden")


def outcomes(world: World) -> list[str]:
    return [format_step(outcome.move) for outcome in MACHINE.chance(world)]


class TestA1:
    """Where something happens."""

    def test_a1_nothing_happens_without_monsters_or_for_hidden_characters(self) -> None:
        assert evening("1.at=B2", "1.unhidden").day == 2
        assert evening("1.at=B2", "denizens=Wolf-1:B2").day == 2
        assert evening("1.at=B2-B3", "1.unhidden", "denizens=Wolf-1:B2").day == 2

    def test_a1_nothing_happens_to_the_pilgrim_among_demons(self) -> None:
        assert one(hero="Pilgrim", monsters="Imp:B2;Demon:B2").day == 2
        assert texts(one(hero="Elf", monsters="Imp:B2"))[-1] == "stay"

    def test_a1_clearings_come_in_the_order_of_tiles_and_numbers(self) -> None:
        fields = ("1.at=CG2", "2.at=BV5", "3.at=CG1", "first=1", "denizens=Giant-1:CG2;Giant-2:CG1;Wolf-1:BV5")
        world = evening(*UNHIDDEN, *fields, heroes="Elf;Dwarf;Wizard")
        asked = []
        while world.part == "evening":
            asked.append(next_actor(world))
            world = play(world, "stay", texts(play(world, "stay"))[0])
        assert asked == ["Dwarf", "Wizard", "Elf"]


class TestA2:
    """Whom monsters attack."""

    def test_a2_chance_chooses_among_several_for_each_monster_in_order(self) -> None:
        fields = ("1.at=B2", "2.at=B2", "3.at=B2", "denizens=Imp:B2;Wolf-2:B2;Wolf-1:B2")
        world = evening("1.unhidden", "2.unhidden", *fields, heroes="Elf;Pilgrim;Wizard")
        assert MACHINE.to_move(world) == (CHANCE,)
        assert MACHINE.label(world) == "attack"
        assert outcomes(world) == ["attack Wolf-1 Elf", "attack Wolf-1 Pilgrim"]
        world = play(world, "attack Wolf-1 Pilgrim", "attack Wolf-2 Pilgrim")
        # The Imp spares the Pilgrim, so that it can attack the Elf only.
        assert next_actor(world) == "Elf"
        world = play(world, "stay", "wound Move M4")
        assert next_actor(world) == "Pilgrim"
        world = play(world, "stay", "wound Move H6", "wound Magic I6*")
        assert world.day == 2

    def test_a2_someone_whom_no_monster_has_chosen_is_not_asked(self) -> None:
        fields = ("1.at=B2", "2.at=B2", "denizens=Wolf-1:B2")
        world = play(evening("1.unhidden", "2.unhidden", *fields, heroes="Elf;Witch"), "attack Wolf-1 Witch")
        assert next_actor(world) == "Witch"
        assert play(world, "stay", texts(play(world, "stay"))[0]).day == 2

    def test_a2_monsters_attack_whether_they_have_blocked_or_not(self) -> None:
        assert texts(one(monsters="Wolf-1:B2*"))[-1] == "stay"

    def test_a2_chance_can_do_nothing_else(self) -> None:
        fields = ("1.at=B2", "2.at=B2", "denizens=Wolf-1:B2")
        world = evening("1.unhidden", "2.unhidden", *fields, heroes="Elf;Witch")
        with pytest.raises(Exception, match="by chance"):
            play(world, "attack Wolf-2 Witch")


class TestA3:
    """The order of decisions."""

    def test_a3_the_first_character_of_the_day_decides_first(self) -> None:
        fields = ("1.at=B2", "2.at=B2", "3.at=B2", "first=2", "denizens=Wolf-1:B2;Wolf-2:B2;Wolf-3:B2")
        world = evening(*UNHIDDEN, *fields, heroes="Elf;Witch;Wizard")
        world = play(world, "attack Wolf-1 Elf", "attack Wolf-2 Witch", "attack Wolf-3 Wizard")
        asked = []
        while world.part == "evening":
            asked.append(next_actor(world))
            world = play(world, "stay", texts(play(world, "stay"))[0])
        assert asked == ["Witch", "Wizard", "Elf"]

    def test_a3_someone_who_can_only_stay_is_asked(self) -> None:
        """What roadways are open to them is their secret (Z3)."""
        assert texts(one(monsters="Octopus:B2", hero="Dwarf")) == ["stay"]

    def test_a3_other_answers_are_refused(self) -> None:
        assert refusal(one(), "pass") == "A3"


class TestA4:
    """What it takes to run."""

    def test_a4_the_time_must_be_below_that_of_every_attacker(self) -> None:
        ways = {text.partition(" with ")[2] for text in texts(one())}
        assert ways == {"", "Move L2*"}  # a Wolf has 3
        assert refusal(one(), "run B2-B3 with Move M4") == "A4"
        ways = {text.partition(" with ")[2] for text in texts(one(monsters="Giant-1:B2"))}
        assert ways == {"", "Move L2*", "Move L3*", "Move M4"}
        ways = {text.partition(" with ")[2] for text in texts(one(monsters="Giant-1:B2;Ghost-1:B2"))}
        assert ways == {"", "Move L2*", "Move L3*"}

    def test_a4_only_active_move_chits_count(self) -> None:
        world = one(f"1.tired={numbers('Elf', 'Move L2*')}", f"1.wounded={numbers('Elf', 'Move L3*')}")
        assert texts(world) == ["stay"]

    def test_a4_the_duck_chit_does_not_help_the_dwarf(self) -> None:
        ways = {text.partition(" with ")[2] for text in texts(one(hero="Dwarf", monsters="Giant-1:B2"))}
        assert ways == {""}
        ways = {text.partition(" with ")[2] for text in texts(one(hero="Dwarf", monsters="T_Dragon-1:B2"))}
        assert ways == {"", "Move H5*", "Move T5**"}

    def test_a4_the_piece_must_bear_the_character_and_all_items(self) -> None:
        world = one(goods("Spear-1"), monsters="Giant-1:B2")
        assert {text.partition(" with ")[2] for text in texts(world)} == {"", "Move M4"}
        world = one(goods("Spear-1", "Pony-1"), monsters="Giant-1:B2")  # the inactive pony carries the Spear
        assert {text.partition(" with ")[2] for text in texts(world)} == {"", "Move L2*", "Move L3*", "Move M4"}
        world = one(goods("Great Sword"), monsters="Giant-1:B2")
        assert texts(world) == ["stay"]

    def test_a4_boots_can_be_used(self) -> None:
        fields = (goods("Quick Boots+", "Spear-1"), box_without("Quick Boots"))
        world = one(*fields, monsters="Giant-1:B2")
        assert {text.partition(" with ")[2] for text in texts(world)} == {"", "Move M4", "Quick Boots"}
        fields = (goods("Quick Boots/1", "Spear-1"), box_without("Quick Boots"))
        assert {text.partition(" with ")[2] for text in texts(one(*fields, monsters="Giant-1:B2"))} == {"", "Move M4"}

    def test_a4_either_side_of_a_horse_can_be_used_outside_caves(self) -> None:
        tired = f"1.tired={numbers('Elf', 'Move L2*', 'Move L3*', 'Move M4')}"
        world = one(tired, goods("Pony-3+", "Spear-1"), monsters="Giant-1:B2")
        assert texts(world) == ["stay"]  # it walks in time 5, and galloping, it bears light items only
        world = one(tired, goods("Pony-3+"), monsters="Giant-1:B2")
        assert {text.partition(" with ")[2] for text in texts(world)} == {"", "Pony-3"}
        world = one(tired, goods("Pony-5+", "Spear-1"), monsters="Giant-1:B2")
        assert {text.partition(" with ")[2] for text in texts(world)} == {"", "Pony-5"}
        world = one(tired, goods("Pony-5+"), monsters="Giant-1:CN6", at="CN6")
        assert texts(world) == ["stay"]

    def test_a4_two_stars_cost_one_star_of_a_move_chit(self) -> None:
        world = play(one(hero="Black_Knight", monsters="Giant-1:B2"), "run B2-B3 with Move H4**")
        assert texts(world) == ["tire Move H5*", "tire Move M4*"]
        assert refusal(world, "tire Fight H5*") == "A4"
        world = play(world, "tire Move H5*")
        assert (world.day, chits(world, "fatigued")) == (2, ["Move H5*"])

    def test_a4_the_chit_itself_is_fatigued_if_nothing_else_is_possible(self) -> None:
        tired = f"1.wounded={numbers('Black Knight', 'Move H5*', 'Move M4*')}"
        world = play(one(tired, hero="Black_Knight", monsters="Giant-1:B2"), "run B2-B3 with Move H4**")
        assert (world.day, chits(world, "fatigued")) == (2, ["Move H4**"])

    def test_a4_a_fatigued_chit_of_the_same_type_becomes_active_for_the_star_too_many(self) -> None:
        states = (f"1.tired={numbers('Black Knight', 'Move H5*')}", f"1.wounded={numbers('Black Knight', 'Move M4*')}")
        world = play(one(*states, hero="Black_Knight", monsters="Giant-1:B2"), "run B2-B3 with Move H4**")
        assert (world.day, chits(world, "fatigued")) == (2, ["Move H4**"])
        assert "Move H5*" in chits(world, "active")

    def test_a4_one_star_costs_nothing(self) -> None:
        world = play(one(), "run B2-B3 with Move L2*")
        assert (world.day, chits(world, "fatigued")) == (2, [])


class TestA5:
    """Where to run."""

    def test_a5_someone_who_came_by_a_move_runs_back(self) -> None:
        world = one("1.came=B2-B3")
        assert texts(world) == ["run B2-B3 with Move L2*", "stay"]
        assert refusal(world, "run B2-CG2 with Move L2*") == "A5"

    def test_a5_others_run_onto_any_roadway_that_is_open_to_them(self) -> None:
        known = texts(one("1.knows=CG2-CG3", at="CG2", monsters="Wolf-1:CG2"))
        unknown = texts(one(at="CG2", monsters="Wolf-1:CG2"))
        assert {*known} - {*unknown} == {"run CG2-CG3 with Move L2*"}
        assert [text.split()[1] for text in unknown[:-1]] == ["CG2-CG5", "CG2-B2"]
        assert refusal(one(at="CG2", monsters="Wolf-1:CG2"), "run CG2-CG3 with Move L2*") == "A5"

    def test_a5_the_night_is_spent_on_the_roadway_with_all_belongings(self) -> None:
        world = play(one(goods("Spear-1", "Pony-1"), monsters="Giant-1:B2"), "run B2-B3 with Move L3*")
        assert place(world) == "B2-B3"
        assert pack(world) == ["Spear-1", "Pony-1"]
        assert chits(world, "wounded") == []

    def test_a5_those_who_see_someone_run_onto_a_hidden_path_discover_it(self) -> None:
        fields = (
            "1.at=CG2",
            "2.at=CG2",
            "3.at=CG3",
            "4.at=CG3",
            "1.unhidden",
            "1.knows=CG2-CG3",
            "denizens=Wolf-1:CG2",
        )
        world = evening(*fields, heroes="Elf;Witch;Druid;Wizard")
        world = play(world, "run CG2-CG3 with Move L2*")
        assert [knows(world, seat) for seat in range(4)] == [["CG2-CG3"]] * 3 + [[]]  # the Wizard knows it anyway


class TestW2:
    """Wounds (A6)."""

    def test_a6_one_wound_for_each_attacker(self) -> None:
        world = play(one(monsters="Wolf-1:B2;Wolf-2:B2"), "stay")
        assert sorted(texts(world)) == sorted({f"wound {label}" for label in chits(world, "active")})
        world = play(world, "wound Fight M4", "wound Move M4")
        assert (world.day, chits(world, "wounded")) == (2, ["Move M4", "Fight M4"])

    def test_w2_a_fatigued_chit_only_if_none_is_active(self) -> None:
        world = play(one("1.tired=1;2;3;4;5;6;7;8;9;10;11", monsters="Wolf-1:B2;Wolf-2:B2"), "stay")
        # The only active chit is wounded without a question.
        assert chits(world, "wounded") == ["Fight M4"]
        assert refusal(world, "wound Fight M4") == "W2"
        world = play(world, "wound Move L3*")
        assert chits(world, "wounded") == ["Move L3*", "Fight M4"]

    def test_a6_wounds_end_with_death(self) -> None:
        world = play(one("1.wounded=1;2;3;4;5;6;7;8;9;10;11", monsters="Wolf-1:B2;Wolf-2:B2;Wolf-3:B2"), "stay")
        assert (world.day, world.part, world.heroes[0].dead) == (2, "birdsong", True)


DYING = "1.wounded=1;2;3;4;5;6;7;8;9;10;11"


class TestW3:
    """Death."""

    def test_w3_belongings_go_under_the_pile_the_oldest_on_top_and_the_rest_is_lost(self) -> None:
        fields = (
            goods("Spear-1", "Quick Boots+", "Golden Crown/12", "Golden Icon+"),
            box_without("Quick Boots", "Golden Crown", "Golden Icon"),
            "piles=B2:Mace-1",
            "1.gold=30",
            "1.fame=5",
            "1.notoriety=7",
            "1.knows=Hoard",
        )
        world = play(one(DYING, *fields, "2.at=CG2", hero="Elf;Witch", options="restart=no"), "stay")
        assert pile(world, "B2") == ["Mace-1", "Spear-1", "Quick Boots", "Golden Crown", "Golden Icon"]
        hero = world.heroes[0]
        assert (hero.dead, hero.gold, hero.fame, hero.notoriety, knows(world)) == (True, 0, 0, 0, [])
        assert (place(world), pack(world)) == ("nowhere", [])
        assert (world.day, MACHINE.to_move(world)) == (2, (1,))

    def test_w3_others_still_know_the_face_down_cards_that_they_knew_because_the_order_is_known(self) -> None:
        cards = ("Golden Crown/12", "Imperial Tabard/1", "Regent of Jewels/1")
        world = play(one(DYING, goods(*cards), box_without(*cards), "2.at=CG2", hero="Elf;Witch"), "stay")
        assert [world.goods[number].seen for number in world.tiles[15].piles[2]] == [3, 1, 1]
        seen = SeatView(world, 1).pile(CATALOG.names.by_name("clearing")["B2"])
        assert [thing.is_known for thing in seen] == [True, False, False]
