"""The experiments of the balance study: for every game, the options that may even out its seats, and three strengths.

Each of them is one command of `realmtable lab balance`. Options that only some players would ever change were left out.
Level 8 thinks for two seconds, so its games depend on the machine; the study limits it by nodes instead.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Final

from realmtable.lab.balance.experiment import Experiment, Factor, design_experiment
from realmtable.lab.balance.stop_rule import StopRule

EASY_AND_HARD: Final = ("level2", "level5")
STRONG: Final = ("level8:nodes=1000",)


@dataclass(frozen=True)
class PlannedExperiment:
    """One command of `realmtable lab balance`."""

    game: str
    half_width: float  # of the first player's share, at which it ends
    options: tuple[str, ...] = ()  # as name=value,value
    presets: tuple[str, ...] = ()
    bots: tuple[str, ...] = EASY_AND_HARD
    players: int = 2

    def make_command(self) -> str:
        """Return the command that plays it."""
        words = ["realmtable", "lab", "balance", self.game]
        words += ["--players", str(self.players)] if self.players != 2 else []
        words += [word for option in self.options for word in ("--option", option)]
        words += ["--preset", ",".join(self.presets)] if self.presets else []
        words += ["--bots", ",".join(self.bots), "--until-half-width", f"{self.half_width:g}"]
        return shlex.join(words)

    def design(self) -> Experiment:
        """Return the experiment."""
        return design_experiment(
            self.game,
            [_read_factor(option) for option in self.options],
            bots=self.bots,
            presets=self.presets,
            seats=self.players,
        )

    def make_rule(self) -> StopRule:
        """Return the rule that ends it."""
        return StopRule(half_width=self.half_width)


def _read_factor(option: str) -> Factor:
    name, _, values = option.partition("=")
    labels = (*values.split(","),)
    return Factor(name, labels, labels)


PLAN: Final = (
    PlannedExperiment("realm", 0.05, ("extra_base_second=off,on",)),
    PlannedExperiment("realm", 0.05, ("second_moves_first=off,on",)),
    PlannedExperiment("realm", 0.1, ("extra_base_second=off,on",), bots=STRONG),
    PlannedExperiment("classic_realm", 0.025, ("double_moves=off,on",)),
    PlannedExperiment("classic_realm", 0.025, ("free_setup=off,on",)),
    PlannedExperiment("classic_realm", 0.05, ("double_moves=off,on",), bots=STRONG),
    PlannedExperiment("medieval_realm", 0.05, ("duke_draw=on,off",)),
    PlannedExperiment("medieval_realm", 0.05, ("duke_squares=back_middle,back_corners,front_middle,front_corners",)),
    PlannedExperiment("medieval_realm", 0.1, ("duke_draw=on,off",), bots=STRONG),
    PlannedExperiment("oriental_realm", 0.075),
    PlannedExperiment("oriental_realm", 0.075, ("free_setup=off,on",)),
    PlannedExperiment("oriental_realm", 0.1, ("free_setup=off,on",), bots=("level8:nodes=300",)),
    PlannedExperiment("modern_realm", 0.05, ("capture_on_entry=off,on",)),
    PlannedExperiment("modern_realm", 0.05, ("hq_counts=on,off",)),
    PlannedExperiment("modern_realm", 0.05, ("origin_closed=off,on",)),
    PlannedExperiment("modern_realm", 0.1, ("capture_on_entry=off,on",), bots=STRONG),
    PlannedExperiment("fantasy_realms", 0.075, ("free_first_discards=off,on",)),
    PlannedExperiment("fantasy_realms", 0.065, players=4),
    PlannedExperiment("fantasy_realms", 0.065, bots=("level8",), players=4),
    PlannedExperiment("realms_of_etherium", 0.1, ("points=12,6",), bots=("level2",)),
    PlannedExperiment("realms_of_etherium", 0.1, ("points=6",), bots=("level2", "level5", "level8:nodes=120")),
    PlannedExperiment("magic_realm", 0.1, presets=("first_game", "first_fights")),
)
