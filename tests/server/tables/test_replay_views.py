"""The pages of records and positions: verifiable dice, variations, and limits."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest import mock
from unittest.mock import AsyncMock

import httpx
import pytest

from realmtable.engine import registry
from realmtable.engine.chance import commitment
from realmtable.engine.match import Match
from realmtable.engine.protocol import player_seats
from realmtable.engine.record import Record, load_record
from realmtable.server.errors import NotAllowed, NotFound
from realmtable.server.fair_queue import Requester
from realmtable.server.services import Services
from realmtable.server.sized_cache import SizedCache
from realmtable.server.storage.table_changes import Event
from realmtable.server.tables.events.apply import apply_event
from realmtable.server.tables.lobby import _info
from realmtable.server.tables.replays import replay_cache, replay_views
from realmtable.server.tables.replays.replay_tasks import load_stored_record
from realmtable.server.tables.replays.replay_views import explore, record_replay, table_record
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


TEXT = "Game: realm\n\n1. Bh11 {good} [Bb5] / Bh2"


async def test_a_record_is_read_once_for_all_who_look_at_it(services: Services, ann: Person) -> None:
    cache, read = services.replay_cache, AsyncMock(wraps=services.replay_pool.run_long)
    record = (await ann.post("/api/records", {"text": TEXT}))["record"]
    with mock.patch.object(services.replay_pool, "run_long", read):
        found = await asyncio.gather(*(cache.load_record(record, Requester(f"192.0.2.{n}", None)) for n in range(3)))
        assert [*found, await cache.load_record(record, None)] == [load_stored_record(record, TEXT)] * 4
        assert read.await_count == 1
        both = await asyncio.gather(*(cache.load_record("none", None) for _ in range(2)), return_exceptions=True)
    assert [type(each) for each in both] == [NotFound, NotFound]


@pytest.mark.parametrize("name", ["loaded_records", "encoded_tables"])
async def test_few_games_are_cached_and_fewer_if_they_are_long(services: Services, name: str) -> None:
    cache: SizedCache[int, Any] = getattr(services.replay_cache, name)

    def put_games(count: int, size: int) -> int:
        cache.clear()
        for number in range(count):
            cache.put(number, SimpleNamespace(size=size, game=SimpleNamespace(size=size)))
        return len(cache)

    assert put_games(replay_cache.MAX_GAMES + 1, 1) == replay_cache.MAX_GAMES
    assert put_games(3, replay_cache.MAX_CHARACTERS // 2) == 2
