"""Helpers for the tests of Modern Realm: positions, steps, differences, random options and random games."""

from __future__ import annotations

from random import Random

from realmtable.engine.options import OptionValue
from realmtable.games.modern_realm import game as made
from realmtable.games.modern_realm.first_state import State
from realmtable.games.modern_realm.layout import (
    DISLODGED_REALM,
    EMPTY,
    KIND_MASK,
    SEAT,
    SEAT_SHIFT,
    TURNS,
)
from realmtable.games.modern_realm.notation import LETTERS
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.kit.realm_board.geometry import CELLS, cell_name
from tests.game_under_test import BoardGame
from tests.realm_boards.clause_facts import BoardFacts

GAME = made.GAME

HOMES = ("b2", "e2", "h2", "k2", "b5", "e5", "h5", "k5")


def random_options(rng: Random, **fixed: OptionValue) -> ModernOptions:
    """Every option at random."""
    values: dict[str, OptionValue] = {
        "counter_agent": rng.choice(("e2", "choose", "choose", *HOMES)),
        "hq_counts": rng.random() < 0.6,
        "max_turns": rng.choice((20, 60, 300, 1000)),
        "origin_closed": rng.random() < 0.3,
        "capture_on_entry": rng.random() < 0.3,
    }
    return GAME.options(None, **(values | fixed))


TESTED = BoardGame(GAME, SEAT, random_options, limits={"max_turns": 20})
position, start, random_game = TESTED.position, TESTED.start, TESTED.random_game
seat_of, ending, phase_of = TESTED.seat_of, TESTED.ending, TESTED.phase_of
play, legal, expect_refusal = TESTED.play, TESTED.legal, TESTED.expect_refusal
targets, movers = TESTED.targets, TESTED.movers


def pieces(state: State) -> dict[str, str]:
    """The piece on every occupied space: ``WA``, ``BC``, ``WH``."""
    board = state.position[:CELLS].tolist()
    return {
        cell_name(cell): "WB"[piece >> SEAT_SHIFT] + LETTERS[piece & KIND_MASK]
        for cell, piece in enumerate(board)
        if piece != EMPTY
    }


def summary(state: State) -> dict[str, object]:
    """A state in the words of `ModernTwin.summary`."""
    view = GAME.view(state, None)
    over = TESTED.result_of(state)
    return {
        "pieces": pieces(state),
        "seat": None if over else seat_of(state),
        "turns": int(state.position[TURNS]),
        "realm": view["open"]["origin"],
        "unmoved": view["open"]["left"],
        "dislodging": view["dislodged"]["realm"] if state.position[DISLODGED_REALM] >= 0 else None,
        "over": over,
    }


FACTS = BoardFacts(
    TESTED,
    pieces,
    {
        "turn": lambda state: tuple(GAME.turn(state)),
        "origin": lambda state: GAME.view(state, None)["open"]["origin"],
        "left": lambda state: GAME.view(state, None)["open"]["left"],
        "counters": lambda state: [space for space, piece in pieces(state).items() if piece[1] == "C"],
        "mobile": lambda state: [piece["at"] for piece in GAME.view(state, None)["pieces"] if piece["mobile"]],
        "stock": lambda state: GAME.view(state, None)["stock"],
        "scores": lambda state: GAME.view(state, None)["headquarters"],
    },
)
