"""The notation of Medieval Realm, both ways: ``De2e5``, ``Mb5b8``, ``Mb11off``, ``pass`` (S1, S2).

What a move sets off by itself stands behind it: ``Mb5b8(xMb8,+Mb5)``. A step is a whole turn.
"""

from __future__ import annotations

import re
from typing import Final

from realmtable.engine.errors import BadNotation
from realmtable.games.medieval_realm.position import DUKE, EMPTY, KIND
from realmtable.games.medieval_realm.refusals import refuse
from realmtable.games.medieval_realm.state import State
from realmtable.games.medieval_realm.steps import OFF, PASS, Step, bear_off, code_of, move
from realmtable.kit.realm_board import CENTERS, Cell, cell_name, cell_named, realm_of
from realmtable.kit.realm_notation import SPACE, Grammar, checked_step, shown, space_named, without_effects

LETTERS: Final = "DM"
_MOVE = re.compile(rf"[{LETTERS}]{SPACE}(?:{SPACE}|off)")


# ---- writing


def letter(kind: int) -> str:
    """The letter of a kind of piece."""
    return LETTERS[kind - DUKE]


def bare_text(state: State, step: Step) -> str:
    """A step without what it sets off; a piece that is not there is written as a Man."""
    if step == PASS:
        return "pass"
    piece = int(state.position[realm_of(step.at)]) if step.at in CENTERS else EMPTY
    sign = "M" if piece == EMPTY else letter(piece & KIND)
    return sign + cell_name(step.at) + ("off" if step.to == OFF else cell_name(step.to))


def effects(state: State, step: Step, after: State) -> list[str]:
    """What a move sets off by itself: the Man it dislodges (M4), then the Man who takes the Center it left (M6)."""
    if step == PASS:
        return []
    before, now = state.position, after.position
    texts = []
    if step.to != OFF and before[realm_of(step.to)] != EMPTY:
        texts.append("xM" + cell_name(step.to))
    if now[realm_of(step.at)] != EMPTY:
        texts.append("+M" + cell_name(step.at))
    return texts


# ---- reading


def parse_move(text: str) -> Step:
    """The step a text stands for, legal or not; what it sets off may be written behind it and is not looked at."""
    text = checked_step(text)
    bare = without_effects(text)
    if bare.lower() == "pass":
        return PASS
    found = _MOVE.fullmatch(bare)
    if found is None:
        raise BadNotation(f"{shown(text)} is not a step; write a move like De2e5, Mb5b8 or Mb11off, or pass.")
    source = _cell(found, 1)
    return bear_off(source) if found[3] is None else move(source, _cell(found, 3))


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
    is_complete=lambda _, steps: bool(steps),
    close=lambda _: [],
)
