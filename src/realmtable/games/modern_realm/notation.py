"""Read and write the notation of Modern Realm.

A single step is ``Ab5b7``, ``xAb9`` or ``Ce2``; with its automatic effect, ``Ab5b7(Hb8)``. In a turn, the choice that a
capture leaves goes in the same parentheses, ``Ab5b7(Hb8,xAb9),Aa5a7``.
"""

from __future__ import annotations

from realmtable.engine.errors import BadNotation
from realmtable.games.modern_realm.first_state import State
from realmtable.games.modern_realm.layout import AGENT, COUNTER, DISLODGE, EMPTY, HQ, KIND_MASK, ORIGIN, PHASE, SEAT
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.refusals import find_reason
from realmtable.games.modern_realm.rules import is_capture, is_target
from realmtable.games.modern_realm.steps import Step, StepKind, code_of
from realmtable.games.modern_realm.view import find_unmoved_cells
from realmtable.kit.realm_board.geometry import Cell, cell_name, center_of, realm_of
from realmtable.kit.realm_board.notation import SPACE, Grammar, StepReader, cell_from_match, move_cells

LETTERS = {HQ: "H", AGENT: "A", COUNTER: "C"}


# ---- writing


def piece_text(piece: int, cell: Cell) -> str:
    """Return a piece and its space, without its owner: ``Ab5``, ``Ce2``, ``Hb8``."""
    return LETTERS[piece & KIND_MASK] + cell_name(cell)


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


PARSE_MOVE: StepReader[Step] = StepReader(
    words={"pass": Step(StepKind.PASS)},
    patterns={
        rf"[AC]{SPACE}{SPACE}": lambda found: Step(StepKind.MOVE, *move_cells(found)),
        rf"xA{SPACE}": lambda found: Step(StepKind.DISLODGE, cell_from_match(found, 1)),
        rf"C{SPACE}": lambda found: Step(StepKind.CHOOSE, cell_from_match(found, 1)),
    },
    examples="a move like Ab5b7 or Ce2h2, xAb9, Ce2 or pass",
)


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
    parse=PARSE_MOVE,
    is_complete=lambda state, _: bool(state.position[ORIGIN] < 0),
    closing_steps=_closing_steps,
    format_bare=bare_text,
    effects=effects,
    is_choice=lambda state: bool(state.position[PHASE] == DISLODGE),
)
