"""The count of where the days of Magic Realm's bots go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import CliRunner

from bench import magic_bots, magic_days, magic_treasure_bound
from realmtable.games.magic_realm.bots.known_world import KnownWorld
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.world.entities import OPEN
from tests.magic_realm.helpers.bot_helpers import place, see

SITES = {chit.name for chit in load_catalog().map_chits if chit.kind == "site"}


def test_all_sites_can_be_shown() -> None:
    """M4: five chits lie in the tile of the Lost City and in that of the Lost Castle, one in each of the others."""
    state = place(heroes="Elf;Dwarf")
    assert not KnownWorld(see(state)).sites
    for seat in range(2):
        known = KnownWorld(see(magic_days.show_all_sites(state, Random(1)), seat))
        assert known.sites.keys() == SITES
        assert not known.unknown_chits
        assert sorted(len(lying.others) for lying in known.chits.values()) == [0] * 10 + [1] * 8 + [5] * 2
    assert OPEN in {slot.chit for slot in state.slots}  # the state itself has not changed


def test_a_week_is_counted() -> None:
    counts = magic_days.count_month((5, 1), 5, known=True, days="7")
    assert {row for count in counts for row in count} <= {*magic_days.ROWS, "searches: sight"}
    hunter = counts[0]
    searches = sum(hunter[f"searches: {verb}"] for verb in ("locate", "peer", "loot", "sight"))
    assert 0 < searches <= hunter["written: Search"]
    assert hunter["treasures"] + hunter["treasures left behind"] <= hunter["searches: loot"] + 3  # a card may hold more
    assert hunter["written: Move"] > 0
    assert counts == magic_days.count_month((5, 1), 5, known=True, days="7")


def test_the_command_writes_the_averages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def count(levels: Sequence[int], number: int, *, known: bool, days: str) -> list[Counter[str]]:
        assert days == "7"
        return [Counter({"treasures": number + 2 * known, "deaths": 1}) for _ in levels]

    page = tmp_path / "days.md"
    monkeypatch.setattr(magic_days, "count_month", count)
    done = CliRunner().invoke(magic_days.main, ["--maps", "2", "--first-map", "5", "--days", "7", "--write", str(page)])
    assert done.exit_code == 0, done.output
    assert "| level 5, mean of 4 months |" in done.output
    rows = "| treasures | 5.5 | 7.5 |\n| treasures left behind | 0.0 | 0.0 |\n| deaths | 1.0 | 1.0 |"
    assert rows in done.output
    assert rows in page.read_text()
    command = f"python -m bench.magic_days --levels 5,1,5,1 --maps 2 --first-map 5 --days 7 --write {page}"
    assert f"`{command}`" in page.read_text()
    assert CliRunner().invoke(magic_days.main, ["--maps", "1", "--days", "7"]).exit_code == 0


def test_the_highest_level_at_the_table_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def count(levels: Sequence[int], number: int, *, known: bool, days: str) -> list[Counter[str]]:
        assert (levels, days) == ((1, 3, 2), "14")
        return [Counter({"treasures": level * number * (1 + known)}) for level in levels]

    page = tmp_path / "days.md"
    monkeypatch.setattr(magic_days, "count_month", count)
    options = ["--levels", "1,3,2", "--maps", "3", "--days", "14", "--first-map", "1", "--write", str(page)]
    done = CliRunner().invoke(magic_days.main, options)
    assert done.exit_code == 0, done.output
    assert "| level 3, mean of 3 months |" in done.output
    assert "| treasures | 6.0 | 12.0 |" in done.output
    assert "| treasures a week in the median month | 3.00 | 6.00 |" in done.output
    assert "bots of level 3" in page.read_text()
    assert "levels 1, 3, 2." in page.read_text()


@pytest.mark.parametrize("command", [magic_bots.main, magic_days.main, magic_treasure_bound.main])
def test_a_page_without_a_folder_is_refused_at_once(command: click.Command, tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["--write", str(tmp_path / "none" / "page.md")])
    assert done.exit_code == 2
    assert f"There is no folder {tmp_path / 'none'} to write page.md to." in " ".join(done.output.split())
