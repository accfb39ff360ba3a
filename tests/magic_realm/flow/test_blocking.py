"""Blocking and the end of turns, clause by clause: L1 to L7, P1 to P8."""

from __future__ import annotations

import pytest

from realmtable.games.magic_realm.world.knowledge import everyone
from realmtable.games.magic_realm.world.open_slots import site_slot, warning_slot
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import (
    MONSTER,
    begin,
    blocked_flags,
    day,
    end_of_turn,
    monsters,
    next_actor,
    place,
    play,
    refusal,
    texts,
)
from tests.magic_realm.helpers.flow_helpers import CATALOG

TILE = {tile.code: tile.id for tile in CATALOG.tiles}

NEVER = "orders=block:never"


def meet(*fields: str, heroes: str = "Elf;Witch;Druid", plan: str = "-;H", **more: str) -> World:
    """Return the state after the first phase of the first hero, with everyone in one clearing without goods."""
    seats = heroes.count(";") + 1
    names = [field.partition("=")[0] for field in fields]
    usual = [f"{seat}.{name}" for seat in range(1, seats + 1) for name in ("at=B2", "goods=-")]
    usual = [field for field in usual if field.partition("=")[0] not in names]
    first = heroes.partition(";")[0].replace("_", " ")
    return begin(day(*usual, *fields, f"1.plan={plan}", heroes=heroes, **more), first)


class TestL1:
    """Monsters."""

    @pytest.mark.parametrize("row", [2, 4])
    def test_l1_an_unhidden_character_is_blocked_by_every_monster_prowling_or_not(self, row: int) -> None:
        world = meet("denizens=Giant-1:B2;Wolf-1:B2;Wolf-2:B3", f"rows={row}", heroes="Elf", options="two_rows=never")
        assert blocked_flags(world) == [True]
        assert (monsters(world)["Giant-1"], monsters(world)["Wolf-1"]) == ("B2*", "B2*")
        assert monsters(world)["Wolf-2"] == "B3"

    @pytest.mark.parametrize("plan", ["-", "M_CG4", "M_CG2", "A"])
    def test_l1_blank_and_lost_phases_and_first_moves_to_mountains_count(self, plan: str) -> None:
        assert blocked_flags(meet("denizens=Giant-1:B2", heroes="Elf", plan=plan)) == [True]

    @pytest.mark.parametrize("options", ["", "recording=as_you_go"])
    def test_b3_l1_a_turn_without_phases_has_a_blank_one(self, options: str) -> None:
        fields = ("denizens=Giant-1:B2", "1.at=B2", "1.unhidden", "1.goods=Light_Bow-1+")
        world = begin(day(*fields, options=options))
        if options:
            world = play(world, "done")
        assert (blocked_flags(world), world.heroes[0].used) == ([True], ())

    def test_l1_what_is_left_of_the_turn_is_lost(self) -> None:
        world = meet("denizens=Giant-1:B2", heroes="Elf", plan="A;M_B3;M_B2")
        assert (place(world), world.heroes[0].phase) == ("B2", 1)

    def test_m9_demons_and_the_imp_do_not_block_the_pilgrim(self) -> None:
        demons = "denizens=Demon:B2;Winged_Demon:B2;Imp:B2"
        assert blocked_flags(meet(demons, "1.orders=block:never", heroes="Pilgrim")) == [False]
        assert blocked_flags(meet(demons, heroes="Elf")) == [True]
        assert blocked_flags(meet(f"{demons};Giant-1:B2", "1.orders=block:never", heroes="Pilgrim")) == [True]


class TestL2:
    """Hidden characters."""

    def test_l2_monsters_do_not_block_hidden_characters(self) -> None:
        world = play(
            meet("denizens=Giant-1:B2", "1.at=B3", "1.orders=block:never", heroes="Elf", plan="H;M_B2;A"), "d 1 1"
        )
        assert (place(world), blocked_flags(world)) == ("B2", [False])

    @pytest.mark.parametrize(
        ("found", "held", "can"),
        [
            ("", "-", False),
            ("all", "-", True),
            ("counters", "Spear-1", True),
            ("counters", "-", False),
            ("cards", "Spear-1", False),
            ("cards", "Golden_Crown/2", True),
            ("counters", "Golden_Crown/2", False),
        ],
    )
    def test_l2_d22_others_block_them_only_if_they_see_them(self, found: str, held: str, can: bool) -> None:
        large = "boxes=Hoard:large,large,large,large,small,small,small,small"
        fields = [f"2.goods={held}", *([f"1.found={found}"] if found else []), *([large] if "Crown" in held else [])]
        world = meet(*fields, heroes="Elf;Witch")
        assert (next_actor(world) == "Elf") == can
        if can:
            assert texts(world) == ["block Witch", "pass"]


class TestL3:
    """Characters."""

    def test_l3_others_may_block_the_character_whose_turn_it_is_and_it_may_block_them(self) -> None:
        world = meet("2.unhidden", "3.unhidden")
        assert (next_actor(world), texts(world)) == ("Elf", ["block Druid", "block Witch", "pass"])
        world = play(world, "pass")
        assert (next_actor(world), texts(world)) == ("Witch", ["block Elf", "pass"])
        assert next_actor(play(world, "pass")) == "Druid"
        assert next_actor(play(world, "pass", "pass")) == "hide"

    def test_l3_blocking_is_mutual_and_both_become_unhidden(self) -> None:
        world = play(meet(), "block Elf")  # the Witch, hidden, blocks the Elf
        assert blocked_flags(world) == [True, True, False]
        assert [hero.hidden for hero in world.heroes] == [False, False, True]
        assert (world.counters, world.heroes[0].phase) == ((2,), 1)

    def test_l3_both_may_still_block_others_and_are_asked_again(self) -> None:
        world = play(meet("2.unhidden", "3.unhidden"), "block Witch")
        assert (next_actor(world), texts(world)) == ("Elf", ["block Druid", "pass"])
        assert blocked_flags(play(world, "block Druid")) == [True, True, True]

    def test_l3_nobody_is_asked_to_block_someone_who_is_blocked_already(self) -> None:
        world = meet("denizens=Giant-1:B2")
        assert blocked_flags(world) == [True, False, False]
        assert next_actor(world).startswith("chit")

    def test_l3_those_who_have_had_their_turn_lose_nothing_else(self) -> None:
        world = play(meet("2.done", "waiting=13", "first=2"), "block Elf")
        assert (blocked_flags(world), world.counters) == ([True, True, False], (2,))

    def test_l3_a_character_may_block_monsters(self) -> None:
        world = play(meet("denizens=Giant-1:B2", "1.at=B3", heroes="Elf", plan="H;M_B2;A"), "d 1 1")
        assert (next_actor(world), texts(world)) == ("Elf", ["block Giant-1", "pass"])
        assert not play(world, "pass").heroes[0].blocked
        world = play(world, "block Giant-1")
        assert (blocked_flags(world), world.heroes[0].hidden, monsters(world)) == ([True], False, {"Giant-1": "B2*"})

    def test_l3_someone_who_loses_the_whole_turn_ends_none(self) -> None:
        world = end_of_turn(play(meet("3.at=B2-B3"), "block Elf"))  # the Elf's turn ends, the Witch has none
        assert (next_actor(world), world.counters) == ("next", (2,))

    def test_z9_standing_orders_answer(self) -> None:
        orders = [f"{seat}.orders=block:never" for seat in (1, 2, 3)]
        assert next_actor(meet("2.unhidden", *orders)) == "hide"

    def test_z10_the_first_character_of_the_day_is_asked_first(self) -> None:
        world = meet("2.done", "2.unhidden", "3.unhidden", "waiting=13", "first=2")
        assert next_actor(world) == "Witch"
        assert next_actor(play(world, "pass")) == "Druid"
        assert next_actor(play(world, "pass", "pass")) == "Elf"

    def test_l3_what_is_wrong_is_refused(self) -> None:
        world = meet("2.unhidden")
        assert refusal(world, "block Druid") == "L3"
        assert refusal(world, "go") == "L3"

    def test_l3_the_dead_block_no_one(self) -> None:
        assert next_actor(meet("2.dead", "3.dead", "waiting=1")) == "hide"

    def test_l3_positions_with_questions_above_the_dead_can_be_read(self) -> None:
        """`play` writes and reads every state; no question for the dead may wait on the agenda."""
        world = begin(day("1.plan=A;A", "1.goods=-", "2.goods=-", "2.unhidden", "3.dead", "waiting=12",
                          heroes="Elf;Dwarf;Witch"))  # fmt: skip
        assert next_actor(world) == "Elf"
        assert [frame.seat for frame in world.agenda if frame.kind == "block"] == [0, 1][::-1]


class TestL7:
    """Followers and roadways."""

    def test_l7_followers_neither_block_nor_are_blocked(self) -> None:
        world = meet("2.guide=1", "2.plan=F_Elf", "3.guide=1", "3.plan=F_Elf", "denizens=Giant-1:B2")
        assert blocked_flags(world) == [True, False, False]
        assert next_actor(meet("2.guide=1", "2.plan=F_Elf", "3.at=B3")) == "hide"

    def test_b4_l7_those_who_follow_in_a_circle_count_as_following(self) -> None:
        circle = ("2.plan=F_Druid", "3.plan=F_Witch", "2.done", "3.done", "waiting=1", "2.unhidden", "3.unhidden")
        assert next_actor(meet(*circle)) == "hide"

    def test_b4_l7_arriving_monsters_block_neither_a_circle_nor_those_who_follow_it(self) -> None:
        plans = ["2.plan=F_Druid", "3.plan=F_Witch", "4.plan=F_Druid"]
        here = [f"{seat}.{field}" for seat in (2, 3, 4) for field in ("at=CG2", "done", "unhidden", "goods=-", NEVER)]
        arrival = ("denizens=Giant-1:CG6", "1.at=CG2", "1.unhidden", f"1.{NEVER}", "waiting=15", "5.at=B1", *here)
        heroes = "Elf;Witch;Druid;Dwarf;Amazon"  # the last one keeps the day from ending
        assert blocked_flags(ends("Elf", *arrival, *plans, heroes=heroes)) == [True, False, False, False, False]
        assert blocked_flags(ends("Elf", *arrival, heroes=heroes)) == [
            True,
            True,
            True,
            True,
            False,
        ]  # after their turns

    def test_l7_no_one_blocks_on_a_roadway(self) -> None:
        roadway = [f"{seat}.at=B2-B3" for seat in (1, 2, 3)]
        assert next_actor(meet(*roadway, "2.unhidden", plan="-")) == "next"

    def test_l7_blocked_characters_do_not_rearrange(self) -> None:
        world = meet("1.goods=Light_Bow-1+", "1.blocked", heroes="Elf")
        assert world.heroes[0].phase == 0


CHITS = "CG:Bones;CG:Howl-4"


def ends(hero: str, *fields: str, row: int = 4, chits: str = CHITS, plan: str = "", **more: str) -> World:
    """Return the state when a hero has ended the turn in a tile with known chits."""
    heroes = more.pop("heroes", hero)
    fields = (*fields, f"rows={row}", "1.goods=-", *([f"1.plan={plan}"] if plan else []))
    if "two_rows" not in more.get("options", "") and heroes.count(";") == 0:
        more["options"] = "two_rows=never"
    return begin(day(*fields, heroes=heroes, chits=chits, **more), hero.replace("_", " "))


class TestP1:
    """Prowling monsters move."""

    def test_p1_prowling_monsters_of_the_tile_come_even_to_a_hidden_character(self) -> None:
        world = ends("Elf", "denizens=Giant-1:CG6;Giant-2:B2;Wolf-1:CG5", "1.at=CG2", plan="H", heroes="Elf;Witch")
        world = play(world, "d 1 1")
        assert monsters(world) == {"Giant-1": "CG2", "Giant-2": "B2", "Wolf-1": "CG5"}

    def test_l5_p1_those_that_have_blocked_or_been_blocked_stay(self) -> None:
        world = ends("Elf", "denizens=Giant-1:CG6*", "1.at=CG2", "2.at=B1", heroes="Elf;Witch")
        assert monsters(world) == {"Giant-1": "CG6*", "Giant-2": "CG2*"}

    def test_p1_the_ghosts_prowl_every_day(self) -> None:
        world = ends("Elf", "1.at=AV2", "2.at=B1", "denizens=Ghost-2:B3", heroes="Elf;Witch")
        assert [world.denizens[MONSTER[name]].place for name in ("Ghost-1", "Ghost-2")] == [
            world.heroes[0].place,
            TILE["B"] * 8 + 3,
        ]
        assert blocked_flags(world)[0]

    def test_p1_nothing_happens_on_a_roadway(self) -> None:
        world = ends("Elf", "denizens=Giant-1:CG6", "1.at=CG2-CG5", "2.at=B1", heroes="Elf;Witch")
        assert monsters(world) == {"Giant-1": "CG6"}
        assert world.slots[warning_slot(TILE["CG"])].seen == 0


class TestL4:
    """Arriving monsters."""

    def test_l4_they_block_all_unhidden_characters_in_the_clearing(self) -> None:
        others = ("2.at=CG2", "2.unhidden", "3.at=CG2", *(f"{seat}.{NEVER}" for seat in (1, 2, 3)))
        world = ends("Elf", "denizens=Giant-1:CG6", "1.at=CG2", *others, heroes="Elf;Witch;Druid")
        assert blocked_flags(world) == [True, True, False]
        assert world.counters == (2,)

    def test_l4_monsters_that_were_there_do_not_block_those_whose_turn_it_is_not(self) -> None:
        others = ("2.at=CG2", "2.unhidden", "2.orders=block:never")
        fields = ("denizens=Wolf-1:CG2;Giant-1:B1;Giant-2:B1", "1.at=CG2", "1.orders=block:never")
        world = ends("Elf", *fields, *others, heroes="Elf;Witch", plan="-")
        assert blocked_flags(world) == [True, False]

    def test_l4_hidden_characters_may_block_the_arriving_monsters(self) -> None:
        world = ends(
            "Elf", "denizens=Giant-1:CG6;Wolf-1:CG2", "1.at=CG2", "2.at=CG2", plan="H", heroes="Elf;Witch;Dwarf"
        )
        world = play(world, "d 1 1")
        assert texts(world) == ["block Wolf-1", "pass"]  # at the end of the phase
        world = play(world, "pass")
        assert (next_actor(world), texts(world)) == ("Elf", ["block Giant-1", "pass"])
        assert refusal(world, "block Wolf-1") == "L4"
        world = play(world, "pass")
        assert next_actor(world) == "Witch"
        world = play(world, "block Giant-1")
        assert (blocked_flags(world), monsters(world)["Giant-1"]) == ([False, True, False], "CG2*")

    def test_d24_followers_of_a_guide_who_loses_the_turn_have_none(self) -> None:
        others = ("2.at=CG2", "2.unhidden", "3.at=CG2", "3.guide=2", "3.plan=F_Witch", "waiting=124")
        never = [f"{seat}.{NEVER}" for seat in (1, 2, 3)]
        fields = ("denizens=Giant-1:CG6;Giant-2:B1", "1.at=CG2", "4.at=B1", *never)
        world = ends("Elf", *fields, *others, heroes="Elf;Witch;Druid;Dwarf")
        assert (blocked_flags(world), world.counters) == ([True, True, False, False], (3,))
        assert (world.heroes[2].guide, world.heroes[2].hidden) == (-1, False)


class TestP2:
    """Chits turn up."""

    def test_p2_all_chits_of_the_tile_are_decided_and_turned_up(self) -> None:
        world = ends("Elf", "1.at=CG2", "2.at=B1", heroes="Elf;Witch", chits="")
        assert next_actor(world).startswith("chit")
        world = play(world, "chit CG Bones", "chit CG Howl-4")
        for slot in (warning_slot(TILE["CG"]), site_slot(TILE["CG"])):
            assert (world.slots[slot].face_up, world.slots[slot].seen) == (True, everyone(world))

    def test_p2_campfires_replace_their_warnings(self) -> None:
        world = play(ends("Elf", "1.at=LW4", "2.at=B1", heroes="Elf;Witch", chits=""), "chit LW Smoke")
        assert world.tiles[TILE["LW"]].dwelling == 5
        assert not world.slots[warning_slot(TILE["LW"])].summoned

    def test_p2_the_chits_of_the_lost_city_are_laid_out_face_up(self) -> None:
        world = ends("Elf", "1.at=CG2", "2.at=B1", heroes="Elf;Witch", chits="CG:Bones;CG:Lost_Castle")
        names = ["Howl-4", "Flutter-1", "Vault", "Patter-2", "Roar-4"]
        for name in names:
            assert next_actor(world).startswith("chit")
            world = play(world, f"chit CG {name}")
        # Bones: a Giant; clearing 3: the troll of the Vault; Roar 4: the other Giant
        assert {name: where.rstrip("*") for name, where in monsters(world).items()} == {
            "Giant-1": "CG2",
            "T Troll-2": "CG3",
            "Giant-2": "CG4",
        }


class TestP3:
    """Summoning."""

    def test_example_10_summoning(self) -> None:
        world = play(ends("Dwarf", "1.at=CG6", plan="H"), "d 1 1")
        assert monsters(world) == {"Giant-1": "CG6"}
        later = ("denizens=Giant-1:CG6", "1.at=CG6", "2.at=CG1")
        world = ends("Dwarf", *later, "2.unhidden", "3.at=B1", row=6, heroes="Dwarf;Elf;Witch")
        bats = {name: where for name, where in monsters(world).items() if "Bat" in name}
        assert bats == {"Giant Bat-1": "CG6*", "Giant Bat-2": "CG4", "Giant Bat-3": "CG4"}
        assert world.heroes[0].blocked
        world = begin(world, "Elf")
        bats = {name: where for name, where in monsters(world).items() if "Bat" in name}
        assert bats == {"Giant Bat-1": "CG6*", "Giant Bat-2": "CG1*", "Giant Bat-3": "CG1*"}
        assert world.heroes[1].blocked

    def test_p3_the_leftmost_box_that_is_not_empty(self) -> None:
        world = ends("Elf", "denizens=Giant-1:B1", "1.at=CG2", "2.at=B3", heroes="Elf;Witch")
        assert monsters(world) == {"Giant-1": "B1", "Giant-2": "CG2*"}
        world = ends("Elf", "denizens=Giant-1:B1;Giant-2:B1", "1.at=CG2", "2.at=B3", heroes="Elf;Witch")
        assert monsters(world) == {"Giant-1": "B1", "Giant-2": "B1"}

    def test_p3_a_chit_summons_once_a_day(self) -> None:
        world = ends("Elf", "1.at=CG2", "2.at=CG1", "3.at=B1", heroes="Elf;Witch;Dwarf")
        assert monsters(world) == {"Giant-1": "CG2*"}
        assert monsters(begin(world, "Witch")) == {"Giant-1": "CG2*"}

    def test_p3_a_sound_with_a_letter_works_only_in_tiles_of_that_group(self) -> None:
        world = ends("Elf", "1.at=CG2", "2.at=B1", row=3, heroes="Elf;Witch")
        assert monsters(world) == {}  # Howl summons goblins only in caves
        world = ends("Elf", "1.at=B2", "2.at=CG1", row=3, heroes="Elf;Witch", chits="B:Bones;B:Howl-4")
        assert set(monsters(world).values()) == {"B4"}

    def test_p3_with_two_rows_the_lower_one_comes_first_and_it_is_one_box(self) -> None:
        world = ends("Elf", "1.at=CG2", "2.at=B1", row=46, heroes="Elf;Witch", options="two_rows=always")
        found = {name: where.rstrip("*") for name, where in monsters(world).items()}
        assert found == {"Giant-1": "CG2", "Giant Bat-1": "CG4"}

    def test_p3_the_sound_before_the_site_in_the_same_clearing(self) -> None:
        world = ends("Elf", "1.at=CG2", "2.at=B1", heroes="Elf;Witch", chits="CG:Dank;CG:Lost_Castle")
        for name in ("Vault", "Slither-3", "Howl-4", "Howl-5", "Roar-6"):
            world = play(world, f"chit CG {name}")
        assert {name: where.rstrip("*") for name, where in monsters(world).items()} == {
            "T Troll-2": "CG3",
            "Giant-1": "CG6",
        }

    def test_p4_monsters_that_have_just_appeared_do_not_move(self) -> None:
        world = ends("Elf", "1.at=CG2", "2.at=B1", row=6, heroes="Elf;Witch")
        assert monsters(world)["Giant Bat-2"] == "CG4"


class TestP7:
    """Peace with nature."""

    def test_example_11_druid(self) -> None:
        world = ends("Druid", "1.at=CG2", "2.at=CG5", heroes="Druid;Pilgrim")
        assert monsters(world) == {}
        slot = world.slots[warning_slot(TILE["CG"])]
        assert (slot.seen, slot.face_up, slot.summoned) == (3, False, False)
        world = begin(world, "Pilgrim")
        assert {name: where.rstrip("*") for name, where in monsters(world).items()} == {"Giant-1": "CG5"}

    def test_p7_sites_summon_and_stay_face_up(self) -> None:
        world = ends("Druid", "1.at=CG2", "2.at=CG5", heroes="Druid;Pilgrim", chits="CG:Bones;CG:Vault")
        assert monsters(world) == {"T Troll-2": "CG3"}
        assert world.slots[site_slot(TILE["CG"])].summoned

    def test_p7_his_followers_summon_as_usual(self) -> None:
        follower = ("2.at=CG2", "2.guide=1", "2.plan=F_Druid")
        world = ends("Druid", "1.at=CG2", *follower, "3.at=B1", heroes="Druid;Pilgrim;Elf")
        assert monsters(world) == {"Giant-1": "CG2*"}


class TestP8:
    """Midnight."""

    def test_p8_chits_are_turned_down_and_everyone_knows_them(self) -> None:
        world = ends("Elf", "1.at=CG2")
        assert (world.day, world.part) == (2, "birdsong")
        slot = world.slots[warning_slot(TILE["CG"])]
        assert (slot.face_up, slot.seen, slot.summoned) == (False, 1, False)
        assert world.slots[warning_slot(TILE["BV"])].face_up  # the Inn stands there

    def test_p8_the_lost_castle_and_campfires_stay(self) -> None:
        world = ends("Elf", "1.at=CG2", chits="CG:Bones;CG:Lost_Castle", row=2)
        for name in ("Howl-4", "Flutter-1", "Vault", "Patter-2", "Roar-4"):
            world = play(world, f"chit CG {name}")
        assert world.day == 2
        assert world.slots[site_slot(TILE["CG"])].face_up
        assert [slot.face_up for slot in world.slots[45:50]] == [False] * 5

    def test_q7_the_game_ends_at_midnight_of_the_last_day(self) -> None:
        world = ends("Elf", "1.at=CG2", "day=28")
        assert (world.part, world.agenda) == ("over", ())
