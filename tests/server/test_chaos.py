"""Chaos Realms with many at once on a real server: no card is lost or doubled, and bots have their turn."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.chaos_play import Party
from realmtable.engine import registry
from realmtable.search.baselines import RandomBot, planned
from realmtable.server.accounts.rate_limits import DEFAULTS
from realmtable.server.services import Realm
from realmtable.server.tables import actions
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Sitter, Table
from tests.server.serving import Served, settings_for, until
from tests.server.tabling import Bench

CHAOS = ("variant=chaos",)


# ---- seven people


async def traded(port: int, seconds: float) -> Party:
    party = Party(port, Random("seven"))
    try:
        await party.open()
        await party.trade(seconds, rate=None)
        await party.finish()
    finally:
        party.close()
    return party


def test_seven_people_trade_as_fast_as_they_can_and_no_card_is_lost_or_doubled(tmp_path: Path) -> None:
    with Served(settings_for(tmp_path)) as server:
        party = asyncio.run(traded(server.port, 3.0))
    assert party.faults == {}
    assert party.taken > 20
    assert party.ledger.joined > 5
    assert party.ledger.compared > 50
    assert len(party.ledger.dealt) == 49
    assert any(refused.startswith("409") for refused in party.refused)
    assert party.delays_s()


def test_the_limit_on_moves_lets_a_lively_person_act() -> None:
    most, seconds = DEFAULTS["move"]
    assert most / seconds >= 3


def test_who_is_ready_may_come_back_though_others_have_acted_since_he_looked() -> None:
    """X5: where all act at once, what was decided on an earlier scene holds while it is legal."""
    bench = Bench("fantasy_realms", seats=3, options=CHAOS).begin()
    looked = bench.do(actions.play, 0, "ready").version
    card = bench.table.match.view(1)["hand"][0]
    bench.do(actions.play, 1, f"offer {card}")
    actions.check_version(bench.table, 0, looked)
    bench.do(actions.play, 0, "active")
    assert not bench.table.match.state.ready[0]


# ---- bots


class Notes:
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


async def opened(realm: Realm, bots: int, seats: int) -> tuple[Notes, Table]:
    notes: Any = Notes()
    realm.keeper.thinker = notes
    player, _ = await realm.accounts.guest()
    bot = await realm.accounts.bot_player("level5")
    sitters = [Sitter(player.id)] * (seats - bots) + [Sitter(bot.id, "level5")] * bots
    table = await realm.house.open_table(Setup("fantasy_realms", seats, CHAOS), player, sitters)
    return notes, table


async def at_rest(realm: Realm, table: Table) -> Table:
    async def resting() -> bool:
        return table.id not in realm.keeper.thinking

    assert await until(resting)
    return await realm.house.table(table.id)


@pytest.mark.anyio
async def test_bots_are_asked_in_turn_so_that_all_see_what_the_others_offer(realm: Realm) -> None:
    notes, table = await opened(realm, bots=2, seats=3)
    rested = await at_rest(realm, table)
    assert rested.match.state.ready == (False, True, True)
    assert notes.asked[:4] == [1, 2, 1, 2]


@pytest.mark.anyio
async def test_bots_that_are_ready_look_again_once_after_each_change(realm: Realm) -> None:
    notes, table = await opened(realm, bots=2, seats=3)
    before = await at_rest(realm, table)
    notes.asked.clear()
    card = before.match.view(0)["hand"][0]
    await realm.house.act(table.id, lambda now: actions.play(now, 0, f"offer {card}"))
    rested = await at_rest(realm, table)
    assert Counter(notes.asked) == {1: 1, 2: 1}
    assert rested.version == before.version + 1


@pytest.mark.anyio
async def test_a_bot_that_is_ready_comes_back_when_it_has_reason_to(realm: Realm) -> None:
    notes, table = await opened(realm, bots=2, seats=3)
    before = await at_rest(realm, table)
    notes.back = {2: ["active"]}
    card = before.match.view(0)["hand"][0]
    await realm.house.act(table.id, lambda now: actions.play(now, 0, f"offer {card}"))
    rested = await at_rest(realm, table)
    verbs = [(entry.seat, entry.move.verb) for entry in rested.match.log()[-3:]]
    assert verbs == [(0, "offer"), (2, "active"), (2, "ready")]


def test_a_bot_without_reasons_does_not_come_back() -> None:
    bench = Bench("fantasy_realms", seats=3, options=CHAOS).begin()
    game, state = bench.table.game, bench.do(actions.play, 0, "ready").match.state
    assert planned(RandomBot(), game, state, 0, Random(1)) == []
    assert len(planned(RandomBot(), game, state, 1, Random(1))) == 1
