"""Write the notebooks in `examples/notebooks`, one for each game: `python examples/make_notebooks.py`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import realmtable

FOLDER = Path(__file__).parent / "notebooks"


class Story(NamedTuple):
    """What a notebook says about its game alone: the arguments of its environment, a text, and some code."""

    arguments: str
    text: str
    code: str


BOARD_CODE = """planes = dict(zip(observer.names, seen["observation"], strict=True))
print(planes["own {piece}"].astype(int)[::-1])  # the first rank at the bottom, as on the board"""

STORIES = {
    "classic_realm": Story(
        "",
        "Small enough to train a network in minutes: see `examples/train_classic_realm.py`. A pad is worth "
        "nothing by itself; a player with no frog left on a pad has lost.",
        BOARD_CODE.format(piece="frog on a pad"),
    ),
    "medieval_realm": Story(
        "", "A race: pieces that leave the far side count. A step is a whole turn.", BOARD_CODE.format(piece="man")
    ),
    "oriental_realm": Story(
        "",
        "A turn may move several pieces of one Realm, one step each, and then ends with a step of its own.",
        BOARD_CODE.format(piece="mandarin"),
    ),
    "modern_realm": Story(
        "", "Agents move far, so there are many legal steps at a time.", BOARD_CODE.format(piece="agent")
    ),
    "realm": Story(
        'preset="short", ',
        "A turn is a run of steps by one seat: the same agent may act several times in a row.",
        BOARD_CODE.format(piece="base"),
    ),
    "fantasy_realms": Story(
        "seats=3, ",
        "Hands are hidden. An agent knows its own cards, the discards, and the cards that others took openly.",
        """start = sum(observer.lengths[: observer.names.index("hand")])
cards = int(seen["observation"][start : start + 53].sum())
print(cards, "cards in hand")""",
    ),
    "realms_of_etherium": Story(
        "",
        "The world grows during the game, so the observation is a list of tiles with their coordinates.",
        """used = [name for name in observer.names if name.startswith("tile ")]
print("places for", len(used), "tiles")""",
    ),
    "magic_realm": Story(
        'preset="first_game", ',
        "Days are planned in secret and at the same time, much is hidden, and dice decide. `rl.parallel_env` lets all "
        "agents choose at once.",
        """print("day", round(float(seen["observation"][0] * 28)))""",
    ),
}


# Cells begin with a line of %%; those with text say so. Names in capitals are replaced.
TEMPLATE = """%% text
# TITLE

SUMMARY

STORY

[Games as environments](../../docs/study/environments.md) explains actions, observations and rewards.
%%
import numpy as np

from realmtable import rl

env = rl.aec_env("GAME", ARGUMENTSrender_mode="svg")
env.reset(seed=1)
env.render()
%% text
Agents are seats. Each sees an array and a mask of its legal actions.
%%
agent = env.agent_selection
seen = env.observe(agent)
observer = env.unwrapped.setting.observer
print(agent, "sees", seen["observation"].shape)
for name, length in list(zip(observer.names, observer.lengths, strict=True))[:12]:
    print(name, length)
%%
CODE
%% text
Every step has a number. These are legal now:
%%
legal = np.flatnonzero(seen["action_mask"])
episode = env.unwrapped.episode
for action in legal[:8].tolist():
    step = episode.game.move_of(episode.state, episode.acting[0], action)
    print(action, episode.game.format_move(episode.state, step))
%% text
A policy chooses one of them. This one chooses at random, and is about as strong as the weakest bot.
Use more rounds for a narrower interval.
%%
rng = np.random.default_rng(1)


def choose(observed):
    return int(rng.choice(np.flatnonzero(observed["action_mask"])))


[result] = rl.evaluate_policy(choose, "GAME", ARGUMENTSopponents=["level1"], rounds=1, max_steps=400)
print(result)
"""


def make_notebook(info: realmtable.GameInfo) -> dict[str, Any]:
    """Return the notebook of a game as JSON data."""
    story = STORIES[info.id]
    names = {
        "TITLE": info.title,
        "SUMMARY": info.summary,
        "STORY": story.text,
        "GAME": info.id,
        "ARGUMENTS": story.arguments,
        "CODE": story.code,
    }
    cells = re.sub(r"\b(TITLE|SUMMARY|STORY|GAME|CODE)\b|ARGUMENTS", lambda found: names[found[0]], TEMPLATE).split(
        "%%"
    )
    return {
        "cells": [_make_cell(number, text) for number, text in enumerate(cells[1:])],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _make_cell(number: int, text: str) -> dict[str, Any]:
    kind, _, content = text.partition("\n")
    source = content.rstrip("\n").splitlines(keepends=True)
    common = {"id": f"cell-{number}", "metadata": {}, "source": source}
    if kind.strip() == "text":
        return {"cell_type": "markdown", **common}
    return {"cell_type": "code", "execution_count": None, "outputs": [], **common}


def write_notebook(info: realmtable.GameInfo) -> str:
    """Return the notebook of a game as the text of its file."""
    return json.dumps(make_notebook(info), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write all notebooks."""
    FOLDER.mkdir(exist_ok=True)
    for info in realmtable.infos():
        (FOLDER / f"{info.id}.ipynb").write_text(write_notebook(info), encoding="utf-8")


if __name__ == "__main__":
    main()
