"""The board shows a player's own side at the bottom, and can be flipped."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import realmtable
from tests.browser.conftest import Visitors
from tests.browser.input_devices import center_of
from tests.browser.visitor import PHONE, Visitor

BOARD_GAMES = [info.id for info in realmtable.infos() if info.seat_names == ("White", "Black")]
CORNERS = ("a1", "l1", "a12", "l12", "c5")


def centres(visitor: Visitor) -> dict[str, tuple[float, float]]:
    """Return where places of the board are: their distances from its middle, in whole pixels."""
    found: dict[str, tuple[float, float]] = visitor.page.evaluate(
        """(names) => {
          const middle = (element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
          };
          const picture = document.querySelector('[data-role="picture"]');
          const [x, y] = middle(picture.querySelector("svg"));
          return Object.fromEntries(names.map((name) => {
            const [across, down] = middle(picture.querySelector(`[data-handle="${name}"]`));
            return [name, [Math.round(across - x), Math.round(down - y)]];
          }));
        }""",
        list(CORNERS),
    )
    return {name: (across, down) for name, (across, down) in found.items()}


def mirror(places: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    return {name: (-across, -down) for name, (across, down) in places.items()}


def close(places: dict[str, tuple[float, float]], others: dict[str, tuple[float, float]]) -> bool:
    return all(abs(a - b) <= 1 for name in CORNERS for a, b in zip(places[name], others[name], strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("game", BOARD_GAMES)
def test_each_player_sits_at_the_bottom(visit: Visitors, game: str) -> None:
    white, black, spectator = visit(), visit(), visit()
    table = white.open_new_table(game, black)
    for person in (white, black, spectator):
        person.goto(f"/tables/{table}")
    from_white, from_black = centres(white), centres(black)
    assert from_white["a1"][0] < 0 < from_white["a1"][1]  # a1 is at the lower left
    assert close(from_black, mirror(from_white))
    assert close(centres(spectator), from_white)


def test_a_board_can_be_flipped_and_stays_so(visitor: Visitor) -> None:
    table = visitor.open_new_table(BOARD_GAMES[0])
    for path in (f"/tables/{table}", f"/tables/{table}/replay"):
        visitor.goto(path)
        before = centres(visitor)
        visitor.open_menu("flip").click()
        assert close(centres(visitor), mirror(before))
        visitor.page.reload()
        expect(visitor.part("board")).to_have_attribute("data-turned", "")
        visitor.handle("c5").focus()
        visitor.page.keyboard.press("ArrowRight")  # the keys follow the eyes
        expect(visitor.handle("b5")).to_be_focused()
        visitor.page.keyboard.press("End")
        expect(visitor.handle("a5")).to_be_focused()
        visitor.page.keyboard.press("f")
        assert close(centres(visitor), before)


@pytest.mark.slow
def test_a_piece_is_dragged_on_a_turned_board(visitor: Visitor) -> None:
    table = visitor.enter_new_table("medieval_realm")
    visitor.open_menu("flip").click()
    choice = next(each for each in visitor.scene(table)["choices"] if len(each["path"]) == 2)
    start, end = (center_of(visitor.handle(name)) for name in choice["path"])
    mouse = visitor.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(*end, steps=4)
    assert center_of(visitor.page.locator(".dragged")) == pytest.approx(end, abs=2)
    mouse.up()
    expect(visitor.part("slider")).to_have_attribute("max", "1")


@pytest.mark.slow
def test_a_table_of_cards_has_no_side_to_flip(visitor: Visitor) -> None:
    visitor.enter_new_table("fantasy_realms", seats=["bot:random", "me"])
    expect(visitor.part("flip")).to_have_count(0)
    expect(visitor.part("board")).not_to_have_attribute("data-turned", "")


def test_a_newcomer_is_asked_before_the_end_and_sees_directions_as_on_the_screen(visit: Visitors) -> None:
    """On a phone: rare buttons need a second tap, a Rearrangement is explained, and directions turn with the board."""
    visitor = visit(**PHONE)
    table = visitor.enter_new_table("realm", position="W:Bh11,Pg10,Eg12S B:Bh2,Pg3 move=W")
    choices, caption = visitor.part("action-panel"), visitor.part("caption")
    choices.get_by_role("button", name="Offer to end the game").tap()
    expect(caption).to_have_text("Offer to end the game?")
    assert visitor.scene(table)["step"] == 0
    visitor.tap("g10")  # another move instead
    expect(caption).to_contain_text("where to?")
    expect(visitor.part("why")).to_be_empty()
    expect(choices.get_by_role("button", name="Offer to end the game")).to_have_count(0)
    choices.get_by_role("button", name="Back").tap()
    choices.get_by_role("button", name="Rearrange a Realm").hover()
    expect(caption).to_have_text("Rearrange a Realm: pick a highlighted space.")
    visitor.page.mouse.move(0, 0)
    choices.get_by_role("button", name="Rearrange a Realm").tap()
    expect(caption).to_contain_text("put them back on its Border")
    expect(visitor.lit).to_have_count(1)  # not the pieces that could move
    visitor.handle("g10").tap()
    expect(visitor.part("why")).not_to_be_empty()
    expect(visitor.lit).to_have_count(1)  # no ordinary move has begun
    visitor.tap("h11")
    visitor.tap("g10")
    visitor.tap("i12")
    buttons = choices.locator("[data-pick]")
    expect(caption).to_have_text("Enforcer put on i12. Which way should it face?")
    expect(buttons).to_have_text(["▲ Up (north)", "► Right (east)", "▼ Down (south)", "◄ Left (west)"])
    visitor.open_menu("flip").tap()
    expect(buttons).to_have_text(["▼ Down (north)", "◄ Left (east)", "▲ Up (south)", "► Right (west)"])
