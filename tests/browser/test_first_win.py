"""A newcomer learns a game and wins their first game, from the lobby on and by what the pages offer alone.

A greedy bot chooses their moves. It knows what the newcomer's seat may know, and each move is made by clicks or taps.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

import realmtable
from realmtable.engine.bots import Bot, HasBots
from realmtable.engine.protocol import AnyGame
from realmtable.search.baselines import GreedyBot
from tests.browser.conftest import Visitors
from tests.browser.lesson_reader import follow_lesson
from tests.browser.test_pages import check_accessibility, check_width
from tests.browser.visitor import DESKTOP, PHONE, Visitor, click_path
from tests.server.support.live_server import ServerThread

DEVICES = {"phone": PHONE, "desktop": DESKTOP}
GAMES_AT_MOST = 3  # a draw, dice or cards may spoil one
MAX_MOVES = 300
READS_AT_MOST = 300
WON = re.compile("^You (w[io]n|reached your goal and won|fell short of your goal and came 1st)")  # goals are ambitious
YOUR_TURN_OR_OVER = 'body.your-turn, [data-role="ending"]:not([hidden])'


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [info.id for info in realmtable.infos()])
@pytest.mark.parametrize("device", DEVICES)
def test_a_newcomer_follows_the_lesson_and_wins(
    visit: Visitors, served: ServerThread, game_id: str, device: str
) -> None:
    visitor = visit(**DEVICES[device])
    game = realmtable.game(game_id)
    page = visitor.goto("/")
    page.get_by_role("link", name=f"Learn {game.info.title}", exact=True).first.click()
    page.wait_for_url(re.compile(f"/learn/{game_id}$"))
    check_page(visitor)
    follow_lesson(visitor, game_id)
    check_page(visitor)
    visitor.part("play").click()
    page.wait_for_url(re.compile("/tables/"))
    check_page(visitor)
    win(visitor, served, game)
    expect(visitor.part("headline")).to_have_text(WON)
    expect(visitor.part("next-bots")).to_have_text("Try a stronger bot")
    check_page(visitor)


def check_page(visitor: Visitor) -> None:
    check_width(visitor)
    check_accessibility(visitor)


def win(visitor: Visitor, served: ServerThread, game: AnyGame) -> None:
    """Play at the table that is open, and rematches if need be, until the newcomer alone comes first."""
    for _ in range(GAMES_AT_MOST):
        scene = play_to_end(visitor, served, game)
        ranking = scene["result"]["ranking"]
        if ranking[scene["you"][0]] == 1 and ranking.count(1) == 1:
            return
        before = visitor.page.url
        visitor.part("rematch").click()
        expect(visitor.page).not_to_have_url(before)
    raise AssertionError(f"there was no win in {GAMES_AT_MOST} games")


def play_to_end(visitor: Visitor, served: ServerThread, game: AnyGame) -> Any:
    """Play the newcomer's seat at the table that is open; return its last scene."""
    table = visitor.page.url.rsplit("/", 1)[1]
    bot: Bot = game.bot(2) if isinstance(game, HasBots) else GreedyBot(width=3, length=3)
    rng = Random(0)
    for _ in range(MAX_MOVES):
        expect(visitor.page.locator(YOUR_TURN_OR_OVER).first).to_be_attached()
        scene = read_shown_scene(visitor, table)
        if scene["status"] == "over":
            return scene
        seat = scene["you"][0]
        state = game.resample(served.app.state.services.table_service.live[table].table.match.state, seat, rng)
        move = game.format_move(state, bot.choose(game, state, seat, rng))
        for handle in click_path(scene, move):
            choose_handle(visitor, handle)
        visitor.confirm_move(move)
        expect(visitor.part("slider")).not_to_have_attribute("max", str(scene["step"]))
    raise AssertionError("the game does not end")


def choose_handle(visitor: Visitor, handle: str) -> None:
    """Choose a handle as people do on the device: where there is a touchscreen, no pointer rests on the board."""
    if visitor.device.get("has_touch") and visitor.handle(handle).count():
        visitor.tap(handle)
    else:
        visitor.pick(handle)  # two taps in a row on one button would count as a double tap, of which one counts


def read_shown_scene(visitor: Visitor, table: str) -> Any:
    """Return the scene that the page shows; opponents may act while it is read, where all choose at the same time."""
    for _ in range(READS_AT_MOST):
        scene = visitor.scene(table)
        if visitor.part("slider").get_attribute("max") == str(scene["step"]):
            return scene
        visitor.page.wait_for_timeout(100)
    raise AssertionError("the page does not show the latest scene")
