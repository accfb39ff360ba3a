"""A Gymnasium environment for one agent: it plays one seat, and bots play the others.

Importing this module registers an environment for each game, such as ``realmtable/ClassicRealm-v0``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from realmtable.engine import registry
from realmtable.engine.bots import Bot
from realmtable.engine.errors import BadInput, Refused
from realmtable.engine.extras import require_extra
from realmtable.engine.options import OptionValue
from realmtable.engine.protocol import AnyGame, GameInfo, Seat
from realmtable.rl.episode import Episode, GameSetup, Mask
from realmtable.rl.observations import BOUND
from realmtable.rl.opponents import Opponent, choose_action, make_opponent
from realmtable.rl.rendering import RENDER_MODES, Picture, check_render_mode, render

require_extra("rl")

import gymnasium  # noqa: E402 - after the check whether it is installed
from gymnasium import spaces  # noqa: E402 - as above

NAMESPACE: Final = "realmtable"
SEED_LIMIT: Final = 2**32
LOST: Final = -1.0

SeatChoice = int | Literal["random"]
Info = dict[str, Any]


class SingleSeatEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One seat of a game; bots play the others. The observation is an array.

    ``info["action_mask"]`` and `action_masks` say which actions are legal. An illegal action loses the game at once,
    and ``info["illegal"]`` says why.
    """

    def __init__(
        self,
        setting: GameSetup,
        opponents: Sequence[Opponent],
        seat: SeatChoice = "random",
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        if seat != "random" and seat not in range(setting.seats):
            raise BadInput(f"seat must be random or a number below {setting.seats}, not {str(seat)[:20]}.")
        if len(opponents) not in (1, setting.seats - 1):
            raise BadInput(f"Name one opponent or {setting.seats - 1}, not {len(opponents)}.")
        self.setting = setting
        self.metadata = {"render_modes": [*RENDER_MODES], "render_fps": 2}
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(setting.action_count)
        self.observation_space = spaces.Box(-BOUND, BOUND, setting.observer.shape, np.float32)
        self.seat: Seat = 0
        self._seat_choice = seat
        self._bots: list[Bot] = [make_opponent(setting.game, opponent) for opponent in opponents]
        self._bot_rng = Random(0)  # noqa: S311 - seeded anew in each game; nothing here is a secret
        self._episode: Episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Info]:
        """Start a new game, and let bots play until it is the agent's turn."""
        super().reset(seed=seed, options=options)
        choice = self._seat_choice
        self.seat = int(self.np_random.integers(self.setting.seats)) if choice == "random" else choice
        self._bot_rng = Random(int(self.np_random.integers(SEED_LIMIT)))  # noqa: S311 - as above
        self._episode = Episode(self.setting, self.np_random)
        self._let_bots_play()
        return self._episode.observe(self.seat), self._describe()

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, Info]:
        """Play an action, and let bots play until it is the agent's turn again or the game is over."""
        episode = self._episode
        try:
            episode.play(self.seat, int(action))
        except (BadInput, Refused) as refusal:
            return episode.observe(self.seat), LOST, True, False, {**self._describe(), "illegal": str(refusal)}
        self._let_bots_play()
        reward = episode.rewards()[self.seat]
        over = episode.outcome is not None
        return episode.observe(self.seat), reward, over, episode.is_cut_off, self._describe()

    def action_masks(self) -> Mask:
        """Return a 1 for each legal action, and 0 for the others."""
        return self._episode.mask(self.seat)

    def render(self) -> Picture:
        """Return or print the picture of the game, as a spectator sees it."""
        return render(self._episode, self.render_mode)

    def _let_bots_play(self) -> None:
        episode = self._episode
        while self.seat not in episode.acting and episode.acting:
            self._play_bot(episode.acting[0])
        # Bots that choose at the same time as the agent choose first; nobody sees the choices before all are made.
        for seat in episode.acting:
            if seat != self.seat and seat in episode.acting and self.seat in episode.acting:
                self._play_bot(seat)

    def _play_bot(self, seat: Seat) -> None:
        place = (seat - self.seat) % self.setting.seats - 1
        bot = self._bots[place % len(self._bots)]
        self._episode.play(seat, choose_action(bot, self._episode, seat, self._bot_rng))

    def _describe(self) -> Info:
        """Return the legal actions, the agent's seat, and how the game ended."""
        return {"action_mask": self.action_masks(), "seat": self.seat, **self._episode.describe_end(self.seat)}


def make_single(  # noqa: PLR0913 - what an environment can be asked for
    game: str | AnyGame,
    *,
    opponent: Opponent | Sequence[Opponent] = "level1",
    seat: SeatChoice = "random",
    seats: int | None = None,
    preset: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    max_steps: int | None = None,
    render_mode: str | None = None,
) -> SingleSeatEnv:
    """Make an environment for one agent against bots.

    `opponent` is a bot's name such as ``level1``, a bot, or a function that returns a legal move of a state. It plays
    all other seats; a list has one for each, in the order of the seats after the agent's.
    """
    opponents = opponent if isinstance(opponent, list | tuple) else (opponent,)
    return SingleSeatEnv(GameSetup(game, seats, preset, options, max_steps), opponents, seat, render_mode)


def environment_id(info: GameInfo) -> str:
    """Return the name under which a game is registered with Gymnasium."""
    return f"{NAMESPACE}/{info.title.replace(' ', '')}-v0"


def _register_games() -> None:
    for info in registry.infos():
        gymnasium.register(environment_id(info), f"{__name__}:make_single", kwargs={"game": info.id})


_register_games()
