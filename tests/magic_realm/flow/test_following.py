"""What followers share, clause by clause: D24."""

from __future__ import annotations

from realmtable.games.magic_realm.game import GAME
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import (
    MACHINE,
    begin,
    blocked_flags,
    day,
    end_of_turn,
    next_actor,
    pack,
    pile,
    place,
    play,
    refusal,
    texts,
)


class TestD24:
    """What followers share."""

    def lead(self, *fields: str, plan: str, heroes: str = "Elf;Witch;Druid", at: str = "B2", **more: str) -> World:
        following = [f"{seat}.{text}" for seat in (2, 3) for text in ("guide=1", "plan=F_Elf")]
        names = [field.partition("=")[0] for field in fields]
        usual = [f"{seat}.{name}" for seat in (1, 2, 3) for name in (f"at={at}", "goods=-")]
        usual = [field for field in (*usual, *following) if field.partition("=")[0] not in names]
        return begin(day(*usual, *fields, f"1.plan={plan}", heroes=heroes, **more))

    def test_d24_they_move_along_and_discover_the_way(self) -> None:
        world = self.lead("1.knows=DW1-DW4", plan="M_DW4;H", at="DW1")
        assert [place(world, seat) for seat in range(3)] == ["DW4"] * 3
        assert world.heroes[1].discoveries == world.heroes[2].discoveries == world.heroes[0].discoveries != 0

    def test_d24_each_carries_by_its_own_strength(self) -> None:
        world = self.lead("2.goods=Great_Axe-1", "3.goods=Great_Axe-2", plan="M_B3;H", heroes="Elf;Dwarf;Druid")
        world = play(world, "go", "go")
        assert pack(world, 1) == ["Great Axe-1"]
        assert pile(world, "B2") == ["Great Axe-2"]

    def test_d24_a_ponys_move_leaves_those_without_a_pony_behind(self) -> None:
        world = self.lead("1.goods=Pony-1+", "2.goods=Pony-2+", plan="M_B3;M_B2_pony;H")
        world = play(world, "run on", "run on")
        world = end_of_turn(world)
        assert [place(world, seat) for seat in range(3)] == ["B2", "B2", "B3"]
        assert (world.heroes[2].guide, world.heroes[2].turn_taken) == (-1, True)

    def test_d24_a_hidden_guide_may_leave_followers_behind(self) -> None:
        order = ("1.orders=shed:ask", *(f"{seat}.orders=block:never" for seat in (2, 3)))
        world = play(self.lead(*order, "3.found=cards", plan="H;M_B3;A"), "d 1 1")
        assert (next_actor(world), texts(world)) == ("Elf", ["go", "shed Druid", "shed Witch"])
        assert GAME.describe_move(world, parse_step("go")) == "Move on with the others"
        assert refusal(world, "pass") == "D24"
        world = play(world, "shed Witch", "go")
        assert [place(world, seat) for seat in range(3)] == ["B3", "B2", "B3"]
        found = play(self.lead(*order, "2.found=all", "3.found=all", plan="H;M_B3;A"), "d 1 1")
        assert place(found, 1) == "B3"
        unhidden = self.lead(*order, plan="M_B3;H")
        assert place(unhidden, 1) == "B3"

    def test_d24_the_guides_result_of_hiding_counts_for_all(self) -> None:
        assert all(hero.hidden for hero in play(self.lead(plan="H;A"), "d 1 1").heroes)
        assert not any(hero.hidden for hero in play(self.lead(plan="H;A"), "d 6 1").heroes)

    def test_d24_v5_a_follower_may_stop_before_any_activity(self) -> None:
        fields = ("2.orders=block:never;follow:ask", "3.orders=block:never")
        world = self.lead(*fields, plan="M_B3;H", options="follow=may_stop")
        assert (next_actor(world), texts(world)) == ("Witch", ["along", "stop"])
        assert refusal(world, "pass") == "D24"
        assert place(play(world, "along"), 1) == "B3"
        stopped = play(world, "stop")
        assert (place(stopped, 1), stopped.heroes[1].guide) == ("B2", -1)
        assert next_actor(stopped).startswith("chit")  # their turn ends at the end of the phase
        assert view(stopped, MACHINE, 0)["doing"]["phase"] == 1  # which is still the present one
        assert next_actor(end_of_turn(stopped)) == "hide"
        assert next_actor(self.lead(*fields, plan="M_B3;H")) == "hide"  # all day

    def test_d24_the_turns_of_followers_end_after_the_guides_by_seats_after_it(self) -> None:
        following = ("1.guide=2", "3.guide=2", "1.plan=F_Witch", "3.plan=F_Witch", "waiting=24")
        usual = [f"{seat}.{name}" for seat in (1, 2, 3) for name in ("at=CG2", "goods=-")]
        world = begin(day(*usual, *following, heroes="Elf;Witch;Druid;Dwarf"), "Witch")
        ending = [frame.seat for frame in reversed(world.agenda) if frame.kind == "end"]
        assert ending == [1, 2, 0]
        assert [world.heroes[seat].guide for seat in (0, 2)] == [-1, -1]

    def test_d24_arriving_monsters_block_followers_when_the_guides_turn_ends(self) -> None:
        world = self.lead("denizens=Giant-1:CG6;Giant-2:B1", "4.at=B1", "rows=4", plan="-", at="CG2",
                          heroes="Elf;Witch;Druid;Dwarf", chits="CG:Dank;CG:Howl-4")  # fmt: skip
        assert blocked_flags(world) == [True, True, True, False]
