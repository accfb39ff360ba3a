"""Fantasy Realms as a game object, put together from the parts in this folder."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from realmtable.engine.options import OptionValue, make_options
from realmtable.engine.protocol import (
    ChanceOutcome,
    GameInfo,
    HandlePath,
    Outcome,
    ParsedTurn,
    ScoreBreakdown,
    Seat,
    Span,
    Turn,
    View,
)
from realmtable.games.fantasy_realms import INFO, codec, news, notation, outcome, rules, secrecy
from realmtable.games.fantasy_realms import describe as wording
from realmtable.games.fantasy_realms import view as views
from realmtable.games.fantasy_realms.options import PRESETS, FantasyOptions
from realmtable.games.fantasy_realms.picture import card_points
from realmtable.games.fantasy_realms.picture import table as pictures
from realmtable.games.fantasy_realms.state import State, Step, first_state


class FantasyRealms:
    """The game; see `realmtable.engine.protocol.Game` for what each member promises."""

    info: GameInfo = INFO

    def options(self, preset: str | None = None, **values: OptionValue) -> FantasyOptions:
        """Checked options."""
        return make_options(FantasyOptions, PRESETS, preset, values)

    def initial(self, seats: int = 2, options: FantasyOptions | None = None) -> State:
        """The state before the deal."""
        return first_state(seats, options or FantasyOptions())

    def options_of(self, state: State) -> FantasyOptions:
        """The options a state is played under."""
        return state.options

    def to_move(self, state: State) -> tuple[Seat, ...]:
        """The seats that may act."""
        return rules.to_move(state)

    def turn(self, state: State) -> Turn:
        """The current turn."""
        return outcome.turn(state)

    def legal_moves(self, state: State, seat: Seat) -> list[Step]:
        """Every legal step of a seat."""
        return rules.legal_moves(state, seat)

    def chance(self, state: State) -> list[ChanceOutcome]:
        """What chance may do."""
        return rules.chance(state)

    def play(self, state: State, seat: Seat, move: Step) -> State:
        """The next state."""
        return rules.play(state, seat, move)

    def bot(self, level: int) -> Any:  # noqa: ANN401 - as the protocol says
        """The bot of a level."""
        from realmtable.games.fantasy_realms.bots.players import bot_for_level  # noqa: PLC0415 - most who play need no bot

        return bot_for_level(level)

    def advice(self, view: View, rng: Random) -> dict[str, Any]:
        """Advice for who sees a view."""
        from realmtable.games.fantasy_realms.bots.advice import advise_view  # noqa: PLC0415 - most who play ask for none

        return advise_view(view, rng)

    def clock_s(self, state: State) -> float:
        """How long trading lasts (X6)."""
        return float(state.options.trading_s)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return outcome.outcome(state)

    def view(self, state: State, seat: Seat | None) -> dict[str, Any]:
        """All that a seat may know."""
        return views.view(state, seat)

    def resample(self, state: State, seat: Seat, rng: Random) -> State:
        """A random state that fits what a seat may know."""
        return secrecy.resample(state, seat, rng)

    def format_move_for(self, state: State, seat: Seat, move: Step, viewer: Seat | None) -> str:
        """A step as far as a viewer may know it."""
        return secrecy.text_for_viewer(state, seat, move, viewer)

    def news(self, state: State, seat: Seat, move: Step, viewer: Seat | None) -> str:
        """A step as something that happened."""
        return news.news(state, seat, move, viewer)

    def fold_label(self, state: State, move: Step) -> str:
        """The line of the deal."""
        return news.deal_line(state, move)

    def score_breakdowns(self, view: View) -> list[ScoreBreakdown]:
        """How the scores came about."""
        return card_points.tallies(view)

    def format_move(self, state: State, move: Step) -> str:  # noqa: ARG002 - a step is written alike in every state
        """The text of a step."""
        return notation.format_move(move)

    def parse_move(self, state: State, text: str) -> Step:  # noqa: ARG002 - a text means the same in every state
        """The step a text stands for."""
        return notation.parse_move(text)

    def format_turn(self, state: State, moves: Sequence[Step]) -> str:  # noqa: ARG002 - as above
        """The text of a turn."""
        return notation.format_turn(moves)

    def parse_turn(self, state: State, text: str, *, running: bool = False) -> ParsedTurn:  # noqa: ARG002 - no step ends a turn
        """The steps of a turn."""
        return notation.parse_turn(state, text)

    def encode(self, state: State) -> str:
        """The state as a line of text."""
        return codec.encode(state)

    def decode(self, text: str) -> State:
        """The state of a line of text."""
        return codec.decode(text)

    def draw(self, view: View, theme: str = "auto") -> str:
        """The picture of a view."""
        return pictures.draw(view, theme)

    def sketch(self, view: View) -> Sequence[Sequence[Span]]:
        """The picture of a view for a terminal."""
        return pictures.sketch(view)

    def handles(self, view: View, move: Step) -> HandlePath:
        """The clicks that mean a step."""
        return views.handles(view, move)

    def describe_move(self, state: State, move: Step) -> str:
        """What a step does."""
        return wording.describe_step(state, move)

    def label(self, handle: str) -> str:
        """What to write on a button."""
        return wording.label(handle)


GAME = FantasyRealms()
