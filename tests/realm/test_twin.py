"""Step by step with the slow twin: the same steps and states, under random options of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.realm.helpers import TESTED, summary
from tests.realm.twin import Twin, TwinOptions
from tests.twin_checks import TwinChecks


class TestTwin(TwinChecks):
    tested = TESTED
    summary = staticmethod(summary)
    twin = Twin
    twin_options = TwinOptions

    def choose(self, rng: Random, texts: Sequence[str]) -> str:
        """Any step; offers and agreements are rare."""
        return rng.choice(
            texts if rng.random() >= 0.98 else [text for text in texts if text not in ("offer", "accept")]
        )
