"""A state that is one array of numbers, with the `Rules` that list and carry out its steps.

The array holds everything, the rule options too, so that a kernel takes one argument. A game needs no state class.
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
    """One list of steps for each thread to write into: making a new one would cost as much as listing."""

    def __init__(self) -> None:
        self.buffer = np.empty(0, dtype=np.int64)

    def get(self, room: int) -> Steps:
        """A buffer with at least so much room."""
        if self.buffer.size < room:
            self.buffer = np.empty(room, dtype=np.int64)
        return self.buffer


_BUFFERS = _Buffers()


class ArrayState(Generic[OptionsT]):
    """One moment of a game: it compares, hashes, pickles and shows itself; nobody changes it."""

    __slots__ = ("_codes", "acting", "options", "position", "rules")

    def __init__(self, rules: Rules, position: Position, options: OptionsT) -> None:
        """Take ownership of `position`; do not modify it afterwards."""
        self.rules = rules
        self.position = position
        self.options = options
        self.acting: tuple[int, ...] | None = None  # who acts, once the game has been asked
        self._codes: list[int] | None = None

    def legal_codes(self) -> list[int]:
        """The numbers of the legal steps, listed once and kept."""
        if self._codes is None:
            out = _BUFFERS.get(self.rules.step_capacity)
            self._codes = out[: self.rules.legal_steps(self.position, out)].tolist()
        return self._codes

    def drop_legal_codes(self) -> None:
        """Drop the list of legal steps, which takes much of a state's memory; it is listed again if it is asked for."""
        self._codes = None

    def after(self, code: int) -> ArrayState[OptionsT]:
        """The state after a legal step."""
        position = self.position.copy()
        self.rules.apply_step(position, code)
        return ArrayState(self.rules, position, self.options)

    def __eq__(self, other: object) -> bool:
        """Whether all that can matter for the rest of the game is the same."""
        if not isinstance(other, ArrayState):
            return NotImplemented
        return self.rules.game_id == other.rules.game_id and self._content() == other._content()

    def _content(self) -> bytes:
        return self.rules.content(self.position).tobytes()

    def __hash__(self) -> int:
        """Turns that reach the same state by different orders share it."""
        return hash(self._content())

    def __reduce__(self) -> tuple[Any, ...]:
        """What a pickle holds: the kernels by name."""
        return _restore_state, (self.rules.module, self.position, self.options)

    def __repr__(self) -> str:
        """The state in one line."""
        game = registry.game(self.rules.game_id)
        return f"<{game.info.title} {game.encode(self)}>"

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        game = registry.game(self.rules.game_id)
        return game.draw(game.view(self, None))


def _restore_state(module: str, position: Position, options: OptionsT) -> ArrayState[OptionsT]:
    rules: Rules = importlib.import_module(module).RULES
    return ArrayState(rules, position, options)
