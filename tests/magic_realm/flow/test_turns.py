"""Turns and phases, clause by clause: D1 to D7, D13, D14, D28."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import (
    begin,
    box_without,
    day,
    goods,
    next_actor,
    place,
    plan,
    play,
    refusal,
    texts,
    used_phases,
)


class TestD1:
    """Whose turn it is."""

    def test_d1_each_counter_has_the_same_chance(self) -> None:
        world = day(heroes="Elf;Dwarf;Wizard")
        assert MACHINE.label(world) == "next"
        assert [(outcome.move.args, outcome.weight) for outcome in MACHINE.chance(world)] == [
            ((world.heroes[seat].character,), 1) for seat in range(3)
        ]

    def test_d1_the_first_to_take_a_turn_is_the_first_character(self) -> None:
        world = day("1.at=B2-B3", "2.at=B2-B3", heroes="Elf;Dwarf")
        second = begin(world, "Dwarf")
        assert (second.first, second.counters) == (1, (0,))
        assert begin(second, "Elf").day == 2

    def test_d1_the_swordsman_chooses_the_moment_before_each_draw(self) -> None:
        world = day(*(f"{seat}.at=B2-B3" for seat in (1, 2, 3)), heroes="Elf;Swordsman;Witch")
        assert [outcome.move.args for outcome in MACHINE.chance(world)] == [
            (world.heroes[seat].character,) for seat in (0, 2)
        ]
        waiting = begin(world)
        assert (next_actor(waiting), texts(waiting)) == ("Swordsman", ["later", "now"])
        assert refusal(waiting, "pass") == "D1"
        later = play(waiting, "later")
        assert MACHINE.to_move(later) == (CHANCE,)
        assert begin(later, "Witch").day == 2  # he takes his turn last, without being asked
        now = play(waiting, "now")
        assert (now.counters, now.heroes[1].turn_taken) == ((2,), True)

    def test_d1_a_blocked_character_is_no_longer_drawn(self) -> None:
        world = day("1.at=B2", "2.at=B2", "2.unhidden", "1.plan=-", "1.goods=-", "2.goods=-", heroes="Elf;Witch")
        world = play(begin(world), "block Witch")
        assert world.counters == ()


class TestD2:
    """The beginning of a turn."""

    def test_d2_the_character_and_its_followers_become_unhidden(self) -> None:
        world = day("1.plan=H", "2.guide=1", "2.plan=F_Elf", "1.goods=-", heroes="Elf;Dwarf;Witch")
        assert [hero.hidden for hero in begin(world).heroes] == [False, False, True]


class TestD3:
    """Phases are done in order."""

    def test_d3_phases_are_done_in_order_and_lost_ones_count_as_blank(self) -> None:
        world = plan("M B3, M CG2, H, M B2")
        assert (next_actor(world), place(world)) == ("hide", "B3")
        world = play(world, "d 6 6")
        assert place(world) == "B2"
        assert used_phases(world) == ["basic", "basic", "character", "sunlight"]

    def test_z1_a_step_is_carried_out_up_to_the_next_choice_or_event(self) -> None:
        world = begin(day("1.plan=M_B3;A;H", "1.at=B2", "1.goods=-"))
        assert (place(world), world.heroes[0].phase, MACHINE.label(world)) == ("B3", 2, "hide")

    def test_d3_others_see_each_phase_when_it_is_done(self) -> None:
        assert plan("M AV1, H").heroes[0].phase == 1


class TestD4:
    """Basic and sunlight phases."""

    def test_d4_sunlight_phases_come_after_the_basic_ones(self) -> None:
        assert used_phases(plan("A, A, A, A")) == ["basic", "basic", "sunlight", "sunlight"]

    def test_d4_no_sunlight_phase_is_used_if_a_move_to_a_cave_is_written(self) -> None:
        assert used_phases(plan("A, A, A, M B6")) == ["basic", "basic"]

    def test_d4_no_sunlight_phase_is_used_by_those_who_start_in_a_cave(self) -> None:
        world = plan("A, M B1, A", at="B6")
        assert (place(world), used_phases(world)) == ("B1", ["basic", "basic"])

    def test_d4_no_one_moves_into_a_cave_after_a_sunlight_phase(self) -> None:
        fields = ("1.used=basic,basic,sunlight", "1.goods=-", "1.at=B1")
        world = begin(day(*fields, "1.plan=M_B6", heroes="Amazon"), "Amazon")
        assert (place(world), used_phases(world)) == ("B1", ["basic", "basic", "sunlight", "character"])

    def test_d4_followers_are_not_limited(self) -> None:
        world = day("1.at=B1", "2.at=B1", "2.guide=1", "2.plan=F_Elf", "2.used=sunlight", "1.plan=M_B6;H",
                    "1.goods=-", "2.goods=-", heroes="Elf;Witch")  # fmt: skip
        assert place(begin(world), 1) == "B6"


class TestD5:
    """Extra phases, and which phase is used."""

    @pytest.mark.parametrize(
        ("hero", "text", "source"),
        [
            ("Amazon", "M AV1, H", "character"),
            ("Elf", "H", "character"),
            ("Magician", "A, H", "character"),
            ("Berserker", "A, H", "basic"),
        ],
    )
    def test_d5_the_characters_own_phase_comes_first(self, hero: str, text: str, source: str) -> None:
        world = plan(text, hero=hero)
        world = world if world.heroes[0].used else play(world, "d 1 1")
        assert used_phases(world)[0] == source

    def test_d5_the_captain_has_a_phase_for_anything_at_a_dwelling(self) -> None:
        assert used_phases(plan("A, H", hero="Captain", at="BV5")) == ["character", "basic"]
        assert used_phases(plan("A, H", hero="Captain", at="CL2")) == ["basic", "basic"]
        haunted = plan("A, H", "denizens=Ghost-1:B1;Ghost-2:B1", hero="Captain", at="AV5")
        assert used_phases(haunted) == ["basic", "basic"]
        assert used_phases(plan("A, H", hero="Captain", at="BV2")) == ["basic", "basic"]

    def test_d5_items_come_before_the_character_by_their_numbers(self) -> None:
        world = plan("H, H, H", cards=("Cloak of Mist+",))
        world = play(world, "go", "d 6 6", "go", "d 6 6", "go")
        assert used_phases(world) == ["Cloak_of_Mist", "character", "basic"]

    def test_d5_a_place_is_checked_when_the_activity_begins(self) -> None:
        world = play(plan("A, M B1, A, A", at="B6", cards=("Shielded Lantern+",)), "go", "go", "go", "go")
        assert used_phases(world) == ["Shielded_Lantern", "basic", "basic"]

    def test_d5_an_item_must_have_been_active_at_birdsong(self) -> None:
        world = plan("A, A, H, H", cards=("Cloak of Mist",))
        world = play(world, "activate Cloak of Mist", "go", "go", "go", "d 6 6", "go")
        assert used_phases(world) == ["basic", "basic", "character", "sunlight"]

    def test_d5_an_item_must_be_active_when_the_phase_begins(self) -> None:
        world = plan("A, H, H", cards=("Cloak of Mist+",))
        world = play(world, "pack Cloak of Mist", "go", "activate Cloak of Mist", "go", "d 6 6")
        assert used_phases(world) == ["basic", "character"]
        assert used_phases(play(world, "go")) == ["basic", "character", "Cloak_of_Mist"]

    def test_d5_an_item_must_be_active_when_the_activity_begins(self) -> None:
        world = play(plan("H", cards=("Cloak of Mist+",), hero="Witch"), "pack Cloak of Mist", "go")
        assert used_phases(play(world, "d 6 6")) == ["basic"]

    def test_d5_a_phase_without_source_is_lost(self) -> None:
        world = begin(day("1.at=B2", "1.plan=H", "1.used=basic,basic,sunlight,sunlight,character", "1.goods=-"))
        assert world.heroes[0].turn_taken
        assert not world.heroes[0].hidden

    def test_d5_a_workhorse_gives_one_move(self) -> None:
        world = play(plan("M AV1, M AV4, H", cards=("Workhorse-1+",)), "go", "go", "go")
        assert used_phases(world) == ["Workhorse-1", "basic", "character"]


class TestD6:
    """The pony."""

    def test_d6_the_pony_gives_a_move_behind_each_other_move(self) -> None:
        world = play(plan("M AV1, M AV4 pony, M AV1, M B2 pony", cards=("Pony-1+",)), "run on")
        assert place(world) == "B2"
        assert used_phases(world) == ["basic", "Pony-1", "basic", "Pony-1"]

    def test_d6_if_the_pony_is_not_active_its_move_is_lost(self) -> None:
        world = play(plan("M AV1, M AV4 pony, H", cards=("Pony-1+",)), "go", "pack Pony-1", "go", "go")
        assert (place(world), used_phases(world)) == ("AV1", ["basic", "character"])

    def test_d6_a_climb_may_use_the_pony(self) -> None:
        assert place(play(plan("M CG2, M CG2 pony", cards=("Pony-1+",)), "run on")) == "CG2"


def test_d7_the_dwarf_has_no_sunlight_phases() -> None:
    world = plan("A, A, A, M AV1", hero="Dwarf")
    assert (place(world), used_phases(world)) == ("B2", ["basic", "basic"])


class TestD13:
    """Hiding."""

    def test_example_1_hiding(self) -> None:
        world = plan("H")
        assert [outcome.weight for outcome in MACHINE.chance(world)] == [1] * 36
        results = [MACHINE.play(world, CHANCE, outcome.move).heroes[0].hidden for outcome in MACHINE.chance(world)]
        assert sum(results) == 25
        assert not play(world, "d 6 2").heroes[0].hidden
        assert play(world, "d 5 5").heroes[0].hidden
        druid = plan("H", hero="Druid")
        assert len(MACHINE.chance(druid)) == 6
        assert sum(MACHINE.play(druid, CHANCE, outcome.move).heroes[0].hidden for outcome in MACHINE.chance(druid)) == 5

    def test_d13_a_hidden_character_does_not_roll_again(self) -> None:
        world = play(plan("H, H, M AV1"), "d 1 1")
        assert (place(world), world.heroes[0].hidden) == ("AV1", True)
        assert used_phases(world) == ["character", "basic", "basic"]


def test_d14_an_alert_phase_has_no_effect() -> None:
    one, other = plan("A, H"), plan("-, H")
    assert one.heroes[0].chits == other.heroes[0].chits
    assert next_actor(one) == "hide"


class TestD28:
    """Phases that are chosen as they come."""

    def go(self, *fields: str, hero: str = "Elf", cards: tuple[str, ...] = (), at: str = "B2") -> World:
        held = goods(*cards) if cards else "1.goods=-"
        boxes = [box_without(*cards)] if cards else []
        return begin(day(f"1.at={at}", held, *boxes, *fields, heroes=hero, options="recording=as_you_go"), hero)

    def test_d28_each_phase_begins_with_the_choice_of_its_activity(self) -> None:
        world = self.go()
        assert texts(world) == ["-", "A", "H", "M AV1", "M CG2", "M B3", "R", "S", "done"]
        world = play(world, "M B3", "H", "d 1 1", "A", "A")
        assert (place(world), used_phases(world)) == ("B3", ["basic", "character", "basic", "sunlight"])

    def test_d28_a_move_needs_an_open_roadway(self) -> None:
        world = self.go(at="DW1")
        assert refusal(world, "M DW4") == "D28"
        assert "M DW4" in texts(self.go("1.knows=DW1-DW4", at="DW1"))
        assert [text for text in texts(self.go(at="B2-B3")) if text.startswith("M")] == ["M B2", "M B3"]

    def test_d28_the_turn_ends_when_the_player_ends_it_or_no_phase_is_left(self) -> None:
        assert play(self.go(), "done").heroes[0].turn_taken
        world = play(self.go(hero="Witch"), "A", "A", "A", "A")
        assert world.heroes[0].turn_taken
        elf = play(self.go(), "A", "A", "A", "A")
        assert texts(elf) == ["H", "done"]
        assert refusal(elf, "A") == "D28"
        assert refusal(elf, "pass") == "D28"

    def test_d28_no_cave_after_a_sunlight_phase_even_without_active_chits(self) -> None:
        tired = "1.tired=" + ";".join(map(str, range(1, 13)))
        for state in ("1.tired=1", tired):
            world = play(self.go(state, at="B1", cards=("Workhorse-4+",)), "A", "run on", "A", "A")
            assert [text for text in texts(world) if text.startswith("M")] == ["M OW5"]

    def test_d28_an_item_gives_its_phase_as_soon_as_it_is_active_when_the_phase_begins(self) -> None:
        world = play(self.go(cards=("Cloak of Mist/1",), hero="Witch"), "A", "activate Cloak of Mist", "go")
        world = play(world, "H", "go", "d 6 6")
        assert used_phases(world) == ["basic", "Cloak_of_Mist"]

    def test_d28_only_one_horse_gives_phases_on_a_day(self) -> None:
        world = self.go(cards=("Workhorse-1+", "Workhorse-2"))
        world = play(world, "M AV1", "go", "M B2", "pack Workhorse-1", "activate Workhorse-2", "go", "M AV1", "go")
        assert used_phases(world) == ["Workhorse-1", "basic", "basic"]

    def test_d28_sunlight_ends_in_caves(self) -> None:
        world = play(self.go(at="B1", hero="Witch"), "M B6", "M B1")
        assert world.heroes[0].turn_taken  # the sunlight phases are lost
        world = play(self.go(at="B1", hero="Witch"), "A", "A")
        assert "M B6" not in texts(world)

    def test_d28_a_telescope_gives_a_peer_phase(self) -> None:
        assert "P CG2" in texts(self.go(cards=("Ancient Telescope+",), at="L2"))
        assert "P CG2" not in texts(self.go(cards=("Ancient Telescope+",), at="B2"))
