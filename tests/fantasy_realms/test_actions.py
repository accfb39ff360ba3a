"""Numbers of steps: each stands for one step, and each step of a player has one."""

from __future__ import annotations

from realmtable.games.fantasy_realms import actions, notation
from realmtable.games.fantasy_realms.actions import ACTION_COUNT, action_of, move_of
from realmtable.games.fantasy_realms.state import Step


def test_numbers_and_steps_belong_to_each_other() -> None:
    steps = [move_of(action) for action in range(ACTION_COUNT)]
    assert len({*steps}) == ACTION_COUNT == 11505
    assert [action_of(step) for step in steps] == [*range(ACTION_COUNT)]


def test_every_verb_of_a_player_has_numbers() -> None:
    numbered = {*actions.BARE_VERBS, *actions.CARD_VERBS, *actions.BID_VERBS}
    assert numbered == {*notation.VERBS} - {"time"}, "only the clock says time"


def test_numbers_stay_the_same() -> None:
    assert [action_of(step) for step in (Step("deck"), Step("leave"), Step("take", 52), Step("refuse", 52, 52))] == [
        0,
        3,
        56,
        11504,
    ]
