"""The panels beside the map: tiles that can be summoned, Victory Realms and scores; and the points in the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import Panel, PanelRow, ScoreBreakdown, ScoreLine, Seat, View
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.counting import explain_points
from realmtable.games.realms_of_etherium.picture.emblems import draw_sign
from realmtable.games.realms_of_etherium.picture.gallery import group_title
from realmtable.games.realms_of_etherium.picture.style import STYLE_NAME, text_element
from realmtable.games.realms_of_etherium.picture.style import translate as move_to
from realmtable.games.realms_of_etherium.picture.tile import SMALL_RADIUS, draw_small_tile
from realmtable.games.realms_of_etherium.tiles.manifest import Tile, describe_cost
from realmtable.games.realms_of_etherium.tiles.tile_facts import tile_of
from realmtable.games.realms_of_etherium.wording import PLAYER_POWERS, acting_seat, count_copies, next_starter
from realmtable.kit.svg import SVG_NAMESPACE, Attributes, Element, clickable, element, name_parts, parted_element
from realmtable.kit.text_metrics import SANS_BOLD, text_width, wrap_text

WIDTH: Final = 372
_IN_ROW: Final = 5
_CELL: Final = WIDTH / _IN_ROW
_ROW_HEIGHT: Final = 96
_HEADING: Final = 26
_NAME_SIZES: Final = (14, 13)
_SUPPLY_HEIGHT: Final = 40
_GAP: Final = 6
_WORDS: Final = 14
_LINE: Final = 18


def panels(view: View) -> list[Panel]:
    """Return the panels of a view."""
    return [_reserve_panel(view), _realms_panel(view), _scores_panel(view)]


# ---- Reserves


def _reserve_panel(view: View) -> Panel:
    """Show the tiles that can be summoned: both Reserves, and the tops of both Supplies."""
    tiles = [(tile_of(view, name), count) for name, count in view["reserve"].items()]
    groups = [[entry for entry in tiles if _is_victory(entry[0]) == is_victory] for is_victory in (False, True)]
    in_row = all(len(group) <= _IN_ROW // 2 for group in groups)  # side by side, as usual
    parts: list[Element] = []
    top = 0.0
    for group, is_victory in zip(groups, (False, True), strict=True):
        left = WIDTH / 2 if in_row and is_victory else 0.0
        parts += _draw_group(group, left, 0.0 if in_row else top, is_victory=is_victory)
        top = max(top, _HEADING) if in_row else top + _HEADING
        top += 0 if in_row and is_victory else _ROW_HEIGHT * max(1, -(-len(group) // _IN_ROW))
    for is_victory in (False, True):
        parts.append(_draw_supply(view, is_victory, WIDTH / 2 * is_victory, top + 4))
    top += _SUPPLY_HEIGHT + 2 * _GAP
    for tile, count in tiles:
        sentence, high = _draw_sentence(tile, count)
        parts.append(_put(sentence, f"words of {tile.name}", 0, top))
        top += high + _GAP
    seat = acting_seat(view)
    opens = view["phase"] == "source" and seat is not None and view["viewer"] == seat
    rows = (PanelRow(translate("Face down in the Supplies")), *_supply_rows(view))
    words = translate("Tiles that can be summoned")
    return Panel("reserve", translate("Reserve"), svg=_document(parts, top, words), rows=rows, opens=opens)


def _put(drawn: Element, name: str, across: float, down: float) -> Element:
    """Put something where it belongs; a part of its own says where, so that what only moves is not sent again."""
    own: Attributes = {"transform": move_to(round(across, 1), down)}
    return parted_element("g", f"at {name}", {name: drawn}, own)


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


def _is_victory(tile: Tile) -> bool:
    return tile.tile_class == "victory"


def _draw_group(tiles: Iterable[tuple[Tile, int]], left: float, top: float, *, is_victory: bool) -> list[Element]:
    """Draw the heading and the tiles of a Reserve, at most six in a row."""
    title = translate("Victory Realms") if is_victory else translate("Realms")
    drawn = [text_element(title, left + 4, top + 16, 15, "et-bold")]
    for index, (tile, count) in enumerate(tiles):
        row, column = divmod(index, _IN_ROW)
        across, down = left + _CELL * (column + 0.5), top + _HEADING + _ROW_HEIGHT * row + SMALL_RADIUS
        drawn.append(_put(_draw_reserve_tile(tile, count), tile.name, across, down))
    return drawn


@lru_cache(maxsize=512)
def _draw_reserve_tile(tile: Tile, count: int) -> Element:
    name = count_copies(tile.name, count)
    size = next((size for size in _NAME_SIZES if text_width(name, size, SANS_BOLD) <= _CELL), _NAME_SIZES[-1])
    length = min(text_width(name, size, SANS_BOLD), _CELL - 2)
    return element(
        "g",
        element("rect", class_="et-hit", x=-_CELL / 2, y=-35, width=_CELL, height=94),
        draw_small_tile(tile),
        text_element(name, 0, 51, size, "et-bold et-mid", length),
        element("rect", class_="et-ring", x=-_CELL / 2 + 1, y=-34, width=_CELL - 2, height=92, rx=9),
        **clickable(f"reserve:{tile.name}"),
        aria_label=f"{name}. {tile.sentence()}",
    )


@lru_cache(maxsize=512)
def _draw_sentence(tile: Tile, count: int) -> tuple[Element, float]:
    """Draw what a tile does and costs in words; return it with its height."""
    name = count_copies(tile.name, count)
    first, *others = wrap_text(f"{name}: {tile.sentence()} {_price_sentence(tile)}", _WORDS, WIDTH - 8)
    title = element("tspan", f"{name}:", class_="et-bold")
    lines = [
        element("text", title, first.removeprefix(f"{name}:"), class_=f"et-t{_WORDS}", x=4, y=_WORDS),
        *(text_element(line, 4, _WORDS + _LINE * row, _WORDS) for row, line in enumerate(others, 1)),
    ]
    return element("g", *lines), _LINE * len(lines)


def _price_sentence(tile: Tile) -> str:
    if tile.control is None:
        return translate("It cannot be Controlled.")
    return translate("Control costs {price}.", price=describe_cost(tile.control))


def _draw_supply(view: View, is_victory: bool, left: float, top: float) -> Element:
    names = [name for name in view["supply"] if _is_victory(tile_of(view, name)) == is_victory]
    count = sum(view["supply"][name] for name in names)
    source = "victory" if is_victory else "realm"
    title = translate("Victory Supply") if is_victory else translate("Realm Supply")
    left_over = translate_count("{count} tile left", "{count} tiles left", count)
    wide = WIDTH / 2 - 8
    return element(
        "g",
        element("rect", class_="et-plate", x=4, y=0, width=wide, height=_SUPPLY_HEIGHT, rx=10),
        draw_sign("yellow" if is_victory else "portal", 24, 20, 18),
        text_element(title, 42, 18, 14, "et-bold"),
        text_element(left_over, 42, 33, 13, "et-soft"),
        element("rect", class_="et-ring", x=5, y=1, width=wide - 2, height=_SUPPLY_HEIGHT - 2, rx=9),
        transform=move_to(left, top),
        **clickable(f"supply:{source}"),
        aria_label=translate("Top of the {supply}, {left}", supply=title, left=left_over),
    )


def _supply_rows(view: View) -> list[PanelRow]:
    """List what is left face down, by colour: everyone can work it out (W9)."""
    groups: dict[str, dict[str, int]] = {}
    for name, count in view["supply"].items():
        groups.setdefault(group_title(tile_of(view, name).colour), {})[name] = count
    return [
        PanelRow(f"{title}: {', '.join(count_copies(*entry) for entry in names.items())}", f"×{sum(names.values())}")
        for title, names in groups.items()
    ]


# ---- Victory Realms and scores


def _realms_panel(view: View) -> Panel:
    """List the Victory Realms in play, those that are worth most first."""
    found = [realm for realm in view["realms"] if _is_victory(tile_of(view, realm["kind"]))]
    found.sort(key=lambda realm: (-(realm["points"] or 0), realm["kind"]))
    rows = [PanelRow(_realm_words(view, realm), _worth_words(realm)) for realm in found]
    nothing = PanelRow(translate("No Victory Realm has been summoned yet"))
    return Panel("realms", translate("Realms"), rows=tuple(rows) or (nothing,))


def _realm_words(view: View, realm: Mapping[str, Any]) -> str:
    name = realm["kind"]
    if realm["seat"] is not None:
        owner, reason = INFO.seat_names[realm["seat"]], explain_points(view, realm)
        return translate("{tile}: {player} ({reason})", tile=name, player=owner, reason=reason)
    return translate("{tile}: {price}", tile=name, price=_price_of(tile_of(view, name)))


def _price_of(tile: Tile) -> str:
    if tile.control is None:
        return translate("cannot be Controlled")
    return translate("Control costs {price}", price=describe_cost(tile.control))


def _worth_words(realm: Mapping[str, Any]) -> str:
    if realm["points"] is None:
        return translate("depends on its owner")
    return translate_count("{count} star", "{count} stars", realm["points"])


def _scores_panel(view: View) -> Panel:
    """Say where the stars of each player come from, and their power."""
    rows = []
    for seat, player in enumerate(view["players"]):
        colour = player["colour"]
        total = translate("{stars} of {goal} stars", stars=player["points"], goal=view["goal"])
        rows.append(PanelRow(INFO.seat_names[seat], total))
        rows += [PanelRow(f"{line.title}: {line.reason}", f"{line.points:g}") for line in _list_lines(view, seat)]
        if colour:
            rows.append(PanelRow(translate("{colour} player: {power}", colour=colour, power=PLAYER_POWERS[colour])))
    if view["turn"]["number"] and view["phase"] != "over":
        rows.append(PanelRow(translate("Next Round begins with"), INFO.seat_names[next_starter(view)]))
    viewer = view["viewer"]
    points = 0 if viewer is None else view["players"][viewer]["points"]
    badge = translate_count("{count} star", "{count} stars", points) if points else ""
    return Panel("scores", translate("Scores"), badge, rows=tuple(rows))


# ---- the end


def score_breakdowns(view: View) -> list[ScoreBreakdown]:
    """Return each player's Victory Realms with their points, best player first; empty while the game goes on (C4)."""
    ended = view["outcome"]
    if ended is None:
        return []
    seats = sorted(range(len(view["players"])), key=lambda seat: (ended["ranking"][seat], seat))
    return [
        ScoreBreakdown(seat, ended["ranking"][seat], view["players"][seat]["points"], _list_lines(view, seat))
        for seat in seats
    ]


def _list_lines(view: View, seat: Seat) -> tuple[ScoreLine, ...]:
    owned = [realm for realm in view["realms"] if realm["seat"] == seat and realm["points"] is not None]
    owned.sort(key=lambda realm: (-realm["points"], realm["kind"]))
    return tuple(ScoreLine(realm["kind"], realm["points"], explain_points(view, realm)) for realm in owned)
