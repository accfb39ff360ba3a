"""Rearranging belongings when combat in a clearing is over (Q1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.flow.agenda import DONE, FrameLimits, Handler, Next, Question, ask_frame_seat
from realmtable.games.magic_realm.flow.rearranging import change_belonging, list_changes, refuse_change
from realmtable.games.magic_realm.world.steps import MAX_FRAME_NUMBER, Frame, Step
from realmtable.games.magic_realm.world.world import World

TIDY: Final = "tidy"
GO: Final = Step("go")


def ask_to_rearrange(world: World, seats: Iterable[Seat]) -> Next:
    """Return the questions to characters after combat; those without belongings are not asked (Q1)."""
    return tuple(Frame(TIDY, seat) for seat in seats if world.heroes[seat].pack)


def _list_answers(world: World, frame: Frame, seat: Seat) -> list[Step]:
    return sorted([GO, *list_changes(world, frame, seat)])


def _take_answer(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    return DONE if step == GO else change_belonging(world, frame, seat, step)


_BITS: Final = range(MAX_FRAME_NUMBER)
HANDLERS: Final[dict[str, Handler]] = {
    TIDY: Question(
        ask_frame_seat,
        _list_answers,
        _take_answer,
        refuse_change,
        secret=True,
        limits=FrameLimits("evening", seat=True, a=_BITS, b=_BITS, c=_BITS, returns=True),
    ),
}
