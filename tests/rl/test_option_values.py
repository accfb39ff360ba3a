"""Every value of every option is accepted wherever options are given, as its type and as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import gymnasium
import pyspiel
import pytest

import realmtable
import realmtable.rl.open_spiel
from realmtable import rl
from realmtable.cli.command_helpers import options_from_flags
from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue
from realmtable.rl.gym_env import environment_id
from tests.rl.settings import list_single_options

VALUES: defaultdict[str, list[tuple[str, OptionValue]]] = defaultdict(list)
for of_game, of_option, other_value in list_single_options():
    VALUES[of_game].append((of_option, other_value))


def spell_values(value: OptionValue) -> list[OptionValue]:
    """Return a value as its type and as people may write it."""
    words: list[OptionValue] = []
    if isinstance(value, bool):
        words = ["on", "true", "1", 1] if value else ["off", "false", "0", 0]
    return [value, *words, str(value)]


def from_gymnasium(game_id: str, name: str, value: OptionValue) -> Any:  # noqa: ANN401 - options of any game
    env = gymnasium.make(environment_id(realmtable.info(game_id)), options={name: value}, disable_env_checker=True)
    return env.unwrapped.setting.options  # type: ignore[attr-defined] # our own class


def from_open_spiel(game_id: str, name: str, value: OptionValue) -> Any:  # noqa: ANN401 - as above
    return pyspiel.load_game("python_realmtable", {"game": game_id, "options": f"{name}:{value}"}).setting.options


ENTRY_POINTS: dict[str, Callable[[str, str, OptionValue], Any]] = {
    "Python": lambda game_id, name, value: realmtable.game(game_id).options(None, **{name: value}),
    "AEC": lambda game_id, name, value: rl.aec_env(game_id, options={name: value}).unwrapped.setting.options,
    "parallel": lambda game_id, name, value: rl.parallel_env(game_id, options={name: value}).setting.options,
    "Gymnasium": from_gymnasium,
    "OpenSpiel": from_open_spiel,
    "command line": lambda game_id, name, value: options_from_flags(game_id, (f"{name}={value}",), None, None),
}


@pytest.mark.parametrize("game_id", VALUES)
@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
def test_every_option_is_accepted(entry_point: str, game_id: str) -> None:
    for name, value in VALUES[game_id]:
        spellings = spell_values(value) if entry_point == "Python" else spell_values(value)[-2:]
        for spelling in spellings:
            assert getattr(ENTRY_POINTS[entry_point](game_id, name, spelling), name) == value, (name, spelling)


@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
def test_wrong_values_are_refused_alike(entry_point: str) -> None:
    with pytest.raises(BadOptions, match=r"^Option double_moves must be on or off, not maybe\.$"):
        ENTRY_POINTS[entry_point]("classic_realm", "double_moves", "maybe")
