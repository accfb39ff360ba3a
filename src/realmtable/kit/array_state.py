"""A state held in one array of integers, with the `Rules` that list and apply its steps.

The array includes the rule options, so kernels take one argument and games need no state class.
"""

from __future__ import annotations

import importlib
import threading
from typing import Any, Generic, TypeVar

import numpy as np

from realmtable.engine import registry
from realmtable.kit.rules import Position, Rules, Steps

OptionsT = TypeVar("OptionsT")


class _Buffers(threading.local):
    """A reusable step buffer per thread: allocating one would take as long as listing the steps."""

    def __init__(self) -> None:
        self.buffer = np.empty(0, dtype=np.int64)

    def get(self, size: int) -> Steps:
        """Return a buffer of at least this size."""
        if self.buffer.size < size:
            self.buffer = np.empty(size, dtype=np.int64)
        return self.buffer


_BUFFERS = _Buffers()


class ArrayState(Generic[OptionsT]):
    """An immutable game state that can be compared, hashed, pickled and displayed."""

    __slots__ = ("_codes", "acting", "options", "position", "rules")

    def __init__(self, rules: Rules, position: Position, options: OptionsT) -> None:
        """Take ownership of `position`; do not modify it afterwards."""
        self.rules = rules
        self.position = position
        self.options = options
        self.acting: tuple[int, ...] | None = None  # the acting seats; None until computed
        self._codes: list[int] | None = None

    def legal_codes(self) -> list[int]:
        """Return the codes of the legal steps, computed once."""
        if self._codes is None:
            out = _BUFFERS.get(self.rules.step_capacity)
            self._codes = out[: self.rules.legal_steps(self.position, out)].tolist()
        return self._codes

    def drop_legal_codes(self) -> None:
        """Free the list of legal steps, a large part of a state's memory; it is recomputed on demand."""
        self._codes = None

    def after(self, code: int) -> ArrayState[OptionsT]:
        """Return the state after a legal step."""
        position = self.position.copy()
        self.rules.apply_step(position, code)
        return ArrayState(self.rules, position, self.options)

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
        """Show the game and the encoded state."""
        game = registry.game(self.rules.game_id)
        return f"<{game.info.title} {game.encode(self)}>"

    def _repr_svg_(self) -> str:
        """Draw the board in notebooks."""
        game = registry.game(self.rules.game_id)
        return game.draw(game.view(self, None))


def _restore_state(module: str, position: Position, options: OptionsT) -> ArrayState[OptionsT]:
    rules: Rules = importlib.import_module(module).RULES
    return ArrayState(rules, position, options)
