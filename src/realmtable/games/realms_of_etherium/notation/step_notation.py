"""Steps as text and back: ``summon 1,-2``, ``take Quicken``, ``push 2.3 to portal`` (N1, N5 to N11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from realmtable.engine.errors import BadNotation
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.layout import Hex, Kind, MageNumber, coordinates, hex_at, is_inside
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
    return PORTAL_WORD if target == layout.TO_PORTALS else hex_text(target)


def mage_text(mage: MageNumber) -> str:
    """Return a Mage with its seat, as in ``2.3``."""
    return f"{mage // layout.MAX_MAGES + 1}.{mage % layout.MAX_MAGES + 1}"


def find_hex(text: str) -> Hex | None:
    """Return the hex that a text names, or None if it is no hex or beyond the edge (W2)."""
    found = _HEX.fullmatch(text)
    if found is None or not is_inside(int(found[1]), int(found[2])):
        return None
    return hex_at(int(found[1]), int(found[2]))


def find_mage(text: str) -> MageNumber | None:
    """Return the Mage that a text such as ``2.3`` names, or None."""
    found = _MAGE.fullmatch(text)
    return None if found is None else (int(found[1]) - 1) * layout.MAX_MAGES + int(found[2]) - 1


def find_kind(text: str) -> Kind | None:
    """Return the kind with a name, or the only one whose name begins so; None if there is none."""
    names = [name.lower() for name in layout.KIND_NAMES]
    if text.lower() in names:
        return names.index(text.lower())
    found = [kind for kind, name in enumerate(names) if text and name.startswith(text.lower())]
    return found[0] if len(found) == 1 else None


# ---- words that are read


def _read_target(text: str) -> int:
    return layout.TO_PORTALS if text == PORTAL_WORD else _read_hex(text)


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


def _read_number(text: str, most: int) -> int:
    if not (len(text) == 1 and text in "123456" and int(text) <= most):
        raise BadNotation(f"{text[:20] or 'Nothing'} is not a number from 1 to {most}.")
    return int(text) - 1


# ---- steps of a verb and one word


class Verb(NamedTuple):
    """How the steps of a kind are written and read."""

    word: str
    write: Callable[[int], str]
    read: Callable[[str], int] | None = None  # None if the verb's steps are read in another way


_NUMBER: Final = (lambda at: str(at + 1), lambda text: _read_number(text, layout.MAX_MAGES))
_HEX_WORD: Final = (hex_text, _read_hex)
_KIND: Final = (layout.KIND_NAMES.__getitem__, _read_kind)
VERBS: Final[Mapping[StepKind, Verb]] = {
    StepKind.MAGE: Verb("mage", *_NUMBER),
    StepKind.TO: Verb("to", target_text, _read_target),
    StepKind.SUMMON: Verb("summon", *_HEX_WORD),
    StepKind.DRAW: Verb("draw", SUPPLY_WORDS.__getitem__, lambda text: _read_word(text, SUPPLY_WORDS)),
    StepKind.TAKE: Verb("take", *_KIND),
    StepKind.TRANSFER: Verb("transfer", *_NUMBER),
    StepKind.TRANSFER_MAGE: Verb("transfer", mage_text),
    StepKind.SHIFT: Verb("shift", *_HEX_WORD),
    StepKind.PUT: Verb("put", *_HEX_WORD),
    StepKind.SWAP: Verb("swap", *_HEX_WORD),
    StepKind.WITH: Verb("with", *_HEX_WORD),
    StepKind.COLLECT: Verb("collect", ETHERIUM.__getitem__, lambda text: _read_word(text, ETHERIUM)),
    StepKind.PUSH_MAGE: Verb("push", mage_text),
    StepKind.REACT: Verb("react", *_KIND),
    StepKind.REVEAL: Verb("reveal", *_KIND),
    StepKind.COLOUR: Verb(
        "colour",
        lambda colour: layout.COLOUR_NAMES[colour].capitalize(),
        lambda text: _read_word(text, layout.COLOUR_NAMES[1:]) + 1,
    ),
    StepKind.FIRST: Verb("first", _NUMBER[0], lambda text: _read_number(text, layout.MAX_SEATS)),
}
READERS: Final = {verb.word: (kind, verb.read) for kind, verb in VERBS.items() if verb.read is not None}


# ---- writing and reading


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
    return f"{VERBS[kind].word} {VERBS[kind].write(at)}"


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
    if verb not in READERS:
        raise BadNotation(f"{words[:40] or 'Nothing'} is not a step; write one like {EXAMPLES}.")
    kind, read = READERS[verb]
    return Step(kind, read(rest))


def _parse_push(text: str) -> Step:
    mage_word, to, target = text.partition(" to ")
    mage = find_mage(mage_word)
    if mage is None:
        raise BadNotation(f"{mage_word[:20] or 'Nothing'} is not a Mage; write one like 2.3, Mage 3 of seat 2.")
    return Step(StepKind.PUSH, mage, _read_target(target)) if to else Step(StepKind.PUSH_MAGE, mage)


def _parse_make(text: str) -> Step:
    number, _, colour = text.partition(" ")
    if not (number.isascii() and number.isdigit() and len(number) < 3 and 0 < int(number) < layout.MAX_MADE):  # noqa: PLR2004
        raise BadNotation("Write how much Etherium to make, like make 2 black.")
    return Step(StepKind.MAKE, _read_word(colour, ETHERIUM), int(number))
