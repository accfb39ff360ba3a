from __future__ import annotations

import re

import pytest

from realmtable.server.site.static_files import FOLDER


def colours(theme: str) -> dict[str, str]:
    css = (FOLDER / "palette.css").read_text(encoding="utf-8")
    start = css.index({"light": ":root {", "dark": ':root[data-theme="dark"] {', "auto": ":root:not("}[theme])
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", css[start : css.index("}", start)]))


def contrast(first: str, second: str) -> float:
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read(theme: str) -> None:
    found = colours(theme)
    grounds = ("paper", "card", "field", "sunk")
    pairs = [(ink, ground) for ink in ("ink", "soft", "teal-ink") for ground in grounds]
    pairs += [("mark", "mark-wash"), ("mark", "paper"), ("amber-ink", "amber-wash"), ("teal-ink", "teal-wash")]
    pairs += [("on-teal", "teal"), ("on-teal", "teal-deep"), ("soft", "amber-wash"), ("ink", "teal-wash")]
    poor = {pair: contrast(found[pair[0]], found[pair[1]]) for pair in pairs}
    assert {pair: ratio for pair, ratio in poor.items() if ratio < 4.5} == {}
    edges = {ground: contrast(found["edge"], found[ground]) for ground in ("paper", "card", "field")}
    assert min(edges.values()) >= 3


def test_both_ways_to_dark_are_the_same() -> None:
    assert colours("auto") == colours("dark")
