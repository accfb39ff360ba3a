"""Games that score hands from a real table, and finding their scorers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from realmtable.engine import hand_scorer, registry
from realmtable.engine.errors import UnknownGame
from tests.toys.dice_duel import INFO, DiceDuel


def test_the_module_that_a_game_names_holds_its_scorer(monkeypatch: pytest.MonkeyPatch) -> None:
    duel = DiceDuel()
    duel.info = replace(INFO, hand_scorer=__name__)
    monkeypatch.setitem(registry.ADDED, INFO.id, duel)
    assert hand_scorer.find_hand_scorer(INFO.id) is SCORER


def test_a_game_without_hands_has_no_scorer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.ADDED, INFO.id, DiceDuel())
    assert hand_scorer.find_hand_scorer(INFO.id) is None


def test_a_game_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownGame):
        hand_scorer.find_hand_scorer("chess")


def test_the_first_game_with_hands_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "infos", lambda: [INFO, replace(INFO, id="other", hand_scorer=__name__)])
    assert hand_scorer.first_game_with_hands() == "other"
    monkeypatch.setattr(registry, "infos", list)
    assert hand_scorer.first_game_with_hands() is None


SCORER = object()
