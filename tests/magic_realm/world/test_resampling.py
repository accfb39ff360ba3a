"""What a seat does not know is drawn anew: the same to this seat, and different in every hidden thing (X5)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.flow.handlers import first_state
from realmtable.games.magic_realm.flow.resample import resample
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.belongings import pile_at, put_goods
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import OPEN, OPEN_LARGE
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.knowledge import (
    SeatView,
    let_seats_know_goods,
    let_seats_know_slot,
)
from realmtable.games.magic_realm.world.open_slots import (
    decide_card,
    decide_chit,
    site_slot,
    warning_slot,
    weigh_cards,
)
from realmtable.games.magic_realm.world.places import GONE, pack_place
from realmtable.games.magic_realm.world.resample import draw_weighted, resample_world
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import MACHINE, position, random_step
from tests.magic_realm.helpers.knowledge_helpers import BOX, GOODS, TILE, UNCARRIED, busy_world, see_all


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
    let_seats_know_goods(world, GOODS["Chest"], 0b10)
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
                let_seats_know_goods(world, card, 0b11)
    new = world.fork()
    resample_world(new, 0, rng)
    assert new.heroes[1].pack == world.heroes[1].pack


def test_m10_in_the_set_up_unknown_starts_are_drawn_anew() -> None:
    fields = ["day=0", "part=setup", "agenda=secrets", "2.points=fame,gold", "2.start=Guardhouse", "2.ready"]
    world = position(*fields, heroes="Elf;Captain", options="map=stock1,days=7")
    starts = {resample(world, 0, Random(seed)).heroes[1].start for seed in range(40)}
    assert starts == {*catalog_lookups().starts[world.heroes[1].character]}
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
    decide_chit(world, slot, catalog_lookups().warnings[TILE["CG"]][0])
    let_seats_know_slot(world, slot, 1)
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
    let_seats_know_goods(world, GOODS["Remains of Thief"], 0b11)
    assert {resample(world, 0, Random(seed)).heroes[1].gold for seed in range(30)} == {10, 30}


def test_x5_everyone_knows_whether_a_chit_that_was_decided_for_a_map_is_the_one_it_names() -> None:
    red = catalog_lookups().red_chits[0]
    caves = catalog_lookups().tiles_of_stack[0]
    sound = catalog_lookups().sounds_and_sites[0]
    for chit in (red, sound):
        world = position(heroes="Elf;Dwarf").fork()
        decide_chit(world, site_slot(caves[0]), chit)
        decide_chit(world, site_slot(caves[1]), red if chit != red else sound)
        let_seats_know_slot(world, site_slot(caves[1]), 0b10)
        guesses = [check_world(resample(world, 0, Random(seed))) for seed in range(60)]
        drawn = {guess.slots[site_slot(caves[0])].chit for guess in guesses}
        if chit == red:
            assert drawn == {red}
        else:
            assert red not in drawn
            assert len(drawn) > 5
