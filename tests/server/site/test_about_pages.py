"""Pages about the site, the page for a wrong address, and what the service worker stores."""

from __future__ import annotations

import json
import re
import struct
from dataclasses import replace
from typing import Any
from urllib.robotparser import RobotFileParser

import httpx
import pytest

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.site import offline_pages, static_files
from tests.server.site.test_pages import fetch_page
from tests.server.support.live_server import Person

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


async def test_the_page_for_a_wrong_address_shows_who_is_there(ann: Person) -> None:
    await ann.post("/api/tables", {"game": "realm", "seats": ["me", "open"]})  # who does something gets a name
    name = (await ann.get("/api/me"))["player"]["name"]
    for path in ("/nowhere", "/tables/none"):
        answer = await ann.client.get(path, headers={"accept": "text/html"})
        assert answer.status_code == 404
        assert name in answer.text


MAX_ICON_BYTES = 15_000
# Nothing of these may ever be stored by the worker.
PERSONAL = ("/api", "/tables", "/account", "/my-games", "/players", "/records", "/sign-in", "/lobby")


def constants(script: str) -> dict[str, Any]:
    """Return the constants that the server gives to the worker."""
    found = re.findall(r"^const (CACHE|FILES|PAGES) = (.*);$", script, re.MULTILINE)
    return {name: json.loads(value) for name, value in found}


async def test_the_worker_is_never_cached_and_covers_the_site(client: httpx.AsyncClient) -> None:
    answer = await client.get("/service-worker.js")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["service-worker-allowed"] == "/"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert not re.search(r"^//", answer.text, re.MULTILINE)


@pytest.mark.long
async def test_the_worker_stores_files_and_pages_for_everybody(client: httpx.AsyncClient) -> None:
    found = constants((await client.get("/service-worker.js")).text)
    files, pages = found["FILES"], found["PAGES"]
    assert found["CACHE"] == f"realmtable-{offline_pages.content_digest()}"
    assert {static_files.static_url(name) for name in static_files.files()} == {*files}
    for info in registry.infos():
        assert {f"/rules/{info.id}", f"/learn/{info.id}"} <= {*pages}
    assert "/rules/fantasy_realms/cards" in pages
    assert not [path for path in pages if path.startswith(PERSONAL)]
    assert {(await client.get(path)).status_code for path in (*files, *pages)} == {200}


async def test_stored_pages_are_anonymous(ann: Person) -> None:
    await ann.join("Secretive Ada")
    csrf = (await ann.get("/api/me"))["csrf"]
    known = await fetch_page(ann.client, "/rules")
    assert "Secretive Ada" in known
    offline = await fetch_page(ann.client, "/offline")
    ann.client.cookies.clear()
    for text in (offline, await fetch_page(ann.client, "/rules"), await fetch_page(ann.client, "/learn/realm")):
        assert "Secretive Ada" not in text
        assert csrf not in text
        assert '<meta name="csrf" content="">' in text


async def test_the_site_can_be_installed(client: httpx.AsyncClient) -> None:
    html = await fetch_page(client, "/")
    (address,) = re.findall(r'rel="manifest" href="([^"]+)"', html)
    answer = await client.get(address)
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    folder = address.rpartition("/")[0]
    for icon in manifest["icons"]:
        found = await client.get(f"{folder}/{icon['src']}")
        assert found.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            assert "x".join(map(str, png_size(found.content))) == icon["sizes"]
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    (apple,) = re.findall(r'rel="apple-touch-icon" href="([^"]+)"', html)
    assert png_size((await client.get(apple)).content) == (180, 180)


def png_size(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG")
    assert len(data) < MAX_ICON_BYTES
    width, height = struct.unpack(">II", data[16:24])
    return width, height
