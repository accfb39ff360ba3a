"""The score sheet of a hand: points and reasons, every choice that was made, and what else could be chosen.

`hand_scorer` offers all of this to the command, the page and the API, which know nothing of the cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from random import Random
from typing import Any, Final

from realmtable.engine.options import OptionInfo, describe
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE, SUITS, WILD, CardId
from realmtable.games.fantasy_realms.effects import card_power, parse_selector
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.phrases import format_signed
from realmtable.games.fantasy_realms.picture.emblems import EMBLEM_SIDE, draw_emblem
from realmtable.games.fantasy_realms.picture.style import STYLE, STYLE_NAME, suit_class
from realmtable.games.fantasy_realms.scoring.api import Score, best_score, eighth_candidates, score_to_json
from realmtable.games.fantasy_realms.scoring.card_arrays import ScoringRules
from realmtable.games.fantasy_realms.scoring.choices import Choices
from realmtable.games.fantasy_realms.scoring.fixed_choices import best_score_with_fixed
from realmtable.games.fantasy_realms.scoring.hand_text import (
    NO_CHOICE,
    FixedChoice,
    Question,
    choice_kind,
    describe_unusual_size,
    format_fixed_choice,
    question_to_texts,
)
from realmtable.kit.svg import element

CHOICE_VERBS: Final = {"copy": "counts as", "change": "changes", "clear_one": "clears", "eighth": "takes"}
UNUSED_WORDS: Final = {"copy": "itself", "change": "nothing", "clear_one": "nothing", "eighth": "nothing"}
TRIALS_PER_CHOICE: Final = {"hand": HAND_SIZE, "game": 12, "change": 50, "clear_one": 2}  # that are tried, roughly


def rulings() -> list[OptionInfo]:
    """The options that a score depends on."""
    read_by = {field.name for field in fields(ScoringRules)}
    return [info for info in describe(FantasyOptions) if info.name in read_by]


def effort(question: Question) -> int:
    """How many ways of choosing a question asks for, roughly: under a thousand the answer takes a blink."""
    ways = 1 + len(list(eighth_candidates(question.hand, question.discard)))
    for card in question.hand:
        kind = choice_kind(CARDS[card])
        ways *= TRIALS_PER_CHOICE.get(card_power(CARDS[card], "copy") or kind, 1)
    return ways


def advise(question: Question, seats: int, taken: str | Sequence[str], rng: Random) -> dict[str, Any]:
    """What to do next with a hand while the game goes on; `taken` are cards that others are known to hold."""
    from realmtable.games.fantasy_realms.bots import advice  # noqa: PLC0415 - most who score ask for none

    return advice.advise_question(question, seats, taken, rng)


# ---- the sheet


def sheet(question: Question) -> dict[str, Any]:
    """A scored hand as plain data: `score_to_json`, and each choice with its alternatives."""
    best = best_score(question.hand, question.discard, question.options)
    found = best_score_with_fixed(question)
    told = score_to_json(found)
    return {
        **question_to_texts(question),
        "total": found.total,
        "best": best.total,
        "strength": found.strength,
        "eighth": told["eighth"],
        "made": told["choices"],
        "cards": [{**card, **_card_data(card["card"])} for card in told["cards"]],
        "choices": list(_choice_data(question, found, best)),
        "instead": list(_differences(found, best)),
        "note": describe_unusual_size(question.hand),
    }


def _differences(found: Score, best: Score) -> Iterator[str]:
    """What differs from the best choices, card by card, in words."""
    own, other = ({each.card: each.points for each in score.cards} for score in (found, best))
    for card in {**own, **other} if found.total != best.total else ():
        name = CARDS[card].name
        if card not in own:
            yield f"{name} is left; it would give {format_signed(other[card], plus='')}"
        elif card not in other:
            yield f"{name} is taken, for {format_signed(own[card], plus='')}"
        elif own[card] != other[card]:
            yield f"{name} gives {format_signed(own[card], plus='')} instead of {format_signed(other[card], plus='')}"


def _card_data(name: str) -> dict[str, Any]:
    """How a card looks, and what it says."""
    card = next(card for card in CARDS if card.name == name)
    return {"tone": suit_class(card.suit), "emblem": _emblem_id(card.suit), "printed": card.strength,
            "bonus_text": card.bonus_text, "penalty_text": card.penalty_text}  # fmt: skip


def _choice_data(question: Question, found: Score, best: Score) -> Iterator[dict[str, Any]]:
    fixed = dict(question.fixed_choices)
    held = [each.card for each in found.cards]
    for card in held:
        kind = choice_kind(CARDS[card])
        if not kind or (kind == "eighth" and (not question.discard or len(question.hand) > HAND_SIZE)):
            continue
        made = _choice_of(card, found.choices)
        groups = _option_groups(card, question, found)
        yield {
            "card": CARDS[card].name,
            "verb": CHOICE_VERBS[kind],
            "value": format_fixed_choice(made),
            "words": _describe_choice(kind, made),
            "best": format_fixed_choice(_choice_of(card, best.choices)),
            "best_words": _describe_choice(kind, _choice_of(card, best.choices)),
            "fixed": card in fixed,
            "unused": UNUSED_WORDS[kind],
            "groups": [{"label": label, "options": options} for label, options in groups if options],
        }


def _choice_of(card: CardId, choices: Choices) -> FixedChoice:
    """What a card has chosen."""
    kind = choice_kind(CARDS[card])
    if kind == "copy":
        return dict(choices.copies).get(card)
    return {"change": choices.book, "clear_one": choices.island, "eighth": choices.eighth}[kind]


def _describe_choice(kind: str, made: FixedChoice) -> str:
    if made is None:
        return UNUSED_WORDS[kind]
    return f"{CARDS[made[0]].name} to {made[1] or WILD}" if isinstance(made, tuple) else CARDS[made].name


SelectOptions = list[dict[str, str]]


def _option_groups(card: CardId, question: Question, found: Score) -> list[tuple[str, SelectOptions]]:
    """What a card can choose, in groups with a heading."""
    held = [each.card for each in found.cards]
    others = [other for other in held if other != card]
    kind = choice_kind(CARDS[card])
    if kind == "change":
        suits = (*SUITS, *((WILD,) if question.options.book_to_wild else ()))
        return [(CARDS[other].name, _suit_options(other, suits)) for other in others]
    if kind == "eighth":
        return [("", _card_options(sorted(eighth_candidates(question.hand, question.discard))))]
    if kind == "clear_one":
        return [("", _card_options(_clearable_cards(card, found)))]
    if card_power(CARDS[card], "copy") == "hand":
        return [("", _card_options(others))]
    return [
        (suit, _card_options([each.id for each in CARDS if each.suit == suit]))
        for suit in card_power(CARDS[card], "suits")
    ]


def _card_options(cards: Sequence[CardId]) -> SelectOptions:
    return [{"value": CARDS[card].name, "words": CARDS[card].name} for card in cards]


def _suit_options(card: CardId, suits: Sequence[str]) -> SelectOptions:
    return [
        {"value": format_fixed_choice((card, suit)), "words": f"{CARDS[card].name} to {suit}"}
        for suit in suits
        if suit != CARDS[card].suit
    ]


def _clearable_cards(card: CardId, found: Score) -> list[CardId]:
    """The cards that may be cleared as the hand counts now."""
    suits = parse_selector(card_power(CARDS[card], "clear_one")).suits
    return [each.card for each in found.cards if each.suit in suits]


# ---- the cards to choose from


@cache
def tiles() -> dict[str, Any]:
    """Every card for a page: by suit with colours and emblems, and the style that both need."""
    groups = [
        {
            "title": suit,
            "tone": suit_class(suit),
            "emblem": _emblem_id(suit),
            "cards": [
                {"name": card.name, "strength": card.strength, "text": f"{card.bonus_text} {card.penalty_text}".strip()}
                for card in CARDS
                if card.suit == suit
            ],
        }
        for suit in (*SUITS, WILD)
    ]
    return {
        "groups": groups,
        "scope": f"rt-board rt-{STYLE_NAME} rt-auto",
        "defs": _svg_defs(),
        "full": HAND_SIZE,
        "nothing": NO_CHOICE,
        "example": "king, queen",
        "discard_label": "Discard area: cards you can take now, or with the Necromancer at the end",
    }


def _emblem_id(suit: str) -> str:
    return f"emblem-{suit.lower()}"


def _svg_defs() -> str:
    """An invisible picture with the style of the game's pictures and an emblem for each suit, to be used in a page."""
    box = f"{-EMBLEM_SIDE / 2:g} {-EMBLEM_SIDE / 2:g} {EMBLEM_SIDE} {EMBLEM_SIDE}"
    symbols = [
        element("symbol", draw_emblem(suit, 0, 0, EMBLEM_SIDE, ""), id=_emblem_id(suit), viewBox=box)
        for suit in (*SUITS, WILD)
    ]
    return element("svg", element("style", STYLE), *symbols, class_="unseen", aria_hidden="true")
