"""The slow twin of Oriental Realm: RULES.md said again in plain Python, for comparison with the product.

Written from the documents alone and importing nothing of the product. A position is a dict from space ("g12") to piece
("WE" White's Emperor, "BM" a Mandarin of Black's); a Realm is named by its Center space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random

from tests.realm_boards.twin_board import (  # B1; O1: HOME; V2: half_turn
    COMPASS,
    HOME,
    LETTER,
    LINE,
    ORDER,
    REALM,
    SPACES,
    Pieces,
    half_turn,
    other_letter,
)
from tests.twin_games import print_random_games

Position = tuple[frozenset[tuple[str, str]], int]

LINES = {space: [LINE[space, way] for way in COMPASS] for space in SPACES}
NEIGHBOURS = {space: [line[0] for line in LINES[space] if line] for space in SPACES}  # B2


def _opposites(space: str) -> list[tuple[str, str]]:  # O4: the pairs of opposite neighbours
    north, east, south, west = LINES[space]
    return [(one[0], other[0]) for one, other in ((north, south), (east, west)) if one and other]


OPPOSITES = {space: _opposites(space) for space in SPACES}


@dataclass(frozen=True)
class OrientalTwinOptions:
    free_setup: bool = False
    emperor: str = "e2"
    warning: bool = False
    max_turns: int = 400


def may_move(pieces: Pieces, space: str) -> bool:  # O4 to O6: nothing pins this piece, or it may move all the same
    letter, kind = pieces[space][0], pieces[space][1]
    if kind == "E":
        return True
    foe = other_letter(letter)
    pinned = any(pieces.get(a, "")[:1] == foe == pieces.get(b, "")[:1] for a, b in OPPOSITES[space])
    return not pinned or any(pieces.get(next_to) == letter + "E" for next_to in NEIGHBOURS[space])


def destinations(pieces: Pieces, space: str) -> Iterator[str]:  # O3
    for line in LINES[space]:
        for end in line:
            if end in pieces:
                break
            yield end


def has_surrounded_group(pieces: Pieces, letter: str) -> bool:  # O8
    left = {space for space, piece in pieces.items() if piece[0] == letter}
    while left:
        group = [left.pop()]
        is_surrounded = True
        for space in group:  # grows while it is walked through
            for next_to in NEIGHBOURS[space]:
                if next_to not in pieces:
                    is_surrounded = False
                elif next_to in left:
                    left.remove(next_to)
                    group.append(next_to)
        if is_surrounded:
            return True
    return False


@dataclass(frozen=True)
class OrientalTwin:
    options: OrientalTwinOptions
    pieces: Pieces
    setup: int  # how many placements (V1) or choices (V2) are still to be made
    player: int = 0
    turns: int = 0
    passes: int = 0  # O10: passes in a row
    realm: str | None = None  # O2: the Realm of the turn, fixed by its first move
    unmoved: tuple[str, ...] = ()  # O2: where pieces stand that began the turn in it and have not moved
    seen: dict[Position, int] = field(default_factory=dict)  # T1: appearances at the start of a turn
    reason: str | None = None
    winner: int | None = None

    @classmethod
    def initial(cls, options: OrientalTwinOptions) -> OrientalTwin:  # O1, V1, V2
        if options.free_setup:
            if options.emperor == "choose":
                raise ValueError("V2: nothing to choose together with V1")
            return cls(options, {}, setup=16)
        pieces = {space: LETTER[seat] + "M" for seat in (0, 1) for space in HOME[seat]}
        if options.emperor == "choose":
            return cls(options, pieces, setup=2)
        pieces[options.emperor] = "WE"
        pieces[half_turn(options.emperor)] = "BE"
        return cls.at_turn(options, pieces)

    @classmethod
    def at_turn(cls, options: OrientalTwinOptions, pieces: Pieces, player: int = 0, turns: int = 0) -> OrientalTwin:
        return cls(options, pieces, 0, player, turns)._begin_turn()

    @property
    def me(self) -> str:
        return LETTER[self.player]

    def seat(self) -> int | None:
        return None if self.reason else self.player

    def summary(self) -> dict[str, object]:
        over: dict[str, object] | None = None
        if self.reason:
            scores = [0.5, 0.5] if self.winner is None else [1.0 - self.winner, 0.0 + self.winner]
            over = {"reason": self.reason, "scores": scores, "winner": self.winner}
        return {
            "pieces": dict(self.pieces),
            "seat": self.seat(),
            "turns": self.turns,
            "realm": self.realm,
            "unmoved": sorted(self.unmoved, key=ORDER.__getitem__),
            "over": over,
        }

    def steps(self) -> list[str]:
        return list(self._steps)

    @cached_property
    def _steps(self) -> list[str]:
        if self.reason:
            return []
        if self.setup:
            return self._placements() if self.options.free_setup else ["E" + space for space in HOME[self.player]]
        moves = self._moves()
        if self.realm:  # S2
            return [*moves, "end"]
        return moves or ["pass"]  # O7

    def _placements(self) -> list[str]:  # V1, S1
        mine = [piece for piece in self.pieces.values() if piece[0] == self.me]
        kinds = ["M"] * (mine.count(self.me + "M") < 7) + ["E"] * (self.me + "E" not in mine)
        held = {REALM[space] for space in self.pieces}
        return [kind + space for kind in kinds for space in SPACES if REALM[space] not in held]

    def _moves(self) -> list[str]:  # O2, S2
        starts = self.unmoved if self.realm else [s for s, piece in self.pieces.items() if piece[0] == self.me]
        return [
            f"{self.pieces[start][1]}{start}{end}"
            for start in starts
            if may_move(self.pieces, start)
            for end in destinations(self.pieces, start)
        ]

    def play(self, step: str) -> OrientalTwin:
        if step not in self._steps:
            raise ValueError(f"not a legal step: {step}")
        if self.setup:  # S1; V2 lays the chosen Emperor over a Mandarin
            pieces = {**self.pieces, step[1:]: self.me + step[0]}
            after = replace(self, pieces=pieces, setup=self.setup - 1, player=1 - self.player)
            return after if after.setup else after._begin_turn()
        if step in ("end", "pass"):
            return self._complete_turn(step == "pass")
        start, end = re.findall("[a-l][0-9]+", step)
        return self._play_move(start, end)

    def _play_move(self, start: str, end: str) -> OrientalTwin:  # O2, O9
        realm, began = self.realm, self.unmoved
        if realm is None:
            realm = REALM[start]
            began = tuple(s for s, piece in self.pieces.items() if piece[0] == self.me and REALM[s] == realm)
        pieces = dict(self.pieces)
        pieces[end] = pieces.pop(start)
        if has_surrounded_group(pieces, other_letter(self.me)):
            return self._over(pieces, "surrounded", self.player)
        if has_surrounded_group(pieces, self.me):
            return self._over(pieces, "self_surrounded", 1 - self.player)
        return replace(self, pieces=pieces, realm=realm, unmoved=tuple(s for s in began if s != start))

    def _over(self, pieces: Pieces, reason: str, winner: int) -> OrientalTwin:  # O9
        return replace(self, pieces=pieces, realm=None, unmoved=(), reason=reason, winner=winner)

    def _complete_turn(self, passed: bool) -> OrientalTwin:
        return replace(
            self,
            player=1 - self.player,
            turns=self.turns + 1,
            passes=self.passes + 1 if passed else 0,
            realm=None,
            unmoved=(),
        )._begin_turn()

    def _begin_turn(self) -> OrientalTwin:  # O10, T1, T2, in the order RULES.md gives
        position = (frozenset(self.pieces.items()), self.player)
        seen = {**self.seen, position: self.seen.get(position, 0) + 1}
        reason = None
        if self.passes >= 2:
            reason = "two_passes"
        elif seen[position] >= 3:
            reason = "repetition"
        elif self.turns >= self.options.max_turns:
            reason = "max_turns"
        return replace(self, seen=seen, reason=reason)


WIDTHS = (1, 2, 10, 1000, 1000, 1000)  # few choices make positions repeat


def random_options(rng: Random) -> OrientalTwinOptions:
    """Every option at random, the refused pair left out."""
    free_setup = rng.random() < 0.3
    emperor = rng.choice(["e2", *HOME[0], *(() if free_setup else ("choose", "choose"))])
    return OrientalTwinOptions(free_setup, emperor, rng.random() < 0.5, rng.choice([20, 100, 400, 600]))


if __name__ == "__main__":
    print_random_games(lambda rng: OrientalTwin.initial(random_options(rng)), widths=WIDTHS)
