"""What to click for a step: clearings, action chits and buttons."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.picture import view_picture
from realmtable.games.magic_realm.picture.handles import handles, list_handles
from realmtable.games.magic_realm.text.describe import label
from realmtable.games.magic_realm.text.panels import panels
from realmtable.games.magic_realm.text.reasons import is_handle
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.step_text import PHASE_VERBS, format_step, parse_step
from tests.magic_realm.helpers.day_helpers import begin, box_without, day, goods
from tests.magic_realm.helpers.flow_helpers import CATALOG
from tests.magic_realm.helpers.random_states import OPTIONS, random_states
from tests.picture_checks import parse_svg, spaces_in

NAMES = {*CATALOG.names.by_name("character")}
CHITS = [
    ("Move M4", "fatigued"),
    ("Move M3*", "fatigued"),
    ("Fight H4**", "active"),
    ("Move M3*", "active"),
    ("Move M3*", "wounded"),
    ("Fight M4*", "fatigued"),
]
VIEW: dict[str, Any] = {
    "viewer": 0,
    "players": [{"at": "BV2", "chits": [{"label": label, "state": state} for label, state in CHITS]}],
}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("M BV4", ("BV4",)),
        ("M BV4 pony", ("pony", "BV4")),
        ("P CG2", ("P", "CG2")),
        ("peer", ("peer",)),
        ("peer CG2", ("CG2",)),
        ("to CN3", ("CN3",)),
        ("H", ("phase:H",)),
        ("A", ("idle:A", "idle:A")),
        ("-", ("phase:-", "phase:-")),
        ("R", ("phase:R",)),
        ("F Elf", ("F Elf", "F Elf")),
        ("go", ("go", "go")),
        ("run on", ("run on",)),
        ("be Elf", ("be Elf", "be Elf")),
        ("tile Crag", ("tile Crag",)),
        ("place 3 -1", ("place 3 -1",)),
        ("turn 2", ("turn 2",)),
        ("tire Move M3*", ("chit:active Move M3*",)),
        ("tire Fight H4** for Fight M4*", ("chit:active Fight H4**", "chit:fatigued Fight M4*")),
        ("rest Move M4", ("chit:fatigued Move M4",)),
        ("rest wounded Move M3*", ("chit:wounded Move M3*",)),
        ("rest fatigued Move M3*", ("chit:fatigued Move M3*",)),
        ("rest Fight M4* with Move M3*", ("chit:fatigued Fight M4*", "chit:active Move M3*")),
        ("force Fight H4**", ("chit:active Fight H4**",)),
        ("force Gloves of Strength", ("force Gloves of Strength",)),
        ("activate Shield-1", ("activate Shield-1",)),
        ("leave Shield-1", ("leave Shield-1", "leave Shield-1")),
        ("leave", ("leave",)),
        ("wound Move M3*", ("chit:active Move M3*",)),
        ("wound Move M4", ("chit:fatigued Move M4",)),
    ],
)
def test_a_step_is_a_path_of_clicks(text: str, path: tuple[str, ...]) -> None:
    assert handles(VIEW, parse_step(text)) == path


def test_a_spectator_has_no_chits_to_click() -> None:
    watching = {**VIEW, "viewer": None}
    for text in ("tire Move M3*", "run BV2-BV5 with Move M3*"):
        assert handles(watching, parse_step(text)) == (text,)


def test_d14_alert_is_an_ordinary_choice_once_combat_is_played() -> None:
    assert handles({**VIEW, "combat_rules": True}, parse_step("A")) == ("phase:A",)
    assert label("phase:A") == "Alert"
    assert label("idle:A") == "Alert (no effect without combat)"
    assert is_handle("idle:A")
    assert not is_handle("idle:H")


def test_steps_are_listed_together() -> None:
    steps = [parse_step(text) for text in ("H", "M BV4", "M BV4 pony")]
    assert list_handles(VIEW, steps) == [handles(VIEW, step) for step in steps]


def handles_in(shown: dict[str, Any]) -> list[str]:
    root = parse_svg(view_picture.draw(shown))
    drawn = [handle for found in root.iter() if (handle := found.get("data-handle"))]
    assert len(drawn) == len(spaces_in(root))
    return drawn


def chits_in(shown: dict[str, Any]) -> list[str]:
    panel = panels(shown)[0]
    return [*spaces_in(parse_svg(panel.svg))] if panel.svg else []


def rows_in(shown: dict[str, Any]) -> list[str]:
    return [row.handle for panel in panels(shown) for row in panel.rows if row.handle]


def test_the_panel_with_the_chits_opens_when_one_is_needed() -> None:
    rests = begin(day("1.at=B2", "1.plan=R;H", "1.tired=2;6", "1.goods=-", heroes="Amazon"), "Amazon")
    (seat,) = MACHINE.to_move(rests)
    shown = view(rests, MACHINE, seat)
    assert {path[0] for path in list_handles(shown, MACHINE.legal_moves(rests, seat))} <= {*chits_in(shown)}
    assert panels(shown)[0].opens
    assert not panels({**shown, "question": None})[0].opens
    assert not panels({**shown, "question": {**shown["question"], "moves": ["go", "run on"]}})[0].opens
    assert panels(view(rests, MACHINE, None))[0].svg == ""


def test_a_panel_lists_what_can_be_done_with_belongings() -> None:
    belongings = goods("Light Bow-1+", "Deft Gloves/1")
    arranges = begin(day("1.at=B2", "1.plan=H", belongings, box_without("Deft Gloves/1"), heroes="Elf"))
    (seat,) = MACHINE.to_move(arranges)
    shown = view(arranges, MACHINE, seat)
    rows = [row.handle for panel in panels(shown) if panel.id == "belongings" for row in panel.rows]
    assert rows == ["", "pack Light Bow-1", "leave Light Bow-1", "", "activate Deft Gloves", "leave Deft Gloves"]
    legal = {format_step(step) for step in MACHINE.legal_moves(arranges, seat)}
    assert {handle for handle in rows if handle} == legal - {"go", "run on"}


@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seats", [1, 3])
def test_every_step_of_a_random_game_has_its_own_clicks(options: MagicOptions, seats: int) -> None:
    for number, world in enumerate(random_states(seats, options, Random(seats), 300)):
        for seat in MACHINE.to_move(world) if number % 9 == 0 else ():
            steps = (
                [outcome.move for outcome in MACHINE.chance(world)]
                if seat == CHANCE
                else MACHINE.legal_moves(world, seat)
            )
            shown = view(world, MACHINE, seat)
            paths = list_handles(shown, steps)
            assert len({*paths}) == len(steps)
            drawn = {*handles_in(shown), *chits_in(shown), *rows_in(shown), "pony", "P"}
            texts = {format_step(step) for step in steps}
            buttons = {f"phase:{text}" if text in PHASE_VERBS else text for text in texts} | {"idle:A"}
            clicked = {handle for path in paths for handle in path}
            buttons |= {handle for handle in clicked if handle.startswith("run:")}
            assert clicked <= drawn | buttons
            assert not buttons & {*CATALOG.names.by_name("tile code")}
            assert not [handle for handle in clicked & drawn if handle.startswith("tile:") or handle in NAMES]
            if seat != CHANCE:
                verbs = ("be", "tile", "place", "turn", "order", "pack")
                needed = {text for text in texts if text.split()[0] in verbs}
                assert needed | {handle for handle in clicked if handle.startswith("chit:")} <= drawn
