"""A game's lesson: a few steps on a real board that teach the game, defined in lesson.toml in the game's folder.

A step has a title, a text and a position, and usually asks for moves. The reader's moves are compared with patterns, so
that "the frog on b2" can go anywhere. Moves that begin with "> " are those of the other players, and play themselves.
Those that begin with "? " are what chance does, such as a roll of the dice; without them, a fixed seed decides.
The engine referees: `practise` plays a reader's moves from the beginning of a step and says how far they got.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, Final, NamedTuple

from markdown_it import MarkdownIt

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, AnyGame, Seat
from realmtable.server.errors import NotFound
from realmtable.server.tables.scenes.moment import moment

FILE_NAME: Final = "lesson.toml"
REPLY: Final = "> "  # begins the move of another player
EVENT: Final = "? "  # begins what chance does
SEED: Final = "lesson"  # chance always does the same


class LessonStep(NamedTuple):
    """One step of a lesson."""

    title: str
    text: str  # HTML
    done: str  # HTML, shown when the step is done
    position: str | None  # None: the game's initial position
    seats: int | None  # of the initial position
    seat: Seat  # the reader's
    moves: tuple[str, ...]  # patterns of the reader's moves in order, replies and events
    marks: tuple[str, ...]  # handles of places that the text is about
    later: tuple[str, ...] = ()  # what the step asks for after each of the reader's moves, if that changes


class Lesson(NamedTuple):
    """A game's lesson, and the table that the reader can open after it."""

    game: str
    steps: tuple[LessonStep, ...]
    bots: int


class Progress(NamedTuple):
    """How far a reader's moves lead in a step."""

    match: Match
    steps: int
    expected: str | None  # the pattern of the next move; None: the step is done
    is_other: bool  # whether the last move was legal, but not the one asked for; it is not played


def has_lesson(game_id: str) -> bool:
    """Whether a game has a lesson."""
    return (registry.game_folder(game_id) / FILE_NAME).is_file()


@cache
def load_lesson(game_id: str) -> Lesson:
    """Return a game's lesson, or raise NotFound."""
    info = registry.info(game_id)
    if not has_lesson(game_id):
        raise NotFound(f"{info.title} has no lesson; its rules are at /rules/{game_id}.")
    data = tomllib.loads((registry.game_folder(game_id) / FILE_NAME).read_text(encoding="utf-8"))
    return Lesson(game_id, tuple(map(_read_step, data["step"])), data.get("bots", info.seats[0] - 1))


def _read_step(facts: Mapping[str, Any]) -> LessonStep:
    return LessonStep(
        title=facts["title"],
        text=_render_html(facts["text"]),
        done=_render_html(facts.get("done", "")),
        position=facts.get("position"),
        seats=facts.get("seats"),
        seat=facts.get("seat", 0),
        moves=tuple(facts.get("moves", ())),
        marks=tuple(facts.get("marks", ())),
        later=tuple(facts.get("later", ())),
    )


def _render_html(text: str) -> str:
    return str(MarkdownIt("commonmark", {"html": False}).render(text))


def find_step(game_id: str, number: int) -> LessonStep:
    """Return a step of a lesson by its number, or raise NotFound."""
    steps = load_lesson(game_id).steps
    if not 0 <= number < len(steps):
        raise NotFound("The lesson has no such step.")
    return steps[number]


def practise(game_id: str, number: int, texts: Sequence[str], known_layers: Collection[str] = ()) -> dict[str, Any]:
    """Play a reader's moves from the beginning of a step; return the moment after them, and how far they lead.

    Raises RealmtableError if a move is illegal, and NotFound if the lesson has no such step.
    """
    step = find_step(game_id, number)
    progress = _play(registry.game(game_id), step, texts)
    shown = moment(
        progress.match,
        step.seat,
        step=progress.steps,
        steps=progress.steps,
        open_to_all=True,
        known_layers=known_layers,
    )
    shown["choices"] = [choice for choice in shown["choices"] if _is_offered(choice, shown["picture"], progress)]
    return {
        "moment": shown,
        "done": progress.expected is None,
        "other": progress.is_other,
        "asked": progress.expected,
    }


def _is_offered(choice: Mapping[str, Any], picture: str, progress: Progress) -> bool:
    """Whether the page offers a choice: everything on the board, but only those buttons that are asked for."""
    if progress.expected is None:
        return False
    is_on_board = bool(choice["path"]) and f'data-handle="{choice["path"][0]}"' in picture
    return is_on_board or fnmatchcase(choice["move"], progress.expected)


def _play(game: AnyGame, step: LessonStep, texts: Sequence[str]) -> Progress:
    match, steps, waiting = _start(game, step), 0, list(step.moves)

    def play_replies() -> None:
        nonlocal match, steps
        while True:
            following = waiting[0] if waiting else ""
            if following.startswith(EVENT):
                text = waiting.pop(0).removeprefix(EVENT)
                match = match.play(CHANCE, game.parse_move(match.state, text))
            elif game.to_move(match.state) == (CHANCE,):
                match = replace(replace(match, seed=SEED).resolve_chance(), seed=None)
            elif following.startswith(REPLY):
                text = waiting.pop(0).removeprefix(REPLY)
                seat = next(seat for seat in game.to_move(match.state) if seat != step.seat)
                match, steps = match.play(seat, game.parse_move(match.state, text)), steps + 1
            else:
                return

    play_replies()
    for text in texts:
        if not waiting:
            break
        move = game.parse_move(match.state, text)
        after = match.play(step.seat, move)  # first, so that an illegal move is refused by its rule
        if not fnmatchcase(game.format_move(match.state, move), waiting[0]):
            return Progress(match, steps, waiting[0], is_other=True)
        waiting.pop(0)
        match, steps = after, steps + 1
        play_replies()
    return Progress(match, steps, waiting[0] if waiting else None, is_other=False)


def _start(game: AnyGame, step: LessonStep) -> Match:
    if step.position is not None:
        return Match.start(game, game.decode(step.position))
    return Match.start(game, game.initial(step.seats or game.info.seats[0]))
