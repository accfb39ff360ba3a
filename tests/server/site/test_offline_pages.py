"""The site can be installed, and what its service worker stores is the same for everybody."""

from __future__ import annotations

import json
import re
import struct

import httpx
import pytest

from realmtable.engine import registry
from realmtable.server.site import offline_pages, static_files
from tests.server.site.test_pages import fetch_page
from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio

MAX_ICON_BYTES = 15_000
# Nothing of these may ever be stored by the worker.
PERSONAL = ("/api", "/tables", "/account", "/my-games", "/players", "/records", "/sign-in", "/lobby")


def constants(script: str) -> dict[str, object]:
    """The constants that the worker gets from the server."""
    found = re.findall(r"^const (CACHE|FILES|PAGES) = (.*);$", script, re.MULTILINE)
    return {name: json.loads(value) for name, value in found}


async def test_the_worker_is_never_cached_and_covers_the_site(client: httpx.AsyncClient) -> None:
    answer = await client.get("/service-worker.js")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["service-worker-allowed"] == "/"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert not re.search(r"^//", answer.text, re.MULTILINE)


async def test_the_worker_stores_files_and_pages_for_everybody(client: httpx.AsyncClient) -> None:
    found = constants((await client.get("/service-worker.js")).text)
    files, pages = found["FILES"], found["PAGES"]
    assert isinstance(files, list)
    assert isinstance(pages, list)
    assert found["CACHE"] == f"realmtable-{offline_pages.content_digest()}"
    assert {static_files.static_url(name) for name in static_files.files()} == {*files}
    for info in registry.infos():
        assert {f"/rules/{info.id}", f"/learn/{info.id}"} <= {*pages}
    assert "/rules/fantasy_realms/cards" in pages
    assert not [path for path in pages if path.startswith(PERSONAL)]
    texts = [(await client.get(path)).status_code for path in (*files, *pages)]
    assert {*texts} == {200}


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
