"""Move by move with the slow twin: the same steps, the same states, under random options of every kind."""

from __future__ import annotations

from tests.oriental_realm.helpers import TESTED, summary
from tests.oriental_realm.twin import WIDTHS, OrientalTwin, OrientalTwinOptions
from tests.twin_checks import TwinChecks


class TestTwin(TwinChecks):
    tested = TESTED
    summary = staticmethod(summary)
    twin = OrientalTwin
    twin_options = OrientalTwinOptions
    widths = WIDTHS
