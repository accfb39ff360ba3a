"""Playouts: reproducible and counted correctly, in the kernels and step by step."""

from __future__ import annotations

import pytest

from realmtable.engine.options import OptionValue
from realmtable.engine.protocol import AnyGame, State
from realmtable.search import playout_speed
from realmtable.search.playout_speed import measure_playouts, play_out
from tests.conformance.random_games import GAMES, fitting_seats, game_id
from tests.seeds import mark_long
from tests.toys.dice_duel import DiceDuel
from tests.toys.secret_cards import SecretCards

DUEL, CARDS = DiceDuel(), SecretCards()
FIGURES = {
    "playouts_per_s",
    "steps_per_s",
    "steps_per_game",
    "branching",
    "turns_per_game",
    "outcomes",
    "games",
    "seconds",
}

ENDS_SOON: dict[str, dict[str, OptionValue]] = {"magic_realm": {"days": "7"}, "realms_of_etherium": {"max_rounds": 5}}
LONG = [game for game in GAMES if game.info.id in {"magic_realm", "modern_realm", "oriental_realm"}]
every_game = pytest.mark.parametrize("game", mark_long(GAMES, *LONG), ids=game_id)


def start_of(game: AnyGame) -> State:
    options = game.options(None, **ENDS_SOON.get(game.info.id, {}))
    return game.initial(fitting_seats(game, options)[-1], options)


@pytest.mark.long
@every_game
def test_the_numbers_add_up(game: AnyGame) -> None:
    numbers = play_out(game, start_of(game), [1, 2, 3, 4])
    assert numbers.games == 4 == sum(numbers.winners.values()) == sum(numbers.reasons.values())
    assert 4 <= numbers.turns <= numbers.steps
    assert set(numbers.winners) <= {"draw", *map(str, range(game.info.seats[-1]))}


@every_game
def test_the_same_seeds_give_the_same_games(game: AnyGame) -> None:
    state = start_of(game)
    both = play_out(game, state, [5])
    both.add(play_out(game, state, [6]))
    assert both == play_out(game, state, [5, 6])
    assert play_out(game, state, []).games == 0


def test_steps_are_counted_with_chance_and_choices_without() -> None:
    numbers = play_out(CARDS, CARDS.initial(2, CARDS.options(None, rounds=1, hand=2)), [1])
    assert (numbers.games, numbers.steps, numbers.turns) == (1, 4 + 2, 1)
    assert 2 <= numbers.choices <= 4
    assert numbers.reasons == {"rounds": 1}


def test_seeds_differ() -> None:
    assert len(play_out(DUEL, DUEL.initial(), list(range(20))).winners) > 1


@every_game
@pytest.mark.parametrize("threads", [1, 2])
def test_measuring(game: AnyGame, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playout_speed, "SLICE_S", 0.02)
    shares: list[float] = []
    measured = measure_playouts(game, start_of(game), seconds=0.05, threads=threads, on_progress=shares.append)
    figures = measured.as_dict()
    assert set(figures) >= FIGURES
    assert figures["games"] == measured.numbers.games >= threads
    assert figures["threads"] == threads
    assert measured.seconds >= 0.05
    assert shares == sorted(shares)
    assert all(0 <= share < 1 for share in shares)
    assert figures["playouts_per_s"] == pytest.approx(measured.numbers.games / measured.seconds, rel=0.01)
