"""The memory layout of a Modern Realm position, one array with a name for every entry, and the numbers of steps.

Spaces are entries 0..143, so ``position[cell]`` is the piece there.
"""

from __future__ import annotations

from typing import Final

from realmtable.kit.realm_board.geometry import CELLS

# A piece is its kind plus 4 for Black; 0 is an empty space.
EMPTY, HQ, AGENT, COUNTER = range(4)
KIND_MASK: Final = 3  # mask for a piece's kind
SEAT_SHIFT: Final = 2  # piece >> SEAT_SHIFT is its owner

# Entries of a position after its 144 spaces.
PHASE: Final = 144
SEAT: Final = 145  # the seat to act
ORIGIN: Final = 146  # the Realm the turn moves pieces out of (D2); -1 before its first move
UNMOVED_PLACES: Final = 147  # bits of the places in ORIGIN whose pieces were mobile at the start and have not moved
DISLODGED_REALM: Final = 148  # the Realm where a dislodged Agent waits for its space (S3); -1 if none
PASSED: Final = 149  # 1 if the previous turn was a pass
REASON: Final = 150  # why the game ended
TURNS: Final = 151  # complete turns, without the choices of V1
RULES: Final = 152  # [5] the options, as R_COUNTER_AGENT to R_CAPTURE_ON_ENTRY name them
POSITION_SIZE: Final = RULES + 5

# Phases.
PHASES: Final = ("choose", "turn", "dislodge", "over")
CHOOSE, TURN, DISLODGE, OVER = range(len(PHASES))

# Reasons for the end of a game.
REASONS: Final = ("", "eight_headquarters", "two_passes", "max_turns")
EIGHT_HQS, TWO_PASSES, MAX_TURNS = range(1, len(REASONS))

# The options as numbers; the first is a space, or -1 if the players choose.
R_COUNTER_AGENT, R_HQ_COUNTS, R_MAX_TURNS, R_ORIGIN_CLOSED, R_CAPTURE_ON_ENTRY = range(RULES, POSITION_SIZE)

# Steps are numbers; each kind has its own range, and legal steps are listed in ascending order.
MOVE0: Final = 0  # + source * 144 + target
DISLODGE0: Final = MOVE0 + CELLS * CELLS  # + space
CHOOSE0: Final = DISLODGE0 + CELLS  # + space
PASS: Final = CHOOSE0 + CELLS
STEP_CODES: Final = PASS + 1

PIECES_EACH: Final = 8  # pieces per seat, and Headquarters to found

MAX_STEPS: Final = PIECES_EACH * CELLS  # in a list of steps: eight pieces with fewer than 144 targets each

# The working memory of `list_moves`: a mark for every space, the lines still to follow, facts about the Realms, and the
# spaces of the pieces. It is apart from the list of steps, because a GPU reads such memory of neighbouring threads at
# once.
MARKS: Final = 0  # [144]
LINES: Final = MARKS + CELLS  # [576]
OWN_CENTERS: Final = LINES + 4 * CELLS  # bits of the Realms with one of the seat's pieces on the Center
ENEMY_CENTERS: Final = OWN_CENTERS + 1  # bits of those with an enemy piece
ENEMY_COUNTER_REALM: Final = OWN_CENTERS + 2  # the Realm of the enemy Counter-Agent; -1 if none
ENTRY_CAPTURES: Final = OWN_CENTERS + 3  # bits of the Realms that a piece captures on entry (V5)
PIECES: Final = OWN_CENTERS + 4  # [8]
WORK_SIZE: Final = PIECES + PIECES_EACH
