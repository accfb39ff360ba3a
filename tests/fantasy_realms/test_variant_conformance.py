"""The protocol's promises in each variant and for several player counts; the main suite draws few."""

from __future__ import annotations

import pytest

from realmtable.conformance.checks import PLAY_CHECKS, PlayCheck
from tests.conformance.random_games import play_randomly
from tests.fantasy_realms.helpers import GAME, TABLES, patch_quick_scores, start


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)


@pytest.mark.parametrize(
    ("variant", "seats"),
    [
        ("standard", 2),
        pytest.param("standard", 4, marks=pytest.mark.slow),
        pytest.param("chaos", 3, marks=pytest.mark.slow),
        ("chaos", 7),
    ],
)
@pytest.mark.parametrize("check", PLAY_CHECKS, ids=lambda check: check.__name__)
def test_promise_in_each_variant(check: PlayCheck, variant: str, seats: int) -> None:
    check(play_randomly(GAME, start(seats, variant, max_steps=30), 10 + seats, 90))


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_every_number_of_players_comes_to_an_end(variant: str, seats: int) -> None:
    play = play_randomly(GAME, start(seats, variant, max_steps=100), seats, 10_000)
    assert GAME.outcome(play.last) is not None
    assert play.seats == range(seats)
