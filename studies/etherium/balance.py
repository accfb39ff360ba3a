"""Is Realms of Etherium balanced? Play many games of one bot per setting, and write a page with what they show.

    python -m studies.etherium.balance --games 10000 --write

A run that was stopped continues where it ended. `--seconds` limits a run, and the page says how many games each
setting has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
from numpy.typing import NDArray

from realmtable.games.realms_of_etherium.kernels import layout, tally
from realmtable.games.realms_of_etherium.tiles.manifest import MAX_TILES, standard_manifest
from realmtable.kit.rules import Position
from realmtable.search.compiled_matches import GameResults, SeatPolicy, play_games
from studies.etherium.batches import GAMES, BatchFile, Sums, batch_seeds, play_batches, rules, start_position
from studies.etherium.page import WINNER_POINTS, make_page
from studies.etherium.tables import QUICK, SEARCH

RESULTS: Final = Path(__file__).with_name("balance.jsonl")
PAGE: Final = Path(__file__).with_name("balance.md")
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


TOPICS: Final = sorted({setting.topic for setting in list_settings()})


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


@click.command()
@click.option("--games", type=click.IntRange(1), default=10_000, show_default=True, help="Games per setting.")
@click.option("--search-games", type=click.IntRange(1), default=400, show_default=True, help="The same for the search.")
@click.option("--topic", "topics", type=click.Choice(TOPICS), multiple=True, help="Only this topic; repeatable.")
@click.option("--threads", type=click.IntRange(1), default=2, show_default=True)
@click.option("--seconds", type=click.FloatRange(0), help="Stop after this time; 0 plays nothing.")
@click.option("--results", type=click.Path(dir_okay=False, path_type=Path), default=RESULTS, help="File of the games.")
@click.option("--write", is_flag=True, help="Write the page instead of printing it.")
def main(  # noqa: PLR0913 - one for each option
    *,
    games: int,
    search_games: int,
    topics: tuple[str, ...],
    threads: int,
    seconds: float | None,
    results: Path,
    write: bool,
) -> None:
    """Play the games that the file of results lacks, and make the page from it."""
    settings = {setting.name: setting for setting in list_settings()}
    goals = {
        name: games if setting.bot == QUICK else search_games
        for name, setting in settings.items()
        if not topics or setting.topic in topics
    }
    file = BatchFile(results)
    play_batches(file, goals, lambda name, batch: play_batch(settings[name], batch, threads), seconds=seconds)
    page = make_page({(each.topic, each.seats, each.bot): file.sums[name] for name, each in settings.items()})
    if write:
        PAGE.write_text(page, encoding="utf-8")
    else:
        click.echo(page)


if __name__ == "__main__":
    main()
