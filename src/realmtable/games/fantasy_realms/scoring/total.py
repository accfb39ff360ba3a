"""Score a hand with fixed choices: clearing, blanking and points (S5 to S7), in compiled code."""

from __future__ import annotations

from typing import Final

from realmtable.games.fantasy_realms.effect_parser import (
    ADD,
    BLANK,
    BLANKED_IF,
    BLANKED_UNLESS,
    CLEAR,
    DIFFER,
    NO_SUIT,
    RUNS,
    SETS,
    STRENGTHS,
    STRIKE,
    STRONGEST,
)
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    IS_PENALTY,
    LACKING,
    LINE_GONE,
    MAX_REQUIRED,
    NAME_COUNT,
    OF,
    POINTS,
    REQUIRED,
    REWARD,
    REWARDS,
    RINGS_BLANK_OTHERS,
    SEVERAL_RUNS,
    SEVERAL_SETS,
    STRUCK,
    SWITCHES,
    TWICE,
    VERB,
    IntArray,
)
from realmtable.games.fantasy_realms.scoring.workspace import (
    AWAITED,
    BLANKERS,
    BONUS,
    CLEARED,
    MASK,
    NAME,
    OWNER,
    PENALTY,
    ROW,
    ROW_COUNT,
    ROW_WIDTH,
    STRENGTH,
    SUIT,
    UNBLANKED,
    WORD_STRUCK,
    HandPlace,
    Mask,
)
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel

RowOffset = int  # where a row begins in the workspace
Strengths = int  # one bit per strength

NO_EFFECT: Final = -1  # instead of a mask: the line no longer counts


@kernel
def compute_total(tables: IntArray, workspace: IntArray, size: int, island: HandPlace) -> int:
    """Return the worth of the hand in `workspace`, and write the points of each card and the unblanked places to it."""
    mark_cleared(workspace, island)
    alive = workspace[UNBLANKED] = find_unblanked(tables, workspace, size)
    return sum_points(tables, workspace, size, alive)


# ---- clearing


@kernel
def mark_cleared(workspace: IntArray, island: HandPlace) -> None:
    """Mark the places whose penalties are cleared, and those whose penalties have the word struck (S5)."""
    cleared = 1 << island if island >= 0 else 0
    struck = 0
    for row in range(ROW, ROW + ROW_WIDTH * workspace[ROW_COUNT], ROW_WIDTH):
        if workspace[row + VERB] == CLEAR:
            cleared |= workspace[MASK + workspace[row + OF]]
        elif workspace[row + VERB] == STRIKE:
            struck |= workspace[MASK + workspace[row + OF]]
    workspace[CLEARED] = cleared
    workspace[WORD_STRUCK] = struck


@kernel
def penalty_targets(workspace: IntArray, row: RowOffset) -> Mask:
    """Return the places a line of a penalty selects; NO_EFFECT if it is cleared or struck entirely."""
    owner = workspace[row + OWNER]
    if workspace[CLEARED] >> owner & 1:
        return NO_EFFECT
    slot = workspace[row + STRUCK] if workspace[WORD_STRUCK] >> owner & 1 else workspace[row + OF]
    if slot < 0:
        return NO_EFFECT if slot == LINE_GONE else 0
    return workspace[MASK + slot]


# ---- blanking


@kernel
def find_unblanked(tables: IntArray, workspace: IntArray, size: int) -> Mask:
    """Return the places that are not blanked (S6)."""
    undecided = alive = acting = (1 << size) - 1
    if not gather_blankers(workspace, size):
        return alive
    alive = acting = 0
    while undecided:
        before = undecided
        for place in range(size):
            if undecided >> place & 1:
                awaited = pending_dependencies(workspace, place, alive, acting, undecided)
                workspace[AWAITED + place] = awaited
                if awaited <= 0:
                    undecided &= ~(1 << place)
                if awaited == 0:
                    alive |= 1 << place
                    acting |= 1 << place
        if undecided == before:
            ring = find_closed_rings(workspace, size, undecided)
            undecided &= ~ring
            if tables[SWITCHES + RINGS_BLANK_OTHERS]:
                acting |= ring
    return alive


@kernel
def gather_blankers(workspace: IntArray, size: int) -> bool:
    """Mark which cards threaten which, and return whether any card can be blanked."""
    for place in range(size):
        workspace[BLANKERS + place] = 0
    found = False
    for row in range(ROW, ROW + ROW_WIDTH * workspace[ROW_COUNT], ROW_WIDTH):
        verb = workspace[row + VERB]
        if verb in (BLANK, BLANKED_UNLESS, BLANKED_IF):
            meant = penalty_targets(workspace, row)
            found = found or meant != NO_EFFECT
            if verb == BLANK and meant != NO_EFFECT:
                for place in range(size):
                    if meant >> place & 1:
                        workspace[BLANKERS + place] |= 1 << workspace[row + OWNER]
    return found


@kernel
def pending_dependencies(workspace: IntArray, place: HandPlace, alive: Mask, acting: Mask, undecided: Mask) -> Mask:
    """Return the undecided places that a place waits for: 0 if it is unblanked, NO_EFFECT if it is blanked.

    A card counts itself where its own *unless* or *if* selects it.
    """
    if workspace[BLANKERS + place] & acting:
        return NO_EFFECT
    awaited = workspace[BLANKERS + place] & undecided
    for row in range(ROW, ROW + ROW_WIDTH * workspace[ROW_COUNT], ROW_WIDTH):
        verb = workspace[row + VERB]
        if workspace[row + OWNER] == place and verb in (BLANKED_UNLESS, BLANKED_IF):
            meant = penalty_targets(workspace, row)
            present, open_yet = meant & (alive | 1 << place), meant & undecided & ~(1 << place)
            if meant == NO_EFFECT or (verb == BLANKED_UNLESS and present):
                continue
            if (verb == BLANKED_IF and present) or (verb == BLANKED_UNLESS and not open_yet):
                return NO_EFFECT
            awaited |= open_yet
    return awaited


@kernel
def find_closed_rings(workspace: IntArray, size: int, undecided: Mask) -> Mask:
    """Return the undecided places in rings that wait for no place outside; `AWAITED` holds what each waits for."""
    for middle in range(size):
        for place in range(size):
            if undecided >> place & 1 and workspace[AWAITED + place] >> middle & 1:
                workspace[AWAITED + place] |= workspace[AWAITED + middle]
    found = 0
    for place in range(size):
        if undecided >> place & 1 and is_in_closed_ring(workspace, size, place):
            found |= 1 << place
    return found


@kernel
def is_in_closed_ring(workspace: IntArray, size: int, place: HandPlace) -> bool:
    """Whether every place that this one waits for, itself included, waits for it in turn."""
    reach = workspace[AWAITED + place]
    for other in range(size):
        if reach >> other & 1 and not workspace[AWAITED + other] >> place & 1:
            return False
    return bool(reach >> place & 1)


# ---- points


@kernel
def sum_points(tables: IntArray, workspace: IntArray, size: int, alive: Mask) -> int:
    """Sum the strengths, the best line of each bonus and all penalties of unblanked cards (S7)."""
    for place in range(size):
        workspace[BONUS + place] = workspace[PENALTY + place] = 0
    for row in range(ROW, ROW + ROW_WIDTH * workspace[ROW_COUNT], ROW_WIDTH):
        owner = workspace[row + OWNER]
        if not alive >> owner & 1:
            continue
        if not workspace[row + IS_PENALTY]:
            workspace[BONUS + owner] = max(workspace[BONUS + owner], bonus_points(tables, workspace, row, size, alive))
        elif workspace[row + VERB] == ADD:
            meant = penalty_targets(workspace, row)
            if meant != NO_EFFECT:
                workspace[PENALTY + owner] += line_points(workspace, row, meant & alive, alive)
    total = 0
    for place in range(size):
        if alive >> place & 1:
            total += workspace[STRENGTH + place] + workspace[BONUS + place] + workspace[PENALTY + place]
    return total


@kernel
def bonus_points(tables: IntArray, workspace: IntArray, row: RowOffset, size: int, alive: Mask) -> int:
    """Return the points of one line of a bonus."""
    verb = workspace[row + VERB]
    meant = workspace[MASK + workspace[row + OF]] & alive if workspace[row + OF] >= 0 else 0
    if verb == ADD:
        return line_points(workspace, row, meant, alive)
    if verb in (STRENGTHS, STRONGEST):
        return strength_points(workspace, size, meant, verb == STRENGTHS)
    rewards = REWARD + NAME_COUNT * workspace[row + REWARDS]
    if verb == RUNS:
        return score_runs(tables, workspace, size, alive, rewards)
    if verb == SETS:
        return score_sets(tables, workspace, size, alive, rewards)
    if verb == DIFFER and suits_differ(workspace, size, alive):
        return workspace[row + POINTS]
    return 0


@kernel
def line_points(workspace: IntArray, row: RowOffset, meant: Mask, alive: Mask) -> int:
    """Return the points of a line, once or for each card it selects, if its requirements are met."""
    for column in range(REQUIRED, REQUIRED + MAX_REQUIRED):
        slot = workspace[row + column]
        if slot >= 0 and not workspace[MASK + slot] & alive:
            return 0
    slot = workspace[row + LACKING]
    if slot >= 0 and workspace[MASK + slot] & alive:
        return 0
    if workspace[row + OF] < 0:
        return workspace[row + POINTS]
    count = count_bits(meant)
    if workspace[row + TWICE] >= 0:
        count += count_bits(workspace[MASK + workspace[row + TWICE]] & alive)
    return workspace[row + POINTS] * count


@kernel
def strength_points(workspace: IntArray, size: int, meant: Mask, is_sum: bool) -> int:
    """Return the sum of some cards' strengths, or the greatest of them."""
    found = 0
    for place in range(size):
        if meant >> place & 1:
            strength = workspace[STRENGTH + place]
            found = found + strength if is_sum else max(found, strength)
    return found


@kernel
def score_runs(tables: IntArray, workspace: IntArray, size: int, alive: Mask, rewards: int) -> int:
    """Return the points for runs of strengths: all of them, or the best one (S7).

    Runs among the distinct strengths count first, then those among the cards that repeat a strength, and so on. No
    other way to split up to nine cards into runs gives more: if two runs overlap or adjoin, one run over both and one
    over their overlap use the same cards and give at least as much, because each card adds more to a run than the last.
    """
    found, left = 0, alive
    while left:
        present = repeated = 0
        for place in range(size):
            if left >> place & 1:
                strength = 1 << workspace[STRENGTH + place]
                if present & strength:
                    repeated |= 1 << place
                present |= strength
        found = combine_rewards(
            found, longest_run_points(tables, present, rewards), tables[SWITCHES + SEVERAL_RUNS] != 0
        )
        left = repeated
    return found


@kernel
def longest_run_points(tables: IntArray, present: Strengths, rewards: int) -> int:
    """Return the points for the longest runs of distinct strengths: all of them, or the best one."""
    found = length = 0
    while present or length:
        if present & 1:
            length += 1
        else:
            found = combine_rewards(found, tables[rewards + length], tables[SWITCHES + SEVERAL_RUNS] != 0)
            length = 0
        present >>= 1
    return found


@kernel
def score_sets(tables: IntArray, workspace: IntArray, size: int, alive: Mask, rewards: int) -> int:
    """Return the points for differently named cards of one suit: all suits, or the best one."""
    found = 0
    for suit in range(NO_SUIT):
        count = 0
        for place in range(size):
            if alive >> place & 1 and workspace[SUIT + place] == suit and is_first_of_name(workspace, place, alive):
                count += 1
        found = combine_rewards(found, tables[rewards + count], tables[SWITCHES + SEVERAL_SETS] != 0)
    return found


@kernel
def is_first_of_name(workspace: IntArray, place: HandPlace, alive: Mask) -> bool:
    """Whether no earlier card has the same name and suit."""
    for other in range(place):
        same = workspace[NAME + other] == workspace[NAME + place] and workspace[SUIT + other] == workspace[SUIT + place]
        if same and alive >> other & 1:
            return False
    return True


@kernel
def combine_rewards(found: int, more: int, is_sum: bool) -> int:
    """Return the sum of two rewards, or the better one."""
    return found + more if is_sum else max(found, more)


@kernel
def suits_differ(workspace: IntArray, size: int, alive: Mask) -> bool:
    """Whether no two cards share a suit; cards without a suit share none."""
    seen = 0
    for place in range(size):
        suit = workspace[SUIT + place]
        if alive >> place & 1 and suit != NO_SUIT:
            if seen >> suit & 1:
                return False
            seen |= 1 << suit
    return True
