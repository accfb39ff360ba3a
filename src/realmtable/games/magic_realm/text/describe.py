"""Describe steps in words, and label handles for buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.engine.errors import BadNotation
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.day_rules.phase_sources import AS_YOU_GO
from realmtable.games.magic_realm.picture.handles import CHIT, IDLE_ALERT, PHASE
from realmtable.games.magic_realm.text import combat_steps
from realmtable.games.magic_realm.text.wording import (
    ACTIVITY_NAMES,
    GOAL_NAMES,
    capitalise,
    format_place,
    name_character,
    name_chit,
    name_clearing,
    name_target,
)
from realmtable.games.magic_realm.world.entities import GOALS
from realmtable.games.magic_realm.world.step_text import (
    ACTION,
    CHOICES,
    is_pony_move,
    parse_step,
)
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from realmtable.kit.wording import join_words

RESULT_WORDS: Final = {
    "clues": "look at the map chits of the tile",
    "paths": "discover hidden paths",
    "passages": "discover secret passages",
    "hidden": "find hidden enemies",
    "chits": "look at the map chits and discover sites",
}
ORDER_WORDS: Final = (
    "Ask me before I block someone",
    "Never ask me to block anyone",
    "Keep my followers when I move hidden",
    "Ask me whether to leave followers behind",
    "Follow all day",
    "Ask me before each phase whether I still follow",
)
PLAIN: Final = {
    "H": "Hide",
    "S": "Search",
    "R": "Rest",
    "A": "Alert",
    "-": "Leave a phase blank",
    "back": "Take back the last choice",
    "done": "Done",
    "ready": "Ready",
    "now": "Take your turn now",
    "later": "Take your turn later",
    "go": "Go on",
    "run on": "Continue",
    "along": "Go along",
    "stop": "Stop following",
    "pass": "Pass",
    "locate": "Locate: search for passages, chits and sites here",
    "sight": "Use Magic Sight",
    "exchange": "Exchange the chit",
    "put back": "Put the chits back",
    "take nothing": "Take nothing",
    "keep": "Keep it",
    "enough": "Stop resting",
    **combat_steps.PLAIN,
}
# By the kind of question
DONE_AS_YOU_GO: Final = {"write": "Begin the day", "choose": "End your turn"}
GO: Final = {
    "arrange": "Continue, but ask again next phase",
    "shed": "Move on with the others",
    "tidy": "Continue",
}


def describe_step(step: Step) -> str:
    """Describe a step in a short sentence, without the player's name and a full stop."""
    if step.verb in PLAIN:
        return PLAIN[step.verb]
    return _SENTENCES[step.verb](*step.args)


def describe_step_in(world: World, step: Step) -> str:
    """Describe a step in a state: what "go" does, and "done" with phases chosen as they come (D28), depends on it."""
    if step.verb == "go":
        return GO.get(world.agenda[-1].kind, PLAIN["go"])
    if step.verb == "done" and world.options.recording == AS_YOU_GO:
        return DONE_AS_YOU_GO.get(world.agenda[-1].kind, PLAIN["done"])
    return describe_step(step)


def describes_button(handle: str) -> bool:
    """Whether the button of a handle says what its step does, instead of its label."""
    return handle in ("done", "go")


def _name_goods(goods: int) -> str:
    """Return the name of a belonging, with its number if there are several of its kind."""
    return load_catalog().goods[goods].name.replace("-", " ")


def _move(place: int, *pony: int) -> str:
    return f"{'Ride the pony' if pony else 'Move'} to {name_clearing(place)}"


def _peer(*places: int) -> str:
    return f"Peer at {name_clearing(places[0])}" if places else "Peer: look around in this clearing"


def name_looted(looted: int) -> str:
    """Return what can be looted, with its article."""
    return f"the {load_catalog().names.by_number('looted')[looted]}"


def describe_choice(choice: int) -> str:
    """Return a result that can be chosen, as what the character does."""
    return join_words([RESULT_WORDS[word] for word in CHOICES[choice].split("+")])


def name_action(label: int) -> str:
    """Return the label of an action chit, with its state if the step says so."""
    return load_catalog().names.by_number("rest")[label]


def _force(piece: int) -> str:
    labels = len(load_catalog().names.by_number("action"))
    return f"Open it with {ACTION.write(piece) if piece < labels else f'the {_name_goods(piece - labels)}'}"


def _tire(label: int, *change: int) -> str:
    freed = f"; {name_action(change[0])} becomes active" if change else ""
    return f"Fatigue {name_action(label)}{freed}"


def _rest(label: int, *change: int) -> str:
    tired = f"; {name_action(change[0])} becomes fatigued" if change else ""
    return f"Rest {name_action(label)}{tired}"


def _gear(kind: int, box: int) -> str:
    names = load_catalog().names
    return f"Take the {names.by_number('gear')[kind]} from the {names.by_number('box')[box]}"


def _tile_name(tile: int) -> str:
    return load_catalog().tiles[tile].name


def _card(box: int, number: int, goods: int) -> str:
    names = load_catalog().names.by_number("box")
    return f"Treasure {number} of the {names[box]} is {_name_goods(goods)}"


def _run(road: int, piece: int) -> str:
    return f"Run onto {name_clearing(road)}, using {combat_steps.name_piece(piece)}"


_SENTENCES: Final[Mapping[str, Callable[..., str]]] = {
    "M": _move,
    "P": lambda place: f"Peer through the telescope at {name_clearing(place)}",
    "F": lambda character: f"Follow {name_character(character)} all day",
    "order": lambda order: ORDER_WORDS[order],
    "draw": lambda tile: f"The next tile is {_tile_name(tile)}",
    "lay": lambda column, row, turn: f"The tile is laid on {column} {row}, turned by {60 * turn}°",
    "deal": lambda tile: f"{_tile_name(tile)} is dealt",
    "tile": lambda tile: f"Lay {_tile_name(tile)}",
    "place": lambda column, row: f"Lay it on {column} {row}",
    "turn": lambda turn: f"Turn it by {60 * turn}°",
    "be": lambda character: f"Play {name_character(character)}",
    "gear": _gear,
    "want": lambda goal: f"Assign a point to {GOAL_NAMES[GOALS[goal]]}",
    "start": lambda start: f"Start at the {load_catalog().names.by_number('start')[start]}",
    "chit": lambda tile, chit: f"{_tile_name(tile)} has {name_chit(chit)}",
    "die": lambda die: f"One die: {die}",
    "d": lambda first, second: f"Two dice: {first} and {second}",
    "next": lambda character: f"{capitalise(name_character(character))} is next",
    "activate": lambda *goods: f"Activate {_name_goods(goods[0])}" if goods else "Activate it",
    "pack": lambda goods: f"Pack {_name_goods(goods)} away",
    "leave": lambda *goods: f"Leave {_name_goods(goods[0])} here" if goods else "Leave it here",
    "shed": lambda character: f"Leave {name_character(character)} behind",
    "block": lambda target: f"Block {name_target(target)}",
    "peer": _peer,
    "loot": lambda looted: f"Loot {name_looted(looted)}",
    "choose": lambda choice: capitalise(describe_choice(choice)),
    "take": lambda cards, looted: f"Take the top {'treasure card' if cards else 'counter'} of {name_looted(looted)}",
    "force": _force,
    "card": _card,
    "tire": _tire,
    "rest": _rest,
    "to": lambda place: f"Go to {name_clearing(place)}",
    "run": _run,
    "wound": lambda label: f"Take the wound on {name_action(label)}",
    **combat_steps.SENTENCES,
}


# ---- buttons

# The groups under which buttons are collected where there are many.
GROUPS: Final = {
    "be": "Characters",
    "gear": "Groups",
    "order": "Standing orders",
    "F": "Follow",
    "activate": "Activate",
    "pack": "Pack away",
    "leave": "Leave",
    "peer": "Peer at",
    "loot": "Loot",
    "block": "Block",
    "choose": "Results",
    "rest": "Rest",
    "tire": "Fatigue",
    **combat_steps.GROUPS,
}
SHORT: Final = {
    "-": "Do nothing",
    IDLE_ALERT: "Alert (no effect without combat)",
    "back": "Undo",
    "go": "Continue, but ask again next phase",
    "run on": "Continue",
    "peer": "Peer: paths, map chits",
    "locate": "Locate: sites, passages",
    "sight": "Magic Sight",
    "want treasures": "Great treasures: 1 for each point",
    "want fame": "Fame: 10 for each point",
    "want notoriety": "Notoriety: 20 for each point",
    "want gold": "Gold: 30 for each point",
}
PATH_LABELS: Final = {"pony": "Ride the pony to …", "P": "Peer through the telescope at …"}


def label(handle: str) -> str:
    """Return the text of a button for a handle; return unknown texts unchanged."""
    if handle.startswith(CHIT):
        state, _, name = handle.removeprefix(CHIT).partition(" ")
        return name if state == "active" else f"{name}, {state}"
    if handle.startswith(PHASE):
        text = handle.removeprefix(PHASE)
        return SHORT.get(text) or _label_step(text)
    if handle in PATH_LABELS or handle in SHORT:
        return PATH_LABELS.get(handle) or SHORT[handle]
    in_combat = combat_steps.label_of_combat(handle)
    if in_combat:
        return in_combat
    names = load_catalog().names
    if handle in names.by_name("clearing") or handle.startswith("tile:"):
        return format_place(handle.removeprefix("tile:"))
    if handle in names.by_name("character"):
        return f"The {handle}"
    return _label_step(handle)


def _label_step(text: str) -> str:
    try:
        step = parse_step(text)
    except BadNotation:
        return text
    words, group = describe_step(step), GROUPS.get(step.verb, "") if step.args else ""
    return f"{group}/{words}" if group else words


def name_phase(step: Step) -> str:
    """Return a written phase in a few words: "Move to Bad Valley 4".

    >>> name_phase(Step("H"))
    'Hide'
    """
    if step.verb == "M":
        return f"Move to {name_clearing(step.args[0])}" + " by pony" * is_pony_move(step)
    if step.verb == "P":
        return f"Peer at {name_clearing(step.args[0])}"
    if step.verb == "F":
        return f"Follow {name_character(step.args[0])}"
    return ACTIVITY_NAMES[step.verb]
