"""The rule options of Realm and their named presets. Clauses refer to RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue, check_fields, option
from realmtable.kit.realm_board.game_info import turn_limit_option

MAGAZINE: Final = "magazine"
HOUSE_RULE: Final = "this table"


@dataclass(frozen=True)
class RealmOptions:
    """The rules of one game of Realm; every combination that is not refused is playable."""

    bases: int = option(
        12, "The number of Bases per player; 11 for a shorter game, 13 for a longer one.",
        source="rulebook 1, magazine 1", clause="V1", title="Bases", low=11, high=14,
    )  # fmt: skip
    enforcers: int = option(
        8,
        "The number of Enforcers per player.",
        source="rulebook 2, magazine 1",
        clause="V2",
        title="Enforcers",
        low=1,
        high=9,
    )
    powers: int = option(
        3, "The number of Powers per player; with four, each also places four Bases in the set-up.",
        source="rulebook 2, magazine 1", clause="V3", title="Powers", low=1, high=4,
    )  # fmt: skip
    free_placement: bool = option(
        False, "In the set-up, Bases may go on any vacant Center.", source="rulebook 3, magazine 2", clause="V4"
    )
    stop_in_enemy_realm: bool = option(
        False, "A moving piece must stop in the first enemy-controlled Realm it enters.",
        source="rulebook 4, magazine 3", clause="V5", title="stop in enemy Realms",
    )  # fmt: skip
    lone_power_base: bool = option(
        False, "A Power creates a Base only if no other Power is in the Realm.",
        source="rulebook 5, magazine 4", clause="V6", title="only a lone Power creates a Base",
    )  # fmt: skip
    capture_replaces: bool = option(
        False, "A captured Base is immediately replaced by one of the captor's.",
        source="rulebook 6, magazine 5", clause="V7", title="captured Bases are replaced",
    )  # fmt: skip
    second_moves_first: bool = option(
        False, "The player who places second moves first.", source="magazine 6", clause="V8"
    )
    first_turn_single_power: bool = option(
        False,
        "The first turn moves only a single Power.",
        source="magazine, after Schmittberger",
        clause="V9",
        title="a single Power in the first turn",
    )
    extra_base_second: bool = option(
        False, "The player who moves second has one extra Base and places it in the set-up.",
        source="magazine, after Schmittberger", clause="V10", title="an extra Base for the second player",
    )  # fmt: skip
    choose_seat: str = option(
        "none", "Black chooses who places first, who moves first, or both.",
        source=MAGAZINE, clause="V11", title="Black chooses", choices=("none", "place", "move", "both"),
        choice_titles={"none": "nothing", "place": "who places first", "move": "who moves first"},
    )  # fmt: skip
    tie_break: str = option(
        "enforcers", "The tie-break for equal Realms: Enforcers left, or Enforcers left plus captured Bases.",
        source="magazine 8", clause="V12", title="tie-break", choices=("enforcers", "enforcers+captures"),
        choice_titles={"enforcers": "Enforcers left", "enforcers+captures": "Enforcers left and captures"},
    )  # fmt: skip
    power_sacrifice: bool = option(
        False, "A player may give up a Power to free an immobile Enforcer in its Realm.",
        source="magazine 9", clause="V13", title="sacrifice of Powers",
    )  # fmt: skip
    rearrange_both: bool = option(
        False,
        "A Rearrangement also moves the opponent's pieces in the Realm.",
        source="magazine 7",
        clause="V14",
        title="Rearrangements move both sides",
    )
    rearrange: str = option(
        "free", "Whether rearranged pieces may return to their spaces or must all move.",
        source="rulebook and magazine, two readings", clause="V15", title="rearranged pieces",
        choices=("free", "all_move"),
        choice_titles={"free": "may return", "all_move": "must all move"},
    )  # fmt: skip
    optional_creation: bool = option(
        False, "A player may decline to create a Base or an Enforcer.", source=HOUSE_RULE, clause="V16"
    )
    rearrange_limit: bool = option(
        True, "No player may rearrange the same Realm on three of their turns in a row.",
        source="magazine, historical note", clause="V17", title="limit of Rearrangements",
    )  # fmt: skip
    agree_end: bool = option(
        True,
        "The players may agree to end the game.",
        source="magazine, historical note",
        clause="V17",
        title="end by agreement",
    )
    no_progress: int = option(
        60, "The game is scored after this many turns without a creation, capture, immobilisation or sacrifice.",
        source=HOUSE_RULE, clause="V18", title="turns without progress", low=10, high=120,
    )  # fmt: skip
    max_turns: int = turn_limit_option(300, most=1000, clause="V19", end="scored")

    def __post_init__(self) -> None:
        """Refuse values out of bounds and contradictory combinations."""
        check_fields(self)
        if self.choose_seat in {"move", "both"}:
            if self.second_moves_first:
                raise BadOptions(
                    f"second_moves_first and choose_seat={self.choose_seat} both set who moves first; keep one of them."
                )
            if self.extra_base_second:
                raise BadOptions(
                    f"extra_base_second must know before the set-up who moves second, "
                    f"but choose_seat={self.choose_seat} decides it afterwards; keep one of them."
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
