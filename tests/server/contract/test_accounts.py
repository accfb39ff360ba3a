"""Accounts on every database: concurrent changes take effect once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import pytest

from realmtable.server.accounts import account_watch, ratings
from realmtable.server.accounts.account_watch import AccountWatch, changes_after, latest_change_number, note_change
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.accounts.ratings import leaders, list_uncounted_tables, rate, ratings_by_game, ratings_of
from realmtable.server.admin import sign_out
from realmtable.server.errors import BadCredentials, NameTaken, SignInAgain, Unavailable
from realmtable.server.storage.database import Database, connect
from realmtable.server.storage.table_store import Event, Summary, TableRow, TableStore
from realmtable.server.tables.setup import Setup
from tests.server.contract.helpers import on_both_databases
from tests.server.support.accounts_app import FAST_HASHER, PASSWORD, create_member

pytestmark = pytest.mark.anyio


@pytest.fixture
def accounts(database: Database) -> Accounts:
    return Accounts(database, hasher=FAST_HASHER)


@pytest.fixture
async def elsewhere(url: str, database: Database) -> AsyncIterator[Accounts]:  # noqa: ARG001 - which made the tables
    """The accounts of another process."""
    another = await connect(url)
    yield Accounts(another, hasher=FAST_HASHER)
    await another.close()


async def run_both(*deeds: Coroutine[Any, Any, Any]) -> tuple[list[Any], list[BaseException]]:
    """Run coroutines concurrently; return their results and their errors."""
    results = await asyncio.gather(*deeds, return_exceptions=True)
    failed = [result for result in results if isinstance(result, BaseException)]
    return [result for result in results if not isinstance(result, BaseException)], failed


async def store_finished_table(store: TableStore, table_id: str, player: Player) -> None:
    """A rated table that is over."""
    summary = Summary("over", 1, (), bot_due=False, deadline=None, turn=1, result=None, updated_at=1.0)
    setup = Setup("realm", 2, rated=True).as_data()
    row = TableRow(table_id, "realm", 1, setup, "seed", player.id, 0.0, listed=True, summary=summary)
    await store.insert_table(row, [], [Event(table_id, 1, "created", None, player.id, {}, 0.0)])


@on_both_databases
async def test_a_persons_whole_way(accounts: Accounts) -> None:
    guest, first = await accounts.create_guest()
    claimed, second = await accounts.claim(guest, "Ada", PASSWORD)
    accounts.forget(None)
    assert await accounts.player_by_session(first) is None
    assert await accounts.player_by_session(second) == claimed
    assert (await accounts.sign_in("ADA", PASSWORD))[0] == claimed
    assert (await accounts.use_link(await accounts.make_link("ada")))[0] == claimed
    token_id, token = await accounts.make_token(claimed, "bot")
    assert await accounts.player_by_token(token) == claimed
    await accounts.revoke_token(claimed, token_id)
    assert await accounts.player_by_token(token) is None
    assert (await accounts.rename(claimed, "Bell")).name == "Bell"
    await accounts.sign_out(second)
    assert await accounts.player_by_session(second) is None
    await accounts.sweep()


@on_both_databases
@pytest.mark.parametrize("name", ["\x00", "Ada\x00", "x" * 500])
async def test_a_name_that_cannot_be_kept_is_nobodys(accounts: Accounts, name: str) -> None:
    with pytest.raises(BadCredentials):
        await accounts.sign_in(name, PASSWORD)
    assert await accounts.players([name]) == {}


@on_both_databases
async def test_a_name_is_claimed_once(accounts: Accounts, elsewhere: Accounts) -> None:
    (one, _), (two, _) = await accounts.create_guest(), await accounts.create_guest()
    well, failed = await run_both(accounts.claim(one, "Ada", PASSWORD), elsewhere.claim(two, "ada", PASSWORD))
    assert len(well) == 1
    assert [type(error) for error in failed] == [NameTaken]


@on_both_databases
async def test_a_link_is_used_once(accounts: Accounts, elsewhere: Accounts) -> None:
    guest, _ = await accounts.create_guest()
    link = await accounts.make_link(guest.id)
    well, failed = await run_both(accounts.use_link(link), elsewhere.use_link(link), elsewhere.use_link(link))
    assert len(well) == 1
    assert [type(error) for error in failed] == [BadCredentials] * 2


@pytest.mark.long
@on_both_databases
async def test_no_session_outlives_a_claim_made_at_the_same_moment(accounts: Accounts, elsewhere: Accounts) -> None:
    player = (await create_member(accounts))[0]
    old = PASSWORD
    for round_ in range(5):
        new = f"password {round_}"
        link = await elsewhere.make_link(player.id)
        well, _ = await run_both(
            elsewhere.sign_in("Ada", old),
            elsewhere.use_link(link),
            accounts.claim(player, "Ada", new, current_password=old),
        )
        old = new
        elsewhere.forget(None)
        alive = [token for _, token in well if await elsewhere.player_by_session(token) is not None]
        assert len(alive) == 1


@on_both_databases
async def test_a_bot_is_made_once(accounts: Accounts, elsewhere: Accounts) -> None:
    well, failed = await run_both(*(room.bot_player("Greedy") for room in (accounts, elsewhere) * 3))
    assert len(set(well)) == 1
    assert not failed


@on_both_databases
async def test_of_games_that_end_at_once_three_of_two_players_count(
    accounts: Accounts, elsewhere: Accounts, store: TableStore, database: Database
) -> None:
    players = [(await create_member(accounts, name))[0] for name in ("Ada", "Bell", "Cora")]
    for number in range(6):
        await store_finished_table(store, f"t{number}", players[0])
    told = [
        rate(
            (accounts, elsewhere)[number % 2]._database,
            f"t{number}",
            ("realm", "classic_realm")[number // 2 % 2],
            [1, 2, 3],
            [player.id for player in players[:: -1 if number % 3 else 1]],
            1.0,
        )
        for number in range(6)
    ]
    well, failed = await run_both(*told)
    assert not failed
    assert sum(changes is not None for changes in well) == 3
    assert len(await list_uncounted_tables(database)) == 3


@pytest.mark.long
@on_both_databases
async def test_games_that_end_at_once_all_count_once(
    accounts: Accounts, elsewhere: Accounts, store: TableStore, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [(await create_member(accounts, name))[0] for name in ("Ada", "Bell", "Cora")]
    pairs = [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)]
    for number in range(len(pairs)):
        await store_finished_table(store, f"t{number}", players[0])
    assert len(await list_uncounted_tables(database)) == len(pairs)
    told = [
        rate(room._database, f"t{number}", "realm", [1, 2], [players[one].id, players[two].id], 1.0)
        for number, (one, two) in enumerate(pairs)
        for room in (accounts, elsewhere)
    ]
    well, failed = await run_both(*told)
    assert not failed
    assert well[::2] == well[1::2]
    found = await ratings_of(database, [player.id for player in players], "realm")
    assert [found[player.id]["games"] for player in players] == [4, 4, 4]
    assert await list_uncounted_tables(database) == []
    assert await leaders(database, "realm") == [], "on four games nobody is listed"
    monkeypatch.setattr(ratings, "KNOWN_SIGMA", 100.0)
    for opponents, listed in ((2, found.keys()), (3, set())):  # each has met two
        monkeypatch.setattr(ratings, "MIN_OPPONENTS", opponents)
        assert {player_id for player_id, _ in await leaders(database, "realm")} == listed
    assert await ratings_by_game(database, players[0].id) == {"realm": found[players[0].id]}


@on_both_databases
async def test_no_number_appears_after_a_higher_one(database: Database, url: str) -> None:
    """Numbers become visible in ascending order, so a reader never has to look for a lower one."""
    elsewhere = await connect(url)
    order: list[str] = []

    async def change(where: Database, name: str, seconds: float) -> None:
        async with where.writing() as connection:
            await note_change(connection, name)
            await asyncio.sleep(seconds)
            order.append(name)

    slow = asyncio.create_task(change(database, "ann", 0.3))
    await asyncio.sleep(0.1)
    await change(elsewhere, "bob", 0.0)
    await slow
    assert order == ["ann", "bob"]
    assert [name for name, _ in await changes_after(database, 0)] == order
    await elsewhere.close()


@on_both_databases
async def test_every_change_of_an_account_is_numbered(accounts: Accounts, database: Database) -> None:
    seen = [await latest_change_number(database)]

    async def has_advanced() -> bool:
        seen.append(await latest_change_number(database))
        return seen[-1] > seen[-2]

    player, _ = await create_member(accounts)
    assert await has_advanced()
    player = await accounts.rename(player, "Bell")
    assert await has_advanced()
    token_id, _ = await accounts.make_token(player, "bot")
    assert not await has_advanced(), "nothing was taken away"
    await accounts.revoke_token(player, token_id)
    assert await has_advanced()
    _, session = await accounts.sign_in("Bell", PASSWORD)
    assert not await has_advanced()
    await accounts.sign_out(session)
    assert await has_advanced()
    await sign_out(database, "Bell", tokens=True)
    assert await has_advanced()


async def test_a_process_that_is_told_nothing_notices_by_itself(
    database: Database, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when `realmtable admin sign-out` runs beside a server without Redis."""
    monkeypatch.setattr(account_watch, "POLL_S", 0.01)
    elsewhere = await connect(url)
    server = Accounts(elsewhere, hasher=FAST_HASHER)
    player, session = await create_member(server)
    _, token = await server.make_token(player, "bot")
    told: list[str] = []

    def forget(player_id: str) -> None:
        told.append(player_id)
        server.forget(player_id)

    watch = AccountWatch(elsewhere, forget)
    await watch.start()
    running = asyncio.create_task(watch.run())
    assert await server.player_by_session(session) == await server.player_by_token(token) == player
    assert await sign_out(database, "Ada", tokens=True) == ("Ada", 1, 1)
    async with asyncio.timeout(30):
        while not told:  # noqa: ASYNC110 - another task works
            await asyncio.sleep(0.01)
    assert await server.player_by_session(session) is None
    assert await server.player_by_token(token) is None
    assert told == [player.id]
    running.cancel()
    await elsewhere.close()


async def test_a_change_that_was_heard_of_is_not_told_twice(database: Database) -> None:
    told: list[str] = []
    watch = AccountWatch(database, told.append)
    await watch.start()
    for player_id in ("ann", "bob"):
        async with database.writing() as connection:
            await note_change(connection, player_id)
    watch.receive("bob", 2)
    assert told == ["bob"]
    await watch.poll()
    assert told == ["bob", "ann"]
    watch.receive("ann", 1)  # late, and known already
    await watch.poll()
    assert told == ["bob", "ann"]


async def test_the_watch_goes_on_after_any_failure(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_watch, "POLL_S", 0.01)
    told: list[str] = []
    watch = AccountWatch(database, told.append)
    await watch.start()
    real, failures = account_watch.changes_after, [RuntimeError("odd"), Unavailable("away")]

    async def failing(where: Database, number: int) -> object:
        if failures:
            raise failures.pop()
        return await real(where, number)

    monkeypatch.setattr(account_watch, "changes_after", failing)
    running = asyncio.create_task(watch.run())
    async with database.writing() as connection:
        await note_change(connection, "ann")
    async with asyncio.timeout(30):
        while not told:  # noqa: ASYNC110 - another task works
            await asyncio.sleep(0.01)
    running.cancel()


@on_both_databases
async def test_a_session_that_has_ended_changes_nothing_not_even_at_once(
    database: Database, elsewhere: Accounts
) -> None:
    """The server that still remembers the session asks the database in the transaction of the change itself."""
    server = elsewhere
    player, session = await create_member(server)
    assert await server.player_by_session(session) == player
    await sign_out(database, "Ada", tokens=True)
    assert await server.player_by_session(session) == player, "it remembers"
    for change in (
        lambda: server.make_token(player, "bot", session),
        lambda: server.make_link(player.id, 15, session),
        lambda: server.rename(player, "Bell", session),
        lambda: server.claim(player, "Ada", "battery staple", session),
    ):
        with pytest.raises(SignInAgain):
            await change()
    assert await server.list_tokens(player) == []
    assert (await server.sign_in("Ada", PASSWORD))[0] == player


@on_both_databases
async def test_a_token_made_while_somebody_is_signed_out_does_not_outlive_it(
    database: Database, elsewhere: Accounts
) -> None:
    player, session = await create_member(elsewhere)

    async def make_tokens() -> None:
        for _ in range(20):
            await elsewhere.make_token(player, "bot", session)

    results = await asyncio.gather(make_tokens(), sign_out(database, "Ada", tokens=True), return_exceptions=True)
    assert isinstance(results[1], tuple)
    assert await elsewhere.list_tokens(player) == []
