"""Draw every tile with its whole text: for the page that shows them all, and enlarged over the map."""

from __future__ import annotations

from functools import cache
from typing import Final

from realmtable.engine.protocol import CardGallery, GalleryCard, GalleryGroup
from realmtable.games.realms_of_etherium.picture.style import STYLE, STYLE_NAME, text_element
from realmtable.games.realms_of_etherium.picture.tile import draw_tile
from realmtable.games.realms_of_etherium.tiles.manifest import COLOURS, NO_COLOUR, Tile, describe_cost
from realmtable.games.realms_of_etherium.tiles.tile_facts import standard_tiles
from realmtable.kit.svg import Element, element
from realmtable.kit.text_metrics import wrap_text
from realmtable.kit.wording import format_count

CARD_WIDTH: Final = 230
CARD_HEIGHT: Final = 348
_TEXT_TOP: Final = 218
_SIZE: Final = 15
_TITLES: Final = {"yellow": "Victory", NO_COLOUR: "Permanent"}


@cache
def gallery() -> CardGallery:
    """Return all tiles of the standard manifest, by colour."""
    return CardGallery(
        STYLE, tuple(GalleryGroup(group_title(colour), _tiles_of(colour)) for colour in (*COLOURS, NO_COLOUR))
    )


def group_title(colour: str) -> str:
    """Return what the tiles of a colour are called together."""
    return _TITLES.get(colour, colour.capitalize())


def _tiles_of(colour: str) -> tuple[GalleryCard, ...]:
    return tuple(
        GalleryCard(tile.name, draw_card(tile), describe_tile(tile))
        for tile in standard_tiles().values()
        if tile.colour == colour
    )


def describe_tile(tile: Tile) -> str:
    """Return everything that a tile says."""
    return f"{tile.name}, {group_title(tile.colour)}. {tile.sentence()} {_control_words(tile)} {_copies_words(tile)}"


def _control_words(tile: Tile) -> str:
    return "It cannot be Controlled." if tile.control is None else f"Control costs {describe_cost(tile.control)}."


def _copies_words(tile: Tile) -> str:
    return f"{format_count(tile.copies, 'tile')}."


def draw_card(tile: Tile) -> Element:
    """Draw a tile with its text as a document without style."""
    lines = wrap_text(tile.sentence(), _SIZE, CARD_WIDTH - 28)
    text = [text_element(line, 14, _TEXT_TOP + row * 19, _SIZE) for row, line in enumerate(lines)]
    notes = [_control_words(tile), _copies_words(tile)]
    return element(
        "svg",
        element("rect", class_="et-plate", x=1, y=1, width=CARD_WIDTH - 2, height=CARD_HEIGHT - 2, rx=12),
        element("g", draw_tile(tile), transform=f"translate({CARD_WIDTH / 2:g} 100)"),
        *text,
        *(text_element(note, 14, CARD_HEIGHT - 33 + 18 * row, 13, "et-soft") for row, note in enumerate(notes)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {CARD_WIDTH} {CARD_HEIGHT}",
        width="100%",
        class_=f"rt-board rt-{STYLE_NAME} rt-auto",
        role="img",
        aria_label=describe_tile(tile),
    )
