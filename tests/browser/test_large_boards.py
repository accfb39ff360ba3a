"""Large boards: layers that load once, and panning and zooming by mouse, touch and keyboard."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Visitors, serve_games
from tests.browser.input_devices import center_of, drag_with_mouse, get_focused_handle, press, touch
from tests.browser.test_pages import check_best_practices, check_width
from tests.browser.visitor import PHONE, SMALL_PHONE, Visitor, box_of
from tests.toys.hex_map import HexMap

VIEW_JS = """() => {
  const { a, e, f } = new DOMMatrix(getComputedStyle(document.querySelector('[data-role="canvas"]')).transform);
  return [a, e, f].map((number) => Math.round(100 * number) / 100);
}"""  # the scale and position of the board
IS_INSIDE_JS = """element => {
  const place = element.getBoundingClientRect();
  const frame = document.querySelector('[data-role="board"]').getBoundingClientRect();
  const [right, down] = [place.left >= frame.left && place.right <= frame.right, place.top >= frame.top];
  return right && down && place.bottom <= frame.bottom;
}"""
WATCH_LAYERS_JS = """() => {
  window.emptied = 0;
  window.moved = 0;
  const watcher = new MutationObserver((changes) => (window.moved += changes.length));
  watcher.observe(document.querySelector('[data-role="layers"]'), { childList: true });
  const check = () => {
    if (!document.querySelector('[data-layer] > svg')) window.emptied += 1;
    requestAnimationFrame(check);
  };
  check();
}"""
LAYER_SIZES_JS = """() => performance.getEntriesByType('resource')
  .filter(({ name }) => name.includes('/layers/')).map((entry) => entry.transferSize)"""  # 0 for what was cached
COVERED_JS = """places => {
  const tools = document.querySelector('[data-role="view-tools"]').getBoundingClientRect();
  return places.map((place) => place.getBoundingClientRect()).filter(({ left, right, top, bottom }) => {
    const across = Math.min(right, tools.right) - Math.max(left, tools.left);
    return across > 1 && Math.min(bottom, tools.bottom) - Math.max(top, tools.top) > 1;
  });
}"""  # the places of which the zoom buttons cover a part
EXPLORED = re.compile("A2 (forest|hills|marsh|plain|rock|lake)")
SIZES = {
    "small phone": (320, 640),
    "phone": (360, 740),
    "phone held sideways": (740, 360),
    "tablet": (800, 1100),
    "square": (800, 700),
    "desktop": (1400, 900),
}
Arrive = Callable[..., tuple[Visitor, str]]


@pytest.fixture(scope="module")
def map_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that knows the toy maps."""
    with serve_games(tmp_path_factory.mktemp("maps"), HexMap(), HexMap(fog=True)) as url:
        yield url


@pytest.fixture
def arrive(visit: Visitors, map_server: str) -> Arrive:
    """Open a map table as a visitor who plays every seat."""

    def open_map(game: str = "hex_map", **wishes: Any) -> tuple[Visitor, str]:
        visitor = visit(map_server, **wishes)
        table = visitor.enter_new_table(game)
        expect(visitor.part("layers").locator("svg")).to_have_count(1)
        expect(visitor.part("view-tools")).to_be_visible()
        return visitor, table

    return open_map


def view(visitor: Visitor) -> tuple[float, float, float]:
    scale, right, down = visitor.page.evaluate(VIEW_JS)
    return scale, right, down


def scale(visitor: Visitor) -> float:
    return view(visitor)[0]


def wait_until(visitor: Visitor, condition: Callable[[], bool]) -> None:
    """Wait for a condition; the page's policy forbids `wait_for_function`."""
    for _ in range(200):
        if condition():
            return
        visitor.page.wait_for_timeout(50)
    raise AssertionError(f"still {view(visitor)}")


def scroll_position(visitor: Visitor) -> int:
    """Return how far the page is scrolled."""
    pixels: int = visitor.page.evaluate("Math.round(scrollY)")
    return pixels


def button(visitor: Visitor, name: str) -> None:
    visitor.part("view-tools").get_by_role("button", name=name).click()


def double_tap(visitor: Visitor, x: float, y: float) -> None:
    """Tap twice at the moments that a finger would, however late a busy machine sends them."""
    screen = visitor.context.new_cdp_session(visitor.page)
    start = time.time()
    for after_s, kind in ((0.0, "touchStart"), (0.04, "touchEnd"), (0.14, "touchStart"), (0.18, "touchEnd")):
        fingers = [{"x": x, "y": y}] if kind == "touchStart" else []
        moment = {"type": kind, "touchPoints": fingers, "timestamp": start + after_s}
        screen.send("Input.dispatchTouchEvent", moment)
    screen.detach()


# ---- layers


def test_a_layer_is_loaded_once_and_never_empty_or_moved(arrive: Arrive) -> None:
    visitor, table = arrive(fresh=True)
    visitor.page.evaluate(WATCH_LAYERS_JS)
    requests: list[str] = []
    visitor.page.on("request", lambda request: requests.append(request.url))
    first = visitor.scene(table)["layers"][0]["key"]
    visitor.pick("A1")
    visitor.pick("A2")  # an unexplored tile: the land changes
    expect(visitor.part("layers")).to_contain_text(EXPLORED)
    visitor.move(table, "D4")
    visitor.move(table, "A1")  # the start was never entered: it is drawn too
    expect(visitor.part("headline")).to_contain_text("Bob")
    visitor.move(table, "D5")
    visitor.move(table, "A2")  # known land: nothing to load
    expect(visitor.handle("A2")).to_have_attribute("aria-label", re.compile("Ann"))
    layers = [url for url in requests if "/layers/" in url]
    assert len(layers) == len(set(layers)) == 4
    assert not any(first in url for url in layers)
    assert visitor.page.evaluate("[window.emptied, window.moved]") == [0, 0]


@pytest.mark.slow
def test_the_browser_caches_layers_over_visits(arrive: Arrive) -> None:
    visitor, _ = arrive(fresh=True)
    assert max(visitor.page.evaluate(LAYER_SIZES_JS)) > 0
    visitor.page.goto("/rules")
    visitor.page.go_back()
    expect(visitor.part("layers").locator("svg")).to_have_count(1)
    assert set(visitor.page.evaluate(LAYER_SIZES_JS)) == {0}


@pytest.mark.slow
def test_layers_lie_exactly_under_the_picture(arrive: Arrive) -> None:
    visitor, _ = arrive()
    for _ in range(2):
        boxes = [box_of(part.locator("> svg, > div > svg")) for part in map(visitor.part, ("picture", "layers"))]
        assert boxes[0] == boxes[1]
        button(visitor, "Zoom in")


@pytest.mark.slow
def test_earlier_moments_lines_and_previews_have_their_layers(arrive: Arrive) -> None:
    visitor, table = arrive()
    visitor.move(table, "A2")
    expect(visitor.part("layers")).to_contain_text(EXPLORED)
    press(visitor, "[")
    press(visitor, "[")
    expect(visitor.part("where")).to_contain_text("step 0")
    expect(visitor.part("layers")).not_to_contain_text(EXPLORED)
    visitor.part("leave").click()
    expect(visitor.part("layers")).to_contain_text(EXPLORED)
    visitor.part("whatif").click()
    visitor.pick("D5")
    visitor.handle("C5").hover()
    expect(visitor.part("preview")).to_be_visible()
    expect(visitor.part("picture")).to_have_css("opacity", "0")
    expect(visitor.part("layers").locator("svg")).to_have_count(1)
    visitor.pick("C5")
    expect(visitor.part("branch")).to_contain_text("C5")
    expect(visitor.part("picture")).to_have_css("opacity", "1")
    visitor.goto(f"/tables/{table}/replay")
    expect(visitor.part("layers")).to_contain_text(EXPLORED)


@pytest.mark.slow
def test_a_layer_that_cannot_be_loaded_is_reported_and_loaded_later(arrive: Arrive) -> None:
    visitor, table = arrive(fresh=True)
    visitor.forgives += ["Failed to load resource", "ERR_FAILED"]
    fails = True

    def answer(route: Route) -> None:
        if fails:
            route.abort()
        else:
            route.continue_()

    visitor.page.route("**/layers/*.svg", answer)
    visitor.move(table, "A2")
    expect(visitor.handle("A2")).to_have_attribute("aria-label", re.compile("Ann"))
    expect(visitor.part("layers").locator("svg")).to_have_count(1)  # the old land stays
    expect(visitor.part("layer-trouble")).to_be_visible()
    fails = False
    visitor.part("layer-retry").click()
    expect(visitor.part("layer-trouble")).to_be_hidden()
    expect(visitor.part("layers")).to_contain_text(EXPLORED)


@pytest.mark.slow
def test_both_sides_of_a_hidden_map_can_be_seen_by_a_player_of_both(arrive: Arrive) -> None:
    visitor, table = arrive("fog_map")
    visitor.move(table, "A2")
    expect(visitor.part("headline")).to_contain_text("Bob")
    expect(visitor.part("layers")).not_to_contain_text(EXPLORED)
    visitor.move(table, "D4")
    expect(visitor.part("layers")).to_contain_text(EXPLORED)


@pytest.mark.slow
def test_the_theme_of_the_page_is_the_theme_of_the_layers(arrive: Arrive) -> None:
    visitor, _ = arrive(color_scheme="dark")
    colour = "getComputedStyle(document.querySelector('[data-layer] .hm-tile')).fill"
    dark = visitor.page.evaluate(colour)
    visitor.page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert visitor.page.evaluate(colour) != dark


# ---- the mouse


def test_the_wheel_zooms_at_the_pointer(arrive: Arrive) -> None:
    visitor, _ = arrive()
    at = center_of(visitor.handle("C2"))
    visitor.page.mouse.move(*at)
    for _ in range(3):
        visitor.page.mouse.wheel(0, -200)
    expect(visitor.part("board")).to_have_class(re.compile("zoomed"))
    wait_until(visitor, lambda: scale(visitor) > 3)
    # The browser rounds the pointer's position down, and the rest is enlarged.
    assert center_of(visitor.handle("C2")) == pytest.approx(at, abs=scale(visitor) - 1 + 0.5)
    assert scroll_position(visitor) == 0
    for _ in range(4):
        visitor.page.mouse.wheel(0, 300)
    wait_until(visitor, lambda: scale(visitor) == 1)


@pytest.mark.slow
def test_dragging_pans_and_clicks_nothing(arrive: Arrive) -> None:
    visitor, _ = arrive()
    button(visitor, "Zoom in")
    button(visitor, "Zoom in")
    visitor.handle("A1").evaluate("element => element.focus()")
    press(visitor, "Enter")
    expect(visitor.handle("A1")).to_have_class(re.compile("chosen"))
    _, right, down = view(visitor)
    drag_with_mouse(visitor, "C3", "B3")  # up and to the right
    assert view(visitor)[1] > right + 50
    assert view(visitor)[2] < down - 50
    expect(visitor.handle("A1")).to_have_class(re.compile("chosen"))  # not deselected
    x, y = center_of(visitor.part("board"))
    for _ in range(5):  # as far as the board reaches
        visitor.page.mouse.move(x, y)
        visitor.page.mouse.down()
        visitor.page.mouse.move(x + 300, y, steps=3)
        visitor.page.mouse.up()
    assert view(visitor)[1] == pytest.approx(0, abs=1)


def test_a_button_released_outside_the_board_does_not_go_on_dragging_it(arrive: Arrive) -> None:
    visitor, _ = arrive()
    button(visitor, "Zoom in")
    before = view(visitor)
    x, y = center_of(visitor.handle("C3"))
    visitor.page.mouse.move(x, y)
    visitor.page.mouse.down()
    visitor.page.mouse.move(2, 2)
    visitor.page.mouse.up()
    visitor.page.mouse.move(x, y)
    visitor.page.mouse.move(x + 80, y, steps=4)
    assert view(visitor) == before


@pytest.mark.slow
def test_a_piece_can_be_dragged_on_a_zoomed_board(arrive: Arrive) -> None:
    visitor, table = arrive()
    button(visitor, "Show where to act")
    expect(visitor.part("board")).to_have_class(re.compile("zoomed"))
    before = scale(visitor)
    start, target = center_of(visitor.handle("A1")), center_of(visitor.handle("A2"))
    visitor.page.mouse.move(*start)
    visitor.page.mouse.down()
    visitor.page.mouse.move(*target, steps=4)
    copy = center_of(visitor.part("picture").locator(".dragged polygon"))
    assert copy == pytest.approx(target, abs=3)  # the copy follows the pointer
    visitor.page.mouse.up()
    expect(visitor.part("headline")).to_contain_text("Bob")
    wait_until(visitor, lambda: bool(visitor.handle("D5").evaluate(IS_INSIDE_JS)))  # the view follows the turn
    assert scale(visitor) == before
    assert visitor.scene(table)["step"] == 2


@pytest.mark.slow
def test_a_double_click_zooms_in_and_finally_out(arrive: Arrive) -> None:
    visitor, _ = arrive()
    for expected in (2, 4, 8, 1):
        visitor.handle("C3").dblclick()
        assert scale(visitor) == expected


@pytest.mark.slow
def test_buttons_zoom_and_show_the_whole_board(arrive: Arrive) -> None:
    visitor, _ = arrive()
    button(visitor, "Zoom in")
    assert scale(visitor) == 1.5
    button(visitor, "Zoom out")
    assert scale(visitor) == 1
    button(visitor, "Show where to act")
    assert scale(visitor) > 1
    assert visitor.handle("A1").evaluate(IS_INSIDE_JS)
    assert not visitor.handle("D5").evaluate(IS_INSIDE_JS)
    button(visitor, "Show the whole board")
    assert view(visitor) == (1, 0, 0)


@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=pytest.mark.slow) if size != "phone" else size for size in SIZES]
)
def test_the_zoom_buttons_cover_nothing_that_can_be_chosen(arrive: Arrive, size: str) -> None:
    width, height = SIZES[size]
    touch_screen = {} if max(width, height) > 1000 else PHONE
    visitor, table = arrive(**{**touch_screen, "viewport": {"width": width, "height": height}})
    button(visitor, "Show the whole board")
    assert scale(visitor) == 1
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    button(visitor, "Show where to act")
    visitor.move(table, "A2")  # the next move starts in the opposite corner
    wait_until(visitor, lambda: bool(visitor.handle("D5").evaluate(IS_INSIDE_JS)))
    assert visitor.lit.evaluate_all(COVERED_JS) == []
    visitor.handle("D5").click()
    expect(visitor.handle("D5")).to_have_class(re.compile("chosen"))


# ---- the keyboard


@pytest.mark.slow
def test_keys_zoom_and_pan(arrive: Arrive) -> None:
    visitor, _ = arrive()
    for key, expected in (("+", 1.5), ("=", 2.25), ("-", 1.5), ("0", 1)):
        press(visitor, key)
        assert scale(visitor) == expected
    press(visitor, "+")
    press(visitor, "+")
    before = view(visitor)
    visitor.part("view-tools").get_by_role("button").first.focus()
    press(visitor, "ArrowRight")
    assert view(visitor)[1] < before[1]
    visitor.handle("B3").evaluate("element => element.focus({ preventScroll: true })")
    before = view(visitor)
    press(visitor, "Shift+ArrowUp")
    assert view(visitor)[2] > before[2]
    assert get_focused_handle(visitor) == "B3"
    visitor.page.keyboard.press("/")
    before = view(visitor)
    visitor.page.keyboard.type("0+-")
    assert view(visitor) == before


@pytest.mark.slow
def test_a_place_with_the_focus_comes_into_view(arrive: Arrive) -> None:
    visitor, _ = arrive()
    for _ in range(3):
        press(visitor, "+")
    press(visitor, "n")  # the only place where a move starts
    assert get_focused_handle(visitor) == "A1"
    assert visitor.handle("A1").evaluate(IS_INSIDE_JS)
    for key, name in (("ArrowDown", "C1"), ("ArrowRight", "C2"), ("ArrowRight", "C3"), ("ArrowUp", "A3")):
        press(visitor, key)
        expect(visitor.handle(name)).to_be_focused()  # the first arrow key loads a script
        assert visitor.handle(name).evaluate(IS_INSIDE_JS)
    assert scroll_position(visitor) == 0


# ---- what stays


@pytest.mark.slow
def test_the_view_of_a_watcher_stays_when_the_picture_changes_and_the_page_is_loaded_again(
    arrive: Arrive, visit: Visitors, map_server: str
) -> None:
    player, table = arrive()
    watcher = visit(map_server)
    watcher.goto(f"/tables/{table}")
    expect(watcher.part("view-tools")).to_be_visible()
    watcher.page.mouse.move(*center_of(watcher.handle("B3")))
    watcher.page.mouse.wheel(0, -300)
    wait_until(watcher, lambda: scale(watcher) > 1)
    before = view(watcher)
    player.move(table, "A2")
    expect(watcher.handle("A2")).to_have_attribute("aria-label", re.compile("Ann"))
    assert view(watcher) == before
    press(watcher, "[")
    expect(watcher.part("where")).to_contain_text("step")
    assert view(watcher) == before
    watcher.page.reload()
    expect(watcher.part("view-tools")).to_be_visible()
    assert view(watcher) == pytest.approx(before, abs=1)


@pytest.mark.slow
def test_another_size_of_the_window_keeps_the_place(arrive: Arrive) -> None:
    visitor, _ = arrive()
    button(visitor, "Show where to act")
    visitor.page.set_viewport_size({"width": 700, "height": 800})
    visitor.page.wait_for_timeout(100)
    assert visitor.handle("A1").evaluate(IS_INSIDE_JS)


# ---- touch


def test_two_fingers_zoom_and_one_pans(arrive: Arrive) -> None:
    visitor, table = arrive(**PHONE)
    button(visitor, "Show the whole board")
    x, y = center_of(visitor.handle("B3"))
    touch(visitor, ((x - 20, y), (x + 20, y)), ((x - 30, y), (x + 30, y)), ((x - 45, y), (x + 45, y)))
    zoomed = view(visitor)
    assert zoomed[0] == pytest.approx(2.25, abs=0.2)
    assert center_of(visitor.handle("B3"))[0] == pytest.approx(x, abs=12)  # the frame is filled from top to bottom
    before = scroll_position(visitor)
    touch(visitor, ((x, y),), ((x - 15, y),), ((x - 60, y - 8),))
    assert view(visitor)[1] < zoomed[1] - 30
    assert scroll_position(visitor) == before
    assert visitor.scene(table)["step"] == 0


@pytest.mark.slow
def test_a_phone_starts_where_the_next_move_is_and_a_double_tap_zooms(arrive: Arrive) -> None:
    visitor, table = arrive(**PHONE)
    start = view(visitor)
    assert start[0] > 1
    assert visitor.handle("A1").evaluate(IS_INSIDE_JS)
    double_tap(visitor, *center_of(visitor.handle("B2")))
    wait_until(visitor, lambda: scale(visitor) > 1.5 * start[0])
    assert visitor.scene(table)["step"] == 0
    button(visitor, "Show the whole board")
    visitor.tap("A1")
    expect(visitor.handle("A1")).to_have_class(re.compile("chosen"))


@pytest.mark.slow
@pytest.mark.parametrize("device", [{"color_scheme": "dark", "viewport": SMALL_PHONE["viewport"]}, {}, PHONE])
def test_a_large_board_is_accessible(arrive: Arrive, device: dict[str, Any]) -> None:
    visitor, _ = arrive(**device)
    check_best_practices(visitor)
    check_width(visitor)


@pytest.mark.slow
def test_other_boards_load_nothing_of_this(arrive: Arrive) -> None:
    visitor, _ = arrive(fresh=True)
    requests: list[str] = []
    visitor.page.on("request", lambda request: requests.append(request.url))
    visitor.enter_new_table("realm")
    expect(visitor.lit.first).to_be_visible()
    assert not [url for url in requests if re.search(r"layers|pan\.js", url)]
    expect(visitor.part("view-tools")).to_be_hidden()
