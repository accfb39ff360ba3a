"""Long March, a toy with long hidden games: all plan their walks in secret, then walk one after another.

- **M1** While the marches are planned, each player secretly adds steps (n, e, s, w) to a plan, up to the longest plan.
- **M2** A player who is done cannot add to the plan. When all are done, the marches begin.
- **M3** In the order of seats each player walks the plan step by step; then the weather is rolled.
- **M4** After the last day, the player who is farthest north wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import as_pairs, check_fields, option
from realmtable.engine.protocol import (
    CHANCE,
    ChanceOutcome,
    GameInfo,
    Outcome,
    Seat,
    Turn,
    View,
)
from realmtable.kit.small_game import SmallGame
from tests.toys.common import NAMES, outcome_of_scores, picture, put

STEPS: Final = "nesw"
WEATHER: Final = "123456"


@dataclass(frozen=True)
class MarchOptions:
    """The numbers of days and steps."""

    days: int = option(2, "Days.", source="toy", clause="M4", low=1, high=8)
    longest: int = option(3, "Steps of the longest plan.", source="toy", clause="M1", low=1, high=60)

    def __post_init__(self) -> None:
        check_fields(self)


INFO: Final = GameInfo(
    id="long_march",
    title="Long March",
    summary="Plan in secret, then walk.",
    seats=(2, 3, 4),
    seat_names=NAMES,
    options_type=MarchOptions,
    presets={"plain": {}, "long": {"days": 8, "longest": 60}},
    default_preset="plain",
    hidden=True,
    chance=True,
    max_steps=4_000,
    sources=("toy",),
)


@dataclass(frozen=True)
class March:
    """The state of a march."""

    options: MarchOptions
    plans: tuple[str, ...]  # what is left of each plan
    done: tuple[bool, ...]
    north: tuple[int, ...]
    day: int = 1
    walker: Seat = -1  # -1 while all plan
    rolling: bool = False
    walked: int = 0  # steps walked so far


class LongMarch(SmallGame[March]):
    """The game; `realmtable.engine.protocol` documents each member."""

    info: GameInfo = INFO
    state_type = March
    move_pattern = f"[{STEPS}{WEATHER}]|done|go"

    def first_state(self, seats: int, options: MarchOptions) -> March:
        return March(options, ("",) * seats, (False,) * seats, (0,) * seats)

    def to_move(self, state: March) -> tuple[Seat, ...]:
        if state.day > state.options.days:
            return ()
        if state.rolling:
            return (CHANCE,)
        return (state.walker,) if state.walker >= 0 else tuple(s for s, done in enumerate(state.done) if not done)

    def turn(self, state: March) -> Turn:
        return Turn(min(state.day, state.options.days), state.walker if state.walker >= 0 else CHANCE)

    def list_moves(self, state: March, seat: Seat) -> list[str]:
        if state.walker >= 0:
            return ["go"]
        return sorted(["done", *(STEPS if len(state.plans[seat]) < state.options.longest else "")])

    def chance(self, state: March) -> list[ChanceOutcome]:
        return [ChanceOutcome(face, 1) for face in WEATHER] if self.to_move(state) == (CHANCE,) else []

    def refusal(self, state: March, seat: Seat, move: str) -> IllegalMove:  # noqa: ARG002 - alike for all
        if seat == CHANCE:
            return IllegalMove("M3", "The weather is a number from 1 to 6.")
        return IllegalMove("M3" if state.walker >= 0 else "M1", "This is not possible now.")

    def apply_move(self, state: March, seat: Seat, move: str) -> March:
        if seat == CHANCE:
            return self._next_walker(replace(state, rolling=False), state.walker)
        if move == "go":
            return self._walk(state, seat)
        if move != "done":
            return replace(state, plans=put(state.plans, seat, state.plans[seat] + move))
        state = replace(state, done=put(state.done, seat, True))
        return self._next_walker(state, -1) if all(state.done) else state

    def _walk(self, state: March, seat: Seat) -> March:
        step, rest = state.plans[seat][0], state.plans[seat][1:]
        north = state.north[seat] + {"n": 1, "s": -1}.get(step, 0)
        state = replace(state, plans=put(state.plans, seat, rest), north=put(state.north, seat, north))
        state = replace(state, walked=state.walked + 1)
        return state if rest else replace(state, rolling=True)

    def _next_walker(self, state: March, last: Seat) -> March:
        """Go on with the next seat that has a plan, or with the next day."""
        walker = next((seat for seat in range(last + 1, len(state.plans)) if state.plans[seat]), None)
        if walker is None:
            return replace(state, walker=-1, day=state.day + 1, done=(False,) * len(state.done))
        return replace(state, walker=walker)

    def outcome(self, state: March) -> Outcome | None:
        return None if self.to_move(state) else outcome_of_scores(state.north, "days")

    def view(self, state: March, seat: Seat | None) -> dict[str, Any]:
        return {
            "viewer": seat,
            "plan": None if seat is None else state.plans[seat],
            "walking": None if state.walker < 0 else state.plans[state.walker][:1],
            "done": list(state.done),
            "north": list(state.north),
            "day": state.day,
            "walker": state.walker,
            "rolling": state.rolling,
            "walked": state.walked,
            "options": as_pairs(state.options),
        }

    def resample(self, state: March, seat: Seat, rng: Random) -> March:
        plans = list(state.plans)
        for other in range(len(plans)):
            if other == seat or other < state.walker or (other == state.walker and state.rolling):
                continue
            shown = plans[other][:1] if other == state.walker else ""
            room = state.options.longest - len(shown)
            plans[other] = shown + "".join(rng.choice(STEPS) for _ in range(min(room, rng.randint(1, 3) - len(shown))))
        return replace(state, plans=tuple(plans))

    # ---- what only long and hidden games have

    def format_move_for(self, state: March, seat: Seat, move: str, viewer: Seat | None) -> str:
        if move in tuple(STEPS):
            return move if viewer == seat else ""
        return f"go {state.plans[seat][0]}" if move == "go" else move

    def fold_label(self, state: March, move: str) -> str:  # noqa: ARG002 - all weather is alike
        return "The weather changes" if state.options.longest == 1 else ""

    def topics(self) -> Mapping[str, str]:
        return {"plan": "Plans", "walk": "Walks", "weather": "Weather"}

    def topic(self, state: March, seat: Seat, move: str, viewer: Seat | None) -> str:  # noqa: ARG002 - others have no text
        return "weather" if seat == CHANCE else "walk" if move == "go" else "plan" if move != "done" else ""

    def can_undo(self, state: March, seat: Seat, move: str) -> bool:  # noqa: ARG002 - depends on the step alone
        return move in tuple(STEPS)

    def split_move(self, view: View, text: str) -> list[str]:  # noqa: ARG002 - a text means the same in every view
        return [part.strip() for part in text.split(",")]

    # ----

    def draw(self, view: View, theme: str = "auto") -> str:
        return picture([f"{theme}: {view['north']}", view["plan"] or ""], [*STEPS, "done", "go"])
