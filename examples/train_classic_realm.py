"""Train a network to play Classic Realm by proximal policy optimisation (PPO), against a bot.

    pip install 'realmtable[rl]' torch
    python examples/train_classic_realm.py --minutes 5

The network first plays like the random bot; after a few minutes it beats it in most games.
`--save policy.pt` keeps the network.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from typing import Any

import numpy as np

from realmtable import rl

try:
    import torch
except ModuleNotFoundError:
    sys.exit("This example needs PyTorch: pip install torch.")

GAME = "classic_realm"
ENVS, STEPS = 16, 128  # environments, and steps of each between two updates
EPOCHS, BATCH, CLIP = 3, 512, 0.2
DISCOUNT, SMOOTHING = 0.99, 0.95  # of rewards, and of advantages
ENTROPY, RATE = 0.01, 3e-4
MAX_STEPS = 400  # a longer game is cut off


class Network(torch.nn.Module):
    """Scores all actions and estimates the reward, from an observation."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(
            torch.nn.Flatten(), torch.nn.Linear(size, 256), torch.nn.ReLU(), torch.nn.Linear(256, 256), torch.nn.ReLU()
        )
        self.policy, self.value = torch.nn.Linear(256, actions), torch.nn.Linear(256, 1)

    def forward(self, seen: Any, mask: Any) -> tuple[Any, Any]:
        """Return the distribution over legal actions, and the expected reward."""
        hidden = self.body(seen)
        logits = self.policy(hidden).masked_fill(mask == 0, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(hidden).squeeze(-1)


def collect(envs: list[Any], now: list[tuple[Any, Any]], network: Network) -> tuple[dict[str, Any], list[float]]:
    """Play some steps in each environment; return what happened and the rewards of finished games."""
    rows: dict[str, list[Any]] = {name: [] for name in ("seen", "mask", "action", "log", "value", "reward", "over")}
    results = []
    for _ in range(STEPS):
        seen = torch.as_tensor(np.stack([observation for observation, _ in now]))
        mask = torch.as_tensor(np.stack([legal for _, legal in now]))
        with torch.no_grad():
            policy, value = network(seen, mask)
        action = policy.sample()
        rewards, overs = np.zeros(len(envs), np.float32), np.zeros(len(envs), np.float32)
        for index, env in enumerate(envs):
            observation, rewards[index], ended, cut_off, info = env.step(action[index].item())
            if ended or cut_off:
                results.append(float(rewards[index]))
                overs[index] = 1
                observation, info = env.reset()
            now[index] = observation, info["action_mask"]
        values = seen, mask, action, policy.log_prob(action), value, torch.as_tensor(rewards), torch.as_tensor(overs)
        for name, item in zip(rows, values, strict=True):
            rows[name].append(item)
    played = {name: torch.stack(items) for name, items in rows.items()}
    with torch.no_grad():
        _, after = network(*(torch.as_tensor(np.stack(part)) for part in zip(*now, strict=True)))
    played["advantage"] = find_advantages(played, after)
    return {name: items.flatten(0, 1) for name, items in played.items()}, results


def find_advantages(played: dict[str, Any], after: Any) -> Any:
    """Return how much better each action was than expected (generalised advantage estimation)."""
    advantages, running = torch.zeros_like(played["value"]), torch.zeros_like(after)
    for step in reversed(range(STEPS)):
        going_on = 1 - played["over"][step]
        surprise = played["reward"][step] + DISCOUNT * after * going_on - played["value"][step]
        running = advantages[step] = surprise + DISCOUNT * SMOOTHING * going_on * running
        after = played["value"][step]
    return advantages


def update(network: Network, optimiser: Any, played: dict[str, Any]) -> None:
    """Make actions that were better than expected more likely, within limits."""
    target = played["advantage"] + played["value"]
    advantage = (played["advantage"] - played["advantage"].mean()) / (played["advantage"].std() + 1e-8)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(target)).split(BATCH):
            policy, value = network(played["seen"][rows], played["mask"][rows])
            ratio = (policy.log_prob(played["action"][rows]) - played["log"][rows]).exp()
            gain = torch.min(ratio * advantage[rows], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[rows])
            loss = -gain.mean() + 0.5 * (value - target[rows]).square().mean() - ENTROPY * policy.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()


def report(network: Network, rounds: int) -> None:
    """Print the network's score against the weakest bots."""

    def choose(observed: dict[str, Any]) -> int:
        with torch.no_grad():
            policy, _ = network(*(torch.as_tensor(observed[name])[None] for name in ("observation", "action_mask")))
        return int(policy.probs.argmax())

    for result in rl.evaluate_policy(choose, GAME, opponents=["level1", "level2"], rounds=rounds, max_steps=MAX_STEPS):
        print("   against", result)


def main() -> None:
    """Train for some minutes, with a report before and after."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--opponent", default="level1", help="the bot to train against")
    parser.add_argument("--rounds", type=int, default=50, help="of the evaluation; two games each")
    parser.add_argument("--save", help="the file for the network")
    asked = parser.parse_args()
    envs = [rl.single_agent_env(GAME, opponent=asked.opponent, max_steps=MAX_STEPS) for _ in range(ENVS)]
    setting = envs[0].setting
    network = Network(math.prod(setting.observer.shape), setting.action_count)
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE)
    print("before training")
    report(network, asked.rounds)
    now = [(seen, info["action_mask"]) for seen, info in (env.reset(seed=seed) for seed, env in enumerate(envs))]
    start, steps = time.monotonic(), 0
    while time.monotonic() - start < 60 * asked.minutes:
        played, results = collect(envs, now, network)
        update(network, optimiser, played)
        steps += ENVS * STEPS
        print(f"{steps:,} steps, {len(results)} games, mean reward {np.mean(results or [0]):.2f}", flush=True)
    print(f"after {(time.monotonic() - start) / 60:.1f} minutes")
    report(network, asked.rounds)
    if asked.save:
        torch.save(network.state_dict(), asked.save)


if __name__ == "__main__":
    main()
