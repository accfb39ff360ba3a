"""Explain the points of each card in a sentence, and list the cards that blanked or cleared it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import count

from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.effect_parser import (
    ADD,
    ALL_SUITS,
    BLANKED_IF,
    BLANKED_UNLESS,
    CLEAR,
    DIFFER,
    NO_SUIT,
    RUNS,
    SETS,
    STRIKE,
    STRONGEST,
    EffectLine,
    bonus_lines,
    card_power,
    penalty_lines,
)
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    IS_PENALTY,
    MAX_REQUIRED,
    MIN_REWARDED,
    OF,
    REQUIRED,
    SEVERAL_RUNS,
    SEVERAL_SETS,
    SWITCHES,
    IntArray,
)
from realmtable.games.fantasy_realms.scoring.hand_text import Choices
from realmtable.games.fantasy_realms.scoring.total import NO_EFFECT, bonus_points, line_points, penalty_targets
from realmtable.games.fantasy_realms.scoring.workspace import (
    BLANKERS,
    BONUS,
    CLEARED,
    MASK,
    NAME,
    OWNER,
    ROW,
    ROW_COUNT,
    ROW_WIDTH,
    STRENGTH,
    SUIT,
    HandPlace,
    Mask,
)
from realmtable.kit.wording import format_signed, join_words


def name_at(workspace: IntArray, place: HandPlace) -> CardId:
    """Return the name a card counts as."""
    return int(workspace[NAME + place])


def suit_at(workspace: IntArray, place: HandPlace) -> int:
    """Return the suit a card counts as."""
    return int(workspace[SUIT + place])


def find_runs(strengths: Sequence[int]) -> list[tuple[int, int]]:
    """Return the lowest and highest strength of each rewarded run, longest first (S7).

    >>> find_runs([3, 4, 5, 6, 4, 5, 6, 9])
    [(3, 6), (4, 6)]
    """
    left, found = Counter(strengths), []
    while left:
        for low in [strength for strength in left if strength - 1 not in left]:
            high = next(strength for strength in count(low) if strength + 1 not in left)
            found.append((low, high))
        left -= Counter(list(left))
    return sorted([run for run in found if run[1] - run[0] + 1 >= MIN_REWARDED], key=lambda run: (run[0] - run[1], run))


@dataclass(frozen=True)
class Explanation:
    """A scored hand with the workspace of its scoring, from which reasons are read."""

    held: tuple[CardId, ...]
    choices: Choices
    table: IntArray  # the card arrays it was scored with
    workspace: IntArray
    alive: Mask

    # ---- which cards did it

    def blankers(self, place: HandPlace) -> list[HandPlace]:
        """Return the places of the cards that blank a card: unblanked ones, or those of its ring."""
        if self.alive >> place & 1:
            return []
        # Only if a card is blanked does the workspace hold the threats of this hand.
        threats = 0 if self.alive == (1 << len(self.held)) - 1 else int(self.workspace[BLANKERS + place])
        return self._places(threats & self.alive or threats)

    def clearers(self, place: HandPlace) -> list[HandPlace]:
        """Return the places of the cards that clear a card's penalty or strike a word from it."""
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

    def _names_word(self, place: HandPlace, word: str) -> bool:
        return any(line.of is not None and word in line.of.suits | line.of.others for line in self._penalties(place))

    # ---- in words

    def sentence(self, place: HandPlace) -> str:
        """Say what a card gave, and why."""
        parts = list(self._identity_parts(place))
        if self.alive >> place & 1:
            parts += [
                f"strength {self.workspace[STRENGTH + place]}",
                *self._describe_bonus(place),
                *self._describe_penalties(place),
            ]
        else:
            parts.append(self._describe_blanking(place))
        parts += self._describe_clearing(place)
        text = "; ".join(parts)
        return f"{text[0].upper()}{text[1:]}."

    def _identity_parts(self, place: HandPlace) -> Iterator[str]:
        card, name = self.held[place], name_at(self.workspace, place)
        if card == self.choices.eighth:
            yield "taken as an eighth card"
        if card != name:
            yield f"counts as {CARDS[name].name}"
        if self.choices.book is not None and self.choices.book[0] == card:
            yield f"made {self.choices.book[1] or 'Wild'} by the Book of Changes"

    def _describe_blanking(self, place: HandPlace) -> str:
        blankers = self.blankers(place)
        if blankers == [place]:
            return "blanked by itself"
        if blankers:
            names = join_words([self._name(other) for other in blankers])
            acting = any(self.alive >> other & 1 for other in blankers)
            return f"blanked {'by' if acting else 'in a ring with'} {names}"
        for row, line in self._rows[place]:
            if line.verb in (BLANKED_UNLESS, BLANKED_IF) and line.of is not None:
                meant = penalty_targets(self.workspace, row)
                present = [] if meant == NO_EFFECT else self._places(meant & self.alive)
                if line.verb == BLANKED_UNLESS and meant != NO_EFFECT and not present:
                    return f"blanked because there is no {line.of.text}"
                if line.verb == BLANKED_IF and present:
                    return f"blanked because of {join_words([self._name(other) for other in present])}"
        return "blanked in a ring of cards that wait for each other"

    def _describe_bonus(self, place: HandPlace) -> Iterator[str]:
        wanted = int(self.workspace[BONUS + place])
        for row, line in self._rows[place]:
            if not wanted or self.workspace[row + IS_PENALTY]:
                continue
            if bonus_points(self.table, self.workspace, row, len(self.held), self.alive) == wanted:
                yield f"{format_signed(wanted)} {self._describe_reason(row, line)}"
                return

    def _describe_penalties(self, place: HandPlace) -> Iterator[str]:
        for row, line in self._rows[place]:
            if self.workspace[row + IS_PENALTY] and line.verb == ADD:
                meant = penalty_targets(self.workspace, row)
                if meant == NO_EFFECT:
                    continue
                if lost := int(line_points(self.workspace, row, meant & self.alive, self.alive)):
                    yield f"{format_signed(lost)} {self._describe_reason(row, line, meant)}"

    def _describe_reason(self, row: int, line: EffectLine, meant: Mask | None = None) -> str:
        if line.verb == RUNS:
            return f"for {self._describe_runs()}"
        if line.verb == SETS:
            return f"for {self._describe_sets()}"
        if line.verb == DIFFER:
            return "because no two cards share a suit"
        counted = self._describe_counted_cards(row, line, meant)
        if line.verb != ADD:
            return f"from {counted}"
        parts = []
        if line.of is not None:
            parts.append(f"for {counted}")
        held = [self._name(place) for place in self._helpers(row)]
        if held:
            parts.append(f"with {join_words(held)}")
        if line.lacking is not None:
            parts.append(f"without {line.lacking.text}")
        return ", ".join(parts)

    def _describe_runs(self) -> str:
        runs = find_runs([int(self.workspace[STRENGTH + place]) for place in self._places(self.alive)])
        words = [f"{low} to {high}" for low, high in (runs if self.table[SWITCHES + SEVERAL_RUNS] else runs[:1])]
        return f"the run{'s' if len(words) > 1 else ''} {join_words(words)}"

    def _describe_sets(self) -> str:
        named = {(suit_at(self.workspace, place), name_at(self.workspace, place)) for place in self._places(self.alive)}
        sizes = Counter(suit for suit, _ in sorted(named) if suit != NO_SUIT).most_common()
        words = [f"{size} {ALL_SUITS[suit]}" for suit, size in sizes if size >= MIN_REWARDED]
        return f"{join_words(words if self.table[SWITCHES + SEVERAL_SETS] else words[:1])} cards"

    def _describe_counted_cards(self, row: int, line: EffectLine, meant: Mask | None) -> str:
        """List the cards that a line counts, or the strongest of them."""
        if line.of is None:
            return ""
        found = self._places((self._mask(row, OF) if meant is None else meant) & self.alive)
        if line.verb == STRONGEST:
            found = [max(found, key=lambda place: self.workspace[STRENGTH + place])]
        return join_words([self._name(place) for place in found])

    def _helpers(self, row: int) -> list[HandPlace]:
        """Return the first matching card for each requirement of a line."""
        found: list[HandPlace] = []
        for column in range(REQUIRED, REQUIRED + MAX_REQUIRED):
            if self.workspace[row + column] >= 0:
                found += self._places(int(self.workspace[MASK + self.workspace[row + column]]) & self.alive)[:1]
        return found

    def _describe_clearing(self, place: HandPlace) -> Iterator[str]:
        clearers = self.clearers(place)
        if clearers:
            how = "penalty cleared by" if self.workspace[CLEARED] >> place & 1 else "a word struck from its penalty by"
            yield f"{how} {join_words([self._name(other) for other in clearers])}"

    # ---- rows and places

    def _name(self, place: HandPlace) -> str:
        return CARDS[self.held[place]].name

    def _places(self, mask: Mask) -> list[HandPlace]:
        return [place for place in range(len(self.held)) if mask >> place & 1]

    def _mask(self, row: int, column: int) -> Mask:
        return int(self.workspace[MASK + self.workspace[row + column]])

    def _penalties(self, place: HandPlace) -> list[EffectLine]:
        return [line for row, line in self._rows[place] if self.workspace[row + IS_PENALTY]]

    @cached_property
    def _rows(self) -> list[list[tuple[int, EffectLine]]]:
        """Each card's lines with their rows in the workspace."""
        rows: list[list[int]] = [[] for _ in self.held]
        for row in range(ROW, ROW + ROW_WIDTH * int(self.workspace[ROW_COUNT]), ROW_WIDTH):
            rows[self.workspace[row + OWNER]].append(row)
        copies = dict(self.choices.copies)
        lines = (_lines_of(card, copies.get(card)) for card in self.held)
        return [list(zip(own, found, strict=True)) for own, found in zip(rows, lines, strict=True)]

    def _all_rows(self) -> Iterator[tuple[HandPlace, int, EffectLine]]:
        for place in range(len(self.held)):
            for row, line in self._rows[place]:
                yield place, row, line


@cache
def _lines_of(card: CardId, copied: CardId | None) -> tuple[EffectLine, ...]:
    """Return a card's lines; a card that becomes another card of the hand has its penalties too (S2)."""
    lines = bonus_lines(CARDS[card]) + penalty_lines(CARDS[card])
    if copied is not None and card_power(CARDS[card], "copy") == "hand":
        lines += penalty_lines(CARDS[copied])
    return tuple(lines)
