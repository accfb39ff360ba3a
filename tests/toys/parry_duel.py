"""Parry Duel, a toy with reactions: within one turn, the other players answer every strike of its owner.

- **P1** On their turn a player strikes, up to five times, or ends the turn.
- **P2** The other players answer a strike one after another: a parry does nothing, a yield gives the striker a point.
- **P3** A riposte answers a strike and ends the striker's turn at once. The game ends after the last round.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import check_fields, option
from realmtable.engine.protocol import (
    GameInfo,
    Outcome,
    Seat,
    Turn,
    View,
)
from realmtable.kit.small_game import SmallGame
from tests.toys.common import NAMES, outcome_of_scores, picture

MAX_STRIKES: Final = 5
ANSWERS: Final = ("parry", "riposte", "yield")


@dataclass(frozen=True)
class ParryOptions:
    """The length of a duel."""

    rounds: int = option(4, "Number of rounds.", source="toy", clause="P3", low=1, high=8)

    def __post_init__(self) -> None:
        check_fields(self)


INFO: Final = GameInfo(
    id="parry_duel",
    title="Parry Duel",
    summary="Strike, and be answered.",
    seats=(2, 3, 4),
    seat_names=NAMES,
    options_type=ParryOptions,
    presets={"plain": {}},
    default_preset="plain",
    sources=("toy",),
)


@dataclass(frozen=True)
class Bout:
    """The state of a duel."""

    options: ParryOptions
    scores: tuple[int, ...]
    round: int = 1
    seat: Seat = 0
    strikes: int = 0  # in this turn
    answering: tuple[Seat, ...] = ()  # seats that must still answer the latest strike, in order


class ParryDuel(SmallGame[Bout]):
    """The game; `realmtable.engine.protocol.Game` documents each member."""

    info: GameInfo = INFO
    state_type = Bout
    move_pattern = "|".join(("strike", "end", *ANSWERS))

    def first_state(self, seats: int, options: ParryOptions) -> Bout:
        return Bout(options, (0,) * seats)

    def to_move(self, state: Bout) -> tuple[Seat, ...]:
        if state.round > state.options.rounds:
            return ()
        return state.answering[:1] or (state.seat,)

    def turn(self, state: Bout) -> Turn:
        return Turn(state.round, state.seat)

    def list_moves(self, state: Bout, seat: Seat) -> list[str]:  # noqa: ARG002 - alike for all
        if state.answering:
            return list(ANSWERS)
        return ["end", "strike"] if state.strikes < MAX_STRIKES else ["end"]

    def refusal(self, state: Bout, seat: Seat, move: str) -> IllegalMove:  # noqa: ARG002 - alike for all
        return IllegalMove("P2" if state.answering else "P1", "Answer a strike, strike, or end the turn.")

    def apply_move(self, state: Bout, seat: Seat, move: str) -> Bout:
        if move == "strike":
            others = tuple(other for other in range(len(state.scores)) if other != seat)
            return replace(state, strikes=state.strikes + 1, answering=others)
        if move in ("end", "riposte"):
            last = state.seat == len(state.scores) - 1
            follower = (state.seat + 1) % len(state.scores)
            return replace(state, seat=follower, round=state.round + last, strikes=0, answering=())
        scores = tuple(score + (other == state.seat and move == "yield") for other, score in enumerate(state.scores))
        return replace(state, scores=scores, answering=state.answering[1:])

    def outcome(self, state: Bout) -> Outcome | None:
        return None if self.to_move(state) else outcome_of_scores(state.scores, "rounds")

    def draw(self, view: View, theme: str = "auto") -> str:
        return picture([f"{theme}: {view['scores']}"], ["strike", "end", *ANSWERS])
