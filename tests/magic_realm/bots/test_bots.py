"""Bots of Magic Realm: they see only a view, plan whole days, answer every question and finish games."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from realmtable.engine.bots import HasBots, PlansTurns
from realmtable.games.magic_realm.bots import answers
from realmtable.games.magic_realm.bots.bot import bot_for_level
from realmtable.games.magic_realm.bots.clearing_values import ClearingValues
from realmtable.games.magic_realm.bots.danger import Attack, Danger
from realmtable.games.magic_realm.bots.destinations import DISCOVER, EXPLORE, LOOT, PILE, Destinations
from realmtable.games.magic_realm.bots.goals import FIND_BONUS, Goals, is_useful, use_of
from realmtable.games.magic_realm.bots.known_world import KnownWorld, chance_of, name_clearing, read_place
from realmtable.games.magic_realm.bots.plans import Planner
from realmtable.games.magic_realm.bots.written_days import ride
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.flow.agenda import Question
from realmtable.games.magic_realm.flow.handlers import HANDLERS
from realmtable.games.magic_realm.game import GAME
from realmtable.games.magic_realm.view_parts.schema import MagicView
from realmtable.games.magic_realm.world.step_text import format_step
from realmtable.games.magic_realm.world.steps import Step
from tests.magic_realm.helpers.bot_helpers import BOT, ask, place, plan_position, play_bots, see
from tests.magic_realm.helpers.flow_helpers import CATALOG

GOODS = {thing.name: thing for thing in CATALOG.goods}


# ---- whole games


@pytest.mark.parametrize(("preset", "options"), [("one_week", {"map": "stock1"}), ("first_game", {})])
def test_bots_play_to_the_end(preset: str, options: dict[str, str]) -> None:
    *_, last = play_bots(1, preset, preset, **options)
    assert GAME.outcome(last) is not None


def test_bots_build_the_map_and_begin() -> None:
    states = play_bots(3, "builders", "one_week", map="players", follow="may_stop")
    assert any(state.day == 2 for state in states)


@pytest.mark.long
def test_a_bot_chooses_the_same_whatever_is_hidden() -> None:
    """No leak: a bot sees its view only, so another deal of what is hidden changes nothing."""
    compared = 0
    for number, state in enumerate(play_bots(2, "permuted", "one_week", map="stock2")):
        for seat in GAME.to_move(state):
            if number % 3 == seat:
                other = GAME.resample(state, seat, Random(number))
                assert BOT.plan(GAME, other, seat, Random(5)) == BOT.plan(GAME, state, seat, Random(5))
                compared += 1
    assert compared > 10


def test_a_written_day_is_handed_over_at_once() -> None:
    steps = [format_step(step) for step in BOT.plan(GAME, place("1.at=CG1"), 0, Random(1))]
    assert steps[0] == "order block never"
    assert steps[-1] == "done"
    assert len(steps) > 3
    assert BOT.choose(GAME, place("1.at=CG1"), 0, Random(1)) == Step("order", (1,))


def test_the_game_has_five_levels_of_two_bots() -> None:
    assert isinstance(GAME, HasBots)
    assert isinstance(GAME.bot(5), PlansTurns)
    assert GAME.bot(5) == bot_for_level(4) != bot_for_level(3) == bot_for_level(2)
    assert GAME.info.bot_levels == 5


def test_every_question_has_an_answer_of_its_own_or_is_left_to_chance() -> None:
    questions = {kind for kind, handler in HANDLERS.items() if isinstance(handler, Question)}
    assert {*answers.question_kinds()} <= questions
    assert questions - {*answers.question_kinds()} == {"tile", "place", "angle", "gear", "outfit", "combat_choice"}
    assert ask("gear", "gear Shield Patrol", "gear Shield Guard")[0].startswith("gear")


# ---- the set-up


@pytest.mark.parametrize(
    ("own", "steps"),
    [
        ({}, ["want treasures", "want treasures", "want fame", "want notoriety", "want gold", "ready"]),
        ({"points": {"treasures": 3}, "points_left": 2}, ["want fame", "want notoriety", "ready"]),
        ({"points": {"gold": 5}, "points_left": 0, "start": "", "starts": ["Inn", "House"]}, ["start House", "ready"]),
    ],
)
def test_the_secret_choices_are_made_in_one_go(own: dict[str, Any], steps: list[str]) -> None:
    view = see(place())
    mine = {**cast("dict[str, Any]", view["own"]), "points": {}, "points_left": 5, "start": "Inn", **own}
    assert ask("secrets", "want fame", "want gold", own=mine, day=1) == steps


@pytest.mark.parametrize(
    ("options", "starts", "start"),
    [
        (["known_site=on"], ["Inn", "Guardhouse"], "start Inn"),
        (["known_site=on"], ["House"], "start House"),
        ([], ["Inn", "Guardhouse"], "start Guardhouse"),
    ],
)
def test_bots_start_at_the_inn_if_a_site_near_it_is_known(options: list[str], starts: list[str], start: str) -> None:
    """V12: the Dwarf, who has two phases a day, does not get there from elsewhere in a week."""
    view = see(place())
    mine = {
        **cast("dict[str, Any]", view["own"]),
        "points": {"gold": 5},
        "points_left": 0,
        "start": "",
        "starts": starts,
    }
    assert ask("secrets", "start", "ready", own=mine, day=1, options=options) == [start, "ready"]


# ---- what is known


def test_the_map_of_a_view_is_the_map_of_the_game() -> None:
    known = plan_position("1.at=CG1").known
    assert len(known.graph.clearings) == sum(len(tile.numbers) for tile in CATALOG.tiles)
    assert known.starts == (read_place("CG1"),)
    assert not known.is_on_road
    road = plan_position("1.at=BV2-BV5").known
    assert road.is_on_road


def test_chits_are_known_or_counted() -> None:
    known = plan_position(chits="CG:Bones/1;CG:Hoard/1;CS:Lost_City/1;LW:Stink/1").known
    tiles = {tile.code: tile.id for tile in CATALOG.tiles}
    crag = known.chits[tiles["CG"]]
    assert crag.warning is not None
    assert crag.warning.name == "Bones M"
    assert known.sites == {"Hoard": read_place("CG6")}
    assert known.chits[tiles["CS"]].red
    assert known.chits[tiles["CL"]].unknown == 1
    assert not known.chits[tiles["BV"]].has_warning
    assert len(known.unknown_chits) == 17
    assert [chit.word for chit in known.unknown_warnings("M")] == ["Dank", "Ruins", "Smoke", "Stink"]


def test_campfires_count_as_warnings_that_are_known() -> None:
    known = plan_position("day=2", chits="LW:Stink^").known
    assert [chit.word for chit in known.unknown_warnings("W")] == ["Bones", "Dank", "Ruins", "Smoke"]


def test_dice_depend_on_the_character_and_the_place() -> None:
    assert plan_position(heroes="Druid").known.dice("hide", read_place("CG1")) == 1
    assert plan_position(heroes="Elf").known.dice("hide", read_place("CG1")) == 2
    girl = plan_position(heroes="Woods_Girl").known
    assert (girl.dice("locate", read_place("LW2")), girl.dice("locate", read_place("CG1"))) == (1, 2)
    dwarf = plan_position(heroes="Dwarf").known
    assert dwarf.never_has_sunlight
    assert (dwarf.dice("peer", read_place("CN1")), dwarf.dice("peer", read_place("CG1"))) == (1, 2)


def test_what_opens_doors_and_runs() -> None:
    assert plan_position(heroes="Berserker").known.can_open_doors
    elf = plan_position("1.goods=Lost_Keys+", "boxes=Hoard:large,large,large,large,large,small,small,small")
    assert elf.known.can_open_doors
    assert not plan_position("1.goods=-").known.can_open_doors
    assert plan_position("1.goods=-").known.fastest == 2
    assert plan_position("1.goods=-", "1.wounded=1;2;3;4;5;6;7;8;9;10;11").known.fastest > 2


def test_chances_of_the_higher_die() -> None:
    assert chance_of(range(1, 6), 2) == pytest.approx(25 / 36)
    assert chance_of((1, 4), 1) == pytest.approx(1 / 3)


# ---- danger


def test_monsters_that_prowl_or_are_summoned_are_expected() -> None:
    field = "denizens=Giant-1:CG6"
    risk = plan_position("1.at=CG1", field, chits="CG:Bones/1;CG:Howl-4/1").danger
    assert risk.expect(read_place("CG1"), 4).monsters == 2  # one prowls, Bones brings the other
    assert risk.expect(read_place("CG1"), 1).monsters == 0
    assert risk.expect(read_place("CG4"), 6).monsters == 3  # Bones brings one bat, Howl two
    assert risk.expect(read_place("CG6"), 1).monsters == 1
    assert risk.expected_monsters(read_place("CG6")) > 1


def test_the_row_of_today_is_known_in_daylight() -> None:
    view = cast("MagicView", {**see(place("1.at=CG1", chits="CG:Bones/1")), "rows": [4]})
    risk = Danger(KnownWorld(view), 0.0)
    assert risk.expect(read_place("CG1"), 6) == risk.expect(read_place("CG1"), 4)
    assert risk.expect(read_place("CG1"), 6).monsters == 1


def test_druids_and_pilgrims_have_less_to_fear() -> None:
    chits = "CN:Dank/1;CN:Altar/1"
    elf, druid, pilgrim = (
        plan_position("1.at=CN1", heroes=name, chits=chits).danger.expect(read_place("CN1"), 2).monsters
        for name in ("Elf", "Druid", "Pilgrim")
    )
    assert (elf, druid, pilgrim) == (3, 1, 2)


def test_wounds_cost_more_the_nearer_death_is() -> None:
    well, hurt = plan_position("1.goods=-").danger, plan_position("1.goods=-", "1.wounded=1;2;3;4;5;6;7;8").danger
    assert 0 < well.wounds_cost(1) < hurt.wounds_cost(1)
    assert hurt.wounds_cost(4) == hurt.death
    assert well.rest_gain(2) == 0
    assert hurt.rest_gain(1) > 0
    assert well.attack_cost(Attack(0.0, 99)) == 0
    assert 0 < well.attack_cost(Attack(0.5, 4)) < well.attack_cost(Attack(1.0, 4)) == well.attack_cost(Attack(8.0, 2))


def test_death_on_the_last_day_is_worst() -> None:
    assert plan_position("day=28").danger.death > plan_position("day=27").danger.death
    assert plan_position("day=5", options="map=stock1,restart=off").danger.death == plan_position("day=28").danger.death


# ---- goals


def test_treasures_are_worth_what_they_add() -> None:
    own = Goals(plan_position("1.goods=-").known)
    assert (
        own.value(GOODS["Regent of Jewels"])
        > own.value(GOODS["Amulet"])
        == FIND_BONUS
        > 0
        > own.value(GOODS["Spear-1"])
    )
    assert own.value_of_slot({"name": "", "back": "large", "active": False}) > own.value_of_slot(
        {"name": "", "back": "small", "active": False}
    )
    assert own.value_of_slot({"name": "Toadstool Circle", "back": "large", "active": True}) == 0
    assert own.holdings == 0
    assert use_of(GOODS["Pony-1"]) > use_of(GOODS["Spear-1"]) == 0
    assert use_of(GOODS["Cloven Hoof"]) < 0 < use_of(GOODS["Lucky Charm"])
    assert [is_useful(GOODS[name]) for name in ("Pony-1", "Lost Keys", "Map of Ruins", "Spear-1", "Phantom Glass")] == [
        True, True, True, False, False,
    ]  # fmt: skip


def test_a_size_of_which_every_card_is_known_is_worth_nothing() -> None:
    own = Goals(plan_position("1.goods=-").known)
    assert own.value_of_slot({"name": "", "back": "none", "active": False}) == 0


# ---- targets and plans


HOARD = "CG:Bones/1;CG:Hoard/1"
JEWELS = [{"name": "Regent of Jewels", "back": "large", "active": True}] * 6


def kinds(found: Destinations, at: str) -> set[str]:
    return {target.kind for target in found.all if target.place == read_place(at)}


def test_sites_are_looted_or_discovered_and_tiles_explored() -> None:
    assert kinds(plan_position("1.at=CG6", chits=HOARD).targets, "CG6") == {DISCOVER}
    assert kinds(plan_position("1.at=CG6", "1.knows=Hoard", chits=HOARD).targets, "CG6") == {LOOT}
    assert kinds(plan_position("1.at=CG6", chits=HOARD).targets, "CL3") == {EXPLORE}
    assert kinds(plan_position("1.at=CG6", chits="CS:Lost_City/1").targets, "CS3") == {EXPLORE}
    heap = [{"at": "CG2", "goods": JEWELS}]
    view = cast("MagicView", {**see(place("1.at=CG6")), "piles": heap})
    assert kinds(Planner(KnownWorld(view)).targets, "CG2") == {PILE, EXPLORE}


def test_doors_and_stars_limit_what_can_be_looted() -> None:
    vault = "CN:Dank/1;CN:Vault/1"
    assert not kinds(plan_position("1.at=CN3", "1.goods=-", chits=vault).targets, "CN3")
    assert kinds(plan_position("1.at=CN3", "1.goods=-", "open", chits=vault).targets, "CN3") == {DISCOVER}
    assert plan_position("1.at=CN3", "1.goods=-", chits=vault).targets.loot_gain("Vault", read_place("CN3")) == 0
    pool = "CN:Dank/1;CN:Pool/1"
    tired = ";".join(str(number + 1) for number, chit in enumerate(elf_chits()) if chit.stars)
    assert kinds(plan_position("1.at=CN6", "1.knows=Pool", chits=pool).targets, "CN6") == {LOOT}
    assert not kinds(plan_position("1.at=CN6", "1.knows=Pool", f"1.tired={tired}", chits=pool).targets, "CN6")


def elf_chits() -> tuple[Any, ...]:
    return next(row.chits for row in CATALOG.characters if row.name == "Elf")


def test_once_everything_is_known_nothing_is_explored() -> None:
    chits = [chit.name for chit in CATALOG.map_chits if chit.kind in ("sound", "site")]
    codes = {letter: [tile.code for tile in CATALOG.tiles if tile.letter == letter] for letter in "CM"}
    fields = [f"{codes['C'][0]}:Lost_City^", f"{codes['M'][0]}:Lost_Castle^"]
    fields += [f"{code}:{name}^" for code, name in zip(codes["C"][1:] + codes["M"][1:], chits, strict=False)]
    fields += [f"City:{name}^" for name in chits[8:13]] + [f"Castle:{name}^" for name in chits[13:]]
    found = plan_position("1.at=CG6", "day=2", chits=";".join(fields)).targets
    assert {target.kind for target in found.all} <= {DISCOVER}


def test_a_bot_stays_to_loot_what_it_has_discovered() -> None:
    best = plan_position("1.at=CG6", "1.knows=Hoard", chits=HOARD).best
    assert best.end == read_place("CG6")
    assert best.searches >= 2
    assert best.hides >= 1
    assert best.gain > 0


def test_a_bot_goes_where_the_treasures_are() -> None:
    found = plan_position("1.at=CG2", chits=HOARD)
    assert found.clearing_values.value(found.best.end) > found.clearing_values.value(read_place("CG2"))


def test_a_wounded_bot_rests() -> None:
    assert plan_position("1.at=BV5", "1.goods=-", "1.wounded=1;2;3;4;5;6;7;8;9").best.rests > 0


def test_a_bot_among_monsters_hides_first() -> None:
    best = plan_position("1.at=CG6", "1.knows=Hoard", "denizens=Giant-1:CG6", chits=HOARD).best
    assert best.steps[0] == "H"
    assert best.danger > 0


def test_a_bot_on_a_roadway_moves_to_an_end_or_waits() -> None:
    found = plan_position("1.at=BV2-BV5")
    assert found.best.steps[0].startswith("M BV")
    assert any(not plan.steps for plan in found.plans)
    hard = plan_position("1.at=CG1-CG6", "denizens=Giant-1:CG6;Giant-2:CG1", chits=HOARD)
    assert all(plan.danger > 0 for plan in hard.plans if plan.steps)


def test_a_plan_goes_on_where_the_day_was_begun() -> None:
    found = plan_position("1.at=BV5", "1.plan=M_BV2;S")
    assert found.starts == (read_place("BV2"),)
    assert all(len(plan.steps) <= 3 for plan in found.plans)


def test_a_pony_takes_every_second_move() -> None:
    found = plan_position("1.at=BV5", "1.goods=Pony-1+")
    rides = [step for plan in found.plans for step in plan.steps if step.endswith("pony")]
    assert rides
    state = place("1.at=BV5", "1.goods=Pony-1+")
    for step in BOT.plan(GAME, state, 0, Random(1)):
        state = GAME.play(state, 0, step)


def test_a_pony_is_not_ridden_in_caves() -> None:
    """D11: a horse becomes inactive on entering a cave."""
    known = plan_position("1.at=BV5", "1.goods=Pony-1+").known
    cave = next(place for place in known.graph.ways if known.is_cave(place))
    inward, onward = f"M {name_clearing(cave)}", "M BV4"
    assert ride(known, [inward, onward]) == [inward, onward]
    assert ride(known, [onward, inward, onward, onward]) == [onward, f"{inward} pony", onward, onward]
    assert ride(known, [onward] * 4) == [onward, f"{onward} pony"] * 2


def test_a_climb_out_of_a_cave_with_monsters_is_no_way() -> None:
    graph = plan_position().known.graph
    caves = [place for place, row in graph.clearings.items() if row.kind == "cave"]
    climbs = [
        (cave, way.to) for cave in caves for way in graph.ways[cave] if graph.clearings[way.to].kind == "mountain"
    ]
    assert climbs
    for cave, summit in climbs:
        free, caught = (
            clearing_values_for(cave, summit, "Wizard", field) for field in ("", f"Giant-1:{name_clearing(cave)}")
        )
        assert caught.value(cave) < free.value(cave)
        agile = plan_position(f"1.at={name_clearing(cave)}", "1.goods=-", heroes="Elf", chits=HOARD)
        assert "hide" in agile.known.own["extra"]


def clearing_values_for(cave: Place, summit: Place, hero: str, denizens: str) -> ClearingValues:
    """Return the values of the clearings for a character in a cave who can climb to a pile of jewels."""
    fields = (f"1.at={name_clearing(cave)}", "1.goods=-", *([f"denizens={denizens}"] if denizens else []))
    heap = [{"at": name_clearing(summit), "goods": JEWELS}]
    return Planner(KnownWorld(cast("MagicView", {**see(place(*fields, heroes=hero)), "piles": heap}))).clearing_values


def test_nothing_to_win_is_left_on_the_last_evening() -> None:
    found = plan_position("1.at=BV5", "day=28")
    assert found.best.value <= 0.5
