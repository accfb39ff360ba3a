"""Positions and steps as text, for the tests of the rules."""

from __future__ import annotations

import random
from functools import partial
from importlib import resources

import numpy as np

from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import legal_steps
from realmtable.games.realms_of_etherium.kernels.rules import apply_step
from realmtable.games.realms_of_etherium.notation.position_reader import decode_position
from realmtable.games.realms_of_etherium.notation.step_notation import parse_step, step_text
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.steps import code_of, step_of
from realmtable.kit.rules import Position

RULES = resources.files("realmtable.games.realms_of_etherium").joinpath("RULES.md").read_text(encoding="utf-8")
RESERVE = "reserve=Draw;Shift;Lessen;Accord;Bond;Network"


def read(text: str) -> Position:
    """The position of a line, with a full Reserve unless the line names one."""
    return decode_position(text if "reserve=" in text else f"{text} {RESERVE}")[0]


def list_texts(position: Position) -> list[str]:
    """The legal steps as text."""
    out = np.empty(layout.MAX_STEPS, dtype=np.int64)
    return [step_text(step_of(code)) for code in out[: legal_steps(position, out)].tolist()]


def play(text: str, *steps: str) -> Position:
    """The position after legal steps."""
    position = read(text)
    play_on(position, *steps)
    return position


def play_on(position: Position, *steps: str) -> None:
    """Play legal steps in place."""
    for step in steps:
        assert step in list_texts(position), (step, list_texts(position))
        apply_step(position, code_of(parse_step(step)))


def amounts(position: Position, seat: int) -> tuple[int, int]:
    """The White and Black of a seat."""
    return position.item(layout.WHITE + seat), position.item(layout.BLACK + seat)


def phase(position: Position) -> tuple[str, int]:
    """The open decision and the acting seat."""
    return layout.PHASES[position[layout.PHASE]], position.item(layout.SEAT)


def random_options(rng: random.Random, manifest: str) -> EtheriumOptions:
    """Random rules for a game of a few Rounds."""
    flip = partial(rng.choice, (False, True))
    has_powers = flip()
    return EtheriumOptions(
        one_gain_power=flip(),
        once_per_tile=rng.choice(("power", "activation")),
        displace_by=rng.choice(("active", "owner")),
        displace_self=flip(),
        transfer_control=flip(),
        lone_connected=flip(),
        portals_touch_as_one=flip(),
        alteration=rng.choice(("red", "orange")),
        controlled=rng.choice(("owner", "any")),
        keep_connected=flip(),
        player_powers=has_powers,
        paralyze_guard=has_powers and flip(),
        points=rng.randint(0, 12),
        max_rounds=rng.randint(5, 8),
        manifest=manifest,
    )
