"""X1, X5: what each viewer knows, and what is drawn anew for those who do not."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.catalog.setup_card import LARGE, SMALL
from realmtable.games.magic_realm.flow.handlers import first_state
from realmtable.games.magic_realm.flow.resample import resample
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.belongings import list_goods_at, pile_at, put_goods
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.knowledge import (
    SeatView,
    card_back,
    everyone,
    hide_in_pack,
    show_goods,
    show_slot,
    turn_up,
)
from realmtable.games.magic_realm.world.places import GONE, NOWHERE, TILES, box_place, pack_place
from realmtable.games.magic_realm.world.records import NO_SLOT, OPEN, OPEN_LARGE, OPEN_SMALL
from realmtable.games.magic_realm.world.resample import draw_weighted, resample_world
from realmtable.games.magic_realm.world.secrets import (
    SLOTS,
    decide_card,
    decide_chit,
    site_slot,
    stack_slots,
    warning_slot,
    weigh_cards,
    weigh_chits,
)
from realmtable.games.magic_realm.world.static_tables import static_tables
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.flow_helpers import CATALOG, MACHINE, position, random_step

TILE = {tile.code: tile.id for tile in CATALOG.tiles}
GOODS = {goods.name: goods.id for goods in CATALOG.goods}
BOX = {box.name: box.id for box in CATALOG.boxes}


def see_all(world: World, seat: Seat | None) -> list[object]:
    """Return everything that a viewer can see, and who knows each map chit."""
    view = SeatView(world, seat)
    return [
        (view.seats, view.day, view.part, view.rows, view.counters, view.first),
        [view.tile(tile) for tile in range(TILES)],
        [(view.chit(slot), view.is_face_up(slot), world.slots[slot].seen) for slot in range(SLOTS)],
        [view.denizen(number).values() for number in range(len(world.denizens))],
        [view.hero(other) for other in range(view.seats)],
        [view.pack(other) for other in range(view.seats)],
        [view.pile(place) for place in sorted(static_tables().clearings)],
        [(view.box(box), view.is_open(box)) for box in range(len(world.boxes))],
    ]


def busy_world(*, seats: int = 3, seed: int = 1) -> World:
    """Return a world in which seats have looked at chits and hold and have left cards that others do not know."""
    rng = Random(seed)
    heroes = ["Elf", "Dwarf", "Wizard", "Amazon"][:seats]
    points = [f"{seat + 1}.points=fame,gold" for seat in range(seats)]
    world = position(*points, f"{seats}.knows=CG1-CG6;Hoard", heroes=";".join(heroes)).fork()
    slots = [warning_slot(TILE["CG"]), site_slot(TILE["CG"]), site_slot(TILE["CS"]), *stack_slots(0)[:3]]
    for turn, slot in enumerate(slots):
        decide_chit(world, slot, draw_weighted(weigh_chits(world, slot), rng))
        show_slot(world, slot, 1 << turn % seats)
    for turn in range(9):
        box = BOX[("Hoard", "Lair", "Pool")[turn % 3]]
        entries = world.boxes[box].entries
        index = next(index for index, entry in enumerate(entries) if entry == (OPEN_LARGE, OPEN_SMALL)[turn % 2])
        carried = [(card, weight) for card, weight in weigh_cards(world, box, index) if card not in UNCARRIED]
        card = draw_weighted(carried, rng)
        decide_card(world, box, index, card)
        show_goods(world, card, 1 << turn % seats)
        if turn < 6:
            put_goods(world, card, pack_place(turn % seats) if turn < 4 else place_of(TILE["CG"], 2))
    return check_world(world.seal())


UNCARRIED = {card.id for card in CATALOG.treasures if card.size == "within" and card.name != "Chest"}


def test_m4_m7_the_world_before_the_set_up_has_open_slots_and_known_counters() -> None:
    world = position()
    tables = static_tables()
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
    assert not {entry for box in inside for entry in world.boxes[box].entries} & {*static_tables().within}


def test_x1_a_chit_is_known_to_those_who_looked_and_to_all_once_it_is_turned_up() -> None:
    world = position(heroes="Elf;Dwarf").fork()
    slot = site_slot(TILE["CG"])
    chit = weigh_chits(world, slot)[0][0]
    decide_chit(world, slot, chit)
    assert [SeatView(world, seat).chit(slot) for seat in (0, 1, None)] == [OPEN, OPEN, OPEN]
    show_slot(world, slot, 0b10)
    show_slot(world, slot, 0b10)
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
    show_goods(world, GOODS["Golden Crown"], 0b01)
    show_goods(world, GOODS["Golden Crown"], 0b01)
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
    acting.own_hero(0).phase = 1
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
        show_goods(world, GOODS[name], seen)
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
        show_goods(world, GOODS[name], 0b11)
    world.own_goods(GOODS["Lucky Charm"]).active = True
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
    world.own_goods(grail).active = True
    show_goods(world, grail, everyone(world))
    put_goods(world, grail, place_of(TILE["CG"], 2))
    assert world.goods[grail].active
    assert SeatView(world, 0).pile(place_of(TILE["CG"], 2)) == [(grail, True)]
    check_world(world)


# ---- drawn anew


@pytest.mark.no_cover
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_x5_a_resampled_world_looks_the_same_to_its_seat(seats: int) -> None:
    for seed in range(8):
        world = busy_world(seats=seats, seed=seed)
        for seat in range(seats):
            other = resample(world, seat, Random(seed))
            check_world(other)
            assert see_all(other, seat) == see_all(world, seat)
            assert MACHINE.to_move(other) == MACHINE.to_move(world)
            assert MACHINE.legal_moves(other, seat) == MACHINE.legal_moves(world, seat)


def hidden_things(world: World) -> Iterator[tuple[str, object]]:
    """Yield everything that the first seat does not know, by name."""
    for number, slot in enumerate(world.slots):
        if slot.chit >= 0 and not slot.seen & 1:
            yield f"slot {number}", slot.chit
    for seat, hero in enumerate(world.heroes[1:], 1):
        yield f"pack {seat}", hero.pack
        yield f"points {seat}", hero.points
        yield f"discoveries {seat}", hero.discoveries
        yield f"plan {seat}", hero.plan
        yield f"orders {seat}", hero.orders
    yield "pile", pile_at(world, place_of(TILE["CG"], 2))
    yield "boxes", tuple(box.entries for box in world.boxes)


def test_x5_a_hundred_resampled_worlds_differ_in_every_hidden_thing() -> None:
    world = busy_world()
    rng = Random(5)
    seen: dict[str, set[object]] = {}
    for _ in range(100):
        for name, value in hidden_things(resample(world, 0, rng)):
            seen.setdefault(name, set()).add(value)
    known = {"discoveries 1"}  # none, and none in every other world
    assert {name for name, values in seen.items() if len(values) < 2} <= known
    assert len(seen) > 10


def test_x5_a_carried_chest_is_drawn_anew_and_site_cards_are_never_carried() -> None:
    world = position(heroes="Elf;Dwarf").fork()
    decide_card(world, BOX["Hoard"], 0, GOODS["Chest"])
    show_goods(world, GOODS["Chest"], 0b10)
    put_goods(world, GOODS["Chest"], pack_place(1))
    rng, carried = Random(1), set()
    for turn in range(300):
        new = world.fork()
        resample_world(new, 0, rng)
        carried |= {*new.heroes[1].pack}
        if turn < 30:
            check_world(new)
    assert GOODS["Chest"] in carried
    assert not carried & UNCARRIED


def test_x5_when_only_the_chest_is_left_it_is_the_chest() -> None:
    """All other places of the sites are decided, so the unknown large card can be nothing else."""
    world = position(heroes="Elf;Dwarf").fork()
    rng = Random(2)
    decide_card(world, BOX["Hoard"], 0, GOODS["Chest"])
    put_goods(world, GOODS["Chest"], pack_place(1))
    for box, found in enumerate(world.boxes):
        for index, entry in enumerate(found.entries):
            if entry == OPEN_LARGE:
                card = draw_weighted(weigh_cards(world, box, index), rng)
                decide_card(world, box, index, card)
                show_goods(world, card, 0b11)
    new = world.fork()
    resample_world(new, 0, rng)
    assert new.heroes[1].pack == world.heroes[1].pack


def test_m10_in_the_set_up_unknown_starts_are_drawn_anew() -> None:
    fields = ["day=0", "part=setup", "agenda=secrets", "2.points=fame,gold", "2.start=Guardhouse", "2.ready"]
    world = position(*fields, heroes="Elf;Captain", options="map=stock1,days=7")
    starts = {resample(world, 0, Random(seed)).heroes[1].start for seed in range(40)}
    assert starts == {*static_tables().starts[world.heroes[1].character]}
    assert SeatView(world, 0).hero(1).start is None
    assert resample(world, 0, Random(1)).heroes[0] == world.heroes[0]


def test_x1_after_sunrise_only_what_is_still_to_come_of_a_plan_is_rewritten() -> None:
    plan = "2.plan=H;H;S;S"
    world = position(plan, "2.phase=2", heroes="Elf;Amazon").fork()
    world.part = "daylight"
    world.seal()
    plans = {resample(world, 0, Random(seed)).heroes[1].plan for seed in range(20)}
    assert {found[:2] for found in plans} == {world.heroes[1].plan[:2]}
    assert len(plans) > 5
    follower = position("2.plan=F_Elf", "2.guide=1", heroes="Elf;Amazon").fork()
    follower.part = "daylight"
    assert resample(follower.seal(), 0, Random(1)).heroes[1].plan == follower.heroes[1].plan
    dead = position("2.dead", heroes="Elf;Amazon")
    assert resample(dead, 0, Random(1)).heroes[1].plan == ()
    as_you_go = position(heroes="Elf;Amazon", options="map=stock1,recording=as_you_go")
    assert resample(as_you_go, 0, Random(1)).heroes[1].plan == ()


@pytest.mark.no_cover
@pytest.mark.parametrize("recording", ["written", "as_you_go"])
def test_z6_choices_made_at_once_change_nothing_that_others_see(recording: str) -> None:
    """That someone has finished shows only in who is still to act."""
    rng = Random(8)
    world = first_state(3, MagicOptions(map="stock1", days="7", recording=recording))
    compared = 0
    while world.day < 3:
        seat, step = random_step(world, rng)
        after = MACHINE.play(world, seat, step)
        if world.agenda[-1].kind in ("secrets", "write") and after.agenda == world.agenda and after.day == world.day:
            for viewer in ({0, 1, 2} - {seat}) | {None}:
                assert see_all(after, viewer) == see_all(world, viewer), (step, viewer)
                if viewer is not None:
                    assert MACHINE.legal_moves(after, viewer) == MACHINE.legal_moves(world, viewer)
            compared += 1
        world = after
    assert compared > 20


def test_x1_spectators_of_a_solo_game_see_only_what_is_face_up() -> None:
    boxes = "boxes=Hoard:large,large,large,large,small,small,small"
    goods = "1.goods=Spear-1;Golden_Crown/1;Deft_Gloves+"
    world = position(goods, boxes, heroes="Elf").fork()
    slot = warning_slot(TILE["CG"])
    decide_chit(world, slot, static_tables().warnings[TILE["CG"]][0])
    show_slot(world, slot, 1)
    world.seal()
    player, spectator = SeatView(world, 0), SeatView(world, None)
    assert player.chit(slot) >= 0
    assert spectator.chit(slot) == OPEN
    assert spectator.chit(warning_slot(TILE["BV"])) >= 0  # the Inn
    assert [thing.is_known for thing in player.pack(0)] == [True, True, True]
    assert [thing.goods for thing in spectator.pack(0)] == [GOODS["Spear-1"], GOODS["Deft Gloves"], OPEN_LARGE]
    assert not spectator.knows_goods(GOODS["Golden Crown"])


def test_x5_others_keep_neither_their_gold_nor_the_number_of_their_discoveries() -> None:
    fields = ("2.gold=77", "2.knows=Hoard;Lair;Pool", "2.backs=3", "2.ordered=2", "day=9")
    world = position(*fields, heroes="Elf;Dwarf")
    guesses = [resample(world, 0, Random(seed)).heroes[1] for seed in range(60)]
    assert {hero.gold for hero in guesses} == {10}
    assert len({hero.discoveries.bit_count() for hero in guesses}) > 5
    assert {(hero.backs, hero.ordered) for hero in guesses} == {(0, 0)}
    open_gold = position("2.gold=77", heroes="Elf;Dwarf", options="map=stock1,secret_gold=off")
    assert resample(open_gold, 0, Random(1)).heroes[1].gold == 77
    assert resample(world, 1, Random(1)).heroes[1].gold == 77


def test_t5_the_gold_of_the_thief_belongs_to_one_of_the_characters() -> None:
    world = position(heroes="Elf;Dwarf").fork()
    decide_card(world, BOX["Hoard"], 0, GOODS["Remains of Thief"])
    put_goods(world, GOODS["Remains of Thief"], GONE)
    show_goods(world, GOODS["Remains of Thief"], 0b11)
    assert {resample(world, 0, Random(seed)).heroes[1].gold for seed in range(30)} == {10, 30}


def test_x5_everyone_knows_whether_a_chit_that_was_decided_for_a_map_is_the_one_it_names() -> None:
    red = static_tables().red_chits[0]
    caves = static_tables().tiles_of_stack[0]
    sound = static_tables().sounds_and_sites[0]
    for chit in (red, sound):
        world = position(heroes="Elf;Dwarf").fork()
        decide_chit(world, site_slot(caves[0]), chit)
        decide_chit(world, site_slot(caves[1]), red if chit != red else sound)
        show_slot(world, site_slot(caves[1]), 0b10)
        guesses = [check_world(resample(world, 0, Random(seed))) for seed in range(60)]
        drawn = {guess.slots[site_slot(caves[0])].chit for guess in guesses}
        if chit == red:
            assert drawn == {red}
        else:
            assert red not in drawn
            assert len(drawn) > 5
