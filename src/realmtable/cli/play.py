"""`realmtable play`: play a game in the terminal."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from realmtable.cli.command_helpers import (
    disable_compiling,
    game_argument,
    game_options,
    options_from_flags,
    path_exists,
    read_valid_record,
    start_state,
)
from realmtable.engine import registry
from realmtable.engine.errors import BadInput, BadOptions
from realmtable.engine.match import Match
from realmtable.engine.protocol import AnyGame, Options
from realmtable.engine.record import Record

if TYPE_CHECKING:
    from realmtable.engine.bots import Bot


@click.command("play")
@game_argument
@click.option(
    "--seats",
    metavar="PLAYER,PLAYER",
    default=None,
    help="Players by seat: human or bot:NAME, such as bot:level1 to bot:level8. [default: human against bot:greedy]",
)
@click.option("--seed", type=int, default=None, help="Seed for bots and dice; the same seed gives the same game.")
@click.option("--save", type=click.Path(path_type=Path), help="Save the record to this file after every turn.")
@click.option("--resume", type=click.Path(path_type=Path), help="Continue the game of this record.")
@click.option("--position", help="Start from this position; it includes its options.")
@game_options
def command(  # noqa: PLR0913 - one argument for each flag
    *,
    game_id: str,
    seats: str | None,
    seed: int | None,
    save: Path | None,
    resume: Path | None,
    position: str | None,
    pairs: tuple[str, ...],
    preset: str | None,
    options_file: Path | None,
) -> None:
    """Play GAME in the terminal.

    \b
    For example
      realmtable play realm
      realmtable play realm --seats human,human --option bases=13
      realmtable play realm --seats bot:level5,human --save evening.record
      realmtable play realm --resume evening.record

    Type steps in the game's notation (Tab completes), or a whole turn at once. `help` lists the commands: undo, moves,
    why, save, rules, quit and more. At a terminal, the record is saved after every turn and when you leave.
    """  # noqa: D301 - Click needs the literal \b
    from realmtable.search.bot_levels import needs_compiling  # noqa: PLC0415 - keeps --help fast

    if seats is not None and any(needs_compiling(word.strip().removeprefix("bot:")) for word in seats.split(",")):
        click.echo("Preparing a strong bot; the first time, this takes about a minute.", err=True)
    else:
        disable_compiling()
    game = registry.game(game_id)
    if str(resume) == "-":
        raise BadInput("A game can only be resumed from a file, because it is saved there again.")
    if resume is not None and (pairs or preset or options_file or position):
        raise BadInput("A resumed game keeps its options and its start; leave out --option, --preset and --position.")
    if save is not None and save != resume and path_exists(save):
        raise BadInput(f"{save} already exists; continue it with --resume {save}, or choose another name.")
    text_seed = str(seed) if seed is not None else secrets.token_hex(16)
    if resume is not None:
        record = read_valid_record(resume)
        if record.game.info.id != game_id:
            raise BadInput(f"{resume} is a game of {record.game.info.id}, not of {game_id}.")
        named = sum(name in record.headers for name in game.info.seat_names)
        players = parse_seats(game, seats, max(named, game.info.seats[0]))
        match = replace(record.replay(), seed=record.seed).resolve_chance()
        save = save or resume
    else:
        options = options_from_flags(game_id, pairs, preset, options_file)
        players = parse_seats(game, seats, min_seats(game, options) if position is None else game.info.seats[0])
        match = Match.start(game, start_state(game, options, position, len(players)), text_seed)
        record = Record.from_match(match, {"Date": date.today().isoformat()})  # noqa: DTZ011 - the player's local date
    names = {game.info.seat_names[seat]: player.name if player else "human" for seat, player in enumerate(players)}
    from realmtable.cli.terminal_game import Session  # noqa: PLC0415 - Rich is only for the terminal

    record.headers |= names
    session = Session(match, players, record, save, text_seed)
    session.run()


def min_seats(game: AnyGame, options: Options) -> int:
    """Return the smallest number of seats that the options allow."""
    for seats in game.info.seats:
        with suppress(BadOptions):
            game.initial(seats, options)
            return seats
    return game.info.seats[0]


def parse_seats(game: AnyGame, text: str | None, count: int) -> list[Bot | None]:
    """Parse players such as ``human,bot:greedy``; None stands for a person. `count` is the default number of seats."""
    from realmtable.search.bot_levels import make_bot_for  # noqa: PLC0415 - as above

    words = text.split(",") if text else ["human", *["bot:greedy"] * (count - 1)]
    if len(words) not in game.info.seats:
        raise BadInput(f"{game.info.title} is for {game.info.players}, but --seats names {len(words)}.")
    players: list[Bot | None] = []
    for word in (word.strip() for word in words):
        if word != "human" and not word.startswith("bot:"):
            raise BadInput(f"A player must be human or bot:NAME, such as bot:greedy, not {word[:40]}.")
        players.append(None if word == "human" else make_bot_for(game, word.removeprefix("bot:")))
    return players
