"""Realms of Etherium as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.engine.protocol import HandlePath, Reason, Seat, View
from realmtable.engine.table_parts import NewsCard
from realmtable.games.realms_of_etherium import INFO, observation, state, uses
from realmtable.games.realms_of_etherium.kernels.layout import CONTROLLED, POINTS, SEATS, TO_PORTALS
from realmtable.games.realms_of_etherium.notation import step_notation, turn_notation
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.parts import cards, news, standing, turn
from realmtable.games.realms_of_etherium.parts.icons import icons as draw_icons
from realmtable.games.realms_of_etherium.picture import panels as panel_pictures
from realmtable.games.realms_of_etherium.picture import world
from realmtable.games.realms_of_etherium.picture.gallery import gallery as draw_gallery
from realmtable.games.realms_of_etherium.rules_record import RULES
from realmtable.games.realms_of_etherium.state import State
from realmtable.games.realms_of_etherium.steps import STEP_TABLE, Step, StepKind, code_of, step_of
from realmtable.games.realms_of_etherium.text import clicks, describe, prompts
from realmtable.kit.evaluation import expected_shares
from realmtable.kit.object_game import ObjectGame, ObjectGameSpec
from realmtable.kit.playouts import PLAYOUT_SOURCE, PlayoutNumbers, run_kernel
from realmtable.kit.rules import Position
from realmtable.kit.specialise import specialise

DEFAULT_STEPS: Final = (Step(StepKind.SKIP), Step(StepKind.TO, TO_PORTALS))


class EtheriumGame(ObjectGame[EtheriumOptions, State, Step]):
    """The game; `realmtable.engine.protocol` documents each member."""

    rules = RULES

    step_of = staticmethod(STEP_TABLE.step_of)
    observe = staticmethod(observation.observe)
    name_holdings = staticmethod(uses.name_holdings)
    layers = staticmethod(world.layers)
    panels = staticmethod(panel_pictures.panels)
    gallery = staticmethod(draw_gallery)
    prompt = staticmethod(prompts.prompt)
    note = staticmethod(prompts.note)
    label = staticmethod(describe.label)
    describes_button = staticmethod(describe.describes_button)
    score_breakdowns = staticmethod(panel_pictures.score_breakdowns)
    icons = staticmethod(draw_icons)
    seat_chips = staticmethod(standing.seat_chips)
    moment = staticmethod(standing.moment)
    tie_break = staticmethod(standing.tie_break)
    turn_steps = staticmethod(turn.turn_steps)
    choice_cards = staticmethod(cards.choice_cards)

    def position_of(self, state: State) -> Position:
        """Return the array of a state."""
        return state.position

    def count_actions(self) -> int:
        """Return the number of codes of steps, which are the actions."""
        return STEP_TABLE.size

    def action_of(self, state: State, seat: Seat, move: Step) -> int:  # noqa: ARG002 - as in every state
        """Return the code of a step."""
        return code_of(move)

    def move_of(self, state: State, seat: Seat, action: int) -> Step:  # noqa: ARG002 - as in every state
        """Return the step with a code."""
        return step_of(action)

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
        entries = {"point": POINTS, "Controlled Realm": CONTROLLED}
        seats = self.count_seats(state)
        return {gain: state.position[entry : entry + seats].tolist() for gain, entry in entries.items()}

    def name_uses(self, state: State, seat: Seat, move: Step) -> list[str]:  # noqa: ARG002 - the state knows who acts
        """Return what a step does, and the tile it is about."""
        return uses.name_uses(state, move)

    def playouts(self, state: State, seeds: Sequence[int]) -> PlayoutNumbers:
        """Play one random game per seed inside the kernels."""
        kernels = specialise(PLAYOUT_SOURCE, "realmtable.kit", RULES)
        return run_kernel(kernels.play_many, state.position, seeds, RULES.reasons)

    def describe_move(self, state: State, move: Step) -> str:
        """Return what a step does."""
        return describe.describe_step(state.position, move, state.after(code_of(move)).position)

    def news(self, state: State, seat: Seat, move: Step, viewer: Seat | None) -> str:  # noqa: ARG002 - the same for all
        """Return a step as something that has happened."""
        return describe.report_step(state.position, seat, move, state.after(code_of(move)).position)

    def news_card(self, state: State, seat: Seat, move: Step, viewer: Seat | None) -> NewsCard | None:  # noqa: ARG002 - as above
        """Return a step as a card."""
        return news.news_card(state, seat, move)

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
        """Decline what is asked out of turn; else go to the Portal, where nothing happens; else take the first (N9)."""
        legal = self.legal_moves(state, seat)
        return next((step for step in DEFAULT_STEPS if step in legal), legal[0])

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
        handles=clicks.handles,
    )
)
