"""The map for a terminal, readable without colours: tiles with who is there, then heroes, places and roads in words."""

from __future__ import annotations

import textwrap
from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.magic_realm.catalog import load_catalog, map_graph
from realmtable.games.magic_realm.catalog.ids import tile_of
from realmtable.games.magic_realm.catalog.map_graph import Way
from realmtable.games.magic_realm.catalog.placement import Placement
from realmtable.games.magic_realm.catalog.tiles import OPEN
from realmtable.games.magic_realm.picture.map_ground import place_tiles
from realmtable.games.magic_realm.picture.map_layers import label_chits, label_places
from realmtable.games.magic_realm.picture.view_picture import headline
from realmtable.kit.terminal_picture import Sketch, Span, place_spans

_LINE_WIDTH: Final = 79
_COLUMN: Final = 8  # characters from a column of tiles to the next, or fewer on wide maps


def sketch(view: View) -> Sketch:
    """Return the map, then a line for each character, then what lies where and the roads from where the viewer is."""
    head = headline(view)
    return [
        [Span(head[0].upper() + head[1:], "title")],
        [],
        *_draw_map(view),
        [],
        *(_describe_player(view, player["seat"]) for player in view["players"]),
        *_list_places(view),
        *_list_roads(view),
    ]


def _draw_map(view: View) -> Sketch:
    """Place two lines for each tile: its code, and the numbers of the characters and of the monsters there."""
    tiles = place_tiles(view["map"]["tiles"])
    if not tiles:
        return [[Span("No tile has been laid yet.")]]
    left, top = min(column for _, column, *_ in tiles), min(2 * row + column for _, column, row, *_ in tiles)
    wide = min(_COLUMN, _LINE_WIDTH // (1 + max(column for _, column, *_ in tiles) - left))
    lines: dict[int, dict[int, Span]] = {}
    for tile, column, row, *_ in tiles:
        code = load_catalog().tiles[tile].code
        first = 2 * row + column - top
        is_focus = view["map"]["focus"].rstrip("123456") == code
        for number, text in enumerate((f"[{code}]", _count_visitors(view, tile)[: wide - 1])):
            style = "active" if is_focus else ("title", "plain")[number]
            lines.setdefault(first + number, {})[(column - left) * wide] = Span(text, style)
    return [place_spans(lines.get(row, {})) for row in range(max(lines) + 1)]


def _count_visitors(view: View, tile: int) -> str:
    """Return the numbers of the characters in a tile, and how many monsters and natives are there."""
    find = load_catalog().names.find
    here = [
        str(hero["seat"] + 1)
        for hero in view["map"]["heroes"]
        if tile_of(find(hero["at"].partition("-")[0], "clearing").id) == tile
    ]
    denizens = sum(tile_of(find(one["at"], "clearing").id) == tile for one in view["map"]["denizens"])
    return ("".join(here) + (f" +{denizens}" if denizens else "")).strip()


def _describe_player(view: View, seat: int) -> list[Span]:
    player = view["players"][seat]
    active = sum(chit["state"] == "active" for chit in player["chits"])
    facts = [
        f"at {player['at']}" if player["at"] else "",
        "dead" if player["dead"] else "hidden" if player["hidden"] and player["at"] else "",
        f"{player['gold']} gold" if player["gold"] is not None else "",
        f"{player['fame']} fame, {player['notoriety']} notoriety" if player["character"] else "",
        f"{active} of {len(player['chits'])} chits" if player["chits"] else "",
    ]
    mark = "> " if seat in view["acting"] else "  "
    name = f"{seat + 1} {player['character'] or 'no character yet'} "
    return [Span(mark), Span(name, "title"), Span(", ".join(filter(None, facts)))]


def _list_places(view: View) -> Sketch:
    """Return what lies in clearings, and the chits of tiles as far as the viewer knows them."""
    labels = [f"{name:<4} {label}" for name, label in (label_places(view["map"]) | label_chits(view["map"])).items()]
    lines = [line for label in labels for line in textwrap.wrap(label, _LINE_WIDTH, subsequent_indent=" " * 5)]
    return [[], *([Span(line)] for line in lines)] if lines else []


def _list_roads(view: View) -> Sketch:
    """Return where the roads lead from the clearing where the viewer is."""
    at = "" if view["viewer"] is None else view["players"][view["viewer"]]["at"]
    if not at or "-" in at:
        return []
    layout = tuple(Placement(*placed[:4]) for placed in place_tiles(view["map"]["tiles"]))
    ways = map_graph(layout).ways[load_catalog().names.find(at, "clearing").id]
    text = f"Roads from {at}: {', '.join(_describe_way(view, way) for way in ways)}."
    return [[], *([Span(line)] for line in textwrap.wrap(text, _LINE_WIDTH))]


def _describe_way(view: View, way: Way) -> str:
    """Return where a way leads, and whether it has to be discovered first."""
    name = load_catalog().names.by_number("clearing")[way.to]
    is_unknown = way.secret != OPEN and not {way.road, way.far_road} & {*view["map"]["known_roads"]}
    return name + " (not discovered)" * is_unknown
