"""Seeds of tests that play random games."""

from __future__ import annotations

from typing import Any

import pytest


def list_seeds(count: int, *, quick: int) -> list[Any]:
    """Return the parameters 0, 1 … of a test; those after the first `quick` are left to the slow tests."""
    return [pytest.param(seed, marks=[pytest.mark.slow] if seed >= quick else []) for seed in range(count)]
