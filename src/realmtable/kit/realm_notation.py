"""Turns on the Realm board as text, both ways, in the manner of the magazine.

A turn is items with commas between them: a step and, in parentheses, what it sets off by itself and the choices it
leaves, ``Pc10g10(Bh11),Pi4i10(Eg12S)``. A game says in a `Grammar` what its steps look like; reading and writing, and
forgiving a capital or an i for file l, are the same for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from realmtable.engine.errors import BadNotation, IllegalMove
from realmtable.engine.protocol import ParsedTurn

StateT = TypeVar("StateT")
StepT = TypeVar("StepT")

MAX_STEP = 400
MAX_TURN = 4000
SPACE = r"([a-lIL])(1[0-2]|[1-9])"  # a space's name in a pattern; capital I and L are file l
_ITEM = re.compile(r"([^,()]*)(?:\(([^()]*)\)\s*)?(?:,|$)")
_MAX_SHOWN = 40


@dataclass(frozen=True)
class Grammar(Generic[StateT, StepT]):
    """How one game writes its steps."""

    parse: Callable[[str], StepT]  # the step of a text, legal or not; BadNotation if there is none
    format_bare: Callable[[StateT, StepT], str]  # a step without what it sets off
    effects: Callable[[StateT, StepT, StateT], list[str]]  # what it set off by itself on the way to the state after
    is_legal: Callable[[StateT, StepT], bool]
    after: Callable[[StateT, StepT], StateT]  # the state after a legal step
    refuse: Callable[[StateT, StepT], IllegalMove]  # why a step is not legal
    is_choice: Callable[[StateT], bool]  # whether the next step stands in the parentheses of the one before
    is_complete: Callable[[StateT, list[StepT]], bool]  # whether these steps, that led to the state, are a whole turn
    closing_steps: Callable[
        [StateT], list[StepT]
    ]  # the steps that the end of the text means; BadNotation if more is needed
    is_silent: Callable[[StepT], bool] = lambda _: False  # whether a step is not written
    keeps_parentheses: Callable[[str], bool] = lambda _: (
        False
    )  # whether the parentheses behind such a text belong to the step
    choice_mark: Callable[[StateT, list[str]], str] = lambda _state, _inner: ""  # what stands before a choice
    # the order to play the parts of parentheses in; the number is how many stand before a semicolon, -1 without one
    play_order: Callable[[StateT, list[str], int], list[str]] = lambda _state, parts, _before: parts


def shorten(text: str) -> str:
    """A text as a message shows it: cut where it is long."""
    return f"{text[:_MAX_SHOWN]}…" if len(text) > _MAX_SHOWN else text or "An empty text"


def normalise_space(file: str, rank: str) -> str:
    """The name of a space whose file may be a capital I or L."""
    return ("l" if file in "IL" else file) + rank


def strip_step(text: str) -> str:
    """A step's text without spaces around it; refused if it is longer than any step."""
    if len(text) > MAX_STEP:
        raise BadNotation(f"A step is shorter than {MAX_STEP} characters.")
    return text.strip()


def without_effects(text: str) -> str:
    """A step's text without the parentheses behind it."""
    return re.sub(r"\([^()]*\)$", "", text)


# ---- writing


def format_step(grammar: Grammar[StateT, StepT], state: StateT, step: StepT) -> str:
    """A step with what it sets off by itself; an illegal one as it is."""
    text = grammar.format_bare(state, step)
    if not grammar.is_legal(state, step):
        return text
    return text + _parenthesise(grammar.effects(state, step, grammar.after(state, step)))


def format_turn(grammar: Grammar[StateT, StepT], state: StateT, steps: Sequence[StepT]) -> str:
    """The steps of a turn, or of its beginning, as a record has them."""
    items: list[tuple[str, list[str]]] = []
    for step in steps:
        after = grammar.after(state, step)
        texts = [grammar.format_bare(state, step), *grammar.effects(state, step, after)]
        if grammar.is_choice(state) and items:
            inner = items[-1][1]
            inner += [grammar.choice_mark(state, inner) + texts[0], *texts[1:]]
        elif not grammar.is_silent(step):
            items.append((texts[0], texts[1:]))
        state = after
    return ",".join(head + _parenthesise(inner) for head, inner in items)


def _parenthesise(inner: list[str]) -> str:
    return "(" + ",".join(inner).replace(",;", ";") + ")" if inner else ""


# ---- reading


class Item(NamedTuple):
    """A step at the head and what stands in the parentheses behind it."""

    head: str
    inner: list[str]
    before_mark: int = -1  # how many parts stand before a semicolon; -1 without one


def parse_turn(grammar: Grammar[StateT, StepT], state: StateT, text: str, *, running: bool = False) -> ParsedTurn:
    """The steps of the turn that begins in `state`; text after its end is handed back as the rest."""
    if len(text) > MAX_TURN:
        raise BadNotation(f"A turn is shorter than {MAX_TURN} characters.")
    reader = _TurnReader(grammar, state)
    for item, rest in _split_items(grammar, text):
        reader.read(item)
        if grammar.is_complete(reader.state, reader.steps):
            return ParsedTurn(reader.steps, reader.warnings, rest.strip())
    if not reader.steps:
        raise BadNotation("A turn holds at least one step.")
    closing = [] if running else grammar.closing_steps(reader.state)
    return ParsedTurn(reader.steps + closing, reader.warnings, "")


def _split_items(grammar: Grammar[StateT, StepT], text: str) -> Iterator[tuple[Item, str]]:
    """Each item of a turn's text, with the text that follows it."""
    rest = text
    while rest:
        found = _ITEM.match(rest)
        if found is None:
            raise BadNotation(f"The parentheses in {shorten(text)} do not match.")
        head, inner = found[1].strip(), (found[2] or "").strip()
        rest = rest[found.end() :]
        if inner and grammar.keeps_parentheses(head):
            yield Item(f"{head}({inner})", []), rest
        elif head or inner:
            before, mark, _ = inner.partition(";")
            parts = [part.strip() for part in re.split("[,;]", inner)] if inner else []
            yield Item(head, parts, before.count(",") + 1 if mark else -1), rest


class _TurnReader(Generic[StateT, StepT]):
    """Plays a turn's text step by step and notes what it had to forgive."""

    def __init__(self, grammar: Grammar[StateT, StepT], state: StateT) -> None:
        self.grammar = grammar
        self.state = state
        self.steps: list[StepT] = []
        self.warnings: list[str] = []

    def read(self, item: Item) -> None:
        """Play an item: its head, then the choices in its parentheses; what happens by itself is compared.

        No document sets an order of the parts, so any is read.
        """
        happened = self.play(item.head)
        parts = self.grammar.play_order(self.state, item.inner, item.before_mark)
        while parts:
            if known := next((part for part in parts if _normalise_files(part) in happened), None):
                happened.remove(_normalise_files(known))
                parts = _remove_first(parts, known)
            elif self.grammar.is_choice(self.state):
                part = self.next_choice(parts)
                happened += self.play(part)
                parts = _remove_first(parts, part)
            else:
                raise BadNotation(f"{item.head} does not lead to {shorten(parts[0])}.")
        if happened:
            self.warnings.append(f"{item.head} leads to ({','.join(happened)}), which is not written.")

    def next_choice(self, parts: list[str]) -> str:
        """The first part that can be played now; the first of all if none can, so that its refusal is told."""
        for part in parts:
            with suppress(BadNotation, IllegalMove):
                _resolve_step(self.grammar, self.state, part, [])
                return part
        return parts[0]

    def play(self, text: str) -> list[str]:
        """Play one step as written or, where that is impossible, as it must be meant; what it sets off is returned."""
        step = _resolve_step(self.grammar, self.state, text, self.warnings)
        after = self.grammar.after(self.state, step)
        caused = self.grammar.effects(self.state, step, after)
        self.steps.append(step)
        self.state = after
        return caused


def _remove_first(parts: list[str], part: str) -> list[str]:
    """The parts without the first that reads so."""
    index = parts.index(part)
    return parts[:index] + parts[index + 1 :]


def _normalise_files(text: str) -> str:
    """A text with file l in small letters."""
    return re.sub(r"[IL](?=1?[0-9])", "l", text)


def _resolve_step(grammar: Grammar[StateT, StepT], state: StateT, text: str, warnings: list[str]) -> StepT:
    """The legal step a text means, forgiving i, I and L for file l; else the refusal of what it says."""
    step = grammar.parse(text)
    if grammar.is_legal(state, step):
        if _normalise_files(text) != text:
            warnings.append(f"{text} is read as {_normalise_files(text)}: file l is written with a small letter.")
        elif (right := grammar.format_bare(state, step)) not in (text, without_effects(text)):
            warnings.append(f"{text} is read as {right}, the piece that stands there.")
        return step
    others = [other for other in _alternative_spellings(text) if grammar.is_legal(state, grammar.parse(other))]
    if len(others) == 1:
        warnings.append(f"{text} is read as {others[0]}: i and l look alike, and only this one is legal.")
        return grammar.parse(others[0])
    raise grammar.refuse(state, step)


def _alternative_spellings(text: str) -> list[str]:
    """The text with each file i taken for l, or l for i."""
    plain = _normalise_files(text)
    swapped = {"i": "l", "l": "i"}
    spots = [found.start() for found in re.finditer(r"[il](?=1?[0-9])", plain)]
    return [plain[:spot] + swapped[plain[spot]] + plain[spot + 1 :] for spot in spots]
