"""The seat chips of the games on the Realm board say what the trays of a picture that stands alone say."""

from __future__ import annotations

import re

import pytest

import realmtable
from realmtable.engine.pictures import parts_of
from realmtable.engine.table_parts import HasSeatChips
from tests.conformance.random_games import play_randomly

BOARD_GAMES = [info.id for info in realmtable.infos() if not info.hidden and not info.chance]
UNREAD = re.compile(r'<[^>]*?(?:aria-label="([^"]*)"[^>]*)?>')  # markup, of which only labels are read


@pytest.mark.parametrize("game_id", BOARD_GAMES)
def test_every_number_of_a_chip_is_in_the_tray(game_id: str) -> None:
    game = realmtable.game(game_id)
    assert isinstance(game, HasSeatChips)
    for step in play_randomly(game, game.initial(), 0, 300).steps[::15]:
        view = game.view(step.state, None)
        parts = parts_of(game.draw(view))
        for seat, chip in enumerate(game.seat_chips(view)):
            counted = [fact.value for fact in chip.facts if fact.value and "in hand" not in fact.label]
            if view["phase"] != "place" and chip.total is not None:
                counted.append(chip.total.value)
            tray = "".join(part for name, part in parts.items() if name.startswith(f"tray {seat}"))
            said = UNREAD.sub(lambda found: f" {found[1] or ''} ", tray)
            assert set(counted) <= set(re.findall(r"\d+", said)), (chip, said)
