"""Our games in OpenSpiel. Importing this module registers them under one name, with the game as a parameter.

>>> import pyspiel
>>> game = pyspiel.load_game("python_realmtable(game=classic_realm)")
>>> game.num_players(), game.num_distinct_actions()
(2, 274)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.engine.extras import require_extra
from realmtable.engine.options import OptionValue, parse_pairs
from realmtable.engine.protocol import CHANCE, player_seats
from realmtable.rl.episode import GameSetup, rank_rewards
from realmtable.rl.history import Node, information_text

require_extra("openspiel")

import pyspiel  # noqa: E402 - after the check whether it is installed

NAME: Final = "python_realmtable"
MAX_SEATS: Final = 16
MAX_CHANCE: Final = 512  # outcomes; draws and shuffles happen card by card, so there are far fewer
PARAMETERS: Final[dict[str, Any]] = {
    "game": next(info.id for info in registry.infos() if info.presentation.featured),
    "seats": 0,  # 0: two, or the fewest that the options allow
    "preset": "",  # empty: the game's default
    "options": "",  # such as bases:11;enforcers:4; OpenSpiel's own texts have no place for = in a value
    "max_steps": 0,  # 0: the game's own limit
    "start_steps": 0,  # random steps before the first state, for small endgames
    "start_seed": 0,
}


def _make_type(setting: GameSetup | None) -> Any:  # noqa: ANN401 - of a package without types
    """Return what OpenSpiel knows of a game; without a setting, what is true of all games."""
    kinds, info = pyspiel.GameType, None if setting is None else setting.game.info
    is_zero_sum = setting is not None and setting.seats > 1
    return kinds(
        short_name=NAME,
        long_name="Realmtable" if info is None else f"Realmtable: {info.title}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC
        if info is None or info.chance
        else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if info is None or info.hidden
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if is_zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=MAX_SEATS,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


def parse_options(options_type: type, text: str) -> dict[str, OptionValue]:
    """Return the options of a text such as ``bases:11;agree_end:off``; raise `BadInput` if it cannot be parsed.

    A value may contain colons and semicolons, as manifests do: it ends where the next ``name:`` begins.

    >>> parse_options(registry.info("realm").options_type, "bases:11;agree_end:off;tie_break:enforcers")
    {'bases': 11, 'agree_end': False, 'tie_break': 'enforcers'}
    """
    pairs = re.split(r";\s*(?=\w+\s*:)", text.strip("; ")) if text.strip("; ") else []
    for pair in pairs:
        if ":" not in pair:
            raise BadInput(f"Write options as name:value, separated by semicolons, not {pair[:40]!r}.")
    return parse_pairs(options_type, [pair.replace(":", "=", 1) for pair in pairs])


class RealmtableGame(pyspiel.Game):
    """One of our games with its parameters."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        self.setting = GameSetup(
            given["game"],
            given["seats"] or None,
            given["preset"] or None,
            parse_options(registry.info(given["game"]).options_type, given["options"]),
            given["max_steps"] or None,
        )
        self.first = play_at_random(self.setting, given["start_steps"], given["start_seed"])
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setting.action_count,
            max_chance_outcomes=MAX_CHANCE if self.setting.game.info.chance else 0,
            num_players=self.setting.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if self.setting.seats > 1 else None,
            max_game_length=self.setting.max_steps,
        )
        super().__init__(_make_type(self.setting), info, params or {})

    def new_initial_state(self) -> RealmtableState:
        return RealmtableState(self)

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401 - of a package without types
        params: Mapping[str, Any] | None = None,
    ) -> ViewObserver:
        """Return what observes states: as an array, and as text."""
        if params:
            raise BadInput("Realmtable's observers take no parameters.")
        return ViewObserver(self.setting, remembers=iig_obs_type is not None and iig_obs_type.perfect_recall)


def play_at_random(setting: GameSetup, steps: int, seed: int) -> Node:
    """Return the state after some random steps of players and of chance; fewer if the game ends before."""
    game: Any = setting.game
    rng, state = np.random.default_rng(seed), setting.first
    for _ in range(steps):
        acting = game.to_move(state)
        if not acting:
            break
        outcomes = game.chance(state)
        moves = [outcome.move for outcome in outcomes] or game.legal_moves(state, acting[0])
        weights = [outcome.weight for outcome in outcomes] or [1] * len(moves)
        index = int(rng.choice(len(moves), p=np.array(weights) / sum(weights)))
        state = game.play(state, acting[0], moves[index])
    return Node(setting, state)


class RealmtableState(pyspiel.State):
    """A state. Where several seats choose at the same time, they are asked one after another."""

    def __init__(self, game: RealmtableGame) -> None:
        super().__init__(game)
        self.node = game.first

    def current_player(self) -> int:
        acting = self.node.acting
        if not acting:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if acting == (CHANCE,) else player_seats(acting)[0]

    def _legal_actions(self, player: int) -> list[int]:
        game, state = self.node.game, self.node.state
        return sorted(game.action_of(state, player, move) for move in game.legal_moves(state, player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance, numbered in their fixed order, and their probabilities."""
        outcomes = self.node.game.chance(self.node.state)
        total = sum(outcome.weight for outcome in outcomes)
        return [(index, outcome.weight / total) for index, outcome in enumerate(outcomes)]

    def _apply_action(self, action: int) -> None:
        player = self.current_player()
        self.node = self.node.after(CHANCE if player == pyspiel.PlayerId.CHANCE else player, action)

    def _action_to_string(self, player: int, action: int) -> str:
        game, state = self.node.game, self.node.state
        if player == pyspiel.PlayerId.CHANCE:
            return str(game.format_move(state, game.chance(state)[action].move))
        return str(game.format_move(state, game.move_of(state, player, action)))

    def is_terminal(self) -> bool:
        """Whether the game is over or was cut off."""
        return not self.node.acting

    def returns(self) -> list[float]:
        """Return the rewards of all seats: 0 unless the game has ended."""
        ended = self.node.game.outcome(self.node.state)
        return [0.0] * self.node.setting.seats if ended is None else [*rank_rewards(ended)]

    def __str__(self) -> str:
        return str(self.node.game.encode(self.node.state))


class ViewObserver:
    """Observes a state from a seat's view: as an array, and as text. See `open_spiel.python.observation`."""

    def __init__(self, setting: GameSetup, *, remembers: bool) -> None:
        self._setting = setting
        self._remembers = remembers  # whether the text stands for all that the seat has seen and done
        self.tensor: NDArray[np.float32] = np.zeros(int(np.prod(setting.observer.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(setting.observer.shape)}
        # Before each tensor, OpenSpiel asks for that of the first state, to find its size.
        self._observe = lru_cache(maxsize=2)(self._observe_node)

    def set_from(self, state: RealmtableState, player: int) -> None:
        """Update the array to what a player sees."""
        self.tensor[:] = self._observe(state.node, player)

    def _observe_node(self, node: Node, player: int) -> NDArray[np.float32]:
        return self._setting.observer.observe(self._setting.game.view(node.state, player)).ravel()

    def string_from(self, state: RealmtableState, player: int) -> str:
        return information_text(state.node, player) if self._remembers else state.node.text_for(player)


pyspiel.register_game(_make_type(None), RealmtableGame)
