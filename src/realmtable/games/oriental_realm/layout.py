"""The memory layout of an Oriental Realm position, one array with a name for every entry, and the numbers of steps.

Spaces are entries 0..143, so ``position[cell]`` is the piece there.
"""

from __future__ import annotations

from typing import Final

from realmtable.kit.realm_board.geometry import CELLS
from realmtable.kit.rules import History
from realmtable.kit.zobrist import random_keys

# A piece is its kind plus 4 for Black; 0 is an empty space.
EMPTY, MANDARIN, EMPEROR = range(3)
KIND_MASK: Final = 3  # mask for a piece's kind
SEAT_SHIFT: Final = 2  # piece >> SEAT_SHIFT is its owner
MANDARINS_EACH: Final = 7  # O1: per player, in addition to one Emperor

# Entries of a position after its 144 spaces.
PHASE: Final = CELLS
SEAT: Final = 145  # the seat to act
PLACED: Final = 146  # placements (V1) or choices (V2) made
TURN_REALM: Final = 147  # O2: the Realm of the turn once a piece has moved; -1 before
UNMOVED_PLACES: Final = 148  # bits of its places whose pieces started the turn there and have not moved
PASSED: Final = 149  # 1 if the previous turn was a pass
REASON: Final = 150  # why the game ended
WINNER: Final = 151  # the seat that won; -1 if none
TURNS: Final = 152  # complete turns since the set-up
KEY_COUNT: Final = 153  # how many of the keys at the end are in use
RULES: Final = 154  # [4] the options, as R_FREE_SETUP to R_MAX_TURNS name them
KEYS: Final = 158  # [601] keys at the start of each turn (T1); no move in this game is irreversible
KEY_CAPACITY: Final = 601
POSITION_SIZE: Final = KEYS + KEY_CAPACITY
HISTORY: Final = History(KEYS, KEY_COUNT)

# Phases; "place" needs V1 and "choose" V2.
PHASES: Final = ("place", "choose", "turn", "over")
PLACE, CHOOSE, TURN, OVER = range(len(PHASES))

# Reasons for the end of a game.
REASONS: Final = ("", "surrounded", "two_passes", "repetition", "max_turns")
SURROUNDED, TWO_PASSES, REPETITION, MAX_TURNS = range(1, len(REASONS))

# The options as numbers; R_EMPEROR is the space where White's Emperor starts, or -1 if the players choose.
R_FREE_SETUP, R_EMPEROR, R_WARNING, R_MAX_TURNS = range(RULES, KEYS)

# Steps are numbers; each kind has its own range, and legal steps are listed in ascending order.
MOVE0: Final = 0  # + source * 144 + target
MANDARIN0: Final = MOVE0 + CELLS * CELLS  # + space: placed there
EMPEROR0: Final = MANDARIN0 + CELLS  # + space: placed or chosen there
END: Final = EMPEROR0 + CELLS
PASS: Final = END + 1
STEP_CODES: Final = PASS + 1

# The size of a list of steps: two kinds of placement on 144 spaces are more than the moves of eight pieces.
PIECE_LIST: Final = 2 * CELLS  # the working list of the acting seat's pieces starts here
MAX_STEPS: Final = PIECE_LIST + 16


# Zobrist keys, the same on every machine; entries are hashed by their value + 1.
CELL_KEYS: Final = random_keys("oriental_realm cells", CELLS, 8)
ENTRY_KEYS: Final = random_keys("oriental_realm entries", PASSED + 1 - PHASE, 513)
