"""SVG put together from elements, so that no drawing ever glues text into markup by hand.

An element is its own markup, ready to be nested: everything else is escaped on the way in, and characters that XML
cannot carry become U+FFFD.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

AttributeValue = str | float | bool | None

_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_SPECIAL: Final = re.compile('[&<>"]|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')


class Element(str):
    """Finished markup, made by `element` alone."""

    __slots__ = ()


def format_number(value: float) -> str:
    """A coordinate in as few characters as two decimals need.

    >>> format_number(12.0), format_number(-0.001), format_number(0.456)
    ('12', '0', '0.46')
    """
    if isinstance(value, int):
        return str(value)
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path(*parts: str | float) -> str:
    """Path data from command letters and numbers.

    >>> path("M", 1, 2.5, "h", -3, "z")
    'M1 2.5h-3z'
    """
    text = ""
    for part in parts:
        word = part if isinstance(part, str) else format_number(part)
        text += f" {word}" if text[-1:].isdigit() and word[0].isdigit() else word
    return text


def element(tag: str, *children: str, **attributes: AttributeValue) -> Element:
    """One element with its children: elements as they are, any other text escaped.

    A keyword names an attribute as SVG does, with ``_`` for ``-`` and ``class_`` for ``class``; None leaves it out.

    >>> element("text", "a < b", class_="rt-label", data_handle="c10", x=1.50)
    '<text class="rt-label" data-handle="c10" x="1.5">a &lt; b</text>'
    """
    opening = tag + "".join(
        f' {_attribute_name(key)}="{_format_value(value)}"' for key, value in attributes.items() if value is not None
    )
    inside = "".join(child if isinstance(child, Element) else _escape(child) for child in children)
    return Element(f"<{opening}>{inside}</{tag}>" if inside else f"<{opening}/>")


def document(
    width: float,
    height: float,
    *children: Element,
    title: str,
    description: str,
    style: str,
    **attributes: AttributeValue,
) -> Element:
    """The root of a picture that stands alone or inside a page, as wide as its place allows.

    `style` reaches the whole page when the picture is inlined: prefix its class names, and keep it the same for every
    picture of a game.
    """
    head = element("title", title), element("desc", description), element("style", style)
    box = f"0 0 {format_number(width)} {format_number(height)}"
    return element("svg", *head, *children, xmlns=_NAMESPACE, viewBox=box, width="100%", **attributes)


@cache
def _attribute_name(keyword: str) -> str:
    return keyword.rstrip("_").replace("_", "-")


def _format_value(value: str | float) -> str:
    if isinstance(value, str):
        return _escape(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return format_number(value)


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ENTITIES.get(found[0], "\ufffd"), text)
