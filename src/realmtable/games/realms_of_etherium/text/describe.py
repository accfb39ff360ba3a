"""Describe steps in words and as news, and label handles for buttons. Clauses refer to RULES.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.engine.language import translate
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.layout import Hex, Kind, MageNumber, TileNumber
from realmtable.games.realms_of_etherium.kernels.legal import control_savings
from realmtable.games.realms_of_etherium.kernels.powers import tribute_price
from realmtable.games.realms_of_etherium.kernels.prices import (
    control_price,
    conversion_price,
    find_helper,
    find_unused,
    has_control_discount,
    use_price,
)
from realmtable.games.realms_of_etherium.kernels.world import fact, tile_on
from realmtable.games.realms_of_etherium.notation.position_writer import hex_of, tiles_in_play
from realmtable.games.realms_of_etherium.notation.step_notation import hex_text
from realmtable.games.realms_of_etherium.places import describe_empty_hex
from realmtable.games.realms_of_etherium.steps import Step, StepKind
from realmtable.games.realms_of_etherium.text.effects import describe_effects
from realmtable.games.realms_of_etherium.tiles.manifest import ETHERIUM, Cost, describe_cost
from realmtable.games.realms_of_etherium.wording import NOTHING, PLAYER_POWERS, format_etherium, mage_name
from realmtable.kit.rules import Position

SUPPLIES: Final = ("Realm Supply", "Victory Supply")


# ---- steps


def describe_step(position: Position, step: Step, after: Position) -> str:
    """Describe a legal step, and what follows from it, in a short sentence."""
    return _SENTENCES[step.kind](position, step) + describe_effects(position, step, after)


def kind_on(position: Position, hex_: Hex) -> str:
    """Return the name of the Realm on a hex."""
    return layout.KIND_NAMES[position.item(layout.TILE_KIND + tile_on(position, hex_))]


def where_is(position: Position, hex_: Hex, moved: TileNumber = layout.NONE) -> str:
    """Return where an empty hex is, in words; without a Realm that is on its way there."""
    names = {
        hex_of(position, tile): layout.KIND_NAMES[position[layout.TILE_KIND + tile]]
        for tile in tiles_in_play(position)
        if tile != moved
    }
    return describe_empty_hex(hex_text(hex_), names)


def target_name(position: Position, target: int) -> str:
    """Return the name of the place that a step names."""
    return "the Portal" if target == layout.TO_PORTALS else kind_on(position, target)


def place_name(position: Position, mage: MageNumber) -> str:
    """Return the name of the place that a Mage is in."""
    place = position.item(layout.MAGE_PLACE + mage)
    return "the Portal" if place == layout.PORTALS else layout.KIND_NAMES[position[layout.TILE_KIND + place]]


def own_mage(position: Position, number: int) -> MageNumber:
    """Return the Mage of the active player with a number, counted from 0."""
    return position.item(layout.ACTIVE_SEAT) * layout.MAX_MAGES + number


def power_price(position: Position, kind: Kind) -> str:
    """Return what the acting seat pays for a power, in words."""
    white, black, _ = use_price(position, position.item(layout.SEAT), kind)
    return format_etherium(white, black)


def _pay(price: str, action: str) -> str:
    """Return an action with its price, unless it is free."""
    return f"{action[0].upper()}{action[1:]}" if price == NOTHING else f"Pay {price} to {action}"


def _go(position: Position, step: Step) -> str:
    name = target_name(position, step.at)
    if position[layout.PHASE] == layout.IN_TARGET:
        return f"Send {mage_name(position.item(layout.ASKED), position.item(layout.SEAT))} to {name}"
    return f"Move to {name}"


def control_cost(position: Position, step: Step) -> Cost:
    """Return what the acting seat pays for Control."""
    seat, kind = position.item(layout.SEAT), active_kind(position)
    white, black, _ = control_price(position, seat, kind)
    less_white, less_black = control_savings(
        layout.CONTROL + step.at, has_control_discount(position, seat, kind), white, black
    )
    return Cost(white - less_white, black - less_black)


def active_kind(position: Position) -> Kind:
    """Return the kind of the Realm that the active Mage is in, which is no Portal."""
    return position.item(layout.TILE_KIND + position[layout.MAGE_PLACE + position[layout.ACTIVE_MAGE]])


def _control(position: Position, step: Step) -> str:
    return (
        f"Take Control of {layout.KIND_NAMES[active_kind(position)]} for {describe_cost(control_cost(position, step))}"
    )


def _displace(position: Position, _step: Step) -> str:
    tile = find_unused(position, position.item(layout.SEAT), layout.PUSH)
    price = power_price(position, position.item(layout.TILE_KIND + tile))
    return _pay(price, f"push Mages out of {place_name(position, position.item(layout.ACTIVE_MAGE))}")


def _transfer(position: Position, step: Step) -> str:
    tile = find_unused(position, position.item(layout.SEAT), layout.TRANSFER)
    price = power_price(position, position.item(layout.TILE_KIND + tile))
    seat = position.item(layout.SEAT)
    mage = own_mage(position, step.at) if step.kind == StepKind.TRANSFER else step.at
    return _pay(price, f"continue with {mage_name(mage, seat)} in {place_name(position, mage)}")


def entered_kind(position: Position) -> Kind:
    """Return the kind of the Realm whose entering power is being resolved."""
    return position.item(layout.TILE_KIND + position[layout.MAGE_PLACE + position[layout.ENTERING]])


def _use(position: Position, _step: Step) -> str:
    kind = entered_kind(position)
    is_conjuring = layout.VERB_OF[kind] == layout.CONJURE
    action = "get a new Mage" if is_conjuring else "Exhaust opponents' Mages in adjacent Realms"
    return _pay(power_price(position, kind), action)


def _make(position: Position, step: Step) -> str:
    kind = entered_kind(position)
    if ETHERIUM[step.at] == "black":
        price, _ = conversion_price(position, position.item(layout.SEAT), kind, step.to)
        return f"Turn {price} White into {step.to} Black" if price else f"Make {step.to} Black for nothing"
    return f"Turn {step.to // fact(position, kind, layout.USE_WHITE)} Black into {step.to} White"


def _use_on(position: Position, step: Step, action: str) -> str:
    return _pay(power_price(position, entered_kind(position)), f"{action} {kind_on(position, step.at)}")


def picked_name(position: Position) -> str:
    """Return the name of the Realm that is being Shifted or Swapped."""
    return layout.KIND_NAMES[position.item(layout.TILE_KIND + position.item(layout.PICKED))]


def _collect(position: Position, step: Step) -> str:
    price = tribute_price(position, position.item(layout.SEAT)) if ETHERIUM[step.at] == "black" else 0
    taking = f"take 1 {ETHERIUM[step.at].capitalize()} from {mage_name(position.item(layout.ASKED))}"
    return _pay(format_etherium(price, 0), taking)


def _protect(position: Position, _step: Step) -> str:
    seat, mage = position.item(layout.SEAT), position.item(layout.ASKED)
    tile = find_helper(position, seat, layout.PROTECT)
    price = power_price(position, position.item(layout.TILE_KIND + tile))
    return _pay(price, f"protect {mage_name(mage, seat)}")


def _skip(position: Position, _step: Step) -> str:
    phase = position[layout.PHASE]
    if phase == layout.IN_PROTECT:
        return "Decline Protection"
    if phase == layout.IN_TRIBUTE:
        return f"Take nothing from {mage_name(position.item(layout.ASKED))}"
    return f"Leave {layout.KIND_NAMES[entered_kind(position)]} unused"


def _reveal(position: Position, step: Step) -> str:
    name = layout.KIND_NAMES[step.at]
    return f"Turn up {name}" if position[layout.PHASE] == layout.IN_DRAW else f"Put {name} into the Reserve"


def _colour(position: Position, step: Step) -> str:
    colour = layout.COLOUR_NAMES[step.at].capitalize()
    if position[layout.SEAT] != layout.CHANCE:
        return f"Choose {colour}: {PLAYER_POWERS[colour].removesuffix('.')}"
    seat = sum(bool(position[layout.PLAYER_COLOUR + seat]) for seat in range(layout.MAX_SEATS))
    return f"{INFO.seat_names[seat]} gets the power of {colour}"


_SENTENCES: Final[Mapping[StepKind, Callable[[Position, Step], str]]] = {
    StepKind.MAGE: lambda position, step: (
        f"Activate Mage {step.at + 1} in {place_name(position, own_mage(position, step.at))}"
    ),
    StepKind.TO: _go,
    StepKind.SUMMON: lambda position, step: translate("Summon a Realm {where}", where=where_is(position, step.at)),
    StepKind.DRAW: lambda _, step: f"Draw the top tile of the {SUPPLIES[step.at]}",
    StepKind.TAKE: lambda _, step: f"Take {layout.KIND_NAMES[step.at]} from the Reserve",
    StepKind.CONTROL: _control,
    StepKind.DISPLACE: _displace,
    StepKind.TRANSFER: _transfer,
    StepKind.TRANSFER_MAGE: _transfer,
    StepKind.END: lambda _, __: "End the activation",
    StepKind.USE: _use,
    StepKind.MAKE: _make,
    StepKind.SHIFT: lambda position, step: _use_on(position, step, "move"),
    StepKind.PUT: lambda position, step: translate(
        "Put {tile} {where}",
        tile=picked_name(position),
        where=where_is(position, step.at, position.item(layout.PICKED)),
    ),
    StepKind.SWAP: lambda position, step: _use_on(position, step, "swap"),
    StepKind.WITH: lambda position, step: f"Swap {picked_name(position)} with {kind_on(position, step.at)}",
    StepKind.COLLECT: _collect,
    StepKind.PROTECT: _protect,
    StepKind.PUSH: lambda position, step: f"Push {mage_name(step.at)} to {target_name(position, step.to)}",
    StepKind.PUSH_MAGE: lambda _, step: f"Push {mage_name(step.at)}",
    StepKind.NEXT: lambda position, _: f"Push no more Mages of {INFO.seat_names[position[layout.DISPLACE_OWNER]]}",
    StepKind.REACT: lambda _, step: f"React with {layout.KIND_NAMES[step.at]}",
    StepKind.SKIP: _skip,
    StepKind.REVEAL: _reveal,
    StepKind.COLOUR: _colour,
    StepKind.FIRST: lambda _, step: f"{INFO.seat_names[step.at]} begins",
}


# ---- news: what a player has done and what came of it, without the steps that lead to nothing yet

LEFT_OUT: Final = (StepKind.MAGE, StepKind.SUMMON, StepKind.DRAW)  # the news of the next step says it


def report_step(before: Position, seat: Seat, step: Step, after: Position) -> str:
    """Return what a step did, as a sentence without a full stop; empty if it is no news."""
    if seat == CHANCE:
        return _report_chance(before, step, after)
    if step.kind in LEFT_OUT:
        return ""
    effects = describe_effects(before, step, after)
    if step.kind == StepKind.PUT or (step.kind == StepKind.END and before[layout.MOVED]):
        return effects.removeprefix("; ")  # the player's earlier steps say the rest
    action = describe_step(before, step, after).removesuffix(effects)
    if step.kind == StepKind.TAKE:
        action = f"Summon {layout.KIND_NAMES[step.at]} from the Reserve"
    return f"{INFO.seat_names[seat]} {conjugate(action)}{effects.replace(' and gain ', ' and gains ', 1)}"


def conjugate(action: str) -> str:
    """Return an imperative as what someone else does.

    >>> conjugate("Push no more Mages of Azure"), conjugate("Take Control of Channel")
    ('pushes no more Mages of Azure', 'takes Control of Channel')
    """
    verb, _, rest = action.partition(" ")
    return f"{verb.lower()}{'es' if verb.endswith('sh') else 's'} {rest}"


def _report_chance(before: Position, step: Step, after: Position) -> str:
    """Return what was drawn. Tiles that fill the Reserve are no news, but what follows is, such as a gain."""
    if step.kind != StepKind.REVEAL:
        return describe_step(before, step, after)
    effects = describe_effects(before, step, after)
    if before[layout.PHASE] != layout.IN_DRAW:
        return effects.removeprefix("; ")
    name = INFO.seat_names[before.item(layout.ACTIVE_SEAT)]
    effects = effects.replace(f"; {name} gains ", " and gains ", 1)
    supply = SUPPLIES[layout.IS_VICTORY[step.at]]
    return f"{name} summons {layout.KIND_NAMES[step.at]} from the {supply}{effects}"


# ---- handles

LABELS: Final = {
    "portal": "The Portal",
    "supply:realm": "Top of the Realm Supply",
    "supply:victory": "Top of the Victory Supply",
    "control": "Take Control",
    "control:save:white": "Take Control, save 1 White",
    "control:save:black": "Take Control, save 1 Black",
    "displace": "Push Mages",
    "transfer": "Continue with another Mage",
    "end": "End the activation",
    "use": "Use the power",
    "collect:white": "Take 1 White",
    "collect:black": "Take 1 Black",
    "protect": "Pay for Protection",
    "next": "Push no more of them",
    "skip": "Skip",
}


def label(handle: str) -> str:
    """Return the button text for a handle; return unknown texts unchanged."""
    if handle in LABELS:
        return LABELS[handle]
    place, _, rest = handle.partition(":")
    if place == "mage" and rest[:1] in "123456" and rest[1:2] == ".":
        return f"{INFO.seat_names[int(rest[0]) - 1]}'s Mage {rest[2:]}"
    if place == "make":
        amount, _, colour = rest.partition(":")
        return f"Make {colour.capitalize()}/Make {amount} {colour.capitalize()}"
    return _LABELS[place].format(rest) if rest and place in _LABELS else handle


def describes_button(handle: str) -> bool:
    """Whether the button of a handle says what its step does and costs, instead of its label."""
    return handle.partition(":")[0] in TELLING


TELLING: Final = ("colour", "control", "displace", "use", "make", "collect", "protect", "skip", "next")

_LABELS: Final = {
    "hex": "Hex {}",
    "reserve": "Reserve/{}",
    "react": "React with {}",
    "reveal": "Turn up {}",
    "colour": "The colour {}",
    "first": "Seat {} begins",
}


def fold_label(position: Position, step: Step) -> str:
    """Return the line that a chance step of the set-up shares with its neighbours; empty for later ones."""
    if position[layout.TURN] != 0:
        return ""
    return "The Reserves are turned up" if step.kind == StepKind.REVEAL else _SENTENCES[step.kind](position, step)
