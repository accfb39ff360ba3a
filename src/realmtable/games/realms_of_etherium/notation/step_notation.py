"""Steps as text and back: ``summon 1,-2``, ``take Quicken``, ``push 2.3 to portal`` (N1, N5 to N11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from realmtable.engine.errors import BadNotation
from realmtable.games.realms_of_etherium.kernels.layout import (
    COLOUR_NAMES,
    KIND_NAMES,
    MAX_MADE,
    MAX_MAGES,
    MAX_SEATS,
    TO_PORTALS,
    Hex,
    Kind,
    MageNumber,
    coordinates,
    hex_at,
    is_inside,
)
from realmtable.games.realms_of_etherium.steps import Step, StepKind
from realmtable.games.realms_of_etherium.tiles.manifest import ETHERIUM

PORTAL_WORD: Final = "portal"
SUPPLY_WORDS: Final = ("realm", "victory")
CONTROL_WORDS: Final = ("control", "control save white", "control save black")
PLAIN_WORDS: Final = {
    StepKind.DISPLACE: "displace",
    StepKind.END: "end",
    StepKind.USE: "use",
    StepKind.PROTECT: "protect",
    StepKind.NEXT: "next",
    StepKind.SKIP: "skip",
}
MAX_LENGTH: Final = 60
_HEX: Final = re.compile(r"([-+]?\d{1,2}),\s*([-+]?\d{1,2})")
_MAGE: Final = re.compile(r"([1-6])\.([1-5])")
EXAMPLES: Final = "summon 1,-2, take Quicken or end"


# ---- words


def hex_text(hex_: Hex) -> str:
    """Return the coordinates of a hex."""
    q, r = coordinates(hex_)
    return f"{q},{r}"


def target_text(target: int) -> str:
    """Return a hex, or the word for all Portals."""
    return PORTAL_WORD if target == TO_PORTALS else hex_text(target)


def mage_text(mage: MageNumber) -> str:
    """Return a Mage with its seat, as in ``2.3``."""
    return f"{mage // MAX_MAGES + 1}.{mage % MAX_MAGES + 1}"


def find_hex(text: str) -> Hex | None:
    """Return the hex that a text names, or None if it is no hex or beyond the edge (W2)."""
    found = _HEX.fullmatch(text)
    if found is None or not is_inside(int(found[1]), int(found[2])):
        return None
    return hex_at(int(found[1]), int(found[2]))


def find_mage(text: str) -> MageNumber | None:
    """Return the Mage that a text such as ``2.3`` names, or None."""
    found = _MAGE.fullmatch(text)
    return None if found is None else (int(found[1]) - 1) * MAX_MAGES + int(found[2]) - 1


def find_kind(text: str) -> Kind | None:
    """Return the kind with a name, or the only one whose name begins so; None if there is none."""
    names = [name.lower() for name in KIND_NAMES]
    if text.lower() in names:
        return names.index(text.lower())
    found = [kind for kind, name in enumerate(names) if text and name.startswith(text.lower())]
    return found[0] if len(found) == 1 else None


# ---- writing


@lru_cache(maxsize=10_000)
def step_text(step: Step) -> str:
    """Return the notation of a step, which does not depend on the state."""
    kind, at, to = step
    if kind in PLAIN_WORDS:
        return PLAIN_WORDS[kind]
    if kind == StepKind.CONTROL:
        return CONTROL_WORDS[at]
    if kind == StepKind.MAKE:
        return f"make {to} {ETHERIUM[at]}"
    if kind == StepKind.PUSH:
        return f"push {mage_text(at)} to {target_text(to)}"
    return f"{_VERBS[kind]} {_WORDS[kind](at)}"


def _number_text(at: int) -> str:
    return str(at + 1)


_VERBS: Final[Mapping[StepKind, str]] = {
    StepKind.MAGE: "mage",
    StepKind.TO: "to",
    StepKind.SUMMON: "summon",
    StepKind.DRAW: "draw",
    StepKind.TAKE: "take",
    StepKind.TRANSFER: "transfer",
    StepKind.TRANSFER_MAGE: "transfer",
    StepKind.SHIFT: "shift",
    StepKind.PUT: "put",
    StepKind.SWAP: "swap",
    StepKind.WITH: "with",
    StepKind.COLLECT: "collect",
    StepKind.PUSH_MAGE: "push",
    StepKind.REACT: "react",
    StepKind.REVEAL: "reveal",
    StepKind.COLOUR: "colour",
    StepKind.FIRST: "first",
}
_WORDS: Final[Mapping[StepKind, Callable[[int], str]]] = {
    StepKind.MAGE: _number_text,
    StepKind.TO: target_text,
    StepKind.SUMMON: hex_text,
    StepKind.DRAW: SUPPLY_WORDS.__getitem__,
    StepKind.TAKE: KIND_NAMES.__getitem__,
    StepKind.TRANSFER: _number_text,
    StepKind.TRANSFER_MAGE: mage_text,
    StepKind.SHIFT: hex_text,
    StepKind.PUT: hex_text,
    StepKind.SWAP: hex_text,
    StepKind.WITH: hex_text,
    StepKind.COLLECT: ETHERIUM.__getitem__,
    StepKind.PUSH_MAGE: mage_text,
    StepKind.REACT: KIND_NAMES.__getitem__,
    StepKind.REVEAL: KIND_NAMES.__getitem__,
    StepKind.COLOUR: lambda colour: COLOUR_NAMES[colour].capitalize(),
    StepKind.FIRST: _number_text,
}


# ---- reading


def parse_step(text: str) -> Step:
    """Return the step a text stands for, legal or not; raise `BadNotation` if it is none."""
    words = " ".join(text.split()).lower()
    if len(words) > MAX_LENGTH:
        raise BadNotation(f"A step has at most {MAX_LENGTH} characters.")
    for kind, word in PLAIN_WORDS.items():
        if words == word:
            return Step(kind)
    if words in CONTROL_WORDS:
        return Step(StepKind.CONTROL, CONTROL_WORDS.index(words))
    verb, _, rest = words.partition(" ")
    if verb == "push":
        return _parse_push(rest)
    if verb == "make":
        return _parse_make(rest)
    if verb == "transfer" and (mage := find_mage(rest)) is not None:
        return Step(StepKind.TRANSFER_MAGE, mage)
    kind_by_verb = {word: kind for kind, word in _VERBS.items() if kind in _READERS}
    if verb not in kind_by_verb:
        raise BadNotation(f"{words[:40] or 'Nothing'} is not a step; write one like {EXAMPLES}.")
    return Step(kind_by_verb[verb], _READERS[kind_by_verb[verb]](rest))


def _parse_push(text: str) -> Step:
    mage_word, to, target = text.partition(" to ")
    mage = find_mage(mage_word)
    if mage is None:
        raise BadNotation(f"{mage_word[:20] or 'Nothing'} is not a Mage; write one like 2.3, Mage 3 of seat 2.")
    return Step(StepKind.PUSH, mage, _read_target(target)) if to else Step(StepKind.PUSH_MAGE, mage)


def _parse_make(text: str) -> Step:
    number, _, colour = text.partition(" ")
    if not (number.isascii() and number.isdigit() and len(number) < 3 and 0 < int(number) < MAX_MADE):  # noqa: PLR2004
        raise BadNotation("Write how much Etherium to make, like make 2 black.")
    return Step(StepKind.MAKE, _read_word(colour, ETHERIUM), int(number))


def _read_target(text: str) -> int:
    return TO_PORTALS if text == PORTAL_WORD else _read_hex(text)


def _read_hex(text: str) -> Hex:
    hex_ = find_hex(text)
    if hex_ is None:
        raise BadNotation(f"{text[:20] or 'Nothing'} is not a hex of the world; write one like 1,-2.")
    return hex_


def _read_kind(text: str) -> Kind:
    kind = find_kind(text)
    if kind is None:
        raise BadNotation(f"{text[:20] or 'Nothing'} is not one tile; write a name like Quicken.")
    return kind


def _read_word(text: str, words: tuple[str, ...]) -> int:
    if text not in words:
        raise BadNotation(f"{text[:20] or 'Nothing'} does not fit here; write {' or '.join(words)}.")
    return words.index(text)


def _number_reader(most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (len(text) == 1 and text in "123456" and int(text) <= most):
            raise BadNotation(f"{text[:20] or 'Nothing'} is not a number from 1 to {most}.")
        return int(text) - 1

    return read


_READERS: Final[Mapping[StepKind, Callable[[str], int]]] = {
    StepKind.MAGE: _number_reader(MAX_MAGES),
    StepKind.TO: _read_target,
    StepKind.SUMMON: _read_hex,
    StepKind.DRAW: lambda text: _read_word(text, SUPPLY_WORDS),
    StepKind.TAKE: _read_kind,
    StepKind.TRANSFER: _number_reader(MAX_MAGES),
    StepKind.SHIFT: _read_hex,
    StepKind.PUT: _read_hex,
    StepKind.SWAP: _read_hex,
    StepKind.WITH: _read_hex,
    StepKind.COLLECT: lambda text: _read_word(text, ETHERIUM),
    StepKind.REACT: _read_kind,
    StepKind.REVEAL: _read_kind,
    StepKind.COLOUR: lambda text: _read_word(text, COLOUR_NAMES[1:]) + 1,
    StepKind.FIRST: _number_reader(MAX_SEATS),
}
