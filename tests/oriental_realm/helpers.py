"""Helpers for the tests of Oriental Realm: positions, steps, differences, random options and random games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from realmtable.engine.options import OptionValue
from realmtable.games.oriental_realm import game as made
from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.groups import piece_cells
from realmtable.games.oriental_realm.layout import SEAT, TURN_REALM, TURNS
from realmtable.games.oriental_realm.notation import piece_text
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.steps import Step
from realmtable.games.oriental_realm.view import find_unmoved_cells
from realmtable.kit.realm_board.geometry import CENTERS, cell_name, find_cell
from tests.game_under_test import BoardGame, turns_of
from tests.realm_boards.clause_facts import BoardFacts

GAME = made.GAME
THRONES = tuple(cell_name(cell) for cell in CENTERS[:8])


def random_options(rng: Random, **fixed: OptionValue) -> OrientalOptions:
    """Every option at random, the refused pair left out."""
    values: dict[str, Any] = {"free_setup": rng.random() < 0.3, "warning": rng.random() < 0.3}
    choices = [*THRONES, "e2", "e2"] if values["free_setup"] else [*THRONES, "choose", "choose"]
    values.update(emperor=rng.choice(choices), max_turns=rng.choice((20, 60, 100, 400)))
    return OrientalOptions(**(values | fixed))


TESTED = BoardGame(GAME, SEAT, random_options, limits={"max_turns": 20})
options_of, position, start = TESTED.options_of, TESTED.position, TESTED.start
seat_of, ending, phase_of = TESTED.seat_of, TESTED.ending, TESTED.phase_of
play, legal, expect_refusal = TESTED.play, TESTED.legal, TESTED.expect_refusal
targets, movers = TESTED.targets, TESTED.movers
random_game, states = TESTED.random_game, TESTED.states


def random_turns(seed: int, **fixed: OptionValue) -> Iterator[tuple[State, list[Step], State]]:
    """Every turn of a random game: the state it begins in, its steps and the state after it."""
    return turns_of(random_game(seed, **fixed), lambda _, state: bool(state.position[TURN_REALM] < 0))


def cell(name: str) -> int:
    found = find_cell(name)
    assert found is not None
    return found


# ---- what a state holds


def pieces(state: State) -> dict[str, str]:
    """The piece on every occupied space: ``WM``, ``BE``."""
    return {
        cell_name(at): "WB"[seat] + piece_text(int(state.position[at]), at)[0]
        for seat in range(2)
        for at in piece_cells(state.position, seat)
    }


def summary(state: State) -> dict[str, object]:
    """A state in the words of `OrientalTwin.summary`."""
    over = TESTED.result_of(state)
    realm = int(state.position[TURN_REALM])
    return {
        "pieces": pieces(state),
        "seat": None if over else seat_of(state),
        "turns": int(state.position[TURNS]),
        "realm": cell_name(CENTERS[realm]) if realm >= 0 else None,
        "unmoved": [cell_name(at) for at in find_unmoved_cells(state)],
        "over": over,
    }


FACTS = BoardFacts(
    TESTED,
    pieces,
    {
        "turn": lambda state: tuple(GAME.turn(state)),
        "turns": lambda state: int(state.position[TURNS]),
        "steps": lambda state: len(legal(state)),
        "kinds": lambda state: "".join(sorted({text[0] for text in legal(state)})),
        "surrounded": lambda state: GAME.view(state, None)["surrounded"],
        "emperors": lambda state: [name for name, piece in pieces(state).items() if piece[1] == "E"],
        "warned": lambda state: GAME.view(state, None)["warned"],
    },
)
