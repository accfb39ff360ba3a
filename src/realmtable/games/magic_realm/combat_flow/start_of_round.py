"""The beginning of combat: quiet evenings, rounds, luring and random assignment (E5 to E8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat_flow.agenda import Draw, Handler, Question, Task, ask_present
from realmtable.games.magic_realm.combat_flow.dice import ASSIGN, find_dice_rule, list_rolls
from realmtable.games.magic_realm.combat_flow.state import NO_TARGET, Fight
from realmtable.games.magic_realm.combat_rules.encounter import assign, list_highest, list_lures, list_unassigned
from realmtable.games.magic_realm.world.steps import Frame, Step

PASS: Final = Step("pass")
QUIET: Final = Step("rest easy")
STIR: Final = Step("stir")
UNHIDE: Final = Step("unhide")
CLOSE: Final = "close"  # the frame under all others


def _open(fight: Fight, _frame: Frame) -> Fight:
    """Begin a round; if no monster can attack, ask whether anyone wants one (E6)."""
    if any(_list_targets(fight, monster) for monster in fight.sheets.monsters):
        return fight.push(Frame("round"))
    return fight.push(*(Frame("quiet", warrior.seat) for warrior in fight.active_warriors), Frame("show"))


def _list_targets(fight: Fight, monster: MonsterId) -> list[Seat]:
    """Return the characters to whom a monster can be assigned (E8)."""
    return [
        warrior.seat for warrior in fight.active_warriors if not warrior.is_hidden and monster not in warrior.spared_by
    ]


def _take_quiet(fight: Fight, _frame: Frame, _seat: Seat, step: Step) -> Fight:
    return replace(fight, agenda=(Frame(CLOSE), Frame("round"))) if step == STIR else fight


def _begin_round(fight: Fight, _frame: Frame) -> Fight:
    """Line up everything that happens in a round (E2)."""
    warriors = [
        replace(warrior, played=(), target=NO_TARGET, draft=(), is_ready=False, wounds=0) for warrior in fight.warriors
    ]
    fight = replace(fight, warriors=tuple(warriors), boxes={}, rolls={}, is_eventful=False)
    seats = [warrior.seat for warrior in fight.active_warriors]
    steps = [
        *(Frame("lure", seat) for seat in seats),
        Frame("assign"),
        *(Frame("charge", seat) for seat in seats),
        *(Frame("act", seat) for seat in seats),
        Frame("targets"),
        Frame("play"),
        Frame("reveal"),
        Frame("resolve"),
        Frame("costs"),
    ]
    return fight.push(*steps)


# ---- luring


def _list_lures(fight: Fight, _frame: Frame, seat: Seat) -> list[Step]:
    warrior = fight.warrior(seat)
    lures = list_lures(fight.sheets, seat, warrior.spared_by)
    return sorted([PASS, *[UNHIDE] * warrior.is_hidden, *(Step("lure", (monster,)) for monster in lures)])


def _take_lure(fight: Fight, frame: Frame, seat: Seat, step: Step) -> Fight:
    if step == PASS:
        return fight
    sheets = fight.sheets if step == UNHIDE else assign(fight.sheets, step.args[0], seat)
    return replace(fight, sheets=sheets).change(seat, is_hidden=False).push(frame)


# ---- random assignment


def _assign(fight: Fight, frame: Frame) -> Fight:
    """Give each unassigned monster, from the number `a` on, to someone it can attack (E8)."""
    for monster in list_unassigned(fight.sheets):
        targets = _list_targets(fight, monster)
        if monster < frame.a or not targets:
            continue
        again = frame._replace(a=monster + 1)
        if len(targets) == 1:
            return replace(fight, sheets=assign(fight.sheets, monster, targets[0])).push(again)
        return _ask_for_rolls(fight.push(again), monster, targets)
    return fight


def _ask_for_rolls(fight: Fight, monster: MonsterId, seats: Sequence[Seat]) -> Fight:
    rolls = [Frame("contest", seat) for seat in seats]
    return replace(fight, contest={}).push(*rolls, Frame("award", a=monster))


def _take_contest(fight: Fight, frame: Frame, step: Step) -> Fight:
    return replace(fight, contest={**fight.contest, frame.seat: max(step.args)})


def _award(fight: Fight, frame: Frame) -> Fight:
    """Assign a monster to whoever rolled highest, or let those who tie roll again (E8)."""
    highest = list_highest(fight.contest)
    if len(highest) > 1:
        return _ask_for_rolls(fight, frame.a, highest)
    return replace(fight, sheets=assign(fight.sheets, frame.a, highest[0]), contest={})


def _list_contest(fight: Fight, frame: Frame) -> list[Step]:
    return list_rolls(find_dice_rule(fight, fight.warrior(frame.seat), ASSIGN).dice)


HANDLERS: Final[dict[str, Handler]] = {
    "open": Task(_open),
    "quiet": Question(ask_present, lambda *_: [QUIET, STIR], _take_quiet),
    "round": Task(_begin_round),
    "lure": Question(ask_present, _list_lures, _take_lure),
    "assign": Task(_assign),
    "contest": Draw(ASSIGN, _list_contest, _take_contest),
    "award": Task(_award),
}
