"""Steps of Modern Realm in words, and the labels of buttons."""

from __future__ import annotations

import pytest

from tests.example_tables import read_table
from tests.modern_realm.helpers import GAME, TESTED, play, position, start

BOARD = "W:Ab5,Cb4,Ah5 B:Ab8,Ck11"


DESCRIBED = """
                                | Ah5l5 | Agent from h5 to l5
                                | Ah5h8 | Agent from h5 to h8, founding an HQ on h8
                                | Ab5b7 | Agent from b5 to b7
                                | Cb4d4 | Counter-Agent from b4 to d4
    W:Cb5,Ah5 B:Ab8,Ck11        | Cb5b7 | Counter-Agent from b5 to b7, dislodging an Agent and founding an HQ on b8
    W:Aa4 B:Hb5,Ac4,Ak11 move=W | pass  | Pass
"""  # position, if not BOARD; steps; words


@pytest.mark.parametrize(("text", "steps", "expected"), read_table(DESCRIBED))
def test_a_step_is_described_with_its_capture(text: str, steps: str, expected: str) -> None:
    assert TESTED.describe_last(position(text or BOARD), steps) == expected


def test_other_steps_are_described() -> None:
    state = play(position("W:Cb5,Ah5 B:Ab8,Ck11"), "Cb5b7")
    assert GAME.describe_move(state, GAME.parse_move(state, "xAa9")) == "Dislodged Agent to a9"
    state = start(counter_agent="choose")
    assert GAME.describe_move(state, GAME.parse_move(state, "Ce2")) == "Counter-Agent on e2"


def test_buttons_have_labels() -> None:
    assert (GAME.label("pass"), GAME.label("b2")) == ("Pass", "b2")
