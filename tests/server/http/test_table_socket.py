"""The socket of a table: who may open it, how messages are answered, what it sends and when it ends."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from fastapi import FastAPI
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.typing import Origin

from realmtable.server import logs
from realmtable.server.accounts.accounts import Accounts
from realmtable.server.accounts.rate_limits import DEFAULTS
from realmtable.server.api import table_socket
from realmtable.server.api.table_socket import REFUSED, REOPEN
from realmtable.server.errors import Unavailable
from realmtable.server.services import Services
from realmtable.server.socket_protocol import MAX_MESSAGE
from realmtable.server.tables import actions
from realmtable.server.tables.live import live_table
from tests.server.support.fake_workers import LATE_POSITION
from tests.server.support.live_server import (
    WAIT_S,
    Person,
    ServerThread,
    SocketTap,
    log_errors_only,
    make_app,
    make_settings,
)

pytestmark = pytest.mark.anyio

TWO = {"game": "realm", "seats": ["me", "open"], "position": LATE_POSITION}


class Game(NamedTuple):
    """A table of two, its players and a signed-in spectator."""

    app: FastAPI
    services: Services
    table: str
    ann: Person
    bob: Person
    eve: Person

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"

    def socket(self, person: Person | None = None, query: str = "", **headers: str) -> SocketTap:
        """Return a socket of a person, or of someone without a session."""
        cookies = person.cookie_header if person else {}
        return SocketTap(self.app, f"{self.path}/socket{query}", cookies | headers)

    async def next_move(self, key: str = "k1") -> tuple[Person, dict[str, Any]]:
        """Return the player whose turn it is, and a message with a legal step."""
        person = (self.ann, self.bob)[(await self.eve.get(self.path))["acting"][0]]
        scene = await person.get(self.path)
        moves = sorted([choice["move"] for choice in scene["choices"]], key="end".__eq__)
        return person, {"do": "move", "key": key, "version": scene["version"], "move": moves[0]}


@asynccontextmanager
async def open_game(folder: Path, **settings: Any) -> AsyncIterator[Game]:
    app = make_app(make_settings(folder, **settings))
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.router.lifespan_context(app))
        clients = [httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://testserver") for _ in "abe"]
        ann, bob, eve = [Person(await stack.enter_async_context(client)) for client in clients]
        table = (await ann.post("/api/tables", TWO))["table"]
        await bob.post(f"/api/tables/{table}/seats")
        await eve.post("/api/me")
        yield Game(app, app.state.services, table, ann, bob, eve)


@pytest.fixture(autouse=True)
def no_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players are not sent the number of spectators, which changes at some time."""
    monkeypatch.setattr(live_table, "SHOW_SPECTATORS_AFTER_S", 3600.0)


@pytest.fixture
async def game(tmp_path: Path) -> AsyncIterator[Game]:
    async with open_game(tmp_path) as opened:
        yield opened


async def wait_for(tap: SocketTap, count: int) -> dict[str, Any]:
    """Wait until a socket has sent so many messages, and return the last."""
    await tap.wait(lambda: len(tap.messages) >= count)
    assert len(tap.messages) == count
    return tap.messages[-1]


def are_connected(tap: SocketTap) -> bool:
    """Whether a socket has shown that both players are there."""
    scenes = list(tap.scenes.values())
    return bool(scenes) and all(seat["connected"] for seat in scenes[-1]["seats"])


async def ask(tap: SocketTap, text: str) -> dict[str, Any]:
    """Send a text, and return the next message."""
    count = len(tap.messages) + 1
    tap.send_text(text)
    return await wait_for(tap, count)


async def expect_end(tap: SocketTap, code: int, error: str = "") -> None:
    """Wait until the server closes a socket; if it refuses it, the last message says why."""
    await tap.wait(lambda: tap.closed_with != 0)
    assert tap.closed_with == code
    if error:
        assert tap.messages[-1]["error"]["code"] == error


# ---- who may open it


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Authorization": "Basic xyz", "Origin": "https://evil.example"},
    ],
)
async def test_pages_of_other_sites_are_refused(game: Game, headers: dict[str, str]) -> None:
    async with game.socket(game.ann, **headers) as tap:
        await expect_end(tap, REFUSED, "NotAllowed")
        assert len(tap.messages) == 1


async def test_without_an_origin_only_a_program_with_a_token_is_let_in(game: Game) -> None:
    token = (await game.ann.post("/api/me/tokens", {"label": "robot"}))["token"]
    for authorization, error in ((None, "NotAllowed"), ("unknown", "BadCredentials"), (token, "")):
        tap = game.socket(game.ann) if authorization is None else game.socket(Authorization=f"Bearer {authorization}")
        tap.headers = [pair for pair in tap.headers if pair[0] != b"origin"]
        async with tap:
            if error:
                await expect_end(tap, REFUSED, error)
                assert not tap.scenes
            else:
                assert (await wait_for(tap, 1))["scene"]["you"] == [0]


async def test_an_unknown_table_is_refused(game: Game) -> None:
    async with game._replace(table="nowhere").socket(game.ann) as tap:
        await expect_end(tap, REFUSED, "NotFound")


async def test_only_so_many_are_opened(tmp_path: Path) -> None:
    async with open_game(tmp_path, max_streams_per_address=2) as game, AsyncExitStack() as stack:
        held = [await stack.enter_async_context(game.socket(person)) for person in (game.ann, game.bob)]
        async with game.socket(game.eve) as refused:
            await expect_end(refused, REFUSED, "RateLimited")
        assert [tap.closed_with for tap in held] == [0, 0]
        assert len(game.services.streams) == 2
    assert len(game.services.streams) == 0


@pytest.mark.parametrize(("kind", "amount"), [("stream", 3), ("work", 100), ("address_work", 300)])
async def test_whoever_opens_too_many_one_after_another_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, amount: int
) -> None:
    monkeypatch.setitem(DEFAULTS, kind, (amount, 3600))
    async with open_game(tmp_path, limits_factor=1.0) as game:
        opened = 0
        while True:
            async with game.socket(game.eve) as tap:
                if "error" in await wait_for(tap, 1):
                    await expect_end(tap, REFUSED, "RateLimited")
                    break
            opened += 1
    assert 2 < opened <= amount


async def test_a_session_that_is_extended_gets_its_cookie(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    async def extend(*_: object) -> bool:
        return True

    monkeypatch.setattr(Accounts, "_extend", extend)
    async with game.socket(game.ann) as tap:
        await wait_for(tap, 1)
        headers = dict(tap.accepted_with)
    assert headers[b"set-cookie"].startswith(b"realmtable_session=")


# ---- messages and their answers


async def test_a_move_is_answered_together_with_its_change(game: Game) -> None:
    mover, message = await game.next_move()
    other = game.bob if mover is game.ann else game.ann
    async with game.socket(mover) as tap, game.socket(other) as others, game.socket() as visitors:
        for each in (tap, others, visitors):
            await each.wait(lambda each=each: are_connected(each))  # type: ignore[misc]  # bound at once
        before = [each.messages for each in (tap, others, visitors)]
        answer = await tap.ask(message)
        assert set(answer) == {"accepted", "id", "change"}
        assert answer["change"]["step"] == 1
        assert answer["change"]["version"] == message["version"] + 1
        assert "picture" in answer["change"]
        assert len(tap.messages) == len(before[0]) + 1
        for each, earlier in zip((others, visitors), before[1:], strict=True):
            news = await wait_for(each, len(earlier) + 1)
            assert set(news) == {"id", "change"}
            assert news["id"] != earlier[-1]["id"]
        assert {each.scenes[message["version"] + 1]["step"] for each in (tap, others, visitors)} == {1}


async def test_a_move_that_is_refused_changes_nothing(game: Game) -> None:
    mover, message = await game.next_move()
    async with game.socket(mover) as tap:
        await wait_for(tap, 1)
        illegal = await tap.ask({**message, "key": "a", "move": "Zz9"})
        stale = await tap.ask({**message, "key": "b", "version": 1})
        assert [set(answer) for answer in (illegal, stale)] == [{"refused", "error"}] * 2
        assert illegal["refused"] == "a"
        assert (stale["error"]["code"], stale["error"]["version"]) == ("StaleVersion", message["version"])
        assert "accepted" in await tap.ask(message)
        assert [*tap.scenes] == [message["version"], message["version"] + 1]


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ('{"do": "dance", "key": "a"}', "a", '"do" must be one of move, undo'),
        ('{"do": ["move"], "key": "a"}', "a", '"do" must be one of'),
        ('{"key": "a"}', "a", '"do" must be one of'),
        ('{"do": "resign"}', None, 'needs a "key"'),
        ('{"do": "resign", "key": 5}', None, 'needs a "key"'),
        ('{"do": "resign", "key": "a b"}', "a b", "key: "),
        ('{"do": "move", "key": "a", "version": 3}', "a", "move: "),
        ('{"do": "move", "key": "a", "version": "3", "move": "x"}', "a", "version: "),
        ('{"do": "resign", "key": "a", "seat": 1}', "a", "seat: "),
        ('{"do": "chat", "key": "a", "text": "\\u0000"}', None, "NUL"),
        ("not JSON", None, "not valid JSON"),
        ("[]", None, "as a JSON object"),
        ("7", None, "as a JSON object"),
        pytest.param(f'{{"key": [{",".join("1" * 1500)}]}}', None, "too many values", id="long"),
    ],
)
async def test_what_is_no_message_is_refused_and_the_socket_goes_on(
    game: Game, text: str, key: object, said: str
) -> None:
    mover, message = await game.next_move("next")
    async with game.socket(mover) as tap:
        await wait_for(tap, 1)
        answer = await ask(tap, text)
        assert set(answer) == {"refused", "error"}
        assert answer["refused"] == key
        assert said in answer["error"]["message"]
        assert (await tap.ask(message))["change"]["step"] == 1


ODD: list[Any] = [None, True, 1, -1, 1.5, 10**30, "", "x", "\u2028", "\U000e0041", [], ["move"], {}, {"a": 1}]


@pytest.mark.long
async def test_no_value_of_a_field_makes_it_fail(game: Game) -> None:
    mover, message = await game.next_move()
    sample = {**message, "what": "draw", "accept": False, "text": "hello"}
    async with game.socket(mover) as tap:
        await wait_for(tap, 1)
        for do, (model, _) in table_socket.ACTIONS.items():
            usual = {"do": do, **{name: sample[name] for name in model.model_fields}}
            for name, value in itertools.product(usual, ODD):
                answer = await ask(tap, json.dumps({**usual, name: value}))
                assert answer.get("error", {}).get("code") != "Unexpected", (do, name, value)
    assert not tap.closed_with


async def test_whoever_sends_bytes_is_refused(game: Game) -> None:
    async with game.socket(game.ann) as tap:
        await wait_for(tap, 1)
        tap.send_bytes(b"{}")
        await expect_end(tap, REFUSED, "BadInput")


async def test_a_repeated_key_moves_once(game: Game) -> None:
    mover, message = await game.next_move()
    async with game.socket(mover) as tap, game.socket(mover) as again:
        await wait_for(tap, 1)
        await wait_for(again, 1)
        await tap.ask(message)
        assert await ask(tap, json.dumps(message)) == {"accepted": "k1"}
        assert "accepted" in await again.ask(message)  # as after a connection that was lost
        body = {name: value for name, value in message.items() if name != "do"}
        assert await mover.post(f"{game.path}/moves", body) == {"version": message["version"] + 1}
        assert [scene["step"] for scene in again.scenes.values()] == [0, 1]
    assert (await game.eve.get(game.path))["step"] == 1


async def test_everything_that_players_do_at_a_table_can_be_said(game: Game) -> None:
    mover, move = await game.next_move("a")
    other = game.bob if mover is game.ann else game.ann
    async with game.socket(mover) as hers, game.socket(other) as his:
        for tap, message, shown in (
            (hers, move, "step"),
            (hers, {"do": "undo", "key": "b", "version": move["version"] + 1}, "step"),
            (hers, {"do": "chat", "key": "c", "text": "hello"}, "chat"),
            (hers, {"do": "offer", "key": "d", "what": "draw"}, "offer"),
            (his, {"do": "answer", "key": "e", "accept": False}, "offer"),
            (his, {"do": "resign", "key": "f"}, "result"),
        ):
            answer = await tap.ask(message)
            assert answer.get("accepted") == message["key"], answer
            assert shown in answer["change"]
    assert (await game.eve.get(game.path))["status"] == "over"


async def test_without_a_session_one_watches_only(game: Game) -> None:
    _, message = await game.next_move()
    async with game.socket() as nobody, game.socket(game.eve) as eve:
        for tap, error in ((nobody, "BadCredentials"), (eve, "NotSeated")):
            assert (await wait_for(tap, 1))["scene"]["you"] == []
            assert (await tap.ask(message))["error"]["code"] == error
        assert "error" in await nobody.ask({"do": "chat", "key": "c", "text": "hello"})
        assert "accepted" in await eve.ask({"do": "chat", "key": "c", "text": "hello"})
        assert (await wait_for(nobody, 4))["change"].keys() >= {"chat"}
    assert (await game.eve.get(game.path))["step"] == 0


@pytest.mark.parametrize(("kind", "amount"), [("chat", 3), ("work", 100), ("address_work", 300)])
async def test_messages_count_towards_the_limits_of_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, amount: int
) -> None:
    monkeypatch.setitem(DEFAULTS, kind, (amount, 3600))
    async with open_game(tmp_path, limits_factor=1.0) as game, game.socket(game.ann) as tap:
        await wait_for(tap, 1)
        answers: list[dict[str, Any]] = []
        while not any("error" in answer for answer in answers):
            answers.append(await tap.ask({"do": "chat", "key": f"k{len(answers)}", "text": "hello"}))
        assert answers[-1]["error"]["code"] == "RateLimited"
        assert 2 < len(answers) <= 1 + amount
        assert tap.closed_with == 0
        assert (await game.ann.send("POST", f"{game.path}/chat", {"text": "hello"})).status_code == 429


async def test_an_unexpected_failure_is_answered_and_the_socket_goes_on(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    mover, message = await game.next_move()
    async with game.socket(mover) as tap:
        await wait_for(tap, 1)
        with monkeypatch.context() as patched, log_errors_only():
            patched.setattr(actions, "play", fail)
            answer = await tap.ask(message)
        assert (answer["refused"], answer["error"]["code"]) == ("k1", "Unexpected")
        assert "accepted" in await ask(tap, json.dumps(message))


# ---- what it sends, and when it ends


async def test_whoever_comes_back_gets_what_they_lack(game: Game) -> None:
    async with game.socket(game.bob):  # what nobody watches is not kept
        async with game.socket(game.ann) as tap:
            first = await wait_for(tap, 1)
        for steps, lacking in enumerate(([], ["change"], ["scene"])):
            async with game.socket(game.ann, f"?known={first['id']}") as tap:
                first_message = await wait_for(tap, 1)
                assert [first_message[name]["step"] for name in lacking] == [steps] * len(lacking)
                assert lacking or first_message == {}  # the page knows that it is connected
                mover, message = await game.next_move()
                await mover.post(f"{game.path}/moves", {"version": message["version"], "move": message["move"]})
                assert (await wait_for(tap, 2))["change"]["step"] == steps + 1


async def test_it_shows_from_time_to_time_that_it_is_open(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_socket, "ALIVE_EVERY_S", 0.01)
    async with game.socket(game.ann) as tap:
        await tap.wait(lambda: tap.messages[1:3] == [{}, {}])
        assert tap.messages[1:3] == [{}, {}]


async def test_the_page_of_another_player_is_refused(game: Game) -> None:
    me = (await game.ann.get("/api/me"))["player"]["id"]
    for person, is_refused in ((game.ann, False), (game.bob, True), (None, True)):
        async with game.socket(person, f"?me={me}") as tap:
            assert ("error" in await wait_for(tap, 1)) == is_refused
            if is_refused:
                assert tap.messages[0]["error"]["code"] == "BadCredentials"
                await expect_end(tap, REFUSED)


@pytest.mark.parametrize("what", ["sign-out", "password", "seat", "shutdown"])
async def test_it_ends_when_something_about_its_player_or_the_server_changes(game: Game, what: str) -> None:
    if what == "seat":
        table = (await game.ann.post("/api/tables", TWO))["table"]
        game = game._replace(table=table)
    person = game.bob if what == "seat" else game.ann
    async with game.socket(person) as tap, game.socket(game.eve) as eve:
        await wait_for(tap, 1)
        if what == "sign-out":
            await person.send("DELETE", "/api/session")
        elif what == "password":
            await person.join("Ann")
        elif what == "seat":
            await person.post(f"{game.path}/seats")
        else:
            game.services.stop_streams()
        await expect_end(tap, REOPEN)
        assert len(tap.messages) == 1
        assert eve.closed_with == (REOPEN if what == "shutdown" else 0)


async def test_it_ends_when_what_it_shows_cannot_be_made(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise Unavailable("The database is not available.")

    async with game.socket(game.ann) as tap:
        await wait_for(tap, 1)
        mover, message = await game.next_move()
        monkeypatch.setattr(game.services.table_service.scenes, "update", fail)
        await mover.post(f"{game.path}/moves", {"version": message["version"], "move": message["move"]})
        await tap.wait(lambda: tap.closed_with != 0, 5.0)
        assert tap.closed_with != 0


@pytest.mark.parametrize("person", ["ann", "eve"])
async def test_nobody_acts_through_it_after_they_were_signed_out(
    game: Game, person: str, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message that was on its way when the sign-in ended is not handled, and nothing fails."""
    someone: Person = getattr(game, person)
    act = table_socket.TableSocket._act

    async def sign_out_first(socket: table_socket.TableSocket, message: dict[str, Any]) -> None:
        if message["key"] == "a":
            await someone.send("DELETE", "/api/session")
            tap.send_text(json.dumps({"do": "chat", "key": "b", "text": "still here"}))
        await act(socket, message)

    monkeypatch.setattr(table_socket.TableSocket, "_act", sign_out_first)
    logs.configure("json", "warning", lines)
    async with game.socket(someone) as tap:
        await wait_for(tap, 1)
        tap.send_text(json.dumps({"do": "chat", "key": "a", "text": "hello"}))
        await expect_end(tap, REOPEN)
        await tap.wait(lambda: tap.ended)
    assert "still here" not in [line["text"] for line in (await game.bob.get(game.path))["chat"]]
    assert lines.getvalue() == ""


async def test_a_spectator_who_signs_out_stays_no_member(game: Game) -> None:
    async with game.socket(game.eve) as tap:
        await wait_for(tap, 1)
        await game.eve.send("DELETE", "/api/session")
        tap.send_text(json.dumps({"do": "chat", "key": "a", "text": "still here"}))
        await expect_end(tap, REOPEN)
    assert (await game.bob.get(game.path))["chat"] == []


async def test_whoever_gives_their_seat_to_a_bot_is_answered_before_it_ends(game: Game, lines: io.StringIO) -> None:
    """Their page opens the socket again, as that of a spectator."""
    wish = {"game": "fantasy_realms", "seats": ["me", "open", "bot:random"]}
    game = game._replace(table=(await game.ann.post("/api/tables", wish))["table"])
    await game.bob.post(f"{game.path}/seats")
    logs.configure("json", "warning", lines)
    async with game.socket(game.ann) as tap:
        await wait_for(tap, 1)
        assert (await tap.ask({"do": "resign", "key": "a"}))["accepted"] == "a"
        await expect_end(tap, REOPEN)
    assert lines.getvalue() == ""


# ---- over the network


@pytest.mark.long
async def test_it_is_compressed_outlasts_requests_and_takes_no_long_messages(tmp_path: Path) -> None:
    with ServerThread(make_settings(tmp_path, request_limit_s=1.0)) as served:
        async with httpx.AsyncClient(base_url=served.url, timeout=WAIT_S) as client:
            ann = Person(client)
            path = f"/api/tables/{(await ann.post('/api/tables', {**TWO, 'seats': ['me', 'me']}))['table']}"
            url = f"{served.url.replace('http', 'ws', 1)}{path}/socket"
            async with connect(url, origin=Origin(served.url), additional_headers=ann.cookie_header) as socket:
                assert json.loads(await socket.recv())["scene"]["you"] == [0, 1]
                assert socket.response is not None
                assert "permessage-deflate" in socket.response.headers["Sec-WebSocket-Extensions"]
                await asyncio.sleep(1.5)
                scene = await ann.get(path)
                move = {"do": "move", "key": "a", "version": scene["version"], "move": scene["choices"][0]["move"]}
                await socket.send(json.dumps(move))
                answer = json.loads(await socket.recv())
                assert (answer["accepted"], answer["change"]["step"]) == ("a", 1)
                await socket.send("x" * (MAX_MESSAGE + 1))
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
                assert socket.close_code == CloseCode.MESSAGE_TOO_BIG
            async with connect(
                url, origin=Origin("http://evil.example"), additional_headers=ann.cookie_header
            ) as socket:
                assert json.loads(await socket.recv())["error"]["code"] == "NotAllowed"
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
                assert socket.close_code == REFUSED
