"""Targets, and the secret plays of the melee (C3, C4, C7 to C12)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat_flow.actions import list_visible
from realmtable.games.magic_realm.combat_flow.agenda import Draw, Handler, Question, Task, ask_present
from realmtable.games.magic_realm.combat_flow.gear import find_hand, find_weapon, has_shield, number_piece, pick_piece
from realmtable.games.magic_realm.combat_flow.state import NO_TARGET, Fight, Warrior
from realmtable.games.magic_realm.combat_rules.boxes import Boxes, Counter, list_boxes, list_counters
from realmtable.games.magic_realm.combat_rules.melee import EVERY_DIRECTION, Direction
from realmtable.games.magic_realm.combat_rules.plays import Hand, Piece, Play, list_fight_pieces, list_move_pieces
from realmtable.games.magic_realm.world.steps import Frame, Step

PLAY: Final = "play"
READY: Final = Step("ready")
BACK: Final = Step("back")
AIM_NONE: Final = Step("aim none")
FREE_COUNTERS: Final = 3  # up to this many, it does not matter where they are laid (C11)


# ---- targets


def monster_target(monster: MonsterId) -> int:
    """Return the number of a monster as a target: behind the characters."""
    return len(load_catalog().characters) + monster


def _begin_targets(fight: Fight, _frame: Frame) -> Fight:
    fight = replace(fight, undrawn=tuple(warrior.seat for warrior in fight.active_warriors))
    return fight.push(*(Frame("next") for _ in fight.active_warriors))


def _list_next(fight: Fight, _frame: Frame) -> list[Step]:
    return [Step("next", (fight.warrior(seat).character,)) for seat in fight.undrawn]


def _take_next(fight: Fight, _frame: Frame, step: Step) -> Fight:
    seat = next(warrior.seat for warrior in fight.warriors if warrior.character == step.args[0])
    left = tuple(other for other in fight.undrawn if other != seat)
    return replace(fight, undrawn=left).push(Frame("aim", seat))


def _list_aims(fight: Fight, _frame: Frame, seat: Seat) -> list[Step]:
    charges = fight.sheets.charges or {}
    if seat in charges:
        targets = [fight.warrior(charges[seat][0]).character]
        targets = targets if fight.is_present(charges[seat][0]) else []
    else:
        targets = [other.character for other in list_visible(fight, seat)]
        targets += [monster_target(monster) for monster in fight.sheets.monsters]
    return sorted([AIM_NONE, *(Step("aim", (target,)) for target in targets)])


def _take_aim(fight: Fight, _frame: Frame, seat: Seat, step: Step) -> Fight:
    if not step.args:
        return fight
    (target,) = step.args
    for other in fight.active_warriors:
        if other.character == target:
            fight = fight.change(other.seat, is_hidden=False)
    return fight.change(seat, target=target, is_hidden=False)


# ---- secret plays


def read_draft(fight: Fight, warrior: Warrior) -> Play:
    """Return the play that a character has put together."""
    play, hand = Play(), find_hand(fight, warrior)
    for step in warrior.draft:
        match step:
            case Step("strike", (direction, number)):
                play = play._replace(fight=pick_piece(hand, number), attack=direction)
            case Step("turn weapon", (number,)):
                play = play._replace(fight=pick_piece(hand, number))
            case Step("evade", (direction, number)):
                play = play._replace(move=pick_piece(hand, number), maneuver=direction)
            case Step("shield", (direction,)):
                play = play._replace(shield=direction)
    return play


def counters_laid_by(warrior: Warrior) -> dict[Counter, Direction]:
    """Return where a player has laid counters (C11)."""
    laid = [step.args for step in warrior.draft if step.verb == "set"]
    return {read_counter(number): box for number, box in laid}


def number_counter(counter: Counter) -> int:
    """Return the number of a counter in steps: heads and clubs follow their monsters."""
    return 2 * counter.monster + counter.is_part


def read_counter(number: int) -> Counter:
    """Return the counter of a number."""
    return Counter(number // 2, bool(number % 2))


def _ask_players(fight: Fight, _frame: Frame) -> tuple[Seat, ...]:
    return tuple(sorted(warrior.seat for warrior in fight.active_warriors if not warrior.is_ready))


def list_play_steps(fight: Fight, seat: Seat) -> list[Step]:
    """Return how a player can go on with a secret play."""
    warrior = fight.warrior(seat)
    hand, play = find_hand(fight, warrior), read_draft(fight, warrior)
    done = {step.verb for step in warrior.draft}
    steps = [BACK] * bool(warrior.draft)
    if play.fight is None:
        steps += _list_fight_steps(warrior, hand, play.move)
    if play.move is None:
        pieces = list_move_pieces(hand, play.fight)
        steps += [Step("evade", (way, number_piece(piece))) for piece in pieces for way in piece.directions]
    if has_shield(warrior) and "shield" not in done:
        steps += [Step("shield", (direction,)) for direction in EVERY_DIRECTION]
    else:
        steps.append(READY)
    return sorted({*steps, *_list_lays(fight, seat, counters_laid_by(warrior))})


def _list_fight_steps(warrior: Warrior, hand: Hand, move: Piece | None) -> list[Step]:
    numbers = {number_piece(piece) for piece in list_fight_pieces(hand, move)}
    if warrior.target != NO_TARGET:
        return [Step("strike", (direction, number)) for number in numbers for direction in EVERY_DIRECTION]
    return [Step("turn weapon", (number,)) for number in numbers] if find_weapon(warrior) is not None else []


def _list_lays(fight: Fight, seat: Seat, laid: Boxes) -> list[Step]:
    """Return where the next counter can be laid, if that matters."""
    counters = list_counters(fight.sheets.on_sheet(seat))
    counter = next((counter for counter in counters if counter not in laid), None)
    if counter is None or len(counters) <= FREE_COUNTERS:
        return []
    boxes = list_boxes(counters, laid, counter)
    return [Step("set", (number_counter(counter), box)) for box in boxes]


def _take_play(fight: Fight, frame: Frame, seat: Seat, step: Step) -> Fight:
    draft = fight.warrior(seat).draft
    if step == READY:
        fight = fight.change(seat, is_ready=True)
    elif step == BACK:
        fight = fight.change(seat, draft=draft[:-1])
    else:
        fight = fight.change(seat, draft=(*draft, step))
    return fight.push(frame)


HANDLERS: Final[dict[str, Handler]] = {
    "targets": Task(_begin_targets),
    "next": Draw("next", _list_next, _take_next),
    "aim": Question(ask_present, _list_aims, _take_aim),
    PLAY: Question(_ask_players, lambda fight, _, seat: list_play_steps(fight, seat), _take_play, secret=True),
}
