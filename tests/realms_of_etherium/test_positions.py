"""Positions as text (F1 to F10), steps as text (N1) and what everyone sees."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import BadNotation, BadOptions, BadPosition
from realmtable.engine.protocol import Turn
from realmtable.games.realms_of_etherium import view
from realmtable.games.realms_of_etherium.first_state import first_position
from realmtable.games.realms_of_etherium.game import GAME
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.notation.position_reader import decode_position
from realmtable.games.realms_of_etherium.notation.position_writer import encode_position
from realmtable.games.realms_of_etherium.notation.step_notation import parse_step, step_text
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.steps import Step, StepKind, code_of, step_of
from tests.realms_of_etherium.helpers import read, with_reserve

MAGES = "mages=portal;portal/portal;1,0"
WORLD = f"tiles=Portal@0,0;Quicken@1,0;Affinity@0,1;Displace@-1,1 {MAGES}"
POWERS = "options=player_powers=on"
FEW_MARKERS = "options=manifest=game.control_markers:1"


def test_f1_to_f9_a_position_is_written_as_it_is_read() -> None:
    text = (
        "tiles=Portal@0,0;Conjure@1,0:2;Quicken.2@0,1 mages=portal;1,0x/portal;0,1 etherium=3.1/0.0 reserve=Swap;Bond "
        "phase=act seat=2 turn=7 round=2 steps=40 triggered before=1,0 now=0,1 active=1 moved=1 received held=1,0;0,1 "
        "left=1,0;0,1 used=2@1,0 options=displace_self=on,points=8"
    )
    position, options = decode_position(text)
    assert encode_position(position, options) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "2 to 6 players"),
        ("x" * 20_000, "at most 16,000"),
        (f"{MAGES.replace('1,0', 'portal')} turn=2 turn=3", "twice"),
        (f"{WORLD} triggered=1", "triggered without a value"),
        (f"{WORLD} held", "held as name=value"),
        (f"{WORLD} colour=1", "no field colour"),
        (f"{WORLD} phase=move", "phase must be one of"),
        (f"{WORLD} options=points=99", "points"),
        (f"tiles=Nothing@0,0 {MAGES}", "is not a Realm"),
        (f"tiles=Portal@0,0;Quicken.3@1,0 {MAGES}", "not that many Quicken tiles"),
        (f"tiles=Portal@0,0;Quicken@1,0;Quicken@0,1 {MAGES}", "in play twice"),
        (f"tiles=Portal@0,0;Quicken.2@1,0;Quicken.2@0,1 {MAGES}", "Quicken.2 is in play twice"),
        (f"tiles=Portal@0,0;Quicken@1,0;Displace@1,0 {MAGES}", "Two Realms are on 1,0"),
        (f"tiles=Portal@0,0;Quicken@21,0 {MAGES}", "hex of the world"),
        (f"tiles=Quicken@1,0 {MAGES}", "must be a Portal"),
        (f"tiles=Portal@0,0:1;Quicken@1,0 {MAGES}", "cannot be Controlled"),
        (f"tiles=Portal@0,0;Quicken@1,0:3 {MAGES}", "no seat 3"),
        (f"tiles=Portal@0,0;Quicken@1,0:1;Quicken.2@0,1:1 {MAGES}", "two Realms named Quicken"),
        (f"tiles=Portal@0,0;Quicken@1,0:1;Swap@0,1:1 {MAGES} {FEW_MARKERS}", "only 1 Control"),
        ("tiles=Portal@0,0 mages=portal;;portal/portal", "not nothing"),
        ("tiles=Portal@0,0 mages=/portal", "Seat 1 must have 1 to 5"),
        ("tiles=Portal@0,0 mages=portal/2,2", "no Realm is there"),
        ("tiles=Portal@0,0 mages=portal/0,0", "must say portal"),
        (f"{WORLD} etherium=21.0/0.0", "from 0 to 20"),
        (f"{WORLD} etherium=1.0", "for each seat"),
        (f"{WORLD} colours=Red/Red", "different colour"),
        (f"{WORLD} colours=Red/Blue", "player_powers"),
        (f"{WORLD} colours=Red {POWERS}", "player_powers"),
        (f"{WORLD} phase=colours colours=Red/Blue {POWERS}", "player_powers"),
        (f"{WORLD} phase=colours colours=Red seat=1 {POWERS},choose_colours=on", "first one without a colour"),
        (f"{WORLD} reserve=Nothing", "by name"),
        (f"{WORLD} reserve=Quicken;Quicken", "more Quicken tiles"),
        (f"{WORLD} seat=0", "count from 1"),
        (f"{WORLD} turn=0", "turn must be 0 in the set-up"),
        (f"{WORLD} round=61", "from 1 to 60"),
        (f"{WORLD} phase=act", "needs the field active"),
        (f"{WORLD} active=1", "has no field active"),
        (f"{WORLD} phase=act active=3", "has no Mage 3"),
        (f"{WORLD} phase=over", "needs the field end"),
        (f"{WORLD} end=points", "has no field end"),
        (f"{WORLD} moved=1", "need an active Mage"),
        (f"{WORLD} held=1,0", "need an active Mage"),
        (f"{WORLD} phase=act active=1 used=3@1,0", "such as 2@1,0"),
        (f"{WORLD} phase=act active=1 left={';'.join(['1,0'] * 26)}", "at most 25"),
        (f"{WORLD} phase=act active=2.1 received", "only after a Transfer"),
        (f"{WORLD} phase=protect active=1 asked=2.2", "cannot be protected"),
        (f"{WORLD} phase=act active=1 left=1,0;0,0", "cannot list Permanent Realms"),
        (f"{WORLD} phase=act active=1 tried=1.1", "need the field displace"),
        (f"{WORLD} phase=act active=1 gained=1.0", "no field gained"),
        (f"{WORLD} phase=enter active=1 entering=2.5", "a Mage in play"),
        (f"{WORLD} phase=enter active=1 entering=2.1", "does not lead to the phase enter"),
        (f"{WORLD} phase=protect active=1 asked=2.2 displace=1,0", "belong together"),
        (f"{WORLD} phase=source active=1 hex=1,0", "hex must be empty"),
        (f"{WORLD} phase=refill active=1", "three tiles already"),
        (f"{WORLD} phase=target active=1 asked=2.2 displace=portal owner=2", "cannot be pushed"),
        (f"{WORLD} phase=target active=1 asked=2.2 displace=1,0 owner=2", "nothing to decide"),
        (f"{WORLD} phase=protect active=1 asked=2.2 displace=1,0 owner=2 target=0,1", "nothing to decide"),
        (WORLD.replace("portal;portal/", "portalx;portalx/"), "no legal step"),
        (
            "tiles=Portal@0,0;Disruption@1,0 mages=portal/portal;1,0 phase=protect active=1 asked=2.2 entering=2.2",
            "cannot buy Protection",
        ),
    ],
)  # fmt: skip
def test_f10_positions_that_no_game_can_continue_from_are_refused(text: str, words: str) -> None:
    with pytest.raises(BadPosition) as refused:
        read(text)
    assert words in str(refused.value)


def test_u1_the_game_is_for_two_to_six() -> None:
    with pytest.raises(BadOptions, match="2 to 6 players, not 7"):
        first_position(7, EtheriumOptions())


@pytest.mark.long
def test_n1_every_step_has_one_code_and_one_text() -> None:
    for code in range(layout.STEP_CODES):
        step = step_of(code)
        assert code_of(Step(*step)) == code
    for code in [*range(0, layout.STEP_CODES, 7), *range(layout.REVEAL0, layout.STEP_CODES)]:
        step = step_of(code)
        if is_written(step):
            assert parse_step(step_text(step).upper()) == step


def is_written(step: Step) -> bool:
    """Whether a step names a hex, colour and number that exist; codes have gaps."""
    hexes = {StepKind.TO: step.at, StepKind.PUSH: step.to} | dict.fromkeys(
        [StepKind.SUMMON, StepKind.SHIFT, StepKind.PUT, StepKind.SWAP, StepKind.WITH], step.at
    )
    target = hexes.get(step.kind, layout.TO_PORTALS)
    if target != layout.TO_PORTALS and not layout.INSIDE[target]:
        return False
    return not (step.kind == StepKind.MAKE and step.to == 0) and not (step.kind == StepKind.COLOUR and step.at == 0)


@pytest.mark.parametrize(
    "step",
    [
        Step(StepKind.END, 1),
        Step(StepKind.MAGE),
        Step(StepKind.MAGE, 5),
        Step(StepKind.TO, 1, 1),
        Step(StepKind.PUSH, 1),
    ],
)
def test_n1_steps_without_a_code(step: Step) -> None:
    assert code_of(step) == -1


@pytest.mark.parametrize(
    "text",
    [
        "", "jump", "x" * 70, "mage 6", "to", "to 30,0", "take", "take Q x", "take C", "draw up", "push 7.1",
        "push 1.1 to", "push 1.1 to 1", "make two black", "make 0 white", "make 2 red", "collect green", "first 9",
    ],
)  # fmt: skip
def test_n1_what_is_no_step(text: str) -> None:
    with pytest.raises(BadNotation):
        parse_step(text)


def test_n1_names_can_be_shortened() -> None:
    assert step_text(parse_step("TAKE  quick")) == "take Quicken"


def test_w9_everyone_sees_everything() -> None:
    line = f"{WORLD.replace('0,1;', '0,1:1;')} phase=act active=1 colours=Red/Blue {POWERS}"
    position = read(line)
    data = view.board_data(position)
    assert data["realms"][2] == {
        "at": "1,0", "name": "Quicken", "kind": "Quicken", "seat": None, "points": None,
        "constrained": False, "held": False, "moved": False,
    }  # fmt: skip
    assert data["realms"][-1]["points"] == 2
    assert data["players"][0] == {
        "white": 0, "black": 0, "points": 2, "controlled": 1, "markers": 11, "colour": "Red",
    }  # fmt: skip
    assert (data["active"], data["moves_left"], data["hex"]) == (1, 1, None)
    assert view.board_data(read(f"{WORLD} phase=source active=1 hex=1,-1"))["hex"] == "1,-1"
    assert view.board_data(read(WORLD))["active"] is None


def test_n2_turns_and_acting_seats() -> None:
    state = GAME.decode(with_reserve(f"{WORLD} seat=2 turn=9"))
    assert (GAME.to_move(state), GAME.turn(state)) == ((1,), Turn(9, 1))
    assert GAME.chance(state) == []
    assert GAME.outcome(state) is None
    start = GAME.initial(2)
    assert GAME.to_move(start) == (layout.CHANCE,)
    assert {result.weight for result in GAME.chance(start) if result.move.at == layout.KIND_COUNT - 1} == {1}


@pytest.mark.parametrize(
    ("tiles", "end", "ranking", "text"),
    [
        (";Affinity@0,1:1", "points", (1, 2), "Scarlet wins with 1 point."),
        (
            ";Affinity@0,1:1;Fluency@1,-1:2;Channel@2,-2:2",
            "points",
            (2, 1),
            "Azure wins with 1 point and more Controlled Realms.",
        ),
        (" etherium=0.2/0.1", "points", (1, 2), "Scarlet wins with 0 points and more Black Etherium."),
        (
            " etherium=2.1/3.1",
            "max_steps",
            (2, 1),
            "The game reached its last step. Azure wins with 0 points and more White Etherium.",
        ),
        ("", "max_rounds", (1, 1), "The last Round is over. Scarlet and Azure share first place with 0 points."),
    ],
)
def test_e2_e4_the_outcome(tiles: str, end: str, ranking: tuple[int, ...], text: str) -> None:
    tiles, _, fields = tiles.partition(" ")
    world = f"tiles=Portal@0,0;Quicken@1,0{tiles} mages=portal/portal"
    state = GAME.decode(with_reserve(f"{world} phase=over end={end} {fields}".strip()))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranking, outcome.reason, outcome.text) == (ranking, end, text)
    assert GAME.to_move(state) == ()
