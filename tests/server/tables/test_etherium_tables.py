"""A table of six seats with chance and nothing hidden: bots, questions out of turn, undo, records and options."""

from __future__ import annotations

import asyncio
from functools import partial
from random import Random
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.errors import BadOptions
from realmtable.engine.protocol import AnyGame
from realmtable.engine.record import load_record
from realmtable.search.baselines import RandomBot
from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.replays.replay_views import table_record
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table
from tests.server.support.fake_workers import FakeBots
from tests.server.support.live_server import WAIT_S

GAME = "realms_of_etherium"
SHORT = ("max_rounds=5", "manifest=game.mages:1")


def pick_randomly(game: AnyGame, state: Any, seat: int, seed: int) -> Any:
    return RandomBot().choose(game, state, seat, Random(seed))


async def play_until_over(services: Services, table: Table) -> Table:
    """Play seat 1 at random whenever the bots wait for it."""
    now, rng = table, Random(1)
    while now.status != "over":
        if 0 in now.acting:
            step = now.game.format_move(now.match.state, rng.choice(now.game.legal_moves(now.match.state, 0)))
            await services.table_service.act(table.id, partial(actions.play, seat=0, text=step))
        await asyncio.sleep(0.002)
        now = await services.table_service.table(table.id)
    return now


@pytest.mark.anyio
async def test_a_person_and_five_random_bots_play_a_whole_game(services: Services) -> None:
    services.table_driver.move_chooser = bots = FakeBots(pick_randomly)
    player, _ = await services.accounts.create_guest()
    bot = await services.accounts.bot_player("random")
    sitters = [Occupant(player.id), *[Occupant(bot.id, "random")] * 5]
    table = await services.table_service.open_table(Setup(GAME, 6, SHORT), player, sitters)
    async with asyncio.timeout(WAIT_S):
        ended = await play_until_over(services, table)
    assert {*bots.asked} == {*range(1, 6)}
    assert ended.result is not None
    assert ended.result.reason == "max_rounds"
    record = load_record(table_record(ended, {}).text(), registry.game)
    assert record.headers["Seats"] == "6"
    assert record.replay().state == ended.match.state


@pytest.mark.parametrize(
    ("manifest", "words"), [("mine.toml", "command line"), ("../mine.toml", "command line"), ("/etc/passwd", "change")]
)
def test_a_table_reads_no_manifest_from_a_file(manifest: str, words: str) -> None:
    with pytest.raises(BadOptions, match=words):
        registry.game(GAME).options(None, manifest=manifest)
