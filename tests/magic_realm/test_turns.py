"""Turns and phases, clause by clause: D1 to D7, D13, D14, D25, D28, G3."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.catalog.effects import TABLES
from realmtable.games.magic_realm.day.modifiers import Roll, find_roll, is_at, read_roll
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.day_helpers import (
    GOODS,
    begin,
    box_without,
    day,
    goods,
    next_actor,
    pack,
    pile,
    place,
    play,
    refusal,
    texts,
    used_phases,
)
from tests.magic_realm.flow_helpers import CATALOG, position

PART_ONE = ("hide", "peer", "locate", "loot", "sight", "crypt of the knight", "toadstool circle", "enchanted meadow")


def plan(text: str, *fields: str, hero: str = "Elf", at: str = "B2", cards: tuple[str, ...] = (), **more: str) -> World:
    """Return the state at the beginning of a hero's turn, with active cards or counters."""
    written = text.replace(" ", "_").replace(",_", ";")
    held = goods(*cards) if cards else "1.goods=-"
    boxes = [box_without(*cards)] if cards else []
    return begin(
        day(f"1.at={at}", f"1.plan={written}", held, *boxes, *fields, heroes=hero, **more),
        hero.split(";", maxsplit=1)[0].replace("_", " "),
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


class TestD25:
    """Rearranging."""

    def test_d25_belongings_are_activated_packed_and_left(self) -> None:
        world = plan("-", cards=("Light Bow-1+", "Helmet-1", "Pony-1"))
        assert texts(world) == [
            "activate Helmet-1", "activate Pony-1", "go", "leave Light Bow-1", "leave Helmet-1", "leave Pony-1",
            "pack Light Bow-1", "run on",
        ]  # fmt: skip
        world = play(world, "leave Light Bow-1", "activate Helmet-1")
        assert (pack(world), pile(world, "B2")) == (["Helmet-1+", "Pony-1"], ["Light Bow-1"])
        assert texts(world) == ["activate Pony-1", "go", "leave Pony-1", "run on"]

    def test_d25_each_belonging_changes_at_most_once_in_a_phase(self) -> None:
        world = play(plan("-, -", cards=("Pony-1", "Light Bow-1+")), "pack Light Bow-1")
        assert refusal(world, "activate Light Bow-1") == "D25"
        world = play(world, "leave Pony-1")  # what lies behind it in the pack is remembered
        assert texts(world) == ["go", "run on"]
        assert "activate Light Bow-1" in texts(play(world, "go"))

    def test_d25_who_leaves_everything_is_asked_no_more(self) -> None:
        world = play(plan("-, H", cards=("Light Bow-1+",)), "leave Light Bow-1")
        assert next_actor(world) == "hide"

    def test_d25_only_one_of_a_kind_is_active(self) -> None:
        world = plan("-", cards=("Light Bow-1+", "Spear-1", "Shield-1+", "Shield-2", "Pony-1+", "Pony-2"))
        assert not any(text.startswith("activate") for text in texts(world))
        assert refusal(world, "activate Spear-1") == "D25"
        assert "activate Spear-1" in texts(play(world, "pack Light Bow-1"))

    def test_d25_a_horse_or_boots_must_be_strong_enough(self) -> None:
        assert "activate Pony-1" in texts(plan("-", cards=("Pony-1",)))
        assert "activate Pony-1" not in texts(plan("-", cards=("Pony-1", "Great Axe-1")))
        assert "activate Pony-1" in texts(plan("-", cards=("Pony-1", "Great Axe-1", "Warhorse-1")))
        assert "activate Pony-1" not in texts(plan("-", cards=("Pony-1", "Great Axe-1+", "Warhorse-1")))
        assert "activate Pony-1" not in texts(plan("-", hero="Dwarf", cards=("Pony-1",)))
        assert "activate Elven Slippers" not in texts(plan("-", hero="Dwarf", cards=("Elven Slippers/1",)))
        assert "activate Elven Slippers" in texts(plan("-", cards=("Elven Slippers/1",)))

    def test_d25_a_horse_is_not_active_in_a_cave(self) -> None:
        assert "activate Pony-1" not in texts(plan("-", at="B6", cards=("Pony-1",)))

    def test_d25_a_horse_that_is_no_longer_strong_enough_becomes_inactive(self) -> None:
        world = plan("-", cards=("Pony-1+", "Great Axe-1", "Warhorse-1"))
        assert pack(play(world, "leave Warhorse-1")) == ["Pony-1", "Great Axe-1"]
        assert pack(play(world, "activate Great Axe-1")) == ["Pony-1", "Great Axe-1+", "Warhorse-1"]

    def test_t1_cards_without_effect_cannot_be_activated(self) -> None:
        cards = ("Golden Crown/1", "Lucky Charm/1", "Lost Keys/1", "Deft Gloves/1", "Flying Carpet/1")
        world = plan("-", cards=tuple(cards))
        found = [text for text in texts(world) if text.startswith("activate")]
        assert sorted(found) == ["activate Deft Gloves", "activate Lost Keys", "activate Lucky Charm"]

    def test_t2_enchanted_cards_stay_active(self) -> None:
        world = plan("-", cards=("Cloven Hoof+",))
        assert texts(world) == ["go", "leave Cloven Hoof", "run on"]
        assert refusal(world, "pack Cloven Hoof") == "T2"
        left = play(world, "leave Cloven Hoof")
        assert left.goods[GOODS["Cloven Hoof"]].active

    def test_d25_what_is_wrong_is_refused(self) -> None:
        world = plan("-", cards=("Light Bow-1+", "Helmet-1"))
        assert refusal(world, "pass") == "D25"
        assert refusal(world, "leave Mace-1") == "D25"
        assert refusal(world, "pack Helmet-1") == "D25"
        assert refusal(world, "activate Light Bow-1") == "D25"

    def test_z13_run_on_begins_all_later_phases(self) -> None:
        world = play(plan("A, A, H", cards=("Light Bow-1+",)), "run on")
        assert next_actor(world) == "hide"

    def test_d25_followers_rearrange_after_their_guide(self) -> None:
        world = day("1.plan=A;H", "2.guide=1", "2.plan=F_Elf", "2.at=BV5", heroes="Elf;Berserker")
        world = begin(world)
        assert next_actor(world) == "Elf"
        world = play(world, "go")
        assert next_actor(world) == "Berserker"
        assert next_actor(play(world, "run on", "go")) == "hide"

    def test_x1_an_inactive_card_that_is_left_face_down_is_known_to_its_owner_only(self) -> None:
        plain = [card.name for card in CATALOG.treasures if card.size == "large" and not card.colour]
        cards = (f"{plain[0]}/12", f"{plain[1]}/12", "Cloak of Mist/12")
        world = play(plan("-", "2.at=B3", hero="Elf;Witch", cards=cards), f"leave {plain[0]}")
        assert [world.goods[GOODS[name]].seen for name in (*plain[:2], "Cloak of Mist")] == [1, 1, 3]
        alone = play(plan("-", "2.at=B3", hero="Elf;Witch", cards=cards[:1]), f"leave {plain[0]}")
        assert alone.goods[GOODS[plain[0]]].seen == 3  # it can have been no other card


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


class TestG3:
    """The dice."""

    def roll(self, table: str, *fields: str, hero: str = "Witch", at: str = "B2", cards: tuple[str, ...] = ()) -> Roll:
        held = goods(*cards) if cards else "1.goods=-"
        boxes = [box_without(*cards)] if cards else []
        return find_roll(position(f"1.at={at}", held, *boxes, *fields, heroes=hero), 0, table)

    def test_g3_two_dice_and_the_higher_one_counts(self) -> None:
        assert {self.roll(table) for table in TABLES if table != "runes"} == {Roll(2, 0)}
        assert read_roll("hide", (6, 1), 0) == ("nothing",)
        assert read_roll("hide", (5, 1), 1) == ("nothing",)
        assert read_roll("loot", (6, 1), 1) == ("take 6",)
        assert read_roll("locate", (1, 1), -1) == ("choice",)

    @pytest.mark.parametrize(
        ("hero", "at", "table", "dice"),
        [
            ("Druid", "B2", "hide", 1),
            ("Druid", "B2", "peer", 2),
            ("Dwarf", "B6", "hide", 1),
            ("Dwarf", "B6", "loot", 1),
            ("Dwarf", "B2", "hide", 2),
            ("Woods_Girl", "LW2", "locate", 1),
            ("Woods_Girl", "DW3", "peer", 1),
            ("Woods_Girl", "B2", "peer", 2),
            ("Woods_Girl", "B2-B3", "peer", 2),
        ],
    )
    def test_g3_characters_with_one_die(self, hero: str, at: str, table: str, dice: int) -> None:
        assert self.roll(table, hero=hero, at=at).dice == dice

    @pytest.mark.parametrize(
        ("card", "tables"),
        [
            ("Lucky Charm", ("hide", "peer", "locate", "loot", "sight", "crypt of the knight")),
            ("Shoes of Stealth", ("hide",)),
            ("Deft Gloves", ("loot", "toadstool circle", "crypt of the knight", "enchanted meadow")),
        ],
    )
    def test_g3_active_cards_with_one_die(self, card: str, tables: tuple[str, ...]) -> None:
        rolls = {table for table in PART_ONE if self.roll(table, cards=(f"{card}+",)).dice == 1}
        assert set(tables) <= rolls
        assert card == "Lucky Charm" or rolls == set(tables)
        assert self.roll(tables[0], cards=(f"{card}/1",)).dice == 2

    def test_g3_the_cloven_hoof_adds_one_for_everyone_in_its_clearing(self) -> None:
        hoof = ("Cloven Hoof+",)
        assert self.roll("hide", cards=hoof) == Roll(2, 1)
        world = position(goods(*hoof), box_without(*hoof), "1.at=B2", "2.at=B2", "3.at=B3", heroes="Elf;Witch;Druid")
        assert [find_roll(world, seat, "peer").add for seat in range(3)] == [1, 1, 0]
        pile_of_it = position("piles=B2:Cloven_Hoof^", box_without(*hoof), "1.at=B2", "2.at=B3", heroes="Elf;Witch")
        assert [find_roll(pile_of_it, seat, "peer").add for seat in range(2)] == [1, 0]

    def test_g3_the_cloven_hoof_makes_hiding_harder(self) -> None:
        world = play(plan("H", cards=("Cloven Hoof+",)), "go")
        assert not play(world, "d 5 5").heroes[0].hidden
        assert play(world, "d 4 4").heroes[0].hidden

    @pytest.mark.parametrize(
        ("card", "at", "chit", "add"),
        [
            ("Map of Lost City", "B2", "B:Lost_City", -1),
            ("Map of Lost City", "B2", "B:Hoard", 0),
            ("Map of Lost Castle", "CG2", "CG:Lost_Castle", -1),
            ("Map of Ruins", "R1", "R:Ruins", -1),
            ("Map of Ruins", "R1", "R:Bones", -1),
            ("Map of Ruins", "B2", "B:Ruins", -1),
            ("Map of Ruins", "B2", "B:Bones", 0),
            ("Map of Ruins", "EV2", "B:Bones", 0),  # M5: the Guardhouse has replaced the warning Ruins
        ],
    )
    def test_g3_maps_subtract_one_to_locate(self, card: str, at: str, chit: str, add: int) -> None:
        world = day("1.at=" + at, goods(f"{card}+"), box_without(card), heroes="Witch", chits=chit)
        assert find_roll(world, 0, "locate").add == add
        assert find_roll(world, 0, "peer").add == 0

    def test_g3_nothing_is_at_a_place_on_a_roadway(self) -> None:
        world = position("1.at=B2-B3")
        assert [is_at(world, 0, where) for where in ("", "cave", "Ruins", "dwelling")] == [True, False, False, False]
