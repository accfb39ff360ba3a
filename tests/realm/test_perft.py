"""Perft tables: the number of step sequences, by default and for each option, confirmed by the slow twin.

A row is played to by a seeded walk, so that the twin, which cannot be set up, gets there too.
"""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

import realmtable
from realmtable.engine.perft import count_sequences, divide, perft
from realmtable.games.realm.notation import bare_text
from realmtable.kit.compile import is_compiling
from tests.realm.twin import Twin, TwinOptions

TABLE = tomllib.loads(Path(__file__).with_name("perft.toml").read_text(encoding="utf-8"))["row"]
GAME = realmtable.game("realm")
NODES = 3_000 if is_compiling() else 300  # what is counted step by step in the ordinary run


def row_name(row: dict[str, Any]) -> str:
    return f"{','.join(f'{key}={value}' for key, value in row['options'].items()) or 'default'} after {row['walk']}"


def play_to_row(row: dict[str, Any]) -> tuple[Any, Twin]:
    """The state of a row, in the game and in the twin."""
    options = GAME.options(None, **row["options"])
    state, twin = GAME.initial(2, options), Twin.initial(TwinOptions(**dataclasses.asdict(options)))
    rng = Random(row["seed"])
    for _ in range(row["walk"]):
        seat = GAME.to_move(state)[0]
        moves = {bare_text(state, move): move for move in GAME.legal_moves(state, seat)}
        text = rng.choice(sorted(set(moves) - {"offer", "accept"}))
        state, twin = GAME.play(state, seat, moves[text]), twin.play(text)
    return state, twin


def twin_count(twin: Twin, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(twin_count(twin.play(step), depth - 1) for step in twin.steps())


@pytest.mark.parametrize("row", TABLE, ids=row_name)
def test_counts(row: dict[str, Any]) -> None:
    state, twin = play_to_row(row)
    assert GAME.encode(state) == row["position"]
    for depth, expected in enumerate(row["counts"], start=1):
        if expected <= NODES:
            assert twin_count(twin, depth) == expected
            assert count_sequences(GAME, state, depth) == expected
        if expected <= 40 * NODES:
            assert perft(GAME, state, depth) == expected


@pytest.mark.slow
@pytest.mark.parametrize("row", TABLE, ids=row_name)
def test_deep_counts(row: dict[str, Any]) -> None:
    state, twin = play_to_row(row)
    for depth, expected in enumerate(row["counts"], start=1):
        assert perft(GAME, state, depth) == expected
        if expected <= 60 * NODES:
            assert twin_count(twin, depth) == expected


def test_every_option_has_a_row() -> None:
    shown = {(name, value) for row in TABLE for name, value in row["options"].items()}
    for option in GAME.info.options():
        values = {value for name, value in shown if name == option.name}
        others: set[object] = set(option.choices)
        if option.type == "switch":
            others = {True, False}
        assert values, option.name
        assert others - {option.default} <= values, option.name


def test_divide_adds_up_to_perft() -> None:
    parts = divide(GAME, GAME.initial(), 3)
    assert len(parts) == 16
    assert sum(parts.values()) == perft(GAME, GAME.initial(), 3) == 2016
