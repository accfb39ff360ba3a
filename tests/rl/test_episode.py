"""Actions have numbers that mean one step each, and observations tell no more than views."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import realmtable
from realmtable.engine.errors import BadInput, BadOptions, NotYourTurn
from realmtable.engine.options import OptionValue
from realmtable.engine.protocol import Outcome
from realmtable.rl.episode import Episode, GameSetup, default_seats, rank_rewards
from tests.rl.settings import QUICK, list_seat_counts, list_single_options, play_randomly
from tests.toys.dice_duel import DiceDuel

# What is hidden in each way that a game hides something; the other games hide nothing.
HIDDEN = [
    ("fantasy_realms", "standard"),
    ("fantasy_realms", "chaos"),
    ("magic_realm", "first_game"),
    ("magic_realm", "first_fights"),
]


def states(game_id: str, preset: str, seed: int, most: int) -> list[Episode]:
    return play_randomly(GameSetup(game_id, None, preset), seed, most)


def check_numbers(episode: Episode) -> None:
    setting, game, state = episode.setting, episode.game, episode.state
    for seat in episode.acting:
        moves, actions = game.legal_moves(state, seat), episode.legal_actions(seat)
        assert actions, "a seat that acts has a legal action"
        assert len({*actions}) == len(moves), "no two legal steps have the same number"
        assert all(0 <= action < setting.action_count for action in actions)
        assert [game.move_of(state, seat, action) for action in actions] == moves
        assert np.flatnonzero(episode.mask(seat)).tolist() == sorted(actions)


@pytest.mark.parametrize(("game_id", "preset"), QUICK)
def test_legal_steps_have_numbers_of_their_own(game_id: str, preset: str) -> None:
    for episode in states(game_id, preset, 1, 60):
        check_numbers(episode)


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "name", "value"), list_single_options())
def test_legal_steps_have_numbers_with_every_option(game_id: str, name: str, value: OptionValue) -> None:
    setting = GameSetup(game_id, options={name: value})
    for episode in play_randomly(setting, 1, 60):
        check_numbers(episode)
        assert episode.observe(0).shape == setting.observer.shape


@pytest.mark.parametrize(("game_id", "preset"), HIDDEN)
def test_equal_views_give_equal_observations_and_actions(game_id: str, preset: str) -> None:
    rng = Random(5)
    for episode in states(game_id, preset, 2, 90)[::9]:
        game = episode.game
        for seat in episode.acting:
            other = Episode.__new__(Episode)
            other.__dict__.update(episode.__dict__)
            other.state = game.resample(episode.state, seat, rng)
            assert game.view(other.state, seat) == game.view(episode.state, seat)
            assert np.array_equal(other.observe(seat), episode.observe(seat))
            assert np.array_equal(other.mask(seat), episode.mask(seat))


@pytest.mark.parametrize(("game_id", "preset", "seats"), [row for row in list_seat_counts() if row[2] < 4])
def test_observations_keep_their_shape(game_id: str, preset: str, seats: int) -> None:
    setting = GameSetup(game_id, seats, preset)
    for episode in play_randomly(setting, 4, 40)[::8]:
        for seat in range(seats):
            observed = episode.observe(seat)
            assert observed.shape == setting.observer.shape
            assert observed.dtype == np.float32
            assert np.isfinite(observed).all()
            parts = episode.game.observe(episode.game.view(episode.state, seat))
            assert tuple(parts) == setting.observer.names


@pytest.mark.parametrize(("game_id", "preset"), QUICK)
def test_observations_change_with_the_game(game_id: str, preset: str) -> None:
    seen = {episode.observe(0).tobytes() for episode in states(game_id, preset, 3, 30)}
    assert len(seen) > 10


def test_the_same_seed_gives_the_same_game() -> None:
    setting = GameSetup("fantasy_realms", 3)
    first, second, other = (
        [setting.game.encode(episode.state) for episode in play_randomly(setting, seed, 30)] for seed in (7, 7, 8)
    )
    assert first == second != other


def test_chance_follows_the_weights() -> None:
    """The first card of Fantasy Realms is dealt evenly: no seat starts much more often than another."""
    setting = GameSetup("fantasy_realms", 2)
    rng = np.random.default_rng(1)
    starts = [Episode(setting, rng).game.view(Episode(setting, rng).state, None)["first"] for _ in range(200)]
    assert 70 < sum(starts) < 130


def test_a_seat_that_does_not_act_has_no_actions() -> None:
    episode = Episode(GameSetup("classic_realm"), np.random.default_rng(1))
    assert episode.legal_actions(1) == []
    assert not episode.mask(1).any()
    with pytest.raises(NotYourTurn, match="Seat 1 does not act now"):
        episode.play(1, 0)


def test_without_seats_the_fewest_from_two_on_are_taken() -> None:
    assert GameSetup("magic_realm").seats == 2
    assert GameSetup("fantasy_realms", preset="chaos").seats == 3
    assert GameSetup("magic_realm", 1).seats == 1


def test_options_are_passed_on() -> None:
    setting = GameSetup("realm", preset="short", options={"enforcers": 4})
    assert (setting.options.bases, setting.options.enforcers) == (11, 4)
    with pytest.raises(BadOptions):
        GameSetup("realm", options={"wings": 2})


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(BadInput, match="does not number its steps"):
        GameSetup(DiceDuel())
    with pytest.raises(BadInput, match="max_steps must be at least 1, not 0"):
        GameSetup("realm", max_steps=0)
    with pytest.raises(BadOptions, match="not 9"):
        GameSetup("fantasy_realms", 9)


def test_a_game_without_a_possible_number_of_seats_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = realmtable.game("realm")

    def refuse(seats: int, _: object) -> None:
        raise BadOptions(f"not for {seats}")

    monkeypatch.setattr(game, "initial", refuse)
    with pytest.raises(BadOptions, match="not for 2"):
        default_seats(game, None)


@pytest.mark.parametrize(
    ("ranking", "rewards"),
    [
        ((1, 2), (1, -1)),
        ((1, 1), (0, 0)),
        ((2, 1, 3), (0, 1, -1)),
        ((1, 2, 2, 4), (1, 0, 0, -1)),
        ((1, 1, 1, 4), (1 / 3, 1 / 3, 1 / 3, -1)),
    ],
)
def test_rewards_follow_the_ranking(ranking: tuple[int, ...], rewards: tuple[float, ...]) -> None:
    found = rank_rewards(Outcome((0.0,) * len(ranking), ranking, "", ""))
    assert found == pytest.approx(rewards)
    assert sum(found) == pytest.approx(0)


def test_a_single_seat_is_rewarded_for_its_goal() -> None:
    assert rank_rewards(Outcome((5,), (1,), "", "", (True,))) == (1.0,)
    assert rank_rewards(Outcome((5,), (1,), "", "", (False,))) == (-1.0,)
    assert rank_rewards(Outcome((5,), (1,), "", "")) == (-1.0,)
