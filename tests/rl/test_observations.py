"""Views become arrays: by the game's own numbers, or by a hash."""

from __future__ import annotations

import numpy as np
import pytest

import realmtable
from realmtable.engine.errors import BadInput
from realmtable.kit.observations import HASH_SIZE, hash_view
from realmtable.rl.episode import GameSetup
from realmtable.rl.observations import BOUND, Observer
from realmtable.rl.vector_env import VectorEnv
from tests.toys.dice_duel import DiceDuel

CONVERTED = [
    *((info.id, preset, min(info.seats)) for info in realmtable.infos() if info.compiled for preset in info.presets),
    ("realms_of_etherium", "standard", 3),
    ("realms_of_etherium", "player_powers", 6),
]


@pytest.mark.parametrize(("game_id", "preset", "seats"), CONVERTED)
def test_both_kinds_of_observations_say_the_same(game_id: str, preset: str, seats: int) -> None:
    """In random games, the arrays of vector environments follow from the observations of views."""
    for seed in range(2):
        vectors = VectorEnv(game_id, 1, preset=preset, seats=seats, seed=seed)
        observer = GameSetup(game_id, seats, preset).observer
        for number in range(150):
            if number % 3 == 0:
                view = vectors.game.view(vectors.state(0), int(vectors.seat[0]))
                found = observer.convert(observer.observe(view))
                assert found.planes.dtype == vectors.observations.planes.dtype
                for name, one, other in zip(
                    vectors.plane_names, found.planes, vectors.observations.planes[0], strict=True
                ):
                    assert np.array_equal(one, other), (name, view)
                assert dict(zip(vectors.number_names, found.numbers.tolist(), strict=True)) == dict(
                    zip(vectors.number_names, vectors.observations.numbers[0].tolist(), strict=True)
                )
            vectors.step(vectors.sample())


def test_games_without_arrays_are_not_converted() -> None:
    observer = GameSetup("fantasy_realms").observer
    with pytest.raises(BadInput, match="Fantasy Realms has no kernels"):
        observer.convert(np.zeros(observer.shape, np.float32))


def test_games_without_observations_are_hashed() -> None:
    game = DiceDuel()
    view = game.view(game.initial(2, game.options()), 0)
    observer = Observer(game, view)
    assert observer.shape == (HASH_SIZE,)
    assert observer.names == ("hash",)
    assert observer.observe(view).tolist() == np.array(hash_view(view), np.float32).tolist()


def test_a_hash_depends_on_every_value() -> None:
    first = {"turn": 3, "hand": ["King", {"card": "Queen", "open": True}], "discard": None, "low": -2.5}
    changed = [
        {**first, "turn": 4},
        {**first, "hand": ["Queen", {"card": "Queen", "open": True}]},
        {**first, "hand": ["King", {"card": "Queen", "open": False}]},
        {**first, "discard": "King"},
        {**first, "low": 2.5},
    ]
    hashes = [tuple(hash_view(view)) for view in (first, *changed)]
    assert len({*hashes}) == len(hashes)
    assert hash_view(first) == hash_view({**first})


def test_a_hash_stays_the_same_in_all_versions() -> None:
    numbers = hash_view({"turn": 3, "hand": ["King"]}, 8)
    assert [round(number, 3) for number in numbers] == [0.0, 0.0, 0.0, -1.386, 1.0, 0.0, 0.0, 0.0]


def test_numbers_are_limited() -> None:
    class Loud(DiceDuel):
        def observe(self, view: object) -> dict[str, float | list[float]]:
            return {"loud": 1e9, "low": [-1e9, 0.5]} if view else {}

        def observation_grid(self) -> None:
            return None

    game = Loud()
    view = game.view(game.initial(2, game.options()), 0)
    assert Observer(game, view).observe(view).tolist() == [BOUND, -BOUND, 0.5]
