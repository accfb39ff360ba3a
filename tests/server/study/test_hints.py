"""Hints at unrated tables, and the engine's lines on the analysis board."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from realmtable.engine import registry
from realmtable.engine.errors import Refused
from realmtable.engine.protocol import AnyGame, GameInfo, HasPalette
from realmtable.search.bench_signature import play_random_turns
from realmtable.search.search_result import SearchLimits, SearchResult
from realmtable.search.think import think
from realmtable.server.fair_queue import Requester
from realmtable.server.services import Services
from realmtable.server.site import study_pages
from realmtable.server.study.hints import describe_hint
from realmtable.server.workers.search_queue import BOARD
from tests.analysis.fake_think import think_first_moves
from tests.server.support.fake_workers import LATE_POSITION, open_late_table, open_rated_table, use_fake_workers
from tests.server.support.live_server import Person
from tests.server.support.page_parser import Page
from tests.server.support.table_harness import register_toys

pytestmark = pytest.mark.anyio


@pytest.mark.long
async def test_a_hint_is_a_legal_turn_with_a_reason_and_everybody_sees_it_asked(
    services: Services, ann: Person, bob: Person
) -> None:
    use_fake_workers(services)
    table = await open_late_table(ann, bob)
    scene = await ann.get(f"/api/tables/{table}")
    assert "hint" in scene["can"]
    assert "hint" not in (await bob.get(f"/api/tables/{table}"))["can"]
    hint = await ann.post(f"/api/tables/{table}/hints")
    choices = {choice["move"]: choice["path"] for choice in scene["choices"]}
    assert choices[hint["moves"][0]] == hint["paths"][0]
    assert len(hint["moves"]) == len(hint["words"]) == len(hint["paths"])
    assert hint["reason"].startswith("White's winning chances")
    seen = await bob.get(f"/api/tables/{table}")
    assert (seen["version"], seen["news"][-1]["kind"]) == (hint["version"], "hinted")
    assert seen["news"][-1]["words"] == seen["latest"] == "White asks for a hint."
    assert (await ann.get(f"/api/tables/{table}"))["latest"] == scene["latest"] != seen["latest"]
    assert (await ann.post(f"/api/tables/{table}/hints")) == hint  # asked again it is noted once
    await ann.post(f"/api/tables/{table}/moves", {"version": scene["version"], "move": hint["text"]})
    after = await ann.get(f"/api/tables/{table}")
    assert after["step"] > scene["step"]  # the hint did not make the position on the screen outdated


async def test_no_hints_for_others_in_rated_games_or_when_it_is_over(
    services: Services, ann: Person, bob: Person, eve: Person
) -> None:
    engine = use_fake_workers(services)
    table = await open_late_table(ann, bob)
    assert (await bob.expect_refusal("POST", f"/api/tables/{table}/hints", {}))["code"] == "NotYourTurn"
    assert (await eve.expect_refusal("POST", f"/api/tables/{table}/hints", {}))["code"] == "NotSeated"
    rated = await open_rated_table(ann, bob)
    assert "hint" not in (await ann.get(f"/api/tables/{rated}"))["can"]
    assert (await ann.expect_refusal("POST", f"/api/tables/{rated}/hints", {}))["code"] == "NotAllowed"
    await ann.post(f"/api/tables/{rated}/resign")
    await ann.post(f"/api/tables/{table}/resign")
    assert (await ann.expect_refusal("POST", f"/api/tables/{table}/hints", {}))["code"] == "NotRunning"
    assert not engine.questions


async def test_no_hints_where_something_is_hidden(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    register_toys(monkeypatch)
    for game in ("secret_cards", "dice_duel"):
        table = await ann.open_table(game=game, seats=["me", "me"])
        assert "hint" not in (await ann.get(f"/api/tables/{table}"))["can"]
        assert (await ann.expect_refusal("POST", f"/api/tables/{table}/hints", {}))["code"] == "BadInput"


@pytest.mark.long
async def test_a_hint_for_a_position_that_is_gone_is_not_given(services: Services, ann: Person) -> None:
    engine = use_fake_workers(services)
    engine.open.clear()
    table = await open_late_table(ann)
    asking = asyncio.ensure_future(ann.send("POST", f"/api/tables/{table}/hints", {}))
    while not engine.questions:  # noqa: ASYNC110 - set by the request
        await asyncio.sleep(0.01)
    scene = await ann.get(f"/api/tables/{table}")
    await ann.post(f"/api/tables/{table}/moves", {"version": scene["version"], "move": scene["choices"][0]["move"]})
    engine.open.set()
    answer = await asking
    assert answer.json()["error"]["code"] == "StaleVersion"
    news = (await ann.get(f"/api/tables/{table}"))["news"]
    assert all(found["kind"] != "hinted" for found in news)


@pytest.mark.long
async def test_the_board_shows_chances_and_lines_that_can_be_played(services: Services, eve: Person) -> None:
    engine = use_fake_workers(services)
    game = registry.game("realm")
    found = await eve.post("/api/think", {"game": "realm", "position": LATE_POSITION})
    assert found["seat_names"] == ["White", "Black"]
    assert 0 <= found["chance"] <= 1
    assert found["lines"]
    for line in found["lines"]:
        assert 0 <= line["chance"] <= 1
        moves = [move for turn in line["turns"] for move in turn["moves"]]
        await eve.post("/api/explore", {"game": "realm", "position": LATE_POSITION, "moves": moves})
    again = await eve.post("/api/think", {"game": "realm", "position": game.encode(game.decode(LATE_POSITION))})
    assert again == found
    assert len(engine.questions) == 1


@pytest.mark.long
async def test_thoughts_of_an_engine_that_is_not_ready_say_so_and_are_not_kept(
    services: Services, eve: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = use_fake_workers(services)
    monkeypatch.setattr(services.search_queue, "is_warming", lambda game_id: game_id == "realm")
    table = await open_late_table(eve)
    assert (await eve.post(f"/api/tables/{table}/hints"))["warming"]
    for _ in range(2):
        assert (await eve.post("/api/think", {"game": "realm", "position": LATE_POSITION}))["warming"]
    assert len(engine.questions) == 3
    assert not (await eve.post("/api/think", {"game": "classic_realm"}))["warming"]


@pytest.mark.parametrize("seat", [0, 1])
async def test_the_board_tells_the_best_line_first_and_none_that_was_hardly_searched(
    services: Services, eve: Person, seat: int
) -> None:
    game = registry.game("classic_realm")
    assert isinstance(game, HasPalette)
    position = game.with_turn(game.encode(game.initial()), seat)

    def think_doubtfully(game: AnyGame, state: Any, limits: SearchLimits, **wishes: Any) -> SearchResult:
        thought = think_first_moves(game, state, limits, **wishes)
        worth = [(0.5, 500), (0.62, 240), (0.9, 3)]
        pairs = zip(thought.lines, worth, strict=True)
        return replace(
            thought, lines=tuple(replace(line, value=value, visits=visits) for line, (value, visits) in pairs)
        )

    use_fake_workers(services, think_doubtfully)
    found = await eve.post("/api/think", {"game": "classic_realm", "position": position})
    own = [line["chance"] if seat == 0 else 1 - line["chance"] for line in found["lines"]]
    assert own == pytest.approx([0.62, 0.5])
    assert found["chance"] == found["lines"][0]["chance"]


async def test_chances_are_the_first_seat_s_whoever_moves(services: Services, eve: Person) -> None:
    use_fake_workers(services)
    rich = "W:Bh11,Bh5,Bh8,Pg10,Pi6 B:Bh2,Pg3,Pd6 move="
    for seat in "WB":
        assert (await eve.post("/api/think", {"game": "realm", "position": rich + seat}))["chance"] > 0.6


async def test_positions_that_cannot_be_or_are_over_are_refused(services: Services, eve: Person) -> None:
    use_fake_workers(services)
    assert (await eve.expect_refusal("POST", "/api/think", {"game": "nothing"}))["code"] == "UnknownGame"
    bad = await eve.expect_refusal("POST", "/api/think", {"game": "realm", "position": "W:Bh11,Bh11 B: move=W"})
    assert bad == {"code": "BadPosition", "message": "h11 holds two pieces."}
    over = f"{LATE_POSITION} phase=over end=agreement"
    assert (await eve.expect_refusal("POST", "/api/think", {"game": "realm", "position": over}))["code"] == "GameOver"


# ---- who comes first


async def test_nothing_is_thought_for_somebody_who_is_gone(services: Services) -> None:
    engine = use_fake_workers(services)
    game = registry.game("realm")

    async def is_gone() -> bool:
        return True

    with pytest.raises(Refused):
        await services.search_queue.think(
            game, game.decode(LATE_POSITION), urgency=BOARD, requester=Requester("a", "eve"), gone=is_gone
        )
    assert not engine.questions
    assert services.search_queue.queue.free == 1


@pytest.mark.slow
async def test_real_thoughts_come_from_a_process_of_their_own(eve: Person) -> None:
    for game in ("realm", "medieval_realm"):
        found = await eve.post("/api/think", {"game": game})
        assert found["nodes"] >= 1
        moves = found["lines"][0]["turns"][0]["moves"]
        await eve.post("/api/explore", {"game": game, "moves": moves})


def test_a_hint_for_several_seats_ends_where_chance_or_others_act() -> None:
    game = registry.game("realms_of_etherium")
    state = play_random_turns(game, 12)
    seat = game.to_move(state)[0]
    hint = describe_hint(game, state, seat, think(game, state, SearchLimits(nodes=4), lines=2))
    assert hint["moves"][0] in [game.format_move(state, move) for move in game.legal_moves(state, seat)]
    assert len(hint["moves"]) == len(hint["words"]) == len(hint["paths"])
    assert hint["reason"].startswith(f"{game.info.seat_names[seat]}'s winning chances")


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
    late = {"game": "realm", "position": LATE_POSITION}
    for change in ({"handle": "nowhere", "piece": "WB@"}, {"handle": "e8", "piece": "Q"}):
        assert (await eve.expect_refusal("POST", EDITS, late | change))["code"] == "BadPosition"
    border = await eve.expect_refusal("POST", EDITS, late | {"handle": "a1", "piece": "WB@"})
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


@pytest.mark.long
async def test_rules_and_replays_lead_to_the_board(client: httpx.AsyncClient) -> None:
    answer = await client.get("/analyse")
    assert (answer.status_code, answer.headers["location"]) == (303, "/analyse/realm")
    assert 'href="/analyse/realm"' in (await client.get("/rules/realm")).text
    assert "Analyse from here" in (await client.get(f"/positions/realm?p={quote(LATE_POSITION)}")).text
