"""Games that wait, notifications, and the site without a connection."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.test_pages import check_accessibility, check_width
from tests.browser.visitor import PHONE, Visitor, box_of
from tests.server.support.push_service import PushBrowser

ALLOWED: dict[str, Any] = {"service_workers": "allow"}
READY = "navigator.serviceWorker.ready.then(() => true)"
# All that the worker has stored, once the last page is there.
STORED = """
(async () => {
  const isActive = () => navigator.serviceWorker.controller?.state === "activated";
  while (!isActive() || !(await caches.match("/learn/realm"))) await new Promise((done) => setTimeout(done, 50));
  const cache = await caches.open((await caches.keys())[0]);
  const read = async (key) => [new URL(key.url).pathname, await (await cache.match(key)).text()];
  return Object.fromEntries(await Promise.all((await cache.keys()).map(read)));
})()
"""
# Has the worker receive a message; returns the notification it would show, which headless browsers cannot.
DELIVER = """
async (message) => {
  let shown = null;
  ServiceWorkerRegistration.prototype.showNotification = async (title, { tag, data }) => (shown = [title, tag, data]);
  await showTurn(message);
  return shown;
}
"""
# A browser with a push service, which headless ones lack.
FAKE_PUSH = """
const subscription = %s;
let current = JSON.parse(sessionStorage.getItem("push"));
const fake = (value) => value && { toJSON: () => value, unsubscribe: async () => sessionStorage.removeItem("push") };
Object.defineProperty(Notification, "permission", { get: () => sessionStorage.getItem("permission") ?? "default" });
Notification.requestPermission = async () => {
  sessionStorage.setItem("permission", "%s");
  return "%s";
};
PushManager.prototype.getSubscription = async () => fake(JSON.parse(sessionStorage.getItem("push")));
PushManager.prototype.subscribe = async (options) => {
  sessionStorage.setItem("push", JSON.stringify(subscription));
  sessionStorage.setItem("key", options.applicationServerKey);
  return fake(subscription);
};
"""


def play_turn(person: Visitor, table: str) -> None:
    while (scene := person.scene(table))["your_turn"]:
        person.move(table, scene["choices"][0]["move"])


def test_the_header_and_the_tab_say_how_many_games_wait(visit: Visitors) -> None:
    ann, bob = visit(), visit()
    first, second = ann.open_new_table("realm", bob), ann.open_new_table("realm", bob)
    page = ann.goto("/")
    expect(ann.part("waiting")).to_have_text("2 waiting for you")
    expect(page).to_have_title("(2) Every game called Realm, at one table · Realmtable")
    page.get_by_role("link", name="My games").click()
    expect(page.locator(".game-section").first.get_by_role("link", name="Play")).to_have_count(2)
    ann.goto(f"/tables/{first}")
    play_turn(ann, first)
    expect(ann.part("waiting-count")).to_have_text("1")
    expect(page.locator("link[rel=icon]")).to_have_attribute(
        "href", ann.part("icon").get_attribute("data-waiting") or ""
    )
    play_turn(ann, second)
    play_turn(bob, first)
    expect(page).to_have_title("(1) ● Your turn (you're White) · Realm")
    expect(ann.part("waiting-count")).to_have_text("1")  # the game on the page is not counted


def test_rules_and_lessons_can_be_read_offline(visit: Visitors) -> None:
    ada = visit(**ALLOWED)
    ada.post("/api/me/claim", {"name": "Offline Ada", "password": "correct horse"})
    page = ada.goto("/account")
    stored = page.evaluate(STORED)
    assert not [path for path, text in stored.items() if "Offline Ada" in text or ada.csrf in text]
    assert not [path for path in stored if not path.startswith(("/static/", "/rules", "/learn/", "/offline"))]
    ada.forgives.append("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    ada.context.set_offline(True)
    ada.goto("/account")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    page.get_by_role("link", name="Lesson for Realm", exact=True).click()
    expect(page.get_by_text("You are offline. Rules and lessons still work.")).to_be_visible()
    title = ada.part("title").text_content()
    ada.part("next").click()
    expect(ada.part("title")).not_to_have_text(title or "")
    expect(page.get_by_text("You can read on; the board needs a connection.")).to_be_visible()
    ada.goto("/rules/realm")
    expect(page.get_by_role("heading", level=1)).to_have_text("Realm, the featured game")
    ada.context.set_offline(False)
    ada.goto("/account")
    expect(page.get_by_role("heading", name="Offline Ada")).to_be_visible()


@pytest.mark.slow
def test_a_new_version_is_announced(visit: Visitors) -> None:
    visitor = visit(**ALLOWED, **PHONE)
    page = visitor.goto("/rules")
    page.evaluate(READY)
    page.wait_for_function("document.readyState === 'complete'")
    announce = "(version) => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { version } }))"
    own = page.evaluate("document.querySelector('link[rel=stylesheet]').href.split('/')[4]")
    page.evaluate(announce, own)
    expect(page.get_by_text("A new version is ready.")).to_have_count(0)
    page.evaluate(announce, "another")
    expect(page.get_by_text("A new version is ready.")).to_be_visible()
    check_accessibility(visitor)
    page.get_by_role("button", name="Later").click()
    expect(page.get_by_text("A new version is ready.")).to_have_count(0)
    page.evaluate(announce, "another")
    with page.expect_navigation():
        page.get_by_role("button", name="Reload").click()


@pytest.mark.slow
def test_the_worker_shows_a_notification_unless_the_table_is_in_sight(visit: Visitors) -> None:
    ann, bob = visit(**ALLOWED), visit()
    table = ann.open_new_table("realm", bob, clock={"kind": "days", "days": 3})
    page = ann.goto("/rules")
    page.evaluate(READY)
    (worker,) = ann.context.service_workers
    shown = worker.evaluate(DELIVER, {"title": "Your turn", "body": "", "tag": "t", "url": f"/tables/{table}"})
    assert shown == ["Your turn", "t", f"/tables/{table}"]
    page.wait_for_timeout(1100)  # the count is asked for once a second at most
    play_turn(ann, table)
    with page.expect_response("**/api/me/waiting"):
        worker.evaluate(DELIVER, {"title": "Your turn", "body": "", "tag": "t", "url": "https://elsewhere.example/x"})
    expect(ann.part("waiting")).to_be_hidden()
    ann.goto(f"/tables/{table}")
    shown = worker.evaluate(DELIVER, {"title": "Your turn", "body": "", "tag": "t", "url": f"/tables/{table}"})
    assert shown is None


@pytest.mark.slow
def test_notifications_are_switched_on_and_off(visit: Visitors) -> None:
    ann, bob = visit(**ALLOWED), visit()
    push = PushBrowser().subscription("https://push.example.org/send/1")
    ann.context.add_init_script(FAKE_PUSH % (json.dumps(push), "granted", "granted"))
    table = ann.open_new_table("realm", bob, clock={"kind": "days", "days": 3})
    for path in (f"/tables/{table}", "/account", "/my-games"):
        page = ann.goto(path)
        toggle = page.get_by_role("switch", name="Notify me when it is my turn")
        expect(toggle).to_be_enabled()
        expect(toggle).not_to_be_checked()
        toggle.click()
        expect(ann.part("notify-hint")).to_contain_text("On. You get a message")
        assert ann.get("/api/me/notifications")["on"]
        assert page.evaluate("sessionStorage.getItem('key')") == ann.get("/api/me/notifications")["public_key"]
        page.reload()
        expect(toggle).to_be_checked()
        check_accessibility(ann)
        toggle.click()
        expect(ann.part("notify-hint")).to_contain_text("Off.")
        assert not ann.get("/api/me/notifications")["on"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "text"),
    [
        (
            FAKE_PUSH % ("null", "denied", "denied") + 'sessionStorage.setItem("permission", "denied");',
            "blocks notifications",
        ),
        ("delete window.PushManager;", "does not support"),
        (
            "delete window.PushManager; Object.defineProperty(navigator, 'userAgent', { get: () => 'iPhone' });",
            "home screen",
        ),
        ("Object.defineProperty(window, 'isSecureContext', { get: () => false });", "https"),
    ],
)
def test_the_switch_says_why_it_does_not_work(visit: Visitors, script: str, text: str) -> None:
    ann = visit(fresh=True, **PHONE)
    ann.post("/api/me")
    ann.context.add_init_script(script)
    ann.goto("/my-games")
    expect(ann.part("notify-hint")).to_contain_text(text)
    expect(ann.part("notify-switch")).to_be_disabled()
    check_width(ann)
    check_accessibility(ann)


@pytest.mark.slow
def test_a_refused_permission_leaves_them_off(visit: Visitors) -> None:
    ann = visit(fresh=True)
    ann.post("/api/me")
    ann.context.add_init_script(FAKE_PUSH % ("null", "denied", "denied"))
    ann.goto("/my-games")
    ann.part("notify-switch").click()
    expect(ann.part("notify-hint")).to_contain_text("blocks notifications")
    expect(ann.part("notify-switch")).not_to_be_checked()


@pytest.mark.parametrize("width", [390, pytest.param(360, marks=pytest.mark.slow)])
def test_the_header_of_a_phone_names_my_games_and_keeps_the_dark_mode(visit: Visitors, width: int) -> None:
    ann = visit(**{**PHONE, "viewport": {"width": width, "height": 844}})
    ann.post("/api/tables", {"game": "realm", "seats": ["me", "bot:greedy"]})
    page = ann.goto("/rules")
    page.evaluate("document.dispatchEvent(new CustomEvent('waiting', { detail: { count: 2 } }))")
    header = page.locator("header.site")
    parts = [
        header.get_by_role("link", name="Rules"),
        header.get_by_text("My games", exact=True),
        header.get_by_role("button", name="Toggle dark mode"),
        header.locator(".who"),
    ]
    edges = [(box["x"], box["x"] + box["width"]) for box in map(box_of, parts)]
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(edges)), "they do not overlap"
    assert edges[-1][1] <= width
