"""The end of a round: fatigue, wounds, and whether combat goes on (E2, E4, W4 to W6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.combat_flow.agenda import Handler, Question, Task
from realmtable.games.magic_realm.combat_flow.gear import chits_of
from realmtable.games.magic_realm.combat_flow.spoils import kill_character
from realmtable.games.magic_realm.combat_flow.start_of_round import CLOSE
from realmtable.games.magic_realm.combat_flow.state import RAN, Fight, Warrior
from realmtable.games.magic_realm.combat_rules.plays import FIGHT, MOVE
from realmtable.games.magic_realm.combat_rules.round_costs import LAST_ROUND, end_round, is_over, list_debts
from realmtable.games.magic_realm.day_rules.chit_states import find_payments, find_wounds, pay, wound
from realmtable.games.magic_realm.world.entities import WOUNDED
from realmtable.games.magic_realm.world.steps import Frame, Step

CONTINUE: Final = Step("continue")


def _begin_costs(fight: Fight, _frame: Frame) -> Fight:
    """Line up what each character pays: those in the clearing in order, then those who ran, by seats (W4)."""
    ran = sorted(warrior.seat for warrior in fight.warriors if warrior.fate == RAN)
    seats = [*(warrior.seat for warrior in fight.active_warriors), *ran]
    frames = [Frame(kind, seat) for seat in seats for kind in ("doom", "fatigue", "wounds")]
    return fight.push(*frames, Frame("finish"))


def _die_of_spells(fight: Fight, frame: Frame) -> Fight:
    """Let a character die whose chits are all wounded before it has paid anything (W6)."""
    warrior = fight.warrior(frame.seat)
    return (
        kill_character(fight, frame.seat, ())
        if fight.is_present(frame.seat) and _is_mortally_wounded(warrior)
        else fight
    )


def _is_mortally_wounded(warrior: Warrior) -> bool:
    return all(state == WOUNDED for state in warrior.chits)


# ---- fatigue


def _list_payments(fight: Fight, _frame: Frame, seat: Seat) -> list[Step]:
    """Return the ways to pay the star of a round; with at most two stars (C8), there is never a second one."""
    warrior = fight.warrior(seat)
    kinds = {
        kind for debt in list_debts(warrior.played) for kind, stars in ((FIGHT, debt.fight), (MOVE, debt.move)) if stars
    }
    chits = chits_of(warrior)
    return sorted({step for kind in kinds for step in find_payments(chits, warrior.chits, kind)})


def _ask_payer(fight: Fight, frame: Frame) -> tuple[Seat, ...]:
    is_there = fight.is_present(frame.seat) or fight.warrior(frame.seat).fate == RAN
    return (frame.seat,) if is_there and _list_payments(fight, frame, frame.seat) else ()


def _take_payment(fight: Fight, _frame: Frame, seat: Seat, step: Step) -> Fight:
    warrior = fight.warrior(seat)
    return replace(fight.change(seat, chits=pay(chits_of(warrior), warrior.chits, step)), is_eventful=True)


# ---- wounds


def _ask_wounded(fight: Fight, frame: Frame) -> tuple[Seat, ...]:
    return (frame.seat,) if fight.is_present(frame.seat) and fight.warrior(frame.seat).wounds else ()


def _list_wounds(fight: Fight, _frame: Frame, seat: Seat) -> list[Step]:
    warrior = fight.warrior(seat)
    return find_wounds(chits_of(warrior), warrior.chits)


def _take_wound(fight: Fight, frame: Frame, seat: Seat, step: Step) -> Fight:
    warrior = fight.warrior(seat)
    chits = wound(chits_of(warrior), warrior.chits, step)
    fight = replace(fight.change(seat, chits=chits, wounds=warrior.wounds - 1), is_eventful=True)
    if _is_mortally_wounded(fight.warrior(seat)):
        return kill_character(fight, seat, ())
    return fight.push(frame)


# ---- the end


def _finish(fight: Fight, _frame: Frame) -> Fight:
    """Go on to another round, if there is one (E2)."""
    is_held = any(fight.sheets.is_red(monster) for monster in fight.sheets.monsters)
    rounds = end_round(fight.rounds, is_quiet=not fight.is_eventful and not is_held)
    if not is_over(rounds, len(fight.active_warriors)):
        return replace(fight, rounds=rounds).push(Frame("open"))
    return _show_melee(fight)


# ---- the last melee


def _show_melee_to_absent(fight: Fight, _frame: Frame) -> Fight:
    """Let those see the last melee who have not seen it while they were asked for another round (E6)."""
    return _show_melee(fight, [warrior.seat for warrior in fight.active_warriors])


def _show_melee(fight: Fight, seen: Sequence[Seat] = ()) -> Fight:
    """Let everyone who took part see the last melee before combat ends, if anyone attacked (E2)."""
    if fight.melee is None or fight.report is None or not fight.report.strikes:
        return fight
    names = {fighter.name for fighter in fight.melee.fighters}
    characters = load_catalog().characters
    warriors = [
        replace(warrior, is_ready=warrior.seat in seen or characters[warrior.character].name not in names)
        for warrior in fight.warriors
    ]
    return replace(fight, warriors=tuple(warriors)).push(Frame("look"))


def _ask_to_look(fight: Fight, _frame: Frame) -> tuple[Seat, ...]:
    return tuple(sorted(warrior.seat for warrior in fight.warriors if not warrior.is_ready))


def _take_look(fight: Fight, frame: Frame, seat: Seat, _step: Step) -> Fight:
    return fight.change(seat, is_ready=True).push(frame)


def _close(fight: Fight, _frame: Frame) -> Fight:
    """End combat: characters that are held after the last round die, and all counters are turned (E2, E4)."""
    if fight.rounds.number >= LAST_ROUND:
        for warrior in fight.active_warriors:
            if fight.sheets.is_held(warrior.seat):
                fight = kill_character(fight, warrior.seat, ())
    return replace(fight, sheets=replace(fight.sheets, dark=frozenset()))


HANDLERS: Final[dict[str, Handler]] = {
    "costs": Task(_begin_costs),
    "doom": Task(_die_of_spells),
    "fatigue": Question(_ask_payer, _list_payments, _take_payment),
    "wounds": Question(_ask_wounded, _list_wounds, _take_wound),
    "finish": Task(_finish),
    "show": Task(_show_melee_to_absent),
    "look": Question(_ask_to_look, lambda *_: [CONTINUE], _take_look, secret=True),
    CLOSE: Task(_close),
}
