"""Advice in combat: the best answer with its chances, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from realmtable.games.magic_realm.battle_calculator.duel import Duel
from realmtable.games.magic_realm.battle_calculator.explain import describe_choice, explain_choice
from realmtable.games.magic_realm.battle_calculator.play_choices import Choice
from realmtable.games.magic_realm.bots.advice_data import make_advice, make_choice
from realmtable.games.magic_realm.bots.fighting import (
    FIGHT_CHOOSERS,
    Combatant,
    rank_actions,
    rank_own_plays,
    rank_targets,
    write_play,
)
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.text.describe import describe_step
from realmtable.games.magic_realm.world.step_text import parse_step

SHOWN: Final = 4  # choices in a chart
NOTE: Final = "How many more points each choice promises than the last one listed."
PASS: Final[Mapping[str, str]] = {"lure": "Lure no one", "charge": "Charge no one", "act": "Do nothing"}
REASONS: Final[Mapping[str, str]] = {
    "quiet": "A round of combat pays only if you can attack a monster that you are likely to beat.",
    "lure": "Take monsters that you are likely to beat, and leave the others alone.",
    "charge": "Attacking another character rarely pays: it strikes back.",
    "act": "This weighs fame and notoriety against death, wounds and the stars to pay over two rounds.",
    "aim": "This target promises the most fame and notoriety for the risk.",
    "play": "Against a character, fast pieces count most; choose directions that it cannot guess.",
    "fatigue": "You need this chit least in this fight.",
    "wounds": "You need this chit least in this fight.",
    "look": "Combat is over; there is nothing else to choose.",
}


def advise_in_fight(me: Combatant, kind: str, moves: Sequence[str], rng: Random) -> dict[str, Any]:
    """Advise a player in a fight."""
    if kind == "act":
        return _advise(kind, [(action.value, action.step) for action in rank_actions(me, moves)])
    step = FIGHT_CHOOSERS[kind](me, [*moves], rng)[0]
    aims = [(value, f"aim {name}") for value, name in rank_targets(me)] if kind == "aim" else []
    if aims and aims[0][1] == step:
        return _advise(kind, aims)
    if kind == "play" and not me.warrior.draft and rank_own_plays(me):
        return _advise_play(me)
    return _advise(kind, [(0.0, step)])


def describe_answer(kind: str, step: str) -> str:
    """Return a step of combat in words, as its button does; a step that declines says what is not done."""
    return PASS[kind] if step in ("pass", "done") else describe_step(parse_step(step))


def _advise(kind: str, ranked: Sequence[tuple[float, str]]) -> dict[str, Any]:
    shown = ranked[:SHOWN]
    best, last = shown[0], shown[-1]
    unit = "points" if len(shown) > 1 else "best"
    rows = [
        make_choice(describe_answer(kind, step), step, value - last[0], best[0] - value, unit) for value, step in shown
    ]
    return make_advice(best[1], rows[0]["words"], REASONS[kind], rows, NOTE if len(shown) > 1 else "")


# ---- plays


def _advise_play(me: Combatant) -> dict[str, Any]:
    shown = rank_own_plays(me)[:SHOWN]
    best, last = shown[0], shown[-1]
    rows = [
        make_choice(
            describe_choice(me.duel, judged.choice).removesuffix("."),
            write_play(judged.choice.play, me.warrior)[0],
            judged.value - last.value,
            best.value - judged.value,
            "points",
        )
        for judged in shown
    ]
    reason = " ".join([_describe_chances(best.choice), *_explain(me.duel, best.choice)])
    return make_advice(rows[0]["move"], rows[0]["words"], reason, rows, NOTE)


def _explain(duel: Duel, choice: Choice) -> list[str]:
    """Return why attacks hit; a target that lies apart does not attack."""
    return explain_choice(duel, choice) if choice.target is None or choice.target in duel.monsters else []


def _describe_chances(choice: Choice) -> str:
    """Return the chances of a play as a sentence."""
    risks = f"a {choice.death:.0%} chance of being killed and a {choice.wound:.0%} chance of a wound"
    if choice.target is None:
        return f"You have {risks}."
    name = load_catalog().monsters[choice.target].kind
    return f"You have a {choice.kill:.0%} chance of killing the {name}, {risks}."
