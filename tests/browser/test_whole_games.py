"""Complete plays of every game by mouse, touch and keyboard; nothing here knows a particular game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import expect

import realmtable
from tests.browser import input_devices
from tests.browser.conftest import Visitors
from tests.browser.scripted_games import ScriptedGame, bot_game, from_middle, game_with_multi_step_turns, last_turns
from tests.browser.visitor import PHONE, Visitor, click_path, expect_over, expect_scene

GAMES = [
    info.id for info in realmtable.infos() if not info.hidden and not info.chance
]  # continued from a public position
DAILY = "realm"  # the other games are left to the slow tests
# A way to make a move: takes the visitor, the clicks that select the move, and its text.
MoveInput = Callable[[Visitor, list[str], str], None]


def clicks_before_button(visitor: Visitor, path: list[str], move: str) -> Iterator[str]:
    """Yield the clicks of a move, until the page has a button for the move itself."""
    for handle in path:
        if visitor.part("action-panel").locator(f'[data-move="{move}"]').count():
            return
        yield handle


def by_mouse(visitor: Visitor, path: list[str], move: str) -> None:
    for handle in clicks_before_button(visitor, path, move):
        visitor.pick(handle)
    visitor.confirm_move(move)


def by_finger(visitor: Visitor, path: list[str], move: str) -> None:
    for handle in clicks_before_button(visitor, path, move):
        visitor.tap(handle)
    visitor.confirm_move(move)


def by_keys(visitor: Visitor, path: list[str], move: str) -> None:
    """Make a move with the arrow keys and Enter, wherever on the page the choice is offered."""
    for handle in clicks_before_button(visitor, path, move):
        button = visitor.part("action-panel").locator(f'[data-pick="{handle}"]')
        expect(visitor.handle(handle).or_(button)).to_be_visible()
        if button.count():
            input_devices.tab_to(visitor, button)
        else:
            input_devices.tab_to(visitor, visitor.part("picture"))
            input_devices.arrow_to(visitor, handle)
        input_devices.press(visitor, "Enter")
    said = visitor.part("action-panel").locator(f'[data-move="{move}"]')
    if said.count():
        input_devices.tab_to(visitor, said)
        input_devices.press(visitor, "Enter")


def by_next_lit(visitor: Visitor, path: list[str], move: str) -> None:
    """Make a move with n and Enter; reach choices outside the board as with the arrow keys."""
    for handle in path:
        if not visitor.handle(handle).count():
            return by_keys(visitor, path, move)
        input_devices.press_n_until(visitor, handle)
        input_devices.press(visitor, "Enter")
    return None


def by_typing(visitor: Visitor, path: list[str], move: str) -> None:  # noqa: ARG001 - the common signature of all ways
    input_devices.type_move(visitor, move)


WAYS_BY_KEYBOARD: tuple[MoveInput, ...] = (by_keys, by_next_lit, by_typing)


def play(visitor: Visitor, played: ScriptedGame, *ways: MoveInput, look: Callable[[], None] = lambda: None) -> None:
    """Play both sides to the end, using the ways in turn for successive moves, and check the page after each."""
    table = visitor.open_table(played)
    visitor.goto(f"/tables/{table}")
    for number, move in enumerate(played.moves):
        scene = visitor.scene(table)
        expect_scene(visitor, scene)
        ways[number % len(ways)](visitor, click_path(scene, move), move)
        expect(visitor.part("slider")).to_have_attribute("max", str(scene["step"] + 1))
        look()
    expect_over(visitor, table)
    expect_scene(visitor, visitor.scene(table))


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == DAILY else pytest.mark.slow) for game in GAMES]
)
def test_with_the_mouse_to_the_end(visit: Visitors, game: str) -> None:
    play(visit(reduced_motion="no-preference"), last_turns(game, 3), by_mouse)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_with_the_mouse_from_start_to_end(visitor: Visitor, game: str) -> None:
    play(visitor, bot_game(game), by_mouse)


def by_dragging(visitor: Visitor, path: list[str], move: str) -> None:
    """Make a move by dragging with a finger if it goes from place to place, or else by tapping."""
    if len(path) > 1 and all(visitor.handle(name).count() for name in path):
        for start, end in pairwise(path):
            input_devices.drag_with_finger(visitor, start, end)
        return visitor.confirm_move(move)
    return by_finger(visitor, path, move)


def test_with_a_finger_on_a_phone(visit: Visitors) -> None:
    visitor = visit(**PHONE)
    play(visitor, _find_sliding_game(), by_dragging, by_finger)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_with_a_finger_to_the_end(visit: Visitors, game: str) -> None:
    play(visit(**PHONE), last_turns(game, 4), by_dragging, by_finger)


def _find_sliding_game() -> ScriptedGame:
    """Return an ending whose first move goes from one place to another."""
    found = (last_turns(game, turns) for game in GAMES for turns in (3, 2, 4))
    return next(one for one in found if len(_first_path(one)) > 1)


def _first_path(played: ScriptedGame) -> list[str]:
    step = played.steps[0]
    return list(played.game.handles(played.game.view(step.state, step.seat), step.move))


def test_with_the_keyboard_alone(visitor: Visitor) -> None:
    played = last_turns(game_with_multi_step_turns(), 4)
    assert len(played.moves) >= len(WAYS_BY_KEYBOARD)

    def check_focus() -> None:
        assert visitor.page.evaluate("document.activeElement !== document.body"), "a move lost the focus"

    play(visitor, played, *WAYS_BY_KEYBOARD, look=check_focus)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_with_the_keyboard_to_the_end(visitor: Visitor, game: str) -> None:
    play(visitor, last_turns(game, 4), *WAYS_BY_KEYBOARD)


@pytest.mark.parametrize("how", ["button", pytest.param("key", marks=pytest.mark.slow)])
def test_a_step_is_taken_back_within_the_turn(visitor: Visitor, how: str) -> None:
    played = from_middle(game_with_multi_step_turns())
    table = visitor.open_table(played)
    visitor.goto(f"/tables/{table}")
    before = visitor.scene(table)
    by_mouse(visitor, click_path(before, played.moves[0]), played.moves[0])
    expect(visitor.part("moves").locator("button.move")).to_have_count(1)
    if how == "button":
        visitor.part("undo").click()
    else:
        input_devices.press(visitor, "u")
    expect(visitor.part("moves").locator("button.move")).to_have_count(0)
    expect(visitor.part("undo")).to_be_disabled()
    after = visitor.scene(table)
    assert after["choices"] == before["choices"]
    expect_scene(visitor, after)


@pytest.mark.slow
def test_a_place_that_cannot_be_chosen_says_what_it_is_and_what_to_do_instead(visitor: Visitor) -> None:
    table = visitor.open_table(_find_sliding_game())
    visitor.goto(f"/tables/{table}")
    expect(visitor.lit.first).to_be_visible()
    dark = visitor.part("picture").locator("[data-handle]:not(.lit, .target)").first
    dark.hover()
    task = visitor.scene(table)["prompt"]["text"]
    expect(visitor.part("caption")).to_have_text(f"{dark.get_attribute('aria-label')}. {task}")


@pytest.mark.slow
def test_the_caption_says_what_to_do_next(visitor: Visitor) -> None:
    table = visitor.enter_new_table("realm")
    expect(visitor.part("caption")).to_have_text("Place a Base on a highlighted Center.")
    table = visitor.enter_new_table("classic_realm")
    expect(visitor.part("caption")).to_have_text("Move one of your frogs.")
    visitor.pick(visitor.scene(table)["choices"][0]["path"][0])
    expect(visitor.part("caption")).to_have_text(re.compile(r": where to\?$"))


@pytest.mark.slow
def test_after_the_first_step_of_a_turn_the_caption_says_how_it_goes_on(visitor: Visitor) -> None:
    table = visitor.open_new_table("realm")
    for move in ["Bh11", "Bh2", "Be8", "Be5", "Bb5", "Bb8", "Pi10", "Pg3", "Pf7", "Pd6", "Pc4", "Pc9"]:
        visitor.move(table, move)
    visitor.goto(f"/tables/{table}")
    expect(visitor.part("caption")).to_have_text("Move a piece, or several out of or into one Realm.")
    visitor.pick("f7")
    expect(visitor.part("caption")).to_have_text(re.compile(r": where to\?$"))
    visitor.pick("i7")
    expect(visitor.part("caption")).to_have_text("Keep moving into the Realm around h8, or end your turn.")
    expect(visitor.part("prompt")).to_be_empty()


@pytest.mark.slow
def test_the_news_marks_the_seat_and_stresses_what_others_did(visit: Visitors) -> None:
    mover, other = visit(), visit()
    table = mover.enter_new_table("classic_realm", other)
    other.goto(f"/tables/{table}")
    mover.move(table, mover.scene(table)["choices"][0]["move"])
    for person, stressed in ((mover, 0), (other, 1)):
        expect(person.part("news").locator("[data-seat='0']")).to_contain_text("White: Frog from")
        expect(person.part("news").locator(".newest")).to_have_count(stressed)
        assert person.part("news").inner_text().strip() == person.scene(table)["latest"]


@pytest.mark.long
def test_a_choice_shows_what_it_would_do(visitor: Visitor) -> None:
    played = _find_sliding_game()
    table = visitor.open_table(played)
    visitor.goto(f"/tables/{table}")
    scene = visitor.scene(table)
    *first, last = click_path(scene, played.moves[0])
    for handle in first:
        visitor.pick(handle)
    visitor.handle(last).hover()
    expect(visitor.part("preview")).to_be_visible()
    words = visitor.get(f"/api/tables/{table}/preview?move={played.moves[0]}")["words"]
    expect(visitor.part("caption")).to_have_text(words.partition(": ")[2])  # without the player's own name
    visitor.page.mouse.move(2, 2)
    expect(visitor.part("preview")).to_be_hidden()
    assert visitor.scene(table)["version"] == scene["version"]  # nothing was played
