"""The rule options of Realms of Etherium and their named presets. Clauses refer to RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue, check_fields, option
from realmtable.games.realms_of_etherium.tiles.manifest import Manifest
from realmtable.games.realms_of_etherium.tiles.manifest_changes import (
    STANDARD,
    changes_from_file,
    describe_changes,
    read_changes,
    write_changes,
)

RULEBOOK: Final = "rulebook"
TWO_READINGS: Final = "rulebook, two readings"
HOUSE_RULE: Final = "this table"


@dataclass(frozen=True)
class EtheriumOptions:
    """The rules of one game of Realms of Etherium."""

    one_gain_power: bool = option(
        False, "Only one Realm reacts when a player gains Etherium; the player chooses which.",
        source=TWO_READINGS, clause="V1", title="one reaction to a gain",
    )  # fmt: skip
    once_per_tile: str = option(
        "power", "Whether a tile helps a player as often as its power says, or once per activation.",
        source=TWO_READINGS, clause="V2", title="a tile helps", choices=("power", "activation"),
        choice_titles={"power": "as often as it says", "activation": "once per activation"},
    )  # fmt: skip
    displace_by: str = option(
        "active", "Who chooses where a pushed Mage goes: the active player or the owner of the Mage.",
        source=TWO_READINGS, clause="V3", title="pushed Mages are placed", choices=("active", "owner"),
        choice_titles={"active": "by the active player", "owner": "by their owner"},
    )  # fmt: skip
    displace_self: bool = option(
        False,
        "Displace may also push the active Mage.",
        source=TWO_READINGS,
        clause="V4",
        title="Displace pushes its own Mage",
    )
    transfer_control: bool = option(
        True,
        "A Mage that received a Transfer may take Control.",
        source=TWO_READINGS,
        clause="V5",
        title="Control after a Transfer",
    )
    lone_connected: bool = option(
        True,
        "A single Realm that touches a Victory Realm counts as connected.",
        source=TWO_READINGS,
        clause="V6",
        title="a single Realm counts as connected",
    )
    portals_touch_as_one: bool = option(
        False,
        "All Portals that a Realm touches count as one Realm.",
        source=TWO_READINGS,
        clause="V7",
        title="Portals count as one Realm",
    )
    alteration: str = option(
        "red", "The colour of the Alteration Realms that one Victory Realm counts.",
        source="deduced from the rulebook", clause="V8", title="colour of Alteration Realms", choices=("red", "orange"),
    )  # fmt: skip
    controlled: str = option(
        "owner", "Whose Controlled Realms score: those of the Victory Realm's owner, or anyone's.",
        source=TWO_READINGS, clause="V9", title="Controlled Realms that score", choices=("owner", "any"),
        choice_titles={"owner": "the owner's", "any": "anyone's"},
    )  # fmt: skip
    keep_connected: bool = option(
        True,
        "Dispel, Shift and Swap may not split the world into more parts.",
        source=HOUSE_RULE,
        clause="V10",
        title="the world stays connected",
    )
    player_powers: bool = option(
        False, "Each player has a colour and its power.", source="rulebook, optional", clause="V11"
    )
    paralyze_guard: bool = option(
        False,
        "With player powers, Paralyze cannot be used in Round 1.",
        source=HOUSE_RULE,
        clause="V12",
        title="no Paralyze in Round 1",
    )
    points: int = option(
        0, "The points that trigger the end; 0 for 12 to 4, depending on the number of players.",
        source=RULEBOOK, clause="V13", title="points to end the game", low=0, high=30,
    )  # fmt: skip
    max_rounds: int = option(
        60,
        "The Round after which the game ends in any case; 0 for none.",
        source=HOUSE_RULE,
        clause="V14",
        title="round limit",
        low=0,
        high=200,
    )
    manifest: str = option(
        STANDARD, "The tiles: standard, or changes such as generate.copies:3;accord.control:1/3.",
        source=HOUSE_RULE, clause="V15", title="tiles", from_file=changes_from_file, describe=describe_changes,
    )  # fmt: skip
    reactions: str = option(
        "all", "Which Realms react to a gain of a colour: all, or only the first kind, such as Generate.",
        source=TWO_READINGS, clause="V16", title="Realms that react to a gain", choices=("all", "first"),
        choice_titles={"first": "the first kind"},
    )  # fmt: skip
    shift_keeps_touching: bool = option(
        True, "The Realms that a Shift leaves behind must touch two others.",
        source=HOUSE_RULE, clause="V17", title="Shift leaves Realms touching two",
    )  # fmt: skip
    green_conversions: str = option(
        "first", "Which conversions into Black cost the Green player 1 White: the first of each use, or each one.",
        source=TWO_READINGS, clause="V18", title="conversions that Green makes cheaper", choices=("first", "each"),
        choice_titles={"first": "the first one"},
    )  # fmt: skip
    transfer_to: str = option(
        "own", "Who can receive a Transfer: your own Exhausted Mages, or anyone's.",
        source=TWO_READINGS, clause="V19", title="a Transfer goes to", choices=("own", "anyone"),
        choice_titles={"own": "your own Mages", "anyone": "anyone's Mages"},
    )  # fmt: skip
    reshuffle: str = option(
        "ten_times", "How often three Disruptions send the Reserve back: at most ten times, or until there are fewer.",
        source=HOUSE_RULE, clause="V20", title="three Disruptions return", choices=("ten_times", "until_fewer"),
        choice_titles={"ten_times": "up to ten times", "until_fewer": "until there are fewer"},
    )  # fmt: skip
    choose_colours: bool = option(
        False, "With player powers, players choose their colours, in the order of the seats.",
        source=TWO_READINGS, clause="V21", title="players choose their colours",
    )  # fmt: skip
    free_conversions: bool = option(
        False, "With enough Lessen tiles, a conversion into Black costs nothing.",
        source=TWO_READINGS, clause="V22", title="conversions can be free",
    )  # fmt: skip
    moved_by: str = option(
        "anyone", "Which Realms cannot be moved: those that anyone, or only its player, moved in the turn before.",
        source=TWO_READINGS, clause="V23", title="cannot be moved again right after", choices=("anyone", "player"),
        choice_titles={"anyone": "what anyone moved", "player": "what the player of the turn moved"},
    )  # fmt: skip
    disruption_ends_displace: bool = option(
        False, "If the active Mage is pushed into Disruption, the rest of the Displace is dropped.",
        source=TWO_READINGS, clause="V24", title="Disruption ends a Displace",
    )  # fmt: skip
    tribute_from_own: bool = option(
        False, "Tribute also takes from the user's own Mages, which counts as a gain.",
        source=TWO_READINGS, clause="V25", title="Tribute from your own Mages",
    )  # fmt: skip
    held_by: str = option(
        "player", "Whom a held Realm serves: the active player, or the active Mage alone.",
        source=TWO_READINGS, clause="V26", title="held Realms serve", choices=("player", "mage"),
        choice_titles={"player": "the active player", "mage": "the active Mage alone"},
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse values out of bounds and contradictory combinations; write the manifest's changes in one way."""
        check_fields(self)
        if self.paralyze_guard and not self.player_powers:
            raise BadOptions("paralyze_guard belongs to player_powers; set both or neither.")
        if self.one_gain_power and self.reactions == "first":
            raise BadOptions("With one_gain_power the player chooses the Realm that reacts; leave reactions at all.")
        # Equal games have equal options, whatever the order of the changes.
        object.__setattr__(self, "manifest", write_changes(read_changes(self.manifest)))

    def tiles(self) -> Manifest:
        """Return the manifest that the game is played with."""
        return read_changes(self.manifest)

    def points_to_win(self, seats: int) -> int:
        """Return the points that trigger the end in a game of 2 to 6 players (E1)."""
        return self.points or self.tiles().points[seats - 2]


PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "standard": {},
    "literal": {
        "displace_self": True,
        "transfer_control": False,
        "lone_connected": False,
        "portals_touch_as_one": True,
        "controlled": "any",
        "keep_connected": False,
        "max_rounds": 0,
        "reactions": "first",
        "shift_keeps_touching": False,
        "green_conversions": "each",
        "transfer_to": "anyone",
        "reshuffle": "until_fewer",
        "choose_colours": True,
        "free_conversions": True,
        "moved_by": "player",
        "disruption_ends_displace": True,
        "tribute_from_own": True,
        "held_by": "mage",
    },
    "owners_choose": {"displace_by": "owner"},
    "once_per_activation": {"once_per_tile": "activation"},
    "player_powers": {"player_powers": True, "paralyze_guard": True, "choose_colours": True},
    "printed_powers": {"player_powers": True, "green_conversions": "each", "choose_colours": True},
}
