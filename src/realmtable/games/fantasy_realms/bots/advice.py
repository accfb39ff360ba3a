"""Advice for learners: what each choice may lead to, why the best one is good, and the hand the player is heading for.

Advice is based on a view, or on what a player reports from a real table; it never uses hidden cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from realmtable.engine.errors import BadInput, Refused
from realmtable.engine.options import make_options, parse_pairs
from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.bots.advice_data import ChartRow, heading_data, make_chart
from realmtable.games.fantasy_realms.bots.advice_reasons import Reasons
from realmtable.games.fantasy_realms.bots.hand_values import mask_of
from realmtable.games.fantasy_realms.bots.knowledge import Knowledge, read_knowledge
from realmtable.games.fantasy_realms.bots.trade_advice import eighth_advice, trade_advice
from realmtable.games.fantasy_realms.bots.turn_lookahead import Prospect, evaluate_steps
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, HAND_SIZE, CardId
from realmtable.games.fantasy_realms.notation import format_move
from realmtable.games.fantasy_realms.options import PRESETS, FantasyOptions
from realmtable.games.fantasy_realms.scoring.hand_text import Question, parse_cards
from realmtable.games.fantasy_realms.scoring.score import best_worth
from realmtable.games.fantasy_realms.state import DISCARD_LIMITS, SEATS_BY_VARIANT, Step

PLAYER_COUNTS: Final = SEATS_BY_VARIANT["standard"]  # supported for hands from a real table
DEFAULT_PLAYERS: Final = 4
TWO: Final = 2
CHART_NOTE: Final = "Your final points: average, and range in eight games out of ten. Sorted by expected lead."


def advise_view(view: View, rng: Random) -> dict[str, Any]:
    """Advise a viewer who is to act, as `HasAdvice` requires; raise `Refused` if there is nothing to choose."""
    if not view["moves"]:
        raise Refused("You have nothing to choose right now.")
    options = make_options(FantasyOptions, PRESETS, None, parse_pairs(FantasyOptions, list(view["options"])))
    return {**_advise_in_phase(view, options, rng), "needs": [f"hand:{name}" for name in view["hand"]]}


def _advise_in_phase(view: View, options: FantasyOptions, rng: Random) -> dict[str, Any]:
    if view["phase"] == "trade":
        return trade_advice(view, options)
    if view["phase"] in ("necromancer", "keep"):
        return eighth_advice(view, options)
    return advise_on_steps(read_knowledge(view), legal_steps(view["moves"]), options, rng)


def legal_steps(moves: dict[str, Any]) -> list[Step]:
    """Return the legal steps of drawing and discarding in a view."""
    card_steps = [Step(verb, BY_NAME[name].id) for verb in ("take", "drop") for name in moves[verb]]
    return [*([Step("deck")] if moves["deck"] else []), *card_steps]


# ---- a hand from a real table


def advise_question(question: Question, seats: int, taken: str | Sequence[str], rng: Random) -> dict[str, Any]:
    """Advise on a hand from a real table: with seven cards what to draw, with eight what to discard.

    `taken` lists cards that other players are known to hold. `BadInput` says why there is no advice.
    """
    known = knowledge_from_question(question, seats, taken)
    if len(known.hand) > HAND_SIZE:
        steps = [Step("drop", card) for card in known.hand]
    else:
        steps = [Step("deck"), *(Step("take", card) for card in known.discard)]
    return advise_on_steps(known, steps, question.options, rng)


def knowledge_from_question(question: Question, seats: int, taken: str | Sequence[str] = ()) -> Knowledge:
    """Return what a player knows who reports their hand, the discard area and what others took; check it first."""
    if seats not in PLAYER_COUNTS:
        raise BadInput(f"Advice is available for {PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]} players, not for {seats}.")
    limit = DISCARD_LIMITS["two_player" if seats == TWO else "standard"]
    size = len(question.hand)
    if size > HAND_SIZE + 1 or (size < HAND_SIZE and seats != TWO):
        raise BadInput("Name seven cards to see what to draw, or eight to see what to discard.")
    if len(question.discard) >= limit and size >= HAND_SIZE:
        raise BadInput(f"With {limit} cards in the discard area the game is over.")
    others = _check_taken_cards(question, parse_cards(taken), seats)
    seen = {*question.hand, *question.discard, *others}
    unseen = tuple(card.id for card in CARDS if card.id not in seen)
    # Which player took which card is unknown and hardly matters, so they are distributed in turn.
    held = (0, *(mask_of(others[seat :: seats - 1]) for seat in range(seats - 1)))
    return Knowledge(0, seats, question.hand, question.discard, held, unseen, limit, max(0, HAND_SIZE - size))


def _check_taken_cards(question: Question, taken: Sequence[CardId], seats: int) -> Sequence[CardId]:
    """Return the cards that others are known to hold; raise `BadInput` if they are not possible."""
    for place, cards in (("in the hand", question.hand), ("in the discard area", question.discard)):
        both = next((card for card in taken if card in cards), None)
        if both is not None:
            raise BadInput(f"{CARDS[both].name} is {place} and taken by another player; there is only one.")
    if len(set(taken)) < len(taken):
        raise BadInput("The cards taken by others list a card twice; there is only one of each.")
    if len(taken) > HAND_SIZE * (seats - 1):
        raise BadInput(f"The others hold at most {HAND_SIZE * (seats - 1)} cards.")
    return taken


# ---- drawing and discarding


def advise_on_steps(known: Knowledge, steps: Sequence[Step], options: FantasyOptions, rng: Random) -> dict[str, Any]:
    """Rank steps by what the hand may lead to after each."""
    prospects = evaluate_steps(known, steps, options, rng)
    best = prospects[0]
    heading = best.heading[:HAND_SIZE]
    cards = tuple(card for card, _ in heading)
    richest = max(prospects, key=lambda each: round(each.value - best.value))  # the best, unless one promises more
    reasons = Reasons(known.hand, known.discard, cards, options, richest.step)
    rows, title = _chart_rows(prospects, known), "What to discard?" if best.step.verb == "drop" else "What to draw?"
    second = prospects[1].step if len(prospects) > 1 else None
    discard = [card for card in _discard_after(known, best.step) if card not in cards]
    return {
        "move": format_move(best.step),
        "words": _describe_step(best.step, known),
        "reason": " ".join([reasons.sentence(best.step, second), *_objection_to_richest(richest, best, known)]),
        "charts": [make_chart(title, rows, note=CHART_NOTE, best=rows[0])],
        "heading": heading_data(heading, known.hand, best_worth(cards, discard, options)),
    }


def _chart_rows(prospects: Sequence[Prospect], known: Knowledge) -> list[ChartRow]:
    return [
        ChartRow(
            _describe_step(each.step, known),
            each.value,
            each.low,
            each.high,
            describe_prospect(each, prospects[0]),
            each.step,
            each.lead,
        )
        for each in prospects
    ]


def describe_prospect(each: Prospect, best: Prospect) -> str:
    """Describe what a step promises, without a full stop."""
    behind = round(best.lead - each.lead)
    less = f", {behind} behind the best" if behind > 0 else ""
    return f"about {round(each.value)}, most games {round(each.low)} to {round(each.high)}{less}"


def _objection_to_richest(richest: Prospect, best: Prospect, known: Knowledge) -> list[str]:
    """Say what is wrong with a step that promises more points than the best one."""
    more = round(richest.value - best.value)
    if more < 1:
        return []
    step = _describe_step(richest.step, known)
    return [f"{step} promises you {more} more, but helps the strongest opponent even more."]


def _describe_step(step: Step, known: Knowledge) -> str:
    if step.verb == "deck":
        return "Draw two from the deck" if known.needed else "Draw from the deck"
    return f"{'Discard' if step.verb == 'drop' else 'Take'} {CARDS[step.card].name}"


def _discard_after(known: Knowledge, step: Step) -> list[CardId]:
    """Return the discard area after a step; the Necromancer may take a card from it."""
    discarded = [step.card] if step.verb == "drop" else []
    return [card for card in (*known.discard, *discarded) if step.verb != "take" or card != step.card]
