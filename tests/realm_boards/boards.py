"""The five games on the Realm board, and tables of cases for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any

import pytest

from realmtable.kit.realm_board.board_game import RealmBoardGame
from tests.classic_realm.helpers import TESTED as CLASSIC
from tests.example_tables import read_table
from tests.game_under_test import BoardGame
from tests.medieval_realm.helpers import TESTED as MEDIEVAL
from tests.modern_realm.helpers import TESTED as MODERN
from tests.oriental_realm.helpers import TESTED as ORIENTAL
from tests.realm.helpers import TESTED as REALM

Board = BoardGame[Any, Any]

BOARDS: Mapping[str, Board] = {tested.game.info.id: tested for tested in (REALM, CLASSIC, MEDIEVAL, ORIENTAL, MODERN)}
each_board = pytest.mark.parametrize("tested", BOARDS.values(), ids=BOARDS)


def read_rules(game: RealmBoardGame[Any, Any]) -> str:
    return resources.files(f"realmtable.games.{game.info.id}").joinpath("RULES.md").read_text(encoding="utf-8")


def list_cases(tables: Mapping[str, Iterable[tuple[Any, ...]]]) -> list[Any]:
    """Return the parameters of a test: a board first, then a case from its table."""
    return [
        pytest.param(BOARDS[name], *case, id=f"{name}-{number}")
        for name, table in tables.items()
        for number, case in enumerate(table)
    ]


def read_cases(tables: Mapping[str, str]) -> list[Any]:
    """Return the parameters of a test from tables in plain text."""
    return list_cases({name: read_table(text) for name, text in tables.items()})
