"""The cached legal steps of a state can be dropped and are recomputed."""

from __future__ import annotations

import realmtable


def test_the_list_of_legal_steps_is_made_again_after_it_was_forgotten() -> None:
    state = realmtable.game("classic_realm").initial(2)
    before = state.legal_codes()
    assert state.legal_codes() is before
    state.drop_caches()
    again = state.legal_codes()
    assert again == before
    assert again is not before
