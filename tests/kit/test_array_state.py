"""What a state computes is cached until its caches are dropped."""

from __future__ import annotations

import realmtable


def test_legal_steps_and_the_state_after_the_latest_step_are_cached() -> None:
    state = realmtable.game("classic_realm").initial(2)
    codes = state.legal_codes()
    after = state.after(codes[0])
    assert state.legal_codes() is codes
    assert state.after(codes[0]) is after
    state.drop_caches()
    assert state.after(codes[0]) == after
    assert state.after(codes[0]) is not after
    again = state.legal_codes()
    assert again == codes
    assert again is not codes
