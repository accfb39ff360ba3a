"""The choices of a player as cards: what each costs and brings, and why others are impossible now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import View
from realmtable.engine.table_parts import ChoiceCard
from realmtable.games.realms_of_etherium import state as states
from realmtable.games.realms_of_etherium.counting import explain_points
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.powers import tribute_price
from realmtable.games.realms_of_etherium.kernels.prices import (
    conversion_price,
    find_helper,
    find_unused,
    use_price,
)
from realmtable.games.realms_of_etherium.kernels.world import fact
from realmtable.games.realms_of_etherium.parts.amounts import missing_words, price_words
from realmtable.games.realms_of_etherium.parts.choice import (
    Choice,
    active_tile,
    read_choice,
    say_mages_left,
    say_what_control_lacks,
)
from realmtable.games.realms_of_etherium.steps import Step, StepKind, code_of
from realmtable.games.realms_of_etherium.text.clicks import handles
from realmtable.games.realms_of_etherium.text.describe import (
    control_cost,
    entered_kind,
    picked_name,
    place_name,
)
from realmtable.games.realms_of_etherium.text.refusals import find_reason
from realmtable.games.realms_of_etherium.tiles.manifest import ETHERIUM, Cost
from realmtable.games.realms_of_etherium.wording import mage_name


def choice_cards(view: View) -> list[ChoiceCard]:
    """Return what the viewer can do, and what they cannot do now with the reason."""
    choice = read_choice(view)
    return [] if choice is None else [card for card in _CARDS[view["phase"]](choice) if card is not None]


Cards = Sequence[ChoiceCard | None]


def _say_number_of_places(count: int) -> str:
    return translate_count("{count} glows", "{count} glow", count)


def _list_mages(choice: Choice) -> Cards:
    cards = []
    for step in choice.list_steps(StepKind.MAGE):
        mage = choice.seat * layout.MAX_MAGES + step.at
        title = translate("Activate the Mage in {place}", place=place_name(choice.position, mage))
        cards.append(ChoiceCard(title, handles(choice.view, step), icon="mage"))
    return cards


def _list_actions(choice: Choice) -> Cards:
    ways = choice.list_handles(StepKind.TO)
    places = choice.list_handles(StepKind.SUMMON)
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
        ChoiceCard(translate("End"), ("end",), note=say_mages_left(choice.view, choice.seat), icon="end"),
    ]


def _say_why_no_move(choice: Choice, otherwise: str) -> str:
    return otherwise if choice.view["moves_left"] else translate("no move left")


def _list_controls(choice: Choice) -> list[ChoiceCard]:
    """Return a card for each way to take Control, or one with the reason why not."""
    tile = active_tile(choice.position)
    if tile is None:
        return []
    kind = choice.position.item(layout.TILE_KIND + tile)
    title = translate("Take Control of {tile}", tile=layout.KIND_NAMES[kind])
    steps = choice.list_steps(StepKind.CONTROL)
    if steps:
        return [_offer_control(choice, step, tile, title) for step in steps]
    has_price = fact(choice.position, kind, layout.CONTROL_WHITE) != layout.NO_PRICE
    if not has_price or choice.position[layout.TILE_OWNER + tile] == choice.seat + 1:
        return []
    why = say_what_control_lacks(choice) or find_reason(choice.position, Step(StepKind.CONTROL, 0))[1].rstrip(".")
    return [ChoiceCard(title, icon="flag", off=why)]


def _offer_control(choice: Choice, step: Step, tile: int, title: str) -> ChoiceCard:
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


def _explain_worth(choice: Choice, step: Step, tile: int) -> str:
    """Return what a Victory Realm would have its points for."""
    if not layout.IS_VICTORY[choice.position[layout.TILE_KIND + tile]]:
        return ""
    view = states.view(choice.state.after(code_of(step)), choice.seat)
    at = next(mage["at"] for mage in choice.view["mages"] if mage["mage"] == choice.view["active_mage"])
    return explain_points(view, next(realm for realm in view["realms"] if realm["at"] == at))


def _offer_power(choice: Choice, kind: StepKind, verb: int, title: str) -> ChoiceCard | None:
    """Return the card of a persistent power for which a tile is available."""
    tile = find_unused(choice.position, choice.seat, verb)
    if tile == layout.NONE:
        return None
    icon = layout.VERB_NAMES[verb]
    cost = _use_cost(choice, choice.position.item(layout.TILE_KIND + tile))
    starts = choice.list_handles(kind, *((StepKind.TRANSFER_MAGE,) if kind == StepKind.TRANSFER else ()))
    if starts:
        return ChoiceCard(title, starts, icon=icon, cost=price_words(cost))
    why = find_reason(choice.position, Step(kind, *((0,) if kind == StepKind.TRANSFER else ())))[1].rstrip(".")
    return ChoiceCard(title, icon=icon, off=missing_words(cost, choice.amount()) or why)


def _use_cost(choice: Choice, kind: int) -> Cost:
    white, black, _ = use_price(choice.position, choice.seat, kind)
    return Cost(white, black)


def _list_sources(choice: Choice) -> Cards:
    tiles = choice.list_handles(StepKind.TAKE)
    supplies = {step.at: step for step in choice.list_steps(StepKind.DRAW)}
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


def _list_entries(choice: Choice) -> Cards:
    """Return how the power of the Realm that was entered can be used, and that it need not be."""
    kind = entered_kind(choice.position)
    places = choice.list_handles(StepKind.SHIFT, StepKind.SWAP)
    verb = layout.VERB_NAMES[layout.VERB_OF[kind]]
    titles = {
        "conjure": translate("Get a new Mage"),
        "exhaust": translate("Exhaust opponents' Mages nearby"),
        "shift": translate("Move a Realm"),
        "swap": translate("Swap two Realms"),
    }
    starts = places or choice.list_handles(StepKind.USE)
    note = _say_number_of_places(len(places)) if places else ""
    cost = price_words(_use_cost(choice, kind))
    use = [ChoiceCard(titles[verb], starts, note=note, icon=verb, cost=cost)] if verb in titles and starts else []
    return [
        *use,
        *(_offer_conversion(choice, step, kind) for step in choice.list_steps(StepKind.MAKE)),
        _offer_to_skip(choice),
    ]


def _offer_conversion(choice: Choice, step: Step, kind: int) -> ChoiceCard:
    if ETHERIUM[step.at] == "black":
        white, _ = conversion_price(choice.position, choice.seat, kind, step.to)
        made, paid = Cost(0, step.to), Cost(white, 0)
    else:
        made, paid = Cost(step.to, 0), Cost(0, step.to // fact(choice.position, kind, layout.USE_WHITE))
    title = translate("Make {amount}", amount=price_words(made))
    return ChoiceCard(title, handles(choice.view, step), icon="convert", cost=price_words(paid))


def _offer_to_skip(choice: Choice) -> ChoiceCard:
    tile = layout.KIND_NAMES[entered_kind(choice.position)]
    return ChoiceCard(translate("Leave {tile} unused", tile=tile), ("skip",), icon="skip")


def _list_targets(choice: Choice) -> Cards:
    places = choice.list_handles(StepKind.PUT, StepKind.WITH)
    tile = picked_name(choice.position)
    is_swap = bool(choice.list_steps(StepKind.WITH))
    title = translate("Swap {tile} with another Realm", tile=tile) if is_swap else translate("Move {tile}", tile=tile)
    icon = "swap" if is_swap else "shift"
    return [ChoiceCard(title, places, note=_say_number_of_places(len(places)), icon=icon)]


def _list_tributes(choice: Choice) -> Cards:
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
        for step in choice.list_steps(StepKind.COLLECT)
    ]
    return [*cards, ChoiceCard(translate("Take nothing from {mage}", mage=mage), ("skip",), icon="skip")]


def _list_protections(choice: Choice) -> Cards:
    mage = mage_name(choice.position.item(layout.ASKED), choice.seat)
    tile = find_helper(choice.position, choice.seat, layout.PROTECT)
    cost = price_words(_use_cost(choice, choice.position.item(layout.TILE_KIND + tile)))
    return [
        ChoiceCard(translate("Protect {mage}", mage=mage), ("protect",), icon="protect", cost=cost),
        ChoiceCard(translate("Decline Protection"), ("skip",), icon="skip"),
    ]


def _list_pushes(choice: Choice) -> Cards:
    mages = choice.list_handles(StepKind.PUSH, StepKind.PUSH_MAGE)
    note = _say_number_of_places(len(mages))
    push = ChoiceCard(translate("Push a Mage"), mages, note=note, icon="push") if mages else None
    return [push, ChoiceCard(translate("Push no more of them"), ("next",), icon="end")]


def _list_refuges(choice: Choice) -> Cards:
    places = choice.list_handles(StepKind.TO)
    mage = mage_name(choice.position.item(layout.ASKED), choice.seat)
    note = _say_number_of_places(len(places))
    return [ChoiceCard(translate("Send {mage} away", mage=mage), places, note=note, icon="move")]


_CARDS: Final[Mapping[str, Callable[[Choice], Cards]]] = {
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
