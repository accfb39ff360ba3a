"""Advice for learners: what the bot would do, in words, and why. It uses only the view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from random import Random
from typing import Any, Final, cast

from realmtable.engine.errors import Refused
from realmtable.engine.protocol import View
from realmtable.games.magic_realm.bots.advice_data import make_advice, make_choice
from realmtable.games.magic_realm.bots.answers import DONE, choose_steps, value_of_search
from realmtable.games.magic_realm.bots.destinations import DISCOVER, EXPLORE, LOOT, PILE, Destination
from realmtable.games.magic_realm.bots.fight_advice import advise_in_fight
from realmtable.games.magic_realm.bots.fighting import FIGHT_CHOOSERS, Combatant, combat_of
from realmtable.games.magic_realm.bots.known_world import KnownWorld
from realmtable.games.magic_realm.bots.plans import DayPlan, Planner
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import tile_of
from realmtable.games.magic_realm.text.describe import describe_step
from realmtable.games.magic_realm.text.wording import capitalise, name_clearing
from realmtable.games.magic_realm.view_parts.schema import MagicView
from realmtable.games.magic_realm.world.step_text import parse_step

PLANS_SHOWN: Final = 4
ORDER: Final = "order "
PLANNING: Final = ("write", "choose")
FEW: Final = 0.05  # too few monsters to mention
TIMES: Final = {1: "", 2: " twice"}
# Reasons for choices that are not judged by their value.
REASONS: Final = {
    "be": "This character hides or travels well, or has little gold to win back.",
    "life": "This character hides or travels well, or has little gold to win back.",
    "secrets": "About one treasure in four is great and most bring notoriety, so these points are within reach.",
    "goals": "About one treasure in four is great and most bring notoriety, so these points are within reach.",
    "arrange": "Active cards help you only while they are active; everything else can stay as it is.",
    "pick": "This helps you most on your way to the treasures.",
    "exchange": "Everyone sees the chit, but you learn what lies here, and a campfire summons no monsters.",
    "found": "You keep what adds to your score or helps you, and leave what only weighs you down.",
    "rest": "Move chits come first: they carry your belongings and let you run away.",
    "pay": "You will miss Fight and Magic chits least.",
    "block": "Blocking ends your own turn, too.",
    "meet": "Blocking monsters gains you nothing.",
}
ANY_REASON: Final = "There is no reason not to."


def advise_view(view: View, rng: Random) -> dict[str, Any]:
    """Advise a viewer who is to act, as `HasAdvice` requires; raise `Refused` if there is nothing to choose."""
    seen = cast("MagicView", view)
    question = seen["question"]
    if question is None:
        raise Refused("You have nothing to choose right now.")
    data = combat_of(seen)
    if data is not None and question["kind"] in FIGHT_CHOOSERS:
        return advise_in_fight(Combatant(seen, data), question["kind"], question["moves"], rng)
    if question["kind"] in PLANNING and any(move in question["moves"] for move in ("H", "S", "-")):
        return _advise_plan(Planner(KnownWorld(seen)), question["moves"])
    if question["kind"] == "search":
        return _advise_search(Planner(KnownWorld(seen)), question["moves"], rng)
    steps = choose_steps(seen, rng)
    step = next((step for step in steps if not step.startswith(ORDER)), steps[0])  # standing orders are for bots
    words = describe_step(parse_step(step))
    return make_advice(
        step, words, REASONS.get(question["kind"], ANY_REASON), [make_choice(words, step, 0.0, 0.0, "best")], ""
    )


# ---- the plan of the day


def _advise_plan(planner: Planner, moves: Sequence[str]) -> dict[str, Any]:
    plans = [*_list_different(planner.plans, moves)]
    best = plans[0]
    rows = [
        make_choice(
            describe_plan(plan), _first_step(plan), plan.value - plans[-1].value, best.value - plan.value, "points"
        )
        for plan in plans
    ]
    note = "How many more points each plan promises than the last one listed, with the danger subtracted."
    return make_advice(_first_step(best), describe_plan(best), " ".join(explain_plan(planner, best)), rows, note)


def _first_step(plan: DayPlan) -> str:
    return plan.steps[0] if plan.steps else DONE


def _list_different(plans: Sequence[DayPlan], moves: Sequence[str]) -> Iterator[DayPlan]:
    """Yield the best plans that end in different clearings, or search where the others do not."""
    seen: set[tuple[int, bool]] = set()
    for plan in plans:
        kind = plan.end, bool(plan.searches)
        if len(seen) < PLANS_SHOWN and kind not in seen and _first_step(plan) in moves:
            seen.add(kind)
            yield plan


def describe_plan(plan: DayPlan) -> str:
    """Return a plan as a sentence without a full stop: "Hide, move to Cliff 4, search twice"."""
    parts = []
    for step, run in groupby(plan.steps):
        count = len([*run])
        words = describe_step(parse_step(step))
        is_climb = step.startswith("M ")
        parts.append(words + ("" if is_climb else TIMES.get(count, f" {count} times")))
    return capitalise(", ".join(part[0].lower() + part[1:] for part in parts)) if parts else "Stay where you are"


def explain_plan(planner: Planner, plan: DayPlan) -> Iterator[str]:
    """Yield the reasons for a plan: where it leads, which monsters may come, and why to rest."""
    target = planner.clearing_values.target_from(plan.end)
    if target is None:
        yield "There is nothing left that you can reach in time, so stay safe."
    else:
        yield _explain_target(target)
        if plan.searches and plan.end != target.place and planner.clearing_values.road_gain(plan.end)[1]:
            yield "A road that you have not discovered may lead on from there, so search for it."
    yield _explain_danger(planner, plan)
    if plan.rests:
        yield "Rest brings back fatigued and wounded chits."


def _explain_target(target: Destination) -> str:
    where = name_clearing(target.place)
    match target.kind:
        case kind if kind == LOOT:
            return f"You can loot the {target.name} in {where}."
        case kind if kind == DISCOVER:
            return f"The {target.name} lies in {where}: search there until you discover it."
        case kind if kind == PILE:
            return f"Goods lie in {where}."
    assert target.kind == EXPLORE  # noqa: S101 - the last kind
    tile = load_catalog().tiles[tile_of(target.place)].name
    return f"You do not know the chits of the {tile} yet. They are turned up when you end a day there."


def _explain_danger(planner: Planner, plan: DayPlan) -> str:
    monsters = planner.danger.expected_monsters(plan.end)
    if monsters < FEW:
        return "Monsters hardly ever come there."
    expected = f"Expect {monsters:.1f} monsters there on average"
    if not plan.hides:
        return f"{expected}; that is a risk worth taking unhidden."
    chance = planner.hide_chance(planner.starts[0], plan.hides)
    return f"{expected}; you have a {chance:.0%} chance of being hidden from them."


# ---- searching


def _advise_search(planner: Planner, moves: Sequence[str], rng: Random) -> dict[str, Any]:
    step = choose_steps(planner.known.view, rng)[0]
    values = {move: value_of_search(planner, move) for move in moves}
    ranked = sorted(moves, key=lambda move: (move != step, -values[move]))[:PLANS_SHOWN]
    rows = [
        make_choice(describe_step(parse_step(move)), move, values[move], values[step] - values[move], "points")
        for move in ranked
    ]
    reason = (
        "This is what you came for." if step.startswith("loot") else "This brings you closer to a site or a way to one."
    )
    note = "How many points each search promises on average."
    return make_advice(step, describe_step(parse_step(step)), reason, rows, note)
