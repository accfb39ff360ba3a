"""Scoring hands over HTTP and on the page: complete without scripts, and never on the event loop."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from realmtable.engine.errors import BadInput
from realmtable.server.security_headers import style_hash
from realmtable.server.services import Services
from realmtable.server.study import battle_chances, hand_scores
from realmtable.server.workers.search_queue import SearchQueue
from tests.server.site.test_pages import HTML, fetch_page
from tests.server.support.live_server import Person
from tests.server.support.page_parser import Page

pytestmark = pytest.mark.anyio

STORM = ["Whirlwind", "Mirage", "Blizzard"]
PAGE = "/score/fantasy_realms"
DOCUMENT = (Path(__file__).resolve().parents[3] / "docs/play/fantasy-scoring.md").read_text(encoding="utf-8")
NINE = ["King", "Queen", "Princess", "Warlord", "Empress", "Smoke", "Forest", "Island", "Candle"]
HEAVY = ["Doppelgänger", "Mirage", "Shapeshifter", "Book of Changes", "King"]


def body(hand: Any = STORM, **others: Any) -> dict[str, Any]:
    return {"game": "fantasy_realms", "hand": hand, **others}


def find_pressed(text: str) -> set[str]:
    return {tile["value"] for tile in Page(text).all("button") if tile.get("aria-pressed") == "true"}


# ---- for programs


async def test_a_hand_is_scored_with_reasons_and_choices(ann: Person) -> None:
    found = await ann.post("/api/score", body())
    assert (found["total"], found["best"]) == (83, 83)
    assert found["cards"][0]["sentence"].startswith("Strength 13; +40 with Mirage")
    assert found["choices"][0]["words"] == "Rainstorm"
    assert not ann.client.cookies  # asking makes nobody a guest


async def test_choices_options_and_discards_are_taken_as_sent(ann: Person) -> None:
    found = await ann.post("/api/score", body("whirlwind; mirage, blizz", choose={"Mirage": "none"}))
    assert (found["total"], found["best"]) == (43, 83)
    wand = ["Book of Changes", "Bell Tower", "Candle", "Magic Wand"]
    asked = body(wand, choose={"Book of Changes": "Bell Tower:Wizard"}, options={"self_counts": False, "ring": "inert"})
    assert (await ann.post("/api/score", asked))["total"] == 139
    taken = await ann.post("/api/score", body("Necromancer, King", discard=["Queen"]))
    assert taken["eighth"] == "Queen"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (body(["Kinng"]), "did you mean King?"),
        (body(["King", "king"]), "King appears twice"),
        (body([]), "Name the cards"),
        (body(NINE), "This hand has 9 cards. At the end of a game, a hand has seven cards, or eight with"),
        (body(["x" * 61]), "hand"),
        (body("x" * 2001), "hand"),
        (body(discard=["King"] * 61), "discard"),
        (body(choose={"King": "Queen"}), "King has no choice"),
        (body(colour="red"), "colour"),
    ],
)
async def test_what_cannot_be_scored_is_refused_in_a_sentence(ann: Person, wrong: dict[str, Any], words: str) -> None:
    error = await ann.expect_refusal("POST", "/api/score", wrong)
    assert error["code"] == "BadInput"
    assert words in error["message"]


async def test_rule_options_are_checked(ann: Person) -> None:
    error = await ann.expect_refusal("POST", "/api/score", body(options={"ring": "x"}))
    assert error["code"] == "BadOptions"
    assert "Option ring must be inert | together" in error["message"]


async def test_every_field_of_the_answer_is_told(ann: Person) -> None:
    found = await ann.post("/api/score", body())
    parts = [found, found["cards"][0], found["choices"][0], found["choices"][0]["groups"][0]]
    assert [name for part in parts for name in part if f"`{name}`" not in DOCUMENT] == []


@pytest.mark.parametrize(("game", "code"), [("realm", "NotFound"), ("chess", "UnknownGame")])
async def test_games_without_hands_say_so(ann: Person, game: str, code: str) -> None:
    assert (await ann.expect_refusal("POST", "/api/score", {"game": game, "hand": "King"}))["code"] == code
    assert (await ann.client.get(f"/score/{game}", headers=HTML)).status_code == 404


async def test_much_to_choose_is_for_a_process_of_its_own(
    ann: Person, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    async def ask(run: Any, question: tuple[Any, ...], limit_s: float) -> Any:
        asked.append((run, question[0], limit_s))
        return {"total": 1}

    monkeypatch.setattr(services.search_queue.workers, "run", ask)
    assert await ann.post("/api/score", body(HEAVY)) == {"total": 1}
    assert asked == [(hand_scores.compute_sheet, "fantasy_realms", hand_scores.TIMEOUT_S)]
    await ann.post("/api/score", body())
    assert len(asked) == 1


async def test_a_hand_that_takes_too_long_is_given_up(
    ann: Person, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask(*_: Any) -> Any:
        raise TimeoutError

    monkeypatch.setattr(services.search_queue.workers, "run", ask)
    answer = await ann.send("POST", "/api/score", body(HEAVY))
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "Unavailable")
    assert services.search_queue.queue.free == services.search_queue.workers.count  # nobody waits for it any more


def test_a_question_can_go_to_another_process() -> None:
    question = hand_scores.scorer("fantasy_realms").read("King, Queen")
    assert hand_scores.compute_sheet("fantasy_realms", question)["total"] == 8 + 6


# ---- the page


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?hand=king,qu",
        "?hand=Whirlwind,Mirage,Blizzard&choose=Mirage=Smoke",
        "?hand=Necromancer&discard=King,Candle",
        "?to=discard&option=ring=together",
        "?hand=Great Flood,Forest,Island",
    ],
)
async def test_the_page_is_sound(client: httpx.AsyncClient, query: str) -> None:
    assert Page(await fetch_page(client, PAGE + query)).find_faults() == []


async def test_a_link_shows_the_whole_sheet_without_scripts(client: httpx.AsyncClient) -> None:
    text = await fetch_page(client, f"{PAGE}?hand=whirl;mirage,Blizzard&choose=Mirage=Smoke")
    assert find_pressed(text) == set(STORM)
    assert '<span class="score-total">43</span>' in text
    assert "40 below the best choices, which give 83. Whirlwind gives 13 instead of 53. <a href=" in text
    assert '<option value="Mirage=Smoke" selected>Smoke</option>' in text
    assert "Best: Rainstorm" in text
    assert "Strength 13." in text


async def test_taking_the_best_keeps_the_rulings(client: httpx.AsyncClient) -> None:
    text = await fetch_page(client, f"{PAGE}?hand=whirl,mirage,Blizzard&choose=Mirage=Smoke&option=ring=together")
    assert f'href="{PAGE}?hand=whirl,mirage,Blizzard&amp;option=ring=together" data-best' in text


async def test_blanked_and_cleared_are_struck(client: httpx.AsyncClient) -> None:
    text = await fetch_page(client, f"{PAGE}?hand=Great Flood,Forest,Island&choose=Island=none")
    assert "<s>Forest</s>" in text
    assert "Blanked by Great Flood." in text
    cleared = await fetch_page(client, f"{PAGE}?hand=Great Flood,Forest,Island")
    assert "<s>Forest</s>" not in cleared
    assert "<s>Blanks Armies" in cleared
    assert "penalty cleared by Island" in cleared


async def test_a_tapped_card_comes_and_goes_without_scripts(client: httpx.AsyncClient) -> None:
    async def after(query: str) -> dict[str, list[str]]:
        answer = await client.get(f"{PAGE}?{query}")
        assert answer.status_code == 303
        return parse_qs(urlsplit(answer.headers["location"]).query)

    assert await after("hand=king&toggle=Queen") == {"hand": ["King,Queen"]}
    assert await after("hand=king,Mirage&choose=Mirage=Smoke&choose=&toggle=King") == {"hand": ["Mirage"]}
    assert await after("hand=king&to=discard&toggle=Queen") == {
        "hand": ["King"],
        "discard": ["Queen"],
        "to": ["discard"],
    }
    assert await after("hand=king&discard=queen&option=ring%3Dtogether&toggle=Queen") == {
        "hand": ["King"],
        "option": ["ring=together"],
    }
    assert await after("hand=king,nobody&toggle=nonsense") == {"hand": ["King"]}


async def test_an_eighth_card_is_marked_and_chosen(client: httpx.AsyncClient) -> None:
    text = await fetch_page(client, f"{PAGE}?hand=Necromancer,King&discard=Queen,Candle")
    assert find_pressed(text) == {"Necromancer", "King", "Queen", "Candle"}
    assert "from the discard area" in text
    assert "Necromancer takes" in text
    assert text.count("is-away") == 2


async def test_a_slip_is_told_on_the_page_and_the_rest_is_kept(client: httpx.AsyncClient) -> None:
    text = await fetch_page(client, f"{PAGE}?hand=King,%3Cb%3EKinng", 422)
    assert Page(text).find_faults() == []
    assert '<p role="alert">There is no card &lt;b&gt;Kinng' in text
    assert "<b>Kinng" not in text
    assert find_pressed(text) == {"King"}


async def test_rulings_are_offered_and_kept(client: httpx.AsyncClient) -> None:
    text = await fetch_page(client, f"{PAGE}?hand=King&option=ring=together&option=")
    assert '<option value="ring=together" selected>' in text
    assert '<option value="" selected>On (default)</option>' in text
    assert 'name="option" id="o-variant"' not in text
    assert "There is no option x" in html.unescape(await fetch_page(client, f"{PAGE}?hand=King&option=x=1", 422))


async def test_the_sheet_alone_is_that_of_the_page(client: httpx.AsyncClient) -> None:
    query = "?hand=king,qu"
    alone = (await client.get(f"{PAGE}/sheet{query}")).text
    assert "<html" not in alone
    assert alone.strip() in await fetch_page(client, PAGE + query)
    (data,) = re.findall(r'data-hand="([^"]*)"', alone)
    assert json.loads(html.unescape(data)) == ["King", "Queen"]
    assert f'data-address="{PAGE}?hand=King,Queen"' in alone
    assert "No cards yet" in (await client.get(f"{PAGE}/sheet")).text


async def test_the_page_is_found_from_the_others(client: httpx.AsyncClient) -> None:
    answer = await client.get("/score?hand=King")
    assert answer.headers["location"] == f"{PAGE}?hand=King"
    for path in ("/", "/rules/fantasy_realms"):
        assert f'href="{PAGE}"' in await fetch_page(client, path)
    assert 'href="/score/realm"' not in await fetch_page(client, "/")
    assert 'href="/score"' in await fetch_page(client, "/rules")


@pytest.mark.parametrize("query", ["hand=" + "x" * 2001, "to=sofa", "&".join(["choose=Mirage%3DSmoke"] * 31)])
async def test_addresses_have_their_limits(client: httpx.AsyncClient, query: str) -> None:
    assert (await client.get(f"{PAGE}?{query}", headers=HTML)).status_code == 422


async def test_the_style_of_the_cards_is_allowed(client: httpx.AsyncClient) -> None:
    answer = await client.get(PAGE, headers=HTML)
    (style,) = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    assert style_hash(html.unescape(style)) in answer.headers["content-security-policy"]


BATTLE_PAGE = "/battle/magic_realm"


async def test_the_page_offers_examples(client: httpx.AsyncClient) -> None:
    text = await fetch_page(client, BATTLE_PAGE)
    assert "Elf, Light Bow alerted : Giant" in text
    assert "Why" not in text
    assert f'href="{BATTLE_PAGE}?battle=' in text


@pytest.mark.long
async def test_a_battle_is_calculated_in_a_worker(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def run(_: SearchQueue, function: object, arguments: tuple[str, str], *__: object) -> object:
        asked.append((function, arguments))
        return battle_chances.compute_report(*arguments)

    monkeypatch.setattr(SearchQueue, "run", run)
    text = await fetch_page(client, f"{BATTLE_PAGE}?battle=Elf, Light Bow alerted : Giant")
    assert asked == [(battle_chances.compute_report, ("magic_realm", "Elf, Light Bow alerted : Giant"))]
    for words in ("Elf against Giant", "33%", "44%", "so it always hits", "You win", "Wounds on average"):
        assert words in text
    assert "Killed on average" not in text
    assert "Killed on average: Wolf" in await fetch_page(client, f"{BATTLE_PAGE}?battle=Dwarf : Wolf, Imp")


async def test_a_mistake_is_explained_and_the_text_kept(client: httpx.AsyncClient) -> None:
    text = await fetch_page(client, f"{BATTLE_PAGE}?battle=Elf : Gobblin <b>", 422)
    assert "There is no monster" in text
    assert 'value="Elf : Gobblin &lt;b&gt;"' in text
    assert (await client.get(BATTLE_PAGE, headers=HTML, params={"battle": "x" * 501})).status_code == 422


async def test_games_without_battles_have_no_page(client: httpx.AsyncClient) -> None:
    answer = await client.get("/battle/realm", headers=HTML)
    assert answer.status_code == 404
    assert "no battles to calculate" in answer.text
    assert (await client.get("/battle?battle=Elf", headers=HTML)).headers["location"] == f"{BATTLE_PAGE}?battle=Elf"
    assert (await client.get("/battle", headers=HTML)).headers["location"] == BATTLE_PAGE


def test_the_worker_reports_mistakes() -> None:
    with pytest.raises(BadInput, match="colon"):
        battle_chances.compute_report("magic_realm", "Elf")
