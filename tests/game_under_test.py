"""Short helpers for the tests of every board game: positions, steps, refusals and random games.

The `helpers` of a game make these words for that game and add its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Generic, Protocol, TypeVar

import pytest
from hypothesis import strategies as st

from realmtable.engine.errors import IllegalMove
from realmtable.engine.options import OptionValue, as_pairs, parse_pairs
from realmtable.kit.array_state import ArrayState
from realmtable.kit.realm_board.board_game import RealmBoardGame

OptionsT = TypeVar("OptionsT")
OptionsT_co = TypeVar("OptionsT_co", covariant=True)
StateT = TypeVar("StateT")
StepT = TypeVar("StepT")

seeds = st.integers(min_value=0, max_value=2**32)


class RandomOptions(Protocol[OptionsT_co]):
    """Options at random, but for those that are fixed."""

    def __call__(self, rng: Random, **fixed: OptionValue) -> OptionsT_co: ...


@dataclass(frozen=True)
class BoardGame(Generic[OptionsT, StepT]):
    """A game under test, with the few facts that are its own."""

    game: RealmBoardGame[OptionsT, StepT]
    seat: int  # the entry of a position with the acting seat
    random_options: RandomOptions[OptionsT]
    choose: Callable[[Random, Sequence[StepT]], StepT] = Random.choice  # a step of a random game
    most_steps: int = 80  # into a random game that `states` goes
    limits: Mapping[str, OptionValue] = field(default_factory=dict)  # options that shorten the games of shared checks

    # ---- positions

    def options_of(self, **values: OptionValue) -> OptionsT:
        return self.game.options(None, **values)

    def position(self, text: str, **options: OptionValue) -> ArrayState[OptionsT]:
        """A state from its line, with options apart."""
        pairs = as_pairs(self.options_of(**options))
        return self.game.decode(f"{text} options={','.join(pairs)}" if pairs else text)

    def start(self, **options: OptionValue) -> ArrayState[OptionsT]:
        return self.game.initial(2, self.options_of(**options))

    def at(self, where: str, steps: str = "") -> ArrayState[OptionsT]:
        """The state of a line, or the first one under options like ``bases=13,powers=4``, after some steps."""
        if ":" in where:
            state = self.game.decode(where)
        else:
            state = self.start(**parse_pairs(self.game.info.options_type, where.split(",") if where else []))
        return self.play(state, steps)

    def seat_of(self, state: ArrayState[OptionsT]) -> int:
        return int(state.position[self.seat])

    def ending(self, state: ArrayState[OptionsT]) -> str | None:
        """Why the game is over, if it is."""
        outcome = self.game.outcome(state)
        return None if outcome is None else outcome.reason

    def winner_of(self, state: ArrayState[OptionsT]) -> str | None:
        """The letter of the seat that has won a finished game, or None."""
        outcome = self.game.outcome(state)
        assert outcome is not None
        return None if outcome.winner is None else "WB"[outcome.winner]

    def phase_of(self, state: ArrayState[OptionsT]) -> str:
        entry = self.game.rules.phase_entry
        assert entry is not None
        return self.game.rules.phases[state.position.item(entry)]

    def result_of(self, state: ArrayState[OptionsT]) -> dict[str, object] | None:
        """The result of a finished game, in the words of the twins."""
        if (outcome := self.game.outcome(state)) is None:
            return None
        return {"reason": outcome.reason, "scores": list(outcome.scores), "winner": outcome.winner}

    # ---- steps

    def play(self, state: ArrayState[OptionsT], texts: str) -> ArrayState[OptionsT]:
        """Play steps written one after another."""
        for text in texts.split():
            state = self.game.play(state, self.seat_of(state), self.game.parse_move(state, text))
        return state

    def play_steps(self, state: ArrayState[OptionsT], steps: Iterable[StepT]) -> ArrayState[OptionsT]:
        for step in steps:
            state = self.game.play(state, self.seat_of(state), step)
        return state

    def describe_last(self, state: ArrayState[OptionsT], texts: str) -> str:
        """Play some steps but the last, and describe that one."""
        *before, last = texts.split()
        state = self.play(state, " ".join(before))
        return self.game.describe_move(state, self.game.parse_move(state, last))

    def prompt(self, state: ArrayState[OptionsT]) -> str:
        """What the acting seat is asked to do."""
        found = self.game.prompt(self.game.view(state, self.seat_of(state)))
        return found.text if found is not None else ""

    def steps(self, state: ArrayState[OptionsT]) -> list[StepT]:
        return self.game.legal_moves(state, self.seat_of(state))

    def legal(self, state: ArrayState[OptionsT]) -> set[str]:
        """The legal steps, without what they set off."""
        return {self.game.grammar.format_bare(state, step) for step in self.steps(state)}

    def targets(self, state: ArrayState[OptionsT], space: str) -> set[str]:
        """Where the piece on a space may move."""
        return {end for start, end in self._moves(state) if start == space}

    def movers(self, state: ArrayState[OptionsT]) -> set[str]:
        """The spaces of the pieces that may move."""
        return {start for start, _ in self._moves(state)}

    def _moves(self, state: ArrayState[OptionsT]) -> list[tuple[str, str]]:
        found = [re.fullmatch(r"[A-Z]([a-l]\d+)([a-l]\d+|off)", text) for text in self.legal(state)]
        return [(move[1], move[2]) for move in found if move]

    def expect_refusal(self, state: ArrayState[OptionsT], text: str) -> IllegalMove:
        """The refusal of a step."""
        with pytest.raises(IllegalMove) as caught:
            self.play(state, text)
        return caught.value

    # ---- random games

    def random_step(self, rng: Random, state: ArrayState[OptionsT]) -> StepT:
        return self.choose(rng, self.steps(state))

    def random_game(self, seed: int, **fixed: OptionValue) -> Iterator[tuple[ArrayState[OptionsT], StepT | None]]:
        """Every state of a random game under random options with the step then taken; None at the end."""
        rng = Random(seed)
        state = self.game.initial(2, self.random_options(rng, **fixed))
        while self.game.to_move(state):
            step = self.random_step(rng, state)
            yield state, step
            state = self.game.play(state, self.seat_of(state), step)
        yield state, None

    def states(self, **fixed: OptionValue) -> st.SearchStrategy[ArrayState[OptionsT]]:
        """A state of some random game, after at most `most_steps` steps."""

        def play_steps(steps: int, seed: int) -> ArrayState[OptionsT]:
            *_, (state, _) = islice(self.random_game(seed, **fixed), steps + 1)
            return state

        return st.builds(play_steps, st.integers(min_value=0, max_value=self.most_steps), seeds)


def turns_of(
    game: Iterable[tuple[StateT, StepT | None]], is_next: Callable[[StateT, StateT], bool]
) -> Iterator[tuple[StateT, list[StepT], StateT]]:
    """Every turn of a game: the state it begins in, its steps and the state after it.

    `is_next(begin, state)` says whether the turn that began in one state is over in the other.
    """
    begin: StateT | None = None
    steps: list[StepT] = []
    for state, step in game:
        begin = begin or state
        if steps and is_next(begin, state):
            yield begin, steps, state
            begin, steps = state, []
        if step is not None:
            steps.append(step)
