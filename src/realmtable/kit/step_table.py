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
        self._make_step = made_step
        self._make_code = made_code
        self._steps: dict[int, StepT] = {}
        self._codes: dict[StepT, int] = {}

    def step_of(self, code: int) -> StepT:
        """The step with a number."""
        if code not in self._steps:
            step = self._steps[code] = self._make_step(code)
            self._codes[step] = code
        return self._steps[code]

    def steps_of(self, codes: list[int]) -> list[StepT]:
        """The steps with these numbers."""
        steps = self._steps
        try:
            return [steps[code] for code in codes]
        except KeyError:  # the first time that one of them is listed
            return [self.step_of(code) for code in codes]

    def code_of(self, step: StepT) -> int:
        """The number of a step, or -1."""
        code = self._codes.get(step)
        return self._make_code(step) if code is None else code
