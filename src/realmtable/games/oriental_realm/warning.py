"""Which groups of a player his opponent could surround in his next turn (V3), found by looking at such turns.

A turn fills a group's empty neighbours one by one, so it needs a piece for each; where there are more, some move may
also clear another's way or bring the Emperor to a pinned Mandarin. Every other move can be left out of a turn without
hindering the rest of it, so only these are tried.
"""

from __future__ import annotations

import numpy as np

from realmtable.games.oriental_realm.groups import NEIGHBOURS, Group, around, groups_of, men_of
from realmtable.games.oriental_realm.moves import is_flanked, list_moves_of
from realmtable.games.oriental_realm.position import (
    EMPEROR,
    EMPTY,
    KIND,
    MANDARIN,
    MAX_STEPS,
    PHASE,
    R_WARNING,
    REALM,
    SEAT,
    SIDE_BIT,
    TURN,
)
from realmtable.games.oriental_realm.rules import surrounds
from realmtable.kit.array_state import Position
from realmtable.kit.realm_board import CELLS, REALMS, Cell, direction_between, ray, realm_of

LOOKS = 20_000  # moves tried at most for one group and one Realm; the rest of the turns goes unseen


def warned(position: Position) -> list[Cell]:
    """The spaces of whom V3 warns: in threatened groups of the player whose turn begins."""
    if not position[R_WARNING] or position[PHASE] != TURN or position[REALM] >= 0:
        return []
    return sorted(cell for group in threatened(position, position.item(SEAT)) for cell in group)


def threatened(position: Position, seat: int) -> list[Group]:
    """The groups of a seat that its opponent could surround in one turn on this board."""
    enemies = men_of(position, 1 - seat)
    realms = [[cell for cell in enemies if realm_of(cell) == realm] for realm in range(REALMS)]
    return [
        group for group in groups_of(position, seat) if any(_Siege(position, group).succeeds(men) for men in realms)
    ]


class _Siege:
    """The search for a turn that surrounds one group, by moves tried and taken back on a board of its own."""

    def __init__(self, position: Position, group: Group) -> None:
        self.board = position.copy()
        self.seat = position.item(group[0]) >> SIDE_BIT
        self.ring = around(group)
        self.looks = 0

    def succeeds(self, men: list[Cell]) -> bool:
        """Whether these pieces, the enemies of one Realm, can surround the group."""
        self.looks = 0
        return self._search(men)

    def _search(self, men: list[Cell]) -> bool:
        """Whether the enemies that have not moved can do the rest."""
        empty = self._empty()
        if len(empty) > len(men):
            return False
        for source in men:
            others = [cell for cell in men if cell != source]
            for target in self._targets(source):
                if self._serves(source, target, others, empty) and self._try(source, target, others):
                    return True
        return False

    def _empty(self) -> list[Cell]:
        return [cell for cell in self.ring if self.board.item(cell) == EMPTY]

    def _targets(self, source: Cell) -> list[Cell]:
        out = np.empty(MAX_STEPS, dtype=np.int64)
        count = list_moves_of(self.board, source, out, 0)
        return [code % CELLS for code in out[:count].tolist()]

    def _try(self, source: Cell, target: Cell, others: list[Cell]) -> bool:
        """Whether the turn can begin with this move."""
        self.looks += 1
        if self.looks > LOOKS:
            return False
        board = self.board
        board[target], board[source] = board[source], EMPTY
        if surrounds(board, target, self.seat):  # the turn ends here, with this group or another
            found = not self._empty()
        else:
            found = self._search(others)
        board[source], board[target] = board[target], EMPTY
        return found

    def _serves(self, source: Cell, target: Cell, others: list[Cell], empty: list[Cell]) -> bool:
        """Whether a move may be of use; each but the last must leave as many pieces as empty neighbours."""
        if target in self.ring:
            return True
        spare = len(others) - len(empty)
        if spare < 0:
            return False
        if self._frees(source, target, others):
            return True
        ends = empty if spare == 0 else None  # with nothing to spare afterwards, only filling moves follow
        return any(self._clears(source, other, ends, others) for other in others)

    def _frees(self, source: Cell, target: Cell, others: list[Cell]) -> bool:
        """Whether the move brings the Emperor to a pinned Mandarin that is to move (O5)."""
        if self.board[source] & KIND != EMPEROR:
            return False
        helped = [cell for cell in others if cell in NEIGHBOURS[target] and self.board[cell] & KIND == MANDARIN]
        return any(is_flanked(self.board, cell) for cell in helped)

    def _clears(self, source: Cell, other: Cell, ends: list[Cell] | None, others: list[Cell]) -> bool:
        """Whether the piece stands in another's way, to one of these ends or (None) to anywhere."""
        way = direction_between(other, source)
        if way is None:
            return False
        line = ray(other, way)
        before, after = line[: line.index(source)], line[line.index(source) + 1 :]
        if any(self.board[cell] != EMPTY and cell not in others for cell in before):
            return False
        return ends is None or any(cell in ends for cell in after)
