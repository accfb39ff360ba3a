"""Dice Duel, a toy with chance: roll repeatedly to collect points, hold to bank them; a 1 loses them.

- **D1** A player must roll before they can hold.
- **D2** Every roll throws all dice, one after another. A 1 ends the turn, and the pot is lost.
- **D3** The game ends when a player holds with the target reached, or after the last turn of the last round.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from realmtable.engine.errors import BadOptions, BadPosition, IllegalMove
from realmtable.engine.options import as_pairs, check_fields, option
from realmtable.engine.protocol import (
    CHANCE,
    ChanceOutcome,
    GameInfo,
    Outcome,
    Seat,
    Span,
    Turn,
    View,
)
from realmtable.kit.small_game import SmallGame
from tests.toys.common import NAMES, outcome_of_scores, picture, read_options

FACES: Final = {"coin": 2, "d6": 6}


@dataclass(frozen=True)
class DuelOptions:
    """The options of a duel."""

    target: int = option(20, "Points that end the game.", source="toy", clause="D3", low=5, high=40)
    dice: int = option(1, "Dice in a roll.", source="toy", clause="D2", low=1, high=2)
    rounds: int = option(6, "Maximum number of rounds.", source="toy", clause="D3", low=1, high=8)
    die: str = option("d6", "The kind of dice.", source="toy", clause="D2", choices=tuple(FACES))
    safe_first: bool = option(False, "The first roll of a turn loses nothing.", source="toy", clause="D2")

    def __post_init__(self) -> None:
        check_fields(self)
        if self.die == "coin" and self.dice > 1:
            raise BadOptions("A coin is thrown alone; leave dice at 1.")


INFO: Final = GameInfo(
    id="dice_duel",
    title="Dice Duel",
    summary="Press your luck.",
    seats=(2, 3, 4),
    seat_names=NAMES,
    options_type=DuelOptions,
    presets={"plain": {}, "quick": {"target": 10, "dice": 2}},
    default_preset="plain",
    chance=True,
    sources=("toy",),
)


@dataclass(frozen=True)
class Duel:
    """The state of a duel."""

    options: DuelOptions
    scores: tuple[int, ...]
    round: int = 1
    seat: Seat = 0
    rolls: int = 0  # in this turn
    pot: int = 0
    thrown: tuple[int, ...] = ()  # dice thrown so far in this roll
    rolling: bool = False
    over: bool = False


class DiceDuel(SmallGame[Duel]):
    """The game; `realmtable.engine.protocol.Game` documents each member."""

    info: GameInfo = INFO
    move_pattern = "roll|hold|[1-6]"

    def first_state(self, seats: int, options: DuelOptions) -> Duel:
        return Duel(options, (0,) * seats)

    def to_move(self, state: Duel) -> tuple[Seat, ...]:
        return () if state.over else (CHANCE,) if state.rolling else (state.seat,)

    def turn(self, state: Duel) -> Turn:
        return Turn(state.round, state.seat)

    def list_moves(self, state: Duel, seat: Seat) -> list[str]:  # noqa: ARG002 - alike for all
        return ["hold", "roll"] if state.rolls else ["roll"]

    def chance(self, state: Duel) -> list[ChanceOutcome]:
        if not state.rolling:
            return []
        return [ChanceOutcome(str(face), 1) for face in range(1, FACES[state.options.die] + 1)]

    def refusal(self, state: Duel, seat: Seat, move: str) -> IllegalMove:  # noqa: ARG002 - the same in every state
        if seat == CHANCE:
            return IllegalMove("D2", "The die has no such face.")
        return IllegalMove("D1", "Roll before you hold.")

    def apply_move(self, state: Duel, seat: Seat, move: str) -> Duel:
        if seat == CHANCE:
            return self._throw(state, move)
        if move == "roll":
            return replace(state, rolls=state.rolls + 1, rolling=True)
        scores = tuple(score + state.pot * (other == seat) for other, score in enumerate(state.scores))
        return self._next(replace(state, scores=scores, over=scores[seat] >= state.options.target))

    def _throw(self, state: Duel, face: str) -> Duel:
        thrown = (*state.thrown, int(face))
        if len(thrown) < state.options.dice:
            return replace(state, thrown=thrown)
        state = replace(state, thrown=(), rolling=False)
        if 1 in thrown and not (state.options.safe_first and state.rolls == 1):
            return self._next(state)
        return replace(state, pot=state.pot + sum(thrown))

    def _next(self, state: Duel) -> Duel:
        last = state.seat == len(state.scores) - 1
        over = state.over or (last and state.round == state.options.rounds)
        if over:
            return replace(state, rolls=0, pot=0, over=True)
        seat = (state.seat + 1) % len(state.scores)
        return replace(state, rolls=0, pot=0, seat=seat, round=state.round + last)

    def outcome(self, state: Duel) -> Outcome | None:
        if not state.over:
            return None
        return outcome_of_scores(state.scores, "target" if max(state.scores) >= state.options.target else "rounds")

    def encode(self, state: Duel) -> str:
        numbers = (state.round, state.seat, state.rolls, state.pot, int(state.rolling), int(state.over))
        lists = ("-".join(map(str, numbers)) for numbers in (numbers, state.scores, state.thrown))
        return ":".join([*lists, ",".join(as_pairs(state.options))])

    def decode(self, text: str) -> Duel:
        if not re.fullmatch(r"(\d{1,3}-){5}\d:(\d{1,3}-){1,3}\d{1,3}:[1-6]?:[a-z_=,0-9]*", text, re.ASCII):
            raise BadPosition("A duel is written like 1-0-0-0-0-0:0-0::dice=2.")
        numbers, scores, thrown, pairs = text.split(":")
        options: DuelOptions = read_options(self, pairs)
        number, seat, rolls, pot, rolling, over = map(int, numbers.split("-"))
        points = tuple(map(int, scores.split("-")))
        if seat >= len(points) or not 1 <= number <= options.rounds:
            raise BadPosition("There is no such seat or round.")
        dice = tuple(map(int, thrown))
        return Duel(options, points, number, seat, rolls, pot, dice, bool(rolling), bool(over))

    def draw(self, view: View, theme: str = "auto") -> str:
        return picture([f"{theme}: {view['scores']}", f"pot {view['pot']}"], ["roll", "hold"])

    def sketch(self, view: View) -> list[list[Span]]:
        return [[("pot ", "label"), (str(view["pot"]), "plain")], [(str(view["scores"]), "title")]]
