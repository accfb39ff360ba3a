"""Steps as cards: what happened, what it means, and whom it concerns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import CHANCE, Seat, View
from realmtable.engine.table_parts import NewsCard
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium import state as states
from realmtable.games.realms_of_etherium.counting import explain_points
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.layout import Kind, TileNumber
from realmtable.games.realms_of_etherium.notation.position_writer import hex_of, tiles_in_play
from realmtable.games.realms_of_etherium.parts.amounts import price_words
from realmtable.games.realms_of_etherium.picture.style import STYLE_NAME, hexagon
from realmtable.games.realms_of_etherium.picture.tile import SMALL_RADIUS, draw_small_tile
from realmtable.games.realms_of_etherium.state import State
from realmtable.games.realms_of_etherium.steps import Step, StepKind, code_of
from realmtable.games.realms_of_etherium.text.describe import control_cost, kind_on, picked_name, place_name
from realmtable.games.realms_of_etherium.tiles.manifest import ETHERIUM, Cost
from realmtable.games.realms_of_etherium.tiles.tile_facts import tile_of, type_of
from realmtable.games.realms_of_etherium.wording import format_etherium, mage_name
from realmtable.kit.svg import SVG_NAMESPACE, element

_BOX = SMALL_RADIUS + 5
NEW_REALM, GAIN, ROUND, MOVED, HARM, CONTROL, LAST_ROUND = range(1, 8)  # by weight


class _Step(NamedTuple):
    """A step with the positions before and after it."""

    before: State
    after: State
    step: Step
    actor: Seat  # who acts; where chance does, whose turn it is

    @property
    def name(self) -> str:
        return str(INFO.seat_names[self.actor])

    def view(self) -> View:
        return states.view(self.after, None)


def news_card(state: State, seat: Seat, step: Step) -> NewsCard | None:
    """Return the card of the most important thing that a step does; None if it only leads to something."""
    if state.position[layout.TURN] == 0:
        return None
    actor = state.position.item(layout.ACTIVE_SEAT) if seat == CHANCE else seat
    played = _Step(state, state.after(code_of(step)), step, actor)
    return max(_list_cards(played), key=lambda card: card.weight, default=None)


def _list_cards(played: _Step) -> Iterator[NewsCard]:
    yield from _report_last_round(played)
    yield from _report_control(played)
    yield from _report_harm(played)
    yield from _report_rearranging(played)
    yield from _report_round(played)
    yield from _report_gains(played)
    yield from _report_new_realm(played)


# ---- the end and the Rounds


def _report_last_round(played: _Step) -> Iterator[NewsCard]:
    before, after = played.before.position, played.after.position
    if after[layout.TRIGGERED] == before[layout.TRIGGERED] or after[layout.PHASE] == layout.OVER:
        return
    best = max(range(after[layout.SEATS]), key=lambda seat: after.item(layout.POINTS + seat))
    title = translate("{player} has {stars} stars", player=INFO.seat_names[best], stars=after[layout.POINTS + best])
    text = translate("This is the last Round. The most stars win.")
    seats = tuple(range(after[layout.SEATS]))
    yield NewsCard(title, text, icon="star", handles=_handles_of(played), concerns=seats, weight=LAST_ROUND)


def _report_round(played: _Step) -> Iterator[NewsCard]:
    before, after = played.before.position, played.after.position
    if after[layout.ROUND] == before[layout.ROUND] or after[layout.PHASE] == layout.OVER:
        return
    title = translate("Round {number} begins", number=after[layout.ROUND])
    text = translate("All Mages stand up. {player} is first.", player=INFO.seat_names[after[layout.ACTIVE_SEAT]])
    yield NewsCard(title, text, icon="round", weight=ROUND)


# ---- Realms


def _report_control(played: _Step) -> Iterator[NewsCard]:
    if played.step.kind != StepKind.CONTROL:
        return
    before = played.before.position
    tile = before.item(layout.MAGE_PLACE + before[layout.ACTIVE_MAGE])
    realm = _realm_of(played, tile)
    title = translate("{player} took Control of {tile}", player=played.name, tile=realm["kind"])
    price = format_etherium(*control_cost(before, played.step))
    if realm["points"] is None:
        text = translate("For {price}", price=price)
    else:
        text = translate_count(
            "For {price}; worth {count} star now: {reason}",
            "For {price}; worth {count} stars now: {reason}",
            realm["points"],
            price=price,
            reason=explain_points(played.view(), realm),
        )
    others = tuple(seat for seat in range(before[layout.SEATS]) if seat != played.actor)
    yield NewsCard(
        title,
        text,
        svg=_draw_realm(played, tile),
        handles=_handles_of_tile(played, tile),
        concerns=others,
        weight=CONTROL,
    )


def _report_new_realm(played: _Step) -> Iterator[NewsCard]:
    """Say which Realm was summoned; the gain of entering it is said with it."""
    before = played.before.position
    is_drawn = played.step.kind == StepKind.REVEAL and before[layout.PHASE] == layout.IN_DRAW
    if played.step.kind != StepKind.TAKE and not is_drawn:
        return
    tile = _find_tile_on(played, before.item(layout.DECLARED_HEX))
    if tile is None:
        return
    name = layout.KIND_NAMES[played.step.at]
    title = translate("{player} summoned {tile}", player=played.name, tile=name)
    text = tile_of(played.view(), name).sentence()
    icon = type_of(tile_of(played.view(), name))
    yield NewsCard(title, text, icon=icon, handles=_handles_of_tile(played, tile), weight=NEW_REALM)


def _report_rearranging(played: _Step) -> Iterator[NewsCard]:
    """Say which Realms were Shifted or Swapped, and whose stars that changes."""
    if played.step.kind not in (StepKind.PUT, StepKind.WITH):
        return
    before = played.before.position
    tile = picked_name(before)
    if played.step.kind == StepKind.PUT:
        title = translate("{player} moved {tile}", player=played.name, tile=tile)
    else:
        other = kind_on(before, played.step.at)
        title = translate("{player} swapped {tile} with {other}", player=played.name, tile=tile, other=other)
    changed = [
        seat
        for seat in range(before[layout.SEATS])
        if played.after.position[layout.POINTS + seat] != before[layout.POINTS + seat]
    ]
    stars = [
        translate(
            "{player} has {stars} stars now.",
            player=INFO.seat_names[seat],
            stars=played.after.position[layout.POINTS + seat],
        )
        for seat in changed
    ]
    hurt = tuple(seat for seat in changed if seat != played.actor)
    icon = "shift" if played.step.kind == StepKind.PUT else "swap"
    picked = before.item(layout.PICKED)
    weight = HARM if hurt else MOVED
    yield NewsCard(
        title, " ".join(stars), icon=icon, handles=_handles_of_tile(played, picked), concerns=hurt, weight=weight
    )


# ---- Mages and Etherium


def _report_harm(played: _Step) -> Iterator[NewsCard]:
    """Say what a power does to other players' Mages."""
    before, after, step = played.before.position, played.after.position, played.step
    if step.kind == StepKind.COLLECT:
        mage = before.item(layout.ASKED)
        owner = mage // layout.MAX_MAGES
        title = translate(
            "{player} took 1 {colour} from {owner}",
            player=played.name,
            colour=ETHERIUM[step.at].capitalize(),
            owner=INFO.seat_names[owner],
        )
        text = translate("Tribute for {mage}", mage=mage_name(mage))
        yield NewsCard(title, text, icon="tribute", handles=_handles_of(played), concerns=(owner,), weight=HARM)
    elif step.kind == StepKind.PUSH:
        owner = step.at // layout.MAX_MAGES
        place = place_name(after, step.at)
        title = translate("{player} pushed {mage} to {place}", player=played.name, mage=mage_name(step.at), place=place)
        concerns = (owner,) if owner != played.actor else ()
        yield NewsCard(title, icon="push", handles=_handles_of(played), concerns=concerns, weight=HARM)
    fallen = _list_fallen(played)
    if fallen:
        names = ", ".join(mage_name(mage) for mage in fallen)
        title = translate_count("{mages} became Exhausted", "{mages} became Exhausted", len(fallen), mages=names)
        owners = dict.fromkeys(mage // layout.MAX_MAGES for mage in fallen)
        harmed = tuple(owner for owner in owners if owner != played.actor)
        yield NewsCard(title, icon="exhaust", concerns=harmed, weight=HARM)


def _list_fallen(played: _Step) -> list[int]:
    """Return the Mages that became Exhausted, apart from the active one; at the end of a Round all stand up."""
    before, after = played.before.position, played.after.position
    if before[layout.ROUND] != after[layout.ROUND]:
        return []
    return [
        mage
        for mage in range(layout.MAGE_COUNT)
        if after[layout.EXHAUSTED + mage] > before[layout.EXHAUSTED + mage]
        and before[layout.MAGE_PLACE + mage] != layout.NONE
        and mage != before[layout.ACTIVE_MAGE]
    ]


def _report_gains(played: _Step) -> Iterator[NewsCard]:
    """Say what a seat gains on entering, and that it has a new Mage."""
    before, after, step = played.before.position, played.after.position, played.step
    if step.kind == StepKind.COLLECT:
        return
    for seat in range(before[layout.SEATS]):
        gained = Cost(
            *(max(0, after.item(entry + seat) - before.item(entry + seat)) for entry in (layout.WHITE, layout.BLACK))
        )
        if gained == (0, 0):
            continue
        title = translate("{player} gained {amount}", player=INFO.seat_names[seat], amount=format_etherium(*gained))
        text = _say_what_was_summoned(played) if seat == played.actor else ""
        icon = "black" if gained.black else "white"
        yield NewsCard(title, text, icon=icon, handles=_handles_of(played), weight=GAIN)
    mages = [mage for mage in range(layout.MAGE_COUNT) if before[layout.MAGE_PLACE + mage] == layout.NONE]
    if any(after[layout.MAGE_PLACE + mage] != layout.NONE for mage in mages):
        paid = Cost(
            *(
                before.item(entry + played.actor) - after.item(entry + played.actor)
                for entry in (layout.WHITE, layout.BLACK)
            )
        )
        title = translate("{player} has a new Mage", player=played.name)
        text = translate("For {price}", price=price_words(paid)) if price_words(paid) else ""
        yield NewsCard(title, text, icon="mage", handles=_handles_of(played), weight=GAIN)


def _say_what_was_summoned(played: _Step) -> str:
    """Return which Realm was summoned by a step that also brings a gain; empty if none was."""
    return next((card.title for card in _report_new_realm(played)), "")


# ---- where


def _find_tile_on(played: _Step, hex_: int) -> TileNumber | None:
    position = played.after.position
    return next((tile for tile in tiles_in_play(position) if position[layout.TILE_HEX + tile] == hex_), None)


def _realm_of(played: _Step, tile: TileNumber) -> dict[str, Any]:
    at = hex_of(played.after.position, tile)
    return next(realm for realm in played.view()["realms"] if realm["at"] == at)


def _handles_of_tile(played: _Step, tile: TileNumber) -> tuple[str, ...]:
    is_portal = played.after.position[layout.TILE_KIND + tile] == layout.PORTAL_KIND
    return ("portal",) if is_portal else (f"hex:{hex_of(played.after.position, tile)}",)


def _handles_of(played: _Step) -> tuple[str, ...]:
    """Return the place of the Mage that enters, or of the active one."""
    before, after = played.before.position, played.after.position
    entering = before.item(layout.ENTERING)
    mage = (
        played.step.at
        if played.step.kind == StepKind.PUSH
        else entering
        if entering != layout.NONE
        else before.item(layout.ACTIVE_MAGE)
    )
    if mage == layout.NONE:
        return ()
    place = after.item(layout.MAGE_PLACE + mage)
    return ("portal",) if place == layout.PORTALS else _handles_of_tile(played, place)


def _draw_realm(played: _Step, tile: TileNumber) -> str:
    """Draw a Realm as it is after the step, with the colour of who Controls it."""
    kind: Kind = played.after.position.item(layout.TILE_KIND + tile)
    owner = played.after.position.item(layout.TILE_OWNER + tile) - 1
    ring = [element("polygon", class_=f"et-owned et-seat{owner}", points=hexagon(SMALL_RADIUS))] if owner >= 0 else []
    return element(
        "svg",
        draw_small_tile(tile_of(played.view(), layout.KIND_NAMES[kind])),
        *ring,
        xmlns=SVG_NAMESPACE,
        viewBox=f"{-_BOX} {-_BOX} {2 * _BOX} {2 * _BOX}",
        class_=f"rt-board rt-{STYLE_NAME} rt-auto",
    )
