"""Measure the strength of the bots of Realms of Etherium in games with rotating seats.

    python -m bench.etherium_bots --bots level8,greedy,greedy,greedy --games 400
    python -m bench.etherium_bots --ladder --games 100            # each level against the one two below, two players
    python -m bench.etherium_bots --bots mcts:nodes=400,greedy --games 200

Every start is played once per seat, with the bots moved on by one seat each time. A win shared by n players counts 1/n
for each. The intervals are Wilson's 95% intervals, with the games of a start counted as one.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from bench.fantasy_bots import check_bots, compute_figures, format_table, play_deals, positive_int
from realmtable.engine.errors import RealmtableError
from realmtable.search.bot_levels import LEVELS

GAME: Final = "realms_of_etherium"


def list_pairings(bots: str, *, ladder: bool) -> list[list[str]]:
    """Return the bots of each match by seat."""
    if not ladder:
        return [bots.split(",")]
    names = [level.name for level in LEVELS]
    return [[strong, weak] for weak, strong in zip(names, names[2:], strict=False)]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.etherium_bots", description=__doc__.split("\n")[0])
    parser.add_argument("--bots", default="level8,greedy,greedy,greedy", help="bots by seat, 2 to 6")
    parser.add_argument("--ladder", action="store_true", help="play each level against the one two below instead")
    parser.add_argument("--games", type=positive_int, default=40, help="approximate number of games per match (40)")
    parser.add_argument("--preset", help="of the rule options (standard)")
    parser.add_argument("--workers", type=positive_int, default=1, help="processes (1)")
    parser.add_argument("--seed", type=int, default=7, help="seed of all chance (7)")
    arguments = parser.parse_args(argv)
    for names in list_pairings(arguments.bots, ladder=arguments.ladder):
        arguments.bots = names
        try:
            check_bots(names, arguments.preset, GAME)
        except RealmtableError as error:
            parser.exit(2, f"{error}\n")
        starts = play_deals(arguments, GAME)
        rows = [compute_figures(starts, name) for name in dict.fromkeys(names)]
        print(format_table(rows, starts), flush=True)


if __name__ == "__main__":
    main()
