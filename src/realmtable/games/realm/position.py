"""How a Realm position lies in memory: one array of numbers, with a name for every entry, and the numbers of steps.

One array rather than several: it is copied in one go, and kernels that take one argument compile and call faster
(docs/decisions/0002-state-in-one-array.md). Spaces are entries 0..143, so ``position[cell]`` is the piece there.
"""

from __future__ import annotations

from typing import Final

from realmtable.games.realm.options import RealmOptions
from realmtable.kit.zobrist import random_keys

# A piece is its kind plus 8 for Black; 0 is an empty space. Mobile Enforcers are ENFORCER + the way they face.
EMPTY: Final = 0
BASE: Final = 1
POWER: Final = 2
ENFORCER: Final = 3
IMMOBILE: Final = 7
KIND_MASK: Final = 7  # mask of a piece's kind
SEAT_SHIFT: Final = 3  # piece >> SIDE_BIT is its owner

# Entries of a position after its 144 spaces.
PHASE: Final = 144
SEAT: Final = 145  # who acts
FIRST_PLACER: Final = 146  # who places first
PLACED: Final = 147  # pieces placed in this part of the set-up
ORIGIN: Final = 148  # Realm a Dispersal is open from, or that is being rearranged; -1 none
TARGET: Final = 149  # Realm a Concentration is open into; -1 none
MOVED: Final = 150  # 1 once a piece has moved this turn
SACRIFICED: Final = 151  # 1 after a sacrifice this turn
EVENT_CELL: Final = 152  # space of the piece whose event is pending; -1 none
OFFER: Final = 153  # one of NO_OFFER, OFFERED, STANDING
PROGRESS: Final = 154  # 1 once this turn created, captured, immobilised or sacrificed
PASSED: Final = 155  # 1 if the turn before was a pass
REASON: Final = 156  # why the game ended
STREAK_REALM: Final = 157  # [2] the Realm that seat rearranged in its latest turn; -1 none
STREAK_LENGTH: Final = 159  # [2] on how many of its turns in a row, at most 2
BASES_LEFT: Final = 161  # [2] uncreated Bases
ENFORCERS_LEFT: Final = 163  # [2] uncreated Enforcers
CAPTURED: Final = 165  # [2] enemy Bases captured
LIFTED: Final = 167  # [9] what a Rearrangement lifted, by place in its Realm
TURNS: Final = 176  # complete turns since the set-up
QUIET_TURNS: Final = 177  # turns in a row without progress
KEY_COUNT: Final = 178  # how many of the keys at the end count
RULES: Final = 179  # [21] the options, as R_BASES to R_MAX_TURNS name them
KEYS: Final = 200  # [128] keys at the start of each turn since the last progress
KEY_CAPACITY: Final = 128
POSITION_SIZE: Final = KEYS + KEY_CAPACITY

NO_OFFER: Final = 0
OFFERED: Final = 1  # the seat that acts has offered this turn
STANDING: Final = 2  # its opponent did in the turn before

# Phases.
CHOOSE_PLACE: Final = 0
PLACE_BASES: Final = 1
PLACE_POWERS: Final = 2
CHOOSE_MOVE: Final = 3
TURN: Final = 4
FOUND_BASE: Final = 5  # V16: create the Base or not
CREATE_ENFORCER: Final = 6
IMMOBILISE: Final = 7
REARRANGE: Final = 8
OVER: Final = 9
PHASES: Final = (
    "choose", "bases", "powers", "choose", "turn", "found", "create", "immobilise", "rearrange", "over",
)  # fmt: skip

# Reasons a game ends for.
LAST_BASE: Final = 1
AGREEMENT: Final = 2
DEAD_POSITION: Final = 3
TWO_PASSES: Final = 4
NO_PROGRESS: Final = 5
REPETITION: Final = 6
MAX_TURNS: Final = 7
REASONS: Final = (
    "", "last_base", "agreement", "dead_position", "two_passes", "no_progress", "repetition", "max_turns",
)  # fmt: skip

# The options as numbers.
R_BASES: Final = RULES
R_ENFORCERS: Final = RULES + 1
R_POWERS: Final = RULES + 2
MIN_SETUP_BASES: Final = 3  # of a player, however few Powers he has (R2, V3)
R_FREE_PLACEMENT: Final = RULES + 3
R_STOP_IN_ENEMY_REALM: Final = RULES + 4
R_LONE_POWER_BASE: Final = RULES + 5
R_CAPTURE_REPLACES: Final = RULES + 6
R_SECOND_MOVES_FIRST: Final = RULES + 7
R_SINGLE_POWER: Final = RULES + 8
R_EXTRA_BASE: Final = RULES + 9
R_CHOOSE_PLACE: Final = RULES + 10
R_CHOOSE_MOVE: Final = RULES + 11
R_CAPTURES_COUNT: Final = RULES + 12
R_SACRIFICE: Final = RULES + 13
R_REARRANGE_BOTH: Final = RULES + 14
R_ALL_MOVE: Final = RULES + 15
R_OPTIONAL_CREATION: Final = RULES + 16
R_STREAK_LIMIT: Final = RULES + 17
R_AGREE_END: Final = RULES + 18
R_NO_PROGRESS: Final = RULES + 19
R_MAX_TURNS: Final = RULES + 20

# Steps are numbers; each kind has its own range, and legal steps are listed in rising order.
MOVE0: Final = 0  # + source * 144 + target
PUT0: Final = MOVE0 + 144 * 144  # + space * 6 + facing, PLAIN or FLAT
IMMOBILISE0: Final = PUT0 + 144 * 6  # + space
REARRANGE0: Final = IMMOBILISE0 + 144  # + Realm
SACRIFICE0: Final = REARRANGE0 + 16  # + (Power's space * 9 + Enforcer's place in the Realm) * 4 + facing
CHOOSE0: Final = SACRIFICE0 + 144 * 9 * 4  # + seat
DECLINE: Final = CHOOSE0 + 2
END: Final = DECLINE + 1
PASS: Final = END + 1
OFFER_END: Final = PASS + 1  # agreement comes last in the list: playouts leave it out
ACCEPT_END: Final = OFFER_END + 1
STEP_CODES: Final = ACCEPT_END + 1

NO_FACING: Final = 4  # a put without facing: Base or Power
IMMOBILE_FACING: Final = 5  # a put of an immobile Enforcer

# Room for a list of steps. At most 13 pieces with 33 targets each, 16 rearrangements, 128 sacrifices and a few more
# stand in it; behind them the listing keeps the spaces of the acting seat's men while it works.
PIECE_LIST: Final = 640
MAX_STEPS: Final = PIECE_LIST + 16


def rule_numbers(options: RealmOptions) -> list[int]:
    """The options as the kernels read them, from `RULES` on."""
    return [
        options.bases,
        options.enforcers,
        options.powers,
        options.free_placement,
        options.stop_in_enemy_realm,
        options.lone_power_base,
        options.capture_replaces,
        options.second_moves_first,
        options.first_turn_single_power,
        options.extra_base_second,
        options.choose_seat in {"place", "both"},
        options.choose_seat in {"move", "both"},
        options.tie_break == "enforcers+captures",
        options.power_sacrifice,
        options.rearrange_both,
        options.rearrange == "all_move",
        options.optional_creation,
        options.rearrange_limit,
        options.agree_end,
        options.no_progress,
        options.max_turns,
    ]


# Keys of Zobrist hashing, the same on every machine; entries are hashed by their value + 1.
CELL_KEYS: Final = random_keys("realm cells", 144, 16)
ENTRY_KEYS: Final = random_keys("realm entries", TURNS, 160)
