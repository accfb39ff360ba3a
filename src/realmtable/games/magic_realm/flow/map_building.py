"""A map that the players build: tiles are dealt to them, and they lay them by turns (M3)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import TileId
from realmtable.games.magic_realm.catalog.map_rules import first_tile, list_placements
from realmtable.games.magic_realm.catalog.placement import TURNS, Layout, Placement
from realmtable.games.magic_realm.flow.agenda import (
    Draw,
    FrameLimits,
    Handler,
    Next,
    Question,
    Refusal,
    Task,
    ask_frame_seat,
)
from realmtable.games.magic_realm.flow.stock_maps import AFTER_MAP, lay_stock_map
from realmtable.games.magic_realm.world.entities import NO_SEAT
from realmtable.games.magic_realm.world.map_layout import lay_tile, layout_of
from realmtable.games.magic_realm.world.places import MAX_SEATS, TILES
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

# Columns and rows are added to this in frames, whose numbers are not negative.
MIDDLE: Final = TILES


def _hand_outcomes(world: World, frame: Frame) -> list[tuple[Step, int]]:
    left = [number for number, tile in enumerate(world.tiles) if tile.owner == NO_SEAT and not tile.placed]
    if len(left) + frame.a != TILES:
        return []  # a damaged position
    return [(Step("deal", (number,)), 1) for number in left]


def _take_hand(world: World, frame: Frame, step: Step) -> Next:
    """Deal a tile to the next seat; `a` counts the tiles dealt before."""
    world.writable_tile(step.args[0]).owner = frame.a % len(world.heroes)
    return (frame._replace(a=frame.a + 1) if frame.a + 1 < TILES else Frame("begin"),)


def _begin_building(world: World, _frame: Frame) -> Next:
    """Let the player with the Borderland lay it; then the next player continues."""
    first = first_tile(load_catalog().tiles)
    seat = world.tiles[first].owner
    _lay(world, Placement(first, 0, 0, 0))
    return (Frame("build", _next_seat(world, seat)),)


def _next_seat(world: World, seat: Seat) -> Seat:
    return (seat + 1) % len(world.heroes)


def _lay(world: World, placement: Placement) -> None:
    lay_tile(world, placement)
    world.writable_tile(placement.tile).owner = NO_SEAT


def _continue_building(world: World, frame: Frame) -> Next:
    """Let a player lay a tile; `a` counts the players who were skipped since one was laid."""
    left = [number for number, tile in enumerate(world.tiles) if not tile.placed]
    if not left:
        return AFTER_MAP
    if frame.a == len(world.heroes):
        for tile in left:
            world.writable_tile(tile).owner = NO_SEAT
        lay_stock_map(world, 0)
        return AFTER_MAP
    if not _list_tiles(world, frame, frame.seat):
        return (Frame("build", _next_seat(world, frame.seat), frame.a + 1),)
    return (Frame("tile", frame.seat),)


@lru_cache(maxsize=256)
def _list_legal(layout: Layout, tile: TileId) -> tuple[Placement, ...]:
    return list_placements(load_catalog().tiles, layout, tile)


def _list_tiles(world: World, _frame: Frame, seat: Seat) -> list[Step]:
    layout = layout_of(world)
    hand = [number for number, tile in enumerate(world.tiles) if tile.owner == seat]
    return [Step("tile", (tile,)) for tile in hand if _list_legal(layout, tile)]


def _take_tile(_world: World, frame: Frame, _seat: Seat, step: Step) -> Next:
    return (frame._replace(kind="place", a=step.args[0]),)


def _refuse_tile(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("M3", "Choose one of your own tiles that has a legal place.")


def _list_positions(world: World, frame: Frame, _seat: Seat) -> list[Step]:
    positions = {placement.position for placement in _list_legal(layout_of(world), frame.a)}
    return [Step("place", position) for position in sorted(positions)]


def _take_position(_world: World, frame: Frame, _seat: Seat, step: Step) -> Next:
    column, row = step.args
    return (frame._replace(kind="angle", b=MIDDLE + column, c=MIDDLE + row),)


def _refuse_position(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("M1", "Lay the tile where it touches two others and its roads can meet theirs.")


def _list_turns(world: World, frame: Frame, _seat: Seat) -> list[Step]:
    position = (frame.b - MIDDLE, frame.c - MIDDLE)
    legal = _list_legal(layout_of(world), frame.a)
    return [Step("turn", (placement.turn,)) for placement in legal if placement.position == position]


def _take_turn(world: World, frame: Frame, _seat: Seat, step: Step) -> Next:
    _lay(world, Placement(frame.a, frame.b - MIDDLE, frame.c - MIDDLE, step.args[0]))
    return (Frame("build", _next_seat(world, frame.seat)),)


def _refuse_turn(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("M1", f"Turn the tile by 0 to {TURNS - 1} sixths so that roads meet roads.")


_TILE: Final = range(TILES)
_AROUND: Final = range(2 * MIDDLE)
_SEAT: Final = FrameLimits("setup", seat=True)
HANDLERS: dict[str, Handler] = {
    "hand": Draw(lambda *_: "hand", _hand_outcomes, _take_hand, limits=FrameLimits("setup", a=_TILE)),
    "begin": Task(_begin_building, FrameLimits("setup")),
    "build": Task(_continue_building, _SEAT._replace(a=range(MAX_SEATS + 1))),
    "tile": Question(ask_frame_seat, _list_tiles, _take_tile, _refuse_tile, limits=_SEAT),
    "place": Question(
        ask_frame_seat, _list_positions, _take_position, _refuse_position, limits=_SEAT._replace(a=_TILE)
    ),
    "angle": Question(
        ask_frame_seat, _list_turns, _take_turn, _refuse_turn, limits=_SEAT._replace(a=_TILE, b=_AROUND, c=_AROUND)
    ),
}
