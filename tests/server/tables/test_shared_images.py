"""Images for sharing: what they show, how long they are kept, and how much anyone may ask for."""

from __future__ import annotations

import asyncio
import io
from typing import Any
from unittest import mock

import httpx
import pytest
from PIL import Image

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.server.accounts.rate_limits import DEFAULTS, Limits
from realmtable.server.errors import RateLimited, Unavailable
from realmtable.server.fair_queue import Requester
from realmtable.server.images.render import Caption, render_captioned
from realmtable.server.services import Services
from realmtable.server.tables.replays import image_tasks, shared_images
from realmtable.server.tables.replays.image_tasks import MAX_FRAMES, choose_frames, draw_match, draw_run
from realmtable.server.tables.replays.replay_tasks import EncodedGame, EncodedRun, encode_match
from realmtable.server.tables.replays.shared_images import ImageKey
from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio

ANN, BOB = Requester("192.0.2.1", "ann"), Requester("192.0.2.2", "bob")
RECORD = "Game: realm\nWhite: Ann\nBlack: Bob\n\n1. Bh11 / Bh2\n2. Be8 / Be5"
KEY = ImageKey("<svg/>", Caption("Toy"), "square", "light")


async def load_nothing() -> EncodedGame:
    raise AssertionError("not yet")


def read_image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


async def open_finished_table(person: Person) -> str:
    table: str = await person.open_table(seats=["me", "bot:random"])
    await person.post(f"/api/tables/{table}/resign")
    return table


async def get_animation(person: Person, path: str) -> httpx.Response:
    answer = await person.send("GET", path)
    while answer.status_code == 202:
        answer = await person.send("GET", path)
    return answer


# ---- pictures


@pytest.mark.long
@pytest.mark.parametrize(("shape", "size"), [("wide", (1200, 630)), ("square", (1080, 1080))])
async def test_a_moment_is_a_png_of_its_size(ann: Person, shape: str, size: tuple[int, int]) -> None:
    table = await ann.open_table()
    answer = await ann.send("GET", f"/api/tables/{table}/moments/0.png?shape={shape}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/png"
    image = read_image(answer.content)
    assert (image.format, image.size) == ("PNG", size)


@pytest.mark.long
async def test_an_image_of_a_running_game_is_asked_for_again(ann: Person) -> None:
    table = await ann.open_table(seats=["me", "me"])
    first = await ann.send("GET", f"/api/tables/{table}/moments/0.png")
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["x-robots-tag"] == "noindex"
    again = await ann.client.get(
        f"/api/tables/{table}/moments/0.png", headers={"If-None-Match": first.headers["etag"], "Accept": "image/png"}
    )
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == "private, no-cache"


@pytest.mark.long
async def test_an_image_of_a_finished_game_is_cached_but_not_forever(ann: Person) -> None:
    table = await open_finished_table(ann)
    answer = await ann.send("GET", f"/api/tables/{table}/moments/0.png?theme=dark")
    assert answer.headers["cache-control"] == "public, max-age=86400"  # a player may choose another name


async def test_a_step_that_does_not_exist_is_refused_with_a_sentence(ann: Person) -> None:
    table = await ann.open_table(seats=["me", "me"])
    for step in (1, -1, 10**9):
        error = await ann.expect_refusal("GET", f"/api/tables/{table}/moments/{step}.png")
        assert (error["code"], error["message"]) == ("NotFound", "The game has steps 0 to 0.")
    assert (await ann.expect_refusal("GET", "/api/tables/none/moments/0.png"))["code"] == "NotFound"


@pytest.mark.long
async def test_records_and_positions_have_images_too(ann: Person) -> None:
    record = (await ann.post("/api/records", {"text": RECORD}))["record"]
    for path in (f"/api/records/{record}/moments/2.png", "/api/positions/realm.png"):
        answer = await ann.send("GET", path)
        assert read_image(answer.content).size == (1080, 1080)
    for step in (5, -1):
        error = await ann.expect_refusal("GET", f"/api/records/{record}/moments/{step}.png")
        assert error["message"] == "The record has steps 0 to 4."
    assert (await ann.expect_refusal("GET", "/api/positions/realm.png?p=nonsense"))["code"] == "BadPosition"
    assert (await ann.expect_refusal("GET", "/api/positions/none.png"))["code"] == "UnknownGame"


async def test_a_picture_is_made_once(services: Services) -> None:
    images, made = services.shared_images, mock.Mock(return_value=b"picture")
    with mock.patch.object(shared_images, "render_captioned", made):
        both = await asyncio.gather(images.picture(ANN, KEY), images.picture(ANN, KEY))
        assert [*both, await images.picture(ANN, KEY)] == [b"picture"] * 3
    assert made.call_count == 1


@pytest.mark.long
async def test_the_limits_of_one_person_do_not_stop_another(services: Services) -> None:
    images = services.shared_images
    load = mock.AsyncMock(side_effect=RateLimited("Too much.", 60))
    for requester in (ANN, BOB):
        with pytest.raises(RateLimited):
            await images.animation(requester, KEY, load)
    assert load.await_count == 2


async def test_a_picture_is_made_for_the_second_who_asks_if_the_first_is_at_a_limit(services: Services) -> None:
    async def refuse_ann(requester: Requester, *_: object) -> bytes:
        await asyncio.sleep(0)
        if requester == ANN:
            raise RateLimited("Too much.", 60)
        return b"picture"

    images = services.shared_images
    with mock.patch.object(images._pool, "run", refuse_ann):
        ann, bob = await asyncio.gather(*(images.picture(each, KEY) for each in (ANN, BOB)), return_exceptions=True)
    assert isinstance(ann, RateLimited)
    assert bob == b"picture"


@pytest.mark.long
async def test_images_are_limited_per_person(services: Services, ann: Person) -> None:
    await ann.post("/api/me")
    services.limits = services.shared_images._limits = Limits(factor=1 / DEFAULTS["picture"][0])
    services.shared_images._limits._items["address_picture"] = services.limits._items["steps"]
    await services.shared_images.picture(ANN, KEY._replace(content=draw_of("realm")))
    with pytest.raises(RateLimited, match="Too many requests"):
        await services.shared_images.picture(ANN, KEY)


def draw_of(game_id: str) -> str:
    return image_tasks.draw_position(game_id, None).picture


# ---- secrets


def test_an_image_shows_what_a_spectator_may_see() -> None:
    """Two deals that look alike to a spectator have the same image."""
    game = registry.game("fantasy_realms")
    deals = [Match.start(game, game.initial(3), seed=seed) for seed in ("one", "two")]
    hands = [match.view(0)["hand"] for match in deals]
    drawn = [draw_match(match) for match in deals]
    assert hands[0] != hands[1]
    assert drawn[0] == drawn[1]


async def test_players_get_the_same_image_as_spectators(ann: Person, services: Services) -> None:
    opened = await ann.post("/api/tables", {"game": "fantasy_realms", "seats": ["me", "bot:random"]})
    scene = await ann.get(f"/api/tables/{opened['table']}")
    path = f"/api/tables/{opened['table']}/moments/{scene['step']}.png"
    asked: list[ImageKey] = []

    async def note(_: Requester, key: ImageKey) -> bytes:
        asked.append(key)
        return b""

    with mock.patch.object(services.shared_images, "picture", note):
        await ann.send("GET", path)
        await ann.client.get(path, headers={"Cookie": ""})
    table = await services.table_service.table(opened["table"])
    hand = table.game.view(table.match.state, 0)["hand"]
    assert asked[0] == asked[1]
    assert not [card for card in map(str, hand) if f">{card}<" in asked[0].content]


# ---- animations


@pytest.mark.long
async def test_an_animation_has_a_frame_for_the_start_and_each_turn(ann: Person) -> None:
    record = (await ann.post("/api/records", {"text": RECORD}))["record"]
    answer = await get_animation(ann, f"/api/records/{record}/replay.gif")
    image: Any = read_image(answer.content)
    assert (image.format, image.n_frames, image.size) == ("GIF", 5, (540, 540))
    assert answer.headers["cache-control"] == "public, max-age=86400"
    again = await ann.client.get(f"/api/records/{record}/replay.gif", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (304, "public, max-age=86400")


@pytest.mark.long
async def test_only_a_finished_game_is_animated(ann: Person) -> None:
    table = await ann.open_table(seats=["me", "me"])
    error = await ann.expect_refusal("GET", f"/api/tables/{table}/replay.gif")
    assert error["message"] == "The animation is available once the game is over."
    answer = await get_animation(ann, f"/api/tables/{await open_finished_table(ann)}/replay.gif?theme=dark")
    assert answer.headers["content-type"] == "image/gif"


@pytest.mark.long
async def test_an_animation_that_takes_long_is_answered_with_its_progress(
    ann: Person, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = (await ann.post("/api/records", {"text": RECORD}))["record"]
    monkeypatch.setattr(shared_images, "PATIENCE_S", 0.0)
    async with services.shared_images._animating:
        answer = await ann.send("GET", f"/api/records/{record}/replay.gif")
    assert (answer.status_code, answer.json()) == (202, {"made": 0, "frames": 0})
    assert answer.headers["retry-after"] == "1"
    monkeypatch.undo()
    assert (await get_animation(ann, f"/api/records/{record}/replay.gif")).headers["content-type"] == "image/gif"


async def test_few_animations_are_made_at_once(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    images = services.shared_images
    monkeypatch.setattr(shared_images, "MAX_ANIMATIONS", 1)
    monkeypatch.setattr(shared_images, "PATIENCE_S", 0.0)
    async with images._animating:
        await images.animation(ANN, KEY, load_nothing)
        with pytest.raises(Unavailable, match="making other animations"):
            await images.animation(BOB, KEY._replace(content="another"), load_nothing)
        monkeypatch.setattr(shared_images, "MAX_ANIMATIONS_PER_ADDRESS", 1)
        with pytest.raises(RateLimited, match="You have other animations"):
            await images.animation(ANN, KEY._replace(content="another"), load_nothing)


async def test_an_animation_that_fails_says_why(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    images, load = services.shared_images, mock.AsyncMock(side_effect=Unavailable("No."))
    monkeypatch.setattr(shared_images, "FAILURES_KEPT_S", 0.05)
    for _ in range(2):
        with pytest.raises(Unavailable, match=r"No\."):
            await images.animation(ANN, KEY, load)
    assert load.await_count == 1
    await asyncio.sleep(0.1)
    assert images._animations == {}


def test_a_long_game_has_a_limited_number_of_frames() -> None:
    game = registry.game("realm")
    run = EncodedRun("realm", game.encode(game.initial(2)), 0, ("x",))
    encoded = encode_match(Match.start(game, game.initial(2)))._replace(runs=[run] * 500, ends=[*range(1, 501)])
    assert len(choose_frames(encoded)) == MAX_FRAMES
    assert len(choose_frames(encode_match(Match.start(game, game.initial(2))))) == 1


# ---- every game


@pytest.mark.long
@pytest.mark.parametrize("game_id", [info.id for info in registry.infos()])
def test_every_game_has_images(game_id: str) -> None:
    drawn = image_tasks.draw_position(game_id, None)
    image = read_image(render_captioned(drawn.picture, Caption("Title", (), drawn.line), "wide", "dark", 300))
    colours = image.convert("RGB").getcolors(1 << 24)
    assert colours is not None
    assert len(colours) > 100, "nothing was drawn"


def test_a_moment_says_whose_turn_it_is() -> None:
    game = registry.game("realm")
    run = EncodedRun("realm", game.encode(game.initial(2)), 0, ("Bh11",))
    assert draw_run(run).line == "Turn 1 · Black to move"
