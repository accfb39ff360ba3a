"""The score sheet of a hand: points and reasons, the choices made, and their alternatives.

`hand_scorer` offers all of this to the command, the page and the API, which know nothing about the cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from realmtable.engine.options import OptionInfo, list_options
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, HAND_SIZE, SUITS, WILD, CardId
from realmtable.games.fantasy_realms.effect_parser import card_power, parse_selector
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.picture.card_status import card_statuses, describe_change
from realmtable.games.fantasy_realms.picture.emblems import EMBLEM_SIDE, draw_emblem
from realmtable.games.fantasy_realms.picture.style import STYLE, STYLE_NAME, suit_class
from realmtable.games.fantasy_realms.scoring.card_arrays import SCORING_OPTIONS
from realmtable.games.fantasy_realms.scoring.fixed_choices import best_score_with_fixed_choices
from realmtable.games.fantasy_realms.scoring.hand_text import (
    NO_CHOICE,
    FixedChoice,
    Question,
    choice_kind,
    describe_unusual_size,
    format_fixed_choice,
    question_to_texts,
)
from realmtable.games.fantasy_realms.scoring.score import Score, best_score, eighth_candidates, score_to_json
from realmtable.kit.svg import element
from realmtable.kit.wording import format_signed

CHOICE_VERBS: Final = {"copy": "counts as", "change": "changes", "clear_one": "clears", "eighth": "takes"}
UNUSED_WORDS: Final = {"copy": "itself", "change": "nothing", "clear_one": "nothing", "eighth": "nothing"}
TRIALS_PER_CHOICE: Final = {"hand": HAND_SIZE, "game": 12, "change": 50, "clear_one": 2}  # roughly


def scoring_options() -> list[OptionInfo]:
    """Return the options that affect a score."""
    return [info for info in list_options(FantasyOptions) if info.name in SCORING_OPTIONS]


def effort(question: Question) -> int:
    """Estimate how many combinations of choices a question has; up to a thousand are scored almost instantly."""
    ways = 1 + len(list(eighth_candidates(question.hand, question.discard)))
    for card in question.hand:
        kind = choice_kind(CARDS[card])
        ways *= TRIALS_PER_CHOICE.get(card_power(CARDS[card], "copy") or kind, 1)
    return ways


# ---- the sheet


def sheet(question: Question) -> dict[str, Any]:
    """Return a scored hand as plain data: `score_to_json`, and each choice with its alternatives."""
    best = best_score(question.hand, question.discard, question.options)
    score = best_score_with_fixed_choices(question)
    data = score_to_json(score)
    changed = card_statuses(data)
    return {
        **question_to_texts(question),
        "total": score.total,
        "best": best.total,
        "strength": score.strength,
        "eighth": data["eighth"],
        "made": data["choices"],
        "cards": [
            {**card, **_card_data(card["card"]), "change": describe_change(changed[card["card"]])}
            for card in data["cards"]
        ],
        "choices": list(_choice_data(question, score, best)),
        "instead": list(_differences(score, best)),
        "note": describe_unusual_size(question.hand),
    }


def _differences(score: Score, best: Score) -> Iterator[str]:
    """Describe how the score differs from the best one, card by card."""
    own, other = ({each.card: each.points for each in scored.cards} for scored in (score, best))
    for card in {**own, **other} if score.total != best.total else ():
        name = CARDS[card].name
        if card not in own:
            yield f"{name} is not taken; it would give {format_signed(other[card], plus='')}"
        elif card not in other:
            yield f"{name} is taken for {format_signed(own[card], plus='')}"
        elif own[card] != other[card]:
            yield f"{name} gives {format_signed(own[card], plus='')} instead of {format_signed(other[card], plus='')}"


def _card_data(name: str) -> dict[str, Any]:
    card = BY_NAME[name]
    return {"tone": suit_class(card.suit), "emblem": _emblem_id(card.suit), "printed": card.strength,
            "bonus_text": card.bonus_text, "penalty_text": card.penalty_text}  # fmt: skip


def _choice_data(question: Question, score: Score, best: Score) -> Iterator[dict[str, Any]]:
    fixed = dict(question.fixed_choices)
    held = [each.card for each in score.cards]
    for card in held:
        kind = choice_kind(CARDS[card])
        if not kind or (kind == "eighth" and (not question.discard or len(question.hand) > HAND_SIZE)):
            continue
        made, wanted = score.choices.of(card), best.choices.of(card)
        groups = _option_groups(card, question, score)
        yield {
            "card": CARDS[card].name,
            "verb": CHOICE_VERBS[kind],
            "value": format_fixed_choice(made),
            "words": _describe_choice(kind, made),
            "best": format_fixed_choice(wanted),
            "best_words": _describe_choice(kind, wanted),
            "fixed": card in fixed,
            "unused": UNUSED_WORDS[kind],
            "groups": [{"label": label, "options": options} for label, options in groups if options],
        }


def _describe_choice(kind: str, made: FixedChoice) -> str:
    if made is None:
        return UNUSED_WORDS[kind]
    return f"{CARDS[made[0]].name} to {made[1] or WILD}" if isinstance(made, tuple) else CARDS[made].name


SelectOptions = list[dict[str, str]]


def _option_groups(card: CardId, question: Question, score: Score) -> list[tuple[str, SelectOptions]]:
    """Return what a card can choose, in labelled groups."""
    held = [each.card for each in score.cards]
    others = [other for other in held if other != card]
    kind = choice_kind(CARDS[card])
    if kind == "change":
        suits = (*SUITS, *((WILD,) if question.options.book_to_wild else ()))
        return [(CARDS[other].name, _suit_options(other, suits)) for other in others]
    if kind == "eighth":
        return [("", _card_options(sorted(eighth_candidates(question.hand, question.discard))))]
    if kind == "clear_one":
        return [("", _card_options(_clearable_cards(card, score)))]
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


def _clearable_cards(card: CardId, score: Score) -> list[CardId]:
    """Return the cards that may be cleared, by the suits they count as."""
    suits = parse_selector(card_power(CARDS[card], "clear_one")).suits
    return [each.card for each in score.cards if each.suit in suits]


# ---- the cards to choose from


@cache
def card_tiles() -> dict[str, Any]:
    """Return every card for a page, by suit with colours and emblems, and the style these need."""
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
    """Return an invisible SVG with the style of the game's pictures and an emblem symbol for each suit."""
    box = f"{-EMBLEM_SIDE / 2:g} {-EMBLEM_SIDE / 2:g} {EMBLEM_SIDE} {EMBLEM_SIDE}"
    symbols = [
        element("symbol", draw_emblem(suit, 0, 0, EMBLEM_SIDE, ""), id=_emblem_id(suit), viewBox=box)
        for suit in (*SUITS, WILD)
    ]
    return element("svg", element("style", STYLE), *symbols, class_="unseen", aria_hidden="true")
