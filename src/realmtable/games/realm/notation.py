"""Read and write Realm's notation: the magazine's for moves and events, and our extensions in the same style.

A single step is ``Pc10g10``, ``Eg12S`` or ``xEb4``; with its automatic effects, ``Pc10g10(Bh11)``. In a turn, the
choices that an event leaves go in the same parentheses, ``Pc10g10(Bh11),Pi4i10(Eg12S)``, and ``end`` is not written.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from realmtable.engine.errors import BadNotation
from realmtable.games.realm import layout
from realmtable.games.realm.first_state import State
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.rearrangement import class_of, pieces_in_hand
from realmtable.games.realm.refusals import find_reason
from realmtable.games.realm.steps import Step, StepKind, code_of, put_step
from realmtable.kit.realm_board.geometry import (
    CELLS,
    CENTERS,
    FACINGS,
    SEAT_NAMES,
    Cell,
    cell_name,
    center_of,
    realm_of,
    spaces_of,
)
from realmtable.kit.realm_board.notation import SPACE, Grammar, StepReader, cell_from_match, move_cells

LETTERS = {layout.BASE: "B", layout.POWER: "P"}
WORD_BY_KIND = {
    StepKind.END: "end",
    StepKind.PASS: "pass",
    StepKind.OFFER: "offer",
    StepKind.ACCEPT: "accept",
    StepKind.DECLINE: "-",
}
_PUT = rf"([BPE]){SPACE}([NESWx]?)"


# ---- writing


def piece_text(piece: int, cell: Cell) -> str:
    """Return a piece and its space, without its owner: ``Bh11``, ``Eg12S``, ``Ea7x``."""
    kind = piece & layout.KIND_MASK
    if kind in LETTERS:
        return LETTERS[kind] + cell_name(cell)
    return "E" + cell_name(cell) + ("x" if kind == layout.IMMOBILE else FACINGS[kind - layout.ENFORCER])


def bare_text(state: State, step: Step) -> str:
    """Return the notation of a step without its effects."""
    kind, at, to, facing = step
    if kind in WORD_BY_KIND:
        return WORD_BY_KIND[kind]
    if kind == StepKind.CHOOSE:
        return ("place:" if state.position[layout.PHASE] == layout.CHOOSE_PLACE else "move:") + SEAT_NAMES[at]
    if kind == StepKind.MOVE:
        letter = "P" if state.position[at] & layout.KIND_MASK == layout.POWER else "E"
        return letter + cell_name(at) + cell_name(to)
    if kind == StepKind.PUT:
        letter = "E" if facing != layout.NO_FACING else "B" if at in CENTERS else "P"
        return (
            letter
            + cell_name(at)
            + ("x" if facing == layout.IMMOBILE_FACING else FACINGS[facing] if facing != layout.NO_FACING else "")
        )
    if kind == StepKind.IMMOBILISE:
        return "xE" + cell_name(at)
    if kind == StepKind.REARRANGE:
        return "R" + cell_name(at)
    return f"xP{cell_name(at)}(E{cell_name(to)}{FACINGS[facing]})"


def effects(state: State, step: Step, play: Callable[[], State]) -> list[str]:
    """Return the automatic effects of a move or choice in the magazine's order: enemy losses first, then own."""
    if step.kind not in (StepKind.MOVE, StepKind.IMMOBILISE):
        return []
    seat = state.position[layout.SEAT]
    at = step.to if step.kind == StepKind.MOVE else int(state.position[layout.EVENT_CELL])
    before, now = state.position, play().position
    center = center_of(realm_of(at))
    texts = []
    if before[center] == layout.BASE + (1 - seat << layout.SEAT_SHIFT) != now[center]:
        texts.append("xB" + cell_name(center))
    if step.kind == StepKind.MOVE:
        immobile = layout.IMMOBILE + (1 - seat << layout.SEAT_SHIFT)
        changed = (now[:CELLS] == immobile) & (before[:CELLS] != immobile)
        texts += ["xE" + cell_name(cell) for cell in changed.nonzero()[0].tolist()]
    if now[at] == layout.IMMOBILE + (seat << layout.SEAT_SHIFT):
        texts.append("xE" + cell_name(at))
    if now[center] == layout.BASE + (seat << layout.SEAT_SHIFT) != before[center]:
        texts.append("B" + cell_name(center))
    return texts


# ---- reading a step


def _read_put(found: re.Match[str]) -> Step | None:
    letter, facing = found[1], found[4]
    if (letter == "E") != bool(facing):
        return None
    return put_step(
        cell_from_match(found, 2),
        layout.NO_FACING if not facing else layout.IMMOBILE_FACING if facing == "x" else FACINGS.index(facing),
    )


PARSE_MOVE: StepReader[Step] = StepReader(
    words={word: Step(kind) for kind, word in WORD_BY_KIND.items()},
    patterns={
        rf"[PE]{SPACE}{SPACE}": lambda found: Step(StepKind.MOVE, *move_cells(found)),
        _PUT: _read_put,
        rf"xE{SPACE}": lambda found: Step(StepKind.IMMOBILISE, cell_from_match(found, 1)),
        rf"xP{SPACE}\(E{SPACE}([NESW])\)": lambda found: Step(
            StepKind.SACRIFICE, cell_from_match(found, 1), cell_from_match(found, 3), FACINGS.index(found[5])
        ),
        rf"R{SPACE}": lambda found: Step(StepKind.REARRANGE, cell_from_match(found, 1)),
        r"(?:place|move):(White|Black)": lambda found: Step(StepKind.CHOOSE, SEAT_NAMES.index(found[1])),
    },
    examples="a move like Pc10g10, a piece like Eg12S, or Rh11, end, pass, offer",
)


# ---- turns


def _is_complete(state: State, steps: list[Step]) -> bool:
    position = state.position
    opening = steps[-1].kind in (StepKind.OFFER, StepKind.SACRIFICE)
    fresh = position[layout.PHASE] == layout.TURN and not position[layout.MOVED] and not opening
    return bool(position[layout.PHASE] < layout.TURN or fresh or position[layout.PHASE] == layout.OVER)


def _closing_steps(state: State) -> list[Step]:
    """Return the steps that close a turn at the end of its text; raise `BadNotation` if a choice is missing."""
    position = state.position
    if position[layout.PHASE] in MISSING_CHOICE_TEXTS:
        center = cell_name(center_of(realm_of(int(position[layout.EVENT_CELL]))))
        raise BadNotation(MISSING_CHOICE_TEXTS[int(position[layout.PHASE])].format(center=center))
    if not position[layout.MOVED]:
        raise BadNotation("The turn needs a move after this.")
    return [Step(StepKind.END)]


MISSING_CHOICE_TEXTS = {
    layout.CREATE_ENFORCER: "Write the space and facing of the new Enforcer, like (Eg12S).",
    layout.FOUND_BASE: "Write (B{center}), or (-) for no Base.",
    layout.IMMOBILISE: "Write which enemy Enforcer becomes immobile, like (xEb4).",
    layout.REARRANGE: "Write where every lifted piece goes, like Rh11(Pg10,Ei12S).",
}


def _semicolon_if_needed(state: State, inner: list[str]) -> str:
    """Return the semicolon that goes before the first of the opponent's pieces in a Rearrangement (V14)."""
    hand = pieces_in_hand(state.position)
    opponents = bool(hand) and hand[0] >> layout.SEAT_SHIFT != state.position[layout.SEAT]
    return ";" if opponents and not any(text.startswith(";") for text in inner) else ""


def _sort_puts(state: State, parts: list[str], before_mark: int) -> list[str]:
    """Return the puts of a Rearrangement in the order of S8, whatever order they were written in.

    Without a semicolon, the first pieces of a class are the mover's, up to the number lifted, and the rest are the
    opponent's (V14).
    """
    if state.position[layout.PHASE] != layout.REARRANGE:
        return parts
    own = [class_of(piece, int(state.position[layout.SEAT])) for piece in pieces_in_hand(state.position)]
    keys = []
    for number, part in enumerate(parts):
        found = re.fullmatch(_PUT, part)
        if found is None:
            return parts
        group = 0 if not found[4] else 2 if found[4] == "x" else 1
        if number >= before_mark >= 0:
            group += 3
        elif before_mark < 0 and group in own:
            own.remove(group)
        elif before_mark < 0:
            group += 3
        # Sort by place in the Realm, so that misreading i as l, or l as i, does not change the order.
        keys.append((group, _place_in_realm(cell_from_match(found, 2))))
    return [part for _, part in sorted(zip(keys, parts, strict=True))]


def _place_in_realm(cell: Cell) -> int:
    """Return the index of a space among the nine of its Realm."""
    return spaces_of(realm_of(cell)).index(cell)


GRAMMAR: Grammar[RealmOptions, Step] = Grammar(
    code_of=code_of,
    find_reason=find_reason,
    parse=PARSE_MOVE,
    is_complete=_is_complete,
    closing_steps=_closing_steps,
    format_bare=bare_text,
    effects=effects,
    is_silent=lambda step: step.kind == StepKind.END,
    is_choice=lambda state: state.position[layout.PHASE] in MISSING_CHOICE_TEXTS,
    keeps_parentheses=lambda head: head.startswith("xP"),
    choice_mark=_semicolon_if_needed,
    play_order=_sort_puts,
)
