"""Players who are away while the game waits for them: claims of an opponent, and bots in their place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

import pytest

from realmtable.server.errors import NotAllowed
from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.live.live_table import Viewer
from realmtable.server.tables.scenes.scene import SceneContext
from tests.server.support.fake_workers import FakeBots, open_browsers
from tests.server.support.live_server import Person
from tests.server.support.table_harness import HEIR, TableHarness, check_replays, register_toys, show, start_table

LIVE = ClockRule("game", 900, 5)
WAIT_S = 90


@pytest.fixture(autouse=True, scope="module")
def toys() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        register_toys(patch)
        yield


def start_live_table(game: str = "classic_realm", clock: ClockRule = LIVE, **setup: object) -> TableHarness:
    """Return a table at which everyone has made a step."""
    waits = {"first_step_s": clock.first_step_s(), "absence_s": clock.absence_s(60)}
    table, rng = start_table(game, clock, **waits | setup), Random(1)
    while table.table.status == "running" and len(table.table.begun) < len(table.table.seats):
        table.play(rng)
    return table


def away(table: TableHarness, *seats: int, since: float | None = None) -> list[float | None]:
    """Return since when each seat has been away: these seats since now, unless a time is given."""
    return [(since or table.now) if seat in seats else None for seat in range(len(table.table.seats))]


def actions_in(table: TableHarness, seat: int, away_since: Sequence[float | None] | None) -> list[str]:
    scene = show(table.table, (seat,), context=SceneContext({}, {}, None, away_since=away_since))
    assert (scene["claim"] is None) == (scene["can"] == [each for each in scene["can"] if "claim" not in each])
    return [each for each in scene["can"] if "claim" in each]


# ---- two players


@pytest.mark.parametrize(("what", "ranking"), [("win", (2, 1)), ("draw", (1, 1))])
def test_an_opponent_claims_after_the_wait(what: str, ranking: tuple[int, int]) -> None:
    table = start_live_table()
    assert table.table.acting == (0,)
    gone = away(table, 0)
    assert actions_in(table, 1, gone) == ["claim_win", "claim_draw"]
    assert actions_in(table, 0, gone) == []
    table.now += WAIT_S - 1.5
    with pytest.raises(NotAllowed, match="in 2 seconds, unless your opponent returns"):
        actions.claim(table.table, (1,), what, gone, table.now)
    table.now += 1.5
    table.act(actions.claim, (1,), what, gone, table.now)
    assert table.table.result is not None
    assert table.table.result.ranking == ranking
    headlines = [show(table.table, (seat,))["headline"] for seat in (0, 1)]
    if what == "win":
        assert headlines == ["You lost: you left the game.", "You won: White left the game."]
    else:
        assert headlines == ["White left the game; Black claimed a draw."] * 2
    check_replays(table, Random(1), [])


def test_an_absence_counts_only_in_the_absent_players_own_turn() -> None:
    table = start_live_table()
    gone = away(table, 1)
    assert actions_in(table, 0, gone) == []
    table.now += 500
    table.play(Random(1))
    assert table.table.acting == (1,)
    assert actions_in(table, 0, gone) == ["claim_win", "claim_draw"]
    with pytest.raises(NotAllowed, match="90 seconds"):
        actions.claim(table.table, (0,), "win", gone, table.now)


@pytest.mark.parametrize("clock", [ClockRule(), ClockRule("days", 86_400)])
def test_nobody_is_absent_where_people_come_and_go(clock: ClockRule) -> None:
    table = start_live_table(clock=clock)
    assert actions_in(table, 1, away(table, 0)) == []


def test_there_is_no_claim_against_people_who_are_there_unknown_or_have_not_begun() -> None:
    table = start_live_table()
    for away_since in (away(table), None):
        with pytest.raises(NotAllowed, match="while it is your opponent's turn and they are away"):
            actions.claim(table.table, (1,), "win", away_since, table.now + 500)
    fresh = start_table("classic_realm", LIVE, first_step_s=LIVE.first_step_s(), absence_s=WAIT_S)
    assert actions_in(fresh, 1, away(fresh, 0)) == [], "the game is aborted instead"
    older = start_table("classic_realm", LIVE)
    assert actions_in(older, 1, away(older, 0)) == []


@pytest.mark.parametrize(
    ("clock", "wait_s"),
    [(ClockRule("game", 180), 60), (ClockRule("game", 3_600), 360), (ClockRule("days", 86_400), 0), (ClockRule(), 0)],
)
def test_the_wait_is_longer_the_slower_the_clock(clock: ClockRule, wait_s: float) -> None:
    assert clock.absence_s(60) == wait_s
    assert clock.absence_s(0) == 0


# ---- three or more


def test_a_bot_takes_over_for_a_player_who_keeps_others_waiting() -> None:
    table = start_live_table("dice_duel", seats=3)
    (absent,) = table.table.acting
    gone = away(table, absent, (absent + 1) % 3)
    assert actions.replace_absent_players(table.table, gone, table.now + WAIT_S - 1, HEIR) == []
    table.act(actions.replace_absent_players, gone, table.now + WAIT_S, HEIR)
    assert table.table.bots == {absent: "level5"}
    assert table.table.news[-1].words[0].endswith("left the game; a bot takes over.")
    assert table.table.status == "running"


def test_no_bot_takes_over_if_everyone_is_away_or_the_game_is_rated() -> None:
    table = start_live_table("dice_duel", seats=3)
    assert actions.replace_absent_players(table.table, away(table, 0, 1, 2), table.now + WAIT_S, HEIR) == []
    rated = start_live_table("dice_duel", seats=3, rated=True)
    (absent,) = rated.table.acting
    assert actions.replace_absent_players(rated.table, away(rated, absent), rated.now + WAIT_S, HEIR) == []


# ---- on a server


@contextmanager
def watching(services: Services, table: str, seat: int) -> Iterator[None]:
    """Let a player watch the table, as through a socket."""
    live = services.table_service.live[table]
    player = live.table.people[seat]
    with services.table_service.presence.watch(live, Viewer((seat,), None, player)):
        yield


@pytest.mark.anyio
async def test_returning_acting_and_an_outage_end_an_absence(
    services: Services, ann: Person, bob: Person, clock_ahead: list[float]
) -> None:
    table = await ann.open_table(bob, game="classic_realm", clock={"kind": "game", "seconds": 600})
    path = f"/api/tables/{table}"
    await ann.play(table)
    await bob.play(table)

    async def away_since() -> float | None:
        scene = await bob.get(path)
        since = scene["seats"][0]["away_since"]
        assert (scene["claim"] is None) == (since is None)
        return float(since) if since is not None else None

    with watching(services, table, 1):
        with watching(services, table, 0):
            assert await away_since() is None
        first = await away_since()
        assert first is not None
        clock_ahead[0] += 50
        with watching(services, table, 0):
            assert await away_since() is None
        assert (await away_since() or 0) > first + 49, "they have been back meanwhile"
        clock_ahead[0] += 5
        services.table_service.presence.forget_absences()
        assert (await away_since() or 0) > first + 54
        clock_ahead[0] += 5
        await ann.post(f"{path}/chat", {"text": "I am here."})
        assert (await away_since() or 0) > first + 59
        clock_ahead[0] += 5
        services.table_service.forget(table)  # as after a restart
        assert (await away_since() or 0) > first + 64
    error = await bob.expect_refusal("POST", f"{path}/claims", {"what": "win"})
    assert "seconds, unless your opponent returns" in error["message"]
    clock_ahead[0] += 61
    await bob.post(f"{path}/claims", {"what": "win"})
    assert (await ann.get(path))["headline"] == "You lost: you left the game."


@pytest.mark.anyio
async def test_several_processes_do_not_know_who_is_away(services: Services, ann: Person, bob: Person) -> None:
    services.table_service.presence.is_complete = False
    table = await ann.open_table(bob, game="classic_realm", clock={"kind": "game", "seconds": 600})
    await ann.play(table)
    scene = await ann.get(f"/api/tables/{table}")
    assert [seat["away_since"] for seat in scene["seats"]] == [None, None]
    assert scene["claim"] is None


@pytest.mark.anyio
async def test_the_server_seats_a_bot_for_an_absent_player(services: Services, clock_ahead: list[float]) -> None:
    services.table_driver.move_chooser = FakeBots()
    async with open_browsers(services, 3) as people:
        clock = {"kind": "game", "seconds": 600}
        body = {"game": "fantasy_realms", "seats": ["me", "open", "open"], "clock": clock}
        table = (await people[0].post("/api/tables", body))["table"]
        for person in people[1:]:
            await person.post(f"/api/tables/{table}/seats")
        for person in (*people, *people):
            while (await person.get(f"/api/tables/{table}"))["your_turn"]:
                await person.play(table)
        (absent,) = services.table_service.live[table].table.acting
        with watching(services, table, (absent + 1) % 3):
            await services.table_driver.sweep_once(first=False)
            clock_ahead[0] += 61
            await services.table_driver.sweep_once(first=False)
        scene = await people[absent].get(f"/api/tables/{table}")
        assert (scene["you"], scene["seats"][absent]["bot"], scene["status"]) == ([], "level5", "running")
