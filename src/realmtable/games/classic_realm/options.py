"""The rule options of Classic Realm and their named presets. Clauses refer to RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.options import OptionValue, check_fields, option
from realmtable.kit.realm_board.game_info import turn_limit_option


@dataclass(frozen=True)
class ClassicOptions:
    """The rules of one game of Classic Realm; every combination is playable."""

    free_setup: bool = option(
        False, "The players take turns placing their frogs on any empty pad.", source="rulebook 1", clause="V1"
    )
    double_moves: bool = option(
        False, "The right to make two moves in one turn alternates between the players.",
        source="rulebook 2", clause="V2",
    )  # fmt: skip
    max_plies: int = turn_limit_option(300, most=500, clause="V3")

    def __post_init__(self) -> None:
        """Refuse values out of bounds."""
        check_fields(self)


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "standard": {},
    "free_setup": {"free_setup": True},
    "double_moves": {"double_moves": True},
    "tournament": {"free_setup": True, "double_moves": True},
}
