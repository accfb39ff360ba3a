"""Read and write Oriental Realm's notation, in the style of the magazine.

A step is ``Mb5b9``, ``Ee2e4``, ``Mb2``, ``end`` or ``pass``; the moves of a turn are separated by commas, and ``end``
is not written.
"""

from __future__ import annotations

import re

from realmtable.engine.errors import BadNotation
from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.layout import EMPEROR, KIND_MASK, TURN_REALM
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.refusals import find_reason
from realmtable.games.oriental_realm.steps import Step, StepKind, code_of
from realmtable.kit.realm_board.geometry import Cell, cell_name
from realmtable.kit.realm_board.notation import SPACE, Grammar, cell_from_match, shorten, strip_step, without_effects

STEP_WORDS = {"end": StepKind.END, "pass": StepKind.PASS}
WORD_BY_KIND = {kind: word for word, kind in STEP_WORDS.items()}
LETTERS = {StepKind.MANDARIN: "M", StepKind.EMPEROR: "E"}
KIND_BY_LETTER = {letter: kind for kind, letter in LETTERS.items()}

_MOVE = re.compile(rf"[ME]{SPACE}{SPACE}")
_PLACE = re.compile(rf"([ME]){SPACE}")


def piece_text(piece: int, cell: Cell) -> str:
    """Return a piece and its space, without its owner: ``Mb5``, ``Ee2``."""
    return ("E" if piece & KIND_MASK == EMPEROR else "M") + cell_name(cell)


def bare_text(state: State, step: Step) -> str:
    """Return the notation of a step."""
    kind, at, to = step
    if kind in WORD_BY_KIND:
        return WORD_BY_KIND[kind]
    if kind == StepKind.MOVE:
        return piece_text(int(state.position[at]), at) + cell_name(to)
    return LETTERS[kind] + cell_name(at)


def parse_move(text: str) -> Step:
    """Return the step a text stands for, legal or not; for a move the letter is ignored."""
    text = strip_step(text)
    step = _read_step(text) or _read_step(without_effects(text))
    if step is None:
        raise BadNotation(f"{shorten(text)} is not a step; write a move like Mb5b9, a piece like Ee2, or end or pass.")
    return step


def _read_step(text: str) -> Step | None:
    """Return the step written without effects, or None."""
    if text.lower() in STEP_WORDS:
        return Step(STEP_WORDS[text.lower()])
    if found := _MOVE.fullmatch(text):
        return Step(StepKind.MOVE, cell_from_match(found, 1), cell_from_match(found, 3))
    if found := _PLACE.fullmatch(text):
        return Step(KIND_BY_LETTER[found[1]], cell_from_match(found, 2))
    return None


GRAMMAR: Grammar[OrientalOptions, Step] = Grammar(
    code_of=code_of,
    find_reason=find_reason,
    parse=parse_move,
    is_complete=lambda state, _: state.position.item(TURN_REALM) < 0,
    closing_steps=lambda _: [Step(StepKind.END)],
    format_bare=bare_text,
    is_silent=lambda step: step.kind == StepKind.END,
)
