"""What bots expect of places: how much is found in a time, what rivals and monsters take away, and when to walk off."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import cast

import pytest

from realmtable.games.magic_realm.bots.destinations import DISCOVER, EXPLORE, LOCATES, Destination
from realmtable.games.magic_realm.bots.known_world import KnownWorld, chance_of, read_place
from realmtable.games.magic_realm.bots.plans import Planner
from realmtable.games.magic_realm.bots.run_choices import choose_road
from realmtable.games.magic_realm.bots.search_values import SearchValue, expected_finds, expected_finds_after_discovery
from realmtable.games.magic_realm.bots.travel import count_marches, measure_ways
from realmtable.games.magic_realm.catalog.ids import tile_of
from realmtable.games.magic_realm.view_parts.schema import MagicView
from tests.magic_realm.helpers.bot_helpers import place, plan_position, see

HOARD = "CG:Bones/1;CG:Hoard/1"
# The same, with sounds in most other tiles that have a second chit.
SOUNDS = f"{HOARD};DW:Howl-4/1;L:Howl-5/1;M:Flutter-1/1;B:Patter-2/1;HP:Patter-5/1;R:Roar-4/1;CS:Roar-6/1"


# ---- how much is found
@pytest.mark.parametrize(("pieces", "dice", "rolls"), [(9, 2, 6), (4, 2, 10), (3, 1, 5)])
def test_finds_are_those_of_the_loot_table(pieces: int, dice: int, rolls: int) -> None:
    """D19: with result n the n-th piece is taken, nothing if there are fewer."""
    rng, games, found = Random(1), 4000, 0
    for _ in range(games):
        left = pieces
        for _ in range(rolls):
            left -= max(rng.randint(1, 6) for _ in range(dice)) <= left
        found += pieces - left
    assert expected_finds(pieces, dice)[rolls] == pytest.approx(found / games, rel=0.05)


def test_a_site_is_discovered_before_it_is_looted() -> None:
    chance = chance_of(LOCATES, 2)
    later = expected_finds_after_discovery(9, 2, chance)
    assert later[:2] == (0.0, 0.0)
    assert later[2] == pytest.approx(chance)
    assert all(
        one <= more < known for (one, more), known in zip(pairwise(later), expected_finds(9, 2)[1:], strict=True)
    )


def test_time_that_is_worth_more_elsewhere_is_not_spent_here() -> None:
    rich = SearchValue(2.0, expected_finds(9, 2), 3.0)
    assert rich.value(10, 1.0) > rich.value(2, 1.0) > rich.value(0, 1.0) == 0
    assert rich.value(10, 1.0) > rich.value(10, 3.0) > rich.value(10, 6.0) == 0
    assert rich.value(10, 1.0) > SearchValue(2.0, expected_finds(9, 2), 3.0, toll=1.0).value(10, 1.0)
    assert SearchValue(-1.0, expected_finds(9, 2), 3.0).plan_stay(10, 1.0) == (0.0, 0.0)


def test_a_stay_ends_when_the_last_searches_find_less_than_their_time_is_worth() -> None:
    finds = expected_finds_after_discovery(7, 2, 0.25)
    for day_worth in (0.5, 1.0, 2.0):
        stay = SearchValue(2.0, finds, 3.0, toll=0.3)
        all_stays = [2.0 * finds[count] - (day_worth + 0.3) * count / 3 for count in range(31)]
        best = max(all_stays)
        assert [*stay.plan_stay(10, day_worth)] == pytest.approx([best, all_stays.index(best) / 3])


def test_a_search_gains_time_and_on_the_last_day_all_that_it_finds() -> None:
    rich = SearchValue(2.0, expected_finds(9, 2), 3.0)
    assert rich.gain(20, 1.5) == pytest.approx(0.5)
    assert rich.gain(1, 1.5) == pytest.approx(2.0)
    assert rich.gain(0, 1.5) == 0
    assert rich.gain(0.1, 1.5) == 0  # no time for a single search


def test_a_search_that_does_not_pay_gains_what_it_finds() -> None:
    """D19: of two pieces, two dice find one in 4 rolls of 36."""
    poor = SearchValue(2.0, expected_finds(2, 2), 3.0)
    assert poor.gain(20, 6.0) == pytest.approx(2.0 * 4 / 36)


# ---- what a place is worth


def target_at(planner: Planner, at: str, kind: str) -> Destination:
    return next(one for one in planner.targets.all if one.place == read_place(at) and one.kind == kind)


def test_days_are_worth_less_when_little_is_left() -> None:
    view = see(place("1.at=CG6", "1.knows=Hoard", chits=HOARD))
    last = [{**box, "goods": box["goods"][-1:]} for box in view["boxes"]]
    rich, poor = (
        Planner(KnownWorld(cast("MagicView", {**view, "boxes": boxes}))).targets.day_worth
        for boxes in (view["boxes"], last)
    )
    assert rich > 2 * poor > 0


def test_days_are_worth_what_fills_them() -> None:
    """More to find makes time scarce; more time for the same finds makes it cheap."""
    more, early, late = (
        plan_position("1.at=CG6", "1.knows=Hoard", day, chits=chits).targets
        for day, chits in (("day=2", HOARD), ("day=2", SOUNDS), ("day=26", SOUNDS))
    )
    assert more.day_worth > early.day_worth
    assert late.day_worth > early.day_worth
    tiles = [tile_of(one.place) for one in more.stops if one.kind == EXPLORE]
    assert len({*tiles}) == len(tiles) > 5  # a tile counts once


def test_the_dwarf_travels_half_as_far_in_a_day() -> None:
    """D7: the Dwarf has no sunlight phases. The Amazon has an extra Move phase."""
    elf, dwarf, amazon = (count_marches(plan_position(heroes=name).known) for name in ("Elf", "Dwarf", "Amazon"))
    assert dwarf == elf / 2
    assert amazon == elf * 5 / 4


def test_rivals_who_are_nearer_make_a_site_worth_less() -> None:
    alone, last, first = (
        target_at(plan_position("1.at=CG2", *fields, heroes=heroes, chits=HOARD), "CG6", DISCOVER).value
        for heroes, fields in (("Elf", ()), ("Elf;Dwarf", ("2.at=CG6",)), ("Elf;Dwarf", ("2.at=CG2",)))
    )
    assert last < alone
    assert first > last  # of those who are as near, the first seat comes first


def test_rivals_on_the_map_are_those_with_a_place() -> None:
    known = plan_position("1.at=CG2", "2.at=BV2-BV5", heroes="Elf;Dwarf").known
    assert known.others == {1: read_place("BV2")}
    view = see(place("1.at=CG2", heroes="Elf;Dwarf"))
    gone = [{**player, "at": "" if player["seat"] else player["at"]} for player in view["players"]]
    assert KnownWorld(cast("MagicView", {**view, "players": gone})).others == {}


def test_monsters_make_a_site_worth_less() -> None:
    calm, crowded = (
        target_at(plan_position("1.at=CG2", "1.goods=-", *fields, chits=HOARD), "CG6", DISCOVER).value
        for fields in ((), ("denizens=Giant-1:CG6;Giant-2:CG6;Giant_Bat-1:CG6",))
    )
    assert crowded < calm


def test_what_cannot_be_reached_is_no_target() -> None:
    found = plan_position("1.at=BV5", "day=28", chits=HOARD).targets
    assert EXPLORE not in {one.kind for one in found.all}
    assert found.day_worth > 0


def test_ways_are_measured_in_phases() -> None:
    known = plan_position("1.at=CG2").known
    lengths = measure_ways(known, [read_place("CG2")])
    assert lengths[read_place("CG2")] == 0
    for way in known.graph.ways[read_place("CG2")]:
        assert lengths[way.to] >= 1
    assert len(lengths) > 90  # nearly all clearings of the map are connected


# ---- weights


def test_what_is_too_heavy_is_worth_nothing() -> None:
    """D11: a character leaves behind what is heavier than its strength."""
    elf, berserker = (plan_position("1.goods=-", heroes=name).goals for name in ("Elf", "Berserker"))
    slot = {"name": "Golden Icon", "back": "large", "active": True}
    assert elf.value_of_slot(slot) == 0 < berserker.value_of_slot(slot)  # type: ignore[arg-type]
    assert (elf.known.strength, berserker.known.strength) == ("M", "T")


# ---- monsters in the clearing
def test_a_character_walks_off_before_it_hides() -> None:
    """L1: monsters block a character only where it is at the end of a phase."""
    found = plan_position("1.at=BV5", "1.goods=-", "denizens=Giant-1:BV5", chits=HOARD)
    moving = [plan for plan in found.plans if plan.hides and plan.end != read_place("BV5")]
    assert moving
    assert all(plan.steps[0].startswith("M ") and plan.danger < 0.1 for plan in moving)
    climbing = plan_position("1.at=CG1", "1.goods=-", "denizens=Giant-1:CG1", chits=HOARD).plans
    assert all(plan.steps[0] == "H" for plan in climbing if plan.hides)  # after the first Move it is still there


def test_to_be_near_others_unhidden_is_a_risk() -> None:
    """L4: monsters that come to another character block everyone there who is not hidden."""
    alone, near = (
        plan_position("1.at=CG1", *fields, heroes=heroes, chits=HOARD).delay_risk(read_place("CG1"))
        for heroes, fields in (("Elf", ()), ("Elf;Dwarf", ("2.at=CG6",)))
    )
    assert alone == 0 < near


def test_a_runner_takes_a_road_that_leads_on() -> None:
    planner = plan_position("1.at=CG1", "1.goods=-", "denizens=Giant-1:CG1;Giant-2:CG6")
    names = [f"run {road} with Move L2*" for road in ("CG1-CG6", "CG1-CG4")]
    assert choose_road(planner, names) == names[1]
