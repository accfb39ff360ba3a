"""Steps of one of many games, in a game for three seats with chance that is small enough to know."""

from __future__ import annotations

from typing import Any

import numpy as np

import realmtable
from realmtable.games.classic_realm.layout import OVER, PHASE, REASON, REPETITION
from realmtable.gpu.actions import GOES_ON
from realmtable.gpu.array_games import find_position, find_rules
from realmtable.gpu.backends import BATCH_SOURCE
from realmtable.gpu.kernel_runner import make_arrays
from realmtable.kit.playouts import CHOICES, REASONS0, STEPS, WINS0
from realmtable.kit.specialise import specialise
from tests.toys.share_tree import MAX_STEPS, SEATS, TREE, make_position, make_rules

KERNELS = specialise(BATCH_SOURCE, "realmtable.gpu", make_rules(TREE, "share_tree_batches"))
COUNT = 300


def make_games() -> dict[str, Any]:
    start = make_position(TREE, 0)
    facts = {"size": start.size, "capacity": MAX_STEPS, "seats": SEATS, "layout": "C", "seed": 3}
    arrays = make_arrays(np, COUNT, start, facts)
    KERNELS.step_all(*arrays.values(), 0)
    return arrays


def test_chance_acts_inside_a_step_and_shares_become_rewards() -> None:
    arrays = make_games()
    assert (arrays["seats"] == 0).all()
    assert arrays["legal_list"][0, : arrays["legal_count"][0]].tolist() == [0, 1, 2, 3]
    arrays["actions"][:] = 0  # Ann draws: she or Cid wins alone
    KERNELS.step_all(*arrays.values(), 0)
    assert (arrays["reasons"] > GOES_ON).all()
    won = (arrays["rewards"] == [1.0, -0.5, -0.5]).all(axis=1)
    lost = (arrays["rewards"] == [-0.5, -0.5, 1.0]).all(axis=1)
    assert (won ^ lost).all()
    assert 0.3 < won.mean() < 0.5  # 2 in 5
    arrays["actions"][:] = 1
    KERNELS.step_all(*arrays.values(), 0)
    assert (arrays["seats"] == 1).all()
    arrays["actions"][:] = 0
    KERNELS.step_all(*arrays.values(), 0)
    assert (arrays["rewards"] == np.array([0.25, 0.25, -0.5], dtype=np.float32)).all()  # Ann and Bob share the win


def test_playouts_count_steps_choices_and_winners() -> None:
    position = make_position(TREE, 0)
    stream, out = np.array([5], dtype=np.uint64), np.zeros(MAX_STEPS, dtype=np.int64)
    numbers = np.zeros(REASONS0 + 2, dtype=np.int64)
    for _ in range(30):
        KERNELS.copy_start(position, make_position(TREE, 0))
        while position[0] == 0:
            KERNELS.play_step(position, stream, out, numbers)
        KERNELS.add_result(position, numbers)
    assert numbers[REASONS0 + 1] == 30
    assert 60 <= numbers[STEPS] <= 90
    assert numbers[CHOICES] >= 30 * 4
    assert (numbers[WINS0 : WINS0 + SEATS] > 0).all()


def test_a_draw_between_two_gives_nothing() -> None:
    """Games for two have winners and no shares."""
    kernels = specialise(BATCH_SOURCE, "realmtable.gpu", find_rules(realmtable.game("classic_realm")))
    position = find_position(game := realmtable.game("classic_realm"), game.initial(2, None)).copy()
    position[[PHASE, REASON]] = OVER, REPETITION
    rewards = np.zeros(2, dtype=np.float32)
    kernels.write_rewards(position, rewards)
    assert rewards.tolist() == [0.0, 0.0]
    assert kernels.share_of(position, 0) == 0.5
