"""Rolls on the tables (G3)."""

from __future__ import annotations

from itertools import product
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.effects import TABLES
from realmtable.games.magic_realm.catalog.tables import DIE
from realmtable.games.magic_realm.day_rules.modifiers import find_dice_rule
from realmtable.games.magic_realm.flow.agenda import Draw, FrameLimits, Handler, Next
from realmtable.games.magic_realm.world.steps import MAX_FRAME_NUMBER, Frame, RollResult, Step
from realmtable.games.magic_realm.world.world import World

INFORMATION: Final = ("peer", "locate", "sight")  # tables that tell something about a clearing
FACES: Final = range(1, DIE + 1)


def roll_frame(seat: Seat, table: str, where: int = 0) -> Frame:
    """Return the frame in which a character rolls on a table."""
    return Frame("dice", seat, TABLES.index(table), where)


def _list_rolls(world: World, frame: Frame) -> list[tuple[Step, int]]:
    if find_dice_rule(world, frame.seat, TABLES[frame.a]).dice == 1:
        return [(Step("die", (face,)), 1) for face in FACES]
    return [(Step("d", pair), 1) for pair in product(FACES, repeat=2)]


def _take_roll(world: World, frame: Frame, step: Step) -> Next:
    table = TABLES[frame.a]
    add = find_dice_rule(world, frame.seat, table).add
    number = min(max(max(step.args) + add, 1), DIE)
    world.last_roll = RollResult(frame.seat, frame.a, step.args, add)
    if table == "hide":
        return (Frame("hide", frame.seat, number),)
    if table in INFORMATION:
        return (Frame("result", frame.seat, frame.a, frame.b, number),)
    return (Frame("spoils", frame.seat, frame.a, frame.b, number),)


HANDLERS: dict[str, Handler] = {
    "dice": Draw(
        lambda _, frame: TABLES[frame.a],
        _list_rolls,
        _take_roll,
        FrameLimits("daylight", seat=True, a=range(len(TABLES)), b=range(MAX_FRAME_NUMBER), returns=True),
    ),
}
