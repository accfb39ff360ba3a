"""What the viewer chooses from, read from a view with its position; what an activation still needs."""

from __future__ import annotations

from functools import lru_cache

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import Seat, View
from realmtable.games.realms_of_etherium import state as states
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import can_be_controlled
from realmtable.games.realms_of_etherium.kernels.prices import (
    has_control_discount,
)
from realmtable.games.realms_of_etherium.parts.amounts import missing_words
from realmtable.games.realms_of_etherium.state import State
from realmtable.games.realms_of_etherium.steps import Step, StepKind
from realmtable.games.realms_of_etherium.text.clicks import handles
from realmtable.games.realms_of_etherium.text.describe import (
    active_kind,
    control_cost,
)
from realmtable.games.realms_of_etherium.tiles.manifest import Cost
from realmtable.games.realms_of_etherium.wording import acting_seat
from realmtable.kit.rules import Position


class Choice:
    """The position of a view in which its viewer may act, and the legal steps."""

    def __init__(self, view: View, state: State) -> None:
        self.view, self.state, self.position = view, state, state.position
        self.seat: Seat = state.position.item(layout.SEAT)
        self.steps: dict[StepKind, list[Step]] = {}
        for step in states.legal_moves(state, self.seat):
            self.steps.setdefault(step.kind, []).append(step)

    def list_steps(self, *kinds: StepKind) -> list[Step]:
        """Return the legal steps of some kinds."""
        return [step for kind in kinds for step in self.steps.get(kind, ())]

    def list_handles(self, *kinds: StepKind) -> tuple[str, ...]:
        """Return where legal steps of some kinds begin."""
        return tuple(dict.fromkeys(handles(self.view, step)[0] for step in self.list_steps(*kinds)))

    def amount(self) -> Cost:
        """Return the Etherium of the acting seat."""
        return Cost(self.position.item(layout.WHITE + self.seat), self.position.item(layout.BLACK + self.seat))


def read_choice(view: View) -> Choice | None:
    """Return what the viewer chooses from; None if they do not act, or the view is not that of a table."""
    seat = acting_seat(view)
    if seat is None or view["viewer"] != seat or "position" not in view:
        return None
    return Choice(view, _decode(view["position"]))


@lru_cache(maxsize=64)
def _decode(text: str) -> State:
    return states.decode(text)


def active_tile(position: Position) -> int | None:
    """Return the tile that the active Mage is in; None for the Portals."""
    place = position.item(layout.MAGE_PLACE + position.item(layout.ACTIVE_MAGE))
    return None if place == layout.PORTALS else place


def can_control(choice: Choice) -> bool:
    """Whether the active player may take Control of the active Mage's Realm, apart from the price."""
    tile = active_tile(choice.position)
    is_own = choice.position[layout.ACTIVE_MAGE] // layout.MAX_MAGES == choice.seat  # V19
    return tile is not None and is_own and can_be_controlled(choice.position, tile)


def say_what_control_lacks(choice: Choice) -> str:
    """Return what is missing for Control of the active Mage's Realm, by the cheapest way; empty if nothing is."""
    if not can_control(choice):
        return ""
    has_discount = has_control_discount(choice.position, choice.seat, active_kind(choice.position))
    ways = [control_cost(choice.position, Step(StepKind.CONTROL, way)) for way in range(3 if has_discount else 1)]
    has = choice.amount()
    cheapest = min(ways, key=lambda cost: max(0, cost.white - has.white) + max(0, cost.black - has.black))
    return missing_words(cheapest, has)


def say_mages_left(view: View, seat: Seat) -> str:
    """Return how many Mages a player can activate after this one."""
    own = [mage for mage in view["mages"] if mage["seat"] == seat and not mage["exhausted"]]
    left = sum(mage["mage"] != view["active_mage"] for mage in own) - (view["phase"] == "mage")
    if left <= 0:
        return translate("your last Mage")
    return translate_count("{count} Mage left", "{count} Mages left", left)
