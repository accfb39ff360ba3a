"""The course of the game against its slow twin: same steps for everybody, same hands, same points and places."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.engine.protocol import CHANCE, CLOCK
from realmtable.games.fantasy_realms.cards import names_of
from realmtable.games.fantasy_realms.state import State, Step
from tests.fantasy_realms import twin_game as twin
from tests.fantasy_realms.helpers import GAME

KINDS = [("standard", seats) for seats in range(2, 7)] + [
    ("two_player", 2),
    *(("chaos", seats) for seats in range(3, 8)),
]
CHOOSERS = {"Doppelgänger", "Mirage", "Shapeshifter", "Book of Changes"}


def random_options(rng: Random, variant: str) -> dict[str, Any]:
    return {
        "variant": variant,
        "free_first_discards": rng.random() < 0.3,
        "max_turns": rng.choice([20, 40, 300]),
        "max_steps": rng.choice([10, 60, 300]),
        "self_counts": rng.random() < 0.8,
        "ring": rng.choice(["inert", "together"]),
        "tie_break": rng.choice(["counted", "printed"]),
    }


def texts(state: State, seat: int) -> list[str]:
    """The steps of a seat, of chance or of the clock, as texts."""
    steps = [outcome.move for outcome in GAME.chance(state)] if seat == CHANCE else GAME.legal_moves(state, seat)
    return sorted(GAME.format_move(state, step) for step in steps)


def actor(seat: int) -> twin.Actor:
    return {CHANCE: twin.CHANCE, CLOCK: twin.CLOCK}.get(seat, seat)


def compare(seed: str, variant: str, seats: int) -> None:
    rng = Random(seed)
    options = random_options(rng, variant)
    state, other = GAME.initial(seats, GAME.options(None, **options)), twin.TwinGame.start(seats, options)
    while acting := GAME.to_move(state):
        everybody = range(seats) if CLOCK in acting else acting
        for seat in everybody:
            assert texts(state, seat) == other.steps(actor(seat)), (seed, GAME.encode(state))
        assert [set(names_of(hand)) for hand in state.hands] == twin_hands(other)
        seat = pick_seat(rng, acting)
        text = rng.choice(texts(state, seat))
        move: Step = GAME.parse_move(state, text)
        state = GAME.play(state, seat, move)
        other.play(actor(seat), text)
    assert other.is_over()
    if max(len(CHOOSERS & hand) for hand in other.hands) < 2:  # the twin tries every choice there is
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert (list(outcome.scores), list(outcome.ranking)) == (other.points(), other.places())


def twin_hands(other: twin.TwinGame) -> list[set[str]]:
    """The twin's hands; it keeps cards that are still to be chosen from (X7) apart."""
    return [hand | (other.drawn if seat == other.seat else set()) for seat, hand in enumerate(other.hands)]


def pick_seat(rng: Random, acting: tuple[int, ...]) -> int:
    """Somebody who acts; the clock seldom."""
    seated = [seat for seat in acting if seat != CLOCK]
    return CLOCK if CLOCK in acting and (not seated or rng.random() < 0.01) else rng.choice(seated)


@pytest.mark.parametrize(("variant", "seats"), KINDS)
def test_random_games_against_the_twin(variant: str, seats: int) -> None:
    """P1 to P6, W1 to W3, X1 to X8, N1, N2."""
    for number in range(2):
        compare(f"{variant} {seats} {number}", variant, seats)


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "seats"), KINDS)
@pytest.mark.parametrize("part", range(4))
def test_many_random_games_against_the_twin(variant: str, seats: int, part: int) -> None:
    """The same, 2,200 games in all."""
    for number in range(50):
        compare(f"many {variant} {seats} {part} {number}", variant, seats)
