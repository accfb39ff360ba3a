"""Seats that are asked out of turn: how long the table waits for them, and what it does then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import orjson
import pytest

from realmtable.engine.errors import NothingToUndo
from realmtable.engine.protocol import Seat
from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.clock import DAY_S, ClockRule
from realmtable.server.tables.decision_deadlines import (
    decision_limit_s,
    drop_limit_without_people,
)
from realmtable.server.tables.replay_log import replay, take_snapshot
from realmtable.server.tables.scenes.changes import Scene
from realmtable.server.tables.table import Occupant, replace, replace_at
from tests.server.support.fake_workers import open_browsers
from tests.server.support.live_server import wait_until
from tests.server.support.table_harness import HEIR, TableHarness, facts, register_toys, show, start_table
from tests.toys import add_games
from tests.toys.asking_duel import AskingDuel, SecretDuel

# Azure is asked about Protection: Scarlet pushes their Mage, and a Protection tile is available to them (P9).
PROTECT = (
    "tiles=Portal@0,0;Displace@1,0;Protection@1,-1;Draw@0,1 mages=1,0;portal;portal/1,0;1,-1;portal etherium=2.2/4.4 "
    "reserve=Draw;Shift;Lessen;Accord;Bond;Network phase=protect turn=3 active=1 moved=1 held=1,0 used=1@1,0 "
    "displace=1,0 owner=2 asked=2.1 target=0,1"
)


@pytest.fixture(autouse=True, scope="module")
def toys() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        register_toys(patch)
        add_games(patch, AskingDuel(), SecretDuel())
        yield


def strike(game: str = "asking_duel", clock: ClockRule | None = None, **setup: Any) -> TableHarness:
    """A table at which Ann has struck and Bob is asked."""
    table = start_table(game, clock, **setup)
    table.act(actions.play, 0, "strike")
    return table


def let_time_pass(table: TableHarness) -> list[dict[str, Any]]:
    """Wait until the table answers; return the data of its events."""
    assert table.table.decision_deadline is not None
    table.now = table.table.decision_deadline
    before = len(table.log)
    table.act(actions.check_clocks, table.now, HEIR)
    return [event.data for event in table.log[before:]]


def look(table: TableHarness, *you: Seat) -> Scene:
    return show(table.table, you, pictures=True)


# ---- the limit


def test_a_seat_that_is_asked_out_of_turn_has_a_minute_without_a_clock() -> None:
    table = start_table("asking_duel")
    assert table.table.decision_deadline is None
    asked = table.act(actions.play, 0, "strike")
    assert asked.decision_deadline == table.now + 60
    table.now += 59.9
    assert actions.check_clocks(asked, table.now) == []


@pytest.mark.parametrize("seat", [0, 1])
def test_the_limit_ends_when_a_bot_takes_over(seat: Seat) -> None:
    """Bots have no deadline, and neither has the last person to answer."""
    asked = replace(strike().table, answered_for=(0, 1))
    assert asked.decision_deadline is not None
    people = drop_limit_without_people(asked, seat)
    assert (people.decision_deadline, people.answered_for) == (asked.decision_deadline, (1 - seat,))
    bot = replace(asked, seats=replace_at(asked.seats, seat, HEIR))
    assert drop_limit_without_people(bot, seat).decision_deadline is None


def test_the_table_answers_when_the_time_is_over() -> None:
    table = strike(seats=3)
    assert let_time_pass(table) == [{"move": "parry", "default": True}]
    event = table.log[-1]
    assert (event.kind, event.seat, event.player_id) == ("stepped", 1, "p1")
    assert table.table.news[-1].words == ("Bob did not answer in time: parry",)
    assert table.table.acting == (2,)


def test_a_seat_that_was_silent_has_less_time_until_it_acts_again() -> None:
    table = strike()
    let_time_pass(table)
    asked = table.act(actions.play, 0, "strike")
    assert asked.answered_for == (1,)
    assert asked.decision_deadline == table.now + 10
    assert table.act(actions.play, 1, "parry").answered_for == ()
    assert table.act(actions.play, 0, "strike").decision_deadline == table.now + 60


@pytest.mark.parametrize(
    ("rule", "limits"),
    [
        (ClockRule(), (60, 10)),
        (ClockRule("move", 30), (30, 10)),
        (ClockRule("move", 5), (5, 5)),
        (ClockRule("game", 30, 2), (60, 10)),
        (ClockRule("days", 3 * DAY_S), (DAY_S, 3600)),
    ],
)
def test_the_limit_depends_on_the_clock(rule: ClockRule, limits: tuple[float, float]) -> None:
    assert (decision_limit_s(rule, silent=False), decision_limit_s(rule, silent=True)) == limits


def test_running_out_of_time_while_asked_takes_the_default_and_loses_at_the_own_turn() -> None:
    table = start_table("asking_duel", ClockRule("game", 20))
    table.act(actions.play, 0, "strike")
    assert table.table.decision_deadline == table.now + 20
    assert let_time_pass(table) == [{"move": "parry", "default": True}]
    table.act(actions.play, 0, "end")
    assert [draft.kind for draft in actions.check_clocks(table.table, table.now)] == ["flagged"]


@pytest.mark.parametrize("seats", [("p0", "bot"), ("p0", "p0"), ("bot", "p0")])
def test_without_another_person_nobody_is_hurried(seats: Sequence[str]) -> None:
    table = TableHarness("asking_duel")
    for seat, name in enumerate(seats):
        table.act(actions.sit, HEIR if name == "bot" else Occupant(name), seat)
    table.act(actions.play, 0, "strike")
    assert table.table.decision_deadline is None
    assert look(table, 1)["answer"] is None
    table.act(actions.play, 1, "parry")
    assert table.act(actions.undo, (1,)).acting == (1,)


def test_a_bot_that_is_asked_answers_itself() -> None:
    table = TableHarness("asking_duel", seats=3)
    for seat, sitter in enumerate((Occupant("p0"), HEIR, Occupant("p2"))):
        table.act(actions.sit, sitter, seat)
    assert table.act(actions.play, 0, "strike").decision_deadline is None


def test_games_without_default_steps_wait() -> None:
    assert strike("parry_duel").table.decision_deadline is None


# ---- going back


def test_an_answer_cannot_be_undone_because_others_wait() -> None:
    table = strike()
    table.act(actions.play, 1, "parry")
    with pytest.raises(NothingToUndo, match="Others have waited"):
        actions.undo(table.table, (1,))
    assert "undo" not in look(table, 1)["can"]


def test_undoing_the_strike_ends_the_question() -> None:
    table = strike()
    assert table.act(actions.undo, (0,)).decision_deadline is None


def test_a_turn_taken_back_to_a_question_asks_it_again() -> None:
    table = strike()
    table.act(actions.play, 1, "riposte")
    table.act(actions.offer, (1,), "takeback")
    table.now += 30
    assert table.act(actions.answer_offer, (0,), accept=True).decision_deadline == table.now + 60


def test_going_back_to_another_question_of_the_same_seat_gives_it_no_more_time() -> None:
    table = strike(seats=2)
    before = table.table.decision_deadline
    table.now += 20
    table.act(actions.offer, (0,), "draw")
    assert table.act(actions.answer_offer, (1,), accept=False).decision_deadline == before


# ---- the log


def test_an_old_snapshot_has_no_limits() -> None:
    table = start_table("asking_duel")
    snapshot = take_snapshot(table.table)
    del snapshot.data["answer"], snapshot.data["silent"]
    assert facts(replay(table.row, table.log, snapshot)) == facts(table.table)


# ---- what viewers see


def test_everyone_sees_whom_the_table_waits_for_and_the_asked_player_what_happens_then() -> None:
    table = strike(seats=3)
    table.now += 15
    asked, other, spectator = look(table, 1), look(table, 0), look(table)
    limit = {"seat": 1, "until": table.now + 45.0}
    assert asked["answer"] == {**limit, "default": "parry"}
    assert other["answer"] == spectator["answer"] == {**limit, "default": None}
    assert asked["prompt"]["text"] == "If you don't answer within 1 min, the table chooses: parry."
    assert (other["prompt"], spectator["prompt"]) == (None, None)
    assert [seen["headline"] for seen in (asked, other, spectator)] == [
        "Your answer (you're Bob)",
        "Bob to answer",
        "Bob to answer",
    ]


def test_with_a_clock_for_the_whole_game_the_time_may_be_shorter() -> None:
    table = strike(clock=ClockRule("game", 20))
    assert look(table, 1)["prompt"]["text"] == "If you don't answer in time, the table chooses: parry."


def test_no_viewer_learns_the_secret_default_of_another_seat() -> None:
    table = strike("secret_duel", seats=3)
    asked = look(table, 1)
    assert asked["answer"]["default"] == "yield"
    assert "yield" in asked["prompt"]["text"]
    for you in ((0,), (2,), ()):
        seen = look(table, *you)
        seen.pop("picture")  # it names all handles
        assert b"yield" not in orjson.dumps(seen)
    let_time_pass(table)
    assert "Bob did not answer in time: yield" in [news["words"] for news in look(table, 1)["news"]]
    for you in ((0,), (2,), ()):
        assert [news["words"] for news in look(table, *you)["news"]][-1] == "Bob did not answer in time: …"


def test_a_game_that_is_over_asks_nobody() -> None:
    table = strike()
    table.act(actions.resign, (0,))
    assert (look(table, 1)["answer"], look(table, 1)["prompt"]) == (None, None)
    table.now += 100
    assert actions.check_clocks(table.table, table.now) == []


# ---- on a server


async def open_table_with_question(people: list[Any]) -> str:
    body = {"game": "realms_of_etherium", "seats": ["me", "open"], "position": PROTECT}
    table: str = (await people[0].post("/api/tables", body))["table"]
    await people[1].post(f"/api/tables/{table}/seats")
    return f"/api/tables/{table}"


@pytest.mark.long
@pytest.mark.anyio
async def test_the_server_declines_protection_for_a_silent_player_even_after_a_restart(
    services: Services, clock_ahead: list[float]
) -> None:
    async with open_browsers(services, 2) as people:
        path = await open_table_with_question(people)
        await people[0].post(f"{path}/chat", {"text": "hello"})
        services.table_service.forget(path.rpartition("/")[2])  # as after a restart
        asked = await people[1].get(path)
        assert asked["headline"] == "Your answer (you're Azure)"
        assert asked["answer"]["default"] == "skip"
        assert 50 < asked["answer"]["until"] - asked["now"] <= 60
        warning = "If you don't answer within 1 min, the table chooses: decline Protection."
        assert asked["prompt"]["text"].endswith(warning)
        clock_ahead[0] = 61

        async def has_answered() -> bool:
            return bool((await people[0].get(path))["acting"] == [0])

        await wait_until(has_answered)
        words = [news["words"] for news in (await people[0].get(path))["news"]]
        assert any(text.startswith("Azure did not answer in time and declines Protection") for text in words)


@pytest.mark.anyio
async def test_an_action_that_finds_the_answer_overdue_is_still_done(
    services: Services, clock_ahead: list[float]
) -> None:
    async with open_browsers(services, 2) as people:
        path = await open_table_with_question(people)
        await services.table_driver.close()  # no sweep notices it first
        clock_ahead[0] = 61
        await people[0].post(f"{path}/chat", {"text": "still there?"})
        seen = await people[0].get(path)
        assert [message["text"] for message in seen["chat"]] == ["still there?"]
        assert seen["acting"] == [0]


@pytest.mark.anyio
async def test_after_a_long_downtime_the_asked_player_can_still_reconnect_and_answer(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_browsers(services, 2) as people:
        path = await open_table_with_question(people)
        services.table_service.forget(path.rpartition("/")[2])  # as after a crash
        elapsed = services.time._elapsed
        monkeypatch.setattr(services.time, "_elapsed", lambda: elapsed() + 3_600)
        await services.table_driver.sweep_once(first=True)
        asked = await people[1].get(path)
        assert asked["acting"] == [1]
        assert 10 < asked["answer"]["until"] - asked["now"] <= 70
        await people[0].post(f"{path}/chat", {"text": "welcome back"})
        asked = await people[1].get(path)
        await people[1].post(f"{path}/moves", {"version": asked["version"], "move": "skip"})
        words = [news["words"] for news in (await people[0].get(path))["news"]]
        assert not any("did not answer" in text for text in words)
        assert (await people[0].get(path))["acting"] == [0]
