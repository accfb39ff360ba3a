"""Draw the ground of a tile, what grows on it, its clearings and its name."""

from __future__ import annotations

from typing import Final

from realmtable.games.magic_realm.catalog.tiles import Clearing, Point, Tile
from realmtable.games.magic_realm.picture.geometry import format_coordinate, hexagon
from realmtable.games.magic_realm.picture.tile import TilePlan
from realmtable.kit.svg import Element, element

# A shape for each colour of magic, so that it can be recognised without its colour.
ORBS: Final = {
    "white": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "grey": "M-3.6-3.6H3.6V3.6H-3.6z",
    "gold": "M0-5L5 0 0 5-5 0z",
    "purple": "M0-4.8L4.8 3.6H-4.8z",
    "black": "M-2-4.6H2L4.6-2V2L2 4.6H-2L-4.6 2V-2z",
}
_PINES: Final = ("PW", "DW")  # tiles whose woods are pines


def ground_of(plan: TilePlan) -> str:
    """Return the style of the ground: by the letter of the warning chit, and with a veil if the tile is enchanted."""
    veil = veil_of(plan)
    return f"mr-{_letter_of(plan.tile)}" + (f" mr-veiled mr-{veil}" if veil else "")


def _letter_of(tile: Tile) -> str:
    """Return the letter of the warning chit, but D for Deep Woods, a mountain tile without mountains."""
    kinds = {clearing.kind for clearing in tile.sides[0].clearings}
    return "D" if tile.letter == "M" and kinds == {"woods"} else tile.letter


def veil_of(plan: TilePlan) -> str:
    """Return the colour of magic that most clearings of a tile supply, or nothing."""
    colours = [colour for clearing in plan.side.clearings for colour in clearing.magic]
    return max(colours, key=colours.count, default="")


def draw_ground(_plan: TilePlan) -> list[Element]:
    """Draw the bare ground of a tile around 0,0."""
    return [
        element("use", href="#mr-hex", class_="mr-ground"),
        element("path", class_="mr-wash", d=f"M0 0{hexagon(95)}"),
    ]


def draw_growth(plan: TilePlan) -> list[Element]:
    """Draw what grows on a tile; on its enchanted side, every third thing is a spark."""
    step = 3 if veil_of(plan) else len(plan.decorations) + 1
    return [
        draw_use("spark" if number % step == step - 1 else decoration.shape, decoration.at)
        for number, decoration in enumerate(plan.decorations)
    ]


def draw_use(shape: str, at: Point) -> Element:
    """Draw one of the shapes that the layer defines."""
    return element("use", href=f"#mr-{shape}", x=format_coordinate(at[0]), y=format_coordinate(at[1]))


def draw_clearings(plan: TilePlan) -> list[Element]:
    """Draw the clearings of a tile from the back to the front."""
    clearings = sorted(plan.side.clearings, key=lambda clearing: plan.clearings[clearing.number][1])
    return [
        part
        for clearing in clearings
        for part in _draw_clearing(plan.tile, clearing, plan.clearings[clearing.number])
    ]  # fmt: skip


def _draw_clearing(tile: Tile, clearing: Clearing, at: Point) -> list[Element]:
    woods = "pines" if tile.code in _PINES else "woods"
    shape = "meadow" if clearing.is_open else woods if clearing.kind == "woods" else clearing.kind
    kind = "mr-number mr-on" if clearing.kind == "cave" else "mr-number"
    x, y = map(format_coordinate, (at[0], at[1] + 5.2))
    orbs = [_draw_orb(colour, (at[0] + 14, at[1] - 6 + 10 * row)) for row, colour in enumerate(clearing.magic)]
    return [draw_use(shape, at), element("text", str(clearing.number), class_=kind, x=x, y=y), *orbs]


def _draw_orb(colour: str, at: Point) -> Element:
    x, y = map(format_coordinate, at)
    return element("path", class_=f"mr-orb mr-{colour}", d=ORBS[colour], transform=f"translate({x} {y})")


def draw_name(plan: TilePlan) -> list[Element]:
    """Draw the name of a tile."""
    size, (x, y) = plan.label.size, plan.label.at
    return [
        element(
            "text",
            line,
            class_=f"mr-name mr-t{size}",
            x=format_coordinate(x),
            y=format_coordinate(y + size * (row + 0.8)),
        )
        for row, line in enumerate(plan.label.lines)
    ]
