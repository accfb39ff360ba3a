"""Colours have enough contrast in every theme."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Final, get_args

import pytest

import realmtable
from realmtable.engine.protocol import HasLayers
from realmtable.server.accounts.preferences import BoardTheme, PieceTheme
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


THEMES_CSS = (FOLDER / "board_themes.css").read_text(encoding="utf-8")
PIECE_THEMES = re.findall(
    r'\[data-pieces="(\w+)"\] {(.*?)}', re.sub(r"/\*.*?\*/", "", THEMES_CSS, flags=re.DOTALL), re.DOTALL
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


MIN_CONTRAST = 3.0  # WCAG 1.4.11: of marks that are needed to understand a picture
MARKS: Final = ("rt-pick", "rt-mark")
BOARD: Final = ("rt-field", "rt-other")
# The variables of the colours on which each game's marks lie.
GROUNDS: Final = {
    "realm": BOARD,
    "classic_realm": ("rt-water", "rt-deep"),
    "medieval_realm": BOARD,
    "modern_realm": ("rt-street", "rt-block"),
    "oriental_realm": BOARD,
    "fantasy_realms": ("rt-paper", "fr-cloth", "fr-card"),
    "realms_of_etherium": ("rt-paper", "et-ground", "et-deep", "et-face", "et-card"),
    "magic_realm": ("rt-paper", "mr-sea", "mr-slip", "mr-glade", "mr-V", "mr-W", "mr-D", "mr-C", "mr-M"),
}
WITHOUT_BOARD = ("fantasy_realms", "realms_of_etherium", "magic_realm")
COLOURS = ("light", "dark")
GAMES = [info.id for info in realmtable.infos()]


@cache
def read_style(game_id: str) -> str:
    """Return the style of a game's picture."""
    game = realmtable.game(game_id)
    view = game.view(game.initial(max(game.info.seats[0], 2), game.options()), 0)
    pictures = [game.draw(view), *([layer.svg for layer in game.layers(view)] if isinstance(game, HasLayers) else [])]
    return "".join(found for picture in pictures for found in re.findall(r"<style>(.*?)</style>", picture, re.DOTALL))


def read_variables(css: str, selector: str) -> dict[str, str]:
    """Return the variables that the first rule with a selector sets."""
    found = re.search(rf"(?:^|[}}\s]){re.escape(selector)}\s*{{(.*?)}}", css, re.DOTALL)
    pairs = (part.split(":", 1) for part in (found[1] if found else "").split(";") if ":" in part)
    return {name.strip().removeprefix("--"): value.strip() for name, value in pairs}


@cache
def list_variables(game_id: str, colours: str, board: str, pieces: str) -> dict[str, str]:
    """Return all variables of a picture on a page."""
    css = read_style(game_id)
    scopes = [".rt-board", *re.findall(r"\.rt-board\.rt-(?!auto|dark)\w+(?=\{)", css)[:1]]
    page: dict[str, str] = {}
    for scope in scopes:
        page |= read_variables(css, scope)
        if colours == "dark":
            page |= read_variables(css, f"{scope}.rt-dark,[data-theme=dark] {scope}.rt-auto")
    page |= read_variables(css, f":root[data-board={board}] {scopes[-1]}")
    themes = read_variables(THEMES_CSS, f'[data-board="{board}"]') | read_variables(
        THEMES_CSS, f'[data-pieces="{pieces}"]'
    )
    return themes | page


def find_colour(variables: dict[str, str], name: str) -> str:
    """Return the colour that a variable has."""
    value = variables[name]
    while found := re.fullmatch(r"var\(--([\w-]+)(?:,(.*))?\)", value):
        value = variables.get(found[1], found[2])
    return value


def test_every_game_and_theme_is_checked() -> None:
    assert {*GROUNDS} == {*GAMES}
    for board in get_args(BoardTheme):
        assert read_variables(THEMES_CSS, f'[data-board="{board}"]') or board == "classic"
    for game_id in GAMES:
        light, dark = (list_variables(game_id, colours, "classic", "classic") for colours in COLOURS)
        assert {find_colour(light, name) for name in GROUNDS[game_id]}.isdisjoint(
            find_colour(dark, name) for name in GROUNDS[game_id]
        )


@pytest.mark.parametrize("board", get_args(BoardTheme))
@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("game_id", GAMES)
def test_marks_stand_out_in_every_theme(game_id: str, colours: str, board: str) -> None:
    poor = {}
    for pieces, ground in product(get_args(PieceTheme), GROUNDS[game_id]):
        variables = list_variables(game_id, colours, board, pieces)
        for mark in (*MARKS, "rt-ink" if game_id in WITHOUT_BOARD else "rt-line"):  # the latter: under the pointer
            pair = find_colour(variables, mark), find_colour(variables, ground)
            if contrast(*pair) < MIN_CONTRAST:
                poor[mark, ground, *pair] = round(contrast(*pair), 2)
    assert poor == {}


@pytest.mark.parametrize("board", get_args(BoardTheme))
@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("game_id", ["realm", "modern_realm"])
def test_what_can_be_chosen_stands_out_in_realms_that_belong_to_a_player(
    game_id: str, colours: str, board: str
) -> None:
    poor = {}
    for pieces, name, accent in product(get_args(PieceTheme), GROUNDS[game_id], ("rt-amber", "rt-teal")):
        variables = list_variables(game_id, colours, board, pieces)
        over, under = find_colour(variables, accent), find_colour(variables, name)
        ground = mix(over, under, float(variables["rt-wash"]))
        ratio = contrast(find_colour(variables, "rt-pick"), ground)
        if ratio < MIN_CONTRAST:
            poor[name, accent, ground] = round(ratio, 2)
    assert poor == {}
