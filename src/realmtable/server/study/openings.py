"""Loads the opening study of a game from ``data/openings.json`` in its folder and draws its boards.

`realmtable openings report` writes the file; a game without one has no openings page.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.pictures import draw_whole
from realmtable.server.errors import NotFound

FILE: Final = "data/openings.json"
MAX_SHOWN: Final = 4  # joint placements in each list
SHADES: Final = 9  # of the heat map; the middle one is an even score
SMALL_SAMPLE: Final = 50  # games per cell
MAX_OFFSET: Final = 0.25  # from an even score to the last shade
LEFT, RIGHT = 0.25, 0.75  # the scores at the ends of a bar

Data = dict[str, Any]


def has_study(game_id: str) -> bool:
    """Whether a game has an opening study."""
    return _file(game_id).is_file()


def _file(game_id: str) -> Path:
    return registry.game_folder(game_id) / FILE


@cache
def load_study(game_id: str) -> Data:
    """Return the study of a game; raise NotFound if it has none."""
    if not has_study(game_id):
        raise NotFound(f"{registry.info(game_id).title} has no opening study.")
    data: Data = json.loads(_file(game_id).read_text(encoding="utf-8"))
    return data


@cache
def board_positions(game_id: str) -> dict[str, str]:
    """Return the positions on the page by the name of their picture."""
    data = load_study(game_id)
    best, worst = best_and_worst(data)
    positions = {f"class-{row['name']}": row["position"] for row in data["classes"]}
    for name, rows in (("best", best), ("worst", worst)):
        positions |= {f"{name}-{number}": row["position"] for number, row in enumerate(rows, 1)}
    return positions


def best_and_worst(data: Data) -> tuple[list[Data], list[Data]]:
    """Return the joint placements that are best and worst for the player who moves first."""
    rows: list[Data] = data["joints"]
    return rows[:MAX_SHOWN], rows[::-1][:MAX_SHOWN]


@cache
def board_picture(game_id: str, name: str, theme: str) -> str:
    """Return one of the boards as SVG."""
    position = board_positions(game_id).get(name)
    if position is None:
        raise NotFound("The opening study has no such board.")
    game = registry.game(game_id)
    return draw_whole(game, game.view(game.decode(position), None), theme)


def small_sample_note(data: Data) -> str:
    """Return the range of games per cell of the heat map if most cells have few games; otherwise empty.

    >>> small_sample_note({"table": [[{"games": 4}, None], [{"games": 2}, {"games": 12}]]})
    '2 to 12 games'
    >>> small_sample_note({"table": [[{"games": 900}]]})
    ''
    """
    games = sorted(cell["games"] for row in data["table"] for cell in row if cell)
    if not games or games[len(games) // 2] >= SMALL_SAMPLE:
        return ""
    return f"{games[0]} to {games[-1]} games" if games[0] < games[-1] else f"{games[0]} games"


def join_units(text: str) -> str:
    r"""Return a text without breaks between figures and their signs.

    >>> join_units("54.4 % (50 % to 59%), +0.8 ± 18.9 points")
    '54.4% (50% to 59%), +0.8\xa0±\xa018.9 points'
    """
    return text.replace(" %", "%").replace(" ± ", "\xa0±\xa0")


def shade(score: float) -> int:
    """Return the shade of a score in the heat map, from 1 (worst) to SHADES (best).

    >>> shade(0.5), shade(0.9), shade(0.1), shade(0.56)
    (5, 9, 1, 6)
    """
    middle = (SHADES + 1) // 2
    offset = (score - 0.5) / MAX_OFFSET * (middle - 1)
    return max(1, min(SHADES, middle + round(offset)))


def bar(row: Data) -> tuple[float, float, float]:
    """Return the low end, score and high end of an interval on a bar of 0 to 100 that spans LEFT to RIGHT.

    >>> bar({"low": 0.2, "score": 0.5, "high": 0.625})
    (0.0, 50.0, 75.0)
    """
    low, score, high = (
        round(max(0.0, min(100.0, 100 * (row[name] - LEFT) / (RIGHT - LEFT))), 1) for name in ("low", "score", "high")
    )
    return low, score, high
