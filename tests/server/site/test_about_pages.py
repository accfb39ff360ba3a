"""What the site says about itself, and what it tells search engines."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.robotparser import RobotFileParser

import httpx
import pytest

from realmtable.engine.errors import BadInput
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from tests.server.site.test_pages import fetch_page

pytestmark = pytest.mark.anyio


async def test_the_pages_name_who_runs_the_site_and_the_terms_of_the_settings(
    services: Services, client: httpx.AsyncClient
) -> None:
    assert "has not published an address" in await fetch_page(client, "/contact")
    services.settings = replace(services.settings, operator="Ada & Co", contact="ada@example.org", guest_days=77)
    for path in ("/privacy", "/terms", "/contact"):
        assert "Ada &amp; Co" in await fetch_page(client, path)
        assert f'href="{path}"' in await fetch_page(client, "/")
    assert 'href="mailto:ada@example.org"' in await fetch_page(client, "/contact")
    assert "removed after 77 days" in await fetch_page(client, "/privacy")
    services.settings = replace(services.settings, guest_days=0)
    assert "records of guests" not in await fetch_page(client, "/privacy")


def test_the_contact_is_an_address_and_serves_push_services_too() -> None:
    assert Settings(contact="ada@example.org").notification_contact == "ada@example.org"
    assert Settings(contact="ada@example.org", push_contact="bob@example.org").notification_contact == "bob@example.org"
    with pytest.raises(BadInput, match="REALMTABLE_CONTACT"):
        Settings(contact="Ada")


async def read_robots(client: httpx.AsyncClient) -> RobotFileParser:
    answer = await client.get("/robots.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    robots = RobotFileParser()
    robots.parse(answer.text.splitlines())
    return robots


async def test_the_sitemap_lists_pages_that_strangers_and_search_engines_may_read(
    services: Services, client: httpx.AsyncClient
) -> None:
    robots, site = await read_robots(client), services.settings.public_url
    assert robots.site_maps() == [f"{site}/sitemap.xml"]
    answer = await client.get("/sitemap.xml")
    assert answer.headers["content-type"] == "application/xml; charset=utf-8"
    paths = re.findall(f"<loc>{site}(/.*?)</loc>", answer.text)
    assert len(paths) == len({*paths}) == answer.text.count("<url>")
    assert {"/", "/privacy", "/rules/realm", "/learn/realm", "/play/realm"} <= {*paths}
    assert [path for path in paths if not robots.can_fetch("Googlebot", path)] == []
    for path in {path.split("/")[1]: path for path in reversed(paths)}.values():  # of each kind the first
        answer = await client.get(path, headers={"accept": "text/html"}, follow_redirects=True)
        assert answer.status_code == 200, path
        assert "set-cookie" not in answer.headers, path


async def test_what_belongs_to_players_is_not_crawled_but_shared_links_have_previews(client: httpx.AsyncClient) -> None:
    robots = await read_robots(client)
    private = ["/tables/x", "/tables/x/replay", "/account", "/my-games", "/settings", "/records/x", "/players/x"]
    private += ["/api/tables/x", "/api/openapi.json", "/positions/realm?p=x", "/analyse/realm", "/lobby/lists"]
    assert [path for path in (*private, "/sign-in/x") if robots.can_fetch("Googlebot", path)] == []
    assert [path for path in private if not robots.can_fetch("Twitterbot", path)] == []
    assert not robots.can_fetch("Twitterbot", "/sign-in/x")
