"""Helpers for the tests of Medieval Realm: positions, steps, differences, random options and random games."""

from __future__ import annotations

from random import Random

from realmtable.engine.options import OptionValue
from realmtable.games.medieval_realm import game as made
from realmtable.games.medieval_realm.first_state import State
from realmtable.games.medieval_realm.layout import BORDER_COUNTS, DUKE_STREAK, OFF_COUNT, SEAT, TURNS
from realmtable.games.medieval_realm.options import DUKE_SQUARES, MedievalOptions
from realmtable.kit.realm_board.geometry import REALMS, cell_name, center_of
from tests.game_under_test import BoardGame
from tests.realm_boards.clause_facts import BoardFacts

GAME = made.GAME


def random_options(rng: Random, **fixed: OptionValue) -> MedievalOptions:
    values: dict[str, OptionValue] = {
        "duke_squares": rng.choice(DUKE_SQUARES),
        "duke_draw": rng.random() < 0.5,
        "max_plies": rng.choice((20, 60, 300, 500)),
    }
    return GAME.options(None, **(values | fixed))


TESTED = BoardGame(GAME, SEAT, random_options)
options_of, position, start = TESTED.options_of, TESTED.position, TESTED.start
seat_of, ending = TESTED.seat_of, TESTED.ending
play, legal, expect_refusal = TESTED.play, TESTED.legal, TESTED.expect_refusal
targets = TESTED.targets
random_game, states = TESTED.random_game, TESTED.states


# ---- what a state holds


def pair(state: State, entry: int) -> list[int]:
    return [int(state.position[entry]), int(state.position[entry + 1])]


def centers(state: State) -> dict[str, str]:
    """The piece on every Center that is held: ``WD``, ``BM``."""
    pieces = {cell_name(center_of(realm)): int(state.position[realm]) for realm in range(REALMS)}
    return {name: "WB"[piece >> 2] + " DM"[piece & 3] for name, piece in pieces.items() if piece}


def border(state: State) -> dict[str, list[int]]:
    """How many Men of each seat lie in a Realm, where any do."""
    dislodged = {cell_name(center_of(realm)): pair(state, BORDER_COUNTS + 2 * realm) for realm in range(REALMS)}
    return {name: men for name, men in dislodged.items() if men != [0, 0]}


def off(state: State) -> list[int]:
    return pair(state, OFF_COUNT)


def duke_rows(state: State) -> list[int]:
    return pair(state, DUKE_STREAK)


def summary(state: State) -> dict[str, object]:
    """A state in the words of `MedievalTwin.summary`."""
    over = TESTED.result_of(state)
    return {
        "centers": centers(state),
        "border": border(state),
        "off": off(state),
        "seat": None if over else seat_of(state),
        "turns": int(state.position[TURNS]),
        "duke_rows": duke_rows(state),
        "over": over,
    }


FACTS = BoardFacts(
    TESTED,
    centers,
    {
        "border": lambda state: [f"{name}:{white}+{black}" for name, (white, black) in border(state).items()],
        "off": off,
        "rows": duke_rows,
        "dukes": lambda state: [name for name, piece in centers(state).items() if piece[1] == "D"],
        "turn": lambda state: tuple(GAME.turn(state)),
    },
)
