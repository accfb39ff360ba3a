"""Parameters of tests that only some runs have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def list_seeds(count: int, *, quick: int) -> list[Any]:
    """Return the parameters 0, 1 … of a test; those after the first `quick` are left to the slow tests."""
    return [pytest.param(seed, marks=[pytest.mark.slow] if seed >= quick else []) for seed in range(count)]


def mark_long(values: Iterable[object], *long: object) -> list[Any]:
    """Return the parameters of a test; those that make it take more than half a second are marked `long`."""
    return [pytest.param(value, marks=pytest.mark.long) if value in long else value for value in values]
