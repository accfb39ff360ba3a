"""Players who run out of time in games of three or more: a bot takes over, and the others play on."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine import registry
from realmtable.engine.protocol import Outcome
from realmtable.engine.record import load_record
from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.events.timeout import TimedOutPlayer, describe_ranking, rank_last
from realmtable.server.tables.rating_conditions import rated_players, rated_ranking
from realmtable.server.tables.replay_log import replay, take_snapshot
from realmtable.server.tables.replays.replay_views import table_record
from realmtable.server.tables.scenes.headline import headline
from realmtable.server.tables.scenes.moment import moment
from realmtable.server.tables.scenes.scene import tallies
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Result, Table
from tests.server.support.fake_workers import FakeBots, open_browsers
from tests.server.support.live_server import Person, wait_until
from tests.server.support.table_harness import (
    HEIR,
    TableHarness,
    check_replays,
    facts,
    play_anything,
    register_toys,
    start_table,
)
from tests.server.tables.test_rating_conditions import wait_for_rating_changes
from tests.toys import add_games
from tests.toys.asking_duel import AskingDuel, SecretDuel
from tests.toys.long_march import LongMarch

MINUTE = ClockRule("game", 60, 5)


@pytest.fixture(autouse=True, scope="module")
def toys() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        register_toys(patch)
        yield


def start_timed_table(game: str = "dice_duel", clock: ClockRule = MINUTE, seats: int = 3, **setup: Any) -> TableHarness:
    return start_table(game, clock, seats=seats, **setup)


def run_out(table: TableHarness) -> Table:
    """Wait until the acting seat has no time left."""
    deadline = table.table.clock.deadline()
    assert deadline is not None
    table.now = deadline
    return table.act(actions.check_clocks, table.now, HEIR)


def finish(table: TableHarness, rng: Random) -> Result:
    while table.table.status == "running":
        table.now += 0.01
        table.play(rng)
    assert table.table.result is not None
    return table.table.result


def rules_outcome(table: Table) -> Outcome:
    outcome = table.match.outcome()
    assert outcome is not None
    return outcome


# ---- at the table


def test_a_bot_takes_over_and_the_others_play_on() -> None:
    table = start_timed_table()
    late = run_out(table)
    assert (late.status, late.seats) == ("running", (HEIR, Occupant("p1"), Occupant("p2")))
    assert late.timed_out == (TimedOutPlayer(0, "p0"),)
    assert late.seats_of("p0") == ()
    assert {*late.acting} <= {*late.bots}
    assert late.news[-1].words == ("Ann ran out of time; a bot plays on for them.",)
    assert [event.kind for event in table.log[-1:]] == ["timed_out"]
    assert headline(late, (1,)) == "Ann to move"


def test_a_bot_that_took_over_has_no_clock_and_the_others_keep_theirs() -> None:
    table = start_timed_table()
    assert run_out(table).clock.deadline() is None
    table.now += 1000
    assert actions.check_clocks(table.table, table.now, HEIR) == []
    while table.table.acting == (0,):
        table.play(Random(1))
    assert list(table.table.clock.left) == [0, 60, 60]
    assert table.table.clock.deadline() == table.now + 60


def test_a_clock_per_move_never_restarts_for_a_seat_that_ran_out_of_time() -> None:
    table = start_timed_table(clock=ClockRule("move", 30))
    run_out(table)
    while table.table.acting == (0,):
        table.play(Random(1))
    assert list(table.table.clock.left) == [0, 30, 30]


@pytest.mark.parametrize("seats", [2, 3])
def test_without_other_people_the_game_ends(seats: int) -> None:
    table = TableHarness("dice_duel", seats, clock=MINUTE)
    for seat in range(seats):
        table.act(actions.sit, Occupant("p0") if seat == 0 else HEIR, seat)
    result = run_out(table).result
    assert result is not None
    assert result.ranking == (seats, *[1] * (seats - 1))
    assert not actions.needs_takeover_bot(table.table, table.now)


def test_a_bot_that_runs_out_of_time_keeps_its_seat() -> None:
    table = TableHarness("dice_duel", 3, clock=MINUTE)
    for seat, sitter in enumerate((Occupant("bot-1", "level1"), Occupant("p1"), Occupant("p2"))):
        table.act(actions.sit, sitter, seat)
    late = run_out(table)
    assert late.seats[0] == Occupant("bot-1", "level1")
    assert (late.status, late.timed_out) == ("running", (TimedOutPlayer(0, "bot-1"),))


def test_an_offer_of_a_player_who_runs_out_of_time_is_withdrawn() -> None:
    table = start_timed_table("parry_duel", seats=3)
    table.act(actions.play, 0, "end")
    for seat, move in ((1, "strike"), (0, "parry"), (2, "parry")):
        table.act(actions.play, seat, move)
    table.act(actions.offer, (1,), "takeback")
    assert run_out(table).offer is None


def test_players_who_choose_at_the_same_time_run_out_one_after_another() -> None:
    table = start_timed_table("secret_cards", seats=4)
    table.now += 100
    for seat in range(3):
        assert [late.seat for late in table.act(actions.check_clocks, table.now, HEIR).timed_out] == [*range(seat + 1)]
    ended = table.act(actions.check_clocks, table.now, HEIR)
    assert [event.kind for event in table.log[-4:]] == ["timed_out", "timed_out", "timed_out", "flagged"]
    assert ended.status == "over"
    assert rated_players(ended) == ["p0", "p1", "p2", "p3"]
    assert rated_ranking(ended) == (1, 1, 1, 1)


# ---- results


@pytest.mark.parametrize("seed", range(6))
def test_a_bot_plays_for_its_own_place_but_the_player_is_rated_last(seed: int) -> None:
    table = start_timed_table()
    run_out(table)
    result = finish(table, Random(seed))
    assert result == Result.from_outcome(rules_outcome(table.table), table.table.game.info.seat_names)
    assert rated_players(table.table) == ["p0", "p1", "p2"]
    assert rated_ranking(table.table) == rank_last(result.ranking, {0})


@pytest.mark.parametrize("seed", range(6))
def test_a_seat_can_be_ranked_last(seed: int) -> None:
    table = start_timed_table(timeout="last")
    late = run_out(table)
    assert late.news[-1].words == ("Ann ran out of time and comes last; a bot plays on for them.",)
    result = finish(table, Random(seed))
    outcome = rules_outcome(table.table)
    assert result.scores == outcome.scores
    assert result.ranking == rank_last(outcome.ranking, {0}) == rated_ranking(table.table)
    assert result.ranking[0] == 3
    assert "Ann ran out of time" in result.text


def test_everyone_can_run_out_of_time() -> None:
    table = start_timed_table("secret_cards", seats=3, timeout="last")
    table.now += 100
    for _ in range(3):
        table.act(actions.check_clocks, table.now, HEIR)
    assert table.table.result == Result((1, 1, 1), None, "time", "Everyone ran out of time; nobody wins.")


def test_the_winner_after_a_resignation_reads_what_happened_to_the_others() -> None:
    table = start_timed_table(timeout="last")
    run_out(table)
    ended = table.act(actions.resign, (1,))
    assert ended.result is not None
    assert ended.result.ranking == (3, 2, 1)
    assert headline(ended, (2,)) == "You won. Ann ran out of time; Cid wins."
    assert headline(ended, (1,)) == "You resigned and came 2nd of 3."


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6), st.sets(st.integers(0, 5)))
def test_late_seats_share_the_last_place_and_the_others_keep_their_order(ranking: list[int], chosen: set[int]) -> None:
    late = {seat for seat in chosen if seat < len(ranking)}
    ranked = rank_last(ranking, late)
    on_time = [seat for seat in range(len(ranking)) if seat not in late]
    assert {ranked[seat] for seat in late} <= {len(on_time) + 1}
    for one in on_time:
        assert ranked[one] == 1 + sum(ranking[other] < ranking[one] for other in on_time)
    assert rank_last(ranked, late) == ranked


def test_a_result_names_the_new_winners_only_if_they_differ() -> None:
    names = ["Ann", "Bob", "Cid"]
    assert describe_ranking("All share.", (1, 1, 1), {2}, names) == "Cid ran out of time; Ann and Bob share the win."
    assert describe_ranking("Ann wins.", (1, 2, 3), {1, 2}, names) == (
        "Ann wins. Bob and Cid ran out of time and came last."
    )


def test_score_breakdowns_follow_the_ranking_of_the_table() -> None:
    table = start_timed_table("fantasy_realms", timeout="last")
    late = run_out(table).timed_out[0].seat
    result = finish(table, Random(2))
    view = table.table.game.view(table.table.match.state, None)
    found = tallies(table.table.game, view, result)
    assert [tally["rank"] for tally in found] == sorted(result.ranking)
    assert found[-1]["seat"] == late
    last = moment(table.table.match, None, step=1, steps=1, open_to_all=True, result=result)
    assert last["tallies"] == found
    assert last["result"]["text"] == result.text
    by_rules = moment(table.table.match, None, step=1, steps=1, open_to_all=True)
    assert by_rules["result"]["text"] == rules_outcome(table.table).text


# ---- the log


@pytest.mark.long
@given(
    st.sampled_from(["dice_duel", "parry_duel", "secret_cards", "asking_duel", "secret_duel", "long_march"]),
    st.integers(2, 4),
    st.sampled_from(["bot", "last"]),
    st.integers(0, 999),
)
def test_a_log_with_secrets_answers_out_of_turn_and_players_without_time_tells_the_same_table(
    game: str, seats: int, timeout: str, seed: int
) -> None:
    rng = Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        add_games(patch, AskingDuel(), SecretDuel(), LongMarch())
        table = start_table(game, ClockRule("game", 60, 5), seats=seats, timeout=timeout)
        check_replays(table, rng, play_anything(table, rng, 60))


def test_an_old_log_of_several_seats_still_ends_with_a_flag() -> None:
    table = start_timed_table()
    table.row.setup.pop("timeout")
    table.now += 60
    table.act(actions.check_clocks, table.now)
    result = replay(table.row, table.log).result
    assert result == Result((3, 1, 1), None, "time", "Ann ran out of time; Bob and Cid share the win.")


def test_an_old_snapshot_has_no_timeouts() -> None:
    table = start_timed_table()
    snapshot = take_snapshot(table.table)
    del snapshot.data["timed_out"], snapshot.data["clock"]["stopped"], snapshot.data["clock"]["acted"]
    assert facts(replay(table.row, table.log, snapshot)) == facts(table.table)


def test_a_set_up_from_before_lets_a_bot_take_over() -> None:
    data = Setup("dice_duel", 3, clock=MINUTE).as_data()
    del data["timeout"]
    assert Setup.from_data(data).timeout_rule == "bot"
    assert Setup("dice_duel", 2, clock=MINUTE).timeout_rule is None
    assert Setup("dice_duel", 3).timeout_rule is None


@pytest.mark.parametrize("timeout", ["bot", "last"])
def test_a_record_replays_and_names_the_late_seats(timeout: str) -> None:
    table = start_timed_table(timeout=timeout)
    run_out(table)
    finish(table, Random(3))
    text = table_record(table.table, {"Ann": "Ada, then Knight"}).text()
    assert f"Timeout: Ann{' (last place)' * (timeout == 'last')}\n" in text
    read = load_record(text, registry.game)
    assert read.replay().state == table.table.match.state
    assert read.headers["Ann"] == "Ada, then Knight"


# ---- on a server


@pytest.fixture
def clock_ahead(services: Services, clock_ahead: list[float]) -> list[float]:
    services.table_driver.move_chooser = FakeBots()
    return clock_ahead


async def open_table_of_three(people: list[Person], **wishes: Any) -> str:
    body = {"game": "fantasy_realms", "seats": ["me", "open", "open"], "clock": {"kind": "move", "seconds": 60}}
    table: str = (await people[0].post("/api/tables", {**body, **wishes}))["table"]
    for person in people[1:]:
        await person.post(f"/api/tables/{table}/seats")
    for person in () if wishes.get("rated") else (*people, *people):  # or the game would be aborted
        while (await person.get(f"/api/tables/{table}"))["your_turn"]:
            await person.play(table)
    return f"/api/tables/{table}"


@pytest.mark.anyio
async def test_the_server_seats_a_bot_and_shows_the_late_player_only_what_spectators_see(
    services: Services, clock_ahead: list[float]
) -> None:
    async with open_browsers(services, 3) as people:
        path = await open_table_of_three(people)
        before = await people[0].get(path)
        assert before["clock"]["timeout"] == "bot"
        assert "1 min per move, then a bot" in before["sub"]
        (first,) = before["acting"]
        late, name, other = people[first], before["seats"][first]["name"], people[(first + 1) % 3]
        player = before["seats"][first]["player"]
        clock_ahead[0] = 61
        await services.table_driver.sweep_once(first=False)
        scene = await late.get(path)
        assert (scene["status"], scene["you"], scene["your_turn"]) == ("running", [], False)
        assert scene["view"]["hand"] is None
        assert (scene["seats"][first]["bot"], scene["seats"][first]["timed_out"]) == ("level5", player)
        assert [seat["timed_out"] for seat in scene["seats"]].count(None) == 2
        assert f"{name} ran out of time; a bot plays on for them." in [news["words"] for news in scene["news"]]

        async def bot_has_moved() -> Any:
            scene = await other.get(path)
            return scene if scene["your_turn"] else None

        assert await wait_until(bot_has_moved)
        services.table_service.forget(path.rpartition("/")[2])  # as after a restart
        again = await late.get(path)
        assert (again["you"], again["seats"][first]["timed_out"]) == ([], player)


@pytest.mark.anyio
async def test_an_action_that_notices_the_timeout_is_still_done(services: Services, clock_ahead: list[float]) -> None:
    async with open_browsers(services, 3) as people:
        path = await open_table_of_three(people)
        (first,) = (await people[0].get(path))["acting"]
        clock_ahead[0] = 61
        await people[first - 1].post(f"{path}/chat", {"text": "Still here?"})
        scene = await people[first - 1].get(path)
        assert [message["text"] for message in scene["chat"]] == ["Still here?"]
        assert scene["seats"][first]["bot"] == "level5"
        move = {"version": scene["version"], "move": "take King", "key": "k"}
        error = await people[first].expect_refusal("POST", f"{path}/moves", move)
        assert error["code"] == "NotSeated"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "wishes",
    [
        {"timeout": "last", "clock": {"kind": "none"}},
        {"timeout": "bot", "seats": ["me", "open"], "clock": {"kind": "move", "seconds": 60}},
    ],
)
async def test_a_timeout_rule_needs_a_clock_and_three_players(ann: Person, wishes: dict[str, Any]) -> None:
    body = {"game": "fantasy_realms", "seats": ["me", "open", "open"], **wishes}
    error = await ann.expect_refusal("POST", "/api/tables", body)
    assert error["code"] == "BadSetup"


@pytest.mark.long
@pytest.mark.anyio
@pytest.mark.parametrize("rule", ["bot", "last"])
async def test_a_late_player_loses_rating_as_if_they_came_last(
    services: Services, clock_ahead: list[float], rule: str
) -> None:
    async with open_browsers(services, 3) as people:
        for person, name in zip(people, ("Ann", "Bob", "Cid"), strict=True):
            await person.join(name)
        wishes = {"game": "dice_duel", "rated": True, "timeout": rule, "preset": "quick"}
        path = await open_table_of_three(people, **wishes)
        ids = [seat["player"]["id"] for seat in (await people[0].get(path))["seats"]]
        clock_ahead[0] = 61
        rng = Random(1)

        async def play_once() -> Any:
            for person in people[1:]:
                scene = await person.get(path)
                if scene["your_turn"]:
                    body = {"version": scene["version"], "move": rng.choice(scene["choices"])["move"]}
                    await person.post(f"{path}/moves", body)
            scene = await people[1].get(path)
            return scene if scene["result"] else None

        await services.table_driver.sweep_once(first=False)
        over = await wait_until(play_once)
        changes = await wait_for_rating_changes(services, over["table"])
        assert set(changes) == set(ids)
        assert changes[ids[0]]["after"]["value"] < 1450
        assert max(changes[other]["after"]["value"] for other in ids[1:]) > 1500
        record = await people[1].client.get(f"{path}/record")
        assert "Timeout: Ann" in record.text
        assert "Ann: Ann, then " in record.text
