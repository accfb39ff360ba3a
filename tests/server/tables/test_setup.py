"""The set-up of a table: from options, a position, or a record and some of its turns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.record import load_record
from realmtable.server.errors import BadSetup
from realmtable.server.tables.setup import RulesRequest, SetupCheck, SetupFault, check_setup, resolve_rules
from tests.conformance.random_games import play_randomly

GAME = registry.game("classic_realm")


def record_of(turns: int) -> str:
    """A record with so many turns, the first legal ones."""
    state, texts = GAME.initial(2), []
    for _ in range(turns):
        turn, seat, moves = GAME.turn(state), GAME.to_move(state)[0], []
        before = state
        while GAME.to_move(state) == (seat,) and GAME.turn(state) == turn:
            moves.append(GAME.legal_moves(state, seat)[0])
            state = GAME.play(state, seat, moves[-1])
        texts.append(GAME.format_turn(before, moves))
    return "Game: classic_realm\n\n" + "\n".join(texts) + "\n"


def test_as_many_turns_of_a_record_are_taken_over_as_are_asked_for() -> None:
    text = record_of(4)
    record = load_record(text, registry.game)
    starts = [resolve_rules(RulesRequest("classic_realm", record=text, after=after), 2) for after in (0, 1, 4, None)]
    assert starts == [((), GAME.encode(record.replay(after).state)) for after in (0, 1, 4, 4)]
    assert len(set(starts)) == 3


@pytest.mark.parametrize("after", [-1, 5])
def test_turns_that_a_record_does_not_have_are_refused(after: int) -> None:
    with pytest.raises(BadSetup, match=r"The record has 4 turns; start after one of them\."):
        resolve_rules(RulesRequest("classic_realm", record=record_of(4), after=after), 2)


def test_a_record_of_another_game_is_refused() -> None:
    with pytest.raises(BadSetup, match=r"This is a record of Classic Realm, not of Realm\."):
        resolve_rules(RulesRequest("realm", record=record_of(1)), 2)


def test_a_finished_game_is_refused() -> None:
    over = play_randomly(GAME, GAME.initial(2), 1, 10_000).last
    assert GAME.outcome(over) is not None
    with pytest.raises(BadSetup, match="The game is over in this position"):
        resolve_rules(RulesRequest("classic_realm", position=GAME.encode(over)), 2)


@pytest.mark.parametrize("more", [{"position": "x"}, {"options": {"double_moves": True}}, {"preset": "plain"}])
def test_a_record_brings_its_own_rules(more: dict[str, object]) -> None:
    with pytest.raises(BadSetup, match="give only one of options, position and record"):
        resolve_rules(replace(RulesRequest("classic_realm", record=record_of(1)), **more), 2)  # type: ignore[arg-type]


# ---- checks before a table is opened


def test_rules_and_players_that_fit_have_no_fault() -> None:
    assert check_setup(RulesRequest("realm", options={"bases": 13}), 2) == SetupCheck((2,), None)
    assert check_setup(RulesRequest("classic_realm", position=GAME.encode(GAME.initial(2))), 2).fault is None


def test_the_rules_say_how_many_can_play() -> None:
    chaos = RulesRequest("fantasy_realms", "standard", {"variant": "chaos"})
    fault = SetupFault("players", "This game is for 3 to 7 players.")
    assert check_setup(chaos, 2) == SetupCheck((3, 4, 5, 6, 7), fault)
    assert check_setup(chaos, 3).fault is None


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        (RulesRequest("realm", options={"bases": 99}), "bases"),
        (RulesRequest("realm", options={"choose_seat": "both", "extra_base_second": True}), "extra_base_second"),
        (RulesRequest("realm", "no such preset"), "preset"),
        (RulesRequest("realm", position="nonsense"), "position"),
        (RulesRequest("realm", record="nonsense"), "record"),
    ],
)
def test_a_fault_names_its_field(rules: RulesRequest, field: str) -> None:
    fault = check_setup(rules, 2).fault
    assert fault is not None
    assert fault.field == field
    with pytest.raises(RealmtableError) as refused:
        resolve_rules(rules, 2)
    assert fault.message == str(refused.value)
