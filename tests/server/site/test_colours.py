from __future__ import annotations

import re

import pytest

from realmtable.server.site.static_files import FOLDER

CSS = (FOLDER / "palette.css").read_text(encoding="utf-8")
PAIR = re.compile(r"light-dark\((#[0-9a-f]{3,8}), (#[0-9a-f]{3,8})\)")


def colours(theme: str) -> dict[str, str]:
    found = re.findall(rf"--([\w-]+): {PAIR.pattern};", CSS)
    return {name: light if theme == "light" else dark for name, light, dark in found}


def contrast(first: str, second: str) -> float:
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [part / 255 for part in split_colour(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def split_colour(colour: str) -> list[int]:
    """Return the red, green and blue of a colour with three or six digits."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    return [int(digits[place : place + 2], 16) for place in (0, 2, 4)]


def mix(over: str, under: str, opacity: float) -> str:
    """Return the colour of one that lies over another."""
    pairs = zip(split_colour(over), split_colour(under), strict=True)
    return "#" + "".join(f"{round(opacity * one + (1 - opacity) * other):02x}" for one, other in pairs)


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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_numbers_can_be_read_on_the_shades_of_openings(theme: str) -> None:
    css, found = (FOLDER / "openings.css").read_text(encoding="utf-8"), colours(theme)
    shades = re.findall(r"\.shade-\d { background: color-mix\(in srgb, var\(--(\w+)\) (\d+)%, var\(--card\)\); }", css)
    grounds = [mix(found[name], found["card"], int(share) / 100) for name, share in shades]
    assert len(grounds) == 8
    assert min(contrast(found["ink"], ground) for ground in grounds) >= 4.5


THEMES = (FOLDER / "board_themes.css").read_text(encoding="utf-8")
PIECE_THEMES = re.findall(
    r'\[data-pieces="(\w+)"\] {(.*?)}', re.sub(r"/\*.*?\*/", "", THEMES, flags=re.DOTALL), re.DOTALL
)


@pytest.mark.parametrize(("name", "rules"), PIECE_THEMES, ids=[name for name, _ in PIECE_THEMES])
def test_white_pieces_are_light_and_black_ones_dark_in_every_theme(name: str, rules: str) -> None:
    """The games call their sides White and Black."""
    body = dict(re.findall(r"--piece-([12]): (#[0-9a-f]+);", rules))
    assert luminance(body["1"]) > 0.85, name
    assert luminance(body["2"]) < 0.03, name


def test_each_colour_has_a_light_and_a_dark_form() -> None:
    rules = CSS[CSS.index(":root {") :]
    assert len(PAIR.findall(rules)) >= 24
    assert "#" not in PAIR.sub("", rules)
