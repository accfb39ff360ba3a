"""The engine helps no one in a rated game: not without a cookie, not from another address, not by a detour."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import httpx
import pytest

from realmtable.analysis.game_analysis import can_analyse
from realmtable.engine import registry
from realmtable.server.accounts.addresses import MAX_AGE_S, MAX_PLAYERS_PER_ADDRESS, PUBLISH_EVERY_S, SharedAddresses
from realmtable.server.services import Services
from realmtable.server.storage.fanout import Fanout
from realmtable.server.study import engine_help_rules
from realmtable.server.study.engine_help_rules import are_alike, pieces_of
from tests.analysis.fake_think import think_first_moves
from tests.server.support.fake_workers import use_fake_workers
from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio

GAME = "classic_realm"
PLAYERS = ("198.51.100.1", "198.51.100.2")
ELSEWHERE = "203.0.113.9"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_help_rules, "REFRESH_S", 0.0)


@asynccontextmanager
async def people_at(services: Services, *addresses: str) -> AsyncIterator[list[Person]]:
    """Yield a person at each of these addresses."""
    clients = [
        httpx.AsyncClient(
            transport=httpx.ASGITransport(services.app, client=(address, 1)),  # type: ignore[attr-defined]
            base_url=services.settings.public_url,
        )
        for address in addresses
    ]
    yield [Person(client) for client in clients]
    for client in clients:
        await client.aclose()


async def open_rated_table(ann: Person, bob: Person, turns: int) -> str:
    await ann.join("Ann")
    await bob.join("Bob")
    table = await ann.open_table(bob, game=GAME, rated=True, clock={"kind": "days", "days": 1})
    rng = Random(3)
    while len((scene := await ann.get(f"/api/tables/{table}"))["lines"]) < turns or scene["acting"] != [0]:
        person = (ann, bob)[scene["acting"][0]]
        seen = await person.get(f"/api/tables/{table}")
        move = rng.choice(seen["choices"])["move"]
        await person.post(f"/api/tables/{table}/moves", {"version": seen["version"], "move": move})
    return table


async def position_of(services: Services, table: str) -> str:
    found = await services.table_service.table(table)
    return found.game.encode(found.match.state)


def legal_move_on(position: str) -> str:
    game = registry.game(GAME)
    state = game.decode(position)
    seat = game.to_move(state)[0]
    return game.encode(game.play(state, seat, game.legal_moves(state, seat)[0]))


async def test_leaving_the_cookie_out_does_not_help(services: Services) -> None:
    engine = use_fake_workers(services, think_first_moves)
    async with people_at(services, *PLAYERS, PLAYERS[0], ELSEWHERE) as (ann, bob, nobody, stranger):
        await open_rated_table(ann, bob, 2)
        ask = {"game": GAME}
        assert (await ann.expect_refusal("POST", "/api/think", ask))["message"].startswith("You are playing")
        assert (await nobody.expect_refusal("POST", "/api/think", ask))["message"].startswith("Someone at your address")
        assert not engine.questions
        services.engine_help_rules._by_address = False  # as on a private network
        assert (await nobody.post("/api/think", ask))["lines"]
        assert (await nobody.post("/api/think", {"game": "medieval_realm"}))["lines"]
        assert (await stranger.post("/api/think", ask))["lines"]


@pytest.mark.long
async def test_nobody_anywhere_is_helped_with_the_position_of_a_rated_game(services: Services) -> None:
    engine = use_fake_workers(services, think_first_moves)
    async with people_at(services, *PLAYERS, ELSEWHERE) as (ann, bob, stranger):
        table = await open_rated_table(ann, bob, engine_help_rules.OPENING_TURNS)
        here = await position_of(services, table)
        pieces = here.split(" move=")[0]
        record = (await stranger.send("GET", f"/api/tables/{table}/record")).text
        kept = (await stranger.post("/api/records", {"text": record}))["record"]
        detours: list[tuple[str, dict[str, Any]]] = [
            ("/api/think", {"game": GAME, "position": here}),
            ("/api/think", {"game": GAME, "position": f"{pieces} move=W"}),
            ("/api/think", {"game": GAME, "position": f"{pieces} move=B"}),
            ("/api/think", {"game": GAME, "position": legal_move_on(here)}),
            ("/api/think", {"game": GAME, "position": legal_move_on(legal_move_on(here))}),
            ("/api/tables", {"game": GAME, "seats": ["me", "bot:greedy"], "position": here}),
            ("/api/tables", {"game": GAME, "seats": ["me", "bot:greedy"], "record": record}),
            (f"/api/records/{kept}/analysis", {}),
        ]
        for path, body in detours:
            error = await stranger.expect_refusal("POST", path, body)
            assert error["code"] == "NotAllowed", (path, body)
            assert "A rated game has a similar position" in error["message"]
        assert not engine.questions
        first = registry.game(GAME).encode(registry.game(GAME).initial(2))
        assert (await stranger.post("/api/think", {"game": GAME, "position": first}))["lines"]
        await bob.post(f"/api/tables/{table}/resign")
        assert (await stranger.post("/api/think", {"game": GAME, "position": here}))["lines"]


@pytest.mark.long
async def test_a_copy_of_a_rated_game_gets_no_hints(services: Services) -> None:
    engine = use_fake_workers(services, think_first_moves)
    async with people_at(services, *PLAYERS, ELSEWHERE) as (ann, bob, stranger):
        copy = await stranger.open_table(game=GAME, seats=["me", "me"])
        rated = await open_rated_table(ann, bob, engine_help_rules.OPENING_TURNS)
        assert await stranger.post(f"/api/tables/{copy}/hints")
        asked = len(engine.questions)
        for event in await services.store.events(rated):
            if event.kind == "stepped":
                version = (await stranger.get(f"/api/tables/{copy}"))["version"]
                move = {"version": version, "move": event.data["move"]}
                await stranger.post(f"/api/tables/{copy}/moves", move)
        error = await stranger.expect_refusal("POST", f"/api/tables/{copy}/hints", {})
        assert "A rated game has a similar position" in error["message"]
        assert len(engine.questions) == asked


async def test_openings_are_open_knowledge(services: Services) -> None:
    use_fake_workers(services, think_first_moves)
    async with people_at(services, *PLAYERS, ELSEWHERE) as (ann, bob, stranger):
        table = await open_rated_table(ann, bob, 2)
        here = await position_of(services, table)
        assert (await stranger.post("/api/think", {"game": GAME, "position": here}))["lines"]


@pytest.mark.parametrize("game", [info.id for info in registry.infos() if can_analyse(info) and not info.hidden])
def test_positions_of_every_game_are_compared_by_their_pieces(game: str) -> None:
    """A game that writes its positions in another way would have no pieces to compare.

    Where players have secrets, nobody knows the position of a running game.
    """
    rules = registry.game(game)
    rng = Random(5)
    state = before = rules.initial(2)
    for _ in range(40):
        seats = rules.to_move(state)
        if not seats:
            break
        before = state
        drawn = [outcome.move for outcome in rules.chance(state)]
        state = rules.play(state, seats[0], rng.choice(drawn or rules.legal_moves(state, seats[0])))
    board = pieces_of(rules.encode(before))
    assert len(board) >= 8
    assert are_alike(board, board)
    assert not are_alike(board, pieces_of(rules.encode(rules.initial(2))))


async def test_players_at_a_busy_address_are_published_now_and_then() -> None:
    now = [0.0]
    fanout, published = Fanout(), []
    fanout.listen(lambda _, player_id: published.append(player_id))
    here = SharedAddresses(fanout, lambda: now[0])
    players = [f"p{number}" for number in range(2 * MAX_PLAYERS_PER_ADDRESS)]
    for _ in range(3):
        for player_id in players:
            await here.note("192.0.2.1", player_id)
        assert here.players_at("192.0.2.1") == players[-MAX_PLAYERS_PER_ADDRESS:]
    assert published == players
    now[0] += PUBLISH_EVERY_S + 1
    await here.note("192.0.2.1", "p0")
    assert published == [*players, "p0"]


async def test_who_was_seen_where() -> None:
    now = [0.0]
    fanout = Fanout()
    here, there = SharedAddresses(fanout, lambda: now[0]), SharedAddresses(fanout, lambda: now[0])
    await here.note("192.0.2.1", "ann")
    await here.note("192.0.2.1", "bob")
    await here.note("192.0.2.2", "eve")
    assert here.players_at("192.0.2.1") == there.players_at("192.0.2.1") == ["ann", "bob"]
    assert here.players_at("192.0.2.3") == []
    assert "192.0.2.1" not in repr(vars(here))
    now[0] += MAX_AGE_S - 1
    await here.note("192.0.2.1", "ann")
    now[0] += 2
    assert here.players_at("192.0.2.1") == there.players_at("192.0.2.1") == ["ann"]
    for number in range(2 * MAX_PLAYERS_PER_ADDRESS):
        await here.note("192.0.2.1", f"p{number}")
    assert len(here.players_at("192.0.2.1")) == MAX_PLAYERS_PER_ADDRESS
