"""Measurements rarely wait for the device."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import pytest

from realmtable.gpu import measure
from realmtable.gpu.measure import FEW_STEPS, measure_steps
from realmtable.rl import vector


def test_rounds_grow_until_waiting_takes_little_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each round takes a second here: a third of the time, then a quarter, with waits allowed until half of it."""
    seconds = count()
    monkeypatch.setattr(measure, "time", SimpleNamespace(perf_counter=lambda: float(next(seconds))))
    env = vector("classic_realm", 2, observations=False)
    assert measure_steps(env, 3.0) == 3 * FEW_STEPS * 2 / 3.0
    monkeypatch.setattr(measure, "MANY_WAITS", 2)
    assert measure_steps(env, 4.0) == (1 + 2 + 4 + 8) * FEW_STEPS * 2 / 4.0
