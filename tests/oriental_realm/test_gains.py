"""A pin counts for the seat that pins."""

from __future__ import annotations

from realmtable.games.oriental_realm.view import count_gains


def test_pins_count_for_the_other_seat() -> None:
    pieces = [{"seat": 0, "pinned": True}, {"seat": 0, "pinned": True}, {"seat": 1, "pinned": True}]
    pieces += [{"seat": 1, "pinned": False}]
    assert count_gains({"pieces": pieces}) == {"pin": [1, 2]}
