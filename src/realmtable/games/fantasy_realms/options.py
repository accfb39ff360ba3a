"""The rule options of Fantasy Realms and their named presets. Clauses refer to RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.options import OptionValue, check_fields, option

HOUSE_RULE: Final = "this table"


@dataclass(frozen=True)
class FantasyOptions:
    """How a game of Fantasy Realms is played and scored; every combination is valid."""

    variant: str = option(
        "standard", "The game for two to six players, the two-player game, or Chaos Realms for three to seven.",
        source="rulebook", clause="P1", choices=("standard", "two_player", "chaos"),
        choice_titles={"two_player": "two-player game", "chaos": "Chaos Realms"},
    )  # fmt: skip
    free_first_discards: bool = option(
        False, "In the two-player set-up, any card in the hand may be discarded.", source=HOUSE_RULE, clause="W1"
    )
    max_turns: int = option(
        300, "Turns after which the game ends.", source=HOUSE_RULE, clause="P5", title="turn limit", low=20, high=1000
    )
    trading_s: int = option(
        300,
        "Seconds of trading at a live table.",
        source="rulebook, variant 2",
        clause="X6",
        title="seconds of trading",
        low=10,
        high=3600,
    )
    max_steps: int = option(
        2000,
        "Trading steps after which trading ends.",
        source=HOUSE_RULE,
        clause="X6",
        title="limit of trading steps",
        low=10,
        high=5000,
    )
    self_counts: bool = option(
        True, "A card counts itself where it fits.", source=HOUSE_RULE, clause="S7", title="cards count themselves"
    )
    ring: str = option(
        "inert", "Whether cards that blank each other in a ring blank no other cards, or others too.",
        source=HOUSE_RULE, clause="S6", title="cards that blank each other in a ring", choices=("inert", "together"),
        choice_titles={"inert": "blank no others", "together": "blank others too"},
    )  # fmt: skip
    multi_runs: bool = option(
        True, "Gem of Order counts every run.", source="the designer's answer", clause="S7", title="several runs"
    )
    multi_sets: bool = option(
        True, "Collector counts several suits.", source=HOUSE_RULE, clause="S7", title="several suits"
    )
    dirigible_army_word: bool = option(
        True,
        "Striking the word Army lifts War Dirigible's need for one.",
        source=HOUSE_RULE,
        clause="S5",
        title="War Dirigible without the word Army",
    )
    book_to_wild: bool = option(
        False,
        "The Book of Changes may make a card Wild.",
        source=HOUSE_RULE,
        clause="S4",
        title="Book of Changes makes Wild",
    )
    wild_is_suit: bool = option(
        True, "Unused Wild cards share the suit Wild.", source=HOUSE_RULE, clause="S3", title="Wild is a suit"
    )
    wildfire_blanks_wild: bool = option(
        True, "Wildfire blanks Wild cards.", source=HOUSE_RULE, clause="S6", title="Wildfire blanks Wild cards"
    )
    forest_once_per_card: bool = option(
        True,
        "Forest counts Elven Archers once if they are also a Beast.",
        source=HOUSE_RULE,
        clause="S7",
        title="Forest counts a card once",
    )
    tie_break: str = option(
        "counted", "Whether ties are broken by counted strengths, without blanked cards, or by printed ones.",
        source="rulebook", clause="P6", title="tie-break", choices=("counted", "printed"),
        choice_titles={"counted": "counted strengths", "printed": "printed strengths"},
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse values that are out of bounds."""
        check_fields(self)


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "standard": {},
    "two_player": {"variant": "two_player"},
    "chaos": {"variant": "chaos"},
}
