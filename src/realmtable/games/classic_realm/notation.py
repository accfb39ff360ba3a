"""Classic Realm's notation, both ways: ``Fb2e5`` and, with what follows by itself, ``Fb2e5(xFe5,+Fb2)``.

The two moves of a double turn stand side by side, ``Fb2e5,Fe5h5``; ``end`` is not written.
"""

from __future__ import annotations

import re

from realmtable.engine.errors import BadNotation
from realmtable.games.classic_realm.position import PADS, PHASE, SEAT, SECOND
from realmtable.games.classic_realm.refusals import refuse
from realmtable.games.classic_realm.state import State
from realmtable.games.classic_realm.steps import Kind, Step, code_of, move, put
from realmtable.kit.realm_board import Cell, cell_name, cell_named, realm_of
from realmtable.kit.realm_notation import SPACE, Grammar, checked_step, shown, space_named, without_effects

WORDS = {"end": Kind.END, "pass": Kind.PASS}
WORD_OF = {kind: word for word, kind in WORDS.items()}
_STEP = re.compile(rf"F?{SPACE}(?:{SPACE})?")


def bare_text(state: State, step: Step) -> str:  # noqa: ARG001 - every frog is written alike
    """A step without what follows by itself."""
    kind, at, to = step
    if kind in WORD_OF:
        return WORD_OF[kind]
    return "F" + cell_name(at) + (cell_name(to) if kind == Kind.MOVE else "")


def effects(state: State, step: Step, after: State) -> list[str]:
    """The pad of the frog that was dislodged (C4), then the pad of the one that was rescued (C5)."""
    if step.kind != Kind.MOVE:
        return []
    seat = int(state.position[SEAT])
    texts = []
    if state.position[PADS + 1 - seat] >> realm_of(step.to) & 1:
        texts.append("xF" + cell_name(step.to))
    if after.position[PADS + seat] >> realm_of(step.at) & 1:
        texts.append("+F" + cell_name(step.at))
    return texts


def parse_move(text: str) -> Step:
    """The step a text stands for, legal or not; what follows by itself may be written behind it and is not looked at.

    The letter F may be missing.
    """
    text = checked_step(text)
    bare = without_effects(text)
    if bare.lower() in WORDS:
        return Step(WORDS[bare.lower()])
    found = _STEP.fullmatch(bare)
    if found is None:
        raise BadNotation(f"{shown(text)} is not a step; write a move like Fb2e5, a new frog like Fb2, or end.")
    return put(_cell(found, 1)) if found[3] is None else move(_cell(found, 1), _cell(found, 3))


def _cell(found: re.Match[str], group: int) -> Cell:
    cell = cell_named(space_named(found[group], found[group + 1]))
    assert cell is not None  # noqa: S101 - the pattern admits no other
    return cell


GRAMMAR: Grammar[State, Step] = Grammar(
    parse=parse_move,
    bare=bare_text,
    effects=effects,
    is_legal=lambda state, step: code_of(step) in state.codes(),
    after=lambda state, step: state.after(code_of(step)),
    refuse=refuse,
    is_choice=lambda _: False,
    is_complete=lambda state, _: bool(state.position[PHASE] != SECOND),
    close=lambda _: [Step(Kind.END)],
    is_silent=lambda step: step.kind == Kind.END,
)
