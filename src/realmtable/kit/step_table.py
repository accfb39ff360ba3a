"""A cache of steps and their codes: each step is built once, so that listing legal steps is a table lookup."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

StepT = TypeVar("StepT")


class StepTable(Generic[StepT]):
    """Maps the codes of a game's steps to steps, and steps to codes.

    The codes are the numbers below `size`; `make_code` returns -1 for a step that exists on no board.
    """

    def __init__(self, size: int, make_step: Callable[[int], StepT], make_code: Callable[[StepT], int]) -> None:
        self.size = size
        self.make_step = make_step
        self.make_code = make_code
        self._steps: dict[int, StepT] = {}
        self._codes: dict[StepT, int] = {}

    def step_of(self, code: int) -> StepT:
        """Return the step with a code, or raise `ValueError` if no step has it."""
        if code not in self._steps:
            if not 0 <= code < self.size:
                raise ValueError(f"there is no step {code}")
            step = self._steps[code] = self.make_step(code)
            self._codes[step] = code
        return self._steps[code]

    def steps_of(self, codes: list[int]) -> list[StepT]:
        steps = self._steps
        try:
            return [steps[code] for code in codes]
        except KeyError:  # at least one of them is new
            return [self.step_of(code) for code in codes]

    def code_of(self, step: StepT) -> int:
        """Return the code of a step, or -1 if it has none."""
        code = self._codes.get(step)
        return self.make_code(step) if code is None else code
