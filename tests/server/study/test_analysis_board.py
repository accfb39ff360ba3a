"""The analysis board: its page, and setting up positions."""

from __future__ import annotations

from urllib.parse import quote

import httpx
import pytest

from realmtable.engine import registry
from realmtable.engine.protocol import GameInfo
from realmtable.server.site import study_pages
from tests.server.support.fake_workers import LATE_POSITION
from tests.server.support.live_server import Person
from tests.server.support.page_parser import Page
from tests.server.support.table_harness import register_toys

pytestmark = pytest.mark.anyio
EDITS = "/api/positions/edits"


async def test_pieces_are_put_and_taken_away(eve: Person) -> None:
    empty = await eve.post(EDITS, {"game": "realm", "clear": True})
    assert empty["position"] == "W: B: move=W"
    frogs = await eve.post(EDITS, {"game": "classic_realm", "handle": "b2"})
    assert frogs["fault"] == "White has 7 frogs on pads and in the water; there must be 8."
    assert 'aria-label="b2, lily pad, vacant' in frogs["picture"]
    placed = await eve.post(EDITS, {"game": "realm", "position": LATE_POSITION, "handle": "e8", "piece": "BB@"})
    assert placed["fault"] is None
    assert "Be8" in placed["position"]
    assert 'aria-label="e8, Center, Black Base' in placed["picture"]
    away = await eve.post(EDITS, {"game": "realm", "position": placed["position"], "handle": "e8"})
    assert registry.game("realm").decode(away["position"]) == registry.game("realm").decode(LATE_POSITION)
    turned = await eve.post(EDITS, {"game": "realm", "position": LATE_POSITION, "seat": 1})
    assert turned["position"].endswith("move=B")


async def test_what_cannot_be_drawn_is_refused(eve: Person) -> None:
    for change in ({"handle": "nowhere", "piece": "WB@"}, {"handle": "e8", "piece": "Q"}):
        assert (await eve.expect_refusal("POST", EDITS, {"game": "realm", "position": LATE_POSITION, **change}))[
            "code"
        ] == "BadPosition"
    border = await eve.expect_refusal(
        "POST", EDITS, {"game": "realm", "position": LATE_POSITION, "handle": "a1", "piece": "WB@"}
    )
    assert border["message"] == "Ba1 is not possible: Bases go on Centers, other pieces on Border spaces."


async def test_games_without_a_palette_say_so(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    register_toys(monkeypatch)
    refusal = await Person(client).expect_refusal("POST", EDITS, {"game": "dice_duel", "clear": True})
    assert refusal["message"] == "Positions of Dice Duel cannot be set up piece by piece; paste one instead."
    assert study_pages.piece_icons("dice_duel") == []
    answer = await client.get("/analyse/dice_duel", headers={"Accept": "text/html"})
    assert answer.status_code == 404


@pytest.mark.parametrize("info", study_pages.games_with_board(), ids=lambda info: info.id)
async def test_every_board_game_has_a_board_with_all_its_pieces(client: httpx.AsyncClient, info: GameInfo) -> None:
    answer = await client.get(f"/analyse/{info.id}")
    assert answer.status_code == 200
    icons = study_pages.piece_icons(info.id)
    assert len(icons) >= 4
    assert all("<path" in icon.picture or "<circle" in icon.picture for icon in icons)
    assert len({str(icon.picture) for icon in icons}) == len(icons)
    for icon in icons:
        assert f'data-piece="{icon.token}"' in answer.text


async def test_the_page_opens_with_the_position_of_its_address(client: httpx.AsyncClient) -> None:
    answer = await client.get(f"/analyse/realm?p={quote(LATE_POSITION)}")
    assert 'aria-label="h11, Center, White Base' in answer.text
    assert Page(answer.text).find_faults() == []


async def test_a_bad_position_in_the_address_is_told_on_the_page(client: httpx.AsyncClient) -> None:
    answer = await client.get("/analyse/realm?p=W:Bh11,Bh11")
    assert answer.status_code == 200
    assert "h11 holds two pieces." in answer.text
    assert 'value="W:Bh11,Bh11"' in answer.text


async def test_the_first_board_is_realm_s(client: httpx.AsyncClient) -> None:
    answer = await client.get("/analyse")
    assert (answer.status_code, answer.headers["location"]) == (303, "/analyse/realm")


async def test_rules_and_replays_lead_to_the_board(client: httpx.AsyncClient) -> None:
    assert 'href="/analyse/realm"' in (await client.get("/rules/realm")).text
    assert "Analyse from here" in (await client.get(f"/positions/realm?p={quote(LATE_POSITION)}")).text
