"""Steps of Classic Realm in words, and the labels of buttons."""

from __future__ import annotations

import pytest

from tests.classic_realm.helpers import GAME, TESTED, play, position, start

POND = "W:Fb2,~b2,Fe2,~h8*5 B:Fb5,Fk11,~k8*6"
BLACKS = "W:Fb2,Fk2,~h8*6 B:Fb5,~b5,Fe8,~k8*5 move=B"


@pytest.mark.parametrize(
    ("text", "step", "expected"),
    [
        (POND, "Fe2h2", "Frog from e2 to h2"),
        (POND, "Fb2b5", "Frog from b2 to b5, dunking the frog there and rescuing a frog onto b2"),
        (POND, "Fe2b5", "Frog from e2 to b5, dunking the frog there"),
        (BLACKS, "Fb5e5", "Frog from b5 to e5, rescuing a frog onto b5"),
        (BLACKS, "Fe8e5", "Frog from e8 to e5"),
        (BLACKS, "Fb5b2", "Frog from b5 to b2, dunking the frog there and rescuing a frog onto b5"),
        (POND.replace("Fk11", "~k11"), "Fe2b5", "Frog from e2 to b5, dunking the frog there; the game ends"),
    ],
)
def test_a_move_is_described_with_its_effects(text: str, step: str, expected: str) -> None:
    assert TESTED.describe_last(position(text), step) == expected


def test_other_steps_are_described() -> None:
    state = start(free_setup=True)
    assert GAME.describe_move(state, GAME.parse_move(state, "Fb2")) == "Frog on b2"
    state = play(position(POND + " right=W owed=0", double_moves=True), "Fb2b5")
    assert GAME.describe_move(state, GAME.parse_move(state, "end")) == "End turn"


def test_buttons_have_labels() -> None:
    assert (GAME.label("end"), GAME.label("b2")) == ("End turn", "b2")
