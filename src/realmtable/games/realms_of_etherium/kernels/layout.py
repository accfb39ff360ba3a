"""The memory layout of a position, one array with a name for every entry, and the numbers of steps.

Tiles have numbers: the copies of the first kind of the manifest, of the second, and so on. A tile keeps its number
while it is in play (F1), so Mages and lists refer to tiles by number, and Shift and Swap move no Mages.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.tiles.manifest import (
    ALTERATION,
    COLOURS,
    ETHERIUM,
    MAX_TILES,
    NO_COLOUR,
    VERBS,
    Tile,
    standard_manifest,
)

TileNumber = int
Kind = int  # the index of a kind of tiles in the manifest
Hex = int  # the index of a hex
Place = int  # a tile number, or PORTALS
MageNumber = int  # seat * 5 + its number - 1

# The world: a hexagon of radius 20 (W2) in a square with a border that never holds a tile.
RADIUS: Final = 20
WIDTH: Final = 2 * RADIUS + 3
HEX_COUNT: Final = WIDTH * WIDTH
FIRST_HEX: Final = (RADIUS + 1) * (WIDTH + 1)  # 0,0
SIDES: Final = np.array([1, 1 - WIDTH, -WIDTH, -1, WIDTH - 1, WIDTH], dtype=np.int64)  # [6] in circular order (W1)
SIDE_COUNT: Final = 6


def hex_at(q: int, r: int) -> Hex:
    """Return the index of a hex."""
    return FIRST_HEX + r * WIDTH + q


def coordinates(hex_: Hex) -> tuple[int, int]:
    """Return the coordinates of a hex."""
    return hex_ % WIDTH - RADIUS - 1, hex_ // WIDTH - RADIUS - 1


def is_inside(q: int, r: int) -> bool:
    """Whether a hex can hold a Realm (W2)."""
    return max(abs(q), abs(r), abs(q + r)) <= RADIUS


INSIDE: Final = np.array([is_inside(*coordinates(hex_)) for hex_ in range(HEX_COUNT)], dtype=np.int64)  # [hex]

# What never changes between manifests that are played: the kinds and their verbs.
KIND_NAMES: Final = tuple(tile.name for tile in standard_manifest().tiles)
KIND_COUNT: Final = len(KIND_NAMES)
VERB_NAMES: Final = tuple(VERBS)
(
    PORTAL, DISRUPT, GAIN, CONJURE, CONVERT, PUSH, PROTECT, EXTRA_MOVE, TRANSFER, EXHAUST, SHIFT, SWAP, TRIBUTE, REACT,
    LESSEN, STREAMLINE, SCORE_ADJACENT, SCORE_PAIRS, SCORE_CONNECTED, SCORE_CONTROLLED, SCORE_TYPES,
) = range(len(VERB_NAMES))  # fmt: skip
VERB_OF: Final = np.array(
    [VERB_NAMES.index(tile.power.verb) for tile in standard_manifest().tiles], dtype=np.int64
)  # [kind]
IS_VICTORY: Final = np.array([tile.tile_class == "victory" for tile in standard_manifest().tiles], dtype=np.int64)
PORTAL_KIND: Final = int(np.flatnonzero(VERB_OF == PORTAL)[0])
DISRUPTION_KIND: Final = int(np.flatnonzero(VERB_OF == DISRUPT)[0])
KINDS_PER_VERB: Final = np.bincount(VERB_OF, minlength=len(VERB_NAMES))  # [verb]
KINDS_OF_VERB: Final = np.zeros((len(VERB_NAMES), int(KINDS_PER_VERB.max())), dtype=np.int64)  # [verb, index] kind
for _kind, _verb in enumerate(VERB_OF.tolist()):
    KINDS_OF_VERB[_verb, np.count_nonzero(VERB_OF[:_kind] == _verb)] = _kind

COLOUR_NAMES: Final = (NO_COLOUR, *COLOURS)
NO_COLOUR_NUMBER, RED, BLUE, GREEN, PURPLE, ORANGE, YELLOW = range(len(COLOUR_NAMES))
PORTAL_TYPE: Final = YELLOW + 1  # W6
DISRUPTION_TYPE: Final = YELLOW + 2

# The facts of a kind are packed into one entry: each is the shift of its four bits.
FACT_MASK: Final = 15
COLOUR: Final = 0
USE_WHITE: Final = 4
USE_BLACK: Final = 8
CONTROL_WHITE: Final = 12  # NO_PRICE if it cannot be Controlled
CONTROL_BLACK: Final = 16
GIVES_WHITE: Final = 20
GIVES_BLACK: Final = 24
PER: Final = 28  # a colour
REACTS_TO: Final = 32  # TO_WHITE or TO_BLACK
OF: Final = 36  # a colour, the first one of a pair
SECOND_COLOUR: Final = 40
VALUE: Final = 44  # points
BY_OPPONENTS: Final = 48  # 0 or 1
CONNECTED: Final = 52  # 0 or 1
NO_PRICE: Final = 15
TO_WHITE: Final = 0
TO_BLACK: Final = 1

MAX_SEATS: Final = 6
MAX_MAGES: Final = 5  # per seat
MAGE_COUNT: Final = MAX_SEATS * MAX_MAGES
PORTALS: Final = MAX_TILES  # the place of all Portals
MAX_NEIGHBOURS: Final = 2 * PORTALS  # more than the places adjacent to one, even to the Portals
NONE: Final = -1
CHANCE: Final = -1  # as the acting seat

# Entries of a position.
HEXES: Final = 0  # [232] tile number + 1 on each hex, eight hexes per entry
HEX_BITS: Final = 127
TILE_HEX: Final = HEXES + (HEX_COUNT + 7) // 8  # [96] the hex of a tile, 0 if it is not in play
TILE_OWNER: Final = TILE_HEX + MAX_TILES  # [96] the seat that Controls it + 1, or 0
TILE_MARKS: Final = TILE_OWNER + MAX_TILES  # [96] MOVED_NOW, MOVED_BEFORE, HELD, and USED << seat
TILE_KIND: Final = TILE_MARKS + MAX_TILES  # [96] never changes
KINDS: Final = TILE_KIND + MAX_TILES  # [kinds] the facts; they never change
FIRST_TILE: Final = KINDS + KIND_COUNT  # [kinds + 1] the number of a kind's first tile; never changes
RESERVE: Final = FIRST_TILE + KIND_COUNT + 1  # [kinds] copies in the Reserve
SUPPLY: Final = RESERVE + KIND_COUNT  # [kinds] copies in the Supply
MAGE_PLACE: Final = SUPPLY + KIND_COUNT  # [30] NONE if not in play
EXHAUSTED: Final = MAGE_PLACE + MAGE_COUNT  # [30] 0 or 1
WHITE: Final = EXHAUSTED + MAGE_COUNT  # [6]
BLACK: Final = WHITE + MAX_SEATS  # [6]
POINTS: Final = BLACK + MAX_SEATS  # [6] derived from tiles and Control
CONTROLLED: Final = POINTS + MAX_SEATS  # [6] number of Controlled Realms; derived
PLAYER_COLOUR: Final = CONTROLLED + MAX_SEATS  # [6] 0 if none
LEFT: Final = PLAYER_COLOUR + MAX_SEATS  # [50] tiles to check for Dispel (D1)
MOST_LEFT: Final = 25  # that a position can have: an activation adds at most 13 moves and 12 Displaces
LEFT_CAPACITY: Final = 2 * MOST_LEFT
REGISTERS: Final = LEFT + LEFT_CAPACITY
(
    LEFT_COUNT, SEATS, PHASE, SEAT, ACTIVE_SEAT, ACTIVE_MAGE, MOVED, RECEIVED, ROUND, TURN, STEPS, TRIGGERED, REASON,
    DECLARED_HEX, SOURCE, AGAIN, ENTERING, PICKED, ASKED, SPARED, GAINED_WHITE, GAINED_BLACK, LESSEN_LEFT,
    DISPLACE_PLACE, DISPLACE_OWNER, TRIED, TARGET, ENDING,
) = range(REGISTERS, REGISTERS + 28)  # fmt: skip
# LEFT_COUNT    how many entries of LEFT are in use
# SEATS         number of players
# PHASE, SEAT   the open decision and the acting seat
# ACTIVE_SEAT   the owner of the turn; ACTIVE_MAGE: the active Mage, which V19 lets be an opponent's
# MOVED         moves made in this activation; RECEIVED: 1 after a Transfer
# TURN          its number; 0 in the set-up
# STEPS         steps played, without forced ones
# DECLARED_HEX  of a summoning; SOURCE: the Supply that is drawn from; AGAIN: how often M8 has happened in a row
# ENTERING      the Mage whose entry is being resolved; PICKED: the tile of `shift` or `swap`
# ASKED         the Mage whose Protection, Tribute or target is being decided; SPARED: bits of Mages (T11)
# LESSEN_LEFT   the Black that Lessen can still pay for in a Tribute
# TRIED         bits of the Mages that bought Protection from a Displace; TARGET: where a Mage is being pushed
# ENDING        1 if the activation ends after the Displace (T2)
RULES: Final = REGISTERS + 28  # the options and the numbers of the manifest
(
    R_ONE_GAIN_POWER, R_ONCE_PER_ACTIVATION, R_OWNER_CHOOSES, R_DISPLACE_SELF, R_TRANSFER_CONTROL, R_LONE_CONNECTED,
    R_PORTALS_AS_ONE, R_ANY_CONTROL, R_KEEP_CONNECTED, R_PLAYER_POWERS, R_PARALYZE_GUARD, R_POINTS, R_MAX_ROUNDS,
    R_ETHERIUM_CAP, R_MARKERS, R_MOST_MAGES, R_FIRST_REACTS, R_SHIFT_KEEPS_TOUCHING, R_GREEN_EACH, R_TRANSFER_TO_ANYONE,
    R_NO_THREE_DISRUPTIONS, R_CHOOSE_COLOURS, R_FREE_CONVERSIONS, R_MOVED_BY_PLAYER, R_DISRUPTION_ENDS_DISPLACE,
    R_TRIBUTE_FROM_OWN, R_HELD_BY_MAGE,
) = range(RULES, RULES + 27)  # fmt: skip
POSITION_SIZE: Final = RULES + 27

# Marks of tiles.
MOVED_NOW: Final = 1  # Shifted or Swapped in this turn (T14)
MOVED_BEFORE: Final = 2  # in the turn before
HELD: Final = 4  # P4
USED: Final = 8  # << seat: P5 has counted a use for this activation

REALM_SUPPLY: Final = 0
VICTORY_SUPPLY: Final = 1
RESERVE_SIZE: Final = 3
MOST_AGAIN: Final = 10  # M8
STEP_LIMIT: Final = 12_000  # E5

PHASES: Final = (
    "colours", "refill", "first", "mage", "act", "source", "draw", "enter", "put", "with", "tribute", "protect", "push",
    "target", "react", "over",
)  # fmt: skip
(
    IN_COLOURS, IN_REFILL, IN_FIRST, IN_MAGE, IN_ACT, IN_SOURCE, IN_DRAW, IN_ENTER, IN_PUT, IN_WITH, IN_TRIBUTE,
    IN_PROTECT, IN_PUSH, IN_TARGET, IN_REACT, OVER,
) = range(len(PHASES))  # fmt: skip

REASONS: Final = ("", "points", "max_rounds", "max_steps")
BY_POINTS, BY_MAX_ROUNDS, BY_MAX_STEPS = range(1, len(REASONS))

# Steps are numbers; each kind has its own range, and legal steps are listed in ascending order. A target is a hex, or
# TO_PORTALS for all Portals.
TO_PORTALS: Final = HEX_COUNT
TARGETS: Final = HEX_COUNT + 1
MAX_MADE: Final = 64  # Etherium that one use of Transmute makes, rounded up
MAX_CONVERSIONS: Final = 2 * MAX_MADE  # of each colour
MAGE0: Final = 0  # + number of the Mage
TO0: Final = MAGE0 + MAX_MAGES  # + target
SUMMON0: Final = TO0 + TARGETS  # + hex
DRAW0: Final = SUMMON0 + HEX_COUNT  # + Supply
TAKE0: Final = DRAW0 + 2  # + kind
CONTROL: Final = TAKE0 + KIND_COUNT
CONTROL_SAVE_WHITE: Final = CONTROL + 1
CONTROL_SAVE_BLACK: Final = CONTROL + 2
DISPLACE: Final = CONTROL + 3
TRANSFER0: Final = DISPLACE + 1  # + number of the Mage
END: Final = TRANSFER0 + MAX_MAGES
USE: Final = END + 1
MAKE0: Final = USE + 1  # + colour * MAX_MADE + number
SHIFT0: Final = MAKE0 + 2 * MAX_MADE  # + hex
PUT0: Final = SHIFT0 + HEX_COUNT  # + hex
SWAP0: Final = PUT0 + HEX_COUNT  # + hex
WITH0: Final = SWAP0 + HEX_COUNT  # + hex
COLLECT_WHITE: Final = WITH0 + HEX_COUNT
COLLECT_BLACK: Final = COLLECT_WHITE + 1
BUY_PROTECTION: Final = COLLECT_BLACK + 1
PUSH0: Final = BUY_PROTECTION + 1  # + Mage * TARGETS + target
PUSH_MAGE0: Final = PUSH0 + MAGE_COUNT * TARGETS  # + Mage; its owner chooses the target (V3)
NEXT: Final = PUSH_MAGE0 + MAGE_COUNT
REACT0: Final = NEXT + 1  # + kind
SKIP: Final = REACT0 + KIND_COUNT
TRANSFER_MAGE0: Final = SKIP + 1  # + Mage; an opponent's (V19)
REVEAL0: Final = TRANSFER_MAGE0 + MAGE_COUNT  # + kind; from here on the results of chance
COLOUR0: Final = REVEAL0 + KIND_COUNT  # + colour; a player's choice with V21
FIRST0: Final = COLOUR0 + len(COLOUR_NAMES)  # + seat
STEP_CODES: Final = FIRST0 + MAX_SEATS

# The size of a list of steps: at most 3 unequal Mages of one owner are pushed to one of 95 places each.
MAX_STEPS: Final = 512


def rule_numbers(options: EtheriumOptions, seats: int) -> list[int]:
    """Return the options and the numbers of the manifest as the kernels read them, from `RULES` on."""
    manifest = options.tiles()
    return [
        options.one_gain_power,
        options.once_per_tile == "activation",
        options.displace_by == "owner",
        options.displace_self,
        options.transfer_control,
        options.lone_connected,
        options.portals_touch_as_one,
        options.controlled == "any",
        options.keep_connected,
        options.player_powers,
        options.paralyze_guard,
        options.points_to_win(seats),
        options.max_rounds,
        manifest.etherium_cap,
        manifest.control_markers,
        manifest.most_mages,
        options.reactions == "first",
        options.shift_keeps_touching,
        options.green_conversions == "each",
        options.transfer_to == "anyone",
        options.reshuffle == "until_fewer",
        options.choose_colours,
        options.free_conversions,
        options.moved_by == "player",
        options.disruption_ends_displace,
        options.tribute_from_own,
        options.held_by == "mage",
    ]


def pack_kind(tile: Tile, options: EtheriumOptions) -> int:
    """Return the facts of a kind as one number."""
    power = tile.power
    of, second = power.colours or (power.of, "")
    facts = {
        COLOUR: _colour_number(tile.colour),
        USE_WHITE: tile.use.white,
        USE_BLACK: tile.use.black,
        CONTROL_WHITE: NO_PRICE if tile.control is None else tile.control.white,
        CONTROL_BLACK: 0 if tile.control is None else tile.control.black,
        GIVES_WHITE: power.white,
        GIVES_BLACK: power.black,
        PER: _colour_number(power.per),
        REACTS_TO: ETHERIUM.index(power.to) if power.to else 0,
        OF: _colour_number(options.alteration if of == ALTERATION else of),
        SECOND_COLOUR: _colour_number(second),
        VALUE: power.points,
        BY_OPPONENTS: power.by == "opponents",
        CONNECTED: power.where == "connected",
    }
    return sum(value << shift for shift, value in facts.items())


def _colour_number(colour: str) -> int:
    return COLOUR_NAMES.index(colour or NO_COLOUR)
