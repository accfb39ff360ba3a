"""Seeds of tests that play random games."""

from __future__ import annotations

from typing import Any

import pytest


def list_seeds(count: int, *, quick: int | None = None, traced: int | None = None) -> list[Any]:
    """Return the parameters 0, 1 … of a test.

    Those after the first `quick` are left to the slow tests. Those after the first `traced` count for no coverage:
    they run the same code with other numbers, in a third of the time.
    """
    return [pytest.param(seed, marks=_list_marks(seed, quick, traced)) for seed in range(count)]


def _list_marks(seed: int, quick: int | None, traced: int | None) -> list[pytest.MarkDecorator]:
    slow = [pytest.mark.slow] if quick is not None and seed >= quick else []
    untraced = [pytest.mark.no_cover] if traced is not None and seed >= traced else []
    return slow + untraced
