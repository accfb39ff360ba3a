"""Magic Realm as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

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
from realmtable.engine.table_parts import ChoiceCard, Moment, NewsCard, SeatChip, TurnStep
from realmtable.games.magic_realm import INFO, actions, notation, observation, outcome
from realmtable.games.magic_realm import standings as experiments
from realmtable.games.magic_realm import view as views
from realmtable.games.magic_realm.bots.advice import advise_view
from realmtable.games.magic_realm.bots.bot import MagicBot, bot_for_level
from realmtable.games.magic_realm.flow import codec
from realmtable.games.magic_realm.flow.handlers import MACHINE, first_state
from realmtable.games.magic_realm.flow.resample import resample
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.picture import excerpt, gallery, handles, icons, terminal, view_picture
from realmtable.games.magic_realm.text import (
    choice_cards,
    describe,
    moment,
    news,
    news_cards,
    notes,
    panels,
    prompts,
    reasons,
    scores,
    seat_chips,
    secrecy,
    topics,
    turn_steps,
)
from realmtable.games.magic_realm.world.step_text import format_step
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from realmtable.kit.object_game import ObjectGame, ObjectGameSpec
from realmtable.kit.observations import Parts


class MagicRealm(ObjectGame[MagicOptions, World, Step]):
    """The game; `realmtable.engine.protocol` documents each member."""

    def count_actions(self) -> int:
        """Return the number of actions."""
        return actions.numbering().size

    def action_of(self, state: World, seat: Seat, move: Step) -> int:
        """Return the number of a step."""
        return actions.action_of(state, seat, move)

    def move_of(self, state: World, seat: Seat, action: int) -> Step:
        """Return the legal step with a number."""
        return actions.find_move(state, seat, action, self.legal_moves(state, seat))

    def observe(self, view: View) -> Parts:
        """Return a view as numbers."""
        return observation.observe(view)

    def observation_grid(self) -> None:
        """Return None: the map is laid anew in each game."""

    def count_seats(self, state: World) -> int:
        """Return the number of players, each of whom has a character."""
        return len(state.heroes)

    def standings(self, state: World) -> list[int]:
        """Return the total of each seat if the game ended now."""
        return experiments.standings(state)

    def gains(self, state: World) -> dict[str, list[int]]:
        """Return what each seat has gained by kills, and its treasures."""
        return experiments.count_gains(state)

    def name_uses(self, state: World, seat: Seat, move: Step) -> list[str]:  # noqa: ARG002 - as in every state
        """Return the action of a step and what it is about."""
        return experiments.name_uses(move)

    def name_holdings(self, state: World) -> list[list[str]]:
        """Return the character and the treasures of each seat."""
        return experiments.name_holdings(state)

    def is_in_setup(self, state: World) -> bool:
        """Whether the map is laid and characters are chosen (M3 to M11)."""
        return state.part == "setup"

    def default_step(self, state: World, seat: Seat) -> Step:
        """Return the default answer of a seat in another seat's turn."""
        return outcome.choose_default(state, seat)

    def can_undo(self, state: World, seat: Seat, move: Step) -> bool:
        """Whether nobody else knows of a step: a choice of the set-up, of a written day or of a new life."""
        return secrecy.is_secret(state, seat, move, None)

    def split_move(self, view: View, text: str) -> list[str]:  # noqa: ARG002 - a text is split alike in every view
        """Return the steps of a text such as ``M BV4, H, done``."""
        return notation.split_steps(text)

    def format_move_for(self, state: World, seat: Seat, move: Step, viewer: Seat | None) -> str:
        """Return a step as far as a viewer may know it."""
        return secrecy.text_for_viewer(MACHINE, state, seat, move, viewer)

    def format_legal_moves(self, state: World, moves: Sequence[Step]) -> list[str]:  # noqa: ARG002 - as in every state
        """Return the texts of steps."""
        return [format_step(step) for step in moves]

    def list_handles(self, view: View, moves: Sequence[Step]) -> list[HandlePath]:
        """Return what to click for each step."""
        return handles.list_handles(view, moves)

    def news(self, state: World, seat: Seat, move: Step, viewer: Seat | None) -> str:
        """Return a step as something that happened."""
        return news.news(MACHINE, state, seat, move, viewer)

    def news_card(self, state: World, seat: Seat, move: Step, viewer: Seat | None) -> NewsCard | None:
        """Return the card of a step."""
        return news_cards.news_card(MACHINE, state, seat, move, viewer)

    def icons(self) -> Mapping[str, str]:
        """Return the icons of the page."""
        return icons.icons()

    def seat_chips(self, view: View) -> list[SeatChip]:
        """Return whether each character is hidden, its fame, notoriety and wounds, and the viewer's goals."""
        return seat_chips.seat_chips(view)

    def moment(self, view: View) -> Moment:
        """Return the day, its part, and who is awaited."""
        return moment.moment(view)

    def turn_steps(self, view: View) -> list[TurnStep]:
        """Return the phases of the viewer's day, or the parts of a round of combat."""
        return turn_steps.turn_steps(view)

    def choice_cards(self, view: View) -> list[ChoiceCard]:
        """Return what the viewer can choose, with what it means."""
        return choice_cards.choice_cards(view)

    def topics(self) -> Mapping[str, str]:
        """Return the topics by which the list of moves can be filtered."""
        return topics.TOPICS

    def topic(self, state: World, seat: Seat, move: Step, viewer: Seat | None) -> str:
        """Return the topic of a step."""
        return topics.topic(state, seat, move, viewer)

    def fold_label(self, state: World, move: Step) -> str:
        """Return the line that many draws of the set-up share."""
        return news.fold_label(state, move)

    def describe_move(self, state: World, move: Step) -> str:
        """Return what a step does."""
        return describe.describe_step_in(state, move)

    def describes_button(self, handle: str) -> bool:
        """Whether a button says what its step does."""
        return describe.describes_button(handle)

    def label(self, handle: str) -> str:
        """Return what to write on a button."""
        return describe.label(handle)

    def prompt(self, view: View) -> Prompt | None:
        """Return what the viewer is asked to do."""
        return prompts.prompt(view)

    def reason(self, view: View, path: HandlePath, handle: str) -> Reason | None:
        """Return why something cannot be chosen."""
        return reasons.reason(view, path, handle)

    def note(self, view: View, handle: str) -> str:
        """Return what choosing something would do."""
        return notes.note(view, handle)

    def panels(self, view: View) -> list[Panel]:
        """Return the character, its belongings, the plan and what the viewer knows of the land."""
        return panels.panels(view)

    def layers(self, view: View, theme: str = "auto") -> list[PictureLayer]:
        """Return the map under the pieces."""
        return view_picture.layers(view, theme)

    def excerpt(self, view: View) -> View:
        """Return what small pictures show: the tile in focus and its neighbours."""
        return excerpt.cut_out(view)

    def seat_name(self, view: View, seat: Seat) -> str:
        """Return the character of a seat."""
        return scores.seat_name(view, seat)

    def score_breakdowns(self, view: View) -> list[ScoreBreakdown]:
        """Return how the scores came about (Q8)."""
        return scores.score_breakdowns(view)

    def bot(self, level: int) -> MagicBot:
        """Return the bot of a level."""
        return bot_for_level(level)

    def advice(self, view: View, rng: Random) -> dict[str, Any]:
        """Advise a player on the plan of the day, or on any other choice."""
        return advise_view(view, rng)

    def gallery(self) -> CardGallery:
        """Return all characters, treasures and monsters."""
        return gallery.gallery()


GAME = MagicRealm(
    ObjectGameSpec(
        info=INFO,
        first_state=first_state,
        to_move=MACHINE.to_move,
        turn=outcome.turn,
        legal_moves=MACHINE.legal_moves,
        chance=MACHINE.chance,
        play=MACHINE.play,
        outcome=outcome.outcome,
        view=lambda state, seat: views.view(state, MACHINE, seat),
        resample=resample,
        format_move=format_step,
        parse_move=notation.parse_move,
        format_turn=notation.format_turn,
        parse_turn=notation.parse_turn,
        encode=codec.encode,
        decode=lambda text: codec.decode(MACHINE, text),
        draw=view_picture.draw,
        sketch=terminal.sketch,
        handles=handles.handles,
    )
)
