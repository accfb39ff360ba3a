"""Layers of pictures: named in scenes, sent once, and only to viewers whose view contains them."""

from __future__ import annotations

import gzip
import sys
from typing import Any

import httpx
import pytest

from realmtable.engine.protocol import PictureLayer
from realmtable.server.services import Services
from realmtable.server.sized_cache import SizedCache
from realmtable.server.tables import picture_layers
from realmtable.server.tables.picture_layers import MAX_RECENT, layer_key
from tests.server.support.live_server import Person
from tests.toys import add_games
from tests.toys.hex_map import HexMap

pytestmark = pytest.mark.anyio
NO_KEY = "0" * 32


@pytest.fixture(autouse=True)
def maps(monkeypatch: pytest.MonkeyPatch) -> SizedCache[str, str]:
    add_games(monkeypatch, HexMap(), HexMap(fog=True))
    store: SizedCache[str, str] = SizedCache(1_000_000, len)
    for module in (picture_layers, sys.modules["realmtable.server.tables.live.viewer_scenes"]):
        monkeypatch.setattr(module, "STORE", store)
    return store


async def open_map(person: Person, game: str = "hex_map", seats: tuple[str, ...] = ("me", "me")) -> str:
    table: str = await person.open_table(game=game, seats=list(seats))
    return table


async def play(person: Person, table: str, move: str) -> dict[str, Any]:
    await person.play(table, move)
    return await see(person, table)


async def see(person: Person, table: str) -> dict[str, Any]:
    scene: dict[str, Any] = await person.get(f"/api/tables/{table}?pictures=true")
    return scene


def key_of(scene: dict[str, Any]) -> str:
    key: str = scene["layers"][0]["key"]
    return key


async def fetch(person: Person, table: str, key: str) -> httpx.Response:
    return await person.send("GET", f"/api/tables/{table}/layers/{key}.svg")


@pytest.fixture
def people(services: Services) -> Any:
    transport = httpx.ASGITransport(services.app)  # type: ignore[attr-defined]  # put there by the fixture
    return [Person(httpx.AsyncClient(transport=transport, base_url="http://testserver")) for _ in range(3)]


async def test_a_scene_names_its_layers_and_the_server_sends_them(ann: Person) -> None:
    table = await open_map(ann)
    scene = await see(ann, table)
    assert [layer["name"] for layer in scene["layers"]] == ["land"]
    assert "hm-tile" not in scene["picture"].partition("</style>")[2]
    answer = await fetch(ann, table, key_of(scene))
    assert layer_key(PictureLayer("land", answer.text)) == key_of(scene)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert len(scene["picture"]) < len(answer.text) / 3
    assert "layers" not in await ann.get(f"/api/tables/{table}")


async def test_a_layer_is_compressed_on_request(ann: Person) -> None:
    table = await open_map(ann)
    path = f"/api/tables/{table}/layers/{key_of(await see(ann, table))}.svg"
    async with ann.client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
        raw = b"".join([part async for part in answer.aiter_raw()])
    assert gzip.decompress(raw).startswith(b"<svg")
    plain = await ann.client.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.headers["vary"] == "Accept-Encoding"


async def test_the_page_preloads_the_layers(ann: Person) -> None:
    table = await open_map(ann)
    key = key_of(await see(ann, table))
    page = (await ann.send("GET", f"/tables/{table}")).text
    assert f'<link rel="preload" as="fetch" crossorigin href="/api/tables/{table}/layers/{key}.svg">' in page


async def test_other_keys_are_not_found(ann: Person) -> None:
    table = await open_map(ann)
    for key in (NO_KEY, "f" * 32):
        assert (await ann.expect_refusal("GET", f"/api/tables/{table}/layers/{key}.svg"))["code"] == "NotFound"
    for key in ("x", "0" * 33, "G" * 32):
        assert (await fetch(ann, table, key)).status_code == 422
    assert (await fetch(ann, "nowhere", NO_KEY)).status_code == 404
    realm = await ann.open_table(seats=["me", "me"])
    assert (await see(ann, realm))["layers"] == []
    assert (await fetch(ann, realm, key_of(await see(ann, table)))).status_code == 404


async def test_a_layer_of_an_earlier_scene_stays_available_for_a_while(ann: Person) -> None:
    table = await open_map(ann)
    first = key_of(await see(ann, table))
    after = key_of(await play(ann, table, "A2"))
    assert after != first
    assert (await fetch(ann, table, first)).status_code == 200
    assert (await fetch(ann, table, after)).status_code == 200


async def test_a_server_that_has_not_built_the_scene_draws_the_layer(
    ann: Person, services: Services, maps: SizedCache[str, str]
) -> None:
    """As after a restart, or in another process."""
    table = await open_map(ann)
    first = key_of(await see(ann, table))
    now = key_of(await play(ann, table, "A2"))
    services.table_service.live.clear()
    maps.clear()
    assert (await fetch(ann, table, now)).status_code == 200
    assert (await fetch(ann, table, first)).status_code == 404
    maps.clear()  # evicted, but still current
    assert (await fetch(ann, table, now)).status_code == 200


async def test_a_wrong_key_draws_nothing_twice(
    ann: Person, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await open_map(ann)
    await see(ann, table)
    live = await services.table_service.find(table)
    monkeypatch.setattr(type(live.table.game), "layers", lambda *_: pytest.fail("drawn"))
    assert (await fetch(ann, table, NO_KEY)).status_code == 404


async def test_only_recent_keys_are_remembered(ann: Person, services: Services) -> None:
    table = await open_map(ann)
    await see(ann, table)
    live = await services.table_service.find(table)
    recent = live.recent_layers[0, 1]
    picture_layers.note_recent(recent, [f"{number:032x}" for number in range(2 * MAX_RECENT)])
    assert len(recent) == MAX_RECENT
    assert f"{2 * MAX_RECENT - 1:032x}" in recent


async def test_viewers_who_see_the_same_share_a_layer(people: list[Person], maps: SizedCache[str, str]) -> None:
    ann, _, spectator = people
    table = await open_map(ann)
    assert key_of(await see(ann, table)) == key_of(await see(spectator, table))
    assert len(maps) == 1


# ---- hidden maps


async def test_a_viewer_gets_only_their_own_layers(people: list[Person]) -> None:
    ann, bob, spectator = people
    table = await open_map(ann, "fog_map", ("me", "open"))
    await bob.post(f"/api/tables/{table}/seats")
    await play(ann, table, "A2")
    keys = [key_of(await see(person, table)) for person in people]
    assert keys[0] != keys[1] == keys[2]
    answer = await fetch(ann, table, keys[0])
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    for person in (bob, spectator):
        assert (await fetch(person, table, keys[0])).status_code == 404
        assert (await fetch(person, table, keys[1])).status_code == 200


async def test_a_find_of_another_player_changes_no_layer(people: list[Person]) -> None:
    ann, bob, _ = people
    table = await open_map(ann, "fog_map", ("me", "open"))
    await bob.post(f"/api/tables/{table}/seats")
    before = (await see(bob, table))["layers"]
    await play(ann, table, "A2")
    assert (await see(bob, table))["layers"] == before


async def test_when_the_game_is_over_all_see_the_whole_map(people: list[Person]) -> None:
    ann, _, spectator = people
    body = {"game": "fog_map", "seats": ["me", "me"], "options": {"rounds": 1}}
    table = (await ann.post("/api/tables", body))["table"]
    await play(ann, table, "A2")
    await play(ann, table, "D4")
    assert key_of(await see(ann, table)) == key_of(await see(spectator, table))


# ---- moments


async def test_a_moment_contains_its_layers_unless_they_are_known(ann: Person) -> None:
    table = await open_map(ann)
    first = key_of(await see(ann, table))
    now = key_of(await play(ann, table, "A2"))
    source = f"/api/tables/{table}"
    moment = await ann.get(f"{source}/moments/2")
    assert (moment["layers"][0]["key"], moment["layers"][0]["svg"][:4]) == (now, "<svg")
    known = await ann.get(f"{source}/moments/2?known_layers={now}&known_layers={first}")
    assert known["layers"] == [{"name": "land", "key": now, "svg": None}]
    assert known["picture"] == moment["picture"]
    earlier = await ann.get(f"{source}/moments/0?known_layers={now}")
    assert (earlier["layers"][0]["key"], earlier["layers"][0]["svg"][:4]) == (first, "<svg")
    too_many = "&".join(["known_layers=" + NO_KEY] * 17)
    assert (await ann.send("GET", f"{source}/moments/0?{too_many}")).status_code == 422
    assert (await ann.send("GET", f"{source}/moments/0?known_layers=x")).status_code == 422


async def test_previews_and_lines_have_layers(ann: Person) -> None:
    table = await open_map(ann)
    key = key_of(await see(ann, table))
    preview = await ann.get(f"/api/tables/{table}/preview?move=A2&known_layers={key}")
    assert preview["layers"] == [{"name": "land", "key": key, "svg": None}]
    body = {"game": "hex_map", "moves": ["A2"], "known_layers": [key]}
    line = await ann.post("/api/explore", body)
    assert line["layers"][0]["key"] != key
    assert line["layers"][0]["svg"].startswith("<svg")


async def test_pictures_alone_include_the_layers(ann: Person) -> None:
    table = await open_map(ann)
    picture = (await ann.send("GET", f"/api/tables/{table}/moments/0.svg")).text
    assert 'class="hm-tile hm-fog"' in picture
    assert 'data-handle="A1"' in picture


async def test_a_record_has_layers(ann: Person) -> None:
    table = await open_map(ann)
    await play(ann, table, "A2")
    await ann.post(f"/api/tables/{table}/resign")
    text = (await ann.send("GET", f"/api/tables/{table}/record")).text
    record = (await ann.post("/api/records", {"text": text}))["record"]
    moment = await ann.get(f"/api/records/{record}/moments/1")
    layer = moment["layers"][0]
    assert layer["svg"].startswith("<svg")
    again = await ann.get(f"/api/records/{record}/moments/1?known_layers={layer['key']}")
    assert again["layers"][0]["svg"] is None
