"""A viewer who may not know of a step receives nothing, not even that it was taken.

Chaos Realms is played in worlds that differ in secret bids alone (clause X2). All that those who may not know of them
receive must be the same to the byte, by whatever route, and no stream may even stir.
"""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from realmtable.engine.protocol import Seat
from realmtable.server.services import Services
from realmtable.server.site import game_pictures
from realmtable.server.tables import actions
from realmtable.server.tables.live import event_stream
from realmtable.server.tables.live.live_table import Viewer
from realmtable.server.tables.replay_log import replay, take_snapshot
from realmtable.server.tables.scenes.move_list import list_moves
from realmtable.server.tables.scenes.scene import SceneContext, scene
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import MAX_NEWS, Occupant, Table
from realmtable.server.tables.viewer_knowledge import Numbering, SecretStep
from realmtable.server.workers import bot_workers
from tests.fantasy_realms.helpers import patch_quick_scores
from tests.server.support.leak_watchers import READ_PATHS, GameScript, WatchedGame, play_watched
from tests.server.support.live_server import Person, make_feed, stays_signed_in, wait_until
from tests.server.support.table_harness import TableHarness
from tests.toys import add_games
from tests.toys.spy_bot import SpyBot, WatchedCards, assert_saw_no_secret

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("quiet_logs")]

CHAOS = ("variant=chaos",)
OPTIONS = (("variant", "chaos"),)


# ---- how viewers count

SECRETS = (SecretStep(3, 1, (0, 2)), SecretStep(4, 2, (0,)), SecretStep(7, 4, (0, 2)))


def test_a_viewer_counts_what_they_may_know() -> None:
    spectator, bidder, other, both = (Numbering(SECRETS, seats) for seats in ((), (0,), (1,), (0, 1)))
    assert [spectator.visible_version(version) for version in range(2, 9)] == [2, 2, 2, 3, 4, 4, 5]
    assert [other.visible_version(version) for version in range(2, 9)] == [2, 2, 3, 4, 5, 5, 6]
    assert [bidder.visible_version(version) for version in range(2, 9)] == [2, 3, 4, 5, 6, 7, 8]
    assert [both.visible_version(version) for version in range(2, 9)] == [2, 3, 4, 5, 6, 7, 8]
    assert [spectator.visible_step(step) for step in range(6)] == [0, 0, 0, 1, 1, 2]


@pytest.mark.parametrize("seats", [(), (0,), (1,), (0, 1)])
def test_a_viewers_number_finds_its_versions_and_steps_again(seats: tuple[int, ...]) -> None:
    numbering = Numbering(SECRETS, seats)
    for version in range(12):
        same = [other for other in range(20) if numbering.visible_version(other) == numbering.visible_version(version)]
        assert numbering.latest_actual_version(numbering.visible_version(version)) == max(same)
        same = [other for other in range(20) if numbering.visible_step(other) == numbering.visible_step(version)]
        assert numbering.actual_step(numbering.visible_step(version)) == min(same)


# ---- every byte


async def trade(played: WatchedGame, *, secretly: int) -> None:
    """Seat 0 lays a card on offer; seat 1 bids for it in secret and calls the bid back, as often as asked for."""
    hands = [(await played.scene(seat))["view"]["hand"] for seat in range(3)]
    await played.play(0, f"offer {hands[0][0]}")
    for _ in range(secretly):
        for verb in ("bid", "cancel"):
            await played.play(1, f"{verb} {hands[1][0]} for {hands[0][0]}", known_to=())
    await played.play(0, f"offer {hands[0][1]}")
    if secretly:
        await played.play(1, f"bid {hands[1][1]} for {hands[0][1]}", known_to=())
    await played.read_everything(READ_PATHS, tries=("undo", "answers", "analysis"))
    await played.play(2, "ready")


@pytest.mark.parametrize("secretly", [pytest.param(1, marks=pytest.mark.slow), MAX_NEWS])
async def test_a_secret_bid_changes_no_byte_for_those_who_may_not_know(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, secretly: int
) -> None:
    patch_quick_scores(monkeypatch)
    evenings = []
    for number, times in enumerate((0, secretly)):
        world = GameScript("", (), "fantasy_realms", OPTIONS)
        async with play_watched(monkeypatch, tmp_path / str(number), world, seats=4, opponent=3) as played:
            await trade(played, secretly=times)
            evenings.append(played)
    for name in ("opponent", "spectator", "nobody"):
        one, other = (played.watchers[name].received for played in evenings)
        assert [what for what, *_ in one] == [what for what, *_ in other]
        for here, there in zip(one, other, strict=True):
            assert here == there, f"{name}: {here[0]}"
        streams = [[tap.received for tap in played.streams[name]] for played in evenings]
        assert streams[0] == streams[1], f"the stream of {name}"


@pytest.mark.long
async def test_the_owner_of_the_card_hears_of_the_bid(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The test above would notice: to the one who may know, the two evenings differ."""
    patch_quick_scores(monkeypatch)
    heard = []
    for number, times in enumerate((0, 1)):
        world = GameScript("", (), "fantasy_realms", OPTIONS)
        async with play_watched(monkeypatch, tmp_path / str(number), world, seats=4, opponent=0) as played:
            await trade(played, secretly=times)
            heard.append([tap.received for tap in played.streams["opponent"]])
    assert heard[0] != heard[1]


# ---- a table by hand


CONTEXT = SceneContext({}, {}, None)


def table_after_bids(times: int = 1) -> tuple[TableHarness, str, str]:
    bench = TableHarness("fantasy_realms", seats=4, options=CHAOS).seat_players()
    mine, theirs = (bench.table.match.view(seat)["hand"][0] for seat in (0, 1))
    bench.act(actions.play, 0, f"offer {mine}")
    for _ in range(times):
        bench.act(actions.play, 1, f"bid {theirs} for {mine}")
        bench.act(actions.play, 1, f"cancel {theirs} for {mine}")
    return bench, mine, theirs


def scene_for(table: Table, *seats: int) -> dict[str, Any]:
    return scene(table, seats, CONTEXT, pictures=False)


def test_x2_the_scene_of_an_outsider_is_the_same_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)
    bench, mine, _ = table_after_bids(0)
    before = {seats: scene_for(bench.table, *seats) for seats in ((), (2,), (2, 3))}
    bid = bench.table.match.view(1)["hand"][0]
    bench.now += 60
    bench.act(actions.play, 1, f"bid {bid} for {mine}")
    for seats, was in before.items():
        assert scene_for(bench.table, *seats) == was
    assert scene_for(bench.table, 0)["version"] == before[()]["version"] + 1


def test_secret_steps_do_not_break_a_turn_in_two_in_the_list_of_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)
    bench, mine, theirs = table_after_bids()
    bench.act(actions.play, 0, f"withdraw {mine}")
    assert list_moves(bench.table, (), None)[-1]["text"] == f"offer {mine}, withdraw {mine}"
    lines = [line["text"] for line in list_moves(bench.table, (0,), 0)][-3:]
    assert lines == [f"offer {mine}", f"bid {theirs} for {mine}, cancel {theirs} for {mine}", f"withdraw {mine}"]
    numbers = [line["steps"] for line in list_moves(bench.table, (), None)]
    assert numbers[-1][1] == scene_for(bench.table)["step"]
    assert all(one[1] + 1 == other[0] for one, other in pairwise(numbers))


def test_once_the_game_is_over_everybody_reads_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)
    bench, mine, theirs = table_after_bids()
    for seat in range(4):
        bench.act(actions.play, seat, "ready")
    while bench.table.result is None:  # somebody may hold the Necromancer
        bench.act(actions.play, bench.table.acting[0], "leave")
    texts = [line["text"] for line in list_moves(bench.table, (), None)]
    assert f"bid {theirs} for {mine}, cancel {theirs} for {mine}" in texts
    assert scene_for(bench.table)["version"] == bench.table.version


def test_a_snapshot_keeps_who_knows_of_what(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)
    bench, *_ = table_after_bids(2)
    snapshot = take_snapshot(bench.table)
    again = replay(bench.row, bench.log, snapshot)
    assert again.hidden_steps == bench.table.hidden_steps
    assert scene_for(again) == scene_for(bench.table)
    del snapshot.data["secrets"]  # as an older version wrote it: the log is replayed instead
    assert replay(bench.row, bench.log, snapshot).snapshot_step == 0


def test_secret_steps_push_no_news_out(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)
    few, many = table_after_bids(0)[0], table_after_bids(3 * MAX_NEWS)[0]
    assert scene_for(few.table)["news"] == scene_for(many.table)["news"]
    assert len(scene_for(many.table, 1)["news"]) == MAX_NEWS
    assert len(many.table.news) <= MAX_NEWS * 5


def test_a_secret_step_leaves_an_offer_standing_and_the_lists_of_tables_as_they_were() -> None:
    bench, mine, _ = table_after_bids(0)
    before = bench.table.changed_at
    bench.now += 60
    bid = bench.table.match.view(1)["hand"][0]
    assert bench.act(actions.play, 1, f"bid {bid} for {mine}").changed_at == before
    assert bench.act(actions.play, 2, "ready").changed_at == bench.now


# ---- the server


async def open_table(services: Services, bots: int = 0) -> Table:
    player, _ = await services.accounts.create_guest()
    bot = await services.accounts.bot_player("level5")
    sitters = [Occupant(player.id)] * (3 - bots) + [Occupant(bot.id, "level5")] * bots
    return await services.table_service.open_table(Setup("fantasy_realms", 3, CHAOS), player, sitters)


async def act(services: Services, table: Table, seat: int, move: str) -> Table:
    return await services.table_service.act(table.id, lambda now: actions.play(now, seat, move))


async def test_a_stream_does_not_stir_when_a_bid_is_secret(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)
    table = await open_table(services)
    mine, theirs = (table.match.view(seat)["hand"][0] for seat in (0, 1))
    table = await act(services, table, 0, f"offer {mine}")
    live = await services.table_service.find(table.id)
    waiting = [Viewer(seats, None) for seats in ((), (0,), (1,), (2,), (1, 2))]
    live.viewers.update(dict.fromkeys(waiting))
    before = {
        viewer.you: await services.table_service.scenes.latest(live, viewer.you, pictures=False) for viewer in waiting
    }
    await act(services, table, 1, f"bid {theirs} for {mine}")
    assert [viewer.you for viewer in waiting if viewer.woken.is_set()] == [(0,), (1,), (1, 2)]
    assert [seats for seats, scene in before.items() if not scene.is_current] == [(0,), (1,), (1, 2)]
    await act(services, table, 2, "ready")
    assert all(viewer.woken.is_set() for viewer in waiting)


async def test_pings_come_when_they_would_have_come(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)
    monkeypatch.setattr(event_stream, "PING_S", 0.4)
    table = await open_table(services)
    mine, theirs = (table.match.view(seat)["hand"][0] for seat in (0, 1))
    table = await act(services, table, 0, f"offer {mine}")
    live = await services.table_service.find(table.id)
    events = event_stream.stream_scenes(make_feed(services, live), stays_signed_in)
    got = [await anext(events), await anext(events)]
    ping = asyncio.ensure_future(anext(events))
    await act(services, table, 1, f"bid {theirs} for {mine}")
    got.append(await ping)
    assert got[2] == event_stream.PING


async def test_a_bot_is_not_asked_again_because_of_what_it_may_not_know(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch_quick_scores(monkeypatch)
    asked: list[int] = []

    class ReadyThinker:
        async def choose(self, game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:  # noqa: ARG002 - as workers
            asked.append(seat)
            return [] if len(asked) > 1 else ["ready"]

    services.table_driver.move_chooser = ReadyThinker()
    table = await open_table(services, bots=1)

    async def is_resting() -> bool:
        return table.id not in services.table_driver.bot_tasks and len(asked) >= 2

    mine, theirs = (table.match.view(seat)["hand"][0] for seat in (0, 1))
    await act(services, table, 0, f"offer {mine}")
    assert await wait_until(is_resting)
    before = len(asked)
    await act(services, table, 1, f"bid {theirs} for {mine}")
    await act(services, table, 1, f"cancel {theirs} for {mine}")
    assert await wait_until(is_resting)
    assert len(asked) == before
    await act(services, table, 0, f"withdraw {mine}")

    async def is_asked_again() -> bool:
        return len(asked) > before

    assert await wait_until(is_asked_again)


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> WatchedCards:
    game = WatchedCards()
    add_games(monkeypatch, game)
    return game


class LocalThinker:
    """Does a worker's task in this process, where the watched game and the spy are at hand."""

    async def choose(self, game_id: str, position: str, seat: Seat, bot: str, seed: int) -> list[str]:
        assert (game_id, bot) == ("secret_cards", "random")
        return bot_workers.choose_moves(game_id, position, seat, bot, seed)


async def test_a_bot_at_a_table_is_given_resampled_states(
    services: Services, ann: Person, cards: WatchedCards, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = SpyBot()
    monkeypatch.setattr(bot_workers, "bot_named", lambda _: spy)
    services.table_driver.move_chooser = LocalThinker()
    body = {"game": "secret_cards", "seats": ["bot:random", "bot:random", "bot:random"]}
    table = (await ann.post("/api/tables", body))["table"]

    async def is_over() -> bool:
        scene = await ann.get(f"/api/tables/{table}")
        return bool(scene["status"] == "over")

    live = await services.table_service.find(table)
    with services.table_service.presence.watch(live, Viewer((), None)):  # bots rest while nobody watches
        await wait_until(is_over)
    assert {seat for seat, _ in spy.given} == {0, 1, 2}
    assert_saw_no_secret(spy, cards)


async def test_the_bots_of_a_made_up_game_are_given_resampled_states(
    cards: WatchedCards, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = SpyBot()
    monkeypatch.setattr(game_pictures, "RandomBot", lambda: spy)
    game_pictures._play_random_match(cards, cards.initial(2), game_pictures.RANDOM_STEPS)
    assert_saw_no_secret(spy, cards)
