"""Chaos Realms with many players: no card is lost or duplicated, and bots get their turn."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import pytest

from realmtable.engine import registry
from realmtable.engine.bots import plan_steps
from realmtable.engine.record import load_record
from realmtable.games.fantasy_realms.cards import HAND_SIZE
from realmtable.search.baselines import RandomBot
from realmtable.server.accounts.rate_limits import DEFAULTS
from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.live import table_driver
from realmtable.server.tables.live.table_driver import (
    HEAD_START_S,
    MAX_FAILURES,
    SLOWEST_PACE,
    head_start_left,
    pace_factor,
)
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table
from tests.server.support.fake_workers import open_browsers
from tests.server.support.live_server import Person, StreamTap, wait_until
from tests.server.support.table_harness import TableHarness, start_table

CHAOS = ("variant=chaos",)


# ---- seven people

SEATS = 7
ACTIONS = 12  # of each person


async def trade(person: Person, rng: Random, path: str, answers: Counter[int]) -> None:
    """Act as soon as the server answers; now and then take an outdated step, or send one twice as by a double click."""
    earlier = "withdraw King"
    for _ in range(ACTIONS):
        scene = await person.get(path)
        moves = [choice["move"] for choice in scene["choices"] if choice["move"] != "ready"]
        verb = rng.choice(sorted({move.partition(" ")[0] for move in moves}))  # there are far more bids than others
        move = rng.choice([move for move in moves if move.startswith(verb)])
        chosen = earlier if rng.random() < 0.1 else move
        body = {"version": scene["version"], "move": chosen, "key": f"{rng.random()}"}
        sent = [person.send("POST", f"{path}/moves", body) for _ in range(rng.choice([1, 1, 1, 2]))]
        found = await asyncio.gather(*sent)
        assert len({answer.status_code for answer in found}) == 1
        answers[found[0].status_code] += 1
        earlier = move


async def finish(person: Person, rng: Random, path: str, answers: Counter[int]) -> None:
    """Be ready, and choose the Necromancer's card, until the game is over."""
    while (scene := await person.get(path))["status"] == "running":
        moves = [choice["move"] for choice in scene["choices"]]
        wanted = [move for move in moves if move == "ready"] if scene["view"]["phase"] == "trade" else moves
        if wanted:
            body = {"version": scene["version"], "move": rng.choice(wanted), "key": f"{rng.random()}"}
            answers[(await person.send("POST", f"{path}/moves", body)).status_code] += 1
        await asyncio.sleep(0.02)


def shows_end(tap: StreamTap) -> bool:
    return b'"status":"over"' in tap.received


@pytest.mark.long
@pytest.mark.anyio
async def test_seven_people_trade_as_fast_as_they_can_and_no_card_is_lost_or_doubled(services: Services) -> None:
    """What any stream showed is its seat's view of a state of the record, which has the steps that were accepted."""
    app, answers = services.app, Counter[int]()  # type: ignore[attr-defined]  # put there by the fixture
    async with open_browsers(services, SEATS) as people, AsyncExitStack() as stack:
        setup = {"game": "fantasy_realms", "preset": "chaos", "seats": ["me", *["open"] * (SEATS - 1)]}
        path = f"/api/tables/{(await people[0].post('/api/tables', setup))['table']}"
        for seat, person in enumerate(people[1:], 1):
            await person.post(f"{path}/seats", {"seat": seat})
        taps = [StreamTap(app, f"{path}/events", person.cookie_header) for person in people]
        for tap in taps:
            await stack.enter_async_context(tap)
        for act in (trade, finish):
            rngs = [Random(f"{act.__name__} {seat}") for seat in range(SEATS)]  # keys that repeat get the first answer
            await asyncio.gather(*(act(*each, path, answers) for each in zip(people, rngs, strict=True)))
        for tap in taps:
            await tap.wait(partial(shows_end, tap))
        text = (await people[0].client.get(f"{path}/record")).text
    match = load_record(text, registry.game).replay()
    states = [*(entry.before for entry in match.log()), match.state]
    trading = [state for state in states if state.phase == "trade"]
    held = [sorted(card for hand in state.hands for card in hand) for state in trading]
    assert len(set(held[0])) == SEATS * HAND_SIZE
    assert all(cards == held[0] for cards in held)
    assert set(answers) == {200, 409}
    assert sum(entry.seat >= 0 for entry in match.log()) == answers[200]
    for seat, tap in enumerate(taps):
        views = [json.loads(json.dumps(match.game.view(state, seat))) for state in states]
        shown = [scene["view"] for scene in tap.scenes.values() if scene["status"] != "open"]
        assert len(shown) > 10
        place = 0
        for view in shown:
            place = views.index(view, place)  # none is out of order


def test_the_limit_on_moves_lets_a_lively_person_act() -> None:
    most, seconds = DEFAULTS["move"]
    assert most / seconds >= 3


def test_who_is_ready_may_come_back_though_others_have_acted_since_he_looked() -> None:
    """X5: where all act at once, what was decided on an earlier scene holds while it is legal."""
    bench = TableHarness("fantasy_realms", seats=3, options=CHAOS).seat_players()
    looked = bench.act(actions.play, 0, "ready").version
    card = bench.table.match.view(1)["hand"][0]
    bench.act(actions.play, 1, f"offer {card}")
    actions.check_version(bench.table, 0, looked)
    bench.act(actions.play, 0, "active")
    assert not bench.table.match.state.ready[0]


# ---- bots


class OfferingThinker:
    """Thinks for bots: each lays one card on offer and is ready then; whom it was asked for is noted."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.back: dict[int, list[str]] = {}  # what who is ready does once, if he is asked

    async def choose(self, game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:  # noqa: ARG002 - as workers
        self.asked.append(seat)
        view = registry.game(game_id).view(registry.game(game_id).decode(position), seat)
        if view["ready"][seat]:
            return self.back.pop(seat, [])
        mine = [entry["card"] for entry in view["offers"] if entry["seat"] == seat]
        return ["ready"] if mine else [f"offer {view['hand'][0]}"]


async def open_table_with_bots(services: Services, bots: int, seats: int) -> tuple[OfferingThinker, Table]:
    notes: Any = OfferingThinker()
    services.table_driver.move_chooser = notes
    player, _ = await services.accounts.create_guest()
    bot = await services.accounts.bot_player("level5")
    sitters = [Occupant(player.id)] * (seats - bots) + [Occupant(bot.id, "level5")] * bots
    table = await services.table_service.open_table(Setup("fantasy_realms", seats, CHAOS), player, sitters)
    return notes, table


async def wait_for_rest(services: Services, table: Table) -> Table:
    async def is_resting() -> bool:
        return table.id not in services.table_driver.bot_tasks

    assert await wait_until(is_resting)
    return await services.table_service.table(table.id)


@pytest.mark.anyio
async def test_bots_are_asked_in_turn_so_that_all_see_what_the_others_offer(services: Services) -> None:
    notes, table = await open_table_with_bots(services, bots=2, seats=3)
    rested = await wait_for_rest(services, table)
    assert rested.match.state.ready == (False, True, True)
    assert notes.asked[:4] == [1, 2, 1, 2]


@pytest.mark.anyio
async def test_bots_that_are_ready_look_again_once_after_each_change(services: Services) -> None:
    notes, table = await open_table_with_bots(services, bots=2, seats=3)
    before = await wait_for_rest(services, table)
    notes.asked.clear()
    card = before.match.view(0)["hand"][0]
    await services.table_service.act(table.id, lambda now: actions.play(now, 0, f"offer {card}"))
    rested = await wait_for_rest(services, table)
    assert Counter(notes.asked) == {1: 1, 2: 1}
    assert rested.version == before.version + 1


@pytest.mark.anyio
async def test_a_bot_that_is_ready_comes_back_when_it_has_reason_to(services: Services) -> None:
    notes, table = await open_table_with_bots(services, bots=2, seats=3)
    before = await wait_for_rest(services, table)
    notes.back = {2: ["active"]}
    card = before.match.view(0)["hand"][0]
    await services.table_service.act(table.id, lambda now: actions.play(now, 0, f"offer {card}"))
    rested = await wait_for_rest(services, table)
    verbs = [(entry.seat, entry.move.verb) for entry in rested.match.log()[-3:]]
    assert verbs == [(0, "offer"), (2, "active"), (2, "ready")]


def test_a_bot_without_reasons_does_not_come_back() -> None:
    bench = TableHarness("fantasy_realms", seats=3, options=CHAOS).seat_players()
    game, state = bench.table.game, bench.act(actions.play, 0, "ready").match.state
    assert plan_steps(RandomBot(), game, state, 0, Random(1)) == []
    assert len(plan_steps(RandomBot(), game, state, 1, Random(1))) == 1


# ---- the pace of bots


def test_bots_slow_down_while_people_trade_and_hurry_when_time_is_short() -> None:
    bench = TableHarness("fantasy_realms", seats=3, options=CHAOS).seat_players()
    deadline = bench.table.clock_deadline
    assert deadline is not None
    assert pace_factor(bench.table, deadline - 200) == SLOWEST_PACE
    assert 1 < pace_factor(bench.table, deadline - 60) < SLOWEST_PACE
    assert pace_factor(bench.table, deadline - 1) == 1
    for seat in range(2):
        bench.act(actions.play, seat, "ready")
    people = bench.table.seats
    bots = tuple(sitter._replace(bot="level1") for sitter in people if sitter is not None)
    assert pace_factor(replace(bench.table, seats=(*bots[:2], people[2])), deadline - 200) == SLOWEST_PACE
    assert pace_factor(replace(bench.table, seats=(*people[:2], bots[2])), deadline - 200) == 1  # people are ready
    assert pace_factor(start_table().table, 0) == 1


def test_bots_leave_a_person_alone_among_them_time_to_read_until_the_first_step() -> None:
    bench = TableHarness("fantasy_realms", seats=3, options=CHAOS).seat_players()
    began = bench.now
    person, *others = (sitter for sitter in bench.table.seats if sitter is not None)
    with_bots = (person, *(sitter._replace(bot="level1") for sitter in others))
    assert head_start_left(replace(bench.table, seats=with_bots), began) == HEAD_START_S
    assert head_start_left(replace(bench.table, seats=with_bots), began + HEAD_START_S) == 0
    assert head_start_left(bench.table, began) == 0  # other people wait
    assert head_start_left(start_table().table, began) == 0  # no clock
    bench.act(actions.play, 1, "ready")
    assert head_start_left(replace(bench.table, seats=with_bots), began) == HEAD_START_S
    bench.act(actions.play, 0, "ready")
    assert head_start_left(replace(bench.table, seats=with_bots), began) == 0


@pytest.mark.anyio
async def test_bots_begin_once_the_person_has_acted(services: Services) -> None:
    services.table_driver.pace_s = 0.01
    notes, table = await open_table_with_bots(services, bots=2, seats=3)
    await asyncio.sleep(0.1)
    assert notes.asked == []
    await services.table_service.act(table.id, lambda now: actions.play(now, 0, "ready"))

    async def has_asked() -> bool:
        return bool(notes.asked)

    assert await wait_until(has_asked)


@pytest.mark.anyio
async def test_a_bot_that_is_to_move_and_chooses_nothing_does_not_block_the_server(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_driver, "RETRY_S", 0.001)
    chooser = AsyncMock()
    chooser.choose.return_value = []
    services.table_driver.move_chooser = chooser
    player, _ = await services.accounts.create_guest()
    bot = await services.accounts.bot_player("level5")
    sitters = [Occupant(bot.id, "level5"), Occupant(player.id)]
    table = await services.table_service.open_table(Setup("classic_realm", 2), player, sitters)
    await wait_for_rest(services, table)
    assert table.id in services.table_driver.gave_up_at
    assert chooser.choose.await_count == MAX_FAILURES
