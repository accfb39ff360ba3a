"""The panels beside the map: players, tiles that can be summoned and Victory Realms; and the points in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from realmtable.engine.protocol import Panel, PanelRow, ScoreBreakdown, ScoreLine, Seat, View
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.picture.emblems import (
    draw_emblem,
    draw_etherium,
    draw_seat_sign,
    draw_sign,
    draw_star,
    mage_figure,
)
from realmtable.games.realms_of_etherium.picture.gallery import group_title
from realmtable.games.realms_of_etherium.picture.short_text import price_text
from realmtable.games.realms_of_etherium.picture.style import STYLE_NAME, hexagon, text_element, translate
from realmtable.games.realms_of_etherium.picture.tile import draw_line, line_width, type_of
from realmtable.games.realms_of_etherium.tiles.manifest import Tile, describe_cost
from realmtable.games.realms_of_etherium.tiles.tile_facts import tile_of
from realmtable.games.realms_of_etherium.wording import PLAYER_POWERS, acting_seat, count_copies, next_starter
from realmtable.kit.svg import (
    SVG_NAMESPACE,
    Attributes,
    Element,
    clickable,
    element,
    name_parts,
    parted_element,
    parted_group,
)
from realmtable.kit.text_metrics import SANS_BOLD, wrap_text
from realmtable.kit.wording import format_count

WIDTH: Final = 380
_GAP: Final = 8
CHOOSE_A_TILE: Final = "Choose a tile for the new Realm"


def panels(view: View) -> list[Panel]:
    """Return the panels of a view."""
    return [_players_panel(view), _tiles_panel(view), _victory_panel(view)]


def _document(parts: Sequence[Element], high: float, words: str) -> str:
    """Return the picture of a panel; the style of the map, which is on the same page, applies to it."""
    own: Attributes = {
        "xmlns": SVG_NAMESPACE,
        "viewBox": f"0 0 {WIDTH} {high:g}",
        "width": "100%",
        "class_": f"rt-board rt-{STYLE_NAME} rt-auto",
        "role": "group",
        "aria_label": words,
    }
    return parted_element("svg", "svg", name_parts(parts, "part"), own)


# ---- players


def _players_panel(view: View) -> Panel:
    parts: list[Element] = []
    top = 2.0
    for seat in range(len(view["players"])):
        plate, high = _draw_player(view, seat, top)
        parts.append(plate)
        top += high + _GAP
    viewer = view["viewer"]
    points = 0 if viewer is None else view["players"][viewer]["points"]
    badge = format_count(points, "point") if points else ""
    return Panel("players", "Players", badge, _document(parts, top, "Players"), tuple(_round_rows(view)))


def _round_rows(view: View) -> list[PanelRow]:
    """Say where the game is, and who begins the next Round as things stand."""
    end = "last Round" if view["triggered"] else f"{format_count(view['goal'], 'point')} end the game"
    rows = [PanelRow(f"Round {view['round']}", end)]
    if view["turn"]["number"] and view["phase"] != "over":
        rows.append(PanelRow("Next Round begins with", INFO.seat_names[next_starter(view)]))
    return rows


def _draw_player(view: View, seat: Seat, top: float) -> tuple[Element, float]:
    player, mages = view["players"][seat], [mage for mage in view["mages"] if mage["seat"] == seat]
    lines = _score_lines(view, seat)
    high = 76 + 19 * len(lines) + 5 * bool(lines)
    is_acting = acting_seat(view) == seat
    text = [text_element(line, 14, 80 + 19 * row, 15, "et-soft") for row, line in enumerate(lines)]
    parts = [
        element("rect", class_="et-plate" + " et-turn" * is_acting, x=2, y=0, width=WIDTH - 4, height=high - 2, rx=10),
        draw_seat_sign(seat, 24, 25, 30),
        text_element(INFO.seat_names[seat], 46, 31, 20, "et-bold"),
        parted_group(f"mages {seat}", _draw_mages_in_row(mages), {}),
        draw_star(WIDTH - 102, 24, 24),
        text_element(str(player["points"]), WIDTH - 85, 32, 24, "et-bold"),
        text_element(f"of {view['goal']}", WIDTH - 14, 31, 15, "et-far et-soft"),
        draw_etherium("white", 26, 55, 20),
        text_element(str(player["white"]), 41, 61, 18, "et-bold"),
        draw_etherium("black", 82, 55, 20),
        text_element(str(player["black"]), 97, 61, 18, "et-bold"),
        text_element(f"{format_count(player['controlled'], 'Realm')} Controlled", WIDTH - 14, 60, 15, "et-far et-soft"),
        *text,
    ]
    own: Attributes = {"transform": translate(0, top), "role": "img", "aria_label": describe_player(view, seat)}
    return parted_group(f"player {seat}", parts, own), high


def _draw_mages_in_row(mages: Sequence[Mapping[str, Any]]) -> list[Element]:
    return [
        element(
            "g",
            mage_figure(mage["seat"], is_lying=mage["exhausted"]),
            class_=f"et-mage et-seat{mage['seat']}" + " et-down" * mage["exhausted"],
            transform=f"translate({158 + 28 * index} 28) scale(.62)",
        )
        for index, mage in enumerate(mages)
    ]


def _score_lines(view: View, seat: Seat) -> tuple[str, ...]:
    """Return where a player's points come from, and their power, in lines that fit."""
    scoring = [realm for realm in view["realms"] if realm["seat"] == seat and realm["points"] is not None]
    words = " + ".join(f"{realm['kind']} {realm['points']}" for realm in scoring)
    colour = view["players"][seat]["colour"]
    power = (f"{colour} player: {PLAYER_POWERS[colour]}",) if colour else ()
    return tuple(line for text in (words, *power) for line in wrap_text(text, 15, WIDTH - 28))


def describe_player(view: View, seat: Seat) -> str:
    """Describe a player for screen readers."""
    player = view["players"][seat]
    mages = [mage for mage in view["mages"] if mage["seat"] == seat]
    ready = sum(not mage["exhausted"] for mage in mages)
    return (
        f"{INFO.seat_names[seat]}: {format_count(player['points'], 'point')}, {player['white']} White, "
        f"{player['black']} Black, {ready} of {format_count(len(mages), 'Mage')} not Exhausted, "
        f"{format_count(player['controlled'], 'Realm')} Controlled, {format_count(player['markers'], 'marker')} left."
    )


# ---- Reserves


def _tiles_panel(view: View) -> Panel:
    opens = view["phase"] == "source" and view["viewer"] is not None and view["viewer"] == acting_seat(view)
    # On a phone the panel covers the prompt.
    parts = [text_element(CHOOSE_A_TILE, 6, 22, 19, "et-bold")] if opens else []
    top = 34.0 if opens else 0.0
    for title, source, is_victory in (("Realm Reserve", "realm", False), ("Victory Reserve", "victory", True)):
        parts.append(text_element(title, 6, top + 20, 17, "et-bold"))
        top += 30
        for name, count in view["reserve"].items():
            tile = tile_of(view, name)
            if (tile.tile_class == "victory") == is_victory:
                plate, high = _draw_reserve_tile(tile, count, top)
                parts.append(plate)
                top += high + _GAP
        parts.append(_draw_supply(view, source, is_victory, top))
        top += 46 + 2 * _GAP
    rows = (PanelRow("Face down in the Supplies"), *_supply_rows(view))
    return Panel("tiles", "Tiles", svg=_document(parts, top, "Reserves"), rows=rows, opens=opens)


@lru_cache(maxsize=512)
def _draw_reserve_tile(tile: Tile, count: int, top: float) -> tuple[Element, float]:
    lines = wrap_text(tile.sentence(), 15, WIDTH - 96)
    high = max(76, 40 + 19 * len(lines))
    name = count_copies(tile.name, count)
    parts = [
        element("rect", class_="et-plate", x=2, y=0, width=WIDTH - 4, height=high, rx=10),
        _draw_badge(tile, 42, high / 2),
        text_element(name, 84, 24, 18, "et-bold"),
        *_draw_price(tile),
        *(text_element(line, 84, 46 + 19 * row, 15) for row, line in enumerate(lines)),
        element("rect", class_="et-ring", x=3, y=1, width=WIDTH - 6, height=high - 2, rx=9),
    ]
    own: Attributes = {
        "transform": translate(0, top),
        "role": "button",
        "tabindex": -1,
        "data_handle": f"reserve:{tile.name}",
        "aria_label": f"{name}. {tile.sentence()}",
    }
    return parted_group(f"reserve {tile.name}", parts, own), high


def _draw_badge(tile: Tile, across: float, down: float) -> Element:
    """Draw a small hex with the sign of the tile's type and the emblem of its power."""
    return element(
        "g",
        element("polygon", class_="et-band", points=hexagon(36)),
        draw_sign(type_of(tile), 0, -20, 13, "et-art et-on"),
        draw_emblem(tile.power.verb, 0, 5, 32, "et-art et-on"),
        class_=f"et-{type_of(tile)}",
        transform=translate(across, down),
    )


def _draw_price(tile: Tile) -> list[Element]:
    if tile.control is None:
        return []
    words = price_text(tile.control)
    return draw_line(words, WIDTH - 12 - line_width(words, 16, SANS_BOLD), 24, 16, "et-bold", SANS_BOLD)


def _draw_supply(view: View, source: str, is_victory: bool, top: float) -> Element:
    names = [name for name in view["supply"] if (tile_of(view, name).tile_class == "victory") == is_victory]
    count = sum(view["supply"][name] for name in names)
    words = f"Top of the {source.capitalize()} Supply"
    return element(
        "g",
        element("rect", class_="et-plate", x=2, y=0, width=WIDTH - 4, height=44, rx=10),
        text_element(words, 16, 28, 17, "et-bold"),
        text_element(f"{format_count(count, 'tile')} left", WIDTH - 14, 28, 15, "et-far et-soft"),
        element("rect", class_="et-ring", x=3, y=1, width=WIDTH - 6, height=42, rx=9),
        transform=translate(0, top),
        **clickable(f"supply:{source}"),
        aria_label=f"{words}, {format_count(count, 'tile')} left",
    )


# ---- Victory Realms and Supplies


def _victory_panel(view: View) -> Panel:
    """List the Victory Realms in play, those that are worth most first."""
    found = [realm for realm in view["realms"] if tile_of(view, realm["kind"]).tile_class == "victory"]
    found.sort(key=lambda realm: (-(realm["points"] or 0), realm["kind"]))
    rows = [PanelRow(f"{realm['kind']}: {_owner_words(view, realm)}", _worth_words(realm)) for realm in found]
    goal = f"Whoever reaches {format_count(view['goal'], 'point')} triggers the last Round"
    return Panel("victory", "Victory", rows=(PanelRow(goal), *rows))


def _owner_words(view: View, realm: Mapping[str, Any]) -> str:
    if realm["seat"] is not None:
        return str(INFO.seat_names[realm["seat"]])
    control = tile_of(view, realm["kind"]).control
    return "cannot be Controlled" if control is None else f"Control costs {describe_cost(control)}"


def _worth_words(realm: Mapping[str, Any]) -> str:
    return "depends on its owner" if realm["points"] is None else format_count(realm["points"], "point")


def _supply_rows(view: View) -> list[PanelRow]:
    """List what is left face down, by colour: everyone can work it out (W9)."""
    groups: dict[str, dict[str, int]] = {}
    for name, count in view["supply"].items():
        groups.setdefault(group_title(tile_of(view, name).colour), {})[name] = count
    return [
        PanelRow(f"{title}: {', '.join(count_copies(*entry) for entry in names.items())}", f"×{sum(names.values())}")
        for title, names in groups.items()
    ]


# ---- the end


def score_breakdowns(view: View) -> list[ScoreBreakdown]:
    """Return each player's Victory Realms with their points, best player first; empty while the game goes on (C4)."""
    ended = view["outcome"]
    if ended is None:
        return []
    seats = sorted(range(len(view["players"])), key=lambda seat: (ended["ranking"][seat], seat))
    return [
        ScoreBreakdown(seat, ended["ranking"][seat], view["players"][seat]["points"], _lines_of(view, seat))
        for seat in seats
    ]


def _lines_of(view: View, seat: Seat) -> tuple[ScoreLine, ...]:
    owned = [realm for realm in view["realms"] if realm["seat"] == seat and realm["points"] is not None]
    owned.sort(key=lambda realm: (-realm["points"], realm["kind"]))
    return tuple(ScoreLine(realm["kind"], realm["points"], tile_of(view, realm["kind"]).sentence()) for realm in owned)
