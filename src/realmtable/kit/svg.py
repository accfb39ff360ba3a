"""Build SVG from elements instead of concatenating markup by hand.

An `Element` is finished markup and can be nested as it is. All other text is escaped, and characters that XML does not
allow become U+FFFD.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Final

from realmtable.engine.pictures import Picture

AttributeValue = str | float | bool | None
Attributes = Mapping[str, AttributeValue]

SVG_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_HANDLE: Final = re.compile(r' data-handle="([^"]*)"')
_SPECIAL: Final = re.compile('[&<>"]|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')


class Element(str):
    """Finished markup; only `element` creates it."""

    __slots__ = ()


class PartedElement(Element, Picture):
    """Finished markup that is sent in parts; only `parted_element` creates it."""

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
    opening = _open(tag, attributes)
    inside = "".join([child if isinstance(child, Element) else _escape(child) for child in children])
    return Element(f"<{opening}>{inside}</{tag}>" if inside else f"<{opening}/>")


def clickable(handle: str) -> Attributes:
    """Return the attributes of a part that can be clicked."""
    return {"role": "button", "tabindex": -1, "data_handle": handle}


def _open(tag: str, attributes: Attributes) -> str:
    given = [
        f' {_attribute_name(key)}="{_format_value(value)}"' for key, value in attributes.items() if value is not None
    ]
    return tag + "".join(given)


def parted_element(tag: str, name: str, children: Mapping[str, Element], attributes: Attributes) -> PartedElement:
    """Make an element of which a page receives only the children that have changed.

    `name` and the keys of the children must be unique in the picture. Children may have parts themselves.

    >>> parted_element("g", "row", {"a1": element("rect", x=0), "b1": element("rect", x=40)}, {}).parts
    {'row': '<g>', 'a1': '<rect x="0"/>', 'b1': '<rect x="40"/>', '/row': '</g>'}
    """
    parts: dict[str, str] = {name: f"<{_open(tag, attributes)}>"}
    count = 2
    for key, child in children.items():
        inside = child.parts if isinstance(child, PartedElement) else {key: child}
        parts.update(inside)
        count += len(inside)
    parts[f"/{name}"] = f"</{tag}>"
    if len(parts) != count:
        raise ValueError(f"Two parts of {name!r} have the same name.")
    return PartedElement.from_parts(parts)


def name_parts(elements: Iterable[Element], prefix: str) -> dict[str, Element]:
    """Name elements by their first handle, or by their place among the others.

    >>> list(name_parts([element("path"), element("g", data_handle="King")], "hand"))
    ['hand 0', 'hand King']
    """
    named: dict[str, Element] = {}
    for index, each in enumerate(elements):
        handle = _HANDLE.search(each)
        name = f"{prefix} {handle[1] if handle else index}"
        named[name if name not in named else f"{prefix} {index}"] = each
    return named


def parted_group(name: str, parts: Iterable[Element], attributes: Attributes) -> PartedElement:
    """Make a group whose parts are named by `name_parts`."""
    return parted_element("g", name, name_parts(parts, name), attributes)


def document(
    width: float,
    height: float,
    children: Mapping[str, Element],
    *,
    title: str,
    description: str,
    style: str,
    **attributes: AttributeValue,
) -> PartedElement:
    """Make the root element of a picture that is shown alone or inlined in a page and fills the available width.

    When the picture is inlined, `style` applies to the whole page: prefix its class names, and keep it identical for
    all pictures of a game.
    """
    head = {"title": element("title", title), "desc": element("desc", description), "style": _style_element(style)}
    box = f"0 0 {format_number(width)} {format_number(height)}"
    own = {"xmlns": SVG_NAMESPACE, "viewBox": box, "width": "100%", **attributes}
    return parted_element("svg", "svg", {**head, **children}, own)


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
