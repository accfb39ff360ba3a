"""The twin of Magic Realm carries out what an evening's combat leaves behind, clause by clause."""

from __future__ import annotations

from typing import Any

from tests.magic_realm.twin.twin_game import Game, load_game
from tests.magic_realm.twin.twin_scripts import Facts
from tests.magic_realm.twin.twin_table import Table

DWELLINGS = {"Inn": "BV5", "House": "CV5", "Chapel": "DV5", "Guardhouse": "EV5"}


STAND = ("pass", "done", "next Elf", "aim none", "ready")


class ScriptedTable(Table):
    """Gives the answers of a list."""

    def __init__(self, *answers: str) -> None:
        super().__init__()
        self.answers = [*answers]

    def ask(self, asked: dict[int, list[str]]) -> tuple[int, str]:
        seat, options = next(iter(asked.items()))
        return seat, self.take([*options])

    def draw(self, outcomes: dict[str, int]) -> str:
        return self.take([*outcomes])

    def take(self, options: list[str]) -> str:
        answer = self.answers.pop(0)
        assert answer in options, (answer, options)
        return answer


def hold(heroes: dict[str, Facts], monsters: dict[str, str], *answers: str, **setup: Any) -> Game:  # noqa: ANN401 - a set-up has many types
    """Play an evening with these answers."""
    table = ScriptedTable(*answers)
    full = {"map": "stock1", "options": {}, "dwellings": DWELLINGS, "monsters": monsters, "heroes": heroes, **setup}
    game = load_game(table, full)
    game.hold_evening()
    assert table.answers == []
    return game


def test_e1_q1_clearings_are_drawn_and_everyone_with_belongings_may_rearrange_them() -> None:
    heroes: dict[str, Facts] = {
        "Elf": {"at": "B2", "goods": ["Light Bow-1+"]},
        "Witch": {"at": "B3"},
        "Druid": {"at": "B2-B3"},
    }
    game = hold(heroes, {}, "clearing B3", "rest easy", "clearing B2", "rest easy", "leave Light Bow-1")
    assert game.piles["B2"] == ["Light Bow-1"]


def test_k7_c28_q3_a_killed_monster_leaves_the_map_and_weapons_are_unalerted_at_midnight() -> None:
    heroes: dict[str, Facts] = {"Elf": {"at": "B2", "hidden": False, "goods": ["Light Bow-1+!"]}}
    answers = ("clearing B2", "pass", "done", "next Elf", "aim Wolf-1", "strike swing Fight M4", "evade dodge Move M4")
    game = hold(heroes, {"Wolf-1": "B2"}, *answers, "ready", "die 4", "d 1 1", "die 1", "rest easy", "go")
    elf = game.heroes["Elf"]
    assert (game.monsters, elf.kills, elf.goods[0].alerted) == ({"Wolf-1": "gone"}, 1, False)
    elf.goods[0].alerted = True
    game.pass_midnight()
    assert (elf.kills, elf.goods[0].alerted) == (0, False)
    game.rows, game.day_number = [3], 7
    game.rise({"rows": [3]})
    assert game.monsters == {}  # B6


def test_c21_w3_destroyed_armour_returns_to_its_makers_and_the_dead_leave_their_belongings() -> None:
    heroes: dict[str, Facts] = {"Elf": {"at": "B2", "hidden": False, "goods": ["Helmet-1+", "Spear-1"]}}
    first = ("clearing B2", *STAND, "die 2", "wound Fight M4")
    game = hold(heroes, {"T Troll-1": "B2"}, *first, *STAND[1:], "die 2")
    assert game.native_boxes["Soldiers"][-1] == "Helmet-1"
    assert (game.piles["B2"], [hero.name for hero in game.deaths]) == (["Spear-1"], ["Elf"])


def test_x2_whoever_sees_a_runner_discovers_the_path_and_can_run_there() -> None:
    heroes: dict[str, Facts] = {"Wizard": {"at": "CG2", "hidden": False}, "Witch": {"at": "CG2"}, "Elf": {"at": "CG3"}}
    run = ("stir", "pass", "pass", "run CG2-CG3 with Move M4*", "run CG2-CG3 with Move L4")
    game = hold(heroes, {}, "clearing CG2", *run, "clearing CG3", "rest easy")
    assert {hero.at for hero in game.heroes.values()} == {"CG2-CG3", "CG3"}
    assert all("CG2-CG3" in game.heroes[name].knows for name in ("Witch", "Elf"))
