"""Steps of Oriental Realm in words, and the labels of buttons."""

from __future__ import annotations

import pytest

from tests.example_tables import read_table
from tests.oriental_realm.helpers import GAME, TESTED, position, start

BOARD = "W:Ee2,Mb2,Mc4 B:Eh11,Ma1,Mk8"


DESCRIBED = """
                                 | Ee2e4       | Emperor from e2 to e4
                                 | Mb2b5       | Mandarin from b2 to b5
                                 | Mb2b5 end   | End turn
    W:Ee2,Mb2,Mc1 B:Eh11,Ma1,Mk8 | Mc1b1 Mb2a2 | Mandarin from b2 to a2, surrounding enemy pieces; the game ends
"""  # position, if not BOARD; steps; words


@pytest.mark.parametrize(("text", "steps", "expected"), read_table(DESCRIBED))
def test_a_step_is_described(text: str, steps: str, expected: str) -> None:
    assert TESTED.describe_last(position(text or BOARD), steps) == expected


def test_placements_and_choices_are_described() -> None:
    state = start(free_setup=True)
    assert GAME.describe_move(state, GAME.parse_move(state, "Mb2")) == "Mandarin on b2"
    assert GAME.describe_move(state, GAME.parse_move(state, "Ec3")) == "Emperor on c3"
    state = start(emperor="choose")
    assert GAME.describe_move(state, GAME.parse_move(state, "Eh2")) == "Emperor on h2"


def test_buttons_have_labels() -> None:
    assert (GAME.label("hand:Mandarin"), GAME.label("hand:Emperor")) == ("Place a Mandarin", "Place the Emperor")
    assert (GAME.label("pass"), GAME.label("b2")) == ("Pass", "b2")
