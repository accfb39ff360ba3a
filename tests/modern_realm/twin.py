"""The slow twin of Modern Realm: RULES.md said again in plain Python, for comparison with the product.

Written from the documents alone and importing nothing of the product. A position is a dict from space ("g12") to piece
("WC" White's Counter-Agent, "BA" an Agent of Black's, "WH" a Headquarters); a Realm is named by its Center space, so
`pieces.get(realm)` is the piece on its Center.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from tests.realm_boards.twin_board import (  # B1; D1: HOME; V1: half_turn
    BORDER,
    CENTERS,
    COMPASS,
    HOME,
    LETTER,
    LINE,
    ORDER,
    REALM,
    Pieces,
    half_turn,
    other_letter,
)
from tests.twin_games import print_random_games

RIGHT_ANGLES = {"N": "EW", "E": "NS", "S": "EW", "W": "NS"}
TARGETS = (CENTERS[8:], CENTERS[:8])  # B2


@dataclass(frozen=True)
class ModernTwinOptions:
    counter_agent: str = "e2"
    hq_counts: bool = True
    max_turns: int = 300
    origin_closed: bool = False
    capture_on_entry: bool = False


def count(pieces: Pieces, realm: str, letter: str, hq_counts: bool) -> int:  # D3, D9, D11, V2
    there = [pieces[space] for space in (realm, *BORDER[realm]) if space in pieces]
    return sum(piece[0] == letter and (hq_counts or piece[1] != "H") for piece in there)


def is_mobile(pieces: Pieces, space: str, hq_counts: bool) -> bool:  # D3, D11
    letter, kind = pieces[space][0], pieces[space][1]
    if kind != "A":
        return kind == "C"
    realm = REALM[space]
    if realm not in pieces or pieces[realm][0] == letter:
        return True
    return count(pieces, realm, letter, hq_counts) >= count(pieces, realm, other_letter(letter), hq_counts)


def destinations(pieces: Pieces, start: str, options: ModernTwinOptions) -> list[str]:  # D4 to D8
    me, home = pieces[start][0], REALM[start]
    foe = other_letter(me)
    pieces = {space: piece for space, piece in pieces.items() if space != start}  # D4: it has left its space
    closed = {REALM[space] for space, piece in pieces.items() if piece == foe + "C"}  # D5
    mine = {center for center in CENTERS if pieces.get(center, "")[:1] == me}  # D7: where it may turn
    theirs = {center for center in CENTERS if pieces.get(center, "")[:1] == foe}  # D6: where it must end
    taken = {center for center in TARGETS[LETTER.index(me)] if center not in pieces and options.capture_on_entry}  # V5
    if options.origin_closed or home in theirs | taken:  # V4; D4: nor where it would have to end
        closed.add(home)
    theirs.discard(home)  # it leaves that Realm, and has not entered it
    seen: set[tuple[str, str, bool]] = set()
    # A space, the direction, whether it has turned in this Realm, and whether it has left the one where it began.
    lines = [(start, way, False, False) for way in COMPASS]
    while lines:
        space, way, turned, left_home = lines.pop()
        here = REALM[space]
        for end in LINE[space, way]:
            if end in pieces:  # D4
                break
            realm = REALM[end]
            if realm != here:
                if realm in closed or here in theirs:  # D5, D6
                    break
                here, turned, left_home = realm, False, True
            if not left_home:
                continue  # D4, D7: straight on towards the way out
            if (end, way, turned) in seen:
                break
            seen.add((end, way, turned))
            if here in taken:  # V5
                break
            if here in mine and not turned:  # D7
                lines.extend((end, aside, True, True) for aside in RIGHT_ANGLES[way])
    return sorted({end for end, _, _ in seen if REALM[end] != home}, key=ORDER.__getitem__)  # D4


@dataclass(frozen=True)
class ModernTwin:
    options: ModernTwinOptions
    pieces: Pieces
    setup: int  # how many choices (V1) are still to be made
    player: int = 0
    turns: int = 0
    passes: int = 0  # T1: passes in a row
    realm: str | None = None  # D2: the Realm of the turn, fixed by its first move
    unmoved: tuple[str, ...] = ()  # D2: where pieces stand that were mobile in it at the start and have not moved
    dislodging: str | None = None  # S3: the Realm where a dislodged Agent waits for its space
    reason: str | None = None
    winner: int | None = None

    @classmethod
    def initial(cls, options: ModernTwinOptions) -> ModernTwin:  # D1, V1
        pieces = {space: LETTER[seat] + "A" for seat in (0, 1) for space in HOME[seat]}
        if options.counter_agent == "choose":
            return cls(options, pieces, setup=2)
        pieces[options.counter_agent] = "WC"
        pieces[half_turn(options.counter_agent)] = "BC"
        return cls.at_turn(options, pieces)

    @classmethod
    def at_turn(cls, options: ModernTwinOptions, pieces: Pieces, player: int = 0, turns: int = 0) -> ModernTwin:
        return cls(options, pieces, 0, player, turns)

    @property
    def me(self) -> str:
        return LETTER[self.player]

    @property
    def foe(self) -> str:
        return LETTER[1 - self.player]

    def seat(self) -> int | None:
        return None if self.reason else self.player

    def _headquarters(self) -> list[int]:  # D13, and the score
        pieces = list(self.pieces.values())
        return [pieces.count(letter + "H") for letter in LETTER]

    def summary(self) -> dict[str, object]:
        over: dict[str, object] | None = None
        if self.reason:
            over = {"reason": self.reason, "scores": self._headquarters(), "winner": self.winner}
        return {
            "pieces": dict(self.pieces),
            "seat": self.seat(),
            "turns": self.turns,
            "realm": self.realm,
            "unmoved": sorted(self.unmoved, key=ORDER.__getitem__),
            "dislodging": self.dislodging,
            "over": over,
        }

    def steps(self) -> list[str]:
        return list(self._steps)

    @cached_property
    def _steps(self) -> list[str]:
        if self.reason:
            return []
        if self.setup:  # S1
            return ["C" + space for space in HOME[self.player]]
        if self.dislodging:  # D10, S3
            return ["xA" + space for space in BORDER[self.dislodging] if space not in self.pieces]
        return self._moves or ["pass"]  # D12, S4

    @cached_property
    def _moves(self) -> list[str]:  # D2, S2
        starts = self.unmoved if self.realm else self._mobile_spaces()
        ends = {start: destinations(self.pieces, start, self.options) for start in starts}
        return [f"{self.pieces[start][1]}{start}{end}" for start in starts for end in ends[start]]

    def _mobile_spaces(self) -> list[str]:  # D3
        mine = [space for space, piece in self.pieces.items() if piece[0] == self.me]
        return [space for space in mine if is_mobile(self.pieces, space, self.options.hq_counts)]

    def play(self, step: str) -> ModernTwin:
        if step not in self._steps:
            raise ValueError(f"not a legal step: {step}")
        if self.setup:  # V1, S1
            pieces = {**self.pieces, step[1:]: self.me + "C"}
            return replace(self, pieces=pieces, setup=self.setup - 1, player=1 - self.player)
        if step == "pass":
            return self._complete_turn(passed=True)
        if self.dislodging:  # D10, S3
            pieces = {**self.pieces, step[2:]: self.foe + "A"}
            return replace(self, pieces=pieces, dislodging=None)._go_on()
        start, end = re.findall("[a-l][0-9]+", step)
        return self._play_move(start, end)

    def _play_move(self, start: str, end: str) -> ModernTwin:  # D2, D9
        origin, mobile = self.realm, self.unmoved
        if origin is None:
            origin = REALM[start]
            mobile = tuple(space for space in self._mobile_spaces() if REALM[space] == origin)
        turn = replace(self, realm=origin, unmoved=tuple(space for space in mobile if space != start))
        realm = REALM[end]
        center = self.pieces.get(realm)  # before the piece arrives
        pieces = dict(self.pieces)
        pieces[end] = pieces.pop(start)
        after = replace(turn, pieces=pieces)
        if realm not in TARGETS[self.player] or (center is not None and center[0] == self.me):
            return after._go_on()
        hq_counts = self.options.hq_counts
        has_more = count(pieces, realm, self.me, hq_counts) > count(pieces, realm, self.foe, hq_counts)
        if center is None or pieces[end][1] == "C" or has_more:
            return after._capture(end, dislodges=center is not None)
        return after._go_on()

    def _capture(self, captor: str, dislodges: bool) -> ModernTwin:  # D10, D13; the captor stands on its space still
        realm = REALM[captor]
        pieces = dict(self.pieces)
        del pieces[captor]
        pieces[realm] = self.me + "H"  # the dislodged Agent is off the board until its space is chosen (S3)
        after = replace(self, pieces=pieces)
        if after._headquarters()[self.player] == 8:
            return replace(after, realm=None, unmoved=(), reason="eight_headquarters", winner=self.player)
        return replace(after, dislodging=realm) if dislodges else after._go_on()

    def _go_on(self) -> ModernTwin:  # D2
        return self if self._moves else self._complete_turn(passed=False)

    def _complete_turn(self, passed: bool) -> ModernTwin:  # T1, T2, in the order RULES.md gives
        turns, passes = self.turns + 1, self.passes + 1 if passed else 0
        reason = None
        if passes >= 2:
            reason = "two_passes"
        elif turns >= self.options.max_turns:
            reason = "max_turns"
        player = 1 - self.player
        return replace(self, player=player, turns=turns, passes=passes, realm=None, unmoved=(), reason=reason)


def random_options(rng: Random) -> ModernTwinOptions:
    """Every option at random."""
    counter_agent = rng.choice(["e2", "choose", "choose", *HOME[0]])
    closed, literal = rng.random() < 0.3, rng.random() < 0.3
    return ModernTwinOptions(counter_agent, rng.random() < 0.6, rng.choice([20, 300, 300, 1000]), closed, literal)


if __name__ == "__main__":
    print_random_games(lambda rng: ModernTwin.initial(random_options(rng)))
