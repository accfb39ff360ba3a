"""The rule options of Oriental Realm and their named presets. Clauses refer to RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue, check_fields, option
from realmtable.kit.realm_board.game_info import turn_limit_option

HOUSE_RULE: Final = "this table"


@dataclass(frozen=True)
class OrientalOptions:
    """The rules of one game of Oriental Realm; every combination that is not refused is playable."""

    free_setup: bool = option(
        False, "The board starts empty and the players take turns placing their pieces, one in every Realm.",
        source="rulebook, variation", clause="V1",
    )  # fmt: skip
    emperor: str = option(
        "e2", "Where White's Emperor starts, unless each player chooses; Black's starts opposite.",
        source=HOUSE_RULE, clause="V2", title="Emperor",
        choices=("e2", "b2", "h2", "k2", "b5", "e5", "h5", "k5", "choose"),
        choice_titles={"choose": "each player chooses"},
    )  # fmt: skip
    warning: bool = option(
        False, "At the start of a turn, warns the player of groups that the opponent could surround next turn; "
        "it may miss very long combinations in crowded Realms.",
        source="rulebook, warning option", clause="V3", title="warning of groups in danger",
    )  # fmt: skip
    max_turns: int = turn_limit_option(400, most=600, clause="V4")

    def __post_init__(self) -> None:
        """Refuse values out of bounds and contradictory combinations."""
        check_fields(self)
        if self.free_setup and self.emperor == "choose":
            raise BadOptions(
                "With free_setup the players place their Emperors anyway, so emperor=choose has no effect; "
                "keep one of them."
            )


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "standard": {},
    "free_setup": {"free_setup": True},
    "open_choice": {"emperor": "choose"},
    "friendly": {"warning": True},
}
