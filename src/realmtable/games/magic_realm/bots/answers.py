"""All choices but the plan of a day: what to search and take, what to fatigue, and the set-up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, cast

from realmtable.games.magic_realm.bots.destinations import DISCOVER, LOCATES, expected_loot
from realmtable.games.magic_realm.bots.expectations import Expectation, find_expectation
from realmtable.games.magic_realm.bots.fighting import FIGHT_CHOOSERS, choose_in_fight, combat_of
from realmtable.games.magic_realm.bots.goals import is_wanted
from realmtable.games.magic_realm.bots.known_world import KnownWorld, chance_of, goods_by_name, read_place
from realmtable.games.magic_realm.bots.plans import Planner
from realmtable.games.magic_realm.bots.run_choices import CHITS_BY_LABEL
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import tile_of
from realmtable.games.magic_realm.view_parts.schema import MagicView

NO_BLOCKS: Final = "order block never"
DONE: Final = "done"
SITE_NEAR_INN, INN = "known_site=on", "Inn"  # all others start away from the crowd (V12)
SITE_CARD_RESULTS: Final = {"Toadstool Circle": (1, 2), "Crypt of the Knight": (1, 2, 3, 4), "Enchanted Meadow": (1, 2)}
Chooser = Callable[[MagicView, list[str], Random], list[str]]


def choose_steps(view: MagicView, rng: Random, *, is_seasoned: bool = True) -> list[str]:
    """Return the viewer's next steps: one, or all of a choice that others do not see before it is finished.

    The viewer must be asked something. A seasoned bot chooses character and goals by what it can reach.
    """
    question = view["question"]
    assert question is not None  # noqa: S101 - a bot is only asked when it is to act
    moves = question["moves"]
    if len(moves) == 1:
        return moves
    if question["kind"] in _SETUP_CHOOSERS:
        has_combat = bool(cast("Mapping[str, object]", view).get("combat_rules"))
        expectation = find_expectation(has_combat=has_combat, is_seasoned=is_seasoned)
        return _SETUP_CHOOSERS[question["kind"]](view, moves, rng, expectation)
    data = combat_of(view)
    if data is not None and question["kind"] in FIGHT_CHOOSERS:
        return choose_in_fight(view, data, moves, rng)
    return _CHOOSERS.get(question["kind"], _choose_any)(view, moves, rng)


def _choose_any(_view: MagicView, moves: list[str], rng: Random) -> list[str]:
    """Choose at random: how the map is built, who gives a piece of gear."""
    return [rng.choice(moves)]


def _prefer(*words: str) -> Chooser:
    """Return a chooser of the first of some words that is among the steps."""

    def choose(_view: MagicView, moves: list[str], _rng: Random) -> list[str]:
        return [next(word for word in (*words, moves[0]) if word in moves)]

    return choose


# ---- the set-up


def _choose_character(_view: MagicView, moves: list[str], rng: Random, expectation: Expectation) -> list[str]:
    return ["be " + expectation.choose_character([move.removeprefix("be ") for move in moves], rng)]


def _choose_secrets(view: MagicView, _moves: list[str], _rng: Random, expectation: Expectation) -> list[str]:
    """Assign all points that are left, choose the place to start if there are several, and finish."""
    own, viewer = view["own"], view["viewer"]
    assert own is not None  # noqa: S101 - characters come first
    assert viewer is not None  # noqa: S101 - spectators are not asked
    name = view["players"][viewer]["character"]
    worth = next(row.worth for row in load_catalog().characters if row.name == name)
    assigned = [goal for goal, count in own["points"].items() for _ in range(count)]
    wanted = expectation.choose_points(len(assigned) + own["points_left"], view["last_day"] - view["day"], worth)
    for goal in assigned:
        if goal in wanted:
            wanted.remove(goal)
    steps = [f"want {goal}" for goal in wanted[: own["points_left"]]]
    at_inn = SITE_NEAR_INN in view["options"] and INN in own["starts"]
    start = INN if at_inn else own["starts"][-1]
    return [*steps, *([] if own["start"] else [f"start {start}"]), "ready"]


# ---- the day


def _write_day(view: MagicView, moves: list[str], _rng: Random) -> list[str]:
    """Write the rest of the day. Bots do not block others, so they say that they are not to be asked."""
    orders = [NO_BLOCKS] if NO_BLOCKS in moves else []
    if view["recording"] != "written" or not any(move in moves for move in ("H", "S", "-")):
        return [*orders, DONE]
    return [*orders, *Planner(KnownWorld(view)).best.steps, DONE]


def _choose_activity(view: MagicView, moves: list[str], _rng: Random) -> list[str]:
    """Choose the next activity when its phase begins (D28)."""
    plans = Planner(KnownWorld(view)).plans
    return [next((plan.steps[0] for plan in plans if plan.steps and plan.steps[0] in moves), DONE)]


def _rearrange(view: MagicView, moves: list[str], _rng: Random) -> list[str]:
    """Activate what is useful, and begin; after combat, there is no turn to begin (Q1)."""
    names = [move.removeprefix("activate ") for move in moves if move.startswith("activate ")]
    useful = [name for name in names if is_wanted(KnownWorld(view), goods_by_name()[name])]
    return [f"activate {useful[0]}"] if useful else ["run on" if "run on" in moves else "go"]


# ---- searching


def _choose_search(view: MagicView, moves: list[str], _rng: Random) -> list[str]:
    planner = Planner(KnownWorld(view))
    values = {move: value_of_search(planner, move) for move in moves}
    return [max(moves, key=lambda move: values[move])]


def value_of_search(planner: Planner, move: str) -> float:
    """Return what a search is worth."""
    known, (place, *_) = planner.known, planner.known.starts
    verb, _, name = move.partition(" ")
    if verb == "loot":
        return _value_of_loot(planner, name)
    if verb == "sight":
        return 0.01
    where = read_place(name) if name else place
    lying = known.chits[tile_of(where)]
    unknown = lying.unknown + (lying.has_warning and lying.warning is None)
    value = 0.02 * unknown * (1 if verb == "peer" else 0.5)
    if where == place:
        gain, kind = planner.clearing_values.road_gain(place)
        value += gain if kind == ("hidden" if verb == "peer" else "secret") else 0.0
    if verb == "locate":
        sites = [one.search_gain for one in planner.targets.all if one.place == place and one.kind == DISCOVER]
        value += max(sites, default=0.0) + chance_of(LOCATES, known.dice("locate", place)) * 0.1 * lying.unknown
    return value


def _value_of_loot(planner: Planner, name: str) -> float:
    known, (place, *_) = planner.known, planner.known.starts
    if name in SITE_CARD_RESULTS:
        left = len(known.box(name))
        chance = chance_of(SITE_CARD_RESULTS[name], known.dice(name.lower(), place))
        return chance * 2.0 if left else 0.0
    if name == "pile":
        return expected_loot(planner.goals, known.piles[place], known.dice("loot", place))
    return planner.targets.loot_gain(name, place)


def _choose_result(view: MagicView, moves: list[str], _rng: Random) -> list[str]:
    """Choose a result of the search tables: discover a site, else what opens a way, else look."""
    planner = Planner(KnownWorld(view))
    place = planner.known.starts[0]
    kind = planner.clearing_values.road_gain(place)[1]
    if any(one.place == place and one.kind == DISCOVER for one in planner.targets.all):
        return ["choose chits"]
    wanted = {"hidden": "choose clues+paths", "secret": "choose passages+clues"}.get(kind, "choose chits")
    return [wanted if wanted in moves else moves[0]]


def _choose_find(view: MagicView, moves: list[str], _rng: Random) -> list[str]:
    """Decide what to do with what was found: the last of the belongings."""
    planner = Planner(KnownWorld(view))
    thing = planner.known.goods[-1][0]
    if is_wanted(planner.known, thing) and "activate" in moves:
        return ["activate"]
    return ["keep" if planner.goals.loss(thing) >= 0 else "leave"]


def _choose_sight(_view: MagicView, moves: list[str], _rng: Random) -> list[str]:
    return [max(moves, key=lambda move: (move.startswith("take card"), move.startswith("take counter")))]


def _choose_cave(view: MagicView, moves: list[str], _rng: Random) -> list[str]:
    planner = Planner(KnownWorld(view))
    return [max(moves, key=lambda move: planner.value_at(read_place(move.removeprefix("to "))))]


def _choose_force(_view: MagicView, moves: list[str], _rng: Random) -> list[str]:
    """Open doors with gloves, boots or a horse rather than with a chit, which becomes fatigued."""
    return [max(moves, key=lambda move: move.removeprefix("force ") in goods_by_name())]


# ---- chits


def _rank_chit(label: str) -> tuple[int, int, int]:
    """Return how much a chit is missed: Move chits most, fast ones more than slow ones."""
    chit = CHITS_BY_LABEL[label]
    return chit.kind in ("Move", "Duck"), -chit.time, chit.stars


def _choose_tired(_view: MagicView, moves: list[str], _rng: Random) -> list[str]:
    return [min(moves, key=lambda move: _rank_chit(move.removeprefix("tire ").split(" for ")[0]))]


def _choose_rest(_view: MagicView, moves: list[str], _rng: Random) -> list[str]:
    """Rest the chit that is missed most; one that needs change from another chit comes last."""

    def rank(move: str) -> tuple[bool, bool, tuple[int, int, int]]:
        label = move.removeprefix("rest ").removeprefix("wounded ").removeprefix("fatigued ").split(" with ")[0]
        return " with " not in move, "wounded" in move, _rank_chit(label)

    rests = [move for move in moves if move != "enough"]
    return [max(rests, key=rank)]


_SETUP_CHOOSERS: Final[Mapping[str, Callable[[MagicView, list[str], Random, Expectation], list[str]]]] = {
    "be": _choose_character,
    "life": _choose_character,
    "secrets": _choose_secrets,
    "goals": _choose_secrets,
}
_CHOOSERS: Final[Mapping[str, Chooser]] = {
    "write": _write_day,
    "choose": _choose_activity,
    "moment": _prefer("now"),
    "arrange": _rearrange,
    "tidy": _rearrange,
    "alerting": _prefer("alert", "pass"),
    "along": _prefer("along"),
    "shed": _prefer("go"),
    "block": _prefer("pass"),
    "meet": _prefer("pass"),
    "search": _choose_search,
    "pick": _choose_result,
    "exchange": _prefer("exchange"),
    "found": _choose_find,
    "take": _choose_sight,
    "to": _choose_cave,
    "force": _choose_force,
    "pay": _choose_tired,
    "rest": _choose_rest,
}


def question_kinds() -> Sequence[str]:
    """Return the questions that have their own answer."""
    return [*_SETUP_CHOOSERS, *_CHOOSERS]
