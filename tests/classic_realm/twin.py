"""The slow twin of Classic Realm: RULES.md said again in plain Python, for comparison with the product.

Written from the documents alone and importing nothing of the product. A Realm is named by its Center, the pad. `pads`
is a dict from pad to the letter of the frog on it ("W", "B"); `water` is a dict from pad to the numbers of White's and
Black's frogs in the water around it, without the Realms where both are 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from random import Random

from tests.realm_boards.twin_board import BLACK, CENTERS, COMPASS, LETTER, NEXT_CENTER, WHITE, Pair, add  # B1
from tests.twin_games import print_random_games

Pads = dict[str, str]
Water = dict[str, Pair]
Position = tuple[frozenset[tuple[str, str]], frozenset[tuple[str, Pair]], int, int | None, int]
# C2: the next pads north, east, south and west
NEIGHBOURS = {
    center: [NEXT_CENTER[center, way] for way in COMPASS if (center, way) in NEXT_CENTER] for center in CENTERS
}


@dataclass(frozen=True)
class ClassicTwinOptions:
    free_setup: bool = False
    double_moves: bool = False
    max_plies: int = 300


def with_water(water: Water, realm: str, seat: int, amount: int) -> Water:
    changed = {**water, realm: add(water.get(realm, (0, 0)), seat, amount)}
    return {center: frogs for center, frogs in changed.items() if frogs != (0, 0)}


def is_full(pads: Pads, water: Water, realm: str) -> bool:  # C6
    return (realm in pads) + sum(water.get(realm, (0, 0))) == 9


def destinations(pads: Pads, water: Water, start: str) -> list[str]:  # C2, C3, C6
    # As no pad is visited twice and a frog goes on only from its own side's pads, a pad can be reached by a legal path
    # exactly when it can be reached at all without coming back to the start.
    own = pads[start]
    visited, ends, going_on = {start}, [], [start]
    while going_on:
        for pad in NEIGHBOURS[going_on.pop()]:
            if pad in visited or is_full(pads, water, pad):
                continue
            visited.add(pad)
            if pads.get(pad) == own:
                going_on.append(pad)
            else:
                ends.append(pad)
    return ends


@dataclass(frozen=True)
class ClassicTwin:
    options: ClassicTwinOptions
    pads: Pads
    water: Water
    player: int  # whose turn it is, also while frogs are being placed
    to_place: int  # V1: frogs not yet placed, of both players together
    holder: int | None  # V2: who holds the right to a double move; None without V2
    owed: int  # V2, S3: regular turns the holder still owes before he may use it; 0 without V2
    turns: int = 0
    passes: int = 0  # T1: passes in a row
    second_half: bool = False  # S3: the first move of the turn is made and a second may follow
    rescued: str | None = None  # C5, S3: the pad of the frog that the first move rescued
    seen: dict[Position, int] = field(default_factory=dict)  # T2
    reason: str | None = None
    winner: int | None = None
    cache: dict[str, list[str]] = field(default_factory=dict, init=False, compare=False)  # never carried over

    @classmethod
    def initial(cls, options: ClassicTwinOptions) -> ClassicTwin:
        first_mover = BLACK if options.free_setup else WHITE  # C1, V1
        holder, owed = (1 - first_mover, 2) if options.double_moves else (None, 0)  # V2, S3
        if options.free_setup:  # V1: White places first
            return cls(options, {}, {}, WHITE, 16, holder, owed)
        pads = {center: "W" if int(center[1:]) <= 5 else "B" for center in CENTERS}  # C1
        return cls(options, pads, {}, first_mover, 0, holder, owed)._count_position()

    def seat(self) -> int | None:
        return None if self.reason is not None else self.player

    def _position(self) -> Position:  # T2
        return (frozenset(self.pads.items()), frozenset(self.water.items()), self.player, self.holder, self.owed)

    def _count_position(self) -> ClassicTwin:  # T2: a turn starts here
        position = self._position()
        return replace(self, seen={**self.seen, position: self.seen.get(position, 0) + 1})

    def _scores(self) -> list[int]:  # Ends that are ours: the number of frogs on pads
        on_pads = list(self.pads.values())
        return [on_pads.count("W"), on_pads.count("B")]

    def summary(self) -> dict[str, object]:
        over = {"reason": self.reason, "scores": self._scores(), "winner": self.winner}
        return {
            "pads": dict(self.pads),
            "water": {realm: list(frogs) for realm, frogs in self.water.items()},
            "seat": self.seat(),
            "turns": self.turns,
            "holder": self.holder,
            "owed": self.owed,
            "second_half": self.second_half,
            "rescued": self.rescued,
            "over": None if self.reason is None else over,
        }

    def steps(self) -> list[str]:
        if "steps" not in self.cache:
            self.cache["steps"] = self._steps()
        return list(self.cache["steps"])

    def _steps(self) -> list[str]:
        if self.reason is not None:
            return []
        if self.to_place:  # V1, S1
            return ["F" + pad for pad in CENTERS if pad not in self.pads]
        own = [pad for pad, letter in self.pads.items() if letter == LETTER[self.player] and pad != self.rescued]
        moves = [f"F{start}{end}" for start in own for end in destinations(self.pads, self.water, start)]  # S2
        if self.second_half:  # S3
            return [*moves, "end"]
        return moves or ["pass"]  # C8, S4

    def play(self, step: str) -> ClassicTwin:
        if step not in self.steps():
            raise ValueError(f"not a legal step: {step}")
        if self.to_place:
            return self._play_placement(step[1:])
        if step == "pass":  # C8, S4
            return self._complete_turn(passed=True, doubled=False)
        if step == "end":  # S3
            return self._complete_turn(passed=False, doubled=False)
        start, end = re.findall("[a-l][0-9]+", step)
        return self._play_move(start, end)

    def _play_placement(self, pad: str) -> ClassicTwin:  # V1, S1
        pads = {**self.pads, pad: LETTER[self.player]}
        if self.to_place == 1:  # Black, who placed the sixteenth, moves first
            return replace(self, pads=pads, to_place=0)._count_position()
        return replace(self, pads=pads, to_place=self.to_place - 1, player=1 - self.player)

    def _play_move(self, start: str, end: str) -> ClassicTwin:
        me, foe = self.player, 1 - self.player
        pads, water = dict(self.pads), self.water
        frog, rescued = pads.pop(start), None
        if water.get(start, (0, 0))[me] > 0:  # C5
            water = with_water(water, start, me, -1)
            pads[start] = frog
            rescued = start
        if end in pads:  # C4
            water = with_water(water, end, foe, 1)
        pads[end] = frog
        after = replace(self, pads=pads, water=water, second_half=False, rescued=None)
        if LETTER[foe] not in pads.values():  # C7: all eight are in the water, for none ever leaves the board
            return replace(after, reason="all_in_water", winner=me)
        if self.second_half:
            return after._complete_turn(passed=False, doubled=True)
        if self.holder == me and self.owed == 0:  # V2, S3: the right is usable
            return replace(after, second_half=True, rescued=rescued)
        return after._complete_turn(passed=False, doubled=False)

    def _complete_turn(self, *, passed: bool, doubled: bool) -> ClassicTwin:
        holder, owed = self.holder, self.owed
        if holder is not None and doubled:  # V2, S3: he hands the right to the other
            holder, owed = 1 - holder, 2
        elif holder == self.player:  # V2, S3: a regular turn of the holder's
            owed = max(owed - 1, 0)
        after = replace(
            self,
            player=1 - self.player,
            holder=holder,
            owed=owed,
            turns=self.turns + 1,
            passes=self.passes + 1 if passed else 0,
            second_half=False,
            rescued=None,
        )._count_position()
        return replace(after, reason=after._ending())

    def _ending(self) -> str | None:  # T1 to T3, in the order RULES.md gives
        if self.passes >= 2:
            return "two_passes"
        if self.seen[self._position()] >= 3:
            return "repetition"
        return "max_plies" if self.turns >= self.options.max_plies else None


WIDTHS = (1, 2, 1000, 1000, 1000, 1000)  # few choices make positions repeat


def random_options(rng: Random) -> ClassicTwinOptions:
    return ClassicTwinOptions(rng.random() < 0.5, rng.random() < 0.5, rng.choice([20, 60, 300, 300, 500]))


if __name__ == "__main__":
    print_random_games(lambda rng: ClassicTwin.initial(random_options(rng)), widths=WIDTHS)
