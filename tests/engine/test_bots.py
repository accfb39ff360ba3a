"""Asking a bot for its next steps."""

from __future__ import annotations

from random import Random

import realmtable
from realmtable.engine.bots import non_proposal_moves, plan_steps
from realmtable.engine.protocol import AnyGame, Move, Seat, State
from tests.toys.dice_duel import DiceDuel

GAME = realmtable.game("classic_realm")
RNG = Random(1)


class FirstMove:
    """Takes the first legal step."""

    name = "first"

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:  # noqa: ARG002 - as the protocol says
        return game.legal_moves(state, seat)[0]


class Planner(FirstMove):
    """Plans two steps at once."""

    def plan(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Move]:  # noqa: ARG002 - as the protocol says
        return game.legal_moves(state, seat)[:2]


class Returning(FirstMove):
    """Acts again although it has finished."""

    def acts_again(self, game: AnyGame, state: State, seat: Seat) -> bool:  # noqa: ARG002 - as the protocol says
        return True


def test_a_bot_takes_one_step_unless_it_plans_its_turn() -> None:
    state = GAME.initial()
    moves = GAME.legal_moves(state, 0)
    assert plan_steps(FirstMove(), GAME, state, 0, RNG) == moves[:1]
    assert plan_steps(Planner(), GAME, state, 0, RNG) == moves[:2]


def test_a_seat_that_has_finished_acts_only_if_its_bot_wants_to() -> None:
    class FinishedDuel(DiceDuel):
        def to_move(self, state: State) -> tuple[Seat, ...]:  # noqa: ARG002 - no seat has to act
            return ()

        def legal_moves(self, state: State, seat: Seat) -> list[str]:  # noqa: ARG002 - but each seat may
            return ["roll"]

    game = FinishedDuel()
    state = game.initial()
    assert plan_steps(FirstMove(), game, state, 0, RNG) == []
    assert plan_steps(Returning(), game, state, 0, RNG) == ["roll"]


def test_proposals_are_left_out_where_a_game_has_some() -> None:
    realm = realmtable.game("realm")
    state = realm.decode("W:Bh11,Pg10 B:Bh2 move=W")
    kept = non_proposal_moves(realm, state, 0)
    assert len(kept) < len(realm.legal_moves(state, 0))
    duel = DiceDuel()
    assert non_proposal_moves(duel, duel.initial(), 0) == duel.legal_moves(duel.initial(), 0)
