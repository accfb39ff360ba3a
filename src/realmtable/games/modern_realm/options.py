"""The rule options of Modern Realm and their named presets. Clauses refer to RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.options import OptionValue, check_fields, option
from realmtable.kit.realm_board.game_info import turn_limit_option

HOUSE_RULE: Final = "this table"
BY_CHOICE: Final = "choose"


@dataclass(frozen=True)
class ModernOptions:
    """The rules of one game of Modern Realm; every combination is playable."""

    counter_agent: str = option(
        "e2", "Where White's Counter-Agent starts, unless each player chooses; Black's starts opposite.",
        source="this table, as the rulebook's picture is lost", clause="V1", title="Counter-Agent",
        choice_titles={"choose": "each player chooses"},
        choices=("e2", "b2", "h2", "k2", "b5", "e5", "h5", "k5", BY_CHOICE),
    )  # fmt: skip
    hq_counts: bool = option(
        True, "Headquarters count as pieces for mobility and capture.",
        source="this table, as the rulebook calls them pieces", clause="V2", title="Headquarters count",
    )  # fmt: skip
    max_turns: int = turn_limit_option(300, most=1000, clause="V3")
    origin_closed: bool = option(
        False, "A piece may not pass back through the Realm it started in.", source=HOUSE_RULE, clause="V4",
        title="the starting Realm is closed",
    )  # fmt: skip
    capture_on_entry: bool = option(
        False, "A piece that enters a target with a vacant Center captures it at once and stops.",
        source="the literal reading of the rulebook", clause="V5",
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse values out of bounds."""
        check_fields(self)


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "standard": {},
    "open_choice": {"counter_agent": BY_CHOICE},
    "light_headquarters": {"hq_counts": False},
    "closed_origin": {"origin_closed": True},
    "capture_on_entry": {"capture_on_entry": True},
}
