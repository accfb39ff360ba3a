"""Read and write Oriental Realm's notation, in the style of the magazine.

A step is ``Mb5b9``, ``Ee2e4``, ``Mb2``, ``end`` or ``pass``; the moves of a turn are separated by commas, and ``end``
is not written.
"""

from __future__ import annotations

from realmtable.games.oriental_realm.first_state import State
from realmtable.games.oriental_realm.layout import EMPEROR, KIND_MASK, TURN_REALM
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.refusals import find_reason
from realmtable.games.oriental_realm.steps import Step, StepKind, code_of
from realmtable.kit.realm_board.geometry import Cell, cell_name
from realmtable.kit.realm_board.notation import SPACE, Grammar, StepReader, cell_from_match, move_cells

WORD_BY_KIND = {StepKind.END: "end", StepKind.PASS: "pass"}
LETTERS = {StepKind.MANDARIN: "M", StepKind.EMPEROR: "E"}


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


PARSE_MOVE: StepReader[Step] = StepReader(
    words={word: Step(kind) for kind, word in WORD_BY_KIND.items()},
    patterns={
        rf"[ME]{SPACE}{SPACE}": lambda found: Step(StepKind.MOVE, *move_cells(found)),  # the letter is ignored
        rf"M{SPACE}": lambda found: Step(StepKind.MANDARIN, cell_from_match(found, 1)),
        rf"E{SPACE}": lambda found: Step(StepKind.EMPEROR, cell_from_match(found, 1)),
    },
    examples="a move like Mb5b9, a piece like Ee2, or end or pass",
)


GRAMMAR: Grammar[OrientalOptions, Step] = Grammar(
    code_of=code_of,
    find_reason=find_reason,
    parse=PARSE_MOVE,
    is_complete=lambda state, _: state.position.item(TURN_REALM) < 0,
    closing_steps=lambda _: [Step(StepKind.END)],
    format_bare=bare_text,
    is_silent=lambda step: step.kind == StepKind.END,
)
