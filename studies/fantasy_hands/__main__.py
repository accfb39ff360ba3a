"""Find the best hands of Fantasy Realms, and the worth of random hands: `python -m bench.fantasy_hands --best`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from platformdirs import user_cache_path
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bench.fantasy_hand_search import EIGHT, SEVEN, HandSearch, HandSet, load_progress, save_progress
from bench.fantasy_hands_page import (
    best_sentence,
    best_table,
    card_table,
    draw_histogram,
    interval_sentence,
    page,
    random_table,
)
from bench.fantasy_random_hands import Sample, score_batches

PAGE: Final = Path(__file__).parent.parent / "docs" / "fantasy-hands.md"
STATE_FILE: Final = user_cache_path("realmtable") / "fantasy-hands.json"
STEPS_PER_SAVE: Final = 1_000_000  # steps between two saves
DEFAULT_RANDOM: Final = 1_000_000


def progress_bar() -> Progress:
    """Return a progress bar with the remaining time."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True))


def search_best_hands(path: Path, parts: tuple[HandSet, ...] = (SEVEN, EIGHT)) -> list[HandSearch]:
    """Search all hands of some parts, resuming from the file if possible."""
    searches = [HandSearch(part) for part in parts]
    if not load_progress(path, searches):
        searches = [HandSearch(part) for part in parts]
    with progress_bar() as bar:
        for search in searches:
            part, done = search.part, search.hands_done
            task = bar.add_task(f"Hands of {part.name}", total=part.count_hands(), completed=done)
            while not search.is_over:
                search.run_steps(STEPS_PER_SAVE)
                save_progress(path, searches)
                bar.update(task, completed=search.hands_done)
    return searches


def score_random_hands(hands: int, seed: int) -> Sample:
    """Score random hands."""
    with progress_bar() as bar:
        task = bar.add_task("Random hands", total=hands)
        for found in score_batches(hands, seed):
            bar.update(task, completed=found.hands)
    return found


def print_best(searches: list[HandSearch]) -> None:
    """Print the best hands."""
    for search in searches:
        click.echo(f"{best_sentence(search)}\n\n{best_table(search)}\n")


def print_random(found: Sample) -> None:
    """Print the worth of random hands."""
    click.echo("\n\n".join([random_table(found), card_table(found), interval_sentence(found)]))


def write_page(searches: list[HandSearch], found: Sample, path: Path = PAGE) -> None:
    """Write the page and its picture."""
    picture = path.with_suffix(".svg")
    path.write_text(page(searches, found, picture.name), encoding="utf-8")
    picture.write_text(draw_histogram(found), encoding="utf-8")
    click.echo(f"Wrote {path.name} and {picture.name}.", err=True)


@click.command()
@click.option("--best", is_flag=True, help="Search all hands and print the best: takes minutes of processor time.")
@click.option(
    "--random",
    "hands",
    type=click.IntRange(1000),
    help="Score this many random hands; with --docs, 1,000,000 by default.",
)
@click.option("--docs", is_flag=True, help="Do both and write docs/fantasy-hands.md.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random hands.")
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    default=STATE_FILE,
    help="File for the progress of the search; by default in the user's cache. Without it the search starts over.",
)
def main(*, best: bool, hands: int | None, docs: bool, seed: int, state: Path) -> None:
    """Find the best hands of Fantasy Realms, and the worth of random hands.

    An interrupted search resumes where it stopped; a finished one is reused as long as the rules are unchanged.
    """
    if not (best or hands or docs):
        raise click.UsageError("Choose --best, --random N or --docs.")
    searches = search_best_hands(state) if best or docs else []
    found = score_random_hands(hands or DEFAULT_RANDOM, seed) if hands or docs else None
    if docs and found is not None:
        write_page(searches, found)
        return
    print_best(searches)
    if found is not None:
        print_random(found)


if __name__ == "__main__":
    main()
