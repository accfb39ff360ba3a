"""The records shipped with each game: read without a fault, rewritten unchanged, annotated, and one for every ending.

Those of Realm are tested in tests/realm/test_records.py, with the magazine's game and its figures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

import realmtable
from realmtable.engine.record import parse_record, result_text
from realmtable.games.medieval_realm.steps import PASS_STEP
from realmtable.games.modern_realm.steps import StepKind
from tests.realm_boards.boards import BOARDS, Board, list_cases
from tests.shipped_records import ShippedRecords

NAMES = ("classic_realm", "medieval_realm", "oriental_realm", "modern_realm")
SHIPPED = {name: ShippedRecords(name) for name in NAMES}
each_game = pytest.mark.parametrize("game_id", NAMES)
each_record = pytest.mark.parametrize(
    ("tested", "name"), list_cases({game_id: [(name,) for name in SHIPPED[game_id].names] for game_id in NAMES})
)


@each_record
def test_a_record_is_read_without_a_warning_and_written_as_it_is_read(tested: Board, name: str) -> None:
    shipped = SHIPPED[tested.game.info.id]
    record, text = shipped.record_of(name), shipped.text_of(name)
    if tested.game.info.id in {"medieval_realm", "modern_realm"}:
        assert record.text().split() == text.split()
    again = parse_record(record.text(), realmtable.game)
    assert (again.fault, again.warnings) == (None, [])
    assert again.record is not None
    assert again.record.text() == record.text()
    assert again.record.replay().state == record.replay().state


@each_record
def test_a_record_says_what_it_is_and_how_it_ended(tested: Board, name: str) -> None:
    game_id = tested.game.info.id
    record, text = SHIPPED[game_id].record_of(name), SHIPPED[game_id].text_of(name)
    outcome = record.outcome()
    written = re.search(r"^Result: (.*)$", text, re.MULTILINE)
    assert (written is None) == (outcome is None)
    if outcome is not None and written is not None:
        assert written[1] == result_text(outcome)
    assert record.comment or any(turn.comment for turn in record.turns)
    assert text.count("{") >= (2 if game_id == "classic_realm" else 1)
    assert max(map(len, text.splitlines())) <= 160
    if game_id == "classic_realm":
        assert record.headers["Source"] == "made for this table"
    if game_id == "medieval_realm":
        assert record.comment
        assert any(turn.comment for turn in record.turns)
    if game_id in {"oriental_realm", "modern_realm"}:
        assert record.headers["Event"]
    if game_id == "modern_realm":
        assert record.headers["Source"]


@each_game
def test_there_is_a_record_of_every_ending_and_each_is_named_after_it(game_id: str) -> None:
    outcomes = {name: SHIPPED[game_id].record_of(name).outcome() for name in SHIPPED[game_id].names}
    ends = {name.removeprefix("end-"): outcome for name, outcome in outcomes.items() if name.startswith("end-")}
    reasons = set()
    for name, outcome in ends.items():
        assert outcome is not None, name
        reasons.add(outcome.reason)
        if game_id in {"medieval_realm", "modern_realm"}:
            assert name.startswith(outcome.reason.replace("_", "-"))
    assert reasons == set(BOARDS[game_id].game.rules.reasons) - {""}
    if game_id != "oriental_realm":
        assert {outcome.winner for outcome in outcomes.values() if outcome is not None} == {0, 1, None}


USED: Mapping[str, Mapping[str, set[Any]]] = {  # values of options that some record has
    "classic_realm": {"free_setup": {True}, "double_moves": {True}},
    "medieval_realm": {
        "duke_squares": {"back_middle", "back_corners", "front_middle", "front_corners"},
        "duke_draw": {True, False},
        "max_plies": {20, 300},
    },
    "oriental_realm": {"free_setup": {True}, "emperor": {"choose"}, "warning": {True}},
    "modern_realm": {
        "counter_agent": {"e2", "choose"},
        "hq_counts": {True, False},
        "origin_closed": {True, False},
        "capture_on_entry": {True, False},
    },
}


@each_game
def test_the_records_use_every_option_and_preset(game_id: str) -> None:
    tested = BOARDS[game_id]
    used = [SHIPPED[game_id].record_of(name).start.options for name in SHIPPED[game_id].names]
    for option, values in USED[game_id].items():
        assert values <= {getattr(options, option) for options in used}
    limit = "max_plies" if game_id in {"classic_realm", "medieval_realm"} else "max_turns"
    if game_id != "oriental_realm":
        assert any(getattr(options, limit) != getattr(tested.game.options(), limit) for options in used)
    else:
        assert all(tested.game.options(preset) in used for preset in tested.game.info.presets)


FULL_REALMS = {  # turns of the record that are played, a step that is refused then, and the clause
    "classic_realm": [(0, "Fe2e8", "C6")],
    "medieval_realm": [(0, "Me2e5", "M7"), (0, "Me2b5", "M7"), (3, "De8e5", "M7")],
}


@pytest.mark.parametrize(("tested", "turns", "step", "clause"), list_cases(FULL_REALMS))
def test_the_full_realm_is_closed_where_its_record_says_so(tested: Board, turns: int, step: str, clause: str) -> None:
    state: Any = SHIPPED[tested.game.info.id].record_of("event-full-realm").replay(turns).state
    assert tested.expect_refusal(state, step).clause == clause


def test_without_the_dukes_draw_the_same_game_continues() -> None:
    drawn, longer = (SHIPPED["medieval_realm"].record_of(f"{name}-duke-draw").turns for name in ("end", "option"))
    assert [turn.text for turn in longer[: len(drawn)]] == [turn.text for turn in drawn]
    assert len(longer) > len(drawn)


@pytest.mark.parametrize("name", ["end-borne-off-white", "end-borne-off-black"])
def test_the_two_long_games_of_dukes_contain_passes(name: str) -> None:
    assert any(turn.moves == (PASS_STEP,) for turn in SHIPPED["medieval_realm"].record_of(name).turns)


def test_the_warning_comes_when_its_record_says() -> None:
    record, game = SHIPPED["oriental_realm"].record_of("option-warning"), BOARDS["oriental_realm"].game
    views = [game.view(record.replay(turns).state, None) for turns in range(len(record.turns) + 1)]
    assert [view["warned"] for view in views] == [[]] * 8 + [["a7"]] + [[]] * 2


def test_every_kind_of_step_and_of_turn_of_agents_occurs() -> None:
    shipped = SHIPPED["modern_realm"]
    turns = [turn.moves for name in shipped.names for turn in shipped.record_of(name).turns]
    assert {move.kind for moves in turns for move in moves} == set(StepKind)
    assert {sum(move.kind == StepKind.MOVE for move in moves) for moves in turns} >= {0, 1, 2, 3}


def test_the_agent_without_a_way_out_stays() -> None:
    state = SHIPPED["modern_realm"].record_of("event-blocked-piece").replay().state
    view = BOARDS["modern_realm"].game.view(state, None)
    assert {"a1", "d1", "d2"} <= {piece["at"] for piece in view["pieces"] if piece["seat"] == 0}
    assert view["to_move"] == [1]


def test_the_agent_walks_out_only_where_hqs_do_not_count() -> None:
    game, record = BOARDS["modern_realm"].game, SHIPPED["modern_realm"].record_of("option-hq-counts")
    step = record.turns[0].moves[0]
    counted = game.decode(game.encode(record.start).replace("hq_counts=off", "hq_counts=on"))
    assert step in game.legal_moves(record.start, 0)
    assert step not in game.legal_moves(counted, 0)
