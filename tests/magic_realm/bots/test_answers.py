"""How bots answer questions other than the plan of a day, and how advice explains what they would do."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from realmtable.engine.errors import Refused
from realmtable.engine.protocol import HasAdvice
from realmtable.games.magic_realm.bots.advice import describe_plan, explain_plan
from realmtable.games.magic_realm.bots.known_world import KnownWorld
from realmtable.games.magic_realm.bots.plans import DayPlan, Planner
from realmtable.games.magic_realm.game import GAME
from realmtable.games.magic_realm.view_parts.schema import MagicView
from tests.magic_realm.helpers.bot_helpers import ask, place, plan_position, see, with_question

HOARD = "CG:Bones/1;CG:Hoard/1"
LOOTED = "1.at=CG6"
FOUND = ("activate", "keep", "leave")


@pytest.mark.parametrize(
    ("kind", "moves", "answer"),
    [
        ("moment", ("later", "now"), "now"),
        ("along", ("along", "stop"), "along"),
        ("shed", ("go", "shed Elf"), "go"),
        ("block", ("block Elf", "pass"), "pass"),
        ("exchange", ("exchange", "put back"), "exchange"),
        ("take", ("take card pile", "take counter Hoard", "take nothing"), "take card pile"),
        ("take", ("take counter Hoard", "take nothing"), "take counter Hoard"),
        ("force", ("force Fight T5*", "force Gloves of Strength"), "force Gloves of Strength"),
        ("pay", ("tire Fight L3*", "tire Move L3*"), "tire Fight L3*"),
        ("rest", ("enough", "rest Fight M4", "rest Move L3*"), "rest Move L3*"),
        ("rest", ("rest Fight M4", "rest Move L3* with Fight L3*"), "rest Fight M4"),
        ("arrange", ("activate Lucky Charm", "go", "run on"), "activate Lucky Charm"),
        ("arrange", ("activate Spear-1", "go", "run on"), "run on"),
        ("write", ("back", "done"), "done"),
    ],
)
def test_answers(kind: str, moves: tuple[str, ...], answer: str) -> None:
    assert ask(kind, *moves) == [answer]


def test_a_single_answer_is_given() -> None:
    assert ask("search", "sight") == ["sight"]


def test_a_day_is_not_written_if_each_phase_is_chosen_when_it_comes() -> None:
    assert ask("write", "done", "order block never", recording="as_you_go") == ["order block never", "done"]
    state = place("1.at=BV5", options="map=stock1,recording=as_you_go")
    assert ask("choose", "H", "S", "done", "M BV2", state=state)[0] in ("H", "S", "M BV2")
    assert ask("choose", "A", "done", state=state) == ["done"]


# ---- searching
@pytest.mark.parametrize(
    ("fields", "chits", "moves", "answer"),
    [
        (("1.knows=Hoard",), HOARD, ("locate", "loot Hoard", "peer"), "loot Hoard"),
        ((), HOARD, ("locate", "peer"), "locate"),
        (("1.knows=Hoard",), HOARD, ("locate", "loot Toadstool Circle", "peer"), "loot Toadstool Circle"),
    ],
)
def test_what_is_searched(fields: tuple[str, ...], chits: str, moves: tuple[str, ...], answer: str) -> None:
    assert ask("search", *moves, state=place(LOOTED, *fields, chits=chits)) == [answer]


def test_piles_are_looted_for_what_they_hold() -> None:
    heap = [{"at": "CG6", "goods": [{"name": "Regent of Jewels", "back": "large", "active": True}] * 6}]
    moves = ("locate", "loot pile", "peer", "peer CL1")
    assert ask("search", *moves, state=place(LOOTED, chits="CG:Bones/1;CG:Howl-4/1"), piles=heap) == ["loot pile"]
    assert ask("search", "loot Enchanted Meadow", "sight", boxes=boxes_without_goods("Enchanted Meadow")) == ["sight"]


def boxes_without_goods(name: str) -> list[dict[str, Any]]:
    boxes = cast("list[dict[str, Any]]", see(place())["boxes"])
    return [{**box, "goods": []} if box["name"] == name else box for box in boxes]


# Where a road has to be discovered on the way to a site.
ROADS = {
    "hidden": ("1.at=R5", "M:Dank/1;M:Lair/1"),
    "secret": ("1.at=CS3", "R:Dank/1;R:Hoard/1;CS:Bones/1;CS:Howl-4/1"),
}


def roads_from(at: str, chits: str) -> tuple[float, str]:
    found = plan_position(at, chits=chits)
    return found.clearing_values.road_gain(found.starts[0])


def test_a_choice_of_results_discovers_sites_or_opens_roads() -> None:
    results = ("choose clues+paths", "choose passages+clues", "choose chits")
    assert ask("pick", *results, state=place(LOOTED, chits=HOARD)) == ["choose chits"]
    answers = {kind: ask("pick", *results, state=place(at, chits=chits)) for kind, (at, chits) in ROADS.items()}
    assert answers["hidden"] == ["choose clues+paths"]
    assert answers["secret"] == ["choose passages+clues"]
    assert ask("pick", *results, state=place("1.at=BV5")) == ["choose chits"]
    assert ask("pick", "choose hidden", "choose passages", state=place("1.at=BV5")) == ["choose hidden"]


def test_roads_are_searched_on_their_own_tables() -> None:
    for kind, (at, chits) in ROADS.items():
        assert roads_from(at, chits=chits)[1] == kind
        answer = ask("search", "locate", "peer", state=place(at, chits=chits))
        assert answer == ["peer" if kind == "hidden" else "locate"]


# ---- what is found


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("Lucky_Charm", "activate"),
        ("Regent_of_Jewels", "keep"),
        ("Crystal_Ball", "keep"),
        ("Golden_Crown", "leave"),
        ("Amulet", "keep"),
    ],
)
def test_what_is_done_with_a_find(name: str, answer: str) -> None:
    size = "small" if name == "Amulet" else "large"
    left = [*["large"] * (5 - (size == "large")), *["small"] * (4 - (size == "small"))]
    state = place(LOOTED, f"1.goods={name}/1", f"boxes=Hoard:{','.join(left)}")
    assert ask("found", *FOUND, state=state) == [answer]


def test_the_best_cave_is_entered() -> None:
    (answer,) = ask("to", "to CN1", "to CS2", state=place("1.at=CN4", chits="CN:Dank/1;CN:Altar/1"))
    assert answer == "to CN1"


# ---- advice


def test_a_game_gives_advice_only_to_those_who_are_asked() -> None:
    assert isinstance(GAME, HasAdvice)
    with pytest.raises(Refused):
        GAME.advice(GAME.view(place(heroes="Elf;Dwarf"), None), Random(1))


def test_the_plan_of_the_day_is_advised_with_reasons() -> None:
    advice = GAME.advice(GAME.view(place(LOOTED, "1.knows=Hoard", chits=HOARD), 0), Random(1))
    assert advice["move"] == "H"
    assert advice["words"].startswith("Hide, search")
    assert "You can loot the Hoard in Crag 6." in advice["reason"]
    assert "hidden from them" in advice["reason"]
    (chart,) = advice["charts"]
    assert [row["best"] for row in chart["choices"]] == [True, False, False, False]
    assert chart["choices"][0]["value"] == max(row["value"] for row in chart["choices"]) <= chart["high"]
    moves = {GAME.format_move(None, move) for move in GAME.legal_moves(place(LOOTED), 0)}  # type: ignore[arg-type]
    assert {row["move"] for row in chart["choices"]} <= moves


def sentences(*fields: str, chits: str = "", plan: DayPlan | None = None) -> str:
    found = plan_position(*fields, chits=chits)
    return " ".join(explain_plan(found, plan or found.best))


def test_reasons_name_where_a_plan_leads_and_what_may_come() -> None:
    assert "The Hoard lies in Crag 6: search there until you discover it." in sentences(LOOTED, chits=HOARD)
    assert "They are turned up when you end a day there." in sentences("1.at=CG1")
    assert "nothing left that you can reach in time" in sentences("1.at=BV5", "day=28")
    assert "Rest brings back" in sentences("1.at=BV5", "1.goods=-", "1.wounded=1;2;3;4;5;6;7;8;9")
    at = plan_position("1.at=BV5").starts[0]
    idle = DayPlan((), at, 0, 0, 0, 0.0, 0.0, 0.0)
    assert "Monsters hardly ever come there." in sentences("1.at=BV5", plan=idle)
    crag = plan_position(LOOTED).starts[0]
    bold = DayPlan(("S",), crag, 0, 1, 0, 0.0, 0.0, 0.0)
    assert "a risk worth taking unhidden" in sentences(LOOTED, plan=bold)
    heap = [{"at": "CG6", "goods": [{"name": "Regent of Jewels", "back": "large", "active": True}] * 6}]
    view = cast("MagicView", {**see(place(LOOTED)), "piles": heap})
    planner = Planner(KnownWorld(view))
    assert "Goods lie in Crag 6." in " ".join(explain_plan(planner, planner.best))


def test_reasons_say_when_a_road_has_to_be_found() -> None:
    for at, chits in ROADS.values():
        found = plan_position(at, chits=chits)
        plan = DayPlan(("S",), found.starts[0], 0, 1, 0, 0.0, 0.0, 0.0)
        assert "A road that you have not discovered may lead on from there, so search for it." in [
            *explain_plan(found, plan)
        ]


def test_plans_are_read_as_sentences() -> None:
    steps = ("H", "M CG2", "M CG2", "S", "S", "R", "R", "R")
    plan = DayPlan(steps, 0, 1, 2, 3, 0.0, 0.0, 0.0)
    assert describe_plan(plan) == "Hide, move to Crag 2, search twice, rest 3 times"
    assert describe_plan(DayPlan((), 0, 0, 0, 0, 0.0, 0.0, 0.0)) == "Stay where you are"


def test_searches_and_other_choices_are_advised_too() -> None:
    view = with_question(see(place(LOOTED, "1.knows=Hoard", chits=HOARD)), "search", "locate", "loot Hoard", "peer")
    advice = GAME.advice(cast("dict[str, Any]", view), Random(1))
    assert (advice["move"], advice["reason"]) == ("loot Hoard", "This is what you came for.")
    near = with_question(see(place(LOOTED, chits=HOARD)), "search", "locate", "peer")
    assert "closer" in GAME.advice(cast("dict[str, Any]", near), Random(1))["reason"]
    other = GAME.advice(cast("dict[str, Any]", with_question(view, "moment", "later", "now")), Random(1))
    assert (other["move"], other["words"]) == ("now", "Take your turn now")
    assert other["charts"][0]["choices"][0]["text"] == "the best choice"
    writing = GAME.advice(cast("dict[str, Any]", with_question(view, "write", "back", "done")), Random(1))
    assert writing["move"] == "done"
