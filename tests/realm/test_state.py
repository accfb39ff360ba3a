"""A state is a value; its view is plain data; a step has its number, its text and its clicks."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.games.realm.layout import STEP_CODES
from realmtable.games.realm.rearrangement import pieces_in_hand
from realmtable.games.realm.steps import StepKind
from tests.realm.helpers import GAME, SETUP, TESTED, play, position, random_step, seat_of, start
from tests.state_checks import StateChecks, check_clicks, check_unused_keys_do_not_matter, turns_after

BOARD = "W:Bh11,Pg10,Eg12S,Ei12x B:Bh2,Pg3"


class TestState(StateChecks):
    tested = TESTED
    shown = "<Realm W:Pg10,Bh11,Eg12S,Ei12x B:Bh2,Pg3 move=W>"
    step_codes = STEP_CODES
    others = (
        "options=bases=13",
        "options=agree_end=off",
        "quiet=3",
        "seen=",
        "rowW=h11*1",
        "offer=standing",
        "captured=1/0",
        "passed",
    )


# ---- values


def test_what_lies_beyond_the_seen_keys_does_not_matter() -> None:
    check_unused_keys_do_not_matter(position(BOARD))


def test_what_is_in_hand() -> None:
    state = position(BOARD)
    assert pieces_in_hand(state.position) == []
    lifted = play(state, "Rh11")
    assert [piece & 7 for piece in pieces_in_hand(lifted.position)] == [2, 5, 7]
    assert [piece & 7 for piece in pieces_in_hand(play(lifted, "Pg10 Eg11N").position)] == [7]


# ---- turns


def test_turns_are_numbered_as_the_magazine_does() -> None:
    rounds = [(number, seat) for number in range(1, 9) for seat in range(2)]
    assert turns_after(TESTED, start(), SETUP + " Pi10f10 end Pg3f3 end Rb5 Pa4") == [
        *rounds[:12], (7, 0), (7, 0), (7, 1), (7, 1), (8, 0), (8, 0), (8, 1)
    ]  # fmt: skip


def test_turns_with_an_extra_base_or_the_second_moving_first() -> None:
    texts = SETUP.replace("Bb8", "Bb8 Bk11")
    turns = turns_after(TESTED, start(extra_base_second=True), texts)
    assert turns[5:8] == [(3, 1), (4, 1), (5, 0)]
    assert turns[-1] == (8, 0)
    assert turns_after(TESTED, start(second_moves_first=True), SETUP)[-2:] == [(6, 1), (7, 1)]


# ---- views


def test_what_a_view_says() -> None:
    view = GAME.view(play(position(BOARD + " offer=standing captured=1/2"), ""), 1)
    assert (view["offered"], view["phase"], view["turn"]) == (True, "turn", {"number": 7, "seat": 0})
    assert view["stock"][0] == {"bases": 9, "enforcers": 6, "captured": 1}
    assert view["pieces"][0] == {"at": "h2", "seat": 1, "kind": "base", "facing": None, "mobile": True}
    by_space = {piece["at"]: piece for piece in view["pieces"]}
    assert by_space["g12"] == {"at": "g12", "seat": 0, "kind": "enforcer", "facing": "S", "mobile": True}
    assert by_space["i12"] == {"at": "i12", "seat": 0, "kind": "enforcer", "facing": None, "mobile": False}
    assert by_space["g10"]["kind"] == "power"


def test_the_view_of_a_game_that_is_over() -> None:
    view = GAME.view(position(BOARD + " phase=over end=max_turns"), None)
    assert view["outcome"] == {
        "scores": [1, 1],
        "winner": 1,
        "reason": "max_turns",
        "text": "The game reached its last turn. 1 Realms each; Black wins on the tie-break, 8 to 7.",
    }
    assert view["to_move"] == []


# ---- steps


@pytest.mark.parametrize(
    ("text", "clicks"),
    [
        ("Pg10g7", ("g10", "g7")),
        ("Bh11", ("h11",)),
        ("Eg12S", ("g12", "face:S")),
        ("Eg12x", ("g12",)),
        ("xEg12", ("g12",)),
        ("Rh11", ("rearrange", "h11")),
        ("xPg10(Ei12N)", ("sacrifice", "g10", "i12", "face:N")),
        ("place:White", ("first:White",)),
        ("move:Black", ("first:Black",)),
        ("-", ("decline",)),
        ("end", ("end",)),
        ("pass", ("pass",)),
        ("offer", ("offer", "offer")),
        ("accept", ("accept", "accept")),
    ],
)
def test_the_clicks_that_mean_a_step(text: str, clicks: tuple[str, ...]) -> None:
    check_clicks(TESTED, position(BOARD), text, clicks)


@pytest.mark.parametrize("seed", range(3))
def test_no_two_legal_steps_share_their_clicks(seed: int) -> None:
    rng = Random(seed)
    state = start(optional_creation=True, power_sacrifice=True, rearrange_both=True)
    view = GAME.view(state, 0)
    for _ in range(150):
        if not GAME.to_move(state):
            return
        steps = GAME.legal_moves(state, seat_of(state))
        assert len({GAME.handles(view, step) for step in steps}) == len(steps)
        state = GAME.play(state, seat_of(state), random_step(rng, state))


def test_moves_come_first_and_agreements_last() -> None:
    assert StepKind.MOVE == min(StepKind) < max(StepKind) == StepKind.ACCEPT
