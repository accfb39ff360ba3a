"""Positions as text (F1 to F9)."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.engine.errors import BadPosition
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.handlers import MACHINE as PRODUCT
from realmtable.games.magic_realm.flow.handlers import first_state
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.entities import BoxState, GoodsState, Slot, TileState
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.places import GONE, NOWHERE
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import CATALOG, MACHINE, position, random_game
from tests.magic_realm.helpers.knowledge_helpers import GOODS, TILE, busy_world

ELF = "options=map=stock1 heroes=Elf 1.at=B1"


def read(text: str) -> World:
    return decode(MACHINE, text)


@pytest.mark.parametrize("seed", range(10))
def test_f1_random_games_are_written_and_read_back(seed: int) -> None:
    rng = Random(seed)
    options = MagicOptions(
        map=("dealt", "stock1", "stock2", "stock3")[seed % 4],
        days="7",
        recording=rng.choice(["written", "as_you_go"]),
        two_rows=rng.choice(["solo", "always"]),
    )
    for number, world in enumerate(random_game(1 + seed % 8, options, rng, 200)):
        if number % 7 == 0:
            text = encode(world)
            back = read(text)
            assert back == world
            assert hash(back) == hash(world)
            assert encode(back) == text


@pytest.mark.parametrize("seed", range(12))
def test_f1_worlds_full_of_secrets_are_written_and_read_back(seed: int) -> None:
    world = busy_world(seats=1 + seed % 4, seed=seed)
    text = encode(world)
    assert read(text) == world
    assert encode(read(text)) == text


SPARSE = [
    "options=map=stock1 heroes=Elf;Dwarf chits=BV:Stink^",
    "options=map=stock1 heroes=Elf 1.at=CG1-CG6 1.unhidden 1.blocked 1.done 1.found=all;cards 1.anywhere",
    (
        "options=map=stock1 heroes=Elf day=3 part=sunrise rows=46 first=1 waiting=1 1.at=CG2 1.came=CG1-CG6 "
        "1.climbs=CG1 agenda=prowl"
    ),
    (
        "options=map=stock1,two_rows=always heroes=Elf;Dwarf rows=46 1.at=CG2 1.tired=1;12 1.wounded=2 1.gold=30 "
        "1.fame=5 1.notoriety=7 1.goods=- 2.at=CG2 2.guide=1"
    ),
    (
        "options=map=stock1 heroes=Captain 1.at=CG2 1.knows=CG1-CG6;Hoard;Toadstool_Circle 1.points=fame,fame,gold "
        "part=sunrise 1.start=Guardhouse 1.plan=M_CG3;-;H 1.phase=1 1.used=basic,character,sunlight,Pony-1 "
        "1.orders=block:never;follow:ask 1.backs=3 1.ordered=2 1.ready agenda=prowl"
    ),
    (
        "options=map=stock1 heroes=Elf;Dwarf chits=CG:Bones/2*;CG:Howl-4/12;CL:Dank^;B:Lost_City^;B:Roar-6/1;"
        "B:Hoard^*;Castle:Lair/2 denizens=Giant-1:CG6*;Wolf-3:gone 1.at=CG2 2.at=CG2"
    ),
    (
        "options=map=stock1 heroes=Elf boxes=Hoard:large,Golden_Crown/1,small,small,small "
        "piles=CG2:Spear-1,Royal_Sceptre/1,Sacred_Grail^ gone=Remains_of_Thief open 1.at=CG2 "
        "1.goods=Light_Bow-1;Chest/1"
    ),
    (
        "options=map=stock1 heroes=Elf boxes=Order:small,small 1.at=CG2 1.goods=Great_Axe-1;Great_Axe-2;Great_Sword+;"
        "Morning_Star;Crossbow;Suit_of_Armor-1;Suit_of_Armor-2+;Warhorse-1+;Warhorse-2;Warhorse-3"
    ),
    "heroes=- day=0 part=setup map=CG:1,0,0;B:0,0,0 back=HP;L agenda=draw:-:1",
    "options=map=players heroes=-;- day=0 part=setup map=B:0,0,0 hands=CG,CL;- agenda=tile:1",
    "options=map=stock1 heroes=Captain day=0 part=setup 1.start=- 1.points=fame agenda=secrets",
    "options=map=stock1 heroes=Elf;Dwarf part=over 1.at=B1 2.dead 2.at=nowhere",
]


@pytest.mark.parametrize("text", SPARSE)
def test_f1_sparse_positions_mean_what_they_say(text: str) -> None:
    """What is left out is as in the set-up; what the table writes has the same meaning."""
    world = read(text)
    written = encode(world)
    assert read(written) == world
    fields = {field.partition("=")[0] for field in text.split()}
    implied = {"boxes", "map", "1.start", "2.at"}  # where they say what would hold without them
    assert fields - {field.partition("=")[0] for field in written.split()} <= implied


def test_f1_the_order_of_fields_does_not_matter() -> None:
    text = SPARSE[5]
    assert read(" ".join(reversed(text.split()))) == read(text)
    laid_out = f"{ELF} chits=B:Roar-6;B:Lost_City^"
    assert read(laid_out) == read(f"{ELF} chits=B:Lost_City^;B:Roar-6")


def test_f2_defaults() -> None:
    world = read(ELF)
    assert (world.day, world.part, world.rows, world.first, world.counters) == (1, "birdsong", (), -1, ())
    assert world.agenda == (Frame("write"),)
    assert (world.options.encounter, world.options.two_rows) == ("1", "solo")  # of older rules
    assert encode(world) == ELF.replace("map=stock1", "map=stock1,two_rows=solo,encounter=1")


def test_f3_a_map_is_written_unless_the_options_name_it() -> None:
    dealt = read("heroes=- day=0 part=setup map=CG:1,0,0;B:0,0,0 back=HP;L agenda=draw:-:1")
    assert {CATALOG.tiles[placement.tile].code for placement in dealt.layout or ()} == {"B", "CG"}
    assert "map=CG:1,0,0;B:0,0,0 back=HP;L" in encode(dealt)
    assert "map=" not in encode(position()).replace("options=map=", "")


def test_f5_monsters_that_are_not_where_they_started() -> None:
    world = position("denizens=Giant-1:CG6*;Wolf-2:B2")
    written = dict(field.split("=", 1) for field in encode(world).split())["denizens"]
    assert written == "Giant-1:CG6*;Wolf-2:B2"
    blocked = [CATALOG.monsters[number].name for number, found in enumerate(world.denizens) if found.blocked]
    assert blocked == ["Giant-1"]


def test_f4_chits_and_who_knows_them() -> None:
    world = read(SPARSE[5])
    city = world.slots[40:45]
    assert [slot.chit >= 0 for slot in city] == [True, True, False, False, False]
    assert (city[0].seen, city[1].seen, city[1].face_up, city[1].summoned) == (0b01, 0b11, True, True)
    assert world.slots[45].seen == 0b10
    bones = world.slots[TILE["CG"]]
    assert (CATALOG.map_chits[bones.chit].name, bones.seen, bones.summoned) == ("Bones M", 0b10, True)


def test_f6_goods_and_who_knows_them() -> None:
    world = read(SPARSE[6])
    crown, grail, spear = (world.goods[GOODS[name]] for name in ("Golden Crown", "Sacred Grail", "Spear-1"))
    assert (crown.seen, crown.active) == (1, False)
    assert (grail.seen, grail.active) == (1, True)
    assert (spear.seen, spear.active) == (1, False)
    assert world.goods[GOODS["Remains of Thief"]].place == GONE
    assert [box.id for box in CATALOG.boxes if world.boxes[box.id].opened] == [5]


def test_f7_the_usual_gear_and_place() -> None:
    world = position(heroes="Berserker;Dwarf")
    names = [[CATALOG.goods[goods].name for goods in hero.pack] for hero in world.heroes]
    assert names == [["Great Axe-1", "Helmet-1"], ["Great Axe-2", "Helmet-2"]]
    assert {hero.place for hero in world.heroes} == {position("2.start=Inn", heroes="Elf;Dwarf").heroes[1].place}
    away = position("2.start=Guardhouse", heroes="Elf;Dwarf").heroes[1]
    assert away.place not in (NOWHERE, world.heroes[0].place)
    assert "2.at" not in encode(position("2.start=Guardhouse", heroes="Elf;Dwarf"))


def test_f8_the_agenda() -> None:
    world = first_state(2, MagicOptions())
    assert encode(world).endswith("agenda=draw")
    assert decode(PRODUCT, encode(world)) == world
    setup = "options=map=stock1 heroes=Black_Knight;- day=0 part=setup"
    asked = read(f"{setup} 1.goods=Mace-1+;Suit_of_Armor-1+ agenda=gear:1:2")
    assert asked.agenda == (Frame("gear", 0, 2),)
    assert encode(asked).endswith("agenda=gear:1:2")


BAD = [
    ("", "names the character of each seat"),
    ("heroes=Gandalf", "no character called"),
    ("heroes=" + ";".join(["-"] * 9), "1 to 8 players"),
    ("x" * 200_001, "at most 200,000 characters"),
    (f"{ELF} colour=red", "no field colour"),
    (f"{ELF} 1.colour=red", "no field 1.colour"),
    (f"{ELF} day", "day needs a value"),
    (f"{ELF} open=yes", "open takes no value"),
    (f"{ELF} day=2 day=3", "given twice"),
    (f"{ELF} 2.gold=3", "no seat for the field 2.gold"),
    (f"{ELF} 0.gold=3", "not a number from 1"),
    (f"{ELF} day=29", "not a number from 0 to 28"),
    (f"{ELF} day=two", "Write a number"),
    (f"{ELF} day=-", "Write a number"),
    (f"{ELF} day=0", "set-up is day 0"),
    (f"{ELF} part=setup", "set-up is day 0"),
    (f"{ELF} part=noon", "part of the day is one of"),
    ("options=map=stock1,days=7 heroes=Elf 1.at=B1 day=8", "ends on day 7"),
    ("options=speed=9 heroes=Elf", "speed"),
    (f"{ELF} rows=7", "not a number from 1 to 6"),
    (f"{ELF} rows=123", "Too many rows"),
    (f"{ELF} first=2", "not a number from 1 to 1"),
    (f"{ELF} waiting=2", "not a number from 1 to 1"),
    ("heroes=Elf 1.at=B1 map=B:0,0,0", "not complete"),
    ("heroes=Elf 1.at=B1 map=B:0,0", "written like CG:0,1,0"),
    ("heroes=Elf 1.at=B1 map=B:0,0,9", "from 0 to 5"),
    ("heroes=Elf 1.at=B1 map=B:0,0,0;B:1,0,0", "only once"),
    ("heroes=- day=0 part=setup map=B:0,0,0;CG:0,0,0 agenda=draw", "same hex"),
    ("heroes=- day=0 part=setup map=B:0,0,0 back=B agenda=draw", "waits to be laid"),
    ("heroes=-;- day=0 part=setup hands=B agenda=draw", "tiles of every seat"),
    ("heroes=Elf map=BV:0,0,0 chits=BV:Stink^", "when the map is complete"),
    (f"{ELF} chits=BV:Howl-4", "one sound or site"),
    (f"{ELF} chits=BV:Stink;BV:Bones", "one warning"),
    (f"{ELF} chits=CG:Howl-4;CG:Roar-4", "unless the Lost City"),
    (f"{ELF} chits=CG:Howl-4;B:Howl-4", "two places"),
    (f"{ELF} chits=CG:Lost_City", "wrong group"),
    (f"{ELF} chits=City:Lost_City", "only sounds and sites"),
    (
        f"{ELF} chits=" + ";".join(f"City:{chit}" for chit in ("Howl-4", "Howl-5", "Lair", "Pool", "Vault", "Altar")),
        "five",
    ),
    (f"{ELF} chits=B:Howl-4;HP:Howl-5;R:Lair;CS:Pool;CN:Vault", "no tile left"),
    (f"{ELF} chits=CG:Howl-4/7", "not a number from 1 to 1"),
    (f"{ELF} denizens=Wolf-9:CG2", "no denizen called"),
    (f"{ELF} denizens=Wolf-1:CG1-CG6", "not on the map"),
    (f"{ELF} denizens=Wolf-1:nowhere", "not on the map"),
    (f"{ELF} boxes=Hoard:large", "large treasures does not match|small treasures does not match"),
    (
        f"{ELF} boxes=Hoard:large,large,large,large,large,small,small,small,small,large",
        "large treasures does not match",
    ),
    (f"{ELF} boxes=Lancers:small,small", "must be somewhere else"),
    (f"{ELF} piles=CG2:Spear-1 1.goods=Spear-1", "two places"),
    (f"{ELF} piles=CG2:Spear-1^", "active only if someone has it"),
    (f"{ELF} 1.goods=Spear-1+;Spear-2+", "Only one weapon"),
    (f"{ELF} 1.goods=Pony-1+;Pony-2+", "Only one weapon"),
    (f"{ELF} 1.goods=Shield-1+;Shield-2+", "Only one weapon"),
    (f"{ELF} 1.goods=Excalibur", "no goods called"),
    ("options=map=stock1 heroes=Elf;Elf 1.at=B1 2.at=B1", "same character"),
    ("options=map=stock1 heroes=Elf;- 1.at=B1 2.at=B1", "Every seat has a character"),
    ("options=map=stock1 heroes=Elf", "say where with"),
    (f"{ELF} 1.came=B1", "came by a roadway"),
    (f"{ELF} 1.came=CG1-B1", "came by a roadway"),
    (f"{ELF} 1.climbs=CG1-CG6", "climbs to a clearing"),
    (f"{ELF} 1.points=fame,fame,fame,fame,fame,fame", "assigns 5"),
    (f"{ELF} 1.points=spells", "Points are assigned"),
    (f"{ELF} 1.start=House", "one of its own places"),
    (f"{ELF} 1.phase=1", "fewer phases"),
    (f"{ELF} 1.backs=21", "at most 20"),
    (f"{ELF} 1.guide=1", "follows themselves"),
    (f"{ELF} 1.found=none", "Write some of all"),
    (f"{ELF} 1.tired=13", "from 1 to 12"),
    (f"{ELF} 1.plan=done", "cannot be written for a phase"),
    (f"{ELF} 1.plan=M", "followed by"),
    (f"{ELF} 1.used=magic", "no goods called"),
    (f"{ELF} 1.gold=-1", "from 0"),
    (f"{ELF} 1.gold=9999999", "Write a number"),
    (f"{ELF} 1.knows=BV1-BV2", "no discovery called"),
    (f"{ELF} 1.tired=" + ";".join(["1"] * 201), "at most 200"),
    (f"{ELF} agenda=dance", "no frame dance"),
    (f"{ELF} agenda=write:1:2:3:4:5", "up to three numbers"),
    (f"{ELF} agenda=write:1", "a number that it cannot have"),
    (f"{ELF} agenda=" + ";".join(["write"] * 101), "at most 100 frames"),
    (f"{ELF} part=daylight", "no agenda"),
    (f"{ELF} agenda=prowl", "another part of the day"),
    ("options=map=stock1 heroes=-;Elf day=0 part=setup agenda=be:1", "choose characters by seats"),
    ("options=map=stock1 heroes=-;- day=0 part=setup agenda=secrets", "choose characters by seats"),
    ("options=map=stock1 heroes=Elf;- day=0 part=setup agenda=be:1", "choose characters by seats"),
    ("options=map=stock1 heroes=Black_Knight day=0 part=setup 1.goods=- agenda=gear:1:2", "its own pieces"),
    ("options=map=stock1 heroes=Elf day=0 part=setup agenda=gear:1:1", "no answer"),
    ("options=map=players heroes=- day=0 part=setup agenda=hand:-:3", "Nothing can happen"),
    ("options=map=stock1 heroes=Elf day=0 part=setup agenda=secrets;secrets", "one frame"),
    ("options=map=stock1 heroes=Captain day=0 part=setup agenda=valleys;chit", "when all points are assigned"),
    ("options=map=stock1 heroes=Elf;Druid day=0 part=setup 1.points=fame 1.ready agenda=secrets", "when all points"),
    ("heroes=- day=0 part=setup map=B:0,0,0 agenda=be:1", "begins with the Borderland"),
    ("heroes=- day=0 part=setup map=CG:0,0,0 agenda=draw", "begins with the Borderland"),
    ("options=map=stock1 heroes=- day=0 part=setup 1.gold=5 agenda=be:1", "without a character has nothing"),
    ("options=map=stock1 heroes=Elf day=0 part=setup 1.goods=Spear-1 agenda=secrets", "its own pieces"),
    ("options=map=stock1 heroes=Elf day=0 part=setup piles=CG2:Spear-1 agenda=secrets", "in their boxes"),
    (f"{ELF} agenda=chit:-:5:5", "needs another one"),
    (f"{ELF} agenda=write;chit:-:5:6", "Nothing can happen"),
    ("options=map=stock1 heroes=Elf day=0 part=setup agenda=gear:9", "a number that it cannot have"),
    (f"{ELF} chits=LW:Stink agenda=write;chit:-:5:5", "Nothing can happen"),
]


@pytest.mark.parametrize(("text", "says"), BAD, ids=[text[-40:] for text, _ in BAD])
def test_f9_other_texts_are_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(BadPosition, match=says):
        read(text)


@pytest.mark.parametrize("seed", range(6))
def test_f9_a_damaged_text_is_refused_or_means_what_it_says(seed: int) -> None:
    rng = Random(seed)
    texts = [*SPARSE, encode(busy_world(seats=2, seed=seed))]
    for _ in range(250):
        text = rng.choice(texts)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(["", *"0129-;,:/^*+=. _ABCDab"]) + text[at + rng.randrange(2) :]
        try:
            world = read(text)
        except BadPosition:
            continue
        assert read(encode(world)) == world
        for seat in MACHINE.to_move(world):
            assert MACHINE.chance(world) if seat == CHANCE else MACHINE.legal_moves(world, seat)


# ---- worlds that no text describes


def break_world(change: str) -> World:
    """Return a world with one thing wrong."""
    world = position(heroes="Elf;Dwarf").fork()
    match change:
        case "list":
            world.writable_hero(0).pack = ()
        case "small":
            world.boxes[0] = BoxState(world.boxes[0].entries[:-1])
        case "known":
            world.slots[5] = Slot(seen=1)
        case "stack":
            world.slots[41] = Slot(30)
        case "counter":
            world.goods[GOODS["Spear-1"]] = GoodsState(world.goods[GOODS["Spear-1"]].place)
        case "within":
            for box, entries in ((0, 5), (1, 3), (2, 4), (3, 2), (4, 3), (5, 5)):
                large = [card.id for card in CATALOG.treasures if card.size == "large"]
                world.boxes[box] = BoxState((*world.boxes[box].entries[entries:],))
                for card in large[:entries]:
                    world.goods[card] = GoodsState(GONE, seen=3)
        case "map":
            world.tiles[TILE["CG"]], world.layout = TileState(9, 9, 0, placed=True), None
        case _:
            world.writable_hero(0).plan = (Step("H"),) * 41
    return world


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("list", "not where they are listed"),
        ("small", "small treasures"),
        ("known", "cannot be known"),
        ("stack", "decided in order"),
        ("counter", "Everyone knows where Spear-1"),
        ("within", "large treasures|special card"),
        ("map", "touch|Roads|road|placed"),
        ("plan", "fewer phases"),
    ],
)
def test_f9_broken_worlds_are_found(change: str, says: str) -> None:
    with pytest.raises(BadPosition, match=says):
        check_world(break_world(change))
