"""The agenda machine: it works through the frames until a seat must choose or chance must act."""

from __future__ import annotations

from collections.abc import Mapping

from realmtable.engine.errors import BadPosition, GameOver, IllegalMove, NotYourTurn
from realmtable.engine.protocol import CHANCE, ChanceOutcome, Seat
from realmtable.games.magic_realm.flow.agenda import Draw, Handler, Next, Question, Task
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World


class Machine:
    """The handlers of all kinds of frames, and what follows from them."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self.handlers = handlers

    def _top(self, world: World) -> tuple[Frame, Handler] | None:
        if not world.agenda:
            return None
        frame = world.agenda[-1]
        return frame, self.handlers[frame.kind]

    def to_move(self, world: World) -> tuple[Seat, ...]:
        """Return the seats that may act, chance alone, or none if the game is over."""
        match self._top(world):
            case frame, Question() as question:
                return question.seats(world, frame)
            case _, _:
                return (CHANCE,)
        return ()

    def legal_moves(self, world: World, seat: Seat) -> list[Step]:
        """Return the answers of a seat to the present question; none if it is not asked."""
        match self._top(world):
            case frame, Question() as question if seat in question.seats(world, frame):
                return question.answers(world, frame, seat)
        return []

    def chance(self, world: World) -> list[ChanceOutcome]:
        """Return what can happen now by chance."""
        match self._top(world):
            case frame, Draw() as draw:
                return [ChanceOutcome(step, weight) for step, weight in draw.outcomes(world, frame)]
        return []

    def label(self, world: World) -> str:
        """Return the label of the draw that is due; empty if none is."""
        match self._top(world):
            case frame, Draw() as draw:
                return draw.label(world, frame)
        return ""

    def play(self, world: World, seat: Seat, step: Step) -> World:
        """Return the next state."""
        self.check(world, seat, step)
        new = world.fork()
        self.step(new, seat, step)
        return new.seal()

    def check(self, world: World, seat: Seat, step: Step) -> None:
        """Refuse a step that cannot be taken now."""
        top = self._top(world)
        if top is None:
            raise GameOver("The game is over.")
        if seat not in self.to_move(world):
            raise NotYourTurn("Another player is to act." if seat != CHANCE else "Chance does not act now.")
        frame, handler = top
        if isinstance(handler, Question):
            if step not in handler.answers(world, frame, seat):
                raise IllegalMove(*handler.refuse(world, frame, seat, step))
        elif step not in [outcome.move for outcome in self.chance(world)]:
            raise IllegalMove("Z7", "That cannot happen by chance now.")

    def step(self, world: World, seat: Seat, step: Step) -> None:
        """Take a legal step in a world that is not sealed, and go on to the next choice."""
        frame = world.agenda[-1]
        handler = self.handlers[frame.kind]
        assert not isinstance(handler, Task)  # noqa: S101 - a world waits at questions and draws only
        _replace_top(world, _take(world, frame, handler, seat, step))
        self.advance(world)

    def advance(self, world: World) -> None:
        """Work through the agenda until someone must choose, chance must act, or the game is over."""
        while world.agenda:
            frame = world.agenda[-1]
            following = _go_on(world, frame, self.handlers[frame.kind])
            if following is None:
                return
            _replace_top(world, following)

    def check_frames(self, world: World) -> None:
        """Refuse a position whose agenda has unknown frames, or frames with numbers that they cannot have."""
        for frame in world.agenda:
            handler = self.handlers.get(frame.kind)
            if handler is None:
                raise BadPosition(f"The agenda has no frame {frame.kind[:40]}.")
            limits = handler.limits
            if limits.part not in ("", world.part):
                raise BadPosition(f"The frame {frame.kind} of the agenda belongs to another part of the day.")
            seats = range(len(world.heroes)) if limits.seat else range(CHANCE, CHANCE + 1)
            if frame.seat not in seats or frame.a not in limits.a or frame.b not in limits.b or frame.c not in limits.c:
                raise BadPosition(f"The frame {frame.kind} of the agenda has a number that it cannot have.")

    def check_agenda(self, world: World) -> None:
        """Refuse a position whose agenda cannot be worked on."""
        self.check_frames(world)
        if world.agenda and self.handlers[world.agenda[0].kind].limits.returns:
            raise BadPosition(f"The frame {world.agenda[0].kind} of the agenda needs another one before it.")
        if (not world.agenda) != (world.part == "over"):
            raise BadPosition("Only a game that is over has no agenda.")
        top = self._top(world)
        if top is None:
            return
        frame, handler = top
        if not _waits(world, frame, handler):
            raise BadPosition(f"The agenda cannot wait at the frame {frame.kind}.")
        if not all(self.legal_moves(world, seat) for seat in self.to_move(world) if seat != CHANCE):
            raise BadPosition(f"A seat has no answer to the frame {frame.kind} of the agenda.")
        if isinstance(handler, Draw) and not handler.outcomes(world, frame):
            raise BadPosition(f"Nothing can happen at the frame {frame.kind} of the agenda.")


def _replace_top(world: World, following: Next) -> None:
    world.agenda = (*world.agenda[:-1], *reversed(following))


def _find_forced(world: World, frame: Frame, handler: Question | Draw) -> tuple[Seat, Step] | None:
    """Return a seat and its only answer, unless its answers have to stay secret (Z3)."""
    if isinstance(handler, Draw) or handler.secret:
        return None
    for seat in handler.seats(world, frame):
        answers = handler.answers(world, frame, seat)
        if len(answers) == 1:
            return seat, answers[0]
    return None


def _take(world: World, frame: Frame, handler: Question | Draw, seat: Seat, step: Step) -> Next:
    if isinstance(handler, Draw):
        return handler.take(world, frame, step)
    return handler.take(world, frame, seat, step)


def _go_on(world: World, frame: Frame, handler: Handler) -> Next | None:
    """Return what follows if nobody has to choose; None if the frame has to wait."""
    if isinstance(handler, Task):
        return handler.run(world, frame)
    if isinstance(handler, Question) and not handler.seats(world, frame):
        return handler.finish(world, frame)
    forced = _find_forced(world, frame, handler)
    return None if forced is None else _take(world, frame, handler, *forced)


def _waits(world: World, frame: Frame, handler: Handler) -> bool:
    """Whether the agenda may stop at a frame: somebody has to choose, or chance has to act."""
    if isinstance(handler, Task) or (isinstance(handler, Question) and not handler.seats(world, frame)):
        return False
    return _find_forced(world, frame, handler) is None
