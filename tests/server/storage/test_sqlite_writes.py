"""Many rows are written by few statements, and end up as if each had one of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import JSON, Column, Connection, Integer, MetaData, String, Table, create_engine, select
from sqlalchemy.exc import IntegrityError

from realmtable.server.storage.sqlite_writes import MOST_ROWS, PreparedInsert, PreparedUpdate

CARDS = Table(
    "cards", MetaData(), Column("id", String, primary_key=True), Column("size", Integer), Column("data", JSON)
)
INSERT = PreparedInsert(CARDS)
UPDATE = PreparedUpdate(CARDS, ("size", "data"), key="id", key_parameter="of_card")


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    with engine.begin() as connected:
        CARDS.metadata.create_all(connected)
        yield connected
    engine.dispose()


def make_cards(count: int) -> list[dict[str, Any]]:
    return [{"id": f"card {number}", "size": number, "data": {"n": [number]}} for number in range(count)]


def read_cards(connection: Connection) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in connection.execute(select(CARDS).order_by(CARDS.c.size))]


@pytest.fixture
def statements(connection: Connection) -> list[str]:
    """The statements that SQLite runs from now on."""
    found: list[str] = []
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.set_trace_callback(found.append)
    return found


@pytest.mark.parametrize("count", [0, 1, 2, 3, 63, 64, 65, 3 * MOST_ROWS + 7])
def test_all_rows_are_inserted(connection: Connection, count: int) -> None:
    INSERT.run(connection, make_cards(count))
    assert read_cards(connection) == make_cards(count)


def test_few_statements_insert_many_rows(connection: Connection, statements: list[str]) -> None:
    INSERT.run(connection, make_cards(MOST_ROWS + 5))
    assert [text.count("(") - 1 for text in statements if text.startswith("INSERT")] == [MOST_ROWS, 4, 1]


@pytest.mark.parametrize("count", [0, 1, 2, 3, MOST_ROWS + 5])
def test_rows_are_updated_by_their_keys(connection: Connection, count: int) -> None:
    cards = make_cards(MOST_ROWS + 10)
    INSERT.run(connection, cards)
    changed = [{**card, "size": 1000 + card["size"], "data": None} for card in cards[:count]]
    UPDATE.run(connection, [{**card, "of_card": card["id"]} for card in reversed(changed)])
    assert read_cards(connection) == [*cards[count:], *changed]


def test_few_statements_update_many_rows(connection: Connection, statements: list[str]) -> None:
    rows = [{**card, "of_card": card["id"]} for card in make_cards(MOST_ROWS + 2)]
    UPDATE.run(connection, rows)
    assert sum("UPDATE" in text for text in statements) == 2


@pytest.mark.parametrize("version", [(3, 31, 1), sqlite3.sqlite_version_info], ids=["old", "installed"])
def test_of_two_updates_of_a_row_the_later_one_is_used(
    connection: Connection, version: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    INSERT.run(connection, make_cards(3))
    sizes = [("card 1", 50), ("card 2", 60), ("card 1", 70)]
    UPDATE.run(connection, [{"of_card": name, "size": size, "data": []} for name, size in sizes])
    assert [(card["id"], card["size"]) for card in read_cards(connection)] == [
        ("card 0", 0),
        ("card 2", 60),
        ("card 1", 70),
    ]


def test_one_repeated_key_is_an_integrity_error(connection: Connection) -> None:
    with pytest.raises(IntegrityError):
        INSERT.run(connection, [*make_cards(5), *make_cards(1)])
