"""Games as environments for reinforcement learning: PettingZoo, Gymnasium, OpenSpiel and arrays of games.

Nothing is imported before it is used, so each part needs only its own packages.

>>> from realmtable import rl
>>> env = rl.aec_env("classic_realm")  # PettingZoo, one agent after another
>>> env = rl.parallel_env("fantasy_realms", seats=3)  # PettingZoo, all agents at once
>>> env = rl.single_agent_env("realm", opponent="level1")  # Gymnasium, against a bot
>>> env = rl.vector("classic_realm", 2)  # many games in arrays

`import realmtable.rl.gym_env` registers the games with Gymnasium, and `import realmtable.rl.open_spiel` with OpenSpiel.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from realmtable.rl.evaluate import evaluate_policy
    from realmtable.rl.gym_env import make_single as single_agent_env
    from realmtable.rl.pettingzoo_env import make_aec as aec_env
    from realmtable.rl.pettingzoo_env import make_parallel as parallel_env
    from realmtable.rl.vector_env import VectorEnv as vector  # noqa: N813 - used like the functions

__all__ = ["aec_env", "evaluate_policy", "parallel_env", "single_agent_env", "vector"]

# What this package offers, and where it is: a module of this package and a name in it.
EXPORTS: Final = {
    "aec_env": ("pettingzoo_env", "make_aec"),
    "parallel_env": ("pettingzoo_env", "make_parallel"),
    "single_agent_env": ("gym_env", "make_single"),
    "evaluate_policy": ("evaluate", "evaluate_policy"),
    "vector": ("vector_env", "VectorEnv"),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - functions of several modules
    """Import what is asked for."""
    if name not in EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = EXPORTS[name]
    return getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
