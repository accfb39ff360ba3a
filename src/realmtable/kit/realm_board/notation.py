"""Reads and writes turns on the Realm board in the magazine's notation.

A turn is a list of items separated by commas: each is a step followed by its automatic effects and choices in
parentheses, as in ``Pc10g10(Bh11),Pi4i10(Eg12S)``. A game describes its steps in a `Grammar`; this module does the
rest, and tolerates a capital letter or an i for file l.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from realmtable.engine.errors import BadNotation, IllegalMove
from realmtable.engine.protocol import ParsedTurn, Seat
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.geometry import Cell, cell_name, find_cell

OptionsT = TypeVar("OptionsT")
StepT = TypeVar("StepT")
Reason = tuple[str, str]  # the first clause of RULES.md that a step breaks, and one sentence

NO_SUCH_STEP: Reason = ("B1", "There is no such step on this board.")
MAX_STEP = 400
MAX_TURN = 4000
SPACE = r"([a-lIL])(1[0-2]|[1-9])"  # the pattern of a space's name; capital I and L mean file l
_ITEM = re.compile(r"([^,()]*)(?:\(([^()]*)\)\s*)?(?:,|$)")
_MAX_SHOWN = 40


@dataclass(frozen=True)
class Grammar(Generic[OptionsT, StepT]):
    """How one game reads and writes its steps, and why it refuses one."""

    code_of: Callable[[StepT], int]  # the number of a step; -1 if it exists on no board
    find_reason: Callable[[ArrayState[OptionsT], StepT], Reason]  # why a step is not legal
    parse: Callable[[str], StepT]  # the step that a text describes, legal or not; raises BadNotation if there is none
    # whether these steps, which led to the state, are a full turn
    is_complete: Callable[[ArrayState[OptionsT], list[StepT]], bool]
    # the steps implied by the end of the text; raises BadNotation if the turn is incomplete
    closing_steps: Callable[[ArrayState[OptionsT]], list[StepT]]
    format_bare: Callable[[ArrayState[OptionsT], StepT], str]  # a step without its effects
    # the automatic effects of a step; the last argument plays it, which takes much longer than all else
    effects: Callable[[ArrayState[OptionsT], StepT, Callable[[], ArrayState[OptionsT]]], list[str]] = (
        lambda _state, _step, _play: []
    )
    # the texts of many legal steps at once, for games that are faster than one by one
    format_legal: Callable[[ArrayState[OptionsT], Sequence[StepT]], list[str]] | None = None
    is_silent: Callable[[StepT], bool] = lambda _: False  # whether a step is left out of the text
    # whether the next step belongs in the parentheses of the previous one
    is_choice: Callable[[ArrayState[OptionsT]], bool] = lambda _: False
    # whether the parentheses after such a text are part of the step
    keeps_parentheses: Callable[[str], bool] = lambda _: False
    # the prefix of a choice
    choice_mark: Callable[[ArrayState[OptionsT], list[str]], str] = lambda _state, _inner: ""
    # the order in which to play the parts in parentheses; the int counts those before a semicolon, -1 if there is none
    play_order: Callable[[ArrayState[OptionsT], list[str], int], list[str]] = lambda _state, parts, _before: parts

    def is_legal(self, state: ArrayState[OptionsT], step: StepT) -> bool:
        return state.is_legal(self.code_of(step))

    def after(self, state: ArrayState[OptionsT], step: StepT) -> ArrayState[OptionsT]:
        return state.after(self.code_of(step))

    def effects_of(self, state: ArrayState[OptionsT], step: StepT) -> list[str]:
        return self.effects(state, step, lambda: self.after(state, step))

    def refuse(self, state: ArrayState[OptionsT], step: StepT) -> IllegalMove:
        return IllegalMove(*self.find_reason(state, step))


def why_not_own_piece(clause: str, cell: Cell, owner: Seat | None, seat: Seat) -> Reason | None:
    """Return why a seat cannot move the piece on a space if there is none or it belongs to the opponent."""
    if owner is None:
        return clause, f"{cell_name(cell)} is empty."
    return None if owner == seat else (clause, f"The piece on {cell_name(cell)} is your opponent's.")


def shorten(text: str) -> str:
    """Truncate a text for an error message."""
    return f"{text[:_MAX_SHOWN]}…" if len(text) > _MAX_SHOWN else text or "An empty text"


def normalise_space(file: str, rank: str) -> str:
    """Return the name of a space; a capital I or L means file l."""
    return ("l" if file in "IL" else file) + rank


def cell_from_match(found: re.Match[str], group: int) -> Cell:
    """Return the space that `SPACE` matched as a group and the next one."""
    cell = find_cell(normalise_space(found[group], found[group + 1]))
    assert cell is not None  # noqa: S101 - the pattern allows nothing else
    return cell


def move_cells(found: re.Match[str]) -> tuple[Cell, Cell]:
    """Return the two spaces that a pattern matched as its last groups."""
    groups = len(found.groups())
    return cell_from_match(found, groups - 3), cell_from_match(found, groups - 1)


@dataclass(frozen=True)
class StepReader(Generic[StepT]):
    """Reads the text of a step, legal or not: a word in any case or what a pattern makes of it."""

    words: Mapping[str, StepT]
    patterns: Mapping[str, Callable[[re.Match[str]], StepT | None]]
    examples: str  # for those who write something else

    def __call__(self, text: str) -> StepT:
        """Return the step a text stands for; effects written after it are ignored."""
        if len(text) > MAX_STEP:
            raise BadNotation(f"A step may have at most {MAX_STEP} characters.")
        text = text.strip()
        step = self._find(text) or self._find(without_effects(text))
        if step is None:
            raise BadNotation(f"{shorten(text)} is not a step; write {self.examples}.")
        return step

    def _find(self, text: str) -> StepT | None:
        if text.lower() in self.words:
            return self.words[text.lower()]
        found = ((make, re.fullmatch(pattern, text)) for pattern, make in self.patterns.items())
        return next((make(match) for make, match in found if match), None)


def without_effects(text: str) -> str:
    """Strip the parentheses that follow a step."""
    return re.sub(r"\([^()]*\)$", "", text)


# ---- writing


def format_step(grammar: Grammar[OptionsT, StepT], state: ArrayState[OptionsT], step: StepT) -> str:
    """Format a step with its automatic effects; an illegal step has none."""
    if grammar.is_legal(state, step):
        return format_legal_steps(grammar, state, [step])[0]
    return grammar.format_bare(state, step)


def format_legal_steps(
    grammar: Grammar[OptionsT, StepT], state: ArrayState[OptionsT], steps: Sequence[StepT]
) -> list[str]:
    """Format steps that are known to be legal."""
    if grammar.format_legal is not None:
        return grammar.format_legal(state, steps)
    bare, effects = grammar.format_bare, grammar.effects
    return [
        bare(state, step) + _parenthesise(effects(state, step, partial(grammar.after, state, step))) for step in steps
    ]


def format_turn(grammar: Grammar[OptionsT, StepT], state: ArrayState[OptionsT], steps: Sequence[StepT]) -> str:
    """Format the steps of a turn, or its first steps, for a record."""
    if len(steps) == 1 and not grammar.is_silent(steps[0]):  # in a turn of one step, there is nothing to join
        return format_legal_steps(grammar, state, steps)[0]
    items: list[tuple[str, list[str]]] = []
    for step in steps:
        after = grammar.after(state, step)
        texts = [grammar.format_bare(state, step), *grammar.effects_of(state, step)]
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
    """A step and the parts in the parentheses after it."""

    head: str
    inner: list[str]
    before_mark: int = -1  # the number of parts before a semicolon; -1 if there is none


def parse_turn(
    grammar: Grammar[OptionsT, StepT], state: ArrayState[OptionsT], text: str, *, running: bool = False
) -> ParsedTurn:
    """Parse a turn that starts in `state`; any text after its end is returned as the rest."""
    if len(text) > MAX_TURN:
        raise BadNotation(f"A turn may have at most {MAX_TURN} characters.")
    reader = _TurnReader(grammar, state)
    for item, rest in _split_items(grammar, text):
        reader.read(item)
        if grammar.is_complete(reader.state, reader.steps):
            return ParsedTurn(reader.steps, reader.warnings, rest.strip())
    if not reader.steps:
        raise BadNotation("A turn needs at least one step.")
    closing = [] if running else grammar.closing_steps(reader.state)
    return ParsedTurn(reader.steps + closing, reader.warnings, "")


def _split_items(grammar: Grammar[OptionsT, StepT], text: str) -> Iterator[tuple[Item, str]]:
    """Yield each item of a turn's text with the text that follows it."""
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


class _TurnReader(Generic[OptionsT, StepT]):
    """Plays a turn's text step by step and collects warnings about tolerated mistakes."""

    def __init__(self, grammar: Grammar[OptionsT, StepT], state: ArrayState[OptionsT]) -> None:
        self.grammar = grammar
        self.state = state
        self.steps: list[StepT] = []
        self.warnings: list[str] = []

    def read(self, item: Item) -> None:
        """Play an item: its head, then the choices in its parentheses; the effects are compared with the state.

        No document fixes the order of the parts, so any order is accepted.
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
            self.warnings.append(f"{item.head} leads to ({','.join(happened)}), which is missing.")

    def next_choice(self, parts: list[str]) -> str:
        """Return the first part that can be played now; if none can, the first part, so that its error is reported."""
        for part in parts:
            with suppress(BadNotation, IllegalMove):
                _resolve_step(self.grammar, self.state, part, [])
                return part
        return parts[0]

    def play(self, text: str) -> list[str]:
        """Play a step as written or, if that is illegal, as it must be meant; return its effects."""
        step = _resolve_step(self.grammar, self.state, text, self.warnings)
        after = self.grammar.after(self.state, step)
        caused = self.grammar.effects_of(self.state, step)
        self.steps.append(step)
        self.state = after
        return caused


def _remove_first(parts: list[str], part: str) -> list[str]:
    """Return the parts without the first occurrence of `part`."""
    index = parts.index(part)
    return parts[:index] + parts[index + 1 :]


def _normalise_files(text: str) -> str:
    """Write file l in lower case."""
    return re.sub(r"[IL](?=1?[0-9])", "l", text)


def _resolve_step(
    grammar: Grammar[OptionsT, StepT], state: ArrayState[OptionsT], text: str, warnings: list[str]
) -> StepT:
    """Return the legal step that a text means, reading i, I and L as file l if needed; raise if there is none."""
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
    """Return the text with each file i changed to l, or l to i, one at a time."""
    plain = _normalise_files(text)
    swapped = {"i": "l", "l": "i"}
    spots = [found.start() for found in re.finditer(r"[il](?=1?[0-9])", plain)]
    return [plain[:spot] + swapped[plain[spot]] + plain[spot + 1 :] for spot in spots]
