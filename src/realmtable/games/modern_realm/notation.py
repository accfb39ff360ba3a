"""Read and write the notation of Modern Realm.

A single step is ``Ab5b7``, ``xAb9`` or ``Ce2``; with its automatic effect, ``Ab5b7(Hb8)``. In a turn, the choice that a
capture leaves goes in the same parentheses, ``Ab5b7(Hb8,xAb9),Aa5a7``.
"""

from __future__ import annotations

import re

from realmtable.engine.errors import BadNotation
from realmtable.games.modern_realm.first_state import State
from realmtable.games.modern_realm.layout import AGENT, COUNTER, DISLODGE, EMPTY, HQ, KIND_MASK, ORIGIN, PHASE, SEAT
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.refusals import find_reason
from realmtable.games.modern_realm.rules import is_capture, is_target
from realmtable.games.modern_realm.steps import Step, StepKind, code_of, move_step
from realmtable.games.modern_realm.view import find_unmoved_cells
from realmtable.kit.realm_board.geometry import cell_name, center_of, realm_of
from realmtable.kit.realm_board.notation import SPACE, Grammar, cell_from_match, shorten, strip_step, without_effects

LETTERS = {HQ: "H", AGENT: "A", COUNTER: "C"}

_MOVE = re.compile(rf"[AC]{SPACE}{SPACE}")
_DISLODGE = re.compile(rf"xA{SPACE}")
_CHOOSE = re.compile(rf"C{SPACE}")


# ---- writing


def bare_text(state: State, step: Step) -> str:
    """Return the notation of a step without its effects."""
    kind, at, to = step
    if kind == StepKind.PASS:
        return "pass"
    if kind == StepKind.MOVE:
        letter = "C" if state.position[at] & KIND_MASK == COUNTER else "A"
        return letter + cell_name(at) + cell_name(to)
    return ("xA" if kind == StepKind.DISLODGE else "C") + cell_name(at)


def effects(state: State, step: Step, _: object) -> list[str]:
    """Return the HQ that a legal move founds, if any."""
    realm = realm_of(step.to)
    if step.kind != StepKind.MOVE or not is_target(realm, state.position.item(SEAT)):
        return []
    center = center_of(realm)
    after = state.position.copy()
    after[step.to], after[step.at] = after[step.at], EMPTY
    return [f"H{cell_name(center)}"] if is_capture(after, step.to, state.position.item(center)) else []


# ---- reading a step


def parse_move(text: str) -> Step:
    """Return the step a text stands for, legal or not; effects written after it are ignored."""
    text = strip_step(text)
    step = _read_step(without_effects(text))
    if step is None:
        raise BadNotation(f"{shorten(text)} is not a step; write a move like Ab5b7 or Ce2h2, xAb9, Ce2 or pass.")
    return step


def _read_step(text: str) -> Step | None:
    """Return the step written without effects, or None."""
    if text.lower() == "pass":
        return Step(StepKind.PASS)
    if found := _MOVE.fullmatch(text):
        return move_step(cell_from_match(found, 1), cell_from_match(found, 3))
    if found := _DISLODGE.fullmatch(text):
        return Step(StepKind.DISLODGE, cell_from_match(found, 1))
    if found := _CHOOSE.fullmatch(text):
        return Step(StepKind.CHOOSE, cell_from_match(found, 1))
    return None


# ---- turns


def _closing_steps(state: State) -> list[Step]:
    """Refuse a text that stops too early: a turn ends automatically when it is complete (S2)."""
    if state.position[PHASE] == DISLODGE:
        raise BadNotation("Write where the dislodged Agent goes, like (Hb8,xAb9).")
    names = " or ".join(cell_name(cell) for cell in find_unmoved_cells(state))
    raise BadNotation(f"The turn is not complete: pieces must still move out from {names}.")


GRAMMAR: Grammar[ModernOptions, Step] = Grammar(
    code_of=code_of,
    find_reason=find_reason,
    parse=parse_move,
    is_complete=lambda state, _: bool(state.position[ORIGIN] < 0),
    closing_steps=_closing_steps,
    format_bare=bare_text,
    effects=effects,
    is_choice=lambda state: bool(state.position[PHASE] == DISLODGE),
)
