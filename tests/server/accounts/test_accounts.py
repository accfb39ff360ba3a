"""Accounts: guests, members and bots, with sessions, links and tokens; every protection has a test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import Row, Select, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from realmtable.engine.errors import BadInput
from realmtable.server import display_names
from realmtable.server.accounts import passwords
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.accounts.ids import digest
from realmtable.server.errors import BadCredentials, NameTaken, NotAllowed
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from tests.server.support.accounts_app import FAST_HASHER, PASSWORD, FakeClock, create_member, dump_all_rows

pytestmark = pytest.mark.anyio

DAY = 86400.0


class CountingDatabase:
    """A database that counts its readers and runs something after each."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.dialect = database.dialect
        self.reads = 0
        self.after: list[object] = []

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        self.reads += 1
        async with self.database.reading() as connection:
            yield connection
        while self.after:
            await self.after.pop()  # type: ignore[misc]

    async def rows(self, statement: Select[Any]) -> Sequence[Row[Any]]:
        self.reads += 1
        found = await self.database.rows(statement)
        while self.after:
            await self.after.pop()  # type: ignore[misc]
        return found

    def writing(self) -> object:
        return self.database.writing()


# Guests and sessions


async def test_a_guest_gets_a_friendly_name_and_a_session(accounts: Accounts) -> None:
    guest, token = await accounts.create_guest()
    assert guest.kind == "guest"
    assert display_names.clean_name(guest.name) == guest.name
    assert await accounts.player_by_session(token) == guest
    assert len(token) >= 43


@pytest.mark.parametrize("token", ["", "nonsense", "x" * 5000, "\ud800", "\x00"])
async def test_no_session_for_a_wrong_token(accounts: Accounts, token: str) -> None:
    await accounts.create_guest()
    assert await accounts.player_by_session(token) is None
    assert await accounts.player_by_token(token) is None


async def test_a_session_token_is_no_personal_token_and_the_other_way_round(accounts: Accounts) -> None:
    guest, session = await accounts.create_guest()
    _, token = await accounts.make_token(guest, "bot")
    link = await accounts.make_link(guest.id)
    assert await accounts.player_by_token(session) is None
    assert await accounts.player_by_session(token) is None
    assert await accounts.player_by_session(link) is None


async def test_the_database_holds_no_secret(accounts: Accounts, database: Database) -> None:
    player, session = await create_member(accounts)
    link = await accounts.make_link(player.id)
    _, token = await accounts.make_token(player, "bot")
    kept = await dump_all_rows(database)
    assert player.id in kept
    assert not [secret for secret in (session, link, token, PASSWORD) if secret in kept]


async def test_memory_and_reprs_hold_no_secret(accounts: Accounts) -> None:
    player, session = await create_member(accounts)
    _, token = await accounts.make_token(player, "bot")
    await accounts.player_by_session(session)
    await accounts.player_by_token(token)
    held = repr([vars(cache) for cache in (accounts._sessions, accounts._tokens.owners, accounts._players)])
    assert player.id in held
    assert session not in held
    assert token not in held
    assert digest(session) not in repr(accounts._sessions.get(digest(session)))


async def test_a_session_in_use_is_prolonged(accounts: Accounts, clock: FakeClock) -> None:
    _, token = await accounts.create_guest()
    guest, is_extended = await accounts.use_session(token)
    assert not is_extended
    clock.now += 300 * DAY
    assert await accounts.use_session(token) == (guest, True)
    assert await accounts.use_session(token) == (guest, False)
    clock.now += 300 * DAY
    assert await accounts.player_by_session(token) == guest
    clock.now += 100 * DAY
    assert await accounts.use_session(token) == (None, False)


async def test_a_known_session_costs_no_look_into_the_database(database: Database, clock: FakeClock) -> None:
    watched = CountingDatabase(database)
    accounts = Accounts(watched, clock, hasher=FAST_HASHER)  # type: ignore[arg-type]
    player, session = await accounts.create_guest()
    _, token = await accounts.make_token(player, "bot")
    await accounts.player_by_session(session)
    await accounts.player_by_token(token)
    before = watched.reads
    for _ in range(50):
        assert await accounts.player_by_session(session) == await accounts.player_by_token(token) == player
        assert await accounts.players([player.id]) == {player.id: player}
    assert watched.reads == before


async def test_a_look_that_was_under_way_does_not_bring_an_ended_session_back(
    database: Database, clock: FakeClock
) -> None:
    watched = CountingDatabase(database)
    accounts = Accounts(watched, clock, hasher=FAST_HASHER)  # type: ignore[arg-type]
    guest, session = await accounts.create_guest()
    token_id, token = await accounts.make_token(guest, "bot")
    other = Accounts(database, clock, hasher=FAST_HASHER, announce=lambda player_id, _: _forget(accounts, player_id))
    watched.after = [other.sign_out(session)]
    await accounts.player_by_session(session)
    assert await accounts.player_by_session(session) is None
    watched.after = [other.revoke_token(guest, token_id)]
    await accounts.player_by_token(token)
    assert await accounts.player_by_token(token) is None


async def _forget(accounts: Accounts, player_id: str) -> None:
    accounts.forget(player_id)


async def test_expired_sessions_and_links_are_swept(accounts: Accounts, database: Database, clock: FakeClock) -> None:
    guest, old = await accounts.create_guest()
    await accounts.make_link(guest.id)
    clock.now += 364 * DAY
    _, new = await accounts.create_guest()
    clock.now += 2 * DAY
    await accounts.sweep()
    async with database.reading() as connection:
        assert len((await connection.execute(select(schema.sessions))).all()) == 1
        assert not (await connection.execute(select(schema.sign_in_links))).all()
    assert await accounts.player_by_session(old) is None
    assert await accounts.player_by_session(new) is not None


# Claiming and renaming


async def test_claiming_signs_out_everywhere_and_ends_links(accounts: Accounts) -> None:
    guest, first = await accounts.create_guest()
    _, second = await accounts.use_link(await accounts.make_link(guest.id))
    link = await accounts.make_link(guest.id)
    assert await accounts.player_by_session(first) == await accounts.player_by_session(second) == guest
    _, session = await accounts.claim(guest, "Ada", PASSWORD)
    assert await accounts.player_by_session(first) is None
    assert await accounts.player_by_session(second) is None
    with pytest.raises(BadCredentials):
        await accounts.use_link(link)
    assert await accounts.player_by_session(session) is not None


async def test_claiming_leaves_other_people_signed_in(accounts: Accounts) -> None:
    other, session = await accounts.create_guest()
    await create_member(accounts)
    accounts.forget(None)
    assert await accounts.player_by_session(session) == other


@pytest.mark.parametrize(
    "name",
    ["Ada Bell", "ada bell", "ADA  BELL", "Ada_Bell", "A.da-Bell", "\uff21\uff44\uff41 Bell", "Ada BeIl", "Ada Be1l"],
)
async def test_nobody_takes_a_name_that_looks_like_a_members(accounts: Accounts, name: str) -> None:
    await create_member(accounts, "Ada Bell")
    guest, _ = await accounts.create_guest()
    with pytest.raises(NameTaken):
        await accounts.claim(guest, name, PASSWORD)
    with pytest.raises(NameTaken):
        await accounts.rename(guest, name)
    assert (await accounts.players([guest.id]))[guest.id] == guest


@pytest.mark.parametrize("name", ["Coco", "\u0421\u043e\u0441\u043e"], ids=["the same", "in Cyrillic letters"])
async def test_the_database_decides_who_gets_a_name(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    await create_member(accounts, "Coco")
    guest, _ = await accounts.create_guest()
    monkeypatch.setattr("realmtable.server.accounts.accounts.require_free_name", _anything_goes)
    with pytest.raises(NameTaken):
        await accounts.claim(guest, name, PASSWORD)


async def _anything_goes(*_: object) -> None:
    pass


async def test_a_name_that_looks_like_another_is_refused(accounts: Accounts) -> None:
    coco, _ = await create_member(accounts, "Coco")
    guest, _ = await accounts.create_guest()
    borrowed = "\u0421\u043e\u0441\u043e"  # in Cyrillic letters
    for name in (borrowed, "Coc\u00f3"):
        for change in (accounts.rename(guest, name), accounts.claim(guest, name, PASSWORD)):
            with pytest.raises(NameTaken):
                await change
    await accounts.bot_player("Casual")
    with pytest.raises(NameTaken):
        await accounts.rename(guest, "C\u0251sual")  # with a Latin alpha
    assert (await accounts.rename(coco, borrowed)).name == borrowed, "one's own may be written otherwise"


async def test_a_name_from_before_is_kept_with_a_new_password(accounts: Accounts, database: Database) -> None:
    await create_member(accounts, "Coco")
    other, _ = await create_member(accounts, "Bell")
    async with database.writing() as connection:  # both were there before they were found to look alike
        values = {"name": "Coc\u00f3", "name_key": "coc\u00f3", "skeleton": None}
        await connection.execute(update(schema.players).where(schema.players.c.id == other.id).values(values))
    accounts.forget(None)
    stored, _ = await accounts.sign_in("Coc\u00f3", PASSWORD)
    kept, _ = await accounts.claim(stored, "Coc\u00f3", "battery staple", current_password=PASSWORD)
    assert (kept.id, kept.name) == (other.id, "Coc\u00f3")


async def test_guests_may_share_a_name_and_members_keep_theirs(accounts: Accounts) -> None:
    (one, session), (two, _) = await accounts.create_guest(), await accounts.create_guest()
    await accounts.rename(one, "Bell")
    await accounts.rename(two, "Bell")
    assert (await accounts.player_by_session(session)) == Player(one.id, "Bell", "guest")
    player, _ = await accounts.claim(one, "Bell", PASSWORD)
    renamed = await accounts.rename(player, "Ada")
    assert renamed == Player(one.id, "Ada", "member")
    assert (await accounts.sign_in("ADA", PASSWORD))[0] == renamed
    await create_member(accounts, "Bell")


async def test_an_old_page_of_a_guest_does_not_free_the_name_claimed_since(accounts: Accounts) -> None:
    guest, _ = await accounts.create_guest()
    await accounts.claim(guest, "Ada", PASSWORD)
    with pytest.raises(NotAllowed):
        await accounts.rename(guest, "Bell")
    assert (await accounts.sign_in("Ada", PASSWORD))[0].id == guest.id


@pytest.mark.parametrize("password", ["", "short", "x" * (passwords.MAX_LENGTH + 1)])
async def test_a_password_has_a_decent_size(accounts: Accounts, password: str) -> None:
    guest, token = await accounts.create_guest()
    with pytest.raises(BadInput):
        await accounts.claim(guest, "Ada", password)
    assert await accounts.player_by_session(token) == guest


# Players and bots


async def test_players_are_found_by_id(accounts: Accounts) -> None:
    (one, _), (two, _) = await accounts.create_guest(), await accounts.create_guest()
    found = await accounts.players([one.id, two.id, "nobody", "\x00", "x" * 1000])
    assert found == {one.id: one, two.id: two}


async def test_bots_that_look_alike_are_two_players(accounts: Accounts) -> None:
    bots = [await accounts.bot_player(name) for name in ("mcts-1", "mcts-l", "mcts:9", "x" * 60)]
    assert (await accounts.players([bot.id for bot in bots])).keys() == {bot.id for bot in bots}
    assert len({bot.id for bot in bots}) == 4


async def test_nobody_is_called_like_a_bot_and_a_bot_is_made_even_so(accounts: Accounts) -> None:
    await create_member(accounts, "Random")
    await accounts.bot_player("Greedy")
    guest, _ = await accounts.create_guest()
    with pytest.raises(NameTaken):
        await accounts.rename(guest, "greedy")
    assert (await accounts.bot_player("Random")).kind == "bot"
    assert (await accounts.sign_in("Random", PASSWORD))[0].kind == "member"


async def test_a_bot_is_not_renamed(accounts: Accounts) -> None:
    bot = await accounts.bot_player("Greedy")
    with pytest.raises(NotAllowed):
        await accounts.rename(bot, "Ada")
