"""Every process soon notices a changed account, whichever process changed it, without a message."""

from __future__ import annotations

import asyncio

import pytest

from realmtable.server.accounts import account_watch
from realmtable.server.accounts.account_watch import AccountWatch, changes_after, latest_change_number, note_change
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.admin import sign_out
from realmtable.server.errors import SignInAgain, Unavailable
from realmtable.server.storage.database import Database, connect
from tests.server.contract.helpers import on_both_databases
from tests.server.support.accounts_app import FAST_HASHER, PASSWORD

pytestmark = pytest.mark.anyio


async def member(accounts: Accounts, name: str = "Ada") -> tuple[Player, str]:
    guest, _ = await accounts.create_guest()
    return await accounts.claim(guest, name, PASSWORD)


async def test_numbers_rise_and_name_the_latest_change_of_each_player(database: Database) -> None:
    assert await latest_change_number(database) == 0
    for player_id in ("ann", "bob", "ann"):
        async with database.writing() as connection:
            await note_change(connection, player_id)
    assert await latest_change_number(database) == 3
    assert await changes_after(database, 0) == [("bob", 2), ("ann", 3)]
    assert await changes_after(database, 2) == [("ann", 3)]
    assert await changes_after(database, 3) == []


@on_both_databases
async def test_no_number_appears_after_a_higher_one(database: Database, url: str) -> None:
    """Whoever has seen a number never has to look for a lower one: they become visible in their order."""
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
async def test_every_change_of_an_account_is_numbered(database: Database) -> None:
    accounts = Accounts(database, hasher=FAST_HASHER)
    seen = [await latest_change_number(database)]

    async def has_advanced() -> bool:
        seen.append(await latest_change_number(database))
        return seen[-1] > seen[-2]

    player, _ = await member(accounts)
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
    player, session = await member(server)
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
async def test_a_session_that_has_ended_changes_nothing_not_even_at_once(database: Database, url: str) -> None:
    """The server that still remembers the session asks the database in the transaction of the change itself."""
    elsewhere = await connect(url)
    server = Accounts(elsewhere, hasher=FAST_HASHER)
    player, session = await member(server)
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
    await elsewhere.close()


@on_both_databases
async def test_a_token_made_while_somebody_is_signed_out_does_not_outlive_it(database: Database, url: str) -> None:
    elsewhere = await connect(url)
    server = Accounts(elsewhere, hasher=FAST_HASHER)
    player, session = await member(server)

    async def make_tokens() -> None:
        for _ in range(20):
            await server.make_token(player, "bot", session)

    results = await asyncio.gather(make_tokens(), sign_out(database, "Ada", tokens=True), return_exceptions=True)
    assert isinstance(results[1], tuple)
    assert await server.list_tokens(player) == []
    await elsewhere.close()
