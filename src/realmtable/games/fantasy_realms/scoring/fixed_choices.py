"""The best score when the user fixes some choices and the rest are optimised (S2 to S5, S8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import cast

from realmtable.engine.errors import BadInput
from realmtable.games.fantasy_realms.cards import CARDS, SUITS, WILD, CardId
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
    suit_number,
    to_kernel_array,
)
from realmtable.games.fantasy_realms.scoring.hand_text import Choices, FixedChoice, Question, choice_kind
from realmtable.games.fantasy_realms.scoring.score import (
    Score,
    best_score,
    choices_from_workspace,
    eighth_candidates,
    eighth_preference,
    score_with_choices,
    scoring_rules_of,
)
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


def best_score_with_fixed_choices(question: Question) -> Score:
    """Return the best score that respects a question's fixed choices; raise `BadInput` if one is impossible."""
    if not question.fixed_choices:
        return best_score(question.hand, question.discard, question.options)
    fixed = dict(question.fixed_choices)
    scores, refusals = [], []
    for eighth in _eighths_to_try(question, fixed):
        try:
            scores.append(_best_with_eighth(question, fixed, eighth))
        except BadInput as error:  # it may be possible with another eighth card
            refusals.append(error)
    if not scores:
        raise refusals[0]
    return max(scores, key=lambda each: (each.total, -each.strength, *eighth_preference(each.choices.eighth)))


def _best_with_eighth(question: Question, fixed: Mapping[CardId, FixedChoice], eighth: CardId | None) -> Score:
    held = question.hand if eighth is None else (*question.hand, eighth)
    fixed_choices = _to_choices(fixed)
    score_with_choices(held, fixed_choices._replace(island=None), question.options)  # refuses impossible choices
    if fixed_choices.island is not None and fixed_choices.island not in held:
        score_with_choices(held, fixed_choices, question.options)
    choices = _FixedChoiceSearch(held, fixed, scoring_rules_of(question.options)).best(eighth)
    # Without a result, Island cannot clear its card; scoring the fixed choices says so.
    return score_with_choices(question.hand, choices or fixed_choices._replace(eighth=eighth), question.options)


def _eighths_to_try(question: Question, fixed: Mapping[CardId, FixedChoice]) -> Sequence[CardId | None]:
    """Return the eighth cards to try: the fixed one, or none and every candidate."""
    may = sorted(eighth_candidates(question.hand, question.discard))
    for chooser, choice in fixed.items():
        if choice_kind(CARDS[chooser]) == "eighth":
            if choice is not None and choice not in may:
                name = CARDS[cast("CardId", choice)].name
                raise BadInput(f"{CARDS[chooser].name} cannot take {name}: it is not in the discard area, its suit"
                               " cannot be taken, or the hand already has eight cards (S8).")  # fmt: skip
            return [choice]
    return [None, *may]


def _to_choices(fixed: Mapping[CardId, FixedChoice]) -> Choices:
    """Return the fixed choices alone, without the eighth card."""
    copies, others = [], dict.fromkeys(("change", "clear_one"))
    for card, choice in fixed.items():
        kind = choice_kind(CARDS[card])
        if kind == "copy" and choice is not None:
            copies.append((card, choice))
        elif kind in others:
            others[kind] = choice
    return Choices(None, tuple(copies), others["change"], others["clear_one"])  # type: ignore[arg-type]  # each choice has the type of its kind


class _FixedChoiceSearch:
    """Searches the open choices with the kernels' own functions."""

    def __init__(
        self, held: tuple[CardId, ...], fixed: Mapping[CardId, FixedChoice], scoring_rules: ScoringRules
    ) -> None:
        self.held, self.scoring_rules = held, scoring_rules
        self.table, self.hand, self.workspace = card_arrays(scoring_rules), to_kernel_array(held), new_workspace()
        self.fixed_choices = {held.index(card): choice for card, choice in fixed.items()}  # by place
        self.islands = [place for place in self.fixed_choices if choice_kind(CARDS[held[place]]) == "clear_one"]

    def best(self, eighth: CardId | None) -> Choices | None:
        """Return the best choices that include the fixed ones; None if these are never possible."""
        workspace = self.workspace
        for entry in range(CHOICE_SIZE):
            workspace[TRIAL + entry] = workspace[BEST + entry] = -1
        workspace[BEST + TOTAL] = WORST
        workspace[TRIAL + DOPPELGANGER] = place_with_power(self.table, self.hand, COPIES_HAND)
        workspace[TRIAL + BOOK] = place_with_power(self.table, self.hand, CHANGES_SUIT)
        for model in self._doppelganger_models(workspace[TRIAL + DOPPELGANGER]):
            workspace[TRIAL + MODEL] = model
            lay_out_hand(self.table, workspace, self.hand, workspace[TRIAL + DOPPELGANGER] if model >= 0 else -1, model)
            for _ in self._each_copy_combination():
                self._try_book(workspace[TRIAL + BOOK])
        return None if workspace[BEST + TOTAL] == WORST else choices_from_workspace(self.held, workspace, eighth)

    def _doppelganger_models(self, double: HandPlace) -> list[HandPlace]:
        if double in self.fixed_choices:
            return [self._place_of(self.fixed_choices[double])]
        return [-1, *(place for place in range(len(self.held)) if place != double)] if double >= 0 else [-1]

    def _place_of(self, choice: FixedChoice) -> HandPlace:
        return -1 if choice is None else self.held.index(cast("CardId", choice))

    def _each_copy_combination(self) -> Iterator[None]:
        """Apply each combination of open candidates to the copiers in turn."""
        workspace = self.workspace
        copiers = range(find_candidates(self.table, self.hand, workspace))
        for number in copiers:
            place = workspace[COPIER + number]
            if place in self.fixed_choices:
                choice = self.fixed_choices[place]
                workspace[CANDIDATE_COUNT + number] = 1
                workspace[CANDIDATE + number * MAX_CANDIDATES] = -1 if choice is None else cast("CardId", choice)
        for picks in product(*(range(workspace[CANDIDATE_COUNT + number]) for number in copiers)):
            for number, pick in enumerate(picks):
                workspace[CURRENT_CANDIDATE + number] = pick
                apply_candidate(self.table, self.hand, workspace, number)
            yield

    def _try_book(self, book: HandPlace) -> None:
        workspace, choice = self.workspace, self.fixed_choices.get(book)
        if not self.islands and (book < 0 or book not in self.fixed_choices):
            try_book(self.table, self.hand, workspace)
            return
        for target, suit in self._book_changes(book, choice):
            workspace[TRIAL + TARGET], workspace[TRIAL + NEW_SUIT] = target, suit
            if target >= 0:
                name, before = workspace[NAME + target], workspace[SUIT + target]
                set_identity(self.table, workspace, target, name, suit)
                self._try_island()
                set_identity(self.table, workspace, target, name, before)
            else:
                self._try_island()

    def _book_changes(self, book: HandPlace, choice: FixedChoice) -> list[tuple[HandPlace, int]]:
        """Return the Book's changes to try: the fixed one, or none and every change."""
        if book < 0 or (book in self.fixed_choices and choice is None):
            return [(-1, -1)]
        if isinstance(choice, tuple):
            return [(self.held.index(choice[0]), suit_number(choice[1], self.scoring_rules))]
        rules = self.scoring_rules
        suits = [*range(len(SUITS)), *([suit_number(WILD, rules)] if rules.book_to_wild else [])]
        return [(-1, -1), *((place, suit) for place in range(len(self.held)) if place != book for suit in suits)]

    def _try_island(self) -> None:
        """Try the fixed choice of Island, or every card it may clear."""
        workspace, size = self.workspace, len(self.held)
        if not self.islands:
            try_island(self.table, size, workspace)
            return
        island = self._place_of(self.fixed_choices[self.islands[0]])
        if island < 0 or clearable_places(workspace) >> island & 1:
            keep_if_better(self.table, workspace, compute_total(self.table, workspace, size, island), island)
