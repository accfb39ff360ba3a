"""Runs a game in the terminal: the board, the prompt, the player's commands and the bots' turns."""

from __future__ import annotations

import random
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table

from realmtable.cli.command_helpers import path_exists, write_text
from realmtable.cli.prompt import Prompt
from realmtable.cli.rich_picture import print_sketch
from realmtable.engine import registry
from realmtable.engine.bots import Bot, plan_steps
from realmtable.engine.errors import BadInput, BadNotation, IllegalMove, RealmtableError
from realmtable.engine.match import Match, fold_label, format_move_for
from realmtable.engine.protocol import CHANCE, HasSeatNames, Seat, State
from realmtable.engine.record import Record, RecordTurn, result_text

COMMAND_HELP = {
    "help": "show this list",
    "moves": "list all legal steps",
    "moves TEXT": "list the legal steps that start with TEXT",
    "undo": "undo your last step of this turn",
    "why STEP": "explain why a step is illegal, with the clause of the rules",
    "hint": "show what the bot would play",
    "board": "draw the board again",
    "turns": "list the turns so far",
    "position": "show the position as one line of text",
    "save [FILE]": "save the record",
    "rules [CLAUSE]": "show the rules, or one clause",
    "quit": "save and quit",
}
_PARENTHESES = re.compile(r"\([^()]*\)")
MAX_LISTED = 40  # longer lists of steps are shown only by `moves`


class Session:
    """One game at the terminal."""

    def __init__(self, match: Match, players: list[Bot | None], notes: Record, save: Path | None, seed: str) -> None:
        self.match = match
        self.game = match.game
        self.players = players
        self.notes = notes  # headers, and the comments and variations of a resumed game
        self.save_path = save
        self.rng = random.Random(f"{seed} {len(match.log())}")
        self.console = Console(highlight=False)
        self.prompt = Prompt()

    # ---- the loop

    def run(self) -> None:
        """Play until the game is over or the player leaves; the record is saved either way."""
        if self.save_path is None and sys.stdin.isatty():
            self.save_path = free_path(self.record_path())  # so that even a killed game can be resumed
        self.print_welcome()
        self.print_board()
        try:
            while acting := self.game.to_move(self.match.state):
                self.act(acting[0])
        except (EOFError, KeyboardInterrupt, _PlayerLeft):
            self.leave()
        else:
            self.finish()

    def act(self, seat: Seat) -> None:
        """Let a bot take its whole turn, or ask a person for a step."""
        if seat == CHANCE:  # only if a record without a seed is resumed
            raise BadInput("This record has no seed, so its dice cannot be rolled.")
        player = self.players[seat]
        if player is None:
            self.ask(seat)
        else:
            self._play_bot_turn(seat, player)

    def _play_bot_turn(self, seat: Seat, player: Bot) -> None:
        turn = self.game.turn(self.match.state)
        before, viewer = self.match.state, self.viewer()
        moves: list[Any] = []
        visible_texts: list[str] = []
        while seat in self.game.to_move(self.match.state) and self.game.turn(self.match.state) == turn:
            state = self.game.resample(self.match.state, seat, self.rng)
            for move in plan_steps(player, self.game, state, seat, self.rng):
                visible_texts += filter(None, [format_move_for(self.game, self.match.state, seat, move, viewer)])
                self.match = self.match.play(seat, move)
                moves.append(move)
        text = ", ".join(visible_texts) if self.game.info.hidden else self.game.format_turn(before, moves)
        if text:
            name = f"[bold]{turn.number}. {self.seat_name(seat)}[/] ({player.name})"
            self.console.print(f"{name} plays [bold]{escape(text)}[/]")
        self.autosave()
        self.print_board()

    def ask(self, seat: Seat) -> None:
        """Ask for one line and run it; errors are printed and nothing changes."""
        legal = [
            self.game.format_move(self.match.state, move) for move in self.game.legal_moves(self.match.state, seat)
        ]
        self.offer_choices(legal)
        turn = self.game.turn(self.match.state)
        line = self.prompt.ask(f"{turn.number}. {self.seat_name(seat)}> ", [*legal, *_command_words()]).strip()
        if not line:
            return
        try:
            self._run_line(seat, line, legal)
        except RealmtableError as error:
            self.console.print(f"[red]{escape(str(error))}[/]")

    def _run_line(self, seat: Seat, line: str, legal: list[str]) -> None:
        word, _, rest = line.partition(" ")
        action = getattr(self, f"_command_{word.lower()}", None)
        if action is not None:
            action(seat, rest.strip(), legal)
        else:
            self.play_text(seat, line)

    # ---- steps

    def play_text(self, seat: Seat, text: str) -> None:
        """Play a step, with its choices in parentheses if it has any, or a whole turn typed at once."""
        before = self.match
        try:
            step = self.game.parse_move(before.state, text)
        except BadNotation:
            step = None
        if step is None or "(" in text:
            self.match = self._play_turn(seat, text, running="," not in _PARENTHESES.sub("", text))
        else:
            self.match = before.play(seat, step)
        if self.game.turn(self.match.state) != self.game.turn(before.state):
            self.autosave()
        self.print_board()

    def _play_turn(self, seat: Seat, text: str, *, running: bool) -> Match:
        read = self.game.parse_turn(self.match.state, text, running=running)
        if read.rest:
            raise BadNotation(f"The turn ends before {read.rest[:40]}.")
        for warning in read.warnings:
            self.console.print(f"[yellow]{escape(warning)}[/]")
        match = self.match
        for move in read.moves:
            match = match.play(seat, move)
        return match

    # ---- commands; each gets the seat, the rest of the line and the legal steps

    def _command_help(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - all commands share a signature
        table = Table(box=None, show_header=False)
        for word, meaning in COMMAND_HELP.items():
            table.add_row(f"[bold]{escape(word)}[/]", meaning)
        self.console.print(table)
        self.console.print("Anything else is read as a step in the game's notation, or as a whole turn.")

    def _command_moves(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - all commands share a signature
        self.list_steps([text for text in legal if text.startswith(rest)] if rest else legal)

    def _command_undo(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - all commands share a signature
        self.match = self.match.undo(seat)
        self.print_board()

    def _command_why(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - all commands share a signature
        try:
            self.game.play(self.match.state, seat, self.game.parse_move(self.match.state, rest))
        except IllegalMove as error:
            self.console.print(escape(error.sentence))
            self.print_clause(error.clause)
        else:
            self.console.print(f"{escape(rest)} is legal.")

    def _command_hint(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - all commands share a signature
        from realmtable.search.baselines import GreedyBot  # noqa: PLC0415 - rarely needed

        state = self.game.resample(self.match.state, seat, self.rng)
        move = GreedyBot().choose(self.game, state, seat, random.Random(1))
        self.console.print(f"The bot would play [bold]{escape(self.game.format_move(self.match.state, move))}[/].")

    def _command_board(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - all commands share a signature
        self.print_board()

    def _command_turns(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - all commands share a signature
        for number, turns in groupby(Record.from_match(self.match).turns, key=lambda turn: turn.turn.number):
            texts = " / ".join(self._turn_texts(turns))
            self.console.print(f"{number:>4}. {escape(texts)}", highlight=False)

    def _turn_texts(self, turns: Iterable[RecordTurn]) -> list[str]:
        """Format turns as far as the viewer may see them; folded turns share one text."""
        texts: list[str] = []
        for turn in turns:
            fold = fold_label(self.game, turn.seat, turn.before, turn.moves[0])
            text = turn.text
            if self.has_secrets():
                text = ", ".join(self._visible_texts(turn.before, turn.seat, turn.moves))
            if (fold or text) and (not fold or texts[-1:] != [fold]):
                texts.append(fold or text)
        return texts

    def _command_position(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - all commands share a signature
        if self.has_secrets():
            raise BadInput("The position would reveal every hand; it is available when the game is over.")
        self.console.print(escape(self.game.encode(self.match.state)), highlight=False, soft_wrap=True)

    def _command_save(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - all commands share a signature
        self.save(Path(rest) if rest else self.record_path())

    def _command_rules(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - all commands share a signature
        if rest:
            self.print_clause(rest.upper())
        else:
            with self.console.pager():
                self.console.print(Markdown(registry.read_rules(self.game.info.id)))

    def _command_quit(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - all commands share a signature
        raise _PlayerLeft

    # ---- output

    def print_welcome(self) -> None:
        """Print the game, the players and how to get help."""
        info = self.game.info
        seats = ", ".join(
            f"{self.seat_name(seat)} {'is yours' if player is None else f'is the bot {player.name}'}"
            for seat, player in enumerate(self.players)
        )
        self.console.print(f"[bold]{info.title}[/]. {info.summary}")
        self.console.print(f"{seats}. Type a step, or [bold]help[/] for help; [bold]rules[/] shows the rules.")

    def seat_name(self, seat: Seat) -> str:
        """Return a seat's name, as far as the viewer may know it."""
        named = isinstance(self.game, HasSeatNames) and self.game.seat_name(self.match.view(self.viewer()), seat)
        return named or self.game.info.seat_names[seat]

    def has_secrets(self) -> bool:
        """Whether some information is still hidden."""
        return self.game.info.hidden and bool(self.game.to_move(self.match.state))

    def viewer(self) -> Seat | None:
        """Return the seat of the person at the screen: the acting one, or the only one."""
        acting = self.game.to_move(self.match.state)
        people = [seat for seat, player in enumerate(self.players) if player is None]
        return acting[0] if acting and acting[0] in people else people[0] if len(people) == 1 else None

    def _visible_texts(self, state: State, seat: Seat, moves: Sequence[Any]) -> list[str]:
        """Format a seat's steps from `state` as far as the viewer may see them."""
        texts = []
        for move in moves:
            texts.append(format_move_for(self.game, state, seat, move, self.viewer()))
            state = self.game.play(state, seat, move)
        return list(filter(None, texts))

    def print_board(self) -> None:
        """Draw the board as the viewer sees it."""
        self.console.print()
        print_sketch(self.game.sketch(self.match.view(self.viewer())), self.console)

    def offer_choices(self, legal: list[str]) -> None:
        """List the legal steps if there are few, else print their number."""
        if len(legal) <= MAX_LISTED:
            self.list_steps(legal)
        else:
            self.console.print(f"{len(legal)} legal steps; [bold]moves[/] lists them, [bold]help[/] shows more.")

    def list_steps(self, texts: list[str]) -> None:
        """List steps grouped by their start, so that a long list stays readable."""
        if not texts:
            self.console.print("No legal step starts with that.")
            return
        groups = [(begin, [*group]) for begin, group in groupby(texts, key=_group_key)]
        if [begin for begin, _ in groups] == texts:  # each is a group of its own
            self.console.print(escape("  ".join(texts)))
            return
        table = Table(box=None, show_header=False)
        for begin, group in groups:
            table.add_row(f"[bold]{escape(begin)}[/]", escape("  ".join(group)))
        self.console.print(table)

    def print_clause(self, clause: str) -> None:
        """Print one clause of the game's rules."""
        text = clause_text(registry.read_rules(self.game.info.id), clause)
        self.console.print(Markdown(text) if text else f"The rules have no clause {escape(clause[:20])}.")

    # ---- saving the record

    def record_path(self) -> Path:
        """Return the path of the record, or a default one."""
        return self.save_path or Path(f"{self.game.info.id}.record")

    def save(self, path: Path) -> None:
        """Save the record and print its path."""
        if path != self.save_path and path_exists(path):
            raise BadInput(f"{path} already exists; choose another name with save NAME.")
        save_record(self.match, self.notes, path)
        self.save_path = path
        self.console.print(f"Saved to [bold]{escape(str(path))}[/].")

    def autosave(self) -> None:
        """Save the record if it has a path."""
        if self.save_path is not None:
            save_record(self.match, self.notes, self.save_path)

    def leave(self) -> None:
        """Save the game, under a free name if it has none, and print how to resume it."""
        self.console.print()
        if self.match.entry is None:
            return
        path = self.save_path or free_path(self.record_path())
        save_record(self.match, self.notes, path)
        resume = f"{command_name()} play {self.game.info.id} --resume {path}"
        self.console.print(f"Saved. Continue with [bold]{escape(resume)}[/]", soft_wrap=True)

    def finish(self) -> None:
        """Print the outcome."""
        outcome = self.match.outcome()
        assert outcome is not None  # noqa: S101 - no seat is to act
        self.console.print(f"[bold]{escape(outcome.text)}[/]  ({escape(result_text(outcome))})")
        for seat, reached in enumerate(outcome.reached):
            verdict = "reached their goal" if reached else "fell short of their goal"
            self.console.print(f"{escape(self.seat_name(seat))} {verdict}.")
        self.autosave()
        if self.save_path is not None:
            self.console.print(f"The record is in [bold]{escape(str(self.save_path))}[/].")


def save_record(match: Match, notes: Record, path: Path) -> None:
    """Write the record of a match, with the headers, comments and variations of the record it continues.

    The file belongs to the player and includes the seed, so that dice and cards can continue.
    """
    write_text(path, Record.from_match(match, notes.headers).add_notes_from(notes).text(with_seed=True))


class _PlayerLeft(Exception):
    """The player wants to leave."""


def _command_words() -> list[str]:
    return [word.split()[0] for word in COMMAND_HELP]


def _group_key(text: str) -> str:
    """Return the part of a step to group by: a piece with its space, the letter of a new piece, or a word."""
    head = text.split("(", maxsplit=1)[0]
    for length, sign in enumerate(head):
        if length >= 3 and sign.isalpha() and head[length - 1].isdigit():  # noqa: PLR2004 - letter, file, rank
            return head[:length]
    return head[:1] if head[:1].isupper() else head.split(" ", maxsplit=1)[0]


def command_name() -> str:
    """Return what to type to run this program: its name if it is on the PATH, else its path."""
    return "realmtable" if shutil.which("realmtable") else sys.argv[0]


def free_path(path: Path) -> Path:
    """Return the path, with a number if it is taken."""
    number = 2
    free = path
    while free.exists():
        free = path.with_stem(f"{path.stem}-{number}")
        number += 1
    return free


def clause_text(rules: str, clause: str) -> str:
    """Return the lines of one clause, from its bold number to the next clause, heading or diagram."""
    lines: list[str] = []
    for line in rules.splitlines():
        is_clause = line.lstrip().startswith("- **")
        if lines and (is_clause or line.startswith(("#", "```"))):
            break
        if lines or line.lstrip().startswith(f"- **{clause}**"):
            lines.append(line.strip() if is_clause else line)
    return "\n".join(lines).strip()
