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
    _choices_from_workspace,
    best_score,
    eighth_candidates,
    eighth_preference,
    score_with_choices,
    scoring_rules_of,
)
from realmtable.games.fantasy_realms.scoring.best_choices import (
    BOOK,
    DOPPELGANGER,
    MODEL,
    NEW_SUIT,
    TARGET,
    TOTAL,
    WORST,
    apply_candidate,
    clearable_places,
    find_candidates,
    keep_if_better,
    place_with_power,
    try_book,
    try_island,
)
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    CHANGES_SUIT,
    COPIES_HAND,
    ScoringRules,
    card_arrays,
    to_kernel_array,
)
from realmtable.games.fantasy_realms.scoring.choices import Choices
from realmtable.games.fantasy_realms.scoring.hand_text import FixedChoice, Question, choice_kind
from realmtable.games.fantasy_realms.scoring.total import compute_total
from realmtable.games.fantasy_realms.scoring.workspace import (
    BEST,
    CANDIDATE,
    CANDIDATE_COUNT,
    CHOICE_SIZE,
    COPIER,
    CURRENT_CANDIDATE,
    MAX_CANDIDATES,
    NAME,
    SUIT,
    TRIAL,
    HandPlace,
    lay_out_hand,
    new_workspace,
    set_identity,
)


def best_score_with_fixed(question: Question) -> Score:
    """The best score in which the wishes of a question come true; `BadInput` says which of them cannot."""
    if not question.fixed_choices:
        return best_score(question.hand, question.discard, question.options)
    wishes = dict(question.fixed_choices)
    found, refusals = [], []
    for eighth in _eighths_to_try(question, wishes):
        try:
            found.append(_best_with_eighth(question, wishes, eighth))
        except BadInput as error:  # it may come true with another eighth card
            refusals.append(error)
    if not found:
        raise refusals[0]
    return max(found, key=lambda each: (each.total, -each.strength, *eighth_preference(each.choices.eighth)))


def _best_with_eighth(question: Question, wishes: Mapping[CardId, FixedChoice], eighth: CardId | None) -> Score:
    """The best score with the wishes and an eighth card, or none."""
    held = question.hand if eighth is None else (*question.hand, eighth)
    fixed = _to_choices(wishes)
    score_with_choices(held, fixed._replace(island=None), question.options)  # refuses what can never be chosen
    if fixed.island is not None and fixed.island not in held:
        score_with_choices(held, fixed, question.options)
    choices = _FixedChoiceSearch(held, wishes, scoring_rules_of(question.options)).best(eighth)
    return score_with_choices(
        question.hand, choices or fixed._replace(eighth=eighth), question.options
    )  # refuses what Island clears


def _eighths_to_try(question: Question, wishes: Mapping[CardId, FixedChoice]) -> Sequence[CardId | None]:
    """The eighth cards to try: the one that is wished for, or all of them and none."""
    may = sorted(eighth_candidates(question.hand, question.discard))
    for chooser, wish in wishes.items():
        if choice_kind(CARDS[chooser]) == "eighth":
            if wish is not None and wish not in may:
                name = CARDS[cast("CardId", wish)].name
                raise BadInput(f"{CARDS[chooser].name} cannot take {name}: it is not in the discard area, or not of a"
                               " suit that can be taken, or the hand has eight cards already (S8).")  # fmt: skip
            return [wish]
    return [None, *may]


def _to_choices(wishes: Mapping[CardId, FixedChoice]) -> Choices:
    """The wishes alone as choices, without the eighth card."""
    copies, others = [], dict.fromkeys(("change", "clear_one"))
    for card, wish in wishes.items():
        kind = choice_kind(CARDS[card])
        if kind == "copy" and wish is not None:
            copies.append((card, wish))
        elif kind in others:
            others[kind] = wish
    return Choices(None, tuple(copies), others["change"], others["clear_one"])  # type: ignore[arg-type]  # wishes are of their kind


class _FixedChoiceSearch:
    """Goes through the choices that are left open, by the kernels' own parts."""

    def __init__(self, held: tuple[CardId, ...], wishes: Mapping[CardId, FixedChoice], reading: ScoringRules) -> None:
        self.held, self.reading = held, reading
        self.table, self.hand, self.workspace = card_arrays(reading), to_kernel_array(held), new_workspace()
        self.fixed_choices = {held.index(card): wish for card, wish in wishes.items()}  # by place
        self.islands = [place for place in self.fixed_choices if choice_kind(CARDS[held[place]]) == "clear_one"]

    def best(self, eighth: CardId | None) -> Choices | None:
        """The best choices with the wishes among them; None where they are never possible."""
        desk = self.workspace
        for entry in range(CHOICE_SIZE):
            desk[TRIAL + entry] = desk[BEST + entry] = -1
        desk[BEST + TOTAL] = WORST
        desk[TRIAL + DOPPELGANGER] = place_with_power(self.table, self.hand, COPIES_HAND)
        desk[TRIAL + BOOK] = place_with_power(self.table, self.hand, CHANGES_SUIT)
        for model in self._doppelganger_models(desk[TRIAL + DOPPELGANGER]):
            desk[TRIAL + MODEL] = model
            lay_out_hand(self.table, desk, self.hand, desk[TRIAL + DOPPELGANGER] if model >= 0 else -1, model)
            for _ in self._each_copy_combination():
                self._try_book(desk[TRIAL + BOOK])
        return None if desk[BEST + TOTAL] == WORST else _choices_from_workspace(self.held, desk, eighth)

    def _doppelganger_models(self, double: HandPlace) -> list[HandPlace]:
        if double in self.fixed_choices:
            return [self._place_of(self.fixed_choices[double])]
        return [-1, *(place for place in range(len(self.held)) if place != double)] if double >= 0 else [-1]

    def _place_of(self, wish: FixedChoice) -> HandPlace:
        return -1 if wish is None else self.held.index(cast("CardId", wish))

    def _each_copy_combination(self) -> Iterator[None]:
        """Let the copiers become all that is open to them, one combination after the other."""
        desk = self.workspace
        copiers = range(find_candidates(self.table, self.hand, desk))
        for number in copiers:
            place = desk[COPIER + number]
            if place in self.fixed_choices:
                wish = self.fixed_choices[place]
                desk[CANDIDATE_COUNT + number] = 1
                desk[CANDIDATE + number * MAX_CANDIDATES] = -1 if wish is None else cast("CardId", wish)
        for picks in product(*(range(desk[CANDIDATE_COUNT + number]) for number in copiers)):
            for number, pick in enumerate(picks):
                desk[CURRENT_CANDIDATE + number] = pick
                apply_candidate(self.table, self.hand, desk, number)
            yield

    def _try_book(self, book: HandPlace) -> None:
        desk, wish = self.workspace, self.fixed_choices.get(book)
        if not self.islands and (book < 0 or book not in self.fixed_choices):
            try_book(self.table, self.hand, desk)
            return
        for target, suit in self._book_changes(book, wish):
            desk[TRIAL + TARGET], desk[TRIAL + NEW_SUIT] = target, suit
            if target >= 0:
                name, before = desk[NAME + target], desk[SUIT + target]
                set_identity(self.table, desk, target, name, suit)
                self._try_island()
                set_identity(self.table, desk, target, name, before)
            else:
                self._try_island()

    def _book_changes(self, book: HandPlace, wish: FixedChoice) -> list[tuple[HandPlace, int]]:
        """What the Book does: what is wished for, or every change and none."""
        if book < 0 or (book in self.fixed_choices and wish is None):
            return [(-1, -1)]
        if isinstance(wish, tuple):
            return [(self.held.index(wish[0]), self._suit_index(wish[1]))]
        suits = [*range(len(ALL_SUITS) - 1), *([self._suit_index(WILD)] if self.reading.book_to_wild else [])]
        return [(-1, -1), *((place, suit) for place in range(len(self.held)) if place != book for suit in suits)]

    def _suit_index(self, suit: str) -> int:
        return NO_SUIT if suit == WILD and not self.reading.wild_is_suit else ALL_SUITS.index(suit)

    def _try_island(self) -> None:
        """Try what Island may clear, or what it is wished to."""
        desk, size = self.workspace, len(self.held)
        if not self.islands:
            try_island(self.table, size, desk)
            return
        island = self._place_of(self.fixed_choices[self.islands[0]])
        if island < 0 or clearable_places(desk) >> island & 1:
            keep_if_better(self.table, desk, compute_total(self.table, desk, size, island), island)
