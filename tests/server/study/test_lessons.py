"""Lessons: the engine referees, and every lesson can be followed from its first step to its last."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import realmtable
from realmtable.engine import chance, registry
from realmtable.engine.errors import IllegalMove, NotYourTurn
from realmtable.server.errors import NotFound
from realmtable.server.study import lessons
from realmtable.server.study.lessons import EVENT, REPLY, Lesson, LessonStep, load_lesson, practise
from tests.server.support.table_harness import register_toys

LESSONS = [info.id for info in realmtable.infos() if lessons.has_lesson(info.id)]
STEPS = [(game, number) for game in LESSONS for number in range(len(load_lesson(game).steps))]
EVERY_STEP = pytest.mark.parametrize(("game", "number"), STEPS)
MAX_WORDS = 60  # of a text: on a phone, the board must stay in sight


def find_moves(game: str, number: int) -> list[str]:
    """Moves that complete a step: for each pattern, the first legal move that fits."""
    played: list[str] = []
    while not (progress := practise(game, number, played))["done"]:
        fitting = [
            choice["move"] for choice in progress["moment"]["choices"] if fnmatchcase(choice["move"], progress["asked"])
        ]
        assert fitting, f"no legal move fits {progress['asked']}"
        played.append(fitting[0])
    return played


def source_of(game: str) -> dict[str, list[dict[str, str]]]:
    return tomllib.loads((registry.game_folder(game) / lessons.FILE_NAME).read_text(encoding="utf-8"))


@EVERY_STEP
def test_every_step_can_be_done(game: str, number: int) -> None:
    step = load_lesson(game).steps[number]
    played = find_moves(game, number)
    assert len(played) == len([move for move in step.moves if not move.startswith((REPLY, EVENT))])
    assert practise(game, number, played)["moment"]["choices"] == []


@EVERY_STEP
def test_every_step_leaves_a_choice(game: str, number: int) -> None:
    """Otherwise the reader learns nothing: a wrong move must be possible, and must be refused kindly."""
    step, progress = load_lesson(game).steps[number], practise(game, number, [])
    if not step.moves:
        assert progress["done"]
        return
    others = [
        choice["move"] for choice in progress["moment"]["choices"] if not fnmatchcase(choice["move"], progress["asked"])
    ]
    if others:
        assert practise(game, number, others[:1]) == {**progress, "other": True}


@EVERY_STEP
def test_every_step_says_what_to_do_in_bold_and_in_a_few_words(game: str, number: int) -> None:
    facts, step = source_of(game)["step"][number], load_lesson(game).steps[number]
    assert len(re.findall(r"\w+", facts["text"])) <= MAX_WORDS
    assert len(re.findall(r"\w+", facts.get("done", ""))) <= MAX_WORDS
    assert "<strong>" in step.text
    assert bool(step.moves) == bool(step.done)
    assert len(step.title) <= 40


@EVERY_STEP
def test_marks_are_places_of_the_picture(game: str, number: int) -> None:
    step = load_lesson(game).steps[number]
    picture = practise(game, number, [])["moment"]["picture"]
    assert all(f'data-handle="{mark}"' in picture for mark in step.marks)


@EVERY_STEP
def test_a_step_that_goes_on_after_a_reply_or_event_says_what_to_do_then(game: str, number: int) -> None:
    step = load_lesson(game).steps[number]
    own = [index for index, move in enumerate(step.moves) if not move.startswith((REPLY, EVENT))]
    replied = [index for index in own[:-1] if step.moves[index + 1].startswith((REPLY, EVENT))]
    assert len(step.later) == len(replied) <= max(0, len(own) - 1)
    assert all(text.endswith(".") for text in step.later)


@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_has_five_to_eight_steps_and_leads_to_a_table(game: str) -> None:
    lesson = load_lesson(game)
    assert 5 <= len(lesson.steps) <= 8
    assert lesson.bots + 1 in registry.info(game).seats


def test_every_game_has_a_lesson() -> None:
    assert [info.id for info in realmtable.infos()] == LESSONS


# ---- the referee


def test_an_illegal_move_is_refused_by_its_rule() -> None:
    with pytest.raises(IllegalMove) as refusal:
        practise("realm", 0, ["Pf7f5"])
    assert refusal.value.clause == "R7"


def test_moves_after_the_last_one_asked_for_do_nothing() -> None:
    played = find_moves("realm", 0)
    assert practise("realm", 0, [*played, "end"]) == practise("realm", 0, played)


@pytest.mark.parametrize("number", [-1, 99])
def test_a_lesson_has_only_its_steps(number: int) -> None:
    with pytest.raises(NotFound, match="no such step"):
        practise("realm", number, [])


def test_a_game_without_a_lesson_points_to_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    register_toys(monkeypatch)
    assert not lessons.has_lesson("dice_duel")
    with pytest.raises(NotFound, match="/rules/dice_duel"):
        load_lesson("dice_duel")


@pytest.fixture
def write_lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """A function that writes a lesson of one step for Classic Realm."""

    def write(facts: str) -> None:
        text = f'[[step]]\ntitle = "Frogs"\ntext = "**Jump.**"\n{facts}\n'
        (tmp_path / lessons.FILE_NAME).write_text(text, encoding="utf-8")

    monkeypatch.setattr(registry, "game_folder", lambda _: tmp_path)
    load_lesson.cache_clear()
    yield write
    load_lesson.cache_clear()


def play_first_moves(count: int) -> list[str]:
    """The first legal moves of Classic Realm, in notation."""
    game, texts = realmtable.game("classic_realm"), []
    state = game.initial()
    for _ in range(count):
        seat = game.to_move(state)[0]
        move = game.legal_moves(state, seat)[0]
        texts.append(game.format_move(state, move))
        state = game.play(state, seat, move)
    return texts


def test_the_others_answer_by_themselves(write_lesson: Callable[[str], None]) -> None:
    first, reply, second = play_first_moves(3)
    write_lesson(f'moves = ["{first}", "> {reply}", "{second[0]}*"]')
    begun = practise("classic_realm", 0, [first])
    assert (begun["done"], begun["asked"], begun["moment"]["step"]) == (False, f"{second[0]}*", 2)
    assert begun["moment"]["acting"] == [0]
    assert practise("classic_realm", 0, [first, second])["done"]


def test_the_reader_can_sit_on_another_seat(write_lesson: Callable[[str], None]) -> None:
    first, reply = play_first_moves(2)
    write_lesson(f'seat = 1\nmoves = ["> {first}", "{reply}"]')
    assert practise("classic_realm", 0, [])["moment"]["acting"] == [1]
    assert practise("classic_realm", 0, [reply])["done"]


def test_a_step_can_be_there_to_read(write_lesson: Callable[[str], None]) -> None:
    write_lesson("")
    assert practise("classic_realm", 0, ["any text"])["done"]
    assert load_lesson("classic_realm") == Lesson(
        "classic_realm", (LessonStep("Frogs", "<p><strong>Jump.</strong></p>\n", "", None, None, 0, (), ()),), 1
    )


def test_chance_does_what_the_lesson_says_and_else_what_the_seed_says(
    write_lesson: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    register_toys(monkeypatch)
    write_lesson('moves = ["roll", "? 6", "roll", "? 5"]')
    begun = practise("dice_duel", 0, ["roll"])
    assert (begun["moment"]["text"], begun["asked"]) == ("6", "roll")
    assert practise("dice_duel", 0, ["roll", "roll"])["moment"]["text"] == "5"
    write_lesson('moves = ["roll"]')
    load_lesson.cache_clear()
    seeded = practise("dice_duel", 0, ["roll"])["moment"]["text"]
    assert seeded == str(1 + chance.draw(lessons.SEED, 0, [1] * 6)) != "6"


def test_an_event_that_cannot_happen_is_an_error_of_ours(
    write_lesson: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    register_toys(monkeypatch)
    write_lesson('moves = ["? 6", "roll"]')
    with pytest.raises(NotYourTurn):
        practise("dice_duel", 0, [])
