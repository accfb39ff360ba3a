"""The design of experiments, and the cache key of each game."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import RealmtableError
from realmtable.lab.balance import experiment as experiments
from realmtable.lab.balance.experiment import BalanceTask, Factor, design_experiment
from tests.lab.balance.helpers import DOUBLE, make_experiment


def test_every_combination_is_a_setting_and_the_first_values_come_first() -> None:
    made = make_experiment(DOUBLE, bots=("random", "greedy"))
    assert [(setting.options, setting.bot) for setting in made.settings] == [
        ((), "random"),
        ((), "greedy"),
        (("double_moves=on",), "random"),
        (("double_moves=on",), "greedy"),
    ]
    assert [made.describe_setting(index) for index in range(4)] == [
        "double_moves=off, random",
        "double_moves=off, greedy",
        "double_moves=on, random",
        "double_moves=on, greedy",
    ]
    assert [factor.name for factor in made.factors] == ["double_moves", "bots"]
    assert made.title == "Classic Realm"


def test_what_does_not_vary_is_no_factor() -> None:
    made = make_experiment(Factor("double_moves", ("on",), ("on",)))
    assert made.factors == ()
    assert made.describe_setting(0) == "random"
    assert made.settings[0].options == ("double_moves=on",)


def test_presets_can_be_compared() -> None:
    made = design_experiment("fantasy_realms", [], bots=["random"], presets=["standard", "chaos"], seats=3)
    assert [made.describe_setting(index) for index in range(2)] == ["standard", "chaos"]
    assert made.settings[0].options != made.settings[1].options


def test_all_settings_share_the_seeds() -> None:
    made = make_experiment(DOUBLE)
    seeds = [[made.make_task(setting, number).seed for number in range(50)] for setting in range(2)]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 50
    assert make_experiment(DOUBLE, seed=2).make_task(0, 0).seed not in seeds[0]


def test_the_cache_key_of_a_game_depends_on_all_that_decides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    task = BalanceTask("classic_realm", 2, (), "random", 1, None)
    others = [
        task._replace(game_id="medieval_realm"),
        task._replace(seats=3),
        task._replace(options=("double_moves=on",)),
        task._replace(bot="greedy"),
        task._replace(seed=2),
        task._replace(opening_turns=0),
    ]
    keys = {each.key() for each in [task, *others]}
    assert len(keys) == 7
    assert task.key() == BalanceTask("classic_realm", 2, (), "random", 1, None).key()
    monkeypatch.setattr(experiments, "fingerprint_rules", lambda _: "other code")
    assert task.key() not in keys


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"seats": 3}, "Classic Realm is for 2 players, not 3."),
        ({"opening_turns": -1}, "An opening may have 0 to 1,000 turns, not -1."),
        ({"bots": []}, "Name at least one bot, such as level3."),
        ({"bots": ["random", ""]}, "Name at least one bot, such as level3."),
        ({"bots": ["rndom"]}, "There is no bot rndom"),
        ({"bots": ["random", "random"]}, "The value random of bots is given twice."),
        ({"factors": [Factor("wings", ("on",), ("on",))]}, "There is no option wings"),
        ({"factors": [Factor("double_moves", ("9",), ("9",))]}, "Option double_moves must be on or off, not 9."),
        ({"presets": ["huge"]}, "There is no preset huge"),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused(arguments: dict[str, object], sentence: str) -> None:
    everything = {"factors": [], "bots": ["random"], **arguments}
    with pytest.raises(RealmtableError) as refusal:
        design_experiment("classic_realm", **everything)  # type: ignore[arg-type] # each case is wrong in its own way
    assert str(refusal.value).startswith(sentence)


def test_there_may_not_be_too_many_combinations() -> None:
    bots = tuple(f"mcts:nodes={nodes}" for nodes in range(1, 34))
    with pytest.raises(RealmtableError, match="make 66 combinations; at most 64"):
        make_experiment(DOUBLE, bots=bots)
