"""The twin of Magic Realm plays evenings and new lives as RULES.md says, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from tests.magic_realm.twin.twin_data import CHARACTERS, GOODS
from tests.magic_realm.twin.twin_game import Game, load_game
from tests.magic_realm.twin.twin_table import Table

PLACE = "B2"  # woods; roads lead to B3, CG2 and AV1
ROADS = ["B2-B3", "CG2-B2", "AV1-B2"]
DWELLINGS = {"Inn": "BV5", "House": "CV5", "Chapel": "DV5", "Guardhouse": "EV5"}
ALL_CHITS = range(1, 13)


class ScriptedTable(Table):
    """Gives the answers of a list, and writes down who was asked what."""

    def __init__(self, *answers: str) -> None:
        super().__init__()
        self.answers = [*answers]
        self.questions: list[tuple[int, list[str]]] = []
        self.draws: list[dict[str, int]] = []

    def ask(self, asked: dict[int, list[str]]) -> tuple[int, str]:
        ((seat, options),) = asked.items()
        self.questions.append((seat, options))
        return seat, self.take([*options])

    def draw(self, outcomes: dict[str, int]) -> str:
        self.draws.append(outcomes)
        return self.take([*outcomes])

    def take(self, options: list[str]) -> str:
        answer = self.answers.pop(0)
        assert answer in options, (answer, options)
        return answer


def stand(**facts: Any) -> dict[str, Any]:  # noqa: ANN401 - facts of a hero have many types
    return {"at": PLACE, "hidden": False, **facts}


def prepare(heroes: dict[str, Any], monsters: dict[str, str], *answers: str, **setup: Any) -> Game:  # noqa: ANN401 - a set-up has many types
    full = {"map": "stock1", "options": {}, "dwellings": DWELLINGS, "monsters": monsters, "heroes": heroes, **setup}
    return load_game(ScriptedTable(*answers), full)


def script_of(game: Game) -> ScriptedTable:
    assert isinstance(game.table, ScriptedTable)
    return game.table


def hold(heroes: dict[str, Any], monsters: list[str], *answers: str, **setup: Any) -> tuple[Game, ScriptedTable]:  # noqa: ANN401 - a set-up has many types
    """Play an evening with all monsters in one clearing."""
    game = prepare(heroes, dict.fromkeys(monsters, PLACE), *answers, **setup)
    game.hold_evening()
    assert script_of(game).answers == []
    return game, script_of(game)


def list_ways(name: str, monsters: list[str], **facts: Any) -> list[str]:  # noqa: ANN401 - facts of a hero have many types
    """Return the pieces with which a hero can run back to B3."""
    wounds = [f"wound {chit}" for chit in CHARACTERS[name]["chits"]]
    game = prepare({name: stand(**facts)}, dict.fromkeys(monsters, PLACE), "stay", *wounds)
    game.heroes[name].came = "B2-B3"
    game.hold_evening()
    _, options = script_of(game).questions[0]
    return [text.removeprefix("run B2-B3 with ") for text in options if text != "stay"]


def numbers(name: str, *labels: str) -> list[int]:
    """Return the numbers of all chits but some."""
    return [i for i, label in enumerate(CHARACTERS[name]["chits"], 1) if label not in labels]


@pytest.mark.parametrize(
    ("heroes", "monsters"),
    [
        ({"Elf": stand()}, []),
        ({"Elf": stand(hidden=True)}, ["Wolf-1"]),
        ({"Pilgrim": stand()}, ["Imp", "Demon", "Winged Demon"]),
        ({"Elf": stand(at="B3")}, ["Wolf-1"]),
        ({"Elf": stand(at="B2-B3")}, ["Wolf-1"]),
    ],
)
def test_a1_nothing_happens(heroes: dict[str, Any], monsters: list[str]) -> None:
    _, table = hold(heroes, monsters)
    assert table.questions == []


def test_a1_clearings_come_in_the_order_of_tiles_and_numbers() -> None:
    heroes = {"Elf": stand(at="B3"), "Druid": stand(), "Witch": stand(at="CL3"), "Witch King": stand(at="AV2")}
    places = {"Wolf-1": "B3", "Wolf-2": "B2", "Wolf-3": "CL3", "Wolf-4": "AV2"}
    chits = [CHARACTERS[name]["chits"][0] for name in ("Witch King", "Witch", "Druid", "Elf")]
    game = prepare(heroes, places, *(text for chit in chits for text in ("stay", f"wound {chit}")))
    game.hold_evening()
    asked = [seat for seat, options in script_of(game).questions if "stay" in options]
    assert asked == [3, 2, 1, 0]


def test_a2_chance_chooses_between_the_unhidden_and_monsters_come_by_number() -> None:
    heroes = {"Elf": stand(), "Pilgrim": stand(), "Druid": stand(hidden=True)}
    elf, pilgrim = CHARACTERS["Elf"]["chits"], CHARACTERS["Pilgrim"]["chits"]
    draws = ["attack Giant-1 Elf", "attack Wolf-2 Pilgrim"]
    answers = ["stay", f"wound {elf[0]}", f"wound {elf[1]}", "stay", f"wound {pilgrim[0]}"]
    _, table = hold(heroes, ["Wolf-2", "Imp", "Giant-1"], *draws, *answers)  # the Imp attacks only the Elf
    both = ("Elf", "Pilgrim")
    assert table.draws == [{f"attack {monster} {name}": 1 for name in both} for monster in ("Giant-1", "Wolf-2")]


def test_a3_the_first_character_of_the_day_decides_first_and_an_attacked_one_is_always_asked() -> None:
    heroes = {"Witch King": stand(), "Sorceror": stand(), "Wizard": stand()}
    game = prepare(heroes, dict.fromkeys(["Octopus", "Imp", "Wolf-1"], PLACE))
    draws = ["attack Octopus Sorceror", "attack Imp Wizard", "attack Wolf-1 Witch King"]
    firsts = [f"wound {CHARACTERS[name]['chits'][0]}" for name in ("Sorceror", "Wizard", "Witch King")]
    script_of(game).answers = [*draws, *(text for wound in firsts for text in ("stay", wound))]
    game.first = "Sorceror"
    game.hold_evening()
    asked = [(seat, options) for seat, options in script_of(game).questions if "stay" in options]
    assert asked == [(1, ["stay"]), (2, ["stay"]), (0, ["stay"])]


def test_a4_what_a_character_can_run_with() -> None:
    assert list_ways("Elf", ["Giant-1"]) == ["Move L3*", "Move L2*", "Move M4"]
    assert list_ways("Elf", ["Giant-1", "Wolf-1"]) == ["Move L2*"]  # the fastest counts, and the time must be below
    assert list_ways("Elf", ["Octopus"]) == []
    assert list_ways("Elf", ["Giant-1"], goods=["Shield-1"]) == ["Move M4"]  # a Shield has medium weight
    assert list_ways("Elf", ["Giant-1"], goods=["Shield-1", "Pony-1"]) == ["Move L3*", "Move L2*", "Move M4"]
    assert list_ways("Elf", ["Giant-1"], goods=["Shield-1+", "Pony-1"]) == ["Move M4"]  # only inactive items are led
    assert list_ways("Elf", ["Giant-1"], wounded=numbers("Elf", "Move M4")) == ["Move M4"]
    assert list_ways("Dwarf", ["T Dragon-1"]) == ["Move H5*", "Move T5**"]  # not the Duck chit


def test_a4_boots_and_horses() -> None:
    assert list_ways("Wizard", ["Ghost-1"], goods=["Quick Boots+"]) == ["Quick Boots"]
    assert list_ways("Wizard", ["Ghost-1"], goods=["Quick Boots"]) == []
    assert list_ways("Wizard", ["Ghost-1"], goods=["Pony-2+"]) == ["Pony-2"]  # with its galloping side
    assert list_ways("Wizard", ["Ghost-1"], goods=["Pony-3+"]) == []  # M5 is too slow, L3 too weak
    assert list_ways("Wizard", ["Ghost-1"], goods=["Pony-2+", "Suit of Armor-1"]) == []


def test_a4_w1_a_move_chit_with_two_stars_costs_a_star_of_a_move_chit() -> None:
    game, table = hold({"Berserker": stand()}, ["Giant-1"], "run CG2-B2 with Move H4**", "tire Move T6*")
    assert table.questions[1] == (0, ["tire Move T6*", "tire Move H5*"])
    assert game.chit_numbers(game.heroes["Berserker"], "fatigued") == [
        CHARACTERS["Berserker"]["chits"].index("Move T6*") + 1
    ]
    game, table = hold({"Elf": stand()}, ["Wolf-1"], "run B2-B3 with Move L2*")
    assert game.chit_numbers(game.heroes["Elf"], "fatigued") == []


def test_a5_someone_who_entered_by_a_move_runs_back() -> None:
    game, table = hold({"Elf": stand(goods=["Light Bow-1"])}, ["Wolf-1"], "run AV1-B2 with Move L2*")
    assert table.questions == [(0, [*(f"run {road} with Move L2*" for road in ROADS), "stay"])]
    assert game.heroes["Elf"].at == "AV1-B2"
    assert [item.name for item in game.heroes["Elf"].goods] == ["Light Bow-1"]
    game = prepare({"Elf": stand()}, {"Wolf-1": PLACE}, "run B2-B3 with Move L2*")
    game.heroes["Elf"].came = "B2-B3"
    game.hold_evening()
    assert script_of(game).questions == [(0, ["run B2-B3 with Move L2*", "stay"])]


def test_a5_x2_those_at_both_ends_see_a_secret_passage() -> None:
    heroes = {
        "Elf": stand(at="B4", knows=["B4-B5"]),
        "Witch": stand(at="B5", hidden=True),
        "Druid": stand(at="B4", hidden=True),
        "Magician": stand(at="B6"),
    }
    game = prepare(heroes, {"Wolf-1": "B4"}, "run B4-B5 with Move L2*")
    game.hold_evening()
    assert [name for name, hero in game.heroes.items() if "B4-B5" in hero.knows] == ["Elf", "Witch", "Druid"]


def test_a6_w2_one_wound_for_each_monster_and_fatigued_chits_last() -> None:
    chits = CHARACTERS["Elf"]["chits"]
    facts = stand(fatigued=[1, 2], wounded=[*ALL_CHITS][3:])
    game, table = hold({"Elf": facts}, ["Wolf-1", "Wolf-2"], "stay", f"wound {chits[1]}")
    assert [options for _, options in table.questions[1:]] == [[f"wound {chits[0]}", f"wound {chits[1]}"]]
    assert game.chit_numbers(game.heroes["Elf"], "wounded") == [2, *range(3, 13)]  # the third, active chit came first


def test_w3_death() -> None:
    facts = stand(wounded=[*ALL_CHITS][1:], goods=["Light Bow-1+", "Golden Crown"], gold=50)
    game, table = hold({"Elf": facts}, ["Wolf-1", "Wolf-2"], "stay", piles={PLACE: ["Spear-1"]})
    assert len(table.questions) == 1
    assert game.heroes == {}
    assert game.piles == {PLACE: ["Spear-1", "Light Bow-1", "Golden Crown"]}
    assert [hero.name for hero in game.deaths] == ["Elf"]
    game.pass_midnight()
    assert game.score_seats() == [-100]


def begin_new_life(piles: dict[str, list[str]], *answers: str, **facts: Any) -> Game:  # noqa: ANN401 - facts of a hero have many types
    heroes = {"Elf": stand(wounded=[*ALL_CHITS][1:]), "Witch": {"at": "BV5", **facts}}
    options = {"days": "7"}
    game, _ = hold(heroes, ["Wolf-1"], "stay", piles=piles, options=options, day=3)
    game.pass_midnight()
    script_of(game).answers = [*answers, "want fame", "back", "want gold", "want gold", "ready"]
    game.begin_new_lives()
    return game


def test_k8_a_new_life_begins_at_the_inn_with_any_free_character() -> None:
    game = begin_new_life({}, "be Berserker", "gear Helmet Patrol")
    questions = script_of(game).questions
    assert questions[1] == (0, [f"be {name}" for name in CHARACTERS if name != "Witch"])
    hero = game.heroes["Berserker"]
    assert [(item.name, item.active) for item in hero.goods] == [("Great Axe-1", True), ("Helmet-3", True)]
    assert (hero.seat, hero.at, hero.hidden, hero.gold, hero.points) == (0, "BV5", True, 10, ["gold", "gold"])
    assert [*game.heroes] == ["Berserker", "Witch"]


def test_k8_gear_comes_from_the_first_pile_or_is_paid() -> None:
    bows = ["Light Bow-1", "Light Bow-2"]
    piles = {"B3": [bows[0]], "AV2": ["Spear-1", bows[1]]}
    game = begin_new_life(piles, "be Elf")
    assert [item.name for item in game.heroes["Elf"].goods] == [bows[1]]
    assert (game.piles["B3"], game.piles["AV2"]) == ([bows[0]], ["Spear-1"])
    game = begin_new_life({}, "be Elf", goods=bows)
    assert game.heroes["Elf"].goods == []
    assert game.heroes["Elf"].gold == 10 + GOODS["Light Bow-1"]["price"]
