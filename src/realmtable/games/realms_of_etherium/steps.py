"""The steps of Realms of Etherium, and their codes in the kernels."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.kit.step_table import StepTable

NOTHING: Final = -1


class StepKind(IntEnum):
    """The kinds of steps, in the order of their codes."""

    MAGE = 0  # activate the Mage with the number `at`
    TO = 1  # go to the target `at`: a hex, or TO_PORTALS
    SUMMON = 2  # declare the hex `at`
    DRAW = 3  # from the Supply `at`
    TAKE = 4  # a tile of the kind `at` from its Reserve
    CONTROL = 5  # `at` is 0, or 1 or 2 to save White or Black
    DISPLACE = 6
    TRANSFER = 7  # to the Mage with the number `at`
    END = 8
    USE = 9
    MAKE = 10  # `to` Etherium of the colour `at`
    SHIFT = 11  # the Realm on the hex `at`
    PUT = 12  # on the hex `at`
    SWAP = 13  # the Realm on the hex `at`
    WITH = 14  # the Realm on the hex `at`
    COLLECT = 15  # the colour `at`
    PROTECT = 16
    PUSH = 17  # the Mage `at` to the target `to`
    PUSH_MAGE = 18  # the Mage `at`; its owner chooses the target (V3)
    NEXT = 19
    REACT = 20  # with the kind `at`
    SKIP = 21
    TRANSFER_MAGE = 22  # to the Mage `at`, an opponent's (V19)
    REVEAL = 23  # the kind `at`; from here on the results of chance
    COLOUR = 24  # the colour `at`, which a player chooses with V21
    FIRST = 25  # the seat `at`


class Step(NamedTuple):
    """A step. Steps sort in the order in which legal steps are listed."""

    kind: StepKind
    at: int = NOTHING
    to: int = NOTHING


# The first code of each kind.
FIRST_CODES: Final = (
    layout.MAGE0, layout.TO0, layout.SUMMON0, layout.DRAW0, layout.TAKE0, layout.CONTROL, layout.DISPLACE,
    layout.TRANSFER0, layout.END, layout.USE, layout.MAKE0, layout.SHIFT0, layout.PUT0, layout.SWAP0, layout.WITH0,
    layout.COLLECT_WHITE, layout.BUY_PROTECTION, layout.PUSH0, layout.PUSH_MAGE0, layout.NEXT, layout.REACT0,
    layout.SKIP, layout.TRANSFER_MAGE0, layout.REVEAL0, layout.COLOUR0, layout.FIRST0, layout.STEP_CODES,
)  # fmt: skip
# Kinds that have no `at`, and the number of values of `to` for those that have it.
PLAIN_KINDS: Final = frozenset(
    {StepKind.DISPLACE, StepKind.END, StepKind.USE, StepKind.PROTECT, StepKind.NEXT, StepKind.SKIP}
)
WIDTHS: Final = {StepKind.MAKE: layout.MAX_MADE, StepKind.PUSH: layout.TARGETS}
_KIND_OF_CODE: Final = tuple(
    kind for kind in StepKind for _ in range(FIRST_CODES[kind], FIRST_CODES[kind + 1])
)  # [code]


def _make_code(step: Step) -> int:
    """Return the code of a step, or -1 if there is no such step."""
    kind, at, to = step
    if kind in PLAIN_KINDS:
        return FIRST_CODES[kind] if at == to == NOTHING else -1
    width = WIDTHS.get(kind, 1)
    if at < 0 or (not 0 <= to < width if kind in WIDTHS else to != NOTHING):
        return -1
    code = FIRST_CODES[kind] + at * width + (to if kind in WIDTHS else 0)
    return code if code < FIRST_CODES[kind + 1] else -1


def _make_step(code: int) -> Step:
    kind = _KIND_OF_CODE[code]
    if kind in PLAIN_KINDS:
        return Step(kind)
    rest = code - FIRST_CODES[kind]
    return Step(kind, *divmod(rest, WIDTHS[kind])) if kind in WIDTHS else Step(kind, rest)


STEP_TABLE: StepTable[Step] = StepTable(layout.STEP_CODES, _make_step, _make_code)
step_of = STEP_TABLE.step_of
code_of = STEP_TABLE.code_of
