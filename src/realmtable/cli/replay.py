"""`realmtable replay`: print, draw or export a record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from realmtable.cli.command_helpers import disable_compiling, read_valid_record, write_text
from realmtable.engine.errors import BadInput
from realmtable.engine.match import Match
from realmtable.engine.pictures import draw_whole
from realmtable.engine.record import Record, RecordTurn


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--until", type=click.IntRange(0), help="Stop after this many turns, including placements.")
@click.option("--svg", type=click.Path(path_type=Path), help="Draw the final position to this file.")
@click.option("--theme", type=click.Choice(["auto", "light", "dark"]), default="auto", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print turns, positions and outcome as JSON.")
@click.option("--boards", is_flag=True, help="Print the board after every turn.")
def command(*, file: Path, until: int | None, svg: Path | None, theme: str, as_json: bool, boards: bool) -> None:
    """Print the turns of a record and its final position; FILE may be - for standard input."""
    disable_compiling()
    record = read_valid_record(file)
    if until is not None and until > len(record.turns):
        raise BadInput(f"The record has {len(record.turns)} turns, not {until}.")
    match = record.replay(until)
    if svg is not None:
        write_text(svg, draw_whole(match.game, match.view(None), theme))
        click.echo(f"Drawn to {svg}.", err=as_json)
    if as_json:
        click.echo(json.dumps(_replay_data(record, record.turns[:until], match)))
    elif svg is None:
        _print_replay(record, until, match, boards)


def _replay_data(record: Record, turns: list[RecordTurn], match: Match) -> dict[str, Any]:
    game = record.game
    outcome = match.outcome()
    return {
        "game": game.info.id,
        "headers": record.headers,
        "start": game.encode(record.start),
        "turns": [
            {
                "number": turn.turn.number,
                "seat": turn.seat,
                "text": turn.text,
                "comment": turn.comment,
                "before": game.encode(turn.before),
            }
            for turn in turns
        ],
        "position": game.encode(match.state),
        "view": match.view(None),
        "outcome": None
        if outcome is None
        else {"scores": outcome.scores, "ranking": outcome.ranking, "reason": outcome.reason, "text": outcome.text},
    }


def _print_replay(record: Record, until: int | None, match: Match, boards: bool) -> None:
    from realmtable.cli.rich_picture import print_sketch  # noqa: PLC0415 - Rich is only for the terminal

    game = record.game
    names = (*game.info.seat_names, "chance")
    for index, turn in enumerate(record.turns[:until]):
        click.echo(f"{turn.turn.number:>4}. {names[turn.seat]:<6} {turn.text}")
        if turn.comment:
            click.echo(f"             {turn.comment}")
        if boards:
            print_sketch(game.sketch(record.replay(index + 1).view(None)))
    if not boards:
        print_sketch(game.sketch(match.view(None)))
    click.echo(game.encode(match.state))
    outcome = match.outcome()
    if outcome is not None:
        click.echo(outcome.text)
