"""Score a hand with the best or with given choices: the points of every card, the choices, and why (S1 to S8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from realmtable.engine.errors import BadInput
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE, SUITS, WILD, CardId, names_of
from realmtable.games.fantasy_realms.effect_parser import ALL_SUITS, NO_SUIT, card_power
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring import explain
from realmtable.games.fantasy_realms.scoring.best_choices import (
    COPIES,
    DOPPELGANGER,
    ISLAND,
    MODEL,
    NEW_SUIT,
    TARGET,
    TIE_BREAK,
    best_total,
    clearable_places,
)
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    SCORING_OPTIONS,
    SUIT_OF,
    IntArray,
    ScoringRules,
    card_arrays,
    suit_number,
    to_kernel_array,
)
from realmtable.games.fantasy_realms.scoring.hand_text import Choices, check_size
from realmtable.games.fantasy_realms.scoring.total import find_unblanked, mark_cleared, sum_points
from realmtable.games.fantasy_realms.scoring.workspace import (
    BEST,
    BONUS,
    CHOICE_SIZE,
    PENALTY,
    STRENGTH,
    lay_out_hand,
    new_workspace,
    set_identity,
)

CACHE_SIZE: Final = 4096  # the same hands are scored again and again
DEFAULT_OPTIONS: Final = FantasyOptions()


@dataclass(frozen=True)
class CardScore:
    """What a card gives."""

    card: CardId
    name: str  # as it counts
    suit: str  # as it counts; empty for a Wild card if Wild is no suit
    strength: int
    bonus: int
    penalty: int
    points: int
    blanked: bool
    blanked_by: tuple[CardId, ...]
    cleared_by: tuple[CardId, ...]
    sentence: str


@dataclass(frozen=True)
class Score:
    """What a hand gives."""

    total: int
    strength: int  # the tie-break (P6)
    cards: tuple[CardScore, ...]
    choices: Choices


def scoring_rules_of(options: FantasyOptions) -> ScoringRules:
    """Return the options that affect scoring."""
    return ScoringRules(**{name: getattr(options, name) for name in SCORING_OPTIONS})


# ---- the best choices


def best_score(
    hand: Sequence[CardId], discard: Sequence[CardId] = (), options: FantasyOptions = DEFAULT_OPTIONS
) -> Score:
    """Score a hand with the jointly best choices; the Necromancer may take a card from `discard`."""
    check_size(hand)
    held = tuple(hand)
    return _best_score(held, tuple(sorted(eighth_candidates(held, discard))), scoring_rules_of(options))


def best_worth(
    hand: Sequence[CardId], discard: Sequence[CardId] = (), options: FantasyOptions = DEFAULT_OPTIONS
) -> int:
    """Return only the total of `best_score`, which is faster."""
    check_size(hand)
    held = tuple(hand)
    return _best_eighth(held, tuple(sorted(eighth_candidates(held, discard))), scoring_rules_of(options))[0]


def eighth_candidates(hand: Sequence[CardId], discard: Sequence[CardId]) -> Iterator[CardId]:
    """Yield the cards that may become the eighth; none if the hand already has eight (S8)."""
    suits = {suit for card in hand for suit in card_power(CARDS[card], "eighth") or () if len(hand) <= HAND_SIZE}
    return (card for card in discard if CARDS[card].suit in suits)


@lru_cache(CACHE_SIZE)
def _best_score(hand: tuple[CardId, ...], eligible: tuple[CardId, ...], scoring_rules: ScoringRules) -> Score:
    eighth = _best_eighth(hand, eligible, scoring_rules)[1] if eligible else None
    held = hand if eighth is None else (*hand, eighth)
    workspace = new_workspace()
    best_total(card_arrays(scoring_rules), to_kernel_array(held), workspace)
    return _compute_score(held, choices_from_workspace(held, workspace, eighth), scoring_rules)


@lru_cache(CACHE_SIZE)
def _best_eighth(
    hand: tuple[CardId, ...], eligible: tuple[CardId, ...], scoring_rules: ScoringRules
) -> tuple[int, CardId | None]:
    """Return the greatest total and the eighth card that gives it; P6 and S8 break ties."""
    table, workspace = card_arrays(scoring_rules), new_workspace()

    def worth(card: CardId | None) -> tuple[int, ...]:
        held = hand if card is None else (*hand, card)
        total = best_total(table, to_kernel_array(held), workspace)
        return total, -workspace[BEST + TIE_BREAK], *eighth_preference(card)

    worths = {card: worth(card) for card in (None, *eligible)}
    best = max(worths, key=worths.__getitem__)
    return int(worths[best][0]), best


def eighth_preference(card: CardId | None) -> tuple[bool, int]:
    """Return a sort key that prefers no eighth card to one, and a weaker one to a stronger one (S8)."""
    return card is None, 0 if card is None else -CARDS[card].strength


def choices_from_workspace(held: Sequence[CardId], workspace: IntArray, eighth: CardId | None) -> Choices:
    """Return the best choices that a search has left in the workspace."""
    best = workspace[BEST : BEST + CHOICE_SIZE]
    copies = [(card, CardId(best[COPIES + place])) for place, card in enumerate(held) if best[COPIES + place] >= 0]
    if best[MODEL] >= 0:
        copies.insert(0, (held[best[DOPPELGANGER]], held[best[MODEL]]))
    book = (held[best[TARGET]], _suit_name(best[NEW_SUIT])) if best[TARGET] >= 0 else None
    return Choices(eighth, tuple(copies), book, held[best[ISLAND]] if best[ISLAND] >= 0 else None)


def _suit_name(suit: int) -> str:
    return "" if suit == NO_SUIT else ALL_SUITS[suit]


# ---- fixed choices


def score_with_choices(
    hand: Sequence[CardId],
    choices: Choices = Choices(),  # noqa: B008 - a constant
    options: FantasyOptions = DEFAULT_OPTIONS,
) -> Score:
    """Score a hand with the given choices; raise `BadInput` for one that cannot be made."""
    held = (*hand, *(() if choices.eighth is None else (choices.eighth,)))
    check_size(held)
    return _compute_score(held, choices, scoring_rules_of(options))


def _compute_score(held: tuple[CardId, ...], choices: Choices, scoring_rules: ScoringRules) -> Score:
    table, workspace = card_arrays(scoring_rules), new_workspace()
    _lay_out_choices(table, workspace, held, choices, scoring_rules)
    island = _find_place(held, choices.island, "Island clears") if choices.island is not None else -1
    if island >= 0 and not clearable_places(workspace) >> island & 1:
        raise BadInput(f"Island cannot clear {CARDS[held[island]].name}: it clears a Flood or Flame (S5).")
    size = len(held)
    mark_cleared(workspace, island)
    alive = find_unblanked(table, workspace, size)
    total = int(sum_points(table, workspace, size, alive))
    why = explain.Explanation(held, choices, table, workspace, alive)
    cards = tuple(_card_score(why, place) for place in range(size))
    printed = scoring_rules.tie_break == "printed"
    strength = sum(CARDS[each.card].strength if printed else each.strength for each in cards)
    return Score(total, strength, cards, choices)


def _lay_out_choices(
    table: IntArray, workspace: IntArray, held: Sequence[CardId], choices: Choices, scoring_rules: ScoringRules
) -> None:
    copies = dict(choices.copies)
    double = next((card for card in held if card_power(CARDS[card], "copy") == "hand" and card in copies), None)
    copier = model = -1
    if double is not None:
        copier, model = held.index(double), _find_place(held, copies[double], f"{CARDS[double].name} becomes")
        if copier == model:
            raise BadInput(f"{CARDS[double].name} must become another card, not itself (S2).")
    lay_out_hand(table, workspace, to_kernel_array(held), copier, model)
    for wild, name in choices.copies:
        place = _find_place(held, wild, "A copy is made by")
        if wild != double:
            _check_copy(wild, name)
            set_identity(table, workspace, place, name, table[SUIT_OF + name])
    if choices.book is not None:
        _change_suit(table, workspace, held, choices.book, scoring_rules)


def _find_place(held: Sequence[CardId], card: CardId, start: str) -> int:
    if card not in held:
        raise BadInput(f"{start} {CARDS[card].name}, which is not in the hand.")
    return held.index(card)


def _check_copy(wild: CardId, name: CardId) -> None:
    suits = card_power(CARDS[wild], "suits")
    if card_power(CARDS[wild], "copy") != "game":
        raise BadInput(f"{CARDS[wild].name} cannot become another card.")
    if CARDS[name].suit not in suits:
        raise BadInput(f"{CARDS[wild].name} cannot become {CARDS[name].name}: it takes {', '.join(suits)} (S3).")


def _change_suit(
    table: IntArray, workspace: IntArray, held: Sequence[CardId], book: tuple[CardId, str], scoring_rules: ScoringRules
) -> None:
    card, suit = book
    place = _find_place(held, card, "The Book of Changes changes")
    changer = next((other for other in held if card_power(CARDS[other], "change")), None)
    if changer is None or changer == card:
        raise BadInput("The Book of Changes must be in the hand and change the suit of another card in it (S4).")
    if suit not in SUITS and not (suit in {WILD, ""} and scoring_rules.book_to_wild):
        raise BadInput(f"{suit or 'Nothing'} is not a suit; choose one of {', '.join(SUITS)} (S4).")
    name, number = explain.name_at(workspace, place), suit_number(suit, scoring_rules)
    set_identity(table, workspace, place, name, number)


def _card_score(why: explain.Explanation, place: int) -> CardScore:
    workspace, alive = why.workspace, bool(why.alive >> place & 1)
    strength, bonus, penalty = (int(workspace[at + place]) if alive else 0 for at in (STRENGTH, BONUS, PENALTY))
    return CardScore(
        why.held[place],
        CARDS[explain.name_at(workspace, place)].name,
        _suit_name(explain.suit_at(workspace, place)),
        strength,
        bonus,
        penalty,
        strength + bonus + penalty,
        not alive,
        tuple(why.held[other] for other in why.blankers(place)),
        tuple(why.held[other] for other in why.clearers(place)),
        why.sentence(place),
    )


# ---- as data


def score_to_json(score: Score) -> dict[str, Any]:
    """Return a score as plain data."""
    choices = score.choices
    chosen: dict[str, Any] = {CARDS[wild].name: CARDS[name].name for wild, name in choices.copies}
    if choices.book is not None:
        chosen["Book of Changes"] = [CARDS[choices.book[0]].name, choices.book[1]]
    if choices.island is not None:
        chosen["Island"] = CARDS[choices.island].name
    return {
        "total": score.total,
        "strength": score.strength,
        "cards": [_card_score_to_json(card) for card in score.cards],
        "choices": chosen,
        "eighth": None if choices.eighth is None else CARDS[choices.eighth].name,
    }


def _card_score_to_json(score: CardScore) -> dict[str, Any]:
    plain = {
        name: getattr(score, name) for name in ("name", "suit", "strength", "bonus", "penalty", "points", "blanked")
    }
    return {
        "card": CARDS[score.card].name,
        **plain,
        "blanked_by": names_of(score.blanked_by),
        "cleared_by": names_of(score.cleared_by),
        "sentence": score.sentence,
    }
