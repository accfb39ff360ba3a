"""The rule options of Magic Realm and their named presets. Clauses refer to RULES.md.

Only options that affect the parts implemented so far are offered; later parts add theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.options import OptionValue, check_fields, option

DAYS_PER_WEEK: Final = 7


@dataclass(frozen=True)
class MagicOptions:
    """How a game of Magic Realm is set up and played; every combination is valid."""

    days: str = option(
        "28", "The day on which the game ends; shorter games ask for fewer victory points.",
        source="rulebook 10.E.2", clause="V1", choices=("28", "21", "14", "7"),
    )  # fmt: skip
    map: str = option(
        "dealt", "The map: dealt at random, one of three ready-made maps, or built by the players.",
        source="rulebook 3.2, 10.E.1", clause="V2", choices=("dealt", "stock1", "stock2", "stock3", "players"),
        choice_titles={
            "dealt": "dealt at random", "stock1": "ready-made map 1", "stock2": "ready-made map 2",
            "stock3": "ready-made map 3", "players": "built by the players",
        },
    )  # fmt: skip
    recording: str = option(
        "written", "Whether players write their whole day in the morning or choose each phase when it comes.",
        source="summary I.B", clause="V3", choices=("written", "as_you_go"), title="days are planned",
        choice_titles={"written": "in the morning"},
    )  # fmt: skip
    two_rows: str = option(
        "never", "When two rows of monsters prowl each day: never, in solo games, or always.",
        source="rulebook 10.E.1", clause="V4", choices=("never", "solo", "always"),
        title="two rows of monsters", choice_titles={"solo": "in solo games"}, defaults_before={3: "solo"},
    )  # fmt: skip
    follow: str = option(
        "all_day", "Whether a follower stays with the guide all day or may stop before any phase.",
        source="summary II.C.8", clause="V5", choices=("all_day", "may_stop"), title="followers",
        choice_titles={"all_day": "stay all day"},
    )  # fmt: skip
    restart: bool = option(
        True, "A player whose character dies starts again the next day with a new one.",
        source="summary III.B.9", clause="V6", title="a new life after death",
    )  # fmt: skip
    secret_gold: bool = option(True, "Players see only their own gold.", source="rulebook 2.6.2", clause="V7")

    encounter: str = option(
        "2", "How much of the game is played: 2 is with combat; in 1, monsters block but do not attack.",
        source="rulebook 1.2", clause="V8", choices=("2", "1"), title="combat",
        choice_titles={"2": "yes", "1": "no"}, defaults_before={3: "1"},
    )  # fmt: skip
    character_kills: str = option(
        "multiplied", "Whether the notoriety of a killed character counts times the number of kills on that day.",
        source="summary III.B.9", clause="V9", choices=("multiplied", "plain"), title="notoriety of killed characters",
    )  # fmt: skip
    horses: str = option(
        "turn", "A horse played in the encounter must show its other side in the melee, or only cannot gallop twice.",
        source="summary III.B.1", clause="V10", choices=("turn", "gallop_once"),
        choice_titles={"turn": "turn over"},
    )  # fmt: skip
    charge_on_horse: bool = option(
        True, "A character may charge another one with its horse.",
        source="summary III.A.3", clause="V11", title="charging on a horse",
    )  # fmt: skip
    known_site: bool = option(
        False, "From the beginning, everyone knows a site near the Inn and can loot it: for a first game.",
        source="ours", clause="V12", title="a known site near the Inn",
    )  # fmt: skip

    missile_through_armour: bool = option(
        False, "A missile with harm above Tremendous kills a character in armour.",
        source="rulebook 8.4.9", clause="V13", title="missiles pierce armour",
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse values that are out of bounds."""
        check_fields(self)

    @property
    def last_day(self) -> int:
        """The day on which the game ends (Q7)."""
        return int(self.days)

    @property
    def has_combat(self) -> bool:
        """Whether evenings are fought out (V8)."""
        return self.encounter != "1"

    @property
    def points_to_assign(self) -> int:
        """How many victory points each player assigns: one, and one for each week (M10)."""
        return 1 + self.last_day // DAYS_PER_WEEK

    def rows_per_day(self, seats: int) -> int:
        """How many dice decide each morning which rows prowl (B5)."""
        return 2 if self.two_rows == "always" or (self.two_rows == "solo" and seats == 1) else 1


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "encounter2": {},
    "first_game": {"days": "7", "map": "stock1", "recording": "as_you_go", "encounter": "1", "known_site": True},
    "first_fights": {"days": "7", "map": "stock1", "recording": "as_you_go", "encounter": "2", "known_site": True},
    "one_week": {"days": "7"},
    "encounter1": {"encounter": "1"},
}
