"""Options are validated: unknown names, values out of range, and wrong types are refused."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import BadOptions
from realmtable.engine.options import OptionValue
from tests.medieval_realm.helpers import GAME, options_of


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"duke_squares": "middle"}, "Option duke_squares must be back_middle | back_corners"),
        ({"duke_squares": True}, "Option duke_squares must be"),
        ({"duke_draw": 2}, "Option duke_draw must be on or off"),
        ({"duke_draw": "maybe"}, "Option duke_draw must be on or off"),
        ({"max_plies": 19}, "Option max_plies must be 20 to 500, not 19"),
        ({"max_plies": 501}, "Option max_plies must be 20 to 500, not 501"),
        ({"max_plies": True}, "Option max_plies must be"),
        ({"bases": 12}, "There is no option bases; the options are duke_squares, duke_draw, max_plies"),
    ],
)
def test_options_are_refused_by_name(values: dict[str, OptionValue], words: str) -> None:
    with pytest.raises(BadOptions) as caught:
        options_of(**values)
    assert words in str(caught.value)


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(BadOptions, match="no preset corners; choose one of standard"):
        GAME.options("corners")


def test_the_game_is_for_two() -> None:
    with pytest.raises(BadOptions, match="Medieval Realm is for 2 players, not 3"):
        GAME.initial(3)


def test_the_default_is_the_standard_preset() -> None:
    assert GAME.options() == GAME.options(GAME.info.default_preset) == GAME.options_of(GAME.initial())
