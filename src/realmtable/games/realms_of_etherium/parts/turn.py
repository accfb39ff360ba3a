"""The parts of an activation, and the choices of its player as cards, from a view with its position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import Seat, View
from realmtable.engine.table_parts import ChoiceCard, TurnStep
from realmtable.games.realms_of_etherium import state as states
from realmtable.games.realms_of_etherium.counting import explain_points
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import can_be_controlled
from realmtable.games.realms_of_etherium.kernels.powers import tribute_price
from realmtable.games.realms_of_etherium.kernels.prices import (
    conversion_price,
    find_helper,
    find_unused,
    has_control_discount,
    use_price,
)
from realmtable.games.realms_of_etherium.kernels.world import fact
from realmtable.games.realms_of_etherium.parts.amounts import missing_words, price_words
from realmtable.games.realms_of_etherium.state import State
from realmtable.games.realms_of_etherium.steps import Step, StepKind, code_of
from realmtable.games.realms_of_etherium.text.clicks import handles
from realmtable.games.realms_of_etherium.text.describe import (
    active_kind,
    control_cost,
    entered_kind,
    picked_name,
    place_name,
)
from realmtable.games.realms_of_etherium.text.refusals import find_reason
from realmtable.games.realms_of_etherium.tiles.manifest import ETHERIUM, Cost
from realmtable.games.realms_of_etherium.wording import acting_seat, mage_name
from realmtable.kit.rules import Position

Steps = Mapping[StepKind, Sequence[Step]]  # the legal ones, by their kind


class _Choice:
    """The position of a view in which its viewer may act, and the legal steps."""

    def __init__(self, view: View, state: State) -> None:
        self.view, self.state, self.position = view, state, state.position
        self.seat: Seat = state.position.item(layout.SEAT)
        self.steps: dict[StepKind, list[Step]] = {}
        for step in states.legal_moves(state, self.seat):
            self.steps.setdefault(step.kind, []).append(step)

    def of(self, *kinds: StepKind) -> list[Step]:
        return [step for kind in kinds for step in self.steps.get(kind, ())]

    def handles_of(self, *kinds: StepKind) -> tuple[str, ...]:
        return tuple(dict.fromkeys(handles(self.view, step)[0] for step in self.of(*kinds)))

    def amount(self) -> Cost:
        """Return the Etherium of the acting seat."""
        return Cost(self.position.item(layout.WHITE + self.seat), self.position.item(layout.BLACK + self.seat))


def _read_choice(view: View) -> _Choice | None:
    """Return what the viewer chooses from; None if they do not act, or the view is not that of a table."""
    seat = acting_seat(view)
    if seat is None or view["viewer"] != seat or "position" not in view:
        return None
    return _Choice(view, _decode(view["position"]))


@lru_cache(maxsize=64)
def _decode(text: str) -> State:
    return states.decode(text)


# ---- the parts of an activation


def turn_steps(view: View) -> list[TurnStep]:
    """Return Mage, Move, Control and End with what was chosen or is left; nothing out of turn."""
    choice = _read_choice(view)
    if choice is None or choice.seat != view["turn"]["seat"] or view["phase"] == "colours":
        return []
    if view["phase"] == "mage":
        return [
            TurnStep(translate("Mage"), translate("choose one"), "now", "mage"),
            TurnStep(translate("Move"), "", "later", "move"),
            TurnStep(translate("Control"), "", "later", "flag"),
            TurnStep(translate("End"), _say_mages_left(view, choice.seat), "later", "end"),
        ]
    place = place_name(choice.position, choice.position.item(layout.ACTIVE_MAGE))
    return [
        TurnStep(translate("Mage"), translate("in {place}", place=place), "done", "mage"),
        _describe_moving(choice),
        _describe_control(choice),
        _describe_end(choice),
    ]


def _describe_moving(choice: _Choice) -> TurnStep:
    title, moves = translate("Move"), choice.view["moves_left"]
    if choice.view["phase"] == "source":
        return TurnStep(title, translate("choose a tile"), "now", "move")
    if choice.view["entering"]:
        tile = layout.KIND_NAMES[entered_kind(choice.position)]
        return TurnStep(title, translate("use {tile}", tile=tile), "now", "move")
    if choice.of(StepKind.TO, StepKind.SUMMON):
        return TurnStep(title, translate_count("{count} left", "{count} left", moves), "now", "move")
    if moves:
        return TurnStep(title, translate("no way to go"), "lost", "move")
    return TurnStep(title, translate("done"), "done", "move")


def _describe_control(choice: _Choice) -> TurnStep:
    title = translate("Control")
    if choice.of(StepKind.CONTROL):
        return TurnStep(title, translate("can pay"), "now", "flag")
    tile = _active_tile(choice.position)
    if tile is not None and choice.position[layout.TILE_OWNER + tile] == choice.seat + 1:
        return TurnStep(title, translate("yours"), "done", "flag")
    can_move = choice.view["phase"] != "act" or bool(choice.of(StepKind.TO, StepKind.SUMMON))
    note = (_say_what_control_lacks(choice) or translate("can pay")) if _can_control(choice) else translate("not here")
    return TurnStep(title, note, "later" if can_move else "lost", "flag")


def _describe_end(choice: _Choice) -> TurnStep:
    is_all = choice.view["phase"] == "act" and set(choice.steps) == {StepKind.END}
    return TurnStep(translate("End"), _say_mages_left(choice.view, choice.seat), "now" if is_all else "later", "end")


def _say_mages_left(view: View, seat: Seat) -> str:
    """Return how many Mages a player can activate after this one."""
    own = [mage for mage in view["mages"] if mage["seat"] == seat and not mage["exhausted"]]
    left = sum(mage["mage"] != view["active_mage"] for mage in own) - (view["phase"] == "mage")
    if left <= 0:
        return translate("your last Mage")
    return translate_count("{count} Mage left", "{count} Mages left", left)


def _active_tile(position: Position) -> int | None:
    """Return the tile that the active Mage is in; None for the Portals."""
    place = position.item(layout.MAGE_PLACE + position.item(layout.ACTIVE_MAGE))
    return None if place == layout.PORTALS else place


# ---- choices


def choice_cards(view: View) -> list[ChoiceCard]:
    """Return what the viewer can do, and what they cannot do now with the reason."""
    choice = _read_choice(view)
    return [] if choice is None else [card for card in _CARDS[view["phase"]](choice) if card is not None]


Cards = Sequence[ChoiceCard | None]


def _say_number_of_places(count: int) -> str:
    return translate_count("{count} glows", "{count} glow", count)


def _list_mages(choice: _Choice) -> Cards:
    cards = []
    for step in choice.of(StepKind.MAGE):
        mage = choice.seat * layout.MAX_MAGES + step.at
        title = translate("Activate the Mage in {place}", place=place_name(choice.position, mage))
        cards.append(ChoiceCard(title, handles(choice.view, step), icon="mage"))
    return cards


def _list_actions(choice: _Choice) -> Cards:
    ways = choice.handles_of(StepKind.TO)
    places = choice.handles_of(StepKind.SUMMON)
    return [
        *_list_controls(choice),
        ChoiceCard(
            translate("Move"),
            ways,
            note=_say_number_of_places(len(ways)) if ways else "",
            icon="move",
            off="" if ways else _say_why_no_move(choice, translate("no Realm is next to it")),
        ),
        ChoiceCard(
            translate("Summon"),
            places,
            note=_say_number_of_places(len(places)) if places else "",
            icon="summon",
            off="" if places else _say_why_no_move(choice, translate("no free hex beside it touches two Realms")),
        ),
        _offer_power(choice, StepKind.DISPLACE, layout.PUSH, translate("Push Mages out")),
        _offer_power(choice, StepKind.TRANSFER, layout.TRANSFER, translate("Continue with another Mage")),
        ChoiceCard(translate("End"), ("end",), note=_say_mages_left(choice.view, choice.seat), icon="end"),
    ]


def _say_why_no_move(choice: _Choice, otherwise: str) -> str:
    return otherwise if choice.view["moves_left"] else translate("no move left")


def _list_controls(choice: _Choice) -> list[ChoiceCard]:
    """Return a card for each way to take Control, or one with the reason why not."""
    tile = _active_tile(choice.position)
    if tile is None:
        return []
    kind = choice.position.item(layout.TILE_KIND + tile)
    title = translate("Take Control of {tile}", tile=layout.KIND_NAMES[kind])
    steps = choice.of(StepKind.CONTROL)
    if steps:
        return [_offer_control(choice, step, tile, title) for step in steps]
    has_price = fact(choice.position, kind, layout.CONTROL_WHITE) != layout.NO_PRICE
    if not has_price or choice.position[layout.TILE_OWNER + tile] == choice.seat + 1:
        return []
    why = _say_what_control_lacks(choice) or find_reason(choice.position, Step(StepKind.CONTROL, 0))[1].rstrip(".")
    return [ChoiceCard(title, icon="flag", off=why)]


def _can_control(choice: _Choice) -> bool:
    """Whether the active player may take Control of the active Mage's Realm, apart from the price."""
    tile = _active_tile(choice.position)
    is_own = choice.position[layout.ACTIVE_MAGE] // layout.MAX_MAGES == choice.seat  # V19
    return tile is not None and is_own and can_be_controlled(choice.position, tile)


def _say_what_control_lacks(choice: _Choice) -> str:
    """Return what is missing for Control of the active Mage's Realm, by the cheapest way; empty if nothing is."""
    if not _can_control(choice):
        return ""
    has_discount = has_control_discount(choice.position, choice.seat, active_kind(choice.position))
    ways = [control_cost(choice.position, Step(StepKind.CONTROL, way)) for way in range(3 if has_discount else 1)]
    has = choice.amount()
    cheapest = min(ways, key=lambda cost: max(0, cost.white - has.white) + max(0, cost.black - has.black))
    return missing_words(cheapest, has)


def _offer_control(choice: _Choice, step: Step, tile: int, title: str) -> ChoiceCard:
    after = choice.state.after(code_of(step)).position
    points = after.item(layout.POINTS + choice.seat)
    more = points - choice.position.item(layout.POINTS + choice.seat)
    if more > 0:
        notes = [
            _explain_worth(choice, step, tile),
            translate("you reach {points} of {goal}", points=points, goal=choice.view["goal"]),
        ]
        starts_last = after[layout.TRIGGERED] > choice.position[layout.TRIGGERED]
        notes += [translate("the last Round begins")] * bool(starts_last)
    else:
        notes = [translate("it stays in the world, and Realms break ties")]
    return ChoiceCard(
        title,
        handles(choice.view, step),
        note=" · ".join(filter(None, notes)),
        icon="flag",
        cost=price_words(control_cost(choice.position, step)),
        gain=translate_count("{count:+} star", "{count:+} stars", more) if more else "",
        is_main=more > 0,
    )


def _explain_worth(choice: _Choice, step: Step, tile: int) -> str:
    """Return what a Victory Realm would have its points for."""
    if not layout.IS_VICTORY[choice.position[layout.TILE_KIND + tile]]:
        return ""
    view = states.view(choice.state.after(code_of(step)), choice.seat)
    at = next(mage["at"] for mage in choice.view["mages"] if mage["mage"] == choice.view["active_mage"])
    return explain_points(view, next(realm for realm in view["realms"] if realm["at"] == at))


def _offer_power(choice: _Choice, kind: StepKind, verb: int, title: str) -> ChoiceCard | None:
    """Return the card of a persistent power for which a tile is available."""
    tile = find_unused(choice.position, choice.seat, verb)
    if tile == layout.NONE:
        return None
    icon = layout.VERB_NAMES[verb]
    cost = _use_cost(choice, choice.position.item(layout.TILE_KIND + tile))
    starts = choice.handles_of(kind, *((StepKind.TRANSFER_MAGE,) if kind == StepKind.TRANSFER else ()))
    if starts:
        return ChoiceCard(title, starts, icon=icon, cost=price_words(cost))
    why = find_reason(choice.position, Step(kind, *((0,) if kind == StepKind.TRANSFER else ())))[1].rstrip(".")
    return ChoiceCard(title, icon=icon, off=missing_words(cost, choice.amount()) or why)


def _use_cost(choice: _Choice, kind: int) -> Cost:
    white, black, _ = use_price(choice.position, choice.seat, kind)
    return Cost(white, black)


def _list_sources(choice: _Choice) -> Cards:
    tiles = choice.handles_of(StepKind.TAKE)
    supplies = {step.at: step for step in choice.of(StepKind.DRAW)}
    names = (translate("Draw from the Realm Supply"), translate("Draw from the Victory Supply"))
    left = [0, 0]
    for kind, number in enumerate(choice.position[layout.SUPPLY : layout.SUPPLY + layout.KIND_COUNT].tolist()):
        left[bool(layout.IS_VICTORY[kind])] += number
    return [
        ChoiceCard(
            translate("Take a tile of the Reserve"),
            tiles,
            note=translate_count("{count} is open", "{count} are open", len(tiles)) if tiles else "",
            icon="take",
            off="" if tiles else translate("both Reserves are empty"),
        ),
        *(
            ChoiceCard(
                name,
                handles(choice.view, supplies[source]) if source in supplies else (),
                note=translate_count("{count} tile left", "{count} tiles left", left[source]) if left[source] else "",
                icon="summon",
                off="" if source in supplies else translate("this Supply is empty"),
            )
            for source, name in enumerate(names)
        ),
    ]


def _list_entries(choice: _Choice) -> Cards:
    """Return how the power of the Realm that was entered can be used, and that it need not be."""
    kind = entered_kind(choice.position)
    places = choice.handles_of(StepKind.SHIFT, StepKind.SWAP)
    verb = layout.VERB_NAMES[layout.VERB_OF[kind]]
    titles = {
        "conjure": translate("Get a new Mage"),
        "exhaust": translate("Exhaust opponents' Mages nearby"),
        "shift": translate("Move a Realm"),
        "swap": translate("Swap two Realms"),
    }
    starts = places or choice.handles_of(StepKind.USE)
    note = _say_number_of_places(len(places)) if places else ""
    cost = price_words(_use_cost(choice, kind))
    use = [ChoiceCard(titles[verb], starts, note=note, icon=verb, cost=cost)] if verb in titles and starts else []
    return [*use, *(_offer_conversion(choice, step, kind) for step in choice.of(StepKind.MAKE)), _offer_to_skip(choice)]


def _offer_conversion(choice: _Choice, step: Step, kind: int) -> ChoiceCard:
    if ETHERIUM[step.at] == "black":
        white, _ = conversion_price(choice.position, choice.seat, kind, step.to)
        made, paid = Cost(0, step.to), Cost(white, 0)
    else:
        made, paid = Cost(step.to, 0), Cost(0, step.to // fact(choice.position, kind, layout.USE_WHITE))
    title = translate("Make {amount}", amount=price_words(made))
    return ChoiceCard(title, handles(choice.view, step), icon="convert", cost=price_words(paid))


def _offer_to_skip(choice: _Choice) -> ChoiceCard:
    tile = layout.KIND_NAMES[entered_kind(choice.position)]
    return ChoiceCard(translate("Leave {tile} unused", tile=tile), ("skip",), icon="skip")


def _list_targets(choice: _Choice) -> Cards:
    places = choice.handles_of(StepKind.PUT, StepKind.WITH)
    tile = picked_name(choice.position)
    is_swap = bool(choice.of(StepKind.WITH))
    title = translate("Swap {tile} with another Realm", tile=tile) if is_swap else translate("Move {tile}", tile=tile)
    icon = "swap" if is_swap else "shift"
    return [ChoiceCard(title, places, note=_say_number_of_places(len(places)), icon=icon)]


def _list_tributes(choice: _Choice) -> Cards:
    mage = mage_name(choice.position.item(layout.ASKED))
    cards = [
        ChoiceCard(
            translate("Take 1 {colour} from {mage}", colour=ETHERIUM[step.at].capitalize(), mage=mage),
            handles(choice.view, step),
            icon=ETHERIUM[step.at],
            cost=price_words(Cost(tribute_price(choice.position, choice.seat), 0))
            if ETHERIUM[step.at] == "black"
            else "",
        )
        for step in choice.of(StepKind.COLLECT)
    ]
    return [*cards, ChoiceCard(translate("Take nothing from {mage}", mage=mage), ("skip",), icon="skip")]


def _list_protections(choice: _Choice) -> Cards:
    mage = mage_name(choice.position.item(layout.ASKED), choice.seat)
    tile = find_helper(choice.position, choice.seat, layout.PROTECT)
    cost = price_words(_use_cost(choice, choice.position.item(layout.TILE_KIND + tile)))
    return [
        ChoiceCard(translate("Protect {mage}", mage=mage), ("protect",), icon="protect", cost=cost),
        ChoiceCard(translate("Decline Protection"), ("skip",), icon="skip"),
    ]


def _list_pushes(choice: _Choice) -> Cards:
    mages = choice.handles_of(StepKind.PUSH, StepKind.PUSH_MAGE)
    note = _say_number_of_places(len(mages))
    push = ChoiceCard(translate("Push a Mage"), mages, note=note, icon="push") if mages else None
    return [push, ChoiceCard(translate("Push no more of them"), ("next",), icon="end")]


def _list_refuges(choice: _Choice) -> Cards:
    places = choice.handles_of(StepKind.TO)
    mage = mage_name(choice.position.item(layout.ASKED), choice.seat)
    note = _say_number_of_places(len(places))
    return [ChoiceCard(translate("Send {mage} away", mage=mage), places, note=note, icon="move")]


_CARDS: Final[Mapping[str, Callable[[_Choice], Cards]]] = {
    "mage": _list_mages,
    "act": _list_actions,
    "source": _list_sources,
    "enter": _list_entries,
    "put": _list_targets,
    "with": _list_targets,
    "tribute": _list_tributes,
    "protect": _list_protections,
    "push": _list_pushes,
    "target": _list_refuges,
    "react": lambda _: (),  # buttons say all there is to say
    "colours": lambda _: (),
}
