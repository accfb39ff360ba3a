"""The security headers of every URL: the intended policies, and no way off the site."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx
import pytest

from realmtable.engine import registry
from realmtable.server.api.responses import SVG_POLICY
from realmtable.server.app import style_hashes
from realmtable.server.request_bounds import list_routes
from realmtable.server.security_headers import content_security_policy, own_path
from realmtable.server.services import Services
from realmtable.server.site.static_files import FILE_POLICY
from realmtable.server.study import openings
from tests.server.support.fake_workers import RECORDS
from tests.server.support.live_server import Person, make_app, make_settings

pytestmark = pytest.mark.anyio

STREAMS = {"/api/lobby/events", "/api/tables/{table_id}/events"}  # which end only with the server
# Named by their content: see tests/server/tables/test_picture_layers.py and test_spectators.py.
KEYED = {"/api/tables/{table_id}/layers/{key}.svg", "/watch/{table_id}/{key}.svg"}
URL = "https://table.example"
PUZZLE = re.compile(r'href="/puzzles/realm/(?!daily)([\w-]+)"')


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def services(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Services]:
    """One server for all tests: it keeps the images and the description of the API, which take seconds to make."""
    app = make_app(make_settings(tmp_path_factory.mktemp("headers"), public_url=URL))
    async with app.router.lifespan_context(app):
        app.state.services.app = app
        yield app.state.services


@pytest.fixture
async def client(services: Services) -> AsyncIterator[httpx.AsyncClient]:
    # As behind a proxy: people come by https, the proxy comes by http and under whatever name.
    transport = httpx.ASGITransport(services.app)  # type: ignore[attr-defined]
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as found:
        yield found


@pytest.fixture(scope="module")
async def addresses(services: Services) -> list[tuple[str, str]]:
    """Every route that is read, with an address of it."""
    transport = httpx.ASGITransport(services.app)  # type: ignore[attr-defined]
    async with httpx.AsyncClient(transport=transport, base_url=URL) as client:
        ann = Person(client)
        table = await ann.open_table(seats=["me", "me"])
        text = (RECORDS / "realm/records/option-power-sacrifice.record").read_text(encoding="utf-8")
        record = (await ann.post("/api/records", {"text": text}))["record"]
        puzzle = PUZZLE.search((await client.get("/puzzles/realm")).text)
        assert puzzle is not None
    values = {
        "game": "realm",
        "table_id": table,
        "record_id": record,
        "puzzle_id": puzzle[1],
        "preset": next(iter(registry.info("realm").presets)),
        "step": "0",
        "number": "1",
        "token": "secret",
        "name": next(iter(openings.board_positions("realm"))),
    }
    routes = [route for route in list_routes(services.app) if "GET" in (route.methods or ())]  # type: ignore[attr-defined]
    paths = {route.path for route in routes} - STREAMS
    return [(path, re.sub(r"{(\w+)(:\w+)?}", lambda found: values.get(found[1], "x"), path)) for path in sorted(paths)]


@pytest.mark.long
async def test_every_address_tells_the_policy_that_is_meant(
    addresses: list[tuple[str, str]], client: httpx.AsyncClient
) -> None:
    pictures = set()
    for path, address in addresses:
        answer = await client.get(address)
        kind = answer.headers.get("content-type", "")
        is_picture = kind.startswith("image/svg+xml") and not path.startswith(("/static", "/favicon"))
        page_policy = FILE_POLICY if path == "/favicon.ico" else content_security_policy(style_hashes())
        expected = {
            "content-security-policy": SVG_POLICY if is_picture else page_policy,
            "referrer-policy": "no-referrer" if path.startswith("/sign-in/") else "same-origin",
            "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
            "strict-transport-security": "max-age=31536000",
        }
        assert {name: answer.headers.get(name) for name in expected} == expected, (path, answer.status_code)
        for name in expected:
            assert len(answer.headers.get_list(name)) == 1, (path, name)
        pictures |= {path} if is_picture else set()
    assert {path for path, _ in addresses if path.endswith(".svg")} - KEYED == pictures


@pytest.mark.long
async def test_no_redirect_leaves_the_site_or_its_scheme(
    addresses: list[tuple[str, str]], client: httpx.AsyncClient
) -> None:
    followed = 0
    for _, address in addresses:
        for asked in (address, f"{address}/", f"{address}/?p=1"):
            answer = await client.get(asked, headers={"Host": "evil.example"})
            location = answer.headers.get("location")
            if location is not None:
                followed += 1
                assert re.match(r"/(?![/\\])", location), (asked, location)
    assert followed > len(registry.infos())
    assert (await client.get("/rules/?a=1")).headers["location"] == "/rules?a=1"


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("http://a/b?c=d", "/b?c=d"),
        ("/b", "/b"),
        ("//evil.example/x", "/x"),
        ("http://a//evil.example", "/evil.example"),
        ("http://a/\\evil.example", "/evil.example"),
        ("", "/"),
    ],
)
def test_an_own_path_names_no_host(address: str, path: str) -> None:
    assert own_path(address) == path


async def test_static_files_lack_only_headers_that_mean_nothing_for_them(client: httpx.AsyncClient) -> None:
    page = await client.get("/")
    script = re.search(r'/static/[^"]*app\.js', page.text)
    assert script is not None
    file = await client.get(script.group())
    missing = await client.get("/static/none/none.js")
    assert (file.status_code, missing.status_code) == (200, 404)
    of_page = {name for name in page.headers if "policy" in name or name.startswith("x-")}
    assert of_page - set(file.headers) == {"permissions-policy", "cross-origin-opener-policy"}
    assert of_page <= set(missing.headers)
