"""A bot at a table is given only what its seat may know, never the true state."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import Seat
from realmtable.server.services import Services
from realmtable.server.site import game_pictures
from realmtable.server.tables.live.live_table import Viewer
from realmtable.server.workers import bot_workers
from tests.server.support.live_server import Person, wait_until
from tests.toys import add_games
from tests.toys.spy_bot import SpyBot, WatchedCards, assert_saw_no_secret

pytestmark = pytest.mark.anyio


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> WatchedCards:
    game = WatchedCards()
    add_games(monkeypatch, game)
    return game


class LocalThinker:
    """Does a worker's task in this process, where the watched game and the spy are at hand."""

    async def choose(self, game_id: str, position: str, seat: Seat, bot: str, seed: int) -> list[str]:
        assert (game_id, bot) == ("secret_cards", "random")
        return bot_workers.choose_moves(game_id, position, seat, bot, seed)


async def test_a_bot_at_a_table_is_given_resampled_states(
    services: Services, ann: Person, cards: WatchedCards, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = SpyBot()
    monkeypatch.setattr(bot_workers, "bot_named", lambda _: spy)
    services.table_driver.move_chooser = LocalThinker()
    body = {"game": "secret_cards", "seats": ["bot:random", "bot:random", "bot:random"]}
    table = (await ann.post("/api/tables", body))["table"]

    async def is_over() -> bool:
        scene = await ann.get(f"/api/tables/{table}")
        return bool(scene["status"] == "over")

    live = await services.table_service.find(table)
    with services.table_service.presence.watch(live, Viewer((), None)):  # bots rest while nobody watches
        await wait_until(is_over)
    assert {seat for seat, _ in spy.given} == {0, 1, 2}
    assert_saw_no_secret(spy, cards)


async def test_the_bots_of_a_made_up_game_are_given_resampled_states(
    cards: WatchedCards, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = SpyBot()
    monkeypatch.setattr(game_pictures, "RandomBot", lambda: spy)
    game_pictures._play_random_match(cards, cards.initial(2), game_pictures.RANDOM_STEPS)
    assert_saw_no_secret(spy, cards)
