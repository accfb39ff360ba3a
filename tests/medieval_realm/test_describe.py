"""Steps of Medieval Realm in words, and the labels of buttons."""

from __future__ import annotations

import pytest

from tests.example_tables import read_table
from tests.medieval_realm.helpers import GAME, TESTED, position

LAND = "W:De2,Mb5,Mb11 B:Dh11,Mb8,Ma4"


DESCRIBED = """
                            | De2e5   | Duke from e2 to e5
                            | Mb5e5   | Man from b5 to e5, leaving b5 to an enemy Man
                            | Mb5b8   | Man from b5 to b8, dislodging the Man there and leaving b5 to an enemy Man
                            | Mb11off | Man from b11 off the board
    W:Mb11 B:Dh11,Mb8       | Mb11off | Man from b11 off the board; the game ends
    W:Ma4 B:Mb5,Dh11 move=W | pass    | Pass
"""  # position, if not LAND; steps; words


@pytest.mark.parametrize(("text", "steps", "expected"), read_table(DESCRIBED))
def test_a_step_is_described_with_its_effects(text: str, steps: str, expected: str) -> None:
    assert TESTED.describe_last(position(text or LAND), steps) == expected


def test_buttons_have_labels() -> None:
    assert (GAME.label("off"), GAME.label("pass"), GAME.label("b2")) == ("Off the board", "Pass", "b2")
