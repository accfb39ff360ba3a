"""Fantasy Realms in the browser: a whole game against bots, no secrets in the page, and the scoring."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import realmtable
from realmtable.engine.record import load_record
from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.scoring.score import best_score
from realmtable.games.fantasy_realms.state import State
from realmtable.server.tables.scenes.changes import apply_change
from tests.browser import input_devices
from tests.browser.conftest import Visitors
from tests.browser.visitor import PHONE, Visitor, box_of, hold_requests
from tests.server.support.live_server import ServerThread

MOVING = {"reduced_motion": "no-preference"}
TURNS_MAX = 30

# Record everything the socket delivers.
LISTEN = """
window.heard = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => window.heard.push(data));
  }
};
"""


# ---- a whole game


@pytest.mark.slow
def test_one_person_and_two_bots_play_a_whole_game(visit: Visitors) -> None:
    visitor = visit(fresh=True)
    visitor.context.add_init_script(LISTEN)
    table = visitor.enter_new_table("fantasy_realms", seats=["me", "bot:level2", "bot:level2"])
    pages = list(_play_turns(visitor))
    assert any("Last turns:" in page for _, page in pages), "the last turns are announced"
    _check_scoring(visitor, table)
    _check_no_leak(visitor, table, pages)


def _play_turns(visitor: Visitor) -> Iterator[tuple[int, str]]:
    """Draw and discard until the game is over; yield the page before every turn, with its step."""
    waiting = visitor.page.locator("body.your-turn, body.revealing")
    for _ in range(TURNS_MAX):
        expect(waiting).to_be_attached()
        if visitor.page.locator("body.revealing").count():
            return
        step = int(visitor.part("slider").get_attribute("max") or 0)
        content = visitor.page.content()
        if "Last turns:" in content:
            visitor.page.emulate_media(reduced_motion="no-preference")  # or the scoring would not be revealed
        yield step, content
        visitor.pick("deck")
        expect(visitor.part("slider")).to_have_attribute("max", str(step + 2))
        worst = _least_useful(visitor)
        visitor.pick(worst)
        expect(visitor.part("slider")).to_have_attribute("max", str(step + 2))  # selected, not discarded
        visitor.part("action-panel").get_by_role("button", name=f"Discard {worst.removeprefix('hand:')}").click()
        expect(visitor.part("slider")).not_to_have_attribute("max", str(step + 2))
    raise AssertionError("the game does not end")


def _least_useful(visitor: Visitor) -> str:
    """Return the card of the hand with the fewest points, according to its label."""
    found = visitor.part("picture").locator('[data-handle^="hand:"]')
    labels = {each.get_attribute("data-handle") or "": each.get_attribute("aria-label") or "" for each in found.all()}
    return min(labels, key=lambda handle: int(re.findall(r"Now (−?\d+) point", labels[handle])[0].replace("−", "-")))


def _check_scoring(visitor: Visitor, table: str) -> None:
    """Check that the scoring is revealed with reasons, can be skipped, and is then listed in full."""
    expect(visitor.part("headline")).to_have_text("The scoring")
    expect(visitor.part("ending")).to_be_hidden()
    expect(visitor.part("beat")).to_contain_text("Strength")
    input_devices.press(visitor, "Escape")
    scene = visitor.scene(table)
    expect(visitor.part("headline")).to_have_text(scene["headline"])
    expect(visitor.part("ending")).to_be_visible()
    expect(visitor.part("picture").locator(".later")).to_have_count(0)
    listed = visitor.part("tallies").locator("article")
    expect(listed).to_have_count(3)
    for tally, article in zip(scene["tallies"], listed.all(), strict=True):
        expect(article.locator("h3")).to_have_text(f"{tally['rank']}. {tally['name']} {tally['total']} points")
        expect(article.locator("li")).to_contain_text([line["reason"] for line in tally["lines"]])
    visitor.page.evaluate("document.querySelector('[data-do=earlier]')?.click()")  # a short game has no earlier page
    expect(visitor.part("moves")).to_contain_text("Each player is dealt seven cards")


DECK_TAB = re.compile(r'<svg[^>]*aria-label="The deck and the cards known in other hands".*?</svg>', re.DOTALL)


def _check_no_leak(visitor: Visitor, table: str, pages: list[tuple[int, str]]) -> None:
    """Check that neither pages nor the socket name a card that the player could not know of, but in the tab Deck.

    There all of them are listed alike, wherever they are.
    """
    text = visitor.context.request.get(f"{visitor.url}/api/tables/{table}/record").text()
    states = [entry.before for entry in load_record(text, realmtable.game).replay().log()]
    heard = _scenes_from(visitor.page.evaluate("window.heard"))
    scenes = [(scene["step"], data) for scene, data in heard if scene["result"] is None]
    assert len(scenes) > len(pages)
    checked = 0
    for step, shown in pages + scenes:
        elsewhere = DECK_TAB.sub("", shown)
        for name in _unknown_cards(states[step]):
            checked += 1
            assert not re.search(rf"\b{name}\b", elsewhere), f"{name} at step {step}"
    assert checked > 10 * len(pages)


def _scenes_from(heard: list[str]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each scene that a socket showed, and the message that showed it."""
    scene: dict[str, Any] = {}
    for data in heard:
        message = json.loads(data)
        if "scene" in message or "change" in message:
            told = message.get("scene") or message["change"]
            scene = apply_change({} if "scene" in message else scene, told)
            yield scene, json.dumps({name: part for name, part in told.items() if name != "panel_parts"})


def _unknown_cards(state: State) -> list[str]:
    """Return the cards unknown to the first seat, except those that a visible card mentions or a copy counts as."""
    hand = state.hands[0]
    seen = {*hand, *state.known, *state.open_cards()}
    printed = " ".join(f"{CARDS[card].bonus_text} {CARDS[card].penalty_text}" for card in seen)
    hands = [hand, *([card for card in hand if card != dropped] for dropped in hand)]
    copied = {card.name for held in hands for card in best_score(held).cards}
    return [card.name for card in CARDS if card.id not in seen and card.name not in printed and card.name not in copied]


# ---- confirming a choice


@pytest.fixture
def fantasy_game(visit: Visitors, request: pytest.FixtureRequest) -> tuple[Visitor, str]:
    """A visitor who plays all three seats and has to discard a card."""
    visitor = visit(**getattr(request, "param", {}))
    table = visitor.open_new_table("fantasy_realms", seats=["me"] * 3)
    visitor.move(table, "deck")
    visitor.goto(f"/tables/{table}")
    expect(visitor.lit).to_have_count(8)
    return visitor, table


@pytest.mark.slow
@pytest.mark.parametrize("fantasy_game", [PHONE], indirect=True)
def test_a_tap_shows_a_card_large_and_a_second_one_drops_it(fantasy_game: tuple[Visitor, str]) -> None:
    visitor, table = fantasy_game
    before = visitor.scene(table)
    first, second = (choice["path"][0] for choice in before["choices"][:2])
    for handle in (first, second):  # selecting another card does not discard the first
        visitor.tap(handle)
        expect(visitor.part("zoom")).to_be_visible()
        expect(visitor.part("zoom")).to_contain_text(visitor.handle(handle).get_attribute("data-now") or "?")
        expect(visitor.part("caption")).to_contain_text("Tap it again to confirm.")
    assert visitor.scene(table)["version"] == before["version"]
    visitor.tap(second)
    expect(visitor.part("zoom")).to_be_hidden()
    expect(visitor.handle(second.replace("hand:", "discard:"))).to_be_visible()


@pytest.mark.slow
def test_the_mouse_shows_a_card_large_with_what_discarding_it_does(fantasy_game: tuple[Visitor, str]) -> None:
    visitor, _ = fantasy_game
    card = visitor.part("picture").locator('[data-handle^="hand:"]').first
    card.hover()
    zoom = visitor.part("zoom")
    expect(zoom).to_contain_text(re.compile(r"Your realm without it: (\d+ → \d+|still \d+)\."))
    box, place = box_of(zoom), box_of(card)
    assert box["x"] > place["x"] + place["width"]  # beside the board
    visitor.part("headline").hover()
    expect(zoom).to_be_hidden()


@pytest.mark.slow
def test_with_keys_enter_chooses_and_enter_drops(fantasy_game: tuple[Visitor, str]) -> None:
    visitor, table = fantasy_game
    before = visitor.scene(table)
    handle = before["choices"][3]["path"][0]
    input_devices.press_n_until(visitor, handle)
    input_devices.press(visitor, "Enter")
    expect(visitor.handle(handle)).to_have_class(re.compile("chosen"))
    input_devices.press(visitor, "Escape")
    expect(visitor.handle(handle)).not_to_have_class(re.compile("chosen"))
    assert visitor.scene(table)["version"] == before["version"]
    input_devices.press(visitor, "Enter")
    input_devices.press(visitor, "Enter")
    expect(visitor.handle(handle.replace("hand:", "discard:"))).to_be_visible()


# ---- trading


def test_a_newcomer_reads_how_to_trade_and_offers_a_card_on_a_phone(visit: Visitors) -> None:
    visitor = visit(**PHONE)
    table, page = visitor.enter_new_table("fantasy_realms", visit(), visit(), preset="chaos"), visitor.page
    expect(visitor.part("tips")).to_contain_text("Bid: tap a card on offer")
    page.get_by_role("button", name="Got it").tap()
    expect(visitor.part("tips")).to_have_count(0)
    handle = visitor.scene(table)["choices"][0]["path"][0]
    visitor.tap(handle)
    zoom, board = visitor.part("zoom"), visitor.part("board")
    expect(zoom.locator("svg")).to_have_attribute("aria-label", re.compile(handle.removeprefix("hand:")))
    above, below = box_of(zoom), box_of(board)
    assert above["y"] + above["height"] <= below["y"] + 1, "the enlarged card covers no part of the board"
    zoom.locator(".close").tap()
    expect(zoom).to_be_hidden()
    expect(visitor.handle(handle)).to_have_class(re.compile("chosen"))
    visitor.part("headline").tap()
    visitor.tap(handle)
    expect(zoom).to_be_visible()
    expect(visitor.part("caption")).to_contain_text("Tap it again to confirm.")
    expect(page.get_by_role("button", name=f"Offer {handle.removeprefix('hand:')}")).to_be_visible()
    visitor.tap(handle)
    expect(visitor.handle(handle.replace("hand:", "offer:"))).to_be_visible()
    expect(zoom).to_be_hidden()
    page.reload()
    expect(visitor.lit.first).to_be_visible()
    expect(visitor.part("tips")).to_have_count(0)


MARKET = (
    "hands=Mountain,Cavern,Bell-Tower,Forest,Basilisk,Dragon,Beastmaster"
    "/King,Queen,Princess,Knights,Empress,Rangers,Sword-of-Keth"
    "/Candle,Forge,Wildfire,Lightning,Smoke,Magic-Wand,Enchantress"
    " phase=trade options=variant=chaos known=FIRST offers=FIRST"
)


def test_offers_stay_in_place_and_the_page_says_when_a_selected_one_ends(visit: Visitors) -> None:
    visitor, other = visit(**PHONE), visit()
    first, second = "King", "Rangers"  # the picture would draw both in the same place
    table = visitor.enter_new_table("fantasy_realms", other, visit(), position=MARKET.replace("FIRST", first))
    visitor.page.get_by_role("button", name="Got it").tap()
    visitor.tap(f"offer:{first}")
    other.move(table, f"offer {second}")
    expect(visitor.handle(f"offer:{second}")).to_be_visible()
    expect(visitor.handle(f"offer:{first}")).to_have_class(re.compile("chosen"))  # it stays selected
    # At once it may have come under the finger; a busy machine needs longer to tap.
    assert visitor.handle(f"offer:{second}").evaluate("place => place.changedAt > 0 && (place.changedAt = Infinity)")
    visitor.handle(f"offer:{second}").tap()
    expect(visitor.part("why")).to_contain_text(f"{second} just appeared or moved there.")
    expect(visitor.handle(f"offer:{first}")).to_have_class(re.compile("chosen"))
    place = input_devices.center_of(visitor.handle(f"offer:{second}"))
    other.move(table, f"withdraw {first}")
    expect(visitor.part("why")).to_have_text(f"{first} is no longer available. Nothing was sent.")
    expect(visitor.part("zoom")).to_be_hidden()
    assert input_devices.center_of(visitor.handle(f"offer:{second}")) == pytest.approx(place, abs=2)


@pytest.mark.slow
def test_a_tap_just_after_the_loss_of_a_choice_selects_nothing(visit: Visitors) -> None:
    visitor, other = visit(fresh=True, **PHONE), visit()
    table = visitor.enter_new_table("fantasy_realms", other, visit(), position=MARKET.replace("FIRST", "King"))
    page = visitor.page
    page.get_by_role("button", name="Got it").tap()
    prompt = visitor.part("prompt").text_content() or ""
    visitor.tap("offer:King")
    expect(visitor.part("zoom")).to_be_visible()
    visitor.handle("offer:King").tap()  # deselects it
    expect(visitor.part("zoom")).to_be_hidden()
    expect(visitor.part("prompt")).to_have_text(prompt)
    visitor.tap("offer:King")
    expect(visitor.handle("offer:King")).to_have_class(re.compile("chosen"))
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 10"))
    other.move(table, "withdraw King")
    lost = "King is no longer available. Nothing was sent."
    expect(visitor.part("why")).to_have_text(lost)
    visitor.handle("hand:Cavern").tap()
    expect(visitor.part("why")).to_have_text(lost)
    expect(visitor.handle("hand:Cavern")).not_to_have_class(re.compile("chosen"))
    page.clock.run_for(1100)
    visitor.handle("hand:Cavern").tap()
    expect(visitor.handle("hand:Cavern")).to_have_class(re.compile("chosen"))


NECROMANCER = (
    "hands=Mountain,Cavern,Bell-Tower,Forest,Basilisk,Dragon,Necromancer"
    "/King,Queen,Princess,Knights,Empress,Rangers,Sword-of-Keth"
    "/Candle,Forge,Wildfire,Lightning,Smoke,Magic-Wand,Enchantress"
    " phase=necromancer options=variant=chaos known=Necromancer end=time"
)


@pytest.mark.slow
def test_the_buttons_of_a_phone_do_not_cover_the_words_above_them(visit: Visitors) -> None:
    visitor = visit(**PHONE)
    visitor.enter_new_table("fantasy_realms", seats=["me"] * 3, position=NECROMANCER)
    caption, bar = visitor.part("prompt"), visitor.part("choices")
    expect(caption).to_contain_text("Draw three cards and keep one")
    words, buttons = box_of(caption), box_of(bar)
    assert 0 < words["y"] + words["height"] <= buttons["y"] < 844
    visitor.page.get_by_role("button", name="Draw three cards").tap()
    expect(caption).to_contain_text("Keep one of the three cards")


# ---- viewing the scoring later


@pytest.fixture(scope="module")
def finished_table(browser: Browser, served: ServerThread) -> Iterator[tuple[str, Any]]:
    """Open a table whose game is over; return its id and scene."""
    visitor = Visitor(browser, served.url)
    options = {"ring": "together", "max_turns": 20}
    table = visitor.open_new_table("fantasy_realms", seats=["me"] * 3, options=options)
    rng = Random(1)
    while (scene := visitor.scene(table))["status"] == "running":
        visitor.move(table, rng.choice(scene["choices"])["move"])
    yield table, scene
    visitor.leave()


@pytest.mark.slow
def test_who_wants_nothing_to_move_sees_all_at_once(visitor: Visitor, finished_table: tuple[str, Any]) -> None:
    table, scene = finished_table
    visitor.goto(f"/tables/{table}")
    expect(visitor.part("tallies").locator("article")).to_have_count(3)
    expect(visitor.part("reveal")).to_be_hidden()
    expect(visitor.part("headline")).to_have_text(scene["headline"])
    best = scene["tallies"][0]
    winner = visitor.part("result").get_by_role("row").filter(has_text="1.")
    expect(winner).to_contain_text(best["name"])
    expect(winner).to_contain_text(str(best["total"]))


def test_the_scoring_can_be_seen_again_and_says_the_totals(visit: Visitors, finished_table: tuple[str, Any]) -> None:
    table, scene = finished_table
    visitor = visit(fresh=True, **MOVING)
    visitor.page.clock.install()
    visitor.goto(f"/tables/{table}/replay")
    visitor.open_tab("score")
    again = visitor.part("reveal")
    expect(again).to_have_text("Show the scoring again")
    again.click()
    expect(visitor.part("picture").locator(".later").first).to_be_attached()
    expect(visitor.part("tallies")).to_be_hidden()
    last = scene["tallies"][-1]
    for _ in last["lines"]:
        visitor.page.clock.run_for(1500)
    expect(visitor.part("announcer")).to_contain_text(f"{last['name']}: {last['total']} points.")
    visitor.part("skip").click()
    expect(visitor.part("picture").locator(".later")).to_have_count(0)
    totals = visitor.part("picture").locator("[data-counts] text")
    expect(visitor.part("tallies")).to_be_visible()
    expect(totals).to_have_text([str(tally["total"]).replace("-", "−") for tally in scene["tallies"]])


LAST_DISCARD = (
    "hands=King,Queen,Princess,Knights,Empress,Rangers,Sword-of-Keth,Warhorse"
    "/Mountain,Cavern,Bell-Tower,Forest,Basilisk,Dragon,Beastmaster"
    "/Candle,Forge,Wildfire,Lightning,Smoke,Magic-Wand,Enchantress"
    " phase=discard first=1 turns=9 discard=Swamp@1,Unicorn@2,Hydra@3,Island@1,Doppelganger@2,Mirage@3,Blizzard@1,"
    "Rainstorm@2,Whirlwind@3"
)
NOTE_CELEBRATIONS = """
new MutationObserver(() => document.querySelector(".celebration") && (document.body.dataset.celebrated = "yes"))
  .observe(document, { childList: true, subtree: true });
"""


@pytest.mark.slow
def test_a_win_is_celebrated_after_the_scoring_even_if_that_loads_slowly(visit: Visitors) -> None:
    visitor = visit(fresh=True, **MOVING)
    table = visitor.open_new_table("fantasy_realms", visit(), visit(), position=LAST_DISCARD)
    visitor.context.add_init_script(NOTE_CELEBRATIONS)
    waiting = hold_requests(visitor, "**/score_reveal.js")
    page = visitor.goto(f"/tables/{table}")
    visitor.pick("hand:Warhorse")
    visitor.pick("hand:Warhorse")
    expect(page.locator("body.before-reveal")).to_be_attached()
    page.wait_for_timeout(1000)  # for as long as several looks whether the scoring is over
    waiting[0].continue_()
    expect(page.locator("body.revealing")).to_be_attached()
    assert page.locator("body").get_attribute("data-celebrated") is None
    input_devices.press(visitor, "Escape")
    expect(page.locator("body")).to_have_attribute("data-celebrated", "yes")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["", "/replay"])
def test_each_realm_can_be_tried_on_the_scoring_page(
    visitor: Visitor, finished_table: tuple[str, Any], page: str
) -> None:
    table, scene = finished_table
    visitor.goto(f"/tables/{table}{page}")
    visitor.open_tab("score")
    visitor.part("tallies").get_by_role("link", name="try other choices").first.click()
    expect(visitor.page.locator(".score-total")).to_have_text(str(scene["tallies"][0]["total"]))
    assert "option=ring=together" in visitor.page.url
