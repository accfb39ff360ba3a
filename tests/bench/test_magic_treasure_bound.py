"""The bound on treasures a week: sites are dealt as the rules say, and two sites are never worse than one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from bench import magic_treasure_bound
from realmtable.games.magic_realm.bots.known_world import KnownWorld
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import clearing_of, tile_of


@pytest.fixture(scope="module")
def known_world() -> KnownWorld:
    return KnownWorld(magic_treasure_bound.begin_week(1))


def test_all_sites_are_dealt_to_caves_and_mountains() -> None:
    sites = magic_treasure_bound.deal_sites(Random(1))
    chits = {chit.name: chit for chit in load_catalog().map_chits if chit.kind == "site"}
    assert {*sites} == {*chits}
    assert all(clearing_of(place) == chits[name].clearing for name, place in sites.items())
    assert {load_catalog().tiles[tile_of(place)].letter for place in sites.values()} <= {*magic_treasure_bound.LETTERS}
    assert sites != magic_treasure_bound.deal_sites(Random(2))


def test_a_week_begins_with_a_bot_that_knows_no_site(known_world: KnownWorld) -> None:
    assert known_world.view["day"] == 1
    assert known_world.days_left == magic_treasure_bound.DAYS
    assert not known_world.sites


def test_two_sites_bring_at_least_as_much_as_one(known_world: KnownWorld) -> None:
    sites = magic_treasure_bound.deal_sites(Random(1))
    single = [
        max(magic_treasure_bound.list_hunts(known_world, {name: place}), default=0.0) for name, place in sites.items()
    ]
    assert max(magic_treasure_bound.list_hunts(known_world, sites)) >= max(single) > min(single) >= 0


def test_caves_have_fewer_searches(known_world: KnownWorld) -> None:
    firsts = {row.kind: place for place, row in known_world.graph.clearings.items()}
    cave, woods = (magic_treasure_bound.count_searches(known_world, firsts[kind]) for kind in ("cave", "woods"))
    assert woods - cave == load_catalog().numbers.sunlight_phases


def test_the_sites_hold_as_many_treasures_as_the_catalog_says(known_world: KnownWorld) -> None:
    slots = [slot for box in load_catalog().boxes if box.kind == "site" for slot in box.slots]
    treasures = sum(slot in ("large", "small") for slot in slots)
    assert sum(len(known_world.box(site)) for site in magic_treasure_bound.deal_sites(Random(1))) == treasures == 48
    within = [slot for box in load_catalog().boxes if box.kind == "within" for slot in box.slots]
    assert len(within) == 5  # as the page says


def test_pieces_are_looted_where_it_is_easiest() -> None:
    table = magic_treasure_bound.format_supply([7, 2])
    assert "| treasures in their boxes, without those within others | 9 |" in table
    assert "| treasures that a Loot roll with two dice never misses | 2 |" in table
    assert "| Loot rolls for half of all, always where it is easiest | 6 |" in table  # 1 + 1 + 36/25 + 36/16
    assert "| Loot rolls for all | 100 |" in table  # and 4 + 2 * (9 + 36)


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    page = tmp_path / "bound.md"
    done = CliRunner().invoke(magic_treasure_bound.main, ["--maps", "2", "--write", str(page)])
    assert done.exit_code == 0, done.output
    assert "2 maps" in done.output
    assert done.output.strip() in page.read_text()
    assert "inf" in magic_treasure_bound.format_report([(3.0, 1.0)])
    assert "| 100% |" in magic_treasure_bound.format_report([(3.0, 1.0)])
    assert not CliRunner().invoke(magic_treasure_bound.main, ["--maps", "1"]).exception
