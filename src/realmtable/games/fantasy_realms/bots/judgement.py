"""Judge the steps of a finished game, by what their player could know then, and say why another was better.

As in the advice, the network values what each step may lead to, averaged over all cards that the player had not seen.
"""

from __future__ import annotations

from random import Random
from typing import Final

from realmtable.engine.language import translate
from realmtable.engine.options import make_options, parse_pairs
from realmtable.engine.protocol import Judgement, View
from realmtable.games.fantasy_realms.bots.advice import legal_steps
from realmtable.games.fantasy_realms.bots.advice_reasons import Reasons
from realmtable.games.fantasy_realms.bots.knowledge import Knowledge, read_knowledge
from realmtable.games.fantasy_realms.bots.turn_lookahead import Prospect, evaluate_steps
from realmtable.games.fantasy_realms.cards import HAND_SIZE, card_name, names_of
from realmtable.games.fantasy_realms.options import PRESETS, FantasyOptions
from realmtable.games.fantasy_realms.state import State, Step
from realmtable.kit.wording import join_words

# By the minimum loss of expected lead. In four games each, level 2 had 70% of its decisions marked, level 4 60%, level
# 6 18% and level 7 1%; of level 6's, 1.5% were blunders.
MARKS: Final = ((24.0, "??"), (15.0, "?"), (8.0, "?!"))


def why_not_judged(state: State) -> str:
    """Return why games of a variant are not analysed; empty if they are."""
    if state.variant == "chaos":
        return translate(
            "Games of Chaos Realms are not analysed: what an offer was worth depends on what the others would give."
        )
    return ""


def judge(view: View, step: Step, rng: Random) -> Judgement | None:
    """Judge a step of drawing, taking or discarding a card; None if there was no choice."""
    if view["phase"] not in ("draw", "discard") or len(steps := legal_steps(view["moves"])) == 1:
        return None
    options = make_options(FantasyOptions, PRESETS, None, parse_pairs(FantasyOptions, list(view["options"])))
    known = read_knowledge(view)
    prospects = evaluate_steps(known, steps, options, rng)
    best, played = prospects[0], next(each for each in prospects if each.step == step)
    loss = _loss(best, played)
    mark = next((mark for least, mark in MARKS if loss >= least), "")
    reason = explain_better(known, best, played, options) if mark else ""
    return Judgement(played.value, best.value, loss, mark, best.step, reason)


def _loss(best: Prospect, played: Prospect) -> float:
    return round(best.lead - played.lead, 1)


def explain_better(known: Knowledge, best: Prospect, played: Prospect, options: FantasyOptions) -> str:
    """Say how much better the best step was and, in terms of cards, why."""
    cards = tuple(card for card, _ in best.heading[:HAND_SIZE])
    reasons = Reasons(known.hand, known.discard, cards, options, best.step)
    points = round(_loss(best, played))
    if best.value - played.value < points / 2:
        return _explain_help(best.step, played.step, points)
    if best.step.verb == "drop":
        return _explain_keeping(reasons, best.step, played.step, points)
    if best.step.verb == "take":
        return _explain_taking(reasons, best.step, points)
    return translate("Drawing from the deck would have been worth about {points} more.", points=points)


def _explain_help(best: Step, played: Step, points: int) -> str:
    """Explain a mistake that lies in what the others gain."""
    fields = {"best": card_name(best.card), "played": card_name(played.card), "points": points}
    sentences = {
        "drop": "Discarding {best} would have been worth about {points} more: {played} helps the strongest opponent.",
        "take": "Taking {best} would have been worth about {points} more: it helps the strongest opponent, too.",
        "deck": "Drawing from the deck would have been worth about {points} more: it brings the end nearer.",
    }
    return translate(sentences[best.verb], **fields)


def _explain_keeping(reasons: Reasons, best: Step, played: Step, points: int) -> str:
    adds, partners = reasons.future_of(played.card)
    fields = {"card": card_name(played.card), "other": card_name(best.card), "points": points, "adds": adds}
    if adds <= 0:
        sentence = (
            "Discarding {other} instead of {card} would have been worth about {points} more: without it, the realm was "
            "worth {worth} at once."
        )
        worth = reasons.worth(tuple(card for card in reasons.hand if card != best.card))
        return translate(sentence, **fields, worth=worth)
    if not partners:
        sentence = (
            "Keeping {card} and discarding {other} would have been worth about {points} more: {card} adds {adds} to "
            "the realm in sight."
        )
        return translate(sentence, **fields)
    sentence = (
        "Keeping {card} and discarding {other} would have been worth about {points} more: with {partners}, {card} adds "
        "{adds} to the realm in sight."
    )
    return translate(sentence, **fields, partners=join_words(names_of(partners)))


def _explain_taking(reasons: Reasons, best: Step, points: int) -> str:
    (adds, partners), (gain, discarded) = reasons.future_of(best.card), reasons.gain(best.card)
    fields = {"card": card_name(best.card), "points": points, "adds": adds, "gain": gain}
    if adds > 0 and partners:
        sentence = (
            "Taking {card} would have been worth about {points} more: with {partners}, it adds {adds} to the realm in "
            "sight."
        )
        return translate(sentence, **fields, partners=join_words(names_of(partners)))
    if gain > 0 and discarded is not None:
        sentence = "Taking {card} would have been worth about {points} more: it adds {gain} at once for {other}."
        return translate(sentence, **fields, other=card_name(discarded))
    return translate("Taking {card} would have been worth about {points} more.", **fields)
