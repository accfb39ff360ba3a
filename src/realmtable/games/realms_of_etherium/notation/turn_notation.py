"""Turns as text and back (N2): ``mage 2, summon 1,-2, take Quicken, end``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from realmtable.engine.errors import BadNotation, GameOver
from realmtable.engine.protocol import CHANCE, ParsedTurn
from realmtable.games.realms_of_etherium.notation.step_notation import parse_step, step_text
from realmtable.games.realms_of_etherium.state import State, play, to_move, turn
from realmtable.games.realms_of_etherium.steps import Step

MAX_TURN: Final = 20_000  # characters
_SEPARATOR: Final = re.compile(r",(?!\s*[-+]?\d)\s*")  # a comma before a number belongs to a hex


def format_turn(steps: Sequence[Step]) -> str:
    """Return the steps of one seat in a turn, separated by commas."""
    return ", ".join(map(step_text, steps))


def parse_turn(state: State, text: str) -> ParsedTurn:
    """Parse the acting seat's steps up to the end of the turn, or until another seat or chance acts."""
    if len(text) > MAX_TURN:
        raise BadNotation(f"A turn must be shorter than {MAX_TURN:,} characters.")
    acting, number = to_move(state), turn(state).number
    if not acting:
        raise GameOver("The game is over.")
    texts = _SEPARATOR.split(text)
    steps: list[Step] = []
    for part in texts:
        if to_move(state) != acting or turn(state).number != number:
            break
        steps.append(parse_step(part))
        state = play(state, acting[0], steps[-1])
    rest = texts[len(steps) :]
    if rest and to_move(state) == (CHANCE,):
        raise BadNotation("Chance acts before the rest of the turn; write its result first, like / *reveal Draw /.")
    return ParsedTurn(steps, [], ", ".join(rest))
