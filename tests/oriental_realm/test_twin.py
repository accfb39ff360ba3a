"""Move by move with the slow twin: the same steps, the same states, under random options of every kind."""

from __future__ import annotations

import dataclasses

from realmtable.games.oriental_realm.options import OrientalOptions
from tests.oriental_realm.helpers import TESTED, summary
from tests.oriental_realm.twin import WIDTHS, OrientalTwin, OrientalTwinOptions
from tests.twin_checks import TwinChecks


def twin_of(options: OrientalOptions) -> OrientalTwin:
    return OrientalTwin.initial(OrientalTwinOptions(**dataclasses.asdict(options)))


class TestTwin(TwinChecks):
    tested = TESTED
    summary = staticmethod(summary)
    start_twin = staticmethod(twin_of)
    twin_options = OrientalTwinOptions
    widths = WIDTHS
