"""Turn the pictures of games into plain SVG, for programs that know less CSS than a browser.

Pictures are coloured by custom properties, theme classes and selectors that renderers outside browsers do not support.
Here every rule is applied to the elements that it matches, as attributes, and whatever is not drawn is removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import unescape
from typing import Any, Final
from xml.etree import ElementTree as ET

import cssselect2
import tinycss2

SVG_NAMESPACE: Final = "http://www.w3.org/2000/svg"
SANS: Final = "Realmtable Sans"
MAX_SUBSTITUTIONS: Final = 8  # of custom properties that refer to others

# The CSS properties that are also attributes of SVG elements; others do not change the picture.
_PROPERTIES: Final = frozenset(
    """
    fill fill-opacity fill-rule stroke stroke-opacity stroke-width stroke-linecap stroke-linejoin stroke-dasharray
    paint-order opacity color display visibility filter font-family font-size font-style font-weight text-anchor
    text-decoration dominant-baseline letter-spacing transform x y cx cy r rx ry width height
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_REMOVED_TAGS: Final = frozenset(f"{{{SVG_NAMESPACE}}}{tag}" for tag in ("style", "title", "desc"))
_REMOVED_ATTRIBUTES: Final = re.compile(r"data-|aria-|class$|role$|tabindex$")
_VARIABLE: Final = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_DARK: Final = re.compile(r"prefers-color-scheme:\s*dark")

ET.register_namespace("", SVG_NAMESPACE)


def make_plain(picture: str, theme: str = "light") -> ET.Element:
    """Return an SVG document that looks the same without style sheets, in a theme: "light" or "dark"."""
    root = ET.fromstring(picture)  # noqa: S314 - drawn by our own code
    matcher = _read_styles(tuple(dict.fromkeys(_STYLE.findall(picture))), theme)
    _apply_styles(cssselect2.ElementWrapper.from_xml_root(root), matcher, {})
    return root


@lru_cache(maxsize=64)  # all pictures of a game have the same styles
def _read_styles(styles: Sequence[str], theme: str) -> Any:  # noqa: ANN401 - the library has no types
    """Compile style sheets for a theme; rules about the focus, which a picture does not have, are left out."""
    matcher = cssselect2.Matcher()
    for style in styles:
        for rule in _rules_of(tinycss2.parse_stylesheet(unescape(style)), theme):
            declarations = [
                (each.name, tinycss2.serialize(each.value).strip())
                for each in tinycss2.parse_blocks_contents(rule.content)
                if each.type == "declaration"
            ]
            try:
                selectors = cssselect2.compile_selector_list(rule.prelude)
            except cssselect2.SelectorError:
                continue
            for selector in selectors:
                matcher.add_selector(selector, declarations)
    return matcher


def _rules_of(nodes: Sequence[Any], theme: str) -> Iterator[Any]:
    """Yield the style rules of a sheet, with those inside @media if they are for this theme."""
    for node in nodes:
        if node.type == "qualified-rule":
            yield node
        elif node.type == "at-rule" and theme == "dark" and _DARK.search(tinycss2.serialize(node.prelude)):
            yield from _rules_of(tinycss2.parse_rule_list(node.content), theme)


def _apply_styles(wrapper: Any, matcher: Any, inherited: Mapping[str, str]) -> bool:  # noqa: ANN401 - an untyped library
    """Write the styles of an element and its descendants into attributes; return False if it is not drawn."""
    element: ET.Element = wrapper.etree_element
    if element.tag in _REMOVED_TAGS:
        return False
    variables, values = dict(inherited), {}
    for _, _, _, declarations in matcher.match(wrapper):  # those that win come last
        for name, value in declarations:
            if name.startswith("--"):
                variables[name] = value
            elif name in _PROPERTIES:
                values[name] = value
    attributes = {name: _substitute(value, variables) for name, value in values.items()}
    if attributes.get("display") == "none":
        return False
    if "font-family" in attributes:
        attributes["font-family"] = SANS
    for name in [name for name in element.attrib if _REMOVED_ATTRIBUTES.match(name)]:
        del element.attrib[name]
    element.attrib.update(attributes)
    for child in list(wrapper.iter_children()):
        if not _apply_styles(child, matcher, variables):
            element.remove(child.etree_element)
    return True


def _substitute(value: str, variables: Mapping[str, str]) -> str:
    """Replace the custom properties in a value."""
    for _ in range(MAX_SUBSTITUTIONS):
        if "var(" not in value:
            break
        value = _VARIABLE.sub(lambda found: variables.get(found[1]) or (found[2] or "").strip(), value)
    return value
