"""The rule options of Realm and their named presets. The clauses are those of RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue, check_fields, option

RULEBOOK: Final = "rulebook"
MAGAZINE: Final = "magazine"
HOUSE_RULE: Final = "this table"


@dataclass(frozen=True)
class RealmOptions:
    """How one game of Realm is played; every combination that is not refused can be played."""

    bases: int = option(
        12, "How many Bases each player has; 11 for a shorter game, 13 for a longer one.",
        source="rulebook 1, magazine 1", clause="V1", low=11, high=14,
    )  # fmt: skip
    enforcers: int = option(
        8, "How many Enforcers each player has.", source="rulebook 2, magazine 1", clause="V2", low=1, high=9
    )
    powers: int = option(
        3, "How many Powers each player has; with four he also places four Bases in the set-up.",
        source="rulebook 2, magazine 1", clause="V3", low=1, high=4,
    )  # fmt: skip
    free_placement: bool = option(
        False, "In the set-up a Base may go on any vacant Center.", source="rulebook 3, magazine 2", clause="V4"
    )
    stop_in_enemy_realm: bool = option(
        False, "A moving piece must stop in the first Realm it enters that the enemy controls.",
        source="rulebook 4, magazine 3", clause="V5",
    )  # fmt: skip
    lone_power_base: bool = option(
        False, "A Power creates a Base only where no other Power at all is in the Realm.",
        source="rulebook 5, magazine 4", clause="V6",
    )  # fmt: skip
    capture_replaces: bool = option(
        False, "Who captures a Base at once puts one of his own in its place.",
        source="rulebook 6, magazine 5", clause="V7",
    )  # fmt: skip
    second_moves_first: bool = option(
        False, "After the set-up, who placed second moves first.", source="magazine 6", clause="V8"
    )
    first_turn_single_power: bool = option(
        False, "The very first turn moves one single Power.", source="magazine, after Schmittberger", clause="V9"
    )
    extra_base_second: bool = option(
        False, "Who moves second has one Base more and places it in the set-up.",
        source="magazine, after Schmittberger", clause="V10",
    )  # fmt: skip
    choose_seat: str = option(
        "none", "Black chooses who places first, who moves first, or both.",
        source=MAGAZINE, clause="V11", choices=("none", "place", "move", "both"),
    )  # fmt: skip
    tie_break: str = option(
        "enforcers", "What decides when both control as many Realms: Enforcers left, or these and captured Bases.",
        source="magazine 8", clause="V12", choices=("enforcers", "enforcers+captures"),
    )  # fmt: skip
    power_sacrifice: bool = option(
        False, "A player may give up a Power to set an immobile Enforcer in its Realm free.",
        source="magazine 9", clause="V13",
    )  # fmt: skip
    rearrange_both: bool = option(
        False, "A Rearrangement moves the opponent's pieces in the Realm too.", source="magazine 7", clause="V14"
    )
    rearrange: str = option(
        "free", "Whether a rearranged piece may return to its space or every piece must change it.",
        source="rulebook and magazine, two readings", clause="V15", choices=("free", "all_move"),
    )  # fmt: skip
    optional_creation: bool = option(
        False, "A Power's creation of a Base or an Enforcer may be declined.", source=HOUSE_RULE, clause="V16"
    )
    rearrange_limit: bool = option(
        True, "Nobody may rearrange one Realm on three of his turns in a row.",
        source="magazine, historical note", clause="V17",
    )  # fmt: skip
    agree_end: bool = option(
        True, "The players may agree to end the game.", source="magazine, historical note", clause="V17"
    )
    no_progress: int = option(
        60, "After so many turns in a row without creation, capture, immobilisation or sacrifice the game is scored.",
        source=HOUSE_RULE, clause="V18", low=10, high=120,
    )  # fmt: skip
    max_turns: int = option(
        300, "After so many turns the game is scored.", source=HOUSE_RULE, clause="V19", low=20, high=1000
    )

    def __post_init__(self) -> None:
        """Refuse what is out of bounds or contradicts itself."""
        check_fields(self)
        if self.choose_seat in {"move", "both"}:
            if self.second_moves_first:
                raise BadOptions(
                    f"second_moves_first and choose_seat={self.choose_seat} both say who moves first; keep one of them."
                )
            if self.extra_base_second:
                raise BadOptions(
                    f"extra_base_second needs to know before the set-up who moves second, "
                    f"but choose_seat={self.choose_seat} settles it afterwards; keep one of them."
                )


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "nestor": {},
    "magazine": {},
    "original": {
        "bases": 13,
        "tie_break": "enforcers+captures",
        "power_sacrifice": True,
        "rearrange_limit": False,
        "agree_end": False,
    },
    "short": {"bases": 11},
    "long": {"bases": 13},
    "many_enforcers": {"enforcers": 9},
    "few_enforcers": {"enforcers": 4},
    "four_powers": {"powers": 4},
    "free_placement": {"free_placement": True},
    "borders_closed": {"stop_in_enemy_realm": True},
    "lone_founder": {"lone_power_base": True},
    "conquest": {"capture_replaces": True},
    "second_moves_first": {"second_moves_first": True},
    "rearrange_both": {"rearrange_both": True},
    "captures_count": {"tie_break": "enforcers+captures"},
    "sacrifice": {"power_sacrifice": True},
}
