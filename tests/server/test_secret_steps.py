"""Nothing at all reaches a viewer who may not know of a step: not even that it was taken.

Chaos Realms is played in worlds that differ in secret bids alone (clause X2). All that those who may not know of them
receive must be the same to the byte, by whatever route, and no stream may even stir.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from realmtable.server.services import Realm
from realmtable.server.tables import actions, event_stream
from realmtable.server.tables.move_list import list_moves
from realmtable.server.tables.replay import replayed, snapshot_of
from realmtable.server.tables.scene import Around, scene
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import KEPT_NEWS, Sitter, Table
from realmtable.server.tables.visibility import Numbering, SecretStep
from tests.fantasy_realms.helpers import quick_scores
from tests.server.serving import always, quiet, until
from tests.server.tabling import START, Bench
from tests.server.watching import READ, Evening, World, evening

CHAOS = ("variant=chaos",)
OPTIONS = (("variant", "chaos"),)


@pytest.fixture(autouse=True)
def quiet_logs() -> Iterator[None]:
    with quiet():
        yield


# ---- how viewers count

SECRETS = (SecretStep(3, 1, (0, 2)), SecretStep(4, 2, (0,)), SecretStep(7, 4, (0, 2)))


def test_a_viewer_counts_what_they_may_know() -> None:
    spectator, bidder, other, both = (Numbering(SECRETS, seats) for seats in ((), (0,), (1,), (0, 1)))
    assert [spectator.version(version) for version in range(2, 9)] == [2, 2, 2, 3, 4, 4, 5]
    assert [other.version(version) for version in range(2, 9)] == [2, 2, 3, 4, 5, 5, 6]
    assert [bidder.version(version) for version in range(2, 9)] == [2, 3, 4, 5, 6, 7, 8]
    assert [both.version(version) for version in range(2, 9)] == [2, 3, 4, 5, 6, 7, 8]
    assert [spectator.step(step) for step in range(6)] == [0, 0, 0, 1, 1, 2]


@pytest.mark.parametrize("seats", [(), (0,), (1,), (0, 1)])
def test_a_viewers_number_finds_its_versions_and_steps_again(seats: tuple[int, ...]) -> None:
    numbering = Numbering(SECRETS, seats)
    for version in range(12):
        same = [other for other in range(20) if numbering.version(other) == numbering.version(version)]
        assert numbering.latest_version(numbering.version(version)) == max(same)
        same = [other for other in range(20) if numbering.step(other) == numbering.step(version)]
        assert numbering.first_step(numbering.step(version)) == min(same)


# ---- every byte


async def trade(played: Evening, *, secretly: int) -> None:
    """Seat 0 lays a card on offer; seat 1 bids for it in secret and calls the bid back, as often as asked for."""
    hands = [(await played.scene(seat))["view"]["hand"] for seat in range(3)]
    await played.play(0, f"offer {hands[0][0]}")
    for _ in range(secretly):
        for verb in ("bid", "cancel"):
            await played.play(1, f"{verb} {hands[1][0]} for {hands[0][0]}", known_to=())
    await played.play(0, f"offer {hands[0][1]}")
    if secretly:
        await played.play(1, f"bid {hands[1][1]} for {hands[0][1]}", known_to=())
    await played.look(READ, tries=("undo", "answers", "analysis"))
    await played.play(2, "ready")


@pytest.mark.anyio
@pytest.mark.parametrize("secretly", [1, KEPT_NEWS])
async def test_a_secret_bid_changes_no_byte_for_those_who_may_not_know(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, secretly: int
) -> None:
    quick_scores(monkeypatch)
    evenings = []
    for number, times in enumerate((0, secretly)):
        world = World("", (), "fantasy_realms", OPTIONS)
        async with evening(monkeypatch, tmp_path / str(number), world, seats=4, opponent=3) as played:
            await trade(played, secretly=times)
            evenings.append(played)
    for name in ("opponent", "spectator", "nobody"):
        one, other = (played.watchers[name].received for played in evenings)
        assert [what for what, *_ in one] == [what for what, *_ in other]
        for here, there in zip(one, other, strict=True):
            assert here == there, f"{name}: {here[0]}"
        streams = [[tap.received for tap in played.streams[name]] for played in evenings]
        assert streams[0] == streams[1], f"the stream of {name}"


@pytest.mark.anyio
async def test_the_owner_of_the_card_hears_of_the_bid(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The test above would notice: to the one who may know, the two evenings differ."""
    quick_scores(monkeypatch)
    heard = []
    for number, times in enumerate((0, 1)):
        world = World("", (), "fantasy_realms", OPTIONS)
        async with evening(monkeypatch, tmp_path / str(number), world, seats=4, opponent=0) as played:
            await trade(played, secretly=times)
            heard.append([tap.received for tap in played.streams["opponent"]])
    assert heard[0] != heard[1]


# ---- a table by hand


AROUND = Around({}, {}, None, START)


def bidding(times: int = 1) -> tuple[Bench, str, str]:
    bench = Bench("fantasy_realms", seats=4, options=CHAOS).begin()
    mine, theirs = (bench.table.match.view(seat)["hand"][0] for seat in (0, 1))
    bench.do(actions.play, 0, f"offer {mine}")
    for _ in range(times):
        bench.do(actions.play, 1, f"bid {theirs} for {mine}")
        bench.do(actions.play, 1, f"cancel {theirs} for {mine}")
    return bench, mine, theirs


def shown(table: Table, *seats: int) -> dict[str, Any]:
    return scene(table, seats, AROUND, pictures=False)


def test_x2_the_scene_of_an_outsider_is_the_same_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_scores(monkeypatch)
    bench, mine, _ = bidding(0)
    before = {seats: shown(bench.table, *seats) for seats in ((), (2,), (2, 3))}
    bid = bench.table.match.view(1)["hand"][0]
    bench.now += 60
    bench.do(actions.play, 1, f"bid {bid} for {mine}")
    for seats, was in before.items():
        assert shown(bench.table, *seats) == was
    assert shown(bench.table, 0)["version"] == before[()]["version"] + 1


def test_secret_steps_do_not_break_a_turn_in_two_in_the_list_of_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_scores(monkeypatch)
    bench, mine, theirs = bidding()
    bench.do(actions.play, 0, f"withdraw {mine}")
    assert list_moves(bench.table, (), None)[-1]["text"] == f"offer {mine}, withdraw {mine}"
    lines = [line["text"] for line in list_moves(bench.table, (0,), 0)][-3:]
    assert lines == [f"offer {mine}", f"bid {theirs} for {mine}, cancel {theirs} for {mine}", f"withdraw {mine}"]
    numbers = [line["steps"] for line in list_moves(bench.table, (), None)]
    assert numbers[-1][1] == shown(bench.table)["step"]
    assert all(one[1] + 1 == other[0] for one, other in pairwise(numbers))


def test_once_the_game_is_over_everybody_reads_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_scores(monkeypatch)
    bench, mine, theirs = bidding()
    for seat in range(4):
        bench.do(actions.play, seat, "ready")
    while bench.table.result is None:  # somebody may hold the Necromancer
        bench.do(actions.play, bench.table.acting[0], "leave")
    texts = [line["text"] for line in list_moves(bench.table, (), None)]
    assert f"bid {theirs} for {mine}, cancel {theirs} for {mine}" in texts
    assert shown(bench.table)["version"] == bench.table.version


def test_a_snapshot_keeps_who_knows_of_what(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_scores(monkeypatch)
    bench, *_ = bidding(2)
    snapshot = snapshot_of(bench.table)
    again = replayed(bench.row, bench.log, snapshot)
    assert again.secrets == bench.table.secrets
    assert shown(again) == shown(bench.table)
    del snapshot.data["secrets"]  # as an older version wrote it: the log is replayed instead
    assert replayed(bench.row, bench.log, snapshot).base == 0


def test_secret_steps_push_no_news_out(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_scores(monkeypatch)
    few, many = bidding(0)[0], bidding(3 * KEPT_NEWS)[0]
    assert shown(few.table)["news"] == shown(many.table)["news"]
    assert len(shown(many.table, 1)["news"]) == KEPT_NEWS
    assert len(many.table.news) <= KEPT_NEWS * 5


def test_a_secret_step_leaves_an_offer_standing_and_the_lists_of_tables_as_they_were() -> None:
    bench, mine, _ = bidding(0)
    before = bench.table.changed_at
    bench.now += 60
    bid = bench.table.match.view(1)["hand"][0]
    assert bench.do(actions.play, 1, f"bid {bid} for {mine}").changed_at == before
    assert bench.do(actions.play, 2, "ready").changed_at == bench.now


# ---- the server


async def opened(realm: Realm, bots: int = 0) -> Table:
    player, _ = await realm.accounts.guest()
    bot = await realm.accounts.bot_player("level5")
    sitters = [Sitter(player.id)] * (3 - bots) + [Sitter(bot.id, "level5")] * bots
    return await realm.house.open_table(Setup("fantasy_realms", 3, CHAOS), player, sitters)


async def act(realm: Realm, table: Table, seat: int, move: str) -> Table:
    return await realm.house.act(table.id, lambda now: actions.play(now, seat, move))


@pytest.mark.anyio
async def test_a_stream_does_not_stir_when_a_bid_is_secret(realm: Realm, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_scores(monkeypatch)
    table = await opened(realm)
    mine, theirs = (table.match.view(seat)["hand"][0] for seat in (0, 1))
    table = await act(realm, table, 0, f"offer {mine}")
    live = await realm.house.find(table.id)
    waiting = {seats: live.change_for(seats) for seats in ((), (0,), (1,), (2,), (1, 2))}
    _, before = await realm.house.scene_bytes(live, (), pictures=False)
    await act(realm, table, 1, f"bid {theirs} for {mine}")
    assert [seats for seats, change in waiting.items() if change.is_set()] == [(0,), (1,), (1, 2)]
    assert (await realm.house.scene_bytes(live, (), pictures=False))[1] is before
    await act(realm, table, 2, "ready")
    assert all(change.is_set() for change in waiting.values())


@pytest.mark.anyio
async def test_pings_come_when_they_would_have_come(realm: Realm, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_scores(monkeypatch)
    monkeypatch.setattr(event_stream, "PING_S", 0.4)
    table = await opened(realm)
    mine, theirs = (table.match.view(seat)["hand"][0] for seat in (0, 1))
    table = await act(realm, table, 0, f"offer {mine}")
    live = await realm.house.find(table.id)
    events = event_stream.scenes(
        realm.house, live, None, pictures=False, known=None, closing=asyncio.Event(), admitted=always
    )
    got = [await anext(events), await anext(events)]
    ping = asyncio.ensure_future(anext(events))
    await act(realm, table, 1, f"bid {theirs} for {mine}")
    got.append(await ping)
    assert got[2] == event_stream.PING


@pytest.mark.anyio
async def test_a_bot_is_not_asked_again_because_of_what_it_may_not_know(
    realm: Realm, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_scores(monkeypatch)
    asked: list[int] = []

    class Ready:
        async def choose(self, game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:  # noqa: ARG002 - as workers
            asked.append(seat)
            return [] if len(asked) > 1 else ["ready"]

    realm.keeper.thinker = Ready()
    table = await opened(realm, bots=1)

    async def resting() -> bool:
        return table.id not in realm.keeper.thinking and len(asked) >= 2

    mine, theirs = (table.match.view(seat)["hand"][0] for seat in (0, 1))
    await act(realm, table, 0, f"offer {mine}")
    assert await until(resting)
    before = len(asked)
    await act(realm, table, 1, f"bid {theirs} for {mine}")
    await act(realm, table, 1, f"cancel {theirs} for {mine}")
    assert await until(resting)
    assert len(asked) == before
    await act(realm, table, 0, f"withdraw {mine}")

    async def asked_again() -> bool:
        return len(asked) > before

    assert await until(asked_again)
