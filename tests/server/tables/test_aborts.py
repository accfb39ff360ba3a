"""Games that are aborted before a player's first step: nobody loses them, and they count for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from realmtable.server.errors import NotAllowed
from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.rating_conditions import why_not_counted
from realmtable.server.tables.replay_log import replay, take_snapshot
from tests.server.support.live_server import Person
from tests.server.support.table_harness import TableHarness, check_replays, register_toys, show, start_table

LIVE = ClockRule("game", 1_200, 5)


@pytest.fixture(autouse=True, scope="module")
def toys() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        register_toys(patch)
        yield


def start_live_table(game: str = "classic_realm", clock: ClockRule = LIVE, **setup: Any) -> TableHarness:
    return start_table(game, clock, first_step_s=clock.first_step_s(), **setup)


def wait(table: TableHarness, seconds: float) -> str:
    """Let time pass; return why the game is over, if it is."""
    table.now += seconds
    table.act(actions.check_clocks, table.now)
    return "" if table.table.result is None else table.table.result.reason


def test_a_player_aborts_until_their_own_first_step() -> None:
    table, rng = start_table(), Random(1)
    assert all("abort" in show(table.table, (seat,))["can"] for seat in (0, 1))
    assert "abort" not in show(table.table)["can"]
    table.play(rng)
    with pytest.raises(NotAllowed, match="resign instead"):
        actions.abort(table.table, (0,))
    assert "abort" not in show(table.table, (0,))["can"]
    table.act(actions.abort, (1,))
    assert show(table.table, (0,))["headline"] == "Game aborted by Black."
    assert table.table.result is not None
    assert table.table.result.ranking == (1, 1)
    check_replays(table, rng, [])


def test_a_step_that_was_undone_has_been_made() -> None:
    table, rng = start_live_table("realm"), Random(1)
    while not actions.can_undo(table.table, (0,)):
        table.play(rng)
    table.act(actions.undo, (0,))
    assert 0 in table.table.begun
    check_replays(table, rng, [])


def test_a_live_clock_aborts_before_the_first_step_and_is_lost_after_it() -> None:
    table, rng = start_live_table(), Random(1)
    assert show(table.table, (1,))["first_step"] == {"seat": 0, "until": table.now + 120}
    assert wait(table, 119) == ""
    table.play(rng)
    assert wait(table, 119) == ""
    assert wait(table, 1) == "aborted"
    assert show(table.table)["headline"] == "Game aborted: Black did not make a first move."
    both = start_live_table()
    while not {0, 1} <= both.table.begun:
        both.play(rng)
    assert wait(both, 1_206) == "time"


def test_a_first_step_counts_the_players_own_time_without_outages() -> None:
    table = start_live_table()
    table.now += 1_000
    lost = actions.EventDraft("resumed", data={"seconds": 990.0, "until": table.now})
    table.add([lost])
    assert wait(table, 109) == ""
    assert wait(table, 1) == "aborted"


@pytest.mark.parametrize(
    ("clock", "until_s", "reason"),
    [
        (ClockRule("move", 600), 600, "aborted"),
        (ClockRule("game", 30), 30, "aborted"),
        (ClockRule("days", 86_400), 86_400, "time"),
    ],
)
def test_how_long_a_first_step_may_take(clock: ClockRule, until_s: float, reason: str) -> None:
    table = start_live_table(clock=clock)
    assert wait(table, until_s - 1) == ""
    assert wait(table, 1) == reason


def test_tables_from_before_are_lost_on_time() -> None:
    table = start_table(clock=LIVE)
    assert wait(table, 1_199) == ""
    assert wait(table, 1) == "time"


def test_a_rated_game_of_chance_is_never_aborted() -> None:
    rated = start_live_table("dice_duel", rated=True)
    assert "abort" not in show(rated.table, (0,))["can"]
    with pytest.raises(NotAllowed, match="game of chance"):
        actions.abort(rated.table, (0,))
    assert wait(rated, 1_200) == "time"
    unrated = start_live_table("dice_duel")
    unrated.act(actions.abort, (0,))


def test_an_aborted_rated_game_does_not_count() -> None:
    table = start_live_table(rated=True)
    table.act(actions.abort, (0,))
    assert why_not_counted(table.table) == "Not counted for ratings: the game was aborted."


def test_where_steps_are_secret_nobody_learns_who_has_not_begun() -> None:
    table = start_live_table("secret_cards")
    before = show(table.table)
    assert before["first_step"] is None
    table.play(Random(1))
    assert show(table.table)["first_step"] is None


def test_older_snapshots_know_who_has_begun() -> None:
    table, rng = start_table(), Random(1)
    while table.table.acting == (0,):
        table.play(rng)
    snapshot = take_snapshot(table.table)
    del snapshot.data["begun"]
    assert replay(table.row, table.log, snapshot).begun == {0}


@pytest.mark.anyio
async def test_an_aborted_game_is_no_game_of_its_players(services: Services, ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob, game="classic_realm")
    await ann.play(table)
    await bob.post(f"/api/tables/{table}/abort")
    scene = await ann.get(f"/api/tables/{table}")
    assert (scene["status"], scene["headline"], scene["can"][:1]) == ("over", "Game aborted by Black.", ["rematch"])
    me = (await ann.get("/api/me"))["player"]["id"]
    assert (await ann.get(f"/api/players/{me}/statistics"))["games"] == {}
    assert not await services.store.has_finished(me, "classic_realm")
    assert "Game aborted by Black." in (await ann.send("GET", "/my-games")).text
    other = await ann.open_table(bob, game="classic_realm")
    await ann.post(f"/api/tables/{other}/resign")
    assert await services.store.has_finished(me, "classic_realm")


@pytest.mark.anyio
async def test_the_server_aborts_by_itself(
    services: Services, ann: Person, bob: Person, clock_ahead: list[float]
) -> None:
    table = await ann.open_table(bob, game="classic_realm", clock={"kind": "game", "seconds": 300})
    clock_ahead[0] = 61
    await services.table_driver.sweep_once(first=False)
    row = await services.store.table(table)
    assert row is not None
    assert row.summary.result is not None
    assert row.summary.result["reason"] == "aborted"
