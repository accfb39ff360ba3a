"""The memory layout of a Realm position, one array with a name for every entry, and the numbers of steps.

One array rather than several, because it is copied at once and kernels with one argument compile and call faster
(docs/decisions/0002-state-in-one-array.md). Spaces are entries 0..143, so ``position[cell]`` is the piece there.
"""

from __future__ import annotations

from typing import Final

from realmtable.kit.rules import History
from realmtable.kit.zobrist import random_keys

# A piece is its kind plus 8 for Black; 0 is an empty space. Mobile Enforcers are ENFORCER + their facing.
EMPTY: Final = 0
BASE: Final = 1
POWER: Final = 2
ENFORCER: Final = 3
IMMOBILE: Final = 7
KIND_MASK: Final = 7  # mask for a piece's kind
SEAT_SHIFT: Final = 3  # piece >> SEAT_SHIFT is its owner

# Entries of a position after its 144 spaces.
PHASE: Final = 144
SEAT: Final = 145  # the seat to act
FIRST_PLACER: Final = 146  # the seat that places first
PLACED: Final = 147  # pieces placed in this part of the set-up
ORIGIN: Final = 148  # Realm from which a Dispersal is open, or that is being rearranged; -1 if none
TARGET: Final = 149  # Realm into which a Concentration is open; -1 if none
MOVED: Final = 150  # 1 once a piece has moved this turn
SACRIFICED: Final = 151  # 1 after a sacrifice this turn
EVENT_CELL: Final = 152  # space of the piece whose event is pending; -1 if none
OFFER: Final = 153  # one of NO_OFFER, OFFERED, STANDING
PROGRESS: Final = 154  # 1 once this turn created, captured, immobilised or sacrificed
PASSED: Final = 155  # 1 if the previous turn was a pass
REASON: Final = 156  # why the game ended
STREAK_REALM: Final = 157  # [2] the Realm each seat rearranged on its latest turn; -1 if none
STREAK_LENGTH: Final = 159  # [2] for how many of its turns in a row, at most 2
BASES_LEFT: Final = 161  # [2] uncreated Bases
ENFORCERS_LEFT: Final = 163  # [2] uncreated Enforcers
CAPTURED: Final = 165  # [2] enemy Bases captured
LIFTED: Final = 167  # [9] the pieces a Rearrangement lifted, by place in the Realm
TURNS: Final = 176  # complete turns since the set-up
QUIET_TURNS: Final = 177  # turns in a row without progress
KEY_COUNT: Final = 178  # how many of the keys at the end are in use
RULES: Final = 179  # [20] the options, as R_BASES to R_MAX_TURNS name them
KEYS: Final = 199  # [128] keys at the start of each turn since the last progress
KEY_CAPACITY: Final = 128
POSITION_SIZE: Final = KEYS + KEY_CAPACITY
HISTORY: Final = History(KEYS, KEY_COUNT)

NO_OFFER: Final = 0
OFFERED: Final = 1  # the acting seat has offered this turn
STANDING: Final = 2  # its opponent offered in the previous turn

# Phases; in "found" a Base may be created or declined (V16).
PHASES: Final = (
    "choose", "bases", "powers", "choose", "turn", "found", "create", "immobilise", "rearrange", "over",
)  # fmt: skip
(
    CHOOSE_PLACE, PLACE_BASES, PLACE_POWERS, CHOOSE_MOVE, TURN, FOUND_BASE, CREATE_ENFORCER, IMMOBILISE, REARRANGE,
    OVER,
) = range(len(PHASES))  # fmt: skip

# Reasons for the end of a game.
REASONS: Final = (
    "", "last_base", "agreement", "dead_position", "two_passes", "no_progress", "repetition", "max_turns",
)  # fmt: skip
LAST_BASE, AGREEMENT, DEAD_POSITION, TWO_PASSES, NO_PROGRESS, REPETITION, MAX_TURNS = range(1, len(REASONS))

# The options as numbers; R_CHOOSE_SEAT is 2 or 3 if Black chooses who moves first (V11).
(
    R_BASES, R_ENFORCERS, R_POWERS, R_FREE_PLACEMENT, R_STOP_IN_ENEMY_REALM, R_LONE_POWER_BASE, R_CAPTURE_REPLACES,
    R_SECOND_MOVES_FIRST, R_SINGLE_POWER, R_EXTRA_BASE, R_CHOOSE_SEAT, R_CAPTURES_COUNT, R_SACRIFICE,
    R_REARRANGE_BOTH, R_ALL_MOVE, R_OPTIONAL_CREATION, R_STREAK_LIMIT, R_AGREE_END, R_NO_PROGRESS, R_MAX_TURNS,
) = range(RULES, KEYS)  # fmt: skip
MIN_SETUP_BASES: Final = 3  # per player, however few Powers there are (R2, V3)

# Steps are numbers; each kind has its own range, and legal steps are listed in ascending order.
MOVE0: Final = 0  # + source * 144 + target
PUT0: Final = MOVE0 + 144 * 144  # + space * 6 + facing, NO_FACING or IMMOBILE_FACING
IMMOBILISE0: Final = PUT0 + 144 * 6  # + space
REARRANGE0: Final = IMMOBILISE0 + 144  # + Realm
SACRIFICE0: Final = REARRANGE0 + 16  # + (Power's space * 9 + Enforcer's place in the Realm) * 4 + facing
CHOOSE0: Final = SACRIFICE0 + 144 * 9 * 4  # + seat
DECLINE: Final = CHOOSE0 + 2
END: Final = DECLINE + 1
PASS: Final = END + 1
OFFER_END: Final = PASS + 1  # agreement comes last, because playouts leave it out
ACCEPT_END: Final = OFFER_END + 1
STEP_CODES: Final = ACCEPT_END + 1

NO_FACING: Final = 4  # a put without facing: a Base or Power
IMMOBILE_FACING: Final = 5  # a put of an immobile Enforcer

# The size of a list of steps: at most 13 pieces with 33 targets each, 16 rearrangements, 128 sacrifices and a few more.
# After them comes the working list of the acting seat's pieces.
PIECE_LIST: Final = 640
MAX_STEPS: Final = PIECE_LIST + 16


# Zobrist keys, the same on every machine; entries are hashed by their value + 1.
CELL_KEYS: Final = random_keys("realm cells", 144, 16)
ENTRY_KEYS: Final = random_keys("realm entries", TURNS, 160)
