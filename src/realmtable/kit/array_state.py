"""A state held in one array of integers, with the `Rules` that list and apply its steps.

The array includes the rule options, so kernels take one argument and games need no state class.
"""

from __future__ import annotations

import importlib
import threading
from bisect import bisect_left
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np

from realmtable.engine import registry
from realmtable.engine.protocol import Turn
from realmtable.kit.rules import Position, Rules, Steps

OptionsT = TypeVar("OptionsT")


class _Buffers(threading.local):
    """A reusable step buffer per thread: allocating one would take as long as listing the steps."""

    def __init__(self) -> None:
        self.buffer = np.empty(0, dtype=np.int64)

    def get(self, size: int) -> Steps:
        if self.buffer.size < size:
            self.buffer = np.empty(size, dtype=np.int64)
        return self.buffer


_BUFFERS = _Buffers()


class ArrayState(Generic[OptionsT]):
    """An immutable game state that can be compared, hashed, pickled and displayed."""

    __slots__ = ("_codes", "_next", "_view", "acting", "options", "position", "rules", "turn")

    def __init__(self, rules: Rules, position: Position, options: OptionsT) -> None:
        """Take ownership of `position`; do not modify it afterwards."""
        self.rules = rules
        self.position = position
        self.options = options
        self.acting: tuple[int, ...] | None = None  # the acting seats; None until computed
        self.turn: Turn | None = None  # likewise
        self._codes: list[int] | None = None
        self._next: tuple[int, ArrayState[OptionsT]] | None = None  # the latest step tried, and the state after it
        self._view: dict[str, Any] | None = None  # as plain data

    def legal_codes(self) -> list[int]:
        """Return the codes of the legal steps, computed once."""
        if self._codes is None:
            out = _BUFFERS.get(self.rules.step_capacity)
            self._codes = out[: self.rules.legal_steps(self.position, out)].tolist()
        return self._codes

    def is_legal(self, code: int) -> bool:
        """Whether the step with a code is legal."""
        codes = self._codes or self.legal_codes()  # in ascending order
        index = bisect_left(codes, code)
        return index < len(codes) and codes[index] == code

    def drop_caches(self) -> None:
        """Free everything that can be computed again, which is most of a state's memory."""
        self._codes = self._next = self._view = None

    def after(self, code: int) -> ArrayState[OptionsT]:
        """Return the state after a legal step.

        The latest one is cached while the legal steps are, since a step that is played is also put into words.
        """
        cached = self._next  # read once: other threads may replace it
        if cached is not None and cached[0] == code:
            return cached[1]
        position = self.position.copy()
        self.rules.apply_step(position, code)
        after = ArrayState(self.rules, position, self.options)
        if self._codes is not None:
            self._next = code, after
        return after

    def cached_view(self, make: Callable[[ArrayState[OptionsT]], dict[str, Any]]) -> dict[str, Any]:
        """Return the state as plain data, made once; do not modify it."""
        view = self._view  # read once, as above
        if view is None:
            view = self._view = make(self)
        return view

    def __eq__(self, other: object) -> bool:
        """Whether everything that can affect the rest of the game is equal."""
        if not isinstance(other, ArrayState):
            return NotImplemented
        return self.rules.game_id == other.rules.game_id and self._content() == other._content()

    def _content(self) -> bytes:
        return self.rules.content(self.position).tobytes()

    def __hash__(self) -> int:
        """States that are reached by different orders of steps hash alike."""
        return hash(self._content())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the kernels by module name."""
        return _restore_state, (self.rules.module, self.position, self.options)

    def __repr__(self) -> str:
        game = registry.game(self.rules.game_id)
        return f"<{game.info.title} {game.encode(self)}>"

    def _repr_svg_(self) -> str:
        """Draw the board in notebooks."""
        game = registry.game(self.rules.game_id)
        return game.draw(game.view(self, None))


def _restore_state(module: str, position: Position, options: OptionsT) -> ArrayState[OptionsT]:
    rules: Rules = importlib.import_module(module).RULES
    return ArrayState(rules, position, options)
