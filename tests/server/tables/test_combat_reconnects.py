"""Magic Realm's combat on the wire: in each of its states, players can lose the connection and the server can restart.

Combat is kept as the steps so far, some of them secret, so a table that is loaded again must lead to the same question,
the same picture and the same secret plays for everyone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from random import Random
from typing import Any, Final

import httpx
import pytest
from fastapi import FastAPI

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.game import GAME
from realmtable.games.magic_realm.world.world import World
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.tables.scenes.changes import Scene, apply_change, read_scene
from tests.server.support.combat_positions import draw_sunset, play_boldly
from tests.server.support.fake_workers import FakeBots, open_browsers
from tests.server.support.live_server import Person, SocketTap, make_app, wait_until
from tests.server.support.mirrored_fighters import find_kind

SEATS: Final = 3
QUESTIONS: Final = ("quiet", "lure", "charge", "act", "aim", "play", "fatigue", "wounds", "look", "tidy")
WHOLE: Final = "?pictures=true"

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("quiet_logs")]


# ---- positions and tables


@cache
def find_questions() -> dict[str, World]:
    """Return a state of random evenings of three players for each question of combat."""
    found: dict[str, World] = {}
    for seed in range(200):
        rng = Random(f"reconnects {seed}")
        state = play_boldly(draw_sunset(SEATS, rng), rng)
        while state.part == "evening" and len(found) < len(QUESTIONS):
            if is_useful(state):
                found.setdefault(find_kind(state), state)
            state = play_boldly(state, rng)
    assert {*found} == {*QUESTIONS}
    return found


def is_useful(state: World) -> bool:
    """Whether a question is not a play that is nearly complete; some parts of it can be chosen."""
    asked = MACHINE.to_move(state)
    if find_kind(state) != "play":
        return True
    verbs = {step.verb for step in MACHINE.legal_moves(state, asked[0])}
    return len(asked) > 1 and {"evade", "strike"} <= verbs and "back" not in verbs


async def open_table(people: list[Person], state: World, **wishes: Any) -> str:
    """Open a table with a state at which three people play; return its path."""
    body = {"game": "magic_realm", "seats": ["me", "open", "open"], "position": GAME.encode(state), **wishes}
    table: str = (await people[0].post("/api/tables", body))["table"]
    for person in people[1:SEATS]:
        await person.post(f"/api/tables/{table}/seats")
    return f"/api/tables/{table}"


async def play_on(people: list[Person], path: str) -> None:
    """Let everyone who is asked answer once."""
    for seat in (await people[0].get(path))["acting"]:
        scene = await people[seat].get(path)
        move = scene["choices"][-1]["move"]
        after = await people[seat].post(f"{path}/moves", {"version": scene["version"], "move": move})
        assert after["version"] > scene["version"]


async def look(people: list[Person], path: str) -> list[dict[str, Any]]:
    """Return the scenes of the players and of a spectator: pictures and views."""
    return [settle(await person.get(path) | await person.get(path + WHOLE)) for person in people]


PRESENCE = {"connected", "away_since"}


def settle(scene: dict[str, Any]) -> dict[str, Any]:
    """Return a scene without the time and who is connected or away."""
    seats = [{name: value for name, value in seat.items() if name not in PRESENCE} for seat in scene["seats"]]
    return {name: value for name, value in scene.items() if name != "now"} | {"seats": seats}


class Page:
    """What a page knows of a table, over several sockets."""

    def __init__(self, app: FastAPI, person: Person, path: str) -> None:
        self._app, self._person, self._path = app, person, path
        self._scene, self.id = Scene(), ""  # of the latest scene, as it was sent

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[SocketTap]:
        """Open a socket, which goes on from what is known; what it brought is known at its end."""
        async with SocketTap(self._app, f"{self._path}/socket?known={self.id}", self._person.cookie_header) as tap:
            yield tap
            self._scene, self.id = self._apply(tap), tap.messages[-1]["id"]

    def _apply(self, tap: SocketTap) -> Scene:
        scene = self._scene
        for message in tap.messages:
            scene = apply_change({} if "scene" in message else scene, message.get("scene") or message["change"])
        return scene

    async def read_scene(self, tap: SocketTap, version: int) -> Scene:
        """Wait for the scene of a version, the latest."""
        await tap.wait(lambda: self._apply(tap).get("version") == version)
        return settle(read_scene(self._apply(tap)))


def without_view(scene: Mapping[str, Any]) -> Scene:
    """Return a scene as sockets bring it."""
    return {name: value for name, value in scene.items() if name != "view"}


# ---- lost connections


@pytest.mark.long
@pytest.mark.parametrize("kind", QUESTIONS)
async def test_z15_a_player_who_loses_the_connection_misses_nothing(services: Services, kind: str) -> None:
    app: FastAPI = services.app  # type: ignore[attr-defined]  # put there by the fixture
    async with open_browsers(services, SEATS) as people:
        path = await open_table(people, find_questions()[kind])
        scene = (await look(people, path))[1]
        page = Page(app, people[1], path)
        async with page.watch() as tap:
            assert await page.read_scene(tap, scene["version"]) == without_view(scene)
        async with page.watch() as tap:
            await play_on(people, path)
            after = (await look(people, path))[1]
            assert after["version"] > scene["version"]
            assert await page.read_scene(tap, after["version"]) == without_view(after)
        await play_on(people, path)
        async with page.watch() as tap:
            later = (await look(people, path))[1]
            assert await page.read_scene(tap, later["version"]) == without_view(later)  # although they missed it


# ---- restarts


@asynccontextmanager
async def run_server(settings: Settings, earlier: list[Person]) -> AsyncIterator[tuple[FastAPI, list[Person]]]:
    """Run a server; its people have the cookies and tokens of those who used it earlier, if there were any."""
    jars = [person.client.cookies for person in earlier] or [httpx.Cookies() for _ in range(SEATS + 1)]
    app = make_app(settings)
    async with app.router.lifespan_context(app), AsyncExitStack() as stack:
        transport, people = httpx.ASGITransport(app), []  # type: tuple[httpx.ASGITransport, list[Person]]
        for jar in jars:
            client = httpx.AsyncClient(transport=transport, base_url=settings.public_url, cookies=jar)
            people.append(Person(await stack.enter_async_context(client)))
        for person, before in zip(people, earlier, strict=False):
            person.csrf = before.csrf
        yield app, people


@pytest.mark.long
async def test_z15_after_a_restart_combat_goes_on_with_the_same_question(settings: Settings) -> None:
    async with run_server(settings, []) as (app, people):
        paths, ids = {kind: await open_table(people, state) for kind, state in find_questions().items()}, {}
        for kind, path in paths.items():
            await play_on(people, path)
            page = Page(app, people[0], path)
            async with page.watch() as tap:
                await page.read_scene(tap, (await people[0].get(path))["version"])
            ids[kind] = page.id
        before = {kind: await look(people, path) for kind, path in paths.items()}
    async with run_server(settings, people) as (app, people):
        for kind, path in paths.items():
            assert await look(people, path) == before[kind], kind
            page = Page(app, people[0], path)
            page.id = ids[kind]
            async with page.watch() as tap:
                assert await page.read_scene(tap, before[kind][0]["version"]) == without_view(before[kind][0])
                await play_on(people, path)
                after = (await look(people, path))[0]
                assert await page.read_scene(tap, after["version"]) == without_view(after)


@pytest.mark.long
async def test_c7_a_play_that_is_not_finished_survives_a_restart_and_stays_secret(settings: Settings) -> None:
    state = find_questions()["play"]
    seat = MACHINE.to_move(state)[0]
    async with run_server(settings, []) as (_, people):
        path = await open_table(people, state)
        empty = await look(people, path)
        move = next(choice["move"] for choice in empty[seat]["choices"] if choice["move"].startswith("evade"))
        await people[seat].post(f"{path}/moves", {"version": empty[seat]["version"], "move": move})
    async with run_server(settings, people) as (_, people):
        scenes = await look(people, path)
        assert read_plays(scenes[seat], seat) == [move]
        assert "back" in [choice["move"] for choice in scenes[seat]["choices"]]
        for viewer in {*range(SEATS + 1)} - {seat}:
            assert scenes[viewer] == empty[viewer]
            assert read_plays(scenes[viewer], seat) == []


def read_plays(scene: dict[str, Any], seat: Seat) -> list[str]:
    (warrior,) = [each for each in scene["view"]["combat"]["warriors"] if each["seat"] == seat]
    plays: list[str] = warrior["plays"]
    return plays


# ---- players who vanish


@pytest.mark.long
async def test_c7_the_play_of_a_player_without_time_is_completed_in_secret(
    services: Services, clock_ahead: list[float]
) -> None:
    bots = FakeBots(lambda _game, state, seat, _seed: GAME.default_step(state, seat))
    services.table_driver.move_chooser = bots
    state = find_questions()["play"]
    late, *others = MACHINE.to_move(state)
    async with open_browsers(services, SEATS + 1) as people:
        path = await open_table(people, state, clock={"kind": "move", "seconds": 60})
        scene = await people[late].get(path)
        move = next(choice["move"] for choice in scene["choices"] if choice["move"].startswith("evade"))
        await people[late].post(f"{path}/moves", {"version": scene["version"], "move": move})
        await finish_plays([people[seat] for seat in others], path)
        assert (await people[3].get(path))["acting"] == [late]
        clock_ahead[0] = 61
        await services.table_driver.sweep_once(first=False)

        async def is_shown() -> Any:
            scene = await people[3].get(path)
            return scene if scene["view"]["combat"] is None or scene["acting"] != [late] else None

        after = await wait_until(is_shown)
        assert after["status"] == "running"
        assert bots.steps[-1] == "ready"
        news = " ".join(one["words"] for one in after["news"])
        assert "ran out of time; a bot plays on for them." in news
        assert not any(step.startswith(move.split()[0]) for step in bots.steps), "what was chosen stands"


async def finish_plays(people: list[Person], path: str) -> None:
    for person in people:
        while (scene := await person.get(path))["your_turn"]:
            moves = [choice["move"] for choice in scene["choices"]]
            move = "ready" if "ready" in moves else next(move for move in moves if move.startswith("shield"))
            await person.post(f"{path}/moves", {"version": scene["version"], "move": move})
