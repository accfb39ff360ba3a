"""Find the best hands of Fantasy Realms, and the worth of random hands: `python -m studies.fantasy_hands`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from studies.fantasy_hands.page import (
    best_sentence,
    best_table,
    card_table,
    draw_histogram,
    interval_sentence,
    page,
    random_table,
)
from studies.fantasy_hands.random_hands import Sample, score_batches
from studies.fantasy_hands.search import CHECKED_HANDS, EIGHT, SEVEN, HandSearch, check_bound

PAGE: Final = Path(__file__).with_name("hands.md")
STEPS_AT_ONCE: Final = 1_000_000


def progress_bar() -> Progress:
    """Return a progress bar with the remaining time."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True))


def search_best_hands() -> list[HandSearch]:
    """Search all hands of seven, and all of eight with the Necromancer."""
    check_bound(CHECKED_HANDS)
    searches = [HandSearch(part) for part in (SEVEN, EIGHT)]
    with progress_bar() as bar:
        for search in searches:
            task = bar.add_task(f"Hands of {search.part.name}", total=search.part.count_hands())
            while not search.is_over:
                search.run_steps(STEPS_AT_ONCE)
                bar.update(task, completed=search.hands_done)
    return searches


def score_random_hands(hands: int, seed: int) -> Sample:
    """Score random hands."""
    with progress_bar() as bar:
        task = bar.add_task("Random hands", total=hands)
        for found in score_batches(hands, seed):
            bar.update(task, completed=found.hands)
    return found


@click.command()
@click.option(
    "--random", "hands", type=click.IntRange(1000), default=1_000_000, show_default=True, help="Random hands."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random hands.")
@click.option("--only", type=click.Choice(["best", "random"]), help="Print one part without writing the page.")
def main(*, hands: int, seed: int, only: str | None) -> None:
    """Find the best hands of Fantasy Realms, which takes minutes, and the worth of random hands."""
    searches = search_best_hands() if only != "random" else []
    for search in searches:
        click.echo(f"{best_sentence(search)}\n\n{best_table(search)}\n")
    if only != "best":
        found = score_random_hands(hands, seed)
        click.echo("\n\n".join([random_table(found), card_table(found), interval_sentence(found)]))
        if searches:
            picture = PAGE.with_suffix(".svg")
            PAGE.write_text(page(searches, found, picture.name), encoding="utf-8")
            picture.write_text(draw_histogram(found), encoding="utf-8")
            click.echo(f"Wrote {PAGE.name} and {picture.name}.", err=True)


if __name__ == "__main__":
    main()
