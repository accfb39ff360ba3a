"""Realms of Etherium as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from collections.abc import Sequence

from realmtable.engine.protocol import (
    CardGallery,
    HandlePath,
    Panel,
    PictureLayer,
    Prompt,
    Reason,
    ScoreBreakdown,
    Seat,
    View,
)
from realmtable.games.realms_of_etherium import INFO, default_answers, observation, state, uses
from realmtable.games.realms_of_etherium.handles import handles
from realmtable.games.realms_of_etherium.kernels.layout import SEATS
from realmtable.games.realms_of_etherium.notation import step_notation, turn_notation
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.picture import gallery, panels, world
from realmtable.games.realms_of_etherium.rules_record import RULES
from realmtable.games.realms_of_etherium.state import State
from realmtable.games.realms_of_etherium.steps import STEP_TABLE, Step, code_of
from realmtable.games.realms_of_etherium.text import clicks, describe, news, notes, prompts, score_breakdown
from realmtable.kit.evaluation import expected_shares
from realmtable.kit.object_game import ObjectGame, ObjectGameSpec
from realmtable.kit.observations import Parts
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

    def count_actions(self) -> int:
        """Return the number of codes of steps, which are the actions."""
        return STEP_TABLE.size

    def action_of(self, state: State, seat: Seat, move: Step) -> int:  # noqa: ARG002 - as in every state
        """Return the code of a step."""
        return code_of(move)

    def move_of(self, state: State, seat: Seat, action: int) -> Step:  # noqa: ARG002 - as above
        """Return the step with a code."""
        return STEP_TABLE.step_of(action)

    def observe(self, view: View) -> Parts:
        """Return a view as numbers."""
        return observation.observe(view)

    def observation_grid(self) -> None:
        """Return None: the world grows."""

    def count_seats(self, state: State) -> int:
        """Return the number of players."""
        return state.position.item(SEATS)

    def evaluate(self, state: State, seat: Seat) -> float:
        """Return the share of the win that a seat can expect, without a search."""
        return expected_shares(RULES, state.position)[seat]

    def gains(self, state: State) -> dict[str, list[int]]:
        """Return the points and the Controlled Realms of each seat."""
        players = self.view(state, None)["players"]
        return {
            "point": [player["points"] for player in players],
            "Controlled Realm": [player["controlled"] for player in players],
        }

    def name_uses(self, state: State, seat: Seat, move: Step) -> list[str]:  # noqa: ARG002 - the state knows who acts
        """Return what a step does, and the tile it is about."""
        return uses.name_uses(state, move)

    def name_holdings(self, state: State) -> list[list[str]]:
        """Return the Realms that each seat controls."""
        return uses.name_holdings(state)

    def playouts(self, state: State, seeds: Sequence[int]) -> PlayoutNumbers:
        """Play one random game per seed inside the kernels."""
        kernels = specialise(PLAYOUT_SOURCE, "realmtable.kit", RULES)
        return run_kernel(kernels.play_many, state.position, seeds, RULES.reasons)

    def layers(self, view: View, theme: str = "auto") -> list[PictureLayer]:
        """Return the tiles under the picture."""
        return world.layers(view, theme)

    def panels(self, view: View) -> list[Panel]:
        """Return the players, the Reserves and the points."""
        return panels.panels(view)

    def gallery(self) -> CardGallery:
        """Return all tiles."""
        return gallery.gallery()

    def prompt(self, view: View) -> Prompt | None:
        """Return one sentence for the acting seat; nothing for other viewers."""
        return prompts.prompt(view)

    def note(self, view: View, handle: str) -> str:
        """Return what choosing a Realm or a tile would do."""
        return notes.note(view, handle)

    def describe_move(self, state: State, move: Step) -> str:
        """Return what a step does."""
        return describe.describe_step(state.position, move, state.after(code_of(move)).position)

    def news(self, state: State, seat: Seat, move: Step, viewer: Seat | None) -> str:  # noqa: ARG002 - the same for all
        """Return a step as something that has happened."""
        return news.report_step(state.position, seat, move, state.after(code_of(move)).position)

    def label(self, handle: str) -> str:
        """Return what to write on a button."""
        return describe.label(handle)

    def describes_button(self, handle: str) -> bool:
        """Whether a button says what its step does: most have a price."""
        return describe.describes_button(handle)

    def score_breakdowns(self, view: View) -> list[ScoreBreakdown]:
        """Return where the points came from."""
        return score_breakdown.score_breakdowns(view)

    def fold_label(self, state: State, move: Step) -> str:
        """Return one line for all draws of the set-up."""
        return describe.fold_label(state.position, move)

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

    def default_step(self, state: State, seat: Seat) -> Step:
        """Return the step of a player who does not answer out of turn (N9)."""
        return default_answers.default_step(self.legal_moves(state, seat))

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
        format_move=step_notation.step_text,
        parse_move=step_notation.parse_step,
        format_turn=turn_notation.format_turn,
        parse_turn=turn_notation.parse_turn,
        encode=state.encode,
        decode=state.decode,
        draw=world.draw,
        sketch=world.sketch,
        handles=handles,
    )
)
