"""What a view holds: plain data that only a viewer who may know it receives.

Things are called by their names: clearings "BV4", roadways "BV2-BV5", tiles "BV", goods "Shield-1", map chits "Howl-4",
written phases as their steps "M BV4". Seats are numbers from 0. An empty text stands for nothing, or for unknown.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from realmtable.games.magic_realm.view_parts.combat_schema import CombatData
from realmtable.games.magic_realm.view_parts.map_schema import ActionChitData, MapData


class GoodsData(TypedDict):
    """A weapon, a piece of armour, a horse or a treasure card."""

    name: str  # empty if the viewer does not know it
    back: str  # "large" or "small" for a card, empty for everything else
    active: bool  # in a pile or box: face up
    alerted: NotRequired[bool]  # of a weapon
    damaged: NotRequired[bool]  # of armour


class PileGoodsData(TypedDict):
    """The abandoned goods in a clearing, the top one first."""

    at: str
    goods: list[GoodsData]


class BoxData(TypedDict):
    """A site, or a card that leads to other treasures, with what lies in its box, the top one first."""

    name: str  # "Hoard", "Toadstool Circle"
    is_site: bool
    goods: list[GoodsData]
    opened: bool  # the Vault, once it has been opened


class PlayerData(TypedDict):
    """What the viewer may know of a seat and its character."""

    seat: int
    character: str  # empty before it is chosen
    at: str  # a clearing or a roadway; empty while it is not on the map
    hidden: bool
    found: list[str]  # the hidden characters it sees until midnight: "all", "counters", "cards"
    blocked: bool
    turn_taken: bool
    dead: bool
    anywhere: bool  # whether it can peer at any clearing until midnight
    guide: int | None  # the seat it follows
    came_by: str  # the roadway by which it came today
    climbs: str  # the mountain to which it has made the first of two Moves
    chits: list[ActionChitData]  # its twelve action chits, in the order of the data; none before it is chosen
    fame: int | float  # recorded, without belongings
    notoriety: int | float
    curses: list[str]
    berserk: bool  # until midnight
    gold: int | None
    goods: list[GoodsData]  # known ones in the order it got them, then the backs of the others
    done: list[str]  # the phases that it has done today, and whom it follows from sunrise on: "F Elf"
    orders: list[str] | None  # standing orders that differ from the usual ones: "block never"
    hand: list[str]  # while players build the map: the tiles that it has not laid


class OwnData(TypedDict):
    """What only the viewer knows of their own character."""

    roads: list[str]  # discovered hidden paths and secret passages, "DW1-DW4"
    knows_all_roads: bool  # the Wizard
    sites: list[str]  # discovered sites and site cards
    points: dict[str, int]  # victory points by goal: "treasures", "fame", "notoriety", "gold"
    needed: dict[str, int]  # how much the character must have of each on the last day
    points_left: int  # those that are not assigned yet
    start: str  # the place where it starts, once chosen: "Inn"
    starts: list[str]  # the places among which it chooses
    plan: list[str]  # the phases of the day, those that have been done included
    phase: int  # how many of them have been done
    used: list[str]  # the phases that these have used: "basic", "sunlight", "character", or an item
    basic: int  # basic phases of the day
    sunlight: int  # sunlight phases, if no cave is entered
    extra: list[str]  # the activities of extra phases, "any" for all
    pony: bool  # whether a pony gives extra Moves
    backs_left: int  # how often a choice can still be taken back today
    orders_left: int  # how many orders can still be given today
    score: list[ScoreRowData]  # if the game ended now; empty for the dead
    total: int  # of that score
    dropped: list[str]  # belongings that would be too heavy to count (Q7)


class RollData(TypedDict):
    """The last roll of the day on a table."""

    seat: int
    table: str  # "Hide"
    dice: list[int]
    add: int
    result: int  # from 1 to 6
    words: list[str]  # what the table says, as in `data/tables.toml`: "clues", "paths"


class CurrentActionData(TypedDict):
    """What is being done: everyone may know it."""

    kind: str  # of the frame: "write", "search", "dice"
    seat: int | None  # the seat it concerns; None for chance and for what all do at once
    turn: int | None  # the seat whose turn it is
    phase: int  # the number of the present phase of that turn, 0 outside phases
    at: str  # the clearing or tile it is about
    about: str  # what it is about: a tile, a site, a belonging if the viewer knows it, a kind of gear, a table
    hex: list[int] | None  # the column and row of a tile that is about to be turned
    number: int  # wounds that are left, stars that were rested; for chance, what tells two draws of a kind apart
    monsters: list[str]  # those that have just arrived, or that attack


class QuestionData(TypedDict):
    """What the viewer is asked; only viewers who are to act have it."""

    kind: str  # as in `CurrentActionData`
    activity: str  # the present phase as it was written, "S"; empty outside phases
    phase: int  # its number, 0 outside phases
    phases: int  # how many phases the viewer's day has; 0 if that is not decided
    moves: list[str]  # the viewer's legal steps


class ScoreRowData(TypedDict):
    """How one kind of point adds to a total (Q8)."""

    kind: str
    owned: int | float
    needed: int
    basic: int
    bonus: int


class ScoreData(TypedDict):
    """The final score of a seat."""

    seat: int
    rank: int
    total: int
    reached: bool  # whether the character has reached its goal
    dead: bool
    rows: list[ScoreRowData]  # empty for the dead
    dropped: list[str]  # belongings that are too heavy to count (Q7)


class MagicView(TypedDict):
    """The view of a viewer."""

    viewer: int | None
    seats: int
    options: list[str]  # those that differ from their defaults, "days=7"
    recording: str  # "written" or "as_you_go" (V3)
    day: int  # 0 during the set-up
    last_day: int
    part: str  # "setup", "birdsong", "sunrise", "daylight", "evening", "midnight" or "over"
    rows: list[int]  # the rows of monsters that prowl today
    first: int | None  # the seat that took the first turn today
    counters: list[int]  # the seats whose counters are still to be drawn
    acting: list[int]  # the seats that are to act; none for chance
    map: MapData
    piles: list[PileGoodsData]
    boxes: list[BoxData]
    players: list[PlayerData]  # by seats
    own: OwnData | None  # of the viewer; None for spectators, and before they have a character
    doing: CurrentActionData | None  # None once the game is over
    question: QuestionData | None
    roll: RollData | None
    scores: list[ScoreData] | None  # by seats, once the game is over
    combat_rules: bool  # whether evenings are fought out (V8)
    combat: CombatData | None  # while there is combat in a clearing
