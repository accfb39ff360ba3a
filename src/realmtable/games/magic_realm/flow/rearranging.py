"""Rearranging belongings at the beginning of a phase (D25, Z13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog.ids import GoodsId
from realmtable.games.magic_realm.day_rules.active_goods import (
    activate,
    can_activate,
    deactivate,
    is_always_active,
    leave_goods,
    settle_active,
)
from realmtable.games.magic_realm.flow.agenda import DONE, FrameLimits, Handler, Next, Question, Refusal, ask_frame_seat
from realmtable.games.magic_realm.flow.turn_notes import has_stopped_rearranging, note_activated, stop_rearranging
from realmtable.games.magic_realm.world.places import is_clearing
from realmtable.games.magic_realm.world.steps import (
    FRAME_BITS,
    MAX_FRAME_NUMBER,
    Frame,
    Step,
    join_bits,
    split_bits,
)
from realmtable.games.magic_realm.world.world import World

RUN_ON: Final = "run on"


def may_rearrange(world: World, seat: Seat) -> bool:
    """Whether a character is asked at the beginning of a phase (D25, L7, Z3)."""
    hero = world.heroes[seat]
    return bool(hero.pack) and is_clearing(hero.place) and not hero.blocked and not has_stopped_rearranging(world, seat)


def _list_changes(world: World, frame: Frame, seat: Seat) -> list[Step]:
    return sorted([Step("go"), Step(RUN_ON), *list_changes(world, frame, seat)])


def list_changes(world: World, frame: Frame, seat: Seat) -> Iterator[Step]:
    """Yield what can be changed; the bits of the frame are the places in the pack of what has been changed already."""
    changed = join_bits(frame)
    for index, goods in enumerate(world.heroes[seat].pack[:FRAME_BITS]):
        if changed >> index & 1:
            continue
        yield Step("leave", (goods,))
        if not world.goods[goods].active:
            if can_activate(world, seat, goods):
                yield Step("activate", (goods,))
        elif not is_always_active(goods):
            yield Step("pack", (goods,))


def _take_change(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    if step.verb == RUN_ON:
        stop_rearranging(world, seat)
    if step.verb in ("go", RUN_ON):
        return DONE
    if step.verb == "activate":
        note_activated(world, step.args[0])
    return change_belonging(world, frame, seat, step)


def change_belonging(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    """Activate, pack or leave a belonging, and ask again."""
    goods = step.args[0]
    bits = join_bits(frame)
    changed = {goods, *(other for index, other in enumerate(world.heroes[seat].pack) if bits >> index & 1)}
    match step.verb:
        case "leave":
            leave_goods(world, seat, goods, world.heroes[seat].place)
            settle_active(world, seat)
        case "activate":
            activate(world, seat, goods)
        case _:
            deactivate(world, seat, goods)
    pack = world.heroes[seat].pack[:FRAME_BITS]
    bits = sum(1 << index for index, other in enumerate(pack) if other in changed)
    return (Frame(frame.kind, seat, *split_bits(bits)),) if pack else DONE


def refuse_change(world: World, frame: Frame, seat: Seat, step: Step) -> Refusal:
    """Say why belongings cannot be rearranged like this."""
    if step.verb not in ("activate", "pack", "leave") or not step.args:
        return Refusal("D25", "Rearrange your belongings, or choose Continue.")
    goods, pack = step.args[0], world.heroes[seat].pack
    if goods not in pack:
        return Refusal("D25", "You do not have this.")
    if join_bits(frame) >> pack.index(goods) & 1:
        return Refusal("D25", "You have already changed this in this phase.")
    return _refuse_kind(world, step.verb, goods)


def _refuse_kind(world: World, verb: str, goods: GoodsId) -> Refusal:
    active = world.goods[goods].active
    if verb == "pack" and active:
        return Refusal("T2", "An enchanted card stays active.")
    if verb == "pack" or active:
        return Refusal("D25", f"This is already {'active' if active else 'inactive'}.")
    return Refusal("D25", "This cannot be active now: it has no effect, is too weak, or another of its kind is active.")


_BITS: Final = range(MAX_FRAME_NUMBER)
HANDLERS: dict[str, Handler] = {
    "arrange": Question(
        ask_frame_seat,
        _list_changes,
        _take_change,
        refuse_change,
        secret=True,
        limits=FrameLimits("daylight", seat=True, a=_BITS, b=_BITS, c=_BITS, returns=True),
    ),
}
