"""The best score with some choices fixed by hand and all others as good as they can be then (S2 to S5, S8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import cast

from realmtable.engine.errors import BadInput
from realmtable.games.fantasy_realms.cards import CARDS, WILD, CardId
from realmtable.games.fantasy_realms.effects import ALL_SUITS, NO_SUIT
from realmtable.games.fantasy_realms.scoring.api import (
    Score,
    _read_choices,
    best_score,
    eighths,
    prefer_eighth,
    reading_of,
    score,
)
from realmtable.games.fantasy_realms.scoring.best_choices import (
    BOOK,
    DOUBLE,
    MODEL,
    NEW_SUIT,
    TARGET,
    TOTAL,
    WORST,
    become,
    clearable,
    find_candidates,
    keep,
    place_of,
    try_book,
    try_island,
)
from realmtable.games.fantasy_realms.scoring.card_arrays import CHANGES_SUIT, COPIES_HAND, Reading, numbers, tables
from realmtable.games.fantasy_realms.scoring.choices import Choices
from realmtable.games.fantasy_realms.scoring.hand_text import Question, Wish, chooses
from realmtable.games.fantasy_realms.scoring.total import total_of
from realmtable.games.fantasy_realms.scoring.workspace import (
    BEST,
    CANDIDATE,
    CHOICE,
    COPIER,
    COUNT,
    MOST_CANDIDATES,
    NAME,
    PICK,
    SUIT,
    TRIED,
    Place,
    identify,
    lay_out,
    new_desk,
)


def best_with(question: Question) -> Score:
    """The best score in which the wishes of a question come true; `BadInput` says which of them cannot."""
    if not question.wishes:
        return best_score(question.hand, question.discard, question.options)
    wishes = dict(question.wishes)
    found, refusals = [], []
    for eighth in _eighths(question, wishes):
        try:
            found.append(_best_beside(question, wishes, eighth))
        except BadInput as error:  # it may come true with another eighth card
            refusals.append(error)
    if not found:
        raise refusals[0]
    return max(found, key=lambda each: (each.total, -each.strength, *prefer_eighth(each.choices.eighth)))


def _best_beside(question: Question, wishes: Mapping[CardId, Wish], eighth: CardId | None) -> Score:
    """The best score with the wishes and an eighth card, or none."""
    held = question.hand if eighth is None else (*question.hand, eighth)
    fixed = _fixed(wishes)
    score(held, fixed._replace(island=None), question.options)  # refuses what can never be chosen
    if fixed.island is not None and fixed.island not in held:
        score(held, fixed, question.options)
    choices = _Search(held, wishes, reading_of(question.options)).best(eighth)
    return score(
        question.hand, choices or fixed._replace(eighth=eighth), question.options
    )  # refuses what Island clears


def _eighths(question: Question, wishes: Mapping[CardId, Wish]) -> Sequence[CardId | None]:
    """The eighth cards to try: the one that is wished for, or all of them and none."""
    may = sorted(eighths(question.hand, question.discard))
    for chooser, wish in wishes.items():
        if chooses(CARDS[chooser]) == "eighth":
            if wish is not None and wish not in may:
                name = CARDS[cast("CardId", wish)].name
                raise BadInput(f"{CARDS[chooser].name} cannot take {name}: it is not in the discard area, or not of a"
                               " suit that can be taken, or the hand has eight cards already (S8).")  # fmt: skip
            return [wish]
    return [None, *may]


def _fixed(wishes: Mapping[CardId, Wish]) -> Choices:
    """The wishes alone as choices, without the eighth card."""
    copies, others = [], dict.fromkeys(("change", "clear_one"))
    for card, wish in wishes.items():
        kind = chooses(CARDS[card])
        if kind == "copy" and wish is not None:
            copies.append((card, wish))
        elif kind in others:
            others[kind] = wish
    return Choices(None, tuple(copies), others["change"], others["clear_one"])  # type: ignore[arg-type]  # wishes are of their kind


class _Search:
    """Goes through the choices that are left open, by the kernels' own parts."""

    def __init__(self, held: tuple[CardId, ...], wishes: Mapping[CardId, Wish], reading: Reading) -> None:
        self.held, self.reading = held, reading
        self.table, self.hand, self.desk = tables(reading), numbers(held), new_desk()
        self.wishes = {held.index(card): wish for card, wish in wishes.items()}  # by place
        self.islands = [place for place in self.wishes if chooses(CARDS[held[place]]) == "clear_one"]

    def best(self, eighth: CardId | None) -> Choices | None:
        """The best choices with the wishes among them; None where they are never possible."""
        desk = self.desk
        for entry in range(CHOICE):
            desk[TRIED + entry] = desk[BEST + entry] = -1
        desk[BEST + TOTAL] = WORST
        desk[TRIED + DOUBLE] = place_of(self.table, self.hand, COPIES_HAND)
        desk[TRIED + BOOK] = place_of(self.table, self.hand, CHANGES_SUIT)
        for model in self._models(desk[TRIED + DOUBLE]):
            desk[TRIED + MODEL] = model
            lay_out(self.table, desk, self.hand, desk[TRIED + DOUBLE] if model >= 0 else -1, model)
            for _ in self._copies():
                self._books(desk[TRIED + BOOK])
        return None if desk[BEST + TOTAL] == WORST else _read_choices(self.held, desk, eighth)

    def _models(self, double: Place) -> list[Place]:
        if double in self.wishes:
            return [self._place_of(self.wishes[double])]
        return [-1, *(place for place in range(len(self.held)) if place != double)] if double >= 0 else [-1]

    def _place_of(self, wish: Wish) -> Place:
        return -1 if wish is None else self.held.index(cast("CardId", wish))

    def _copies(self) -> Iterator[None]:
        """Let the copiers become all that is open to them, one combination after the other."""
        desk = self.desk
        copiers = range(find_candidates(self.table, self.hand, desk))
        for number in copiers:
            place = desk[COPIER + number]
            if place in self.wishes:
                wish = self.wishes[place]
                desk[COUNT + number] = 1
                desk[CANDIDATE + number * MOST_CANDIDATES] = -1 if wish is None else cast("CardId", wish)
        for picks in product(*(range(desk[COUNT + number]) for number in copiers)):
            for number, pick in enumerate(picks):
                desk[PICK + number] = pick
                become(self.table, self.hand, desk, number)
            yield

    def _books(self, book: Place) -> None:
        desk, wish = self.desk, self.wishes.get(book)
        if not self.islands and (book < 0 or book not in self.wishes):
            try_book(self.table, self.hand, desk)
            return
        for target, suit in self._changes(book, wish):
            desk[TRIED + TARGET], desk[TRIED + NEW_SUIT] = target, suit
            if target >= 0:
                name, before = desk[NAME + target], desk[SUIT + target]
                identify(self.table, desk, target, name, suit)
                self._clear()
                identify(self.table, desk, target, name, before)
            else:
                self._clear()

    def _changes(self, book: Place, wish: Wish) -> list[tuple[Place, int]]:
        """What the Book does: what is wished for, or every change and none."""
        if book < 0 or (book in self.wishes and wish is None):
            return [(-1, -1)]
        if isinstance(wish, tuple):
            return [(self.held.index(wish[0]), self._suit(wish[1]))]
        suits = [*range(len(ALL_SUITS) - 1), *([self._suit(WILD)] if self.reading.book_to_wild else [])]
        return [(-1, -1), *((place, suit) for place in range(len(self.held)) if place != book for suit in suits)]

    def _suit(self, suit: str) -> int:
        return NO_SUIT if suit == WILD and not self.reading.wild_is_suit else ALL_SUITS.index(suit)

    def _clear(self) -> None:
        """Try what Island may clear, or what it is wished to."""
        desk, size = self.desk, len(self.held)
        if not self.islands:
            try_island(self.table, size, desk)
            return
        island = self._place_of(self.wishes[self.islands[0]])
        if island < 0 or clearable(desk) >> island & 1:
            keep(self.table, desk, total_of(self.table, desk, size, island), island)
