"""Panels, prompts and reasons at a table, with a toy that has them all, and reasons in the games we ship."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from realmtable.server.services import Services
from realmtable.server.tables.scenes.legal_choices import NOT_NEXT, NOTHING_THERE
from tests.server.support.fake_workers import open_browsers
from tests.server.support.live_server import Person

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toys")]


def why_path(table: str, handle: str, *path: str) -> str:
    return f"/api/tables/{table}/why?" + urlencode([("handle", handle), *(("path", name) for name in path)])


async def test_a_scene_has_the_panels_and_the_prompt_of_its_viewer(ann: Person, bob: Person, eve: Person) -> None:
    table = await ann.open_table(bob, game="market_day")
    await ann.play(table, "pack:c")
    await ann.play(table, "walk:B")
    scenes = [await person.get(f"/api/tables/{table}?pictures=true") for person in (ann, bob, eve)]
    road = [scene["panels"][0] for scene in scenes]
    assert road[0] == road[1] == road[2]
    assert 'data-handle="home"' in road[0]["svg"]
    assert "<style>" in scenes[0]["picture"]
    assert "<style>" not in road[0]["svg"]  # the board's applies to the whole page
    assert scenes[0]["panels"][1] == {
        "id": "basket",
        "title": "Basket",
        "badge": "1",
        "svg": "",
        "rows": [{"label": "cheese", "value": "3 points", "handle": "sell:c"}],
        "opens": True,
    }
    assert scenes[1]["panels"][1]["rows"] == [{"label": "Empty", "value": "", "handle": ""}]
    assert [len(scene["panels"]) for scene in scenes] == [2, 2, 1]
    assert [scene["prompt"] for scene in scenes[1:]] == [None, None]
    assert scenes[0]["prompt"] == {
        "title": "Step 3 of 3: Sell",
        "text": "Choose a ware from your basket.",
        "progress": [3, 3],
        "clause": "M3",
        "rules": "/rules/market_day#M3",
    }


async def test_panels_come_with_pictures_and_moments_and_prompts_only_while_a_game_runs(ann: Person) -> None:
    table = await ann.open_table(game="market_day")
    assert (await ann.get(f"/api/tables/{table}"))["prompt"] is None
    assert "panels" not in await ann.get(f"/api/tables/{table}")
    assert [panel["id"] for panel in (await ann.get(f"/api/tables/{table}/moments/0"))["panels"]] == [
        "road",
        "basket",
    ]
    other = await ann.open_table(seats=["me", "me"])
    scene = await ann.get(f"/api/tables/{other}?pictures=true")
    assert scene["panels"] == []
    assert scene["prompt"] == {
        "title": "",
        "text": "Place a Base on a highlighted Center.",
        "progress": None,
        "clause": "",
        "rules": None,
    }


async def test_why_something_cannot_be_chosen(ann: Person, bob: Person, eve: Person) -> None:
    table = await ann.open_table(bob, game="market_day")
    assert await ann.get(why_path(table, "B")) == {
        "sentence": "Pack a ware first.",
        "clause": "M1",
        "rules": "/rules/market_day#M1",
    }
    nothing = {"clause": None, "rules": None}
    assert await ann.get(why_path(table, "nonsense")) == {"sentence": NOTHING_THERE, **nothing}
    assert await ann.get(why_path(table, "nonsense", "A")) == {"sentence": NOT_NEXT, **nothing}
    assert await bob.get(why_path(table, "B")) == {"sentence": "It is Ann's turn.", **nothing}
    assert (await eve.get(why_path(table, "B")))["sentence"].startswith("You are watching this game")
    await ann.post(f"/api/tables/{table}/resign")
    assert await ann.get(why_path(table, "B")) == {"sentence": "The game is over.", **nothing}
    assert (await ann.expect_refusal("GET", why_path("nowhere", "B")))["code"] == "NotFound"


async def test_a_game_without_reasons_gets_a_general_sentence(ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob, game="dice_duel")
    assert (await ann.get(why_path(table, "hold")))["sentence"] == NOTHING_THERE


@pytest.mark.parametrize(
    "query",
    ["", "handle=", f"handle={'x' * 101}", "handle=a&" + "&".join(["path=b"] * 13), f"handle=a&path={'x' * 101}"],
)
async def test_a_question_has_a_limited_size(ann: Person, bob: Person, query: str) -> None:
    table = await ann.open_table(bob, game="classic_realm")
    assert (await ann.expect_refusal("GET", f"/api/tables/{table}/why?{query}"))["code"] == "BadInput"


# A wrong first click and, where a move takes two, a wrong second one.
WRONG_CLICKS: dict[str, list[tuple[str, tuple[str, ...], str]]] = {
    "realm": [("a1", (), "R2")],
    "classic_realm": [("a1", (), "C2"), ("b11", (), "C2"), ("e2", ("b2",), "C3")],
    "medieval_realm": [("a1", (), "M2"), ("b11", (), "M2"), ("e2", ("b2",), "M3")],
    "modern_realm": [("a1", (), "D2"), ("b11", (), "D2"), ("a1", ("b2",), "D4")],
    "oriental_realm": [("a1", (), "O2"), ("b11", (), "O2"), ("c4", ("b2",), "O3")],
}


@pytest.mark.parametrize("game", WRONG_CLICKS)
async def test_a_board_game_names_the_clause(ann: Person, bob: Person, game: str) -> None:
    table = await ann.open_table(bob, game=game)
    for handle, path, clause in WRONG_CLICKS[game]:
        reason = await ann.get(why_path(table, handle, *path))
        assert (handle, path, reason["clause"]) == (handle, path, clause), reason
        assert reason["rules"] == f"/rules/{game}#{clause}"


async def test_a_card_game_names_the_clause(services: Services) -> None:
    async with open_browsers(services, 3) as people:
        table = await people[0].open_table(game="fantasy_realms", seats=["me", "open", "open"])
        for person in people[1:]:
            await person.post(f"/api/tables/{table}/seats")
        scenes = [await person.get(f"/api/tables/{table}") for person in people]
        seat = scenes[0]["acting"][0]
        card = scenes[seat]["view"]["hand"][0]
        assert (await people[seat].get(why_path(table, f"hand:{card}")))["clause"] == "P2"
