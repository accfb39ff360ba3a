"""Market Day, a toy with panels, a prompt, grouped choices and reasons: pack a ware, walk to a stall, sell a ware.

- **M1** A turn begins with packing a ware, unseen by the others. Nobody packs the same ware twice.
- **M2** Then the player walks to a free stall, or goes home, which ends the turn.
- **M3** At a stall the player sells a ware from their basket. A ware is worth its number, plus one at stall A.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import as_pairs, check_fields, option
from realmtable.engine.protocol import (
    GameInfo,
    HandlePath,
    Outcome,
    Panel,
    PanelRow,
    Prompt,
    Reason,
    Seat,
    Turn,
    View,
)
from realmtable.kit.small_game import SmallGame
from realmtable.kit.svg import Element, document, element, name_parts
from tests.toys.common import NAMES, outcome_of_scores, put

GROUPS: Final = {
    "Food": ("apples", "bread", "cheese", "dates", "eggs"),
    "Cloth": ("felt", "gauze", "hemp", "ikat"),
    "Goods": ("jugs", "knives", "ladles", "mortars", "nails"),
}
WARES: Final = {name[0]: name for names in GROUPS.values() for name in names}  # by letter
GROUP_OF: Final = {name[0]: group for group, names in GROUPS.items() for name in names}
STALLS: Final = "ABCD"
NOWHERE: Final = "-"
PHASES: Final = ("pack", "walk", "sell")
PACK_FIRST: Final = Reason("M1", "Pack a ware first.")
NO_STALL_YET: Final = Reason("M2", "Walk to a stall before you sell.")
STYLE: Final = (
    ".md{fill:var(--md,#2c261d);font:16px sans-serif}.md-stall>rect{fill:#8884;stroke:#888}"
    ".md-stall.lit>rect,.md-stall.target>rect{stroke:#12788c;stroke-width:4;stroke-dasharray:6 3}"
    ".md-stall.chosen>rect{stroke:#cf8a10;stroke-width:4}"
    "@media (prefers-color-scheme:dark){.md{--md:#efe8d8}}"
)


@dataclass(frozen=True)
class MarketOptions:
    """The length of a market day."""

    rounds: int = option(2, "Rounds.", source="toy", clause="M1", low=1, high=3)

    def __post_init__(self) -> None:
        check_fields(self)


INFO: Final = GameInfo(
    id="market_day",
    title="Market Day",
    summary="Pack, walk, sell.",
    seats=(2, 3),
    seat_names=NAMES,
    options_type=MarketOptions,
    presets={"plain": {}},
    default_preset="plain",
    hidden=True,
    sources=("toy",),
)


@dataclass(frozen=True)
class Market:
    """The state of the game. Wares are letters; a basket is a sorted string of them."""

    options: MarketOptions
    baskets: tuple[str, ...]
    sold: tuple[str, ...]  # per seat, sorted, known to all
    scores: tuple[int, ...]
    stalls: str  # a letter for each seat: where it stands in this round
    round: int = 1
    seat: Seat = 0
    phase: str = "pack"


class MarketDay(SmallGame[Market]):
    """The game; `realmtable.engine.protocol.Game` documents each member."""

    info: GameInfo = INFO
    state_type = Market
    move_pattern = "home|walk:[A-D]|(pack|sell):[a-n]"

    def first_state(self, seats: int, options: MarketOptions) -> Market:
        return Market(options, ("",) * seats, ("",) * seats, (0,) * seats, NOWHERE * seats)

    def to_move(self, state: Market) -> tuple[Seat, ...]:
        return (state.seat,) if state.round <= state.options.rounds else ()

    def turn(self, state: Market) -> Turn:
        return Turn(min(state.round, state.options.rounds), state.seat)

    def list_moves(self, state: Market, seat: Seat) -> list[str]:
        if state.phase == "pack":
            return [f"pack:{ware}" for ware in WARES if ware not in state.baskets[seat] + state.sold[seat]]
        if state.phase == "walk":
            return ["home", *(f"walk:{stall}" for stall in STALLS if stall not in state.stalls)]
        return [f"sell:{ware}" for ware in state.baskets[seat]]

    def refusal(self, state: Market, seat: Seat, move: str) -> IllegalMove:  # noqa: ARG002 - alike for all
        clause = {"pack": "M1", "walk": "M2", "sell": "M3"}[state.phase]
        return IllegalMove(clause, f"This is not how to {state.phase}.")

    def apply_move(self, state: Market, seat: Seat, move: str) -> Market:
        verb, _, name = move.partition(":")
        if verb == "pack":
            baskets = put(state.baskets, seat, "".join(sorted(state.baskets[seat] + name)))
            return replace(state, baskets=baskets, phase="walk")
        if verb == "walk":
            return replace(state, stalls=state.stalls[:seat] + name + state.stalls[seat + 1 :], phase="sell")
        if verb == "home":
            return _end_turn(state)
        return _end_turn(
            replace(
                state,
                baskets=put(state.baskets, seat, state.baskets[seat].replace(name, "")),
                sold=put(state.sold, seat, "".join(sorted(state.sold[seat] + name))),
                scores=put(state.scores, seat, state.scores[seat] + _price(name) + (state.stalls[seat] == "A")),
            )
        )

    def outcome(self, state: Market) -> Outcome | None:
        return None if self.to_move(state) else outcome_of_scores(state.scores, "rounds")

    def view(self, state: Market, seat: Seat | None) -> dict[str, Any]:
        return {
            "viewer": seat,
            "basket": None if seat is None else state.baskets[seat],
            "counts": [len(basket) for basket in state.baskets],
            "sold": list(state.sold),
            "scores": list(state.scores),
            "stalls": state.stalls,
            "round": state.round,
            "seat": state.seat,
            "phase": state.phase if self.to_move(state) else "over",
            "options": as_pairs(state.options),
        }

    def resample(self, state: Market, seat: Seat, rng: Random) -> Market:
        def guess(other: Seat) -> str:
            unknown = [ware for ware in WARES if ware not in state.sold[other]]
            return "".join(sorted(rng.sample(unknown, len(state.baskets[other]))))

        baskets = tuple(basket if other == seat else guess(other) for other, basket in enumerate(state.baskets))
        return replace(state, baskets=baskets)

    def format_move_for(self, state: Market, seat: Seat, move: str, viewer: Seat | None) -> str:  # noqa: ARG002 - as above
        return "pack" if move.startswith("pack") and viewer != seat else move

    # ---- the picture, the panels and what they say

    def draw(self, view: View, theme: str = "auto") -> str:  # noqa: ARG002 - one theme
        stalls = [_stall(view, stall, 20 + 100 * place) for place, stall in enumerate(STALLS)]
        return document(
            440,
            160,
            name_parts(stalls, "stall"),
            title="The market",
            description="Four stalls.",
            style=STYLE,
            class_="rt-board",
        )

    def handles(self, view: View, move: str) -> HandlePath:  # noqa: ARG002 - a move means the same click in every view
        return (move.removeprefix("walk:"),)

    def describe_move(self, state: Market, move: str) -> str:  # noqa: ARG002 - the same in every state
        verb, _, name = move.partition(":")
        return f"Go {verb}" if verb == "home" else f"{verb.capitalize()} {WARES.get(name, f'to stall {name}')}"

    def label(self, handle: str) -> str:
        verb, _, ware = handle.partition(":")
        return f"{GROUP_OF[ware]}/{WARES[ware].capitalize()}" if verb == "pack" else handle

    def panels(self, view: View) -> list[Panel]:
        lines = zip(NAMES, view["scores"], view["sold"], strict=False)
        rows = tuple(PanelRow(name, f"{score} points for {len(sold)} wares") for name, score, sold in lines)
        road = Panel("road", "Road", svg=_road(), rows=rows)
        if view["basket"] is None:
            return [road]
        wares = tuple(PanelRow(WARES[ware], f"{_price(ware)} points", f"sell:{ware}") for ware in view["basket"])
        opens = view["phase"] == "sell" and view["viewer"] == view["seat"]
        basket = Panel("basket", "Basket", str(len(wares)), rows=wares or (PanelRow("Empty"),), opens=opens)
        return [road, basket]

    def prompt(self, view: View) -> Prompt | None:
        if view["viewer"] != view["seat"] or view["phase"] == "over":
            return None
        number = PHASES.index(view["phase"])
        title, text = (
            ("Pack", "Choose a ware for your basket."),
            ("Walk", "Choose a free stall, or go home."),
            ("Sell", "Choose a ware from your basket."),
        )[number]
        return Prompt(f"Step {number + 1} of 3: {title}", text, (number + 1, 3), f"M{number + 1}")

    def note(self, view: View, handle: str) -> str:  # noqa: ARG002 - the panels say enough
        return ""

    def reason(self, view: View, path: HandlePath, handle: str) -> Reason | None:  # noqa: ARG002 - every move is one click
        phase, stalls = view["phase"], view["stalls"]
        if handle in STALLS and phase == "walk" and handle in stalls:
            return Reason("M2", f"{NAMES[stalls.index(handle)]} is at stall {handle}; choose a free one.")
        if handle in (*STALLS, "home"):
            return PACK_FIRST if phase == "pack" else Reason("M3", "Sell a ware.") if phase == "sell" else None
        if handle.startswith("sell:") and phase != "sell":
            return PACK_FIRST if phase == "pack" else NO_STALL_YET
        return None


def _end_turn(state: Market) -> Market:
    last = state.seat == len(state.scores) - 1
    stalls = NOWHERE * len(state.scores) if last else state.stalls
    seat = (state.seat + 1) % len(state.scores)
    return replace(state, round=state.round + last, seat=seat, phase="pack", stalls=stalls)


def _price(ware: str) -> int:
    return 1 + list(WARES).index(ware) % 5


def _stall(view: View, stall: str, left: float) -> Element:
    standing = NAMES[view["stalls"].index(stall)] if stall in view["stalls"] else "free"
    return _place(stall, f"Stall {stall}", standing, left)


def _road() -> str:
    home = _place("home", "Home", "no sale", 20)
    return document(200, 160, {"home": home}, title="The road home", description="A way home.", style=STYLE)


def _place(handle: str, title: str, note: str, left: float) -> Element:
    return element(
        "g",
        element("rect", x=left, y=20, width=90, height=110, rx=8),
        element("text", title, class_="md", x=left + 12, y=64),
        element("text", note, class_="md", x=left + 12, y=96),
        class_="md-stall",
        role="button",
        tabindex=-1,
        data_handle=handle,
        aria_label=f"{title}, {note}",
    )
