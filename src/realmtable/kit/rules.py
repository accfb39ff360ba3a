"""The rules of a game whose states are arrays, as one record: states, searches and playouts all work from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from types import ModuleType
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import Move, Seat, State

Position = NDArray[np.int64]
Steps = NDArray[np.int64]  # step numbers; only the first few entries are in use
# One entry per feature: seat 0's amount minus seat 1's. In games for several seats, all amounts of seat 0, then all of
# seat 1, and so on.
Measures = NDArray[np.float64]

NO_WINNER = -1  # what `Rules.winner_of` returns if no seat has won alone


class Feature(NamedTuple):
    """Something that positions are evaluated by."""

    name: str
    words: str  # for people, in the plural: "Realms"
    # What one is worth. In a position worth x the expected score is (1 + tanh x) / 2; with several seats, the expected
    # shares of the win are in proportion to exp x.
    weight: float


class History(NamedTuple):
    """Where a position keeps the keys of earlier positions: they fill the array's end from `first` on."""

    first: int
    count_entry: int  # the entry that holds their number; later entries mean nothing

    def keys(self, position: Position) -> list[int]:
        return [int(key) for key in position[self.first : self.first + position[self.count_entry]]]

    def store(self, position: Position, keys: list[int]) -> None:
        position[self.first : self.first + len(keys)] = keys
        position[self.count_entry] = len(keys)


@dataclass(frozen=True)
class SearchParameters:
    """How to search a game; the settings are explained in `search/mcts/tree.py`, in the same order."""

    explore: float = 1.0
    temperature: float = 0.12
    width: float = 4.0
    widening: float = 1.5
    mix: float = 0.3
    noise: float = 0.0
    broad: bool = False
    contempt: float = 0.0  # how much worse than even the searching seat considers a draw
    samples: int = 3
    results: float = 0.7
    paranoid: bool = False
    own_turn: bool = False
    idle_cost: float = 0.0
    plain: bool = False  # in a game for two: textbook UCT with random playouts and no evaluation
    weights: tuple[float, ...] | None = None  # instead of the features' own

    def settings(self, seat: Seat) -> list[float]:
        """Return the settings of a search by this seat as numbers: the fields before `plain`."""
        own = replace(self, contempt=self.contempt if seat else -self.contempt)
        names = [field.name for field in fields(self)]
        return [float(getattr(own, name)) for name in names[: names.index("plain")]]


class Rules(NamedTuple):
    """The kernels of one game, where its positions keep what every game has, and how it is searched best."""

    game_id: str
    module: str  # the module that holds this record under the name RULES; pickled states find it there
    legal_steps: Callable[[Position, Steps], int]  # writes the legal steps in ascending order, returns their number
    apply_step: Callable[[Position, int], None]  # carries out a legal step, or a result of chance, in place
    key: Callable[[Position], int]  # equal for equal states
    winner_of: Callable[[Position], int]  # of a finished game: the only winner, or NO_WINNER
    is_path_independent: Callable[[Position], bool]  # whether a finished game would have ended so whatever came before
    measure: Callable[[Position, Measures], None]  # writes the measures of an unfinished position
    features: tuple[Feature, ...]
    seat_entry: int  # the entry of a position that holds the acting seat, or CHANCE
    turns_entry: int  # the number of completed turns
    reason_entry: int  # why the game ended, by number; 0 while it goes on
    reasons: tuple[str, ...]  # the names of those numbers; the first is empty
    step_codes: int  # steps are the numbers below it
    step_capacity: int  # the entries that a list of legal steps needs
    # From this entry of a list on, `legal_steps` keeps working memory. Before it, it may write one after the last.
    working_entry: int | None = None
    phase_entry: int | None = None  # the phase by number, if the game has phases: the next steps depend on it most
    phases: tuple[str, ...] = ()  # the names of those numbers
    steps_without_proposals: Callable[[Position, Steps], int] | None = None  # `legal_steps` if there are no proposals
    # The weight of a result of chance; `legal_steps` lists the results while chance acts. None: chance never acts.
    chance_weight: Callable[[Position, int], int] | None = None
    seats_entry: int | None = None  # the entry that holds the number of seats; None if the game is always for two
    share_of: Callable[[Position, int], float] | None = None  # a seat's share of the win; needed with `seats_entry`
    rank_of: Callable[[Position, int], int] | None = None  # a seat's rank at the end; needed with `seats_entry`
    # Whether a position can be evaluated as it stands; if not, searches evaluate its best step instead. None: all can.
    is_quiet: Callable[[Position], bool] | None = None
    # Adds what a step has changed, given the positions before and after it, to the counts of a game, for statistics.
    tally_step: Callable[[Position, Position, NDArray[np.int64]], None] | None = None
    tally_size: int = 0
    # `measure` with a memory of the position before, for searches, which evaluate many similar ones. The memory is all
    # zeros at first; then it is used for positions of one match only, always with the same measures.
    measure_changes: Callable[[Position, Measures, NDArray[np.int64]], None] | None = None
    memory_size: int = 0
    # Whether the next result of chance is followed by a decision and changes no measure. None: never.
    is_irrelevant_chance: Callable[[Position], bool] | None = None
    # Whether the acting seat of the first position has let its turn pass although it should do something; the second
    # position is one of the next turn. None: never.
    is_standstill: Callable[[Position, Position], bool] | None = None
    history: History | None = None
    win_cuts_turn: bool = False  # whether a winning turn is not counted as completed
    bold_weights: tuple[float, ...] | None = None  # for opponents who should take risks instead of holding a draw
    search_parameters: SearchParameters = SearchParameters()
    signature_nodes: int = 30  # per search of the bench signature; fewer if each node evaluates hundreds of positions

    @property
    def has_several_seats(self) -> bool:
        """Whether the game can be played by more than two."""
        return self.seats_entry is not None

    def is_over(self, position: Position) -> bool:
        return position.item(self.reason_entry) != 0

    def content(self, position: Position) -> Position:
        """Return the part of a position that distinguishes states."""
        if self.history is None:
            return position
        return position[: self.history.first + position.item(self.history.count_entry)]


@runtime_checkable
class HasRules(Protocol):
    """A game that can be searched inside compiled code."""

    @property
    def rules(self) -> Rules:
        """Its kernels and how they are searched best."""


@runtime_checkable
class HasArrayRules(HasRules, Protocol):
    """A game with `Rules` that gives access to its states as arrays."""

    def position_of(self, state: State) -> Position:
        """Return the array of a state; do not modify it."""

    def step_of(self, code: int) -> Move:
        """Return the step with a number."""


def make_rules(  # noqa: PLR0913 - what differs between games
    module: str,
    position: ModuleType,
    evaluation: ModuleType,
    legal_steps: Callable[[Position, Steps], int],
    apply_step: Callable[[Position, int], None],
    key: Callable[[Position], int],
    *,
    search_parameters: SearchParameters,
    **others: Any,  # noqa: ANN401 - the optional fields of `Rules`
) -> Rules:
    """Build the rules of a game from its folder; `module` is the module that keeps them as RULES.

    The module `position` holds the entries SEAT, TURNS and REASON, the names REASONS, STEP_CODES, MAX_STEPS, a
    PIECE_LIST if lists of steps hold one too, a PHASE and PHASES if the game has phases, and a HISTORY if positions
    keep one; `evaluation` holds `winner_of`, `is_path_independent`, `measure` and FEATURES, and the weights of features
    as BOLD_WEIGHTS if there are bold ones.
    """
    bold = getattr(evaluation, "BOLD_WEIGHTS", None)
    return Rules(
        game_id=module.split(".")[-2],
        module=module,
        legal_steps=legal_steps,
        apply_step=apply_step,
        key=key,
        winner_of=evaluation.winner_of,
        is_path_independent=evaluation.is_path_independent,
        measure=evaluation.measure,
        features=evaluation.FEATURES,
        seat_entry=position.SEAT,
        turns_entry=position.TURNS,
        reason_entry=position.REASON,
        reasons=position.REASONS,
        step_codes=position.STEP_CODES,
        phase_entry=getattr(position, "PHASE", None),
        phases=getattr(position, "PHASES", ()),
        step_capacity=position.MAX_STEPS,
        working_entry=getattr(position, "PIECE_LIST", None),
        history=getattr(position, "HISTORY", None),
        bold_weights=bold and tuple(bold.get(feature.name, 0.0) for feature in evaluation.FEATURES),
        search_parameters=search_parameters,
        **others,
    )
