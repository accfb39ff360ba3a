"""Passwords, sign-in links and personal tokens: what opens a session, and what does not."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from argon2 import PasswordHasher

from realmtable.server.accounts import passwords
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.accounts.passwords import Passwords
from realmtable.server.accounts.personal_tokens import MAX_TOKENS
from realmtable.server.errors import BadCredentials, NotAllowed, NotFound, RateLimited, TooLarge
from realmtable.server.storage.database import Database
from tests.server.support.accounts_app import FAST_HASHER, PASSWORD, FakeClock, create_member, dump_all_rows

pytestmark = pytest.mark.anyio

# Passwords


async def test_signing_in_opens_a_new_session_each_time(accounts: Accounts) -> None:
    player, first = await create_member(accounts)
    (same, second), (_, third) = await accounts.sign_in("Ada", PASSWORD), await accounts.sign_in("ada", PASSWORD)
    assert same == player
    assert len({first, second, third}) == 3
    assert await accounts.player_by_session(first) == await accounts.player_by_session(second) == player


async def test_a_password_is_the_same_from_every_keyboard(accounts: Accounts) -> None:
    guest, _ = await accounts.create_guest()
    await accounts.claim(guest, "Ada", "cafe\u0301 au lait")
    assert (await accounts.sign_in("Ada", "caf\u00e9 au lait"))[0].id == guest.id


async def test_a_refused_sign_in_does_not_tell_whether_the_name_exists(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    await create_member(accounts)
    await accounts.bot_player("Greedy")
    compared: list[str] = []
    work = accounts._passwords._hash_or_verify

    def record_and_check(password: str, kept: str | None) -> str:
        compared.append(kept or "")
        return work(password, kept)

    monkeypatch.setattr(accounts._passwords, "_hash_or_verify", record_and_check)
    told = set()
    for name in ("Ada", "Nobody", "Greedy", "", "<>", "x" * 400, "nul\x00"):
        compared.clear()
        with pytest.raises(BadCredentials) as refusal:
            await accounts.sign_in(name, "wrong password")
        told.add(str(refusal.value))
        assert [kept.split("$")[:4] for kept in compared] == [accounts._passwords._dummy.split("$")[:4]]
    assert len(told) == 1


async def test_whoever_guesses_the_dummy_is_still_nobody(database: Database) -> None:
    accounts = Accounts(database, hasher=FAST_HASHER)
    accounts._passwords._dummy = FAST_HASHER.hash("known to all")
    await accounts.bot_player("Greedy")
    for name in ("Nobody", "Greedy"):
        with pytest.raises(BadCredentials):
            await accounts.sign_in(name, "known to all")


async def test_a_password_changed_meanwhile_opens_nothing(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    player, _ = await create_member(accounts)
    verify = accounts._passwords.verify

    async def check_slowly(kept: str | None, password: str) -> bool:
        fits = await verify(kept, password)
        monkeypatch.undo()
        await accounts.claim(player, "Ada", "battery staple", current_password=PASSWORD)
        return fits

    monkeypatch.setattr(accounts._passwords, "verify", check_slowly)
    with pytest.raises(BadCredentials):
        await accounts.sign_in("Ada", PASSWORD)


async def test_an_old_hash_is_renewed_on_signing_in(accounts: Accounts, database: Database) -> None:
    await create_member(accounts)
    stronger = Accounts(database, hasher=PasswordHasher(time_cost=2, memory_cost=8, parallelism=1))
    await stronger.sign_in("Ada", PASSWORD)
    assert "t=2" in await dump_all_rows(database)
    await stronger.sign_in("Ada", PASSWORD)


class SlowHasher(PasswordHasher):
    """Counts how many hash at once, and on which thread."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.now = self.most = 0
        self.lock = threading.Lock()
        self.threads: set[int] = set()

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
            self.threads.add(threading.get_ident())
        time.sleep(0.01)
        with self.lock:
            self.now -= 1
        return super().hash(password, salt=salt)


async def test_two_passwords_are_hashed_at_once_and_never_on_the_event_loop() -> None:
    hasher = SlowHasher()
    room = Passwords(hasher)
    hasher.threads.clear()
    await asyncio.gather(*(room.hash(PASSWORD) for _ in range(8)))
    assert hasher.most == 2
    assert threading.get_ident() not in hasher.threads


async def test_a_crowd_at_the_door_is_asked_to_come_back() -> None:
    room = Passwords(SlowHasher())
    results = await asyncio.gather(
        *(room.hash(PASSWORD) for _ in range(passwords.MAX_WAITING + 5)), return_exceptions=True
    )
    assert sum(isinstance(result, RateLimited) for result in results) == 5
    assert isinstance(await room.hash(PASSWORD), str)


# Links


async def test_a_link_grows_old(accounts: Accounts, clock: FakeClock) -> None:
    guest, _ = await accounts.create_guest()
    link = await accounts.make_link(guest.id, minutes=15)
    clock.now += 15 * 60
    with pytest.raises(BadCredentials):
        await accounts.use_link(link)


@pytest.mark.parametrize("who", ["Nobody", "", "\x00", "Greedy", "x" * 500])
async def test_there_is_no_link_for_nobody_or_a_bot(accounts: Accounts, who: str) -> None:
    bot = await accounts.bot_player("Greedy")
    for asked in (who, bot.id):
        with pytest.raises(NotFound):
            await accounts.make_link(asked)


# Personal tokens


async def test_revoking_in_one_process_is_told_to_the_others(accounts: Accounts, database: Database) -> None:
    elsewhere = Accounts(database, FakeClock(), hasher=FAST_HASHER)
    guest, session = await accounts.create_guest()
    token_id, token = await accounts.make_token(guest, "bot")
    assert await elsewhere.player_by_token(token) == await elsewhere.player_by_session(session) == guest

    async def forget_elsewhere(player_id: str, _: int) -> None:
        elsewhere.forget(player_id)

    accounts.announce = forget_elsewhere
    await accounts.revoke_token(guest, token_id)
    assert await elsewhere.player_by_token(token) is None
    await accounts.rename(guest, "Bell")
    assert await elsewhere.player_by_session(session) == Player(guest.id, "Bell", "guest")
    await accounts.sign_out(session)
    assert await elsewhere.player_by_session(session) is None


async def test_nobody_revokes_another_ones_token(accounts: Accounts) -> None:
    (one, _), (two, _) = await accounts.create_guest(), await accounts.create_guest()
    token_id, token = await accounts.make_token(one, "bot")
    for wrong in (token_id, "nonsense", "\x00"):
        with pytest.raises(NotFound):
            await accounts.revoke_token(two, wrong)
    assert await accounts.player_by_token(token) == one


async def test_tokens_are_few_and_their_labels_short(accounts: Accounts) -> None:
    guest, _ = await accounts.create_guest()
    for number in range(MAX_TOKENS):
        await accounts.make_token(guest, f"bot {number}")
    with pytest.raises(NotAllowed):
        await accounts.make_token(guest, "one more")
    with pytest.raises(TooLarge):
        await accounts.make_token(guest, "x" * 61)
