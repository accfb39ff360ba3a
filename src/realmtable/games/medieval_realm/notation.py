"""Read and write the notation of Medieval Realm: ``De2e5``, ``Mb5b8``, ``Mb11off``, ``pass`` (S1, S2).

The automatic effects of a move come after it: ``Mb5b8(xMb8,+Mb5)``. A step is a complete turn.
"""

from __future__ import annotations

from typing import Final

from realmtable.games.medieval_realm.first_state import State
from realmtable.games.medieval_realm.layout import BORDER_COUNTS, DUKE, EMPTY, KIND_MASK, SEAT
from realmtable.games.medieval_realm.options import MedievalOptions
from realmtable.games.medieval_realm.refusals import find_reason
from realmtable.games.medieval_realm.steps import OFF_CELL, PASS_STEP, Step, code_of
from realmtable.kit.realm_board.geometry import CENTERS, cell_name, realm_of
from realmtable.kit.realm_board.notation import SPACE, Grammar, StepReader, cell_from_match, move_cells

LETTERS: Final = "DM"


# ---- writing


def piece_letter(kind: int) -> str:
    """Return the letter for a kind of piece."""
    return LETTERS[kind - DUKE]


def bare_text(state: State, step: Step) -> str:
    """Return the notation of a step without its effects; a missing piece is written as a Man."""
    if step == PASS_STEP:
        return "pass"
    piece = int(state.position[realm_of(step.at)]) if step.at in CENTERS else EMPTY
    sign = "M" if piece == EMPTY else piece_letter(piece & KIND_MASK)
    return sign + cell_name(step.at) + ("off" if step.to == OFF_CELL else cell_name(step.to))


def effects(state: State, step: Step, _play: object) -> list[str]:
    """Return the automatic effects: the Man dislodged (M4), then the Man who takes the vacated Center (M6)."""
    if step == PASS_STEP:
        return []
    position = state.position
    texts = []
    if step.to != OFF_CELL and position.item(realm_of(step.to)) != EMPTY:
        texts.append("xM" + cell_name(step.to))
    if position.item(BORDER_COUNTS + 2 * realm_of(step.at) + 1 - position.item(SEAT)) > 0:
        texts.append("+M" + cell_name(step.at))
    return texts


# ---- reading


PARSE_MOVE: StepReader[Step] = StepReader(
    words={"pass": PASS_STEP},
    patterns={
        rf"[{LETTERS}]{SPACE}{SPACE}": lambda found: Step(*move_cells(found)),
        rf"[{LETTERS}]{SPACE}off": lambda found: Step(cell_from_match(found, 1), OFF_CELL),
    },
    examples="a move like De2e5, Mb5b8 or Mb11off, or pass",
)


GRAMMAR: Grammar[MedievalOptions, Step] = Grammar(
    code_of=code_of,
    find_reason=find_reason,
    parse=PARSE_MOVE,
    is_complete=lambda _, steps: bool(steps),
    closing_steps=lambda _: [],
    format_bare=bare_text,
    effects=effects,
)
