"""The page with one's own games, and the number of games that wait on every page."""

from __future__ import annotations

import re

import pytest

from realmtable.server.site.player_pages import describe_end
from tests.server.notifications.test_turn_notifier import DAYS, play_turn
from tests.server.site.test_pages import fetch_page
from tests.server.support.live_server import Person
from tests.server.support.page_parser import Page

pytestmark = pytest.mark.anyio


def sections(html: str) -> dict[str, str]:
    """Return the sections of the page by their headings."""
    found = re.findall(r"<h2 id=\"section-\d\">([^<]+?) ?<(.*?)</section>", html, re.DOTALL)
    return dict(found)


async def test_what_waits_for_me_comes_first(ann: Person, bob: Person) -> None:
    await ann.join("Ann")
    await bob.join("Fleet Linnet")
    slow, quick, mine, played = [
        await ann.open_table(bob, game="classic_realm", clock=clock)
        for clock in ({"kind": "days", "days": 7}, {"kind": "days", "days": 1}, {"kind": "none"}, DAYS["clock"])
    ]
    await play_turn(ann, played)
    open_seat = await ann.open_table(game="classic_realm")
    bots = await ann.open_table(game="classic_realm", seats=["me", "bot:level1"])
    over = await ann.open_table(game="classic_realm", seats=["me", "me"])
    await ann.post(f"/api/tables/{over}/offers", {"what": "draw"})
    html = await fetch_page(ann.client, "/my-games")
    assert Page(html).find_faults() == []
    found = {title: re.findall(r"href=\"/tables/(\w+)", part) for title, part in sections(html).items()}
    assert list(found) == ["Your turn", "Waiting for others", "Against bots or solo", "Finished"]
    assert found["Your turn"] == [quick, slow, mine]  # the least time first
    assert {*found["Waiting for others"]} == {played, open_seat}
    assert found["Against bots or solo"] == [bots]
    assert found["Finished"] == [over]
    assert "with Fleet Linnet" in html
    assert re.search(r"23 h left.*6 days left", html, re.DOTALL)
    assert "last move <time" in html


async def test_a_finished_game_says_how_it_ended_for_me(ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob, game="classic_realm")
    await ann.post(f"/api/tables/{table}/resign")
    assert "You lost (you resigned)" in await fetch_page(ann.client, "/my-games")
    assert re.search(r"You won: \w+ resigned\.", await fetch_page(bob.client, "/my-games"))


def test_a_game_without_a_result_has_ended() -> None:
    assert describe_end({"result": None, "you": [0]}) == "ended"


async def test_every_page_says_how_many_games_wait(ann: Person, bob: Person) -> None:
    await ann.open_table(bob, game="classic_realm")
    for path in ("/", "/rules", "/account", "/nowhere"):
        html = await fetch_page(ann.client, path, 404 if path == "/nowhere" else 200)
        waits = path != "/nowhere"  # an error page asks nothing of the database
        assert html.count("<title>(1) ") == waits
        assert ('icon_waiting.svg" type' in html) == waits
    assert "<title>(" not in await fetch_page(bob.client, "/")
    lists = (await ann.client.get("/lobby/lists")).text
    assert 'data-waiting="1"' in lists


async def test_a_stranger_has_no_games(ann: Person) -> None:
    html = await fetch_page(ann.client, "/my-games")
    assert "You have no games yet" in html
    assert 'data-role="my-games" href="/my-games" aria-current="page" hidden' in html
    await ann.post("/api/me")
    assert "No one is waiting for you." in await fetch_page(ann.client, "/my-games")
