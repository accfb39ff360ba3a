"""Is Realms of Etherium balanced? Play many games of one bot per setting, and write a page with what they show.

    python -m bench.etherium_balance --games 10000 --results balance.jsonl --write docs/etherium-balance.md

A run that was stopped continues where it ended. `--seconds` limits a run, and the page says how many games each
setting has.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bench.etherium_balance_page import WINNER_POINTS, make_page
from bench.etherium_balance_tables import QUICK, SEARCH
from bench.etherium_batches import (
    GAMES,
    BatchFile,
    Sums,
    batch_seeds,
    check_can_write,
    play_batches,
    rules,
    start_position,
    time_limit,
)
from bench.fantasy_bots import positive_int
from realmtable.engine.errors import RealmtableError
from realmtable.games.realms_of_etherium.kernels import layout, tally
from realmtable.games.realms_of_etherium.tiles.manifest import MAX_TILES, standard_manifest
from realmtable.kit.rules import Position
from realmtable.search.compiled_matches import GameResults, SeatPolicy, play_games

QUICK_BATCH: Final = 40
SEARCH_BATCH: Final = 4
QUICK_NODES: Final = 6
SEARCH_NODES: Final = 30
FIRST_MAGES: Final = standard_manifest().mages  # of each player

Counts = NDArray[np.int64]  # a tally


@dataclass(frozen=True)
class Setting:
    """The rules of some games, how many play, and which bot."""

    topic: str
    seats: int
    options: tuple[tuple[str, Any], ...] = ()
    bot: str = QUICK

    @property
    def name(self) -> str:
        """The name of the setting in files."""
        changes = " ".join(f"{key}={value}" for key, value in self.options)
        return f"{self.topic} {self.seats} {self.bot} {changes}".strip()


def list_settings() -> list[Setting]:
    """Return all settings of the page."""
    printed = (("player_powers", True),)
    guarded = (("player_powers", True), ("paralyze_guard", True))
    seats = range(2, 7)
    return [
        *[Setting("standard", number) for number in seats],
        *[Setting("printed", number, printed) for number in seats],
        *[Setting("guarded", number, guarded) for number in seats],
        *[
            Setting(topic, number, (("manifest", changes),))
            for topic, changes in list_prices().items()
            for number in (2, 4)
        ],
        *[Setting("standard", number, bot=SEARCH) for number in (2, 4)],
        *[Setting("printed", number, printed, bot=SEARCH) for number in (2, 4)],
    ]


def list_prices() -> dict[str, str]:
    """Return manifests with other prices of Control of Victory Realms, by the topics of `PRICE_WORDS`."""
    prices = {
        tile.id: tile.control for tile in standard_manifest().tiles if tile.tile_class == "victory" and tile.control
    }
    return {
        "cheap": ";".join(f"{name}.control:{each.white}/{each.black - 1}" for name, each in prices.items()),
        "dear": ";".join(f"{name}.control:{each.white}/{each.black + 1}" for name, each in prices.items()),
        "equal": ";".join(f"{name}.control:1/2" for name in prices),
        "network": "network.control:2/4",
    }


def make_policies(setting: Setting) -> list[SeatPolicy]:
    """Return the bots of a setting: the same in every seat."""
    parameters = replace(rules().search_parameters, own_turn=True, mix=1.0)
    policy = (
        SeatPolicy(QUICK_NODES, parameters, plans=True)
        if setting.bot == QUICK
        else SeatPolicy(SEARCH_NODES, plans=True)
    )
    return [policy] * setting.seats


def play_batch(setting: Setting, batch: int, threads: int) -> Sums:
    """Play a batch of games and return its sums."""
    games = QUICK_BATCH if setting.bot == QUICK else SEARCH_BATCH
    start = start_position(setting.seats, **dict(setting.options))
    seeds = batch_seeds(setting.name, batch, games)
    return sum_games(play_games(rules(), [start] * games, make_policies(setting), seeds, threads))


def sum_games(played: GameResults) -> Sums:
    """Return what the page needs to know about some games, summed up."""
    sums: Sums = defaultdict(float)
    for shares, final, counts in zip(played.shares.tolist(), played.finals, played.tallies, strict=True):
        sums[GAMES] += 1
        sums["rounds"] += final.item(layout.ROUND)
        sums["squared_rounds"] += final.item(layout.ROUND) ** 2
        sums[f"end {layout.REASONS[final[layout.REASON]]}"] += 1
        sums["shared"] += max(shares) < 1
        for seat, share in enumerate(shares):
            order = (seat - counts.item(tally.STARTER)) % len(shares)
            sums[f"order {order} won"] += share
            sums[WINNER_POINTS] += share * final.item(layout.POINTS + seat)
            sum_colour(sums, final, counts, seat, share)
        sum_tiles(sums, final, counts, shares)
    return sums


def sum_colour(sums: Sums, final: Position, counts: Counts, seat: int, share: float) -> None:
    """Add what a seat did under the colour that it drew, if it drew one."""
    colour = final.item(layout.PLAYER_COLOUR + seat)
    if colour == 0:
        return
    key = layout.COLOUR_NAMES[colour]
    opponents = final.item(layout.SEATS) - 1
    exhausted = counts.item(tally.EXHAUSTED_FIRST + seat)
    sums[f"{key} {GAMES}"] += 1
    sums[f"{key} won"] += share
    sums[f"{key} white"] += counts.item(tally.GAINED_WHITE + seat)
    sums[f"{key} black"] += counts.item(tally.GAINED_BLACK + seat)
    sums[f"{key} mages"] += counts.item(tally.NEW_MAGES + seat)
    sums[f"{key} exhausted"] += counts.item(tally.EXHAUSTED_OTHERS + seat)
    sums[f"{key} exhausted first"] += exhausted > 0
    sums[f"{key} exhausted all"] += exhausted >= FIRST_MAGES * opponents


def sum_tiles(sums: Sums, final: Position, counts: Counts, shares: Sequence[float]) -> None:
    """Add how often each kind was summoned and Controlled, and what the seats that took it won."""
    seats, kinds = len(shares), layout.KIND_COUNT
    summoned = counts[tally.SUMMONED :][: seats * kinds].reshape(seats, kinds)
    taken = counts[tally.TAKEN :][: seats * kinds].reshape(seats, kinds)
    for kind in np.flatnonzero(summoned.sum(axis=0)).tolist():
        sums[f"tile {kind} summoned"] += int(summoned[:, kind].sum())
    for seat, kind in zip(*np.nonzero(taken), strict=True):
        sums[f"tile {kind} taken"] += 1
        sums[f"tile {kind} won"] += shares[seat]
    owners = final[layout.TILE_OWNER :][:MAX_TILES]
    for tile in np.flatnonzero(owners).tolist():
        kind = final.item(layout.TILE_KIND + tile)
        sums[f"tile {kind} held"] += 1
        sums[f"tile {kind} held won"] += shares[owners.item(tile) - 1]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    topics = sorted({setting.topic for setting in list_settings()})
    parser = argparse.ArgumentParser(prog="python -m bench.etherium_balance", description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=positive_int, default=10_000, help="games per setting (10000)")
    parser.add_argument("--search-games", type=positive_int, default=400, help="games per setting of the search (400)")
    parser.add_argument("--topic", action="append", choices=topics, help="play only settings of this topic; repeatable")
    parser.add_argument("--threads", type=positive_int, default=2, help="threads (2)")
    parser.add_argument("--results", type=Path, help="file to keep the games in, and to continue from")
    parser.add_argument("--condense", action="store_true", help="at the end, keep one line per setting in that file")
    parser.add_argument("--seconds", type=time_limit, help="stop after this time")
    parser.add_argument("--write", type=Path, help="page to write")
    arguments = parser.parse_args(argv)
    try:
        run(arguments)
    except RealmtableError as error:
        parser.exit(2, f"{error}\n")


def run(arguments: argparse.Namespace) -> None:
    """Play the games and write or print the page."""
    settings = {setting.name: setting for setting in list_settings()}
    if arguments.write:
        check_can_write(arguments.write)
    goals = {
        name: arguments.games if setting.bot == QUICK else arguments.search_games
        for name, setting in settings.items()
        if not arguments.topic or setting.topic in arguments.topic
    }
    file = BatchFile(arguments.results)
    play_batches(
        file, goals, lambda name, batch: play_batch(settings[name], batch, arguments.threads), seconds=arguments.seconds
    )
    if arguments.condense and arguments.results:
        file.condense()
    page = make_page({(each.topic, each.seats, each.bot): file.sums(name) for name, each in settings.items()})
    if arguments.write:
        arguments.write.write_text(page, encoding="utf-8")
    else:
        print(page)


if __name__ == "__main__":
    main()
