"""The page that greets invited people, and what other sites show for a link."""

from __future__ import annotations

import re

import httpx
import pytest

from realmtable.engine import registry
from realmtable.server.site.invitations import greet, linked_summary, qr_code
from tests.server.site.test_pages import fetch_page
from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio

REALM = registry.info("realm")


@pytest.fixture
async def host(ann: Person) -> Person:
    await ann.post("/api/me/name", {"name": "Fleet Linnet"})
    return ann


async def read_page(person: Person, path: str) -> str:
    return await fetch_page(person.client, path)


def tags_of(page: str) -> dict[str, str]:
    """Return the tags that other sites read."""
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+|robots)" content="([^"]*)"', page))


async def test_an_invitation_greets_and_has_one_button(host: Person, bob: Person) -> None:
    table = await host.open_table()
    page = await read_page(bob, f"/tables/{table}")
    assert "Fleet Linnet invites you to Realm" in page
    assert page.count("<button") - page.count('class="icon"') == 1
    assert "How to play" in page
    assert 'href="#R' not in page, "the rules are on another page"
    assert await bob.get("/api/tables/mine") == [], "looking takes no seat"
    assert (await bob.get("/api/me"))["player"] is None, "and makes nobody a guest"
    await bob.post(f"/api/tables/{table}/seats")
    assert "invites you" not in (await read_page(bob, f"/tables/{table}")).partition("<body")[2]


async def test_invited_people_may_watch_instead(host: Person, bob: Person) -> None:
    table = await host.open_table()
    assert 'data-role="seats"' in await read_page(bob, f"/tables/{table}?watch=true")


async def test_the_host_gets_a_link_and_a_code(host: Person) -> None:
    private, listed = await host.open_table(), await host.open_table(listed=True)
    page = await read_page(host, f"/tables/{private}")
    assert "Invite a friend with this link" in page
    assert "QR code" in page
    page = await read_page(host, f"/tables/{listed}")
    assert "Invite a friend with this link" not in page
    assert "Your table is in the lobby" in page


@pytest.mark.long
async def test_other_sites_show_the_board_and_who_invites(host: Person, bob: Person) -> None:
    table = await host.open_table()
    tags = tags_of(await read_page(bob, f"/tables/{table}"))
    assert tags["og:title"] == "Fleet Linnet invites you to Realm"
    assert tags["og:url"] == f"http://testserver/tables/{table}"
    assert tags["twitter:card"] == "summary_large_image"
    image = await bob.client.get(tags["og:image"].replace("&amp;", "&"))
    assert image.headers["content-type"] == "image/png"


async def test_private_tables_stay_out_of_search_engines(host: Person, bob: Person) -> None:
    private, listed = await host.open_table(), await host.open_table(listed=True)
    for path in (f"/tables/{private}", f"/tables/{private}?watch=true", f"/tables/{private}/replay"):
        assert tags_of(await read_page(bob, path))["robots"] == "noindex"
    assert "robots" not in tags_of(await read_page(bob, f"/tables/{listed}"))


async def test_running_games_and_records_are_previewed_too(host: Person, bob: Person) -> None:
    table = await host.open_table(seats=["me", "bot:random"])
    tags = tags_of(await read_page(bob, f"/tables/{table}"))
    assert tags["og:title"].startswith("Realm: ")
    assert "Fleet Linnet" in tags["og:title"]
    record = (await host.post("/api/records", {"text": "Game: realm\nEvent: Final\n\n1. Bh11"}))["record"]
    tags = tags_of(await read_page(bob, f"/records/{record}"))
    assert tags["og:title"] == "Realm: Final"
    assert tags["og:image"].endswith(f"/api/records/{record}/moments/1.png?shape=wide")
    await host.post(f"/api/tables/{table}/resign")
    tags = tags_of(await read_page(bob, f"/tables/{table}"))
    assert " wins. " in tags["og:description"]


async def test_words_of_a_record_cannot_leave_their_tag(host: Person, bob: Person) -> None:
    text = 'Game: realm\nEvent: "><script>alert(1)</script>\n\n1. Bh11'
    record = (await host.post("/api/records", {"text": text}))["record"]
    page = await read_page(bob, f"/records/{record}")
    assert "<script>alert" not in page
    assert tags_of(page)["og:title"] == "Realm: &#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"


async def test_a_challenge_starts_with_a_friend_and_the_position(client: httpx.AsyncClient) -> None:
    page = await fetch_page(client, "/play/realm?against=link&position=W:Bh11")
    assert "Challenge a friend to Realm" in page
    assert re.search(r'value="link" id="against-link" checked', page)
    assert 'value="W:Bh11"' in page
    assert "/api/positions/realm.png?p=W%3ABh11" in page


async def test_without_a_host_the_invitation_names_nobody(host: Person, bob: Person) -> None:
    table = await host.open_table()
    await host.request_json("DELETE", f"/api/tables/{table}/seats")
    assert "You are invited to Realm" in await read_page(bob, f"/tables/{table}")
    assert greet("", REALM) == "You are invited to Realm"


def test_summaries_link_to_the_rules() -> None:
    summary = linked_summary("realm")
    assert summary is not None
    assert 'href="/rules/realm#' in summary.aim


def test_a_code_is_a_picture_without_styles() -> None:
    code = qr_code("https://table.example/tables/abc")
    assert code.startswith("<svg")
    assert "style" not in code
