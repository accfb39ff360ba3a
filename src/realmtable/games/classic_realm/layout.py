"""The memory layout of a Classic Realm position, one array with a name for every entry, and the numbers of steps.

The frogs on the pads are two 16-bit masks with one bit per Realm, so four shifts find the neighbours of many pads.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.kit.realm_board.geometry import REALMS
from realmtable.kit.rules import History
from realmtable.kit.zobrist import random_keys

# Entries of a position.
PADS: Final = 0  # [2] bits of the Realms where a seat has a frog on the pad
WATER: Final = 2  # [2 * 16] number of a seat's frogs in the water of a Realm; WATER + seat * 16 + Realm
FULL_REALMS: Final = 34  # bits of the Realms that hold nine pieces (C6); derived from the entries before
KEY: Final = 35  # key of the pads and the water; derived too
PHASE: Final = 36
SEAT: Final = 37  # the seat to act
DOUBLE_MOVE_HOLDER: Final = 38  # the seat with the right to a double move (V2); NOBODY if the option is off
OWED_TURNS: Final = 39  # regular turns the holder owes before using it (S3)
REASON: Final = 40  # why the game ended
TURNS: Final = 41  # complete turns since the first move
KEY_COUNT: Final = 42  # how many of the keys at the end are in use
RESCUED_REALM: Final = 43  # the Realm of the frog rescued by the first of two moves (C5); NOBODY if none
RULES: Final = 44  # [3] the options, as R_FREE_SETUP to R_MAX_PLIES name them
KEY_FILTER: Final = 47  # [64] 32 bits each; every key sets one of the 2048 bits; derived from the keys
KEYS: Final = 111  # [501] keys at the start of every turn
PLY_LIMIT: Final = 500
POSITION_SIZE: Final = KEYS + PLY_LIMIT + 1
HISTORY: Final = History(KEYS, KEY_COUNT)

NOBODY: Final = -1
FROGS_EACH: Final = 8  # per player (C1)
REALM_CAPACITY: Final = 9  # pieces in a Realm (C6)
INITIAL_OWED_TURNS: Final = 2  # V2

# Phases; "place" needs V1, and in "second" the first move has been made and a second may follow (S3).
PHASES: Final = ("place", "turn", "second", "over")
PLACE, TURN, SECOND_MOVE, OVER = range(len(PHASES))

# Reasons for the end of a game.
REASONS: Final = ("", "all_in_water", "repetition", "max_plies")
ALL_IN_WATER, REPETITION, MAX_PLIES = range(1, len(REASONS))

# The options as numbers.
R_FREE_SETUP, R_DOUBLE_MOVES, R_MAX_PLIES = range(RULES, KEY_FILTER)

# Steps are numbers; each kind has its own range, and legal steps are listed in ascending order.
MOVE0: Final = 0  # + source * 16 + target
PUT0: Final = MOVE0 + REALMS * REALMS  # + Realm
END: Final = PUT0 + REALMS
PASS: Final = END + 1  # never legal, but can be written (C8)
STEP_CODES: Final = PASS + 1

# The size of a list of steps: 8 frogs with 15 pads each, and the end of the turn.
MAX_STEPS: Final = 128

# The low 11 bits of a key choose its bit in the filter: 6 for the entry from KEY_FILTER on, 5 for the bit in it.
KEY_FILTER_SHIFT: Final = 5
KEY_FILTER_SIZE: Final = KEYS - KEY_FILTER

# Bits of Realms.
ALL_REALMS: Final = 0xFFFF
NOT_EAST: Final = 0x7777  # all but the column at the east edge
NOT_WEST: Final = 0xEEEE


# Zobrist keys, the same on every machine.
PAD_KEYS: Final = random_keys("classic realm pads", 2 * REALMS)  # [seat * 16 + Realm]
# [(seat * 16 + Realm) * 8 + number of frogs already there]
WATER_KEYS: Final = random_keys("classic realm water", 2 * REALMS * FROGS_EACH)
TURN_KEYS: Final = random_keys("classic realm turns", 2 * 3 * 3)  # [(seat * 3 + holder + 1) * 3 + owed]
PHASE_KEYS: Final = random_keys("classic realm phases", len(PHASES))
RESCUED_KEYS: Final = random_keys("classic realm rescued", REALMS)

# The index of a mask's single bit: shifted by it, a de Bruijn sequence starts with four bits unique to that shift.
DE_BRUIJN: Final = 0x09AF
BIT_PLACE: Final = np.array(  # [16]
    sorted(range(REALMS), key=lambda place: DE_BRUIJN << place >> 12 & 15), dtype=np.int64
)
