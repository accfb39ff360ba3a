"""The slow twin of Medieval Realm: RULES.md said again in plain Python, for comparison with the product.

Written from the documents alone and importing nothing of the product. A Realm is named by its Center. `centers` is a
dict from Center to the piece on it ("WD", "WM", "BD", "BM"); `border` is a dict from Center to the numbers of White's
and Black's Men dislodged there, without the Realms where both are 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from random import Random

from tests.realm_boards.twin_board import CENTERS, LETTER, NEXT_CENTER, WHITE, Pair, add  # B1
from tests.twin_games import print_random_games

Centers = dict[str, str]
Border = dict[str, Pair]
Position = tuple[frozenset[tuple[str, str]], frozenset[tuple[str, Pair]], int, Pair]

OFF = "off"

# M2, B3: the directions a piece may move in; the first is forward.
DIRECTIONS = {"WD": "NEWS", "WM": "NEW", "BD": "SEWN", "BM": "SEW"}
FAR_RANK = {"W": "11", "B": "2"}  # B3: the rank of the Centers of the far row

# V1: where the Dukes begin.
DUKES = {
    "back_middle": ("e2", "h2", "e11", "h11"),
    "back_corners": ("b2", "k2", "b11", "k11"),
    "front_middle": ("e5", "h5", "e8", "h8"),
    "front_corners": ("b5", "k5", "b8", "k8"),
}


@dataclass(frozen=True)
class MedievalTwinOptions:
    duke_squares: str = "back_middle"
    duke_draw: bool = True
    max_plies: int = 300


def with_border(border: Border, realm: str, seat: int, amount: int) -> Border:
    changed = {**border, realm: add(border.get(realm, (0, 0)), seat, amount)}
    return {center: men for center, men in changed.items() if men != (0, 0)}


def is_full(centers: Centers, border: Border, realm: str) -> bool:  # M7
    return (realm in centers) + sum(border.get(realm, (0, 0))) == 9


def may_enter(centers: Centers, border: Border, piece: str, realm: str) -> bool:  # M5, M7
    there = centers.get(realm, "")
    is_enemy_duke = there.endswith("D") and there[0] != piece[0]
    return not is_enemy_duke and not is_full(centers, border, realm)


def destinations(centers: Centers, border: Border, start: str) -> list[str]:  # M2, M3, M5, M7, M8
    # As no Center is visited twice and a piece goes on only from its own side's Centers, an end can be reached by a
    # legal path exactly when it can be reached at all without coming back to the start.
    piece = centers[start]
    visited, ends, going_on = {start}, [], [start]
    bears_off = False
    while going_on:
        here = going_on.pop()
        if here[1:] == FAR_RANK[piece[0]]:  # M8: it started here, or is brought here onto a piece of its own side
            bears_off = True
        for way in DIRECTIONS[piece]:
            center = NEXT_CENTER.get((here, way))  # M2
            if center is None or center in visited or not may_enter(centers, border, piece, center):
                continue
            visited.add(center)
            if center in centers and centers[center][0] == piece[0]:
                going_on.append(center)
            else:
                ends.append(center)
    return [*ends, OFF] if bears_off else ends


@dataclass(frozen=True)
class MedievalTwin:
    options: MedievalTwinOptions
    centers: Centers
    border: Border
    player: int = WHITE  # M1
    off: Pair = (0, 0)
    turns: int = 0
    passes: int = 0  # T1: passes in a row
    duke_rows: Pair = (0, 0)  # M11: the latest turns of each player that were moves of Dukes, at most 3
    seen: dict[Position, int] = field(default_factory=dict)  # T2
    reason: str | None = None
    winner: int | None = None
    cache: dict[str, list[str]] = field(default_factory=dict, init=False, compare=False)  # never carried over

    @classmethod
    def initial(cls, options: MedievalTwinOptions) -> MedievalTwin:  # M1, V1
        dukes = DUKES[options.duke_squares]
        sides = {center: "W" if int(center[1:]) <= 5 else "B" for center in CENTERS}
        centers = {center: side + ("D" if center in dukes else "M") for center, side in sides.items()}
        return cls(options, centers, {})._count_position()

    def seat(self) -> int | None:
        return None if self.reason is not None else self.player

    def _position(self) -> Position:  # T2: what is borne off follows from what is left
        return (frozenset(self.centers.items()), frozenset(self.border.items()), self.player, self.duke_rows)

    def _count_position(self) -> MedievalTwin:  # T2: a turn starts here
        position = self._position()
        return replace(self, seen={**self.seen, position: self.seen.get(position, 0) + 1})

    def summary(self) -> dict[str, object]:
        over = {"reason": self.reason, "scores": list(self.off), "winner": self.winner}
        return {
            "centers": dict(self.centers),
            "border": {realm: list(men) for realm, men in self.border.items()},
            "off": list(self.off),
            "seat": self.seat(),
            "turns": self.turns,
            "duke_rows": list(self.duke_rows),
            "over": None if self.reason is None else over,
        }

    def steps(self) -> list[str]:
        if "steps" not in self.cache:
            self.cache["steps"] = self._steps()
        return list(self.cache["steps"])

    def _steps(self) -> list[str]:
        if self.reason is not None:
            return []
        own = [(start, piece) for start, piece in self.centers.items() if piece[0] == LETTER[self.player]]
        moves = [
            f"{piece[1]}{start}{end}"
            for start, piece in own
            for end in destinations(self.centers, self.border, start)  # S1
        ]
        return moves or ["pass"]  # M10, S2

    def play(self, step: str) -> MedievalTwin:
        if step not in self.steps():
            raise ValueError(f"not a legal step: {step}")
        if step == "pass":  # M10, S2
            return self._complete_turn(passed=True, duke=False)
        start, end = re.findall("[a-l][0-9]+|off", step)
        return self._play_move(start, end)._complete_turn(passed=False, duke=step[0] == "D")

    def _play_move(self, start: str, end: str) -> MedievalTwin:
        me, foe = self.player, 1 - self.player
        centers, border = dict(self.centers), self.border
        piece = centers.pop(start)
        if border.get(start, (0, 0))[foe] > 0:  # M6
            border = with_border(border, start, foe, -1)
            centers[start] = LETTER[foe] + "M"
        if end == OFF:  # M8
            return replace(self, centers=centers, border=border, off=add(self.off, me, 1))
        if end in centers:  # M4: an enemy Man, for nothing else may be there
            border = with_border(border, end, foe, 1)
        centers[end] = piece
        return replace(self, centers=centers, border=border)

    def _complete_turn(self, *, passed: bool, duke: bool) -> MedievalTwin:
        if self.off[self.player] == 8:  # M9, looked at first
            return replace(self, reason="borne_off", winner=self.player)
        row = min(self.duke_rows[self.player] + 1, 3) if duke else 0  # M11
        after = replace(
            self,
            player=1 - self.player,
            turns=self.turns + 1,
            passes=self.passes + 1 if passed else 0,
            duke_rows=(row, self.duke_rows[1]) if self.player == WHITE else (self.duke_rows[0], row),
        )._count_position()
        return replace(after, reason=after._ending())

    def _ending(self) -> str | None:  # M11, T1 to T3, in the order RULES.md gives
        if self.options.duke_draw and self.duke_rows == (3, 3):  # M11, V2
            return "duke_draw"
        if self.passes >= 2:
            return "two_passes"
        if self.seen[self._position()] >= 3:
            return "repetition"
        return "max_plies" if self.turns >= self.options.max_plies else None


WIDTHS = (1, 2, 1000, 1000, 1000, 1000)  # few choices make positions repeat


def random_options(rng: Random) -> MedievalTwinOptions:
    return MedievalTwinOptions(rng.choice(list(DUKES)), rng.random() < 0.5, rng.choice([20, 60, 300, 300, 500]))


if __name__ == "__main__":
    print_random_games(lambda rng: MedievalTwin.initial(random_options(rng)), widths=WIDTHS)
