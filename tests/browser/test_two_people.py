"""Two players in separate browsers and a spectator see each other's actions at once."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import FloatRect, expect

import realmtable
from tests.browser.conftest import Visitors
from tests.browser.visitor import DESKTOP, LAPTOP, PHONE, Visitor, box_of, click_path, expect_over, expect_scene

GAME = realmtable.infos()[0].id


class Pair(NamedTuple):
    """Two players at one table."""

    host: Visitor
    friend: Visitor
    table: str

    def mover_and_waiter(self) -> tuple[Visitor, Visitor]:
        """Return the player to move and the player who waits."""
        mine = self.host.scene(self.table)["your_turn"]
        return (self.host, self.friend) if mine else (self.friend, self.host)

    def move(self) -> Any:
        """Make a move on the board as the player to move, check both pages, and return the mover's scene."""
        mover, other = self.mover_and_waiter()
        scene = mover.scene(self.table)
        choice = scene["choices"][len(scene["choices"]) // 2]
        for handle in click_path(scene, choice["move"]):
            mover.pick(handle)
        mover.confirm_move(choice["move"])
        expect(mover.part("slider")).to_have_attribute("max", str(scene["step"] + 1))
        for person in (mover, other):
            expect_scene(person, person.scene(self.table))
        return mover.scene(self.table)


@pytest.fixture
def pair(visit: Visitors) -> Pair:
    """Two seated players."""
    return seat_two(visit)


def seat_two(visit: Visitors, **device: Any) -> Pair:
    """Seat two players with such devices at a table, and let both open its page."""
    host, friend = visit(**device), visit(**device)
    table = host.open_new_table(GAME, friend)
    for person in (host, friend):
        person.goto(f"/tables/{table}")
    return Pair(host, friend, table)


def test_an_invitation_and_the_first_moves(visit: Visitors) -> None:
    host, friend = visit(), visit()
    host.goto(f"/play/{GAME}").get_by_label("A friend").check()
    host.page.get_by_role("button", name="Start").click()
    expect(host.part("invite")).to_be_visible()
    link = host.page.url
    expect(host.part("invite-link")).to_have_value(link)
    friend.goto(link)
    expect(friend.part("headline")).to_contain_text("invites you to")
    friend.page.get_by_role("button", name="Play", exact=True).click()
    for person in (host, friend):
        expect(person.part("invite")).to_be_hidden()
        expect(person.part("sit")).to_be_hidden()
        expect(person.part("headline")).not_to_have_text("Waiting for players")

    pair = Pair(host, friend, link.rpartition("/")[2])
    for _ in range(3):
        pair.move()
    mover, other = pair.mover_and_waiter()
    expect(mover.part("headline")).to_contain_text("Your turn")
    expect(other.part("headline")).not_to_contain_text("Your turn")
    expect(mover.part("seats").locator("li.turn")).to_contain_text("you")
    expect(other.lit).to_have_count(0)
    expect(other.part("prompt")).to_contain_text("Waiting for")


@pytest.mark.slow
def test_a_draw_is_offered_declined_withdrawn_and_agreed(pair: Pair) -> None:
    host, friend, table = pair
    pair.move()
    host.open_menu("draw").click()
    expect(friend.part("offer")).to_contain_text("draw")
    expect(host.part("withdraw")).to_be_visible()
    friend.part("decline").click()
    for person in (host, friend):
        expect(person.part("offer")).to_be_empty()
    friend.open_menu("draw").click()
    expect(host.part("accept")).to_be_visible()
    friend.part("withdraw").click()
    expect(host.part("accept")).to_be_hidden()
    for person in (host, friend):
        expect(person.part("draw")).to_be_disabled()  # one offer per turn
    pair.move()
    pair.move()
    host.open_menu("draw").click()
    friend.part("accept").click()
    for person in (host, friend):
        expect_over(person, table)


@pytest.mark.parametrize(
    "device", [pytest.param(DESKTOP, marks=pytest.mark.slow), LAPTOP, PHONE], ids=["desktop", "laptop", "phone"]
)
def test_entries_of_the_menu_keep_their_places(visit: Visitors, device: dict[str, Any]) -> None:
    pair = seat_two(visit, **device)
    pair.move()
    pair.move()
    host, friend, _ = pair
    places: list[dict[str, FloatRect]] = [{}, {}]

    def look() -> None:
        for person, known in zip((host, friend), places, strict=True):
            expect(person.open_menu("resign")).to_be_visible()
            for role in ("resign", "draw", "takeback"):
                assert known.setdefault(role, box_of(person.part(role))) == box_of(person.part(role))
            person.page.keyboard.press("Escape")
            assert not re.search(r"[.!?]\.", person.part("announcer").text_content() or "")

    look()
    for role in ("draw", "takeback"):
        host.open_menu(role).click()
        expect(friend.part("accept")).to_be_visible()
        look()
        friend.part("decline").click()
        expect(host.part("withdraw")).to_be_hidden()
        expect(host.part(role)).to_be_disabled()
        look()
    for _ in range(2):
        pair.move()
        look()


@pytest.mark.slow
def test_a_turn_is_taken_back_by_agreement(pair: Pair) -> None:
    mover, other = pair.mover_and_waiter()
    pair.move()
    expect(mover.part("moves").locator("button.move")).to_have_count(1)
    mover.open_menu("takeback").click()
    expect(other.part("offer")).to_contain_text("take back")
    other.part("accept").click()
    for person in (mover, other):
        expect(person.part("moves").locator("button.move")).to_have_count(0)
        expect_scene(person, person.scene(pair.table))
    assert pair.mover_and_waiter() == (mover, other)


@pytest.mark.slow
def test_one_resigns_and_both_play_again_the_loser_first(pair: Pair) -> None:
    host, friend, table = pair
    host.open_menu("resign").click()
    host.part("confirm").get_by_role("button", name="Keep playing").click()
    expect(host.part("confirm")).to_be_hidden()
    assert host.scene(table)["status"] == "running"
    host.open_menu("resign").click()
    host.part("resign-yes").click()
    for person in (host, friend):
        expect_over(person, table)
    expect(host.part("headline")).to_have_text("You lost by resignation.")
    expect(friend.part("headline")).to_contain_text("You won: ")
    friend.part("rematch").click()
    friend.page.wait_for_url(lambda url: not url.endswith(table))
    names = [seat["player"]["name"] for seat in host.scene(table)["seats"]]
    expect(friend.part("invite-title")).to_have_text(f"Waiting for {names[0]} to accept")
    expect(friend.part("invite-link")).to_be_hidden()
    expect(host.part("rematch-offer")).to_have_text(f"{names[1]} wants a rematch.")
    expect(host.part("rematch")).to_have_text("Join rematch")
    host.part("rematch").click()
    host.page.wait_for_url(friend.page.url)
    again = host.page.url.rpartition("/")[2]
    assert [person.scene(again)["you"] for person in (host, friend)] == [[0], [1]]  # the loser moves first
    Pair(host, friend, again).move()


def test_a_rematch_is_declined_in_words_and_says_when_the_other_has_gone(pair: Pair) -> None:
    host, friend, table = pair
    friend.post(f"/api/tables/{table}/resign")
    expect_over(host, table)
    name = host.scene(table)["seats"][1]["player"]["name"]
    friend.part("rematch").click()
    friend.page.wait_for_url(lambda url: not url.endswith(table))
    expect(host.part("rematch-offer")).to_have_text(f"{name} wants a rematch.")
    host.part("decline-rematch").dblclick()  # the second click hits nothing else
    expect(host.part("rematch-offer")).to_have_text("You declined the rematch.")
    expect(host.part("decline-rematch")).to_be_hidden()
    assert host.page.url.endswith(table)
    expect(friend.part("chat-toast")).to_contain_text("No rematch for me, thank you.")
    assert len(friend.scene(friend.page.url.rpartition("/")[2])["chat"]) == 1
    friend.goto("/")
    host.page.reload()
    expect(host.part("rematch-offer")).to_have_text(f"{name} wants a rematch, but is offline.")


@pytest.mark.slow
@pytest.mark.parametrize("chat", ["players", "nobody"])
def test_a_player_who_declines_a_rematch_without_chat_reads_that_the_other_was_not_notified(
    chat: str, visit: Visitors
) -> None:
    host, friend = visit(), visit()
    table = host.enter_new_table(GAME, friend, chat=chat)
    friend.post(f"/api/tables/{table}/resign")
    name = host.scene(table)["seats"][1]["player"]["name"]
    friend.post(f"/api/tables/{table}/rematch")
    host.forgives.append("403")
    host.part("decline-rematch").click()
    expect(host.part("rematch-offer")).to_have_text(f"You declined the rematch, but {name} was not notified.")
    expect(host.part("decline-rematch")).to_be_hidden()


def test_people_read_that_others_will_see_their_hint(visit: Visitors) -> None:
    host, friend = visit(**PHONE), visit()
    host.enter_new_table("realm", friend)
    expect(host.part("hint")).to_have_attribute("title", re.compile("Your opponent will see"))


@pytest.mark.slow
def test_who_watches_sees_everything_and_does_nothing(pair: Pair, visit: Visitors) -> None:
    watcher = visit()
    watcher.goto(f"/tables/{pair.table}")
    pair.move()
    scene = watcher.scene(pair.table)
    assert scene["choices"] == []
    expect_scene(watcher, scene)
    for role in ("sit", "undo", "draw", "takeback", "resign", "rematch", "notation-form", "invite"):
        expect(watcher.part(role)).to_be_hidden()
    expect(watcher.page.locator(".action-panel [data-pick], .action-panel [data-move]")).to_have_count(0)


@pytest.mark.slow
def test_people_talk(pair: Pair, visit: Visitors) -> None:
    host, friend, table = pair
    watcher = visit()
    watcher.goto(f"/tables/{table}")
    host.open_tab("chat")
    host.part("chat-text").fill("Good luck <b>you</b>!")
    host.page.keyboard.press("Enter")
    expect(host.part("chat")).to_contain_text("Good luck <b>you</b>!")
    expect(host.part("chat-text")).to_have_value("")
    for person in (friend, watcher):
        expect(person.part("unread")).to_have_text("1")
        person.open_tab("chat")
        expect(person.part("unread")).to_be_empty()
        expect(person.part("chat")).to_contain_text("Good luck <b>you</b>!")


@pytest.mark.slow
def test_a_free_seat_is_shown_in_the_lobby_at_once(visit: Visitors) -> None:
    waiting, host = visit(), visit()
    waiting.goto("/")
    host.goto(f"/play/{GAME}").get_by_label("Anyone").check()
    host.page.get_by_role("button", name="Start").click()
    expect(host.part("headline")).to_have_text("Waiting for players")
    expect(host.part("caption")).to_have_text("Not started yet.")
    expect(host.part("picture").get_by_text("to move").filter(visible=True)).to_have_count(0)
    table = host.page.url.rpartition("/")[2]
    waiting.page.locator(f"#open-{table}").get_by_role("button", name="Join").click()
    expect(waiting.part("headline")).not_to_have_text("Waiting for players")
    expect(host.part("headline")).not_to_have_text("Waiting for players")


def test_a_bot_is_played_within_two_clicks(visitor: Visitor) -> None:
    page = visitor.goto("/")
    page.get_by_role("link", name="Play ", exact=False).filter(has_text=realmtable.infos()[0].title).first.click()
    page.get_by_role("button", name="Start").click()
    expect(visitor.lit.first).to_be_visible()
    table = page.url.rpartition("/")[2]
    scene = visitor.scene(table)
    assert sum(seat["bot"] is not None for seat in scene["seats"]) == len(scene["seats"]) - 1
    for handle in scene["choices"][0]["path"]:
        visitor.pick(handle)
    visitor.confirm_move(scene["choices"][0]["move"])
    visitor.open_tab("moves")
    expect(visitor.part("moves").locator("button.move").nth(len(scene["lines"]) + 1)).to_be_visible()  # it answers


def test_the_lobby_keeps_the_focus_when_its_lists_change(visit: Visitors) -> None:
    host, guest = visit(), visit()
    first = host.open_new_table(GAME, seats=["me", "open"], listed=True)
    button = guest.goto("/").locator(f"#open-{first}").get_by_role("button")
    button.focus()
    second = host.open_new_table(GAME, seats=["me", "open"], listed=True)
    expect(guest.page.locator(f"#open-{second}")).to_be_visible()
    expect(button).to_be_focused()
