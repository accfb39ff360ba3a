"""Helpers for the tests of Classic Realm: positions, steps, differences, random options and random games."""

from __future__ import annotations

from random import Random

from realmtable.engine.options import OptionValue
from realmtable.games.classic_realm import game as made
from realmtable.games.classic_realm.first_state import State
from realmtable.games.classic_realm.layout import (
    DOUBLE_MOVE_HOLDER,
    NOBODY,
    OWED_TURNS,
    PADS,
    SEAT,
    TURNS,
    WATER,
)
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.kit.realm_board.geometry import CENTERS, REALMS, cell_name
from tests.game_under_test import BoardGame
from tests.realm_boards.clause_facts import BoardFacts

GAME = made.GAME

FAR = "W:Fb2,~e5*4,~h8*3 B:~h5*3,~e8*4,Fk11"  # one frog each, far apart
RING = "Fb2e2 Fk11h11 Fe2b2 Fh11k11 "  # and back again
FULL = "W:Fb2,Fe2,Fe5,~e5*3,Fk2,~k11 B:Fb8,~e5*5,Fe8,Fk8"  # nine in e5
WON = "W:Fb2,~e5*7 B:~k11*8 phase=over end=all_in_water"
NAMES = [cell_name(cell) for cell in CENTERS]


def random_options(rng: Random, **fixed: OptionValue) -> ClassicOptions:
    values: dict[str, OptionValue] = {
        "free_setup": rng.random() < 0.5,
        "double_moves": rng.random() < 0.5,
        "max_plies": rng.choice((20, 60, 300, 300, 500)),
    }
    return GAME.options(None, **(values | fixed))


TESTED = BoardGame(GAME, SEAT, random_options, limits={"max_plies": 60})
options_of, position, start = TESTED.options_of, TESTED.position, TESTED.start
seat_of, ending, phase_of = TESTED.seat_of, TESTED.ending, TESTED.phase_of
play, legal, expect_refusal = TESTED.play, TESTED.legal, TESTED.expect_refusal
targets, random_game, states = TESTED.targets, TESTED.random_game, TESTED.states


# ---- what a state holds


def pads(state: State) -> dict[str, str]:
    """The letter of the frog on every occupied pad."""
    return {
        name: "WB"[seat]
        for realm, name in enumerate(NAMES)
        for seat in range(2)
        if state.position[PADS + seat] >> realm & 1
    }


def water(state: State) -> dict[str, list[int]]:
    """White's and Black's frogs in the water of every Realm that holds any."""
    pairs = {
        name: [int(state.position[WATER + seat * REALMS + realm]) for seat in range(2)]
        for realm, name in enumerate(NAMES)
    }
    return {name: pair for name, pair in pairs.items() if any(pair)}


def double_move_right(state: State) -> tuple[int | None, int]:
    """Return the holder of the right to a double move, and the number of owed turns."""
    holder = int(state.position[DOUBLE_MOVE_HOLDER])
    return None if holder == NOBODY else holder, int(state.position[OWED_TURNS])


def summary(state: State) -> dict[str, object]:
    """A state in the words of `ClassicTwin.summary`."""
    over = TESTED.result_of(state)
    return {
        "pads": pads(state),
        "water": water(state),
        "seat": None if over else seat_of(state),
        "turns": int(state.position[TURNS]),
        "holder": double_move_right(state)[0],
        "owed": double_move_right(state)[1],
        "second_half": phase_of(state) == "second",
        "rescued": GAME.view(state, None)["rescued"],
        "over": over,
    }


FACTS = BoardFacts(
    TESTED,
    pads,
    {
        "water": lambda state: [f"{name}:{white}+{black}" for name, (white, black) in water(state).items()],
        "right": double_move_right,
        "rescued": lambda state: GAME.view(state, None)["rescued"],
        "turn": lambda state: tuple(GAME.turn(state)),
    },
)
