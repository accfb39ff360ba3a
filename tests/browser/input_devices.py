"""Touch, mouse and keyboard: dragging as a touch screen reports it, and keyboard-only navigation."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.visitor import CAN_BE_CHOSEN, Visitor

TABS_MAX = 60
ARROWS_MAX = 60
DRAG_STEPS = 6
FOCUSED_HANDLE_JS = "document.activeElement?.closest('[data-handle]')?.dataset.handle ?? ''"
HAS_FOCUS_JS = "element => element === document.activeElement"
CENTER_JS = """element => {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""

OFFSET_JS = """(element, from) => {
  const [to, at] = [element.getBoundingClientRect(), from.getBoundingClientRect()];
  const across = to.x + to.width / 2 - at.x - at.width / 2;
  return [across / at.width, to.y + to.height / 2 - at.y - at.height / 2];
}"""  # the distance from one element to another: across in its widths, down in pixels


def center_of(place: Locator) -> tuple[float, float]:
    """Return the centre of an element on the screen."""
    place.scroll_into_view_if_needed()
    right, down = place.evaluate(CENTER_JS)
    return right, down


def drag_with_finger(visitor: Visitor, start: str, end: str) -> None:
    """Drag from one place to another with a finger."""
    (right, down), (to_right, to_down) = center_of(visitor.handle(start)), center_of(visitor.handle(end))
    right, down = center_of(visitor.handle(start))  # measure again: scrolling to the target may have moved it
    to_right, to_down = visitor.handle(end).evaluate(CENTER_JS)
    parts = [step / DRAG_STEPS for step in range(DRAG_STEPS + 1)]
    touch(visitor, *(((right + (to_right - right) * part, down + (to_down - down) * part),) for part in parts))


def touch(visitor: Visitor, *frames: tuple[tuple[float, float], ...]) -> None:
    """Put fingers on the screen, move them frame by frame, and lift them."""
    screen = visitor.context.new_cdp_session(visitor.page)
    for index, points in enumerate((*frames, ())):
        kind = "touchStart" if not index else "touchMove" if points else "touchEnd"
        fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    screen.detach()


def drag_with_mouse(visitor: Visitor, start: str, end: str) -> None:
    """Drag from one place to another with the mouse."""
    mouse = visitor.page.mouse
    center_of(visitor.handle(end))
    mouse.move(*center_of(visitor.handle(start)))
    mouse.down()
    mouse.move(*visitor.handle(end).evaluate(CENTER_JS), steps=DRAG_STEPS)
    mouse.up()


def press(visitor: Visitor, key: str) -> None:
    visitor.page.keyboard.press(key)


def get_focused_handle(visitor: Visitor) -> str:
    """Return the place on the board that has the focus."""
    name: str = visitor.page.evaluate(FOCUSED_HANDLE_JS)
    return name


def tab_to(visitor: Visitor, place: Locator) -> None:
    """Press Tab until a part of the page, or something inside it, has the focus."""
    for _ in range(TABS_MAX):
        if place.evaluate("element => element.contains(document.activeElement)"):
            return
        press(visitor, "Tab")
    raise AssertionError(f"Tab does not reach {place}")


def arrow_to(visitor: Visitor, name: str) -> None:
    """Move across the board with the arrow keys, first along the row, then along the file."""
    for _ in range(ARROWS_MAX):
        at = get_focused_handle(visitor)
        if at == name:
            return
        right, down = visitor.handle(name).evaluate(OFFSET_JS, visitor.handle(at).element_handle())
        across = ("ArrowRight" if right > 0 else "ArrowLeft") if abs(right) > 0.6 else ""
        press(visitor, across or ("ArrowDown" if down > 0 else "ArrowUp"))
    raise AssertionError(f"the arrow keys do not reach {name}")


def press_n_until(visitor: Visitor, name: str) -> None:
    """Press n until a place has the focus, once the place can be chosen."""
    expect(visitor.handle(name)).to_have_class(CAN_BE_CHOSEN)
    for _ in range(visitor.lit.count() + 1):
        if get_focused_handle(visitor) == name:
            return
        press(visitor, "n")
    raise AssertionError(f"n does not reach {name}")


def type_move(visitor: Visitor, text: str) -> None:
    """Type a move into its box and send it, using only the keyboard."""
    if not visitor.part("notation").evaluate(HAS_FOCUS_JS):
        press(visitor, "/")
    visitor.page.keyboard.type(text)
    press(visitor, "Enter")
