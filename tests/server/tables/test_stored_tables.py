"""Tables stored by an earlier release go on as the games they were, or are halted with a sentence.

Their defaults were another game: without combat, and with two rows of monsters for one player.
"""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from realmtable.server.admin import find_differences
from realmtable.server.errors import NotRunning
from realmtable.server.storage.database import Database, migrate
from realmtable.server.storage.table_store import TableStore
from realmtable.server.tables import actions
from realmtable.server.tables.replay_log import replay
from realmtable.server.tables.scenes.headline import headline
from realmtable.server.tables.table import Result, Table, replace

pytestmark = pytest.mark.anyio

STORED = Path(__file__).parents[1] / "stored" / "rules_2.sql.gz"
# What each table was, as `encounter` and `two_rows`, and its status; the old defaults were not written.
GOES_ON = {
    "usual_by_day": ("1", "solo", "running"),
    "two_rows": ("1", "always", "running"),
    "first_game": ("1", "solo", "running"),
    "one_row_alone": ("1", "never", "running"),
    "start_by_day": ("1", "solo", "running"),
    "over_one_week": ("1", "solo", "over"),
    "combat_by_day": ("2", "solo", "running"),
    "start_with_combat": ("2", "never", "running"),
}
HALTED = {
    "one_week_after_an_attack": r"step \d+ is now illegal",
    "over_after_an_attack": r"step \d+ is now illegal",
    "over_with_combat": r"step \d+ is now illegal",
    "combat_a_day_later": r"step \d+ is now illegal",
    "combat_in_combat": r"step \d+ is now illegal",  # who is hidden may now become unhidden
    "one_week_run_or_stay": "now lead to another position",
    "one_week_last_evening": "now lead to another position",
    "start_in_the_evening": "first position is now refused",
}


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[TableStore]:
    path = tmp_path / "tables.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(gzip.decompress(STORED.read_bytes()).decode())
    await migrate(f"sqlite:///{path}")
    store = TableStore(Database(f"sqlite:///{path}"))
    yield store
    await store.close()


async def load(store: TableStore, table_id: str) -> Table:
    row = await store.table(table_id)
    assert row is not None
    return replay(row, await store.events(table_id), await store.snapshot(table_id))


async def test_every_stored_table_is_tested(store: TableStore) -> None:
    assert {row.id for row in await store.list_tables_of("ann")} == {*GOES_ON, *HALTED}


@pytest.mark.parametrize("table_id", GOES_ON)
async def test_a_table_goes_on_as_the_game_it_was(store: TableStore, table_id: str) -> None:
    encounter, two_rows, status = GOES_ON[table_id]
    table, row = await load(store, table_id), await store.table(table_id)
    options = table.game.options_of(table.match.state)
    assert (options.encounter, options.two_rows, table.status, table.trouble) == (encounter, two_rows, status, "")
    assert row is not None
    assert [*find_differences(row, await store.events(table_id), await store.snapshot(table_id))] == []
    if status == "running":
        seat = table.acting[0]
        step = Random(table_id).choice(table.game.legal_moves(table.match.state, seat))
        assert actions.play(table, seat, table.game.format_move(table.match.state, step))


@pytest.mark.parametrize("table_id", HALTED)
async def test_a_table_whose_rules_are_gone_is_halted_with_a_sentence(store: TableStore, table_id: str) -> None:
    table, row = await load(store, table_id), await store.table(table_id)
    assert row is not None
    if table_id.startswith("over_"):  # the result stays
        assert row.summary.result is not None
        assert table.result == Result.from_data(row.summary.result)
        assert headline(table, (0,)) != headline(replace(table, result=None), (0,)) == "This game cannot continue"
    assert table.status == ("over" if table_id.startswith("over_") else "halted")
    assert table.acting == ()
    assert table.trouble.startswith("The rules were corrected after this game began")
    with pytest.raises(NotRunning, match=HALTED[table_id]):
        actions.play(table, 0, "done")
    assert [sitter is not None and sitter.player_id for sitter in table.seats] == ["ann"] * len(table.seats)


@pytest.mark.long
async def test_the_options_of_an_old_table_are_described_as_they_were(store: TableStore) -> None:
    described = {table_id: (await load(store, table_id)).setup.describe() for table_id in GOES_ON}
    assert described["usual_by_day"] == "treasure hunt, two rows of monsters: in solo games"
    assert described["two_rows"] == "map: ready-made map 2, two rows of monsters: always, combat: no"
    assert described["combat_by_day"] == "map: ready-made map 1, two rows of monsters: in solo games"
