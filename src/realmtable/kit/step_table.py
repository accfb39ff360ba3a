"""Steps and their numbers, each made once: looking one up is all that listing steps costs in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

StepT = TypeVar("StepT")


class StepTable(Generic[StepT]):
    """The steps of a game by number, and the numbers by step.

    `step_of(code)` raises what `made_step` raises for a number that no step has; `code_of(step)` is -1 for a step that
    exists on no board, as `made_code` says.
    """

    def __init__(self, made_step: Callable[[int], StepT], made_code: Callable[[StepT], int]) -> None:
        self._made_code = made_code
        self._codes: dict[StepT, int] = {}
        self.step_of: Callable[[int], StepT] = _Steps(made_step, self._codes).__getitem__

    def code_of(self, step: StepT) -> int:
        """The number of a step, or -1."""
        code = self._codes.get(step)
        return self._made_code(step) if code is None else code


class _Steps(dict[int, StepT]):
    def __init__(self, made_step: Callable[[int], StepT], codes: dict[StepT, int]) -> None:
        super().__init__()
        self._made_step = made_step
        self._known = codes

    def __missing__(self, code: int) -> StepT:
        step = self[code] = self._made_step(code)
        self._known[step] = code
        return step
