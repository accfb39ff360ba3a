"""A fast fake engine for tests of analyses, hints and the analysis board; people, and tables for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from realmtable.analysis.judged_steps import judge_step
from realmtable.engine import registry
from realmtable.engine.protocol import AnyGame, Seat
from realmtable.search.search_result import SearchLimits, SearchResult
from realmtable.server.services import Services
from tests.analysis.fake_think import think_greedily
from tests.server.support.live_server import Person, wait_until

RECORDS = Path(__file__).parents[3] / "src/realmtable/games"
LATE_POSITION = "W:Bh11,Bh5,Pg10,Pi6 B:Bh2,Be5,Pg3,Pd6 move=W"


class FakeWorkers:
    """Replaces the search workers: answers at once, records the questions, and can be made to fail or wait."""

    count = 1

    def __init__(self, think: Callable[..., SearchResult] = think_greedily) -> None:
        self.think = think
        self.questions: list[tuple[Any, ...]] = []
        self.fails: list[Exception] = []
        self.open = asyncio.Event()
        self.open.set()

    async def run(self, run: Callable[..., Any], question: tuple[Any, ...], _limit_s: float) -> Any:
        self.questions.append(question)
        await self.open.wait()
        if self.fails:
            raise self.fails.pop(0)
        if run is judge_step:  # quick enough
            return await asyncio.to_thread(run, *question)
        game_id, position, seconds, lines = question
        game = registry.game(game_id)
        return await asyncio.to_thread(
            self.think, game, game.decode(position), SearchLimits(seconds=seconds), lines=lines
        )


def use_fake_workers(services: Services, think: Callable[..., SearchResult] = think_greedily) -> FakeWorkers:
    """Replace the search workers of a server with fast fakes."""
    stand_in = FakeWorkers(think)
    services.search_queue.workers = stand_in  # type: ignore[assignment]  # implements what tests need of workers
    return stand_in


def pick_first(game: AnyGame, state: Any, seat: Seat, _seed: int) -> Any:
    """Return the first legal step."""
    return game.legal_moves(state, seat)[0]


class FakeBots:
    """Replaces the workers of bots, which do not know the toys: notes who is asked, and picks a step here."""

    def __init__(self, pick: Callable[[AnyGame, Any, Seat, int], Any] = pick_first) -> None:
        self.pick = pick
        self.asked: list[Seat] = []
        self.steps: list[str] = []

    async def choose(self, game_id: str, position: str, seat: Seat, bot: str, seed: int) -> list[str]:  # noqa: ARG002 - as workers
        game = registry.game(game_id)
        state = game.decode(position)
        self.asked.append(seat)
        self.steps.append(game.format_move(state, self.pick(game, state, seat, seed)))
        return self.steps[-1:]


@asynccontextmanager
async def open_browsers(services: Services, count: int) -> AsyncIterator[list[Person]]:
    """Yield people, each with a browser of their own."""
    transport = httpx.ASGITransport(services.app)  # type: ignore[attr-defined]  # put there by the fixture
    clients = [httpx.AsyncClient(transport=transport, base_url=services.settings.public_url) for _ in range(count)]
    yield [Person(client) for client in clients]
    for client in clients:
        await client.aclose()


async def open_late_table(person: Person, other: Person | None = None, **wishes: Any) -> str:
    """Open a table of Realm late in a game, for one person or two, and return its id."""
    if other is None:
        return await person.open_table(seats=["me", "me"], position=LATE_POSITION, **wishes)
    return await person.open_table(other, position=LATE_POSITION, **wishes)


async def open_rated_table(one: Person, two: Person) -> str:
    """Make two people members, open a rated table of Realm for them, and return its id."""
    await one.join("Ann")
    await two.join("Bob")
    return await one.open_table(two, rated=True, clock={"kind": "days", "days": 1})


async def play_and_resign(person: Person, turns: int = 2) -> str:
    """Return a table at which a person has played some turns alone and then resigned."""
    table = await open_late_table(person)
    for _ in range(turns):
        scene = await person.get(f"/api/tables/{table}")
        move = next(choice["move"] for choice in scene["choices"] if choice["move"].startswith("P"))
        await person.play(table, move)
        await person.play(table, "end")
    await person.post(f"/api/tables/{table}/resign")
    return table


async def wait_for_analysis(person: Person, source: str) -> dict[str, Any]:
    """Wait until an analysis is done or has failed, and return the answer."""

    async def fetch_if_settled() -> Any:
        answer = await person.get(f"/api/{source}/analysis")
        return answer if answer["status"] in {"done", "failed"} else None

    found: dict[str, Any] = await wait_until(fetch_if_settled)
    return found
