"""Positions of games on the Realm board before anything stands on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from realmtable.engine.options import OptionValue, list_options
from realmtable.engine.protocol import Options
from realmtable.kit.realm_board.geometry import find_cell
from realmtable.kit.rules import Position


def make_position(size: int, first_option: int, options: Options, none: Sequence[int] = ()) -> Position:
    """Return zeros but for the options, from one entry on, and for the entries that are -1 while they name nothing."""
    position = np.zeros(size, dtype=np.int64)
    numbers = option_numbers(options)
    position[first_option : first_option + len(numbers)] = numbers
    position[list(none)] = -1
    return position


def option_numbers(options: Options) -> list[int]:
    """Return the options as kernels read them, in their order: see `_number_of`."""
    return [_number_of(getattr(options, info.name), info.choices) for info in list_options(options)]


def _number_of(value: OptionValue, choices: Sequence[str]) -> int:
    """Return a switch as 0 or 1, and a choice by its place; where choices are spaces, the space or -1 for none."""
    if not choices:
        return int(value)
    if find_cell(choices[0]) is None:
        return choices.index(str(value))
    cell = find_cell(str(value))
    return -1 if cell is None else cell
