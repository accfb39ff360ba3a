"""A state is a value; its view is plain data; a step has its number and its clicks."""

from __future__ import annotations

import pytest

from realmtable.games.modern_realm.layout import STEP_CODES
from tests.modern_realm.helpers import GAME, TESTED, position, start
from tests.state_checks import StateChecks, check_clicks, turns_after

BOARD = "W:Ab4,Aa9,Ce2,Hk8 B:Ab8,Ac7,Al12,Ch11"


class TestState(StateChecks):
    tested = TESTED
    shown = "<Modern Realm W:Ce2,Ab4,Hk8,Aa9 B:Ac7,Ab8,Ch11,Al12 move=W>"
    step_codes = STEP_CODES
    others = ("options=hq_counts=off", "options=counter_agent=k5", "options=max_turns=299", "passed", "from=b5")


def test_turns_are_counted_in_pairs() -> None:
    assert turns_after(TESTED, start(), "Ab5b7 Ab11d11 Ak5k7") == [(1, 0), (1, 1), (2, 0), (2, 1)]


def test_what_a_view_says() -> None:
    view = GAME.view(position(BOARD), 1)
    assert (view["phase"], view["turn"], view["to_move"]) == ("turn", {"number": 1, "seat": 0}, [0])
    assert (view["headquarters"], view["stock"]) == ([1, 0], [7, 8])
    assert (view["open"], view["dislodged"]) == ({"origin": None, "left": []}, None)
    by_space = {piece.pop("at"): piece for piece in view["pieces"]}
    assert by_space["a9"] == {"seat": 0, "kind": "agent", "mobile": False}
    assert by_space["b8"] == {"seat": 1, "kind": "agent", "mobile": True}
    assert by_space["h11"] == {"seat": 1, "kind": "counter", "mobile": True}
    assert by_space["k8"] == {"seat": 0, "kind": "hq", "mobile": False}


def test_the_view_of_a_game_that_is_over() -> None:
    view = GAME.view(position("W:Hb8,Aa1 B:Al12 turns=300 end=max_turns"), None)
    assert view["outcome"] == {
        "scores": [1, 0],
        "winner": None,
        "reason": "max_turns",
        "text": "The game reached its last turn: a draw at 1 to 0.",
    }
    assert (view["to_move"], view["phase"]) == ([], "over")


@pytest.mark.parametrize(
    ("text", "clicks"), [("Ab4b7", ("b4", "b7")), ("xAb9", ("b9",)), ("Ce2", ("e2",)), ("pass", ("pass",))]
)
def test_the_clicks_that_mean_a_step(text: str, clicks: tuple[str, ...]) -> None:
    check_clicks(TESTED, position(BOARD), text, clicks)


def test_a_finished_game_has_no_steps() -> None:
    assert GAME.decode("W:Aa1 B:Al12 end=max_turns turns=300").legal_codes() == []
