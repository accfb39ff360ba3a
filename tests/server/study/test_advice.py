"""Advice at tables and on the scoring page: based on what the player may know, and never in a rated game."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.games.fantasy_realms.bots import advice as advising
from realmtable.games.fantasy_realms.bots.knowledge import Knowledge
from realmtable.games.fantasy_realms.bots.turn_lookahead import Prospect
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.state import Step
from realmtable.server.services import Services
from realmtable.server.study.hints import compute_advice, without_pictures
from tests.server.support.fake_workers import FakeWorkers, open_browsers
from tests.server.support.live_server import Person
from tests.server.support.page_parser import Page

pytestmark = pytest.mark.anyio

HANDS = (
    "hands=Mountain,Cavern,Bell-Tower,Forest,Basilisk,Dragon,Beastmaster"
    "/King,Queen,Princess,Knights,Empress,Rangers,Sword-of-Keth"
    "/Candle,Forge,Wildfire,Lightning,Smoke,Magic-Wand,Enchantress"
)
DRAWING = f"{HANDS} phase=draw first=1 turns=3 discard=Island@1,Unicorn@2"
TRADING = f"{HANDS} phase=trade options=variant=chaos known=King offers=King"
REALM = "King, Queen, Knights, Rangers, Candle, Forest, Bell Tower"
ROOT = Path(__file__).resolve().parents[3]
PAGE = "/score/fantasy_realms"


class ThreadWorkers(FakeWorkers):
    """Fake workers that do what they are asked, in a thread."""

    async def run(self, run: Callable[..., Any], question: tuple[Any, ...], _limit_s: float) -> Any:
        self.questions.append(question)
        await self.open.wait()
        return await asyncio.to_thread(run, *question)


@pytest.fixture
def workers(services: Services, monkeypatch: pytest.MonkeyPatch) -> FakeWorkers:
    def fake_prospects(known: Knowledge, steps: Sequence[Step], _: FantasyOptions, rng: Random) -> list[Prospect]:
        heading = tuple((card, 0.5) for card in known.hand[:7])
        values = [(step, 150 - place + rng.random() / 10) for place, step in enumerate(steps)]
        return [Prospect(step, value, value - 200, 120, 190, heading) for step, value in values]

    monkeypatch.setattr(advising, "evaluate_steps", fake_prospects)
    stand_in = ThreadWorkers()
    services.search_queue.workers = stand_in  # type: ignore[assignment]  # does what is asked of workers here
    return stand_in


async def open_table(host: Person, *others: Person, **wishes: Any) -> str:
    return await host.open_table(*others, game="fantasy_realms", seats=["me", "open", "open"], **wishes)


# ---- at tables


async def test_a_hint_tells_every_choice_and_everybody_sees_it_asked(
    ann: Person, bob: Person, eve: Person, workers: FakeWorkers
) -> None:
    table = await open_table(ann, bob, eve, position=DRAWING)
    scene = await ann.get(f"/api/tables/{table}")
    assert "hint" in scene["can"]
    hint = await ann.post(f"/api/tables/{table}/hints")
    (chart,) = hint["advice"]["charts"]
    assert {choice["move"] for choice in chart["choices"]} == {choice["move"] for choice in scene["choices"]}
    assert hint["moves"] == [hint["text"]] == ["deck"]
    paths = {choice["move"]: choice["path"] for choice in scene["choices"]}
    assert hint["paths"] == [paths["deck"]]
    assert (hint["chance"], hint["words"]) == ("", ["Draw from the deck"])
    assert "picture" not in hint["advice"]["heading"]["cards"][0]
    seen = await eve.get(f"/api/tables/{table}")
    assert seen["news"][-1]["words"] == "Scarlet asks for a hint."
    assert (await ann.post(f"/api/tables/{table}/hints")) == hint  # asked again it is the same, and noted once
    pictured = await ann.post(f"/api/tables/{table}/hints?pictures=true")
    assert pictured["advice"]["heading"]["cards"][0]["picture"].startswith("<svg")
    assert len(workers.questions) == 3


async def test_who_thinks_is_told_what_the_player_may_know_and_nothing_else(
    ann: Person, bob: Person, eve: Person, workers: FakeWorkers
) -> None:
    game = registry.game("fantasy_realms")
    state = game.decode(DRAWING)
    await ann.post(f"/api/tables/{await open_table(ann, bob, eve, position=DRAWING)}/hints")
    ((game_id, view),) = workers.questions
    assert (game_id, view) == ("fantasy_realms", game.view(state, 0))
    other = game.resample(state, 0, Random(4))
    assert other.hands[1:] != state.hands[1:]
    assert compute_advice("fantasy_realms", game.view(other, 0)) == compute_advice("fantasy_realms", view)


@pytest.mark.long
async def test_no_advice_in_rated_games_for_others_or_for_who_watches(services: Services, workers: FakeWorkers) -> None:
    async with open_browsers(services, 4) as (ann, bob, eve, zoe):
        table = await open_table(ann, bob, eve, position=DRAWING)
        assert (await zoe.expect_refusal("POST", f"/api/tables/{table}/hints", {}))["code"] == "NotSeated"
        assert (await bob.expect_refusal("POST", f"/api/tables/{table}/hints", {}))["code"] == "NotYourTurn"
        assert "hint" not in (await zoe.get(f"/api/tables/{table}"))["can"]
        for person, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve")):
            await person.join(name)
        rated = await open_table(ann, bob, eve, rated=True, clock={"kind": "days", "days": 1})
        for person in (ann, bob, eve):
            assert "hint" not in (await person.get(f"/api/tables/{rated}"))["can"]
            error = await person.expect_refusal("POST", f"/api/tables/{rated}/hints", {})
            assert error["code"] == "NotAllowed"
        # who plays a rated game is helped nowhere, at the unrated table and with a hand from a real one neither
        assert (await ann.expect_refusal("POST", f"/api/tables/{table}/hints", {}))["code"] == "NotAllowed"
        asked = {"game": "fantasy_realms", "hand": REALM, "advise": {}}
        assert (await ann.expect_refusal("POST", "/api/score", asked))["code"] == "NotAllowed"
        page = await ann.client.get(f"{PAGE}?hand={REALM}&advise=on", headers={"accept": "text/html"})
        assert "You are playing a rated game of Fantasy Realms" in page.text
        assert '<span class="score-total">156</span>' in page.text
        assert not workers.questions


async def test_while_all_trade_advice_holds_as_long_as_it_can_be_followed(
    ann: Person, bob: Person, eve: Person, workers: FakeWorkers
) -> None:
    for others_step, code in (("offer Queen", None), ("withdraw King", "StaleVersion")):
        table = await open_table(ann, bob, eve, position=TRADING)
        workers.open.clear()
        asking = asyncio.ensure_future(ann.send("POST", f"/api/tables/{table}/hints", {}))
        before = len(workers.questions)
        while len(workers.questions) == before:  # noqa: ASYNC110 - set by the request
            await asyncio.sleep(0.01)
        scene = await bob.get(f"/api/tables/{table}")
        await bob.post(f"/api/tables/{table}/moves", {"version": scene["version"], "move": others_step})
        workers.open.set()
        answer = (await asking).json()
        assert answer.get("error", {}).get("code") == code
        if code is None:
            assert answer["advice"]["charts"][0]["title"] == "What would trades gain?"


def test_advice_without_a_hand_to_come_needs_no_pictures_taken_out() -> None:
    plain: dict[str, Any] = {"heading": None, "charts": []}
    assert without_pictures(plain) is plain


# ---- hands from a real table


async def test_programs_are_told_what_to_do_next(ann: Person, workers: FakeWorkers) -> None:
    hand = {"game": "fantasy_realms", "hand": REALM, "discard": "Warlord, Smoke"}
    asked = {**hand, "advise": {"seats": 3, "taken": ["Dragon"]}}
    found = await ann.post("/api/score", asked)
    assert found["total"] == 156
    moves = {choice["move"] for choice in found["advice"]["charts"][0]["choices"]}
    assert moves == {"deck", "take Warlord", "take Smoke"}
    assert "picture" not in found["advice"]["heading"]["cards"][0]
    assert workers.questions[0][2] == (3, ["Dragon"])
    assert "advice" not in await ann.post("/api/score", {**asked, "advise": None})
    assert (await ann.post("/api/score", asked)) == found
    few = await ann.expect_refusal("POST", "/api/score", {**asked, "hand": "King"})
    assert "Name seven cards" in few["message"]
    many = await ann.expect_refusal("POST", "/api/score", {**asked, "advise": {"seats": 7}})
    assert many["code"] == "BadInput"
    assert not ann.client.cookies  # asking makes nobody a guest


async def test_every_field_of_advice_is_told(ann: Person, workers: FakeWorkers) -> None:  # noqa: ARG001 - the stand-in answers
    document = (ROOT / "docs/play/fantasy-scoring.md").read_text(encoding="utf-8")
    asked = {"game": "fantasy_realms", "hand": REALM, "advise": {}}
    found = (await ann.post("/api/score", asked))["advice"]
    (chart,), heading = found["charts"], found["heading"]
    parts = [found, chart, chart["choices"][0], heading, heading["cards"][0]]
    assert [name for part in parts for name in part if f"`{name}`" not in document] == []


async def test_the_page_shows_advice_without_scripts_and_in_a_link(ann: Person, workers: FakeWorkers) -> None:
    query = f"hand={REALM}&discard=Warlord&advise=on&seats=5&taken=dragon"
    text = (await ann.client.get(f"{PAGE}?{query}", headers={"accept": "text/html"})).text
    assert Page(text).find_faults() == []
    assert "about 150, most games 120 to 190" in text
    assert text.count('class="advice-bar"') == 2
    assert '<path class="advice-spread" d="M120 2V8M120 5H190M190 2V8"/>' in text
    assert "50%, you hold it" in text
    assert "<option selected>5</option>" in text
    assert "&advise=on&seats=5&taken=Dragon" in html.unescape(text.split('data-address="')[1].split('"')[0])
    assert workers.questions[0][2] == (5, "dragon")
    alone = (await ann.client.get(f"{PAGE}/sheet?{query}")).text
    assert "about 150, most games 120 to 190" in alone
    plain = (await ann.client.get(f"{PAGE}?hand={REALM}")).text
    assert "What should I draw?" in plain
    assert "most games" not in plain
    slip = (await ann.client.get(f"{PAGE}?hand=King&advise=on")).text
    assert "Name seven cards to see what to draw" in slip
    assert '<span class="score-total">8</span>' in slip
    tapped = await ann.client.get(f"{PAGE}?{query}&toggle=Smoke", headers={"accept": "text/html"})
    assert "advise" not in tapped.headers["location"]  # it was about another hand


async def test_addresses_with_other_numbers_of_players_are_refused(ann: Person, workers: FakeWorkers) -> None:
    for wrong in ("seats=1", "seats=7", "seats=x", "advise=maybe"):
        assert (await ann.client.get(f"{PAGE}?hand={REALM}&{wrong}")).status_code == 422
    assert not workers.questions
