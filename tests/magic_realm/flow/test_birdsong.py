"""Birdsong, clause by clause: what may be written, and who follows whom."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.day_rules.phases import count_phases, list_move_targets, places_to_stand
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.map_layout import graph_of
from realmtable.games.magic_realm.world.places import NOWHERE
from realmtable.games.magic_realm.world.step_text import format_step
from realmtable.games.magic_realm.world.steps import Frame
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import CATALOG, MACHINE, play, position, with_pack

TILE = {tile.code: tile.id for tile in CATALOG.tiles}


def texts(world: World, seat: int = 0) -> list[str]:
    return [format_step(step) for step in MACHINE.legal_moves(world, seat)]


def write(world: World, *steps: str, seat: int = 0) -> World:
    return play(world, *((seat, step) for step in steps))


def refusal(world: World, step: str, seat: int = 0) -> str:
    """Return the clause by which a step is refused."""
    with pytest.raises(IllegalMove) as refused:
        play(world, (seat, step))
    return refused.value.clause


def stand_outdoors(*fields: str, heroes: str = "Druid") -> World:
    """Return a position with the first hero in a woods clearing that is joined to others like it."""
    return position("1.at=LW5", *fields, heroes=heroes)


def most_phases(world: World, verb: str) -> int:
    """Return how many phases of one activity can be written."""
    count = 0
    while verb in texts(world):
        world, count = write(world, verb), count + 1
    return count


def most_moves(world: World) -> int:
    """Return how many Moves can be written outside caves, those of a pony included wherever they fit."""
    caves = {place for place, clearing in graph_of(world).clearings.items() if clearing.kind == "cave"}
    count = 0
    while True:
        moves = [step for step in MACHINE.legal_moves(world, 0) if step.verb == "M" and step.args[0] not in caves]
        if not moves:
            return count
        ponies = [step for step in moves if len(step.args) > 1]
        world, count = MACHINE.play(world, 0, (ponies or moves)[0]), count + 1


def find_cave(world: World) -> str:
    """Return a clearing from which a written Move enters a cave, and that cave."""
    graph = graph_of(world)
    for place, ways in sorted(graph.ways.items()):
        if graph.clearings[place].kind == "woods":
            for way in ways:
                if graph.clearings[way.to].kind == "cave":
                    return f"{name(place)} {name(way.to)}"
    raise AssertionError


def name(place: int) -> str:
    return CATALOG.names.by_number("clearing")[place]


def test_b2_all_players_write_at_once_and_in_secret() -> None:
    world = position(heroes="Elf;Dwarf")
    assert MACHINE.to_move(world) == (0, 1)
    written = write(world, "H", "S")
    assert [format_step(step) for step in written.heroes[0].plan] == ["H", "S"]
    assert [SeatView(written, seat).hero(0) for seat in (1, None)] == [
        SeatView(world, seat).hero(0) for seat in (1, None)
    ]
    one = write(write(written, "done"), "done", seat=1)
    other = write(write(written, "done", seat=1), "done")
    assert one == other
    assert MACHINE.to_move(write(written, "done")) == (1,)


def test_b2_the_dead_write_nothing() -> None:
    world = position("2.dead", heroes="Elf;Dwarf")
    assert MACHINE.to_move(world) == (0,)
    assert "F Dwarf" not in texts(world)


def test_b3_phases_may_be_blank_and_writing_may_stop_at_any_time() -> None:
    world = stand_outdoors()
    assert {"-", "A", "H", "R", "S", "done"} <= {*texts(world)}
    assert "done" in texts(write(world, "-", "H"))


def test_b3_what_is_not_written_at_birdsong_is_refused() -> None:
    assert refusal(stand_outdoors(), "be Elf") == "B2"


def test_d4_two_basic_and_two_sunlight_phases() -> None:
    world = stand_outdoors()
    assert most_phases(world, "S") == 4
    assert refusal(write(world, "S", "S", "S", "S"), "S") == "D5"
    cave = find_cave(world).split()
    outside = position(f"1.at={cave[0]}", heroes="Druid")
    entering = write(outside, f"M {cave[1]}")
    assert most_phases(entering, "S") == 1
    assert f"M {cave[1]}" not in texts(write(outside, "S", "S"))  # a third phase would need sunlight
    inside = position(f"1.at={cave[1]}", heroes="Druid")
    assert most_phases(inside, "S") == 2


def test_d5_extra_phases_of_characters() -> None:
    for character, verb in (("Elf", "H"), ("Berserker", "R"), ("White Knight", "R"), ("Magician", "A")):
        world = stand_outdoors(heroes=character.replace(" ", "_"))
        assert most_phases(world, verb) == 5
        other = "S" if verb != "S" else "H"
        assert most_phases(world, other) == 4
    assert most_phases(stand_outdoors(heroes="Captain"), "S") == 5


@pytest.mark.parametrize(
    ("item", "verb", "number"),
    [("Cloak of Mist", "H", 5), ("Magic Spectacles", "S", 5), ("Shielded Lantern", "S", 5), ("Cloak of Mist", "S", 4)],
)
def test_d5_extra_phases_of_active_items(item: str, verb: str, number: int) -> None:
    treasure = next(card for card in CATALOG.treasures if card.name == item)
    box = "boxes=Hoard:large,large,large,large,large,small,small,small"
    if treasure.size == "large":
        box = "boxes=Hoard:large,large,large,large,small,small,small,small"
    world = stand_outdoors(box, with_pack([item]))
    assert most_phases(world, verb) == number
    inactive = stand_outdoors(box, f"1.goods={item.replace(' ', '_')}/1")
    assert most_phases(inactive, verb) == 4


def test_example_3_phases_of_the_amazon() -> None:
    amazon = stand_outdoors(heroes="Amazon")
    assert most_moves(amazon) == 5
    assert most_phases(amazon, "S") == 4
    riding = stand_outdoors(with_pack(["Workhorse-1"]), heroes="Amazon")
    assert most_moves(riding) == 6
    cave = find_cave(amazon).split()
    entering = write(position(f"1.at={cave[0]}", heroes="Amazon"), f"M {cave[1]}")
    assert most_phases(entering, "S") == 2  # three phases: one of them for the Move


def test_example_4_d6_the_pony() -> None:
    world = stand_outdoors(with_pack(["Pony-1"]), heroes="Amazon")
    assert most_moves(world) == 10
    target = name(list_move_targets(world, 0, ())[0])
    assert refusal(world, f"M {target} pony") == "D6"
    moves = write(world, f"M {target}")
    back = next(text for text in texts(moves) if text.endswith("pony"))
    assert refusal(write(moves, back), back) == "D6"
    between = write(moves, "H", back)
    assert between.heroes[0].plan[-1].args[1] == 1  # other activities may come between
    assert refusal(stand_outdoors(heroes="Amazon"), f"M {target} pony") == "D6"


def test_d6_a_warhorse_gives_no_extra_phase() -> None:
    assert most_moves(stand_outdoors(with_pack(["Warhorse-1"]))) == 4


def test_example_5_d7_the_dwarf_has_no_sunlight() -> None:
    assert most_phases(stand_outdoors(heroes="Dwarf"), "S") == 2
    assert count_phases(stand_outdoors(heroes="Dwarf"), 0).sunlight == 0


def test_t1_the_telescope_gives_one_peer_at_a_mountain() -> None:
    telescope = next(card for card in CATALOG.treasures if card.name == "Ancient Telescope")
    slots = ["large"] * 5 + ["small"] * 4
    slots.remove(telescope.size)
    world = stand_outdoors(f"boxes=Hoard:{','.join(slots)}", with_pack(["Ancient Telescope"]))
    peers = [text for text in texts(world) if text.startswith("P ")]
    graph = graph_of(world)
    assert {*peers} == {f"P {name(place)}" for place, found in graph.clearings.items() if found.kind == "mountain"}
    once = write(world, peers[0])
    assert not [text for text in texts(once) if text.startswith("P ")]
    assert most_phases(once, "S") == 4
    assert refusal(once, peers[0]) == "T1"
    assert refusal(stand_outdoors(), peers[0]) == "T1"


def test_z5_moves_are_written_along_roadways_of_any_kind_from_where_the_plan_may_stand() -> None:
    world = position("1.at=CG1", heroes="Druid")
    graph = graph_of(world)
    start = place_of(TILE["CG"], 1)
    assert {text for text in texts(world) if text.startswith("M")} == {f"M {name(way.to)}" for way in graph.ways[start]}
    assert "M CG6" in texts(world)  # a hidden path that has not been discovered
    written = write(world, "M CG6")
    plan = written.heroes[0].plan
    assert places_to_stand(written, 0, plan) == [start, place_of(TILE["CG"], 6)]
    for place in (start, place_of(TILE["CG"], 6)):
        assert {way.to for way in graph.ways[place]} <= {*list_move_targets(written, 0, plan)}
    assert refusal(world, "M CG5") == "Z5"
    assert not {*texts(write(written, "back"))} - {*texts(world)}


def test_z5_from_a_roadway_to_its_two_ends() -> None:
    world = position("1.at=CG1-CG6", heroes="Druid")
    assert [text for text in texts(world) if text.startswith("M")] == ["M CG1", "M CG6"]
    assert not [text for text in texts(world) if text.startswith("F")]


def test_b4_a_character_may_follow_another_in_its_clearing_and_then_writes_nothing_else() -> None:
    world = position("3.at=CG1", heroes="Elf;Dwarf;Wizard")
    assert [text for text in texts(world) if text.startswith("F")] == ["F Dwarf"]
    following = write(world, "F Dwarf")
    assert {text for text in texts(following) if not text.startswith("order")} == {"back", "done"}
    assert refusal(following, "H") == "B4"
    assert refusal(world, "F Wizard") == "B4"
    assert refusal(write(world, "H"), "F Dwarf") == "B4"
    assert refusal(position("1.at=CG1-CG6", "2.at=CG1-CG6", heroes="Elf;Dwarf"), "F Dwarf") == "B4"


def test_z4_back_takes_the_last_entry_away_at_most_twenty_times() -> None:
    world = stand_outdoors()
    assert refusal(world, "back") == "Z4"
    world = write(world, "H", "S", "back")
    assert [step.verb for step in world.heroes[0].plan] == ["H"]
    for _ in range(19):
        world = write(world, "S", "back")
    assert refusal(world, "back") == "Z4"
    assert world.heroes[0].backs == 20


def test_z9_orders_change_something_and_are_given_at_most_ten_times() -> None:
    world = stand_outdoors()
    orders = [text for text in texts(world) if text.startswith("order")]
    assert orders == ["order block never", "order shed ask", "order follow ask"]
    assert refusal(world, "order block ask") == "Z9"
    world = write(world, "order block never")
    assert "order block ask" in texts(world)
    assert world.heroes[0].orders == 1
    for turn in range(9):
        world = write(world, "order block ask" if turn % 2 == 0 else "order block never")
    assert not [text for text in texts(world) if text.startswith("order")]
    assert refusal(world, "order shed ask") == "Z9"


def test_v3_as_you_go_only_follow_is_written() -> None:
    world = position(heroes="Elf;Dwarf", options="map=stock1,recording=as_you_go")
    assert {text for text in texts(world) if not text.startswith("order")} == {"F Dwarf", "done"}
    assert refusal(world, "H") == "B2"


def test_b2_as_you_go_a_morning_on_which_nobody_can_follow_is_left_out() -> None:
    for recording, at, kind in (
        ("as_you_go", "BV2", "prowl"), ("as_you_go", "BV5", "write"), ("written", "BV2", "write"),
    ):  # fmt: skip
        world = position(
            f"1.at={at}", "2.at=BV5", heroes="Elf;Dwarf", options=f"map=stock1,recording={recording}"
        ).fork()
        world.agenda = (Frame("dawn"),)
        MACHINE.advance(world)
        assert (world.day, world.agenda[-1].kind) == (2, kind)


def test_z3_done_is_never_answered_by_the_table() -> None:
    fields = ["1.ordered=10", "1.backs=20", "1.plan=F_Dwarf"]
    world = position(*fields, heroes="Elf;Dwarf")
    assert texts(world) == ["done"]
    assert MACHINE.to_move(world) == (0, 1)


def test_g2_a_new_day_forgets_what_belongs_to_the_day_before() -> None:
    fields = ["1.blocked", "1.done", "1.found=all", "1.anywhere", "1.came=CG1-CG6", "1.climbs=CG1", "1.phase=1"]
    more = ["1.plan=H", "1.used=basic", "1.backs=3", "1.ordered=2", "1.orders=block:never", "denizens=Giant-1:CG6*"]
    world = position(*fields, *more, "rows=4", "first=1", "day=2", heroes="Elf").fork()
    world.agenda = (Frame("dawn"),)
    MACHINE.advance(world)
    hero = world.heroes[0]
    assert (world.day, world.rows, world.first, world.counters) == (3, (), -1, ())
    assert (hero.blocked, hero.turn_taken, hero.found, hero.anywhere) == (False, False, 0, False)
    assert (hero.phase, hero.backs, hero.ordered) == (0, 0, 0)
    assert (hero.came_by, hero.climbs, hero.plan, hero.used) == (NOWHERE, NOWHERE, (), ())
    assert hero.orders == 1  # orders stay until they are changed
    assert not any(denizen.blocked for denizen in world.denizens)
