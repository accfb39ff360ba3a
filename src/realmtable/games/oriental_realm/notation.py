"""Oriental Realm's notation, both ways, in the manner of the magazine.

A step is ``Mb5b9``, ``Ee2e4``, ``Mb2``, ``end`` or ``pass``; the moves of a turn stand with commas between them, and
``end`` is not written.
"""

from __future__ import annotations

import re

from realmtable.engine.errors import BadNotation
from realmtable.games.oriental_realm.position import EMPEROR, KIND, REALM
from realmtable.games.oriental_realm.refusals import refuse
from realmtable.games.oriental_realm.state import State
from realmtable.games.oriental_realm.steps import Kind, Step, code_of
from realmtable.kit.realm_board import Cell, cell_name, cell_named
from realmtable.kit.realm_notation import SPACE, Grammar, checked_step, shown, space_named, without_effects

WORDS = {"end": Kind.END, "pass": Kind.PASS}
WORD_OF = {kind: word for word, kind in WORDS.items()}
LETTERS = {Kind.MANDARIN: "M", Kind.EMPEROR: "E"}
PLACES = {letter: kind for kind, letter in LETTERS.items()}

_MOVE = re.compile(rf"[ME]{SPACE}{SPACE}")
_PLACE = re.compile(rf"([ME]){SPACE}")


def piece_text(piece: int, cell: Cell) -> str:
    """A piece on its space, without its owner: ``Mb5``, ``Ee2``."""
    return ("E" if piece & KIND == EMPEROR else "M") + cell_name(cell)


def bare_text(state: State, step: Step) -> str:
    """A step as it is written."""
    kind, at, to = step
    if kind in WORD_OF:
        return WORD_OF[kind]
    if kind == Kind.MOVE:
        return piece_text(int(state.position[at]), at) + cell_name(to)
    return LETTERS[kind] + cell_name(at)


def parse_move(text: str) -> Step:
    """The step a text stands for, legal or not; of a move the spaces count, not the letter."""
    text = checked_step(text)
    step = _read_step(text) or _read_step(without_effects(text))
    if step is None:
        raise BadNotation(f"{shown(text)} is not a step; write a move like Mb5b9, a piece like Ee2, or end or pass.")
    return step


def _read_step(text: str) -> Step | None:
    """The step of a bare text in strict writing."""
    if text.lower() in WORDS:
        return Step(WORDS[text.lower()])
    if found := _MOVE.fullmatch(text):
        return Step(Kind.MOVE, _cell(found, 1), _cell(found, 3))
    if found := _PLACE.fullmatch(text):
        return Step(PLACES[found[1]], _cell(found, 2))
    return None


def _cell(found: re.Match[str], group: int) -> Cell:
    cell = cell_named(space_named(found[group], found[group + 1]))
    assert cell is not None  # noqa: S101 - the pattern admits no other
    return cell


GRAMMAR: Grammar[State, Step] = Grammar(
    parse=parse_move,
    bare=bare_text,
    effects=lambda _state, _step, _after: [],
    is_legal=lambda state, step: code_of(step) in state.codes(),
    after=lambda state, step: state.after(code_of(step)),
    refuse=refuse,
    is_choice=lambda _: False,
    is_complete=lambda state, _: state.position.item(REALM) < 0,
    close=lambda _: [Step(Kind.END)],
    is_silent=lambda step: step.kind == Kind.END,
)
