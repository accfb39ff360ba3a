"""Positions and steps as text, for the tests of the rules."""

from __future__ import annotations

import random
from importlib import resources

import numpy as np

from realmtable.engine.options import OptionValue, list_options, make_options
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import legal_steps
from realmtable.games.realms_of_etherium.kernels.rules import apply_step
from realmtable.games.realms_of_etherium.kernels.world import tile_on
from realmtable.games.realms_of_etherium.notation.position_reader import decode_position
from realmtable.games.realms_of_etherium.notation.step_notation import parse_step, step_text
from realmtable.games.realms_of_etherium.options import PRESETS, EtheriumOptions
from realmtable.games.realms_of_etherium.steps import code_of, step_of
from realmtable.kit.rules import Position

RULES = resources.files("realmtable.games.realms_of_etherium").joinpath("RULES.md").read_text(encoding="utf-8")
TILES = EtheriumOptions().tiles().tiles
COLOURS = ("red", "blue", "green", "purple", "orange")
ACT = "phase=act active=1"
POWERS = "options=player_powers=on"
RESERVE = "reserve=Draw;Shift;Lessen;Accord;Bond;Network"


def with_reserve(text: str) -> str:
    """A line with a full Reserve unless it names one."""
    return text if "reserve=" in text else f"{text} {RESERVE}"


def read(text: str) -> Position:
    """The position of a line, with a full Reserve unless the line names one."""
    return decode_position(with_reserve(text))[0]


def list_codes(position: Position) -> list[int]:
    out = np.empty(layout.MAX_STEPS, dtype=np.int64)
    codes: list[int] = out[: legal_steps(position, out)].tolist()
    return codes


def busy_ones(codes: list[int]) -> list[int]:
    """The steps that do something, if there are any."""
    return [code for code in codes if code not in (layout.END, layout.SKIP, layout.NEXT)] or codes


def list_texts(position: Position) -> list[str]:
    return [step_text(step_of(code)) for code in list_codes(position)]


def play(text: str, *steps: str) -> Position:
    position = read(text)
    play_on(position, *steps)
    return position


def play_on(position: Position, *steps: str) -> None:
    for step in steps:
        assert step in list_texts(position), (step, list_texts(position))
        apply_step(position, code_of(parse_step(step)))


def ring(first: str, second: str = "Channel", third: str = "Condense") -> str:
    """A Portal and three Realms that touch it; the first touches both others."""
    return f"tiles=Portal@0,0;{first}@1,0;{second}@0,1;{third}@1,-1"


def verbs(position: Position, verb: str) -> list[str]:
    """What follows a verb in the legal steps."""
    return [text.removeprefix(f"{verb} ") for text in list_texts(position) if text.startswith(f"{verb} ")]


def tile_at(position: Position, hex_: str) -> str:
    """The name of the Realm on a hex, with the number of the seat that Controls it."""
    tile = tile_on(position, layout.hex_at(*map(int, hex_.split(","))))
    if tile == layout.NONE:
        return "nothing"
    owner = position.item(layout.TILE_OWNER + tile)
    return layout.KIND_NAMES[position.item(layout.TILE_KIND + tile)] + f":{owner}" * bool(owner)


def amounts(position: Position, seat: int) -> tuple[int, int]:
    """The White and Black of a seat."""
    return position.item(layout.WHITE + seat), position.item(layout.BLACK + seat)


def phase(position: Position) -> tuple[str, int]:
    """The open decision and the acting seat."""
    return layout.PHASES[position[layout.PHASE]], position.item(layout.SEAT)


def random_options(rng: random.Random, manifest: str) -> EtheriumOptions:
    """Random rules for a game of a few Rounds, a third of them with the rulings of `literal`."""
    values: dict[str, OptionValue] = {}
    for info in list_options(EtheriumOptions):
        if info.type in {"switch", "choice"}:
            values[info.name] = rng.choice(info.choices or (False, True))
    if rng.random() < 1 / 3:
        values |= PRESETS["literal"]
    if values["reactions"] == "first":
        values["one_gain_power"] = False
    values["paralyze_guard"] = values["player_powers"] and values["paralyze_guard"]
    values |= {"points": rng.randint(0, 12), "max_rounds": rng.choice((0, 5, 6, 7, 8)), "manifest": manifest}
    return make_options(EtheriumOptions, {}, None, values)


def random_manifest(rng: random.Random) -> str:
    """Random changes to copies, colours and prices."""
    changes = [f"game.mages:{rng.randint(1, 5)}", f"game.etherium_cap:{rng.choice((5, 20))}"]
    room = 22  # for more tiles
    for tile in rng.sample(TILES, 15):
        is_normal = tile.tile_class == "normal"
        if tile.tile_class != "victory":
            copies = min(rng.randint(tile.id == "portal", 12), tile.copies + room)
            room -= copies - tile.copies
            changes.append(f"{tile.id}.copies:{copies}")
        if is_normal and tile.power.verb != "convert":
            changes.append(f"{tile.id}.colour:{rng.choice(COLOURS)}")
        if tile.control is not None:
            changes.append(f"{tile.id}.control:{rng.randint(0, 2)}/{rng.randint(0, 2)}")
        if tile.use.white + tile.use.black:
            is_white_only = tile.power.verb in {"convert", "tribute"}
            changes.append(f"{tile.id}.use:{rng.randint(is_white_only, 3)}/{0 if is_white_only else rng.randint(0, 2)}")
    return ";".join(changes)
