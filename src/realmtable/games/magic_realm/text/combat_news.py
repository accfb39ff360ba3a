"""Say each step of combat as something that happened, seen by others (Z15)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS
from realmtable.games.magic_realm.catalog.tables import DIE
from realmtable.games.magic_realm.combat_flow.gear import find_weapon
from realmtable.games.magic_realm.combat_flow.plays import number_counter
from realmtable.games.magic_realm.combat_flow.repositioning import OWN_SHEET, build_melee
from realmtable.games.magic_realm.combat_flow.state import TWO_DICE, Fight
from realmtable.games.magic_realm.combat_rules.boxes import Counter, list_turned, reposition
from realmtable.games.magic_realm.text.combat_events import Onlooker, find_contested
from realmtable.games.magic_realm.text.combat_steps import name_counter, name_piece
from realmtable.games.magic_realm.text.wording import name_clearing, name_goods, name_monster, name_target
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.kit.wording import join_words

Phrase = tuple[str, str]  # for others and for the viewer


def say_fight_step(fight: Fight, seat: Seat, step: Step, viewer: Seat | None) -> str:
    """Return what was done or rolled; empty where events say it, or for a part of a secret play."""
    seen = Onlooker(fight, viewer)
    if seat == CHANCE:
        return _ROLLS[fight.agenda[-1].kind](seen, step)
    phrase = PHRASES.get(step.verb)
    return seen.say(seat, *phrase(seen, seat, step)) if phrase else ""


# ---- chance


def _join_dice(step: Step) -> str:
    return " and ".join(map(str, step.args))


def _say_contest(seen: Onlooker, step: Step) -> str:
    seat = seen.fight.agenda[-1].seat
    monster = name_monster(find_contested(seen.fight))
    return f"{seen.say(seat, 'rolls', 'roll')} {_join_dice(step)} for the {monster}"


def _say_next(seen: Onlooker, step: Step) -> str:
    seat = next(warrior.seat for warrior in seen.fight.warriors if warrior.character == step.args[0])
    return seen.say(seat, "is next to aim", "are next to aim")


def _name_sheet(seen: Onlooker, frame: Frame) -> str:
    """Return the sheet that a roll is about."""
    return f"the {name_monster(frame.a)}" if frame.seat == OWN_SHEET else seen.name_possession(frame.seat, "sheet")


def _list_on_sheet(fight: Fight, frame: Frame) -> dict[Counter, int]:
    monsters = [frame.a] if frame.seat == OWN_SHEET else fight.sheets.on_sheet(frame.seat)
    return {counter: box for counter, box in fight.boxes.items() if counter.monster in monsters}


def _say_reposition(seen: Onlooker, step: Step) -> str:
    """Return where the counters of a sheet go (C13)."""
    frame = seen.fight.agenda[-1]
    boxes = reposition(_list_on_sheet(seen.fight, frame), step.args[0])
    ways = [f"{name_counter(number_counter(counter))} in {DIRECTIONS[box]}" for counter, box in boxes.items()]
    return f"the die shows {step.args[0]} for {_name_sheet(seen, frame)}: {join_words(ways)}"


def _say_tactics(seen: Onlooker, step: Step) -> str:
    """Return what turns over (C14)."""
    frame = seen.fight.agenda[-1]
    one, other = step.args
    turned = list_turned(_list_on_sheet(seen.fight, frame), frame.b, (one, other))
    names = join_words([name_counter(number_counter(counter)) for counter in turned])
    what = f"{names} {'turn' if len(turned) > 1 else 'turns'} over" if turned else "nothing turns over"
    return f"the dice show {_join_dice(step)} for {DIRECTIONS[frame.b]} on {_name_sheet(seen, frame)}: {what}"


def _say_dice(seen: Onlooker, step: Step) -> str:
    """Return a roll on a table, with what changes it (C18, C27)."""
    frame = seen.fight.agenda[-1]
    table = build_melee(seen.fight).attacks[frame.a].table
    add = seen.fight.warrior(frame.seat).dice.get(table, TWO_DICE).add
    changed = f", {'+' if add > 0 else '−'}{abs(add)}" if add else ""
    result = min(max(max(step.args) + add, 1), DIE)
    title = load_catalog().tables.by_name[table].title
    return f"{seen.say(frame.seat, 'rolls', 'roll')} {_join_dice(step)}{changed} on {title}: {result}"


_ROLLS: Final[Mapping[str, Callable[[Onlooker, Step], str]]] = {
    "contest": _say_contest,
    "next": _say_next,
    "reposition": _say_reposition,
    "turn over": _say_tactics,
    "dice": _say_dice,
}


# ---- choices


def _say_pass(seen: Onlooker, seat: Seat, _step: Step) -> Phrase:
    if seen.fight.agenda[-1].kind == "charge":
        return "charges no one", "charge no one"
    more = " else" if seen.fight.sheets.on_sheet(seat) else ""
    return f"lures no one{more}", f"lure no one{more}"


def _say_lure(seen: Onlooker, _seat: Seat, step: Step) -> Phrase:
    (monster,) = step.args
    owner = seen.fight.sheets.assigned.get(monster)
    away = "" if owner is None else f" away from {seen.name(owner)}"
    return _both("lures", "lure", f" the {name_monster(monster)}{away}")


def _say_alert(seen: Onlooker, seat: Seat, step: Step) -> Phrase:
    weapon = find_weapon(seen.fight.warrior(seat))
    assert weapon is not None  # noqa: S101 - nothing else can be alerted
    side = "unalerted" if weapon[0].alerted else "alerted"
    return _both(
        "turns", "turn", f" the {name_goods(weapon[0].goods)} to its {side} side with {name_piece(*step.args)}"
    )


def _say_run(_seen: Onlooker, _seat: Seat, step: Step) -> Phrase:
    road, piece = step.args
    return _both("runs", "run", f" onto {name_clearing(road)} with {name_piece(piece)}")


def _say_done(seen: Onlooker, _seat: Seat, _step: Step) -> Phrase:
    return ("is done", "are done") if seen.fight.agenda[-1].a else ("does no action", "do no action")


def _name_aim(seen: Onlooker, target: int) -> str:
    """Return whom someone charges or aims at."""
    found = [warrior.seat for warrior in seen.fight.warriors if warrior.character == target]
    return seen.name(found[0]) if found else name_target(target)


def _say_tire(_seen: Onlooker, _seat: Seat, step: Step) -> Phrase:
    names = [name_piece(label) for label in step.args]
    freed = f", and {names[1]} becomes active" if len(names) > 1 else ""
    return _both("fatigues", "fatigue", f" {names[0]}{freed}")


def _both(third: str, second: str, rest: str) -> Phrase:
    return third + rest, second + rest


PHRASES: Final[Mapping[str, Callable[[Onlooker, Seat, Step], Phrase]]] = {
    "rest easy": lambda *_: ("rests easy", "rest easy"),
    "stir": lambda *_: ("begins a round of combat", "begin a round of combat"),
    "pass": _say_pass,
    "lure": _say_lure,
    "charge": lambda seen, _seat, step: _both(
        "charges", "charge", f" {_name_aim(seen, step.args[0])} with {name_piece(step.args[1])}"
    ),
    "alert": _say_alert,
    "berserk": lambda *_: ("goes berserk", "go berserk"),
    "run": _say_run,
    "done": _say_done,
    "aim": lambda seen, _seat, step: _both("aims", "aim", f" at {_name_aim(seen, step.args[0])}"),
    "aim none": lambda *_: ("aims at no one", "aim at no one"),
    "ready": lambda *_: ("is ready", "are ready"),
    "tire": _say_tire,
    "wound": lambda _seen, _seat, step: _both("takes", "take", f" a wound: {name_piece(*step.args)}"),
}
