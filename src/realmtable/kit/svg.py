"""Build SVG from elements instead of concatenating markup by hand.

An `Element` is finished markup and can be nested as it is. All other text is escaped, and characters that XML does not
allow become U+FFFD.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

AttributeValue = str | float | bool | None

SVG_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_SPECIAL: Final = re.compile('[&<>"]|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')


class Element(str):
    """Finished markup; only `element` creates it."""

    __slots__ = ()


def format_number(value: float) -> str:
    """Format a coordinate with at most two decimals.

    >>> format_number(12.0), format_number(-0.001), format_number(0.456)
    ('12', '0', '0.46')
    """
    if isinstance(value, int):
        return str(value)
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path(*parts: str | float) -> str:
    """Join command letters and numbers into path data.

    >>> path("M", 1, 2.5, "h", -3, "z")
    'M1 2.5h-3z'
    """
    text = ""
    for part in parts:
        word = part if isinstance(part, str) else format_number(part)
        text += f" {word}" if text[-1:].isdigit() and word[0].isdigit() else word
    return text


def element(tag: str, *children: str, **attributes: AttributeValue) -> Element:
    """Make an element. Children that are elements are nested as they are; other text is escaped.

    Keywords are attribute names with ``_`` for ``-`` and ``class_`` for ``class``; attributes set to None are omitted.

    >>> element("text", "a < b", class_="rt-label", data_handle="c10", x=1.50)
    '<text class="rt-label" data-handle="c10" x="1.5">a &lt; b</text>'
    """
    given = [
        f' {_attribute_name(key)}="{_format_value(value)}"' for key, value in attributes.items() if value is not None
    ]
    opening = tag + "".join(given)
    inside = "".join([child if isinstance(child, Element) else _escape(child) for child in children])
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
    """Make the root element of a picture that is shown alone or inlined in a page and fills the available width.

    When the picture is inlined, `style` applies to the whole page: prefix its class names, and keep it identical for
    all pictures of a game.
    """
    head = element("title", title), element("desc", description), _style_element(style)
    box = f"0 0 {format_number(width)} {format_number(height)}"
    return element("svg", *head, *children, xmlns=SVG_NAMESPACE, viewBox=box, width="100%", **attributes)


@lru_cache(maxsize=64)
def _style_element(style: str) -> Element:
    """Return the style of a picture; it is long, and the same in all pictures of a game."""
    return element("style", style)


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
    return _SPECIAL.sub(_replace_special, text)


def _replace_special(found: re.Match[str]) -> str:
    return _ENTITIES.get(found[0], "\ufffd")
