"""The game object: states are values, turns are text and back, and refusals name the acting seat."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import realmtable
from realmtable.engine.errors import BadNotation, GameOver, IllegalMove, NotYourTurn, RealmtableError
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, HasSeatCount
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.notation.step_notation import parse_step, step_text
from realmtable.games.realms_of_etherium.notation.turn_notation import MAX_TURN
from realmtable.games.realms_of_etherium.steps import step_of
from tests.realms_of_etherium.helpers import RESERVE
from tests.realms_of_etherium.test_positions import is_written
from tests.realms_of_etherium.test_symmetry import LIVELY

GAME = realmtable.game("realms_of_etherium")
LINE = f"tiles=Portal@0,0;Gather@0,1;Quicken@1,0 mages=portal;1,0/portal;portal {RESERVE} phase=act active=2 held=1,0"
FUZZ = settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.too_slow])


def random_match(seats: int, seed: int, steps: int, manifest: str = "standard") -> Match:
    """A match after some random steps, mostly those that do something."""
    match = Match.start(GAME, GAME.initial(seats, GAME.options(None, manifest=manifest, max_rounds=9)), str(seed))
    rng = Random(seed)
    for _ in range(steps):
        acting = GAME.to_move(match.state)
        if not acting:
            break
        moves = GAME.legal_moves(match.state, acting[0])
        busy = [move for move in moves if step_text(move) not in ("end", "skip", "next")]
        match = match.play(acting[0], rng.choice(busy or moves))
    return match


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
    with pytest.raises(IllegalMove, match="no Realm on 5,5"):
        GAME.play(state, 0, parse_step("to 5,5"))
    assert GAME.legal_moves(state, 1) == []
    assert GAME.legal_moves(GAME.initial(), CHANCE) == []
    assert GAME.chance(state) == []


# ---- turns as text


@FUZZ
@given(code=st.integers(0, layout.STEP_CODES - 1), blanks=st.text(" \t", max_size=3))
def test_n1_any_step_is_its_text(code: int, blanks: str) -> None:
    step = step_of(code)
    if is_written(step):
        text = step_text(step)
        assert parse_step(blanks + text.replace(" ", " " + blanks) + blanks) == step
        assert parse_step(text.upper()) == step


@FUZZ
@given(seats=st.integers(2, 6), seed=st.integers(0, 2**32), lively=st.booleans())
def test_n2_a_turn_is_its_text(seats: int, seed: int, lively: bool) -> None:
    match = random_match(seats, seed, 40, LIVELY if lively else "standard")
    for turn in match.turns():
        if turn.seat >= 0:
            text = GAME.format_turn(turn.before, turn.moves)
            for written in (text, text.replace(", ", " ,  "), text.upper()):
                assert GAME.parse_turn(turn.before, written).moves == list(turn.moves)


@FUZZ
@given(text=st.text(st.sampled_from("to summon,12- endpush.mage take Quicken/"), max_size=40))
def test_n2_any_text_is_a_turn_or_refused(text: str) -> None:
    with suppress(RealmtableError):
        assert GAME.parse_turn(GAME.decode(LINE), text).moves


def test_n2_a_turn_stops_where_chance_or_another_turn_begins() -> None:
    state = GAME.decode(LINE)
    with pytest.raises(BadNotation, match="Chance acts before the rest"):
        GAME.parse_turn(state, "to portal, summon -1,1, draw realm, end")
    assert GAME.parse_turn(state, "end, end") == ([parse_step("end")], [], "end")
    assert GAME.parse_turn(state, "to 0,1, to portal").moves == [parse_step("to 0,1"), parse_step("to portal")]
    with pytest.raises(BadNotation, match="shorter than"):
        GAME.parse_turn(state, "end," * MAX_TURN)
    with pytest.raises(GameOver):
        GAME.parse_turn(GAME.decode(f"mages=portal/portal {RESERVE} phase=over end=points"), "end")


# ---- positions


@pytest.mark.parametrize("seats", [2, 6])
def test_a_state_knows_its_number_of_players(seats: int) -> None:
    assert isinstance(GAME, HasSeatCount)
    assert GAME.count_seats(GAME.initial(seats)) == seats
