"""The game object: states are values, turns are text and back, and refusals name the acting seat."""

from __future__ import annotations

import pytest

import realmtable
from realmtable.engine.errors import BadNotation, GameOver, IllegalMove, NotYourTurn
from realmtable.engine.protocol import CHANCE, HasSeatCount
from realmtable.games.realms_of_etherium.notation.step_notation import parse_step
from realmtable.games.realms_of_etherium.notation.turn_notation import MAX_TURN
from tests.realms_of_etherium.helpers import RESERVE

GAME = realmtable.game("realms_of_etherium")
LINE = f"tiles=Portal@0,0;Gather@0,1;Quicken@1,0 mages=portal;1,0/portal;portal {RESERVE} phase=act active=2 held=1,0"


# ---- states


def test_a_view_is_made_once_for_all_viewers() -> None:
    state = GAME.decode(LINE)
    views = [GAME.view(state, viewer) for viewer in (None, 0, 1)]
    assert views[0]["realms"] is views[2]["realms"]
    assert [view["viewer"] for view in views] == [None, 0, 1]
    assert views[0]["turn"] == {"number": 1, "seat": 0}
    over = GAME.decode(f"mages=portal/portal {RESERVE} phase=over end=max_rounds")
    assert GAME.view(over, None)["outcome"]["ranking"] == (1, 1)
    assert repr(state) == f"<Realms of Etherium {LINE}>"


def test_r1_only_the_acting_seat_may_play() -> None:
    state, step = GAME.decode(LINE), parse_step("end")
    with pytest.raises(NotYourTurn, match="Scarlet has to decide first"):
        GAME.play(state, 1, step)
    with pytest.raises(NotYourTurn, match="Wait until chance has drawn"):
        GAME.play(GAME.initial(), 0, step)
    with pytest.raises(GameOver):
        GAME.play(GAME.decode(f"mages=portal/portal {RESERVE} phase=over end=points"), 0, step)
    with pytest.raises(IllegalMove, match="no Realm on that hex"):
        GAME.play(state, 0, parse_step("to 5,5"))
    assert GAME.legal_moves(state, 1) == []
    assert GAME.legal_moves(GAME.initial(), CHANCE) == []
    assert GAME.chance(state) == []


# ---- turns as text


def test_n2_a_turn_stops_where_chance_or_another_turn_begins() -> None:
    state = GAME.decode(LINE)
    with pytest.raises(BadNotation, match="Chance acts before the rest"):
        GAME.parse_turn(state, "to portal, summon -1,1, draw realm, end")
    assert GAME.parse_turn(state, "end, end") == ([parse_step("end")], [], "end")
    for text in ("to 0,1, to portal", "TO 0,1 ,  TO PORTAL"):
        assert GAME.parse_turn(state, text).moves == [parse_step("to 0,1"), parse_step("to portal")]
    with pytest.raises(BadNotation, match="shorter than"):
        GAME.parse_turn(state, "end," * MAX_TURN)
    with pytest.raises(GameOver):
        GAME.parse_turn(GAME.decode(f"mages=portal/portal {RESERVE} phase=over end=points"), "end")


# ---- positions


@pytest.mark.parametrize("seats", [2, 6])
def test_a_state_knows_its_number_of_players(seats: int) -> None:
    assert isinstance(GAME, HasSeatCount)
    assert GAME.count_seats(GAME.initial(seats)) == seats
