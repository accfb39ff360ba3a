"""Random plays of a game, which the checks look at, and their examples for Hypothesis."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import Any, NamedTuple, cast

from hypothesis import HealthCheck, Phase, assume, settings
from hypothesis import strategies as st

from realmtable.engine import registry
from realmtable.engine.errors import BadOptions
from realmtable.engine.match import Match
from realmtable.engine.options import OptionInfo, OptionValue, list_options
from realmtable.engine.protocol import CHANCE, CLOCK, AnyGame, Options, Seat, State

CLOCK_ACTS = 0.01  # probability per step where it may act


def rules_of(game: AnyGame) -> str | None:
    """Return the text of a game's rules; None if it has none, or is not registered."""
    known = [info.id for info in registry.infos()]
    return (registry.read_rules(game.info.id) or None) if game.info.id in known else None


def limit_examples(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Limit the number of examples; the profile decides whether they are the same in every run."""
    return settings(
        max_examples=examples,
        phases=[Phase.explicit, Phase.generate],  # a game derived from a seed does not shrink
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )


# ---- random options


def values_of(option: OptionInfo) -> st.SearchStrategy[OptionValue]:
    """Return a strategy for all values of an option."""
    if option.type == "switch":
        return st.booleans()
    if option.type == "choice":
        return st.sampled_from(option.choices)
    if option.type == "text":
        return st.just(option.default)
    return st.integers(option.low, option.high)


@st.composite
def options_for(draw: st.DrawFn, game: AnyGame) -> Options:
    """Draw options that do not contradict each other."""
    described = list_options(game.info.options_type)
    values = draw(st.fixed_dictionaries({}, optional={option.name: values_of(option) for option in described}))
    try:
        return game.options(None, **values)
    except BadOptions:
        assume(False)
        raise


# ---- random games


class Step(NamedTuple):
    """A step of a random game."""

    state: Any
    seat: Seat
    move: Any
    after: Any


@dataclass(frozen=True, repr=False)
class RandomGame:
    """A random game or its beginning."""

    game: AnyGame
    start: Any
    steps: list[Step]

    def __repr__(self) -> str:
        moves = [self.game.format_move(step.state, step.move) for step in self.steps]
        return f"<{self.game.info.id} {self.game.encode(self.start)}: {' '.join(moves)}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ANN401, ARG002 - called by Hypothesis
        printer.text(repr(self))

    def first_part(self, part: int) -> RandomGame:
        """Return the first half, third … of the game."""
        return RandomGame(self.game, self.start, self.steps[: len(self.steps) // part])

    @cached_property
    def states(self) -> list[Any]:
        """All states, from the first to the last."""
        return [self.start, *(step.after for step in self.steps)]

    @property
    def last(self) -> State:
        """The state after the last step."""
        return self.states[-1]

    @cached_property
    def seats(self) -> range:
        """The seats of the players."""
        return range(seats_of(self.game, self.start))


def seats_of(game: AnyGame, state: State) -> int:
    """Return the number of seats of an initial state."""
    options = game.options_of(state)
    return next(count for count in fitting_seats(game, options) if game.initial(count, options) == state)


def fitting_seats(game: AnyGame, options: Options) -> list[int]:
    """Return the numbers of seats that the game accepts with these options."""
    return [count for count in game.info.seats if _can_start(game, count, options)]


def _can_start(game: AnyGame, count: int, options: Options) -> bool:
    try:
        game.initial(count, options)
    except BadOptions:
        return False
    return True


def moves_of(game: AnyGame, state: State, seat: Seat) -> list[Any]:
    if seat == CHANCE:
        return [outcome.move for outcome in game.chance(state)]
    return game.legal_moves(state, seat)


def play_randomly(game: AnyGame, start: State, seed: int, limit: int) -> RandomGame:
    """Play at most `limit` random steps from a state.

    All checks get the same examples of a game, so the latest random games are cached; their states never change.
    """
    return _play_randomly(cast("Hashable", game), start, seed, limit)


@lru_cache(maxsize=100)
def _play_randomly(game: AnyGame, start: State, seed: int, limit: int) -> RandomGame:
    rng = Random(seed)
    steps: list[Step] = []
    state = start
    while len(steps) < limit and (acting := game.to_move(state)):
        seat = pick_seat(game, state, acting, rng)
        move = rng.choice(moves_of(game, state, seat))
        after = game.play(state, seat, move)
        steps.append(Step(state, seat, move, after))
        state = after
    return RandomGame(game, start, steps)


def pick_seat(game: AnyGame, state: State, acting: tuple[Seat, ...], rng: Random) -> Seat:
    """Pick a seat that may act; a running clock acts rarely, and seats that are ready may come back."""
    if CLOCK not in acting:
        return rng.choice(acting)
    if rng.random() < CLOCK_ACTS:
        return CLOCK
    return rng.choice([seat for seat in range(max(game.info.seats)) if game.legal_moves(state, seat)])


@st.composite
def random_games(draw: st.DrawFn, game: AnyGame, limit: int | None = None) -> RandomGame:
    """Draw a random game with random options, or the first `limit` steps of one."""
    options = draw(options_for(game))
    start = game.initial(draw(st.sampled_from(fitting_seats(game, options))), options)
    return play_randomly(game, start, draw(st.integers(0, 2**32)), limit or game.info.max_steps)


def viewers(play: RandomGame) -> list[int | None]:
    return [None, *play.seats]


def views_as_json(play: RandomGame, state: State) -> list[str]:
    """Return all views of a state as JSON."""
    return [json.dumps(play.game.view(state, viewer), allow_nan=False) for viewer in viewers(play)]


def to_match(play: RandomGame, seed: str | None = None) -> Match:
    """Convert a play to a match, or to one with the same choices but chance drawn from a seed."""
    match = Match.start(play.game, play.start, seed)
    rng = Random(seed)
    for step in play.steps:
        if seed is None:
            match = match.play(step.seat, step.move)
            continue
        acting = match.game.to_move(match.state)
        if not acting:
            break
        seat = pick_seat(match.game, match.state, acting, rng)
        match = match.play(seat, rng.choice(match.game.legal_moves(match.state, seat)))
    return match


def drop_running_turn(match: Match) -> Match:
    """Return the match without the steps of an unfinished turn."""
    while (
        match.entry is not None
        and match.parent is not None
        and match.game.to_move(match.state)
        and match.game.turn(match.state) == match.entry.turn
    ):
        match = match.parent
    return match
