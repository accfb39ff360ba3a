"""Steps of many games, in a game for three seats with chance that is small enough to know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import realmtable
import realmtable.kit
from realmtable.games.classic_realm.layout import OVER, PHASE, REASON, REPETITION
from realmtable.gpu.array_games import find_position, find_rules
from realmtable.gpu.kernel_runner import RESET as RUNNER_RESET
from realmtable.gpu.kernel_runner import make_arrays
from realmtable.kit.playouts import CHOICES, PLAYOUT_SOURCE, REASONS0, STEPS, WINS0
from realmtable.kit.rules import Position, Steps
from realmtable.kit.specialise import specialise
from realmtable.kit.vector_batch import NOTHING, REFUSED, RESET, Batch
from tests.toys.share_tree import MAX_STEPS, RESULT0, SEATS, TREE, make_position, make_rules

SOURCE = Path(realmtable.kit.__file__).with_name("vector_kernels.py")
RULES = make_rules(TREE, "share_tree_batches")
KERNELS = specialise(SOURCE, "realmtable.kit", RULES)
PLAYOUTS = specialise(PLAYOUT_SOURCE, "realmtable.kit", RULES)
COUNT = 300


def make_games(max_steps: int = 0) -> tuple[Any, Batch]:
    """Return actions and games that have started."""
    start = make_position(TREE, 0)
    facts = {"size": start.size, "capacity": MAX_STEPS, "seats": SEATS, "layout": "C", "seed": 3}
    arrays = make_arrays(np, COUNT, start, facts)
    actions, batch = arrays.pop("actions"), Batch(**arrays, max_steps=max_steps)
    step(batch, actions)
    return actions, batch


def step(batch: Batch, actions: Any, *, checks: bool = False) -> None:  # noqa: ANN401 - an array
    """Take a step as a GPU does, game by game, or as the CPU does, all at once."""
    if not checks:
        out = np.zeros(MAX_STEPS, dtype=np.int64)
        KERNELS.take_actions(batch, actions, 0, COUNT, out)
        KERNELS.list_actions(batch, 0, COUNT, out)
        return
    for game in range(COUNT):
        if not KERNELS.refuse_action(batch, actions, game):
            KERNELS.take_actions(batch, actions, game, game + 1, batch.legal_list[game])
            KERNELS.list_in_place(batch, game)


def test_a_program_compiled_ahead_of_time_resets_in_the_same_way() -> None:
    assert RUNNER_RESET == RESET == np.iinfo(np.int32).min


def test_chance_acts_inside_a_step_and_places_become_rewards() -> None:
    actions, batch = make_games()
    assert (batch.seats == 0).all()
    assert batch.legal_list[0].tolist() == [0, 1, 2, 3, *[NOTHING] * (MAX_STEPS - 4)]
    actions[:] = 0  # Ann draws: she or Cid wins alone
    step(batch, actions)
    assert (batch.reasons > 0).all()
    assert batch.terminated.all()
    won = (batch.rewards == [1.0, -0.5, -0.5]).all(axis=1)
    lost = (batch.rewards == [-0.5, -0.5, 1.0]).all(axis=1)
    assert (won ^ lost).all()
    assert 0.3 < won.mean() < 0.5  # 2 in 5
    actions[:] = 1
    step(batch, actions)
    assert (batch.seats == 1).all()
    assert not batch.rewards.any()
    actions[:] = 0
    step(batch, actions)
    assert (batch.rewards == np.array([0.5, 0.5, -1.0], dtype=np.float32)).all()  # Ann and Bob share places 1 and 2


def test_results_of_chance_leave_nothing_in_the_lists() -> None:
    """On a GPU, they are listed in the place of the legal actions, and there may be more of them."""
    start = make_position(TREE, 0)
    actions, batch = make_games()
    batch.legal_list[:] = NOTHING
    batch.legal_count[:] = 0
    actions[:] = 0  # two results of chance, then an end, then a new game with four actions
    KERNELS.take_actions(batch, actions, 5, 6, batch.legal_list[5])
    assert batch.legal_count[5] == 2
    assert batch.legal_list[5, :2].tolist() == [RESULT0, RESULT0 + 1]
    assert (batch.positions[5] == start).all()
    batch.legal_list[:, :7] = 9
    batch.legal_count[:] = 7  # as if seven had been in use
    KERNELS.list_in_place(batch, 5)
    KERNELS.list_actions(batch, 6, 7, np.zeros(MAX_STEPS, dtype=np.int64))
    assert batch.legal_list[5:7].tolist() == [[0, 1, 2, 3, *[NOTHING] * (MAX_STEPS - 4)]] * 2


def test_what_the_rules_leave_in_a_list_is_cleared() -> None:
    def write_more(position: Position, out: Steps) -> int:
        out[MAX_STEPS - 2 :] = 7
        count = RULES.legal_steps(position, out)
        out[min(count, MAX_STEPS - 1)] = 7
        return count

    rules = RULES._replace(game_id="share_tree_scratch", legal_steps=write_more, working_entry=MAX_STEPS - 2)
    _, batch = make_games()
    specialise(SOURCE, "realmtable.kit", rules).list_in_place(batch, 0)
    assert batch.legal_list[0].tolist() == [0, 1, 2, 3, *[NOTHING] * (MAX_STEPS - 4)]
    full = RULES._replace(game_id="share_tree_full", step_capacity=4)
    specialise(SOURCE, "realmtable.kit", full).list_in_place(batch, 0)
    assert batch.legal_list[0, :4].tolist() == [0, 1, 2, 3]


def test_an_illegal_action_leaves_its_game_as_it_was() -> None:
    actions, batch = make_games()
    actions[:] = 0
    step(batch, actions, checks=True)
    assert batch.rewards.any(axis=1).all()
    watched: list[Any] = [batch.positions, batch.legal_list, batch.drawn, batch.sample_streams]
    before = [array.copy() for array in watched]
    actions[:] = [1, 9] * (COUNT // 2)
    step(batch, actions, checks=True)
    assert batch.reasons.tolist() == [0, REFUSED] * (COUNT // 2)
    assert batch.lengths.tolist() == [1, 0] * (COUNT // 2)
    assert not batch.terminated.any()
    assert not batch.rewards.any()
    for array, same in zip(watched, before, strict=True):
        assert np.array_equal(array[1::2], same[1::2])
    actions[:] = [9, 1] * (COUNT // 2)
    step(batch, actions, checks=True)
    assert batch.lengths.tolist() == [1, 1] * (COUNT // 2)
    assert batch.reasons.tolist() == [REFUSED, 0] * (COUNT // 2)
    actions[:] = RESET
    step(batch, actions, checks=True)
    assert not batch.lengths.any()
    assert not batch.reasons.any()


def test_a_refusal_after_a_truncation_starts_a_new_count() -> None:
    actions, batch = make_games(max_steps=1)
    actions[:] = 1
    step(batch, actions, checks=True)
    assert batch.truncated.all()
    assert not batch.reasons.any()
    assert (batch.lengths == 1).all()
    actions[:] = 9
    step(batch, actions, checks=True)
    assert not batch.truncated.any()
    assert not batch.lengths.any()


def test_playouts_count_steps_choices_and_winners() -> None:
    position = make_position(TREE, 0)
    stream, out = np.array([5], dtype=np.uint64), np.zeros(MAX_STEPS, dtype=np.int64)
    numbers = np.zeros(REASONS0 + 2, dtype=np.int64)
    for _ in range(30):
        KERNELS.copy_start(position, make_position(TREE, 0))
        while position[0] == 0:
            PLAYOUTS.play_step(position, stream, out, numbers)
        PLAYOUTS.add_result(position, numbers)
    assert numbers[REASONS0 + 1] == 30
    assert 60 <= numbers[STEPS] <= 90
    assert numbers[CHOICES] >= 30 * 4
    assert (numbers[WINS0 : WINS0 + SEATS] > 0).all()


def test_a_draw_between_two_gives_nothing() -> None:
    """Games for two have winners and no ranks."""
    kernels = specialise(SOURCE, "realmtable.kit", find_rules(realmtable.game("classic_realm")))
    position = find_position(game := realmtable.game("classic_realm"), game.initial(2, None)).copy()
    position[[PHASE, REASON]] = OVER, REPETITION
    rewards = np.ones(2, dtype=np.float32)
    kernels.write_rewards(position, rewards)
    assert rewards.tolist() == [0.0, 0.0]
    assert [kernels.rank_of(position, seat) for seat in (0, 1)] == [1, 1]
