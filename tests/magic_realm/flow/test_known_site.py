"""A site that everyone knows from the beginning of a first game (V12)."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.bots.advice import advise_view
from realmtable.games.magic_realm.catalog.map_graph import count_moves
from realmtable.games.magic_realm.day_rules.search import discovery_bit
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.handlers import MACHINE, first_state
from realmtable.games.magic_realm.options import PRESETS, MagicOptions
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.entities import OPEN
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.map_layout import graph_of, start_place
from realmtable.games.magic_realm.world.open_slots import site_slot
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import CATALOG, play, random_game
from tests.magic_realm.helpers.text_helpers import prompt_of

FIRST_GAME = MagicOptions(**PRESETS["first_game"])  # type: ignore[arg-type]  # the options check them
SITES = {chit.id: chit for chit in CATALOG.map_chits if chit.name in ("Lair", "Hoard")}


def first_morning(*valleys: str) -> World:
    """Return the first day of a game of the Druid and the Elf, who start at the Inn."""
    world = play(first_state(2, FIRST_GAME), (0, "be Druid"), (1, "be Elf"))
    for seat in (0, 1):
        world = play(world, (seat, "want gold"), (seat, "want gold"), (seat, "ready"))
    return play(world, *((CHANCE, f"chit {text}") for text in valleys))


def find_site(world: World) -> tuple[int, int]:
    """Return the tile and the chit of the site that everyone knows."""
    tiles = range(len(world.tiles))
    ((tile, chit),) = [(tile, world.slots[site_slot(tile)].chit) for tile in tiles if world.slots[site_slot(tile)].seen]
    return tile, chit


def test_v12_everyone_knows_a_site_and_can_loot_it() -> None:
    world = first_morning("AV Bones", "BV Stink", "CV Smoke", "DV Dank", "EV Ruins")
    tile, chit = find_site(world)
    assert chit in SITES
    looted = CATALOG.names.by_name("looted")[SITES[chit].name]
    for seat in (0, 1):
        assert SeatView(world, seat).chit(site_slot(tile)) == chit
        assert world.heroes[seat].discoveries == discovery_bit(looted)
    check_world(world)
    assert encode(decode(MACHINE, encode(world))) == encode(world)


@pytest.mark.parametrize("inn", ["AV", "BV", "CV", "DV", "EV"])
def test_v12_no_other_place_for_the_site_is_nearer_to_the_inn(inn: str) -> None:
    words = iter(("Bones", "Smoke", "Dank", "Ruins"))
    valleys = [f"{code} {'Stink' if code == inn else next(words)}" for code in ("AV", "BV", "CV", "DV", "EV")]
    world = first_morning(*valleys)
    start = start_place(world, CATALOG.names.by_name("start")["Inn"])
    assert start is not None
    moves = count_moves(graph_of(world), start, known=0)
    tile, chit = find_site(world)
    places = {row.id: {other.number: other.place for other in row.sides[0].clearings} for row in CATALOG.tiles}
    reached = moves[places[tile][SITES[chit].clearing]]
    for other in (row.id for row in CATALOG.tiles if row.letter in "CM"):
        for site in SITES.values():
            assert moves.get(places[other].get(site.clearing, -1), reached) >= reached


@pytest.mark.parametrize("known_site", [True, False])
def test_v12_only_with_the_option(known_site: bool) -> None:
    options = MagicOptions(map="stock2", days="7", known_site=known_site)
    morning = next(world for world in random_game(2, options, Random(3)) if world.day == 1)
    decided = [tile for tile in range(len(morning.tiles)) if morning.slots[site_slot(tile)].chit >= 0]
    assert len(decided) == known_site
    assert any(slot.chit == OPEN for slot in morning.slots)


def test_v12_d28_a_first_day_says_where_to_loot() -> None:
    world = first_morning("AV Bones", "BV Stink", "CV Smoke", "DV Dank", "EV Ruins")
    tile, chit = find_site(world)
    while world.agenda[-1].kind != "choose":
        seat = MACHINE.to_move(world)[0]
        step = MACHINE.chance(world)[0].move if seat == CHANCE else Step("done")
        world = MACHINE.play(world, seat, step)
    (seat,) = MACHINE.to_move(world)
    site = SITES[chit]
    place = f"{CATALOG.tiles[tile].name} {site.clearing}"
    assert prompt_of(world, seat).split(" | ")[1].endswith(f"; you can loot the {site.name} in {place}.")


def test_z9_a_first_morning_is_not_advised_to_give_standing_orders() -> None:
    world = first_morning("AV Bones", "BV Stink", "CV Smoke", "DV Dank", "EV Ruins")
    shown = view(world, MACHINE, 0)
    assert shown["question"] is not None
    assert any(move.startswith("order ") for move in shown["question"]["moves"])
    assert advise_view({**shown}, Random(1))["move"] == "done"
