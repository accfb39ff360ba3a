"""Read and write Classic Realm's notation: ``Fb2e5`` or, with its automatic effects, ``Fb2e5(xFe5,+Fb2)``.

The two moves of a double turn are separated by a comma, ``Fb2e5,Fe5h5``; ``end`` is not written.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from realmtable.games.classic_realm.first_state import State
from realmtable.games.classic_realm.layout import PADS, PHASE, SEAT, SECOND_MOVE, WATER
from realmtable.games.classic_realm.options import ClassicOptions
from realmtable.games.classic_realm.refusals import find_reason
from realmtable.games.classic_realm.steps import Step, StepKind, code_of
from realmtable.kit.realm_board.geometry import REALM_OF_CELL, REALMS, cell_name
from realmtable.kit.realm_board.notation import SPACE, Grammar, StepReader, cell_from_match, move_cells

WORD_BY_KIND = {StepKind.END: "end", StepKind.PASS: "pass"}


def bare_text(state: State, step: Step) -> str:  # noqa: ARG001 - all frogs are written alike
    """Return the notation of a step without its effects."""
    return _bare_text(step)


@lru_cache(maxsize=10_000)
def _bare_text(step: Step) -> str:
    kind, at, to = step
    if kind in WORD_BY_KIND:
        return WORD_BY_KIND[kind]
    return "F" + cell_name(at) + (cell_name(to) if kind == StepKind.MOVE else "")


def effects(state: State, step: Step, _play: object) -> list[str]:
    """Return the pad of the dislodged frog (C4), then the pad of the rescued one (C5)."""
    pads, water = _pads_and_water(state)
    dislodges, rescues = pads >> REALM_OF_CELL[step.to] & 1, water[REALM_OF_CELL[step.at]] > 0
    return _effects(step, dislodges=bool(dislodges), rescues=rescues)


def _effects(step: Step, *, dislodges: bool, rescues: bool) -> list[str]:
    if step.kind != StepKind.MOVE:
        return []
    return [*["xF" + cell_name(step.to)] * dislodges, *["+F" + cell_name(step.at)] * rescues]


def _pads_and_water(state: State) -> tuple[int, list[int]]:
    """Return the pads of the opponent's frogs as a mask, and the acting seat's frogs in the water of each Realm."""
    numbers = state.position[: WATER + 2 * REALMS].tolist()  # reading single entries of an array is slow
    seat = state.position.item(SEAT)
    return numbers[PADS + 1 - seat], numbers[WATER + seat * REALMS : WATER + (seat + 1) * REALMS]


def format_legal(state: State, steps: Sequence[Step]) -> list[str]:
    """Return the notation of legal steps: what `bare_text` and `effects` return for each, with a few calls in all."""
    pads, water = _pads_and_water(state)
    texts = _TEXTS
    return [
        texts[step][(pads >> REALM_OF_CELL[step.to] & 1) + 2 * (water[REALM_OF_CELL[step.at]] > 0)] for step in steps
    ]


class StepTexts(dict[Step, tuple[str, ...]]):
    """The four texts of each step, written once: without effects, dislodging a frog, rescuing one, and both."""

    def __missing__(self, step: Step) -> tuple[str, ...]:
        """Write the texts of a step."""
        flags = (False, True)
        texts = self[step] = tuple([_text(step, dislodges=one, rescues=other) for other in flags for one in flags])
        return texts


def _text(step: Step, *, dislodges: bool, rescues: bool) -> str:
    inner = _effects(step, dislodges=dislodges, rescues=rescues)
    return _bare_text(step) + (f"({','.join(inner)})" if inner else "")


_TEXTS = StepTexts()


PARSE_MOVE: StepReader[Step] = StepReader(
    words={word: Step(kind) for kind, word in WORD_BY_KIND.items()},
    patterns={
        rf"F?{SPACE}": lambda found: Step(StepKind.PUT, cell_from_match(found, 1)),
        rf"F?{SPACE}{SPACE}": lambda found: Step(StepKind.MOVE, *move_cells(found)),
    },
    examples="a move like Fb2e5, a new frog like Fb2, or end",
)


GRAMMAR: Grammar[ClassicOptions, Step] = Grammar(
    code_of=code_of,
    find_reason=find_reason,
    parse=PARSE_MOVE,
    is_complete=lambda state, _: bool(state.position[PHASE] != SECOND_MOVE),
    closing_steps=lambda _: [Step(StepKind.END)],
    format_bare=bare_text,
    effects=effects,
    format_legal=format_legal,
    is_silent=lambda step: step.kind == StepKind.END,
)
