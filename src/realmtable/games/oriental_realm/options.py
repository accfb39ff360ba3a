"""The rule options of Oriental Realm and their named presets. The clauses are those of RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue, check_fields, option

HOUSE_RULE: Final = "this table"


@dataclass(frozen=True)
class OrientalOptions:
    """How one game of Oriental Realm is played; every combination that is not refused can be played."""

    free_setup: bool = option(
        False, "The board begins empty and the players place their pieces in turn, one in every Realm.",
        source="rulebook, variation", clause="V1",
    )  # fmt: skip
    emperor: str = option(
        "e2", "The Center White's Emperor begins on, Black's opposite; or the players choose.",
        source=HOUSE_RULE, clause="V2", choices=("e2", "b2", "h2", "k2", "b5", "e5", "h5", "k5", "choose"),
    )  # fmt: skip
    warning: bool = option(
        False, "Warns a player whose turn begins of groups that can be surrounded in his opponent's next turn; "
        "very long tricks inside crowded Realms may escape it.",
        source="rulebook, warning option", clause="V3",
    )  # fmt: skip
    max_turns: int = option(
        400, "After so many turns the game is drawn.", source=HOUSE_RULE, clause="V4", low=20, high=600
    )

    def __post_init__(self) -> None:
        """Refuse what is out of bounds or contradicts itself."""
        check_fields(self)
        if self.free_setup and self.emperor == "choose":
            raise BadOptions(
                "free_setup lets the players place their Emperors anyway, so emperor=choose has nothing to choose; "
                "keep one of them."
            )


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "standard": {},
    "free_setup": {"free_setup": True},
    "open_choice": {"emperor": "choose"},
    "friendly": {"warning": True},
}
