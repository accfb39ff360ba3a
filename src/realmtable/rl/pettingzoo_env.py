"""PettingZoo environments: one agent after another (`SeatsEnv`), or all agents at once (`ParallelSeatsEnv`).

Agents are seats: ``seat_0``, ``seat_1`` and so on. An agent observes ``{"observation": …, "action_mask": …}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.errors import BadInput, Refused
from realmtable.engine.extras import require_extra
from realmtable.engine.options import OptionValue
from realmtable.engine.protocol import AnyGame
from realmtable.rl.episode import Episode, GameSetup
from realmtable.rl.observations import BOUND
from realmtable.rl.rendering import RENDER_MODES, Picture, check_render_mode, render

require_extra("rl")

from gymnasium import spaces  # noqa: E402 - after the check whether it is installed
from gymnasium.utils import seeding  # noqa: E402 - as above
from pettingzoo import AECEnv, ParallelEnv  # noqa: E402 - as above
from pettingzoo.utils import wrappers  # noqa: E402 - as above

Observed = dict[str, NDArray[Any]]
Info = dict[str, Any]
NO_ACTION: Final = -1  # never legal


class SeatAgents:
    """What both kinds of environments have in common: the agents, their spaces, the running episode and its picture."""

    def _set_up(self, setting: GameSetup, render_mode: str | None, *, waiting: bool) -> None:
        """Set the agents and what follows from them; with `waiting`, they have one more action, which means that."""
        check_render_mode(render_mode)
        self.setting = setting
        self.render_mode = render_mode
        self.metadata = {
            "name": f"realmtable_{setting.game.info.id}_v0",
            "render_modes": [*RENDER_MODES],
            "render_fps": 2,
            "is_parallelizable": True,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(setting.seats)]
        size = setting.action_count + waiting
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._make_observation_space(size) for agent in self.possible_agents}
        self.episode: Episode
        self._waiting = waiting
        self._rng: np.random.Generator | None = None

    def _make_observation_space(self, size: int) -> spaces.Dict:
        box = spaces.Box(-BOUND, BOUND, self.setting.observer.shape, np.float32)
        return spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (size,), np.int8)})

    def _start(self, seed: int | None) -> None:
        """Start a new episode; a seed makes its chance repeatable."""
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        self.episode = Episode(self.setting, self._rng)

    def observe(self, agent: str) -> Observed:
        """Return what an agent sees, and which actions it may take: none if it does not act."""
        seat = self.possible_agents.index(agent)
        mask = self.episode.mask(seat)
        if self._waiting:
            mask = np.append(mask, np.int8(not mask.any()))
        return {"observation": self.episode.observe(seat), "action_mask": mask}

    def _describe_agents(self, agents: list[str]) -> dict[str, Info]:
        """Return the info of each agent: the name of its seat, and how the game ended."""
        names = self.setting.game.info.seat_names
        seats = {agent: self.possible_agents.index(agent) for agent in agents}
        return {agent: {"seat_name": names[seat], **self.episode.describe_end(seat)} for agent, seat in seats.items()}

    def _reward_by_agent(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, self.episode.rewards(), strict=True))

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the actions of an agent: the numbers of all steps, and of waiting where all agents act at once."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def render(self) -> Picture:
        """Return or print the picture of the game, as a spectator sees it."""
        return render(self.episode, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def state(self) -> NDArray[np.float32]:
        """Return the observations of all agents, stacked in the order of the seats."""
        return np.stack([self.episode.observe(seat) for seat in range(len(self.possible_agents))])


class SeatsEnv(SeatAgents, AECEnv[str, Observed, int | None]):
    """A game in which one agent acts after another. Where choices are simultaneous, seats act in ascending order.

    An illegal action raises `IllegalMove`, which names the clause of the rules; nothing has changed then.
    """

    def __init__(self, setting: GameSetup, render_mode: str | None = None) -> None:
        super().__init__()
        self._set_up(setting, render_mode, waiting=False)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - none yet
        """Start a new game."""
        self._start(seed)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select_next_agent()

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent, then let chance act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        episode = self.episode
        episode.play(self.possible_agents.index(agent), NO_ACTION if action is None else action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._reward_by_agent()
        self.terminations = dict.fromkeys(self.agents, episode.outcome is not None)
        self.truncations = dict.fromkeys(self.agents, episode.is_cut_off)
        self._select_next_agent()
        self._accumulate_rewards()

    def _select_next_agent(self) -> None:
        """Update the infos, and select the next agent: the first that may act, or at the end the first of all."""
        self.infos = self._describe_agents(self.agents)
        acting = self.episode.acting
        self.agent_selection = self.possible_agents[acting[0]] if acting else self.agents[0]


class ParallelSeatsEnv(SeatAgents, ParallelEnv[str, Observed, int]):
    """A game in which all agents act at once; those that may not act take the last action, which means waiting.

    Actions are played in the order of the seats. One that is illegal, or that an earlier one of the same step has made
    impossible, is skipped; the agent's info says why under ``skipped``.
    """

    def __init__(self, setting: GameSetup, render_mode: str | None = None) -> None:
        self._set_up(setting, render_mode, waiting=True)
        self.agents: list[str] = []
        self.wait = setting.action_count  # the action that means waiting

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - none yet
    ) -> tuple[dict[str, Observed], dict[str, Info]]:
        """Start a new game."""
        self._start(seed)
        self.agents = [*self.possible_agents]
        return self._observe_all(), self._describe_agents(self.agents)

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Play the actions of all agents that may act now."""
        episode, skipped = self.episode, {}
        for seat in episode.acting:
            agent = self.possible_agents[seat]
            action = actions.get(agent, self.wait)
            if action == self.wait:
                continue
            try:
                episode.play(seat, action)
            except (BadInput, Refused) as refusal:
                skipped[agent] = str(refusal)
        infos = self._describe_agents(self.agents)
        for agent, reason in skipped.items():
            infos[agent]["skipped"] = reason
        over, cut_off = episode.outcome is not None, episode.is_cut_off
        result = (
            self._observe_all(),
            self._reward_by_agent(),
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, cut_off),
            infos,
        )
        if over or cut_off:
            self.agents = []
        return result

    def _observe_all(self) -> dict[str, Observed]:
        return {agent: self.observe(agent) for agent in self.agents}


def make_aec(  # noqa: PLR0913 - what an environment can be asked for
    game: str | AnyGame,
    *,
    seats: int | None = None,
    preset: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    max_steps: int | None = None,
    render_mode: str | None = None,
    illegal: Literal["raise", "lose"] = "raise",
) -> AECEnv[str, Observed, int | None]:
    """Make an environment in which one agent acts after another.

    `illegal` says what an illegal action does: it raises `IllegalMove`, or its agent loses and the game ends.
    `max_steps` cuts games off. Without `seats` there are two, or the fewest that the options allow.
    """
    env = SeatsEnv(GameSetup(game, seats, preset, options, max_steps), render_mode)
    if illegal == "lose":
        return wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(env)


def make_parallel(
    game: str | AnyGame,
    *,
    seats: int | None = None,
    preset: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    max_steps: int | None = None,
    render_mode: str | None = None,
) -> ParallelSeatsEnv:
    """Make an environment in which all agents act at once; those that may not act wait."""
    return ParallelSeatsEnv(GameSetup(game, seats, preset, options, max_steps), render_mode)
