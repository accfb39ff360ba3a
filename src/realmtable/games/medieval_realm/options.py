"""The rule options of Medieval Realm and their named presets. Clauses refer to RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.options import OptionValue, check_fields, option
from realmtable.kit.realm_board.game_info import turn_limit_option

DUKE_SQUARES: Final = ("back_middle", "back_corners", "front_middle", "front_corners")


@dataclass(frozen=True)
class MedievalOptions:
    """The rules of one game of Medieval Realm; every combination is playable."""

    duke_squares: str = option(
        "back_middle", "Where the Dukes start: in the back or front row, in the middle or in the corners.",
        source="this table", clause="V1", title="the Dukes start", choices=DUKE_SQUARES,
        choice_titles={
            "back_middle": "in the middle of the back row",
            "back_corners": "in the corners of the back row",
            "front_middle": "in the middle of the front row",
            "front_corners": "in the corners of the front row",
        },
    )  # fmt: skip
    duke_draw: bool = option(
        True, "The game is drawn when each player's last three turns were all moves of Dukes.",
        source="rulebook", clause="V2", title="draw by moves of Dukes",
    )  # fmt: skip
    max_plies: int = turn_limit_option(300, most=500, clause="V3")

    def __post_init__(self) -> None:
        """Refuse values out of bounds."""
        check_fields(self)


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "standard": {},
    "back_corners": {"duke_squares": "back_corners"},
    "front_middle": {"duke_squares": "front_middle"},
    "front_corners": {"duke_squares": "front_corners"},
}
