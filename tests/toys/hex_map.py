"""Hex Map, a toy with a large picture: players explore a map of 20 tiles. In Fog Map each sees only their own finds.

- **H1** Players move their token to a neighbouring tile, in turn.
- **H2** When a token enters a tile that nobody has explored, its terrain is drawn.
- **H3** The game ends after the last round; players score a point for each kind of terrain they have seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, pi, sin
from random import Random
from typing import Any, Final

from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import as_pairs, check_fields, option
from realmtable.engine.protocol import (
    CHANCE,
    ChanceOutcome,
    GameInfo,
    HandlePath,
    Outcome,
    PictureLayer,
    Seat,
    Turn,
    View,
)
from realmtable.kit.small_game import SmallGame
from tests.toys.common import NAMES, outcome_of_scores

ROWS: Final = "ABCD"
COLUMNS: Final = 5
TILES: Final = tuple(f"{row}{column}" for row in ROWS for column in range(1, COLUMNS + 1))
TERRAINS: Final = {"1": "forest", "2": "hills", "3": "marsh", "4": "plain", "5": "rock", "6": "lake"}
UNKNOWN: Final = "0"
STARTS: Final = ("A1", "D5", "A5", "D1")
SIZE: Final = 100  # the radius of a tile
WIDTH, HEIGHT = 1040, 720
COLOURS: Final = ("#b3512f", "#12788c", "#9a5fb5", "#6d8a2c")
_LIGHT: Final = "--hm-land:#efe6cf;--hm-line:#6b5f4c;--hm-ink:#2c261d;--hm-fog:#cfc6b2;--hm-pick:#2a7a3b"
_DARK: Final = "--hm-land:#2d3139;--hm-line:#a1977f;--hm-ink:#efe8d8;--hm-fog:#1d2026;--hm-pick:#7fd58d"
STYLE: Final = (
    f".hm{{{_LIGHT}}}@media(prefers-color-scheme:dark){{.hm.rt-auto{{{_DARK}}}}}"
    f"[data-theme=light] .hm.rt-auto{{{_LIGHT}}}.hm.rt-dark,[data-theme=dark] .hm.rt-auto{{{_DARK}}}"
    ".hm-tile{fill:var(--hm-land);stroke:var(--hm-line);stroke-width:3}.hm-tile.hm-fog{fill:var(--hm-fog)}"
    ".hm-mark{fill:none;stroke:var(--hm-line);stroke-width:1.5}"
    ".hm text{fill:var(--hm-ink);font-size:22px;text-anchor:middle}"
    ".hm-place>polygon{fill:transparent;stroke:none;pointer-events:all}"
    ".hm-place:is(.lit,.target)>polygon{stroke:var(--hm-pick);stroke-width:7;stroke-dasharray:14 8}"
    ".hm-place.chosen>polygon{fill:var(--hm-pick);fill-opacity:.25;stroke:var(--hm-pick);stroke-width:7}"
    ".hm-place:is(.hover,:focus-visible)>polygon{stroke:var(--hm-ink);stroke-width:5}.hm-place:focus{outline:none}"
)


def _center(tile: str) -> tuple[float, float]:
    row, column = ROWS.index(tile[0]), int(tile[1]) - 1
    return 90 + SIZE * (3**0.5) * (column + row % 2 / 2) + 10, 110 + SIZE * 1.5 * row


def _neighbours(tile: str) -> list[str]:
    x, y = _center(tile)
    return [other for other in TILES if other != tile and _is_near(_center(other), x, y)]


def _is_near(point: tuple[float, float], x: float, y: float) -> bool:
    return (point[0] - x) ** 2 + (point[1] - y) ** 2 < (1.8 * SIZE) ** 2


@dataclass(frozen=True)
class MapOptions:
    """The length of the game."""

    rounds: int = option(4, "Rounds.", source="toy", clause="H3", low=1, high=6)

    def __post_init__(self) -> None:
        check_fields(self)


def _info(game_id: str, title: str, *, hidden: bool) -> GameInfo:
    return GameInfo(
        id=game_id,
        title=title,
        summary="Explore a map.",
        seats=(2, 3, 4),
        seat_names=NAMES,
        options_type=MapOptions,
        presets={"plain": {}, "quick": {"rounds": 2}},
        default_preset="plain",
        hidden=hidden,
        chance=True,
        sources=("toy",),
    )


@dataclass(frozen=True)
class MapState:
    """The state of a game; `terrain` and each text of `seen` have a digit per tile."""

    options: MapOptions
    places: tuple[str, ...]
    terrain: str
    seen: tuple[str, ...]  # per seat: 1 for tiles it has seen
    round: int = 1
    seat: Seat = 0
    drawing: bool = False


class HexMap(SmallGame[MapState]):
    """The game; `realmtable.engine.protocol.Game` documents each member."""

    state_type = MapState
    move_pattern = "[A-D][1-5]|[1-6]"

    def __init__(self, *, fog: bool = False) -> None:
        self.fog = fog
        self.info = _info("fog_map", "Fog Map", hidden=True) if fog else _info("hex_map", "Hex Map", hidden=False)

    def first_state(self, seats: int, options: MapOptions) -> MapState:
        return MapState(options, STARTS[:seats], UNKNOWN * 20, (UNKNOWN * 20,) * seats)

    def to_move(self, state: MapState) -> tuple[Seat, ...]:
        if state.round > state.options.rounds:
            return ()
        return (CHANCE,) if state.drawing else (state.seat,)

    def turn(self, state: MapState) -> Turn:
        return Turn(min(state.round, state.options.rounds), state.seat)

    def list_moves(self, state: MapState, seat: Seat) -> list[str]:
        return _neighbours(state.places[seat])

    def chance(self, state: MapState) -> list[ChanceOutcome]:
        return [ChanceOutcome(digit, 1) for digit in TERRAINS] if state.drawing else []

    def refusal(self, state: MapState, seat: Seat, move: str) -> IllegalMove:  # noqa: ARG002 - the same in every state
        if seat == CHANCE:
            return IllegalMove("H2", "There is no such terrain.")
        return IllegalMove("H1", "Move to a neighbouring tile.")

    def apply_move(self, state: MapState, seat: Seat, move: str) -> MapState:
        if seat == CHANCE:
            tile = TILES.index(state.places[state.seat])
            return self._look(replace(state, terrain=_put(state.terrain, tile, move), drawing=False))
        places = tuple(move if other == seat else place for other, place in enumerate(state.places))
        moved = replace(state, places=places)
        if moved.terrain[TILES.index(move)] == UNKNOWN:
            return replace(moved, drawing=True)
        return self._look(moved)

    def _look(self, state: MapState) -> MapState:
        """Let the acting seat see its tile, and end its turn."""
        tile, seat = TILES.index(state.places[state.seat]), state.seat
        seen = tuple(_put(text, tile, "1") if other == seat else text for other, text in enumerate(state.seen))
        following = (seat + 1) % len(state.places)
        return replace(state, seen=seen, seat=following, round=state.round + (following == 0))

    def outcome(self, state: MapState) -> Outcome | None:
        if self.to_move(state):
            return None
        found = [{kind for kind, known in zip(state.terrain, seen, strict=True) if known == "1"} for seen in state.seen]
        return outcome_of_scores([len(kinds) for kinds in found], "rounds")

    def view(self, state: MapState, seat: Seat | None) -> dict[str, Any]:
        shown = state.terrain
        if self.fog and self.to_move(state):
            seen = UNKNOWN * 20 if seat is None else state.seen[seat]
            shown = "".join(kind if known == "1" else UNKNOWN for kind, known in zip(shown, seen, strict=True))
        counts = [] if self.to_move(state) else [seen.count("1") for seen in state.seen]
        return {
            "terrain": shown,
            "places": list(state.places),
            "to_move": list(self.to_move(state)),
            "round": state.round,
            "seen": counts,
            "options": as_pairs(state.options),
        }

    def resample(self, state: MapState, seat: Seat, rng: Random) -> MapState:
        if not self.fog:
            return state
        pairs = zip(state.terrain, state.seen[seat], strict=True)
        guess = [kind if known == "1" or kind == UNKNOWN else rng.choice("123456") for kind, known in pairs]
        return replace(state, terrain="".join(guess))

    def draw(self, view: View, theme: str = "auto") -> str:
        acting = [seat for seat in view["to_move"] if seat >= 0]
        x, y = _center(view["places"][acting[0]]) if acting else (WIDTH / 2, HEIGHT / 2)
        focus = f'data-focus="{x - 280:.0f} {y - 280:.0f} 560 560"' if acting else ""
        places = "".join(_draw_place(view, tile) for tile in TILES)
        return _document(theme, f"<title>Map</title>{places}", f'role="group" aria-label="Map" data-pans="" {focus}')

    def layers(self, view: View, theme: str = "auto") -> list[PictureLayer]:
        return [PictureLayer("land", _draw_land(view["terrain"], theme))]

    def handles(self, view: View, move: str) -> HandlePath:
        acting = view["to_move"][0] if view["to_move"] else CHANCE
        return (move,) if acting == CHANCE else (view["places"][acting], move)

    def describe_move(self, state: MapState, move: str) -> str:  # noqa: ARG002 - the same in every state
        return f"Find {TERRAINS[move]}" if move in TERRAINS else f"Go to {move}"

    def label(self, handle: str) -> str:
        return TERRAINS.get(handle, f"Tile {handle}")


def _put(text: str, index: int, digit: str) -> str:
    return f"{text[:index]}{digit}{text[index + 1 :]}"


def _document(theme: str, inside: str, attributes: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="100%" '
        f'class="rt-board hm rt-{theme}" {attributes}><style>{STYLE}</style>{inside}</svg>'
    )


def _hexagon(x: float, y: float, radius: float) -> str:
    corners = [(x + radius * sin(pi * k / 3), y - radius * cos(pi * k / 3)) for k in range(6)]
    return " ".join(f"{right:.1f},{down:.1f}" for right, down in corners)


def _draw_place(view: View, tile: str) -> str:
    x, y = _center(tile)
    kind = TERRAINS.get(view["terrain"][TILES.index(tile)], "unexplored")
    tokens = [seat for seat, place in enumerate(view["places"]) if place == tile]
    drawn = "".join(
        f'<g><circle cx="{x - 30 + 25 * seat:.1f}" cy="{y + 20:.1f}" r="24" fill="{COLOURS[seat]}" stroke="#fff"/></g>'
        for seat in tokens
    )
    label = ", ".join([f"{tile}: {kind}", *(NAMES[seat] for seat in tokens)])
    shape = f'<polygon points="{_hexagon(x, y, 0.94 * SIZE)}"/>'
    return (
        f'<g class="hm-place" data-handle="{tile}" role="button" tabindex="-1" aria-label="{label}">{shape}{drawn}</g>'
    )


@lru_cache(maxsize=64)
def _draw_land(terrain: str, theme: str) -> str:
    """Draw the tiles with many small marks, so that the layer is as large as that of a real map."""
    parts = []
    for index, tile in enumerate(TILES):
        (x, y), kind, rng = _center(tile), terrain[index], Random(f"{tile}{terrain[index]}")
        fog = " hm-fog" if kind == UNKNOWN else ""
        parts.append(f'<polygon class="hm-tile{fog}" points="{_hexagon(x, y, 0.98 * SIZE)}"/>')
        for _ in range(40):
            right, down = x + rng.uniform(-58, 58), y + rng.uniform(-58, 58)
            size = 4 + 2 * int(kind)
            parts.append(f'<path class="hm-mark" d="M{right:.1f} {down:.1f}l{size} {-size}l{size} {size}"/>')
        parts.append(f'<text x="{x:.1f}" y="{y - 45:.1f}">{tile} {TERRAINS.get(kind, "")}</text>')
    return _document(theme, "".join(parts), "")
