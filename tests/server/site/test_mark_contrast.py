"""Marks on pictures can be seen: what can be chosen, and what happened last, in every game and every theme.

The colours follow from the style of each picture and the themes of the settings page, as in a browser: the variables
of the common style, those of the game, and those of the theme.
"""

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
from tests.server.site.test_colours import contrast, mix

THEMES_CSS = (FOLDER / "board_themes.css").read_text(encoding="utf-8")
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
