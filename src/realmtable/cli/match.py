"""`realmtable match`: measure which bot is stronger, by how much, and with what confidence."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from realmtable.cli.command_helpers import (
    cluster_option,
    game_argument,
    game_options,
    options_from_flags,
    path_exists,
    write_text,
)
from realmtable.engine.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realmtable.lab.matches.match_game import PlayedGame

INTERRUPTED = 130  # the exit code of an interrupted command


@click.command("match")
@game_argument
@click.option("--bots", required=True, metavar="A,B[,C…]", help="The bots; three or more play a round robin.")
@click.option("--games", type=int, default=100, show_default=True, help="Games per pairing; an even number.")
@click.option("--opening-turns", type=int, metavar="K", help="Random turns before the bots take over.")
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The same seed gives the same openings and randomness."
)
@click.option("--sprt", metavar="ELO0:ELO1", help="Stop as soon as a sequential test decides (two bots only).")
@click.option("--workers", type=click.IntRange(1, 256), help="Number of processes. [default: one per core]")
@cluster_option
@click.option("--out", type=click.Path(path_type=Path), help="Save each game to this file, and resume from it.")
@click.option("--html", type=click.Path(path_type=Path), help="Write the result as an HTML page.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@game_options
def command(  # noqa: PLR0913 - one argument for each flag
    *,
    game_id: str,
    bots: str,
    games: int,
    seed: int,
    opening_turns: int | None,
    sprt: str | None,
    workers: int | None,
    cluster: str,
    out: Path | None,
    html: Path | None,
    as_json: bool,
    pairs: tuple[str, ...],
    preset: str | None,
    options_file: Path | None,
) -> None:
    """Let bots play GAME against each other, in pairs of games with the same opening and the seats swapped.

    An opening is a random set-up if the game has a set-up phase, otherwise four random turns. The result is a score
    with its 95% interval and the corresponding Elo difference. An interrupt prints the result so far.

    \b
    For example
      realmtable match realm --bots greedy,random
      realmtable match realm --bots greedy,casual,random --games 40 --html match.html
      realmtable match classic_realm --bots greedy,casual --games 2000 --sprt 0:50 --out match.jsonl
    """  # noqa: D301 - Click needs the literal \b
    from realmtable.lab.match_statistics import Sprt  # noqa: PLC0415 - as above
    from realmtable.lab.matches import match_html, match_text  # noqa: PLC0415 - keeps --help fast
    from realmtable.lab.matches.match import play_match  # noqa: PLC0415 - as above

    if html is not None and not path_exists(html.parent):
        raise BadInput(f"There is no folder {html.parent} to write {html.name} to.")
    names = [name.strip() for name in bots.split(",")]
    options = options_from_flags(game_id, pairs, preset, options_file)
    test = None if sprt is None else Sprt.parse(sprt)
    with _show_progress(names, games, shown=not as_json) as on_game:
        result = play_match(
            game_id,
            names,
            games=games,
            seed=seed,
            options=options,
            opening_turns=opening_turns,
            workers=workers,
            cluster=cluster,
            sprt=test,
            keep=out,
            on_game=on_game,
        )
    click.echo(json.dumps(result.as_dict()) if as_json else match_text.format_result(result))
    if html is not None:
        write_text(html, match_html.render_match(result))
    if result.interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


@contextmanager
def _show_progress(names: list[str], games: int, *, shown: bool) -> Iterator[Callable[[PlayedGame, int], None]]:
    """Show a progress bar with the score so far on stderr, if it is a terminal."""
    if not (shown and sys.stderr.isatty()):
        yield lambda _game, _done: None
        return
    points = [0.0] * len(names)
    total = len(names) * (len(names) - 1) // 2 * games

    def format_points(_: Any) -> str:  # noqa: ANN401 - Click's own
        return ", ".join(f"{name} {mine:g}" for name, mine in zip(names, points, strict=True))

    with click.progressbar(
        length=total, label="Playing", show_pos=True, item_show_func=format_points, file=sys.stderr
    ) as bar:

        def update_bar(game: PlayedGame, done: int) -> None:
            for seat, bot in enumerate(game.bots):
                points[bot] += game.points[seat]
            bar.update(done - bar.pos, current_item=game)

        yield update_bar
