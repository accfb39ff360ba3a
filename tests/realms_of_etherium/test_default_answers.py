"""What the table does for a player who is asked out of turn and does not answer (N9)."""

from __future__ import annotations

import pytest

from realmtable.games.realms_of_etherium.game import GAME
from realmtable.games.realms_of_etherium.notation.step_notation import step_text
from tests.realms_of_etherium.helpers import RESERVE
from tests.realms_of_etherium.test_words import (
    ASKED_PROTECT,
    DISPLACE,
    PROTECT,
    TARGET,
)

AWAY = "tiles=Portal@0,0;Channel@1,-1;Displace@2,-1;Gather@3,-1;Draw@3,-2 mages=2,-1;portal/2,-1;portal"
FAR_TARGET = "phase=target active=1 held=2,-1 displace=2,-1 owner=2 used=1@2,-1 asked=2.1 options=displace_by=owner"


@pytest.mark.parametrize(
    ("text", "step"),
    [
        (f"{PROTECT} {ASKED_PROTECT}", "skip"),
        (f"{DISPLACE} {TARGET}", "to portal"),
        (f"{AWAY} {FAR_TARGET}", "to 3,-2"),
    ],
)
def test_n9_the_table_declines_or_chooses_the_portal_or_the_first_step(text: str, step: str) -> None:
    state = GAME.decode(f"{text} {RESERVE}")
    (seat,) = GAME.to_move(state)
    assert seat != GAME.turn(state).seat
    assert step_text(GAME.default_step(state, seat)) == step
