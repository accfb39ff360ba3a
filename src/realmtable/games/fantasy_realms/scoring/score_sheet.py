"""The score sheet of a hand: points and reasons, every choice that was made, and what else could be chosen.

A game whose hands people score at a real table brings a module of this name. The server's page asks it for `read`,
`readable`, `effort`, `sheet`, `advise`, `tiles` and `rulings`, and knows nothing of the cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from random import Random
from typing import Any, Final

from realmtable.engine.options import OptionInfo, describe
from realmtable.games.fantasy_realms.cards import CARDS, SUITS, WILD, CardId
from realmtable.games.fantasy_realms.effects import power, selector
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.picture.card_status import signed
from realmtable.games.fantasy_realms.picture.emblems import SIDE, emblem
from realmtable.games.fantasy_realms.picture.style import NAME, STYLE, suit_class
from realmtable.games.fantasy_realms.scoring.api import Score, as_json, best_score, eighths
from realmtable.games.fantasy_realms.scoring.card_arrays import Reading
from realmtable.games.fantasy_realms.scoring.choices import Choices
from realmtable.games.fantasy_realms.scoring.fixed_choices import best_with
from realmtable.games.fantasy_realms.scoring.hand_text import (
    FULL,
    NOTHING,
    Question,
    Wish,
    as_texts,
    chooses,
    oddity,
    read,
    readable,
    written,
)
from realmtable.kit.svg import element

__all__ = ["advise", "effort", "read", "readable", "rulings", "sheet", "tiles"]

VERBS: Final = {"copy": "counts as", "change": "changes", "clear_one": "clears", "eighth": "takes"}
UNUSED: Final = {"copy": "itself", "change": "nothing", "clear_one": "nothing", "eighth": "nothing"}
WAYS: Final = {"hand": FULL, "game": 12, "change": 50, "clear_one": 2}  # that are tried, roughly


def rulings() -> list[OptionInfo]:
    """The options that a score depends on."""
    read_by = {field.name for field in fields(Reading)}
    return [info for info in describe(FantasyOptions) if info.name in read_by]


def effort(question: Question) -> int:
    """How many ways of choosing a question asks for, roughly: under a thousand the answer takes a blink."""
    ways = 1 + len(list(eighths(question.hand, question.discard)))
    for card in question.hand:
        kind = chooses(CARDS[card])
        ways *= WAYS.get(power(CARDS[card], "copy") or kind, 1)
    return ways


def advise(question: Question, seats: int, taken: str | Sequence[str], rng: Random) -> dict[str, Any]:
    """What to do next with a hand while the game goes on; `taken` are cards that others are known to hold."""
    from realmtable.games.fantasy_realms.bots import advice  # noqa: PLC0415 - most who score ask for none

    return advice.advise(question, seats, taken, rng)


# ---- the sheet


def sheet(question: Question) -> dict[str, Any]:
    """A scored hand as plain data: what `as_json` tells, and the choices with all that could be chosen instead."""
    best = best_score(question.hand, question.discard, question.options)
    found = best_with(question)
    told = as_json(found)
    return {
        **as_texts(question),
        "total": found.total,
        "best": best.total,
        "strength": found.strength,
        "eighth": told["eighth"],
        "made": told["choices"],
        "cards": [{**card, **_printed(card["card"])} for card in told["cards"]],
        "choices": list(_choices(question, found, best)),
        "instead": list(_instead(found, best)),
        "note": oddity(question.hand),
    }


def _instead(found: Score, best: Score) -> Iterator[str]:
    """What differs from the best choices, card by card, in words."""
    own, other = ({each.card: each.points for each in score.cards} for score in (found, best))
    for card in {**own, **other} if found.total != best.total else ():
        name = CARDS[card].name
        if card not in own:
            yield f"{name} is left; it would give {signed(other[card], plus='')}"
        elif card not in other:
            yield f"{name} is taken, for {signed(own[card], plus='')}"
        elif own[card] != other[card]:
            yield f"{name} gives {signed(own[card], plus='')} instead of {signed(other[card], plus='')}"


def _printed(name: str) -> dict[str, Any]:
    """How a card looks, and what it says."""
    card = next(card for card in CARDS if card.name == name)
    return {"tone": suit_class(card.suit), "emblem": _emblem_id(card.suit), "printed": card.strength,
            "bonus_text": card.bonus_text, "penalty_text": card.penalty_text}  # fmt: skip


def _choices(question: Question, found: Score, best: Score) -> Iterator[dict[str, Any]]:
    fixed = dict(question.wishes)
    held = [each.card for each in found.cards]
    for card in held:
        kind = chooses(CARDS[card])
        if not kind or (kind == "eighth" and (not question.discard or len(question.hand) > FULL)):
            continue
        made = _made(card, found.choices)
        groups = _groups(card, question, found)
        yield {
            "card": CARDS[card].name,
            "verb": VERBS[kind],
            "value": written(made),
            "words": _words(kind, made),
            "best": written(_made(card, best.choices)),
            "best_words": _words(kind, _made(card, best.choices)),
            "fixed": card in fixed,
            "unused": UNUSED[kind],
            "groups": [{"label": label, "options": options} for label, options in groups if options],
        }


def _made(card: CardId, choices: Choices) -> Wish:
    """What a card has chosen."""
    kind = chooses(CARDS[card])
    if kind == "copy":
        return dict(choices.copies).get(card)
    return {"change": choices.book, "clear_one": choices.island, "eighth": choices.eighth}[kind]


def _words(kind: str, made: Wish) -> str:
    if made is None:
        return UNUSED[kind]
    return f"{CARDS[made[0]].name} to {made[1] or WILD}" if isinstance(made, tuple) else CARDS[made].name


Options = list[dict[str, str]]


def _groups(card: CardId, question: Question, found: Score) -> list[tuple[str, Options]]:
    """What a card can choose, in groups with a heading."""
    held = [each.card for each in found.cards]
    others = [other for other in held if other != card]
    kind = chooses(CARDS[card])
    if kind == "change":
        suits = (*SUITS, *((WILD,) if question.options.book_to_wild else ()))
        return [(CARDS[other].name, _suits(other, suits)) for other in others]
    if kind == "eighth":
        return [("", _cards(sorted(eighths(question.hand, question.discard))))]
    if kind == "clear_one":
        return [("", _cards(_clearable(card, found)))]
    if power(CARDS[card], "copy") == "hand":
        return [("", _cards(others))]
    return [(suit, _cards([each.id for each in CARDS if each.suit == suit])) for suit in power(CARDS[card], "suits")]


def _cards(cards: Sequence[CardId]) -> Options:
    return [{"value": CARDS[card].name, "words": CARDS[card].name} for card in cards]


def _suits(card: CardId, suits: Sequence[str]) -> Options:
    return [
        {"value": written((card, suit)), "words": f"{CARDS[card].name} to {suit}"}
        for suit in suits
        if suit != CARDS[card].suit
    ]


def _clearable(card: CardId, found: Score) -> list[CardId]:
    """The cards that may be cleared as the hand counts now."""
    suits = selector(power(CARDS[card], "clear_one")).suits
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
    return {"groups": groups, "scope": f"rt-board rt-{NAME} rt-auto", "defs": _defs(), "full": FULL,
            "nothing": NOTHING}  # fmt: skip


def _emblem_id(suit: str) -> str:
    return f"emblem-{suit.lower()}"


def _defs() -> str:
    """An invisible picture with the style of the game's pictures and an emblem for each suit, to be used in a page."""
    box = f"{-SIDE / 2:g} {-SIDE / 2:g} {SIDE} {SIDE}"
    symbols = [
        element("symbol", emblem(suit, 0, 0, SIDE, ""), id=_emblem_id(suit), viewBox=box) for suit in (*SUITS, WILD)
    ]
    return element("svg", element("style", STYLE), *symbols, class_="unseen", aria_hidden="true")
