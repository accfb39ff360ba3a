"""The agenda machine, on a few frames made for the purpose."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

import realmtable
from realmtable.engine.errors import BadPosition, GameOver, IllegalMove, NotYourTurn
from realmtable.engine.protocol import CHANCE, ChanceOutcome, Seat
from realmtable.games.magic_realm.flow.agenda import (
    DONE,
    Draw,
    FrameLimits,
    Handler,
    Next,
    Question,
    Refusal,
    Task,
    ask_frame_seat,
)
from realmtable.games.magic_realm.flow.handlers import HANDLERS as PRODUCT
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.entities import Hero
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World


def take_gold(world: World, _frame: Frame, seat: Seat, step: Step) -> Next:
    world.writable_hero(seat).gold += step.args[0]
    return DONE


def take_secretly(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    hero = world.writable_hero(seat)
    hero.gold, hero.ready = step.args[0], True
    return (frame,)


def waiting_seats(world: World, _frame: Frame) -> tuple[Seat, ...]:
    return tuple(seat for seat, hero in enumerate(world.heroes) if not hero.ready)


def offer(most: int, _world: World, _frame: Frame, _seat: Seat) -> list[Step]:
    return [Step("take", (gold,)) for gold in range(most)]


def refuse(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("T1", "Take less gold.")


def clear(world: World, _frame: Frame) -> Next:
    for seat in range(len(world.heroes)):
        world.writable_hero(seat).ready = False
    return DONE


def end(world: World, _frame: Frame) -> Next:
    world.part = "over"
    return DONE


def roll(sides: int, _world: World, _frame: Frame) -> list[tuple[Step, int]]:
    return [(Step("die", (side,)), side + 1) for side in range(sides)]


def note_die(world: World, _frame: Frame, step: Step) -> Next:
    world.rows = (*world.rows, step.args[0])
    return DONE


def question(most: int, *, secret: bool = False) -> Question:
    return Question(
        ask_frame_seat, partial(offer, most), take_gold, refuse, secret=secret, limits=FrameLimits("", seat=True)
    )


HANDLERS: dict[str, Handler] = {
    "day": Task(lambda _, frame: (Frame("ask", 1), Frame("die"), frame._replace(a=1)) if frame.a == 0 else DONE,
                FrameLimits("", a=range(2))),
    "ask": question(3),
    "only": question(1),
    "guarded": question(1, secret=True),
    "nothing": question(0),
    "die": Draw(lambda *_: "toy", partial(roll, 2), note_die),
    "look": Draw(lambda *_: "toy", partial(roll, 1), note_die),
    "empty": Draw(lambda *_: "toy", partial(roll, 0), note_die),
    "all": Question(waiting_seats, partial(offer, 2), take_secretly, refuse, clear, secret=True),
    "nobody": Question(lambda *_: (), partial(offer, 2), take_gold, refuse),
    "end": Task(end),
}  # fmt: skip
MACHINE = Machine(HANDLERS)


FLOW = Path(realmtable.__file__).parent / "games" / "magic_realm" / "flow"


def test_every_frame_has_a_handler() -> None:
    kinds = {kind for path in FLOW.glob("*.py") for kind in re.findall(r'Frame\(\s*"(\w+)"', path.read_text("utf-8"))}
    kinds |= {kind for path in FLOW.glob("*.py") for kind in re.findall(r'kind="(\w+)"', path.read_text("utf-8"))}
    assert kinds - {*PRODUCT} == set()
    named = {"life", "tidy", "combat", "combat_draw"}  # by constants
    assert {*PRODUCT} - kinds == named


def start(*frames: Frame, seats: int = 2) -> World:
    """Return a world whose agenda has these frames, the first of them to be done first."""
    world = World(MagicOptions())
    world.heroes = [Hero() for _ in range(seats)]
    world.agenda = (Frame("end"), *reversed(frames))
    MACHINE.advance(world)
    return world.seal()


def test_frames_are_done_in_order_and_the_world_waits_at_questions_and_draws() -> None:
    world = start(Frame("day"))
    assert world.agenda == (Frame("end"), Frame("day", a=1), Frame("die"), Frame("ask", 1))
    assert MACHINE.to_move(world) == (1,)
    assert MACHINE.legal_moves(world, 1) == [Step("take", (gold,)) for gold in range(3)]
    assert MACHINE.legal_moves(world, 0) == []
    assert MACHINE.chance(world) == []
    assert MACHINE.label(world) == ""
    rolled = MACHINE.play(world, 1, Step("take", (2,)))
    assert rolled.heroes[1].gold == 2
    assert MACHINE.to_move(rolled) == (CHANCE,)
    assert MACHINE.legal_moves(rolled, 1) == []
    assert MACHINE.chance(rolled) == [ChanceOutcome(Step("die", (0,)), 1), ChanceOutcome(Step("die", (1,)), 2)]
    assert MACHINE.label(rolled) == "toy"
    over = MACHINE.play(rolled, CHANCE, Step("die", (1,)))
    assert (over.part, over.rows, over.agenda, MACHINE.to_move(over)) == ("over", (1,), (), ())
    assert MACHINE.chance(over) == []
    assert MACHINE.legal_moves(over, 0) == []


def test_play_leaves_the_state_alone() -> None:
    world = start(Frame("day"))
    before = world.key()
    MACHINE.play(world, 1, Step("take", (2,)))
    assert world.fork().seal().key() == before


def test_a_question_to_nobody_is_passed_over() -> None:
    assert start(Frame("nobody"), Frame("ask", 1)).agenda[-1] == Frame("ask", 1)


def test_z3_a_single_answer_is_taken_by_the_table() -> None:
    world = start(Frame("only", 0), Frame("ask", 1))
    assert world.agenda[-1] == Frame("ask", 1)


def test_z3_a_single_answer_that_rests_on_something_hidden_is_asked_for() -> None:
    world = start(Frame("guarded", 0), Frame("look"))
    assert MACHINE.to_move(world) == (0,)
    world = MACHINE.play(world, 0, Step("take", (0,)))
    assert MACHINE.to_move(world) == (CHANCE,)


def test_z7_chance_is_a_step_even_if_only_one_result_is_possible() -> None:
    world = MACHINE.play(start(Frame("guarded", 0), Frame("look")), 0, Step("take", (0,)))
    assert [outcome.move for outcome in MACHINE.chance(world)] == [Step("die", (0,))]
    assert MACHINE.play(world, CHANCE, Step("die", (0,))).part == "over"


def test_z6_choices_made_at_once_commute() -> None:
    world = start(Frame("all"), Frame("ask", 0))
    assert MACHINE.to_move(world) == (0, 1)
    one = MACHINE.play(MACHINE.play(world, 0, Step("take", (1,))), 1, Step("take", (0,)))
    other = MACHINE.play(MACHINE.play(world, 1, Step("take", (0,))), 0, Step("take", (1,)))
    assert one == other
    assert hash(one) == hash(other)
    assert MACHINE.to_move(MACHINE.play(world, 0, Step("take", (1,)))) == (1,)
    assert not any(hero.ready for hero in one.heroes)
    assert MACHINE.to_move(one) == (0,)


def test_what_cannot_be_played_is_refused() -> None:
    world = start(Frame("day"))
    with pytest.raises(IllegalMove, match="Take less gold") as refused:
        MACHINE.play(world, 1, Step("take", (3,)))
    assert refused.value.clause == "T1"
    with pytest.raises(NotYourTurn, match="Another player"):
        MACHINE.play(world, 0, Step("take", (1,)))
    with pytest.raises(NotYourTurn, match="Chance does not act"):
        MACHINE.play(world, CHANCE, Step("die", (1,)))
    rolled = MACHINE.play(world, 1, Step("take", (2,)))
    with pytest.raises(IllegalMove, match="by chance") as refused:
        MACHINE.play(rolled, CHANCE, Step("die", (5,)))
    assert refused.value.clause == "Z7"
    with pytest.raises(GameOver):
        MACHINE.play(MACHINE.play(rolled, CHANCE, Step("die", (1,))), 0, Step("take", (1,)))


@pytest.mark.parametrize(
    ("agenda", "says"),
    [
        ((Frame("unheard"),), "no frame unheard"),
        ((Frame("ask"),), "a number that it cannot have"),
        ((Frame("ask", 2),), "a number that it cannot have"),
        ((Frame("die", 1),), "a number that it cannot have"),
        ((Frame("ask", 1, b=1),), "a number that it cannot have"),
        ((), "Only a game that is over"),
        ((Frame("day"),), "cannot wait at the frame day"),
        ((Frame("only", 1),), "cannot wait at the frame only"),
        ((Frame("nothing", 1),), "no answer to the frame nothing"),
        ((Frame("empty"),), "Nothing can happen at the frame empty"),
    ],
)
def test_a_position_with_a_damaged_agenda_is_refused(agenda: tuple[Frame, ...], says: str) -> None:
    world = start(Frame("day")).fork()
    world.agenda = agenda
    with pytest.raises(BadPosition, match=says):
        MACHINE.check_agenda(world)


def test_a_position_that_waits_at_a_question_or_is_over_is_accepted() -> None:
    world = start(Frame("day"))
    MACHINE.check_agenda(world)
    world = MACHINE.play(world, 1, Step("take", (2,)))
    MACHINE.check_agenda(world)
    world = MACHINE.play(world, CHANCE, Step("die", (1,)))
    MACHINE.check_agenda(world)
    asked = start(Frame("all")).fork()
    asked.heroes = [Hero(ready=True) for _ in range(2)]
    with pytest.raises(BadPosition, match="cannot wait"):
        MACHINE.check_agenda(asked)
