"""A game in the terminal, as it runs: the board, the prompt, the words a player can say, the bots' turns."""

from __future__ import annotations

import random
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from importlib import resources
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table

from realmtable.cli.prompt import Prompt
from realmtable.cli.rich_picture import print_sketch
from realmtable.cli.shared import path_exists, write_text
from realmtable.engine.bots import Bot, plan_steps
from realmtable.engine.errors import BadInput, BadNotation, IllegalMove, RealmtableError
from realmtable.engine.match import Match, fold_label, format_move_for
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.engine.record import Record, RecordTurn, result_text

COMMAND_HELP = {
    "help": "this list",
    "moves": "every legal step, in groups",
    "moves TEXT": "the legal steps that begin so",
    "undo": "take back your latest step of this turn",
    "why STEP": "why a step is not legal, with the clause of the rules",
    "hint": "what the bot would do in your place",
    "board": "draw the board again",
    "turns": "the game so far",
    "position": "the position as one line of text",
    "save [FILE]": "write the record",
    "rules [CLAUSE]": "the rules, or one clause of them",
    "quit": "save and leave",
}
_PARENTHESES = re.compile(r"\([^()]*\)")  # what stands in parentheses
MAX_LISTED = 40  # more steps than this are counted and listed only on `moves`


class Session:
    """One sitting at the terminal."""

    def __init__(self, match: Match, players: list[Bot | None], notes: Record, save: Path | None, seed: str) -> None:
        self.match = match
        self.game = match.game
        self.players = players
        self.notes = notes  # headers, and what is said about the turns of a resumed game
        self.save_path = save
        self.saved_match: Match | None = None
        self.rng = random.Random(f"{seed} {len(match.log())}")
        self.console = Console(highlight=False)
        self.prompt = Prompt()

    # ---- the loop

    def run(self) -> None:
        """Play until the game is over or the player leaves; whatever happens, the record is kept."""
        if self.save_path is None and sys.stdin.isatty():
            self.save_path = free_path(self.record_path())  # written after every turn: even a killed game is kept
        self.print_welcome()
        self.print_board()
        try:
            while acting := self.game.to_move(self.match.state):
                self.act(acting[0])
        except (EOFError, KeyboardInterrupt):
            self.leave()
            return
        except _PlayerLeft:
            self.leave()
            return
        self.finish()

    def act(self, seat: Seat) -> None:
        """Let a bot take its whole turn, or ask a person for a step."""
        if seat == CHANCE:  # only where a record without a seed is resumed
            raise BadInput("This record holds no seed, so its dice cannot be thrown on.")
        player = self.players[seat]
        if player is None:
            self.ask(seat)
        else:
            self._play_bot_turn(seat, player)

    def _play_bot_turn(self, seat: Seat, player: Bot) -> None:
        turn = self.game.turn(self.match.state)
        before, viewer = self.match.state, self.viewer()
        moves: list[Any] = []
        secretly: list[str] = []
        while seat in self.game.to_move(self.match.state) and self.game.turn(self.match.state) == turn:
            state = self.game.resample(self.match.state, seat, self.rng)
            for move in plan_steps(player, self.game, state, seat, self.rng):
                secretly += filter(None, [format_move_for(self.game, self.match.state, seat, move, viewer)])
                self.match = self.match.play(seat, move)
                moves.append(move)
        text = ", ".join(secretly) if self.game.info.hidden else self.game.format_turn(before, moves)
        if text:
            who = f"[bold]{turn.number}. {self.seat_name(seat)}[/] ({player.name})"
            self.console.print(f"{who} plays [bold]{escape(text)}[/]")
        self.autosave()
        self.print_board()

    def ask(self, seat: Seat) -> None:
        """Ask for one line and do what it says; a refusal is told and nothing changes."""
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
        action = getattr(self, f"_say_{word.lower()}", None)
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
            raise BadNotation(f"The turn is over before {read.rest[:40]}.")
        for warning in read.warnings:
            self.console.print(f"[yellow]{escape(warning)}[/]")
        match = self.match
        for move in read.moves:
            match = match.play(seat, move)
        return match

    # ---- words; each is called with the seat, the rest of the line and the legal texts

    def _say_help(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - one shape for all words
        table = Table(box=None, show_header=False)
        for word, meaning in COMMAND_HELP.items():
            table.add_row(f"[bold]{escape(word)}[/]", meaning)
        self.console.print(table)
        self.console.print("Anything else is a step in the game's notation, like one of the list, or a whole turn.")

    def _say_moves(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - one shape for all words
        self.list_steps([text for text in legal if text.startswith(rest)] if rest else legal)

    def _say_undo(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - one shape for all words
        self.match = self.match.undo(seat)
        self.print_board()

    def _say_why(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - one shape for all words
        try:
            self.game.play(self.match.state, seat, self.game.parse_move(self.match.state, rest))
        except IllegalMove as error:
            self.console.print(escape(error.sentence))
            self.print_clause(error.clause)
        else:
            self.console.print(f"{escape(rest)} is legal.")

    def _say_hint(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - one shape for all words
        from realmtable.search.bots import GreedyBot  # noqa: PLC0415 - only for those who ask

        state = self.game.resample(self.match.state, seat, self.rng)
        move = GreedyBot().choose(self.game, state, seat, random.Random(1))
        self.console.print(f"The bot would play [bold]{escape(self.game.format_move(self.match.state, move))}[/].")

    def _say_board(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - one shape for all words
        self.print_board()

    def _say_turns(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - one shape for all words
        for number, turns in groupby(Record.from_match(self.match).turns, key=lambda turn: turn.turn.number):
            texts = " / ".join(self._turn_texts(turns))
            self.console.print(f"{number:>4}. {escape(texts)}", highlight=False)

    def _turn_texts(self, turns: Iterable[RecordTurn]) -> list[str]:
        """Turns as far as who looks may know them; what has a line for all of it is told once."""
        texts: list[str] = []
        for turn in turns:
            fold = fold_label(self.game, turn.seat, turn.before, turn.moves[0])
            text = (
                ", ".join(self._visible_texts(turn.before, turn.seat, turn.moves)) if self.has_secrets() else turn.text
            )
            if (fold or text) and (not fold or texts[-1:] != [fold]):
                texts.append(fold or text)
        return texts

    def _say_position(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - one shape for all words
        if self.has_secrets():
            raise BadInput("The position as text would tell every hand; it can be had when the game is over.")
        self.console.print(escape(self.game.encode(self.match.state)), highlight=False, soft_wrap=True)

    def _say_save(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - one shape for all words
        self.save(Path(rest) if rest else self.record_path())

    def _say_rules(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - one shape for all words
        if rest:
            self.print_clause(rest.upper())
        else:
            with self.console.pager():
                self.console.print(Markdown(rules_text(self.game.info.id)))

    def _say_quit(self, seat: Seat, rest: str, legal: list[str]) -> None:  # noqa: ARG002 - one shape for all words
        raise _PlayerLeft

    # ---- what is shown

    def print_welcome(self) -> None:
        """Say what is played, by whom, and how to find out the rest."""
        info = self.game.info
        seats = ", ".join(
            f"{self.seat_name(seat)} {'is yours' if player is None else f'is the bot {player.name}'}"
            for seat, player in enumerate(self.players)
        )
        self.console.print(f"[bold]{info.title}[/]. {info.summary}")
        self.console.print(f"{seats}. Type a step of the list, or [bold]help[/]; [bold]rules[/] shows the rules.")

    def seat_name(self, seat: Seat) -> str:
        """A seat's name."""
        return self.game.info.seat_names[seat]

    def has_secrets(self) -> bool:
        """Whether something is still hidden from whoever sits here."""
        return self.game.info.hidden and bool(self.game.to_move(self.match.state))

    def viewer(self) -> Seat | None:
        """The person who looks: who is to act, or the only one there is."""
        acting = self.game.to_move(self.match.state)
        people = [seat for seat, player in enumerate(self.players) if player is None]
        return acting[0] if acting and acting[0] in people else people[0] if len(people) == 1 else None

    def _visible_texts(self, state: Any, seat: Seat, moves: Sequence[Any]) -> list[str]:  # noqa: ANN401 - the game's own
        """Steps of a seat, begun in `state`, as far as who looks may know them."""
        texts = []
        for move in moves:
            texts.append(format_move_for(self.game, state, seat, move, self.viewer()))
            state = self.game.play(state, seat, move)
        return list(filter(None, texts))

    def print_board(self) -> None:
        """Draw the board as the acting person sees it."""
        self.console.print()
        print_sketch(self.game.sketch(self.match.view(self.viewer())), self.console)

    def offer_choices(self, legal: list[str]) -> None:
        """Say what can be done: the steps if they are few, else how many."""
        if len(legal) <= MAX_LISTED:
            self.list_steps(legal)
        else:
            self.console.print(
                f"{len(legal)} steps are legal; [bold]moves[/] lists them, [bold]help[/] tells the rest."
            )

    def list_steps(self, texts: list[str]) -> None:
        """The steps in groups that begin alike, so that a long list stays readable."""
        if not texts:
            self.console.print("No legal step begins so.")
            return
        table = Table(box=None, show_header=False)
        for begin, group in groupby(texts, key=_group_key):
            table.add_row(f"[bold]{escape(begin)}[/]", escape("  ".join(group)))
        self.console.print(table)

    def print_clause(self, clause: str) -> None:
        """One clause of the game's rules."""
        text = clause_text(rules_text(self.game.info.id), clause)
        self.console.print(Markdown(text) if text else f"The rules have no clause {escape(clause[:20])}.")

    # ---- keeping the record

    def record_path(self) -> Path:
        """Where the record goes if nobody says."""
        return self.save_path or Path(f"{self.game.info.id}.record")

    def save(self, path: Path) -> None:
        """Write the record and say where."""
        if path != self.save_path and path_exists(path):
            raise BadInput(f"{path} exists already; choose another name with save NAME.")
        save_record(self.match, self.notes, path)
        self.save_path = path
        self.saved_match = self.match
        self.console.print(f"Saved to [bold]{escape(str(path))}[/].")

    def autosave(self) -> None:
        """Keep a named record up to date."""
        if self.save_path is not None:
            save_record(self.match, self.notes, self.save_path)
            self.saved_match = self.match

    def leave(self) -> None:
        """Save what is not saved yet, under a free name, and say how to come back."""
        self.console.print()
        if self.match.entry is None:
            return
        path = self.save_path or free_path(self.record_path())
        save_record(self.match, self.notes, path)
        again = f"{command_name()} play {self.game.info.id} --resume {path}"
        self.console.print(f"Saved. Go on with [bold]{escape(again)}[/]", soft_wrap=True)

    def finish(self) -> None:
        """Tell how it ended."""
        outcome = self.match.outcome()
        assert outcome is not None  # noqa: S101 - nobody acts any more
        self.console.print(f"[bold]{escape(outcome.text)}[/]  ({escape(result_text(outcome))})")
        self.autosave()
        if self.save_path is not None:
            self.console.print(f"The record is in [bold]{escape(str(self.save_path))}[/].")


def save_record(match: Match, notes: Record, path: Path) -> None:
    """Write the record of a match, with the headers, comments and variations of the one it goes on from.

    The file is the player's own, and holds the seed so that dice and cards can go on.
    """
    write_text(path, Record.from_match(match, notes.headers).add_notes_from(notes).text(with_seed=True))


class _PlayerLeft(Exception):
    """The player wants to leave."""


def _command_words() -> list[str]:
    return [word.split()[0] for word in COMMAND_HELP]


def _group_key(text: str) -> str:
    """The part of a step by which a list is grouped: a moving piece with its space, a new piece's space, or a word."""
    head = text.split("(", maxsplit=1)[0]
    for length, sign in enumerate(head):
        if length >= 3 and sign.isalpha() and head[length - 1].isdigit():  # noqa: PLR2004 - letter, file, rank
            return head[:length]
    return head[:1] if head[:1].isupper() else head.split(" ", maxsplit=1)[0]


def command_name() -> str:
    """What to type for this program: its name where the shell finds it, else its path."""
    return "realmtable" if shutil.which("realmtable") else sys.argv[0]


def free_path(path: Path) -> Path:
    """The path, or with a number where that is taken."""
    number = 2
    free = path
    while free.exists():
        free = path.with_stem(f"{path.stem}-{number}")
        number += 1
    return free


def rules_text(game_id: str) -> str:
    """A game's RULES.md."""
    return resources.files(f"realmtable.games.{game_id}").joinpath("RULES.md").read_text(encoding="utf-8")


def clause_text(rules: str, clause: str) -> str:
    """The lines of one clause, from its bold number to the next clause, heading or drawn example."""
    taken: list[str] = []
    for line in rules.splitlines():
        begins = line.lstrip().startswith("- **")
        if taken and (begins or line.startswith(("#", "```"))):
            break
        if taken or line.lstrip().startswith(f"- **{clause}**"):
            taken.append(line.strip() if begins else line)
    return "\n".join(taken).strip()
