"""The rule options of Medieval Realm and their named presets. The clauses are those of RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.options import OptionValue, check_fields, option

DUKE_SQUARES: Final = ("back_middle", "back_corners", "front_middle", "front_corners")


@dataclass(frozen=True)
class MedievalOptions:
    """How one game of Medieval Realm is played; every combination within the bounds can be played."""

    duke_squares: str = option(
        "back_middle", "Where the Dukes begin: in the row at the player's edge or before it, in the middle or outside.",
        source="this table", clause="V1", choices=DUKE_SQUARES,
    )  # fmt: skip
    duke_draw: bool = option(
        True, "The game is drawn when the latest three turns of each player were all moves of Dukes.",
        source="rulebook", clause="V2",
    )  # fmt: skip
    max_plies: int = option(
        300, "After so many turns the game is drawn.", source="this table", clause="V3", low=20, high=500
    )

    def __post_init__(self) -> None:
        """Refuse what is out of bounds."""
        check_fields(self)


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "standard": {},
    "back_corners": {"duke_squares": "back_corners"},
    "front_middle": {"duke_squares": "front_middle"},
    "front_corners": {"duke_squares": "front_corners"},
}
