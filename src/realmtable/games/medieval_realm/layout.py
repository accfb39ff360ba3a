"""The memory layout of a Medieval Realm position: one array with a name for every entry.

Only the Center of a Realm and the number of Men on its Border matter (B2), so the Realms are entries 0..15 and
``position[realm]`` is the piece on that Center.
"""

from __future__ import annotations

from typing import Final

from realmtable.kit.realm_board.geometry import REALMS
from realmtable.kit.rules import History
from realmtable.kit.zobrist import random_keys

# A piece is its kind plus 4 for Black; 0 is a vacant Center.
EMPTY, DUKE, MAN = range(3)
KIND_MASK: Final = 3  # mask for a piece's kind
SEAT_SHIFT: Final = 2  # piece >> SEAT_SHIFT is its owner
PIECE_CODES: Final = 8

DUKES_EACH: Final = 2  # per player
MEN_EACH: Final = 6
PIECES_EACH: Final = DUKES_EACH + MEN_EACH

# Entries of a position after its 16 Centers.
BORDER_COUNTS: Final = 16  # [16, 2] number of each seat's Men on the Border of a Realm, at 2 * Realm + seat
SEAT: Final = 48  # the seat to act
DUKE_STREAK: Final = 49  # [2] how many of each seat's latest turns were Duke moves, at most 3 (M11)
OFF_COUNT: Final = 51  # [2] pieces borne off
PASSED: Final = 53  # 1 if the previous turn was a pass
REASON: Final = 54  # why the game ended; 0 during play
TURNS: Final = 55  # complete turns
KEY_COUNT: Final = 56  # how many of the keys at the end are in use
R_DUKE_SQUARES: Final = 57  # the options as numbers
R_DUKE_DRAW: Final = 58
R_MAX_PLIES: Final = 59
KEYS: Final = 60  # [501] keys at the start of each turn since the last irreversible one
KEY_CAPACITY: Final = 501  # max_plies plus the start
POSITION_SIZE: Final = KEYS + KEY_CAPACITY
HISTORY: Final = History(KEYS, KEY_COUNT)

DUKE_STREAK_LIMIT: Final = 3  # Duke moves in a row by each player for M11

# Reasons for the end of a game.
REASONS: Final = ("", "borne_off", "duke_draw", "two_passes", "repetition", "max_plies")
UNFINISHED, BORNE_OFF, DUKE_DRAW, TWO_PASSES, REPETITION, MAX_PLIES = range(len(REASONS))

# Steps are numbers: Realm * TARGETS_PER_REALM + Realm, or + OFF_BOARD; listed in ascending order.
OFF_BOARD: Final = REALMS
TARGETS_PER_REALM: Final = REALMS + 1
PASS: Final = REALMS * TARGETS_PER_REALM
STEP_CODES: Final = PASS + 1
MAX_STEPS: Final = PIECES_EACH * TARGETS_PER_REALM

# V1: the Realms of White's Dukes, in the order of the option's choices; Black's are theirs after a half-turn.
DUKE_REALMS: Final = ((1, 2), (0, 3), (5, 6), (4, 7))


# Zobrist keys, the same on every machine.
CENTER_KEYS: Final = random_keys("medieval_realm centers", REALMS, PIECE_CODES)
# For entries BORDER_COUNTS..REASON, by their value.
ENTRY_KEYS: Final = random_keys("medieval_realm entries", TURNS, PIECES_EACH + 1)
