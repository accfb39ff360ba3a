"""Tables of shares with intervals, for balance.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import Final

from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.lab.match_statistics import wilson
from studies.etherium.batches import GAMES, Sums

Key = tuple[str, int, str]  # topic, number of players, bot
Results = Mapping[Key, Sums]

SEATS: Final = range(2, 7)
QUICK: Final = "quick"
SEARCH: Final = "search"
COLOURS: Final = layout.COLOUR_NAMES[1:]
CLEAR_Z: Final = NormalDist().inv_cdf(0.999)  # 99.8%: one of 500 fair rows looks unfair
ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth")


def table(rows: Iterator[Sequence[str]]) -> str:
    """Format rows as a table; the first is its head."""
    head, *body = rows
    lines = [f"| {' | '.join(row)} |" for row in ([*head], ["---", *["---:"] * (len(head) - 1)], *body)]
    return "\n".join(lines).replace("| --- | ---: ", "|---|---:").replace("| ---: ", "|---:")


def share_text(won: float, games: float, par: float) -> str:
    """Format a share with its 95% interval; bold if a 99.8% interval excludes par.

    >>> share_text(60, 100, 0.5), share_text(700, 1000, 0.5), share_text(0, 0, 0.5)
    ('60.0% (50.2–69.1)', '**70.0% (67.1–72.8)**', '–')
    """
    if not games:
        return "–"
    low, high = wilson(won / games, games)
    text = f"{won / games:.1%} ({100 * low:.1f}–{100 * high:.1f})"
    return f"**{text}**" if side_of_par(won, games, par) else text


def side_of_par(won: float, games: float, par: float) -> int:
    """Return 1 or -1 if a share is clearly above or below par, and 0 otherwise."""
    if not games:
        return 0
    low, high = wilson(won / games, games, CLEAR_Z)
    return (low > par) - (high < par)


def mean(sums: Sums, key: str, number: str = GAMES) -> float:
    """Return a sum per game."""
    return sums[key] / sums[number] if sums[number] else 0.0
