"""When an experiment ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from realmtable.engine.errors import BadInput
from realmtable.lab.balance.game_facts import GameFacts
from realmtable.lab.balance.measures import find_measure

MAX_GAMES: Final = 1_000_000  # per setting
FIRST_LOOK: Final = 100  # games per setting before the first look at the width
MAX_LOOKED_AT: Final = 204_800  # games per setting after which an experiment gives up


@dataclass(frozen=True)
class StopRule:
    """When an experiment ends: after `games` per setting, or when every setting's interval is narrow enough.

    Looks happen after 100, 200, 400, … games per setting. The rule sees only how wide the intervals are, never where
    they lie, so they keep their coverage (Chow and Robbins 1965); `tests/lab/balance` simulates it.
    """

    games: int = 200
    half_width: float | None = None
    measure: str = "first_player"

    def __post_init__(self) -> None:
        find_measure(self.measure)
        if not 1 <= self.games <= MAX_GAMES:
            raise BadInput(f"Play 1 to {MAX_GAMES:,} games per setting, not {self.games}.")
        if self.half_width is not None and not self.half_width > 0:
            raise BadInput(f"Half the width of an interval must be above 0, not {self.half_width:g}.")

    def looks(self) -> Iterator[int]:
        """Yield the numbers of games per setting after which the rule is checked."""
        if self.half_width is None:
            yield self.games
            return
        games = FIRST_LOOK
        while games <= MAX_LOOKED_AT:
            yield games
            games *= 2

    def is_met(self, games: Sequence[Sequence[GameFacts]]) -> bool:
        """Whether the experiment may end after these games per setting.

        Raise `BadInput` if no game has the measure: it would never end.
        """
        if self.half_width is None:
            return True
        measure = find_measure(self.measure)
        if not any(measure.values(setting) for setting in games):
            raise BadInput(f"None of these games has the measure {self.measure}; choose another one.")
        estimates = [measure.estimate(setting) for setting in games]
        return all(estimate is not None and estimate.half_width <= self.half_width for estimate in estimates)

    def as_dict(self) -> dict[str, Any]:
        if self.half_width is None:
            return {"games": self.games}
        return {"half_width": self.half_width, "measure": self.measure}
