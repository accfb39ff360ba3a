"""Moves and what is carried along, clause by clause (D8 to D11, D30, X2)."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.games.magic_realm.catalog.characters_and_denizens import Character
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import (
    begin,
    day,
    end_of_turn,
    goods,
    knows,
    next_actor,
    pack,
    pile,
    place,
    play,
    texts,
    used_phases,
)
from tests.magic_realm.helpers.flow_helpers import CATALOG, MACHINE, position

NO_GOODS = "1.goods=-"


def walk(plan: str, *fields: str, at: str = "B2", hero: str = "Elf", heroes: str = "") -> World:
    """Return the state after all phases of a plan without rolls."""
    written = plan.replace(" ", "_").replace(",_", ";")
    fields = (*fields, f"1.at={at}", f"1.plan={written}")
    if not any(field.startswith("1.goods=") for field in fields):
        fields = (*fields, NO_GOODS)
    return begin(day(*fields, heroes=heroes or hero), hero.replace("_", " "))


def character(name: str) -> Character:
    return next(row for row in CATALOG.characters if row.name == name)


class TestD9:
    """Roadways."""

    def test_d9_roads_and_tunnels_are_open_to_everyone(self) -> None:
        assert place(walk("M B3")) == "B3"
        assert place(walk("M B4", at="B6")) == "B4"

    def test_d9_a_move_must_follow_one_roadway(self) -> None:
        world = walk(
            "M B3, M CG2, M B2, M AV1"
        )  # from B3 no roadway leads to CG2; the phase is lost and the day goes on
        assert place(world) == "AV1"

    @pytest.mark.parametrize(("start", "to"), [("DW1", "DW4"), ("CL3", "CL6"), ("B4", "B5")])
    def test_d9_hidden_paths_and_secret_passages_must_be_discovered(self, start: str, to: str) -> None:
        plan = f"M {to}, M {to}"
        assert place(walk(plan, at=start)) == start
        assert place(walk(plan, f"1.knows={start}-{to}", at=start)) == to

    def test_d9_the_wizard_knows_them_all(self) -> None:
        world = walk("M DW4", at="DW1", hero="Wizard")
        assert (place(world), knows(world)) == ("DW4", [])


class TestD10:
    """Mountains."""

    def test_d10_two_moves_lead_to_a_mountain(self) -> None:
        assert place(walk("M CG2")) == "B2"
        assert place(walk("M CG2, M CG2")) == "CG2"
        assert place(walk("M CG2, M CG2, M CG5, M CG5")) == "CG5"

    @pytest.mark.parametrize("between", ["-", "A", "M OW5", "M B3"])
    def test_d10_any_phase_between_them_breaks_the_climb(self, between: str) -> None:
        world = walk(f"M CG2, {between}, M CG2")
        assert place(world) == ("B3" if between == "M B3" else "B2")

    def test_d10_a_broken_climb_begins_again(self) -> None:
        assert place(walk("M CG2, -, M CG2, M CG2")) == "CG2"

    def test_d10_both_moves_use_a_phase(self) -> None:
        assert used_phases(walk("M CG2, M CG2")) == ["basic", "basic"]

    def test_d10_both_moves_must_be_possible(self) -> None:
        assert place(walk("M CG3, M CG3", at="CG2")) == "CG2"
        assert place(walk("M CG3, M CG3", "1.knows=CG2-CG3", at="CG2")) == "CG3"

    def test_example_6_mountain(self) -> None:
        world = walk("M CG2, H, M CG2")
        assert (place(world), next_actor(world)) == ("B2", "hide")
        world = play(world, "d 3 3")
        assert (place(world), world.heroes[0].hidden) == ("B2", True)
        assert place(walk("M CG2, M CG2")) == "CG2"
        blocked = walk("M CG2, M CG2", "denizens=Giant-1:B2")
        assert (place(blocked), blocked.heroes[0].blocked) == ("B2", True)


class TestD11:
    """Carrying."""

    def test_example_7_carrying(self) -> None:
        gear = goods("Mace-1+", "Suit of Armor-1+", "Shield-1+")
        # the Move chits of the Black Knight that are heavy are tired
        chits = [chit.label for chit in character("Black Knight").chits]
        heavy = [str(n) for n, label in enumerate(chits, 1) if label.startswith(("Move H", "Move T"))]
        world = walk("M B3", gear, f"1.tired={';'.join(heavy)}", hero="Black_Knight")
        world = play(world, "go")
        assert place(world) == "B3"
        assert pile(world, "B2") == ["Suit of Armor-1"]
        assert pack(world) == ["Mace-1+", "Shield-1+"]

    def test_d11_what_the_character_had_longest_lies_on_top_and_all_of_it_under_the_pile(self) -> None:
        world = play(walk("M B3", goods("Suit of Armor-1", "Great Axe-1", "Light Bow-1"), "piles=B2:Mace-1"), "go")
        assert pile(world, "B2") == ["Mace-1", "Suit of Armor-1", "Great Axe-1"]

    def test_d11_an_inactive_horse_carries_inactive_items(self) -> None:
        carried = play(walk("M B3", goods("Suit of Armor-1", "Warhorse-1")), "go")
        assert pack(carried) == ["Suit of Armor-1", "Warhorse-1"]
        worn = play(walk("M B3", goods("Suit of Armor-1+", "Warhorse-1")), "go")
        assert pack(worn) == ["Warhorse-1"]

    def test_d11_without_a_move_chit_only_negligible_items_are_carried(self) -> None:
        moves = [str(n) for n, chit in enumerate(character("Elf").chits, 1) if chit.kind == "Move"]
        world = walk("M B3", goods("Light Bow-1"), f"1.tired={';'.join(moves)}")
        world = play(world, "go")
        assert (place(world), pack(world), pile(world, "B2")) == ("B3", [], ["Light Bow-1"])

    def test_d11_an_active_horse_becomes_inactive_on_entering_a_cave(self) -> None:
        world = play(walk("M B6", goods("Pony-1+"), at="B1"), "go")
        assert (place(world), pack(world)) == ("B6", ["Pony-1"])

    def test_d11_nothing_is_left_on_a_roadway(self) -> None:
        world = walk("M B3", goods("Suit of Armor-1"), at="B2-B3")
        assert (place(world), pack(world)) == ("B3", ["Suit of Armor-1"])


class TestD30:
    """On a roadway."""

    def test_d30_someone_on_a_roadway_can_only_move_to_one_of_its_ends(self) -> None:
        assert place(walk("M B3", at="B2-B3")) == "B3"
        assert place(walk("M B2", at="B2-B3")) == "B2"
        world = walk("H, A, M B3", at="B2-B3")  # no roll is made: hiding is lost
        assert (place(world), used_phases(world)) == ("B3", ["character", "basic", "basic"])
        assert place(walk("M B3, M B6", at="CG2-B2")) == "CG2-B2"

    def test_d30_two_moves_lead_to_an_end_that_is_a_mountain(self) -> None:
        assert place(walk("M CG2", at="CG2-B2")) == "CG2-B2"
        assert place(walk("M CG2, M CG2", at="CG2-B2")) == "CG2"

    def test_d30_no_one_rearranges_or_blocks_there(self) -> None:
        world = walk("-, -", goods("Light Bow-1"), at="B2-B3")
        assert world.day == 2  # the turn and the day are over, and nothing was asked


ALL_CHITS = ";".join(map(str, range(1, 13)))


def play_day_without_chits(*fields: str, active: int = 0) -> World:
    """Return the state after a day of a character with few active chits."""
    tired = ";".join(map(str, range(1 + active, 13)))
    world = day(*fields, f"1.tired={tired}", "1.plan=-", "1.goods=Light_Bow-1+", options="days=7")
    world = begin(world)
    return end_of_turn(play(world, "go") if len(MACHINE.to_move(world)) == 1 and "go" in texts(world) else world)


class TestD8:
    """Exhausted characters."""

    def test_d8_without_active_chits_activities_are_lost(self) -> None:
        tired = "1.tired=" + ";".join(map(str, range(1, 13)))
        world = walk("M B3, H, A", tired)
        assert (place(world), world.heroes[0].hidden) == ("B2", False)

    @pytest.mark.parametrize(
        ("fields", "is_dead"),
        [
            (("1.at=B2-B3",), True),
            (("1.at=B2", "1.curses=Ill_Health"), True),
            (("1.at=B2",), False),
            (("1.at=B2-B3", "day=7"), False),
        ],
    )
    def test_d8_those_who_could_not_even_rest_the_next_day_die_at_midnight(
        self, fields: tuple[str, ...], is_dead: bool
    ) -> None:
        world = play_day_without_chits(*fields, "1.gold=30")
        assert world.heroes[0].dead == is_dead
        assert (pile(world, "B2"), world.heroes[0].gold) == ((["Light Bow-1"], 0) if is_dead else ([], 30))

    def test_d8_one_active_chit_is_enough_to_live(self) -> None:
        assert not play_day_without_chits("1.at=B2-B3", active=1).heroes[0].dead

    def test_d8_a_new_life_begins_the_next_morning(self) -> None:
        world = play_day_without_chits("1.at=B2-B3")
        assert (world.day, world.part, MACHINE.to_move(world)) == (2, "birdsong", (0,))
        assert {text.split()[0] for text in texts(world)} == {"be"}

    def test_d8_b4_without_active_chits_no_one_is_followed(self) -> None:
        fields = ("2.at=B2", "1.goods=-", "2.goods=-", "1.at=B2")
        tired, fresh = (position(*fields, *more, heroes="Elf;Dwarf") for more in (["1.tired=" + ALL_CHITS], []))
        follow = parse_step("F Dwarf")
        with pytest.raises(IllegalMove) as refused:
            MACHINE.play(tired, 0, follow)
        assert refused.value.clause == "D8"
        assert follow in MACHINE.legal_moves(fresh, 0)


class TestX2:
    """Spying on roadways."""

    def test_x2_everyone_at_both_ends_who_sees_the_character_discovers_the_path(self) -> None:
        others = ("2.at=DW1", "3.at=DW4", "4.at=DW5", "2.goods=-", "3.goods=-", "4.goods=-")
        world = walk("M DW4", "1.knows=DW1-DW4", *others, at="DW1", heroes="Elf;Druid;Witch;Wizard")
        assert [knows(world, seat) for seat in range(4)] == [["DW1-DW4"]] * 3 + [[]]

    def test_x2_those_who_see_only_a_follower_discover_it_too(self) -> None:
        fields = (
            "1.knows=DW1-DW4",
            "2.at=DW1",
            "2.guide=1",
            "2.plan=F_Druid",
            "3.at=DW1",
            "3.found=counters",
            "3.goods=-",
        )
        world = walk("H, M DW4", *fields, "2.goods=Light_Bow-1+", at="DW1", hero="Druid", heroes="Druid;Elf;Witch")
        world = play(world, "go", "die 1", "go")
        world = play(world, "pass") if texts(world)[-1:] == ["pass"] else world
        assert (place(world), knows(world, 2)) == ("DW4", ["DW1-DW4"])

    def test_x2_a_hidden_character_is_seen_by_those_who_have_found_hidden_enemies(self) -> None:
        others = ("2.at=DW1", "3.at=DW4", "3.found=all", "2.goods=-", "3.goods=-")
        world = walk("H, M DW4", "1.knows=DW1-DW4", *others, at="DW1", heroes="Elf;Druid;Witch")
        world = play(world, "d 1 1")
        assert next_actor(world) == "Witch"  # who may block
        assert [knows(world, seat) for seat in (1, 2)] == [[], ["DW1-DW4"]]
