"""What each viewer knows of chits, cards and heroes (X1)."""

from __future__ import annotations

from random import Random

from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.catalog.setup_card import LARGE, SMALL
from realmtable.games.magic_realm.world.belongings import list_goods_at, pile_at, put_goods
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import NO_SLOT, OPEN, OPEN_LARGE, OPEN_SMALL
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.knowledge import (
    SeatView,
    SeenGoods,
    card_back,
    everyone,
    hide_in_pack,
    let_seats_know_goods,
    let_seats_know_slot,
    turn_up,
)
from realmtable.games.magic_realm.world.open_slots import (
    SLOTS,
    decide_card,
    decide_chit,
    site_slot,
    weigh_cards,
    weigh_chits,
)
from realmtable.games.magic_realm.world.places import GONE, NOWHERE, box_place, pack_place
from realmtable.games.magic_realm.world.resample import draw_weighted
from tests.magic_realm.helpers.flow_helpers import CATALOG, position
from tests.magic_realm.helpers.knowledge_helpers import BOX, GOODS, TILE


def test_m4_m7_the_world_before_the_set_up_has_open_slots_and_known_counters() -> None:
    world = position()
    tables = catalog_lookups()
    assert [slot.chit for slot in world.slots].count(NO_SLOT) == 10
    assert sum(box.entries.count(OPEN_LARGE) for box in world.boxes) == len(tables.large) + len(tables.within) == 29
    assert sum(box.entries.count(OPEN_SMALL) for box in world.boxes) == len(tables.small) == 45
    for box in CATALOG.boxes:
        entries = world.boxes[box.id].entries
        assert entries.count(OPEN_LARGE) == box.slots.count(LARGE)
        assert entries.count(OPEN_SMALL) == box.slots.count(SMALL)
        if box.kind == "site":
            assert [*entries] == sorted(entries, reverse=True)  # large slots lie above small ones
    for goods in CATALOG.treasures:
        assert world.goods[goods.id].place == NOWHERE


def test_x5_looks_at_every_slot_find_every_chit_and_card_once() -> None:
    rng = Random(3)
    world = position().fork()
    slots = [slot for slot in range(SLOTS) if world.slots[slot].chit == OPEN]
    rng.shuffle(slots)
    for slot in slots:
        decide_chit(world, slot, draw_weighted(weigh_chits(world, slot), rng))
    assert sorted(slot.chit for slot in world.slots if slot.chit >= 0) == [chit.id for chit in CATALOG.map_chits]
    spots = [(box, index) for box, found in enumerate(world.boxes) for index, e in enumerate(found.entries) if e < 0]
    rng.shuffle(spots)
    for box, index in spots:
        decide_card(world, box, index, draw_weighted(weigh_cards(world, box, index), rng))
    check_world(world)
    assert all(goods.place != NOWHERE for goods in world.goods)
    inside = [box.id for box in CATALOG.boxes if box.kind == "within"]
    assert not {entry for box in inside for entry in world.boxes[box].entries} & {*catalog_lookups().within}


def test_x1_a_chit_is_known_to_those_who_looked_and_to_all_once_it_is_turned_up() -> None:
    world = position(heroes="Elf;Dwarf").fork()
    slot = site_slot(TILE["CG"])
    chit = weigh_chits(world, slot)[0][0]
    decide_chit(world, slot, chit)
    assert [SeatView(world, seat).chit(slot) for seat in (0, 1, None)] == [OPEN, OPEN, OPEN]
    let_seats_know_slot(world, slot, 0b10)
    let_seats_know_slot(world, slot, 0b10)
    assert [SeatView(world, seat).chit(slot) for seat in (0, 1, None)] == [OPEN, chit, OPEN]
    assert world.slots[slot].seen == 1 << 1
    turn_up(world, slot)
    assert [SeatView(world, seat).chit(slot) for seat in (0, 1, None)] == [chit, chit, chit]
    assert SeatView(world, 0).is_face_up(slot)
    assert SeatView(world, 0).chit(site_slot(TILE["BV"])) == NO_SLOT


def test_x1_a_decided_card_looks_like_an_open_slot_to_others() -> None:
    world = position(heroes="Elf;Dwarf").fork()
    hoard = BOX["Hoard"]
    before = SeatView(world, 1).box(hoard)
    decide_card(world, hoard, 0, GOODS["Golden Crown"])
    decide_card(world, hoard, 1, GOODS["Chest"])
    let_seats_know_goods(world, GOODS["Golden Crown"], 0b01)
    let_seats_know_goods(world, GOODS["Golden Crown"], 0b01)
    assert SeatView(world, 1).box(hoard) == before
    assert SeatView(world, 0).box(hoard)[0].goods == GOODS["Golden Crown"]
    assert card_back(GOODS["Chest"]) == OPEN_LARGE  # the class of the slot, never of the card
    put_goods(world, GOODS["Chest"], pack_place(0))
    put_goods(world, GOODS["Golden Crown"], pack_place(0))
    assert [thing.goods for thing in SeatView(world, 1).pack(0)] == [GOODS["Light Bow-1"], OPEN_LARGE, OPEN_LARGE]
    assert not SeatView(world, 1).pack(0)[1].is_known


def test_x1_hidden_fields_of_other_heroes() -> None:
    world = position("1.points=fame,gold", "1.gold=30", "1.knows=Hoard", "1.plan=H;S", heroes="Elf;Dwarf")
    own, other = SeatView(world, 0).hero(0), SeatView(world, 1).hero(0)
    assert (own.points, own.gold, own.plan) == ((1, 3), 30, world.heroes[0].plan)
    assert own.discoveries == world.heroes[0].discoveries > 0
    assert (other.points, other.gold, other.plan, other.discoveries, other.orders) == (None, None, (), None, None)
    assert SeatView(world, None).hero(0) == other
    assert other.start == 0
    open_gold = position("1.gold=30", heroes="Elf;Dwarf", options="map=stock1,secret_gold=off")
    assert SeatView(open_gold, 1).hero(0).gold == 30
    acting = world.fork()
    acting.part = "daylight"
    acting.writable_hero(0).phase = 1
    assert SeatView(acting, 1).hero(0).plan == world.heroes[0].plan[:1]
    assert SeatView(acting, 1).hero(0).orders == 0
    acting.part = "over"
    assert SeatView(acting, 1).hero(0).points == (1, 3)


def test_x1_a_card_that_leaves_a_pack_face_down_makes_its_class_unknown_to_others() -> None:
    world = position(heroes="Elf;Dwarf;Wizard").fork()
    cards = {"Golden Crown": 0b111, "Royal Sceptre": 0b011, "Lucky Charm": 0b111}
    large = [name for name in cards if card_back(GOODS[name]) == OPEN_LARGE]
    for name, seen in cards.items():
        box = BOX["Hoard"]
        index = world.boxes[box].entries.index(card_back(GOODS[name]))
        decide_card(world, box, index, GOODS[name])
        let_seats_know_goods(world, GOODS[name], seen)
        put_goods(world, GOODS[name], pack_place(0))
    leaving = large[0]
    hide_in_pack(world, 0, GOODS[leaving], 0b001)
    for name, seen in cards.items():
        assert world.goods[GOODS[name]].seen == (0b001 if name in large else seen), name
    assert world.goods[GOODS["Light Bow-1"]].seen == 0b111


def test_x1_active_cards_stay_known_when_another_card_leaves() -> None:
    world = position(heroes="Elf;Dwarf").fork()
    for index, name in enumerate(("Golden Crown", "Lucky Charm")):
        decide_card(world, BOX["Vault"], index, GOODS[name])
        put_goods(world, GOODS[name], pack_place(0))
        let_seats_know_goods(world, GOODS[name], 0b11)
    world.writable_goods(GOODS["Lucky Charm"]).active = True
    hide_in_pack(world, 0, GOODS["Golden Crown"], 0b01)
    assert (world.goods[GOODS["Golden Crown"]].seen, world.goods[GOODS["Lucky Charm"]].seen) == (0b01, 0b11)


def test_d20_goods_are_in_one_place_and_go_below_what_lies_there() -> None:
    world = position(heroes="Elf").fork()
    here, bow, spear = place_of(TILE["CG"], 2), GOODS["Light Bow-1"], GOODS["Spear-1"]
    put_goods(world, spear, here)
    put_goods(world, bow, here)
    assert pile_at(world, here) == (spear, bow)
    assert not world.goods[bow].active
    assert world.heroes[0].pack == ()
    assert spear not in world.boxes[BOX["Lancers"]].entries
    put_goods(world, bow, box_place(BOX["Hoard"]), on_top=True)
    assert world.boxes[BOX["Hoard"]].entries[0] == bow
    put_goods(world, spear, GONE)
    assert pile_at(world, here) == list_goods_at(world, GONE) == ()
    assert check_world(world) is world


def test_t2_enchanted_cards_stay_awake_when_they_are_left() -> None:
    world = position(heroes="Elf").fork()
    grail = GOODS["Sacred Grail"]
    decide_card(world, BOX["Hoard"], 0, grail)
    put_goods(world, grail, pack_place(0))
    world.writable_goods(grail).active = True
    let_seats_know_goods(world, grail, everyone(world))
    put_goods(world, grail, place_of(TILE["CG"], 2))
    assert world.goods[grail].active
    assert SeatView(world, 0).pile(place_of(TILE["CG"], 2)) == [SeenGoods(grail, active=True)]
    check_world(world)
