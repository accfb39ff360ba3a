"""Realms of Etherium as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from collections.abc import Sequence

from realmtable.engine.protocol import HandlePath, Prompt, Reason, Seat, View
from realmtable.games.realms_of_etherium import INFO, clicks, minimal_picture, notation, state, turn_notation
from realmtable.games.realms_of_etherium.handles import handles
from realmtable.games.realms_of_etherium.layout import REASONS
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.rules_record import RULES
from realmtable.games.realms_of_etherium.state import State
from realmtable.games.realms_of_etherium.steps import STEP_TABLE, Step
from realmtable.kit.evaluation import expected_shares
from realmtable.kit.object_game import ObjectGame, ObjectGameSpec
from realmtable.kit.playouts import PLAYOUT_SOURCE, PlayoutNumbers, run_kernel
from realmtable.kit.rules import Position
from realmtable.kit.specialise import specialise


class EtheriumGame(ObjectGame[EtheriumOptions, State, Step]):
    """The game; `realmtable.engine.protocol` documents each member."""

    rules = RULES

    def position_of(self, state: State) -> Position:
        """Return the array of a state."""
        return state.position

    def step_of(self, code: int) -> Step:
        """Return the step with a number."""
        return STEP_TABLE.step_of(code)

    def evaluate(self, state: State, seat: Seat) -> float:
        """Return the share of the win that a seat can expect, without a search."""
        return expected_shares(RULES, state.position)[seat]

    def playouts(self, state: State, seeds: Sequence[int]) -> PlayoutNumbers:
        """Play one random game per seed inside the kernels."""
        kernels = specialise(PLAYOUT_SOURCE, "realmtable.kit", RULES)
        return run_kernel(kernels.play_many, state.position, seeds, REASONS)

    def prompt(self, view: View) -> Prompt | None:
        """Return one sentence for the acting seat; nothing for other viewers."""
        return Prompt(text=minimal_picture.prompt_text(view)) if view["viewer"] in view["to_move"] else None

    def describe_move(self, state: State, move: Step) -> str:
        """Return what a step does."""
        return minimal_picture.describe_step(state, move)

    def label(self, handle: str) -> str:
        """Return what to write on a button."""
        return minimal_picture.label(handle)

    def reason(self, view: View, path: HandlePath, handle: str) -> Reason | None:
        """Return the clause that forbids what the clicks mean; it follows from the whole position."""
        if "position" not in view:
            return None
        now, chosen = self.decode(view["position"]), (*path, handle)
        legal = [step for seat in self.to_move(now) for step in self.legal_moves(now, seat)]
        if not legal or any(self.handles(view, step)[: len(chosen)] == chosen for step in legal):
            return None
        found = clicks.why_not_clicked(now.position, chosen)
        return None if found is None else Reason(*found)

    def is_in_setup(self, state: State) -> bool:
        """Whether colours, Reserves or the starting player are still being drawn."""
        return self.turn(state).number == 0


GAME = EtheriumGame(
    ObjectGameSpec(
        info=INFO,
        first_state=state.first_state,
        to_move=state.to_move,
        turn=state.turn,
        legal_moves=state.legal_moves,
        chance=state.chance,
        play=state.play,
        outcome=state.outcome,
        view=state.view,
        resample=state.resample,
        format_move=notation.step_text,
        parse_move=notation.parse_step,
        format_turn=turn_notation.format_turn,
        parse_turn=turn_notation.parse_turn,
        encode=state.encode,
        decode=state.decode,
        draw=minimal_picture.draw,
        sketch=minimal_picture.sketch,
        handles=handles,
    )
)
