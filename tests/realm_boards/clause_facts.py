"""The facts in the tables of clauses of the games on the Realm board: a position, steps, and what is so then.

A position is a line, or `start` with options. `BoardFacts.check` says which facts there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from realmtable.kit.array_state import ArrayState
from tests.example_tables import PlayedExample, read_examples
from tests.game_under_test import BoardGame

State = ArrayState[Any]


def each_clause(text: str, **words: str) -> pytest.MarkDecorator:
    """Run a test once for every heading of a table; `words` are written out in its positions."""
    examples = read_examples(text, words)
    return pytest.mark.parametrize("examples", examples.values(), ids=examples)


def show(value: object) -> str:
    """A value as a table writes it: parts of a tuple or list between slashes, a dash for nothing."""
    if isinstance(value, tuple | list):
        return "/".join(map(show, value))
    return "-" if value is None else str(value)


def diff_pieces(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """The spaces that differ with their new content; an empty text is an empty space."""
    return {space: after.get(space, "") for space in {**before, **after} if before.get(space) != after.get(space)}


# What the words of a fact are to the set that it speaks of: the legal steps, the spaces where the piece on the first
# word may move, or the spaces of the pieces that may move.
SETS: Mapping[str, tuple[str, Callable[[set[str], set[str]], bool]]] = {
    "legal": ("legal", set.__eq__),
    "can": ("legal", set.issubset),
    "cannot": ("legal", set.isdisjoint),
    "moves": ("targets", set.__eq__),
    "reaches": ("targets", set.issubset),
    "misses": ("targets", set.isdisjoint),
    "movers": ("movers", set.__eq__),
    "movable": ("movers", set.issubset),
    "stuck": ("movers", set.isdisjoint),
}


@dataclass(frozen=True)
class BoardFacts:
    """What tables can say about a game: its pieces by space, and values of its own by name."""

    tested: BoardGame[Any, Any]
    pieces: Callable[[State], Mapping[str, str]]
    values: Mapping[str, Callable[[State], object]] = field(default_factory=dict)

    def check(self, examples: Sequence[PlayedExample]) -> None:
        for where, steps, facts in examples:
            before = self.tested.at(where.removeprefix("start").strip())
            after = self.tested.play(before, " ".join(steps))
            for fact in facts:
                verb, *words = fact.split()
                if verb in SETS:
                    self._check_set(after, verb, words)
                elif "=" in verb:
                    name, _, value = fact.partition("=")
                    assert show(self.values[name](after)) == value, fact
                else:
                    self._check_state(before, after, verb, words)

    def _check_set(self, state: State, verb: str, words: list[str]) -> None:
        source, relation = SETS[verb]
        space = [words.pop(0)] if source == "targets" else []
        found = getattr(self.tested, source)(state, *space)
        assert relation(set(words), found), (verb, words, found)

    def _check_state(self, before: State, after: State, verb: str, words: list[str]) -> None:
        """Check a refusal by a clause, pieces that changed, stand or stand nowhere, the acting seat, phase and end."""
        tested, pieces = self.tested, self.pieces(after)
        named = {space: piece for space, _, piece in (word.partition("=") for word in words)}
        if verb == "refuses":  # some steps, by the clause that is named last
            assert {tested.expect_refusal(after, text).clause for text in words[:-1]} == {words[-1]}, words
        elif verb == "changes":  # by all steps together
            assert diff_pieces(self.pieces(before), pieces) == named
        elif verb == "has":
            assert named.items() <= pieces.items(), pieces
        elif verb == "lacks":
            assert not named.keys() & pieces.keys(), pieces
        else:
            found = {
                "acts": lambda: "WB"[tested.seat_of(after)],
                "phase": lambda: tested.phase_of(after),
                "ends": lambda: show(tested.ending(after)),
                "wins": lambda: show(tested.winner_of(after)),
            }
            assert [found[verb]()] == words, verb
