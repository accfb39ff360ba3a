"""What a step changes beyond itself, in words: gains, Exhausted Mages, points, Dispelled Realms, the Round."""

from __future__ import annotations

from realmtable.engine.protocol import Seat
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.powers import tribute_price
from realmtable.games.realms_of_etherium.kernels.prices import conversion_price
from realmtable.games.realms_of_etherium.kernels.scoring import value_of
from realmtable.games.realms_of_etherium.kernels.world import fact
from realmtable.games.realms_of_etherium.notation.position_writer import tiles_in_play
from realmtable.games.realms_of_etherium.steps import Step, StepKind
from realmtable.games.realms_of_etherium.tiles.manifest import ETHERIUM
from realmtable.games.realms_of_etherium.wording import format_etherium, mage_name
from realmtable.kit.rules import Position
from realmtable.kit.wording import format_count


def describe_effects(before: Position, step: Step, after: Position) -> str:
    """Return what follows from a step, to be put after its sentence; empty if nothing does."""
    gains = _describe_gains(before, step, after)
    phrases = [
        *_describe_exhausted(before, after),
        *_describe_dispelled(before, after),
        *_describe_points(before, after),
        *_describe_round(before, after),
    ]
    return gains + "".join(f"; {phrase}" for phrase in phrases)


def _describe_gains(before: Position, step: Step, after: Position) -> str:
    """Say what seats gain; what the step itself says about White and Black is left out."""
    words = ""
    acting = before.item(layout.SEAT)
    for seat in range(before[layout.SEATS]):
        less = _expected_change(before, step) if seat == acting else (0, 0)
        white, black = (
            max(0, after.item(entry + seat) - before.item(entry + seat) - known)
            for entry, known in zip((layout.WHITE, layout.BLACK), less, strict=True)
        )
        if white or black:
            amount = format_etherium(white, black)
            words += f" and gain {amount}" if seat == acting else f"; {INFO.seat_names[seat]} gains {amount}"
    return words


def _expected_change(before: Position, step: Step) -> tuple[int, int]:
    """Return the White and Black that a conversion or Tribute changes by itself."""
    seat = before.item(layout.SEAT)
    is_black = step.kind in (StepKind.MAKE, StepKind.COLLECT) and ETHERIUM[step.at] == "black"
    if step.kind == StepKind.COLLECT:
        return (-tribute_price(before, seat), 1) if is_black else (1, 0)
    if step.kind != StepKind.MAKE:
        return 0, 0
    kind = before.item(layout.TILE_KIND + before[layout.MAGE_PLACE + before[layout.ENTERING]])
    if is_black:
        return -conversion_price(before, seat, kind, step.to)[0], step.to
    return step.to, -step.to // fact(before, kind, layout.USE_WHITE)


def _describe_exhausted(before: Position, after: Position) -> list[str]:
    """Name the Mages that became Exhausted, apart from the active one; at the end of a Round all stand up."""
    if before[layout.ROUND] != after[layout.ROUND]:
        return []
    active = before.item(layout.ACTIVE_MAGE)
    fallen = [
        mage
        for mage in range(layout.MAGE_COUNT)
        if after[layout.EXHAUSTED + mage] > before[layout.EXHAUSTED + mage]
        and before[layout.MAGE_PLACE + mage] != layout.NONE
        and mage != active
    ]
    return [f"{mage_name(mage)} becomes Exhausted" for mage in fallen]


def _describe_dispelled(before: Position, after: Position) -> list[str]:
    gone = [tile for tile in tiles_in_play(before) if not after[layout.TILE_HEX + tile]]
    return [f"{layout.KIND_NAMES[before[layout.TILE_KIND + tile]]} is Dispelled" for tile in gone]


def _describe_points(before: Position, after: Position) -> list[str]:
    """Say why points changed: which Victory Realms are worth something else now."""
    phrases = []
    for seat in range(before[layout.SEATS]):
        points = after.item(layout.POINTS + seat)
        if points != before[layout.POINTS + seat]:
            reasons = ", ".join(_list_changed_realms(before, after, seat))
            phrases.append(f"{INFO.seat_names[seat]} has {format_count(points, 'point')} ({reasons})")
    if after[layout.TRIGGERED] > before[layout.TRIGGERED]:
        phrases.append("this is the last Round")
    return phrases


def _list_changed_realms(before: Position, after: Position, seat: Seat) -> list[str]:
    changes = []
    for tile in tiles_in_play(after):
        kind = after.item(layout.TILE_KIND + tile)
        if after[layout.TILE_OWNER + tile] == seat + 1 and layout.IS_VICTORY[kind]:
            worth = value_of(after, tile)
            change = worth - (value_of(before, tile) if before[layout.TILE_OWNER + tile] == seat + 1 else 0)
            if change:
                changes.append(f"{layout.KIND_NAMES[kind]} {change:+d}".replace("-", "−"))
    return changes


def _describe_round(before: Position, after: Position) -> list[str]:
    if after[layout.PHASE] == layout.OVER:
        return ["the game ends"]
    return [f"Round {after[layout.ROUND]} begins"] if after[layout.ROUND] != before[layout.ROUND] else []
