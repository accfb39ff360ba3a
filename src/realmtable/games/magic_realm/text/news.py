"""The news of a step for each viewer, as far as they may know what it has done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import EVERY_DAY
from realmtable.games.magic_realm.catalog.effects import TABLES
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.combat_flow import machine as fight_machine
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.flow.evening_with_combat import fight_of, find_place
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.flow.settle_fight import world_if_fight_ended
from realmtable.games.magic_realm.text.combat_events import close_step, list_fight_events
from realmtable.games.magic_realm.text.combat_news import say_fight_step
from realmtable.games.magic_realm.text.describe import (
    describe_choice,
    describe_step,
    name_action,
    name_looted,
    name_phase,
)
from realmtable.games.magic_realm.text.events import AlreadyReported, list_events, say
from realmtable.games.magic_realm.text.rolls import format_roll
from realmtable.games.magic_realm.text.secrecy import is_secret
from realmtable.games.magic_realm.text.trace import trace_step
from realmtable.games.magic_realm.text.wording import (
    capitalise,
    format_kind,
    name_character,
    name_clearing,
    name_target,
)
from realmtable.games.magic_realm.world.entities import NO_SEAT
from realmtable.games.magic_realm.world.knowledge import SeatView
from realmtable.games.magic_realm.world.step_text import PHASE_VERBS
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from realmtable.kit.wording import join_words

MAP_LINE: Final = "The map is dealt"
VALLEY_LINE: Final = "The valleys are turned up"
SILENT: Final = (
    "go", "run on", "pass", "place", "activate", "pack", "leave", "draw", "deal", "lay", "card", "later", "continue",
)  # fmt: skip


def news(machine: Machine, world: World, seat: Seat, step: Step, viewer: Seat | None) -> str:
    """Return the news of a step for a viewer: a sentence without a full stop, or nothing."""
    if is_secret(world, seat, step, viewer):
        return ""
    fight, place = fight_of(world), find_place(world)
    if fight is not None and place is not None:
        return _report_combat(machine, Scene(world, fight, place), seat, step, viewer)
    after, begun = trace_step(machine, world, seat, step)
    seen, now = SeatView(world, viewer), SeatView(after, viewer)
    headline = _say_step(world, seen, seat, step)
    reported = AlreadyReported(
        moving=seat if step.verb == "to" else NO_SEAT,
        hiding=world.agenda[-1].seat if world.agenda[-1].kind == "dice" else NO_SEAT,
    )
    events = [*list_events(seen, now, begun, reported)]
    if step.verb == "M" and any(name_clearing(step.args[0]) in event for event in events):
        headline = ""  # the Move that was chosen has been made
    return capitalise("; ".join(filter(None, [headline, *events])))


class Scene(NamedTuple):
    """Combat before a step: the world, what goes on in it, and where."""

    world: World
    fight: Fight
    place: Place


def _report_combat(machine: Machine, scene: Scene, seat: Seat, step: Step, viewer: Seat | None) -> str:
    """Return the news of a step in combat: what it did there, and what followed once combat was over."""
    world, fight, place = scene
    later = fight_machine.play(fight, seat, step)
    seen = SeatView(world_if_fight_ended(world, fight, place), viewer)
    reported = AlreadyReported(moving=seat if step.verb == "run" else NO_SEAT, fighting=step.verb != "leave")
    headline = say_fight_step(fight, seat, step, viewer)
    if not headline and step.verb not in SILENT:
        headline = _say_own_writing(step)
    after, begun = trace_step(machine, world, seat, step)
    reached = SeatView(world_if_fight_ended(after if later.agenda else world, later, place), viewer)
    events = [
        headline,
        *list_fight_events(fight, later, step, viewer),
        *list_events(seen, reached, (), reported),
        close_step(fight, later),
        *(() if later.agenda else list_events(reached, SeatView(after, viewer), begun)),
    ]
    return capitalise("; ".join(filter(None, events)))


def _say_step(world: World, seen: SeatView, seat: Seat, step: Step) -> str:
    """Return what was done; empty where the events say it, or where the viewer may not know it."""
    if step.verb in SILENT:
        return ""
    if seat == CHANCE:
        return _say_chance(world, seen, step)
    third, second = _PHRASES.get(step.verb, _say_nothing)(world, step)
    return say(seen, seat, third, second) if third else _say_own_writing(step)


def _say_own_writing(step: Step) -> str:
    """Return a choice that only its own player reads."""
    return f"your choice: {describe_step(step)}"


def _say_chance(world: World, seen: SeatView, step: Step) -> str:
    frame = world.agenda[-1]
    if frame.kind == "prowl":
        return f"the die shows {step.args[0]}: {list_prowling(step.args[0])} prowl today"
    if frame.kind == "dice":
        return say(seen, frame.seat, "rolls", "roll") + " " + format_roll(world, frame.seat, TABLES[frame.a], step.args)
    if step.verb == "next":
        taking = next(seat for seat, hero in enumerate(world.heroes) if hero.character == step.args[0])
        return say(seen, taking, "takes", "take") + f" {'your' if taking == seen.seat else 'a'} turn"
    return describe_step(step) if step.verb == "clearing" else ""  # a chit is an event for those who see it


def list_prowling(*rows: int) -> str:
    """Return the kinds of monsters in rows of the chart; the Ghosts prowl every day."""
    kinds = Counter(monster.kind for monster in load_catalog().monsters if monster.row in (*rows, EVERY_DAY))
    return join_words([_format_all(format_kind(kind), number) for kind, number in kinds.items()])


def _format_all(kind: str, number: int) -> str:
    return f"the {kind}" if number == 1 else "Wolves" if kind == "Wolf" else f"{kind}s"


Phrase = tuple[str, str]  # for others and for the viewer: "opens the door", "open the door"


def _say_nothing(_world: World, _step: Step) -> Phrase:
    return "", ""


def _both(third: str, second: str, rest: str = "") -> Phrase:
    return third + rest, second + rest


def _say_done(world: World, _step: Step) -> Phrase:
    if world.agenda[-1].kind == "write":
        return "has written the day", "have written your day"
    return "ends the turn", "end your turn"


def _say_gear(_world: World, step: Step) -> Phrase:
    names = load_catalog().names
    gear, box = names.by_number("gear")[step.args[0]], names.by_number("box")[step.args[1]]
    return _both("takes", "take", f" the {gear} from the {box}")


def _say_phase(world: World, step: Step) -> Phrase:
    """Return a phase that is chosen when it comes; a written one is read by its player alone."""
    return _both("chooses", "choose", f" “{name_phase(step)}”") if world.agenda[-1].kind == "choose" else ("", "")


def _say_peer(world: World, step: Step) -> Phrase:
    place = step.args[0] if step.args else world.heroes[world.agenda[-1].seat].place
    return _both("peers", "peer", f" at {name_clearing(place)}")


def _say_tire(_world: World, step: Step) -> Phrase:
    names = [name_action(label) for label in step.args]
    freed = f", and {names[1]} becomes active" if len(names) > 1 else ""
    return _both("fatigues", "fatigue", f" {names[0]}{freed}")


def _say_rest(_world: World, step: Step) -> Phrase:
    names = [name_action(label) for label in step.args]
    tired = f", and {names[1]} becomes fatigued" if len(names) > 1 else ""
    return _both("rests", "rest", f" {names[0]}{tired}")


def _say_force(_world: World, step: Step) -> Phrase:
    return _both("opens", "open", describe_step(step).removeprefix("Open"))


def _say_take(_world: World, step: Step) -> Phrase:
    return _both("takes", "take", describe_step(step).removeprefix("Take"))


_PHRASES: Final[Mapping[str, Callable[[World, Step], Phrase]]] = {
    **dict.fromkeys(PHASE_VERBS, _say_phase),
    "done": _say_done,
    "ready": lambda *_: ("is ready", "are ready"),
    "tile": lambda _, step: _both("chooses", "choose", f" {load_catalog().tiles[step.args[0]].name}"),
    "turn": lambda *_: _both("lays", "lay", " the tile"),
    "be": lambda _, step: _both("plays", "play", f" {name_character(step.args[0])}"),
    "gear": _say_gear,
    "now": lambda *_: _both("begins", "begin", " now"),
    "along": lambda *_: ("goes along", "go along"),
    "stop": lambda *_: ("stops following", "stop following"),
    "shed": lambda _, step: _both("leaves", "leave", f" {name_character(step.args[0])} behind"),
    "block": lambda _, step: _both("blocks", "block", f" {name_target(step.args[0])}"),
    "peer": _say_peer,
    "locate": lambda *_: ("searches the place (Locate)", "search the place (Locate)"),
    "sight": lambda *_: ("uses Magic Sight", "use Magic Sight"),
    "loot": lambda _, step: _both("loots", "loot", f" {name_looted(step.args[0])}"),
    "choose": lambda _, step: _both("chooses", "choose", f" to {describe_choice(step.args[0])}"),
    "exchange": lambda *_: ("exchanges the chit", "exchange the chit"),
    "put back": lambda *_: ("puts the chits back", "put the chits back"),
    "take": _say_take,
    "take nothing": lambda *_: ("takes nothing", "take nothing"),
    "force": _say_force,
    "keep": lambda *_: ("keeps it", "keep it"),
    "tire": _say_tire,
    "rest": _say_rest,
    "enough": lambda *_: ("stops resting", "stop resting"),
    "to": lambda _, step: _both("goes", "go", f" to {name_clearing(step.args[0])}"),
    "alert": lambda *_: ("alerts the weapon", "alert your weapon"),
    "unalert": lambda *_: ("unalerts the weapon", "unalert your weapon"),
    "berserk": lambda *_: ("goes berserk", "go berserk"),
}


def fold_label(world: World, step: Step) -> str:
    """Return the line that chance's steps of the set-up share; empty for later ones."""
    if world.part != "setup":
        return ""
    return VALLEY_LINE if step.verb == "chit" else MAP_LINE
