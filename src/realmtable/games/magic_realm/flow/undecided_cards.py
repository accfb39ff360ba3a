"""Chance decides map chits and treasures when they are first looked at (X5)."""

from __future__ import annotations

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.flow.agenda import DONE, Draw, FrameLimits, Handler, Next
from realmtable.games.magic_realm.world.entities import OPEN
from realmtable.games.magic_realm.world.open_slots import (
    FIRST_STACK,
    SLOTS,
    decide_card,
    decide_chit,
    weigh_cards,
    weigh_chits,
)
from realmtable.games.magic_realm.world.places import TILES
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

MAX_ENTRIES = 20  # of a box


def chit_draw_frame(slot: int, tile: int) -> Frame:
    """Return the frame in which chance decides the chit of an open slot of a tile."""
    return Frame("chit", a=slot, b=tile)


def _chit_outcomes(world: World, frame: Frame) -> list[tuple[Step, int]]:
    if world.slots[frame.a].chit != OPEN or (frame.a < FIRST_STACK and frame.a % TILES != frame.b):
        return []
    return [(Step("chit", (frame.b, chit)), weight) for chit, weight in weigh_chits(world, frame.a)]


def _take_chit(world: World, frame: Frame, step: Step) -> Next:
    decide_chit(world, frame.a, step.args[1])
    return DONE


def card_draw_frame(box: int, index: int) -> Frame:
    """Return the frame in which chance decides the treasure of an open slot of a box."""
    return Frame("card", a=box, b=index)


def _card_outcomes(world: World, frame: Frame) -> list[tuple[Step, int]]:
    entries = world.boxes[frame.a].entries
    if frame.b >= len(entries) or entries[frame.b] >= 0:
        return []
    return [
        (Step("card", (frame.a, 1 + frame.b, card)), weight) for card, weight in weigh_cards(world, frame.a, frame.b)
    ]


def _take_card(world: World, frame: Frame, step: Step) -> Next:
    decide_card(world, frame.a, frame.b, step.args[2])
    return DONE


_LIMITS = FrameLimits("", a=range(SLOTS), b=range(TILES), returns=True)
_CARD_LIMITS = FrameLimits("daylight", a=range(len(load_catalog().boxes)), b=range(MAX_ENTRIES), returns=True)
HANDLERS: dict[str, Handler] = {
    "chit": Draw(lambda _, frame: f"chit {frame.a}", _chit_outcomes, _take_chit, _LIMITS),
    "card": Draw(lambda _, frame: f"card {frame.a} {frame.b}", _card_outcomes, _take_card, _CARD_LIMITS),
}
