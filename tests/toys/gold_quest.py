"""Gold Quest, a toy for one to three players with secret characters, each of which has its own goal.

- **G1** Players first take a character in secret. All are revealed together, or with `masked` only at the end.
- **G2** In each round, players take turns: they rest and find one piece of gold, or dig and find none to three.
- **G3** After the last round, players who have found as much gold as their character wants have reached their goal.
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
    ScoreBreakdown,
    ScoreLine,
    Seat,
    Turn,
    View,
)
from realmtable.kit.small_game import SmallGame
from tests.toys.common import NAMES, outcome_of_scores, picture, put

GOALS: Final[Mapping[str, int]] = {"Dwarf": 2, "Elf": 1, "Witch": 3}  # gold per round
FINDS: Final = ("0", "1", "2", "3")
NOBODY: Final = ""


@dataclass(frozen=True)
class QuestOptions:
    """The length of a quest, and whether characters stay secret."""

    rounds: int = option(3, "Rounds.", source="toy", clause="G2", low=1, high=6)
    masked: bool = option(False, "Characters stay secret until the end.", source="toy", clause="G1")

    def __post_init__(self) -> None:
        check_fields(self)


INFO: Final = GameInfo(
    id="gold_quest",
    title="Gold Quest",
    summary="Dig for gold, alone or with others.",
    seats=(1, 2, 3),
    seat_names=NAMES[:3],
    options_type=QuestOptions,
    presets={"plain": {}, "masked": {"masked": True}},
    default_preset="plain",
    hidden=True,
    chance=True,
    sources=("toy",),
    max_steps=60,
)


@dataclass(frozen=True)
class Quest:
    """The state of the game."""

    options: QuestOptions
    characters: tuple[str, ...]  # per seat: the character, or nobody yet
    gold: tuple[int, ...]
    round: int = 1
    seat: Seat = 0
    digging: bool = False


class GoldQuest(SmallGame[Quest]):
    """The game; `realmtable.engine.protocol.Game` documents each member."""

    info: GameInfo = INFO
    state_type = Quest
    move_pattern = "|".join((*GOALS, *FINDS, "dig", "rest"))

    def first_state(self, seats: int, options: QuestOptions) -> Quest:
        return Quest(options, (NOBODY,) * seats, (0,) * seats)

    def to_move(self, state: Quest) -> tuple[Seat, ...]:
        if choosing := tuple(seat for seat, character in enumerate(state.characters) if not character):
            return choosing
        if state.round > state.options.rounds:
            return ()
        return (CHANCE,) if state.digging else (state.seat,)

    def turn(self, state: Quest) -> Turn:
        if not all(state.characters):
            return Turn(0, CHANCE)  # all choose at once
        return Turn(min(state.round, state.options.rounds), state.seat)

    def list_moves(self, state: Quest, seat: Seat) -> list[str]:  # noqa: ARG002 - alike for all
        return ["dig", "rest"] if all(state.characters) else sorted(GOALS)

    def chance(self, state: Quest) -> list[ChanceOutcome]:
        return [ChanceOutcome(found, 1) for found in FINDS] if state.digging else []

    def refusal(self, state: Quest, seat: Seat, move: str) -> IllegalMove:  # noqa: ARG002 - the same in every state
        if seat == CHANCE:
            return IllegalMove("G2", "A dig finds none to three pieces of gold.")
        return IllegalMove("G1" if move in GOALS else "G2", "Take a character first, and then dig or rest.")

    def apply_move(self, state: Quest, seat: Seat, move: str) -> Quest:
        if seat == CHANCE:
            return self._find(replace(state, digging=False), int(move))
        if move in GOALS:
            return replace(state, characters=put(state.characters, seat, move))
        return replace(state, digging=True) if move == "dig" else self._find(state, 1)

    def _find(self, state: Quest, found: int) -> Quest:
        gold = put(state.gold, state.seat, state.gold[state.seat] + found)
        seat = (state.seat + 1) % len(gold)
        return replace(state, gold=gold, seat=seat, round=state.round + (seat == 0))

    def outcome(self, state: Quest) -> Outcome | None:
        if self.to_move(state):
            return None
        reached = tuple(gold >= goal for gold, goal in zip(state.gold, self._goals(state), strict=True))
        return replace(outcome_of_scores(state.gold, "rounds"), reached=reached)

    def _goals(self, state: Quest) -> list[int]:
        return [GOALS[character] * state.options.rounds for character in state.characters]

    def view(self, state: Quest, seat: Seat | None) -> dict[str, Any]:
        over = not self.to_move(state)
        shown = over or (all(state.characters) and not state.options.masked)
        outcome = self.outcome(state)
        return {
            "viewer": seat,
            "characters": [
                character if shown or own == seat else NOBODY for own, character in enumerate(state.characters)
            ],
            "ready": [bool(character) for character in state.characters],
            "gold": list(state.gold),
            "round": state.round,
            "seat": state.seat,
            "digging": state.digging,
            "ranking": None if outcome is None else list(outcome.ranking),
            "options": as_pairs(state.options),
        }

    def resample(self, state: Quest, seat: Seat, rng: Random) -> Quest:
        known = self.view(state, seat)["characters"]
        characters = [
            character and (known[own] or rng.choice(sorted(GOALS))) for own, character in enumerate(state.characters)
        ]
        return replace(state, characters=tuple(characters))

    def format_move_for(self, state: Quest, seat: Seat, move: str, viewer: Seat | None) -> str:  # noqa: ARG002 - a character is secret in every state
        return move if move not in GOALS or viewer == seat else "…"

    def draw(self, view: View, theme: str = "auto") -> str:
        return picture([f"{theme}: {view['gold']}", " ".join(view["characters"])], [])

    # ---- words, names and scores

    def describe_move(self, state: Quest, move: str) -> str:  # noqa: ARG002 - a move means the same in every state
        return self.label(move)

    def label(self, handle: str) -> str:
        if handle in FINDS:
            return f"Find {handle} gold"
        return f"Become the {handle}" if handle in GOALS else handle.capitalize()

    def seat_name(self, view: View, seat: Seat) -> str:
        character = view["characters"][seat]
        return f"{NAMES[seat]}, the {character}" if character else ""

    def score_breakdowns(self, view: View) -> list[ScoreBreakdown]:
        if view["ranking"] is None:
            return []
        scores = [
            ScoreBreakdown(seat, rank, gold, (ScoreLine("Gold", gold, f"{gold} pieces of gold."),))
            for seat, (rank, gold) in enumerate(zip(view["ranking"], view["gold"], strict=True))
        ]
        return sorted(scores, key=lambda score: score.rank)
