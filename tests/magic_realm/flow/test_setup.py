"""The set-up, clause by clause."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.engine.errors import BadOptions, IllegalMove
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.catalog.map_rules import why_not_map
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.handlers import first_state
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.entities import NO_START
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.map_layout import joined_clearings, layout_of, start_place
from realmtable.games.magic_realm.world.open_slots import warning_slot
from realmtable.games.magic_realm.world.step_text import format_step
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import CATALOG, MACHINE, STOCK, play, random_game

CHARACTER = {row.name: row.id for row in CATALOG.characters}
TILE = {tile.code: tile.id for tile in CATALOG.tiles}
WEEK = MagicOptions(map="stock1", days="7")


def texts(world: World, seat: int) -> list[str]:
    return [format_step(step) for step in MACHINE.legal_moves(world, seat)]


def chance_texts(world: World) -> list[str]:
    return [format_step(outcome.move) for outcome in MACHINE.chance(world)]


def test_g1_one_to_eight_players() -> None:
    for seats in range(1, 9):
        assert len(first_state(seats, STOCK).heroes) == seats
    for seats in (0, 9):
        with pytest.raises(BadOptions, match="1 to 8 players"):
            first_state(seats, STOCK)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_m3_a_ready_made_map_needs_no_steps(number: int) -> None:
    world = first_state(2, MagicOptions(map=f"stock{number}"))
    assert layout_of(world) == CATALOG.stock_maps[number - 1].layout
    assert MACHINE.to_move(world) == (0,)
    assert len(MACHINE.legal_moves(world, 0)) == 16


BUILT = MagicOptions(map="players", days="7")


def deal_hands(seats: int, *first: str) -> World:
    """Return the state after all tiles have been dealt to the players, some of them first."""
    world = first_state(seats, BUILT)
    for number in range(20):
        name = first[number] if number < len(first) else None
        outcomes = chance_texts(world)
        world = play(world, (CHANCE, f"deal {name}" if name else outcomes[0]))
    return world


def test_m3_players_get_all_tiles_one_by_one_and_lay_them_in_three_steps() -> None:
    world = first_state(3, BUILT)
    assert MACHINE.label(world) == "hand"
    assert chance_texts(world) == [f"deal {tile.name}" for tile in CATALOG.tiles]
    world = deal_hands(3, "Crag", "Borderland", "Cliff")
    assert layout_of(world) == ((TILE["B"], 0, 0, 0),)  # the second player had it
    assert [tile.owner for tile in world.tiles].count(0) == 7
    assert MACHINE.to_move(world) == (2,)
    assert "tile Cliff" in texts(world, 2)
    for text, says in (("tile Crag", "your own tiles"), ("H", "your own tiles")):
        with pytest.raises(IllegalMove, match=says):
            play(world, (2, text))
    world = play(world, (2, "tile Cliff"))
    assert texts(world, 2) == ["place -1 0", "place -1 1", "place 0 -1", "place 0 1", "place 1 -1", "place 1 0"]
    with pytest.raises(IllegalMove, match="touches two others"):
        play(world, (2, "place 3 3"))
    world = play(world, (2, "place 1 0"))
    turns = texts(world, 2)
    with pytest.raises(IllegalMove, match="roads meet roads"):
        play(world, (2, next(f"turn {turn}" for turn in range(6) if f"turn {turn}" not in turns)))
    world = play(world, (2, turns[0]))
    assert MACHINE.to_move(world) == (0,)
    assert len(layout_of(world)) == 2
    assert world.tiles[TILE["CL"]].owner == -1


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 2, 4])
def test_m1_m2_m3_maps_built_by_players_are_legal_or_ready_made(seats: int) -> None:
    for number, world in enumerate(random_game(seats, BUILT, Random(seats))):
        if number % 6 == 0:
            assert decode(MACHINE, encode(world)) == world
        if world.agenda[-1].kind == "be":
            assert why_not_map(CATALOG.tiles, layout_of(world)) is None
            assert not any(tile.owner >= 0 for tile in world.tiles)
            return


def test_m3_a_player_who_cannot_lay_a_tile_is_skipped() -> None:
    """The second player has only tiles that cannot come second."""
    others = ",".join(tile.code for tile in CATALOG.tiles if tile.code not in ("B", "HP", "L"))
    fields = "options=map=players heroes=-;- day=0 part=setup map=B:0,0,0"
    world = decode(MACHINE, f"{fields} hands={others};HP,L agenda=tile:1")
    world = world.fork()
    world.agenda = (Frame("build", 1),)
    MACHINE.advance(world)
    assert world.agenda == (Frame("tile", 0),)


def test_m3_if_no_player_can_lay_a_tile_the_first_ready_made_map_is_used() -> None:
    fields = "options=map=players heroes=-;- day=0 part=setup map=B:0,0,0"
    world = decode(MACHINE, f"{fields} hands=CG,CL;HP,L agenda=tile:1").fork()
    world.writable_tile(TILE["CG"]).owner = world.writable_tile(TILE["CL"]).owner = -1
    world.agenda = (Frame("build", 1),)
    MACHINE.advance(world)
    assert layout_of(world) == CATALOG.stock_maps[0].layout
    assert not any(tile.owner >= 0 for tile in world.tiles)


def test_m9_characters_are_chosen_by_seats_and_only_once() -> None:
    world = play(first_state(3, WEEK), (0, "be Druid"))
    assert MACHINE.to_move(world) == (1,)
    assert "be Druid" not in texts(world, 1)
    with pytest.raises(IllegalMove, match="Another player has this character") as refused:
        play(world, (1, "be Druid"))
    assert refused.value.clause == "M9"
    with pytest.raises(IllegalMove, match="Choose a character"):
        play(world, (1, "done"))
    world = play(world, (1, "be Elf"))
    hero = world.heroes[1]
    assert (hero.gold, hero.fame, hero.notoriety, {*hero.chits}) == (10, 0, 0, {0})
    assert [CATALOG.goods[goods].name for goods in hero.pack] == ["Light Bow-1"]  # only the Woodfolk have one
    assert world.goods[hero.pack[0]].active


def test_m9_a_piece_that_several_groups_have_is_asked_for() -> None:
    world = play(first_state(1, WEEK), (0, "be Black Knight"))
    assert texts(world, 0) == ["gear Shield Company", "gear Shield Patrol", "gear Shield Soldiers"]
    with pytest.raises(IllegalMove, match="native group"):
        play(world, (0, "gear Shield Guard"))
    world = play(world, (0, "gear Shield Patrol"))
    names = [CATALOG.goods[goods].name for goods in world.heroes[0].pack]
    assert names == ["Mace-1", "Suit of Armor-1", "Shield-2"]
    assert world.agenda == (Frame("secrets"),)
    check_world(world)


def test_m9_all_characters_find_their_gear() -> None:
    for first in range(0, 16, 8):
        world = first_state(8, WEEK)
        for seat in range(8):
            world = MACHINE.play(world, seat, Step("be", (first + seat,)))
            while world.agenda[-1].kind == "gear":
                world = MACHINE.play(world, seat, MACHINE.legal_moves(world, seat)[0])
        for seat, hero in enumerate(world.heroes):
            gear = CATALOG.characters[first + seat].gear
            kinds = [CATALOG.goods[goods].kind for goods in hero.pack]
            assert kinds == [*([gear.weapon] if gear.weapon else []), *gear.armor]
        check_world(world)


def choose_characters(*names: str, options: MagicOptions = WEEK) -> World:
    """Return the state in which these characters, who need no choice of gear, make their secret choices."""
    world = first_state(len(names), options)
    return play(world, *((seat, f"be {name}") for seat, name in enumerate(names)))


def test_m10_points_and_place_are_chosen_at_once_and_in_secret() -> None:
    world = choose_characters("Druid", "Pilgrim")
    assert MACHINE.to_move(world) == (0, 1)
    wants = ["want treasures", "want fame", "want notoriety", "want gold"]
    assert texts(world, 0) == texts(world, 1) == wants
    world = play(world, (1, "want gold"), (1, "want fame"))
    assert texts(world, 1) == ["back", "start Inn", "start Chapel"]
    assert SeatView(world, 0).hero(1) == SeatView(choose_characters("Druid", "Pilgrim"), 0).hero(1)
    world = play(world, (1, "start Chapel"))
    assert texts(world, 1) == ["back", "ready"]
    world = play(world, (1, "ready"))
    assert MACHINE.to_move(world) == (0,)
    world = play(world, (0, "want gold"), (0, "want gold"))
    assert texts(world, 0) == ["back", "ready"]  # the Druid starts at the Inn
    world = play(world, (0, "ready"))
    assert MACHINE.to_move(world) == (CHANCE,)
    assert not any(hero.ready or hero.backs for hero in world.heroes)


@pytest.mark.parametrize(("days", "points"), [("7", 2), ("14", 3), ("21", 4), ("28", 5)])
def test_m10_v1_one_point_and_one_for_each_week(days: str, points: int) -> None:
    world = choose_characters("Druid", options=MagicOptions(map="stock1", days=days))
    for _ in range(points):
        assert "want gold" in texts(world, 0)
        world = play(world, (0, "want gold"))
    assert texts(world, 0) == ["back", "ready"]


def test_m10_what_cannot_be_chosen_yet_is_refused() -> None:
    world = choose_characters("Pilgrim")
    for text, clause, says in (("ready", "M10", "victory points"), ("back", "Z4", "take back"), ("H", "M10", "points")):
        with pytest.raises(IllegalMove, match=says) as refused:
            play(world, (0, text))
        assert refused.value.clause == clause
    world = play(world, (0, "want gold"), (0, "want gold"))
    with pytest.raises(IllegalMove, match="starting places"):
        play(world, (0, "start House"))
    world = play(world, (0, "start Chapel"))
    with pytest.raises(IllegalMove, match="Choose Ready"):
        play(world, (0, "want gold"))


def test_z4_back_takes_the_last_choice_away_at_most_twenty_times() -> None:
    world = play(choose_characters("Pilgrim"), (0, "want gold"), (0, "want fame"), (0, "start Chapel"))
    world = play(world, (0, "back"))
    assert (world.heroes[0].start, world.heroes[0].points) == (NO_START, (3, 1))
    world = play(world, (0, "back"))
    assert world.heroes[0].points == (3,)
    for _ in range(18):
        world = play(world, (0, "want gold"), (0, "back"))
    assert world.heroes[0].backs == 20
    assert "back" not in texts(world, 0)
    with pytest.raises(IllegalMove, match="at most 20"):
        play(world, (0, "back"))
    druid = play(choose_characters("Druid"), (0, "want gold"), (0, "want fame"), (0, "back"))
    assert (druid.heroes[0].start, druid.heroes[0].points) == (0, (3,))  # the Inn was no choice


def through(*names: str, places: dict[str, str] | None = None) -> World:
    """Return the state in which chance decides the valleys."""
    world = choose_characters(*names)
    for seat, name in enumerate(names):
        world = play(world, (seat, "want gold"), (seat, "want gold"))
        if places and name in places:
            world = play(world, (seat, f"start {places[name]}"))
        world = play(world, (seat, "ready"))
    return world


VALLEYS = ("AV Bones", "BV Stink", "CV Smoke", "DV Dank", "EV Ruins")


def test_m5_valleys_are_decided_by_chance_and_replaced() -> None:
    world = through("Druid")
    assert chance_texts(world) == [f"chit AV {word}" for word in ("Bones", "Dank", "Ruins", "Smoke", "Stink")]
    world = play(world, *((CHANCE, f"chit {text}") for text in VALLEYS))
    assert (world.day, world.part, world.agenda) == (1, "birdsong", (Frame("write"),))
    for text, dwelling in zip(VALLEYS[1:], ("Inn", "House", "Chapel", "Guardhouse"), strict=True):
        tile = TILE[text[:2]]
        place = place_of(tile, world.tiles[tile].dwelling)
        number = next(found.id for found in CATALOG.dwellings if found.name == dwelling)
        assert start_place(world, number) == place
        garrison = next(group for group in CATALOG.groups if group.name == CATALOG.dwellings[number].garrison)
        assert {world.denizens[59 + native].place for native in garrison.members} == {place}
        assert SeatView(world, None).chit(warning_slot(tile)) >= 0
    ghosts = {world.denizens[ghost].place for ghost in CATALOG.ghosts.monsters}
    assert ghosts == {place_of(TILE["AV"], world.tiles[TILE["AV"]].dwelling)}
    check_world(world)


def test_m5_the_piece_goes_to_clearing_5_or_to_4_if_5_is_cut_off() -> None:
    world = play(through("Druid"), *((CHANCE, f"chit {text}") for text in VALLEYS))
    joined = joined_clearings(layout_of(world))
    for text in VALLEYS:
        tile = TILE[text[:2]]
        assert world.tiles[tile].dwelling == (5 if place_of(tile, 5) in joined else 4)
    seen = {world.tiles[TILE[text[:2]]].dwelling for text in VALLEYS}
    rng, numbers = Random(1), set(seen)
    while numbers != {4, 5}:  # on dealt maps, some valleys are cut off
        for world in random_game(1, MagicOptions(days="7"), Random(rng.random())):
            if world.day:
                joined = joined_clearings(layout_of(world))
                for text in VALLEYS:
                    tile = TILE[text[:2]]
                    assert world.tiles[tile].dwelling == (5 if place_of(tile, 5) in joined else 4)
                    numbers.add(world.tiles[tile].dwelling)
                break


def test_m11_m10_heroes_start_hidden_where_they_chose_and_everyone_sees_where() -> None:
    world = through("Druid", "Pilgrim", "Witch King", places={"Pilgrim": "Chapel", "Witch King": "Ghosts"})
    assert SeatView(world, 0).hero(1).start is None
    world = play(world, *((CHANCE, f"chit {text}") for text in VALLEYS))
    codes = ["BV", "DV", "AV"]
    for hero, code in zip(world.heroes, codes, strict=True):
        assert hero.place == place_of(TILE[code], world.tiles[TILE[code]].dwelling)
        assert hero.hidden
    assert SeatView(world, 0).hero(1).start == world.heroes[1].start
    assert SeatView(world, 0).hero(1).points is None


def test_m6_a_campfire_stands_in_clearing_5_or_4_or_2() -> None:
    campfire = next(dwelling for dwelling in CATALOG.dwellings if dwelling.name == "Small Campfire")
    for number, stock in enumerate(CATALOG.stock_maps, 1):
        for code in ("LW", "MW", "NW", "OW", "PW"):
            text = f"options=map=stock{number} heroes=Elf 1.at=B1 chits={code}:Smoke^"
            world = decode(MACHINE, text)
            joined = [place for place in (5, 4, 2) if place_of(TILE[code], place) in joined_clearings(stock.layout)]
            assert world.tiles[TILE[code]].dwelling == joined[0]
            assert start_place(world, campfire.id) == place_of(TILE[code], joined[0])
