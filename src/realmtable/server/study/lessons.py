"""A game's lessons: a few steps on a real board that teach the game, defined in lesson.toml in the game's folder.

Further lessons, for those who have done the first, are in lesson-2.toml, lesson-3.toml and so on. Each has a `title`,
and `preset` names the preset of the table that the reader can open after it.

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
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from markdown_it import MarkdownIt

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, AnyGame, Seat
from realmtable.server.errors import NotFound
from realmtable.server.tables.scenes.moment import moment

FIRST: Final = 1  # the number of the lesson that newcomers read
NO_LESSON: Final = 0
MOST_LESSONS: Final = 100  # of a game
REPLY: Final = "> "  # begins the move of another player
EVENT: Final = "? "  # begins what chance does
SEED: Final = "lesson"  # chance always does the same


class LessonStep(NamedTuple):
    """One step of a lesson."""

    title: str
    text: str  # HTML
    done: str  # HTML, shown when the step is done
    position: str | None = None  # None: the game's initial position
    seats: int | None = None  # of the initial position
    seat: Seat = 0  # the reader's
    moves: tuple[str, ...] = ()  # patterns of the reader's moves in order, replies and events
    marks: tuple[str, ...] = ()  # handles of places that the text is about
    later: tuple[str, ...] = ()  # what the step asks for after each of the reader's moves, if that changes


class Lesson(NamedTuple):
    """One of a game's lessons, and the table that the reader can open after it."""

    game: str
    number: int  # from 1
    title: str  # empty for a first lesson, which needs none
    steps: tuple[LessonStep, ...]
    bots: int
    preset: str | None  # of the table; None: the default


class Progress(NamedTuple):
    """How far a reader's moves lead in a step."""

    match: Match
    steps: int
    expected: str | None  # the pattern of the next move; None: the step is done
    is_other: bool  # whether the last move was legal, but not the one asked for; it is not played


def has_lesson(game_id: str) -> bool:
    """Whether a game has a lesson."""
    return lesson_file(game_id, FIRST).is_file()


def lesson_file(game_id: str, number: int) -> Path:
    """Return where a lesson of a game is defined, if it exists."""
    name = "lesson.toml" if number == FIRST else f"lesson-{number}.toml"
    return registry.game_folder(game_id) / name


def count_lessons(game_id: str) -> int:
    """Return how many lessons a game has; they are numbered from 1."""
    return next(number for number in count(FIRST) if not lesson_file(game_id, number).is_file()) - FIRST


def further_lessons(game_id: str) -> list[Lesson]:
    """Return the lessons of a game that follow the first."""
    return [load_lesson(game_id, number) for number in range(FIRST + 1, FIRST + count_lessons(game_id))]


def next_lesson(lesson: Lesson) -> Lesson | None:
    """Return the lesson that follows; None after the last."""
    return next((other for other in further_lessons(lesson.game) if other.number > lesson.number), None)


def read_number(text: str) -> int:
    """Parse a lesson number from a URL; return 0, which no lesson has, for anything else.

    >>> read_number("2"), read_number("x"), read_number("02")
    (2, 0, 0)
    """
    return int(text) if text in map(str, range(FIRST, MOST_LESSONS)) else NO_LESSON


def find_lesson(game_id: str, number: int) -> Lesson:
    """Return a lesson of a game by its number, or raise NotFound."""
    info, lessons = registry.info(game_id), count_lessons(game_id)
    if not lessons:
        raise NotFound(f"{info.title} has no lesson; its rules are at /rules/{game_id}.")
    if not FIRST <= number < FIRST + lessons:
        raise NotFound(f"{info.title} has no such lesson; its first one is at /learn/{game_id}.")
    return load_lesson(game_id, number)


@cache
def load_lesson(game_id: str, number: int = FIRST) -> Lesson:
    """Read a lesson that exists."""
    info = registry.info(game_id)
    data = tomllib.loads(lesson_file(game_id, number).read_text(encoding="utf-8"))
    return Lesson(
        game=game_id,
        number=number,
        title=data.get("title", ""),
        steps=tuple(map(_read_step, data["step"])),
        bots=data.get("bots", info.seats[0] - 1),
        preset=data.get("preset", info.presentation.first_preset) or None,
    )


def _read_step(facts: Mapping[str, Any]) -> LessonStep:
    texts = {name: _render_html(facts.get(name, "")) for name in ("text", "done")}
    lists = {name: tuple(facts.get(name, ())) for name in ("moves", "marks", "later")}
    return LessonStep(**{**facts, **texts, **lists})


def _render_html(text: str) -> str:
    return str(MarkdownIt("commonmark", {"html": False}).render(text))


def find_step(game_id: str, number: int, lesson: int = FIRST) -> LessonStep:
    """Return a step of a lesson by its number, or raise NotFound."""
    steps = find_lesson(game_id, lesson).steps
    if not 0 <= number < len(steps):
        raise NotFound("The lesson has no such step.")
    return steps[number]


def practise(
    game_id: str, number: int, texts: Sequence[str], known_layers: Collection[str] = (), *, lesson: int = FIRST
) -> dict[str, Any]:
    """Play a reader's moves from the beginning of a step; return the moment after them, and how far they lead.

    Raises RealmtableError if a move is illegal, and NotFound if there is no such lesson or step.
    """
    step = find_step(game_id, number, lesson)
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
