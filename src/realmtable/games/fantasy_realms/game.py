"""Fantasy Realms as a game object, assembled from the modules in this folder."""

from __future__ import annotations

from random import Random
from typing import Any

from realmtable.engine.bots import Bot
from realmtable.engine.protocol import HandlePath, Judgement, Prompt, Reason, Seat, View
from realmtable.games.fantasy_realms import (
    INFO,
    actions,
    codec,
    describe,
    notation,
    observation,
    outcome,
    prompts,
    refusals,
    rules,
    secrecy,
)
from realmtable.games.fantasy_realms import standings as experiments
from realmtable.games.fantasy_realms import view as views
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.parts import news as news_cards
from realmtable.games.fantasy_realms.parts import standing
from realmtable.games.fantasy_realms.picture import card, deck_panel, final_scores
from realmtable.games.fantasy_realms.picture import table as pictures
from realmtable.games.fantasy_realms.state import State, Step, first_state
from realmtable.kit.object_game import ObjectGame, ObjectGameSpec


class FantasyRealms(ObjectGame[FantasyOptions, State, Step]):
    """The game; `realmtable.engine.protocol` documents each member."""

    observe = staticmethod(observation.observe)
    standings = staticmethod(experiments.standings)
    gains = staticmethod(experiments.count_gains)
    name_holdings = staticmethod(experiments.name_holdings)
    format_move_for = staticmethod(secrecy.text_for_viewer)
    news = staticmethod(describe.news)
    fold_label = staticmethod(describe.deal_line)
    score_breakdowns = staticmethod(final_scores.tallies)
    panels = staticmethod(deck_panel.deck_panel)
    icons = staticmethod(standing.icons)
    seat_chips = staticmethod(standing.seat_chips)
    turn_steps = staticmethod(standing.turn_steps)
    moment = staticmethod(standing.moment)
    tie_break = staticmethod(standing.tie_break)
    news_card = staticmethod(news_cards.news_card)
    gallery = staticmethod(card.gallery)
    note = staticmethod(prompts.describe_choice)
    describe_move = staticmethod(describe.describe_step)
    label = staticmethod(describe.label)

    def bot(self, level: int) -> Bot:
        """Return the bot of a level."""
        from realmtable.games.fantasy_realms.bots.bot import bot_for_level  # noqa: PLC0415 - often not needed

        return bot_for_level(level)

    def advice(self, view: View, rng: Random) -> dict[str, Any]:
        """Return advice for the viewer."""
        from realmtable.games.fantasy_realms.bots.advice import advise_view  # noqa: PLC0415 - often not needed

        return advise_view(view, rng)

    def why_not_judged(self, state: State) -> str:
        """Return why a game is not judged; empty if it is."""
        from realmtable.games.fantasy_realms.bots.judgement import why_not_judged  # noqa: PLC0415 - as above

        return why_not_judged(state)

    def judge(self, view: View, move: Step, rng: Random) -> Judgement | None:
        """Judge a step of drawing or discarding by what its seat could know."""
        from realmtable.games.fantasy_realms.bots.judgement import judge  # noqa: PLC0415 - often not needed

        return judge(view, move, rng)

    def count_actions(self) -> int:
        """Return the number of actions."""
        return actions.ACTION_COUNT

    def action_of(self, state: State, seat: Seat, move: Step) -> int:  # noqa: ARG002 - a step means the same for all
        """Return the number of a step."""
        return actions.action_of(move)

    def move_of(self, state: State, seat: Seat, action: int) -> Step:  # noqa: ARG002 - a number means the same for all
        """Return the step with a number."""
        return actions.move_of(action)

    def observation_grid(self) -> None:
        """Return None: there is no board."""

    def count_seats(self, state: State) -> int:
        """Return the number of players, each of whom has a hand."""
        return len(state.hands)

    def name_uses(self, state: State, seat: Seat, move: Step) -> list[str]:  # noqa: ARG002 - as in every state
        """Return the card that a step is about."""
        return experiments.name_uses(move)

    def clock_s(self, state: State) -> float:
        """Return how long trading lasts (X6)."""
        return float(state.options.trading_s)

    def clock_phase(self, state: State) -> str:  # noqa: ARG002 - only trading has a clock
        """Return what everyone does until the clock acts (X6)."""
        return "Trading"

    def prompt(self, view: View) -> Prompt | None:
        """Return what a viewer with a legal step is asked to do."""
        return Prompt(text=prompts.prompt_text(view)) if view["moves"] else None

    def reason(self, view: View, path: HandlePath, handle: str) -> Reason | None:
        """Return why a card or the deck cannot be chosen."""
        found = refusals.why_not_clicked(view, path, handle)
        return None if found is None else Reason(*found)


GAME = FantasyRealms(
    ObjectGameSpec(
        info=INFO,
        first_state=first_state,
        to_move=rules.to_move,
        turn=outcome.turn,
        legal_moves=rules.legal_moves,
        chance=rules.chance,
        play=rules.play,
        outcome=outcome.outcome,
        view=views.view,
        resample=secrecy.resample,
        format_move=notation.format_move,
        parse_move=notation.parse_move,
        format_turn=notation.format_turn,
        parse_turn=notation.parse_turn,
        encode=codec.encode,
        decode=codec.decode,
        draw=pictures.draw,
        sketch=pictures.sketch,
        handles=views.handles,
    )
)
