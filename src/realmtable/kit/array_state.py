"""A state that is one array of numbers, and the kernels that list and carry out its steps.

A game whose rules are kernels makes its states with `Kernels.state`; it needs no class of its own. The array holds
everything, the rule options too, so that a kernel takes one argument.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from realmtable.engine import registry

Position = NDArray[np.int64]
Steps = NDArray[np.int64]  # numbers of steps, the first few in use
OptionsT = TypeVar("OptionsT")


class Kernels(NamedTuple):
    """What stands behind the states of one game."""

    game_id: str
    module: str  # where this very value is found under the name KERNELS
    legal_steps: Callable[[Position, Steps], int]  # lists the legal steps, rising; how many is returned
    apply_step: Callable[[Position, int], None]  # carries out a legal step, in place
    key: Callable[[Position], int]  # equal for equal states
    used_length: Callable[[Position], int]  # how many entries from the first on tell a state from others
    step_capacity: int  # what a list of steps needs


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

    __slots__ = ("_codes", "acting", "kernels", "options", "position")

    def __init__(self, kernels: Kernels, position: Position, options: OptionsT) -> None:
        """Take over a position; the caller keeps no hand on it."""
        self.kernels = kernels
        self.position = position
        self.options = options
        self.acting: tuple[int, ...] | None = None  # who acts, once the game has been asked
        self._codes: list[int] | None = None

    def legal_codes(self) -> list[int]:
        """The numbers of the legal steps, listed once and kept."""
        if self._codes is None:
            kernels = self.kernels
            out = _BUFFERS.get(kernels.step_capacity)
            self._codes = out[: kernels.legal_steps(self.position, out)].tolist()
        return self._codes

    def drop_legal_codes(self) -> None:
        """Drop the list of legal steps, which takes much of a state's memory; it is listed again if it is asked for."""
        self._codes = None

    def after(self, code: int) -> ArrayState[OptionsT]:
        """The state after a legal step."""
        position = self.position.copy()
        self.kernels.apply_step(position, code)
        return ArrayState(self.kernels, position, self.options)

    def __eq__(self, other: object) -> bool:
        """Whether all that can matter for the rest of the game is the same."""
        if not isinstance(other, ArrayState):
            return NotImplemented
        return self.kernels.game_id == other.kernels.game_id and self._content() == other._content()

    def _content(self) -> bytes:
        return self.position[: self.kernels.used_length(self.position)].tobytes()

    def __hash__(self) -> int:
        """Turns that reach the same state by different orders share it."""
        return int(self.kernels.key(self.position))

    def __reduce__(self) -> tuple[Any, ...]:
        """What a pickle holds: the kernels by name."""
        return _restore_state, (self.kernels.module, self.position, self.options)

    def __repr__(self) -> str:
        """The state in one line."""
        game = registry.game(self.kernels.game_id)
        return f"<{game.info.title} {game.encode(self)}>"

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        game = registry.game(self.kernels.game_id)
        return game.draw(game.view(self, None))


def _restore_state(module: str, position: Position, options: OptionsT) -> ArrayState[OptionsT]:
    kernels: Kernels = importlib.import_module(module).KERNELS
    return ArrayState(kernels, position, options)
