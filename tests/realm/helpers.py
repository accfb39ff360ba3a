"""Helpers for the tests of Realm: positions, steps, differences, random options and random games."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from random import Random
from typing import Any

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue
from realmtable.games.realm import game as made
from realmtable.games.realm.first_state import State
from realmtable.games.realm.layout import (
    BASES_LEFT,
    CAPTURED,
    EMPTY,
    ENFORCERS_LEFT,
    OFFER,
    OFFERED,
    PROGRESS,
    QUIET_TURNS,
    SEAT,
    SEAT_SHIFT,
    TURNS,
)
from realmtable.games.realm.notation import piece_text
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.rules import score_and_tie_break
from realmtable.games.realm.steps import Step, StepKind
from realmtable.kit.realm_board.geometry import CELLS, cell_name
from tests.game_under_test import BoardGame
from tests.realm_boards import clause_facts

GAME = made.GAME

SETUP = "Bh11 Bh2 Be8 Be5 Bb5 Bb8 Pi10 Pg3 Pf7 Pd6 Pc4 Pc9"  # the magazine's
AGREEMENT_KINDS = (StepKind.OFFER, StepKind.ACCEPT)
SWITCHES = tuple(
    field.name for field in dataclasses.fields(RealmOptions) if isinstance(field.metadata["option"]["default"], bool)
)


def random_options(rng: Random, **fixed: OptionValue) -> RealmOptions:
    """Every option at random, drawn again where two contradict each other."""
    while True:
        values: dict[str, Any] = {name: rng.random() < 0.4 for name in SWITCHES}
        values.update(bases=rng.randint(11, 14), enforcers=rng.randint(1, 9), powers=rng.randint(1, 4))
        values.update(choose_seat=rng.choice(("none", "none", "place", "move", "both")))
        values.update(tie_break=rng.choice(("enforcers", "enforcers+captures")))
        values.update(rearrange=rng.choice(("free", "all_move")))
        values.update(no_progress=rng.choice((10, 30, 60)), max_turns=rng.choice((40, 100, 300)))
        try:
            return RealmOptions(**(values | fixed))
        except BadOptions:
            continue


def choose_mostly_moves(rng: Random, steps: Sequence[Step]) -> Step:
    """Any legal step; offers and agreements are rare."""
    step = rng.choice(steps)
    if step.kind in AGREEMENT_KINDS and rng.random() < 0.9:
        return rng.choice([other for other in steps if other.kind not in AGREEMENT_KINDS])
    return step


TESTED = BoardGame(GAME, SEAT, random_options, choose=choose_mostly_moves, most_steps=120, limits={"max_turns": 40})
options_of, position, start = TESTED.options_of, TESTED.position, TESTED.start
seat_of, ending, phase_of = TESTED.seat_of, TESTED.ending, TESTED.phase_of
play, legal, expect_refusal = TESTED.play, TESTED.legal, TESTED.expect_refusal
targets, movers = TESTED.targets, TESTED.movers
random_step, random_game, states = TESTED.random_step, TESTED.random_game, TESTED.states


def begins_turn(state: State) -> bool:
    """Whether no step of the present turn has been made, or the game is over."""
    view = GAME.view(state, None)
    fresh = view["open"] == {"origin": None, "target": None, "moves": 0} and state.position[OFFER] != OFFERED
    return ending(state) is not None or (fresh and view["phase"] in ("choose", "bases", "powers", "turn"))


# ---- what a state holds


def pieces(state: State) -> dict[str, str]:
    """The piece on every occupied space: ``WB``, ``BP``, ``WES``, ``BEx``."""
    found = {}
    for cell in range(CELLS):
        piece = int(state.position[cell])
        if piece != EMPTY:
            text = piece_text(piece, cell)
            found[cell_name(cell)] = "WB"[piece >> SEAT_SHIFT] + text.replace(cell_name(cell), "", 1)
    return found


def diff_pieces(before: State, after: State) -> dict[str, str]:
    return clause_facts.diff_pieces(pieces(before), pieces(after))


def pair(state: State, entry: int) -> tuple[int, int]:
    return int(state.position[entry]), int(state.position[entry + 1])


def bases_left(state: State) -> tuple[int, int]:
    return pair(state, BASES_LEFT)


def enforcers_left(state: State) -> tuple[int, int]:
    return pair(state, ENFORCERS_LEFT)


def captures(state: State) -> tuple[int, int]:
    return pair(state, CAPTURED)


def open_plays(state: State) -> tuple[str | None, str | None]:
    """The Realms a Dispersal is open from and a Concentration into."""
    shown = GAME.view(state, None)["open"]
    return shown["origin"], shown["target"]


def summary(state: State) -> dict[str, object]:
    """A state in the words of `Twin.summary`."""
    reason = ending(state)
    over: dict[str, object] | None = None
    if reason is not None:
        white, black = (tuple(int(number) for number in score_and_tie_break(state.position, seat)) for seat in range(2))
        winner = None if white == black else 0 if white > black else 1
        over = {"reason": reason, "realms": [white[0], black[0]], "tie": [white[1], black[1]], "winner": winner}
    return {
        "pieces": pieces(state),
        "seat": None if over else seat_of(state),
        "bases_left": list(bases_left(state)),
        "enforcers_left": list(enforcers_left(state)),
        "captured": list(captures(state)),
        "turns": int(state.position[TURNS]),
        "quiet": int(state.position[QUIET_TURNS]),
        "over": over,
    }


FACTS = clause_facts.BoardFacts(
    TESTED,
    pieces,
    {
        "bases": bases_left,
        "stock": enforcers_left,
        "captured": captures,
        "plays": open_plays,
        "progress": lambda state: int(state.position[PROGRESS]),
        "quiet": lambda state: int(state.position[QUIET_TURNS]),
        "powers": lambda state: [[*pieces(state).values()].count(power) for power in ("WP", "BP")],
        "realms": lambda state: GAME.view(state, None)["realms"],
        "sacrifices": lambda state: sum(text.startswith("xP") for text in legal(state)),
        "others": lambda state: sorted(text for text in legal(state) if text[0] not in "PE"),  # no moves
    },
)
