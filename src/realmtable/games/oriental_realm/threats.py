"""Search for the groups that a player's opponent could surround on their next turn (V3).

A turn fills a group's empty neighbours one by one, so it needs a piece for each. Spare pieces may also clear the way
for another or bring the Emperor to a pinned Mandarin. Any other move could be dropped from a turn without affecting
the rest, so only these are tried.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from realmtable.games.oriental_realm.groups import NEIGHBOURS, Group, groups_of, neighbours_of_group, piece_cells
from realmtable.games.oriental_realm.layout import (
    EMPEROR,
    EMPTY,
    KIND_MASK,
    MAX_STEPS,
    PHASE,
    R_WARNING,
    SEAT,
    SEAT_SHIFT,
    TURN,
    TURN_REALM,
)
from realmtable.games.oriental_realm.moves import is_flanked, list_piece_moves
from realmtable.games.oriental_realm.rules import has_surrounded_neighbour
from realmtable.kit.realm_board.geometry import CELLS, REALMS, Cell, ray, realm_of
from realmtable.kit.rules import Position

MAX_TRIALS = 20_000  # the most moves tried for one group and one Realm; further turns are missed


def find_threatened_cells(position: Position) -> list[Cell]:
    """Return the spaces V3 warns about: those of the acting player's threatened groups, at the start of a turn."""
    if not position[R_WARNING] or position[PHASE] != TURN or position[TURN_REALM] >= 0:
        return []
    return sorted(cell for group in find_threatened_groups(position, position.item(SEAT)) for cell in group)


def find_threatened_groups(position: Position, seat: int) -> list[Group]:
    """Return the groups of a seat that its opponent could surround in one turn on this board."""
    enemies = piece_cells(position, 1 - seat)
    realms = [[cell for cell in enemies if realm_of(cell) == realm] for realm in range(REALMS)]
    return [
        group
        for group in groups_of(position, seat)
        if any(_SurroundSearch(position, group).can_surround(men) for men in realms)
    ]


class _SurroundSearch:
    """Search for a turn that surrounds one group, by making and unmaking moves on a private board.

    A move fills a neighbour of the group or is a detour. A detour helps only if it clears the way for a later move or
    brings the Emperor to a pinned Mandarin, and there must be spare pieces for it and for the detours it enables.
    """

    def __init__(self, position: Position, group: Group) -> None:
        self.board = position.copy()
        self.seat = position.item(group[0]) >> SEAT_SHIFT
        self.ring = neighbours_of_group(group)
        self.trials = 0

    def can_surround(self, men: list[Cell]) -> bool:
        """Whether these pieces, the enemies of one Realm, can surround the group."""
        self.trials = 0
        return self._search(men)

    def _search(self, men: list[Cell]) -> bool:
        """Whether the enemies that have not moved can fill the rest."""
        empty = self._empty_ring_cells()
        spare = len(men) - 1 - len(empty)  # detours left if the next move is one
        lines = {man: [*self._lines(man, men)] for man in men}
        seen = {cell for man in men for line in lines[man] for cell in line}
        if spare < -1 or not seen.issuperset(empty):
            return False
        detours = self._detours(men, lines) if spare >= 0 else {}
        for source in men:
            others = [cell for cell in men if cell != source]
            serves = detours.get(source, len(men)) <= spare - (source in self.ring)
            frees = spare >= 0 and self._is_emperor(source)
            for target in self._legal_targets(source):
                useful = target in self.ring or serves or (frees and self._frees_mandarin(target, others))
                if useful and self._can_start_with(source, target, others):
                    return True
        return False

    def _empty_ring_cells(self) -> list[Cell]:
        return [cell for cell in self.ring if self.board.item(cell) == EMPTY]

    def _lines(self, man: Cell, men: list[Cell]) -> Iterator[list[Cell]]:
        """Yield the spaces in each direction up to the first piece that will not move again."""
        for way in range(4):
            line = []
            for cell in ray(man, way):
                if self.board.item(cell) != EMPTY and cell not in men:
                    break
                line.append(cell)
            yield line

    def _detours(self, men: list[Cell], lines: dict[Cell, list[list[Cell]]]) -> dict[Cell, int]:
        """Return the pieces that may help by moving away, with the number of further detours this needs."""
        needs: dict[Cell, int] = {}
        for line in (line for man in men for line in lines[man]):
            ends = [place for place, cell in enumerate(line) if cell in self.ring]
            needs.update((cell, 0) for cell in line[: max(ends, default=-1) + 1] if cell in men)
        served = [man for man in men if needs.get(man) == 0]
        if any(self._is_flanked(man) for man in men):
            served += [man for man in men if self._is_emperor(man)]
        for number in range(1, len(men)):
            ways = [line for man in served for line in lines[man]]
            served = [man for man in men if man not in needs and any(man in line for line in ways)]
            needs.update((man, number) for man in served)
        return needs

    def _is_emperor(self, man: Cell) -> bool:
        return self.board.item(man) & KIND_MASK == EMPEROR

    def _is_flanked(self, man: Cell) -> bool:
        return not self._is_emperor(man) and bool(is_flanked(self.board, man))

    def _frees_mandarin(self, target: Cell, others: list[Cell]) -> bool:
        """Whether the Emperor on `target` would free a Mandarin that is still to move (O5)."""
        return any(cell in NEIGHBOURS[target] and self._is_flanked(cell) for cell in others)

    def _legal_targets(self, source: Cell) -> list[Cell]:
        out = np.empty(MAX_STEPS, dtype=np.int64)
        count = list_piece_moves(self.board, source, out, 0)
        return [code % CELLS for code in out[:count].tolist()]

    def _can_start_with(self, source: Cell, target: Cell, others: list[Cell]) -> bool:
        """Whether a turn that starts with this move can surround the group."""
        self.trials += 1
        if self.trials > MAX_TRIALS:
            return False
        board = self.board
        board[target], board[source] = board[source], EMPTY
        ends = has_surrounded_neighbour(board, target, self.seat)  # the game ends here, with this group or another
        surrounds = not self._empty_ring_cells() if ends else self._search(others)
        board[source], board[target] = board[target], EMPTY
        return surrounds
