"""The pages of records and positions: verifiable dice, variations, and limits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import httpx
import pytest

from realmtable.engine import registry
from realmtable.engine.chance import commitment
from realmtable.engine.match import Match
from realmtable.engine.protocol import player_seats
from realmtable.engine.record import Record, load_record
from realmtable.server.errors import NotAllowed, NotFound, RateLimited
from realmtable.server.fair_queue import Requester
from realmtable.server.services import Services
from realmtable.server.storage.table_changes import Event
from realmtable.server.tables.events.apply import apply_event
from realmtable.server.tables.lobby import _info
from realmtable.server.tables.replays import replay_cache, replay_views
from realmtable.server.tables.replays.replay_tasks import LoadedRecord, load_stored_record
from realmtable.server.tables.replays.replay_views import explore, record_replay, table_record
from tests.server.support.few_lookups import FewLookups, make_refused
from tests.server.support.live_server import Person
from tests.server.support.table_harness import START, show, start_table

pytestmark = pytest.mark.anyio


def duel(seed: str = "8") -> Record:
    """A whole game with dice, as its server would tell it at the end."""
    game = registry.game("dice_duel")
    match, rng = Match.start(game, game.initial(2), seed), Random(1)
    while acting := player_seats(game.to_move(match.state)):
        match = match.play(acting[0], rng.choice(game.legal_moves(match.state, acting[0])))
    record = Record.from_match(match)
    record.commitment, record.seed = commitment(seed), seed
    return record


# ---- dice


@pytest.mark.usefixtures("toys")
def test_the_dice_of_a_record_are_checked_against_its_promise() -> None:
    record = duel()
    told = record_replay("r1", record)["fairness"]
    assert told["kept"] is True
    assert (told["commitment"], told["seed"]) == (commitment("8"), "8")
    record.seed = "9"
    told = record_replay("r1", record)["fairness"]
    assert (told["kept"], told["text"]) == (False, "The seed does not match the commitment.")
    assert (told["commitment"], told["seed"]) == (commitment("8"), "9")


@pytest.mark.usefixtures("toys")
def test_where_nothing_was_promised_or_thrown_nothing_is_checked() -> None:
    record = duel()
    record.commitment = None
    assert record_replay("r1", record)["fairness"] is None
    plain = load_record(f"Game: classic_realm\nCommitment: {commitment('8')}\nSeed: 8\n\n", registry.game)
    assert plain.commitment == commitment("8")
    assert record_replay("r1", plain)["fairness"] is None


# ---- who sat there


@pytest.mark.usefixtures("toys")
def test_the_record_of_a_table_says_how_many_sat_there_where_that_is_not_the_usual_number() -> None:
    for seats, told in ((2, None), (3, "3")):
        table = start_table("secret_cards", seats=seats).table
        record = table_record(table, {"Ann": "A", "Bob": "B"})
        assert record.headers.get("Seats") == told
        assert record.headers["Ann"] == "A"


# ---- variations and what is tried out


def test_a_variation_can_be_tried_out_from_where_it_begins() -> None:
    text = "Game: realm\n\n1. Bh11 / Bh2 [1... Be5 2. Be8] 2. Bb8\n"
    record = load_record(text, registry.game)
    lines = record_replay("r1", record)["lines"]
    assert [len(line["variations"]) for line in lines] == [0, 1, 0]
    (variation,) = lines[1]["variations"]
    assert variation["moves"] == ["Be5", "Be8"]
    assert variation["text"] == "Be5 Be8"
    tried = explore("realm", variation["position"], variation["moves"])
    assert tried["step"] == 2
    assert "Be5" in tried["position"]
    assert "Be8" in tried["position"]


def test_a_line_that_is_tried_out_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_views, "MAX_LINE_STEPS", 2)
    assert explore("realm", None, ["Bh11", "Bh2"])["step"] == 2
    with pytest.raises(NotAllowed, match="can have at most 2 steps"):
        explore("realm", None, ["Bh11", "Bh2", "Be5"])


async def test_records_that_nobody_looks_at_are_laid_aside(
    services: Services, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_cache, "MAX_GAMES", 2)
    book = services.replay_cache
    texts = [f"Game: realm\n\n1. {move}\n" for move in ("Bh11", "Be8", "Bb8")]
    first, second, third = [(await ann.post("/api/records", {"text": text}))["record"] for text in texts]
    for record_id in (first, second, first, third):
        await book.load_main_line(record_id, None)
    assert list(book.loaded_records) == [first, third]
    assert (await book.load_main_line(second, None)).turns[0].text == "Be8"


# ---- tables that cannot go on, games that are gone


def test_a_table_that_cannot_go_on_says_so() -> None:
    table = replace(start_table().table, trouble="Its log ends in the middle of a step.")
    shown = show(table, (0,))
    assert shown["headline"] == "This game cannot continue"
    assert shown["sub"] == "Its log ends in the middle of a step."


@pytest.mark.parametrize("skipped", [-1, 0, 2])
def test_events_follow_one_another(skipped: int) -> None:
    table = start_table().table
    event = Event("t1", table.version + skipped, "chat", 0, "p0", {"text": "hello"}, START, None)
    with pytest.raises(ValueError, match="does not follow"):
        apply_event(table, event)


def test_a_game_that_is_no_longer_there_is_not_listed() -> None:
    assert _info("realm") is not None
    assert _info("a_game_of_long_ago") is None


async def test_the_ratings_begin_with_a_game_that_has_some(client: httpx.AsyncClient) -> None:
    answer = await client.get("/ratings")
    assert answer.status_code == 303
    assert answer.headers["location"].removeprefix("/ratings/") in {info.id for info in registry.infos()}
    assert (await client.get(answer.headers["location"])).status_code == 200


ANN, BOB = Requester("192.0.2.1", "ann"), Requester("192.0.2.2", "bob")
TEXT = "Game: realm\n\n1. Bh11 {good} [Bb5] / Bh2"


class FakePool:
    """A fake pool: records what is read, and refuses some requesters."""

    def __init__(self, *refused: Requester) -> None:
        self.refused = refused
        self.read: list[Requester | None] = []

    async def run_long(
        self, requester: Requester | None, _: int, work: Callable[..., LoadedRecord], *question: Any
    ) -> Any:
        await asyncio.sleep(0.05)
        if requester in self.refused:
            raise RateLimited("Too much.", 60)
        self.read.append(requester)
        return work(*question)


@pytest.fixture
async def record(client: httpx.AsyncClient) -> str:
    kept: str = (await Person(client).post("/api/records", {"text": TEXT}))["record"]
    return kept


async def test_all_who_look_at_once_wait_for_one_reading(services: Services, record: str) -> None:
    services.replay_cache.pool = pool = FakePool()  # type: ignore[assignment]
    found = await asyncio.gather(
        *(services.replay_cache.load_record(record, requester) for requester in (ANN, BOB, ANN))
    )
    assert found == [load_stored_record(record, TEXT)] * 3
    await services.replay_cache.load_record(record, BOB)
    assert pool.read == [ANN]
    assert services.replay_cache.loading == {}


async def test_who_comes_second_does_not_pay_for_the_limits_of_the_first(services: Services, record: str) -> None:
    services.replay_cache.pool = pool = FakePool(ANN)  # type: ignore[assignment]
    first, second = await asyncio.gather(
        *(services.replay_cache.load_record(record, requester) for requester in (ANN, BOB)), return_exceptions=True
    )
    assert isinstance(first, RateLimited)
    assert isinstance(second, LoadedRecord)
    assert pool.read == [BOB]


async def test_a_refusal_that_has_just_happened_does_not_keep_others_waiting(services: Services, record: str) -> None:
    services.replay_cache.pool = pool = FakePool()  # type: ignore[assignment]
    services.replay_cache.loading = FewLookups({record: make_refused()})
    assert isinstance(await services.replay_cache.load_record(record, BOB), LoadedRecord)
    assert pool.read == [BOB]
    assert services.replay_cache.loading == {}


async def test_a_record_that_is_not_there_is_told_to_all(services: Services) -> None:
    both = await asyncio.gather(
        *(services.replay_cache.load_record("none", ANN) for _ in range(2)), return_exceptions=True
    )
    assert [type(each) for each in both] == [NotFound, NotFound]


async def test_large_records_leave_first_come_first_gone(
    services: Services, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, book = Person(client), services.replay_cache
    records = [(await person.post("/api/records", {"text": TEXT}))["record"] for _ in range(3)]
    size = (await book.load_record(records[0], None)).size
    monkeypatch.setattr(replay_cache, "MAX_CHARACTERS", 2 * size)
    for record in records:
        await book.load_record(record, None)
    assert list(book.loaded_records) == records[1:]
    monkeypatch.setattr(replay_cache, "MAX_CHARACTERS", 1)
    await book.load_record(records[0], None)
    assert list(book.loaded_records) == records[:1]
