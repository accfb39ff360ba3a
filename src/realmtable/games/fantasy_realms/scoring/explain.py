"""Why a card gave what it gave: one sentence a card, and who blanked or cleared it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import count

from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.effects import (
    ADD,
    ALL_SUITS,
    CLEAR,
    DIFFER,
    IF,
    NO_SUIT,
    RUNS,
    SETS,
    STRIKE,
    STRONGEST,
    UNLESS,
    Line,
    bonus_lines,
    penalty_lines,
    power,
)
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    HELD,
    IS_PENALTY,
    MOST_HELD,
    OF,
    SEVERAL_RUNS,
    SEVERAL_SETS,
    SHORTEST,
    SWITCH,
    Numbers,
)
from realmtable.games.fantasy_realms.scoring.choices import Choices
from realmtable.games.fantasy_realms.scoring.total import GONE, added, bonus_of, meant_by
from realmtable.games.fantasy_realms.scoring.workspace import (
    BONUS,
    CLEARED,
    MASK,
    NAME,
    OWNER,
    ROW,
    ROWS,
    STRENGTH,
    SUIT,
    THREATS,
    WIDTH,
    Mask,
    Place,
)


def name_at(desk: Numbers, place: Place) -> CardId:
    """What a card counts as."""
    return int(desk[NAME + place])


def suit_at(desk: Numbers, place: Place) -> int:
    """The suit that a card counts as."""
    return int(desk[SUIT + place])


def listed(words: Sequence[str]) -> str:
    """Words with commas and an *and*.

    >>> listed(["King", "Queen", "Knights"])
    'King, Queen and Knights'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def signed(points: int) -> str:
    """Points with their sign."""
    return f"+{points}" if points >= 0 else f"−{-points}"


def runs_of(strengths: Sequence[int]) -> list[tuple[int, int]]:
    """The lowest and highest strength of each run that is rewarded, the longest first (S7).

    >>> runs_of([3, 4, 5, 6, 4, 5, 6, 9])
    [(3, 6), (4, 6)]
    """
    left, found = Counter(strengths), []
    while left:
        for low in [strength for strength in left if strength - 1 not in left]:
            high = next(strength for strength in count(low) if strength + 1 not in left)
            found.append((low, high))
        left -= Counter(list(left))
    return sorted([run for run in found if run[1] - run[0] + 1 >= SHORTEST], key=lambda run: (run[0] - run[1], run))


@dataclass(frozen=True)
class Explanation:
    """A scored hand on its desk, asked for its reasons."""

    held: tuple[CardId, ...]
    choices: Choices
    table: Numbers  # the reading of the rules by which it was scored
    desk: Numbers
    alive: Mask

    # ---- who did it

    def blankers(self, place: Place) -> list[Place]:
        """The places of the cards that blank a card: unblanked ones, or those of its ring."""
        if self.alive >> place & 1:
            return []
        threats = int(self.desk[THREATS + place]) if self._can_blank() else 0
        return self._places(threats & self.alive or threats)

    def clearers(self, place: Place) -> list[Place]:
        """The places of the cards that clear a card's penalty, or strike a word of it."""
        if not self._penalties(place):
            return []
        found = [
            other for other, row, line in self._all_rows() if line.verb == CLEAR and self._mask(row, OF) >> place & 1
        ]
        if self.choices.island == self.held[place]:
            found += [
                other for other, card in enumerate(self.held) if any("clear_one" in line for line in CARDS[card].bonus)
            ]
        return found or [
            other
            for other, row, line in self._all_rows()
            if line.verb == STRIKE and self._mask(row, OF) >> place & 1 and self._names_word(place, line.word)
        ]

    def _can_blank(self) -> bool:
        """Whether the desk's threats are of this hand: they are gathered only if there is anything to gather."""
        size = (1 << len(self.held)) - 1
        return self.alive != size

    def _names_word(self, place: Place, word: str) -> bool:
        return any(line.of is not None and word in line.of.suits | line.of.others for line in self._penalties(place))

    # ---- in words

    def sentence(self, place: Place) -> str:
        """What a card gave, and why."""
        parts = list(self._identity(place))
        if self.alive >> place & 1:
            parts += [f"strength {self.desk[STRENGTH + place]}", *self._bonus_words(place), *self._penalty_words(place)]
        else:
            parts.append(self._blanked_words(place))
        parts += self._cleared_words(place)
        text = "; ".join(parts)
        return f"{text[0].upper()}{text[1:]}."

    def _identity(self, place: Place) -> Iterator[str]:
        card, name = self.held[place], name_at(self.desk, place)
        if card == self.choices.eighth:
            yield "taken as an eighth card"
        if card != name:
            yield f"counts as {CARDS[name].name}"
        if self.choices.book is not None and self.choices.book[0] == card:
            yield f"made {self.choices.book[1] or 'Wild'} by the Book of Changes"

    def _blanked_words(self, place: Place) -> str:
        blankers = self.blankers(place)
        if blankers == [place]:
            return "blanked by itself"
        if blankers:
            names = listed([self._name(other) for other in blankers])
            return (
                f"blanked by {names}"
                if self._places(self.alive & _mask_of(blankers))
                else f"blanked in a ring with {names}"
            )
        for row, line in self._rows(place):
            if line.verb in (UNLESS, IF) and line.of is not None:
                meant = meant_by(self.desk, row)
                present = [] if meant == GONE else self._places(meant & self.alive)
                if line.verb == UNLESS and meant != GONE and not present:
                    return f"blanked, for there is no {line.of.text}"
                if line.verb == IF and present:
                    return f"blanked, for {listed([self._name(other) for other in present])} is there"
        return "blanked in a ring of cards that await each other"

    def _bonus_words(self, place: Place) -> Iterator[str]:
        wanted = int(self.desk[BONUS + place])
        for row, line in self._rows(place):
            if not wanted or self.desk[row + IS_PENALTY]:
                continue
            if bonus_of(self.table, self.desk, row, len(self.held), self.alive) == wanted:
                yield f"{signed(wanted)} {self._reason(row, line)}"
                return

    def _penalty_words(self, place: Place) -> Iterator[str]:
        for row, line in self._rows(place):
            if self.desk[row + IS_PENALTY] and line.verb == ADD:
                meant = meant_by(self.desk, row)
                lost = 0 if meant == GONE else int(added(self.desk, row, meant & self.alive, self.alive))
                if lost:
                    yield f"{signed(lost)} {self._reason(row, line, meant)}"

    def _reason(self, row: int, line: Line, meant: Mask | None = None) -> str:
        if line.verb == RUNS:
            return f"for {self._runs_words()}"
        if line.verb == SETS:
            return f"for {self._sets_words()}"
        if line.verb == DIFFER:
            return "as no two suits are alike"
        counted = self._counted(row, line, meant)
        if line.verb != ADD:
            return f"from {counted}"
        parts = []
        if line.of is not None:
            parts.append(f"for {counted}")
        held = [self._name(place) for place in self._helpers(row)]
        if held:
            parts.append(f"with {listed(held)}")
        if line.lacking is not None:
            parts.append(f"without {line.lacking.text}")
        return ", ".join(parts)

    def _runs_words(self) -> str:
        """The runs that count (S7)."""
        runs = runs_of([int(self.desk[STRENGTH + place]) for place in self._places(self.alive)])
        words = [f"{low} to {high}" for low, high in (runs if self.table[SWITCH + SEVERAL_RUNS] else runs[:1])]
        return f"the run{'s' if len(words) > 1 else ''} {listed(words)}"

    def _sets_words(self) -> str:
        """The suits of which enough different cards count (S7)."""
        named = {(suit_at(self.desk, place), name_at(self.desk, place)) for place in self._places(self.alive)}
        sizes = Counter(suit for suit, _ in sorted(named) if suit != NO_SUIT).most_common()
        words = [f"{size} {ALL_SUITS[suit]}" for suit, size in sizes if size >= SHORTEST]
        return f"{listed(words if self.table[SWITCH + SEVERAL_SETS] else words[:1])} cards"

    def _counted(self, row: int, line: Line, meant: Mask | None) -> str:
        """The cards that a line counts, or the strongest of them."""
        if line.of is None:
            return ""
        found = self._places((self._mask(row, OF) if meant is None else meant) & self.alive)
        if line.verb == STRONGEST:
            found = [max(found, key=lambda place: self.desk[STRENGTH + place])]
        return listed([self._name(place) for place in found])

    def _helpers(self, row: int) -> list[Place]:
        """For each thing that a line asks for, the first card that is it."""
        found: list[Place] = []
        for column in range(HELD, HELD + MOST_HELD):
            if self.desk[row + column] >= 0:
                found += self._places(int(self.desk[MASK + self.desk[row + column]]) & self.alive)[:1]
        return found

    def _cleared_words(self, place: Place) -> Iterator[str]:
        clearers = self.clearers(place)
        if clearers:
            what = "penalty cleared by" if self.desk[CLEARED] >> place & 1 else "a word struck from its penalty by"
            yield f"{what} {listed([self._name(other) for other in clearers])}"

    # ---- rows and places

    def _name(self, place: Place) -> str:
        return CARDS[self.held[place]].name

    def _places(self, mask: Mask) -> list[Place]:
        return [place for place in range(len(self.held)) if mask >> place & 1]

    def _mask(self, row: int, column: int) -> Mask:
        return int(self.desk[MASK + self.desk[row + column]])

    def _lines(self, place: Place) -> tuple[Line, ...]:
        """The lines that a card says, in the order of its rows on the desk."""
        return _lines_of(self.held[place], dict(self.choices.copies).get(self.held[place]))

    def _penalties(self, place: Place) -> list[Line]:
        return [line for row, line in self._rows(place) if self.desk[row + IS_PENALTY]]

    def _rows(self, place: Place) -> list[tuple[int, Line]]:
        return self._rows_by_place[place]

    @cached_property
    def _rows_by_place(self) -> list[list[tuple[int, Line]]]:
        """What every card says: each line with its row on the desk."""
        rows: list[list[int]] = [[] for _ in self.held]
        for row in range(ROW, ROW + WIDTH * int(self.desk[ROWS]), WIDTH):
            rows[self.desk[row + OWNER]].append(row)
        return [list(zip(own, self._lines(place), strict=True)) for place, own in enumerate(rows)]

    def _all_rows(self) -> Iterator[tuple[Place, int, Line]]:
        for place in range(len(self.held)):
            for row, line in self._rows(place):
                yield place, row, line


@cache
def _lines_of(card: CardId, copied: CardId | None) -> tuple[Line, ...]:
    """The lines that a card says as another; who becomes a card of the hand says its penalties too (S2)."""
    lines = bonus_lines(CARDS[card]) + penalty_lines(CARDS[card])
    if copied is not None and power(CARDS[card], "copy") == "hand":
        lines += penalty_lines(CARDS[copied])
    return tuple(lines)


def _mask_of(places: Sequence[Place]) -> Mask:
    return sum(1 << place for place in places)
